#ifndef TASKFIT_REPORT_EXPLAIN_REPORT_H
#define TASKFIT_REPORT_EXPLAIN_REPORT_H

/*
 * Explanations:
 *     explain_report.c  the plan, and what chooses between the forms
 *     explain_text.c    a service and an instance for people
 */

#include "report/plan_report.h"
#include "whatif/explanation.h"

void taskfit_report_service(const taskfit_report *report, const taskfit_explanation *explanation);
void taskfit_report_instance(const taskfit_report *report, const taskfit_explanation *explanation);
/* "Heading" on a line of its own, after an empty one. */
void taskfit_report_heading(const taskfit_report *report, const char *text);
/* Services of which the instance takes more, the largest tasks first; [n_services], n_out <= n_services. */
const size_t *taskfit_explain_more(const taskfit_explanation *explanation, taskfit_arena *arena, size_t *n_out);
/* What is free of one of the first four resources. */
int64_t taskfit_explain_free(const taskfit_explanation *explanation, size_t machine, taskfit_resource resource);

#endif
