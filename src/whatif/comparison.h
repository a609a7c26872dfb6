#ifndef TASKFIT_WHATIF_COMPARISON_H
#define TASKFIT_WHATIF_COMPARISON_H

/*
 * Rows of a what-if: which edits made them, their plans, and the figures that are compared. The comparison owns all
 * of it.
 */

#include "problem/plan.h"
#include "taskfit/whatif.h"
#include "whatif/money.h"
#include "whatif/vary.h"

/* What a row is compared by, from its plan; sums over the fleet. Without a plan all are -1 or NULL. */
typedef struct taskfit_row_figures {
    int64_t usd_micros;        /* EC2, per hour */
    int64_t ec2_usd_cents;     /* the same per month */
    int64_t usd_cents;         /* per month, with the items of `costs` */
    int64_t registered_mib, reserved_mib, hard_mib; /* daemons included */
    int64_t cpu_units, reserved_cpu_units;
    int64_t expected_cpu_units; /* -1 also when something is not observed */
    const char *fleet;         /* "r7g.2xlarge", "6 r6a.large, 1 r6a.xlarge" */
} taskfit_row_figures;

typedef struct taskfit_row {
    size_t file;          /* index into comparison->files */
    const char *scenario; /* NULL: as it is */
    bool baseline;
    const char *const *values; /* [n_vary] as shown; "256..317" for part of a range */
    size_t range;              /* index into comparison->ranges; SIZE_MAX: none */
    int64_t low, high;         /* of a range: the values this row stands for */
    taskfit_deployment *deployment;
    taskfit_plan *plan;
    taskfit_row_figures figures;
    taskfit_item_costs costs; /* without a plan: none */
} taskfit_row;

typedef struct taskfit_fargate_row { /* the tasks of a row on Fargate */
    size_t row;
    taskfit_architecture architecture;
    int64_t usd_micros; /* per hour */
    int64_t usd_cents;  /* per month, with the items of `costs` that do not go with instances */
} taskfit_fargate_row;

typedef struct taskfit_range { /* one range searched, for one combination of everything else */
    bool certain;  /* the path says that the count can only go one way */
    bool monotone; /* ... or all values solved say so */
    taskfit_trend trend; /* the way it goes; UNKNOWN: it does not change, or both ways */
    bool proved;   /* every plan next to a change is */
    size_t n_solved;
} taskfit_range;

struct taskfit_kpis;

struct taskfit_comparison {
    taskfit_arena *arena; /* the comparison itself lies in it */
    const char *const *files;
    size_t n_files;
    const taskfit_vary *vary;
    size_t n_vary;
    taskfit_row *rows;
    size_t n_rows;
    taskfit_range *ranges;
    size_t n_ranges;
    taskfit_fargate_row *fargate;
    size_t n_fargate;
    struct taskfit_kpis *kpis; /* whatif/kpi.h; NULL: none are given */
    int64_t kpi_tolerance_permille;
};

/* ---- figures.c ---- */

taskfit_row_figures taskfit_row_figures_of(const taskfit_plan *plan, taskfit_arena *arena);

#endif
