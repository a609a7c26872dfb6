#include "taskfit/certificate.h"

#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "problem/certificate.h"
#include "problem/plan.h"
#include "solve/cuts.h"

/*
 * Looks for the cuts of a certificate. The checker's own enumeration goes through the fleets below the bound; for each that no
 * cut refutes yet, cuts.c is asked for one.
 */

enum { MOST_CUTS = 400, MOST_PRUNED = 24, PRUNE_STEPS = 50000 };
#define CERTIFY_WORK INT64_C(1000000000)

static bool on_open(void *arg, taskfit_cert_fleets *fleets, const int64_t *fleet) {
    taskfit_cut_pool *c = arg;
    const bool found = c->n_cuts < MOST_CUTS && taskfit_budget_spend(c->budget, 1) && taskfit_cut_find(c, fleet);
    fleets->cuts = c->cuts;
    fleets->n_cuts = c->n_cuts;
    return found;
}

/* ---- the whole ---- */

/* Cuts that later ones made needless are dropped, where looking is cheap. */
static void drop_needless(taskfit_cut_pool *c, const taskfit_cert_fleets *fleets) {
    if (c->n_cuts > MOST_PRUNED || TASKFIT_CERT_STEPS - fleets->steps_left > PRUNE_STEPS) {
        return;
    }
    for (size_t i = 0; i < c->n_cuts;) {
        const taskfit_cert_cut dropped = c->cuts[i];
        taskfit_arena *scratch = taskfit_arena_new();
        c->cuts[i] = c->cuts[c->n_cuts - 1];
        taskfit_cert_fleets without = {.rules = fleets->rules,
                                       .cuts = c->cuts,
                                       .n_cuts = c->n_cuts - 1,
                                       .by_cost = fleets->by_cost,
                                       .bound = fleets->bound,
                                       .steps_left = TASKFIT_CERT_STEPS};
        if (taskfit_cert_refute(&without, scratch)) {
            c->n_cuts--;
        } else {
            c->cuts[c->n_cuts - 1] = c->cuts[i];
            c->cuts[i++] = dropped;
        }
        taskfit_arena_free(scratch);
    }
}

static taskfit_status find_cuts(taskfit_cut_pool *c, bool by_cost, int64_t bound, taskfit_error *err) {
    taskfit_cert_fleets fleets = {.rules = c->rules,
                                  .by_cost = by_cost,
                                  .bound = bound,
                                  .steps_left = TASKFIT_CERT_STEPS,
                                  .on_open = on_open,
                                  .on_open_arg = c};
    if (taskfit_cert_refute(&fleets, c->arena)) {
        drop_needless(c, &fleets);
        return TASKFIT_OK;
    }
    return taskfit_fail(err, TASKFIT_E_ARGUMENT, "no certificate: %s",
                        c->budget->stopped || c->budget->work_left <= 0 ? "there was not enough time to look for one"
                        : fleets.steps_left <= 0 ? "there are too many fleets below the bound to list"
                        : c->too_hard            ? "what an instance can hold at most is too hard to recheck"
                                                 : "the bound rests on more than prices (branching, or GLPK)");
}


static void keep_first(void *arg, const char *text) {
    taskfit_strbuf *first = arg;
    if (first->len == 0) {
        taskfit_strbuf_adds(first, text);
    }
}

static taskfit_status deliver(const taskfit_plan *plan, const taskfit_strbuf *text, taskfit_write_fn *write, void *sink,
                              taskfit_error *err) {
    TASKFIT_STRBUF(first);
    size_t n_broken = 0;
    const taskfit_status status =
        taskfit_certificate_check(plan, NULL, text->data, text->len, keep_first, &first, &n_broken, err);
    if (status != TASKFIT_OK) {
        return status;
    }
    if (n_broken > 0) {
        return taskfit_fail(err, TASKFIT_E_INTERNAL, "the certificate was refused by its own check: %s (please report this)",
                            first.data);
    }
    if (write(sink, text->data, text->len) != 0) {
        return taskfit_fail(err, TASKFIT_E_SYSTEM, "the certificate could not be written");
    }
    return TASKFIT_OK;
}

taskfit_status taskfit_certify(const taskfit_plan *plan, const taskfit_settings *settings, taskfit_write_fn *write, void *sink,
                               taskfit_error *err) {
    if (plan->instances < 0) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "no certificate: there is no plan whose bound it could prove");
    }
    const taskfit_policy *policy = &plan->deployment->policy;
    const taskfit_goal goal = policy->n_objective > 0 ? policy->objective[0] : TASKFIT_GOAL_COUNT;
    const bool by_cost = goal == TASKFIT_GOAL_COST;
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_problem *problem = taskfit_problem_new(plan->deployment, plan->rung);
    taskfit_budget budget = {.work_left = CERTIFY_WORK, .stop = settings->stop, .stop_arg = settings->stop_arg};
    budget.deadline_ms = settings->time_limit_ms > 0 ? taskfit_clock_ms() + settings->time_limit_ms : 0;
    taskfit_cut_pool c = {.arena = arena,
                          .problem = problem,
                          .rules = taskfit_cert_rules_new(plan->deployment, plan->rung, arena),
                          .budget = &budget};
    const int64_t bound = by_cost ? plan->cost_bound_usd_micros : plan->lower_bound;
    taskfit_status status = find_cuts(&c, by_cost, bound, err);
    if (status == TASKFIT_OK) {
        char hex[65];
        taskfit_cert_plan_sha256(plan, hex);
        const taskfit_cert cert = {.plan_sha256 = hex,
                                   .rung = taskfit_rung_name(plan->rung),
                                   .goal = taskfit_goal_name(goal),
                                   .bound = bound,
                                   .cuts = c.cuts,
                                   .n_cuts = c.n_cuts};
        TASKFIT_STRBUF(text);
        taskfit_cert_write(&cert, c.rules, &text);
        status = deliver(plan, &text, write, sink, err);
    }
    taskfit_problem_free(problem);
    taskfit_arena_free(arena);
    return status;
}
