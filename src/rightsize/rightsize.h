#ifndef TASKFIT_RIGHTSIZE_RIGHTSIZE_H
#define TASKFIT_RIGHTSIZE_RIGHTSIZE_H

/* Proposals from samples, for this folder and reports. */

#include "rightsize/metrics.h"
#include "taskfit/rightsize.h"

typedef enum taskfit_limit { TASKFIT_LIMIT_CPU, TASKFIT_LIMIT_SOFT, TASKFIT_LIMIT_HARD, TASKFIT_LIMITS } taskfit_limit;

typedef struct taskfit_proposal { /* of one container; -1: not given, or not measured */
    const taskfit_service *service;
    const taskfit_container *container;
    size_t n_samples;
    int64_t observed_cpu_units, observed_memory_mib, peak_memory_mib;
    int64_t current[TASKFIT_LIMITS], proposed[TASKFIT_LIMITS]; /* CPU units, MiB */
    const char *reasons[TASKFIT_LIMITS];                       /* NULL: no proposal */
} taskfit_proposal;

typedef struct taskfit_left_alone {
    const char *service, *reason;
} taskfit_left_alone;

struct taskfit_rightsizing {
    taskfit_arena *arena;
    const taskfit_deployment *deployment;
    taskfit_rightsize_options options;
    const taskfit_metrics *metrics;
    taskfit_proposal *proposals;
    size_t n_proposals, proposals_capacity;
    taskfit_left_alone *left_alone;
    size_t n_left_alone, left_alone_capacity;
    size_t n_unmeasured; /* services without any sample */
    const char **edits;
    size_t n_edits, edits_capacity;
};

const char *taskfit_rightsize_limit_name(taskfit_limit limit); /* "cpu", "memoryReservation", "memory" */

#endif
