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

typedef struct search {
    taskfit_cut_pool pool;
    taskfit_strbuf open; /* the fleet that nothing refutes */
} search;

static bool on_open(void *arg, taskfit_cert_fleets *fleets, const int64_t *fleet) {
    search *s = arg;
    taskfit_cut_pool *c = &s->pool;
    const bool found = c->n_cuts < MOST_CUTS && taskfit_budget_spend(c->budget, 1) && taskfit_cut_find(c, fleet);
    fleets->cuts = c->cuts;
    fleets->n_cuts = c->n_cuts;
    if (!found) {
        taskfit_cert_fleet_text(fleets->rules, fleet, &s->open);
    }
    return found;
}

/* ---- less to check ---- */

static bool refuted_with(const taskfit_cert_fleets *fleets, const taskfit_cert_cut *cuts, size_t n_cuts) {
    taskfit_arena *scratch = taskfit_arena_new();
    taskfit_cert_fleets again = {.rules = fleets->rules,
                                 .cuts = cuts,
                                 .n_cuts = n_cuts,
                                 .by_cost = fleets->by_cost,
                                 .bound = fleets->bound,
                                 .steps_left = PRUNE_STEPS};
    const bool refuted = taskfit_cert_refute(&again, scratch);
    taskfit_arena_free(scratch);
    return refuted;
}

/* Cuts that later ones made needless are dropped. */
static void drop_needless(taskfit_cut_pool *c, const taskfit_cert_fleets *fleets) {
    for (size_t i = 0; i < c->n_cuts;) {
        const taskfit_cert_cut dropped = c->cuts[i];
        c->cuts[i] = c->cuts[c->n_cuts - 1];
        if (refuted_with(fleets, c->cuts, c->n_cuts - 1)) {
            c->n_cuts--;
        } else {
            c->cuts[c->n_cuts - 1] = c->cuts[i];
            c->cuts[i++] = dropped;
        }
    }
}

/* Where more than the maximum would do, a bound on it is claimed that is seen at a glance: the checker searches no further
 * than the claim. First of all instances, else of those of one offer after the other. */
static void claim_more(taskfit_cut_pool *c, const taskfit_cert_fleets *fleets, taskfit_cert_cut *cut) {
    const size_t n_offers = c->rules->n_offers;
    int64_t *rough = TASKFIT_ARRAY(c->arena, n_offers, int64_t);
    int64_t *rough_beside = TASKFIT_ARRAY(c->arena, n_offers, int64_t);
    int64_t *maximum = TASKFIT_ARRAY(c->arena, n_offers, int64_t);
    if (cut->tree != NULL) {
        return;
    }
    const taskfit_cert_cut exact = *cut;
    if (!taskfit_cert_maxima(c->rules, cut, TASKFIT_CERT_ROUGH, c->sacks, rough, rough_beside)) {
        return;
    }
    cut->maximum = rough;
    cut->beside = exact.beside != NULL ? rough_beside : NULL;
    if (refuted_with(fleets, c->cuts, c->n_cuts)) {
        return;
    }
    cut->beside = exact.beside;
    cut->maximum = maximum;
    memcpy(maximum, exact.maximum, n_offers * sizeof *maximum);
    for (size_t o = 0; o < n_offers; o++) {
        maximum[o] = rough[o];
        maximum[o] = refuted_with(fleets, c->cuts, c->n_cuts) ? rough[o] : exact.maximum[o];
    }
}

static void simplify(taskfit_cut_pool *c, const taskfit_cert_fleets *fleets) {
    if (c->n_cuts > MOST_PRUNED || TASKFIT_CERT_STEPS - fleets->steps_left > PRUNE_STEPS) {
        return;
    }
    drop_needless(c, fleets);
    for (size_t i = 0; i < c->n_cuts; i++) {
        claim_more(c, fleets, &c->cuts[i]);
    }
}

/* ---- the whole ---- */

static taskfit_status none(const search *s, const taskfit_cert_fleets *fleets, taskfit_error *err) {
    const taskfit_cut_pool *c = &s->pool;
    if (fleets->steps_left <= 0) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "no certificate: there are too many fleets below the bound to list");
    }
    const bool no_time = c->budget->stopped || c->budget->work_left <= 0;
    return taskfit_fail(err, TASKFIT_E_ARGUMENT, "no certificate: %s the fleet of %s",
                        no_time               ? "there was not enough time to refute"
                        : c->n_cuts == MOST_CUTS ? "so many cuts do not suffice that none was sought for"
                        : c->too_hard         ? "what an instance can hold at most is too hard to recheck, which leaves open"
                                              : "neither prices nor a tree of splits refute",
                        s->open.data);
}

static taskfit_status find_cuts(search *s, bool by_cost, int64_t bound, taskfit_error *err) {
    taskfit_cert_fleets fleets = {.rules = s->pool.rules,
                                  .by_cost = by_cost,
                                  .bound = bound,
                                  .steps_left = TASKFIT_CERT_STEPS,
                                  .on_open = on_open,
                                  .on_open_arg = s};
    if (!taskfit_cert_refute(&fleets, s->pool.arena)) {
        return none(s, &fleets, err);
    }
    simplify(&s->pool, &fleets);
    return TASKFIT_OK;
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
    if (plan->n_goals > 0 && strcmp(plan->goals[0].goal, "moves") == 0) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT,
                            "no certificate: moves are the first goal, and it would speak of count or cost (put one of them first)");
    }
    const taskfit_policy *policy = &plan->deployment->policy;
    const taskfit_goal goal = policy->n_objective > 0 ? policy->objective[0] : TASKFIT_GOAL_COUNT;
    const bool by_cost = goal == TASKFIT_GOAL_COST;
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_problem *problem = taskfit_problem_new(plan->deployment, plan->rung);
    taskfit_budget budget = {.work_left = CERTIFY_WORK, .stop = settings->stop, .stop_arg = settings->stop_arg};
    budget.deadline_ms = settings->time_limit_ms > 0 ? taskfit_clock_ms() + settings->time_limit_ms : 0;
    search s = {.pool = {.arena = arena,
                         .problem = problem,
                         .rules = taskfit_cert_rules_new(plan->deployment, plan->rung, arena),
                         .budget = &budget,
                         .trees = true}};
    taskfit_strbuf_init(&s.open);
    const int64_t bound = by_cost ? plan->cost_bound_usd_micros : plan->lower_bound;
    taskfit_status status = find_cuts(&s, by_cost, bound, err);
    if (status == TASKFIT_OK) {
        char hex[65];
        taskfit_cert_plan_sha256(plan, hex);
        const taskfit_cert cert = {.plan_sha256 = hex,
                                   .rung = taskfit_rung_name(plan->rung),
                                   .goal = taskfit_goal_name(goal),
                                   .bound = bound,
                                   .cuts = s.pool.cuts,
                                   .n_cuts = s.pool.n_cuts};
        TASKFIT_STRBUF(text);
        taskfit_cert_write(&cert, s.pool.rules, &text);
        status = deliver(plan, &text, write, sink, err);
    }
    taskfit_strbuf_release(&s.open);
    taskfit_problem_free(problem);
    taskfit_arena_free(arena);
    return status;
}
