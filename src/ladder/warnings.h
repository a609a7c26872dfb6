#ifndef TASKFIT_LADDER_WARNINGS_H
#define TASKFIT_LADDER_WARNINGS_H

#include "problem/plan.h"
#include "solve/solve.h"

/* Fills plan->warnings: what the plan itself gives reason for, then what `check` finds in its deployment. `no_ecs`: what ECS's
 * own placement needs was not found; `undecided`: the verifier's search was cut. */
void taskfit_plan_warn(taskfit_plan *plan, const taskfit_solve_result *answer, bool no_ecs, bool undecided);

/* One warning more, behind the others; the message lives in the plan's arena. */
void taskfit_plan_warn_more(taskfit_plan *plan, const char *code, const char *message);

#endif
