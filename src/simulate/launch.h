#ifndef TASKFIT_SIMULATE_LAUNCH_H
#define TASKFIT_SIMULATE_LAUNCH_H

/*
 * Starting all services of a deployment one after the other on an empty cluster, as after a cold start: which order
 * they come in decides whether everything finds a place.
 */

#include "base/rand.h"
#include "simulate/cluster.h"
#include "simulate/misfit.h"
#include "simulate/place.h"

typedef struct taskfit_launch {
    int64_t n_left;      /* tasks that found no place */
    int64_t n_spread_lost; /* services whose AZ spread does not hold (difference above 1 over their AZs) */
    const int64_t *left; /* [n_services]; lives in the arena given to taskfit_launcher_new, until the next run */
    const bool *spread_lost; /* [n_services], likewise */
} taskfit_launch;

typedef struct taskfit_launcher taskfit_launcher;

/* Room for any number of launches on the cluster. */
taskfit_launcher *taskfit_launcher_new(taskfit_arena *arena, taskfit_cluster *cluster);
/* Fills order[n_services] with service indexes. `dice` is used by TASKFIT_ORDER_RANDOM only. */
void taskfit_launch_order(const taskfit_launcher *launcher, taskfit_order_kind kind, taskfit_rand *dice, size_t *order);
/* From now on each run writes to misfits[service] why the first task without a place has none; NULL: no longer. */
void taskfit_launcher_explain(taskfit_launcher *launcher, taskfit_misfit *misfits);
/* Empties the cluster and starts the services in that order, each with its desired count. */
taskfit_launch taskfit_launch_run(taskfit_launcher *launcher, const size_t *order, taskfit_ties ties, taskfit_rand *dice);

#endif
