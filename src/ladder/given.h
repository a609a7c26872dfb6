#ifndef TASKFIT_LADDER_GIVEN_H
#define TASKFIT_LADDER_GIVEN_H

/*
 * A given plan as another deployment sees it: what of it can stay.
 *
 * An instance stands as it is: in the group of its name where that has its type in its AZ, else in the first group that
 * has; where none has, it goes. Services are the same by name.
 */

#include "problem/plan.h"
#include "solve/moves.h"

typedef struct taskfit_given {
    const taskfit_plan *plan;
    const char *const *ids;        /* [plan->fleet->n_machines] */
    taskfit_standing standing;     /* those that can stay, with the tasks of services that the problem knows */
    const size_t *machine_of;      /* [standing.n_instances] index into plan->fleet */
    const size_t *new_service;     /* [services of the given deployment] index into the new deployment's; SIZE_MAX: gone */
    const int64_t *n_placed;       /* [services of the given deployment] tasks that stand */
    int64_t of;                    /* tasks that could stay: of each service as many as stand and shall */
    int64_t starts, stops;         /* tasks beyond those, on either side */
} taskfit_given;

/* E_INPUT: it cannot be come from (no placement, ids that name two instances, instances its own deployment lacks). */
taskfit_status taskfit_given_check(const taskfit_plan *plan, taskfit_error *err) TASKFIT_MUST_USE;

/* Of a plan that passed the check. The offers and services are those of the problem. Lives in the arena. */
const taskfit_given *taskfit_given_new(const taskfit_plan *plan, const taskfit_problem *problem, taskfit_arena *arena);

/* What restarts anyway, since its limits or reservations changed: "a, b, c, ... (12 in all)"; NULL: nothing does. */
const char *taskfit_given_resized(const taskfit_given *given, const taskfit_deployment *deployment, taskfit_arena *arena);

#endif
