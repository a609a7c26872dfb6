#include "simulate/orders.h"

#include <string.h>

typedef struct run {
    taskfit_cluster *cluster;
    const taskfit_simulate_options *options;
    const size_t *first;
    size_t n_first, n_services;
    bool *is_first; /* [n_services] */
    size_t *drawn;  /* [n_services] */
    size_t *order;  /* [n_services] */
    taskfit_launcher *launcher;
} run;

taskfit_rand taskfit_order_dice(uint64_t seed) {
    return taskfit_rand_seeded(seed);
}

taskfit_rand taskfit_ties_dice(uint64_t seed) {
    return taskfit_rand_seeded(~seed);
}

/* Without anything random all launches are the same. */
static bool is_random(const run *r) {
    const taskfit_deployment *deployment = taskfit_cluster_deployment(r->cluster);
    bool random = r->options->order == TASKFIT_ORDER_RANDOM || r->options->ties == TASKFIT_TIES_RANDOM;
    for (size_t s = 0; s < r->n_services && !random; s++) {
        const taskfit_service *service = &deployment->services[s];
        random = service->n_strategies > 0 && service->strategies[service->n_strategies - 1].type == TASKFIT_STRATEGY_RANDOM;
    }
    return random;
}

static taskfit_launch launch(run *r, uint64_t seed) {
    taskfit_rand order_dice = taskfit_order_dice(seed);
    taskfit_rand ties_dice = taskfit_ties_dice(seed);
    taskfit_launch_order(r->launcher, r->options->order, &order_dice, r->drawn);
    size_t n = 0;
    for (; n < r->n_first; n++) {
        r->order[n] = r->first[n];
    }
    for (size_t s = 0; s < r->n_services; s++) {
        if (!r->is_first[r->drawn[s]]) {
            r->order[n++] = r->drawn[s];
        }
    }
    return taskfit_launch_run(r->launcher, r->order, r->options->ties, &ties_dice);
}

static bool is_worse(const taskfit_launch *launch, const taskfit_orders *orders) {
    if (launch->n_left != orders->worst_left) {
        return launch->n_left > orders->worst_left;
    }
    return launch->n_spread_lost > orders->worst_spread_lost;
}

static void count(const taskfit_launch *launch, size_t n_services, taskfit_orders *orders, taskfit_service_orders *services) {
    orders->n_orders++;
    orders->n_placed_all += launch->n_left == 0;
    orders->n_spread_lost += launch->n_spread_lost > 0;
    for (size_t s = 0; s < n_services; s++) {
        services[s].n_left += launch->left[s] > 0;
        services[s].n_spread_lost += launch->spread_lost[s];
        if (launch->left[s] > services[s].most_left) {
            services[s].most_left = launch->left[s];
        }
    }
}

/* The worst launch once more, with its reasons. */
static void repeat_worst(run *r, taskfit_orders *orders, taskfit_arena *arena) {
    taskfit_misfit *misfits = TASKFIT_ARRAY(arena, r->n_services, taskfit_misfit);
    taskfit_launcher_explain(r->launcher, misfits);
    const taskfit_launch worst = launch(r, orders->worst_seed);
    int64_t *tasks = TASKFIT_ARRAY(arena, r->n_services, int64_t);
    bool *spread = TASKFIT_ARRAY(arena, r->n_services, bool);
    for (size_t s = 0; s < r->n_services; s++) {
        tasks[s] = worst.left[s];
        spread[s] = worst.spread_lost[s];
    }
    orders->worst_order = r->order;
    orders->worst_tasks = tasks;
    orders->worst_spread = spread;
    orders->misfits = misfits;
}

taskfit_orders taskfit_orders_run(taskfit_cluster *cluster, const taskfit_simulate_options *options, const size_t *first,
                                  size_t n_first, taskfit_arena *arena) {
    const size_t n_services = taskfit_cluster_deployment(cluster)->n_services;
    run r = {.cluster = cluster,
             .options = options,
             .first = first,
             .n_first = n_first,
             .n_services = n_services,
             .is_first = TASKFIT_ARRAY(arena, n_services, bool),
             .drawn = TASKFIT_ARRAY(arena, n_services, size_t),
             .order = TASKFIT_ARRAY(arena, n_services, size_t),
             .launcher = taskfit_launcher_new(arena, cluster)};
    for (size_t i = 0; i < n_first; i++) {
        r.is_first[first[i]] = true;
    }
    taskfit_service_orders *services = TASKFIT_ARRAY(arena, n_services, taskfit_service_orders);
    taskfit_orders orders = {.services = services, .worst_seed = options->seed, .worst_left = -1};
    const int64_t n_orders = is_random(&r) ? options->n_orders : 1;
    for (int64_t k = 0; k < n_orders; k++) {
        if (k > 0 && options->stop != NULL && options->stop(options->stop_arg)) {
            break;
        }
        const taskfit_launch launched = launch(&r, options->seed + (uint64_t)k);
        count(&launched, n_services, &orders, services);
        if (is_worse(&launched, &orders)) {
            orders.worst_seed = options->seed + (uint64_t)k;
            orders.worst_left = launched.n_left;
            orders.worst_spread_lost = launched.n_spread_lost;
        }
    }
    repeat_worst(&r, &orders, arena);
    return orders;
}
