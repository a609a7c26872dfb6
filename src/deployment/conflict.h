#ifndef TASKFIT_DEPLOYMENT_CONFLICT_H
#define TASKFIT_DEPLOYMENT_CONFLICT_H

/*
 * Which services refuse an instance because another service stands there: policy.antiAffinity and memberOf
 * expressions on task:group (DESIGN 3 and 4).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "deployment/deployment.h"

typedef struct taskfit_conflicts { /* of one service */
    const uint32_t *services;      /* indexes of the deployment's services, ascending, never itself */
    size_t n;
} taskfit_conflicts;

/* [n_services]: what ECS checks when it places a task of each service. antiAffinity (only if with_policy) works both
 * ways, a memberOf expression only for the service that has it: ECS does not ask the others. */
const taskfit_conflicts *taskfit_conflicts_placing(const taskfit_deployment *deployment, bool with_policy,
                                                   taskfit_arena *arena);
/* [n_services]: the same both ways, as a placement that has to hold for good needs it. */
const taskfit_conflicts *taskfit_conflicts_standing(const taskfit_deployment *deployment, bool with_policy,
                                                    taskfit_arena *arena);

#endif
