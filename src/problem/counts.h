#ifndef TASKFIT_PROBLEM_COUNTS_H
#define TASKFIT_PROBLEM_COUNTS_H

/* Numbers of instances as the command line has them: "8" in all, or "main=6,heavy=2" group by group. */

#include "deployment/deployment.h"

typedef struct taskfit_counts {
    int64_t total;          /* in all; -1: given group by group */
    const int64_t *groups;  /* [n_groups]; -1: this group was not named */
} taskfit_counts;

/* E_ARGUMENT names what is wrong and the nearest group. Arrays live in the arena. */
taskfit_status taskfit_counts_parse(const taskfit_deployment *deployment, const char *text, taskfit_arena *arena,
                                    taskfit_counts *counts_out, taskfit_error *err) TASKFIT_MUST_USE;

#endif
