#ifndef TASKFIT_SOLVE_GLPK_BUILD_H
#define TASKFIT_SOLVE_GLPK_BUILD_H

/*
 * A small integer program with 0-based indexes and whole numbers, solved or written by GLPK. GLPK's own habits
 * (1-based arrays, return codes beside statuses, aborts) stay behind this header.
 *
 *     taskfit_program *program = taskfit_program_new(arena);
 *     size_t x = taskfit_program_column(program, 0, 5, 0, "x");
 *     size_t row = taskfit_program_row(program, TASKFIT_PROGRAM_NONE, 10, "room");
 *     taskfit_program_entry(program, row, x, 3);              // 3 x <= 10
 */

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "solve/decision.h"
#include "taskfit/taskfit.h"

#define TASKFIT_PROGRAM_NONE INT64_MIN /* no bound on this side */

typedef struct taskfit_program taskfit_program;

taskfit_program *taskfit_program_new(taskfit_arena *arena);
/* An integer column low..high, both finite, with its cost in the minimized objective. Names are up to 255
 * characters without control characters, or NULL; they only matter in written files. */
size_t taskfit_program_column(taskfit_program *program, int64_t low, int64_t high, int64_t cost, const char *name);
size_t taskfit_program_row(taskfit_program *program, int64_t low, int64_t high, const char *name);
/* Each column at most once in a row; 0 is left out. */
void taskfit_program_entry(taskfit_program *program, size_t row, size_t column, int64_t value);
size_t taskfit_program_n_columns(const taskfit_program *program);

typedef struct taskfit_program_result {
    taskfit_outcome outcome; /* OPTIMAL and INFEASIBLE rest on GLPK's floating point */
    const int64_t *values;   /* [n_columns] with OPTIMAL and FEASIBLE: rounded, not checked against rows */
    double bound;            /* on the objective: the best proved */
} taskfit_program_result;

/* Branch and bound within the budget, which is charged for pivots. E_INTERNAL when GLPK gives up. */
taskfit_status taskfit_program_solve(const taskfit_program *program, taskfit_budget *budget, taskfit_arena *arena,
                                     taskfit_program_result *result_out, taskfit_error *err) TASKFIT_MUST_USE;

/* What a return code of glp_intopt and the status of the integer solution mean together. */
taskfit_outcome taskfit_glpk_outcome(int code, int status);

/* CPLEX LP or MPS through GLPK's writers, which want a file of their own. */
taskfit_status taskfit_program_write(const taskfit_program *program, taskfit_model_format format, const char *path,
                                     taskfit_error *err) TASKFIT_MUST_USE;

#endif
