#ifndef TASKFIT_FIT_H
#define TASKFIT_FIT_H

/*
 * Whether a deployment fits on exactly this fleet: with a plan, or with the reason and what would have to go.
 * The rules of taskfit.h hold here too.
 *
 *     taskfit_fit(deployment, "main=6,heavy=2", &settings, &fitting, &err) -> taskfit_fitting_write
 */

#include "taskfit/taskfit.h"

#pragma GCC visibility push(default)

typedef struct taskfit_fitting taskfit_fitting;

typedef enum taskfit_verdict {
    TASKFIT_VERDICT_YES,
    TASKFIT_VERDICT_NO,     /* proved */
    TASKFIT_VERDICT_UNKNOWN /* no plan within the limits, and no proof that there is none */
} taskfit_verdict;

/* `instances` is "8", in total over all groups within their min and max, or "main=6,heavy=2", whatever their min and
 * max; groups not named have none. Instances may stay empty. E_ARGUMENT names what is wrong with it. The settings'
 * time limit holds for everything together. The deployment must outlive the fitting. */
taskfit_status taskfit_fit(const taskfit_deployment *deployment, const char *instances, const taskfit_settings *settings,
                           taskfit_fitting **fitting_out, taskfit_error *err);
void taskfit_fitting_free(taskfit_fitting *fitting);
taskfit_verdict taskfit_fitting_verdict(const taskfit_fitting *fitting);
/* Whether Amazon ECS's own placement filled this fleet in every one of 1000 launch orders; false unless YES. */
bool taskfit_fitting_ecs_agrees(const taskfit_fitting *fitting);
/* YES: the plan, as taskfit_plan_write has it. Else: JSON and YAML have the schema taskfit.fit/1, CSV a row for each
 * service of the clash. */
taskfit_status taskfit_fitting_write(const taskfit_fitting *fitting, taskfit_plan_style style, bool color, taskfit_write_fn *write,
                                     void *sink, taskfit_error *err);

#pragma GCC visibility pop

#endif
