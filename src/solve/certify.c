#include "taskfit/certificate.h"

#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "problem/certificate.h"
#include "problem/plan.h"
#include "solve/bound.h"
#include "solve/generate.h"

/*
 * Looks for the cuts of a certificate. The checker's own enumeration goes through the fleets below the bound; for each that no
 * cut refutes yet, this file proposes prices: what a resource amounts to (in all AZs, or in one), a service that has too few
 * places, the duals of column generation. What the checker's arithmetic accepts is kept, as a cut for all fleets if
 * that is enough, else as a leaf.
 */

enum { MOST_CUTS = 400, MOST_PRUNED = 24, PRUNE_STEPS = 50000 };
#define CERTIFY_WORK INT64_C(1000000000)

typedef struct certifier {
    taskfit_arena *arena;
    const taskfit_problem *problem;
    const taskfit_cert_rules *rules;
    taskfit_cert_cut *cuts;
    size_t n_cuts, capacity;
    taskfit_budget budget;
    bool too_hard; /* a fleet stayed open because a knapsack was */
} certifier;

/* ---- keeping what refutes ---- */

static bool refutes(const certifier *c, const taskfit_cert_cut *cut, const int64_t *fleet) {
    taskfit_wide sum = 0;
    for (size_t o = 0; o < c->rules->n_offers; o++) {
        sum += (taskfit_wide)fleet[o] * cut->maximum[o];
    }
    return sum < cut->worth;
}

static bool try_scope(certifier *c, const int64_t *price, const int64_t *scope, const int64_t *fleet) {
    taskfit_arena *scratch = taskfit_arena_new();
    int64_t *maximum = TASKFIT_ARRAY(c->arena, c->rules->n_offers, int64_t);
    taskfit_cert_cut cut = {.price = price, .fleet = scope, .maximum = maximum};
    cut.worth = taskfit_cert_worth(c->rules, price, scope);
    const bool sure = cut.worth > 0 && taskfit_cert_maxima(c->rules, price, scope, NULL, maximum, scratch);
    c->too_hard = c->too_hard || (cut.worth > 0 && !sure);
    taskfit_arena_free(scratch);
    if (!sure || !refutes(c, &cut, fleet)) {
        return false;
    }
    TASKFIT_GROW(c->arena, c->cuts, c->n_cuts, c->capacity);
    c->cuts[c->n_cuts++] = cut;
    return true;
}

static bool try_price(certifier *c, const int64_t *price, const int64_t *fleet) {
    if (try_scope(c, price, NULL, fleet)) {
        return true;
    }
    int64_t *scope = TASKFIT_ARRAY(c->arena, c->rules->n_offers, int64_t);
    memcpy(scope, fleet, c->rules->n_offers * sizeof *scope);
    return try_scope(c, price, scope, fleet);
}

/* ---- simple prices ---- */

/* A resource as the price, in one AZ (or SIZE_MAX: all), where volume alone says no. */
static bool try_volume(certifier *c, size_t resource, size_t only_az, const int64_t *fleet) {
    const taskfit_cert_rules *rules = c->rules;
    int64_t *price = TASKFIT_ARRAY(c->arena, rules->n_services * rules->n_azs, int64_t);
    int64_t divisor = 1;
    for (size_t s = 0; s < rules->n_services; s++) {
        const int64_t demand = rules->services[s].demand.amount[resource];
        while (demand / divisor > TASKFIT_CERT_PRICE_MAX) {
            divisor *= 2;
        }
    }
    for (size_t s = 0; s < rules->n_services; s++) {
        for (size_t az = 0; az < rules->n_azs; az++) {
            price[s * rules->n_azs + az] =
                only_az == SIZE_MAX || only_az == az ? rules->services[s].demand.amount[resource] / divisor : 0;
        }
    }
    taskfit_wide room = 0;
    for (size_t o = 0; o < rules->n_offers; o++) {
        const taskfit_cert_offer *offer = &rules->offers[o];
        if ((only_az == SIZE_MAX || only_az == offer->az) && offer->capacity[resource] > 0) {
            room += (taskfit_wide)fleet[o] * (offer->capacity[resource] / divisor + 1);
        }
    }
    const int64_t worth = taskfit_cert_worth(rules, price, NULL);
    return worth > 0 && worth + (int64_t)c->rules->n_offers > room && try_price(c, price, fleet);
}

/* The services of one profile, in all AZs or in one. */
static bool try_profile(certifier *c, const taskfit_profile *profile, const int64_t *fleet) {
    const size_t n_azs = c->rules->n_azs;
    for (size_t only = 0; only <= n_azs; only++) {
        int64_t *price = TASKFIT_ARRAY(c->arena, c->rules->n_services * n_azs, int64_t);
        for (size_t i = 0; i < (size_t)profile->n_services * n_azs; i++) {
            price[profile->services[i / n_azs] * n_azs + i % n_azs] = only == i % n_azs + 1 || only == 0 ? 1 : 0;
        }
        if (try_price(c, price, fleet)) {
            return true;
        }
    }
    return false;
}

/* ---- duals ---- */

/* What the master asks for a profile in each zone, for each service in each AZ; in AZs without instances the dearest. */
static const int64_t *prices_of(certifier *c, const taskfit_decision *d, const taskfit_master *master) {
    const size_t n_azs = c->rules->n_azs;
    int64_t *price = TASKFIT_ARRAY(c->arena, c->rules->n_services * n_azs, int64_t);
    size_t *az_zone = TASKFIT_ARRAY(c->arena, n_azs, size_t);
    for (size_t az = 0; az < n_azs; az++) {
        az_zone[az] = d->n_zones == 1 ? 0 : SIZE_MAX;
        for (size_t o = 0; o < c->rules->n_offers; o++) {
            if (d->offer_count[o] > 0 && c->rules->offers[o].az == az) {
                az_zone[az] = d->kinds[d->offer_kind[o]].zone;
            }
        }
    }
    const taskfit_residual *r = master->residual;
    for (size_t p = 0; p < d->n_profiles; p++) {
        int64_t dearest = 0;
        for (size_t class = 0; class < r->n_classes; class++) {
            const int64_t here = master->price[class * d->n_profiles + p];
            dearest = here > dearest ? here : dearest;
        }
        for (int64_t i = 0; i < d->profiles[p].n_services; i++) {
            for (size_t az = 0; az < n_azs; az++) {
                price[d->profiles[p].services[i] * n_azs + az] =
                    az_zone[az] == SIZE_MAX ? dearest : master->price[r->zone_class[az_zone[az]] * d->n_profiles + p];
            }
        }
    }
    return price;
}

static bool try_duals(certifier *c, const taskfit_decision *d, bool fine, const int64_t *fleet) {
    taskfit_arena *scratch = taskfit_arena_new();
    const taskfit_residual *root = taskfit_residual_new(scratch, d, fine);
    bool found = false;
    if (!root->decision.impossible) {
        taskfit_master *master =
            taskfit_master_new(scratch, root, taskfit_pattern_pool_new(scratch), taskfit_columns_new(scratch, root));
        taskfit_generator generator = {0};
        taskfit_generate_start(master);
        if (taskfit_generate(&generator, master, &c->budget) == TASKFIT_GENERATED_REFUTED) {
            found = try_price(c, prices_of(c, d, master), fleet);
        }
        taskfit_master_free(master);
    }
    taskfit_arena_free(scratch);
    return found;
}

/* ---- one fleet ---- */

static bool try_all(certifier *c, const int64_t *fleet) {
    for (size_t resource = 0; resource < TASKFIT_RESOURCE_COUNT; resource++) {
        for (size_t az = 0; az <= c->rules->n_azs; az++) {
            if (try_volume(c, resource, az == 0 ? SIZE_MAX : az - 1, fleet)) {
                return true;
            }
        }
    }
    taskfit_arena *scratch = taskfit_arena_new();
    const taskfit_decision *d = taskfit_decision_new(scratch, c->problem, fleet);
    const taskfit_shortage shortage = taskfit_bound_shortage(d);
    bool found = false;
    if (shortage.type == TASKFIT_SHORTAGE_PLACES && shortage.profile < d->n_profiles) {
        found = try_profile(c, &d->profiles[shortage.profile], fleet);
    }
    found = found || try_duals(c, d, false, fleet) || (d->n_zones > 1 && try_duals(c, d, true, fleet));
    taskfit_arena_free(scratch);
    return found;
}

static bool on_open(void *arg, taskfit_cert_fleets *fleets, const int64_t *fleet) {
    certifier *c = arg;
    const bool found = c->n_cuts < MOST_CUTS && taskfit_budget_spend(&c->budget, 1) && try_all(c, fleet);
    fleets->cuts = c->cuts;
    fleets->n_cuts = c->n_cuts;
    return found;
}

/* ---- the whole ---- */

/* Cuts that later ones made needless are dropped, where looking is cheap. */
static void drop_needless(certifier *c, const taskfit_cert_fleets *fleets) {
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

static taskfit_status find_cuts(certifier *c, bool by_cost, int64_t bound, taskfit_error *err) {
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
                        c->budget.stopped || c->budget.work_left <= 0 ? "there was not enough time to look for one"
                        : fleets.steps_left <= 0 ? "there are too many fleets below the bound to list"
                        : c->too_hard            ? "what an instance can hold at most is too hard to recheck"
                                                 : "the bound rests on more than dual prices (branching, or a rule of rolling or survive)");
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
    certifier c = {.arena = arena, .problem = problem, .rules = taskfit_cert_rules_new(plan->deployment, plan->rung, arena)};
    c.budget = (taskfit_budget){.work_left = CERTIFY_WORK, .stop = settings->stop, .stop_arg = settings->stop_arg};
    c.budget.deadline_ms = settings->time_limit_ms > 0 ? taskfit_clock_ms() + settings->time_limit_ms : 0;
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
