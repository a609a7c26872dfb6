#include <stdlib.h>

#include "deployment/accounting.h"
#include "whatif/fitting.h"

/*
 * A set of services that does not fit, and would without any one of them: services leave it, the smallest first and
 * in halves while that goes well, as long as what stays is proved not to fit. A last pass asks for each that stayed
 * whether the others fit without it.
 */

typedef struct size_key {
    int64_t memory_mib, cpu_units; /* of all its tasks */
    size_t service;
} size_key;

typedef struct filter {
    taskfit_fitting *fitting;
    taskfit_trial *trial;
    bool *left_out;   /* [n_services] */
    size_t *services; /* [n] still in, the smallest first */
    size_t n;
} filter;

static int smaller_first(const void *left, const void *right) {
    const size_key *a = left;
    const size_key *b = right;
    if (a->memory_mib != b->memory_mib) {
        return a->memory_mib < b->memory_mib ? -1 : 1;
    }
    if (a->cpu_units != b->cpu_units) {
        return a->cpu_units < b->cpu_units ? -1 : 1;
    }
    return (a->service > b->service) - (a->service < b->service);
}

static void sort_services(filter *f, taskfit_arena *arena) {
    const taskfit_deployment *deployment = f->fitting->deployment;
    size_key *keys = TASKFIT_ARRAY(arena, deployment->n_services, size_key);
    for (size_t s = 0; s < deployment->n_services; s++) {
        const taskfit_service *service = &deployment->services[s];
        const taskfit_task_demand demand = taskfit_task_demand_of(service, arena);
        f->left_out[s] = service->desired_count == 0;
        if (service->desired_count > 0) {
            keys[f->n++] = (size_key){.memory_mib = demand.amount[TASKFIT_RESOURCE_MEMORY] * service->desired_count,
                                      .cpu_units = demand.amount[TASKFIT_RESOURCE_CPU] * service->desired_count,
                                      .service = s};
        }
    }
    if (f->n > 0) {
        qsort(keys, f->n, sizeof *keys, smaller_first);
    }
    for (size_t i = 0; i < f->n; i++) {
        f->services[i] = keys[i].service;
    }
}

/* Whether the set still clashes without `count` services from `first` on. */
static taskfit_status ask_without(filter *f, size_t first, size_t count, taskfit_verdict *verdict_out, taskfit_error *err) {
    taskfit_arena *arena = taskfit_arena_new();
    for (size_t i = first; i < first + count; i++) {
        f->left_out[f->services[i]] = true;
    }
    const taskfit_status status = taskfit_trial_ask(
        f->trial, taskfit_variant_without(f->fitting->deployment, f->left_out, arena), NULL, verdict_out, err);
    for (size_t i = first; i < first + count; i++) {
        f->left_out[f->services[i]] = false;
    }
    taskfit_arena_free(arena);
    return status;
}

static void drop(filter *f, size_t first, size_t count) {
    for (size_t i = first; i < f->n; i++) {
        if (i < first + count) {
            f->left_out[f->services[i]] = true;
        } else {
            f->services[i - count] = f->services[i];
        }
    }
    f->n -= count;
}

/* Drops services in pieces of this size while the rest clashes. */
static taskfit_status pass(filter *f, size_t count, bool *minimal_out, taskfit_error *err) {
    taskfit_status status = TASKFIT_OK;
    *minimal_out = true;
    for (size_t first = 0; first + count <= f->n && status == TASKFIT_OK;) {
        taskfit_verdict verdict = TASKFIT_VERDICT_UNKNOWN;
        status = ask_without(f, first, count, &verdict, err);
        if (verdict == TASKFIT_VERDICT_NO && count < f->n) {
            drop(f, first, count);
            *minimal_out = false;
        } else {
            *minimal_out = *minimal_out && verdict != TASKFIT_VERDICT_UNKNOWN;
            first += count;
        }
    }
    return status;
}

taskfit_status taskfit_clash_find(taskfit_fitting *fitting, taskfit_trial *trial, taskfit_error *err) {
    taskfit_arena *arena = taskfit_arena_new();
    const size_t n_services = fitting->deployment->n_services;
    filter f = {.fitting = fitting,
                .trial = trial,
                .left_out = TASKFIT_ARRAY(arena, n_services, bool),
                .services = TASKFIT_ARRAY(arena, n_services, size_t)};
    taskfit_status status = TASKFIT_OK;
    bool minimal = false;
    sort_services(&f, arena);
    for (size_t count = f.n / 2; count > 1 && status == TASKFIT_OK && !trial->limited; count /= 2) {
        status = pass(&f, count, &minimal, err);
    }
    minimal = false;
    while (!minimal && status == TASKFIT_OK && !trial->limited) {
        status = pass(&f, 1, &minimal, err);
    }
    fitting->clash = TASKFIT_ARRAY(fitting->arena, n_services, bool);
    for (size_t i = 0; i < f.n; i++) {
        fitting->clash[f.services[i]] = true;
    }
    fitting->n_clash = f.n;
    fitting->clash_minimal = minimal && !trial->limited;
    taskfit_arena_free(arena);
    return status;
}
