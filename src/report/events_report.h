#ifndef TASKFIT_REPORT_EVENTS_REPORT_H
#define TASKFIT_REPORT_EVENTS_REPORT_H

/* The events of a simulation: for people, as part of its document, as CSV. */

#include "input/node.h"
#include "report/plan_report.h"
#include "simulate/simulation.h"

void taskfit_report_events(const taskfit_report *report, const taskfit_simulation *simulation);
taskfit_node *taskfit_events_tree(const taskfit_simulation *simulation, taskfit_arena *arena);
/* A row for each service that is short of tasks or whose renewal is stuck, or one without a service. */
void taskfit_events_write_csv(const taskfit_simulation *simulation, taskfit_strbuf *out);

#endif
