#include "whatif/variant.h"

#include <inttypes.h>
#include <string.h>

static taskfit_deployment *copy_of(const taskfit_deployment *deployment, taskfit_arena *arena) {
    taskfit_deployment *copy = TASKFIT_NEW(arena, taskfit_deployment);
    *copy = *deployment;
    return copy;
}

static taskfit_service *copy_services(taskfit_deployment *deployment, taskfit_arena *arena) {
    taskfit_service *services = TASKFIT_ARRAY(arena, deployment->n_services, taskfit_service);
    for (size_t s = 0; s < deployment->n_services; s++) {
        services[s] = deployment->services[s];
    }
    deployment->services = services;
    return services;
}

/* ---- counts ---- */

static void set_count(taskfit_node *groups, size_t group, const char *key, int64_t count, taskfit_arena *arena) {
    if (groups != NULL && groups->kind == TASKFIT_NODE_LIST && group < groups->n) {
        taskfit_node_set(arena, groups->items[group], key, taskfit_node_int(arena, count));
    }
}

/* The list inside a copy of a tree, to be changed there. */
static taskfit_node *groups_in(taskfit_node *resolved) {
    for (size_t i = 0; i < resolved->n; i++) {
        const taskfit_node *cluster = strcmp(resolved->entries[i].key, "cluster") == 0 ? resolved->entries[i].value : NULL;
        for (size_t k = 0; cluster != NULL && k < cluster->n; k++) {
            if (strcmp(cluster->entries[k].key, "instanceGroups") == 0) {
                return cluster->entries[k].value;
            }
        }
    }
    return NULL;
}

const taskfit_deployment *taskfit_variant_of_counts(const taskfit_deployment *deployment, const int64_t *counts, taskfit_arena *arena) {
    taskfit_deployment *copy = copy_of(deployment, arena);
    taskfit_instance_group *groups = TASKFIT_ARRAY(arena, copy->n_groups, taskfit_instance_group);
    const char **edits = TASKFIT_ARRAY(arena, copy->n_edits + 2 * copy->n_groups, const char *);
    taskfit_node *resolved = taskfit_node_copy(arena, copy->resolved);
    taskfit_node *nodes = groups_in(resolved);
    for (size_t i = 0; i < copy->n_edits; i++) {
        edits[i] = copy->edits[i];
    }
    for (size_t g = 0; g < copy->n_groups; g++) {
        groups[g] = copy->groups[g];
        groups[g].min_instances = groups[g].max_instances = counts[g];
        edits[copy->n_edits++] = taskfit_arena_printf(arena, "cluster.instanceGroups.%s.min=%" PRId64, groups[g].name, counts[g]);
        edits[copy->n_edits++] = taskfit_arena_printf(arena, "cluster.instanceGroups.%s.max=%" PRId64, groups[g].name, counts[g]);
        set_count(nodes, g, "min", counts[g], arena);
        set_count(nodes, g, "max", counts[g], arena);
    }
    copy->groups = groups;
    copy->edits = edits;
    copy->resolved = resolved;
    return copy;
}

/* ---- services ---- */

const taskfit_deployment *taskfit_variant_without(const taskfit_deployment *deployment, const bool *left_out, taskfit_arena *arena) {
    taskfit_deployment *copy = copy_of(deployment, arena);
    taskfit_service *services = copy_services(copy, arena);
    for (size_t s = 0; s < copy->n_services; s++) {
        services[s].desired_count = left_out[s] ? 0 : services[s].desired_count;
    }
    return copy;
}

const char *taskfit_lever_name(taskfit_lever lever) {
    static const char *const names[] = {"tasks", "memory", "cpu"};
    return names[lever];
}

/* Absent figures stay absent. Figures of at most 2^40 leave room for the product. */
static void scale(int64_t *figure, int64_t permille) {
    if (*figure > 0) {
        *figure = (*figure * permille + 999) / 1000;
    }
}

static void scale_containers(taskfit_service *service, taskfit_lever lever, int64_t permille, taskfit_arena *arena) {
    taskfit_container *containers = TASKFIT_ARRAY(arena, service->n_containers, taskfit_container);
    for (size_t c = 0; c < service->n_containers; c++) {
        containers[c] = service->containers[c];
        if (lever == TASKFIT_LEVER_CPU) {
            scale(&containers[c].cpu_units, permille);
            scale(&containers[c].observed_cpu_units, permille);
        } else {
            scale(&containers[c].memory_mib, permille);
            scale(&containers[c].memory_reservation_mib, permille);
            scale(&containers[c].observed_memory_mib, permille);
        }
    }
    service->containers = containers;
    scale(lever == TASKFIT_LEVER_CPU ? &service->task_cpu_units : &service->task_memory_mib, permille);
}

const taskfit_deployment *taskfit_variant_scaled(const taskfit_deployment *deployment, taskfit_lever lever, int64_t permille,
                                                 taskfit_arena *arena) {
    taskfit_deployment *copy = copy_of(deployment, arena);
    taskfit_service *services = copy_services(copy, arena);
    for (size_t s = 0; s < copy->n_services; s++) {
        if (lever == TASKFIT_LEVER_TASKS) {
            scale(&services[s].desired_count, permille);
        } else {
            scale_containers(&services[s], lever, permille, arena);
        }
    }
    return copy;
}

/* ---- rungs ---- */

/* Above the policy's own rung the ladder prices spread `required`, rolling `oneService`, survive `instance`. */
const taskfit_deployment *taskfit_variant_of_rung(const taskfit_deployment *deployment, taskfit_rung rung, taskfit_arena *arena) {
    taskfit_deployment *copy = copy_of(deployment, arena);
    taskfit_policy *policy = &copy->policy;
    const taskfit_rung own = taskfit_policy_rung(policy);
    if (rung < TASKFIT_RUNG_LIMITS) {
        policy->headroom_memory_percent = policy->headroom_cpu_percent = 0;
        policy->max_hard_memory_percent = policy->max_expected_cpu_percent = policy->max_expected_memory_percent = -1;
        policy->n_anti_affinity = 0;
    }
    if (rung < TASKFIT_RUNG_SPREAD) {
        policy->spread = TASKFIT_SPREAD_PREFERRED;
    } else if (own < TASKFIT_RUNG_SPREAD) {
        policy->spread = TASKFIT_SPREAD_REQUIRED;
    }
    if (rung < TASKFIT_RUNG_ROLLING) {
        policy->rolling = TASKFIT_ROLLING_NONE;
    } else if (own < TASKFIT_RUNG_ROLLING) {
        policy->rolling = TASKFIT_ROLLING_ONE_SERVICE;
    }
    if (rung < TASKFIT_RUNG_SURVIVE) {
        policy->survive = TASKFIT_SURVIVE_NONE;
    } else if (own < TASKFIT_RUNG_SURVIVE) {
        policy->survive = TASKFIT_SURVIVE_INSTANCE;
    }
    return copy;
}

/* ---- goals ---- */

const taskfit_deployment *taskfit_variant_unmoved(const taskfit_deployment *deployment, taskfit_arena *arena) {
    taskfit_deployment *copy = copy_of(deployment, arena);
    taskfit_policy *policy = &copy->policy;
    policy->n_objective = 0;
    for (size_t i = 0; i < deployment->policy.n_objective; i++) {
        if (deployment->policy.objective[i] != TASKFIT_GOAL_MOVES) {
            policy->objective[policy->n_objective++] = deployment->policy.objective[i];
        }
    }
    if (policy->n_objective == 0) {
        policy->objective[policy->n_objective++] = TASKFIT_GOAL_COUNT;
    }
    return copy;
}
