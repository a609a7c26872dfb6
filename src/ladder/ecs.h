#ifndef TASKFIT_LADDER_ECS_H
#define TASKFIT_LADDER_ECS_H

#include "problem/plan.h"

/* The figure beside the ladder: the first fleet, growing from the packing bound, on which Amazon ECS's own placement
 * finds room for every task in each of 1,000 launch orders. With several groups or types it grows from the plan's fleet,
 * in the group where most tasks are left over. Launch k has the seed + k, as `taskfit simulate` has it.
 * Fills plan->ecs from plan->fleet; leaves it alone where max or stock lets no group grow so far. False: that would take
 * too much work. */
bool taskfit_ecs_figure(taskfit_plan *plan, int64_t packing_bound, const taskfit_settings *settings);

#endif
