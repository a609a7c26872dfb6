#include "solve/exclusive.h"

#include <stdlib.h>

#include "solve/decision.h"

enum {
    MIN_SERVICES = 3, /* two are a pair as well */
    MAX_SETS = 16     /* each is a dimension more */
};

/* A service and those it refuses: sets are the services whose neighbourhoods, themselves included, are equal. */
typedef struct neighbourhood {
    const taskfit_problem_service *service;
    uint64_t hash; /* of it, whatever the order */
    size_t index;
} neighbourhood;

static uint64_t mixed(uint64_t x) {
    x = (x + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    return x ^ (x >> 32);
}

/* Long lists come first. */
static int neighbourhood_compare(const void *left, const void *right) {
    const neighbourhood *a = left;
    const neighbourhood *b = right;
    if (a->service->n_conflicts != b->service->n_conflicts) {
        return a->service->n_conflicts > b->service->n_conflicts ? -1 : 1;
    }
    if (a->hash != b->hash) {
        return a->hash < b->hash ? -1 : 1;
    }
    return (a->index > b->index) - (a->index < b->index);
}

/* Both lists ascend; each lacks its own service only. */
static bool same(const neighbourhood *a, const neighbourhood *b) {
    const size_t n = a->service->n_conflicts;
    if (n != b->service->n_conflicts || a->hash != b->hash) {
        return false;
    }
    for (size_t i = 0, k = 0; i < n || k < n;) {
        const size_t of_a = i < n ? a->service->conflicts[i] : SIZE_MAX;
        const size_t of_b = k < n ? b->service->conflicts[k] : SIZE_MAX;
        if (of_a == of_b) {
            i++;
            k++;
        } else if (of_a == b->index) {
            i++;
        } else if (of_b == a->index) {
            k++;
        } else {
            return false;
        }
    }
    return true;
}

/* Those with chosen[service], or all, sorted so that equal neighbourhoods are next to each other. */
static neighbourhood *list_sorted(const taskfit_problem *problem, const bool *chosen, taskfit_arena *arena, size_t *n_out) {
    neighbourhood *list = TASKFIT_ARRAY(arena, problem->n_services, neighbourhood);
    size_t n = 0;
    for (size_t s = 0; s < problem->n_services; s++) {
        const taskfit_problem_service *service = &problem->services[s];
        if (service->n_conflicts > 0 && (chosen == NULL || chosen[s])) {
            list[n] = (neighbourhood){.service = service, .hash = mixed(s), .index = s};
            for (size_t i = 0; i < service->n_conflicts; i++) {
                list[n].hash += mixed(service->conflicts[i]);
            }
            n++;
        }
    }
    if (n > 0) {
        qsort(list, n, sizeof *list, neighbourhood_compare);
    }
    *n_out = n;
    return list;
}

static size_t end_of_set(const neighbourhood *list, size_t first, size_t n) {
    size_t next = first + 1;
    while (next < n && same(&list[first], &list[next])) {
        next++;
    }
    return next;
}

taskfit_exclusive taskfit_exclusive_find(const taskfit_problem *problem, const bool *alone, taskfit_arena *arena) {
    size_t *set_of = TASKFIT_ARRAY(arena, problem->n_services, size_t);
    for (size_t s = 0; s < problem->n_services; s++) {
        set_of[s] = SIZE_MAX;
    }
    size_t n;
    const neighbourhood *list = list_sorted(problem, alone, arena, &n);
    taskfit_exclusive found = {.set_of = set_of};
    for (size_t first = 0, next; first < n && found.n_sets < MAX_SETS; first = next) {
        next = end_of_set(list, first, n);
        for (size_t i = first; i < next && next - first >= MIN_SERVICES; i++) {
            set_of[list[i].index] = found.n_sets;
        }
        found.n_sets += next - first >= MIN_SERVICES;
    }
    return found;
}

int64_t taskfit_exclusive_bound(const taskfit_problem *problem) {
    taskfit_arena *scratch = taskfit_arena_new();
    size_t n;
    const neighbourhood *list = list_sorted(problem, NULL, scratch, &n);
    int64_t most = 0;
    for (size_t first = 0, next; first < n; first = next) {
        next = end_of_set(list, first, n);
        int64_t need = 0;
        for (size_t i = first; i < next; i++) {
            need += taskfit_decision_alone(problem, list[i].index) ? list[i].service->replicas : 1;
        }
        most = need > most ? need : most;
    }
    taskfit_arena_free(scratch);
    return most;
}
