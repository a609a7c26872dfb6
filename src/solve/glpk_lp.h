#ifndef TASKFIT_SOLVE_GLPK_LP_H
#define TASKFIT_SOLVE_GLPK_LP_H

/*
 * A linear program to be minimised, as column generation needs it: rows with one bound, columns >= 0 that come
 * later, a basis that can be carried over, values and dual prices. Rows and columns count from 0.
 * GLPK stands behind it and nothing else knows: another engine would replace glpk_lp.c.
 * Doubles live here; who wants a proof rounds the prices and checks in integers.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "solve/decision.h"

typedef struct taskfit_lp taskfit_lp; /* malloc'ed inside GLPK: free it */

typedef enum taskfit_lp_sense { TASKFIT_LP_AT_LEAST, TASKFIT_LP_AT_MOST, TASKFIT_LP_EQUAL } taskfit_lp_sense;

/* Rows start as `>= 0`. */
taskfit_lp *taskfit_lp_new(taskfit_arena *arena, size_t n_rows);
void taskfit_lp_free(taskfit_lp *lp);

void taskfit_lp_set_row(taskfit_lp *lp, size_t row, taskfit_lp_sense sense, double bound);
/* Appends a column and returns its index; each row at most once. Non-basic until the next solve. */
size_t taskfit_lp_add_column(taskfit_lp *lp, double cost, size_t n, const size_t *rows, const double *coefficients);
/* A fixed column is 0. */
void taskfit_lp_fix_column(taskfit_lp *lp, size_t column, bool fixed);
void taskfit_lp_set_cost(taskfit_lp *lp, size_t column, double cost);

bool taskfit_lp_row_basic(const taskfit_lp *lp, size_t row);
bool taskfit_lp_column_basic(const taskfit_lp *lp, size_t column);
void taskfit_lp_set_row_basic(taskfit_lp *lp, size_t row, bool basic);
void taskfit_lp_set_column_basic(taskfit_lp *lp, size_t column, bool basic);

/* True: optimal. False: infeasible, unbounded, out of budget or GLPK could not; nothing may be read then.
 * `dual_first`: the basis is dual feasible (only bounds of rows changed). Pivots are charged to the budget; a
 * solve that cycles or fails is started again by other means, which budget->glpk_fallbacks counts. */
bool taskfit_lp_solve(taskfit_lp *lp, bool dual_first, taskfit_budget *budget);
double taskfit_lp_objective(const taskfit_lp *lp);
double taskfit_lp_value(const taskfit_lp *lp, size_t column);
double taskfit_lp_price(const taskfit_lp *lp, size_t row); /* dual */
double taskfit_lp_reduced_cost(const taskfit_lp *lp, size_t column);

#endif
