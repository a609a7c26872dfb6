#ifndef TASKFIT_SOLVE_MODEL_H
#define TASKFIT_SOLVE_MODEL_H

/* A problem as MathProg data for models/aggregated.mod: what `taskfit model` writes (taskfit_model_write). */

#include "base/strbuf.h"
#include "problem/problem.h"

/* Appends the data. Instances to choose from are as many as the best plan found within some work needs, so that the
 * optimum is among them. The first goal decides what is minimized: instances, or USD per hour. */
taskfit_status taskfit_model_data(const taskfit_problem *problem, taskfit_strbuf *out, taskfit_error *err) TASKFIT_MUST_USE;

#endif
