#ifndef TASKFIT_SOLVE_DIVE_H
#define TASKFIT_SOLVE_DIVE_H

/*
 * Diving: turn a fractional cover into a plan by fixing patterns one after the other, with new columns priced for
 * what is left after each. Limited discrepancy: now and then the second or third best choice is taken instead, the
 * better ones being taboo below. Finds plans; proves nothing.
 */

#include "solve/generate.h"

enum { TASKFIT_DIVE_DISCREPANCIES = 4 }; /* the most, and what the root should get */

typedef struct taskfit_dive_settings {
    size_t discrepancies;
    int64_t nodes; /* masters solved at most */
    const taskfit_columns *all; /* as of a generator */
    const char *stage; /* to be named in the answer */
} taskfit_dive_settings;

/* From a residual and the columns of its solved master. True: *answer_out is a plan, its contents in `answers`. */
bool taskfit_dive(const taskfit_residual *residual, taskfit_pattern_pool *pool, const taskfit_columns *columns,
                  const taskfit_dive_settings *settings, taskfit_budget *budget, taskfit_arena *answers,
                  taskfit_answer *answer_out);

#endif
