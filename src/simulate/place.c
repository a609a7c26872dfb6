#include "simulate/place.h"

#include <assert.h>
#include <string.h>

/*
 * A strategy gives every candidate a value; the least is best. For spread it is the number of tasks of this
 * service in the candidate's class (AZ, instance, attribute value), counted over all machines the service has tasks
 * on, not only over candidates: a full machine in an AZ still counts for that AZ. For binpack it is what is left
 * of the resource.
 */

static const char *attribute_value(const taskfit_cluster *cluster, size_t machine, const char *name) {
    const taskfit_deployment *deployment = taskfit_cluster_deployment(cluster);
    const taskfit_instance_group *group = &deployment->groups[taskfit_cluster_fleet(cluster)->machines[machine].group];
    const char *prefix = "attribute:";
    if (strncmp(name, prefix, strlen(prefix)) == 0) {
        name += strlen(prefix);
    }
    for (size_t a = 0; a < group->n_attributes; a++) {
        if (strcmp(group->attributes[a].name, name) == 0) {
            return group->attributes[a].value;
        }
    }
    return "";
}

static int64_t tasks_with_attribute(const taskfit_cluster *cluster, size_t service, const char *name, size_t machine) {
    const char *value = attribute_value(cluster, machine, name);
    int64_t tasks = 0;
    for (size_t m = 0; m < taskfit_cluster_machines(cluster); m++) {
        const int64_t here = taskfit_cluster_tasks(cluster, service, m);
        if (here > 0 && strcmp(attribute_value(cluster, m, name), value) == 0) {
            tasks += here;
        }
    }
    return tasks;
}

static int64_t strategy_value(const taskfit_cluster *cluster, size_t service, const taskfit_strategy *strategy, size_t machine) {
    switch (strategy->type) {
    case TASKFIT_STRATEGY_SPREAD_AZ:
        return taskfit_cluster_az_tasks(cluster, service, taskfit_cluster_fleet(cluster)->machines[machine].az);
    case TASKFIT_STRATEGY_SPREAD_OTHER: return tasks_with_attribute(cluster, service, strategy->field, machine);
    case TASKFIT_STRATEGY_SPREAD_INSTANCE: return taskfit_cluster_tasks(cluster, service, machine);
    case TASKFIT_STRATEGY_BINPACK_CPU: return taskfit_cluster_free(cluster, machine, TASKFIT_RESOURCE_CPU);
    case TASKFIT_STRATEGY_BINPACK_MEMORY: return taskfit_cluster_free(cluster, machine, TASKFIT_RESOURCE_MEMORY);
    case TASKFIT_STRATEGY_RANDOM: break;
    }
    return 0; /* random: all are alike */
}

/* Keeps the candidates whose value times sign is least; returns how many. */
static size_t keep_best(const taskfit_cluster *cluster, size_t service, const taskfit_strategy *strategy, int64_t sign,
                        size_t *candidates, size_t n) {
    size_t kept = 0;
    int64_t best = INT64_MAX;
    for (size_t i = 0; i < n; i++) {
        const int64_t value = sign * strategy_value(cluster, service, strategy, candidates[i]);
        if (value < best) {
            best = value;
            kept = 0;
        }
        if (value == best) {
            candidates[kept++] = candidates[i];
        }
    }
    return kept;
}

static size_t choose(const taskfit_strategy *last, taskfit_ties ties, taskfit_rand *dice, const size_t *candidates, size_t n) {
    if (n == 0) {
        return TASKFIT_NO_MACHINE;
    }
    const bool random = ties == TASKFIT_TIES_RANDOM || last->type == TASKFIT_STRATEGY_RANDOM;
    if (n == 1 || !random || !dice) {
        return candidates[0];
    }
    return candidates[taskfit_rand_below(dice, n)];
}

size_t taskfit_place_next(const taskfit_cluster *cluster, size_t service, taskfit_ties ties, taskfit_rand *dice, size_t *scratch) {
    const taskfit_service *of = &taskfit_cluster_deployment(cluster)->services[service];
    assert(of->n_strategies > 0);
    size_t n = 0;
    for (size_t m = 0; m < taskfit_cluster_machines(cluster); m++) {
        if (taskfit_cluster_obstacle(cluster, service, m) == TASKFIT_OBSTACLE_NONE) {
            scratch[n++] = m;
        }
    }
    for (size_t s = 0; s < of->n_strategies && n > 1; s++) {
        n = keep_best(cluster, service, &of->strategies[s], 1, scratch, n);
    }
    return choose(&of->strategies[of->n_strategies - 1], ties, dice, scratch, n);
}

/* Scale-in: spread takes from the fullest class, binpack from the machine with the most left of the resource. */
size_t taskfit_place_stop(const taskfit_cluster *cluster, size_t service, const int64_t *among, taskfit_ties ties, taskfit_rand *dice,
                          size_t *scratch) {
    const taskfit_service *of = &taskfit_cluster_deployment(cluster)->services[service];
    assert(of->n_strategies > 0);
    size_t n = 0;
    for (size_t m = 0; m < taskfit_cluster_machines(cluster); m++) {
        if ((among != NULL ? among[m] : taskfit_cluster_tasks(cluster, service, m)) > 0) {
            scratch[n++] = m;
        }
    }
    for (size_t s = 0; s < of->n_strategies && n > 1; s++) {
        n = keep_best(cluster, service, &of->strategies[s], -1, scratch, n);
    }
    return choose(&of->strategies[of->n_strategies - 1], ties, dice, scratch, n);
}
