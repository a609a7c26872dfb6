#include "solve/explain.h"

#include <assert.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "solve/bound.h"

const char *taskfit_limit_name(taskfit_limit limit) {
    static const char *const words[] = {"memory",       "cpu",          "eni",         "gpu",
                                        "tasks",        "ports",        "hardMemory",  "expectedCpu",
                                        "expectedMemory", "distinctInstance", "spread", "rolling",
                                        "survive",      "min",          "max",         "stock",
                                        "memberOf",     "architecture", "group",       "availabilityZone"};
    _Static_assert(sizeof words / sizeof *words == TASKFIT_LIMIT_COUNT, "a word for each limit");
    assert(limit < TASKFIT_LIMIT_COUNT);
    return words[limit];
}

/* "MiB of memory", "CPU units": a quantity of the resource, for sentences. */
static const char *quantity_of(size_t resource) {
    static const char *const names[] = {"MiB of memory", "CPU units",          "ENI slots",
                                        "GPUs",          "task slots",         "reserved ports",
                                        "MiB of hard memory", "expected CPU units", "MiB of expected memory"};
    _Static_assert(sizeof names / sizeof *names == TASKFIT_RESOURCE_COUNT, "a quantity for each resource");
    return names[resource];
}

static const char *finish(taskfit_strbuf *text, taskfit_arena *arena) {
    return taskfit_arena_strndup(arena, text->data, text->len);
}

static const char *service_name(const taskfit_problem *problem, size_t s) {
    return problem->deployment->services[problem->services[s].service].name;
}

static const char *type_name(const taskfit_problem *problem, const taskfit_offer *offer) {
    return problem->deployment->groups[offer->group].types[offer->type].type.name;
}

/* ---- a task that fits nowhere ---- */

/* The first resource the offer is short of for one task; RESOURCE_COUNT: it fits. */
static size_t short_resource(const taskfit_problem_service *service, const taskfit_offer *offer) {
    for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
        if (offer->capacity[r] < 0 || service->demand[r] > offer->capacity[r]) {
            return r;
        }
    }
    return TASKFIT_RESOURCE_COUNT;
}

static taskfit_limit why_not_permitted(const taskfit_problem *problem, const taskfit_service *service) {
    if (service->architecture != TASKFIT_ARCH_ANY) {
        bool built = false;
        for (size_t o = 0; o < problem->n_offers; o++) {
            const taskfit_offer *offer = &problem->offers[o];
            built = built ||
                    problem->deployment->groups[offer->group].types[offer->type].type.architecture == service->architecture;
        }
        if (!built) {
            return TASKFIT_LIMIT_ARCHITECTURE;
        }
    }
    if (service->n_member_of > 0) {
        return TASKFIT_LIMIT_MEMBER_OF;
    }
    return service->n_groups > 0 ? TASKFIT_LIMIT_GROUP : TASKFIT_LIMIT_PORTS;
}

static taskfit_reason not_permitted(const taskfit_problem *problem, size_t s, taskfit_arena *arena) {
    const taskfit_service *service = &problem->deployment->services[problem->services[s].service];
    taskfit_reason reason = {.resource = why_not_permitted(problem, service), .service = service->name, .need = -1, .room = -1};
    const char *why = "its fixed host ports are taken by daemons or the ECS agent on every instance";
    if (reason.resource == TASKFIT_LIMIT_ARCHITECTURE) {
        why = "no instance type has its CPU architecture";
    } else if (reason.resource == TASKFIT_LIMIT_MEMBER_OF) {
        why = "no instance satisfies its memberOf constraints";
    } else if (reason.resource == TASKFIT_LIMIT_GROUP) {
        why = "no instance of its groups is permitted";
    }
    reason.message = taskfit_arena_printf(arena, "a task of '%s' can stand on no instance: %s", service->name, why);
    return reason;
}

/* The permitted offer with the most of what the first one lacks. */
static taskfit_reason too_large(const taskfit_problem *problem, size_t s, taskfit_arena *arena) {
    const taskfit_problem_service *service = &problem->services[s];
    size_t resource = TASKFIT_RESOURCE_COUNT;
    const taskfit_offer *best = NULL;
    for (size_t o = 0; o < problem->n_offers; o++) {
        const taskfit_offer *offer = &problem->offers[o];
        if (service->may_stand[o]) {
            resource = best == NULL ? short_resource(service, offer) : resource;
            best = best == NULL || offer->capacity[resource] > best->capacity[resource] ? offer : best;
        }
    }
    assert(best != NULL && resource < TASKFIT_RESOURCE_COUNT);
    resource = short_resource(service, best); /* the best may be short of something else */
    taskfit_reason reason = {.resource = (taskfit_limit)resource,
                             .service = service_name(problem, s),
                             .need = service->demand[resource],
                             .room = best->capacity[resource] < 0 ? 0 : best->capacity[resource],
                             .instance_type = type_name(problem, best)};
    TASKFIT_STRBUF(text);
    taskfit_strbuf_printf(&text, "a task of '%s' needs ", reason.service);
    taskfit_add_grouped(&text, reason.need);
    taskfit_strbuf_printf(&text, " %s, but the best instance it may stand on, %s, has ", quantity_of(resource),
                          reason.instance_type);
    taskfit_add_grouped(&text, reason.room);
    reason.message = finish(&text, arena);
    return reason;
}

/* AZ spread needs floor(r/Z) tasks in each eligible AZ and room for r / Z rounded up in enough of them. */
static bool short_of_azs(const taskfit_problem *problem, size_t s, taskfit_arena *arena, taskfit_reason *reason_out) {
    const taskfit_problem_service *service = &problem->services[s];
    int64_t eligible = 0;
    int64_t fitting = 0;
    for (size_t az = 0; az < problem->n_azs; az++) {
        bool permitted = false;
        bool fits = false;
        for (size_t o = 0; o < problem->n_offers; o++) {
            if (problem->offers[o].az == az && service->may_stand[o]) {
                permitted = true;
                fits = fits || short_resource(service, &problem->offers[o]) == TASKFIT_RESOURCE_COUNT;
            }
        }
        eligible += permitted ? 1 : 0;
        fitting += fits ? 1 : 0;
    }
    const int64_t needed = service->replicas < eligible ? service->replicas : eligible;
    if (!service->spread_az || fitting >= needed) {
        return false;
    }
    *reason_out = (taskfit_reason){.resource = TASKFIT_LIMIT_AVAILABILITY_ZONE,
                                   .service = service_name(problem, s),
                                   .need = needed,
                                   .room = fitting};
    reason_out->message = taskfit_arena_printf(
        arena, "spreading '%s' needs room for its tasks in %lld availability zones, but one task fits only in %lld",
        reason_out->service, (long long)needed, (long long)fitting);
    return true;
}

bool taskfit_explain_impossible(const taskfit_problem *problem, taskfit_arena *arena, taskfit_reason *reason_out) {
    for (size_t s = 0; s < problem->n_services; s++) {
        const taskfit_problem_service *service = &problem->services[s];
        bool permitted = false;
        bool fits = false;
        for (size_t o = 0; o < problem->n_offers; o++) {
            permitted = permitted || service->may_stand[o];
            fits = fits || (service->may_stand[o] &&
                            short_resource(service, &problem->offers[o]) == TASKFIT_RESOURCE_COUNT);
        }
        if (!permitted || !fits) {
            *reason_out = permitted ? too_large(problem, s, arena) : not_permitted(problem, s, arena);
            return true;
        }
        if (short_of_azs(problem, s, arena, reason_out)) {
            return true;
        }
    }
    return false;
}

/* ---- one instance less ---- */

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

static void add_fullness(taskfit_strbuf *text, const taskfit_problem *problem, const int64_t *count, size_t resource) {
    const int64_t share = permille(problem, count, resource);
    taskfit_strbuf_printf(text, "%lld instances are %lld.%lld %% reserved", (long long)total_count(problem, count),
                          (long long)(share / 10), (long long)(share % 10));
}

static const char *volume_note(const taskfit_problem *problem, const int64_t *count, const int64_t *fewer, size_t resource,
                               taskfit_arena *arena) {
    TASKFIT_STRBUF(text);
    add_fullness(&text, problem, count, resource);
    taskfit_strbuf_printf(&text, "; %lld would have ", (long long)total_count(problem, fewer));
    taskfit_add_grouped(&text, total_room(problem, fewer, resource));
    taskfit_strbuf_adds(&text, " of the ");
    taskfit_add_grouped(&text, total_need(problem, resource));
    taskfit_strbuf_printf(&text, " %s needed", quantity_of(resource));
    return finish(&text, arena);
}

static taskfit_limit places_limit(const taskfit_problem *problem, const taskfit_decision *d, size_t profile,
                                  taskfit_arena *arena, const char **note_out) {
    if (profile == SIZE_MAX) {
        *note_out = "its windows leave no way to place the tasks on one instance less";
        return TASKFIT_LIMIT_SPREAD;
    }
    const size_t s = d->profiles[profile].services[0];
    const taskfit_problem_service *service = &problem->services[s];
    const char *name = service_name(problem, s);
    if (service->n_ports > 0) {
        *note_out = taskfit_arena_printf(arena, "the %lld tasks of '%s' each need an instance where their host port is free",
                                         (long long)service->replicas, name);
        return TASKFIT_LIMIT_PORTS;
    }
    if (service->distinct_instance) {
        *note_out = taskfit_arena_printf(arena, "'%s' has %lld tasks and each needs its own instance", name,
                                         (long long)service->replicas);
        return TASKFIT_LIMIT_DISTINCT_INSTANCE;
    }
    if (service->spread_az || service->spread_instance) {
        *note_out = taskfit_arena_printf(arena, "the %lld tasks of '%s' cannot be spread evenly on one instance less",
                                         (long long)service->replicas, name);
        return TASKFIT_LIMIT_SPREAD;
    }
    size_t resource = TASKFIT_RESOURCE_MEMORY; /* too few fit on an instance: the resource that says so */
    int64_t fewest = INT64_MAX;
    for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
        const int64_t capacity = problem->offers[d->kinds[0].offer].capacity[r];
        if (service->demand[r] > 0 && capacity / service->demand[r] < fewest) {
            fewest = capacity / service->demand[r];
            resource = r;
        }
    }
    *note_out = taskfit_arena_printf(arena, "an instance holds only %lld of the %lld tasks of '%s'", (long long)fewest,
                                     (long long)service->replicas, name);
    return (taskfit_limit)resource;
}

static taskfit_limit shortage_limit(const taskfit_problem *problem, const int64_t *count, const int64_t *fewer,
                                    taskfit_arena *arena, const char **note_out) {
    const size_t fullest = fullest_resource(problem, count);
    if (total_need(problem, fullest) > total_room(problem, fewer, fullest)) { /* the plainest reason first */
        *note_out = volume_note(problem, count, fewer, fullest, arena);
        return (taskfit_limit)fullest;
    }
    const taskfit_decision *d = taskfit_decision_new(arena, problem, fewer);
    const taskfit_shortage shortage = taskfit_bound_shortage(d);
    const int resource = shortage.dim == SIZE_MAX ? -1 : d->dim_resource[shortage.dim];
    switch (shortage.type) {
    case TASKFIT_SHORTAGE_PLACES:
        return places_limit(problem, d, shortage.profile, arena, note_out);
    case TASKFIT_SHORTAGE_CLIQUE:
        *note_out = "services that antiAffinity keeps apart need as many instances";
        return TASKFIT_LIMIT_DISTINCT_INSTANCE;
    case TASKFIT_SHORTAGE_VOLUME:
        if (resource < 0) {
            *note_out = "the tasks that share a fixed host port need an instance each";
            return TASKFIT_LIMIT_PORTS;
        }
        if (shortage.whole_fleet) {
            *note_out = volume_note(problem, count, fewer, (size_t)resource, arena);
            return (taskfit_limit)resource;
        }
        *note_out = taskfit_arena_printf(arena, "with %lld instances those of one availability zone or group have too few "
                                                "%s for the tasks that must stand there",
                                         (long long)total_count(problem, fewer), quantity_of((size_t)resource));
        return d->n_zones > 1 ? TASKFIT_LIMIT_SPREAD : (taskfit_limit)resource;
    case TASKFIT_SHORTAGE_NONE:
        break;
    }
    TASKFIT_STRBUF(text);
    add_fullness(&text, problem, count, fullest);
    taskfit_strbuf_printf(&text, "; on %lld no arrangement of the tasks was found", (long long)total_count(problem, fewer));
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
    if (n == 0 || (n == min_instances && problem->n_services == 0)) {
        *note_out = "there are no tasks to place";
        return TASKFIT_LIMIT_MIN;
    }
    if (n == 1) {
        *note_out = "one instance holds all tasks";
        return (taskfit_limit)fullest_resource(problem, count);
    }
    const int64_t *fewer = one_less(problem, count, arena);
    if (n == min_instances && taskfit_bound_shortage(taskfit_decision_new(arena, problem, fewer)).type == TASKFIT_SHORTAGE_NONE) {
        *note_out = taskfit_arena_printf(arena, "the instance groups ask for %lld instances", (long long)min_instances);
        return TASKFIT_LIMIT_MIN;
    }
    return shortage_limit(problem, count, fewer, arena, note_out);
}

taskfit_reason taskfit_explain_too_small(const taskfit_problem *problem, const int64_t *count, taskfit_arena *arena) {
    bool by_stock = false;
    for (size_t g = 0; g < problem->n_groups; g++) {
        for (size_t t = 0; t < problem->groups[g].n_types; t++) {
            by_stock = by_stock || problem->groups[g].stock[t] >= 0;
        }
    }
    const size_t fullest = fullest_resource(problem, count);
    const char *note = "";
    const taskfit_shortage shortage = taskfit_bound_shortage(taskfit_decision_new(arena, problem, count));
    taskfit_reason reason = {.resource = by_stock ? TASKFIT_LIMIT_STOCK : TASKFIT_LIMIT_MAX, .need = -1, .room = -1};
    if (shortage.type == TASKFIT_SHORTAGE_VOLUME && shortage.whole_fleet) {
        reason.need = total_need(problem, fullest);
        reason.room = total_room(problem, count, fullest);
    }
    (void)shortage_limit(problem, count, count, arena, &note);
    reason.message = taskfit_arena_printf(arena, "the largest fleet allowed by %s, %lld instances, does not hold the tasks (%s)",
                                          by_stock ? "stock and max" : "max", (long long)total_count(problem, count), note);
    return reason;
}
