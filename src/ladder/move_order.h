#ifndef TASKFIT_LADDER_MOVE_ORDER_H
#define TASKFIT_LADDER_MOVE_ORDER_H

/*
 * From one placement to another, task by task: first stops, then moves (the new task starts, then the old one stops), then
 * starts. No step may put more on an instance than Amazon ECS allows; spread, headroom and caps are not asked.
 *
 * Places 0..n_places-1 are the instances that shall be there; behind them stand those that go. Tasks go straight to their places
 * if they can; else some wait on instances that go, or on a spare one that is there only meanwhile.
 */

#include "problem/plan_moves.h"
#include "problem/problem.h"

typedef struct taskfit_order_share { /* of one service on one place */
    size_t service;                  /* of the problem */
    size_t place;
    int64_t before, after; /* tasks; after is 0 on places that go */
} taskfit_order_share;

typedef struct taskfit_order_query {
    const taskfit_problem *problem;
    const size_t *offers; /* [n_places + n_leaving]; SIZE_MAX: one that goes and can take no task */
    size_t n_places, n_leaving;
    const taskfit_order_share *shares; /* ascending by service, then place; each pair once */
    size_t n_shares;
} taskfit_order_query;

#define TASKFIT_PLACE_NONE SIZE_MAX
#define TASKFIT_PLACE_SPARE (SIZE_MAX - 1)

typedef struct taskfit_order_step {
    taskfit_step_action action;
    size_t service;
    size_t from, to; /* places, NONE or SPARE */
} taskfit_order_step;

typedef enum taskfit_order_end {
    TASKFIT_ORDER_FOUND,
    TASKFIT_ORDER_OVERFULL, /* the first placement, without what stops, is more than ECS allows: see place, resource */
    TASKFIT_ORDER_LARGE,    /* too many moves between instances to look for an order */
    TASKFIT_ORDER_STUCK     /* none was found, not even with one spare instance */
} taskfit_order_end;

typedef struct taskfit_order {
    taskfit_order_end end;
    const taskfit_order_step *steps; /* FOUND */
    size_t n_steps;
    size_t n_waiting;      /* FOUND: tasks that do not go straight to their places */
    bool waiting_proved;   /* some must */
    size_t spare_offer;    /* of the instance that is there meanwhile; SIZE_MAX: none */
    size_t n_on_spare;     /* tasks that wait on that one */
    size_t place;          /* OVERFULL */
    size_t resource;       /* taskfit_resource */
    int64_t held, capacity;
} taskfit_order;

taskfit_order taskfit_move_order(const taskfit_order_query *query, taskfit_arena *arena);

#endif
