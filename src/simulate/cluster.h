#ifndef TASKFIT_SIMULATE_CLUSTER_H
#define TASKFIT_SIMULATE_CLUSTER_H

/*
 * A cluster as Amazon ECS sees it at one moment: instances with what is free on each, and the tasks that stand
 * on them. It changes task by task; place.h decides where the next one goes.
 * Machines are those of a fleet, services those of the deployment, both by index. Daemons stand on every machine
 * from the start (ECS reserves them first) and are part of what is not free.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "deployment/accounting.h"
#include "problem/fleet.h"

/* What placement looks at: memory, CPU, ENI slots, GPUs, task slots and host ports. Hard limits and expected use
 * are no business of ECS's. */
enum { TASKFIT_PLACED_RESOURCES = TASKFIT_RESOURCE_PORTS + 1 };

typedef struct taskfit_cluster taskfit_cluster;

/* E_ARGUMENT where so many services on so many instances would take more memory than is reasonable. */
taskfit_status taskfit_cluster_check(const taskfit_deployment *deployment, const taskfit_fleet *fleet,
                                     taskfit_error *err) TASKFIT_MUST_USE;
/* The machines of the fleet, empty. The deployment and the fleet must outlive the cluster, which lives in the
 * arena. policy.antiAffinity counts, since it is rendered as memberOf. */
taskfit_cluster *taskfit_cluster_new(taskfit_arena *arena, const taskfit_deployment *deployment,
                                     const taskfit_fleet *fleet);
/* Takes all tasks away and makes every machine active again. */
void taskfit_cluster_clear(taskfit_cluster *cluster);
/* Puts the fleet's tasks where the fleet has them. */
void taskfit_cluster_fill(taskfit_cluster *cluster);

size_t taskfit_cluster_machines(const taskfit_cluster *cluster);
const taskfit_deployment *taskfit_cluster_deployment(const taskfit_cluster *cluster);
const taskfit_fleet *taskfit_cluster_fleet(const taskfit_cluster *cluster);

/* An inactive machine (lost, draining) takes no new task; its tasks stay until they are removed. */
bool taskfit_cluster_active(const taskfit_cluster *cluster, size_t machine);
void taskfit_cluster_set_active(taskfit_cluster *cluster, size_t machine, bool active);

int64_t taskfit_cluster_tasks(const taskfit_cluster *cluster, size_t service, size_t machine);
/* All tasks of the service. */
int64_t taskfit_cluster_running(const taskfit_cluster *cluster, size_t service);
int64_t taskfit_cluster_az_tasks(const taskfit_cluster *cluster, size_t service, size_t az);
/* Group, constraints, architecture and the ports of agent and daemons let the service stand there. */
bool taskfit_cluster_permitted(const taskfit_cluster *cluster, size_t service, size_t machine);
int64_t taskfit_cluster_free(const taskfit_cluster *cluster, size_t machine, taskfit_resource resource);
int64_t taskfit_cluster_demand(const taskfit_cluster *cluster, size_t service, taskfit_resource resource);

/* What keeps a task of the service off the machine; OK: nothing. The first in ECS's own order of checks. */
typedef enum taskfit_obstacle {
    TASKFIT_OBSTACLE_NONE,
    TASKFIT_OBSTACLE_INACTIVE,
    TASKFIT_OBSTACLE_MEMORY,
    TASKFIT_OBSTACLE_CPU,
    TASKFIT_OBSTACLE_ENI,
    TASKFIT_OBSTACLE_GPU,
    TASKFIT_OBSTACLE_TASKS,
    TASKFIT_OBSTACLE_PORTS,      /* a host port is taken, or all 100 are */
    TASKFIT_OBSTACLE_PERMISSION, /* group, architecture, memberOf */
    TASKFIT_OBSTACLE_RUNNING,    /* memberOf asks for another runningTasksCount */
    TASKFIT_OBSTACLE_DISTINCT,   /* distinctInstance */
    TASKFIT_OBSTACLE_CONFLICT,   /* a service it must not meet stands there */
    TASKFIT_OBSTACLE_COUNT
} taskfit_obstacle;

taskfit_obstacle taskfit_cluster_obstacle(const taskfit_cluster *cluster, size_t service, size_t machine);
/* The first service on the machine that this one must not meet; SIZE_MAX: none. */
size_t taskfit_cluster_conflict(const taskfit_cluster *cluster, size_t service, size_t machine);
/* No check beyond an assert that resources suffice. */
void taskfit_cluster_add(taskfit_cluster *cluster, size_t service, size_t machine);
void taskfit_cluster_remove(taskfit_cluster *cluster, size_t service, size_t machine);

#endif
