#ifndef TASKFIT_RIGHTSIZE_METRICS_H
#define TASKFIT_RIGHTSIZE_METRICS_H

/* Samples of measured use by service and container, and the readers of the formats they come in. */

#include "deployment/deployment.h"

enum { TASKFIT_SAMPLES_MAX = 4 * 1000 * 1000 };

typedef enum taskfit_metric { TASKFIT_METRIC_CPU, TASKFIT_METRIC_MEMORY, TASKFIT_METRICS } taskfit_metric;

typedef struct taskfit_samples { /* millionths of CPU units or MiB of one task, or of one container */
    int64_t *values;
    size_t n, capacity;
} taskfit_samples;

typedef struct taskfit_service_metrics {
    const taskfit_service *service;
    taskfit_samples task[TASKFIT_METRICS];
    taskfit_samples *containers; /* [n_containers][TASKFIT_METRICS] */
    bool is_aggregate;           /* from a table: each value stands for a whole test */
} taskfit_service_metrics;

typedef struct taskfit_metrics {
    taskfit_arena *arena;
    const taskfit_deployment *deployment;
    taskfit_service_metrics *services; /* daemons, then services; [n_services] */
    size_t n_services;
    size_t n_samples;
    const char **unknown; /* names that are no service, each once, at most UNKNOWN_MAX */
    size_t n_unknown, unknown_capacity;
} taskfit_metrics;

enum { TASKFIT_UNKNOWN_MAX = 100 };

taskfit_metrics *taskfit_metrics_new(const taskfit_deployment *deployment, taskfit_arena *arena);

/* Recognizes the format. E_INPUT when nothing in it is a sample, with file and what was expected. */
taskfit_status taskfit_metrics_read(taskfit_metrics *metrics, const char *file, const char *data, size_t len, taskfit_error *err);

/* The service that a name of a metric means: its own name or family, also behind a prefix (of the cluster) and before "-b"; NULL:
 * none, and the name is kept in `unknown`. */
taskfit_service_metrics *taskfit_metrics_service(taskfit_metrics *metrics, const char *name);
/* "ecs-FAMILY-REVISION-CONTAINER-ID" of `docker stats` to service and container (its index, or SIZE_MAX: the whole task). */
taskfit_service_metrics *taskfit_metrics_container(taskfit_metrics *metrics, const char *name, size_t *container_out);
void taskfit_metrics_add(taskfit_metrics *metrics, taskfit_service_metrics *service, size_t container, taskfit_metric metric,
                         int64_t micros);

/* "12.5", "1e-3", "72,000": millionths, at most 10^15; false when it is none. A blank, '%' or unit behind it is left to the caller. */
bool taskfit_metrics_number(const char *text, int64_t *micros_out, const char **rest_out);
/* What one task reserves: CPU units, at least the 2 shares that docker gives a container without; MiB. */
int64_t taskfit_metrics_reserved(const taskfit_service *service, taskfit_metric metric);
/* Micros of percent of the reservation to micros of the quantity. */
int64_t taskfit_metrics_of_percent(const taskfit_service *service, taskfit_metric metric, int64_t percent_micros);

#endif
