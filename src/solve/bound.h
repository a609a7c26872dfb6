#ifndef TASKFIT_SOLVE_BOUND_H
#define TASKFIT_SOLVE_BOUND_H

/*
 * Why a fleet cannot hold the tasks, in integers: what bound.c found, for notes to people.
 */

#include "solve/decision.h"

typedef enum taskfit_shortage_type {
    TASKFIT_SHORTAGE_NONE,    /* the bounds do not refute the fleet */
    TASKFIT_SHORTAGE_VOLUME,  /* some instances have less of a dimension than what must stand there */
    TASKFIT_SHORTAGE_PLACES,  /* the tasks of a profile have fewer places than tasks, or a window is empty */
    TASKFIT_SHORTAGE_CLIQUE   /* services that exclude each other need more instances */
} taskfit_shortage_type;

typedef struct taskfit_shortage {
    taskfit_shortage_type type;
    size_t dim;         /* VOLUME */
    size_t profile;     /* PLACES; SIZE_MAX: of several */
    int64_t n_instances; /* VOLUME: how many instances are meant */
    size_t zone;        /* VOLUME: they are those of this zone alone; SIZE_MAX: of several, or not all of one */
    size_t kind;        /* VOLUME: one of their kinds */
    bool whole_fleet;   /* VOLUME: they are all there are; false: an AZ's or those some profile may stand on */
    int64_t need, room; /* VOLUME: in units of the dimension; PLACES: tasks; CLIQUE: instances */
} taskfit_shortage;

taskfit_shortage taskfit_bound_shortage(const taskfit_decision *decision);

#endif
