#include "base/int64.h"
#include "solve/bound.h"
#include "solve/expand.h"
#include "solve/explain.h"
#include "solve/level.h"
#include "solve/room.h"
#include "solve/search.h"

/* What a search that is over says: the plan and what is proved of it, or why there is none. */

static void largest_fleet(const taskfit_search *s, int64_t *count) {
    for (size_t g = 0; g < s->problem->n_groups; g++) {
        const taskfit_problem_group *group = &s->problem->groups[g];
        int64_t left = group->max_instances;
        for (size_t t = 0; t < group->n_types && left > 0; t++) {
            const int64_t n = group->stock[t] < 0 ? left : min64(left, group->stock[t]);
            for (size_t k = 0; k < group->n_azs; k++) {
                const int64_t larger = (int64_t)k < n % (int64_t)group->n_azs ? 1 : 0;
                count[group->first_offer + t * group->n_azs + k] = n / (int64_t)group->n_azs + larger;
            }
            left = group->mixed ? left - n : 0;
        }
    }
}

/* The plan as machines, levelled where balance is a goal. */
static taskfit_fleet *final_fleet(taskfit_search *s) {
    bool level = false;
    for (size_t i = 0; i < s->problem->n_objective && !s->budget.stopped; i++) {
        level = level || s->problem->objective[i] == TASKFIT_GOAL_BALANCE;
    }
    taskfit_arena_reset(s->scratch);
    if (s->rooms) {
        return level ? taskfit_room_level(s->problem, s->fleet_count, s->placed, &s->budget, s->arena) : s->placed;
    }
    const taskfit_decision *d = taskfit_decision_new(s->scratch, s->problem, s->fleet_count);
    if (level) {
        taskfit_budget own = s->budget;
        own.work_left = TASKFIT_GREEDY_WORK;
        s->plan = taskfit_level(d, &s->plan, &own, s->scratch);
    }
    return taskfit_expand(d, s->plan.contents, s->plan.n_contents, s->arena);
}

/* Could the same instances be laid over the AZs in another way that is not the same but for names? */
static bool other_layouts(const taskfit_search *s) {
    taskfit_arena *arena = taskfit_arena_new();
    int64_t *n = TASKFIT_ARRAY(arena, s->problem->n_offers, int64_t);
    size_t entry = 0;
    for (size_t g = 0; g < s->problem->n_groups; g++) {
        const taskfit_problem_group *group = &s->problem->groups[g];
        for (size_t type = 0; type < group->n_types; type++, entry++) {
            for (size_t k = 0; k < group->n_azs; k++) {
                n[entry] += s->fleet_count[group->first_offer + type * group->n_azs + k];
            }
        }
    }
    const taskfit_mix mix = {.n = n};
    size_t n_layouts;
    bool complete;
    (void)taskfit_walk_layouts(s->walk, &mix, arena, &n_layouts, &complete);
    taskfit_arena_free(arena);
    return n_layouts > 1;
}

/* By volume: what any fleet costs. */
static int64_t least_cost_usd_micros(const taskfit_search *s) {
    for (size_t o = 0; o < s->problem->n_offers; o++) {
        if (s->problem->offers[o].price_usd_micros <= 0) {
            return 0;
        }
    }
    return taskfit_walk_bound(taskfit_walk_new(s->problem, true, s->arena));
}

/* By volume: the bound on instances where the goal was another. */
static int64_t least_instances(const taskfit_search *s) {
    return taskfit_walk_bound(taskfit_walk_new(s->problem, false, s->arena));
}

static void answer_with_plan(taskfit_search *s, int64_t bound, taskfit_solve_result *result) {
    const bool proved = bound >= s->first;
    const taskfit_proof proof = s->refuted_by_solver ? TASKFIT_PROOF_SOLVER : TASKFIT_PROOF_EXACT;
    const bool second_proved = proved && s->open_first == INT64_MAX;
    result->outcome = proved ? TASKFIT_OPTIMAL : TASKFIT_FEASIBLE;
    result->fleet = final_fleet(s);
    result->layout_matters = other_layouts(s);
    result->proof = proved ? proof : TASKFIT_PROOF_GAP;
    result->cost_proof = proof;
    if (s->cost_first) {
        result->cost_usd_micros = s->first;
        result->cost_bound_usd_micros = min64(bound, s->first);
        result->cost_proof = result->proof;
        result->lower_bound = second_proved ? s->second : least_instances(s);
    } else {
        result->cost_usd_micros = s->second;
        result->cost_bound_usd_micros =
            second_proved ? s->second : min64(s->second, proved ? s->open_second : least_cost_usd_micros(s));
        result->cost_proof = second_proved ? proof : TASKFIT_PROOF_GAP;
        result->lower_bound = min64(bound, s->first);
    }
    result->stage = s->refuted_stage != NULL ? s->refuted_stage : s->plan.stage;
    result->binding = taskfit_explain_binding(s->problem, s->fleet_count, s->arena, &result->binding_note);
}

static void answer_without_plan(taskfit_search *s, int64_t bound, taskfit_solve_result *result) {
    result->lower_bound = s->cost_first ? least_instances(s) : bound;
    result->cost_usd_micros = -1;
    result->proof = TASKFIT_PROOF_NONE;
    result->cost_proof = TASKFIT_PROOF_NONE;
    result->outcome = TASKFIT_UNKNOWN;
    result->stage = s->refuted_stage != NULL ? s->refuted_stage : "volume";
    if (s->open_first == INT64_MAX && !s->budget.stopped && s->budget.work_left > 0) {
        result->outcome = TASKFIT_INFEASIBLE;
        result->proof = TASKFIT_PROOF_INFEASIBLE;
        largest_fleet(s, s->fleet_count);
        if (taskfit_explain_below_min(s->problem, s->fleet_count, s->arena, &result->reason)) {
            return;
        }
        const taskfit_decision *d = taskfit_decision_new(s->scratch, s->problem, s->fleet_count);
        const bool holds = s->rooms && taskfit_bound_shortage(d).type == TASKFIT_SHORTAGE_NONE;
        result->reason = holds ? taskfit_explain_no_room(s->problem, s->fleet_count, s->arena)
                               : taskfit_explain_too_small(s->problem, s->fleet_count, s->arena);
    }
}

void taskfit_search_answer(taskfit_search *s, int64_t bound, taskfit_solve_result *result) {
    if (s->has_plan) {
        answer_with_plan(s, bound, result);
    } else {
        answer_without_plan(s, bound, result);
    }
}
