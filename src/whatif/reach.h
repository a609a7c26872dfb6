#ifndef TASKFIT_WHATIF_REACH_H
#define TASKFIT_WHATIF_REACH_H

/* Levers pulled until the deployment fits on so many instances. */

#include "whatif/comparison.h"
#include "whatif/cut.h"

typedef struct taskfit_reach_risk { /* after the cut; containers that were fine before it */
    int64_t n_observed_above; /* whose observed memory is above what they now reserve */
    int64_t n_jvm_above;      /* whose heap and metaspace are */
    const char *worst;        /* the container furthest above; NULL: none */
} taskfit_reach_risk;

typedef struct taskfit_reach_row {
    const char *lever;   /* "sidecar.memoryReservation", "A and B" */
    const char *change;  /* "896 -> 317 MiB" */
    const char *applies; /* names of services, when it is about some; NULL: all */
    int64_t value;       /* of the lever; -1: it is no figure */
    bool reaches;        /* the goal; false: this is as far as it goes, or it changes nothing */
    bool helps;          /* fewer instances than without it */
    bool proved;         /* that a smaller change does not do as much; of a lever that does not reach: that it does not */
    taskfit_outcome outcome;
    int64_t instances;   /* -1: none */
    taskfit_row_figures figures;
    taskfit_reach_risk risk;
} taskfit_reach_row;

struct taskfit_reach {
    taskfit_arena *arena; /* the object itself lies in it */
    taskfit_deployment *deployment;
    taskfit_plan *plan;   /* as it is */
    int64_t target;
    bool already;         /* it fits as it is: no rows */
    taskfit_reach_row *rows;
    size_t n_rows;
    taskfit_arena **arenas; /* of the rows, [n_arenas] */
    size_t n_arenas;
};

#endif
