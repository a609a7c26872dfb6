#ifndef TASKFIT_SOLVE_MOVES_ROOM_H
#define TASKFIT_SOLVE_MOVES_ROOM_H

/*
 * Fewest moves where there must be room for deployments or losses: the rule is turned into problems without it.
 */

#include "solve/moves.h"

typedef struct taskfit_moves_variant {
    const taskfit_problem *problem; /* without the rule; its first services are those of the original */
    bool relaxed;                   /* what keeps the rule is a placement of it: its bound holds */
} taskfit_moves_variant;

enum { TASKFIT_MOVES_VARIANTS = 8 };

/* What to search, one after the other, for placements that keep the rule: with tasks that stand for those deployed. Without such a
 * rule the problem itself. Returns how many. */
size_t taskfit_moves_variants(const taskfit_problem *problem, taskfit_moves_variant out[TASKFIT_MOVES_VARIANTS],
                              taskfit_arena *arena);

/* The fleet without the tasks that stand for deployments. */
const taskfit_fleet *taskfit_moves_strip(const taskfit_problem *problem, const taskfit_fleet *fleet, taskfit_arena *arena);

/* A placement on the same instances that keeps more, found by taking one task after the other back to where it stood, or
 * changing places with another, while every rule stays kept; the fleet itself where none does. */
taskfit_fleet *taskfit_moves_improve(const taskfit_problem *problem, const taskfit_standing *standing, taskfit_fleet *fleet,
                                     taskfit_budget *budget, taskfit_arena *arena);

#endif
