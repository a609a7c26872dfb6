#ifndef TASKFIT_SOLVE_RESIDUAL_H
#define TASKFIT_SOLVE_RESIDUAL_H

/*
 * A decision in the midst of a search: some instances are filled, the rest of the question is a decision again.
 * Filling takes the instance from its kind, the tasks from their profiles and from the zone's windows, and tightens the
 * bounds of all other instances to what the windows still allow, so that zones keep their floors and
 * ceilings without a word in the linear program.
 *
 * Two partitions stay as they were at the root and tell the master how coarse to be: kinds in *blocks* (alike but
 * for the zone) and zones in *classes*. Blocks lie within a class.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "solve/decision.h"

typedef struct taskfit_filled { /* an instance that is full; a list, so that copies of a residual share it */
    taskfit_content content; /* kind: of the residual */
    const struct taskfit_filled *before;
} taskfit_filled;

typedef struct taskfit_residual {
    taskfit_decision decision; /* what is left; kinds may have count 0 here. Points into this struct's own arrays */
    taskfit_profile *profiles;
    taskfit_kind *kinds;
    int64_t *zone_low, *zone_high; /* [n_profiles][n_zones] */
    int64_t *low, *high;           /* [n_kinds][n_profiles] */
    const size_t *origin;          /* [n_kinds] kind of the decision that was asked */
    const size_t *block;           /* [n_kinds] */
    const size_t *zone_class;      /* [n_zones] */
    size_t n_blocks, n_classes;
    const taskfit_conflict *merges; /* in order: b, of one task, stands wherever a stands, whose demand includes its */
    size_t n_merges;
    const taskfit_filled *filled; /* the last one; NULL: none */
    size_t n_filled;
} taskfit_residual;

/* All kinds, windows and bounds of the decision, tightened; decision.impossible may have become true. `fine`: each
 * zone is a class and each kind a block of its own; else as few as lose nothing. */
taskfit_residual *taskfit_residual_new(taskfit_arena *arena, const taskfit_decision *decision, bool fine);
taskfit_residual *taskfit_residual_copy(taskfit_arena *arena, const taskfit_residual *residual);
/* After a change of windows or bounds. */
void taskfit_residual_tighten(taskfit_residual *residual);

/* Fills one instance of the kind with the tasks, cut to its upper bounds and filled up to its lower ones (whose room the
 * caller has checked by taskfit_residual_kind_for). decision.impossible tells when a window broke. */
void taskfit_residual_fill(taskfit_arena *arena, taskfit_residual *residual, size_t kind, const int64_t *tasks);
/* The kind of the block where an instance with these tasks does least harm to the zones' windows: uses up the room
 * of no profile ahead of the zone's instances and leaves no floor behind. `cut`: tasks above the upper bounds may be left
 * out, if some remain. SIZE_MAX: suits none. */
size_t taskfit_residual_kind_for(const taskfit_residual *residual, size_t block, const int64_t *tasks, bool cut);
/* Nothing left to place, so instances left are empty. */
bool taskfit_residual_done(const taskfit_residual *residual);
/* Instances of the block that are left. */
int64_t taskfit_residual_block_count(const taskfit_residual *residual, size_t block);
/* The profile that stands for this one too, since they were merged; itself if it was not. */
size_t taskfit_residual_root(const taskfit_residual *residual, size_t profile);
/* The least tasks of the profile that the zones of a class must hold, given the windows. */
int64_t taskfit_residual_class_floor(const taskfit_residual *residual, size_t profile, size_t zone_class);

/* The answer once done: contents for the kinds of the decision asked, empty instances included. */
taskfit_answer taskfit_residual_answer(taskfit_arena *arena, const taskfit_residual *residual, const char *stage);

#endif
