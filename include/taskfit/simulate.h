#ifndef TASKFIT_SIMULATE_H
#define TASKFIT_SIMULATE_H

/*
 * What Amazon ECS makes of a plan: it places greedily, service by service, so a fleet that can hold everything may
 * still be filled in a way that leaves tasks out. The rules of taskfit.h hold here too.
 *
 *     taskfit_simulate(plan, &options, &simulation, &err) -> taskfit_simulation_write
 */

#include "taskfit/taskfit.h"

#pragma GCC visibility push(default)

typedef struct taskfit_simulation taskfit_simulation;

/* The order in which services start. */
typedef enum taskfit_order_kind {
    TASKFIT_ORDER_RANDOM,
    TASKFIT_ORDER_LARGEST_FIRST, /* by memory, then CPU, then file order */
    TASKFIT_ORDER_SMALLEST_FIRST,
    TASKFIT_ORDER_FILE
} taskfit_order_kind;

/* Which of the instances that ECS finds equally good it takes: it does not say. */
typedef enum taskfit_ties {
    TASKFIT_TIES_RANDOM,
    TASKFIT_TIES_FIRST /* the first in the fleet's order */
} taskfit_ties;

typedef struct taskfit_simulate_options {
    taskfit_order_kind order;
    taskfit_ties ties;
    int64_t n_orders; /* launches to try, 1..; default 1000. One is enough, and made, where nothing is random */
    uint64_t seed;    /* launch k has seed + k, so that one launch can be repeated alone; default 1 */
    const char *instances; /* "8", "main=6,heavy=2": another number of instances than the plan's; NULL: the plan's */
    const char *const *order_list; /* names of services that start first, in this order, the others behind them in
                                      `order`; NULL: none */
    size_t n_order_list;
    const char *const *events; /* "lose main-3", "deploy all" ... (taskfit help simulate): what happens, in order, to the
                                  plan's own placement, or with `instances` to that of the first launch; then only this
                                  is simulated */
    size_t n_events;
    bool (*stop)(void *arg); /* asked now and then; true: end with what was tried so far. NULL: never */
    void *stop_arg;
} taskfit_simulate_options;

void taskfit_simulate_options_init(taskfit_simulate_options *options);

/* Launches the plan's services on its instances, empty at first, or lets events happen. E_INPUT when the plan breaks rules of its own, or has no
 * instances; E_ARGUMENT for options that do not fit it. The plan must outlive the simulation. */
taskfit_status taskfit_simulate(const taskfit_plan *plan, const taskfit_simulate_options *options,
                                taskfit_simulation **simulation_out, taskfit_error *err);
void taskfit_simulation_free(taskfit_simulation *simulation);
int64_t taskfit_simulation_orders(const taskfit_simulation *simulation);     /* launches tried; 0 with events */
int64_t taskfit_simulation_placed_all(const taskfit_simulation *simulation); /* those that left no task out */

/* JSON and YAML: schema taskfit.simulation/1. CSV: a row for each service. */
taskfit_status taskfit_simulation_write(const taskfit_simulation *simulation, taskfit_plan_style style, bool color,
                                        taskfit_write_fn *write, void *sink, taskfit_error *err);

/* Called for each item of a list file. */
typedef void taskfit_item_text_fn(void *arg, const char *text);
/* Reads names from a list in YAML or JSON, or from the order of the worst launch in a simulation's own output. */
taskfit_status taskfit_order_list_read(const char *file, const char *data, size_t len, taskfit_item_text_fn *item, void *arg,
                                       taskfit_error *err);

/* Reads events from a list in YAML or JSON: texts, or maps such as {lose: main-3} and {scale: {web: 4}}. */
taskfit_status taskfit_event_list_read(const char *file, const char *data, size_t len, taskfit_item_text_fn *item, void *arg,
                                       taskfit_error *err);

#pragma GCC visibility pop

#endif
