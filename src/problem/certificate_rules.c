#include "problem/certificate.h"

#include <string.h>

#include "deployment/conflict.h"
#include "deployment/rollout.h"

/* Written apart from problem.c on purpose: what the optimizer got wrong there must not be wrong here too. */

static int64_t percent_up(int64_t base, int64_t percent) {
    return (base * percent + 99) / 100;
}

static void lower_to(int64_t *amount, int64_t base, int64_t percent) {
    const int64_t most = percent < 0 ? INT64_MAX : base * percent / 100;
    *amount = *amount < most ? *amount : most;
}

static void set_capacity(const taskfit_policy *policy, bool limits, taskfit_cert_offer *offer) {
    const taskfit_instance_capacity *given = offer->given;
    memcpy(offer->capacity, given->amount, sizeof offer->capacity);
    if (limits) {
        offer->capacity[TASKFIT_RESOURCE_MEMORY] -= percent_up(given->registered_memory_mib, policy->headroom_memory_percent);
        offer->capacity[TASKFIT_RESOURCE_CPU] -= percent_up(given->total_cpu_units, policy->headroom_cpu_percent);
        lower_to(&offer->capacity[TASKFIT_RESOURCE_HARD_MEMORY], given->registered_memory_mib, policy->max_hard_memory_percent);
        lower_to(&offer->capacity[TASKFIT_RESOURCE_EXPECTED_CPU], given->total_cpu_units, policy->max_expected_cpu_percent);
        lower_to(&offer->capacity[TASKFIT_RESOURCE_EXPECTED_MEMORY], given->registered_memory_mib,
                 policy->max_expected_memory_percent);
    }
    for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
        offer->capacity[r] -= offer->capacity[r] < TASKFIT_UNLIMITED ? given->daemons[r] : 0;
        offer->bare[r] = given->amount[r] - (given->amount[r] < TASKFIT_UNLIMITED ? given->daemons[r] : 0);
    }
}

static void list_offers(taskfit_cert_rules *rules, taskfit_arena *arena) {
    const taskfit_deployment *deployment = rules->deployment;
    size_t *first = TASKFIT_ARRAY(arena, deployment->n_groups, size_t);
    for (size_t g = 0; g < deployment->n_groups; g++) {
        first[g] = rules->n_offers;
        rules->n_offers += deployment->groups[g].n_types * deployment->groups[g].n_azs;
    }
    taskfit_cert_offer *offers = TASKFIT_ARRAY(arena, rules->n_offers, taskfit_cert_offer);
    taskfit_cert_offer *offer = offers;
    for (size_t g = 0; g < deployment->n_groups; g++) {
        const taskfit_instance_group *group = &deployment->groups[g];
        for (size_t t = 0; t < group->n_types; t++) {
            for (size_t k = 0; k < group->n_azs; k++, offer++) {
                taskfit_instance_capacity *given = TASKFIT_NEW(arena, taskfit_instance_capacity);
                *given = taskfit_instance_capacity_of(deployment, g, t, group->azs[k], arena);
                *offer = (taskfit_cert_offer){
                    .group = g, .type = t, .az = group->azs[k], .price_usd_micros = group->types[t].price_usd_micros, .given = given};
                set_capacity(&deployment->policy, rules->rung >= TASKFIT_RUNG_LIMITS, offer);
            }
        }
    }
    rules->offers = offers;
    rules->first_offer = first;
}

static bool port_taken(const taskfit_instance_capacity *given, const taskfit_task_demand *demand) {
    for (size_t i = 0; i < demand->n_ports; i++) {
        for (size_t j = 0; j < given->n_ports; j++) {
            if (given->ports[j].protocol == demand->ports[i].protocol && given->ports[j].host_port == demand->ports[i].host_port) {
                return true;
            }
        }
    }
    return false;
}

/* Where it may stand, by its strategies also how many in each AZ. */
static void place_service(const taskfit_cert_rules *rules, bool spread, taskfit_cert_service *service, taskfit_arena *arena) {
    const taskfit_service *from = &rules->deployment->services[service->service];
    bool *may_stand = TASKFIT_ARRAY(arena, rules->n_offers, bool);
    int64_t *low = TASKFIT_ARRAY(arena, rules->n_azs, int64_t);
    int64_t *high = TASKFIT_ARRAY(arena, rules->n_azs, int64_t);
    int64_t n_eligible = 0;
    for (size_t o = 0; o < rules->n_offers; o++) {
        const taskfit_cert_offer *offer = &rules->offers[o];
        may_stand[o] = taskfit_service_permitted(rules->deployment, from, offer->group, offer->type, offer->az) &&
                       !port_taken(offer->given, &service->demand);
        if (may_stand[o] && high[offer->az] == 0) {
            high[offer->az] = service->replicas;
            n_eligible++;
        }
    }
    for (size_t i = 0; i < from->n_strategies && spread && !service->spread_instance; i++) {
        service->spread_az = service->spread_az || (from->strategies[i].type == TASKFIT_STRATEGY_SPREAD_AZ && n_eligible > 1);
        service->spread_instance = from->strategies[i].type == TASKFIT_STRATEGY_SPREAD_INSTANCE;
    }
    for (size_t az = 0; az < rules->n_azs && service->spread_az; az++) {
        low[az] = high[az] > 0 ? service->replicas / n_eligible : 0;
        high[az] = high[az] > 0 ? (service->replicas + n_eligible - 1) / n_eligible : 0;
    }
    service->may_stand = may_stand;
    service->low = low;
    service->high = high;
}

static bool same_port(const taskfit_task_demand *a, const taskfit_task_demand *b) {
    for (size_t i = 0; i < a->n_ports; i++) {
        for (size_t j = 0; j < b->n_ports; j++) {
            if (a->ports[i].protocol == b->ports[j].protocol && a->ports[i].host_port == b->ports[j].host_port) {
                return true;
            }
        }
    }
    return false;
}

/* By policy and memberOf, and by a fixed host port that both have. */
static void list_conflicts(const taskfit_cert_rules *rules, taskfit_cert_service *services, taskfit_arena *arena) {
    const taskfit_conflicts *standing =
        taskfit_conflicts_standing(rules->deployment, rules->rung >= TASKFIT_RUNG_LIMITS, arena);
    for (size_t s = 0; s < rules->n_services; s++) {
        size_t *others = NULL;
        size_t capacity = 0;
        const taskfit_conflicts *of = &standing[services[s].service];
        for (size_t other = 0; other < rules->n_services && (of->n > 0 || services[s].demand.n_ports > 0); other++) {
            bool apart = other != s && same_port(&services[s].demand, &services[other].demand);
            for (size_t i = 0; i < of->n && !apart; i++) {
                apart = of->services[i] == services[other].service;
            }
            if (apart) {
                TASKFIT_GROW(arena, others, services[s].n_conflicts, capacity);
                others[services[s].n_conflicts++] = other;
            }
        }
        services[s].conflicts = others;
    }
}

const taskfit_cert_rules *taskfit_cert_rules_new(const taskfit_deployment *deployment, taskfit_rung rung, taskfit_arena *arena) {
    const taskfit_policy *policy = &deployment->policy;
    taskfit_cert_rules *rules = TASKFIT_NEW(arena, taskfit_cert_rules);
    *rules = (taskfit_cert_rules){.deployment = deployment,
                                  .rung = rung,
                                  .rolling = TASKFIT_ROLLING_NONE,
                                  .survive = TASKFIT_SURVIVE_NONE,
                                  .n_azs = deployment->n_azs};
    const bool spread = rung >= TASKFIT_RUNG_SPREAD && (policy->spread == TASKFIT_SPREAD_REQUIRED ||
                                                        taskfit_policy_rung(policy) < TASKFIT_RUNG_SPREAD);
    if (rung >= TASKFIT_RUNG_ROLLING) {
        rules->rolling = taskfit_policy_rung(policy) < TASKFIT_RUNG_ROLLING ? TASKFIT_ROLLING_ONE_SERVICE : policy->rolling;
    }
    if (rung >= TASKFIT_RUNG_SURVIVE) {
        rules->survive = policy->survive == TASKFIT_SURVIVE_NONE ? TASKFIT_SURVIVE_INSTANCE : policy->survive;
    }
    list_offers(rules, arena);
    taskfit_cert_service *services = TASKFIT_ARRAY(arena, deployment->n_services, taskfit_cert_service);
    for (size_t s = 0; s < deployment->n_services; s++) {
        const taskfit_service *from = &deployment->services[s];
        if (from->desired_count == 0) {
            continue;
        }
        taskfit_cert_service *service = &services[rules->n_services++];
        service->service = s;
        service->replicas = from->desired_count;
        service->deploy_tasks = rules->rolling != TASKFIT_ROLLING_NONE ? taskfit_rollout_tasks(from) : 0;
        service->demand = taskfit_task_demand_of(from, arena);
        service->single = from->distinct_instance || service->demand.n_ports > 0;
        place_service(rules, spread, service, arena);
    }
    list_conflicts(rules, services, arena);
    rules->services = services;
    return rules;
}

size_t taskfit_cert_service_named(const taskfit_cert_rules *rules, const char *name) {
    for (size_t s = 0; s < rules->n_services; s++) {
        if (strcmp(rules->deployment->services[rules->services[s].service].name, name) == 0) {
            return s;
        }
    }
    return SIZE_MAX;
}
