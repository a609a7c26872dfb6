#ifndef TASKFIT_SIMULATE_EVENT_STATE_H
#define TASKFIT_SIMULATE_EVENT_STATE_H

/* What the files of the events share. */

#include "simulate/events.h"
#include "simulate/orders.h"

typedef struct taskfit_event_state {
    taskfit_arena *arena;
    const taskfit_deployment *deployment;
    const taskfit_simulate_options *options;
    taskfit_fleet *fleet; /* grows */
    const char *const *ids;
    taskfit_cluster *cluster;
    taskfit_launcher *launcher; /* for orders only */
    int64_t *desired;           /* [n_services] */
    size_t *scratch;            /* [n_machines] */
    size_t *order;              /* [n_services] */
    taskfit_rand dice;          /* for ties */
} taskfit_event_state;

/* Takes down what `event->text` names behind "lose ", and places its tasks anew. */
taskfit_status taskfit_event_lose(taskfit_event_state *state, const char *name, taskfit_event *event, taskfit_error *err);

typedef struct taskfit_standing { /* one task */
    size_t service, machine;
} taskfit_standing;

/* Places what is missing, service by service in that order; returns how many tasks found a place. `placed_out`, or NULL,
 * lists them: room for all that is missing. */
size_t taskfit_event_settle(taskfit_event_state *state, const size_t *order, taskfit_rand *dice, taskfit_standing *placed_out);
int64_t taskfit_event_missing(const taskfit_event_state *state); /* tasks */

#endif
