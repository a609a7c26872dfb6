#ifndef TASKFIT_SOLVE_GENERATE_H
#define TASKFIT_SOLVE_GENERATE_H

/*
 * Column generation: solve the master, price patterns, add those worth more than the master pays, again - until the
 * fractional cover is within the fleet, or a proof in integers says that none is.
 *
 * The proof (Farley's bound, made exact). For any integer prices >= 0 the tasks are together worth at least W and the
 * content of an instance of kind k at most V[k], both computed in integers; so W > sum_k count[k] V[k] refutes the
 * decision. Pricing delivers V, be it optimal or an upper bound, so every round is a chance, and no floating
 * point number takes part.
 */

#include "solve/master.h"

typedef enum taskfit_generated {
    TASKFIT_GENERATED_FITS,    /* fractionally */
    TASKFIT_GENERATED_REFUTED, /* proved in integers, as a rule by the prices that the master has now */
    TASKFIT_GENERATED_OVER,    /* the master says no, but only in floating point */
    TASKFIT_GENERATED_STOPPED  /* out of budget, or GLPK gave up */
} taskfit_generated;

typedef struct taskfit_generator {
    const taskfit_columns *all; /* all patterns of use, to choose from instead of pricing; NULL: not known */
    bool converge;   /* go on after FITS until pricing finds nothing: better columns to dive with */
    bool converge_if_tight; /* the same where little room is left, by quick pricing */
    bool whole_bound; /* go on after REFUTED while instance_bound may still grow */
    const taskfit_column *taboo; /* columns not to be used */
    size_t n_taboo;
    /* results */
    int64_t instance_bound; /* fewer instances cannot do, were they all of the one block; 0: says nothing */
} taskfit_generator;

taskfit_generated taskfit_generate(taskfit_generator *generator, taskfit_master *master, taskfit_budget *budget);
/* Columns to begin with: for each profile and block a content around as much of it as fits. */
void taskfit_generate_start(taskfit_master *master);

#endif
