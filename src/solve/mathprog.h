#ifndef TASKFIT_SOLVE_MATHPROG_H
#define TASKFIT_SOLVE_MATHPROG_H

/*
 * GNU MathProg through GLPK: a model's text with the text of its data, solved or written for other solvers.
 * GLPK reads and writes files only, so the texts pass through unnamed temporary files.
 * For the models of models/ on problems of our own making: a text that GLPK refuses is E_INTERNAL with its last
 * line. E_SYSTEM: no temporary file.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"

/* models/aggregated.mod, compiled in. */
extern const char taskfit_aggregated_model[];

typedef struct taskfit_mathprog_result {
    bool feasible;            /* proved either way */
    int64_t objective_micros; /* millionths, when feasible */
} taskfit_mathprog_result;

/* Solves to the end, without limits: for small problems. */
taskfit_status taskfit_mathprog_solve(const char *model, const char *data, taskfit_mathprog_result *result_out,
                                      taskfit_error *err) TASKFIT_MUST_USE;

typedef enum taskfit_mathprog_format { TASKFIT_MATHPROG_LP, TASKFIT_MATHPROG_MPS } taskfit_mathprog_format;
/* Appends the program in CPLEX LP or free MPS. */
taskfit_status taskfit_mathprog_write(const char *model, const char *data, taskfit_mathprog_format format, taskfit_strbuf *out,
                                      taskfit_error *err) TASKFIT_MUST_USE;

#endif
