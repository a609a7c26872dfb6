#ifndef TASKFIT_SOLVE_FLEET_H
#define TASKFIT_SOLVE_FLEET_H

/*
 * The search for the best mix of types where there are many: the cheapest fleet that no cut refutes is asked for, decided,
 * and either is the answer or makes a new cut (solve/cuts.h) that also refutes what resembles it. The fleets come in ascending
 * order of the goals, so the first that holds the tasks is optimal.
 */

#include "base/arena.h"
#include "solve/lattice.h"

typedef struct taskfit_fleet_search {
    const taskfit_problem *problem;
    const taskfit_walk *walk; /* for what it knows of AZs */
    bool cost_first;
    taskfit_budget *budget;
    /* Do the tasks stand on count[n_offers]? With as much work. A fleet left open is asked about again with more. */
    taskfit_verdict (*decide)(struct taskfit_fleet_search *search, const int64_t *count, taskfit_fleet_goal goal, int64_t work);
    void *decide_arg;
    int64_t work;             /* to begin with */
    int64_t most_instances;   /* more are of no use */
    taskfit_fleet_goal known; /* of a plan: only better fleets are of interest. `decide` may lower it; INT64_MAX: none */
    /* results */
    taskfit_fleet_goal bound; /* every fleet before it is refuted; the plan known, if there is one, may be at it */
    bool open;                /* the bound is that of a fleet left open, or where the search was cut */
} taskfit_fleet_search;

/* `from`: fleets whose first goal is below are refuted already. */
void taskfit_fleet_find(taskfit_fleet_search *search, int64_t from);

#endif
