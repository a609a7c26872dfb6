/* What keeps a fleet from one instance less, and the largest fleet from being large enough. */

#include "solve/explain.h"

#include <assert.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "solve/bound.h"
#include "solve/explain_words.h"

static const char *finish(const taskfit_strbuf *text, taskfit_arena *arena) {
    return taskfit_arena_strndup(arena, text->data, text->len);
}

/* ---- sums ---- */

static int64_t total_need(const taskfit_problem *problem, size_t resource) {
    int64_t need = 0;
    for (size_t s = 0; s < problem->n_services; s++) {
        need += problem->services[s].replicas * problem->services[s].demand[resource];
    }
    return need;
}

static int64_t total_room(const taskfit_problem *problem, const int64_t *count, size_t resource) {
    int64_t room = 0;
    for (size_t o = 0; o < problem->n_offers; o++) {
        const int64_t capacity = problem->offers[o].capacity[resource];
        if (count[o] > 0 && capacity >= TASKFIT_UNLIMITED) {
            return TASKFIT_UNLIMITED;
        }
        room += capacity > 0 ? count[o] * capacity : 0;
    }
    return room;
}

static int64_t total_count(const taskfit_problem *problem, const int64_t *count) {
    int64_t n = 0;
    for (size_t o = 0; o < problem->n_offers; o++) {
        n += count[o];
    }
    return n;
}

/* Need over room in tenths of a percent, rounded; -1 where nothing limits. */
static int64_t permille(const taskfit_problem *problem, const int64_t *count, size_t resource) {
    const int64_t room = total_room(problem, count, resource);
    if (room <= 0 || room >= TASKFIT_UNLIMITED) {
        return -1;
    }
    int64_t need = total_need(problem, resource);
    int64_t divisor = room;
    while (need > INT64_MAX / 4000) {
        need /= 2;
        divisor /= 2;
    }
    return (1000 * need + divisor / 2) / (divisor > 0 ? divisor : 1);
}

static size_t fullest_resource(const taskfit_problem *problem, const int64_t *count) {
    size_t fullest = TASKFIT_RESOURCE_MEMORY;
    for (size_t r = 1; r < TASKFIT_RESOURCE_COUNT; r++) {
        if (permille(problem, count, r) > permille(problem, count, fullest)) {
            fullest = r;
        }
    }
    return fullest;
}

/* One instance of the offer with most less, so that AZs stay balanced. */
static int64_t *one_less(const taskfit_problem *problem, const int64_t *count, taskfit_arena *arena) {
    int64_t *fewer = TASKFIT_ARRAY(arena, problem->n_offers, int64_t);
    size_t most = 0;
    for (size_t o = 0; o < problem->n_offers; o++) {
        fewer[o] = count[o];
        most = count[o] >= count[most] ? o : most;
    }
    fewer[most]--;
    return fewer;
}

/* ---- too little room ---- */

/* "6 instances are filled to 88.4 %; " */
static void add_fullness(taskfit_strbuf *text, const taskfit_problem *problem, const int64_t *count, size_t resource) {
    const int64_t share = permille(problem, count, resource);
    const int64_t n = total_count(problem, count);
    if (share >= 0 && share <= 1000) {
        taskfit_explain_add_instances(text, n);
        taskfit_strbuf_printf(text, " %s filled to %lld.%lld %%; ", n == 1 ? "is" : "are", (long long)(share / 10),
                              (long long)(share % 10));
    }
}

/* "5 hold at most 315,690 of the 334,750 MiB of memory needed" */
static void add_shortage(taskfit_strbuf *text, int64_t room, int64_t need, size_t resource, const char *needed) {
    taskfit_strbuf_adds(text, " at most ");
    taskfit_add_grouped(text, room);
    taskfit_strbuf_adds(text, " of the ");
    taskfit_explain_add_quantity(text, need, resource);
    taskfit_strbuf_printf(text, " %s", needed);
}

static const char *volume_note(const taskfit_problem *problem, const int64_t *count, const int64_t *fewer, size_t resource,
                               int64_t room, taskfit_arena *arena) {
    const int64_t n = total_count(problem, fewer);
    TASKFIT_STRBUF(text);
    add_fullness(&text, problem, count, resource);
    taskfit_add_grouped(&text, n);
    taskfit_strbuf_adds(&text, n == 1 ? " holds" : " hold");
    add_shortage(&text, room, total_need(problem, resource), resource, "needed");
    return finish(&text, arena);
}

/* Dimensions of a decision may be divided by a common factor; this is it. */
static int64_t scale_of(const taskfit_problem *problem, const taskfit_decision *d, size_t dim) {
    int64_t need = 0;
    for (size_t p = 0; p < d->n_profiles; p++) {
        need += d->profiles[p].tasks * d->profiles[p].demand[dim];
    }
    return need > 0 ? total_need(problem, (size_t)d->dim_resource[dim]) / need : 1;
}

/* Some of the instances, an AZ's or a group's, lack room for what can only stand there. */
static taskfit_limit part_note(const taskfit_problem *problem, const taskfit_decision *d, const taskfit_shortage *shortage,
                               taskfit_arena *arena, const char **note_out) {
    const size_t resource = (size_t)d->dim_resource[shortage->dim];
    const int64_t scale = scale_of(problem, d, shortage->dim);
    const bool az = d->n_zones > 1 && shortage->zone != SIZE_MAX;
    const size_t group = problem->offers[d->kinds[shortage->kind].offer].group;
    TASKFIT_STRBUF(text);
    taskfit_strbuf_adds(&text, "of ");
    taskfit_explain_add_instances(&text, d->n_instances);
    taskfit_strbuf_adds(&text, az ? " an availability zone has " : " only ");
    taskfit_add_grouped(&text, shortage->n_instances);
    if (!az) {
        taskfit_strbuf_printf(&text, " (%s) can take some tasks", problem->deployment->groups[group].name);
    }
    taskfit_strbuf_adds(&text, shortage->n_instances == 1 ? ", which holds" : ", which hold");
    add_shortage(&text, shortage->room * scale, shortage->need * scale, resource, "that must stand there");
    *note_out = finish(&text, arena);
    return az ? TASKFIT_LIMIT_SPREAD : (taskfit_limit)resource;
}

/* ---- too few places for the tasks of one profile ---- */

/* How many tasks of the service the fleet's instances hold by size alone, and on how many it may stand; resource_out is
 * what limits the last of those. */
static int64_t places_by_size(const taskfit_problem *problem, const taskfit_decision *d, size_t s, int64_t *n_instances_out,
                              int64_t *most_out, size_t *resource_out) {
    const taskfit_problem_service *service = &problem->services[s];
    int64_t places = 0;
    *n_instances_out = 0;
    *most_out = 0;
    *resource_out = TASKFIT_RESOURCE_MEMORY;
    for (size_t k = 0; k < d->n_kinds; k++) {
        if (!service->may_stand[d->kinds[k].offer]) {
            continue;
        }
        int64_t fit = INT64_MAX / (4 * d->n_instances + 1);
        for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
            const int64_t capacity = problem->offers[d->kinds[k].offer].capacity[r];
            if (service->demand[r] > 0 && capacity / service->demand[r] < fit) {
                fit = capacity / service->demand[r];
                *resource_out = r;
            }
        }
        *n_instances_out += d->kinds[k].count;
        *most_out = fit > *most_out ? fit : *most_out;
        places += d->kinds[k].count * fit;
    }
    return places;
}

/* An AZ that has instances, but too few places for the tasks of the profile that must stand there; else NULL. */
static const char *zone_note(const taskfit_decision *d, size_t profile, const char *whose, taskfit_arena *arena) {
    for (size_t zone = 0; zone < d->n_zones; zone++) {
        int64_t places = 0;
        int64_t n_instances = 0;
        for (size_t k = 0; k < d->n_kinds; k++) {
            if (d->kinds[k].zone == zone) {
                places += d->kinds[k].count * d->kinds[k].high[profile];
                n_instances += d->kinds[k].count;
            }
        }
        if (n_instances > 0 && places < d->profiles[profile].zone_low[zone]) {
            return taskfit_arena_printf(arena, "of %lld instances an availability zone has %lld, with room for %lld of %s; %lld must "
                                               "stand there",
                                        (long long)d->n_instances, (long long)n_instances, (long long)places, whose,
                                        (long long)d->profiles[profile].zone_low[zone]);
        }
    }
    return NULL;
}

static taskfit_limit places_limit(const taskfit_problem *problem, const taskfit_decision *d, size_t profile,
                                  taskfit_arena *arena, const char **note_out) {
    if (profile == SIZE_MAX) {
        *note_out = taskfit_arena_printf(arena, "on %lld instances the tasks cannot be spread as their strategies ask",
                                         (long long)d->n_instances);
        return TASKFIT_LIMIT_SPREAD;
    }
    const size_t s = d->profiles[profile].services[0];
    const taskfit_problem_service *service = &problem->services[s];
    const char *name = taskfit_explain_service_name(problem, s);
    int64_t n_instances;
    int64_t most;
    size_t resource;
    const int64_t places = places_by_size(problem, d, s, &n_instances, &most, &resource);
    const int64_t n_tasks = d->profiles[profile].tasks;
    const char *whose = taskfit_arena_printf(arena, "the %lld tasks of '%s'", (long long)n_tasks, name);
    if (d->profiles[profile].n_services > 1) {
        whose = taskfit_arena_printf(arena, "%s and %lld like it", whose, (long long)d->profiles[profile].n_services - 1);
    }
    if (service->n_ports > 0 && n_instances < n_tasks) {
        *note_out = taskfit_arena_printf(arena, "%s need an instance each for their fixed host port", whose);
        return TASKFIT_LIMIT_PORTS;
    }
    if (service->distinct_instance && n_instances < service->replicas) {
        *note_out = taskfit_arena_printf(arena, "the %lld tasks of '%s' need an instance each (distinctInstance)",
                                         (long long)service->replicas, name);
        return TASKFIT_LIMIT_DISTINCT_INSTANCE;
    }
    if (places < n_tasks) {
        TASKFIT_STRBUF(text);
        taskfit_strbuf_printf(&text, "an instance holds at most %lld of %s, each of ", (long long)most, whose);
        taskfit_explain_add_quantity(&text, service->demand[resource], resource);
        *note_out = finish(&text, arena);
        return (taskfit_limit)resource;
    }
    *note_out = zone_note(d, profile, whose, arena);
    if (*note_out) {
        return TASKFIT_LIMIT_SPREAD;
    }
    *note_out = taskfit_arena_printf(arena, "on %lld instance%s the %lld task%s of '%s' cannot be spread over %s",
                                     (long long)d->n_instances, d->n_instances == 1 ? "" : "s", (long long)service->replicas,
                                     service->replicas == 1 ? "" : "s", name,
                                     service->spread_az ? "availability zones as evenly as required" : "instances evenly");
    return TASKFIT_LIMIT_SPREAD;
}

/* ---- one instance less ---- */

static taskfit_limit clique_limit(const taskfit_problem *problem, const taskfit_shortage *shortage, taskfit_arena *arena,
                                  const char **note_out) {
    *note_out = taskfit_arena_printf(arena, "services that refuse to share an instance (%s) need %lld instances",
                                     problem->rung >= TASKFIT_RUNG_LIMITS && problem->deployment->policy.n_anti_affinity > 0
                                         ? "antiAffinity"
                                         : "memberOf",
                                     (long long)shortage->need);
    return TASKFIT_LIMIT_DISTINCT_INSTANCE;
}

/* Whether the same fleet would be refuted without spread too. */
static bool refuted_without_spread(const taskfit_problem *problem, const int64_t *fewer, taskfit_arena *arena) {
    taskfit_problem_service *services = TASKFIT_ARRAY(arena, problem->n_services, taskfit_problem_service);
    for (size_t s = 0; s < problem->n_services; s++) {
        services[s] = problem->services[s];
        services[s].spread_az = false;
        services[s].spread_instance = false;
    }
    taskfit_problem *relaxed = TASKFIT_NEW(arena, taskfit_problem);
    *relaxed = *problem;
    relaxed->services = services;
    return taskfit_bound_shortage(taskfit_decision_new(arena, relaxed, fewer)).type != TASKFIT_SHORTAGE_NONE;
}

/* Sizes, or spread, leave part of each instance unused. */
static taskfit_limit unused_note(const taskfit_decision *d, const int64_t *count, const int64_t *fewer,
                                 const taskfit_shortage *shortage, taskfit_arena *arena, const char **note_out) {
    const taskfit_problem *problem = d->problem;
    const size_t resource = (size_t)d->dim_resource[shortage->dim];
    const char *note = volume_note(problem, count, fewer, resource, shortage->room * scale_of(problem, d, shortage->dim), arena);
    if (refuted_without_spread(problem, fewer, arena)) {
        *note_out = note;
        return (taskfit_limit)resource;
    }
    *note_out = taskfit_arena_printf(arena, "%s when tasks are spread as required", note);
    return TASKFIT_LIMIT_SPREAD;
}

/* What is short on `fewer`; count is a fleet that holds the tasks, or fewer itself. */
static taskfit_limit shortage_limit(const taskfit_problem *problem, const int64_t *count, const int64_t *fewer,
                                    taskfit_arena *arena, const char **note_out) {
    const size_t fullest = fullest_resource(problem, count);
    const int64_t room = total_room(problem, fewer, fullest);
    const taskfit_decision *d = taskfit_decision_new(arena, problem, fewer);
    const taskfit_shortage shortage = taskfit_bound_shortage(d);
    if (total_need(problem, fullest) > room) { /* the plainest reason first */
        *note_out = volume_note(problem, count, fewer, fullest, room, arena);
        return (taskfit_limit)fullest;
    }
    if (shortage.type == TASKFIT_SHORTAGE_PLACES) {
        return places_limit(problem, d, shortage.profile, arena, note_out);
    }
    if (shortage.type == TASKFIT_SHORTAGE_CLIQUE ||
        (shortage.type == TASKFIT_SHORTAGE_VOLUME && d->dim_resource[shortage.dim] == TASKFIT_DIM_SET)) {
        return clique_limit(problem, &shortage, arena, note_out);
    }
    if (shortage.type == TASKFIT_SHORTAGE_VOLUME && d->dim_resource[shortage.dim] == TASKFIT_DIM_PORT) {
        *note_out = taskfit_arena_printf(arena, "the %lld tasks that share a fixed host port need an instance each",
                                         (long long)shortage.need);
        return TASKFIT_LIMIT_PORTS;
    }
    if (shortage.type == TASKFIT_SHORTAGE_VOLUME && !shortage.whole_fleet) {
        return part_note(problem, d, &shortage, arena, note_out);
    }
    if (shortage.type == TASKFIT_SHORTAGE_VOLUME) {
        return unused_note(d, count, fewer, &shortage, arena, note_out);
    }
    TASKFIT_STRBUF(text);
    add_fullness(&text, problem, count, fullest);
    taskfit_strbuf_printf(&text, "on %lld no arrangement of the tasks was found", (long long)total_count(problem, fewer));
    *note_out = finish(&text, arena);
    return (taskfit_limit)fullest;
}

taskfit_limit taskfit_explain_binding(const taskfit_problem *problem, const int64_t *count, taskfit_arena *arena,
                                      const char **note_out) {
    const int64_t n = total_count(problem, count);
    int64_t min_instances = 0;
    for (size_t g = 0; g < problem->n_groups; g++) {
        min_instances += problem->groups[g].min_instances;
    }
    if (n == 0) {
        *note_out = "there are no tasks to place";
        return TASKFIT_LIMIT_MIN;
    }
    const int64_t *fewer = one_less(problem, count, arena);
    const bool fewer_would_do =
        problem->n_services == 0 ||
        (n > 1 && taskfit_bound_shortage(taskfit_decision_new(arena, problem, fewer)).type == TASKFIT_SHORTAGE_NONE);
    if (n == min_instances && fewer_would_do) {
        *note_out = taskfit_arena_printf(arena, "min of the instance groups asks for %lld instance%s", (long long)n, n == 1 ? "" : "s");
        return TASKFIT_LIMIT_MIN;
    }
    if (n == 1) {
        *note_out = "one instance holds all tasks";
        return (taskfit_limit)fullest_resource(problem, count);
    }
    return shortage_limit(problem, count, fewer, arena, note_out);
}

bool taskfit_explain_below_min(const taskfit_problem *problem, const int64_t *count, taskfit_arena *arena, taskfit_reason *reason_out) {
    for (size_t g = 0; g < problem->n_groups; g++) {
        const taskfit_problem_group *group = &problem->groups[g];
        int64_t n = 0;
        for (size_t o = 0; o < group->n_types * group->n_azs; o++) {
            n += count[group->first_offer + o];
        }
        if (n < group->min_instances) {
            const char *text = taskfit_arena_printf(arena, "group '%s' has a min of %lld instances, but stock allows %lld",
                                                    problem->deployment->groups[g].name, (long long)group->min_instances, (long long)n);
            *reason_out = (taskfit_reason){
                .resource = TASKFIT_LIMIT_STOCK, .need = group->min_instances, .room = n, .message = text};
            return true;
        }
    }
    return false;
}

taskfit_reason taskfit_explain_too_small(const taskfit_problem *problem, const int64_t *count, taskfit_arena *arena) {
    bool by_stock = false;
    for (size_t g = 0; g < problem->n_groups; g++) {
        for (size_t t = 0; t < problem->groups[g].n_types; t++) {
            by_stock = by_stock || problem->groups[g].stock[t] >= 0;
        }
    }
    const int64_t n = total_count(problem, count);
    taskfit_reason reason = {.resource = by_stock ? TASKFIT_LIMIT_STOCK : TASKFIT_LIMIT_MAX, .need = -1, .room = -1};
    const char *note = "no instance is allowed";
    if (n > 0) {
        const size_t fullest = fullest_resource(problem, count);
        if (total_need(problem, fullest) > total_room(problem, count, fullest)) {
            reason.need = total_need(problem, fullest);
            reason.room = total_room(problem, count, fullest);
        }
        (void)shortage_limit(problem, count, count, arena, &note);
    }
    TASKFIT_STRBUF(text);
    taskfit_strbuf_printf(&text, "the largest fleet that %s allow%s, ", by_stock ? "stock and max" : "max", by_stock ? "" : "s");
    taskfit_explain_add_instances(&text, n);
    taskfit_strbuf_printf(&text, ", does not hold the tasks: %s", note);
    reason.message = finish(&text, arena);
    return reason;
}
