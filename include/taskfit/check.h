#ifndef TASKFIT_CHECK_H
#define TASKFIT_CHECK_H

/*
 * Lint of a deployment: limits that contradict each other, the JVM inside a container or what was measured, and services that Amazon
 * ECS would take but could never deploy. The rules of taskfit.h hold here too.
 *
 *     taskfit_findings_new -> taskfit_findings_add_deployment, _add_defect, _add_warnings -> taskfit_findings_write
 */

#include "taskfit/taskfit.h"

#pragma GCC visibility push(default)

typedef struct taskfit_findings taskfit_findings;

typedef enum taskfit_severity {
    TASKFIT_SEVERITY_ERROR,   /* it cannot work, or is refused */
    TASKFIT_SEVERITY_WARNING, /* it works until it is needed */
    TASKFIT_SEVERITY_NOTE     /* worth knowing; never a reason to fail, not among the warnings of plans */
} taskfit_severity;

taskfit_findings *taskfit_findings_new(void);
void taskfit_findings_free(taskfit_findings *findings);

/* Every rule on every service. The deployment must outlive the findings. */
void taskfit_findings_add_deployment(taskfit_findings *findings, const taskfit_deployment *deployment);
/* Further warnings, such as those of a plan of that deployment; what was found already is left out. */
void taskfit_findings_add_warnings(taskfit_findings *findings, const taskfit_warning *warnings, size_t n_warnings);
/* A taskfit_diag_fn for readers of deployments: `findings` is a taskfit_findings, the text a defect of the input. */
void taskfit_findings_add_defect(void *findings, const char *text);

/* Findings of this severity, without those that `ignore` of a service silences. */
size_t taskfit_findings_count(const taskfit_findings *findings, taskfit_severity severity);

/* `name` heads the text. JSON and YAML: schema taskfit.check/1. CSV: a row for each finding. */
taskfit_status taskfit_findings_write(const taskfit_findings *findings, const char *name, taskfit_plan_style style, bool color,
                                      taskfit_write_fn *write, void *sink, taskfit_error *err);
/* The rules themselves. JSON and YAML: schema taskfit.rules/1. */
taskfit_status taskfit_rules_write(taskfit_plan_style style, bool color, taskfit_write_fn *write, void *sink, taskfit_error *err);

/* The memory of one task of a service, container by container and region by region, the smallest safe limits for its flags and the
 * largest heap for its limit. JSON and YAML: schema taskfit.memory/1. E_ARGUMENT when there is no such service. */
taskfit_status taskfit_memory_write(const taskfit_deployment *deployment, const char *service, taskfit_plan_style style, bool color,
                                    taskfit_write_fn *write, void *sink, taskfit_error *err);

#pragma GCC visibility pop

#endif
