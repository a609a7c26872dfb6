#ifndef TASKFIT_REPORT_PLAN_WRITE_H
#define TASKFIT_REPORT_PLAN_WRITE_H

/* A plan as text of one style; taskfit_plan_write (taskfit/taskfit.h) chooses between them. */

#include "base/strbuf.h"
#include "problem/plan.h"

/* For people, at most 100 columns wide but for longer names; `wide` adds every task and service. */
void taskfit_plan_write_text(const taskfit_plan *plan, bool wide, bool color, taskfit_strbuf *out);
/* A row for each service and each daemon on each instance; empty instances have one row without a service.
 * With moves also who the instance was. */
void taskfit_plan_write_csv(const taskfit_plan *plan, taskfit_strbuf *out);

#endif
