#ifndef TASKFIT_SOLVE_EXPLAIN_H
#define TASKFIT_SOLVE_EXPLAIN_H

/*
 * Why not fewer, and why not at all, in words an architect can defend. Texts live in the arena.
 */

#include "solve/solve.h"

/* A task that can stand on no instance there is, whatever the fleet; false when there is none. */
bool taskfit_explain_impossible(const taskfit_problem *problem, taskfit_arena *arena, taskfit_reason *reason_out);

/* A service that may stand in one AZ only, where the loss of an AZ must be survived; false when there is none. */
bool taskfit_explain_no_second_az(const taskfit_problem *problem, taskfit_arena *arena, taskfit_reason *reason_out);

/* A group whose stock does not make up its min: count[n_offers] is the largest fleet. False when there is none. */
bool taskfit_explain_below_min(const taskfit_problem *problem, const int64_t *count, taskfit_arena *arena, taskfit_reason *reason_out);

/* Why the largest fleet allowed, count[n_offers], is still too small. */
taskfit_reason taskfit_explain_too_small(const taskfit_problem *problem, const int64_t *count, taskfit_arena *arena);

/* The same where it holds the tasks, but leaves no room for deployments or losses. */
taskfit_reason taskfit_explain_no_room(const taskfit_problem *problem, const int64_t *count, taskfit_arena *arena);

/* What keeps the fleet from one instance less. */
taskfit_limit taskfit_explain_binding(const taskfit_problem *problem, const int64_t *count, taskfit_arena *arena,
                                      const char **note_out);

#endif
