#ifndef TASKFIT_SOLVE_DIVE_H
#define TASKFIT_SOLVE_DIVE_H

/*
 * Diving: turn a fractional cover into a plan by fixing patterns one after the other, with new columns priced for
 * what is left after each. Limited discrepancy: now and then the second or third best choice is taken instead, the
 * better ones being taboo below. Finds plans; proves nothing.
 */

#include "solve/generate.h"

/* From a residual and the columns of its solved master. True: *done_out is filled up to the last task. */
bool taskfit_dive(taskfit_arena *arena, const taskfit_residual *residual, taskfit_pattern_pool *pool,
                  const taskfit_columns *columns, taskfit_budget *budget, const taskfit_residual **done_out);

#endif
