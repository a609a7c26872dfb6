#ifndef TASKFIT_TASKFIT_H
#define TASKFIT_TASKFIT_H

/*
 * taskfit: the fewest EC2 instances an Amazon ECS deployment fits on, with a proof.
 *
 *     taskfit_deployment_parse -> taskfit_size -> taskfit_plan_write_json, taskfit_plan_write_text
 *
 * Rules for all functions:
 *   - Handles are opaque and immutable after creation; taskfit_X_free accepts NULL.
 *   - A call returns TASKFIT_OK or a negative status; on failure outputs are untouched and `err`, which
 *     may be NULL, says what and where. Infeasible is an outcome of a plan, not a failure.
 *   - Strings and arrays reached through a handle live as long as the handle.
 *   - Indexes count from 0. Memory is in MiB, CPU in units of 1/1024 vCPU, money in micro-dollars per hour.
 *   - Different handles may be used in different threads; one handle in one thread at a time.
 *   - The library never prints. It ends the process only when memory runs out.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "taskfit/status.h"

#pragma GCC visibility push(default) /* everything else in the library is hidden */

#define TASKFIT_VERSION "0.1.0"

typedef struct taskfit_deployment taskfit_deployment;
typedef struct taskfit_plan taskfit_plan;
typedef struct taskfit_catalogue taskfit_catalogue;

/* Rungs of the ladder: each adds rules to the one before (DESIGN 4). */
typedef enum taskfit_rung {
    TASKFIT_RUNG_PACKING,
    TASKFIT_RUNG_LIMITS,
    TASKFIT_RUNG_SPREAD,
    TASKFIT_RUNG_ROLLING,
    TASKFIT_RUNG_SURVIVE,
    TASKFIT_RUNG_COUNT
} taskfit_rung;

typedef enum taskfit_outcome {
    TASKFIT_OPTIMAL,    /* the first goal is proved */
    TASKFIT_FEASIBLE,   /* a plan and a bound that do not meet */
    TASKFIT_INFEASIBLE, /* proved: no fleet holds it */
    TASKFIT_UNKNOWN     /* no plan within the limits, and no proof that there is none */
} taskfit_outcome;

typedef enum taskfit_proof {
    TASKFIT_PROOF_EXACT,      /* integer arithmetic */
    TASKFIT_PROOF_SOLVER,     /* rests on GLPK's branch and bound */
    TASKFIT_PROOF_GAP,        /* the bound does not meet the plan */
    TASKFIT_PROOF_INFEASIBLE,
    TASKFIT_PROOF_NONE
} taskfit_proof;

typedef struct taskfit_warning {
    const char *code;    /* "ROLL001" */
    const char *service; /* NULL: the whole deployment */
    const char *message;
} taskfit_warning;

typedef enum taskfit_format { TASKFIT_FORMAT_AUTO, TASKFIT_FORMAT_YAML, TASKFIT_FORMAT_JSON } taskfit_format;

/* Receives output piece by piece; returns 0, or non-zero to stop with TASKFIT_E_SYSTEM. */
typedef int taskfit_write_fn(void *sink, const char *data, size_t len);
/* Called once for each defect of an input, in file order: "file:line:column: path: what (what to do)". */
typedef void taskfit_diag_fn(void *arg, const char *text);
/* Reads a file named inside another one (include, kpis). Returns TASKFIT_OK and malloc'ed bytes. */
typedef taskfit_status taskfit_load_fn(void *arg, const char *path, char **data_out, size_t *len_out, taskfit_error *err);

/* ---- deployments ---- */

typedef struct taskfit_parse_options {
    taskfit_format format;
    const taskfit_catalogue *catalogue; /* NULL: the built-in one */
    taskfit_load_fn *load;              /* NULL: include is refused */
    void *load_arg;
    taskfit_diag_fn *diag; /* NULL: only the first defect, in err */
    void *diag_arg;
    const char *const *set; /* edits of the command line, "PATH=VALUE" (also --policy and --objective) */
    size_t n_set;
    const char *scenario; /* NULL: none */
    bool counts_tasks;    /* memberOf may ask for runningTasksCount: taskfit_simulate follows it, plans take no notice */
} taskfit_parse_options;

void taskfit_parse_options_init(taskfit_parse_options *options);
/* `name` stands in messages and in plans; the bytes are not kept. */
taskfit_status taskfit_deployment_parse(const char *name, const char *data, size_t len, const taskfit_parse_options *options,
                                        taskfit_deployment **deployment_out, taskfit_error *err);
void taskfit_deployment_free(taskfit_deployment *deployment);

/* ---- sizing ---- */

typedef struct taskfit_settings {
    int64_t time_limit_ms; /* wall clock, a safety net; default 60000 */
    int64_t work_limit;    /* deterministic units of work per rung; 0: the default */
    double gap_rel;        /* stop when (plan - bound) / plan is at most this; default 0 */
    bool ladder;           /* false: only the policy's rung */
    bool compact;          /* --solver compact: the aggregated GLPK model alone, for cross-checks */
    uint64_t seed;         /* default 1 */
    bool (*stop)(void *arg); /* asked now and then; true: end with the best plan so far. NULL: never */
    void *stop_arg;
    void (*log)(void *arg, const char *line); /* progress lines; NULL: none */
    void *log_arg;
    const taskfit_plan *from; /* what runs now: goal `moves` keeps as many of its tasks where they are as it can, and the
                                 plan says who stays and in which order the others move. NULL: none, and E_ARGUMENT where
                                 the objective names moves. It must outlive the call only */
    bool moves_front;         /* with `from`: the fewest moves for each number of instances from the plan's to `from`'s */
} taskfit_settings;

void taskfit_settings_init(taskfit_settings *settings);

/* Computes the ladder and the plan of the policy's rung, verified. The deployment must outlive the plan. */
taskfit_status taskfit_size(const taskfit_deployment *deployment, const taskfit_settings *settings, taskfit_plan **plan_out,
                            taskfit_error *err);

/* ---- plans ---- */

void taskfit_plan_free(taskfit_plan *plan);
taskfit_outcome taskfit_plan_outcome(const taskfit_plan *plan);
int64_t taskfit_plan_instances(const taskfit_plan *plan);   /* -1: no plan */
/* What the plan and its deployment give reason for; `check` has more to say (taskfit/check.h). */
const taskfit_warning *taskfit_plan_warnings(const taskfit_plan *plan, size_t *n_out);
int64_t taskfit_plan_lower_bound(const taskfit_plan *plan); /* instances */

typedef enum taskfit_plan_style {
    TASKFIT_STYLE_TABLE, /* for people */
    TASKFIT_STYLE_WIDE,  /* for people, every task and service */
    TASKFIT_STYLE_JSON,  /* taskfit.plan/1 */
    TASKFIT_STYLE_YAML,  /* the same as YAML */
    TASKFIT_STYLE_CSV    /* a row for each service on each instance */
} taskfit_plan_style;

taskfit_status taskfit_plan_write(const taskfit_plan *plan, taskfit_plan_style style, bool color, taskfit_write_fn *write,
                                  void *sink, taskfit_error *err);
/* Reads a plan (JSON or YAML, taskfit.plan/1) with the deployment inside it; the plan owns that deployment.
 * Whether the plan keeps its promises is taskfit_plan_verify's business. */
taskfit_status taskfit_plan_read(const char *name, const char *data, size_t len, const taskfit_parse_options *options,
                                 taskfit_plan **plan_out, taskfit_error *err);
/* True when the bytes are a plan rather than a deployment: a map with schema "taskfit.plan/...". */
bool taskfit_is_plan(const char *data, size_t len);
const taskfit_deployment *taskfit_plan_deployment(const taskfit_plan *plan);

/* Checks every rule of the plan's rung and every stated figure in integers, with code that shares nothing
 * with the solver. `deployment` NULL: the plan's own. Broken rules are told one by one; n_broken_out counts them.
 * TASKFIT_OK also when rules are broken. */
taskfit_status taskfit_plan_verify(const taskfit_plan *plan, const taskfit_deployment *deployment, taskfit_diag_fn *broken,
                                   void *broken_arg, size_t *n_broken_out, taskfit_error *err);

/* The same, and what the plan says of the plan it came from is held against that one, `from` (NULL: against itself only). */
taskfit_status taskfit_plan_verify_from(const taskfit_plan *plan, const taskfit_deployment *deployment, const taskfit_plan *from,
                                        taskfit_diag_fn *broken, void *broken_arg, size_t *n_broken_out);

/* ---- models for other solvers ---- */

typedef enum taskfit_model_format { TASKFIT_MODEL_DATA, TASKFIT_MODEL_LP, TASKFIT_MODEL_MPS } taskfit_model_format;
/* The aggregated integer program of the policy's rung: MathProg data for models/aggregated.mod, CPLEX LP or MPS. */
taskfit_status taskfit_model_write(const taskfit_deployment *deployment, taskfit_model_format format, taskfit_write_fn *write,
                                   void *sink, taskfit_error *err);

/* ---- catalogue ---- */

typedef struct taskfit_types_query {
    const char *family;             /* "r7g"; NULL: all. Several separated by commas */
    const char *architecture;       /* "x86_64", "arm64"; NULL: both */
    int64_t min_memory_mib, min_cpu_units;
    const char *sort;               /* "name", "price", "memory", "cpu", "price-per-gib"; NULL: name */
} taskfit_types_query;

taskfit_status taskfit_types_write(const taskfit_catalogue *catalogue, const taskfit_types_query *query,
                                   taskfit_plan_style style, taskfit_write_fn *write, void *sink, taskfit_error *err);
const taskfit_catalogue *taskfit_catalogue_builtin(void);
const char *taskfit_catalogue_source(const taskfit_catalogue *catalogue); /* where it is from, and its date */
taskfit_status taskfit_catalogue_read(const char *file, const char *data, size_t len, taskfit_catalogue **catalogue_out,
                                      taskfit_error *err);
void taskfit_catalogue_free(taskfit_catalogue *catalogue);

/* Prices of what stands beside the instances (RDS, MSK, storage, Fargate): a CSV with the columns item, usd, per, confidence,
 * source, whose rows go before the built-in ones of data/prices_us-east-1.csv. */
typedef struct taskfit_prices taskfit_prices;
taskfit_status taskfit_prices_read(const char *file, const char *data, size_t len, taskfit_prices **prices_out,
                                   taskfit_error *err);
void taskfit_prices_free(taskfit_prices *prices);

/* ---- settings files ---- */

/* Called for each key of a settings file, in file order; a status other than TASKFIT_OK ends the reading with it. */
typedef taskfit_status taskfit_setting_fn(void *arg, const char *key, const char *value, taskfit_error *err);
/* Reads a flat map from names to scalars, YAML or JSON. */
taskfit_status taskfit_settings_file_read(const char *file, const char *data, size_t len, taskfit_setting_fn *setting,
                                          void *arg, taskfit_error *err);

#pragma GCC visibility pop

#endif
