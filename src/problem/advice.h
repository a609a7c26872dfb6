#ifndef TASKFIT_PROBLEM_ADVICE_H
#define TASKFIT_PROBLEM_ADVICE_H

/*
 * What a plan that keeps every rule should still make its owner think about.
 *
 *     CPU002     the heaviest tasks without CPU units, by observed use, stand together
 *     SPREAD004  while an instance is drained or lost, its AZ has no room for what spread wants there
 *     SPREAD005  spread costs an instance, as counts are no multiple of the AZs
 *     GROUP003   a group of several types has a task that its smallest type does not hold (source: the developer guide's
 *                page on cluster auto scaling: such tasks are never scaled for)
 */

#include "problem/plan.h"

/* The message lives in the plan's arena. */
typedef void taskfit_advice_fn(void *arg, const char *code, const char *message);
/* Of a plan with a fleet and its ladder. */
void taskfit_plan_advise(const taskfit_plan *plan, taskfit_advice_fn *tell, void *arg);

#endif
