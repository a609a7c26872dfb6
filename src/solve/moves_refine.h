#ifndef TASKFIT_SOLVE_MOVES_REFINE_H
#define TASKFIT_SOLVE_MOVES_REFINE_H

#include "solve/moves_deal.h"

/* Which tasks should stay when a coarse board's contents say how many of each profile do: lows_out[n_stands] of [n_profiles] of the
 * fine board, for the stands among the machines. First what the deal keeps; then, where that is fewer, other tasks of the
 * profile that stand there, as far as each service's replicas and AZs allow. Returns how many. */
int64_t taskfit_moves_refine(const taskfit_moves_board *coarse, const taskfit_moves_board *fine,
                             const taskfit_moves_machine *machines, size_t n_machines, const int64_t *dealt,
                             const int64_t **lows_out, taskfit_arena *arena);

#endif
