#ifndef TASKFIT_PROBLEM_VERIFY_GIVEN_H
#define TASKFIT_PROBLEM_VERIFY_GIVEN_H

/* `moves` of a document, read for the judge: places, services by name, steps, and who holds what. For verify_moves.c. */

#include "problem/plan_moves.h"
#include "problem/verify.h"

#define TASKFIT_GIVEN_NOWHERE SIZE_MAX

typedef struct taskfit_given_place { /* the plan's instances, those that go, the spare one */
    const char *id;  /* in this plan; NULL: it goes */
    const char *was; /* in the given plan; NULL: new */
    const taskfit_instance_capacity *capacity; /* NULL: it takes no task, or could not be found */
    size_t group, type, az;                    /* with a capacity */
    int64_t held[TASKFIT_RESOURCE_COUNT];
    size_t first_cell, end_cell;
} taskfit_given_place;

typedef struct taskfit_given_cell { /* tasks of one service on one place */
    size_t place, service;
    int64_t before, now, after;
} taskfit_given_cell;

typedef struct taskfit_given_step {
    taskfit_step_action action;
    size_t service, from, to; /* places, or NOWHERE */
} taskfit_given_step;

typedef struct taskfit_given_name {
    const char *name;
    size_t index;
} taskfit_given_name;

typedef struct taskfit_given_moves {
    taskfit_judge *judge;
    const taskfit_node *document;
    int64_t n_given, tasks, of, kept, starts, stops;
    taskfit_given_place *places; /* the plan's n_machines first, the spare one last */
    size_t n_places, spare;      /* spare: its index */
    taskfit_given_name *given_ids, *own_ids; /* sorted: [n_given_ids] was and removed, [n_machines] */
    size_t n_given_ids;
    taskfit_given_name *known; /* [n_services] sorted: services by name, those of the deployment and others */
    const char **services;     /* [n_services] those of the deployment first */
    size_t n_services;
    taskfit_given_step *steps;
    size_t n_steps;
    bool ordered; /* there are steps, or none is needed */
    taskfit_given_cell *cells; /* ascending by place, then service */
    size_t n_cells, cells_capacity;
    taskfit_judged_room *room;
    bool sound; /* the steps lead back to a placement */
} taskfit_given_moves;

/* `given` (or NULL) is a document whose placement is to be compared. False, and told, when something cannot be read. */
bool taskfit_given_read(taskfit_given_moves *moves, const taskfit_node *document, const taskfit_node *given);
/* Holds it against the given plan itself: who is who, and who held what. Sets `before` of the cells where there are no steps.
 * False: that could not be done. */
bool taskfit_given_compare(taskfit_given_moves *moves, const taskfit_node *given, const char *sha256);

/* The cell, which is there. */
taskfit_given_cell *taskfit_given_find(const taskfit_given_moves *moves, size_t place, size_t service);
/* Its name where it is come to, or gone from. */
const char *taskfit_given_id(const taskfit_given_moves *moves, size_t place, bool target);

#endif
