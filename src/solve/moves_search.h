#ifndef TASKFIT_SOLVE_MOVES_SEARCH_H
#define TASKFIT_SOLVE_MOVES_SEARCH_H

/*
 * The search on one board: bounds from the relaxation, placements from dives, branches where they do not meet.
 */

#include "solve/moves_board.h"

typedef struct taskfit_moves_search {
    const taskfit_moves_board *board;
    taskfit_budget *budget;
    taskfit_arena *arena; /* of the search */
    /* A placement was found; returns how many tasks really stay, -1: it will not do. The fleet is only lent. */
    int64_t (*found)(void *arg, const taskfit_fleet *fleet);
    void *found_arg;
    bool dives_only; /* the bound is of no use */
    int64_t best; /* only more is of interest; grows with what `found` says */
    /* results */
    /* the content by service of each instance in the best placement found here, [n_services][n]; NULL: none */
    const int64_t *best_dealt;
    const size_t *best_block; /* [n] which stand each is, or n_stands + kind of the board */
    size_t n_refused; /* how often `found` said -1; the search gives up when it does too often */
    int64_t bound; /* no placement on the board keeps more than this, or than `best` */
    bool by_solver; /* the bound rests on GLPK's branch and bound somewhere */
} taskfit_moves_search;

void taskfit_moves_search_run(taskfit_moves_search *search);

#endif
