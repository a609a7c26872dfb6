#include "problem/problem.h"

#include <assert.h>
#include <stdlib.h>

#include "deployment/conflict.h"
#include "deployment/rollout.h"

/* What compiling needs beside the problem itself; gone when it is done. */
typedef struct compile {
    const taskfit_deployment *deployment;
    taskfit_rung rung;
    taskfit_arena *arena;   /* the problem's */
    taskfit_arena *scratch; /* of the compilation */
    taskfit_problem *problem;
    taskfit_offer *offers;
    const taskfit_instance_capacity *capacities; /* [n_offers] */
    taskfit_problem_service *services;
    const taskfit_task_demand *demands; /* [n_services] */
    taskfit_port_mapping *ports;        /* distinct fixed host ports, ascending */
} compile;

bool taskfit_spread_in_force(const taskfit_policy *policy, taskfit_rung rung) {
    return rung >= TASKFIT_RUNG_SPREAD &&
           (policy->spread == TASKFIT_SPREAD_REQUIRED || taskfit_policy_rung(policy) < TASKFIT_RUNG_SPREAD);
}

taskfit_rolling_policy taskfit_rolling_in_force(const taskfit_policy *policy, taskfit_rung rung) {
    if (rung < TASKFIT_RUNG_ROLLING) {
        return TASKFIT_ROLLING_NONE;
    }
    return taskfit_policy_rung(policy) < TASKFIT_RUNG_ROLLING ? TASKFIT_ROLLING_ONE_SERVICE : policy->rolling;
}

taskfit_survive_policy taskfit_survive_in_force(const taskfit_policy *policy, taskfit_rung rung) {
    if (rung < TASKFIT_RUNG_SURVIVE) {
        return TASKFIT_SURVIVE_NONE;
    }
    return policy->survive == TASKFIT_SURVIVE_NONE ? TASKFIT_SURVIVE_INSTANCE : policy->survive;
}

bool taskfit_rung_on_ladder(const taskfit_policy *policy, taskfit_rung rung) {
    const bool above_own = rung > taskfit_policy_rung(policy);
    switch (rung) {
    case TASKFIT_RUNG_PACKING:
        return true;
    case TASKFIT_RUNG_LIMITS:
        return taskfit_policy_has_limits(policy);
    case TASKFIT_RUNG_SPREAD:
        return above_own || policy->spread == TASKFIT_SPREAD_REQUIRED;
    case TASKFIT_RUNG_ROLLING:
        return above_own || policy->rolling != TASKFIT_ROLLING_NONE;
    case TASKFIT_RUNG_SURVIVE:
        return above_own || policy->survive != TASKFIT_SURVIVE_NONE;
    case TASKFIT_RUNG_COUNT:
        break;
    }
    return false;
}

/* ---- offers ---- */

static int64_t percent_floor(int64_t base, int64_t percent) {
    return base * percent / 100;
}

static int64_t percent_ceil(int64_t base, int64_t percent) {
    return (base * percent + 99) / 100;
}

static void cap(int64_t *amount, int64_t base, int64_t percent) {
    if (percent >= 0 && percent_floor(base, percent) < *amount) {
        *amount = percent_floor(base, percent);
    }
}

static void less_daemons(const taskfit_instance_capacity *given, int64_t *capacity) {
    for (size_t resource = 0; resource < TASKFIT_RESOURCE_COUNT; resource++) {
        if (capacity[resource] < TASKFIT_UNLIMITED) {
            capacity[resource] -= given->daemons[resource];
        }
    }
}

/* What is left for tasks: less headroom and under the caps where they are rules, less daemons. */
static void offer_capacity(const compile *c, const taskfit_instance_capacity *given, int64_t *capacity) {
    const taskfit_policy *policy = &c->deployment->policy;
    memcpy(capacity, given->amount, sizeof given->amount);
    if (c->rung >= TASKFIT_RUNG_LIMITS) {
        const int64_t memory_mib = given->registered_memory_mib;
        const int64_t cpu_units = given->total_cpu_units;
        capacity[TASKFIT_RESOURCE_MEMORY] -= percent_ceil(memory_mib, policy->headroom_memory_percent);
        capacity[TASKFIT_RESOURCE_CPU] -= percent_ceil(cpu_units, policy->headroom_cpu_percent);
        cap(&capacity[TASKFIT_RESOURCE_HARD_MEMORY], memory_mib, policy->max_hard_memory_percent);
        cap(&capacity[TASKFIT_RESOURCE_EXPECTED_CPU], cpu_units, policy->max_expected_cpu_percent);
        cap(&capacity[TASKFIT_RESOURCE_EXPECTED_MEMORY], memory_mib, policy->max_expected_memory_percent);
    }
    less_daemons(given, capacity);
}

static void compile_groups(compile *c) {
    const taskfit_deployment *deployment = c->deployment;
    size_t n_offers = 0;
    for (size_t group = 0; group < deployment->n_groups; group++) {
        n_offers += deployment->groups[group].n_types * deployment->groups[group].n_azs;
    }
    taskfit_problem_group *groups = TASKFIT_ARRAY(c->arena, deployment->n_groups, taskfit_problem_group);
    taskfit_instance_capacity *capacities = TASKFIT_ARRAY(c->scratch, n_offers, taskfit_instance_capacity);
    c->offers = TASKFIT_ARRAY(c->arena, n_offers, taskfit_offer);
    size_t offer = 0;
    for (size_t group = 0; group < deployment->n_groups; group++) {
        const taskfit_instance_group *from = &deployment->groups[group];
        int64_t *stock = TASKFIT_ARRAY(c->arena, from->n_types, int64_t);
        groups[group] = (taskfit_problem_group){.mixed = from->mixed,
                                                .min_instances = from->min_instances,
                                                .max_instances = from->max_instances,
                                                .azs = from->azs,
                                                .n_azs = from->n_azs,
                                                .n_types = from->n_types,
                                                .stock = stock,
                                                .first_offer = offer};
        for (size_t type = 0; type < from->n_types; type++) {
            stock[type] = from->types[type].stock;
            for (size_t k = 0; k < from->n_azs; k++, offer++) {
                const size_t az = from->azs[k];
                c->offers[offer] = (taskfit_offer){.group = group,
                                                   .type = type,
                                                   .az = az,
                                                   .price_usd_micros = from->types[type].price_usd_micros};
                capacities[offer] = taskfit_instance_capacity_of(deployment, group, type, az, c->scratch);
                offer_capacity(c, &capacities[offer], c->offers[offer].capacity);
                memcpy(c->offers[offer].ecs_capacity, capacities[offer].amount, sizeof capacities[offer].amount);
                less_daemons(&capacities[offer], c->offers[offer].ecs_capacity);
            }
        }
    }
    c->capacities = capacities;
    c->problem->offers = c->offers;
    c->problem->n_offers = n_offers;
    c->problem->groups = groups;
    c->problem->n_groups = deployment->n_groups;
}

/* ---- services ---- */

static bool has_port(const taskfit_port_mapping *ports, size_t n_ports, const taskfit_port_mapping *port) {
    for (size_t i = 0; i < n_ports; i++) {
        if (taskfit_port_compare(&ports[i], port) == 0) {
            return true;
        }
    }
    return false;
}

static void collect_ports(compile *c) {
    size_t n_ports = 0;
    for (size_t service = 0; service < c->problem->n_services; service++) {
        n_ports += c->demands[service].n_ports;
    }
    c->ports = TASKFIT_ARRAY(c->scratch, n_ports, taskfit_port_mapping);
    size_t n = 0;
    for (size_t service = 0; service < c->problem->n_services; service++) {
        for (size_t i = 0; i < c->demands[service].n_ports; i++) {
            c->ports[n++] = c->demands[service].ports[i];
        }
    }
    if (n > 0) {
        qsort(c->ports, n, sizeof *c->ports, taskfit_port_compare);
    }
    size_t n_unique = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || taskfit_port_compare(&c->ports[i], &c->ports[n_unique - 1]) != 0) {
            c->ports[n_unique++] = c->ports[i];
        }
    }
    c->problem->n_ports = n_unique;
}

static const bool *standing_places(const compile *c, const taskfit_service *service, const taskfit_task_demand *demand) {
    bool *may_stand = TASKFIT_ARRAY(c->arena, c->problem->n_offers, bool);
    for (size_t o = 0; o < c->problem->n_offers; o++) {
        const taskfit_offer *offer = &c->offers[o];
        may_stand[o] = taskfit_service_permitted(c->deployment, service, offer->group, offer->type, offer->az);
        for (size_t i = 0; i < demand->n_ports && may_stand[o]; i++) {
            may_stand[o] = !has_port(c->capacities[o].ports, c->capacities[o].n_ports, &demand->ports[i]);
        }
    }
    return may_stand;
}

static size_t count_eligible_azs(const compile *c, const bool *may_stand) {
    size_t n = 0;
    for (size_t az = 0; az < c->problem->n_azs; az++) {
        for (size_t o = 0; o < c->problem->n_offers; o++) {
            if (may_stand[o] && c->offers[o].az == az) {
                n++;
                break;
            }
        }
    }
    return n;
}

/* Each spread rule holds inside each class made by those before it: after spread by instance a class is one
 * instance, so that a later rule says nothing. */
static void compile_spread(const compile *c, const taskfit_service *from, taskfit_problem_service *service) {
    const bool several_azs = count_eligible_azs(c, service->may_stand) > 1;
    for (size_t i = 0; i < from->n_strategies && !service->spread_instance; i++) {
        if (from->strategies[i].type == TASKFIT_STRATEGY_SPREAD_AZ) {
            service->spread_az = several_azs;
        } else if (from->strategies[i].type == TASKFIT_STRATEGY_SPREAD_INSTANCE) {
            service->spread_instance = true;
            service->spread_az_before_instance = service->spread_az;
        }
    }
}

static void compile_services(compile *c) {
    const taskfit_deployment *deployment = c->deployment;
    const bool spread = taskfit_spread_in_force(&deployment->policy, c->rung);
    taskfit_task_demand *demands = TASKFIT_ARRAY(c->scratch, deployment->n_services, taskfit_task_demand);
    c->services = TASKFIT_ARRAY(c->arena, deployment->n_services, taskfit_problem_service);
    c->demands = demands;
    size_t n = 0;
    for (size_t index = 0; index < deployment->n_services; index++) {
        if (deployment->services[index].desired_count > 0) {
            demands[n] = taskfit_task_demand_of(&deployment->services[index], c->scratch);
            c->services[n++].service = index;
        }
    }
    c->problem->services = c->services;
    c->problem->n_services = n;
    collect_ports(c);
    for (size_t index = 0; index < n; index++) {
        taskfit_problem_service *service = &c->services[index];
        const taskfit_service *from = &deployment->services[service->service];
        const taskfit_task_demand *demand = &demands[index];
        service->replicas = from->desired_count;
        memcpy(service->demand, demand->amount, sizeof service->demand);
        service->distinct_instance = from->distinct_instance;
        service->deploy_tasks = c->problem->rolling == TASKFIT_ROLLING_NONE ? 0 : taskfit_rollout_tasks(from);
        size_t *ports = TASKFIT_ARRAY(c->arena, demand->n_ports, size_t);
        for (size_t i = 0; i < demand->n_ports; i++) {
            const taskfit_port_mapping *found =
                bsearch(&demand->ports[i], c->ports, c->problem->n_ports, sizeof *c->ports, taskfit_port_compare);
            assert(found != NULL);
            ports[i] = (size_t)(found - c->ports);
        }
        service->ports = ports;
        service->n_ports = demand->n_ports;
        service->may_stand = standing_places(c, from, demand);
        if (spread) {
            compile_spread(c, from, service);
        }
    }
}

/* ---- services that never share an instance ---- */

static void compile_conflicts(compile *c) {
    const taskfit_deployment *deployment = c->deployment;
    const bool all = c->problem->n_services == deployment->n_services; /* then they are the same, and not copied */
    const taskfit_conflicts *conflicts =
        taskfit_conflicts_standing(deployment, c->rung >= TASKFIT_RUNG_LIMITS, all ? c->arena : c->scratch);
    size_t *compiled = TASKFIT_ARRAY(c->scratch, deployment->n_services, size_t); /* index in the problem + 1 */
    for (size_t s = 0; s < c->problem->n_services; s++) {
        compiled[c->services[s].service] = s + 1;
    }
    for (size_t s = 0; s < c->problem->n_services; s++) {
        taskfit_problem_service *service = &c->services[s];
        const taskfit_conflicts *of = &conflicts[service->service];
        uint32_t *others = all ? NULL : TASKFIT_ARRAY(c->arena, of->n, uint32_t);
        for (size_t i = 0; i < of->n && !all; i++) {
            if (compiled[of->services[i]] > 0) {
                others[service->n_conflicts++] = (uint32_t)(compiled[of->services[i]] - 1);
            }
        }
        service->conflicts = all ? of->services : others;
        service->n_conflicts = all ? of->n : service->n_conflicts;
    }
}

taskfit_problem *taskfit_problem_new(const taskfit_deployment *deployment, taskfit_rung rung) {
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_problem *problem = TASKFIT_NEW(arena, taskfit_problem);
    problem->arena = arena;
    problem->deployment = deployment;
    problem->rung = rung;
    problem->n_azs = deployment->n_azs;
    problem->rolling = taskfit_rolling_in_force(&deployment->policy, rung);
    problem->survive = taskfit_survive_in_force(&deployment->policy, rung);
    for (size_t i = 0; i < deployment->policy.n_objective; i++) {
        if (deployment->policy.objective[i] != TASKFIT_GOAL_MOVES) {
            problem->objective[problem->n_objective++] = deployment->policy.objective[i];
        }
    }
    compile c = {.deployment = deployment,
                 .rung = rung,
                 .arena = arena,
                 .scratch = taskfit_arena_new(),
                 .problem = problem};
    compile_groups(&c);
    compile_services(&c);
    compile_conflicts(&c);
    taskfit_arena_free(c.scratch);
    return problem;
}

void taskfit_problem_free(taskfit_problem *problem) {
    if (problem != NULL) {
        taskfit_arena_free(problem->arena);
    }
}
