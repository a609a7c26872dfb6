#ifndef TASKFIT_SOLVE_COMPACT_H
#define TASKFIT_SOLVE_COMPACT_H

#include "solve/decision.h"
#include "solve/glpk_build.h"

/* The aggregated integer program of a decision: x[p,j] tasks of profile p on instance j (models/aggregated.mod).
 * NULL when it would have more than max_columns columns. Column of (p, j): column_of_out[p * n_instances + j], or
 * SIZE_MAX where p may not stand. Instances in the order of kinds. */
taskfit_program *taskfit_compact_program(const taskfit_decision *decision, size_t max_columns, taskfit_arena *arena,
                                         const size_t **column_of_out);

#endif
