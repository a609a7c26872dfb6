#ifndef TASKFIT_SOLVE_SUBSET_ROWS_H
#define TASKFIT_SOLVE_SUBSET_ROWS_H

/*
 * Subset rows: cuts of the master that a fractional cover breaks and no plan does. Half of three cover rows, rounded up on
 * both sides (Chvatal and Gomory):
 *
 *     sum over columns  ceil((a[i] + a[j] + a[k]) / 2) x  >=  ceil((tasks[i] + tasks[j] + tasks[k]) / 2)
 *
 * holds for every cover in whole numbers. Three single tasks of which each two share half an instance need two instances, not
 * one and a half. What a pattern is worth is no longer a sum over its tasks, so these rows are only used where all
 * patterns of use are listed and nothing has to be priced.
 */

#include "solve/master.h"

/* The rows that the solved master breaks most, at most `most`; for profiles of one task. Memory from the arena. */
taskfit_subset_row *taskfit_subset_rows_find(const taskfit_master *master, size_t most, taskfit_arena *arena, size_t *n_out);
/* Adds them to the list of a master to come, in place of those that do not bind. */
void taskfit_subset_rows_add(taskfit_arena *arena, taskfit_columns *columns, const taskfit_subset_row *rows, size_t n);

#endif
