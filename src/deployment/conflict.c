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
    if (from != to) {
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

static void add_policy(const taskfit_deployment *deployment, pairs *list) {
    size_t *members = TASKFIT_ARRAY(list->scratch, deployment->n_services, size_t);
    for (size_t set = 0; set < deployment->policy.n_anti_affinity; set++) {
        size_t n = 0;
        for (size_t s = 0; s < deployment->n_services; s++) {
            if (matches_any(deployment->policy.anti_affinity[set], deployment->services[s].name)) {
                members[n++] = s;
            }
        }
        for (size_t a = 0; a < n; a++) {
            for (size_t b = 0; b < n; b++) {
                add_pair(list, members[a], members[b]);
            }
        }
    }
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
                if (other != SIZE_MAX) {
                    add_pair(list, s, other);
                    if (both_ways) {
                        add_pair(list, other, s);
                    }
                }
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

static const taskfit_conflicts *conflicts_of(const taskfit_deployment *deployment, bool with_policy, bool both_ways,
                                             taskfit_arena *arena) {
    pairs list = {.scratch = taskfit_arena_new()};
    if (with_policy) {
        add_policy(deployment, &list);
    }
    add_member_of(deployment, both_ways, &list);
    if (list.n > 0) {
        qsort(list.items, list.n, sizeof *list.items, pair_compare);
    }
    taskfit_conflicts *conflicts = TASKFIT_ARRAY(arena, deployment->n_services, taskfit_conflicts);
    size_t *services = TASKFIT_ARRAY(arena, list.n, size_t);
    size_t n = 0;
    for (size_t i = 0; i < list.n; i++) {
        if (i > 0 && pair_compare(&list.items[i - 1], &list.items[i]) == 0) {
            continue;
        }
        taskfit_conflicts *of = &conflicts[list.items[i].from];
        of->services = of->n == 0 ? &services[n] : of->services;
        of->n++;
        services[n++] = list.items[i].to;
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
