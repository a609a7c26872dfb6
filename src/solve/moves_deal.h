#ifndef TASKFIT_SOLVE_MOVES_DEAL_H
#define TASKFIT_SOLVE_MOVES_DEAL_H

/*
 * Contents by profile become contents by service, so that as many tasks as can be stay. Each profile on its own is a flow: services to
 * AZs, within the window of each, to instances, whose tasks are given. One more stays for each of the first before[s,j] tasks of
 * service s on instance j. Exact for the contents given; where profiles merge services that do not stand alike, fewer
 * tasks may stay than the sum of min(before[p], after[p]).
 */

#include "solve/moves_board.h"

typedef struct taskfit_moves_machine { /* an instance and its content */
    size_t offer;
    size_t stand;         /* of the board; SIZE_MAX: a new one */
    const int64_t *tasks; /* [n_profiles] */
} taskfit_moves_machine;

/* For contents that are valid for the board's decision. dealt[n_services][n_machines] are the tasks of each service. */
const int64_t *taskfit_moves_deal(const taskfit_moves_board *board, const taskfit_moves_machine *machines, size_t n_machines,
                                  taskfit_budget *budget, taskfit_arena *arena);
/* The fleet of such tasks, canonical. */
taskfit_fleet *taskfit_moves_fleet(const taskfit_moves_board *board, const taskfit_moves_machine *machines, size_t n_machines,
                                   const int64_t *dealt, taskfit_arena *arena);

#endif
