#include "solve/cuts.h"

#include <string.h>

#include "solve/bound.h"
#include "solve/cuts_try.h"
#include "solve/generate.h"

/*
 * Prices are proposed in the order of what they cost to find: what a resource amounts to (in all AZs, or in one), a profile
 * that has too few places, the duals of column generation. The checker's arithmetic (problem/certificate.h)
 * says what they prove.
 */

/* ---- rules ---- */

static void set_windows(const taskfit_problem *problem, const taskfit_problem_service *from, taskfit_cert_service *to,
                        taskfit_arena *arena) {
    int64_t *low = TASKFIT_ARRAY(arena, problem->n_azs, int64_t);
    int64_t *high = TASKFIT_ARRAY(arena, problem->n_azs, int64_t);
    int64_t n_eligible = 0;
    for (size_t o = 0; o < problem->n_offers; o++) {
        const size_t az = problem->offers[o].az;
        if (from->may_stand[o] && high[az] == 0) {
            high[az] = from->replicas;
            n_eligible++;
        }
    }
    for (size_t az = 0; az < problem->n_azs && from->spread_az; az++) {
        low[az] = high[az] > 0 ? from->replicas / n_eligible : 0;
        high[az] = high[az] > 0 ? (from->replicas + n_eligible - 1) / n_eligible : 0;
    }
    to->low = low;
    to->high = high;
}

static bool share_port(const taskfit_problem_service *a, const taskfit_problem_service *b) {
    for (size_t i = 0; i < a->n_ports; i++) {
        for (size_t j = 0; j < b->n_ports; j++) {
            if (a->ports[i] == b->ports[j]) {
                return true;
            }
        }
    }
    return false;
}

static void set_conflicts(const taskfit_problem *problem, size_t s, taskfit_cert_service *to, taskfit_arena *arena) {
    const taskfit_problem_service *from = &problem->services[s];
    size_t *conflicts = NULL;
    size_t capacity = 0;
    for (size_t other = 0, next = 0; other < problem->n_services && (from->n_ports > 0 || from->n_conflicts > 0); other++) {
        const bool listed = next < from->n_conflicts && from->conflicts[next] == other;
        next += listed ? 1 : 0;
        if (listed || (other != s && share_port(from, &problem->services[other]))) {
            TASKFIT_GROW(arena, conflicts, to->n_conflicts, capacity);
            conflicts[to->n_conflicts++] = other;
        }
    }
    to->conflicts = conflicts;
}

const taskfit_cert_rules *taskfit_cut_rules(const taskfit_problem *problem, taskfit_arena *arena) {
    taskfit_cert_rules *rules = TASKFIT_NEW(arena, taskfit_cert_rules);
    taskfit_cert_offer *offers = TASKFIT_ARRAY(arena, problem->n_offers, taskfit_cert_offer);
    taskfit_cert_service *services = TASKFIT_ARRAY(arena, problem->n_services, taskfit_cert_service);
    for (size_t o = 0; o < problem->n_offers; o++) {
        const taskfit_offer *from = &problem->offers[o];
        offers[o] = (taskfit_cert_offer){
            .group = from->group, .type = from->type, .az = from->az, .price_usd_micros = from->price_usd_micros};
        memcpy(offers[o].capacity, from->capacity, sizeof from->capacity);
        memcpy(offers[o].bare, from->ecs_capacity, sizeof from->ecs_capacity);
    }
    for (size_t s = 0; s < problem->n_services; s++) {
        const taskfit_problem_service *from = &problem->services[s];
        services[s] = (taskfit_cert_service){.service = from->service,
                                             .replicas = from->replicas,
                                             .deploy_tasks = from->deploy_tasks,
                                             .single = from->distinct_instance || from->n_ports > 0,
                                             .spread_az = from->spread_az,
                                             .spread_instance = from->spread_instance,
                                             .may_stand = from->may_stand};
        memcpy(services[s].demand.amount, from->demand, sizeof from->demand);
        set_windows(problem, from, &services[s], arena);
        set_conflicts(problem, s, &services[s], arena);
    }
    *rules = (taskfit_cert_rules){.deployment = problem->deployment,
                                  .rung = problem->rung,
                                  .n_azs = problem->n_azs,
                                  .offers = offers,
                                  .n_offers = problem->n_offers,
                                  .services = services,
                                  .n_services = problem->n_services};
    return rules;
}

/* ---- keeping what refutes ---- */

bool taskfit_cut_refutes(const taskfit_cut_pool *c, const taskfit_cert_cut *cut, const int64_t *fleet) {
    return taskfit_cert_refutes(c->rules, cut, 1, fleet);
}

/* The cut refutes the fleet; of HOSTS, the place of the next task that is in question. */
static bool of_use(const taskfit_cut_pool *c, const taskfit_cert_cut *cut, const int64_t *fleet) {
    return cut->of == TASKFIT_CERT_HOSTS ? taskfit_cert_host_refuted(c->rules, cut, 1, fleet, cut->service, c->host)
                                         : taskfit_cut_refutes(c, cut, fleet);
}

static bool try_cut(taskfit_cut_pool *c, taskfit_cert_cut cut, const int64_t *fleet) {
    int64_t *maximum = TASKFIT_ARRAY(c->arena, c->rules->n_offers, int64_t);
    int64_t *beside = cut.of == TASKFIT_CERT_HOSTS ? TASKFIT_ARRAY(c->arena, c->rules->n_offers, int64_t) : NULL;
    c->sacks = c->sacks != NULL ? c->sacks : taskfit_cert_sacks_new(c->arena);
    cut.worth = taskfit_cert_worth(c->rules, &cut);
    const bool sure = cut.worth > 0 && taskfit_cert_maxima(c->rules, &cut, TASKFIT_CERT_EXACT, c->sacks, maximum, beside);
    c->too_hard = c->too_hard || (cut.worth > 0 && !sure);
    cut.maximum = maximum;
    cut.beside = beside;
    if (!sure || !of_use(c, &cut, fleet)) {
        return false;
    }
    TASKFIT_GROW(c->arena, c->cuts, c->n_cuts, c->capacity);
    c->cuts[c->n_cuts++] = cut;
    return true;
}

bool taskfit_cut_try(taskfit_cut_pool *c, taskfit_cert_cut cut, const int64_t *fleet) {
    if (try_cut(c, cut, fleet)) {
        return true;
    }
    if (cut.of == TASKFIT_CERT_LOSES_INSTANCE || cut.of == TASKFIT_CERT_LOSES_AZ) {
        return false;
    }
    int64_t *scope = TASKFIT_ARRAY(c->arena, c->rules->n_offers, int64_t);
    memcpy(scope, fleet, c->rules->n_offers * sizeof *scope);
    cut.fleet = scope;
    return try_cut(c, cut, fleet);
}

/* ---- simple prices ---- */

/* A resource as the price, in one AZ (or SIZE_MAX: all); `divisor_out` brings it below the highest price. */
static const int64_t *volume_price(const taskfit_cut_pool *c, size_t resource, size_t only_az, int64_t *divisor_out) {
    const taskfit_cert_rules *rules = c->rules;
    int64_t *price = TASKFIT_ARRAY(c->arena, rules->n_services * rules->n_azs, int64_t);
    int64_t divisor = 1;
    for (size_t s = 0; s < rules->n_services; s++) {
        while (rules->services[s].demand.amount[resource] / divisor > TASKFIT_CERT_PRICE_MAX) {
            divisor *= 2;
        }
    }
    for (size_t s = 0; s < rules->n_services; s++) {
        for (size_t az = 0; az < rules->n_azs; az++) {
            price[s * rules->n_azs + az] =
                only_az == SIZE_MAX || only_az == az ? rules->services[s].demand.amount[resource] / divisor : 0;
        }
    }
    *divisor_out = divisor;
    return price;
}

bool taskfit_cut_try_volume(taskfit_cut_pool *c, taskfit_cert_cut cut, size_t resource, size_t only_az, const int64_t *fleet) {
    const taskfit_cert_rules *rules = c->rules;
    int64_t divisor = 1;
    cut.price = volume_price(c, resource, only_az, &divisor);
    taskfit_wide room = 0;
    for (size_t o = 0; o < rules->n_offers; o++) {
        const taskfit_cert_offer *offer = &rules->offers[o];
        const int64_t capacity = cut.of == TASKFIT_CERT_TASKS ? offer->capacity[resource] : offer->bare[resource];
        if ((only_az == SIZE_MAX || only_az == offer->az) && capacity > 0) {
            room += (taskfit_wide)fleet[o] * (capacity / divisor + 1);
        }
    }
    const bool loss = cut.of == TASKFIT_CERT_LOSES_INSTANCE || cut.of == TASKFIT_CERT_LOSES_AZ;
    const int64_t worth = taskfit_cert_worth(rules, &cut);
    return worth > 0 && (loss || worth + (int64_t)rules->n_offers > room) && taskfit_cut_try(c, cut, fleet);
}

void taskfit_cut_volume(taskfit_cut_pool *c) {
    const int64_t *none = TASKFIT_ARRAY(c->arena, c->rules->n_offers, int64_t); /* any cut refutes that */
    for (size_t resource = 0; resource < TASKFIT_RESOURCE_COUNT; resource++) {
        for (size_t az = 0; az <= c->rules->n_azs; az++) {
            int64_t divisor = 1;
            const int64_t *price = volume_price(c, resource, az == 0 ? SIZE_MAX : az - 1, &divisor);
            (void)try_cut(c, (taskfit_cert_cut){.price = price}, none);
        }
    }
}

bool taskfit_cut_try_profile(taskfit_cut_pool *c, taskfit_cert_cut cut, const taskfit_profile *profile, const int64_t *fleet) {
    const size_t n_azs = c->rules->n_azs;
    for (size_t only = 0; only <= n_azs; only++) {
        int64_t *price = TASKFIT_ARRAY(c->arena, c->rules->n_services * n_azs, int64_t);
        for (size_t i = 0; i < (size_t)profile->n_services * n_azs; i++) {
            const size_t service = profile->services[i / n_azs];
            if (service < c->rules->n_services) { /* else a task of a deployment: it has the price of its service */
                price[service * n_azs + i % n_azs] = only == i % n_azs + 1 || only == 0 ? 1 : 0;
            }
        }
        cut.price = price;
        if (taskfit_cut_try(c, cut, fleet)) {
            return true;
        }
    }
    return false;
}

/* ---- duals ---- */

/* The service of the pool that a decision's one stands for: itself, or the one whose next tasks it is. */
static size_t service_of(const taskfit_cut_pool *c, const taskfit_problem *problem, size_t service) {
    size_t s = service;
    if (service >= c->rules->n_services) {
        s = 0;
        while (c->rules->services[s].service + problem->deployment->n_services != problem->services[service].service) {
            s++;
        }
    }
    return s;
}

/* What the master asks for a profile in an AZ; in AZs without instances the dearest. */
static int64_t price_in_az(const taskfit_decision *d, const taskfit_master *master, size_t p, size_t az) {
    const taskfit_residual *r = master->residual;
    size_t zone = d->n_zones == 1 ? 0 : SIZE_MAX;
    for (size_t o = 0; o < d->problem->n_offers; o++) {
        if (d->offer_count[o] > 0 && d->problem->offers[o].az == az) {
            zone = d->kinds[d->offer_kind[o]].zone;
        }
    }
    if (zone != SIZE_MAX) {
        return master->price[r->zone_class[zone] * d->n_profiles + p];
    }
    int64_t dearest = 0;
    for (size_t class = 0; class < r->n_classes; class++) {
        const int64_t here = master->price[class * d->n_profiles + p];
        dearest = here > dearest ? here : dearest;
    }
    return dearest;
}

const int64_t *taskfit_cut_prices(taskfit_cut_pool *c, const taskfit_decision *d, const taskfit_master *master,
                                  const int64_t **next_out) {
    const size_t n_azs = c->rules->n_azs;
    const size_t n = c->rules->n_services;
    int64_t *price[2]; /* of services; of next tasks that are told apart */
    int64_t *n_tasks[2];
    bool any_next = false;
    for (int next = 0; next < 2; next++) {
        price[next] = TASKFIT_ARRAY(c->arena, n * n_azs, int64_t);
        n_tasks[next] = TASKFIT_ARRAY(c->arena, n, int64_t);
    }
    for (size_t p = 0; p < d->n_profiles; p++) {
        for (int64_t i = 0; i < d->profiles[p].n_services; i++) {
            const int next = d->profiles[p].services[i] >= n ? 1 : 0;
            const size_t s = service_of(c, d->problem, d->profiles[p].services[i]);
            n_tasks[next][s] += d->profiles[p].replicas;
            any_next = any_next || next == 1;
            for (size_t az = 0; az < n_azs; az++) {
                price[next][s * n_azs + az] += d->profiles[p].replicas * price_in_az(d, master, p, az);
            }
        }
    }
    for (size_t i = 0; i < n * n_azs; i++) {
        price[0][i] /= n_tasks[0][i / n_azs] > 0 ? n_tasks[0][i / n_azs] : 1;
        price[1][i] = n_tasks[1][i / n_azs] > 0 ? price[1][i] / n_tasks[1][i / n_azs] : price[0][i];
    }
    *next_out = any_next ? price[1] : NULL;
    return price[0];
}

/* The duals of a decision's root, if they refute it. */
static const int64_t *refuting_price(taskfit_cut_pool *c, const taskfit_decision *d, const taskfit_residual *root,
                                     taskfit_budget *budget, const int64_t **next_out) {
    taskfit_arena *scratch = taskfit_arena_new();
    taskfit_master *master =
        taskfit_master_new(scratch, root, taskfit_pattern_pool_new(scratch), taskfit_columns_new(scratch, root));
    taskfit_generator generator = {0};
    taskfit_generate_start(master);
    const bool refuted = taskfit_generate(&generator, master, budget) == TASKFIT_GENERATED_REFUTED;
    const int64_t *price = refuted ? taskfit_cut_prices(c, d, master, next_out) : NULL;
    taskfit_master_free(master);
    taskfit_arena_free(scratch);
    return price;
}

static bool try_root(taskfit_cut_pool *c, taskfit_cert_cut cut, const taskfit_decision *d, const taskfit_residual *root,
                     const int64_t *fleet) {
    taskfit_budget own = *c->budget;
    own.work_left = c->dual_work > 0 && c->dual_work < own.work_left ? c->dual_work : own.work_left;
    const int64_t given = own.work_left;
    cut.price = refuting_price(c, d, root, &own, &cut.next);
    c->budget->work_left -= given - own.work_left;
    c->budget->stopped = own.stopped;
    c->refuted = c->refuted || (cut.price != NULL && cut.of == TASKFIT_CERT_TASKS);
    return cut.price != NULL && taskfit_cut_try(c, cut, fleet);
}

/* Where bounds alone say no, some profile lacks places, or those that share a fixed host port do. */
static bool try_profiles(taskfit_cut_pool *c, taskfit_cert_cut cut, const taskfit_decision *d, const int64_t *fleet) {
    const size_t n_azs = c->rules->n_azs;
    bool found = false;
    for (size_t port = 0; port < c->problem->n_ports && !found; port++) {
        int64_t *price = TASKFIT_ARRAY(c->arena, c->rules->n_services * n_azs, int64_t);
        for (size_t i = 0; i < c->rules->n_services * n_azs; i++) {
            const taskfit_problem_service *service = &c->problem->services[i / n_azs];
            for (size_t k = 0; k < service->n_ports; k++) {
                price[i] = service->ports[k] == port ? 1 : price[i];
            }
        }
        cut.price = price;
        found = taskfit_cut_try(c, cut, fleet);
    }
    for (size_t p = 0; p < d->n_profiles && !found; p++) {
        found = d->profiles[p].services[0] < c->rules->n_services &&
                taskfit_cut_try_profile(c, cut, &d->profiles[p], fleet);
    }
    return found;
}

bool taskfit_cut_try_duals(taskfit_cut_pool *c, taskfit_cert_cut cut, const taskfit_decision *d, const int64_t *fleet) {
    taskfit_arena *scratch = taskfit_arena_new();
    const taskfit_residual *coarse = d->impossible ? NULL : taskfit_residual_new(scratch, d, false);
    const taskfit_residual *fine = d->impossible ? NULL : taskfit_residual_new(scratch, d, true);
    const bool impossible = fine == NULL || fine->decision.impossible;
    bool found = false;
    if (!impossible) {
        const bool differ = fine->n_classes > coarse->n_classes || fine->n_blocks > coarse->n_blocks;
        found = try_root(c, cut, d, coarse, fleet) || (differ && try_root(c, cut, d, fine, fleet));
    }
    taskfit_arena_free(scratch);
    c->refuted = c->refuted || (impossible && cut.of == TASKFIT_CERT_TASKS);
    return found || ((impossible || c->trees) && try_profiles(c, cut, d, fleet));
}

/* ---- one fleet ---- */

bool taskfit_cut_find(taskfit_cut_pool *c, const int64_t *fleet) {
    const taskfit_cert_cut tasks = {.of = TASKFIT_CERT_TASKS};
    c->refuted = false;
    for (size_t resource = 0; resource < TASKFIT_RESOURCE_COUNT; resource++) {
        for (size_t az = 0; az <= c->rules->n_azs; az++) {
            if (taskfit_cut_try_volume(c, tasks, resource, az == 0 ? SIZE_MAX : az - 1, fleet)) {
                return true;
            }
        }
    }
    taskfit_arena *scratch = taskfit_arena_new();
    const taskfit_decision *d = taskfit_decision_new(scratch, c->problem, fleet);
    const taskfit_shortage shortage = taskfit_bound_shortage(d);
    bool found = false;
    if (shortage.type == TASKFIT_SHORTAGE_PLACES && shortage.profile < d->n_profiles) {
        found = taskfit_cut_try_profile(c, tasks, &d->profiles[shortage.profile], fleet);
    }
    found = found || taskfit_cut_try_duals(c, tasks, d, fleet) || taskfit_cut_find_room(c, fleet, false);
    if (!found && c->trees) {
        found = taskfit_cut_find_room(c, fleet, true) || taskfit_cut_try_tree(c, tasks, d, SIZE_MAX, fleet);
    }
    taskfit_arena_free(scratch);
    return found;
}
