#ifndef TASKFIT_SOLVE_MOVES_H
#define TASKFIT_SOLVE_MOVES_H

/*
 * The goal `moves`: of all placements on fleets that the earlier goals leave, the one that keeps the most tasks where they
 * stand. An instance of the given plan is kept as it stands (group, type and AZ) or goes; any other instance is new and empty.
 * A task stays where a service's task stands on a kept instance before and after: of service s on instance i,
 * min(before, after) tasks stay.
 */

#include "problem/fleet.h"
#include "solve/decision.h"

typedef struct taskfit_standing_instance {
    size_t offer;                      /* of the problem: what it is and where */
    const taskfit_machine_task *tasks; /* `service` is an index into problem->services; ascending, each once */
    size_t n_tasks;
} taskfit_standing_instance;

/* The given plan, as far as the problem still knows its instances and services. */
typedef struct taskfit_standing {
    const taskfit_standing_instance *instances;
    size_t n_instances;
} taskfit_standing;

typedef struct taskfit_moves_query {
    const taskfit_problem *problem;
    const taskfit_standing *standing;
    int64_t n_instances;         /* of the fleet, exactly; -1: any number */
    int64_t max_cost_usd_micros; /* of the fleet per hour; -1: any */
    int64_t at_least;            /* tasks that stay; placements that keep fewer are not looked for, which is quicker; 0: any */
    const taskfit_fleet *hint;   /* a valid placement on such a fleet, canonical; NULL: none known */
} taskfit_moves_query;

typedef struct taskfit_moves_answer {
    taskfit_fleet *fleet;   /* canonical; NULL: none was found */
    const size_t *standing; /* [fleet->n_machines] the standing instance each machine is; SIZE_MAX: a new one */
    int64_t kept;           /* tasks that stay */
    int64_t kept_bound;     /* no placement on such fleets keeps more; at least at_least - 1 */
    taskfit_proof proof;    /* of kept = kept_bound, or that nothing keeps at_least: EXACT or SOLVER; GAP otherwise */
} taskfit_moves_answer;

/* With a hint there always is an answer, at worst the hint itself with its instances matched as well as can be. */
taskfit_moves_answer taskfit_moves_solve(const taskfit_moves_query *query, taskfit_budget *budget, taskfit_arena *arena);

/* Which standing instance each machine of a fleet should be so that most tasks stay ([n_machines], SIZE_MAX: a new one);
 * *kept_out tasks do. Best possible for the placement as it is. */
const size_t *taskfit_moves_match(const taskfit_problem *problem, const taskfit_standing *standing, const taskfit_fleet *fleet,
                                  taskfit_arena *arena, int64_t *kept_out);

#endif
