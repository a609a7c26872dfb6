#ifndef TASKFIT_SIMULATE_PLACE_H
#define TASKFIT_SIMULATE_PLACE_H

/*
 * Where Amazon ECS puts the next task of a service, and which task it stops: the steps of the developer guide's
 * "task placement" pages. Machines that lack a resource fall out, then those that a constraint forbids; then each
 * strategy in turn keeps the machines it likes equally best, and one of the last ones is taken.
 */

#include "base/rand.h"
#include "simulate/cluster.h"
#include "taskfit/simulate.h"

#define TASKFIT_NO_MACHINE SIZE_MAX

/* The machine for the next task of the service, TASKFIT_NO_MACHINE where none will do. Nothing is placed.
 * `scratch` is room for one index for each machine. `dice` may be NULL with TASKFIT_TIES_FIRST. */
size_t taskfit_place_next(const taskfit_cluster *cluster, size_t service, taskfit_ties ties, taskfit_rand *dice,
                          size_t *scratch);
/* The machine whose task of the service ECS stops when the desired count falls: AZ spread keeps the AZs even,
 * binpack frees the machine with the most left; TASKFIT_NO_MACHINE when no task stands. `among` [n_machines] counts the
 * tasks that it may be; NULL: all. */
size_t taskfit_place_stop(const taskfit_cluster *cluster, size_t service, const int64_t *among, taskfit_ties ties,
                          taskfit_rand *dice, size_t *scratch);

#endif
