#ifndef TASKFIT_WHATIF_CUT_H
#define TASKFIT_WHATIF_CUT_H

/*
 * Levers of `reach`: what may be cut, each with one figure that falls from `high` (as it is) to `low` (all that can be
 * cut). The smaller the figure, the fewer instances are needed.
 */

#include "deployment/deployment.h"

typedef enum taskfit_cut_kind {
    TASKFIT_CUT_SIDECARS, /* no sidecar reserves more than the figure, MiB */
    TASKFIT_CUT_MODULES,  /* soft limits of (chosen) main containers times permille */
    TASKFIT_CUT_CPU,      /* CPU units of all containers times permille */
    TASKFIT_CUT_RULE,     /* 1: it holds, 0: it is given up */
    TASKFIT_CUT_COUNTS    /* chosen services have no more tasks than the figure */
} taskfit_cut_kind;

typedef enum taskfit_cut_rule {
    TASKFIT_RULE_SPREAD,
    TASKFIT_RULE_ROLLING,
    TASKFIT_RULE_SURVIVE,
    TASKFIT_RULE_HEADROOM,
    TASKFIT_RULE_HARD,
    TASKFIT_RULE_EXPECTED_CPU,
    TASKFIT_RULE_EXPECTED_MEMORY,
    TASKFIT_RULE_ANTI_AFFINITY,
    TASKFIT_RULE_COUNT
} taskfit_cut_rule;

typedef struct taskfit_cut {
    taskfit_cut_kind kind;
    int64_t low, high;  /* low < high */
    taskfit_cut_rule rule;
    const bool *chosen; /* [n_services]; NULL: all */
    size_t n_chosen;    /* 0: all */
    const char *text;   /* globs of COUNTS */
} taskfit_cut;

/* The levers that this deployment has, in the order they are shown: of the k largest modules those with k = 1..10. */
enum { TASKFIT_CUT_LARGEST_MAX = 10, TASKFIT_CUTS_MAX = 16 + TASKFIT_CUT_LARGEST_MAX + TASKFIT_RULE_COUNT };
size_t taskfit_cuts_of(const taskfit_deployment *deployment, const char *const *globs, size_t n_globs, taskfit_arena *arena,
                       taskfit_cut *cuts);

/* A copy, in an arena, of a deployment (which must outlive it) to be cut. */
typedef struct taskfit_draft {
    taskfit_deployment *deployment;
    taskfit_service *services;
    taskfit_container **containers; /* by service */
} taskfit_draft;
taskfit_draft taskfit_draft_of(const taskfit_deployment *deployment, taskfit_arena *arena);
void taskfit_cut_apply(const taskfit_cut *cut, int64_t value, taskfit_draft *draft);

/* "sidecar.memoryReservation", "memoryReservation of the 3 largest", "policy.spread", for people and documents. */
const char *taskfit_cut_name(const taskfit_cut *cut, taskfit_arena *arena);
/* "896 -> 317", "x 0.783". */
const char *taskfit_cut_change(const taskfit_cut *cut, int64_t value, taskfit_arena *arena);

/* What a container reserves. */
int64_t taskfit_soft_limit(const taskfit_container *container);

#endif
