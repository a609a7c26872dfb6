#include "simulate/launch.h"

#include <assert.h>
#include <string.h>

#include "problem/largest.h"

struct taskfit_launcher {
    taskfit_cluster *cluster;
    size_t n_services;
    size_t *largest_first; /* [n_services] */
    int64_t *left;         /* [n_services] */
    bool *spread_lost;     /* [n_services] */
    bool *eligible;        /* [n_services * n_azs] */
    bool *az_rule;         /* [n_services] spread by AZ is one of its strategies, over more than one AZ */
    size_t *scratch;       /* [n_machines] */
    taskfit_misfit *misfits; /* [n_services]; NULL: not wanted */
};

static void sort_by_size(taskfit_launcher *l, taskfit_arena *arena) {
    taskfit_sized *keys = TASKFIT_ARRAY(arena, l->n_services, taskfit_sized);
    for (size_t s = 0; s < l->n_services; s++) {
        keys[s] = (taskfit_sized){.size = taskfit_cluster_demand(l->cluster, s, TASKFIT_RESOURCE_MEMORY),
                                  .second = taskfit_cluster_demand(l->cluster, s, TASKFIT_RESOURCE_CPU),
                                  .service = s};
    }
    taskfit_sized_sort(keys, l->n_services);
    for (size_t s = 0; s < l->n_services; s++) {
        l->largest_first[s] = keys[s].service;
    }
}

/* The AZs a service may stand in are those of its permitted groups and types, empty ones included. */
static void find_az_rules(taskfit_launcher *l) {
    const taskfit_deployment *deployment = taskfit_cluster_deployment(l->cluster);
    for (size_t s = 0; s < l->n_services; s++) {
        const taskfit_service *service = &deployment->services[s];
        bool *eligible = &l->eligible[s * deployment->n_azs];
        size_t n_eligible = 0;
        for (size_t g = 0; g < deployment->n_groups; g++) {
            const taskfit_instance_group *group = &deployment->groups[g];
            for (size_t i = 0; i < group->n_types * group->n_azs; i++) {
                const size_t az = group->azs[i % group->n_azs];
                if (!eligible[az] && taskfit_service_permitted(deployment, service, g, i / group->n_azs, az)) {
                    eligible[az] = true;
                    n_eligible++;
                }
            }
        }
        for (size_t i = 0; i < service->n_strategies && n_eligible > 1; i++) {
            if (service->strategies[i].type == TASKFIT_STRATEGY_SPREAD_INSTANCE) {
                break; /* inside one instance there is no AZ to spread over */
            }
            l->az_rule[s] = l->az_rule[s] || service->strategies[i].type == TASKFIT_STRATEGY_SPREAD_AZ;
        }
    }
}

taskfit_launcher *taskfit_launcher_new(taskfit_arena *arena, taskfit_cluster *cluster) {
    const taskfit_deployment *deployment = taskfit_cluster_deployment(cluster);
    taskfit_launcher *l = TASKFIT_NEW(arena, taskfit_launcher);
    l->cluster = cluster;
    l->n_services = deployment->n_services;
    l->largest_first = TASKFIT_ARRAY(arena, l->n_services, size_t);
    l->left = TASKFIT_ARRAY(arena, l->n_services, int64_t);
    l->spread_lost = TASKFIT_ARRAY(arena, l->n_services, bool);
    l->eligible = TASKFIT_ARRAY(arena, l->n_services * deployment->n_azs, bool);
    l->az_rule = TASKFIT_ARRAY(arena, l->n_services, bool);
    l->scratch = TASKFIT_ARRAY(arena, taskfit_cluster_machines(cluster), size_t);
    sort_by_size(l, arena);
    find_az_rules(l);
    return l;
}

void taskfit_launch_order(const taskfit_launcher *l, taskfit_order_kind kind, taskfit_rand *dice, size_t *order) {
    for (size_t s = 0; s < l->n_services; s++) {
        switch (kind) {
        case TASKFIT_ORDER_RANDOM:
        case TASKFIT_ORDER_FILE: order[s] = s; break;
        case TASKFIT_ORDER_LARGEST_FIRST: order[s] = l->largest_first[s]; break;
        case TASKFIT_ORDER_SMALLEST_FIRST: order[s] = l->largest_first[l->n_services - 1 - s]; break;
        }
    }
    if (kind == TASKFIT_ORDER_RANDOM) {
        taskfit_rand_shuffle(dice, order, l->n_services);
    }
}

void taskfit_launcher_explain(taskfit_launcher *l, taskfit_misfit *misfits) {
    l->misfits = misfits;
}

static bool lost_spread(const taskfit_launcher *l, size_t service) {
    const taskfit_deployment *deployment = taskfit_cluster_deployment(l->cluster);
    int64_t least = INT64_MAX;
    int64_t most = 0;
    for (size_t az = 0; l->az_rule[service] && az < deployment->n_azs; az++) {
        if (l->eligible[service * deployment->n_azs + az]) {
            const int64_t tasks = taskfit_cluster_az_tasks(l->cluster, service, az);
            least = tasks < least ? tasks : least;
            most = tasks > most ? tasks : most;
        }
    }
    return most > 0 && most - least > 1;
}

taskfit_launch taskfit_launch_run(taskfit_launcher *l, const size_t *order, taskfit_ties ties, taskfit_rand *dice) {
    const taskfit_deployment *deployment = taskfit_cluster_deployment(l->cluster);
    taskfit_launch launch = {.left = l->left, .spread_lost = l->spread_lost};
    taskfit_cluster_clear(l->cluster);
    for (size_t i = 0; i < l->n_services; i++) {
        const size_t service = order[i];
        int64_t started = 0;
        for (; started < deployment->services[service].desired_count; started++) {
            const size_t machine = taskfit_place_next(l->cluster, service, ties, dice, l->scratch);
            if (machine == TASKFIT_NO_MACHINE) {
                if (l->misfits != NULL) {
                    l->misfits[service] = taskfit_misfit_of(l->cluster, service);
                }
                break; /* its tasks are alike: no other one fits either */
            }
            taskfit_cluster_add(l->cluster, service, machine);
        }
        l->left[service] = deployment->services[service].desired_count - started;
        l->spread_lost[service] = lost_spread(l, service);
        launch.n_left += l->left[service];
        launch.n_spread_lost += l->spread_lost[service];
    }
    return launch;
}
