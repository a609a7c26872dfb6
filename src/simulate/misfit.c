#include "simulate/misfit.h"

#include <assert.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "simulate/place.h"

const char *taskfit_obstacle_name(taskfit_obstacle obstacle) {
    static const char *const names[TASKFIT_OBSTACLE_COUNT] = {
        [TASKFIT_OBSTACLE_NONE] = "none",         [TASKFIT_OBSTACLE_INACTIVE] = "inactive",
        [TASKFIT_OBSTACLE_MEMORY] = "memory",     [TASKFIT_OBSTACLE_CPU] = "cpu",
        [TASKFIT_OBSTACLE_ENI] = "eni",           [TASKFIT_OBSTACLE_GPU] = "gpu",
        [TASKFIT_OBSTACLE_TASKS] = "tasks",       [TASKFIT_OBSTACLE_PORTS] = "ports",
        [TASKFIT_OBSTACLE_PERMISSION] = "permission", [TASKFIT_OBSTACLE_DISTINCT] = "distinctInstance",
        [TASKFIT_OBSTACLE_CONFLICT] = "conflict",     [TASKFIT_OBSTACLE_RUNNING] = "runningTasksCount",
    };
    assert(obstacle < TASKFIT_OBSTACLE_COUNT);
    return names[obstacle];
}

bool taskfit_obstacle_resource(taskfit_obstacle obstacle, taskfit_resource *resource_out) {
    switch (obstacle) {
    case TASKFIT_OBSTACLE_MEMORY: *resource_out = TASKFIT_RESOURCE_MEMORY; return true;
    case TASKFIT_OBSTACLE_CPU: *resource_out = TASKFIT_RESOURCE_CPU; return true;
    case TASKFIT_OBSTACLE_ENI: *resource_out = TASKFIT_RESOURCE_ENI; return true;
    case TASKFIT_OBSTACLE_GPU: *resource_out = TASKFIT_RESOURCE_GPU; return true;
    case TASKFIT_OBSTACLE_TASKS: *resource_out = TASKFIT_RESOURCE_TASKS; return true;
    case TASKFIT_OBSTACLE_PORTS:
    case TASKFIT_OBSTACLE_NONE:
    case TASKFIT_OBSTACLE_INACTIVE:
    case TASKFIT_OBSTACLE_PERMISSION:
    case TASKFIT_OBSTACLE_RUNNING:
    case TASKFIT_OBSTACLE_DISTINCT:
    case TASKFIT_OBSTACLE_CONFLICT:
    case TASKFIT_OBSTACLE_COUNT: break;
    }
    return false;
}

/* How near a machine comes: larger is nearer. */
static int nearness(const taskfit_cluster *cluster, size_t service, size_t machine, taskfit_obstacle obstacle) {
    taskfit_resource resource = TASKFIT_RESOURCE_MEMORY;
    if (!taskfit_cluster_permitted(cluster, service, machine)) {
        return 0;
    }
    return taskfit_obstacle_resource(obstacle, &resource) ? 1 : 1 + (int)obstacle;
}

static void fill_figures(const taskfit_cluster *cluster, size_t service, taskfit_misfit *misfit) {
    taskfit_resource resource = TASKFIT_RESOURCE_MEMORY;
    misfit->need = misfit->room = -1;
    misfit->other = SIZE_MAX;
    if (misfit->machine == TASKFIT_NO_MACHINE) {
        misfit->obstacle = TASKFIT_OBSTACLE_INACTIVE;
    } else if (!taskfit_cluster_permitted(cluster, service, misfit->machine)) {
        misfit->obstacle = TASKFIT_OBSTACLE_PERMISSION;
    } else if (taskfit_obstacle_resource(misfit->obstacle, &resource)) {
        const int64_t room = taskfit_cluster_free(cluster, misfit->machine, resource);
        misfit->need = taskfit_cluster_demand(cluster, service, resource);
        misfit->room = room < 0 ? 0 : room;
    } else if (misfit->obstacle == TASKFIT_OBSTACLE_CONFLICT) {
        misfit->other = taskfit_cluster_conflict(cluster, service, misfit->machine);
    }
}

taskfit_misfit taskfit_misfit_of(const taskfit_cluster *cluster, size_t service) {
    taskfit_misfit misfit = {.machine = TASKFIT_NO_MACHINE};
    int best = -1;
    int64_t best_short = INT64_MAX;
    for (size_t m = 0; m < taskfit_cluster_machines(cluster); m++) {
        const taskfit_obstacle obstacle = taskfit_cluster_obstacle(cluster, service, m);
        taskfit_resource resource = TASKFIT_RESOURCE_MEMORY;
        if (obstacle == TASKFIT_OBSTACLE_INACTIVE) {
            continue;
        }
        const int near = nearness(cluster, service, m, obstacle);
        misfit.n_machines[near == 0 ? TASKFIT_OBSTACLE_PERMISSION : obstacle]++;
        const int64_t lacks = taskfit_obstacle_resource(obstacle, &resource) ? taskfit_cluster_demand(cluster, service, resource) -
                                                                     taskfit_cluster_free(cluster, m, resource)
                                                               : 0;
        if (near > best || (near == best && lacks < best_short)) {
            best = near;
            best_short = lacks;
            misfit.machine = m;
            misfit.obstacle = obstacle;
        }
    }
    fill_figures(cluster, service, &misfit);
    return misfit;
}

/* ---- for people ---- */

const char *taskfit_obstacle_unit(taskfit_obstacle obstacle) {
    static const char *const units[TASKFIT_OBSTACLE_COUNT] = {
        [TASKFIT_OBSTACLE_MEMORY] = "MiB of memory", [TASKFIT_OBSTACLE_CPU] = "CPU units", [TASKFIT_OBSTACLE_ENI] = "ENI slots",
        [TASKFIT_OBSTACLE_GPU] = "GPUs",             [TASKFIT_OBSTACLE_TASKS] = "task slots",
    };
    return units[obstacle];
}

static void add_closest(const taskfit_cluster *cluster, const taskfit_misfit *misfit, const char *const *ids, taskfit_strbuf *out) {
    const char *id = misfit->machine == TASKFIT_NO_MACHINE ? "" : ids[misfit->machine];
    taskfit_resource resource = TASKFIT_RESOURCE_MEMORY;
    if (taskfit_obstacle_resource(misfit->obstacle, &resource)) {
        taskfit_strbuf_printf(out, "%s comes closest, with ", id);
        taskfit_add_grouped(out, misfit->room);
        taskfit_strbuf_adds(out, " of the ");
        taskfit_add_grouped(out, misfit->need);
        taskfit_strbuf_printf(out, " %s it needs", taskfit_obstacle_unit(misfit->obstacle));
    } else if (misfit->obstacle == TASKFIT_OBSTACLE_PORTS) {
        taskfit_strbuf_printf(out, "%s has the resources, but not its host port free", id);
    } else if (misfit->obstacle == TASKFIT_OBSTACLE_RUNNING) {
        taskfit_strbuf_printf(out, "%s has room, but its memberOf asks for another runningTasksCount", id);
    } else if (misfit->obstacle == TASKFIT_OBSTACLE_DISTINCT) {
        taskfit_strbuf_adds(out, "where there is room a task of it stands already (distinctInstance)");
    } else if (misfit->obstacle == TASKFIT_OBSTACLE_CONFLICT) {
        taskfit_strbuf_printf(out, "%s has room, but '%s' stands there, which it must not meet", id,
                              taskfit_cluster_deployment(cluster)->services[misfit->other].name);
    } else if (misfit->obstacle == TASKFIT_OBSTACLE_PERMISSION) {
        taskfit_strbuf_adds(out, "there is no instance that it may stand on (group, architecture, memberOf)");
    } else {
        taskfit_strbuf_adds(out, "no instance is left");
    }
}

const char *taskfit_misfit_text(const taskfit_cluster *cluster, const taskfit_misfit *misfit, const char *const *ids,
                                taskfit_arena *arena) {
    static const struct {
        taskfit_obstacle obstacle;
        const char *text; /* "3 short of memory" */
    } others[] = {
        {TASKFIT_OBSTACLE_MEMORY, "short of memory"},
        {TASKFIT_OBSTACLE_CPU, "short of CPU"},
        {TASKFIT_OBSTACLE_ENI, "without an ENI slot"},
        {TASKFIT_OBSTACLE_GPU, "without a GPU"},
        {TASKFIT_OBSTACLE_TASKS, "with all the tasks they take"},
        {TASKFIT_OBSTACLE_PORTS, "with its host port taken"},
        {TASKFIT_OBSTACLE_PERMISSION, "closed to it"},
        {TASKFIT_OBSTACLE_RUNNING, "with another runningTasksCount than its memberOf asks for"},
        {TASKFIT_OBSTACLE_DISTINCT, "with a task of it"},
        {TASKFIT_OBSTACLE_CONFLICT, "with a service it must not meet"},
    };
    TASKFIT_STRBUF(text);
    add_closest(cluster, misfit, ids, &text);
    size_t n_kinds = 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        n_kinds += misfit->n_machines[others[i].obstacle] > 0;
    }
    const char *between = ": ";
    for (size_t i = 0; n_kinds > 1 && i < sizeof others / sizeof *others; i++) {
        if (misfit->n_machines[others[i].obstacle] > 0) {
            taskfit_strbuf_printf(&text, "%s%zu %s", between, misfit->n_machines[others[i].obstacle], others[i].text);
            between = ", ";
        }
    }
    return taskfit_arena_strndup(arena, text.data, text.len);
}
