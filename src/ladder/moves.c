#include "ladder/moves.h"

#include <assert.h>

taskfit_goal_list taskfit_goals_with_moves(const taskfit_policy *policy) {
    enum { N_MAX = sizeof((taskfit_goal_list *)NULL)->goals / sizeof(taskfit_goal) };
    taskfit_goal_list list = {.n = 0};
    bool named = false;
    for (size_t i = 0; i < policy->n_objective; i++) {
        named = named || policy->objective[i] == TASKFIT_GOAL_MOVES;
    }
    for (size_t i = 0; i < policy->n_objective; i++) {
        assert(list.n < N_MAX);
        if (!named && policy->objective[i] == TASKFIT_GOAL_BALANCE) {
            list.goals[list.n++] = TASKFIT_GOAL_MOVES;
            named = true;
        }
        list.goals[list.n++] = policy->objective[i];
    }
    if (!named) {
        list.goals[list.n++] = TASKFIT_GOAL_MOVES;
    }
    return list;
}

size_t taskfit_goal_place(const taskfit_goal_list *list, taskfit_goal goal) {
    size_t place = 0;
    while (place < list->n && list->goals[place] != goal) {
        place++;
    }
    return place;
}

/* ---- the goals behind moves ---- */

typedef struct rearranger {
    const taskfit_problem *problem;
    const taskfit_given *given;
    taskfit_budget *budget;
    taskfit_arena *arena;
    taskfit_solve_result *answer;
    taskfit_rearranged found;
    taskfit_moves_query query; /* with what the goals so far have fixed */
    int64_t cheapest_usd_micros; /* of all offers */
} rearranger;

static int64_t cost_of(const taskfit_problem *problem, const taskfit_fleet *fleet) {
    int64_t usd_micros = 0;
    for (size_t m = 0; m < fleet->n_machines; m++) {
        const taskfit_machine *machine = &fleet->machines[m];
        usd_micros += problem->deployment->groups[machine->group].types[machine->type].price_usd_micros;
    }
    return usd_micros;
}

static void adopt(rearranger *r, const taskfit_moves_answer *answer) {
    r->answer->fleet = answer->fleet;
    r->answer->cost_usd_micros = cost_of(r->problem, answer->fleet);
    r->found.standing = answer->standing;
    r->found.kept = answer->kept;
}

/* Whether as much can be kept on other fleets. OPEN: it was not found, nor refuted. */
typedef enum verdict { NO, YES, OPEN } verdict;

static verdict keeps_as_much(rearranger *r, taskfit_proof *proof) {
    taskfit_moves_query query = r->query;
    query.at_least = r->found.kept;
    const taskfit_moves_answer answer = taskfit_moves_solve(&query, r->budget, r->arena);
    if (answer.fleet != NULL && answer.kept >= r->found.kept) {
        adopt(r, &answer);
        return YES;
    }
    *proof = answer.proof == TASKFIT_PROOF_SOLVER ? TASKFIT_PROOF_SOLVER : *proof;
    return answer.kept_bound < r->found.kept ? NO : OPEN;
}

/* So many instances cost at least so many of the cheapest. */
static void raise_cost_bound(rearranger *r) {
    const int64_t least = r->answer->lower_bound * r->cheapest_usd_micros;
    if (least >= r->answer->cost_bound_usd_micros && r->answer->cost_proof == TASKFIT_PROOF_GAP) {
        r->answer->cost_bound_usd_micros = least;
        r->answer->cost_proof = least == r->answer->cost_usd_micros ? TASKFIT_PROOF_EXACT : TASKFIT_PROOF_GAP;
    }
}

/* Moves are the first goal: the answer's bounds were those of fleets that need not be near. */
static void restate_bounds(rearranger *r, int64_t least) {
    r->answer->outcome = r->found.proof == TASKFIT_PROOF_GAP ? TASKFIT_FEASIBLE : TASKFIT_OPTIMAL;
    r->answer->lower_bound = least;
    r->answer->proof = (int64_t)r->answer->fleet->n_machines == least ? TASKFIT_PROOF_EXACT : TASKFIT_PROOF_GAP;
    r->answer->cost_bound_usd_micros = 0;
    r->answer->cost_proof = TASKFIT_PROOF_GAP;
    raise_cost_bound(r);
}

/* From the fewest up, so that the first that keeps as much is it. `first`: moves are the first goal, and no other goal
 * has a proof yet. */
static void refine_count(rearranger *r, int64_t least, bool first) {
    const int64_t most = (int64_t)r->answer->fleet->n_machines;
    taskfit_proof proof = TASKFIT_PROOF_EXACT;
    int64_t bound = least;
    bool refuted = true;
    verdict now = NO;
    for (int64_t n = least; n < most && now != YES; n++) {
        r->query.n_instances = n;
        now = r->budget->stopped ? OPEN : keeps_as_much(r, &proof);
        refuted = refuted && now == NO;
        bound = refuted ? n + 1 : bound;
    }
    r->query.n_instances = (int64_t)r->answer->fleet->n_machines;
    r->answer->lower_bound = bound < r->query.n_instances ? bound : r->query.n_instances;
    if (first) {
        r->answer->proof = r->answer->lower_bound == r->query.n_instances ? proof : TASKFIT_PROOF_GAP;
        raise_cost_bound(r);
    }
}

/* From what was found down, each time below it. */
static void refine_cost(rearranger *r) {
    enum { TRIES = 40 };
    const int64_t least = r->cheapest_usd_micros * (r->query.n_instances >= 0 ? r->query.n_instances : 0);
    taskfit_proof proof = TASKFIT_PROOF_EXACT;
    verdict now = YES;
    for (int i = 0; i < TRIES && now == YES && !r->budget->stopped; i++) {
        r->query.max_cost_usd_micros = r->answer->cost_usd_micros - 1;
        now = r->answer->cost_usd_micros <= least ? NO : keeps_as_much(r, &proof);
    }
    r->query.max_cost_usd_micros = r->answer->cost_usd_micros;
    r->answer->cost_bound_usd_micros = now == NO ? r->answer->cost_usd_micros : least;
    r->answer->cost_proof = now == NO ? proof : TASKFIT_PROOF_GAP;
}

/* ---- moves ---- */

/* Balance comes first: the placement stays, and only who each instance was is chosen. */
static void match(rearranger *r) {
    r->found.standing = taskfit_moves_match(r->problem, &r->given->standing, r->answer->fleet, r->arena, &r->found.kept);
    const bool all = r->found.kept == r->given->of;
    r->found.kept_bound = all ? r->found.kept : -1;
    r->found.proof = all ? TASKFIT_PROOF_EXACT : TASKFIT_PROOF_NONE;
}

static void keep_most(rearranger *r) {
    r->query.hint = r->answer->fleet;
    const taskfit_moves_answer answer = taskfit_moves_solve(&r->query, r->budget, r->arena);
    r->query.hint = NULL;
    assert(answer.fleet != NULL); /* as there is a hint */
    adopt(r, &answer);
    r->found.kept_bound = answer.kept_bound < r->given->of ? answer.kept_bound : r->given->of;
    r->found.proof = answer.kept < r->found.kept_bound ? TASKFIT_PROOF_GAP
                     : answer.proof == TASKFIT_PROOF_SOLVER ? TASKFIT_PROOF_SOLVER
                                                            : TASKFIT_PROOF_EXACT;
}

taskfit_rearranged taskfit_rearrange(const taskfit_problem *problem, const taskfit_given *given, taskfit_budget *budget,
                                     taskfit_solve_result *answer, taskfit_arena *arena) {
    const taskfit_goal_list list = taskfit_goals_with_moves(&problem->deployment->policy);
    const size_t at = taskfit_goal_place(&list, TASKFIT_GOAL_MOVES);
    const size_t count_at = taskfit_goal_place(&list, TASKFIT_GOAL_COUNT);
    const size_t cost_at = taskfit_goal_place(&list, TASKFIT_GOAL_COST);
    rearranger r = {.problem = problem, .given = given, .budget = budget, .arena = arena, .answer = answer};
    r.query = (taskfit_moves_query){.problem = problem,
                                    .standing = &given->standing,
                                    .n_instances = count_at < at ? (int64_t)answer->fleet->n_machines : -1,
                                    .max_cost_usd_micros = cost_at < at ? answer->cost_usd_micros : -1};
    r.cheapest_usd_micros = problem->n_offers > 0 ? problem->offers[0].price_usd_micros : 0;
    for (size_t o = 0; o < problem->n_offers; o++) {
        const int64_t price = problem->offers[o].price_usd_micros;
        r.cheapest_usd_micros = price < r.cheapest_usd_micros ? price : r.cheapest_usd_micros;
    }
    if (taskfit_goal_place(&list, TASKFIT_GOAL_BALANCE) < at) {
        match(&r);
        return r.found;
    }
    const int64_t least = cost_at < count_at && answer->fleet->n_machines > 0 ? 1 : answer->lower_bound;
    keep_most(&r);
    if (at == 0) {
        restate_bounds(&r, least);
    }
    for (size_t i = at + 1; i < list.n; i++) {
        if (list.goals[i] == TASKFIT_GOAL_COUNT) {
            refine_count(&r, least, at == 0);
        } else if (list.goals[i] == TASKFIT_GOAL_COST) {
            refine_cost(&r);
        }
    }
    return r.found;
}
