#ifndef TASKFIT_SIMULATE_EVENTS_H
#define TASKFIT_SIMULATE_EVENTS_H

/*
 * What happens to a running cluster, one event after the other, each from where the one before left it: losses,
 * deployments, scaling, draining, new instances. After each, ECS tries again to place what is still missing.
 * Texts are those of the options: "lose main-3", "lose us-east-1a", "lose instance", "lose availabilityZone",
 * "deploy web", "deploy all" (side by side), "deploy each" (one after the other from the same state), "scale web=4",
 * "drain main-3", "grow main=9".
 */

#include "simulate/deploy.h"
#include "simulate/launch.h"

typedef enum taskfit_event_kind {
    TASKFIT_EVENT_LOSE,
    TASKFIT_EVENT_DEPLOY,
    TASKFIT_EVENT_SCALE,
    TASKFIT_EVENT_DRAIN,
    TASKFIT_EVENT_GROW
} taskfit_event_kind;

typedef struct taskfit_missing { /* tasks of a service that find no place */
    size_t service;
    int64_t tasks;
    taskfit_misfit misfit;
    const char *id;   /* of the misfit's machine; NULL: none */
    const char *text; /* of the misfit */
} taskfit_missing;

typedef struct taskfit_renewed { /* a renewal and its story */
    taskfit_renewal renewal;
    const char *text; /* where it is stuck: why; else NULL */
} taskfit_renewed;

typedef struct taskfit_event {
    const char *text;
    taskfit_event_kind kind;
    const char *subject; /* what was lost: the worst of those tried; else the text's own */
    int64_t n_tasks;     /* that had to find a place */
    int64_t n_machines;  /* grow: added */
    /* lose: what could be lost (instances or AZs), those whose loss every order survives, re-placements tried and those
     * that place every task */
    int64_t n_victims, n_victims_survived, n_tries, n_tries_survived;
    const taskfit_renewed *renewed; /* deploy, drain: each service */
    size_t n_renewed, n_stuck;
    const taskfit_missing *missing; /* when it is over */
    size_t n_missing;
    int64_t n_missing_tasks;
} taskfit_event;

/* From the tasks that stand on the cluster. Arrays live in the arena. E_ARGUMENT names the event that does not fit. */
taskfit_status taskfit_events_run(taskfit_cluster *cluster, const taskfit_simulate_options *options, taskfit_arena *arena,
                                  const taskfit_event **events_out, taskfit_error *err) TASKFIT_MUST_USE;

#endif
