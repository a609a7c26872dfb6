#ifndef TASKFIT_EXPLAIN_H
#define TASKFIT_EXPLAIN_H

/*
 * Why a plan is as it is: what binds it and each rung of its ladder, how far it can grow; for one service where it
 * stands and where else it could; for one instance what is free and what its loss would do. The rules of taskfit.h
 * hold here too.
 */

#include "taskfit/taskfit.h"

#pragma GCC visibility push(default)

typedef struct taskfit_explanation taskfit_explanation;

/* `subject` names a service or an instance of the plan; NULL: the plan itself. E_INPUT when the plan has no instances or
 * breaks its own rules, E_ARGUMENT when there is no such subject. Growth and rungs are solved, within the settings' time
 * limit for everything together. The plan must outlive the explanation. */
taskfit_status taskfit_explain(const taskfit_plan *plan, const char *subject, const taskfit_settings *settings,
                               taskfit_explanation **explanation_out, taskfit_error *err);
void taskfit_explanation_free(taskfit_explanation *explanation);
/* JSON and YAML: schema taskfit.explanation/1. CSV: a row for each rung, instance or service. */
taskfit_status taskfit_explanation_write(const taskfit_explanation *explanation, taskfit_plan_style style, bool color,
                                         taskfit_write_fn *write, void *sink, taskfit_error *err);

#pragma GCC visibility pop

#endif
