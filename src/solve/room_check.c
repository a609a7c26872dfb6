#include "solve/room.h"

#include <assert.h>
#include <string.h>

#include "problem/largest.h"
#include "solve/expand.h"

/*
 * A deployment or a loss asks for some tasks to be placed beside those that stand. First fit and best fit in several
 * orders mostly do; else what is left of each instance becomes an instance of its own, and the stages decide.
 */

enum { MAX_STAGE_MACHINES = 400, MAX_ORDERS = 4 };

typedef struct added { /* a task placed for the case at hand */
    size_t service;
    struct added *next;
} added;

typedef struct rooms {
    const taskfit_problem *problem;
    const taskfit_fleet *fleet;
    taskfit_budget *budget;
    taskfit_arena *scratch;
    size_t *compiled;  /* [n_services of the deployment] index in the problem */
    size_t *offer_of;  /* [n_machines] */
    int64_t *left;     /* [n_machines][TASKFIT_RESOURCE_COUNT] of what ECS gives */
    int64_t *left_now; /* the same with the added tasks */
    added **added;     /* [n_machines] */
    bool *lost;        /* [n_machines] */
    int64_t *extra;    /* [n_services] tasks to place */
} rooms;

size_t taskfit_room_offer_of(const taskfit_problem *problem, const taskfit_machine *machine) {
    const taskfit_problem_group *group = &problem->groups[machine->group];
    size_t offer = group->first_offer + machine->type * group->n_azs;
    while (problem->offers[offer].az != machine->az) {
        offer++;
    }
    assert(problem->offers[offer].type == machine->type);
    return offer;
}

static rooms rooms_new(const taskfit_problem *problem, const taskfit_fleet *fleet, taskfit_budget *budget,
                       taskfit_arena *scratch) {
    rooms r = {.problem = problem, .fleet = fleet, .budget = budget, .scratch = scratch};
    r.compiled = TASKFIT_ARRAY(scratch, problem->deployment->n_services, size_t);
    for (size_t s = 0; s < problem->n_services; s++) {
        r.compiled[problem->services[s].service] = s;
    }
    r.offer_of = TASKFIT_ARRAY(scratch, fleet->n_machines, size_t);
    r.left = TASKFIT_ARRAY(scratch, fleet->n_machines * TASKFIT_RESOURCE_COUNT, int64_t);
    r.left_now = TASKFIT_ARRAY(scratch, fleet->n_machines * TASKFIT_RESOURCE_COUNT, int64_t);
    r.added = TASKFIT_ARRAY(scratch, fleet->n_machines, added *);
    r.lost = TASKFIT_ARRAY(scratch, fleet->n_machines, bool);
    r.extra = TASKFIT_ARRAY(scratch, problem->n_services, int64_t);
    for (size_t m = 0; m < fleet->n_machines; m++) {
        const taskfit_machine *machine = &fleet->machines[m];
        r.offer_of[m] = taskfit_room_offer_of(problem, machine);
        int64_t *left = r.left + m * TASKFIT_RESOURCE_COUNT;
        memcpy(left, problem->offers[r.offer_of[m]].ecs_capacity, TASKFIT_RESOURCE_COUNT * sizeof *left);
        for (size_t i = 0; i < machine->n_tasks; i++) {
            const taskfit_problem_service *service = &problem->services[r.compiled[machine->tasks[i].service]];
            for (size_t k = 0; k < TASKFIT_RESOURCE_COUNT; k++) {
                left[k] -= machine->tasks[i].count * service->demand[k];
            }
        }
    }
    return r;
}

/* ---- does one more task fit? ---- */

static bool share_a_port(const taskfit_problem_service *a, const taskfit_problem_service *b) {
    for (size_t i = 0; i < a->n_ports; i++) {
        for (size_t k = 0; k < b->n_ports; k++) {
            if (a->ports[i] == b->ports[k]) {
                return true;
            }
        }
    }
    return false;
}

static bool in_conflict(const taskfit_problem_service *service, size_t other) {
    size_t low = 0;
    size_t high = service->n_conflicts;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (service->conflicts[middle] < other) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < service->n_conflicts && service->conflicts[low] == other;
}

/* Whether a task of `s` may stand where one of `other` does. */
static bool bear_each_other(const taskfit_problem *problem, size_t s, size_t other) {
    const taskfit_problem_service *service = &problem->services[s];
    if (s == other) {
        return !service->distinct_instance && service->n_ports == 0;
    }
    return !share_a_port(service, &problem->services[other]) && !in_conflict(service, other);
}

static bool company_accepts(const rooms *r, size_t s, size_t m) {
    const taskfit_problem_service *service = &r->problem->services[s];
    if (!service->distinct_instance && service->n_ports == 0 && service->n_conflicts == 0) {
        return true;
    }
    const taskfit_machine *machine = &r->fleet->machines[m];
    for (size_t i = 0; i < machine->n_tasks; i++) {
        if (!bear_each_other(r->problem, s, r->compiled[machine->tasks[i].service])) {
            return false;
        }
    }
    return true;
}

/* Hard limits and expected use are no business of ECS's. */
static bool resources_suffice(const int64_t *left, const int64_t *demand) {
    for (size_t k = 0; k <= TASKFIT_RESOURCE_PORTS; k++) {
        if (demand[k] > 0 && demand[k] > left[k]) {
            return false;
        }
    }
    return true;
}

/* On the placement alone, without what was added. */
static bool accepts(const rooms *r, size_t s, size_t m) {
    return !r->lost[m] && r->problem->services[s].may_stand[r->offer_of[m]] &&
           resources_suffice(r->left + m * TASKFIT_RESOURCE_COUNT, r->problem->services[s].demand) &&
           company_accepts(r, s, m);
}

static bool accepts_now(const rooms *r, size_t s, size_t m) {
    if (!resources_suffice(r->left_now + m * TASKFIT_RESOURCE_COUNT, r->problem->services[s].demand) ||
        !accepts(r, s, m)) {
        return false;
    }
    for (const added *task = r->added[m]; task != NULL; task = task->next) {
        if (!bear_each_other(r->problem, s, task->service)) {
            return false;
        }
    }
    return true;
}

/* ---- several tasks ---- */

static size_t extra_in_order(const rooms *r, bool by_cpu, taskfit_sized *list) {
    size_t n = 0;
    for (size_t s = 0; s < r->problem->n_services; s++) {
        if (r->extra[s] > 0) {
            const int64_t *demand = r->problem->services[s].demand;
            const int64_t memory_mib = demand[TASKFIT_RESOURCE_MEMORY];
            const int64_t cpu_units = demand[TASKFIT_RESOURCE_CPU];
            list[n++] = by_cpu ? (taskfit_sized){cpu_units, memory_mib, s} : (taskfit_sized){memory_mib, cpu_units, s};
        }
    }
    taskfit_sized_sort(list, n);
    return n;
}

static size_t choose_machine(const rooms *r, size_t s, bool best_fit) {
    size_t chosen = SIZE_MAX;
    for (size_t m = 0; m < r->fleet->n_machines; m++) {
        const int64_t left_mib = r->left_now[m * TASKFIT_RESOURCE_COUNT + TASKFIT_RESOURCE_MEMORY];
        if ((chosen == SIZE_MAX || left_mib < r->left_now[chosen * TASKFIT_RESOURCE_COUNT + TASKFIT_RESOURCE_MEMORY]) &&
            accepts_now(r, s, m)) {
            chosen = m;
            if (!best_fit) {
                break;
            }
        }
    }
    return chosen;
}

static void add(rooms *r, size_t s, size_t m) {
    added *task = TASKFIT_NEW(r->scratch, added);
    *task = (added){.service = s, .next = r->added[m]};
    r->added[m] = task;
    for (size_t k = 0; k < TASKFIT_RESOURCE_COUNT; k++) {
        r->left_now[m * TASKFIT_RESOURCE_COUNT + k] -= r->problem->services[s].demand[k];
    }
}

static bool fit_in_order(rooms *r, const taskfit_sized *list, size_t n, bool best_fit) {
    memset(r->added, 0, r->fleet->n_machines * sizeof *r->added);
    memcpy(r->left_now, r->left, r->fleet->n_machines * TASKFIT_RESOURCE_COUNT * sizeof *r->left_now);
    for (size_t i = 0; i < n; i++) {
        for (int64_t task = 0; task < r->extra[list[i].service]; task++) {
            if (!taskfit_budget_spend(r->budget, (int64_t)r->fleet->n_machines)) {
                return false;
            }
            const size_t machine = choose_machine(r, list[i].service, best_fit);
            if (machine == SIZE_MAX) {
                return false;
            }
            add(r, list[i].service, machine);
        }
    }
    return true;
}

/* The tasks to place as services, what is left of each instance as an offer with one instance. */
static const taskfit_problem *rest_problem(const rooms *r, taskfit_arena *arena, const int64_t **count_out) {
    const taskfit_problem *problem = r->problem;
    taskfit_problem *rest = TASKFIT_NEW(arena, taskfit_problem);
    *rest = *problem;
    taskfit_offer *offers = TASKFIT_ARRAY(arena, r->fleet->n_machines, taskfit_offer);
    int64_t *count = TASKFIT_ARRAY(arena, r->fleet->n_machines, int64_t);
    for (size_t m = 0; m < r->fleet->n_machines; m++) {
        offers[m] = problem->offers[r->offer_of[m]];
        memcpy(offers[m].capacity, r->left + m * TASKFIT_RESOURCE_COUNT, sizeof offers[m].capacity);
        for (size_t k = TASKFIT_RESOURCE_PORTS + 1; k < TASKFIT_RESOURCE_COUNT; k++) {
            offers[m].capacity[k] = TASKFIT_UNLIMITED;
        }
        count[m] = r->lost[m] ? 0 : 1;
    }
    size_t *index = TASKFIT_ARRAY(arena, problem->n_services, size_t);
    taskfit_problem_service *services = TASKFIT_ARRAY(arena, problem->n_services, taskfit_problem_service);
    rest->n_services = 0;
    for (size_t s = 0; s < problem->n_services; s++) {
        index[s] = r->extra[s] > 0 ? rest->n_services++ : SIZE_MAX;
    }
    for (size_t s = 0; s < problem->n_services; s++) {
        if (r->extra[s] == 0) {
            continue;
        }
        taskfit_problem_service *service = &services[index[s]];
        *service = problem->services[s];
        service->replicas = r->extra[s];
        service->spread_az = false;
        service->spread_instance = false;
        bool *may_stand = TASKFIT_ARRAY(arena, r->fleet->n_machines, bool);
        for (size_t m = 0; m < r->fleet->n_machines; m++) {
            may_stand[m] = accepts(r, s, m);
        }
        service->may_stand = may_stand;
        uint32_t *conflicts = TASKFIT_ARRAY(arena, service->n_conflicts, uint32_t);
        service->n_conflicts = 0;
        for (size_t i = 0; i < problem->services[s].n_conflicts; i++) {
            if (index[problem->services[s].conflicts[i]] != SIZE_MAX) {
                conflicts[service->n_conflicts++] = (uint32_t)index[problem->services[s].conflicts[i]];
            }
        }
        service->conflicts = conflicts;
    }
    rest->services = services;
    rest->offers = offers;
    rest->n_offers = r->fleet->n_machines;
    *count_out = count;
    return rest;
}

static taskfit_verdict fit_by_stages(const rooms *r) {
    enum { STAGE_WORK = 20000000, STAGE_DIMS = 64, STAGE_PROFILES = 1000, MAX_CELLS = 2000 };
    if (r->fleet->n_machines > MAX_STAGE_MACHINES) {
        return TASKFIT_VERDICT_OPEN;
    }
    taskfit_arena *arena = taskfit_arena_new();
    const int64_t *count;
    const taskfit_problem *rest = rest_problem(r, arena, &count);
    const taskfit_decision *d = taskfit_decision_new(arena, rest, count);
    taskfit_budget own = *r->budget;
    own.work_left = own.work_left < STAGE_WORK ? own.work_left : STAGE_WORK;
    taskfit_answer answer = taskfit_bound_decide(d, arena);
    if (answer.verdict == TASKFIT_VERDICT_OPEN) {
        answer = taskfit_greedy_decide(d, &own, arena);
    }
    if (answer.verdict == TASKFIT_VERDICT_OPEN && d->n_dims <= STAGE_DIMS && d->n_profiles <= STAGE_PROFILES) {
        answer = taskfit_colgen_decide(d, &own, arena);
    }
    if (answer.verdict == TASKFIT_VERDICT_OPEN && (int64_t)d->n_profiles * d->n_instances <= MAX_CELLS) {
        answer = taskfit_compact_decide(d, &own, arena);
    }
    r->budget->stopped = own.stopped;
    taskfit_arena_free(arena);
    return answer.verdict;
}

/* Do extra[] tasks find room beside those that stand? */
static taskfit_verdict fit_extra(rooms *r) {
    taskfit_sized *list = TASKFIT_ARRAY(r->scratch, r->problem->n_services, taskfit_sized);
    for (int order = 0; order < MAX_ORDERS; order++) {
        const size_t n = extra_in_order(r, (order & 1) != 0, list);
        if (fit_in_order(r, list, n, (order & 2) != 0)) {
            return TASKFIT_VERDICT_FITS;
        }
    }
    return fit_by_stages(r);
}

/* ---- the rules ---- */

/* Tasks of one service are alike, so that what fits on each instance adds up. */
static bool deploys(const rooms *r, size_t s) {
    const taskfit_problem_service *service = &r->problem->services[s];
    int64_t missing = service->deploy_tasks;
    for (size_t m = 0; m < r->fleet->n_machines && missing > 0; m++) {
        if (!accepts(r, s, m)) {
            continue;
        }
        int64_t most = service->distinct_instance || service->n_ports > 0 ? 1 : missing;
        for (size_t k = 0; k <= TASKFIT_RESOURCE_PORTS; k++) {
            const int64_t left = r->left[m * TASKFIT_RESOURCE_COUNT + k];
            if (service->demand[k] > 0 && left / service->demand[k] < most) {
                most = left / service->demand[k];
            }
        }
        missing -= most;
    }
    return missing <= 0;
}

static taskfit_verdict check_rolling(rooms *r) {
    if (r->problem->rolling == TASKFIT_ROLLING_ALL_SERVICES) {
        for (size_t s = 0; s < r->problem->n_services; s++) {
            r->extra[s] = r->problem->services[s].deploy_tasks;
        }
        return fit_extra(r);
    }
    for (size_t s = 0; s < r->problem->n_services; s++) {
        if (!taskfit_budget_spend(r->budget, (int64_t)r->fleet->n_machines)) {
            return TASKFIT_VERDICT_OPEN;
        }
        if (!deploys(r, s)) {
            return TASKFIT_VERDICT_REFUTED;
        }
    }
    return TASKFIT_VERDICT_FITS;
}

static bool alike(const taskfit_machine *a, const taskfit_machine *b) {
    bool same = a->group == b->group && a->type == b->type && a->az == b->az && a->n_tasks == b->n_tasks;
    for (size_t i = 0; i < a->n_tasks && same; i++) {
        same = a->tasks[i].service == b->tasks[i].service && a->tasks[i].count == b->tasks[i].count;
    }
    return same;
}

/* The tasks of the machines that are marked lost. */
static taskfit_verdict check_loss(rooms *r) {
    memset(r->extra, 0, r->problem->n_services * sizeof *r->extra);
    for (size_t m = 0; m < r->fleet->n_machines; m++) {
        for (size_t i = 0; i < r->fleet->machines[m].n_tasks && r->lost[m]; i++) {
            r->extra[r->compiled[r->fleet->machines[m].tasks[i].service]] += r->fleet->machines[m].tasks[i].count;
        }
    }
    return fit_extra(r);
}

static taskfit_verdict check_survive(rooms *r) {
    const bool by_az = r->problem->survive == TASKFIT_SURVIVE_AVAILABILITY_ZONE;
    const size_t n = by_az ? r->problem->n_azs : r->fleet->n_machines;
    taskfit_verdict verdict = TASKFIT_VERDICT_FITS;
    for (size_t lost = 0; lost < n && verdict == TASKFIT_VERDICT_FITS; lost++) {
        if (!by_az && lost > 0 && alike(&r->fleet->machines[lost], &r->fleet->machines[lost - 1])) {
            continue;
        }
        for (size_t m = 0; m < r->fleet->n_machines; m++) {
            r->lost[m] = by_az ? r->fleet->machines[m].az == lost : m == lost;
        }
        verdict = check_loss(r);
    }
    return verdict;
}

/* Tasks of the service over the instances of a class (an AZ, or all) where it may stand differ by at most 1. */
static bool instance_spread_holds(const rooms *r, size_t s, size_t az) {
    const taskfit_problem_service *service = &r->problem->services[s];
    int64_t least = INT64_MAX;
    int64_t most = 0;
    for (size_t m = 0; m < r->fleet->n_machines; m++) {
        const taskfit_machine *machine = &r->fleet->machines[m];
        if (!service->may_stand[r->offer_of[m]] || (service->spread_az_before_instance && machine->az != az)) {
            continue;
        }
        int64_t tasks = 0;
        for (size_t i = 0; i < machine->n_tasks; i++) {
            tasks = machine->tasks[i].service == service->service ? machine->tasks[i].count : tasks;
        }
        least = tasks < least ? tasks : least;
        most = tasks > most ? tasks : most;
    }
    return most == 0 || most - least <= 1;
}

static bool spread_holds(const rooms *r) {
    for (size_t s = 0; s < r->problem->n_services; s++) {
        const taskfit_problem_service *service = &r->problem->services[s];
        const bool alone = service->distinct_instance || service->n_ports > 0 || service->replicas == 1;
        const size_t n_classes = service->spread_az_before_instance ? r->problem->n_azs : 1;
        for (size_t az = 0; az < n_classes && service->spread_instance && !alone; az++) {
            if (!instance_spread_holds(r, s, az)) {
                return false;
            }
        }
    }
    return true;
}

bool taskfit_room_asked(const taskfit_problem *problem) {
    return problem->rolling != TASKFIT_ROLLING_NONE || problem->survive != TASKFIT_SURVIVE_NONE;
}

taskfit_verdict taskfit_room_check(const taskfit_problem *problem, const taskfit_fleet *fleet, taskfit_budget *budget) {
    taskfit_arena *scratch = taskfit_arena_new();
    rooms r = rooms_new(problem, fleet, budget, scratch);
    taskfit_verdict verdict = spread_holds(&r) ? TASKFIT_VERDICT_FITS : TASKFIT_VERDICT_REFUTED;
    if (verdict == TASKFIT_VERDICT_FITS && problem->rolling != TASKFIT_ROLLING_NONE) {
        verdict = check_rolling(&r);
    }
    if (verdict == TASKFIT_VERDICT_FITS && problem->survive != TASKFIT_SURVIVE_NONE) {
        verdict = check_survive(&r);
    }
    taskfit_arena_free(scratch);
    return verdict;
}
