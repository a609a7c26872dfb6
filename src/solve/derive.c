#include "solve/derive.h"

#include <assert.h>
#include <string.h>

static taskfit_problem *copy(taskfit_arena *arena, const taskfit_problem *problem) {
    taskfit_problem *derived = TASKFIT_NEW(arena, taskfit_problem);
    *derived = *problem;
    derived->rolling = TASKFIT_ROLLING_NONE;
    derived->survive = TASKFIT_SURVIVE_NONE;
    return derived;
}

static taskfit_problem_service *copy_services(taskfit_arena *arena, const taskfit_problem *problem, size_t n_more) {
    taskfit_problem_service *services =
        TASKFIT_ARRAY(arena, problem->n_services + n_more, taskfit_problem_service);
    if (problem->n_services > 0) {
        memcpy(services, problem->services, problem->n_services * sizeof *services);
    }
    return services;
}

static taskfit_offer *copy_offers(taskfit_arena *arena, const taskfit_problem *problem, size_t n_more) {
    taskfit_offer *offers = TASKFIT_ARRAY(arena, problem->n_offers + n_more, taskfit_offer);
    memcpy(offers, problem->offers, problem->n_offers * sizeof *offers);
    return offers;
}

bool taskfit_derive_plain(const taskfit_problem *problem) {
    for (size_t o = 0; o < problem->n_offers; o++) {
        const taskfit_offer *offer = &problem->offers[o];
        if (memcmp(offer->capacity, offer->ecs_capacity, sizeof offer->capacity) != 0) {
            return false;
        }
    }
    return true;
}

/* ---- hosts ---- */

static void reserve(taskfit_offer *offer, const int64_t *amounts) {
    for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
        if (offer->ecs_capacity[r] < TASKFIT_UNLIMITED && offer->ecs_capacity[r] - amounts[r] < offer->capacity[r]) {
            offer->capacity[r] = offer->ecs_capacity[r] - amounts[r];
        }
    }
}

const taskfit_problem *taskfit_derive_hosts(taskfit_arena *arena, const taskfit_problem *problem, const int64_t *count,
                                            const taskfit_host *hosts, size_t n_hosts, const int64_t **count_out) {
    taskfit_problem *derived = copy(arena, problem);
    taskfit_problem_service *services = copy_services(arena, problem, 0);
    taskfit_offer *offers = copy_offers(arena, problem, n_hosts);
    derived->n_offers += n_hosts;
    int64_t *counts = TASKFIT_ARRAY(arena, derived->n_offers, int64_t);
    memcpy(counts, count, problem->n_offers * sizeof *counts);
    for (size_t h = 0; h < n_hosts; h++) {
        offers[problem->n_offers + h] = problem->offers[hosts[h].offer];
        reserve(&offers[problem->n_offers + h], hosts[h].reserve);
        counts[problem->n_offers + h] = 1;
        counts[hosts[h].offer]--;
        assert(counts[hosts[h].offer] >= 0);
    }
    for (size_t s = 0; s < problem->n_services; s++) {
        bool *may_stand = TASKFIT_ARRAY(arena, derived->n_offers, bool);
        memcpy(may_stand, problem->services[s].may_stand, problem->n_offers * sizeof *may_stand);
        for (size_t h = 0; h < n_hosts; h++) {
            const bool kept_off = hosts[h].keeps_off != NULL && hosts[h].keeps_off[s];
            may_stand[problem->n_offers + h] = may_stand[hosts[h].offer] && !kept_off;
        }
        services[s].may_stand = may_stand;
    }
    derived->offers = offers;
    derived->services = services;
    *count_out = counts;
    return derived;
}

/* ---- extra tasks ---- */

/* Old and new tasks are alike: with at most one of both on an instance, spread by instance says nothing either. */
static bool tells_apart(const taskfit_problem_service *service, bool plain) {
    const bool single = service->distinct_instance || service->n_ports > 0;
    return !plain || service->spread_az || (service->spread_instance && !single);
}

typedef struct extras {
    const taskfit_problem *problem;
    taskfit_arena *arena;
    size_t *twin; /* [n_services] index of the service that stands for the extra tasks; SIZE_MAX: none */
    taskfit_problem_service *services;
    size_t n_services;
} extras;

/* The twins of the services in `of`, and that of `own` unless SIZE_MAX, ascending. */
static size_t add_twins(const extras *e, const taskfit_problem_service *of, size_t own, uint32_t *list) {
    size_t n = 0;
    bool owned = own == SIZE_MAX || e->twin[own] == SIZE_MAX;
    for (size_t i = 0; i < of->n_conflicts; i++) {
        if (!owned && own < of->conflicts[i]) {
            list[n++] = (uint32_t)e->twin[own];
            owned = true;
        }
        if (e->twin[of->conflicts[i]] != SIZE_MAX) {
            list[n++] = (uint32_t)e->twin[of->conflicts[i]];
        }
    }
    if (!owned) {
        list[n++] = (uint32_t)e->twin[own];
    }
    return n;
}

/* The services in `of`, and `own` unless SIZE_MAX, ascending. */
static size_t add_originals(const taskfit_problem_service *of, size_t own, uint32_t *list) {
    size_t n = 0;
    bool owned = own == SIZE_MAX;
    for (size_t i = 0; i < of->n_conflicts; i++) {
        if (!owned && own < of->conflicts[i]) {
            list[n++] = (uint32_t)own;
            owned = true;
        }
        list[n++] = of->conflicts[i];
    }
    if (!owned) {
        list[n++] = (uint32_t)own;
    }
    return n;
}

/* A distinct service and its twin exclude each other; with fixed host ports the ports see to that. */
static void set_conflicts(extras *e, size_t s) {
    const taskfit_problem_service *of = &e->problem->services[s];
    const size_t own = of->distinct_instance && of->n_ports == 0 && e->twin[s] != SIZE_MAX ? s : SIZE_MAX;
    uint32_t *conflicts = TASKFIT_ARRAY(e->arena, 2 * of->n_conflicts + 1, uint32_t);
    size_t n = add_originals(of, SIZE_MAX, conflicts);
    n += add_twins(e, of, own, conflicts + n);
    e->services[s].conflicts = conflicts;
    e->services[s].n_conflicts = n;
    if (e->twin[s] != SIZE_MAX) {
        uint32_t *of_twin = TASKFIT_ARRAY(e->arena, 2 * of->n_conflicts + 1, uint32_t);
        n = add_originals(of, own, of_twin);
        n += add_twins(e, of, SIZE_MAX, of_twin + n);
        e->services[e->twin[s]].conflicts = of_twin;
        e->services[e->twin[s]].n_conflicts = n;
    }
}

static void add_twin(extras *e, size_t s, int64_t extra) {
    taskfit_problem_service *twin = &e->services[e->n_services];
    *twin = e->problem->services[s];
    twin->service += e->problem->deployment->n_services;
    twin->replicas = extra;
    twin->spread_az = false;
    twin->spread_instance = false;
    twin->spread_az_before_instance = false;
    twin->demand[TASKFIT_RESOURCE_HARD_MEMORY] = 0;
    twin->demand[TASKFIT_RESOURCE_EXPECTED_CPU] = 0;
    twin->demand[TASKFIT_RESOURCE_EXPECTED_MEMORY] = 0;
    e->twin[s] = e->n_services++;
}

const taskfit_problem *taskfit_derive_extra(taskfit_arena *arena, const taskfit_problem *problem, const int64_t *extra,
                                            bool bare) {
    taskfit_problem *derived = copy(arena, problem);
    const bool plain = bare || taskfit_derive_plain(problem);
    extras e = {.problem = problem,
                .arena = arena,
                .twin = TASKFIT_ARRAY(arena, problem->n_services, size_t),
                .services = copy_services(arena, problem, problem->n_services),
                .n_services = problem->n_services};
    for (size_t s = 0; s < problem->n_services; s++) {
        e.twin[s] = SIZE_MAX;
        if (extra[s] > 0 && tells_apart(&problem->services[s], plain)) {
            add_twin(&e, s, extra[s]);
        } else if (extra[s] > 0) {
            e.services[s].replicas += extra[s];
            e.services[s].spread_instance = false;
        }
    }
    for (size_t s = 0; s < problem->n_services; s++) {
        set_conflicts(&e, s);
    }
    derived->services = e.services;
    derived->n_services = e.n_services;
    if (bare) {
        taskfit_offer *offers = copy_offers(arena, problem, 0);
        for (size_t o = 0; o < problem->n_offers; o++) {
            memcpy(offers[o].capacity, offers[o].ecs_capacity, sizeof offers[o].capacity);
        }
        derived->offers = offers;
    }
    return derived;
}

const taskfit_problem *taskfit_derive_twins(taskfit_arena *arena, const taskfit_problem *problem, const int64_t *extra,
                                            const int64_t *spared) {
    taskfit_problem *derived = copy(arena, problem);
    extras e = {.problem = problem,
                .arena = arena,
                .twin = TASKFIT_ARRAY(arena, problem->n_services, size_t),
                .services = copy_services(arena, problem, problem->n_services),
                .n_services = problem->n_services};
    for (size_t s = 0; s < problem->n_services; s++) {
        e.twin[s] = SIZE_MAX;
        if (extra[s] > 0) {
            add_twin(&e, s, extra[s]);
        }
    }
    for (size_t s = problem->n_services; s < e.n_services; s++) {
        for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
            const int64_t rest = e.services[s].demand[r] - spared[r];
            e.services[s].demand[r] = rest > 0 ? rest : 0;
        }
    }
    for (size_t s = 0; s < problem->n_services; s++) {
        set_conflicts(&e, s);
    }
    derived->services = e.services;
    derived->n_services = e.n_services;
    return derived;
}

void taskfit_derive_strip(const taskfit_problem *problem, const int64_t *extra, taskfit_fleet *fleet) {
    const size_t n_named = problem->deployment->n_services;
    const bool plain = taskfit_derive_plain(problem);
    taskfit_arena *scratch = taskfit_arena_new();
    int64_t *left = TASKFIT_ARRAY(scratch, n_named, int64_t); /* to be taken from those that were not told apart */
    for (size_t s = 0; s < problem->n_services; s++) {
        if (!tells_apart(&problem->services[s], plain)) {
            left[problem->services[s].service] = extra[s];
        }
    }
    for (size_t m = fleet->n_machines; m-- > 0;) {
        taskfit_machine *machine = &fleet->machines[m];
        size_t kept = 0;
        for (size_t i = 0; i < machine->n_tasks; i++) {
            taskfit_machine_task task = machine->tasks[i];
            if (task.service < n_named) {
                const int64_t taken = task.count < left[task.service] ? task.count : left[task.service];
                left[task.service] -= taken;
                task.count -= taken;
                machine->tasks[kept] = task;
                kept += task.count > 0 ? 1 : 0;
            }
        }
        machine->n_tasks = kept;
    }
    taskfit_arena_free(scratch);
    taskfit_fleet_canonicalize(fleet);
}

/* ---- bare ---- */

const taskfit_problem *taskfit_derive_bare(taskfit_arena *arena, const taskfit_problem *problem) {
    taskfit_problem *derived = copy(arena, problem);
    taskfit_problem_service *services = copy_services(arena, problem, 0);
    taskfit_offer *offers = copy_offers(arena, problem, 0);
    for (size_t s = 0; s < problem->n_services; s++) {
        services[s].spread_az = false;
        services[s].spread_instance = false;
        services[s].spread_az_before_instance = false;
    }
    for (size_t o = 0; o < problem->n_offers; o++) {
        memcpy(offers[o].capacity, offers[o].ecs_capacity, sizeof offers[o].capacity);
    }
    derived->services = services;
    derived->offers = offers;
    return derived;
}
