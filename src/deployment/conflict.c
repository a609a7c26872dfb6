#include "deployment/conflict.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "deployment/query.h"

typedef struct pair {
    size_t from, to;
} pair;

typedef struct pairs {
    taskfit_arena *scratch;
    pair *items;
    size_t n, capacity;
} pairs;

static void add_pair(pairs *list, size_t from, size_t to) {
    if (from != to && from != SIZE_MAX && to != SIZE_MAX) {
        TASKFIT_GROW(list->scratch, list->items, list->n, list->capacity);
        list->items[list->n++] = (pair){.from = from, .to = to};
    }
}

static bool matches_any(const char *const *globs, const char *name) {
    for (; *globs != NULL; globs++) {
        if (fnmatch(*globs, name, 0) == 0) {
            return true;
        }
    }
    return false;
}

/* in_list[list * n_services + service] */
static bool *policy_lists(const taskfit_deployment *deployment, taskfit_arena *scratch) {
    const size_t n = deployment->n_services;
    bool *in_list = TASKFIT_ARRAY(scratch, deployment->policy.n_anti_affinity * n, bool);
    for (size_t list = 0; list < deployment->policy.n_anti_affinity; list++) {
        for (size_t s = 0; s < n; s++) {
            in_list[list * n + s] = matches_any(deployment->policy.anti_affinity[list], deployment->services[s].name);
        }
    }
    return in_list;
}

static size_t service_by_name(const taskfit_deployment *deployment, const char *name) {
    for (size_t s = 0; s < deployment->n_services; s++) {
        if (strcmp(deployment->services[s].name, name) == 0) {
            return s;
        }
    }
    return SIZE_MAX; /* not of this deployment: nothing to meet */
}

static void add_member_of(const taskfit_deployment *deployment, bool both_ways, pairs *list) {
    for (size_t s = 0; s < deployment->n_services; s++) {
        const taskfit_service *service = &deployment->services[s];
        for (size_t q = 0; q < service->n_member_of; q++) {
            size_t n = 0;
            const char *const *names = taskfit_query_conflicts(service->queries[q], &n);
            for (size_t i = 0; i < n; i++) {
                const size_t other = service_by_name(deployment, names[i]);
                add_pair(list, s, other);
                add_pair(list, both_ways ? other : s, s);
            }
        }
    }
}

static int pair_compare(const void *left, const void *right) {
    const pair *a = left;
    const pair *b = right;
    if (a->from != b->from) {
        return a->from < b->from ? -1 : 1;
    }
    return (a->to > b->to) - (a->to < b->to);
}

static taskfit_conflicts listed(const bool *refused, size_t n_services, taskfit_arena *arena) {
    size_t n = 0;
    for (size_t s = 0; s < n_services; s++) {
        n += refused[s];
    }
    uint32_t *services = TASKFIT_ARRAY(arena, n, uint32_t);
    taskfit_conflicts conflicts = {.services = services};
    for (size_t s = 0; s < n_services; s++) {
        if (refused[s]) {
            services[conflicts.n++] = (uint32_t)s;
        }
    }
    return conflicts;
}

/* Service by service, as the pairs of a long list are too many to hold twice. */
static const taskfit_conflicts *conflicts_of(const taskfit_deployment *deployment, bool with_policy, bool both_ways,
                                             taskfit_arena *arena) {
    pairs list = {.scratch = taskfit_arena_new()};
    add_member_of(deployment, both_ways, &list);
    if (list.n > 0) {
        qsort(list.items, list.n, sizeof *list.items, pair_compare);
    }
    const size_t n = deployment->n_services;
    const size_t n_lists = with_policy ? deployment->policy.n_anti_affinity : 0;
    const bool *in_list = policy_lists(deployment, list.scratch);
    taskfit_conflicts *conflicts = TASKFIT_ARRAY(arena, n, taskfit_conflicts);
    bool *refused = TASKFIT_ARRAY(list.scratch, n, bool);
    for (size_t s = 0, next = 0; s < n; s++) {
        memset(refused, 0, n * sizeof *refused);
        for (size_t l = 0; l < n_lists; l++) {
            for (size_t other = 0; other < n && in_list[l * n + s]; other++) {
                refused[other] = refused[other] || in_list[l * n + other];
            }
        }
        for (; next < list.n && list.items[next].from == s; next++) {
            refused[list.items[next].to] = true;
        }
        refused[s] = false;
        conflicts[s] = listed(refused, n, arena);
    }
    taskfit_arena_free(list.scratch);
    return conflicts;
}

const taskfit_conflicts *taskfit_conflicts_placing(const taskfit_deployment *deployment, bool with_policy,
                                                   taskfit_arena *arena) {
    return conflicts_of(deployment, with_policy, false, arena);
}

const taskfit_conflicts *taskfit_conflicts_standing(const taskfit_deployment *deployment, bool with_policy,
                                                    taskfit_arena *arena) {
    return conflicts_of(deployment, with_policy, true, arena);
}
