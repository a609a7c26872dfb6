#ifndef TASKFIT_SIMULATE_SIMULATION_H
#define TASKFIT_SIMULATE_SIMULATION_H

/* What a simulation holds, for the reports of it (taskfit/simulate.h makes it). */

#include "problem/plan.h"
#include "simulate/events.h"
#include "simulate/orders.h"

struct taskfit_simulation {
    taskfit_arena *arena; /* the simulation itself lies in it */
    const taskfit_plan *plan;
    const taskfit_fleet *fleet;  /* the plan's, or one of other counts */
    const char *const *ids;      /* [n_machines] */
    taskfit_simulate_options options;
    taskfit_cluster *cluster; /* as the worst launch leaves it */
    taskfit_orders orders;       /* n_orders 0: not launched, there were events */
    const taskfit_event *events; /* [options.n_events] */
};

#endif
