#ifndef TASKFIT_SOLVE_EXPAND_H
#define TASKFIT_SOLVE_EXPAND_H

#include "problem/fleet.h"
#include "solve/decision.h"

/* Turns a valid answer (taskfit_contents_valid) into machines with services, canonical. Never fails: README.md
 * says why the rules of a profile's services can always be kept. */
taskfit_fleet *taskfit_expand(const taskfit_decision *decision, const taskfit_content *contents, size_t n_contents,
                              taskfit_arena *arena);

#endif
