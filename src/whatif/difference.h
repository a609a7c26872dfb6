#ifndef TASKFIT_WHATIF_DIFFERENCE_H
#define TASKFIT_WHATIF_DIFFERENCE_H

/* What differs between two plans and between their deployments. */

#include "problem/plan.h"

typedef struct taskfit_change {
    const char *subject; /* "mod-users", "group main", "policy" */
    bool service;        /* the subject is one */
    const char *key;     /* "sidecar.memoryReservation"; NULL: the subject itself was added or removed */
    const char *before, *after; /* NULL: there was none, there is none */
} taskfit_change;

typedef struct taskfit_service_moves {
    const char *service;
    int64_t n_tasks; /* that stand elsewhere than before */
} taskfit_service_moves;

typedef struct taskfit_difference { /* everything lives in the arena of the call */
    const taskfit_change *changes;
    size_t n_changes;
    const taskfit_service_moves *moves; /* of services that have any, in file order */
    size_t n_moves;
    int64_t n_moved, n_kept; /* tasks that both plans have */
} taskfit_difference;

taskfit_difference taskfit_difference_of(const taskfit_plan *before, const taskfit_plan *after, taskfit_arena *arena);

#endif
