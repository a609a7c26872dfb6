#include "solve/room.h"

#include <assert.h>
#include <string.h>

#include "problem/largest.h"
#include "solve/derive.h"
#include "solve/expand.h"

/*
 * Refuting: a placement with room for a deployment is a placement of its tasks and the extra ones together; one that
 * survives a loss leaves a placement of all tasks on the rest. Both are plain decisions, and when one of them is
 * refuted there is no room.
 *
 * Finding: the stages place as usual on fleets where some instances, *hosts*, keep free what the largest of their
 * *clients* takes; a client that cannot share an instance with itself is kept off its host. Whether that is enough
 * is up to room_check.c, which lets each service use whatever there is.
 */

enum { MAX_TURNS = 4, MAX_HOSTS = 64 };

static bool single(const taskfit_problem_service *service) {
    return service->distinct_instance || service->n_ports > 0;
}

static taskfit_answer open_answer(void) {
    return (taskfit_answer){.verdict = TASKFIT_VERDICT_OPEN, .proof = TASKFIT_PROOF_NONE, .stage = "room"};
}

static taskfit_answer ask(taskfit_asker asker, const taskfit_problem *derived, const int64_t *count, taskfit_arena *arena) {
    return asker.ask(asker.arg, taskfit_decision_new(arena, derived, count), arena);
}

/* ---- refuting deployments ---- */

/* Whether room for a deployment of `a` is room for one of `b`, as far as resources and places go. */
static bool covers(const taskfit_problem *problem, size_t a, size_t b) {
    const taskfit_problem_service *large = &problem->services[a];
    const taskfit_problem_service *small = &problem->services[b];
    if (small->deploy_tasks > large->deploy_tasks || (single(small) && !single(large)) ||
        (single(small) && small->replicas > large->replicas)) {
        return false;
    }
    for (size_t r = 0; r <= TASKFIT_RESOURCE_PORTS; r++) {
        if (small->demand[r] > large->demand[r]) {
            return false;
        }
    }
    for (size_t o = 0; o < problem->n_offers; o++) {
        if (large->may_stand[o] && !small->may_stand[o]) {
            return false;
        }
    }
    return true;
}

size_t taskfit_room_candidates(const taskfit_problem *problem, size_t *list) {
    size_t n = 0;
    for (size_t s = 0; s < problem->n_services; s++) {
        bool covered = problem->services[s].deploy_tasks == 0;
        for (size_t i = 0; i < n && !covered; i++) {
            covered = covers(problem, list[i], s);
        }
        if (covered) {
            continue;
        }
        size_t kept = 0;
        for (size_t i = 0; i < n; i++) {
            if (!covers(problem, s, list[i])) {
                list[kept++] = list[i];
            }
        }
        n = kept;
        if (n < TASKFIT_ROOM_CANDIDATES) {
            list[n++] = s;
        }
    }
    return n;
}

/* Where headroom or caps do not bind the extra task, the instance it goes to is singled out: every kind of it has to be
 * refuted. */
static taskfit_answer refute_hosts(const taskfit_problem *problem, const int64_t *count, size_t s, taskfit_asker asker,
                                   taskfit_arena *arena) {
    taskfit_answer last = {.verdict = TASKFIT_VERDICT_REFUTED, .proof = TASKFIT_PROOF_EXACT, .stage = "room"};
    bool *keeps_off = TASKFIT_ARRAY(arena, problem->n_services, bool);
    const taskfit_problem_service *service = &problem->services[s];
    keeps_off[s] = single(service);
    for (size_t i = 0; i < service->n_conflicts; i++) {
        keeps_off[service->conflicts[i]] = true;
    }
    for (size_t o = 0; o < problem->n_offers && last.verdict == TASKFIT_VERDICT_REFUTED; o++) {
        if (count[o] == 0 || !service->may_stand[o]) {
            continue;
        }
        taskfit_host host = {.offer = o, .keeps_off = keeps_off};
        memcpy(host.reserve, service->demand, sizeof host.reserve);
        const int64_t *counts;
        const taskfit_problem *derived = taskfit_derive_hosts(arena, problem, count, &host, 1, &counts);
        const taskfit_answer answer = ask(asker, derived, counts, arena);
        last.verdict = answer.verdict;
        last.proof = answer.proof == TASKFIT_PROOF_SOLVER ? TASKFIT_PROOF_SOLVER : last.proof;
        last.stage = answer.stage;
    }
    return last.verdict == TASKFIT_VERDICT_REFUTED ? last : open_answer();
}

static taskfit_answer refute_deployment(const taskfit_problem *problem, const int64_t *count, size_t s,
                                        taskfit_asker asker, taskfit_arena *arena) {
    if (problem->services[s].deploy_tasks == 1 && !taskfit_derive_plain(problem)) {
        return refute_hosts(problem, count, s, asker, arena);
    }
    int64_t *extra = TASKFIT_ARRAY(arena, problem->n_services, int64_t);
    extra[s] = problem->services[s].deploy_tasks;
    return ask(asker, taskfit_derive_extra(arena, problem, extra, !taskfit_derive_plain(problem)), count, arena);
}

static const int64_t *all_extra(const taskfit_problem *problem, taskfit_arena *arena) {
    int64_t *extra = TASKFIT_ARRAY(arena, problem->n_services, int64_t);
    for (size_t s = 0; s < problem->n_services; s++) {
        extra[s] = problem->services[s].deploy_tasks;
    }
    return extra;
}

static taskfit_answer refute_rolling(const taskfit_problem *problem, const int64_t *count, taskfit_asker asker,
                                     taskfit_arena *arena) {
    if (problem->rolling == TASKFIT_ROLLING_ALL_SERVICES) {
        const bool bare = !taskfit_derive_plain(problem);
        return ask(asker, taskfit_derive_extra(arena, problem, all_extra(problem, arena), bare), count, arena);
    }
    size_t list[TASKFIT_ROOM_CANDIDATES];
    const size_t n = taskfit_room_candidates(problem, list);
    taskfit_answer answer = open_answer();
    for (size_t i = 0; i < n && answer.verdict != TASKFIT_VERDICT_REFUTED; i++) {
        answer = refute_deployment(problem, count, list[i], asker, arena);
    }
    return answer;
}

/* ---- refuting losses ---- */

static taskfit_answer refute_survive(const taskfit_problem *problem, const int64_t *count, taskfit_asker asker,
                                     taskfit_arena *arena) {
    const taskfit_problem *bare = taskfit_derive_bare(arena, problem);
    const bool by_az = problem->survive == TASKFIT_SURVIVE_AVAILABILITY_ZONE;
    int64_t *rest = TASKFIT_ARRAY(arena, problem->n_offers, int64_t);
    taskfit_answer answer = open_answer();
    for (size_t lost = 0; lost < (by_az ? problem->n_azs : problem->n_offers); lost++) {
        bool changed = false;
        for (size_t o = 0; o < problem->n_offers; o++) {
            const bool hit = count[o] > 0 && (by_az ? problem->offers[o].az == lost : o == lost);
            rest[o] = !hit ? count[o] : by_az ? 0 : count[o] - 1;
            changed = changed || hit;
        }
        if (changed) {
            answer = ask(asker, bare, rest, arena);
        }
        if (answer.verdict == TASKFIT_VERDICT_REFUTED) {
            return answer;
        }
    }
    return open_answer();
}

taskfit_answer taskfit_room_refute(const taskfit_problem *problem, const int64_t *count, taskfit_asker asker) {
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_answer answer = open_answer();
    if (problem->survive != TASKFIT_SURVIVE_NONE) {
        answer = refute_survive(problem, count, asker, arena);
    }
    if (answer.verdict != TASKFIT_VERDICT_REFUTED && problem->rolling != TASKFIT_ROLLING_NONE) {
        answer = refute_rolling(problem, count, asker, arena);
    }
    answer.contents = NULL;
    answer.n_contents = 0;
    answer.lower_bound = 0;
    answer.verdict = answer.verdict == TASKFIT_VERDICT_REFUTED ? answer.verdict : TASKFIT_VERDICT_OPEN;
    taskfit_arena_free(arena);
    return answer;
}

/* ---- finding ---- */

typedef enum pattern {
    PATTERN_ONE,   /* a host with room for the largest client */
    PATTERN_EMPTY, /* a host that clients do not stand on */
    PATTERN_HALVES, /* two hosts, each the clients' of the other half */
    PATTERN_LARGEST, /* a host for the largest client alone, another for the rest */
    PATTERN_SPARE, /* an instance that stays empty altogether: what a lost one held goes there */
    PATTERN_COUNT
} pattern;

typedef struct finder {
    const taskfit_problem *problem; /* whose rules are asked for */
    const taskfit_problem *placed;  /* the one that is placed: with the extra tasks of allServices */
    const int64_t *count;
    taskfit_asker asker;
    taskfit_budget *budget;
    taskfit_arena *scratch; /* of one attempt */
    taskfit_arena *arena;   /* of the answer */
    const int64_t *extra;   /* [problem->n_services] or NULL */
    size_t *clients;        /* by size, largest first */
    size_t n_clients;
    taskfit_host hosts[MAX_HOSTS];
    size_t n_hosts;
} finder;

/* Those that need a place: all when an instance may be lost, else those to deploy. */
static void list_clients(finder *f, bool all, taskfit_arena *arena) {
    const taskfit_problem *problem = f->problem;
    taskfit_sized *list = TASKFIT_ARRAY(arena, problem->n_services, taskfit_sized);
    f->clients = TASKFIT_ARRAY(arena, problem->n_services, size_t);
    f->n_clients = 0;
    for (size_t s = 0; s < problem->n_services; s++) {
        const taskfit_problem_service *service = &problem->services[s];
        if (all || service->deploy_tasks > 0) {
            list[f->n_clients++] = (taskfit_sized){.size = service->demand[TASKFIT_RESOURCE_MEMORY],
                                                   .second = service->demand[TASKFIT_RESOURCE_CPU],
                                                   .service = s};
        }
    }
    taskfit_sized_sort(list, f->n_clients);
    for (size_t i = 0; i < f->n_clients; i++) {
        f->clients[i] = list[i].service;
    }
}

/* The stages' answer on a problem made of the placed one, if it keeps the rules. */
static taskfit_fleet *attempt(finder *f, const taskfit_problem *derived, const int64_t *count) {
    const taskfit_decision *d = taskfit_decision_new(f->scratch, derived, count);
    const taskfit_answer answer = f->asker.ask(f->asker.arg, d, f->scratch);
    taskfit_fleet *kept = NULL;
    if (answer.verdict == TASKFIT_VERDICT_FITS) {
        taskfit_fleet *fleet = taskfit_expand(d, answer.contents, answer.n_contents, f->scratch);
        if (f->extra != NULL) {
            taskfit_derive_strip(f->problem, f->extra, fleet);
        }
        if (taskfit_room_check(f->problem, fleet, f->budget) == TASKFIT_VERDICT_FITS) {
            kept = taskfit_fleet_copy(f->arena, fleet);
        }
    }
    return kept;
}

/* How many clients not served yet could use an instance of the offer. */
static size_t n_served(const finder *f, size_t offer, const bool *served) {
    size_t n = 0;
    for (size_t i = 0; i < f->n_clients; i++) {
        n += !served[i] && f->problem->services[f->clients[i]].may_stand[offer] ? 1 : 0;
    }
    return n;
}

static int64_t hosts_of(const finder *f, size_t offer) {
    int64_t n = 0;
    for (size_t h = 0; h < f->n_hosts; h++) {
        n += f->hosts[h].offer == offer ? 1 : 0;
    }
    return n;
}

/* The offer most clients could use, the one with more room if equal; `turn` moves the start among equals. */
static size_t best_offer(const finder *f, const bool *served, size_t turn) {
    const taskfit_problem *problem = f->problem;
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < problem->n_offers; i++) {
        const size_t o = (i + turn) % problem->n_offers;
        if (f->count[o] <= hosts_of(f, o) || n_served(f, o, served) == 0) {
            continue;
        }
        const size_t n = n_served(f, o, served);
        const size_t n_best = best == SIZE_MAX ? 0 : n_served(f, best, served);
        if (best == SIZE_MAX || n > n_best ||
            (n == n_best && problem->offers[o].ecs_capacity[TASKFIT_RESOURCE_MEMORY] >
                                problem->offers[best].ecs_capacity[TASKFIT_RESOURCE_MEMORY])) {
            best = o;
        }
    }
    return best;
}

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

/* Adds a client to a host: what it takes is kept free, and those that would be in its way are kept off. */
static void serve(finder *f, taskfit_host *host, bool *keeps_off, size_t s, pattern how) {
    const taskfit_problem_service *service = &f->problem->services[s];
    const int64_t *capacity = f->problem->offers[host->offer].ecs_capacity;
    int64_t n_tasks = single(service) || service->deploy_tasks < 1 ? 1 : service->deploy_tasks;
    for (size_t r = 0; r <= TASKFIT_RESOURCE_PORTS; r++) {
        const int64_t fit = service->demand[r] > 0 ? capacity[r] / service->demand[r] : n_tasks;
        n_tasks = fit < 1 ? 1 : fit < n_tasks ? fit : n_tasks; /* the rest of a full set goes elsewhere */
    }
    for (size_t r = 0; r <= TASKFIT_RESOURCE_PORTS; r++) {
        const int64_t needed = service->demand[r] * n_tasks;
        host->reserve[r] = host->reserve[r] > needed ? host->reserve[r] : needed;
    }
    if (how == PATTERN_ONE) {
        return;
    }
    keeps_off[s] = keeps_off[s] || how == PATTERN_SPARE || single(service);
    for (size_t i = 0; i < service->n_conflicts; i++) {
        keeps_off[service->conflicts[i]] = true;
    }
    for (size_t other = 0; other < f->problem->n_services && service->n_ports > 0; other++) {
        keeps_off[other] = keeps_off[other] || share_a_port(service, &f->problem->services[other]);
    }
}

/* Two hosts for half of the clients each, or one for all. False: there are not enough instances. */
static bool add_hosts(finder *f, size_t offer, bool *served, pattern how) {
    const size_t n_halves = how == PATTERN_HALVES || how == PATTERN_LARGEST ? 2 : 1;
    for (size_t half = 0; half < n_halves; half++) {
        size_t at = offer;
        for (size_t o = 0; o < f->problem->n_offers && f->count[at] <= hosts_of(f, at); o++) {
            at = f->problem->offers[o].group == f->problem->offers[offer].group ? o : at;
        }
        if (f->n_hosts == MAX_HOSTS || f->count[at] <= hosts_of(f, at)) {
            return false;
        }
        taskfit_host *host = &f->hosts[f->n_hosts++];
        bool *keeps_off = TASKFIT_ARRAY(f->scratch, f->problem->n_services, bool);
        *host = (taskfit_host){.offer = at, .keeps_off = keeps_off};
        size_t turn = 0;
        for (size_t i = 0; i < f->n_clients; i++) {
            if (served[i] || !f->problem->services[f->clients[i]].may_stand[offer]) {
                continue;
            }
            const bool first = how == PATTERN_LARGEST ? turn == 0 : turn % 2 == 0;
            if (n_halves == 1 || first == (half == 0)) {
                serve(f, host, keeps_off, f->clients[i], how);
            }
            turn++;
        }
    }
    for (size_t i = 0; i < f->n_clients; i++) {
        served[i] = served[i] || f->problem->services[f->clients[i]].may_stand[offer];
    }
    return true;
}

/* The same flags for the services that stand for extra tasks. */
static void extend_to_placed(finder *f) {
    for (size_t h = 0; h < f->n_hosts && f->placed != f->problem; h++) {
        bool *keeps_off = TASKFIT_ARRAY(f->scratch, f->placed->n_services, bool);
        memcpy(keeps_off, f->hosts[h].keeps_off, f->problem->n_services * sizeof *keeps_off);
        f->hosts[h].keeps_off = keeps_off;
    }
}

static taskfit_fleet *find_with(finder *f, pattern how, size_t turn) {
    bool *served = TASKFIT_ARRAY(f->scratch, f->n_clients, bool);
    f->n_hosts = 0;
    for (size_t offer = best_offer(f, served, turn); offer != SIZE_MAX; offer = best_offer(f, served, turn)) {
        if (!add_hosts(f, offer, served, how)) {
            return NULL;
        }
    }
    extend_to_placed(f);
    if (how == PATTERN_SPARE) {
        for (size_t h = 0; h < f->n_hosts; h++) {
            memset(f->hosts[h].reserve, 0, sizeof f->hosts[h].reserve);
        }
    }
    const int64_t *counts;
    const taskfit_problem *derived = taskfit_derive_hosts(f->scratch, f->placed, f->count, f->hosts, f->n_hosts, &counts);
    return attempt(f, derived, counts);
}

static bool worth_trying(const finder *f, pattern how) {
    const bool survive = f->problem->survive != TASKFIT_SURVIVE_NONE;
    const bool one = f->problem->rolling == TASKFIT_ROLLING_ONE_SERVICE;
    return how == PATTERN_SPARE ? survive : one && !survive;
}

/* The full sets of services that are deployed at once, as tasks that stand for good. */
static taskfit_fleet *find_with_full_sets(finder *f) {
    int64_t *extra = TASKFIT_ARRAY(f->scratch, f->problem->n_services, int64_t);
    bool any = false;
    for (size_t s = 0; s < f->problem->n_services; s++) {
        extra[s] = f->problem->services[s].deploy_tasks > 1 ? f->problem->services[s].deploy_tasks : 0;
        any = any || extra[s] > 0;
    }
    if (!any || f->extra != NULL) {
        return NULL;
    }
    f->extra = extra;
    taskfit_fleet *fleet = attempt(f, taskfit_derive_extra(f->scratch, f->problem, extra, false), f->count);
    f->extra = NULL;
    return fleet;
}

taskfit_fleet *taskfit_room_find(const taskfit_problem *problem, const int64_t *count, taskfit_asker asker,
                                 taskfit_budget *budget, taskfit_arena *arena) {
    taskfit_arena *own = taskfit_arena_new();
    finder f = {.problem = problem,
                .placed = problem,
                .count = count,
                .asker = asker,
                .budget = budget,
                .scratch = taskfit_arena_new(),
                .arena = arena};
    if (problem->rolling == TASKFIT_ROLLING_ALL_SERVICES) {
        f.extra = all_extra(problem, own);
        f.placed = taskfit_derive_extra(own, problem, f.extra, false);
    }
    list_clients(&f, problem->survive != TASKFIT_SURVIVE_NONE, own);
    taskfit_fleet *fleet = attempt(&f, f.placed, count);
    const size_t n_turns = problem->n_offers < MAX_TURNS ? problem->n_offers : MAX_TURNS;
    for (int how = 0; how < PATTERN_COUNT && fleet == NULL; how++) {
        for (size_t turn = 0; turn < n_turns && worth_trying(&f, (pattern)how) && fleet == NULL; turn++) {
            taskfit_arena_reset(f.scratch);
            fleet = budget->stopped || budget->work_left <= 0 ? NULL : find_with(&f, (pattern)how, turn);
        }
    }
    taskfit_arena_reset(f.scratch);
    if (fleet == NULL && problem->rolling == TASKFIT_ROLLING_ONE_SERVICE) {
        fleet = find_with_full_sets(&f);
    }
    taskfit_arena_free(f.scratch);
    taskfit_arena_free(own);
    return fleet;
}
