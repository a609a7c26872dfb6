#ifndef TASKFIT_SIMULATE_ORDERS_H
#define TASKFIT_SIMULATE_ORDERS_H

/*
 * Many launches of one deployment on one fleet, counted. Launch k draws its order from seed + k and its ties from a
 * stream of their own of the same seed, so that a launch can be repeated from its seed, or from its order and its seed.
 */

#include "simulate/launch.h"

typedef struct taskfit_service_orders { /* of one service, over all launches */
    int64_t n_left;        /* launches that leave a task of it out */
    int64_t most_left;     /* tasks left out at most */
    int64_t n_spread_lost; /* launches after which its AZ spread does not hold */
} taskfit_service_orders;

typedef struct taskfit_orders {
    int64_t n_orders; /* launches made */
    int64_t n_placed_all;
    int64_t n_spread_lost; /* launches after which the AZ spread of some service does not hold */
    const taskfit_service_orders *services; /* [n_services] */
    /* The worst: most tasks left, then most services with lost spread, then the first of them. */
    uint64_t worst_seed;
    int64_t worst_left;
    int64_t worst_spread_lost;     /* services */
    const size_t *worst_order;     /* [n_services] */
    const int64_t *worst_tasks;    /* [n_services] tasks left */
    const bool *worst_spread;      /* [n_services] spread lost */
    const taskfit_misfit *misfits; /* [n_services] where worst_tasks is not 0 */
} taskfit_orders;

/* `first` holds n_first services that start before all others. Everything lives in the arena. The cluster is left as the
 * worst launch leaves it. */
taskfit_orders taskfit_orders_run(taskfit_cluster *cluster, const taskfit_simulate_options *options, const size_t *first,
                                  size_t n_first, taskfit_arena *arena);
/* The streams of one launch. */
taskfit_rand taskfit_order_dice(uint64_t seed);
taskfit_rand taskfit_ties_dice(uint64_t seed);

#endif
