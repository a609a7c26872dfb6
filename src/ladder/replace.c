#include "ladder/replace.h"

#include "simulate/cluster.h"
#include "simulate/orders.h"
#include "simulate/place.h"

enum { N_TRIES = 100, MAX_STEPS = 100000000 /* tasks x instances looked at */ };

typedef struct losing {
    const taskfit_plan *plan;
    taskfit_cluster *cluster;
    bool by_az;
    size_t *order;   /* [n_services] */
    int64_t *lost;   /* [n_services] tasks to place */
    size_t *scratch; /* [n_machines] */
} losing;

static bool is_lost(const losing *l, size_t m, size_t what) {
    return l->by_az ? l->plan->fleet->machines[m].az == what : m == what;
}

/* The plan's placement without what was lost. */
static void lose(losing *l, size_t what) {
    const taskfit_fleet *fleet = l->plan->fleet;
    taskfit_cluster_clear(l->cluster);
    taskfit_cluster_fill(l->cluster);
    for (size_t s = 0; s < l->plan->deployment->n_services; s++) {
        l->lost[s] = 0;
    }
    for (size_t m = 0; m < fleet->n_machines; m++) {
        if (!is_lost(l, m, what)) {
            continue;
        }
        for (size_t i = 0; i < fleet->machines[m].n_tasks; i++) {
            const taskfit_machine_task *task = &fleet->machines[m].tasks[i];
            l->lost[task->service] += task->count;
            for (int64_t n = 0; n < task->count; n++) {
                taskfit_cluster_remove(l->cluster, task->service, m);
            }
        }
        taskfit_cluster_set_active(l->cluster, m, false);
    }
}

static bool place_all(losing *l, uint64_t seed) {
    const size_t n_services = l->plan->deployment->n_services;
    taskfit_rand order_dice = taskfit_order_dice(seed);
    taskfit_rand ties_dice = taskfit_ties_dice(seed);
    for (size_t s = 0; s < n_services; s++) {
        l->order[s] = s;
    }
    taskfit_rand_shuffle(&order_dice, l->order, n_services);
    for (size_t i = 0; i < n_services; i++) {
        for (int64_t n = 0; n < l->lost[l->order[i]]; n++) {
            const size_t m = taskfit_place_next(l->cluster, l->order[i], TASKFIT_TIES_RANDOM, &ties_dice, l->scratch);
            if (m == TASKFIT_NO_MACHINE) {
                return false;
            }
            taskfit_cluster_add(l->cluster, l->order[i], m);
        }
    }
    return true;
}

bool taskfit_replace_losses(const taskfit_plan *plan, bool by_az, uint64_t seed, taskfit_replacements *out) {
    const taskfit_deployment *deployment = plan->deployment;
    const size_t n_machines = plan->fleet->n_machines;
    const size_t n_losses = by_az ? deployment->n_azs : n_machines;
    int64_t n_tasks = 0;
    for (size_t s = 0; s < deployment->n_services; s++) {
        n_tasks += deployment->services[s].desired_count;
    }
    const int64_t steps = (n_tasks + (int64_t)deployment->n_services) * (int64_t)n_machines;
    if (steps > MAX_STEPS / N_TRIES / (by_az ? (int64_t)n_losses : 1)) {
        return false;
    }
    taskfit_arena *arena = taskfit_arena_new();
    losing l = {.plan = plan,
                .cluster = taskfit_cluster_new(arena, deployment, plan->fleet),
                .by_az = by_az,
                .order = TASKFIT_ARRAY(arena, deployment->n_services, size_t),
                .lost = TASKFIT_ARRAY(arena, deployment->n_services, int64_t),
                .scratch = TASKFIT_ARRAY(arena, n_machines, size_t)};
    *out = (taskfit_replacements){.worst_permille = 1000};
    for (size_t what = 0; what < n_losses; what++) {
        int64_t n_placed_all = 0;
        for (uint64_t k = 0; k < N_TRIES; k++) {
            lose(&l, what);
            n_placed_all += place_all(&l, seed + k) ? 1 : 0;
        }
        out->n_tried += N_TRIES;
        out->n_placed_all += n_placed_all;
        if (n_placed_all * 1000 / N_TRIES < out->worst_permille) {
            out->worst_permille = n_placed_all * 1000 / N_TRIES;
            out->worst = what;
        }
    }
    taskfit_arena_free(arena);
    return true;
}
