/*
 * A plan as the document that every verb and every tool reads (schema taskfit.plan/1). The order in which keys
 * are set here is the order in which they are written.
 */

#include "problem/plan.h"

#include <string.h>

#include "deployment/accounting.h"
#include "problem/plan_put.h"

static node *text_list(taskfit_arena *arena, const char *const *texts, size_t n) {
    node *list = taskfit_node_list(arena);
    for (size_t i = 0; i < n; i++) {
        taskfit_node_append(arena, list, taskfit_node_string(arena, texts[i]));
    }
    return list;
}

static node *deployment_node(const taskfit_deployment *deployment, taskfit_arena *arena) {
    node *map = taskfit_node_map(arena);
    put_text(arena, map, "file", deployment->file);
    put_text(arena, map, "sha256", deployment->sha256);
    put_text(arena, map, "name", deployment->name);
    put_text(arena, map, "scenario", deployment->scenario);
    put(arena, map, "edits", text_list(arena, deployment->edits, deployment->n_edits));
    put(arena, map, "resolved", taskfit_node_copy(arena, deployment->resolved));
    return map;
}

static node *goals_node(const taskfit_plan *plan, taskfit_arena *arena) {
    node *list = taskfit_node_list(arena);
    for (size_t i = 0; i < plan->n_goals; i++) {
        const taskfit_plan_goal *goal = &plan->goals[i];
        node *map = taskfit_node_map(arena);
        put_text(arena, map, "goal", goal->goal);
        put_text(arena, map, "value", goal->value);
        put_text(arena, map, "bound", goal->bound);
        put_text(arena, map, "proof", taskfit_proof_name(goal->proof));
        taskfit_node_append(arena, list, map);
    }
    return list;
}

static node *anti_affinity_node(const taskfit_policy *policy, taskfit_arena *arena) {
    node *lists = taskfit_node_list(arena);
    for (size_t i = 0; i < policy->n_anti_affinity; i++) {
        size_t n_globs = 0;
        while (policy->anti_affinity[i][n_globs]) {
            n_globs++;
        }
        taskfit_node_append(arena, lists, text_list(arena, policy->anti_affinity[i], n_globs));
    }
    return lists;
}

/* The three words every plan has, then what the policy limits. */
static node *policy_node(const taskfit_policy *policy, taskfit_arena *arena) {
    node *map = taskfit_node_map(arena);
    put_text(arena, map, "spread", taskfit_spread_policy_name(policy->spread));
    put_text(arena, map, "rollingDeployment", taskfit_rolling_policy_name(policy->rolling));
    put_text(arena, map, "surviveLoss", taskfit_survive_policy_name(policy->survive));
    if (policy->headroom_memory_percent > 0 || policy->headroom_cpu_percent > 0) {
        node *headroom = taskfit_node_map(arena);
        put_int(arena, headroom, "memoryPercent", policy->headroom_memory_percent);
        put_int(arena, headroom, "cpuPercent", policy->headroom_cpu_percent);
        put(arena, map, "headroom", headroom);
    }
    const struct {
        const char *key;
        int64_t percent;
    } caps[] = {
        {"maxHardMemoryPercent", policy->max_hard_memory_percent},
        {"maxExpectedCpuPercent", policy->max_expected_cpu_percent},
        {"maxExpectedMemoryPercent", policy->max_expected_memory_percent},
    };
    for (size_t i = 0; i < sizeof caps / sizeof caps[0]; i++) {
        if (caps[i].percent >= 0) {
            put_int(arena, map, caps[i].key, caps[i].percent);
        }
    }
    if (policy->n_anti_affinity > 0) {
        put(arena, map, "antiAffinity", anti_affinity_node(policy, arena));
    }
    return map;
}

static node *reason_node(const taskfit_plan_reason *reason, taskfit_arena *arena) {
    node *map = taskfit_node_map(arena);
    put_text(arena, map, "service", reason->service);
    put_text(arena, map, "resource", reason->resource);
    put_known(arena, map, "need", reason->need);
    put_known(arena, map, "room", reason->room);
    put_text(arena, map, "instanceType", reason->instance_type);
    put_text(arena, map, "message", reason->message);
    return map;
}

static node *ladder_node(const taskfit_plan *plan, taskfit_arena *arena) {
    node *list = taskfit_node_list(arena);
    for (size_t i = 0; i < plan->n_ladder; i++) {
        const taskfit_plan_rung *rung = &plan->ladder[i];
        node *map = taskfit_node_map(arena);
        put_text(arena, map, "rung", taskfit_rung_name(rung->rung));
        put_known(arena, map, "instances", rung->instances);
        put_known(arena, map, "lowerBound", rung->proof == TASKFIT_PROOF_INFEASIBLE ? -1 : rung->lower_bound);
        put_text(arena, map, "proof", taskfit_proof_name(rung->proof));
        put_usd_per_hour(arena, map, "costUsdPerHour", rung->cost_usd_micros);
        if (rung->reason) {
            put(arena, map, "reason", reason_node(rung->reason, arena));
        }
        taskfit_node_append(arena, list, map);
    }
    return list;
}

/* As JSON readers give it back: "0.948", "0.94", "0". */
static void put_permille(taskfit_arena *arena, node *map, const char *key, int64_t permille) {
    char *text = taskfit_arena_printf(arena, "%lld.%03lld", (long long)(permille / 1000), (long long)(permille % 1000));
    size_t len = strlen(text);
    while (text[len - 1] == '0') {
        len--;
    }
    text[text[len - 1] == '.' ? len - 1 : len] = '\0';
    put(arena, map, key, permille < 0 ? taskfit_node_null(arena) : taskfit_node_plain(arena, text));
}

static node *ecs_node(const taskfit_plan_ecs *ecs, taskfit_arena *arena) {
    if (ecs->orders == 0) {
        return taskfit_node_null(arena);
    }
    node *map = taskfit_node_map(arena);
    put_int(arena, map, "instances", ecs->instances);
    put_int(arena, map, "orders", ecs->orders);
    put_int(arena, map, "seed", ecs->seed);
    put_permille(arena, map, "successShareBelow", ecs->below_permille);
    put_permille(arena, map, "spreadLostShare", ecs->spread_lost_permille);
    return map;
}

static node *binding_node(const taskfit_plan *plan, taskfit_arena *arena) {
    if (!plan->binding_resource) {
        return taskfit_node_null(arena);
    }
    node *map = taskfit_node_map(arena);
    put_text(arena, map, "resource", plan->binding_resource);
    put_text(arena, map, "note", plan->binding_note);
    return map;
}

/* memory, CPU, ENI slots and GPUs of one machine. */
static node *amounts_node(const int64_t *amounts, bool eni_is_null, taskfit_arena *arena) {
    node *map = taskfit_node_map(arena);
    put_int(arena, map, "memoryMiB", amounts[TASKFIT_RESOURCE_MEMORY]);
    put_int(arena, map, "cpuUnits", amounts[TASKFIT_RESOURCE_CPU]);
    put_known(arena, map, "eni", eni_is_null ? -1 : amounts[TASKFIT_RESOURCE_ENI]);
    put_int(arena, map, "gpu", amounts[TASKFIT_RESOURCE_GPU]);
    return map;
}

static node *machine_node(const taskfit_deployment *deployment, const taskfit_machine *machine, const char *id,
                          const taskfit_machine_use *use, bool eni_in_use, taskfit_arena *arena) {
    const taskfit_instance_group *group = &deployment->groups[machine->group];
    node *map = taskfit_node_map(arena);
    put_text(arena, map, "id", id);
    put_text(arena, map, "group", group->name);
    put_text(arena, map, "type", group->types[machine->type].type.name);
    put_text(arena, map, "availabilityZone", deployment->azs[machine->az]);
    bool no_eni_limit = !eni_in_use || use->capacity[TASKFIT_RESOURCE_ENI] >= TASKFIT_UNLIMITED;
    put(arena, map, "capacity", amounts_node(use->capacity, no_eni_limit, arena));
    put(arena, map, "daemons", amounts_node(use->daemons, false, arena));
    put(arena, map, "reserved", amounts_node(use->reserved, false, arena));
    put_int(arena, map, "hardMemoryMiB", use->hard_memory_mib);
    node *expected = taskfit_node_map(arena);
    put_known(arena, expected, "memoryMiB", use->expected_memory_mib);
    put_known(arena, expected, "cpuUnits", use->expected_cpu_units);
    put(arena, map, "expected", expected);
    node *tasks = taskfit_node_list(arena);
    for (size_t i = 0; i < machine->n_tasks; i++) {
        node *task = taskfit_node_map(arena);
        put_text(arena, task, "service", deployment->services[machine->tasks[i].service].name);
        put_int(arena, task, "count", machine->tasks[i].count);
        taskfit_node_append(arena, tasks, task);
    }
    put(arena, map, "tasks", tasks);
    return map;
}

static node *fleet_node(const taskfit_plan *plan, bool eni_in_use, taskfit_arena *arena) {
    node *list = taskfit_node_list(arena);
    if (!plan->fleet) {
        return list;
    }
    const taskfit_deployment *deployment = plan->deployment;
    const char *const *ids = taskfit_fleet_ids(deployment, plan->fleet, arena);
    const taskfit_machine_use *uses = taskfit_fleet_use(deployment, plan->fleet, arena);
    for (size_t machine = 0; machine < plan->fleet->n_machines; machine++) {
        taskfit_node_append(arena, list,
                            machine_node(deployment, &plan->fleet->machines[machine], ids[machine], &uses[machine],
                                         eni_in_use, arena));
    }
    return list;
}

static node *service_node(const taskfit_service *service, const taskfit_task_demand *demand, taskfit_arena *arena) {
    node *map = taskfit_node_map(arena);
    put_text(arena, map, "name", service->name);
    put_int(arena, map, "desiredCount", service->desired_count);
    put_int(arena, map, "memoryMiB", demand->amount[TASKFIT_RESOURCE_MEMORY]);
    put_int(arena, map, "cpuUnits", demand->amount[TASKFIT_RESOURCE_CPU]);
    put_int(arena, map, "hardMemoryMiB", demand->amount[TASKFIT_RESOURCE_HARD_MEMORY]);
    put_int(arena, map, "eni", demand->amount[TASKFIT_RESOURCE_ENI]);
    put_int(arena, map, "gpu", demand->amount[TASKFIT_RESOURCE_GPU]);
    node *ports = taskfit_node_list(arena);
    for (size_t i = 0; i < demand->n_ports; i++) {
        const char *text =
            taskfit_arena_printf(arena, "%s/%lld", demand->ports[i].protocol == TASKFIT_UDP ? "udp" : "tcp",
                                 (long long)demand->ports[i].host_port);
        taskfit_node_append(arena, ports, taskfit_node_string(arena, text));
    }
    put(arena, map, "ports", ports);
    put(arena, map, "distinctInstance", taskfit_node_bool(arena, service->distinct_instance));
    return map;
}

/* Sets *eni_in_use_out when a service takes ENI slots. */
static node *services_node(const taskfit_deployment *deployment, bool *eni_in_use_out, taskfit_arena *arena) {
    node *list = taskfit_node_list(arena);
    for (size_t i = 0; i < deployment->n_services; i++) {
        taskfit_task_demand demand = taskfit_task_demand_of(&deployment->services[i], arena);
        if (demand.amount[TASKFIT_RESOURCE_ENI] > 0) {
            *eni_in_use_out = true;
        }
        taskfit_node_append(arena, list, service_node(&deployment->services[i], &demand, arena));
    }
    return list;
}

static node *warnings_node(const taskfit_plan *plan, taskfit_arena *arena) {
    node *list = taskfit_node_list(arena);
    for (size_t i = 0; i < plan->n_warnings; i++) {
        node *map = taskfit_node_map(arena);
        put_text(arena, map, "code", plan->warnings[i].code);
        put_text(arena, map, "service", plan->warnings[i].service);
        put_text(arena, map, "message", plan->warnings[i].message);
        taskfit_node_append(arena, list, map);
    }
    return list;
}

static void put_answer(const taskfit_plan *plan, node *map, taskfit_arena *arena) {
    bool infeasible = plan->outcome == TASKFIT_INFEASIBLE;
    put_text(arena, map, "outcome", taskfit_outcome_name(plan->outcome));
    put_text(arena, map, "rung", taskfit_rung_name(plan->rung));
    put_known(arena, map, "instances", plan->instances);
    put_known(arena, map, "lowerBound", infeasible ? -1 : plan->lower_bound);
    put_usd_per_hour(arena, map, "costUsdPerHour", plan->cost_usd_micros);
    put_usd_per_hour(arena, map, "lowerBoundUsdPerHour", infeasible ? -1 : plan->cost_bound_usd_micros);
    put_usd_per_month(arena, map, "costUsdPerMonth", plan->cost_usd_micros, plan->deployment->hours_per_month);
}

taskfit_node *taskfit_plan_tree(const taskfit_plan *plan, taskfit_arena *arena) {
    const taskfit_deployment *deployment = plan->deployment;
    bool eni_in_use = false;
    for (size_t daemon = 0; daemon < deployment->n_daemons; daemon++) {
        eni_in_use = eni_in_use || deployment->daemons[daemon].network_mode == TASKFIT_NETWORK_AWSVPC;
    }
    node *services = services_node(deployment, &eni_in_use, arena);
    node *map = taskfit_node_map(arena);
    put_text(arena, map, "schema", "taskfit.plan/1");
    put(arena, map, "deployment", deployment_node(deployment, arena));
    put_answer(plan, map, arena);
    put(arena, map, "goals", goals_node(plan, arena));
    put(arena, map, "policy", policy_node(&deployment->policy, arena));
    put(arena, map, "ladder", ladder_node(plan, arena));
    put(arena, map, "ecs", ecs_node(&plan->ecs, arena));
    put(arena, map, "binding", binding_node(plan, arena));
    put(arena, map, "fleet", fleet_node(plan, eni_in_use, arena));
    if (plan->moves) {
        put(arena, map, "moves", taskfit_plan_moves_node(plan, taskfit_fleet_ids(deployment, plan->fleet, arena), arena));
    }
    if (plan->n_front > 0) {
        put(arena, map, "movesFront", taskfit_plan_front_node(plan, arena));
    }
    if (plan->outcome == TASKFIT_INFEASIBLE) {
        put(arena, map, "reason", reason_node(&plan->reason, arena));
    }
    put(arena, map, "services", services);
    put(arena, map, "warnings", warnings_node(plan, arena));
    return map;
}
