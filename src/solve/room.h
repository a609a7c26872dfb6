#ifndef TASKFIT_SOLVE_ROOM_H
#define TASKFIT_SOLVE_ROOM_H

/*
 * Room for deployments and losses: the rules of rungs `rolling` and `survive`, which speak of a whole placement
 * rather than of single instances. README.md says what is proved and how.
 *
 *     room_check.c  does a placement leave the room?
 *     room.c        no placement on this fleet does; or: here is one, found by the stages on derived problems
 *     room_level.c  the goal `balance`, as far as the room allows
 *     room_exact.c  small fleets: the placement and what happens in every case as one integer program
 */

#include "problem/fleet.h"
#include "solve/decision.h"

/* A stage, asked about a decision of a derived problem. */
typedef struct taskfit_asker {
    taskfit_answer (*ask)(void *arg, const taskfit_decision *decision, taskfit_arena *arena);
    void *arg;
} taskfit_asker;

/* Whether the problem has such rules. */
bool taskfit_room_asked(const taskfit_problem *problem);

/* FITS: every deployment and every loss finds room on the fleet, whose tasks are those of the problem. REFUTED: one does
 * not. OPEN: not found within the budget. Spread by instance is judged too, as derived problems may lose it. */
taskfit_verdict taskfit_room_check(const taskfit_problem *problem, const taskfit_fleet *fleet, taskfit_budget *budget);

/* The most demanding services to deploy: none of those left out asks for more than one of these. Returns how many. */
enum { TASKFIT_ROOM_CANDIDATES = 6 };
size_t taskfit_room_candidates(const taskfit_problem *problem, size_t *list);

/* REFUTED when some deployment or loss cannot have room on count[n_offers] whatever the placement; else OPEN. */
taskfit_answer taskfit_room_refute(const taskfit_problem *problem, const int64_t *count, taskfit_asker asker);

/* A placement that leaves the room, in `arena`; NULL when none of those tried does. */
taskfit_fleet *taskfit_room_find(const taskfit_problem *problem, const int64_t *count, taskfit_asker asker,
                                 taskfit_budget *budget, taskfit_arena *arena);

/* FITS with a placement, REFUTED by GLPK, or OPEN: also when the program would have more than max_columns. */
taskfit_answer taskfit_room_exact(const taskfit_problem *problem, const int64_t *count, size_t max_columns,
                                  taskfit_budget *budget, taskfit_arena *arena, taskfit_fleet **fleet_out);

/* The fleet with its memory levelled (level.h) as far as the rules stay kept; the fleet itself where nothing is gained. */
taskfit_fleet *taskfit_room_level(const taskfit_problem *problem, const int64_t *count, taskfit_fleet *fleet,
                                  const taskfit_budget *budget, taskfit_arena *arena);

/* Index of the offer a machine is of. */
size_t taskfit_room_offer_of(const taskfit_problem *problem, const taskfit_machine *machine);

#endif
