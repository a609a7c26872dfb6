#ifndef TASKFIT_SOLVE_SPLIT_H
#define TASKFIT_SOLVE_SPLIT_H

/*
 * Branching: a fractional cover tells where a decision can be split into two, both again decisions:
 *
 *     WINDOW   a zone holds x < T < x + 1 tasks of a profile    its window begins at x + 1 | ends at x
 *     PAIR     two single tasks share an instance by half       they are one task | they conflict (Ryan and Foster)
 *     KIND     F instances of a kind hold >= k of a profile     floor(F) + 1 of them have low = k | count - floor(F)
 *                                                               have high = k - 1: the kind splits in two (Vanderbeck)
 */

#include "solve/master.h"

typedef enum taskfit_split_type {
    TASKFIT_SPLIT_NONE,
    TASKFIT_SPLIT_WINDOW,
    TASKFIT_SPLIT_PAIR,
    TASKFIT_SPLIT_KIND
} taskfit_split_type;

typedef struct taskfit_split {
    taskfit_split_type type;
    size_t profile, other; /* other: PAIR */
    size_t zone;           /* WINDOW */
    size_t block;          /* KIND: has one kind */
    int64_t tasks;         /* WINDOW: x; KIND: k */
    int64_t instances;     /* KIND: floor(F) */
    double score;          /* distance of the fraction to the nearest integer */
} taskfit_split;

/* For a solved master; windows are only looked at where each zone is a class of its own. */
taskfit_split taskfit_split_find(const taskfit_master *master, taskfit_arena *scratch);
/* The same without PAIR, so that branches differ in bounds alone. */
taskfit_split taskfit_split_find_bounds(const taskfit_master *master, taskfit_arena *scratch);
/* Makes the first or the second branch of the residual, tightened; it may become impossible. A KIND split adds a kind, the
 * last one, in a block of its own, the last one. */
void taskfit_split_apply(const taskfit_split *split, bool second, taskfit_arena *arena, taskfit_residual *residual);

#endif
