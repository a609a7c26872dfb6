#ifndef TASKFIT_LADDER_LOSSES_H
#define TASKFIT_LADDER_LOSSES_H

#include "problem/plan.h"

typedef struct taskfit_loss_share {
    int64_t n_tries, n_complete; /* re-placements by ECS's own steps after each possible loss; those that place everything */
} taskfit_loss_share;

/* Of a plan on rung survive: how often ECS's own placement finds the place that is there for every task. False: it was not
 * tried, as the plan is on another rung or too large. */
bool taskfit_loss_share_of(const taskfit_plan *plan, const taskfit_settings *settings, taskfit_loss_share *share_out);

#endif
