#ifndef TASKFIT_SOLVE_LATTICE_H
#define TASKFIT_SOLVE_LATTICE_H

/*
 * The fleets as a lattice: instances of each type, laid over AZs. The best one that no cut refutes is looked for
 * in whole numbers, so that everything before it is refuted exactly.
 */

#include "base/arena.h"
#include "solve/cuts.h"
#include "solve/decision.h"
#include "solve/walk.h"

typedef struct taskfit_fleet_goal {
    int64_t first, second; /* instances and micro-dollars, or the other way round */
} taskfit_fleet_goal;

static inline bool taskfit_fleet_goal_before(taskfit_fleet_goal a, taskfit_fleet_goal b) {
    return a.first < b.first || (a.first == b.first && a.second < b.second);
}

typedef struct taskfit_lattice_setting {
    const taskfit_problem *problem;
    const taskfit_walk *walk; /* for what it knows of AZs */
    bool cost_first;
    int64_t most_instances; /* more are of no use */
    taskfit_budget *budget;
    int64_t dual_work; /* as taskfit_cut_pool's */
} taskfit_lattice_setting;

typedef struct taskfit_lattice_query {
    taskfit_fleet_goal low;   /* not before it; raised to what cuts about single AZs say */
    taskfit_fleet_goal below; /* before it */
    /* results */
    bool cut_short;         /* the search ran out of steps: another fleet may be better, or there may be one */
    taskfit_fleet_goal goal;
    int64_t *count;         /* [n_offers], the caller's */
} taskfit_lattice_query;

typedef struct taskfit_lattice taskfit_lattice;

taskfit_lattice *taskfit_lattice_new(const taskfit_lattice_setting *setting, taskfit_arena *arena);
/* Cuts that are added count from the next question on. */
taskfit_cut_pool *taskfit_lattice_cuts(taskfit_lattice *lattice);
/* Passes over this one fleet from now on. */
void taskfit_lattice_exclude(taskfit_lattice *lattice, const int64_t *count);
/* The best fleet of the query, its instances laid as evenly as nothing refutes; false: none. */
bool taskfit_lattice_next(taskfit_lattice *lattice, taskfit_lattice_query *query);

#endif
