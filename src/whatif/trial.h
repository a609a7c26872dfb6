#ifndef TASKFIT_WHATIF_TRIAL_H
#define TASKFIT_WHATIF_TRIAL_H

/* Many questions of one kind - does this deployment fit? - under one time limit. */

#include "taskfit/fit.h"
#include "whatif/variant.h"

typedef struct taskfit_trial {
    taskfit_settings settings; /* of each solve; no ladder */
    int64_t deadline_ms;       /* 0: none */
    bool limited;              /* the time is up, or it was asked to stop: every further verdict is UNKNOWN */
    bool per_group;            /* counts are those of each group; else their sum alone counts */
    int64_t *counts;           /* [n_groups] */
    int64_t total;
} taskfit_trial;

/* The time limit of the settings begins now. Counts are set by the caller. Trials come from no given plan: deployments that
 * are asked about must not name moves (taskfit_variant_unmoved). */
taskfit_trial taskfit_trial_start(const taskfit_settings *settings);
/* The settings with what is left of the time, and without the given plan. */
taskfit_settings taskfit_trial_settings(taskfit_trial *trial, bool ladder);
/* Whether the deployment fits on the trial's counts; where it does in total, counts_out (or NULL) has the split.
 * A failure of the solver ends it. */
taskfit_status taskfit_trial_ask(taskfit_trial *trial, const taskfit_deployment *deployment, int64_t *counts_out,
                                 taskfit_verdict *verdict_out, taskfit_error *err) TASKFIT_MUST_USE;

typedef struct taskfit_scaling { /* how far a lever goes */
    taskfit_lever lever;
    int64_t low_permille, high_permille; /* factors looked at, in thousandths, 0 < low < high; set by the caller */
    int64_t fits_permille;  /* the largest factor found that fits, in thousandths; 0: none */
    int64_t fails_permille; /* one thousandth more, proved not to fit; 0: not proved */
} taskfit_scaling;

/* The largest factor that fits, by bisection. Fit need not be monotone in it: what is said of the two figures is checked
 * all the same. */
taskfit_status taskfit_trial_scale(taskfit_trial *trial, const taskfit_deployment *deployment, taskfit_scaling *scaling,
                                   taskfit_error *err) TASKFIT_MUST_USE;

#endif
