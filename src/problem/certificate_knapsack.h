#ifndef TASKFIT_PROBLEM_CERTIFICATE_KNAPSACK_H
#define TASKFIT_PROBLEM_CERTIFICATE_KNAPSACK_H

/* What the content of one instance is worth at most: the checker's knapsack. */

#include "problem/certificate.h"

typedef struct taskfit_cert_item { /* tasks that are alike; no padding, so that items compare as bytes */
    int64_t worth;
    int64_t count;
    int64_t demand[TASKFIT_RESOURCE_COUNT];
    size_t service;     /* of the rules; the first of those that are alike */
    size_t n_conflicts; /* its service's; items with conflicts are of one service */
    size_t set;         /* of a tree; SIZE_MAX: none */
} taskfit_cert_item;

typedef struct taskfit_cert_sack {
    const taskfit_cert_rules *rules;
    taskfit_cert_item *items;
    size_t n_items;
    int64_t room[TASKFIT_RESOURCE_COUNT];
    bool binds[TASKFIT_RESOURCE_COUNT]; /* all items together need more than the room */
    int64_t base;    /* worth of what must stand there */
    bool impossible; /* that alone does not fit */
} taskfit_cert_sack;

/* The most, or something no less: EXACT the most itself, CHECK `claimed` unless there is more, ROUGH a bound. False: too hard. Sacks
 * asked before are remembered. */
bool taskfit_cert_sack_most(taskfit_cert_sacks *sacks, const taskfit_cert_sack *sack, taskfit_cert_effort effort, int64_t claimed,
                            int64_t *most_out);

#endif
