/*
 * From samples to limits. CPU and the soft limit follow a percentile, since both may be exceeded for a moment; the hard limit follows the
 * highest sample, since exceeding it kills the container. All get the margin, and memory never falls below what the JVM's flags need.
 * A measure of a whole task is shared out to its containers as they reserve.
 */
#include "rightsize/rightsize.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "check/jvm.h"

#define MICROS INT64_C(1000000)

enum { MEMORY_MIN_MIB = 6, CPU_PERCENTILE = 95, MEMORY_PERCENTILE = 99, MARGIN_PERCENT = 15, SAMPLES_MIN = 5 };

void taskfit_rightsize_options_init(taskfit_rightsize_options *options) {
    *options = (taskfit_rightsize_options){.cpu_percentile = CPU_PERCENTILE,
                                           .memory_percentile = MEMORY_PERCENTILE,
                                           .margin_percent = MARGIN_PERCENT,
                                           .min_samples = SAMPLES_MIN};
}

const char *taskfit_rightsize_limit_name(taskfit_limit limit) {
    static const char *const names[TASKFIT_LIMITS] = {"cpu", "memoryReservation", "memory"};
    assert(limit < TASKFIT_LIMITS);
    return names[limit];
}

/* ---- statistics ---- */

static int compare_values(const void *left, const void *right) {
    const int64_t *a = left;
    const int64_t *b = right;
    return (*a > *b) - (*a < *b);
}

/* Nearest rank; -1: no samples. Sorts them. */
static int64_t percentile(taskfit_samples *samples, int64_t percent) {
    if (samples->n == 0) {
        return -1;
    }
    qsort(samples->values, samples->n, sizeof *samples->values, compare_values);
    const size_t rank = (samples->n * (size_t)percent + 99) / 100;
    return samples->values[rank > 0 ? rank - 1 : 0];
}

static int64_t whole(int64_t micros) {
    return micros < 0 ? -1 : micros / MICROS + (micros % MICROS != 0);
}

static int64_t with_margin(int64_t value, int64_t percent) {
    return (value * (100 + percent) + 99) / 100;
}

static int64_t reserved_mib(const taskfit_container *container) {
    return container->memory_reservation_mib > 0 ? container->memory_reservation_mib
           : container->memory_mib > 0           ? container->memory_mib
                                                 : 0;
}

static int64_t reserved(const taskfit_container *container, taskfit_metric metric) {
    return metric == TASKFIT_METRIC_MEMORY ? reserved_mib(container) : container->cpu_units > 0 ? container->cpu_units : 0;
}

/* The container's part of a task's measure; the first gets all where nothing is reserved. */
static int64_t share(const taskfit_service *service, size_t container, taskfit_metric metric, int64_t micros) {
    int64_t total = 0;
    for (size_t c = 0; c < service->n_containers; c++) {
        total += reserved(&service->containers[c], metric);
    }
    if (total == 0) {
        return container == 0 ? micros : 0;
    }
    const int64_t own = reserved(&service->containers[container], metric);
    return micros / total * own + micros % total * own / total;
}

/* The percentile of a container: its own samples, else its part of the task's; -1: none. */
static int64_t measured(taskfit_service_metrics *metrics, size_t container, taskfit_metric metric, int64_t percent) {
    taskfit_samples *own = &metrics->containers[container * TASKFIT_METRICS + metric];
    if (own->n > 0) {
        return whole(percentile(own, percent));
    }
    const int64_t micros = percentile(&metrics->task[metric], percent);
    return micros < 0 ? -1 : whole(share(metrics->service, container, metric, micros));
}

static size_t n_samples_of(const taskfit_service_metrics *metrics, size_t container) {
    size_t n = 0;
    for (size_t m = 0; m < TASKFIT_METRICS; m++) {
        const size_t own = metrics->containers[container * TASKFIT_METRICS + m].n;
        const size_t used = own > 0 ? own : metrics->task[m].n;
        n = used > n ? used : n;
    }
    return n;
}

/* ---- proposals ---- */

static void propose(taskfit_proposal *proposal, taskfit_limit limit, int64_t value, const char *reason) {
    proposal->proposed[limit] = value;
    proposal->reasons[limit] = reason;
}

static void propose_memory(const taskfit_rightsizing *rightsizing, taskfit_proposal *proposal) {
    taskfit_arena *arena = rightsizing->arena;
    const int64_t margin = rightsizing->options.margin_percent;
    int64_t soft = with_margin(proposal->observed_memory_mib, margin);
    int64_t hard = with_margin(proposal->peak_memory_mib, margin);
    const char *soft_reason = taskfit_arena_printf(arena, "%" PRId64 " MiB observed (percentile %" PRId64 ") and %" PRId64 " %%",
                                                   proposal->observed_memory_mib, rightsizing->options.memory_percentile, margin);
    const char *hard_reason = taskfit_arena_printf(arena, "%" PRId64 " MiB at the most and %" PRId64 " %%", proposal->peak_memory_mib, margin);
    taskfit_jvm_memory jvm;
    if (taskfit_jvm_memory_of(proposal->service, proposal->container, arena, &jvm)) {
        if (jvm.origins[TASKFIT_JVM_HEAP] == TASKFIT_JVM_GIVEN) {
            const int64_t soft_need = taskfit_jvm_soft_need_mib(&jvm);
            const int64_t hard_need = taskfit_jvm_hard_need_mib(&jvm);
            soft_reason = soft_need > soft ? "what heap and metaspace of the JVM need" : soft_reason;
            hard_reason = hard_need > hard ? "what the JVM needs by its flags" : hard_reason;
            soft = soft_need > soft ? soft_need : soft;
            hard = hard_need > hard ? hard_need : hard;
        } else if (proposal->current[TASKFIT_LIMIT_HARD] > hard) {
            hard = proposal->current[TASKFIT_LIMIT_HARD];
            hard_reason = "the heap is a share of it, and would shrink with it";
        }
    }
    soft = soft > MEMORY_MIN_MIB ? soft : MEMORY_MIN_MIB;
    if (hard < soft) {
        hard = soft;
        hard_reason = "not below the soft limit";
    }
    propose(proposal, TASKFIT_LIMIT_SOFT, soft, soft_reason);
    propose(proposal, TASKFIT_LIMIT_HARD, hard, hard_reason);
}

static void add_edit(taskfit_rightsizing *rightsizing, const taskfit_proposal *proposal, const char *key, int64_t value) {
    TASKFIT_GROW(rightsizing->arena, rightsizing->edits, rightsizing->n_edits, rightsizing->edits_capacity);
    rightsizing->edits[rightsizing->n_edits++] =
        taskfit_arena_printf(rightsizing->arena, "services.%s.containers.%s.%s=%" PRId64, proposal->service->name,
                             proposal->container->name, key, value);
}

/* The hard limit first: a soft limit above the old one would be refused alone, but edits are checked after the last. */
static void add_edits(taskfit_rightsizing *rightsizing, const taskfit_proposal *proposal) {
    for (size_t limit = 0; limit < TASKFIT_LIMITS; limit++) {
        if (proposal->reasons[limit]) {
            add_edit(rightsizing, proposal, taskfit_rightsize_limit_name((taskfit_limit)limit), proposal->proposed[limit]);
        }
    }
    if (proposal->observed_cpu_units >= 0) {
        add_edit(rightsizing, proposal, "observed.cpu", proposal->observed_cpu_units);
    }
    if (proposal->observed_memory_mib >= 0) {
        add_edit(rightsizing, proposal, "observed.memory", proposal->observed_memory_mib);
    }
}

static void propose_container(taskfit_rightsizing *rightsizing, taskfit_service_metrics *metrics, size_t index) {
    const taskfit_rightsize_options *options = &rightsizing->options;
    const taskfit_container *container = &metrics->service->containers[index];
    taskfit_proposal proposal = {.service = metrics->service,
                                 .container = container,
                                 .n_samples = n_samples_of(metrics, index),
                                 .observed_cpu_units = measured(metrics, index, TASKFIT_METRIC_CPU, options->cpu_percentile),
                                 .observed_memory_mib = measured(metrics, index, TASKFIT_METRIC_MEMORY, options->memory_percentile),
                                 .peak_memory_mib = measured(metrics, index, TASKFIT_METRIC_MEMORY, 100),
                                 .current = {container->cpu_units, container->memory_reservation_mib, container->memory_mib},
                                 .proposed = {-1, -1, -1}};
    if (proposal.observed_cpu_units >= 0) {
        propose(&proposal, TASKFIT_LIMIT_CPU, with_margin(proposal.observed_cpu_units, options->margin_percent),
                taskfit_arena_printf(rightsizing->arena, "%" PRId64 " units observed (percentile %" PRId64 ") and %" PRId64 " %%",
                                     proposal.observed_cpu_units, options->cpu_percentile, options->margin_percent));
    }
    if (proposal.observed_memory_mib >= 0) {
        propose_memory(rightsizing, &proposal);
    }
    if (proposal.observed_cpu_units < 0 && proposal.observed_memory_mib < 0) {
        return;
    }
    TASKFIT_GROW(rightsizing->arena, rightsizing->proposals, rightsizing->n_proposals, rightsizing->proposals_capacity);
    rightsizing->proposals[rightsizing->n_proposals++] = proposal;
    add_edits(rightsizing, &proposal);
}

/* Why nothing is proposed for a service that was measured; NULL: it is. */
static const char *obstacle(const taskfit_rightsizing *rightsizing, const taskfit_service_metrics *metrics) {
    const taskfit_service *service = metrics->service;
    size_t n_samples = 0;
    for (size_t c = 0; c < service->n_containers; c++) {
        const size_t n = n_samples_of(metrics, c);
        n_samples = n > n_samples ? n : n_samples;
    }
    if (service->daemon) {
        return "a daemon: change it by hand";
    }
    if (service->task_memory_mib >= 0 || service->task_cpu_units >= 0) {
        return "limits of the task itself are set: change them by hand";
    }
    if (!metrics->is_aggregate && n_samples < (size_t)rightsizing->options.min_samples) {
        return taskfit_arena_printf(rightsizing->arena, "%zu sample%s, fewer than %" PRId64, n_samples, n_samples == 1 ? "" : "s",
                                    rightsizing->options.min_samples);
    }
    return NULL;
}

static void rightsize_service(taskfit_rightsizing *rightsizing, taskfit_service_metrics *metrics) {
    size_t n_samples = 0;
    for (size_t c = 0; c < metrics->service->n_containers; c++) {
        n_samples += n_samples_of(metrics, c);
    }
    if (n_samples == 0) {
        rightsizing->n_unmeasured++;
        return;
    }
    const char *reason = obstacle(rightsizing, metrics);
    if (reason) {
        TASKFIT_GROW(rightsizing->arena, rightsizing->left_alone, rightsizing->n_left_alone, rightsizing->left_alone_capacity);
        rightsizing->left_alone[rightsizing->n_left_alone++] =
            (taskfit_left_alone){.service = metrics->service->name, .reason = reason};
        return;
    }
    for (size_t c = 0; c < metrics->service->n_containers; c++) {
        propose_container(rightsizing, metrics, c);
    }
}

taskfit_status taskfit_rightsize(const taskfit_deployment *deployment, const taskfit_metrics_file *files, size_t n_files,
                                 const taskfit_rightsize_options *options, taskfit_rightsizing **rightsizing_out, taskfit_error *err) {
    if (options->cpu_percentile < 1 || options->cpu_percentile > 100 || options->memory_percentile < 1 ||
        options->memory_percentile > 100 || options->margin_percent < 0 || options->margin_percent > 1000 || options->min_samples < 0) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "percentiles go from 1 to 100, the margin from 0 to 1000 percent");
    }
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_rightsizing *rightsizing = TASKFIT_NEW(arena, taskfit_rightsizing);
    taskfit_metrics *metrics = taskfit_metrics_new(deployment, arena);
    *rightsizing = (taskfit_rightsizing){.arena = arena, .deployment = deployment, .options = *options, .metrics = metrics};
    for (size_t i = 0; i < n_files; i++) {
        const taskfit_status status = taskfit_metrics_read(metrics, files[i].name, files[i].data, files[i].len, err);
        if (status != TASKFIT_OK) {
            taskfit_arena_free(arena);
            return status;
        }
    }
    for (size_t s = 0; s < metrics->n_services; s++) {
        rightsize_service(rightsizing, &metrics->services[s]);
    }
    *rightsizing_out = rightsizing;
    return TASKFIT_OK;
}

void taskfit_rightsizing_free(taskfit_rightsizing *rightsizing) {
    if (rightsizing) {
        taskfit_arena_free(rightsizing->arena);
    }
}

const char *const *taskfit_rightsizing_edits(const taskfit_rightsizing *rightsizing, size_t *n_out) {
    *n_out = rightsizing->n_edits;
    return rightsizing->edits;
}
