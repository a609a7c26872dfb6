#ifndef TASKFIT_LADDER_WARNINGS_H
#define TASKFIT_LADDER_WARNINGS_H

#include "problem/plan.h"

/* Fills plan->warnings: those of the deployment, then what the plan itself gives reason for. */
void taskfit_plan_warn(taskfit_plan *plan, taskfit_rung asked, bool stopped);

#endif
