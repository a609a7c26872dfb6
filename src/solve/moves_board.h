#ifndef TASKFIT_SOLVE_MOVES_BOARD_H
#define TASKFIT_SOLVE_MOVES_BOARD_H

/*
 * The question of fewest moves for one fleet, compiled: a decision that merges only services which stand alike, and beside it
 * what stands where. Everything behind moves.c sees profiles only:
 *
 *     of stand i and profile p, min(before[p], after[p]) tasks stay
 *
 * A stand is a standing instance that has tasks which may stay; others are as good as new. Where the fleet has as many instances of an
 * offer as there are stands of it, or more, all of them stay; else some choice of n_choose.
 */

#include "solve/moves.h"

typedef struct taskfit_moves_stand {
    size_t standing; /* index of the given plan */
    size_t kind;     /* of the decision */
    size_t zone;
    size_t choice;
    const int64_t *before; /* [n_profiles] tasks that may stay, at most the kind's high */
    int64_t n_before;      /* sum */
} taskfit_moves_stand;

typedef struct taskfit_moves_choice { /* the stands of an offer, one after the other */
    size_t first, n_stands;
    size_t n_choose; /* that stay */
} taskfit_moves_choice;

typedef struct taskfit_moves_board {
    const taskfit_problem *problem;
    const taskfit_standing *standing;
    const taskfit_decision *decision; /* a kind for each offer */
    const taskfit_moves_stand *stands;
    size_t n_stands;
    const taskfit_moves_choice *choices;
    size_t n_choices;
    const int64_t *n_new; /* [n_kinds] instances that are not stands */
    int64_t bound;        /* on the tasks that stay, by counting alone */
} taskfit_moves_board;

/* The class of each service, [n_services]: the same where they have as many tasks on every standing instance. */
const size_t *taskfit_moves_classes(const taskfit_problem *problem, const taskfit_standing *standing, taskfit_arena *arena);

/* For count[n_offers] instances. problem->classes keeps apart what does not stand alike. */
const taskfit_moves_board *taskfit_moves_board_new(taskfit_arena *arena, const taskfit_problem *problem,
                                                   const taskfit_standing *standing, const int64_t *count);

#endif
