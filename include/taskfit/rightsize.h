#ifndef TASKFIT_RIGHTSIZE_H
#define TASKFIT_RIGHTSIZE_H

/*
 * Limits from measured use: reads what monitoring exports and proposes CPU units, soft and hard limits for each container, never
 * below what was observed plus a margin, nor below what its JVM needs. The rules of taskfit.h hold here too.
 *
 *     taskfit_rightsize -> edits for taskfit_parse_options.set -> taskfit_rightsizing_write
 */

#include "taskfit/taskfit.h"

#pragma GCC visibility push(default)

typedef struct taskfit_rightsizing taskfit_rightsizing;

typedef struct taskfit_metrics_file {
    const char *name; /* for messages */
    const char *data;
    size_t len;
} taskfit_metrics_file;

typedef struct taskfit_rightsize_options {
    int64_t cpu_percentile;    /* 1..100; default 95: of the samples, nearest rank */
    int64_t memory_percentile; /* 1..100; default 99 */
    int64_t margin_percent;    /* 0..1000; default 15 */
    int64_t min_samples;       /* services with fewer are left alone; default 5. A row of a table of percent is enough */
} taskfit_rightsize_options;

void taskfit_rightsize_options_init(taskfit_rightsize_options *options);

/* Formats are recognized: JSON of `aws cloudwatch get-metric-data`, CSV of Container Insights (CpuUtilized, MemoryUtilized), lines of
 * `docker stats`, tables of CPU and memory percent for each service. The deployment must outlive the rightsizing. */
taskfit_status taskfit_rightsize(const taskfit_deployment *deployment, const taskfit_metrics_file *files, size_t n_files,
                                 const taskfit_rightsize_options *options, taskfit_rightsizing **rightsizing_out, taskfit_error *err);
void taskfit_rightsizing_free(taskfit_rightsizing *rightsizing);
/* The proposals as edits, "PATH=VALUE", observed use among them. */
const char *const *taskfit_rightsizing_edits(const taskfit_rightsizing *rightsizing, size_t *n_out);

/* before, after: plans of the deployment without and with the edits; either may be NULL, then no fleets are compared.
 * JSON and YAML: schema taskfit.rightsize/1. */
taskfit_status taskfit_rightsizing_write(const taskfit_rightsizing *rightsizing, const taskfit_plan *before, const taskfit_plan *after,
                                         taskfit_plan_style style, bool color, taskfit_write_fn *write, void *sink, taskfit_error *err);

#pragma GCC visibility pop

#endif
