/* Every figure and word of the document, computed again and compared. */

#include "problem/verify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "problem/plan.h"

/* Above every figure a plan can have: 2,000,000 tasks of the largest quantity would be more, but no instance. */
#define FIGURE_MAX (INT64_C(1) << 56)

/* ---- comparing ---- */

static const taskfit_node *value_of(const taskfit_node *map, const char *key) {
    const taskfit_node *value = taskfit_node_get(map, key);
    return value && !taskfit_node_is_null(value) ? value : NULL;
}

static const char *text_of(const taskfit_node *map, const char *key) {
    const taskfit_node *value = value_of(map, key);
    return value && value->kind == TASKFIT_NODE_SCALAR ? value->text : NULL;
}

/* A whole number of either sign; INT64_MIN for anything else. */
static int64_t int_of(const taskfit_node *value) {
    if (!value || value->kind != TASKFIT_NODE_SCALAR || value->quoted) {
        return INT64_MIN;
    }
    bool minus = value->text[0] == '-';
    int64_t number = 0;
    const char *why = NULL;
    if (!taskfit_parse_count(value->text + minus, value->n - minus, 0, FIGURE_MAX, &number, &why)) {
        return INT64_MIN;
    }
    return minus ? -number : number;
}

/* Dollars as micro-dollars; -1 for anything else. */
static int64_t usd_micros_of(const taskfit_node *map, const char *key) {
    const char *text = text_of(map, key);
    int64_t usd_micros = 0;
    const char *why = NULL;
    return text && taskfit_parse_cost_usd_micros(text, strlen(text), &usd_micros, &why) ? usd_micros : -1;
}

/* Of which figure a message speaks: `what` is "main-3", a service or "plan"; `section` may be NULL. */
typedef struct figure {
    const char *what, *section, *key;
} figure;

static const char *path_of(taskfit_judge *judge, const figure *at) {
    return at->section ? taskfit_arena_printf(judge->arena, "%s.%s", at->section, at->key) : at->key;
}

static void tell_figure(taskfit_judge *judge, const figure *at, const taskfit_node *stated, const char *expected) {
    const char *text = "absent";
    if (stated) {
        text = stated->kind == TASKFIT_NODE_SCALAR ? stated->text : taskfit_node_kind_name(stated);
    }
    taskfit_judge_tell(judge, "%s: %s is stated as %.80s, computed as %s (rule: figures)", at->what, path_of(judge, at), text,
                       expected);
}

static void expect_int(taskfit_judge *judge, const figure *at, const taskfit_node *map, int64_t expected) {
    const taskfit_node *stated = taskfit_node_get(map, at->key);
    if (int_of(stated) != expected) {
        tell_figure(judge, at, stated, taskfit_judge_number(judge, expected));
    }
}

static void expect_null(taskfit_judge *judge, const figure *at, const taskfit_node *map) {
    const taskfit_node *stated = taskfit_node_get(map, at->key);
    if (!stated || !taskfit_node_is_null(stated)) {
        tell_figure(judge, at, stated, "null");
    }
}

static void expect_known(taskfit_judge *judge, const figure *at, const taskfit_node *map, int64_t expected) {
    if (expected < 0) {
        expect_null(judge, at, map);
    } else {
        expect_int(judge, at, map, expected);
    }
}

static void expect_text(taskfit_judge *judge, const figure *at, const taskfit_node *map, const char *expected) {
    const char *stated = text_of(map, at->key);
    if (!stated || strcmp(stated, expected) != 0) {
        tell_figure(judge, at, taskfit_node_get(map, at->key), expected);
    }
}

static void expect_bool(taskfit_judge *judge, const figure *at, const taskfit_node *map, bool expected) {
    expect_text(judge, at, map, expected ? "true" : "false");
}

static void expect_usd_micros(taskfit_judge *judge, const figure *at, const taskfit_node *map, int64_t expected) {
    TASKFIT_STRBUF(text);
    taskfit_add_usd_per_hour(&text, expected);
    expect_text(judge, at, map, text.data);
}

/* ---- instances ---- */

static void judge_amounts(taskfit_judge *judge, const taskfit_judged_machine *machine, const char *section,
                          const int64_t *amounts, bool eni_is_null) {
    const taskfit_node *map = taskfit_node_get(machine->node, section);
    expect_int(judge, &(figure){machine->id, section, "memoryMiB"}, map, amounts[TASKFIT_RESOURCE_MEMORY]);
    expect_int(judge, &(figure){machine->id, section, "cpuUnits"}, map, amounts[TASKFIT_RESOURCE_CPU]);
    expect_known(judge, &(figure){machine->id, section, "eni"}, map, eni_is_null ? -1 : amounts[TASKFIT_RESOURCE_ENI]);
    expect_int(judge, &(figure){machine->id, section, "gpu"}, map, amounts[TASKFIT_RESOURCE_GPU]);
}

static int64_t with_daemons(const taskfit_judged_machine *machine, taskfit_resource resource) {
    int64_t total = machine->held[resource];
    taskfit_judge_add(&total, machine->capacity->daemons[resource], 1);
    return total;
}

/* Expected use is known where every container on the instance is observed, or where a cap makes it so. */
static void judge_expected(taskfit_judge *judge, const taskfit_judged_machine *machine) {
    const taskfit_deployment *deployment = judge->deployment;
    bool memory_known = true;
    bool cpu_known = true;
    for (size_t i = 0; i < machine->n_tasks; i++) {
        const taskfit_task_demand *demand = &judge->demands[machine->tasks[i].service];
        memory_known = memory_known && demand->expected_memory_complete;
        cpu_known = cpu_known && demand->expected_cpu_complete;
    }
    for (size_t i = 0; i < machine->capacity->n_daemons; i++) {
        const taskfit_service *daemon = &deployment->daemons[machine->capacity->daemon_index[i]];
        for (size_t c = 0; c < daemon->n_containers; c++) {
            memory_known = memory_known && daemon->containers[c].observed_memory_mib >= 0;
            cpu_known = cpu_known && daemon->containers[c].observed_cpu_units >= 0;
        }
    }
    memory_known = memory_known || deployment->policy.max_expected_memory_percent >= 0;
    cpu_known = cpu_known || deployment->policy.max_expected_cpu_percent >= 0;
    const taskfit_node *map = taskfit_node_get(machine->node, "expected");
    expect_known(judge, &(figure){machine->id, "expected", "memoryMiB"}, map,
                 memory_known ? with_daemons(machine, TASKFIT_RESOURCE_EXPECTED_MEMORY) : -1);
    expect_known(judge, &(figure){machine->id, "expected", "cpuUnits"}, map,
                 cpu_known ? with_daemons(machine, TASKFIT_RESOURCE_EXPECTED_CPU) : -1);
}

static void judge_machine_figures(taskfit_judge *judge) {
    const taskfit_deployment *deployment = judge->deployment;
    bool eni_in_use = false;
    for (size_t i = 0; i < deployment->n_services; i++) {
        eni_in_use = eni_in_use || judge->demands[i].amount[TASKFIT_RESOURCE_ENI] > 0;
    }
    for (size_t i = 0; i < deployment->n_daemons; i++) {
        eni_in_use = eni_in_use || deployment->daemons[i].network_mode == TASKFIT_NETWORK_AWSVPC;
    }
    for (size_t i = 0; i < judge->n_machines; i++) {
        const taskfit_judged_machine *machine = &judge->machines[i];
        if (!machine->located) {
            continue;
        }
        judge_amounts(judge, machine, "capacity", machine->capacity->amount, !eni_in_use);
        judge_amounts(judge, machine, "daemons", machine->capacity->daemons, false);
        judge_amounts(judge, machine, "reserved", machine->held, false);
        expect_int(judge, &(figure){machine->id, NULL, "hardMemoryMiB"}, machine->node,
                   with_daemons(machine, TASKFIT_RESOURCE_HARD_MEMORY));
        judge_expected(judge, machine);
    }
}

/* ---- services ---- */

static void judge_ports_stated(taskfit_judge *judge, const char *name, const taskfit_node *map,
                               const taskfit_task_demand *demand) {
    TASKFIT_STRBUF(expected);
    TASKFIT_STRBUF(stated);
    for (size_t i = 0; i < demand->n_ports; i++) {
        taskfit_strbuf_printf(&expected, "%s%s/%" PRId64, i > 0 ? " " : "", demand->ports[i].protocol == TASKFIT_UDP ? "udp" : "tcp",
                              demand->ports[i].host_port);
    }
    const taskfit_node *list = taskfit_node_get(map, "ports");
    bool is_list = list && list->kind == TASKFIT_NODE_LIST;
    for (size_t i = 0; is_list && i < list->n; i++) {
        const char *text = list->items[i]->kind == TASKFIT_NODE_SCALAR ? list->items[i]->text : "?";
        taskfit_strbuf_printf(&stated, "%s%s", i > 0 ? " " : "", text);
    }
    if (!is_list || strcmp(expected.data, stated.data) != 0) {
        taskfit_judge_tell(judge, "%s: ports are stated as [%.80s], computed as [%s] (rule: figures)", name, stated.data,
                           expected.data);
    }
}

static void judge_service_figures(taskfit_judge *judge) {
    const taskfit_node *list = taskfit_node_get(judge->document, "services");
    size_t n_stated = list && list->kind == TASKFIT_NODE_LIST ? list->n : 0;
    if (n_stated != judge->deployment->n_services) {
        taskfit_judge_tell(judge, "plan: %zu services stated, the deployment has %zu (rule: figures)", n_stated,
                           judge->deployment->n_services);
        return;
    }
    for (size_t i = 0; i < n_stated; i++) {
        const taskfit_service *service = &judge->deployment->services[i];
        const taskfit_node *map = list->items[i];
        const taskfit_task_demand *demand = &judge->demands[i];
        const char *name = text_of(map, "name");
        if (!name || strcmp(name, service->name) != 0) {
            taskfit_judge_tell(judge, "plan: services[%zu] is '%s', the deployment has '%s' there (rule: figures)", i,
                               name ? name : "", service->name);
            continue;
        }
        expect_int(judge, &(figure){name, NULL, "desiredCount"}, map, service->desired_count);
        expect_int(judge, &(figure){name, NULL, "memoryMiB"}, map, demand->amount[TASKFIT_RESOURCE_MEMORY]);
        expect_int(judge, &(figure){name, NULL, "cpuUnits"}, map, demand->amount[TASKFIT_RESOURCE_CPU]);
        expect_int(judge, &(figure){name, NULL, "hardMemoryMiB"}, map, demand->amount[TASKFIT_RESOURCE_HARD_MEMORY]);
        expect_int(judge, &(figure){name, NULL, "eni"}, map, demand->amount[TASKFIT_RESOURCE_ENI]);
        expect_int(judge, &(figure){name, NULL, "gpu"}, map, demand->amount[TASKFIT_RESOURCE_GPU]);
        judge_ports_stated(judge, name, map, demand);
        expect_bool(judge, &(figure){name, NULL, "distinctInstance"}, map, service->distinct_instance);
    }
}

/* ---- the policy ---- */

static void judge_anti_affinity_stated(taskfit_judge *judge, const taskfit_node *map, const taskfit_policy *policy) {
    const taskfit_node *lists = taskfit_node_get(map, "antiAffinity");
    bool same = policy->n_anti_affinity == (lists && lists->kind == TASKFIT_NODE_LIST ? lists->n : 0);
    for (size_t i = 0; same && i < policy->n_anti_affinity; i++) {
        const taskfit_node *list = lists->items[i];
        size_t n = 0;
        while (policy->anti_affinity[i][n]) {
            n++;
        }
        same = list->kind == TASKFIT_NODE_LIST && list->n == n;
        for (size_t g = 0; same && g < n; g++) {
            same = list->items[g]->kind == TASKFIT_NODE_SCALAR && strcmp(list->items[g]->text, policy->anti_affinity[i][g]) == 0;
        }
    }
    if (!same) {
        taskfit_judge_tell(judge, "plan: policy.antiAffinity is not the deployment's (rule: figures)");
    }
}

static void judge_policy(taskfit_judge *judge) {
    const taskfit_policy *policy = &judge->deployment->policy;
    const taskfit_node *map = taskfit_node_get(judge->document, "policy");
    expect_text(judge, &(figure){"plan", "policy", "spread"}, map, taskfit_spread_policy_name(policy->spread));
    expect_text(judge, &(figure){"plan", "policy", "rollingDeployment"}, map, taskfit_rolling_policy_name(policy->rolling));
    expect_text(judge, &(figure){"plan", "policy", "surviveLoss"}, map, taskfit_survive_policy_name(policy->survive));
    const taskfit_node *headroom = value_of(map, "headroom");
    if (headroom || policy->headroom_memory_percent > 0 || policy->headroom_cpu_percent > 0) {
        expect_int(judge, &(figure){"plan", "policy.headroom", "memoryPercent"}, headroom, policy->headroom_memory_percent);
        expect_int(judge, &(figure){"plan", "policy.headroom", "cpuPercent"}, headroom, policy->headroom_cpu_percent);
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
        if (caps[i].percent >= 0 || value_of(map, caps[i].key)) {
            expect_int(judge, &(figure){"plan", "policy", caps[i].key}, map, caps[i].percent);
        }
    }
    judge_anti_affinity_stated(judge, map, policy);
}

/* ---- answer, goals, ladder ---- */

static int64_t fleet_price_usd_micros(const taskfit_judge *judge) {
    int64_t usd_micros = 0;
    for (size_t i = 0; i < judge->n_machines; i++) {
        const taskfit_judged_machine *machine = &judge->machines[i];
        if (machine->located) {
            usd_micros += judge->deployment->groups[machine->group].types[machine->type].price_usd_micros;
        }
    }
    return usd_micros;
}

typedef struct wanted_goals {
    taskfit_goal goals[5];
    size_t n;
} wanted_goals;

/* The policy's, in order. Where the plan comes from another one, moves are a goal: named, or before balance, or last. */
static wanted_goals goals_wanted(const taskfit_judge *judge) {
    const taskfit_policy *policy = &judge->deployment->policy;
    wanted_goals wanted = {.n = 0};
    bool missing = value_of(judge->document, "moves") != NULL;
    for (size_t i = 0; i < policy->n_objective; i++) {
        missing = missing && policy->objective[i] != TASKFIT_GOAL_MOVES;
    }
    for (size_t i = 0; i < policy->n_objective; i++) {
        if (missing && policy->objective[i] == TASKFIT_GOAL_BALANCE) {
            wanted.goals[wanted.n++] = TASKFIT_GOAL_MOVES;
            missing = false;
        }
        wanted.goals[wanted.n++] = policy->objective[i];
    }
    if (missing) {
        wanted.goals[wanted.n++] = TASKFIT_GOAL_MOVES;
    }
    return wanted;
}

static bool first_goal_is(const taskfit_judge *judge, taskfit_goal goal) {
    const wanted_goals wanted = goals_wanted(judge);
    return wanted.n > 0 && wanted.goals[0] == goal;
}

/* The ladder knows nothing of moves: what they come before may be another figure in the plan. */
static bool before_moves(const taskfit_judge *judge, taskfit_goal goal) {
    const wanted_goals wanted = goals_wanted(judge);
    for (size_t i = 0; i < wanted.n; i++) {
        if (wanted.goals[i] == goal || wanted.goals[i] == TASKFIT_GOAL_MOVES) {
            return wanted.goals[i] == goal;
        }
    }
    return true;
}

/* Never below its bound, and at it where the plan is called optimal and nothing goes before moves. */
static void judge_moves_goal(taskfit_judge *judge, const figure *at, const taskfit_node *map) {
    const taskfit_node *moves = value_of(judge->document, "moves");
    const char *bound = text_of(map, "bound");
    const char *outcome = text_of(judge->document, "outcome");
    const int64_t tasks = int_of(taskfit_node_get(moves, "tasks"));
    int64_t least = 0;
    const char *why = NULL;
    expect_text(judge, at, map, taskfit_arena_printf(judge->arena, "%" PRId64, tasks));
    if (bound && (!taskfit_parse_count(bound, strlen(bound), 0, FIGURE_MAX, &least, &why) || least > tasks)) {
        taskfit_judge_tell(judge, "plan: %s.bound is above the moves of the plan, or no number (rule: bound)", at->section);
    }
    if (outcome && strcmp(outcome, "optimal") == 0 && first_goal_is(judge, TASKFIT_GOAL_MOVES) && (!bound || least != tasks)) {
        taskfit_judge_tell(judge, "plan: outcome 'optimal', but the bound on moves is not the plan's (rule: bound)");
    }
}

static void judge_bounds(taskfit_judge *judge, int64_t n_instances, int64_t cost_usd_micros, bool optimal) {
    const taskfit_node *document = judge->document;
    int64_t bound = int_of(taskfit_node_get(document, "lowerBound"));
    int64_t cost_bound = usd_micros_of(document, "lowerBoundUsdPerHour");
    if (bound < 0 || bound > n_instances) {
        taskfit_judge_tell(judge, "plan: lowerBound is above the %s instances of the plan, or no number (rule: bound)",
                           taskfit_judge_number(judge, n_instances));
    }
    if (value_of(document, "lowerBoundUsdPerHour") && (cost_bound < 0 || cost_bound > cost_usd_micros)) {
        taskfit_judge_tell(judge, "plan: lowerBoundUsdPerHour is above the plan's cost, or no price (rule: bound)");
    }
    if (optimal && first_goal_is(judge, TASKFIT_GOAL_COUNT) && bound != n_instances) {
        taskfit_judge_tell(judge, "plan: outcome 'optimal', but lowerBound is not the %s instances of the plan (rule: bound)",
                           taskfit_judge_number(judge, n_instances));
    }
    if (optimal && first_goal_is(judge, TASKFIT_GOAL_COST) && cost_bound != cost_usd_micros) {
        taskfit_judge_tell(judge, "plan: outcome 'optimal', but lowerBoundUsdPerHour is not the plan's cost (rule: bound)");
    }
}

/* The smallest free share of memory over the instances, in whole ten-thousandths. */
static const char *balance_text(taskfit_judge *judge) {
    int64_t smallest = 10000;
    for (size_t i = 0; i < judge->n_machines; i++) {
        const taskfit_judged_machine *machine = &judge->machines[i];
        int64_t capacity_mib = machine->located ? machine->capacity->amount[TASKFIT_RESOURCE_MEMORY] : 0;
        int64_t free_mib = machine->located ? capacity_mib - with_daemons(machine, TASKFIT_RESOURCE_MEMORY) : 0;
        int64_t share = capacity_mib > 0 && free_mib > 0 ? free_mib * 10000 / capacity_mib : 0;
        smallest = share < smallest ? share : smallest;
    }
    return taskfit_arena_printf(judge->arena, "%" PRId64 ".%04" PRId64, smallest / 10000, smallest % 10000);
}

/* Goals in the policy's order, each with the figure of this very plan. */
static void judge_goals(taskfit_judge *judge, int64_t n_instances, int64_t cost_usd_micros) {
    const wanted_goals wanted = goals_wanted(judge);
    const taskfit_node *list = taskfit_node_get(judge->document, "goals");
    size_t n = list && list->kind == TASKFIT_NODE_LIST ? list->n : 0;
    if (n == 0 || n > wanted.n) {
        taskfit_judge_tell(judge, "plan: %zu goals stated, the policy has %zu (rule: figures)", n, wanted.n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const taskfit_node *map = list->items[i];
        const char *section = taskfit_arena_printf(judge->arena, "goals[%zu]", i);
        expect_text(judge, &(figure){"plan", section, "goal"}, map, taskfit_goal_name(wanted.goals[i]));
        const char *proof = text_of(map, "proof");
        const char *value = text_of(map, "value");
        const char *bound = text_of(map, "bound");
        taskfit_proof parsed = TASKFIT_PROOF_NONE;
        if (!proof || !taskfit_proof_from_name(proof, &parsed)) {
            taskfit_judge_tell(judge, "plan: %s.proof '%s' is no proof (rule: document)", section, proof ? proof : "");
        }
        bool proved = parsed == TASKFIT_PROOF_EXACT || parsed == TASKFIT_PROOF_SOLVER;
        if (proved && !(value && bound && strcmp(value, bound) == 0)) {
            taskfit_judge_tell(judge, "plan: %s is called proved, but its bound is not its value (rule: bound)", section);
        }
        if (wanted.goals[i] == TASKFIT_GOAL_COUNT) {
            expect_text(judge, &(figure){"plan", section, "value"}, map,
                        taskfit_arena_printf(judge->arena, "%" PRId64, n_instances));
        } else if (wanted.goals[i] == TASKFIT_GOAL_COST) {
            expect_usd_micros(judge, &(figure){"plan", section, "value"}, map, cost_usd_micros);
        } else if (wanted.goals[i] == TASKFIT_GOAL_BALANCE) {
            expect_text(judge, &(figure){"plan", section, "value"}, map, balance_text(judge));
        } else if (value_of(judge->document, "moves")) {
            judge_moves_goal(judge, &(figure){"plan", section, "value"}, map);
        }
    }
}

typedef struct rung_stated {
    const taskfit_node *map;
    taskfit_rung rung;
    int64_t instances, lower_bound; /* negative: none */
    bool infeasible;
} rung_stated;

static bool read_rung(taskfit_judge *judge, const taskfit_node *map, size_t index, rung_stated *rung) {
    const char *name = text_of(map, "rung");
    const char *proof = text_of(map, "proof");
    taskfit_proof parsed = TASKFIT_PROOF_NONE;
    if (!name || !taskfit_rung_from_name(name, &rung->rung) || !proof || !taskfit_proof_from_name(proof, &parsed)) {
        taskfit_judge_tell(judge, "plan: ladder[%zu] has an unknown rung or proof (rule: document)", index);
        return false;
    }
    rung->map = map;
    rung->infeasible = parsed == TASKFIT_PROOF_INFEASIBLE;
    rung->instances = int_of(value_of(map, "instances"));
    rung->lower_bound = int_of(value_of(map, "lowerBound"));
    bool proved = parsed == TASKFIT_PROOF_EXACT || parsed == TASKFIT_PROOF_SOLVER;
    if (rung->infeasible && value_of(map, "instances")) {
        taskfit_judge_tell(judge, "plan: rung '%s' is called infeasible and has instances (rule: ladder)", name);
    }
    if (rung->instances >= 0 && rung->lower_bound > rung->instances) {
        taskfit_judge_tell(judge, "plan: rung '%s' states %s instances and a lower bound of %s (rule: bound)", name,
                           taskfit_judge_number(judge, rung->instances), taskfit_judge_number(judge, rung->lower_bound));
    }
    if (proved && first_goal_is(judge, TASKFIT_GOAL_COUNT) && (rung->instances < 0 || rung->instances != rung->lower_bound)) {
        taskfit_judge_tell(judge, "plan: rung '%s' is called proved, but its bound is not its instances (rule: bound)", name);
    }
    return true;
}

/* A rung only adds rules: it cannot hold where a lower one cannot, nor with fewer instances than a lower one's
 * bound - unless cost comes first: then a rung that costs more may well have fewer instances. */
static void judge_step(taskfit_judge *judge, const rung_stated *below, const rung_stated *above) {
    const char *low = taskfit_rung_name(below->rung);
    const char *high = taskfit_rung_name(above->rung);
    if (above->rung <= below->rung) {
        taskfit_judge_tell(judge, "plan: rung '%s' stands behind '%s' (rule: ladder)", high, low);
        return;
    }
    if (below->infeasible && above->instances >= 0) {
        taskfit_judge_tell(judge, "plan: rung '%s' has instances where '%s' is infeasible (rule: ladder)", high, low);
    }
    if (first_goal_is(judge, TASKFIT_GOAL_COUNT) && above->instances >= 0 && below->lower_bound > above->instances) {
        taskfit_judge_tell(judge, "plan: rung '%s' states %s instances, '%s' below it needs %s (rule: ladder)", high,
                           taskfit_judge_number(judge, above->instances), low, taskfit_judge_number(judge, below->lower_bound));
    }
}

static void judge_ladder(taskfit_judge *judge) {
    const taskfit_node *document = judge->document;
    const taskfit_node *list = taskfit_node_get(document, "ladder");
    size_t n = list && list->kind == TASKFIT_NODE_LIST ? list->n : 0;
    rung_stated below = {0};
    rung_stated here = {0};
    bool found = false;
    for (size_t i = 0; i < n; i++) {
        if (!read_rung(judge, list->items[i], i, &here)) {
            continue;
        }
        if (below.map) {
            judge_step(judge, &below, &here);
        }
        if (here.rung == judge->rung) {
            found = true;
            const bool same_count = here.instances == int_of(value_of(document, "instances")) &&
                                    here.lower_bound == int_of(value_of(document, "lowerBound"));
            const bool same_cost = usd_micros_of(here.map, "costUsdPerHour") == usd_micros_of(document, "costUsdPerHour");
            if ((!same_count && before_moves(judge, TASKFIT_GOAL_COUNT)) || (!same_cost && before_moves(judge, TASKFIT_GOAL_COST))) {
                taskfit_judge_tell(judge, "plan: the ladder's '%s' and the plan state different figures (rule: ladder)",
                                   taskfit_rung_name(here.rung));
            }
        }
        below = here;
    }
    if (!found) {
        taskfit_judge_tell(judge, "plan: the ladder lacks the plan's rung '%s' (rule: ladder)", taskfit_rung_name(judge->rung));
    }
}

static void judge_answer(taskfit_judge *judge, taskfit_outcome outcome) {
    const taskfit_node *document = judge->document;
    int64_t cost_usd_micros = fleet_price_usd_micros(judge);
    expect_int(judge, &(figure){"plan", NULL, "instances"}, document, (int64_t)judge->n_machines);
    expect_usd_micros(judge, &(figure){"plan", NULL, "costUsdPerHour"}, document, cost_usd_micros);
    TASKFIT_STRBUF(usd_per_month);
    taskfit_add_usd_cents(&usd_per_month, taskfit_usd_cents_per_month(cost_usd_micros, judge->deployment->hours_per_month));
    expect_text(judge, &(figure){"plan", NULL, "costUsdPerMonth"}, document, usd_per_month.data);
    judge_bounds(judge, (int64_t)judge->n_machines, cost_usd_micros, outcome == TASKFIT_OPTIMAL);
    judge_goals(judge, (int64_t)judge->n_machines, cost_usd_micros);
    judge_machine_figures(judge);
}

/* What ECS's placement needs cannot be less than what any does. */
static void judge_ecs(taskfit_judge *judge) {
    const taskfit_node *ecs = value_of(judge->document, "ecs");
    const taskfit_node *ladder = value_of(judge->document, "ladder");
    if (!ecs) {
        return;
    }
    const int64_t n = int_of(taskfit_node_get(ecs, "instances"));
    int64_t bound = 0;
    if (ladder && ladder->kind == TASKFIT_NODE_LIST && ladder->n > 0) {
        bound = int_of(taskfit_node_get(ladder->items[0], "lowerBound"));
    }
    if (n < 0 || n < bound) {
        taskfit_judge_tell(judge, "plan: ecs.instances is below the bound of the ladder's first rung, or no number (rule: bound)");
    }
}

/* Without a plan there must be no figures of one; an infeasible answer gives its reason. */
static void judge_no_answer(taskfit_judge *judge, taskfit_outcome outcome) {
    expect_null(judge, &(figure){"plan", NULL, "instances"}, judge->document);
    expect_null(judge, &(figure){"plan", NULL, "costUsdPerHour"}, judge->document);
    expect_null(judge, &(figure){"plan", NULL, "costUsdPerMonth"}, judge->document);
    if (judge->n_machines > 0) {
        taskfit_judge_tell(judge, "plan: outcome '%s' with a fleet of %zu instances (rule: document)",
                           taskfit_outcome_name(outcome), judge->n_machines);
    }
    if (outcome == TASKFIT_INFEASIBLE) {
        taskfit_judge_reason(judge);
    }
}

void taskfit_judge_figures(taskfit_judge *judge) {
    judge_ecs(judge);
    const char *name = text_of(judge->document, "outcome");
    const char *schema = text_of(judge->document, "schema");
    taskfit_outcome outcome = TASKFIT_UNKNOWN;
    if (!schema || strcmp(schema, "taskfit.plan/1") != 0) {
        taskfit_judge_tell(judge, "plan: schema is '%s', not 'taskfit.plan/1' (rule: document)", schema ? schema : "");
    }
    if (!name || !taskfit_outcome_from_name(name, &outcome)) {
        taskfit_judge_tell(judge, "plan: unknown outcome '%s' (rule: document)", name ? name : "");
        return;
    }
    judge_policy(judge);
    judge_service_figures(judge);
    judge_ladder(judge);
    if (outcome == TASKFIT_OPTIMAL || outcome == TASKFIT_FEASIBLE) {
        judge_answer(judge, outcome);
    } else {
        judge_no_answer(judge, outcome);
    }
}
