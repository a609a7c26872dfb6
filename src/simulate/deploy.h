#ifndef TASKFIT_SIMULATE_DEPLOY_H
#define TASKFIT_SIMULATE_DEPLOY_H

/*
 * Tasks that give way to new ones: a deployment renews all tasks of a service, draining an instance those that stand
 * on it. Source: the ECS developer guide's pages on rolling updates and on draining, and the API's
 * deploymentConfiguration: at most floor(desired x maximumPercent / 100) tasks run, at least
 * ceil(desired x minimumHealthyPercent / 100) do; new ones start where there is room, and old ones stop
 * as they are replaced, or before it where no new one finds a place and fewer may run.
 */

#include "simulate/misfit.h"
#include "simulate/place.h"

typedef enum taskfit_stuck {
    TASKFIT_STUCK_NOT,
    TASKFIT_STUCK_PERCENT, /* the percentages let it neither start nor stop a task */
    TASKFIT_STUCK_ROOM     /* no new task finds a place, and no further old one may stop */
} taskfit_stuck;

typedef struct taskfit_renewal { /* of one service */
    size_t service;
    int64_t desired;     /* tasks */
    int64_t least, most; /* that must and may run meanwhile */
    bool full_set;       /* BLUE_GREEN, CANARY, LINEAR: all new tasks beside the old ones, or none */
    int64_t *old;        /* [n_machines] tasks that are still to go */
    int64_t n_old;       /* their sum */
    int64_t n_wanted;    /* new tasks */
    int64_t n_started;
    int64_t n_waves;       /* batches in which they started */
    int64_t largest_batch; /* new tasks in one of them at most */
    bool stopped_first;    /* an old task had to stop to make room */
    taskfit_stuck stuck;
    taskfit_misfit misfit; /* of the next new task, where stuck for room */
} taskfit_renewal;

/* Every task of the service, or those on one machine. In the arena. */
taskfit_renewal taskfit_renewal_of_service(const taskfit_cluster *cluster, size_t service, int64_t desired, taskfit_arena *arena);
taskfit_renewal taskfit_renewal_of_machine(const taskfit_cluster *cluster, size_t service, int64_t desired, size_t machine,
                                           taskfit_arena *arena);
/* Renews them side by side, wave by wave, until all are done or none moves. A full set that does not fit is taken
 * away again. `scratch`: room for one index for each machine. */
void taskfit_renewals_run(taskfit_cluster *cluster, taskfit_renewal *renewals, size_t n, taskfit_ties ties, taskfit_rand *dice,
                          size_t *scratch);
/* "at most floor(1 x 134 / 100) = 1 may run and at least ceil(1 x 100 / 100) = 1 must": in the arena. */
const char *taskfit_renewal_arithmetic(const taskfit_cluster *cluster, const taskfit_renewal *renewal, taskfit_arena *arena);

#endif
