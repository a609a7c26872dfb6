#ifndef TASKFIT_LADDER_GOALS_H
#define TASKFIT_LADDER_GOALS_H

#include "ladder/moves.h"
#include "problem/plan.h"
#include "solve/solve.h"

/* plan->goals: what the plan reached of each goal, in the policy's order, and what is known of its bound. `given` is NULL
 * where no plan was given. */
void taskfit_plan_set_goals(taskfit_plan *plan, const taskfit_solve_result *answer, const taskfit_given *given,
                            const taskfit_rearranged *rearranged);

#endif
