#include "rightsize/metrics.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "deployment/accounting.h"

#define MICROS_MAX (INT64_C(1000000000) * 1000000)

enum { DOCKER_CPU_SHARES_MIN = 2 };

taskfit_metrics *taskfit_metrics_new(const taskfit_deployment *deployment, taskfit_arena *arena) {
    taskfit_metrics *metrics = TASKFIT_NEW(arena, taskfit_metrics);
    metrics->arena = arena;
    metrics->deployment = deployment;
    metrics->n_services = deployment->n_daemons + deployment->n_services;
    metrics->services = TASKFIT_ARRAY(arena, metrics->n_services, taskfit_service_metrics);
    for (size_t s = 0; s < metrics->n_services; s++) {
        const taskfit_service *service =
            s < deployment->n_daemons ? &deployment->daemons[s] : &deployment->services[s - deployment->n_daemons];
        metrics->services[s].service = service;
        metrics->services[s].containers = TASKFIT_ARRAY(arena, service->n_containers * TASKFIT_METRICS, taskfit_samples);
    }
    return metrics;
}

void taskfit_metrics_add(taskfit_metrics *metrics, taskfit_service_metrics *service, size_t container, taskfit_metric metric,
                         int64_t micros) {
    assert(container == SIZE_MAX || container < service->service->n_containers);
    taskfit_samples *samples =
        container == SIZE_MAX ? &service->task[metric] : &service->containers[container * TASKFIT_METRICS + metric];
    if (metrics->n_samples < TASKFIT_SAMPLES_MAX) {
        TASKFIT_GROW(metrics->arena, samples->values, samples->n, samples->capacity);
        samples->values[samples->n++] = micros;
        metrics->n_samples++;
    }
}

/* ---- names ---- */

static bool is_named(const taskfit_service *service, const char *name, size_t len) {
    return (strlen(service->name) == len && strncmp(service->name, name, len) == 0) ||
           (strlen(service->family) == len && strncmp(service->family, name, len) == 0);
}

static taskfit_service_metrics *find_exact(taskfit_metrics *metrics, const char *name, size_t len) {
    for (size_t s = 0; s < metrics->n_services; s++) {
        if (is_named(metrics->services[s].service, name, len)) {
            return &metrics->services[s];
        }
    }
    return NULL;
}

/* Exactly, or before "-b", the suffix of the second of two services that run the same. */
static taskfit_service_metrics *find_plain(taskfit_metrics *metrics, const char *name, size_t len) {
    taskfit_service_metrics *found = find_exact(metrics, name, len);
    return !found && len > 2 && strncmp(name + len - 2, "-b", 2) == 0 ? find_exact(metrics, name, len - 2) : found;
}

/* The longest part behind a boundary that is a service. */
static taskfit_service_metrics *find_name(taskfit_metrics *metrics, const char *name, size_t len) {
    taskfit_service_metrics *found = find_plain(metrics, name, len);
    for (size_t i = 1; i < len && !found; i++) {
        if (strchr("-_/:.", name[i - 1])) {
            found = find_plain(metrics, name + i, len - i);
        }
    }
    return found;
}

taskfit_service_metrics *taskfit_metrics_service(taskfit_metrics *metrics, const char *name) {
    enum { NAME_MAX_LEN = 512 }; /* names of ECS have at most 255 characters; what is longer is none */
    const size_t len = strlen(name);
    taskfit_service_metrics *found = len <= NAME_MAX_LEN ? find_name(metrics, name, len) : NULL;
    for (size_t i = 0; !found && i < metrics->n_unknown; i++) {
        if (strcmp(metrics->unknown[i], name) == 0) {
            return NULL;
        }
    }
    if (!found && metrics->n_unknown < TASKFIT_UNKNOWN_MAX && len <= NAME_MAX_LEN) {
        TASKFIT_GROW(metrics->arena, metrics->unknown, metrics->n_unknown, metrics->unknown_capacity);
        metrics->unknown[metrics->n_unknown++] = taskfit_arena_strdup(metrics->arena, name);
    }
    return found;
}

/* Where "-REVISION-" stands: the last run of digits between dashes; NULL: nowhere. */
static const char *find_revision(const char *name, const char *end, const char **behind_out) {
    const char *found = NULL;
    for (const char *at = name; at < end; at++) {
        const size_t n = *at == '-' ? strspn(at + 1, "0123456789") : 0;
        if (n > 0 && at + 1 + n < end && at[1 + n] == '-') {
            found = at;
            *behind_out = at + 2 + n;
        }
    }
    return found;
}

taskfit_service_metrics *taskfit_metrics_container(taskfit_metrics *metrics, const char *name, size_t *container_out) {
    *container_out = SIZE_MAX;
    const char *end = strncmp(name, "ecs-", 4) == 0 ? strrchr(name, '-') : NULL;
    const char *behind = NULL;
    const char *revision = end ? find_revision(name + 4, end, &behind) : NULL;
    if (!revision) {
        return taskfit_metrics_service(metrics, name);
    }
    const char *family = taskfit_arena_strndup(metrics->arena, name + 4, (size_t)(revision - name - 4));
    taskfit_service_metrics *found = taskfit_metrics_service(metrics, family);
    for (size_t c = 0; found && c < found->service->n_containers; c++) {
        const char *own = found->service->containers[c].name;
        if (strlen(own) == (size_t)(end - behind) && strncmp(own, behind, strlen(own)) == 0) {
            *container_out = c;
        }
    }
    return found;
}

/* ---- quantities ---- */

static int64_t times(int64_t value, int64_t factor) {
    int64_t product = 0;
    return __builtin_mul_overflow(value, factor, &product) || product > MICROS_MAX ? MICROS_MAX : product;
}

/* value x 10^exponent, at most MICROS_MAX. */
static int64_t shift_decimal(int64_t value, int64_t exponent) {
    for (; exponent > 0 && value < MICROS_MAX && value > 0; exponent--) {
        value = times(value, 10);
    }
    for (; exponent < 0 && value > 0; exponent++) {
        value /= 10;
    }
    return value;
}

bool taskfit_metrics_number(const char *text, int64_t *micros_out, const char **rest_out) {
    enum { EXPONENT_MAX = 100 };
    int64_t value = 0;
    int64_t exponent = 6;
    size_t n_digits = 0;
    bool is_behind_point = false;
    const char *at = text + strspn(text, " \t");
    for (; (*at >= '0' && *at <= '9') || (*at == '.' && !is_behind_point) || (*at == ',' && n_digits > 0 && !is_behind_point); at++) {
        if (*at == '.') {
            is_behind_point = true;
        } else if (*at != ',') {
            n_digits++;
            if (value < MICROS_MAX / 10) {
                value = value * 10 + (*at - '0');
                exponent -= is_behind_point;
            } else {
                exponent += !is_behind_point;
            }
        }
    }
    if (n_digits > 0 && (*at == 'e' || *at == 'E') && at[1 + (at[1] == '-' || at[1] == '+')] >= '0' &&
        at[1 + (at[1] == '-' || at[1] == '+')] <= '9') {
        const bool is_negative = at[1] == '-';
        int64_t power = 0;
        for (at += 1 + (at[1] == '-' || at[1] == '+'); *at >= '0' && *at <= '9'; at++) {
            power = power < EXPONENT_MAX ? power * 10 + (*at - '0') : power;
        }
        exponent += is_negative ? -power : power;
    }
    *rest_out = at;
    *micros_out = shift_decimal(value, exponent);
    return n_digits > 0;
}

int64_t taskfit_metrics_reserved(const taskfit_service *service, taskfit_metric metric) {
    taskfit_arena *scratch = taskfit_arena_new();
    const taskfit_task_demand demand = taskfit_task_demand_of(service, scratch);
    taskfit_arena_free(scratch);
    if (metric == TASKFIT_METRIC_MEMORY) {
        return demand.amount[TASKFIT_RESOURCE_MEMORY];
    }
    const int64_t units = demand.amount[TASKFIT_RESOURCE_CPU];
    return units > DOCKER_CPU_SHARES_MIN ? units : DOCKER_CPU_SHARES_MIN;
}

int64_t taskfit_metrics_of_percent(const taskfit_service *service, taskfit_metric metric, int64_t percent_micros) {
    return times(percent_micros, taskfit_metrics_reserved(service, metric)) / 100;
}
