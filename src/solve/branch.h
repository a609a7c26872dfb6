#ifndef TASKFIT_SOLVE_BRANCH_H
#define TASKFIT_SOLVE_BRANCH_H

/*
 * Branch and price: what the root and the dive leave open is split into decisions that are answered alike. Every branch is
 * a decision again, so pricing, proofs and dives need to know nothing of branching:
 *
 *     a zone holds x < T < x + 1 tasks of a profile    its window ends at x | begins at x + 1
 *     two single tasks share an instance by half       they conflict | they are one task (Ryan and Foster)
 *     F instances of a kind hold >= k of a profile     floor(F) + 1 of them have low = k | count - floor(F) have
 *                                                      high = k - 1   (the kind is split in two; Vanderbeck)
 */

#include "solve/generate.h"

typedef struct taskfit_brancher {
    taskfit_arena *arena;
    taskfit_pattern_pool *pool;
    taskfit_budget *budget;
    bool frozen;          /* the columns are all patterns of use (enumerate.h) */
    const int64_t *price; /* [n_profiles] frozen: a pattern is of use only when worth at_least; else NULL */
    int64_t at_least;
} taskfit_brancher;

/* Answers the residual: contents live in `answers`. OPEN when out of budget. */
taskfit_answer taskfit_branch(const taskfit_brancher *brancher, const taskfit_residual *residual,
                              const taskfit_columns *columns, taskfit_arena *answers);

#endif
