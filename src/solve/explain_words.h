#ifndef TASKFIT_SOLVE_EXPLAIN_WORDS_H
#define TASKFIT_SOLVE_EXPLAIN_WORDS_H

/* Pieces of sentences that explain.c and explain_task.c share. */

#include "base/strbuf.h"
#include "solve/solve.h"

/* "62,942 MiB of memory", "1 GPU" */
void taskfit_explain_add_quantity(taskfit_strbuf *text, int64_t amount, size_t resource);
/* "1 instance", "8 instances" */
void taskfit_explain_add_instances(taskfit_strbuf *text, int64_t n);
const char *taskfit_explain_service_name(const taskfit_problem *problem, size_t s);

#endif
