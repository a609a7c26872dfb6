#ifndef TASKFIT_SOLVE_PATTERN_H
#define TASKFIT_SOLVE_PATTERN_H

/*
 * Patterns: what may stand on one instance, as tasks for each profile. A pool keeps each content once, so that
 * columns, dives and branches can speak of patterns by number.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "solve/decision.h"

typedef struct taskfit_pattern { /* sparse, ascending by profile */
    const taskfit_content_task *parts;
    size_t n_parts;
} taskfit_pattern;

typedef struct taskfit_pattern_pool {
    taskfit_arena *arena;
    taskfit_pattern *patterns;
    size_t n_patterns, capacity;
    size_t *slots; /* open addressing: 1 + pattern, 0: free */
    size_t n_slots; /* a power of two */
    taskfit_content_task *trial; /* [n_trial] the pattern being looked up */
    size_t n_trial;
} taskfit_pattern_pool;

taskfit_pattern_pool *taskfit_pattern_pool_new(taskfit_arena *arena);
/* The number of the pattern with these tasks, new or not. */
size_t taskfit_pattern_pool_add(taskfit_pattern_pool *pool, const int64_t *tasks, size_t n_profiles);
/* Writes it densely. */
void taskfit_pattern_expand(const taskfit_pattern *pattern, int64_t *tasks_out, size_t n_profiles);
/* Between the bounds of the kind; its room is taken for granted. */
bool taskfit_pattern_suits(const taskfit_pattern *pattern, const taskfit_kind *kind, size_t n_profiles);
int64_t taskfit_pattern_worth(const taskfit_pattern *pattern, const int64_t *price);

#endif
