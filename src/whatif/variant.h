#ifndef TASKFIT_WHATIF_VARIANT_H
#define TASKFIT_WHATIF_VARIANT_H

/*
 * Deployments that differ from another in one respect, for trying: shallow copies, in an arena, of what must outlive
 * them. Only taskfit_variant_of_counts is fit to be printed.
 */

#include "deployment/deployment.h"

/* Each group held to counts[group] instances; the resolved tree and the edits say so too. */
const taskfit_deployment *taskfit_variant_of_counts(const taskfit_deployment *deployment, const int64_t *counts, taskfit_arena *arena);
/* Without the tasks of services marked in left_out[n_services]. */
const taskfit_deployment *taskfit_variant_without(const taskfit_deployment *deployment, const bool *left_out, taskfit_arena *arena);

typedef enum taskfit_lever {
    TASKFIT_LEVER_TASKS,  /* desired counts */
    TASKFIT_LEVER_MEMORY, /* every limit and reservation of memory, and observed memory */
    TASKFIT_LEVER_CPU     /* CPU units, and observed CPU */
} taskfit_lever;
/* "tasks", "memory", "cpu". */
const char *taskfit_lever_name(taskfit_lever lever);
/* All services' figures times permille / 1000, rounded up. Daemons stay. */
const taskfit_deployment *taskfit_variant_scaled(const taskfit_deployment *deployment, taskfit_lever lever, int64_t permille,
                                                 taskfit_arena *arena);

/* With the policy of one rung: its rules and those of the rungs below, as the ladder prices them. */
const taskfit_deployment *taskfit_variant_of_rung(const taskfit_deployment *deployment, taskfit_rung rung, taskfit_arena *arena);

/* Without the goal moves: for trials, which come from no plan. */
const taskfit_deployment *taskfit_variant_unmoved(const taskfit_deployment *deployment, taskfit_arena *arena);

#endif
