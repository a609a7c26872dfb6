#ifndef TASKFIT_LADDER_ORDER_STATE_H
#define TASKFIT_LADDER_ORDER_STATE_H

/* What stands where while an order of moves is looked for: for move_order.c. */

#include "ladder/move_order.h"

typedef struct taskfit_order_wait { /* tasks of one service that wait on an instance that goes, or the spare one */
    size_t service, place;
    int64_t count;
} taskfit_order_wait;

typedef struct taskfit_order_state {
    const taskfit_order_query *query;
    taskfit_arena *arena;
    const size_t *first_share; /* [n_services + 1] of the shares of each service */
    int64_t *surplus, *deficit; /* [n_shares] tasks that have yet to leave, or to come */
    size_t n_all;              /* places: the spare one is the last */
    int64_t *used;             /* [n_all][TASKFIT_RESOURCE_COUNT] */
    int64_t *to_come;          /* the same, by the deficits */
    int64_t *n_leaving_here;   /* [n_places] surplus tasks */
    int64_t *n_coming;         /* [n_places] deficit tasks */
    int64_t *n_delicate;       /* [n_places] those among them with host ports or conflicts */
    int64_t *port_taken;       /* [n_all][n_ports] tasks that have it */
    int64_t kept_surplus;      /* surplus tasks on places that stay */
    size_t spare;              /* offer; SIZE_MAX: none */
    taskfit_order_wait *waits; /* some may be over */
    size_t n_waits, waits_capacity;
    size_t n_waiting, n_on_spare; /* tasks that ever waited */
    taskfit_order_step *steps;
    size_t n_steps, capacity;
    int64_t work; /* looked at so far */
} taskfit_order_state;

taskfit_order_state *taskfit_order_state_new(const taskfit_order_query *query, size_t spare, taskfit_arena *arena);

bool taskfit_order_stays(const taskfit_order_state *state, size_t place);
/* Whether Amazon ECS would start a task of the service there now. Asked of a place that stays, the service may stand there. */
bool taskfit_order_fits(const taskfit_order_state *state, size_t service, size_t place);
/* Whether all that has yet to come there fits beside all that has yet to leave: then nothing can be spoiled by going there. */
bool taskfit_order_safe(const taskfit_order_state *state, size_t place);

/* From share `from` to share `to`, of one service; undo takes back the last one. */
void taskfit_order_move(taskfit_order_state *state, size_t from, size_t to);
void taskfit_order_undo(taskfit_order_state *state, size_t from, size_t to);
/* From a share to wait on a place that does not stay, and from there (an index of state->waits) to a share. */
void taskfit_order_wait_on(taskfit_order_state *state, size_t from, size_t place);
void taskfit_order_end_wait(taskfit_order_state *state, size_t wait, size_t to);
void taskfit_order_stop(taskfit_order_state *state, size_t from);
void taskfit_order_start(taskfit_order_state *state, size_t to);

#endif
