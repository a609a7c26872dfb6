#ifndef TASKFIT_SOLVE_GREEDY_H
#define TASKFIT_SOLVE_GREEDY_H

/* The greedy stage (taskfit_greedy_decide) for a caller that looks for the number of instances it needs. */

#include "solve/decision.h"

typedef struct taskfit_greedy_guide {
    int rule;        /* in: 0, or the rule a large fleet is left to; out: the one that left least */
    int64_t missing; /* out: about how many instances more the rest would need; 0 with a plan */
} taskfit_greedy_guide;

taskfit_answer taskfit_greedy_try(const taskfit_decision *decision, taskfit_greedy_guide *guide, taskfit_budget *budget,
                                  taskfit_arena *arena);

#endif
