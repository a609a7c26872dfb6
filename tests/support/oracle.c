#include "oracle.h"

#include <assert.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "deployment/accounting.h"
#include "deployment/query.h"

enum { FLEETS_MAX = 200000, PORTS_MAX = 64 };

typedef struct place { /* a kind of instance */
    size_t group, type, az;
    taskfit_instance_capacity given;
    int64_t room[TASKFIT_RESOURCE_COUNT]; /* on this rung, less daemons */
} place;

typedef struct fleet {
    size_t place[ORACLE_MACHINES_MAX];
    size_t n;
    int64_t cost_usd_micros;
} fleet;

typedef struct oracle {
    const taskfit_deployment *deployment;
    taskfit_rung rung;
    taskfit_arena *arena;
    place *places;
    size_t n_places;
    const taskfit_task_demand *demands; /* [n_services] */
    fleet *fleets;
    size_t n_fleets;
    /* the placement being tried */
    const fleet *on;
    int64_t free[ORACLE_MACHINES_MAX][TASKFIT_RESOURCE_COUNT];
    int64_t *count; /* [n_services * ORACLE_MACHINES_MAX] */
} oracle;

/* ---- places ---- */

static void lower(int64_t *room, int64_t most) {
    *room = most < *room ? most : *room;
}

static void measure(const oracle *o, place *at) {
    const taskfit_policy *policy = &o->deployment->policy;
    at->given = taskfit_instance_capacity_of(o->deployment, at->group, at->type, at->az, o->arena);
    memcpy(at->room, at->given.amount, sizeof at->room);
    if (o->rung >= TASKFIT_RUNG_LIMITS) {
        const int64_t memory = at->given.registered_memory_mib;
        const int64_t cpu = at->given.total_cpu_units;
        at->room[TASKFIT_RESOURCE_MEMORY] -= (memory * policy->headroom_memory_percent + 99) / 100;
        at->room[TASKFIT_RESOURCE_CPU] -= (cpu * policy->headroom_cpu_percent + 99) / 100;
        if (policy->max_hard_memory_percent >= 0) {
            lower(&at->room[TASKFIT_RESOURCE_HARD_MEMORY], memory * policy->max_hard_memory_percent / 100);
        }
        if (policy->max_expected_cpu_percent >= 0) {
            lower(&at->room[TASKFIT_RESOURCE_EXPECTED_CPU], cpu * policy->max_expected_cpu_percent / 100);
        }
        if (policy->max_expected_memory_percent >= 0) {
            lower(&at->room[TASKFIT_RESOURCE_EXPECTED_MEMORY], memory * policy->max_expected_memory_percent / 100);
        }
    }
    for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
        at->room[r] -= at->room[r] < TASKFIT_UNLIMITED ? at->given.daemons[r] : 0;
    }
}

static void list_places(oracle *o) {
    const taskfit_deployment *d = o->deployment;
    o->places = TASKFIT_ARRAY(o->arena, 64, place);
    for (size_t g = 0; g < d->n_groups; g++) {
        for (size_t t = 0; t < d->groups[g].n_types; t++) {
            for (size_t z = 0; z < d->groups[g].n_azs; z++) {
                assert(o->n_places < 64);
                place *at = &o->places[o->n_places++];
                *at = (place){.group = g, .type = t, .az = d->groups[g].azs[z]};
                measure(o, at);
            }
        }
    }
}

static bool same_port(const taskfit_port_mapping *a, const taskfit_port_mapping *b) {
    return a->protocol == b->protocol && a->host_port == b->host_port;
}

static bool may_stand(const oracle *o, size_t service, size_t at) {
    const place *p = &o->places[at];
    for (size_t i = 0; i < o->demands[service].n_ports; i++) {
        for (size_t j = 0; j < p->given.n_ports; j++) {
            if (same_port(&o->demands[service].ports[i], &p->given.ports[j])) {
                return false;
            }
        }
    }
    return taskfit_service_permitted(o->deployment, &o->deployment->services[service], p->group, p->type, p->az);
}

/* ---- fleets ---- */

/* min, max, stock, one type unless mixed, AZs balanced. */
static bool fleet_allowed(const oracle *o, const fleet *f) {
    const taskfit_deployment *d = o->deployment;
    for (size_t g = 0; g < d->n_groups; g++) {
        const taskfit_instance_group *group = &d->groups[g];
        int64_t of_type[8] = {0};
        int64_t of_az[8] = {0};
        int64_t n = 0;
        for (size_t m = 0; m < f->n; m++) {
            const place *p = &o->places[f->place[m]];
            if (p->group == g) {
                of_type[p->type]++;
                of_az[p->az]++;
                n++;
            }
        }
        int64_t types_used = 0;
        for (size_t t = 0; t < group->n_types; t++) {
            types_used += of_type[t] > 0;
            if (group->types[t].stock >= 0 && of_type[t] > group->types[t].stock) {
                return false;
            }
        }
        int64_t least = INT64_MAX;
        int64_t most = 0;
        for (size_t z = 0; z < group->n_azs; z++) {
            const int64_t here = of_az[group->azs[z]];
            least = here < least ? here : least;
            most = here > most ? here : most;
        }
        if (n < group->min_instances || n > group->max_instances || (types_used > 1 && !group->mixed) || most - least > 1) {
            return false;
        }
    }
    return true;
}

static void list_fleets(oracle *o, fleet *f, size_t from) {
    if (fleet_allowed(o, f)) {
        assert(o->n_fleets < FLEETS_MAX);
        o->fleets[o->n_fleets++] = *f;
    }
    for (size_t at = from; at < o->n_places && f->n < ORACLE_MACHINES_MAX; at++) {
        const taskfit_instance_group *group = &o->deployment->groups[o->places[at].group];
        int64_t in_group = 0;
        for (size_t m = 0; m < f->n; m++) {
            in_group += o->places[f->place[m]].group == o->places[at].group;
        }
        if (in_group < group->max_instances) {
            const int64_t price = group->types[o->places[at].type].price_usd_micros;
            f->place[f->n++] = at;
            f->cost_usd_micros += price;
            list_fleets(o, f, at);
            f->n--;
            f->cost_usd_micros -= price;
        }
    }
}

static int by_count(const void *left, const void *right) {
    const fleet *a = left;
    const fleet *b = right;
    if (a->n != b->n) {
        return a->n < b->n ? -1 : 1;
    }
    return (a->cost_usd_micros > b->cost_usd_micros) - (a->cost_usd_micros < b->cost_usd_micros);
}

static int by_cost(const void *left, const void *right) {
    const fleet *a = left;
    const fleet *b = right;
    if (a->cost_usd_micros != b->cost_usd_micros) {
        return a->cost_usd_micros < b->cost_usd_micros ? -1 : 1;
    }
    return (a->n > b->n) - (a->n < b->n);
}

/* ---- placements ---- */

static int64_t *at_machine(const oracle *o, size_t service, size_t machine) {
    return &o->count[service * ORACLE_MACHINES_MAX + machine];
}

static bool refuses(const oracle *o, size_t service, size_t other) {
    const taskfit_deployment *d = o->deployment;
    for (size_t q = 0; q < d->services[service].n_member_of; q++) {
        size_t n = 0;
        const char *const *names = taskfit_query_conflicts(d->services[service].queries[q], &n);
        for (size_t i = 0; i < n; i++) {
            if (strcmp(names[i], d->services[other].name) == 0) {
                return true;
            }
        }
    }
    for (size_t list = 0; o->rung >= TASKFIT_RUNG_LIMITS && list < d->policy.n_anti_affinity; list++) {
        bool first = false;
        bool second = false;
        for (const char *const *glob = d->policy.anti_affinity[list]; *glob; glob++) {
            first = first || fnmatch(*glob, d->services[service].name, 0) == 0;
            second = second || fnmatch(*glob, d->services[other].name, 0) == 0;
        }
        if (first && second && service != other) {
            return true;
        }
    }
    return false;
}

static bool shares_port(const oracle *o, size_t service, size_t other) {
    for (size_t i = 0; i < o->demands[service].n_ports; i++) {
        for (size_t j = 0; j < o->demands[other].n_ports; j++) {
            if (same_port(&o->demands[service].ports[i], &o->demands[other].ports[j])) {
                return true;
            }
        }
    }
    return false;
}

static bool can_join(const oracle *o, size_t service, size_t machine) {
    if (!may_stand(o, service, o->on->place[machine])) {
        return false;
    }
    for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
        if (o->demands[service].amount[r] > 0 && o->demands[service].amount[r] > o->free[machine][r]) {
            return false;
        }
    }
    for (size_t other = 0; other < o->deployment->n_services; other++) {
        if (*at_machine(o, other, machine) == 0) {
            continue;
        }
        if (shares_port(o, service, other) || refuses(o, service, other) || refuses(o, other, service) ||
            (other == service && o->deployment->services[service].distinct_instance)) {
            return false;
        }
    }
    return true;
}

typedef struct range {
    int64_t least, most;
} range;

static void widen(range *r, int64_t value) {
    r->least = value < r->least ? value : r->least;
    r->most = value > r->most ? value : r->most;
}

static bool uneven(range r) {
    return r.most - r.least > 1;
}

/* Over the machines where the service may stand, in one AZ or (SIZE_MAX) in all. */
static range over_machines(const oracle *o, size_t service, size_t az) {
    range r = {INT64_MAX / 2, 0};
    bool any = false;
    for (size_t m = 0; m < o->on->n; m++) {
        const place *p = &o->places[o->on->place[m]];
        if (may_stand(o, service, o->on->place[m]) && (az == SIZE_MAX || p->az == az)) {
            widen(&r, *at_machine(o, service, m));
            any = true;
        }
    }
    return any ? r : (range){0, 0};
}

static range over_azs(const oracle *o, size_t service, size_t *n_azs_out) {
    range r = {INT64_MAX / 2, 0};
    *n_azs_out = 0;
    for (size_t az = 0; az < o->deployment->n_azs; az++) {
        bool eligible = false;
        for (size_t at = 0; at < o->n_places; at++) {
            eligible = eligible || (o->places[at].az == az && may_stand(o, service, at));
        }
        int64_t tasks = 0;
        for (size_t m = 0; m < o->on->n; m++) {
            tasks += o->places[o->on->place[m]].az == az ? *at_machine(o, service, m) : 0;
        }
        if (eligible) {
            widen(&r, tasks);
            (*n_azs_out)++;
        }
    }
    return r;
}

static bool spread_holds(const oracle *o, size_t service) {
    const taskfit_service *from = &o->deployment->services[service];
    bool by_az = false;
    for (size_t i = 0; i < from->n_strategies; i++) {
        if (from->strategies[i].type == TASKFIT_STRATEGY_SPREAD_AZ) {
            size_t n_azs = 0;
            const range azs = over_azs(o, service, &n_azs);
            if (n_azs > 1 && uneven(azs)) {
                return false;
            }
            by_az = true;
        } else if (from->strategies[i].type == TASKFIT_STRATEGY_SPREAD_INSTANCE) {
            for (size_t az = 0; by_az && az < o->deployment->n_azs; az++) {
                if (uneven(over_machines(o, service, az))) {
                    return false;
                }
            }
            return by_az || !uneven(over_machines(o, service, SIZE_MAX));
        }
    }
    return true;
}

static bool spread_is_rule(const oracle *o) {
    return o->rung >= TASKFIT_RUNG_SPREAD;
}

/* Puts the next task of `service`; its alike tasks go to machines in ascending order. */
static bool put_tasks(oracle *o, size_t service, int64_t placed, size_t from) {
    if (service == o->deployment->n_services) {
        for (size_t s = 0; spread_is_rule(o) && s < o->deployment->n_services; s++) {
            if (!spread_holds(o, s)) {
                return false;
            }
        }
        return true;
    }
    if (placed == o->deployment->services[service].desired_count) {
        return put_tasks(o, service + 1, 0, 0);
    }
    for (size_t m = from; m < o->on->n; m++) {
        if (!can_join(o, service, m)) {
            continue;
        }
        for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
            o->free[m][r] -= o->demands[service].amount[r];
        }
        ++*at_machine(o, service, m);
        const bool done = put_tasks(o, service, placed + 1, m);
        --*at_machine(o, service, m);
        for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
            o->free[m][r] += o->demands[service].amount[r];
        }
        if (done) {
            return true;
        }
    }
    return false;
}

static bool fleet_holds(oracle *o, const fleet *f) {
    o->on = f;
    for (size_t m = 0; m < f->n; m++) {
        memcpy(o->free[m], o->places[f->place[m]].room, sizeof o->free[m]);
    }
    return put_tasks(o, 0, 0, 0);
}

oracle_answer oracle_ask(const taskfit_deployment *deployment, taskfit_rung rung) {
    oracle o = {.deployment = deployment, .rung = rung, .arena = taskfit_arena_new()};
    taskfit_task_demand *demands = TASKFIT_ARRAY(o.arena, deployment->n_services, taskfit_task_demand);
    int64_t n_tasks = 0;
    for (size_t s = 0; s < deployment->n_services; s++) {
        demands[s] = taskfit_task_demand_of(&deployment->services[s], o.arena);
        n_tasks += deployment->services[s].desired_count;
    }
    assert(n_tasks <= ORACLE_TASKS_MAX);
    o.demands = demands;
    o.count = TASKFIT_ARRAY(o.arena, deployment->n_services * ORACLE_MACHINES_MAX, int64_t);
    o.fleets = malloc(FLEETS_MAX * sizeof *o.fleets);
    assert(o.fleets);
    list_places(&o);
    list_fleets(&o, &(fleet){.n = 0}, 0);
    const bool cost_first = deployment->policy.objective[0] == TASKFIT_GOAL_COST;
    qsort(o.fleets, o.n_fleets, sizeof *o.fleets, cost_first ? by_cost : by_count);
    oracle_answer answer = {.feasible = false};
    for (size_t i = 0; i < o.n_fleets && !answer.feasible; i++) {
        if (fleet_holds(&o, &o.fleets[i])) {
            answer = (oracle_answer){true, (int64_t)o.fleets[i].n, o.fleets[i].cost_usd_micros};
        }
    }
    free(o.fleets);
    taskfit_arena_free(o.arena);
    return answer;
}
