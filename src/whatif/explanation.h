#ifndef TASKFIT_WHATIF_EXPLANATION_H
#define TASKFIT_WHATIF_EXPLANATION_H

/* What an explanation holds, for the report of it (taskfit/explain.h makes it). */

#include "problem/plan.h"
#include "simulate/events.h"
#include "taskfit/explain.h"
#include "whatif/trial.h"

typedef enum taskfit_subject { TASKFIT_SUBJECT_PLAN, TASKFIT_SUBJECT_SERVICE, TASKFIT_SUBJECT_INSTANCE } taskfit_subject;

typedef struct taskfit_rung_cause { /* of a row of the plan's ladder */
    const char *resource;           /* what binds there; NULL: it costs no more than the rung below, or is not known */
    const char *note;
} taskfit_rung_cause;

struct taskfit_explanation {
    taskfit_arena *arena; /* the explanation itself lies in it */
    const taskfit_plan *plan;
    taskfit_subject subject;
    size_t index; /* of the service or machine */
    const char *const *ids;             /* [n_machines] */
    const taskfit_machine_use *use;     /* [n_machines] */
    taskfit_cluster *cluster;           /* holds the plan's tasks */
    /* PLAN */
    const taskfit_rung_cause *causes;   /* [plan->n_ladder] */
    taskfit_scaling growth[2];          /* desired counts, memory: the largest factor on this fleet */
    /* SERVICE */
    const taskfit_obstacle *obstacles;  /* [n_machines] what keeps one more task of it off */
    const int64_t *more_on;             /* [n_machines] more tasks of it that fit there alone */
    int64_t n_more;                     /* more tasks of it that ECS would place, one after the other */
    /* INSTANCE */
    const int64_t *more_of;             /* [n_services] more tasks of each that fit there alone */
    const size_t *largest_first;        /* [n_services] by the size of their tasks */
    const taskfit_event *loss;          /* lose it */
};

#endif
