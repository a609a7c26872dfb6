#ifndef TASKFIT_SOLVE_ENUMERATE_H
#define TASKFIT_SOLVE_ENUMERATE_H

/*
 * All patterns of use. With integer prices, W what the tasks are worth and V the most that an instance can hold, a plan on
 * N instances leaves N V - W at most: so each of its instances is worth at least W - (N - 1) V. Where the fractional
 * cover is tight that leaves few patterns, and a search among them needs no pricing.
 * Only contents to which no task can be added are listed: tasks may be covered twice.
 */

#include "solve/branch.h"

/* For a residual of one block, after its master converged; its prices change. False: too many patterns. Else all,
 * price and at_least of the brancher are set. */
bool taskfit_enumerate(taskfit_brancher *brancher, taskfit_master *master);

#endif
