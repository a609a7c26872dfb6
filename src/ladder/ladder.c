#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "ladder/ecs.h"
#include "ladder/goals.h"
#include "ladder/losses.h"
#include "ladder/moves.h"
#include "ladder/warnings.h"
#include "problem/plan.h"
#include "problem/problem.h"
#include "solve/solve.h"
#include "taskfit/taskfit.h"

/*
 * The rungs from the lowest up: each passes its bound to the next, which only has more rules. The plan is that
 * of the policy's rung.
 */

enum { MOVES_WORK = 2000000000 /* unless the settings say otherwise */ };

typedef struct climb {
    const taskfit_deployment *deployment;
    const taskfit_settings *settings;
    taskfit_plan *plan;
    taskfit_rung target;
    int64_t deadline_ms; /* 0: none */
    bool count_first;
    taskfit_plan_rung *rungs;
    size_t n_rungs;
    int64_t known_bound;           /* proved on the rungs below */
    bool known_by_solver;
    bool infeasible_below;
    bool no_ecs; /* the figure beside the ladder was not found */
    taskfit_solve_result result;   /* of the rung solved last */
    taskfit_solve_result answer;   /* of the target */
    taskfit_problem *problem;      /* of the target, where a plan is given */
    const taskfit_given *given;    /* that plan; NULL: none, or there is no fleet */
    taskfit_rearranged rearranged;
} climb;

void taskfit_settings_init(taskfit_settings *settings) {
    *settings = (taskfit_settings){.time_limit_ms = 60000, .ladder = true, .seed = 1};
}

/* Rungs below the target may take half of what is left of the time, so that the plan itself gets its share, which it
 * shares with the moves from a given plan. */
static taskfit_settings rung_settings(const climb *c, taskfit_rung rung) {
    taskfit_settings settings = *c->settings;
    if (c->deadline_ms > 0) {
        const int64_t left = c->deadline_ms - taskfit_clock_ms();
        const bool half = rung < c->target || (rung == c->target && c->settings->from != NULL);
        settings.time_limit_ms = left < 2 ? 1 : half ? left / 2 : left;
    }
    return settings;
}

static taskfit_plan_reason plan_reason(const taskfit_reason *reason) {
    return (taskfit_plan_reason){.service = reason->service,
                                 .resource = taskfit_limit_name(reason->resource),
                                 .need = reason->need,
                                 .room = reason->room,
                                 .instance_type = reason->instance_type,
                                 .message = reason->message};
}

/* What the rung takes, whatever moves. */
static void add_rung(climb *c, taskfit_rung rung) {
    const taskfit_solve_result *result = &c->result;
    taskfit_plan_rung *row = &c->rungs[c->n_rungs++];
    *row = (taskfit_plan_rung){.rung = rung,
                               .instances = result->fleet != NULL ? (int64_t)result->fleet->n_machines : -1,
                               .lower_bound = result->lower_bound,
                               .proof = result->proof,
                               .cost_usd_micros = result->cost_usd_micros};
    if (result->outcome == TASKFIT_INFEASIBLE) {
        taskfit_plan_reason *reason = TASKFIT_NEW(c->plan->arena, taskfit_plan_reason);
        *reason = plan_reason(&result->reason);
        row->reason = reason;
    }
}

static const char *rung_note(const climb *c, taskfit_rung rung, size_t n_below) {
    const taskfit_policy *policy = &c->deployment->policy;
    const char *what = taskfit_rolling_in_force(policy, rung) == TASKFIT_ROLLING_ALL_SERVICES
                           ? "a deployment of all services at once"
                           : "the deployment of any one service";
    if (rung == TASKFIT_RUNG_SURVIVE) {
        what = taskfit_survive_in_force(policy, rung) == TASKFIT_SURVIVE_AVAILABILITY_ZONE
                   ? "what any one availability zone holds, should it be lost"
                   : "what any one instance holds, should it be lost";
    }
    return taskfit_arena_printf(c->plan->arena, "%zu instance%s the tasks, but leave no room for %s", n_below,
                                n_below == 1 ? " holds" : "s hold", what);
}

/* Rules that cost no instance do not bind: then it is what binds below. Where a rung costs one, it is that rung. */
static void settle_binding(const climb *c, taskfit_rung rung, const taskfit_solve_result *below, taskfit_solve_result *result) {
    if (c->n_rungs == 0 || below->fleet == NULL || result->fleet == NULL) {
        return;
    }
    if (result->fleet->n_machines == below->fleet->n_machines) {
        result->binding = below->binding;
        result->binding_note = below->binding_note;
    } else if (rung == TASKFIT_RUNG_SPREAD) {
        result->binding = TASKFIT_LIMIT_SPREAD;
    } else if (rung >= TASKFIT_RUNG_ROLLING) {
        result->binding = rung == TASKFIT_RUNG_ROLLING ? TASKFIT_LIMIT_ROLLING : TASKFIT_LIMIT_SURVIVE;
        result->binding_note = rung_note(c, rung, below->fleet->n_machines);
    }
}

/* With a given plan: the answer's placement becomes the one with the fewest moves. */
static void rearrange(climb *c) {
    const taskfit_plan *from = c->settings->from;
    if (from == NULL || c->answer.fleet == NULL) {
        return;
    }
    taskfit_budget budget = {.work_left = c->settings->work_limit > 0 ? c->settings->work_limit : MOVES_WORK,
                             .stop = c->settings->stop,
                             .stop_arg = c->settings->stop_arg};
    if (c->deadline_ms > 0) { /* an eighth is for the order of the moves */
        const int64_t now_ms = taskfit_clock_ms();
        budget.deadline_ms = now_ms + (c->deadline_ms > now_ms ? (c->deadline_ms - now_ms) / 8 * 7 : 0);
    }
    c->given = taskfit_given_new(from, c->problem, c->plan->arena);
    c->rearranged = taskfit_rearrange(c->problem, c->given, &budget, &c->answer, c->plan->arena);
    c->answer.stopped = c->answer.stopped || budget.stopped;
}

/* Solves one rung, unless one below it was infeasible already: more rules do not help. */
static taskfit_status climb_to(climb *c, taskfit_rung rung, taskfit_error *err) {
    const taskfit_solve_result below = c->result;
    if (!c->infeasible_below) {
        taskfit_problem *problem = taskfit_problem_new(c->deployment, rung);
        const taskfit_settings settings = rung_settings(c, rung);
        const taskfit_status status = taskfit_solve(problem, &settings, c->count_first ? c->known_bound : 0, NULL,
                                                    c->plan->arena, &c->result, err);
        if (rung == c->target) {
            c->problem = problem; /* moves need it still */
        } else {
            taskfit_problem_free(problem);
        }
        if (status != TASKFIT_OK) {
            return status;
        }
        if (c->known_by_solver && c->result.proof == TASKFIT_PROOF_EXACT && c->result.lower_bound == c->known_bound) {
            c->result.proof = TASKFIT_PROOF_SOLVER; /* the bound is the lower rung's */
        }
        settle_binding(c, rung, &below, &c->result);
    }
    if (rung == c->target) {
        c->answer = c->result;
        rearrange(c);
    }
    add_rung(c, rung);
    c->infeasible_below = c->result.outcome == TASKFIT_INFEASIBLE;
    if (c->result.lower_bound > c->known_bound) {
        c->known_bound = c->result.lower_bound;
        c->known_by_solver = c->result.proof == TASKFIT_PROOF_SOLVER;
    }
    return TASKFIT_OK;
}

/* ---- the plan ---- */

/* A place for everything exists after any loss; ECS may not find it. */
static void add_loss_share(const climb *c) {
    taskfit_loss_share share = {0};
    if (c->settings->ladder && taskfit_loss_share_of(c->plan, c->settings, &share) && share.n_complete < share.n_tries) {
        const int64_t per_mille = share.n_complete * 1000 / share.n_tries;
        taskfit_plan_warn_more(c->plan, "SURVIVE001",
                               taskfit_arena_printf(c->plan->arena,
                                                    "after any loss there is a place for every task, but Amazon ECS's own placement finds it "
                                                    "in %lld.%lld %% of %lld tries only ('taskfit simulate --lose' shows the worst)",
                                                    (long long)(per_mille / 10), (long long)(per_mille % 10), (long long)share.n_tries));
    }
}

/* The search proves instances, cost and moves; where balance is the first goal, the plan is optimal only if it meets
 * the bound on balance. */
static void settle_outcome(taskfit_plan *plan) {
    assert(plan->n_goals > 0);
    const bool by_balance = strcmp(plan->goals[0].goal, taskfit_goal_name(TASKFIT_GOAL_BALANCE)) == 0;
    const taskfit_proof proof = plan->goals[0].proof;
    if (by_balance && plan->outcome == TASKFIT_OPTIMAL && proof != TASKFIT_PROOF_EXACT && proof != TASKFIT_PROOF_SOLVER) {
        plan->outcome = TASKFIT_FEASIBLE;
    }
}

static void fill_plan(climb *c) {
    taskfit_plan *plan = c->plan;
    const taskfit_solve_result *answer = &c->answer;
    plan->outcome = answer->outcome;
    plan->rung = c->target;
    plan->instances = -1;
    plan->lower_bound = answer->lower_bound;
    plan->cost_usd_micros = -1;
    plan->cost_bound_usd_micros = -1;
    plan->ladder = c->rungs;
    plan->n_ladder = c->n_rungs;
    plan->fleet = TASKFIT_NEW(plan->arena, taskfit_fleet);
    if (answer->fleet != NULL) {
        plan->fleet = answer->fleet;
        plan->instances = (int64_t)answer->fleet->n_machines;
        plan->cost_usd_micros = answer->cost_usd_micros;
        plan->cost_bound_usd_micros = answer->cost_bound_usd_micros;
        plan->binding_resource = taskfit_limit_name(answer->binding);
        plan->binding_note = answer->binding_note;
        taskfit_plan_set_goals(plan, answer, c->given, &c->rearranged);
        settle_outcome(plan);
        if (c->given != NULL) {
            taskfit_plan_fill_moves(plan, c->problem, c->given, &c->rearranged);
        }
    } else if (answer->outcome == TASKFIT_INFEASIBLE) {
        plan->reason = plan_reason(&answer->reason);
    }
    const bool wanted = c->settings->ladder && plan->instances > 0 && c->rungs[0].rung == TASKFIT_RUNG_PACKING;
    c->no_ecs = wanted && !taskfit_ecs_figure(plan, c->rungs[0].lower_bound, c->settings);
    taskfit_plan_warn(plan, answer, c->no_ecs, false);
}

static taskfit_status fill_front(const climb *c, taskfit_error *err) {
    taskfit_settings settings = *c->settings;
    if (!settings.moves_front || c->given == NULL) {
        return TASKFIT_OK;
    }
    if (c->deadline_ms > 0) {
        const int64_t left_ms = c->deadline_ms - taskfit_clock_ms();
        settings.time_limit_ms = left_ms > 0 ? left_ms : 1;
    }
    return taskfit_plan_fill_front(c->plan, c->problem, c->given, &c->rearranged, &settings, err);
}

typedef struct verdicts {
    taskfit_strbuf *first;
    size_t n_undecided;
} verdicts;

static void hear(void *arg, const char *text) {
    verdicts *heard = arg;
    const bool undecided = strstr(text, ", undecided)") != NULL;
    heard->n_undecided += undecided ? 1 : 0;
    if (heard->first->len == 0 && !undecided) {
        taskfit_strbuf_adds(heard->first, text);
    }
}

/* Nothing leaves that code of another hand does not accept; what it cannot decide is a warning. */
static taskfit_status judge(const climb *c, taskfit_error *err) {
    taskfit_plan *plan = c->plan;
    TASKFIT_STRBUF(first);
    verdicts heard = {.first = &first};
    size_t n_broken = 0;
    const taskfit_plan *from = c->given != NULL ? c->settings->from : NULL;
    const taskfit_status status = taskfit_plan_verify_from(plan, NULL, from, hear, &heard, &n_broken);
    if (status != TASKFIT_OK) {
        return status;
    }
    if (n_broken > heard.n_undecided) {
        return taskfit_fail(err, TASKFIT_E_INTERNAL, "the plan was refused by the verifier: %s (please report this)",
                            first.data);
    }
    if (n_broken > 0) {
        taskfit_plan_warn(plan, &c->answer, c->no_ecs, true);
    }
    return TASKFIT_OK;
}

static void warn_of_moves(const climb *c) {
    const char *resized = c->given != NULL ? taskfit_given_resized(c->given, c->deployment, c->plan->arena) : NULL;
    if (resized != NULL) {
        taskfit_plan_warn_more(c->plan, "MOVES001",
                               taskfit_arena_printf(c->plan->arena,
                                                    "limits or reservations differ from those of the given plan, so that these tasks restart "
                                                    "even where they stay: %s",
                                                    resized));
    }
}

/* Moves need a plan to move from, and the other way round. */
static taskfit_status check_moves(const taskfit_policy *policy, const taskfit_settings *settings, taskfit_error *err) {
    bool named = false;
    for (size_t i = 0; i < policy->n_objective; i++) {
        named = named || policy->objective[i] == TASKFIT_GOAL_MOVES;
    }
    if (named && settings->from == NULL) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT,
                            "the objective names 'moves', but no plan is given to move from (add --from PLAN, or leave moves out with "
                            "--objective)");
    }
    if (settings->moves_front && settings->from == NULL) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "the front of moves needs a plan to move from (add --from PLAN)");
    }
    return settings->from != NULL ? taskfit_given_check(settings->from, err) : TASKFIT_OK;
}

/* Of those the optimizer itself has: moves come after it. */
static taskfit_goal first_goal(const taskfit_policy *policy) {
    return policy->objective[0] == TASKFIT_GOAL_MOVES && policy->n_objective > 1 ? policy->objective[1] : policy->objective[0];
}

taskfit_status taskfit_size(const taskfit_deployment *deployment, const taskfit_settings *settings, taskfit_plan **plan_out,
                            taskfit_error *err) {
    const taskfit_policy *policy = &deployment->policy;
    const taskfit_status asked = check_moves(policy, settings, err);
    if (asked != TASKFIT_OK) {
        return asked;
    }
    taskfit_arena *arena = taskfit_arena_new();
    climb c = {.deployment = deployment,
               .settings = settings,
               .plan = TASKFIT_NEW(arena, taskfit_plan),
               .target = taskfit_policy_rung(policy),
               .count_first = policy->n_objective == 0 || first_goal(policy) != TASKFIT_GOAL_COST,
               .rungs = TASKFIT_ARRAY(arena, TASKFIT_RUNG_COUNT, taskfit_plan_rung)};
    c.plan->arena = arena;
    c.plan->deployment = deployment;
    c.deadline_ms = settings->time_limit_ms > 0 ? taskfit_clock_ms() + settings->time_limit_ms : 0;
    taskfit_status status = TASKFIT_OK;
    for (int rung = TASKFIT_RUNG_PACKING; rung < TASKFIT_RUNG_COUNT && status == TASKFIT_OK; rung++) {
        const bool wanted = settings->ladder ? taskfit_rung_on_ladder(policy, (taskfit_rung)rung) : rung == (int)c.target;
        if (wanted) {
            status = climb_to(&c, (taskfit_rung)rung, err);
        }
    }
    if (status == TASKFIT_OK) {
        fill_plan(&c);
        status = fill_front(&c, err);
    }
    if (status == TASKFIT_OK) {
        status = judge(&c, err);
    }
    if (status == TASKFIT_OK) {
        add_loss_share(&c);
        warn_of_moves(&c);
    }
    taskfit_problem_free(c.problem);
    if (status != TASKFIT_OK) {
        taskfit_plan_free(c.plan);
        return status;
    }
    *plan_out = c.plan;
    return TASKFIT_OK;
}
