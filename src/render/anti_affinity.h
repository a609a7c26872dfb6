#ifndef TASKFIT_RENDER_ANTI_AFFINITY_H
#define TASKFIT_RENDER_ANTI_AFFINITY_H

/*
 * The policy's antiAffinity as memberOf expressions, which is how Amazon ECS is told to keep services apart.
 */

#include "base/arena.h"
#include "deployment/deployment.h"

typedef struct taskfit_expressions { /* of one service */
    const char *const *texts;
    size_t n;
} taskfit_expressions;

/* [n_services]: what antiAffinity adds to the memberOf expressions of each service that has them already. As few
 * expressions as ECS's limit of 2000 characters allows, since a task may have only 10 constraints. */
const taskfit_expressions *taskfit_anti_affinity_expressions(const taskfit_deployment *deployment,
                                                             taskfit_arena *arena);

#endif
