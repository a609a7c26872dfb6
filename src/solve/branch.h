#ifndef TASKFIT_SOLVE_BRANCH_H
#define TASKFIT_SOLVE_BRANCH_H

/*
 * Branch and price: what the root and the dive leave open is split into decisions (split.h) that are answered alike, so
 * pricing, proofs and dives need to know nothing of branching. Depth first.
 */

#include "solve/generate.h"

typedef struct taskfit_brancher {
    taskfit_arena *arena;
    taskfit_pattern_pool *pool;
    taskfit_budget *budget;
    taskfit_columns *all; /* all patterns of use (enumerate.h): no others are priced. NULL: not known */
    const int64_t *price; /* [n_profiles] with `all`: a pattern is of use only when worth at_least; else NULL */
    int64_t at_least;
} taskfit_brancher;

/* Answers the residual: contents live in `answers`. OPEN when out of budget. */
taskfit_answer taskfit_branch(const taskfit_brancher *brancher, const taskfit_residual *residual,
                              const taskfit_columns *columns, taskfit_arena *answers);

#endif
