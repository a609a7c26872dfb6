#include "whatif/difference.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "ladder/given.h"

typedef struct listing {
    taskfit_arena *arena;
    taskfit_change *changes;
    size_t n, capacity;
    const char *subject;
    bool service;
} listing;

static bool same(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

static void add(listing *list, const char *key, const char *before, const char *after) {
    if (same(before, after)) {
        return;
    }
    TASKFIT_GROW(list->arena, list->changes, list->n, list->capacity);
    list->changes[list->n++] = (taskfit_change){list->subject, list->service, key, before, after};
}

static const char *figure(listing *list, int64_t value) {
    return value < 0 ? NULL : taskfit_arena_printf(list->arena, "%" PRId64, value);
}

static void add_figure(listing *list, const char *key, int64_t before, int64_t after) {
    if (before != after) {
        add(list, key, figure(list, before), figure(list, after));
    }
}

/* ---- services ---- */

static void compare_containers(listing *list, const char *prefix, const taskfit_container *before, const taskfit_container *after) {
    static const taskfit_container none = {.cpu_units = -1,
                                           .memory_mib = -1,
                                           .memory_reservation_mib = -1,
                                           .jvm = {.xmx_mib = -1, .metaspace_mib = -1, .max_metaspace_mib = -1}};
    before = before ? before : &none;
    after = after ? after : &none;
    const struct {
        const char *key;
        int64_t before, after;
    } figures[] = {
        {"cpu", before->cpu_units, after->cpu_units},
        {"memory", before->memory_mib, after->memory_mib},
        {"memoryReservation", before->memory_reservation_mib, after->memory_reservation_mib},
        {"jvm.xmx", before->jvm.present ? before->jvm.xmx_mib : -1, after->jvm.present ? after->jvm.xmx_mib : -1},
        {"jvm.maxMetaspace", before->jvm.present ? before->jvm.max_metaspace_mib : -1, after->jvm.present ? after->jvm.max_metaspace_mib : -1},
    };
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        if (figures[i].before != figures[i].after) {
            add_figure(list, taskfit_arena_printf(list->arena, "%s%s", prefix, figures[i].key), figures[i].before, figures[i].after);
        }
    }
    if (!same(before->image, after->image)) {
        add(list, taskfit_arena_printf(list->arena, "%simage", prefix), before->image, after->image);
    }
}

static const char *prefix_of(listing *list, const taskfit_service *service, size_t container) {
    if (container == 0) {
        return "";
    }
    return service->long_form ? taskfit_arena_printf(list->arena, "containers.%s.", service->containers[container].name) : "sidecar.";
}

static void compare_services(listing *list, const taskfit_service *before, const taskfit_service *after) {
    const taskfit_service *longer = before->n_containers > after->n_containers ? before : after;
    list->subject = after->name;
    list->service = true;
    add_figure(list, "desiredCount", before->desired_count, after->desired_count);
    add_figure(list, "task.cpu", before->task_cpu_units, after->task_cpu_units);
    add_figure(list, "task.memory", before->task_memory_mib, after->task_memory_mib);
    for (size_t c = 0; c < longer->n_containers; c++) {
        compare_containers(list, prefix_of(list, longer, c), c < before->n_containers ? &before->containers[c] : NULL,
                           c < after->n_containers ? &after->containers[c] : NULL);
    }
}


typedef struct key {
    const char *name;
    size_t index;
} key;

static int by_name(const void *left, const void *right) {
    const key *a = left;
    const key *b = right;
    int order = strcmp(a->name, b->name);
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

static key *keys_of(const taskfit_service *services, size_t n, taskfit_arena *arena) {
    key *keys = TASKFIT_ARRAY(arena, n, key);
    for (size_t s = 0; s < n; s++) {
        keys[s] = (key){services[s].name, s};
    }
    qsort(keys, n, sizeof *keys, by_name);
    return keys;
}

enum { NOWHERE = -1 };

static int64_t find(const key *keys, size_t n, const char *name) {
    size_t low = 0;
    while (n > 0) {
        const size_t half = n / 2;
        const int order = strcmp(keys[low + half].name, name);
        if (order == 0) {
            return (int64_t)keys[low + half].index;
        }
        if (order < 0) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return NOWHERE;
}

static const char *tasks_text(listing *list, int64_t n_tasks) {
    return taskfit_arena_printf(list->arena, "%" PRId64 " task%s", n_tasks, n_tasks == 1 ? "" : "s");
}

static void compare_all(listing *list, const taskfit_service *before, size_t n_before, const taskfit_service *after, size_t n_after) {
    const key *old_keys = keys_of(before, n_before, list->arena);
    const key *new_keys = keys_of(after, n_after, list->arena);
    for (size_t s = 0; s < n_after; s++) {
        const int64_t old = find(old_keys, n_before, after[s].name);
        if (old >= 0) {
            compare_services(list, &before[old], &after[s]);
        } else {
            list->subject = after[s].name;
            list->service = true;
            add(list, NULL, NULL, tasks_text(list, after[s].desired_count));
        }
    }
    for (size_t s = 0; s < n_before; s++) {
        if (find(new_keys, n_after, before[s].name) < 0) {
            list->subject = before[s].name;
            list->service = true;
            add(list, NULL, tasks_text(list, before[s].desired_count), NULL);
        }
    }
}

/* ---- groups and policy ---- */

static const char *types_text(listing *list, const taskfit_instance_group *group) {
    TASKFIT_STRBUF(text);
    for (size_t t = 0; t < group->n_types; t++) {
        taskfit_strbuf_printf(&text, "%s%s", t > 0 ? ", " : "", group->types[t].type.name);
    }
    return taskfit_arena_strndup(list->arena, text.data, text.len);
}

static const taskfit_instance_group *find_group(const taskfit_deployment *deployment, const char *name) {
    for (size_t g = 0; g < deployment->n_groups; g++) {
        if (strcmp(deployment->groups[g].name, name) == 0) {
            return &deployment->groups[g];
        }
    }
    return NULL;
}

static void compare_groups(listing *list, const taskfit_deployment *before, const taskfit_deployment *after) {
    list->service = false;
    for (size_t g = 0; g < after->n_groups; g++) {
        const taskfit_instance_group *new = &after->groups[g];
        const taskfit_instance_group *old = find_group(before, new->name);
        list->subject = taskfit_arena_printf(list->arena, "group %s", new->name);
        if (!old) {
            add(list, NULL, NULL, types_text(list, new));
            continue;
        }
        add(list, "types", types_text(list, old), types_text(list, new));
        add_figure(list, "min", old->min_instances, new->min_instances);
        add_figure(list, "max", old->max_instances, new->max_instances);
        add_figure(list, "reservedMemory", old->reserved_memory_mib, new->reserved_memory_mib);
    }
    for (size_t g = 0; g < before->n_groups; g++) {
        if (!find_group(after, before->groups[g].name)) {
            list->subject = taskfit_arena_printf(list->arena, "group %s", before->groups[g].name);
            add(list, NULL, types_text(list, &before->groups[g]), NULL);
        }
    }
}

static void compare_policies(listing *list, const taskfit_policy *before, const taskfit_policy *after) {
    list->subject = "policy";
    list->service = false;
    add(list, "spread", taskfit_spread_policy_name(before->spread), taskfit_spread_policy_name(after->spread));
    add(list, "rollingDeployment", taskfit_rolling_policy_name(before->rolling), taskfit_rolling_policy_name(after->rolling));
    add(list, "surviveLoss", taskfit_survive_policy_name(before->survive), taskfit_survive_policy_name(after->survive));
    add_figure(list, "headroom.memoryPercent", before->headroom_memory_percent, after->headroom_memory_percent);
    add_figure(list, "headroom.cpuPercent", before->headroom_cpu_percent, after->headroom_cpu_percent);
    add_figure(list, "maxHardMemoryPercent", before->max_hard_memory_percent, after->max_hard_memory_percent);
    add_figure(list, "maxExpectedCpuPercent", before->max_expected_cpu_percent, after->max_expected_cpu_percent);
    add_figure(list, "maxExpectedMemoryPercent", before->max_expected_memory_percent, after->max_expected_memory_percent);
}

/* ---- moves ---- */

/* Adds what stays on one instance to kept[service of the new deployment]. */
static void add_kept(const taskfit_given *given, const taskfit_machine *old, const taskfit_machine *new, int64_t *kept) {
    for (size_t n = 0; n < new->n_tasks; n++) {
        for (size_t o = 0; o < old->n_tasks; o++) {
            if (given->new_service[old->tasks[o].service] == new->tasks[n].service) {
                kept[new->tasks[n].service] += old->tasks[o].count < new->tasks[n].count ? old->tasks[o].count : new->tasks[n].count;
            }
        }
    }
}

/* Which old instance becomes which new one is chosen so that most tasks stay, as `size --from` does. */
static void count_moves(const taskfit_plan *before, const taskfit_plan *after, taskfit_difference *difference, taskfit_arena *arena) {
    const taskfit_deployment *new = after->deployment;
    taskfit_problem *problem = taskfit_problem_new(new, after->rung);
    const taskfit_given *given = taskfit_given_new(before, problem, arena);
    const size_t *standing = taskfit_moves_match(problem, &given->standing, after->fleet, arena, &difference->n_kept);
    int64_t *kept = TASKFIT_ARRAY(arena, new->n_services, int64_t);
    int64_t *both = TASKFIT_ARRAY(arena, new->n_services, int64_t);
    taskfit_service_moves *moves = TASKFIT_ARRAY(arena, new->n_services, taskfit_service_moves);
    for (size_t m = 0; m < after->fleet->n_machines; m++) {
        if (standing[m] != SIZE_MAX) {
            add_kept(given, &before->fleet->machines[given->machine_of[standing[m]]], &after->fleet->machines[m], kept);
        }
    }
    for (size_t s = 0; s < before->deployment->n_services; s++) {
        const size_t to = given->new_service[s];
        if (to != SIZE_MAX) {
            const int64_t desired = new->services[to].desired_count;
            both[to] = given->n_placed[s] < desired ? given->n_placed[s] : desired;
        }
    }
    for (size_t s = 0; s < new->n_services; s++) {
        if (both[s] > kept[s]) {
            moves[difference->n_moves++] = (taskfit_service_moves){new->services[s].name, both[s] - kept[s]};
        }
    }
    difference->n_moved = given->of - difference->n_kept;
    difference->moves = moves;
    taskfit_problem_free(problem);
}

taskfit_difference taskfit_difference_of(const taskfit_plan *before, const taskfit_plan *after, taskfit_arena *arena) {
    listing list = {.arena = arena};
    taskfit_difference difference = {.n_changes = 0};
    const taskfit_deployment *old = before->deployment;
    const taskfit_deployment *new = after->deployment;
    compare_groups(&list, old, new);
    compare_policies(&list, &old->policy, &new->policy);
    compare_all(&list, old->services, old->n_services, new->services, new->n_services);
    compare_all(&list, old->daemons, old->n_daemons, new->daemons, new->n_daemons);
    if (before->instances >= 0 && after->instances >= 0) {
        count_moves(before, after, &difference, arena);
    }
    difference.changes = list.changes;
    difference.n_changes = list.n;
    return difference;
}
