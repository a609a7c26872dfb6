#ifndef TASKFIT_SOLVE_CUTS_H
#define TASKFIT_SOLVE_CUTS_H

/*
 * Cuts: integer prices that refute a fleet, and with it all others whose instances are worth no more (problem/certificate.h
 * says what is meant). Found for one fleet at a time, kept for all that follow.
 */

#include "problem/certificate.h"
#include "solve/decision.h"

typedef struct taskfit_cut_pool {
    taskfit_arena *arena;
    const taskfit_problem *problem;
    const taskfit_cert_rules *rules; /* of the same offers and services */
    taskfit_budget *budget;
    taskfit_cert_sacks *sacks; /* made when first needed */
    taskfit_cert_cut *cuts;
    size_t n_cuts, capacity;
    size_t host;       /* offer where a next task is in question; else of no meaning */
    bool trees;        /* branching may be tried too: slow */
    int64_t dual_work; /* that one look for duals may take; 0: no limit */
    bool refuted;      /* the last fleet was, but no cut can say so */
    bool too_hard;     /* some price could not be judged, as its knapsack was too hard */
} taskfit_cut_pool;

/* The rules of a problem as cuts need them; deployment and capacities' origin aside. */
const taskfit_cert_rules *taskfit_cut_rules(const taskfit_problem *problem, taskfit_arena *arena);
bool taskfit_cut_refutes(const taskfit_cut_pool *pool, const taskfit_cert_cut *cut, const int64_t *fleet);
/* Adds each resource's volume as a cut, in all and in each AZ. */
void taskfit_cut_volume(taskfit_cut_pool *pool);
/* Adds a cut, or else a leaf, that refutes fleet[n_offers]; one for each place of a deployment's next task. False: none was found. */
bool taskfit_cut_find(taskfit_cut_pool *pool, const int64_t *fleet);

#endif
