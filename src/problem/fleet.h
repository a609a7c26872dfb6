#ifndef TASKFIT_PROBLEM_FLEET_H
#define TASKFIT_PROBLEM_FLEET_H

/*
 * Instances and what each holds: the answer of a solve, in problem terms.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct taskfit_machine_task {
    size_t service; /* index into deployment->services */
    int64_t count;  /* >= 1 */
} taskfit_machine_task;

typedef struct taskfit_machine {
    size_t group, type, az; /* indexes of the deployment */
    taskfit_machine_task *tasks; /* ascending by service, each service once */
    size_t n_tasks;
    const char *id; /* its name where it has one already; NULL: it gets the next number of its group (taskfit_fleet_ids) */
} taskfit_machine;

typedef struct taskfit_fleet {
    taskfit_machine *machines;
    size_t n_machines;
} taskfit_fleet;

/* Sorts tasks and machines canonically (group, AZ, type, contents: fuller first), in place, so that the same
 * placement has the same bytes whatever search found it. */
void taskfit_fleet_canonicalize(taskfit_fleet *fleet);
taskfit_fleet *taskfit_fleet_copy(taskfit_arena *arena, const taskfit_fleet *fleet);

#endif
