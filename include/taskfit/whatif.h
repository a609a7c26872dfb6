#ifndef TASKFIT_WHATIF_H
#define TASKFIT_WHATIF_H

/*
 * What-if: the same deployment under other scenarios, other values, other files, side by side. The rules of taskfit.h
 * hold here too.
 *
 *     taskfit_compare(&options, &comparison, &err) -> taskfit_comparison_write
 */

#include "taskfit/taskfit.h"

#pragma GCC visibility push(default)

typedef struct taskfit_comparison taskfit_comparison;

typedef struct taskfit_whatif_file { /* a deployment */
    const char *name;
    const char *data;
    size_t len;
} taskfit_whatif_file;

typedef struct taskfit_compare_options {
    const taskfit_whatif_file *files;
    size_t n_files;               /* 1.. */
    const char *const *scenarios; /* names; none and no `vary` either: all of each file */
    size_t n_scenarios;
    const char *const *vary;     /* "PATH=a,b,c", "PATH=LOW..HIGH" (at most one), "type=a,b" */
    size_t n_vary;
    taskfit_parse_options parse; /* its `set` is applied behind the scenario and before `vary`; its scenario is not used.
                                    `load` may be called in several threads */
    taskfit_settings settings;   /* limits hold for each row; `stop` and `log` are called by one thread at a time */
    const taskfit_prices *prices; /* NULL: the built-in ones; must outlive the comparison */
    bool fargate;                /* what the same tasks cost on Fargate, too; also asked for by an item of `costs` */
    int64_t kpi_tolerance_permille; /* measured values that are worse by more are marked; default 50 */
    size_t n_workers;            /* threads; 0: as many as there are processors */
} taskfit_compare_options;

void taskfit_compare_options_init(taskfit_compare_options *options);

/* Solves a row for each combination of file, scenario and varied values. Without `vary` each file as it is stands
 * before its scenarios. A range gives a row for each number of instances: the values that need it, and the plan at the
 * largest of them (at the smallest, where larger values need fewer instances). */
taskfit_status taskfit_compare(const taskfit_compare_options *options, taskfit_comparison **comparison_out,
                               taskfit_error *err);
void taskfit_comparison_free(taskfit_comparison *comparison);

size_t taskfit_comparison_rows(const taskfit_comparison *comparison);
/* Rows that are there only to be compared with: a file as it is, though scenarios were asked for. */
bool taskfit_comparison_is_baseline(const taskfit_comparison *comparison, size_t row);
const char *taskfit_comparison_label(const taskfit_comparison *comparison, size_t row); /* "tuned", "type=r7g.2xlarge" */
taskfit_outcome taskfit_comparison_outcome(const taskfit_comparison *comparison, size_t row);
int64_t taskfit_comparison_instances(const taskfit_comparison *comparison, size_t row);           /* -1: no plan */
int64_t taskfit_comparison_usd_cents_per_month(const taskfit_comparison *comparison, size_t row); /* -1: no plan */

/* JSON and YAML: schema taskfit.compare/1. */
taskfit_status taskfit_comparison_write(const taskfit_comparison *comparison, taskfit_plan_style style, bool color,
                                        taskfit_write_fn *write, void *sink, taskfit_error *err);

/* ---- goal seek ---- */

typedef struct taskfit_reach taskfit_reach;

typedef struct taskfit_reach_options {
    taskfit_whatif_file file;
    int64_t instances; /* how many there may be, in all; 1.. */
    bool pairs;        /* two levers at once, too */
    const char *const *services; /* globs: whose desired counts may be cut; none: no such lever */
    size_t n_services;
    taskfit_parse_options parse; /* as for taskfit_compare */
    taskfit_settings settings;
    size_t n_workers;
} taskfit_reach_options;

void taskfit_reach_options_init(taskfit_reach_options *options);

/* For each lever the smallest change with which the deployment fits on that many instances, found with a plan, and with
 * the proof that less does not do; or how far the lever goes. */
taskfit_status taskfit_reach_new(const taskfit_reach_options *options, taskfit_reach **reach_out, taskfit_error *err);
void taskfit_reach_free(taskfit_reach *reach);
/* OPTIMAL: some lever gets there; INFEASIBLE: none, proved; UNKNOWN: none found. */
taskfit_outcome taskfit_reach_outcome(const taskfit_reach *reach);
/* JSON and YAML: schema taskfit.reach/1. */
taskfit_status taskfit_reach_write(const taskfit_reach *reach, taskfit_plan_style style, bool color, taskfit_write_fn *write,
                                   void *sink, taskfit_error *err);

/* ---- differences ---- */

/* What differs between two plans and their deployments: instances, money, limits, and tasks that move when old instances
 * become new ones as far as they can. JSON and YAML: schema taskfit.diff/1. differs_out: whether anything does. */
taskfit_status taskfit_plan_diff_write(const taskfit_plan *old_plan, const taskfit_plan *new_plan, taskfit_plan_style style,
                                       bool color, taskfit_write_fn *write, void *sink, bool *differs_out, taskfit_error *err);

/* The deployment after includes, defaults, sidecars and edits, as a file that says the same without them. */
taskfit_status taskfit_deployment_write(const taskfit_deployment *deployment, taskfit_format format,
                                        taskfit_write_fn *write, void *sink, taskfit_error *err);

#pragma GCC visibility pop

#endif
