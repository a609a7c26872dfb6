#ifndef TASKFIT_TESTS_SUPPORT_BRUTE_FORCE_H
#define TASKFIT_TESTS_SUPPORT_BRUTE_FORCE_H

/*
 * The answer to a very small problem by trying every fleet and every placement, task by task, with the rules as
 * DESIGN 4 words them. Shares nothing with solve/.
 */

#include <stdbool.h>
#include <stdint.h>

#include "problem/fleet.h"
#include "problem/problem.h"
#include "solve/moves.h"

typedef struct brute_answer {
    int64_t instances; /* -1: no fleet up to the limit holds the tasks */
    int64_t cost_usd_micros;
} brute_answer;

/* Do all tasks stand on exactly count[n_offers] instances? */
bool brute_force_fits(const taskfit_problem *problem, const int64_t *count);
/* The best fleet of at most max_instances: fewest, then cheapest; or the other way round. */
brute_answer brute_force(const taskfit_problem *problem, int64_t max_instances, bool cost_first);
/* The most tasks that a placement on an allowed fleet of n_instances, within the cost (-1: any), can keep; -1: there is none. */
int64_t brute_force_most_kept(const taskfit_problem *problem, const taskfit_standing *standing, int64_t n_instances,
                              int64_t max_cost_usd_micros);
/* Is the fleet allowed, and do its machines keep every rule? */

bool brute_force_keeps_rules(const taskfit_problem *problem, const taskfit_fleet *fleet); /* the second half */
bool brute_force_accepts(const taskfit_problem *problem, const taskfit_fleet *fleet);

#endif
