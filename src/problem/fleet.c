#include "problem/fleet.h"

#include <stdlib.h>
#include <string.h>

static int task_compare(const void *left, const void *right) {
    const taskfit_machine_task *a = left;
    const taskfit_machine_task *b = right;
    return (a->service > b->service) - (a->service < b->service);
}

static int64_t total_tasks(const taskfit_machine *machine) {
    int64_t total = 0;
    for (size_t i = 0; i < machine->n_tasks; i++) {
        total += machine->tasks[i].count;
    }
    return total;
}

#define COMPARE(a, b)                                                                                        \
    do {                                                                                                     \
        if ((a) != (b)) {                                                                                    \
            return (a) < (b) ? -1 : 1;                                                                       \
        }                                                                                                    \
    } while (0)

/* Fuller machines first; equal in number, the one with more of the first services. */
static int machine_compare(const void *left, const void *right) {
    const taskfit_machine *a = left;
    const taskfit_machine *b = right;
    COMPARE(a->group, b->group);
    COMPARE(a->az, b->az);
    COMPARE(a->type, b->type);
    COMPARE(total_tasks(b), total_tasks(a));
    for (size_t i = 0; i < a->n_tasks && i < b->n_tasks; i++) {
        COMPARE(a->tasks[i].service, b->tasks[i].service);
        COMPARE(b->tasks[i].count, a->tasks[i].count);
    }
    COMPARE(a->n_tasks, b->n_tasks);
    return 0;
}

void taskfit_fleet_canonicalize(taskfit_fleet *fleet) {
    for (size_t i = 0; i < fleet->n_machines; i++) {
        if (fleet->machines[i].n_tasks > 0) {
            qsort(fleet->machines[i].tasks, fleet->machines[i].n_tasks, sizeof *fleet->machines[i].tasks, task_compare);
        }
    }
    if (fleet->n_machines > 0) {
        qsort(fleet->machines, fleet->n_machines, sizeof *fleet->machines, machine_compare);
    }
}

taskfit_fleet *taskfit_fleet_copy(taskfit_arena *arena, const taskfit_fleet *fleet) {
    taskfit_fleet *copy = TASKFIT_NEW(arena, taskfit_fleet);
    copy->n_machines = fleet->n_machines;
    copy->machines = TASKFIT_ARRAY(arena, fleet->n_machines, taskfit_machine);
    for (size_t i = 0; i < fleet->n_machines; i++) {
        const taskfit_machine *from = &fleet->machines[i];
        copy->machines[i] = *from;
        copy->machines[i].tasks = TASKFIT_ARRAY(arena, from->n_tasks, taskfit_machine_task);
        for (size_t task = 0; task < from->n_tasks; task++) {
            copy->machines[i].tasks[task] = from->tasks[task];
        }
    }
    return copy;
}
