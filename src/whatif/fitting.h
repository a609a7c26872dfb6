#ifndef TASKFIT_WHATIF_FITTING_H
#define TASKFIT_WHATIF_FITTING_H

/* What a fitting holds, for the report of it (taskfit/fit.h makes it). */

#include "problem/plan.h"
#include "whatif/trial.h"

struct taskfit_fitting {
    taskfit_arena *arena; /* the fitting itself lies in it */
    const taskfit_deployment *deployment;
    const char *instances; /* as asked */
    taskfit_verdict verdict;
    const taskfit_deployment *held; /* the deployment with those counts; what the plan is of */
    taskfit_plan *plan;             /* YES: the plan; NO: its reason, or NULL where only many splits together prove it */
    int64_t n_orders, n_placed_all; /* YES: launches simulated, and those that place every task */
    taskfit_plan *needed;           /* not YES: what the deployment takes by itself; NULL: not known */
    const char *reason;             /* not YES: for people */
    bool *clash;                    /* NO: [n_services] a set that does not fit together */
    size_t n_clash;
    bool clash_minimal;           /* without any one of them the rest was seen to fit */
    taskfit_scaling scalings[3];  /* NO: how far each lever would have to go; fits_permille 0: not far enough alone */
};

/* Fills the clash of a fitting that is proved not to fit. */
taskfit_status taskfit_clash_find(taskfit_fitting *fitting, taskfit_trial *trial, taskfit_error *err) TASKFIT_MUST_USE;

#endif
