/* Why a task can stand on no instance there is: what the user must change, with figures. */

#include <assert.h>
#include <string.h>

#include "base/int64.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "solve/explain.h"
#include "solve/explain_words.h"

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

/* ---- words ---- */

void taskfit_explain_add_quantity(taskfit_strbuf *text, int64_t amount, size_t resource) {
    static const struct {
        const char *one, *many;
    } names[] = {{"MiB of memory", "MiB of memory"},
                 {"CPU unit", "CPU units"},
                 {"ENI slot", "ENI slots"},
                 {"GPU", "GPUs"},
                 {"task slot", "task slots"},
                 {"reserved host port", "reserved host ports"},
                 {"MiB of hard limits", "MiB of hard limits"},
                 {"expected CPU unit", "expected CPU units"},
                 {"MiB of expected memory", "MiB of expected memory"}};
    _Static_assert(sizeof names / sizeof *names == TASKFIT_RESOURCE_COUNT, "words for each resource");
    taskfit_add_grouped(text, amount);
    taskfit_strbuf_printf(text, " %s", amount == 1 ? names[resource].one : names[resource].many);
}

void taskfit_explain_add_instances(taskfit_strbuf *text, int64_t n) {
    taskfit_add_grouped(text, n);
    taskfit_strbuf_adds(text, n == 1 ? " instance" : " instances");
}

const char *taskfit_explain_service_name(const taskfit_problem *problem, size_t s) {
    return problem->deployment->services[problem->services[s].service].name;
}

static const char *type_name(const taskfit_problem *problem, const taskfit_offer *offer) {
    return problem->deployment->groups[offer->group].types[offer->type].type.name;
}

/* ---- not permitted ---- */

static bool in_a_group_of(const taskfit_service *service, size_t group) {
    bool found = service->n_groups == 0;
    for (size_t i = 0; i < service->n_groups; i++) {
        found = found || service->groups[i] == group;
    }
    return found;
}

/* What the offers are sieved by, in this order; the first sieve that lets none through is the reason. */
static taskfit_limit why_not_permitted(const taskfit_problem *problem, const taskfit_service *service) {
    const taskfit_deployment *deployment = problem->deployment;
    size_t n_in_group = 0;
    size_t n_built = 0;
    size_t n_permitted = 0;
    for (size_t o = 0; o < problem->n_offers; o++) {
        const taskfit_offer *offer = &problem->offers[o];
        const taskfit_architecture architecture = deployment->groups[offer->group].types[offer->type].type.architecture;
        const bool in_group = in_a_group_of(service, offer->group);
        n_in_group += in_group;
        n_built += in_group && (service->architecture == TASKFIT_ARCH_ANY || service->architecture == architecture);
        n_permitted += taskfit_service_permitted(deployment, service, offer->group, offer->type, offer->az);
    }
    if (n_in_group == 0) {
        return TASKFIT_LIMIT_GROUP;
    }
    if (n_built == 0) {
        return TASKFIT_LIMIT_ARCHITECTURE;
    }
    return n_permitted == 0 ? TASKFIT_LIMIT_MEMBER_OF : TASKFIT_LIMIT_PORTS;
}

static taskfit_reason not_permitted(const taskfit_problem *problem, size_t s, taskfit_arena *arena) {
    const taskfit_service *service = &problem->deployment->services[problem->services[s].service];
    const char *where = service->n_groups > 0 ? "in its instance groups" : "in any instance group";
    taskfit_reason reason = {.resource = why_not_permitted(problem, service), .service = service->name, .need = -1, .room = -1};
    const char *why = "its fixed host port is taken by a daemon or the ECS agent on every instance where it may stand";
    if (reason.resource == TASKFIT_LIMIT_ARCHITECTURE) {
        why = taskfit_arena_printf(arena, "it is built for %s, and no type %s is",
                                   taskfit_architecture_name(service->architecture), where);
    } else if (reason.resource == TASKFIT_LIMIT_MEMBER_OF) {
        why = taskfit_arena_printf(arena, "no instance %s satisfies its memberOf constraints ('%s'%s)", where,
                                   service->n_member_of > 0 ? service->member_of[0] : "", service->n_member_of > 1 ? ", ..." : "");
    } else if (reason.resource == TASKFIT_LIMIT_GROUP) {
        why = "its instance groups offer no instance";
    }
    reason.message = taskfit_arena_printf(arena, "a task of '%s' can stand on no instance: %s", service->name, why);
    return reason;
}

/* ---- too large ---- */

/* The first resource the offer is short of for one task; RESOURCE_COUNT: it fits. */
static size_t short_resource(const taskfit_problem_service *service, const taskfit_offer *offer) {
    for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
        if (offer->capacity[r] < 0 || service->demand[r] > offer->capacity[r]) {
            return r;
        }
    }
    return TASKFIT_RESOURCE_COUNT;
}

static const char *add_part(taskfit_strbuf *text, const char *joint, int64_t amount, const char *what) {
    if (amount <= 0) {
        return joint;
    }
    taskfit_strbuf_adds(text, joint);
    taskfit_add_grouped(text, amount);
    taskfit_strbuf_adds(text, what);
    return ", ";
}

/* " (1,000 less 128 for daemons, 100 of headroom)": where the room of an offer went, if anywhere. */
static void add_deductions(taskfit_strbuf *text, const taskfit_problem *problem, const taskfit_offer *offer, size_t resource) {
    taskfit_arena *scratch = taskfit_arena_new();
    const taskfit_instance_capacity given =
        taskfit_instance_capacity_of(problem->deployment, offer->group, offer->type, offer->az, scratch);
    const int64_t amount = given.amount[resource];
    const int64_t daemons = given.daemons[resource];
    const int64_t whole = resource == TASKFIT_RESOURCE_MEMORY ? given.registered_memory_mib
                          : resource == TASKFIT_RESOURCE_CPU  ? given.total_cpu_units
                                                              : amount;
    taskfit_arena_free(scratch);
    if (amount >= TASKFIT_UNLIMITED) {
        taskfit_strbuf_adds(text, ", as the policy caps it");
        const char *end = add_part(text, " (", daemons, " of daemons counted");
        taskfit_strbuf_adds(text, end[0] == ',' ? ")" : "");
        return;
    }
    if (whole == offer->capacity[resource]) {
        return;
    }
    taskfit_strbuf_adds(text, " (");
    taskfit_add_grouped(text, whole);
    const char *joint = add_part(text, " less ", whole - amount, resource == TASKFIT_RESOURCE_MEMORY ? " of reservedMemory" : " of reservedCpu");
    joint = add_part(text, joint, daemons, " for daemons");
    (void)add_part(text, joint, amount - daemons - offer->capacity[resource], " of headroom");
    taskfit_strbuf_adds(text, ")");
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
                             .service = taskfit_explain_service_name(problem, s),
                             .need = service->demand[resource],
                             .room = best->capacity[resource] < 0 ? 0 : best->capacity[resource],
                             .instance_type = type_name(problem, best)};
    TASKFIT_STRBUF(text);
    taskfit_strbuf_printf(&text, "a task of '%s' needs ", reason.service);
    taskfit_explain_add_quantity(&text, reason.need, resource);
    taskfit_strbuf_printf(&text, "; the best instance it may stand on, %s, has ", reason.instance_type);
    taskfit_add_grouped(&text, reason.room);
    add_deductions(&text, problem, best, resource);
    reason.message = taskfit_arena_strndup(arena, text.data, text.len);
    return reason;
}

/* ---- too few instances allowed ---- */

/* Tasks of the service that one instance of the type holds at most, in its best AZ. */
static int64_t most_together(const taskfit_problem *problem, const taskfit_problem_service *service, size_t first_offer, size_t n_azs) {
    int64_t most = 0;
    for (size_t o = first_offer; o < first_offer + n_azs; o++) {
        int64_t together = service->may_stand[o] ? service->replicas : 0;
        together = service->distinct_instance || service->n_ports > 0 ? min64(together, 1) : together;
        for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
            const int64_t capacity = problem->offers[o].capacity[r];
            if (service->demand[r] > 0) {
                together = min64(together, capacity > 0 ? capacity / service->demand[r] : 0);
            }
        }
        most = together > most ? together : most;
    }
    return most;
}

/* Places for tasks of the service on the most instances that max and stock allow a group. */
static int64_t places_in_group(const taskfit_problem *problem, const taskfit_problem_service *service, size_t g, bool *by_stock_out) {
    const taskfit_problem_group *group = &problem->groups[g];
    int64_t places = 0;
    for (size_t type = 0; type < group->n_types; type++) {
        const int64_t together = most_together(problem, service, group->first_offer + type * group->n_azs, group->n_azs);
        const int64_t stock = group->stock[type] < 0 ? group->max_instances : min64(group->stock[type], group->max_instances);
        *by_stock_out = *by_stock_out || (together > 0 && stock < group->max_instances);
        /* for mixed groups an upper bound: as if each type alone had the whole of max */
        places = group->mixed ? places + together * stock : together * stock > places ? together * stock : places;
    }
    return places;
}

/* More tasks of one service than all instances that may be there can take. */
static bool short_of_instances(const taskfit_problem *problem, size_t s, taskfit_arena *arena, taskfit_reason *reason_out) {
    const taskfit_problem_service *service = &problem->services[s];
    int64_t places = 0;
    bool by_stock = false;
    for (size_t g = 0; g < problem->n_groups; g++) {
        places += places_in_group(problem, service, g, &by_stock);
    }
    if (places >= service->replicas) {
        return false;
    }
    *reason_out = (taskfit_reason){.resource = by_stock ? TASKFIT_LIMIT_STOCK : TASKFIT_LIMIT_MAX,
                                   .service = taskfit_explain_service_name(problem, s),
                                   .need = service->replicas,
                                   .room = places};
    const char *each = service->distinct_instance ? ", one to an instance (distinctInstance)"
                       : service->n_ports > 0     ? ", one to an instance (fixed host port)"
                                                  : "";
    reason_out->message = taskfit_arena_printf(arena, "the instances that %s allow%s can take only %lld of the %lld tasks of '%s'%s",
                                               by_stock ? "stock and max" : "max", by_stock ? "" : "s", (long long)places,
                                               (long long)service->replicas, reason_out->service, each);
    return true;
}

/* ---- too few AZs ---- */

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
                                   .service = taskfit_explain_service_name(problem, s),
                                   .need = needed,
                                   .room = fitting};
    reason_out->message = taskfit_arena_printf(
        arena, "'%s' may stand in %lld availability zones and must be spread over %lld of them, but a task of it fits on an "
               "instance in only %lld",
        reason_out->service, (long long)eligible, (long long)needed, (long long)fitting);
    return true;
}

/* ---- instances that must stand and cannot ---- */

/* A group with `min` whose instances do not even hold their daemons. */
static bool daemons_overfill(const taskfit_problem *problem, size_t g, taskfit_arena *arena, taskfit_reason *reason_out) {
    const taskfit_problem_group *group = &problem->groups[g];
    const taskfit_offer *offer = NULL;
    size_t resource = 0;
    for (size_t o = group->first_offer; o < group->first_offer + group->n_types * group->n_azs; o++) {
        size_t r = 0;
        while (r < TASKFIT_RESOURCE_COUNT && problem->offers[o].capacity[r] >= 0) {
            r++;
        }
        if (r == TASKFIT_RESOURCE_COUNT) {
            return false;
        }
        offer = &problem->offers[o];
        resource = r;
    }
    if (offer == NULL || group->min_instances == 0) {
        return false;
    }
    *reason_out = (taskfit_reason){.resource = (taskfit_limit)resource, .need = -1, .room = 0, .instance_type = type_name(problem, offer)};
    TASKFIT_STRBUF(text);
    taskfit_strbuf_printf(&text, "group '%s' must have ", problem->deployment->groups[g].name);
    taskfit_explain_add_instances(&text, group->min_instances);
    taskfit_strbuf_printf(&text, ", but %s does not hold its daemons: ", reason_out->instance_type);
    taskfit_explain_add_quantity(&text, offer->capacity[resource] < 0 ? -offer->capacity[resource] : 0, resource);
    taskfit_strbuf_adds(&text, " too little");
    add_deductions(&text, problem, offer, resource);
    reason_out->message = taskfit_arena_strndup(arena, text.data, text.len);
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
        if (short_of_instances(problem, s, arena, reason_out) || short_of_azs(problem, s, arena, reason_out)) {
            return true;
        }
    }
    for (size_t g = 0; g < problem->n_groups; g++) {
        if (daemons_overfill(problem, g, arena, reason_out)) {
            return true;
        }
    }
    return false;
}
