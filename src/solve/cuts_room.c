#include "solve/cuts_try.h"

#include <string.h>

#include "solve/bound.h"
#include "solve/derive.h"
#include "solve/room.h"

/*
 * The conditions that room.c refutes fleets by, as cuts: the next tasks beside the old ones, or all tasks on what a loss
 * leaves. The same derived problems give the prices.
 */

/* ---- deployments ---- */

/* `at`: of a tree; then nothing else is tried. */
static bool try_derived(taskfit_cut_pool *c, taskfit_cert_cut cut, const taskfit_decision *d, const size_t *at, const int64_t *fleet) {
    if (at != NULL) {
        return taskfit_cut_try_tree(c, cut, d, *at, fleet);
    }
    const taskfit_shortage shortage = taskfit_bound_shortage(d);
    const bool known = shortage.type == TASKFIT_SHORTAGE_PLACES && shortage.profile < d->n_profiles &&
                       d->profiles[shortage.profile].services[0] < c->rules->n_services;
    return (known && taskfit_cut_try_profile(c, cut, &d->profiles[shortage.profile], fleet)) ||
           taskfit_cut_try_duals(c, cut, d, fleet);
}

/* The next tasks counted with the others. */
static bool try_extra(taskfit_cut_pool *c, taskfit_cert_cut cut, const int64_t *fleet, bool trees, taskfit_arena *scratch) {
    const size_t nowhere = SIZE_MAX;
    int64_t *extra = TASKFIT_ARRAY(scratch, c->problem->n_services, int64_t);
    for (size_t s = 0; s < c->problem->n_services; s++) {
        extra[s] = cut.of == TASKFIT_CERT_DEPLOYS_ALL || s == cut.service ? c->problem->services[s].deploy_tasks : 0;
    }
    const bool bare = !taskfit_derive_plain(c->problem);
    const taskfit_problem *derived = taskfit_derive_extra(scratch, c->problem, extra, bare);
    return try_derived(c, cut, taskfit_decision_new(scratch, derived, fleet), trees ? &nowhere : NULL, fleet);
}

/* The instance that the next task goes to is singled out; each must be refuted. */
static bool try_hosts(taskfit_cut_pool *c, size_t s, const int64_t *fleet, bool trees, taskfit_arena *scratch) {
    const taskfit_problem_service *service = &c->problem->services[s];
    const taskfit_cert_cut cut = {.of = TASKFIT_CERT_HOSTS, .service = s};
    const size_t n_before = c->n_cuts;
    bool *keeps_off = TASKFIT_ARRAY(scratch, c->problem->n_services, bool);
    keeps_off[s] = service->distinct_instance || service->n_ports > 0;
    for (size_t i = 0; i < service->n_conflicts; i++) {
        keeps_off[service->conflicts[i]] = true;
    }
    for (size_t o = 0; o < c->problem->n_offers; o++) {
        if (fleet[o] == 0 || !taskfit_cert_may_host(c->rules, s, o) ||
            taskfit_cert_host_refuted(c->rules, c->cuts, c->n_cuts, fleet, s, o)) {
            continue;
        }
        taskfit_host host = {.offer = o, .keeps_off = keeps_off};
        memcpy(host.reserve, service->demand, sizeof host.reserve);
        const int64_t *counts;
        const taskfit_problem *derived = taskfit_derive_hosts(scratch, c->problem, fleet, &host, 1, &counts);
        const taskfit_decision *d = taskfit_decision_new(scratch, derived, counts);
        c->host = o;
        if (!try_derived(c, cut, d, NULL, fleet) && (!trees || !try_derived(c, cut, d, &o, fleet))) {
            c->n_cuts = n_before;
            return false;
        }
    }
    return c->n_cuts > n_before;
}

/* The services that demand most, cheap questions first. */
static bool try_deployments(taskfit_cut_pool *c, const int64_t *fleet, bool trees, taskfit_arena *scratch) {
    size_t list[TASKFIT_ROOM_CANDIDATES];
    const size_t n = taskfit_room_candidates(c->problem, list);
    for (size_t i = 0; i < n && !trees; i++) {
        for (size_t resource = 0; resource <= TASKFIT_RESOURCE_ENI; resource++) {
            const taskfit_cert_cut cut = {.of = TASKFIT_CERT_DEPLOYS, .service = list[i]};
            if (taskfit_cut_try_volume(c, cut, resource, SIZE_MAX, fleet)) {
                return true;
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        const bool one = c->problem->services[list[i]].deploy_tasks == 1;
        const taskfit_cert_cut cut = {.of = TASKFIT_CERT_DEPLOYS, .service = list[i]};
        const bool counted = !one || (!trees && taskfit_derive_plain(c->problem));
        if ((counted && try_extra(c, cut, fleet, trees, scratch)) || (one && try_hosts(c, list[i], fleet, trees, scratch))) {
            return true;
        }
    }
    return false;
}

static bool try_all_deployments(taskfit_cut_pool *c, const int64_t *fleet, bool trees, taskfit_arena *scratch) {
    const taskfit_cert_cut cut = {.of = TASKFIT_CERT_DEPLOYS_ALL};
    for (size_t resource = 0; resource <= TASKFIT_RESOURCE_ENI && !trees; resource++) {
        if (taskfit_cut_try_volume(c, cut, resource, SIZE_MAX, fleet)) {
            return true;
        }
    }
    return try_extra(c, cut, fleet, trees, scratch);
}

/* ---- losses ---- */

static bool try_losses(taskfit_cut_pool *c, const int64_t *fleet, bool trees, taskfit_arena *scratch) {
    const taskfit_problem *problem = c->problem;
    const bool by_az = problem->survive == TASKFIT_SURVIVE_AVAILABILITY_ZONE;
    const taskfit_cert_cut cut = {.of = by_az ? TASKFIT_CERT_LOSES_AZ : TASKFIT_CERT_LOSES_INSTANCE};
    const taskfit_problem *bare = taskfit_derive_bare(scratch, problem);
    int64_t *rest = TASKFIT_ARRAY(scratch, problem->n_offers, int64_t);
    for (size_t resource = 0; resource < TASKFIT_RESOURCE_COUNT && !trees; resource++) {
        if (taskfit_cut_try_volume(c, cut, resource, SIZE_MAX, fleet)) {
            return true;
        }
    }
    for (size_t lost = 0; lost < (by_az ? problem->n_azs : problem->n_offers); lost++) {
        bool changed = false;
        size_t at = SIZE_MAX;
        for (size_t o = 0; o < problem->n_offers; o++) {
            const bool hit = fleet[o] > 0 && (by_az ? problem->offers[o].az == lost : o == lost);
            rest[o] = !hit ? fleet[o] : by_az ? 0 : fleet[o] - 1;
            changed = changed || hit;
            at = hit ? o : at;
        }
        if (changed && try_derived(c, cut, taskfit_decision_new(scratch, bare, rest), trees ? &at : NULL, fleet)) {
            return true;
        }
    }
    return false;
}

bool taskfit_cut_find_room(taskfit_cut_pool *c, const int64_t *fleet, bool trees) {
    const taskfit_rolling_policy rolling = c->problem->rolling;
    taskfit_arena *scratch = taskfit_arena_new();
    const bool found = (c->problem->survive != TASKFIT_SURVIVE_NONE && try_losses(c, fleet, trees, scratch)) ||
                       (rolling == TASKFIT_ROLLING_ALL_SERVICES && try_all_deployments(c, fleet, trees, scratch)) ||
                       (rolling == TASKFIT_ROLLING_ONE_SERVICE && try_deployments(c, fleet, trees, scratch));
    taskfit_arena_free(scratch);
    return found;
}
