#ifndef TASKFIT_TESTS_SUPPORT_ORACLE_H
#define TASKFIT_TESTS_SUPPORT_ORACLE_H

/*
 * What a tiny deployment needs, found by trying every fleet and every placement with the rules of DESIGN 3 and 4
 * written down once more, from the deployment itself. Shares the accounting of one task and one instance with
 * taskfit (which has table tests of its own) and nothing else.
 */

#include "deployment/deployment.h"

typedef struct oracle_answer {
    bool feasible;
    int64_t instances;       /* of the best fleet by the policy's first two goals (count, cost in either order) */
    int64_t cost_usd_micros;
} oracle_answer;

enum { ORACLE_MACHINES_MAX = 6, ORACLE_TASKS_MAX = 8 };

/* Every group must have a max, their sum at most ORACLE_MACHINES_MAX; at most ORACLE_TASKS_MAX tasks. `rung`: packing, limits
 * or spread. */
oracle_answer oracle_ask(const taskfit_deployment *deployment, taskfit_rung rung);

#endif
