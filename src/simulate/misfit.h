#ifndef TASKFIT_SIMULATE_MISFIT_H
#define TASKFIT_SIMULATE_MISFIT_H

/*
 * Why the next task of a service finds no place: the instance that comes closest, what it lacks, and what keeps the
 * task off the others.
 */

#include "simulate/cluster.h"

typedef struct taskfit_misfit {
    size_t machine;            /* the closest; TASKFIT_NO_MACHINE: no active one */
    taskfit_obstacle obstacle; /* there */
    int64_t need, room;        /* of the resource, in its unit; -1: it is not about a resource */
    size_t other;              /* CONFLICT: a service that stands there; else SIZE_MAX */
    size_t n_machines[TASKFIT_OBSTACLE_COUNT]; /* active ones, by what keeps it off */
} taskfit_misfit;

/* Closest is a machine where the resources suffice, before one that lacks least of what it lacks, before one where
 * the service may not stand at all. Only to be asked when taskfit_place_next finds none. */
taskfit_misfit taskfit_misfit_of(const taskfit_cluster *cluster, size_t service);
/* "main-3 comes closest, with 700 of the 1,152 MiB of memory it needs; ...": for people, in the arena. `ids` names the
 * machines. */
const char *taskfit_misfit_text(const taskfit_cluster *cluster, const taskfit_misfit *misfit, const char *const *ids,
                                taskfit_arena *arena);
/* "memory", "cpu", "eni", "gpu", "tasks", "ports", "permission", "runningTasksCount", "distinctInstance", "conflict", "inactive". */
const char *taskfit_obstacle_name(taskfit_obstacle obstacle);

/* Whether it is a lack of a resource, and of which; host ports are none. */
bool taskfit_obstacle_resource(taskfit_obstacle obstacle, taskfit_resource *resource_out);
/* "MiB of memory": behind a figure of that resource. */
const char *taskfit_obstacle_unit(taskfit_obstacle obstacle);

#endif
