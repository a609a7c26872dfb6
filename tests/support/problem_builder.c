#include "problem_builder.h"

#include <assert.h>
#include <string.h>

struct problem_builder {
    taskfit_arena *arena;
    taskfit_deployment deployment;
    taskfit_problem problem;
    builder_group *groups;
    size_t n_groups, groups_capacity;
    builder_service *services;
    size_t n_services, services_capacity;
};

problem_builder *problem_builder_new(size_t n_azs) {
    taskfit_arena *arena = taskfit_arena_new();
    problem_builder *b = TASKFIT_NEW(arena, problem_builder);
    b->arena = arena;
    b->problem.arena = arena;
    b->problem.n_azs = n_azs;
    b->problem.objective[0] = TASKFIT_GOAL_COUNT;
    b->problem.objective[1] = TASKFIT_GOAL_COST;
    b->problem.n_objective = 2;
    b->problem.rolling = TASKFIT_ROLLING_NONE;
    b->problem.survive = TASKFIT_SURVIVE_NONE;
    return b;
}

void problem_builder_free(problem_builder *b) {
    taskfit_arena_free(b->arena);
}

void problem_builder_group(problem_builder *b, const builder_group *group) {
    TASKFIT_GROW(b->arena, b->groups, b->n_groups, b->groups_capacity);
    b->groups[b->n_groups++] = *group;
}

void problem_builder_service(problem_builder *b, const builder_service *service) {
    TASKFIT_GROW(b->arena, b->services, b->n_services, b->services_capacity);
    b->services[b->n_services++] = *service;
}

void problem_builder_objective(problem_builder *b, const taskfit_goal *goals, size_t n_goals) {
    assert(n_goals <= 4);
    memcpy(b->problem.objective, goals, n_goals * sizeof *goals);
    b->problem.n_objective = n_goals;
}

void problem_builder_rooms(problem_builder *b, taskfit_rolling_policy rolling, taskfit_survive_policy survive) {
    b->problem.rolling = rolling;
    b->problem.survive = survive;
}

static bool has_bit(uint64_t mask, size_t bit) {
    return mask == 0 || (bit < 64 && (mask >> bit & 1) != 0);
}

static int64_t or_else(int64_t value, int64_t otherwise) {
    return value == 0 ? otherwise : value;
}

static void set_capacity(taskfit_offer *offer, const builder_type *type) {
    for (size_t resource = 0; resource < TASKFIT_RESOURCE_COUNT; resource++) {
        offer->capacity[resource] = TASKFIT_UNLIMITED;
    }
    offer->capacity[TASKFIT_RESOURCE_MEMORY] = or_else(type->memory_mib, TASKFIT_UNLIMITED);
    offer->capacity[TASKFIT_RESOURCE_CPU] = or_else(type->cpu_units, TASKFIT_UNLIMITED);
    offer->capacity[TASKFIT_RESOURCE_TASKS] = or_else(type->tasks, TASKFIT_UNLIMITED);
    memcpy(offer->ecs_capacity, offer->capacity, sizeof offer->capacity);
    if (type->memory_mib > 0) {
        offer->capacity[TASKFIT_RESOURCE_MEMORY] -= type->headroom_mib;
    }
    offer->price_usd_micros = or_else(type->price_usd_micros, 1000000);
}

static void finish_groups(problem_builder *b) {
    taskfit_problem_group *groups = TASKFIT_ARRAY(b->arena, b->n_groups, taskfit_problem_group);
    taskfit_instance_group *named = TASKFIT_ARRAY(b->arena, b->n_groups, taskfit_instance_group);
    taskfit_offer *offers = TASKFIT_ARRAY(b->arena, b->n_groups * BUILDER_MAX_TYPES * b->problem.n_azs, taskfit_offer);
    size_t n_offers = 0;
    for (size_t g = 0; g < b->n_groups; g++) {
        const builder_group *from = &b->groups[g];
        size_t *azs = TASKFIT_ARRAY(b->arena, b->problem.n_azs, size_t);
        int64_t *stock = TASKFIT_ARRAY(b->arena, from->n_types, int64_t);
        taskfit_candidate_type *types = TASKFIT_ARRAY(b->arena, from->n_types, taskfit_candidate_type);
        taskfit_problem_group *group = &groups[g];
        *group = (taskfit_problem_group){.mixed = from->mixed,
                                         .min_instances = from->min_instances,
                                         .max_instances = or_else(from->max_instances, 10000),
                                         .azs = azs,
                                         .n_types = from->n_types,
                                         .stock = stock,
                                         .first_offer = n_offers};
        for (size_t az = 0; az < b->problem.n_azs; az++) {
            if (has_bit(from->azs, az)) {
                azs[group->n_azs++] = az;
            }
        }
        for (size_t t = 0; t < from->n_types; t++) {
            stock[t] = or_else(from->types[t].stock, -1);
            types[t].type.name = taskfit_arena_printf(b->arena, "t%zu", t);
            types[t].stock = stock[t];
            types[t].price_usd_micros = or_else(from->types[t].price_usd_micros, 1000000);
            for (size_t k = 0; k < group->n_azs; k++) {
                offers[n_offers] = (taskfit_offer){.group = g, .type = t, .az = azs[k]};
                set_capacity(&offers[n_offers++], &from->types[t]);
            }
        }
        named[g] = (taskfit_instance_group){.name = taskfit_arena_printf(b->arena, "g%zu", g),
                                            .types = types,
                                            .n_types = from->n_types,
                                            .mixed = from->mixed,
                                            .min_instances = group->min_instances,
                                            .max_instances = group->max_instances,
                                            .azs = azs,
                                            .n_azs = group->n_azs};
    }
    b->problem.groups = groups;
    b->problem.n_groups = b->n_groups;
    b->problem.offers = offers;
    b->problem.n_offers = n_offers;
    b->deployment.groups = named;
    b->deployment.n_groups = b->n_groups;
}

static bool in_conflict(const problem_builder *b, size_t a, size_t c) {
    return a != c && ((c < 64 && (b->services[a].conflicts >> c & 1) != 0) ||
                      (a < 64 && (b->services[c].conflicts >> a & 1) != 0));
}

static void finish_service(problem_builder *b, size_t s, taskfit_problem_service *service) {
    const builder_service *from = &b->services[s];
    size_t *ports = TASKFIT_ARRAY(b->arena, from->ports == 0 ? 0 : 64, size_t);
    uint32_t *conflicts = NULL;
    size_t conflicts_capacity = 0;
    bool *may_stand = TASKFIT_ARRAY(b->arena, b->problem.n_offers, bool);
    *service = (taskfit_problem_service){.service = s,
                                         .replicas = from->replicas,
                                         .ports = ports,
                                         .distinct_instance = from->distinct_instance,
                                         .may_stand = may_stand,
                                         .spread_instance = from->spread_instance,
                                         .deploy_tasks = b->problem.rolling == TASKFIT_ROLLING_NONE || from->stops_first
                                                             ? 0
                                                             : from->full_set ? from->replicas : 1};
    service->demand[TASKFIT_RESOURCE_MEMORY] = from->memory_mib;
    service->demand[TASKFIT_RESOURCE_CPU] = from->cpu_units;
    service->demand[TASKFIT_RESOURCE_TASKS] = 1;
    for (size_t port = 0; port < 64; port++) {
        if ((from->ports >> port & 1) != 0) {
            ports[service->n_ports++] = port;
        }
    }
    uint64_t eligible = 0;
    for (size_t o = 0; o < b->problem.n_offers; o++) {
        const taskfit_offer *offer = &b->problem.offers[o];
        may_stand[o] = has_bit(from->groups, offer->group) && has_bit(from->azs, offer->az) && has_bit(from->types, offer->type);
        eligible |= may_stand[o] ? UINT64_C(1) << offer->az : 0;
    }
    service->spread_az = from->spread_az && (eligible & (eligible - 1)) != 0;
    service->spread_az_before_instance = service->spread_az && service->spread_instance;
    for (size_t other = 0; other < b->n_services; other++) {
        if (in_conflict(b, s, other)) {
            TASKFIT_GROW(b->arena, conflicts, service->n_conflicts, conflicts_capacity);
            conflicts[service->n_conflicts++] = (uint32_t)other;
        }
    }
    service->conflicts = conflicts;
}

const taskfit_problem *problem_builder_finish(problem_builder *b) {
    finish_groups(b);
    taskfit_problem_service *services = TASKFIT_ARRAY(b->arena, b->n_services, taskfit_problem_service);
    taskfit_service *named = TASKFIT_ARRAY(b->arena, b->n_services, taskfit_service);
    const char **azs = TASKFIT_ARRAY(b->arena, b->problem.n_azs, const char *);
    for (size_t az = 0; az < b->problem.n_azs; az++) {
        azs[az] = taskfit_arena_printf(b->arena, "az%zu", az);
    }
    for (size_t s = 0; s < b->n_services; s++) {
        finish_service(b, s, &services[s]);
        named[s] = (taskfit_service){.name = taskfit_arena_printf(b->arena, "s%zu", s), .desired_count = b->services[s].replicas};
    }
    b->problem.n_ports = 64;
    b->problem.rung = TASKFIT_RUNG_SPREAD;
    b->problem.services = services;
    b->problem.n_services = b->n_services;
    b->deployment.services = named;
    b->deployment.n_services = b->n_services;
    b->deployment.azs = azs;
    b->deployment.n_azs = b->problem.n_azs;
    b->problem.deployment = &b->deployment;
    return &b->problem;
}
