#ifndef TASKFIT_SOLVE_WALK_H
#define TASKFIT_SOLVE_WALK_H

/*
 * Which fleets there are: how many instances of each type of each group (a *mix*), and over which AZs. Keeps
 * the rules that speak of the fleet alone: min, max, stock, one type in a group, AZs balanced.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "problem/problem.h"

typedef struct taskfit_mix {
    const int64_t *n; /* [n_entries] instances of each entry of the walk */
    int64_t count;    /* in all */
    int64_t cost_usd_micros;
} taskfit_mix;

typedef struct taskfit_mixes {
    const taskfit_mix *items; /* ascending in the first goal, then the second, then entry by entry */
    size_t n_items;
    bool complete; /* false: there were too many, some are missing */
} taskfit_mixes;

typedef struct taskfit_walk taskfit_walk;

taskfit_walk *taskfit_walk_new(const taskfit_problem *problem, bool cost_first, taskfit_arena *arena);

/* From now on AZs are told apart: layouts that differ only by which of alike AZs has what all count. For who cares where
 * instances stand already. */
void taskfit_walk_tell_azs(taskfit_walk *walk);

/* The first goal's least value that min and volume allow, and the most that max and stock allow: instances, or
 * micro-dollars when cost comes first. */
int64_t taskfit_walk_bound(const taskfit_walk *walk);
int64_t taskfit_walk_limit(const taskfit_walk *walk);
int64_t taskfit_walk_min_instances(const taskfit_walk *walk); /* sum over groups */
int64_t taskfit_walk_max_instances(const taskfit_walk *walk); /* with stock */
/* How far the first goal moves between looks: 1 instance, or the cheapest price. */
int64_t taskfit_walk_step(const taskfit_walk *walk);

/* Mixes whose first goal is low..high and that volume does not refute. */
taskfit_mixes taskfit_walk_mixes(const taskfit_walk *walk, int64_t low, int64_t high, taskfit_arena *arena);

/* The ways to lay a mix over the AZs, count[n_offers] each, less those that are alike. */
const int64_t *const *taskfit_walk_layouts(const taskfit_walk *walk, const taskfit_mix *mix, taskfit_arena *arena,
                                           size_t *n_layouts_out, bool *complete_out);

/* Of layouts that differ only by AZs that are alike in everything, one is canonical. */
bool taskfit_walk_layout_canonical(const taskfit_walk *walk, const int64_t *count);

#endif
