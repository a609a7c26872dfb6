#ifndef TASKFIT_SOLVE_LEVEL_H
#define TASKFIT_SOLVE_LEVEL_H

#include "solve/decision.h"

/* The goal `balance`: moves and swaps tasks of an answer (taskfit_contents_valid) so that the smallest free share of
 * memory over the instances grows, keeping every bound. A local search: better, not proved best. Gives the answer back
 * unchanged where memory binds nowhere or the fleet is too large for it. */
taskfit_answer taskfit_level(const taskfit_decision *decision, const taskfit_answer *answer, taskfit_budget *budget,
                             taskfit_arena *arena);

#endif
