#include "solve/decision.h"

#include <assert.h>
#include <stdlib.h>

#include "base/int64.h"
#include "solve/exclusive.h"

/*
 * Compiles a fleet and the problem's services into profiles, dimensions, kinds and windows.
 *
 * A dimension is dropped when it can bind nowhere, before services are compared: those that differ only in
 * what never binds become one profile. Capacities are cut to what could be used, then dimension and
 * capacities are divided by the greatest common divisor of the demands, which rounds capacities down.
 */

/* What the rules say of one service on this fleet, normalized: two services with the same traits and demands
 * are interchangeable. */
typedef struct trait {
    bool single;           /* at most one task of it on an instance */
    bool spread_instance;
    bool by_zone;          /* spread by AZ */
    int64_t low_tasks;     /* of a service in a class (AZ or all): D and E of decision.h */
    int64_t high_tasks;
    const int64_t *key;    /* everything two services of a profile must share */
    size_t key_len;
    const uint32_t *conflicts; /* and these */
    size_t n_conflicts;
    size_t service;
} trait;

typedef struct build {
    taskfit_arena *arena;
    taskfit_arena *scratch;
    const taskfit_problem *problem;
    const int64_t *count;  /* [n_offers] */
    size_t *used;          /* offers with instances */
    size_t n_used;
    size_t *az_zone;       /* [n_azs]; meaningless for AZs without instances */
    size_t n_zones;
    taskfit_resource resources[TASKFIT_RESOURCE_COUNT]; /* that can bind */
    size_t n_resources;
    size_t *port_dim;      /* [n_ports] SIZE_MAX: only one service has it */
    taskfit_exclusive exclusive; /* its sets are the last dimensions */
    size_t n_dims;
    trait *traits;         /* [n_services]; sorted by key once profiles are made */
    trait *profile_traits; /* [n_profiles] */
    taskfit_profile *profiles;
    size_t n_profiles;
} build;

static int64_t ceil_div(int64_t a, int64_t b) {
    return (a + b - 1) / b;
}

/* ---- what can bind ---- */

static void select_offers(build *b) {
    b->used = TASKFIT_ARRAY(b->scratch, b->problem->n_offers, size_t);
    for (size_t offer = 0; offer < b->problem->n_offers; offer++) {
        assert(b->count[offer] >= 0);
        if (b->count[offer] > 0) {
            b->used[b->n_used++] = offer;
        }
    }
}

static void select_ports(build *b) {
    size_t *users = TASKFIT_ARRAY(b->scratch, b->problem->n_ports, size_t);
    for (size_t s = 0; s < b->problem->n_services; s++) {
        for (size_t i = 0; i < b->problem->services[s].n_ports; i++) {
            users[b->problem->services[s].ports[i]]++;
        }
    }
    b->port_dim = TASKFIT_ARRAY(b->scratch, b->problem->n_ports, size_t);
    b->n_dims = b->n_resources;
    for (size_t port = 0; port < b->problem->n_ports; port++) {
        b->port_dim[port] = users[port] > 1 ? b->n_dims++ : SIZE_MAX;
    }
}

/* SIZE_MAX: of none. */
static size_t set_dim(const build *b, size_t service) {
    const size_t set = b->exclusive.set_of[service];
    return set == SIZE_MAX ? SIZE_MAX : b->n_dims - b->exclusive.n_sets + set;
}

static bool resource_can_bind(const build *b, size_t resource, const taskfit_offer *offer, size_t offer_index) {
    int64_t room = offer->capacity[resource];
    if (room < 0 || room >= TASKFIT_UNLIMITED) {
        return false; /* negative: nothing stands there anyway */
    }
    for (size_t s = 0; s < b->problem->n_services; s++) {
        const taskfit_problem_service *service = &b->problem->services[s];
        if (service->may_stand[offer_index]) {
            room -= service->demand[resource] * (b->traits[s].single ? 1 : service->replicas);
            if (room < 0) {
                return true;
            }
        }
    }
    return false;
}

static void select_resources(build *b) {
    for (size_t resource = 0; resource < TASKFIT_RESOURCE_COUNT; resource++) {
        for (size_t i = 0; i < b->n_used; i++) {
            if (resource_can_bind(b, resource, &b->problem->offers[b->used[i]], b->used[i])) {
                b->resources[b->n_resources++] = (taskfit_resource)resource;
                break;
            }
        }
    }
}

/* ---- traits and profiles ---- */

static bool *eligible_azs(const build *b, const taskfit_problem_service *service, size_t *n_out) {
    bool *eligible = TASKFIT_ARRAY(b->scratch, b->problem->n_azs, bool);
    *n_out = 0;
    for (size_t offer = 0; offer < b->problem->n_offers; offer++) {
        const size_t az = b->problem->offers[offer].az;
        if (service->may_stand[offer] && !eligible[az]) {
            eligible[az] = true;
            (*n_out)++;
        }
    }
    return eligible;
}

/* Rules that others imply are dropped, so that more services are alike: with at most one task of a service in
 * a class, it is on distinct instances and spread over them whatever happens. */
static trait service_trait(const build *b, size_t index) {
    const taskfit_problem_service *service = &b->problem->services[index];
    size_t n_azs;
    (void)eligible_azs(b, service, &n_azs);
    trait t = {.service = index, .by_zone = service->spread_az && n_azs > 1};
    t.low_tasks = t.by_zone ? service->replicas / (int64_t)n_azs : service->replicas;
    t.high_tasks = t.by_zone ? ceil_div(service->replicas, (int64_t)n_azs) : service->replicas;
    if (t.high_tasks > 1) {
        t.single = service->distinct_instance || service->n_ports > 0;
        t.spread_instance = service->spread_instance;
    }
    assert(!t.spread_instance || !t.by_zone || service->spread_az_before_instance);
    return t;
}

static bool alone(const trait *t) {
    return t->single || t->high_tasks <= 1;
}

bool taskfit_decision_alone(const taskfit_problem *problem, size_t service) {
    const build b = {.problem = problem, .scratch = taskfit_arena_new()};
    const trait t = service_trait(&b, service);
    taskfit_arena_free(b.scratch);
    return alone(&t);
}

static void select_sets(build *b) {
    bool *is_alone = TASKFIT_ARRAY(b->scratch, b->problem->n_services, bool);
    for (size_t s = 0; s < b->problem->n_services; s++) {
        is_alone[s] = alone(&b->traits[s]);
    }
    b->exclusive = taskfit_exclusive_find(b->problem, is_alone, b->scratch);
    b->n_dims += b->exclusive.n_sets;
}

static void make_zones(build *b) {
    bool by_zone = false;
    for (size_t s = 0; s < b->problem->n_services; s++) {
        by_zone = by_zone || b->traits[s].by_zone;
    }
    bool *seen = TASKFIT_ARRAY(b->scratch, b->problem->n_azs, bool);
    b->az_zone = TASKFIT_ARRAY(b->scratch, b->problem->n_azs, size_t);
    for (size_t i = 0; i < b->n_used; i++) {
        seen[b->problem->offers[b->used[i]].az] = true;
    }
    for (size_t az = 0; by_zone && az < b->problem->n_azs; az++) {
        b->az_zone[az] = b->n_zones;
        b->n_zones += seen[az] ? 1 : 0;
    }
    b->n_zones = b->n_zones == 0 ? 1 : b->n_zones;
}

/* The key: larger tasks sort first, so that profiles come in the order first fit wants. */
static void make_key(const build *b, trait *t) {
    const taskfit_problem_service *service = &b->problem->services[t->service];
    const size_t len = b->n_resources + 6 + b->n_used + (t->by_zone ? b->problem->n_azs : 0) + service->n_ports + 2;
    int64_t *key = TASKFIT_ARRAY(b->scratch, len, int64_t);
    size_t n = 0;
    for (size_t i = 0; i < b->n_resources; i++) {
        key[n++] = -service->demand[b->resources[i]];
    }
    key[n++] = service->replicas;
    key[n++] = b->problem->classes != NULL ? (int64_t)b->problem->classes[t->service] : 0;
    key[n++] = t->single;
    key[n++] = t->spread_instance;
    key[n++] = t->by_zone;
    for (size_t i = 0; i < b->n_used; i++) {
        key[n++] = service->may_stand[b->used[i]];
    }
    if (t->by_zone) {
        size_t n_azs;
        const bool *eligible = eligible_azs(b, service, &n_azs);
        for (size_t az = 0; az < b->problem->n_azs; az++) {
            key[n++] = eligible[az];
        }
    }
    for (size_t i = 0; i < service->n_ports; i++) {
        if (b->port_dim[service->ports[i]] != SIZE_MAX) {
            key[n++] = (int64_t)service->ports[i];
        }
    }
    key[n++] = -1; /* end of the ports */
    key[n++] = (int64_t)set_dim(b, t->service);
    assert(n <= len);
    t->key = key;
    t->key_len = n;
    if (set_dim(b, t->service) == SIZE_MAX) { /* a set stands for all that its services refuse */
        t->conflicts = service->conflicts;
        t->n_conflicts = service->n_conflicts;
    }
}

static int key_compare(const trait *a, const trait *b) {
    for (size_t i = 0; i < a->key_len && i < b->key_len; i++) {
        if (a->key[i] != b->key[i]) {
            return a->key[i] < b->key[i] ? -1 : 1;
        }
    }
    for (size_t i = 0; i < a->n_conflicts && i < b->n_conflicts && a->key_len == b->key_len; i++) {
        if (a->conflicts[i] != b->conflicts[i]) {
            return a->conflicts[i] < b->conflicts[i] ? -1 : 1;
        }
    }
    const size_t a_len = a->key_len + a->n_conflicts;
    const size_t b_len = b->key_len + b->n_conflicts;
    return (a_len > b_len) - (a_len < b_len);
}

static int trait_compare(const void *left, const void *right) {
    const trait *a = left;
    const trait *b = right;
    const int by_key = key_compare(a, b);
    return by_key != 0 ? by_key : (a->service > b->service) - (a->service < b->service);
}

static const int64_t *profile_demand(const build *b, size_t index) {
    const taskfit_problem_service *service = &b->problem->services[index];
    int64_t *demand = TASKFIT_ARRAY(b->arena, b->n_dims, int64_t);
    for (size_t i = 0; i < b->n_resources; i++) {
        demand[i] = service->demand[b->resources[i]];
    }
    for (size_t i = 0; i < service->n_ports; i++) {
        const size_t dim = b->port_dim[service->ports[i]];
        if (dim != SIZE_MAX) {
            demand[dim] = 1;
        }
    }
    if (set_dim(b, index) != SIZE_MAX) {
        demand[set_dim(b, index)] = 1;
    }
    return demand;
}

/* Zone windows: [S * D, S * E] in eligible zones with an AZ rule, else anything. */
static void set_windows(const build *b, const trait *t, taskfit_profile *profile) {
    int64_t *low = TASKFIT_ARRAY(b->arena, b->n_zones, int64_t);
    int64_t *high = TASKFIT_ARRAY(b->arena, b->n_zones, int64_t);
    const taskfit_problem_service *service = &b->problem->services[t->service];
    for (size_t i = 0; i < b->n_used; i++) {
        const taskfit_offer *offer = &b->problem->offers[b->used[i]];
        if (service->may_stand[b->used[i]]) {
            const size_t zone = b->az_zone[offer->az];
            low[zone] = t->by_zone ? profile->n_services * t->low_tasks : 0;
            high[zone] = t->by_zone ? profile->n_services * t->high_tasks : profile->tasks;
        }
    }
    profile->zone_low = low;
    profile->zone_high = high;
}

static void make_profiles(build *b) {
    const size_t n_services = b->problem->n_services;
    for (size_t s = 0; s < n_services; s++) {
        make_key(b, &b->traits[s]);
    }
    if (n_services > 0) {
        qsort(b->traits, n_services, sizeof *b->traits, trait_compare);
    }
    b->profiles = TASKFIT_ARRAY(b->arena, n_services, taskfit_profile);
    b->profile_traits = TASKFIT_ARRAY(b->scratch, n_services, trait);
    for (size_t first = 0, next; first < n_services; first = next) {
        const trait *t = &b->traits[first];
        for (next = first + 1; next < n_services && key_compare(t, &b->traits[next]) == 0; next++) {
        }
        size_t *services = TASKFIT_ARRAY(b->arena, next - first, size_t);
        for (size_t i = first; i < next; i++) {
            services[i - first] = b->traits[i].service;
        }
        const taskfit_problem_service *service = &b->problem->services[t->service];
        taskfit_profile *profile = &b->profiles[b->n_profiles];
        b->profile_traits[b->n_profiles++] = *t;
        profile->n_services = (int64_t)(next - first);
        profile->replicas = service->replicas;
        profile->tasks = profile->n_services * profile->replicas;
        profile->demand = profile_demand(b, t->service);
        profile->spread_az = t->by_zone;
        profile->services = services;
        set_windows(b, t, profile);
    }
}

/* Profiles conflict all or not at all: services of a profile have the same conflicts. Those of one set need no pair. */
static void make_conflicts(build *b, taskfit_decision *d) {
    size_t *profile_of = TASKFIT_ARRAY(b->scratch, b->problem->n_services, size_t);
    for (size_t p = 0; p < b->n_profiles; p++) {
        for (int64_t i = 0; i < b->profiles[p].n_services; i++) {
            profile_of[b->profiles[p].services[i]] = p;
        }
    }
    taskfit_conflict *conflicts = NULL;
    size_t capacity = 0;
    bool *listed = TASKFIT_ARRAY(b->scratch, b->n_profiles, bool);
    for (size_t p = 0; p < b->n_profiles; p++) {
        const taskfit_problem_service *service = &b->problem->services[b->profiles[p].services[0]];
        if (service->n_conflicts > 0) {
            memset(listed, 0, b->n_profiles * sizeof *listed);
        }
        for (size_t i = 0; i < service->n_conflicts; i++) {
            const size_t other = profile_of[service->conflicts[i]];
            const size_t set = b->exclusive.set_of[b->profiles[p].services[0]];
            const bool by_set = set != SIZE_MAX && set == b->exclusive.set_of[service->conflicts[i]];
            assert(other != p || by_set);
            if (p >= other || listed[other] || by_set) {
                continue;
            }
            listed[other] = true;
            TASKFIT_GROW(b->arena, conflicts, d->n_conflicts, capacity);
            conflicts[d->n_conflicts++] = (taskfit_conflict){.a = p, .b = other};
        }
    }
    d->conflicts = conflicts;
}

/* ---- kinds ---- */

static int64_t instances_in_class(const build *b, const trait *t, size_t az) {
    const taskfit_problem_service *service = &b->problem->services[t->service];
    int64_t n = 0;
    for (size_t i = 0; i < b->n_used; i++) {
        const size_t offer = b->used[i];
        if (service->may_stand[offer] && (!t->by_zone || b->problem->offers[offer].az == az)) {
            n += b->count[offer];
        }
    }
    return n;
}

static bool overfull(const taskfit_offer *offer) {
    for (size_t resource = 0; resource < TASKFIT_RESOURCE_COUNT; resource++) {
        if (offer->capacity[resource] < 0) {
            return true;
        }
    }
    return false;
}

static void set_pattern_bounds(const build *b, size_t offer_index, int64_t *low, int64_t *high) {
    const taskfit_offer *offer = &b->problem->offers[offer_index];
    for (size_t p = 0; p < b->n_profiles; p++) {
        const taskfit_profile *profile = &b->profiles[p];
        const trait *t = &b->profile_traits[p];
        const taskfit_problem_service *service = &b->problem->services[t->service];
        low[p] = 0;
        high[p] = 0;
        if (!service->may_stand[offer_index]) {
            continue;
        }
        high[p] = min64(profile->tasks, profile->zone_high[b->az_zone[offer->az]]);
        if (t->single) {
            high[p] = min64(high[p], profile->n_services);
        }
        if (t->spread_instance) {
            const int64_t n = instances_in_class(b, t, offer->az);
            low[p] = profile->n_services * (t->low_tasks / n);
            high[p] = min64(high[p], profile->n_services * ceil_div(t->high_tasks, n));
        }
        if (overfull(offer)) {
            high[p] = 0;
        }
        for (size_t i = 0; i < b->n_resources; i++) { /* services of a profile may differ in the others */
            if (service->demand[b->resources[i]] > 0) {
                high[p] = min64(high[p], max64(0, offer->capacity[b->resources[i]]) / service->demand[b->resources[i]]);
            }
        }
        for (size_t dim = b->n_resources; dim < b->n_dims; dim++) {
            high[p] = profile->demand[dim] > 0 ? min64(high[p], 1) : high[p];
        }
    }
}

static void set_capacity(const build *b, const taskfit_offer *offer, const int64_t *high, int64_t *capacity) {
    for (size_t dim = 0; dim < b->n_dims; dim++) {
        const int64_t given = dim < b->n_resources ? max64(0, offer->capacity[b->resources[dim]]) : 1;
        int64_t usable = 0;
        for (size_t p = 0; p < b->n_profiles && usable < given; p++) {
            usable = min64(given, usable + high[p] * b->profiles[p].demand[dim]);
        }
        capacity[dim] = usable;
    }
}

static bool kind_equals(const build *b, const taskfit_kind *a, const taskfit_kind *other) {
    return a->zone == other->zone && memcmp(a->capacity, other->capacity, b->n_dims * sizeof *a->capacity) == 0 &&
           memcmp(a->low, other->low, b->n_profiles * sizeof *a->low) == 0 &&
           memcmp(a->high, other->high, b->n_profiles * sizeof *a->high) == 0;
}

static void make_kinds(build *b, taskfit_decision *d) {
    taskfit_kind *kinds = TASKFIT_ARRAY(b->arena, b->n_used, taskfit_kind);
    size_t *offer_kind = TASKFIT_ARRAY(b->arena, b->problem->n_offers, size_t);
    int64_t *offer_count = TASKFIT_ARRAY(b->arena, b->problem->n_offers, int64_t);
    for (size_t i = 0; i < b->n_used; i++) {
        const size_t offer = b->used[i];
        int64_t *low = TASKFIT_ARRAY(b->arena, b->n_profiles, int64_t);
        int64_t *high = TASKFIT_ARRAY(b->arena, b->n_profiles, int64_t);
        int64_t *capacity = TASKFIT_ARRAY(b->arena, b->n_dims, int64_t);
        set_pattern_bounds(b, offer, low, high);
        set_capacity(b, &b->problem->offers[offer], high, capacity);
        const taskfit_kind kind = {.offer = offer,
                                   .zone = b->az_zone[b->problem->offers[offer].az],
                                   .capacity = capacity,
                                   .low = low,
                                   .high = high};
        size_t k = 0;
        while (k < d->n_kinds && !kind_equals(b, &kinds[k], &kind)) {
            k++;
        }
        if (k == d->n_kinds) {
            kinds[d->n_kinds++] = kind;
        }
        kinds[k].count += b->count[offer];
        offer_kind[offer] = k;
        offer_count[offer] = b->count[offer];
        d->n_instances += b->count[offer];
    }
    d->kinds = kinds;
    d->offer_kind = offer_kind;
    d->offer_count = offer_count;
}

/* Only this file writes through demand and capacity, before anybody sees the decision. */
static void divide_by_gcd(const build *b, const taskfit_decision *d, size_t dim) {
    int64_t divisor = 0;
    for (size_t p = 0; p < b->n_profiles; p++) {
        divisor = gcd64(divisor, b->profiles[p].demand[dim]);
    }
    if (divisor <= 1) {
        return;
    }
    for (size_t p = 0; p < b->n_profiles; p++) {
        ((int64_t *)(uintptr_t)b->profiles[p].demand)[dim] /= divisor;
    }
    for (size_t k = 0; k < d->n_kinds; k++) {
        ((int64_t *)(uintptr_t)d->kinds[k].capacity)[dim] /= divisor;
    }
}

static bool windows_empty(const build *b, const taskfit_decision *d) {
    for (size_t p = 0; p < b->n_profiles; p++) {
        const taskfit_profile *profile = &b->profiles[p];
        int64_t low_sum = 0;
        int64_t high_sum = 0;
        for (size_t zone = 0; zone < b->n_zones; zone++) {
            low_sum += profile->zone_low[zone];
            high_sum += profile->zone_high[zone];
        }
        for (size_t k = 0; k < d->n_kinds; k++) {
            if (d->kinds[k].low[p] > d->kinds[k].high[p]) {
                return true;
            }
        }
        if (low_sum > profile->tasks || high_sum < profile->tasks) {
            return true;
        }
    }
    return false;
}

/* Instance spread may demand tasks of two profiles on an instance that refuse each other. */
static bool lows_conflict(const taskfit_decision *d) {
    for (size_t k = 0; k < d->n_kinds; k++) {
        for (size_t i = 0; i < d->n_conflicts; i++) {
            if (d->kinds[k].low[d->conflicts[i].a] > 0 && d->kinds[k].low[d->conflicts[i].b] > 0) {
                return true;
            }
        }
    }
    return false;
}

/* ---- the whole ---- */

/* An AZ rule asks for floor(r/Z) tasks in every eligible AZ, also in one without instances. */
static bool misses_an_az(const build *b) {
    bool *seen = TASKFIT_ARRAY(b->scratch, b->problem->n_azs, bool);
    for (size_t p = 0; p < b->n_profiles; p++) {
        const trait *t = &b->profile_traits[p];
        const taskfit_problem_service *service = &b->problem->services[t->service];
        if (!t->by_zone || t->low_tasks == 0) {
            continue;
        }
        memset(seen, 0, b->problem->n_azs * sizeof *seen);
        for (size_t i = 0; i < b->n_used; i++) {
            seen[b->problem->offers[b->used[i]].az] |= service->may_stand[b->used[i]];
        }
        for (size_t offer = 0; offer < b->problem->n_offers; offer++) {
            if (service->may_stand[offer] && !seen[b->problem->offers[offer].az]) {
                return true;
            }
        }
    }
    return false;
}

/* An instance that cannot even hold its daemons, and what is kept free, is no instance to plan with. */
static bool overfull_by_daemons(const build *b) {
    for (size_t i = 0; i < b->n_used; i++) {
        if (overfull(&b->problem->offers[b->used[i]])) {
            return true;
        }
    }
    return false;
}

const taskfit_decision *taskfit_decision_new(taskfit_arena *arena, const taskfit_problem *problem, const int64_t *count) {
    build b = {.arena = arena, .scratch = taskfit_arena_new(), .problem = problem, .count = count};
    taskfit_decision *d = TASKFIT_NEW(arena, taskfit_decision);
    b.traits = TASKFIT_ARRAY(b.scratch, problem->n_services, trait);
    for (size_t s = 0; s < problem->n_services; s++) {
        b.traits[s] = service_trait(&b, s);
    }
    select_offers(&b);
    make_zones(&b);
    select_resources(&b);
    select_ports(&b);
    select_sets(&b);
    make_profiles(&b);
    make_conflicts(&b, d);
    make_kinds(&b, d);
    int *dim_resource = TASKFIT_ARRAY(arena, b.n_dims, int);
    for (size_t dim = 0; dim < b.n_dims; dim++) {
        const bool of_set = dim >= b.n_dims - b.exclusive.n_sets;
        dim_resource[dim] = of_set ? TASKFIT_DIM_SET : dim < b.n_resources ? (int)b.resources[dim] : TASKFIT_DIM_PORT;
        divide_by_gcd(&b, d, dim);
    }
    d->problem = problem;
    d->n_dims = b.n_dims;
    d->dim_resource = dim_resource;
    d->profiles = b.profiles;
    d->n_profiles = b.n_profiles;
    d->n_zones = b.n_zones;
    d->impossible = windows_empty(&b, d) || lows_conflict(d) || misses_an_az(&b) || overfull_by_daemons(&b);
    taskfit_arena_free(b.scratch);
    return d;
}
