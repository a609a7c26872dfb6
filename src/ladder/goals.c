#include "ladder/goals.h"

#include <string.h>

#include "base/units.h"
#include "deployment/accounting.h"

/* The smallest free share of memory over the instances, as "0.0312". */
static const char *balance_value(const taskfit_plan *plan) {
    const taskfit_machine_use *use = taskfit_fleet_use(plan->deployment, plan->fleet, plan->arena);
    int64_t smallest = 10000; /* ten thousandths */
    for (size_t m = 0; m < plan->fleet->n_machines; m++) {
        const int64_t capacity_mib = use[m].capacity[TASKFIT_RESOURCE_MEMORY];
        const int64_t free_mib =
            capacity_mib - use[m].daemons[TASKFIT_RESOURCE_MEMORY] - use[m].reserved[TASKFIT_RESOURCE_MEMORY];
        const int64_t share = capacity_mib > 0 && free_mib > 0 ? free_mib * 10000 / capacity_mib : 0;
        smallest = share < smallest ? share : smallest;
    }
    return taskfit_arena_printf(plan->arena, "%lld.%04lld", (long long)(smallest / 10000), (long long)(smallest % 10000));
}

/* ---- a bound on balance ---- */

__extension__ typedef __int128 wide; /* memory times money */

typedef struct balance_scope { /* what the goals before balance fix */
    bool count, cost;
} balance_scope;

typedef struct size_price { /* of an instance type in a group */
    int64_t memory_mib, price_usd_micros, most;
} size_price;

static size_price *list_types(const taskfit_plan *plan, size_t *n_out) {
    const taskfit_deployment *deployment = plan->deployment;
    size_price *types = NULL;
    size_t n = 0;
    size_t capacity = 0;
    for (size_t g = 0; g < deployment->n_groups; g++) {
        const taskfit_instance_group *group = &deployment->groups[g];
        for (size_t t = 0; t < group->n_types; t++) {
            const taskfit_instance_capacity gives = taskfit_instance_capacity_of(deployment, g, t, group->azs[0], plan->arena);
            TASKFIT_GROW(plan->arena, types, n, capacity);
            types[n++] = (size_price){.memory_mib = gives.amount[TASKFIT_RESOURCE_MEMORY],
                                      .price_usd_micros = group->types[t].price_usd_micros,
                                      .most = group->max_instances};
        }
    }
    *n_out = n;
    return types;
}

/* Memory of `count` instances for exactly `cost`: at most on the line from the cheaper type to the dearer at the mean price. */
static int64_t memory_between(const size_price *cheap, const size_price *dear, int64_t count, int64_t cost_usd_micros) {
    const int64_t above = cost_usd_micros - count * cheap->price_usd_micros;
    const int64_t apart = dear->price_usd_micros - cheap->price_usd_micros;
    if (above < 0 || above > count * apart) {
        return 0;
    }
    const int64_t more = apart == 0 ? 0 : (int64_t)((wide)(dear->memory_mib - cheap->memory_mib) * above / apart) + 1;
    return count * cheap->memory_mib + more;
}

/* The most that all instances of a fleet within the scope have together; -1: no figure. */
static int64_t most_memory(const taskfit_plan *plan, balance_scope scope) {
    size_t n;
    const size_price *types = list_types(plan, &n);
    int64_t most = 0;
    for (size_t a = 0; a < n; a++) {
        wide here = 0;
        if (!scope.cost) {
            here = (wide)types[a].memory_mib * (scope.count ? plan->instances : types[a].most * (int64_t)n);
        } else if (!scope.count) {
            here = types[a].price_usd_micros > 0 ? (wide)types[a].memory_mib * plan->cost_usd_micros / types[a].price_usd_micros : -1;
        }
        if (here < 0 || here > TASKFIT_UNLIMITED) {
            return -1;
        }
        most = here > most ? (int64_t)here : most;
        for (size_t b = 0; b < n && scope.cost && scope.count; b++) {
            const int64_t between = memory_between(&types[a], &types[b], plan->instances, plan->cost_usd_micros);
            most = between > most ? between : most;
        }
    }
    return most;
}

/* No placement leaves more on the fullest instance than the mean over all memory that a fleet of the scope may have. NULL: no figure. */
static const char *balance_bound(const taskfit_plan *plan, balance_scope scope) {
    const taskfit_machine_use *use = taskfit_fleet_use(plan->deployment, plan->fleet, plan->arena);
    int64_t reserved_mib = 0;
    int64_t memory_mib = 0; /* less what daemons take, where all instances are alike */
    const taskfit_deployment *deployment = plan->deployment;
    const bool alike = deployment->n_groups == 1 && deployment->groups[0].n_types == 1 &&
                       (deployment->n_daemons == 0 || deployment->groups[0].n_azs == 1);
    for (size_t m = 0; m < plan->fleet->n_machines; m++) {
        reserved_mib += use[m].reserved[TASKFIT_RESOURCE_MEMORY];
        reserved_mib += alike && scope.count ? use[m].daemons[TASKFIT_RESOURCE_MEMORY] : 0;
        memory_mib += use[m].capacity[TASKFIT_RESOURCE_MEMORY];
    }
    memory_mib = alike && scope.count ? memory_mib : most_memory(plan, scope);
    if (memory_mib <= 0 || plan->fleet->n_machines == 0) {
        return NULL;
    }
    const int64_t free_mib = memory_mib > reserved_mib ? memory_mib - reserved_mib : 0;
    const int64_t share = (int64_t)((wide)free_mib * 10000 / memory_mib);
    return taskfit_arena_printf(plan->arena, "%lld.%04lld", (long long)(share / 10000), (long long)(share % 10000));
}

static taskfit_plan_goal balance_goal(const taskfit_plan *plan, balance_scope scope) {
    const char *value = balance_value(plan);
    const char *bound = balance_bound(plan, scope);
    return (taskfit_plan_goal){.goal = taskfit_goal_name(TASKFIT_GOAL_BALANCE),
                               .value = value,
                               .bound = bound,
                               .proof = bound == NULL                ? TASKFIT_PROOF_NONE
                                        : strcmp(bound, value) == 0 ? TASKFIT_PROOF_EXACT
                                                                    : TASKFIT_PROOF_GAP};
}

static const char *usd_text(taskfit_arena *arena, int64_t usd_micros) {
    TASKFIT_STRBUF(text);
    taskfit_add_usd_per_hour(&text, usd_micros);
    return taskfit_arena_strndup(arena, text.data, text.len);
}

static bool proved(taskfit_proof proof) {
    return proof == TASKFIT_PROOF_EXACT || proof == TASKFIT_PROOF_SOLVER;
}

static taskfit_plan_goal count_goal(const taskfit_plan *plan, const taskfit_solve_result *answer) {
    const bool met = plan->lower_bound == plan->instances;
    taskfit_proof proof = met ? answer->proof : TASKFIT_PROOF_GAP;
    if (met && !proved(proof)) {
        proof = TASKFIT_PROOF_EXACT;
    }
    return (taskfit_plan_goal){.goal = taskfit_goal_name(TASKFIT_GOAL_COUNT),
                               .value = taskfit_arena_printf(plan->arena, "%lld", (long long)plan->instances),
                               .bound = taskfit_arena_printf(plan->arena, "%lld", (long long)plan->lower_bound),
                               .proof = proof};
}

static taskfit_plan_goal cost_goal(const taskfit_plan *plan, const taskfit_solve_result *answer) {
    return (taskfit_plan_goal){.goal = taskfit_goal_name(TASKFIT_GOAL_COST),
                               .value = usd_text(plan->arena, plan->cost_usd_micros),
                               .bound = usd_text(plan->arena, plan->cost_bound_usd_micros),
                               .proof = answer->cost_proof};
}

static taskfit_plan_goal moves_goal(taskfit_arena *arena, const taskfit_given *given, const taskfit_rearranged *rearranged) {
    const int64_t bound = given->of - rearranged->kept_bound;
    return (taskfit_plan_goal){.goal = taskfit_goal_name(TASKFIT_GOAL_MOVES),
                               .value = taskfit_arena_printf(arena, "%lld", (long long)(given->of - rearranged->kept)),
                               .bound = rearranged->kept_bound < 0 ? NULL : taskfit_arena_printf(arena, "%lld", (long long)bound),
                               .proof = rearranged->proof};
}

void taskfit_plan_set_goals(taskfit_plan *plan, const taskfit_solve_result *answer, const taskfit_given *given,
                            const taskfit_rearranged *rearranged) {
    const taskfit_policy *policy = &plan->deployment->policy;
    taskfit_goal_list list = taskfit_goals_with_moves(policy);
    balance_scope scope = {false, false};
    taskfit_plan_goal *goals = TASKFIT_ARRAY(plan->arena, list.n, taskfit_plan_goal);
    for (size_t i = 0; i < list.n; i++) {
        switch (list.goals[i]) {
        case TASKFIT_GOAL_COUNT:
            goals[plan->n_goals++] = count_goal(plan, answer);
            scope.count = true;
            break;
        case TASKFIT_GOAL_COST:
            goals[plan->n_goals++] = cost_goal(plan, answer);
            scope.cost = true;
            break;
        case TASKFIT_GOAL_BALANCE: goals[plan->n_goals++] = balance_goal(plan, scope); break;
        case TASKFIT_GOAL_MOVES:
            if (given != NULL) {
                goals[plan->n_goals++] = moves_goal(plan->arena, given, rearranged);
            }
            break;
        }
    }
    plan->goals = goals;
}
