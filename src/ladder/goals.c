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

/* No placement on as many alike instances leaves more on the fullest than the mean. NULL where instances may differ. */
static const char *balance_bound(const taskfit_plan *plan) {
    const taskfit_deployment *deployment = plan->deployment;
    const taskfit_machine_use *use = taskfit_fleet_use(deployment, plan->fleet, plan->arena);
    const int64_t n = (int64_t)plan->fleet->n_machines;
    if (deployment->n_groups != 1 || deployment->groups[0].n_types != 1 || n == 0 ||
        (deployment->n_daemons > 0 && deployment->groups[0].n_azs > 1)) {
        return NULL;
    }
    int64_t free_mib = 0;
    for (int64_t m = 0; m < n; m++) {
        free_mib += use[m].capacity[TASKFIT_RESOURCE_MEMORY] - use[m].daemons[TASKFIT_RESOURCE_MEMORY] -
                    use[m].reserved[TASKFIT_RESOURCE_MEMORY];
    }
    const int64_t capacity_mib = use[0].capacity[TASKFIT_RESOURCE_MEMORY];
    const int64_t share = capacity_mib > 0 && free_mib > 0 ? free_mib / n * 10000 / capacity_mib : 0;
    return taskfit_arena_printf(plan->arena, "%lld.%04lld", (long long)(share / 10000), (long long)(share % 10000));
}

static taskfit_plan_goal balance_goal(const taskfit_plan *plan) {
    const char *value = balance_value(plan);
    const char *bound = balance_bound(plan);
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
    taskfit_plan_goal *goals = TASKFIT_ARRAY(plan->arena, list.n, taskfit_plan_goal);
    for (size_t i = 0; i < list.n; i++) {
        switch (list.goals[i]) {
        case TASKFIT_GOAL_COUNT: goals[plan->n_goals++] = count_goal(plan, answer); break;
        case TASKFIT_GOAL_COST: goals[plan->n_goals++] = cost_goal(plan, answer); break;
        case TASKFIT_GOAL_BALANCE: goals[plan->n_goals++] = balance_goal(plan); break;
        case TASKFIT_GOAL_MOVES:
            if (given != NULL) {
                goals[plan->n_goals++] = moves_goal(plan->arena, given, rearranged);
            }
            break;
        }
    }
    plan->goals = goals;
}
