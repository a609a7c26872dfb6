#ifndef TASKFIT_REPORT_SIMULATION_REPORT_H
#define TASKFIT_REPORT_SIMULATION_REPORT_H

/* Pieces of reports on simulations that other reports use too. */

#include "input/node.h"
#include "simulate/place.h"
#include "simulate/simulation.h"

/* "random", "largest-first", "smallest-first", "file". */
const char *taskfit_order_kind_name(taskfit_order_kind kind);
/* {obstacle, closestInstance, need, room, message}. */
taskfit_node *taskfit_misfit_tree(const taskfit_misfit *misfit, const char *id, const char *text, taskfit_arena *arena);

#endif
