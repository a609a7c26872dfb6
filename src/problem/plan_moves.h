#ifndef TASKFIT_PROBLEM_PLAN_MOVES_H
#define TASKFIT_PROBLEM_PLAN_MOVES_H

/*
 * What of a given plan stays in this one, and how to come from there to here: the document's `moves` and `movesFront`.
 *
 * An instance of the given plan stands as it is (group, type, AZ) or goes; any other is new and empty. Instances of the
 * given plan are named by its ids, those of this plan by this plan's: one that stays has both.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "input/node.h"
#include "taskfit/taskfit.h"

typedef enum taskfit_step_action { TASKFIT_STEP_STOP, TASKFIT_STEP_MOVE, TASKFIT_STEP_START } taskfit_step_action;

/* One task. A move starts it at its target first, then stops it at its source. */
typedef struct taskfit_plan_step {
    taskfit_step_action action;
    const char *service;
    const char *from; /* id of the given plan, or "spare"; NULL for a start */
    const char *to;   /* id of this plan, of an instance that goes, or "spare"; NULL for a stop */
} taskfit_plan_step;

#define TASKFIT_SPARE_ID "spare"

/* An instance on which tasks wait while others move: one that goes, or is there only meanwhile. */
typedef struct taskfit_plan_spare {
    const char *id; /* in the given plan; NULL: of none */
    const char *group, *type, *az;
    const char *message; /* NULL for one that goes */
} taskfit_plan_spare;

typedef struct taskfit_plan_moves {
    const char *file, *sha256;     /* of the given plan; NULL: it was not read from a file */
    int64_t n_given;               /* its instances */
    int64_t tasks;                 /* that move */
    int64_t of;                    /* that could stay: of each service as many as there were and shall be */
    int64_t kept, starts, stops;   /* kept + tasks = of */
    const char *const *was;        /* [fleet->n_machines] id in the given plan; NULL: new */
    const char *const *removed;    /* ids of the given plan */
    size_t n_removed;
    const taskfit_plan_step *steps; /* stops, then moves, then starts */
    size_t n_steps;
    const char *no_order;             /* why there are no steps; NULL: there are, or none is needed */
    const taskfit_plan_spare *waiting; /* those that go and tasks wait on, in the group that they are of in this deployment */
    size_t n_waiting;
    const taskfit_plan_spare *spare;  /* NULL: none is needed */
} taskfit_plan_moves;

/* The fewest moves on so many instances, and their price. */
typedef struct taskfit_plan_front_row {
    int64_t instances;
    int64_t tasks, bound; /* moves; -1: no plan, no bound */
    taskfit_proof proof;
    int64_t cost_usd_micros; /* -1: no plan */
} taskfit_plan_front_row;

struct taskfit_plan;

const char *taskfit_step_action_name(taskfit_step_action action); /* "stop", "move", "start" */

/* The two parts of the document; `ids` are the plan's [fleet->n_machines]. */
taskfit_node *taskfit_plan_moves_node(const struct taskfit_plan *plan, const char *const *ids, taskfit_arena *arena);
taskfit_node *taskfit_plan_front_node(const struct taskfit_plan *plan, taskfit_arena *arena);

#endif
