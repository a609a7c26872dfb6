#include "base/int64.h"
#include "problem/certificate_worth.h"

#include <stdlib.h>
#include <string.h>

/* What may stand on one instance, as a knapsack. */

static int item_compare(const void *left, const void *right) {
    const taskfit_cert_item *a = left;
    const taskfit_cert_item *b = right;
    if (a->worth != b->worth) {
        return a->worth > b->worth ? -1 : 1;
    }
    if (a->set != b->set) {
        return a->set < b->set ? -1 : 1;
    }
    const int by_demand = memcmp(a->demand, b->demand, sizeof a->demand);
    return by_demand != 0 ? by_demand : (a->service > b->service) - (a->service < b->service);
}

static void merge_items(taskfit_cert_sack *x) {
    if (x->n_items > 0) {
        qsort(x->items, x->n_items, sizeof *x->items, item_compare);
    }
    size_t n = 0;
    for (size_t i = 0; i < x->n_items; i++) {
        taskfit_cert_item *last = n > 0 ? &x->items[n - 1] : NULL;
        if (last != NULL && (last->service == x->items[i].service || (last->n_conflicts == 0 && x->items[i].n_conflicts == 0)) &&
            last->worth == x->items[i].worth &&
            last->set == x->items[i].set && memcmp(last->demand, x->items[i].demand, sizeof last->demand) == 0) {
            last->count += x->items[i].count;
        } else {
            x->items[n++] = x->items[i];
        }
    }
    x->n_items = n;
}

static void take(taskfit_cert_sack *x, const int64_t *demand, int64_t n) {
    for (size_t d = 0; d < TASKFIT_RESOURCE_COUNT && n > 0; d++) {
        x->room[d] -= x->room[d] < TASKFIT_UNLIMITED ? n * demand[d] : 0;
        x->impossible = x->impossible || x->room[d] < 0;
    }
}

/* Puts in what a leaf's spread asks for; services it conflicts with are none of the items. */
static void put_least(taskfit_cert_sack *x, const taskfit_cert_cut *cut, size_t o) {
    const taskfit_cert_rules *rules = x->rules;
    for (size_t s = 0; s < rules->n_services; s++) {
        const int64_t n = taskfit_cert_least_on(rules, s, o, cut);
        x->base += n * cut->price[s * rules->n_azs + rules->offers[o].az];
        take(x, rules->services[s].demand.amount, n);
        x->impossible = x->impossible || n > taskfit_cert_most_on(rules, s, o, cut);
    }
}

/* The service's next task stands here: what it takes of ECS's own capacity, headroom aside, is gone. */
static void put_next(taskfit_cert_sack *x, const taskfit_cert_cut *cut, size_t o) {
    const taskfit_cert_service *next = &x->rules->services[cut->service];
    const int64_t *bare = x->rules->offers[o].bare;
    for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
        const int64_t used = x->rules->offers[o].capacity[r] - x->room[r];
        if (bare[r] < TASKFIT_UNLIMITED) {
            x->room[r] = min64(x->room[r], bare[r] - next->demand.amount[r] - used);
            x->impossible = x->impossible || x->room[r] < 0;
        }
    }
}

static bool conflict(const taskfit_cert_service *service, size_t other) {
    for (size_t i = 0; i < service->n_conflicts; i++) {
        if (service->conflicts[i] == other) {
            return true;
        }
    }
    return false;
}

/* Whether the next task keeps the service off its host. */
static bool keeps_off(const taskfit_cert_rules *rules, const taskfit_cert_cut *cut, size_t s) {
    return (s == cut->service && rules->services[s].single) || conflict(&rules->services[s], cut->service);
}

/* Kept off by the next task (`hosts`), or by what a leaf's spread puts here: its own next tasks too. */
static bool kept_off(const taskfit_cert_rules *rules, size_t s, size_t o, const taskfit_cert_cut *cut, bool hosts) {
    const taskfit_cert_service *service = &rules->services[s];
    if (hosts && keeps_off(rules, cut, s)) {
        return true;
    }
    for (size_t i = 0; i < service->n_conflicts && cut->fleet != NULL; i++) {
        if (taskfit_cert_least_on(rules, service->conflicts[i], o, cut) > 0) {
            return true;
        }
    }
    return false;
}

int64_t taskfit_cert_most_beside(const taskfit_cert_rules *rules, size_t s, size_t o, const taskfit_cert_cut *cut) {
    const int64_t *demand = rules->services[s].demand.amount;
    taskfit_cert_sack x = {.rules = rules};
    int64_t most = taskfit_cert_most_on(rules, s, o, cut);
    memcpy(x.room, taskfit_cert_capacity(rules, o, cut), sizeof x.room);
    put_next(&x, cut, o);
    for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
        most = demand[r] > 0 ? min64(most, max64(0, x.room[r]) / demand[r]) : most;
    }
    return keeps_off(rules, cut, s) ? 0 : most;
}

typedef struct filling {
    const taskfit_cert_cut *cut;
    size_t o;
    bool hosts;
    const taskfit_cert_bounds *bounds; /* NULL: none */
    int64_t *low, *high;               /* of the bounds, less what spread puts in */
} filling;

static size_t set_of(const filling *f, size_t s) {
    return f->bounds != NULL ? f->bounds->set_of[s] : SIZE_MAX;
}

static void add_item(taskfit_cert_sack *x, const filling *f, size_t s, int64_t worth, int64_t count) {
    const size_t set = set_of(f, s);
    if (count > 0 && (worth > 0 || (set != SIZE_MAX && f->low[set] > 0))) { /* worth nothing matters where it must stand */
        taskfit_cert_item *item = &x->items[x->n_items++];
        *item = (taskfit_cert_item){
            .worth = worth, .count = count, .service = s, .n_conflicts = x->rules->services[s].n_conflicts, .set = set};
        memcpy(item->demand, x->rules->services[s].demand.amount, sizeof item->demand);
    }
}

static void add_items(taskfit_cert_sack *x, const filling *f) {
    const taskfit_cert_rules *rules = x->rules;
    const int64_t *next_price = f->cut->next != NULL ? f->cut->next : f->cut->price;
    for (size_t s = 0; s < rules->n_services && !x->impossible; s++) {
        const size_t at = s * rules->n_azs + rules->offers[f->o].az;
        const int64_t least = taskfit_cert_least_on(rules, s, f->o, f->cut);
        const bool off = kept_off(rules, s, f->o, f->cut, f->hosts);
        const int64_t count = off ? 0 : taskfit_cert_most_on(rules, s, f->o, f->cut) - least;
        const int64_t next = off ? 0 : taskfit_cert_next_on(rules, s, f->o, f->cut);
        x->impossible = off && least > 0;
        if (rules->services[s].single && count > 0 && next > 0) { /* one of both */
            add_item(x, f, s, max64(f->cut->price[at], next_price[at]), 1);
        } else {
            add_item(x, f, s, f->cut->price[at], count);
            add_item(x, f, s, next_price[at], rules->services[s].single && least > 0 ? 0 : next);
        }
        if (set_of(f, s) != SIZE_MAX) {
            f->low[set_of(f, s)] -= least;
            f->high[set_of(f, s)] -= least;
        }
    }
}

/* Resources that cannot bind are left out, so that more items are alike. */
static void drop_loose(taskfit_cert_sack *x) {
    int64_t need[TASKFIT_RESOURCE_COUNT] = {0};
    for (size_t d = 0; d < TASKFIT_RESOURCE_COUNT; d++) {
        for (size_t i = 0; i < x->n_items; i++) {
            need[d] += x->items[i].count * x->items[i].demand[d];
        }
        x->binds[d] = need[d] > x->room[d];
        for (size_t i = 0; i < x->n_items && !x->binds[d]; i++) {
            x->items[i].demand[d] = 0;
        }
    }
}

/* Items that no service of the set suffers beside it; those go. */
static void drop_rivals(taskfit_cert_sack *x, const filling *f, size_t set) {
    for (size_t i = 0; i < x->n_items; i++) {
        bool rival = x->items[i].n_conflicts > 0;
        for (size_t s = 0; s < x->rules->n_services && rival; s++) {
            rival = f->bounds->set_of[s] != set || conflict(&x->rules->services[x->items[i].service], s);
        }
        x->items[i].count = rival ? 0 : x->items[i].count;
    }
}

/* A set's low bound is put in where its tasks are alike. */
static void bound_sets(taskfit_cert_sack *x, const filling *f, taskfit_arena *arena) {
    size_t *n_items_of = TASKFIT_ARRAY(arena, f->bounds->n_sets, size_t);
    for (size_t i = 0; i < x->n_items; i++) {
        if (x->items[i].set != SIZE_MAX) {
            n_items_of[x->items[i].set]++;
        }
    }
    for (size_t i = 0; i < x->n_items; i++) {
        taskfit_cert_item *item = &x->items[i];
        if (item->set == SIZE_MAX) {
            continue;
        }
        item->count = min64(item->count, max64(0, f->high[item->set]));
        const int64_t n = n_items_of[item->set] == 1 ? f->low[item->set] : 0;
        if (n > 0) {
            x->impossible = x->impossible || n > item->count;
            x->base += n * item->worth;
            take(x, item->demand, n);
            item->count -= n;
            drop_rivals(x, f, item->set);
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < x->n_items; i++) {
        if (x->items[i].count > 0 && x->items[i].worth > 0) {
            x->items[kept++] = x->items[i];
        }
    }
    x->n_items = kept;
}

taskfit_cert_sack taskfit_cert_fill(const taskfit_cert_rules *rules, const taskfit_cert_cut *cut, size_t o, bool hosts,
                                    const taskfit_cert_bounds *bounds, taskfit_arena *arena) {
    taskfit_cert_sack x = {.rules = rules, .items = TASKFIT_ARRAY(arena, 2 * rules->n_services, taskfit_cert_item)};
    filling f = {.cut = cut, .o = o, .hosts = hosts, .bounds = bounds};
    memcpy(x.room, taskfit_cert_capacity(rules, o, cut), sizeof x.room);
    if (bounds != NULL) {
        f.low = TASKFIT_ARRAY(arena, bounds->n_sets, int64_t);
        f.high = TASKFIT_ARRAY(arena, bounds->n_sets, int64_t);
        memcpy(f.low, bounds->low, bounds->n_sets * sizeof *f.low);
        memcpy(f.high, bounds->high, bounds->n_sets * sizeof *f.high);
    }
    put_least(&x, cut, o);
    if (hosts) {
        put_next(&x, cut, o);
    }
    add_items(&x, &f);
    drop_loose(&x);
    merge_items(&x);
    if (bounds != NULL) {
        bound_sets(&x, &f, arena);
        drop_loose(&x);
        merge_items(&x);
    }
    return x;
}

bool taskfit_cert_may_host(const taskfit_cert_rules *rules, size_t s, size_t o) {
    const int64_t *bare = rules->offers[o].bare;
    bool fits = rules->services[s].may_stand[o];
    for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT && fits; r++) {
        fits = bare[r] >= TASKFIT_UNLIMITED || rules->services[s].demand.amount[r] <= bare[r];
    }
    return fits;
}

bool taskfit_cert_maxima(const taskfit_cert_rules *rules, const taskfit_cert_cut *cut, taskfit_cert_effort effort,
                         taskfit_cert_sacks *sacks, int64_t *maximum_out, int64_t *beside_out) {
    taskfit_arena *scratch = taskfit_arena_new();
    const bool claims = effort == TASKFIT_CERT_CHECK;
    bool sure = true;
    for (size_t o = 0; o < rules->n_offers && sure; o++) {
        maximum_out[o] = 0;
        if (cut->of == TASKFIT_CERT_HOSTS) {
            beside_out[o] = 0;
        }
        if (cut->fleet != NULL && cut->fleet[o] == 0) {
            continue;
        }
        const taskfit_cert_sack sack = taskfit_cert_fill(rules, cut, o, false, NULL, scratch);
        sure = taskfit_cert_sack_most(sacks, &sack, effort, claims ? cut->maximum[o] : 0, &maximum_out[o]);
        if (sure && cut->of == TASKFIT_CERT_HOSTS && taskfit_cert_may_host(rules, cut->service, o)) {
            const taskfit_cert_sack host = taskfit_cert_fill(rules, cut, o, true, NULL, scratch);
            sure = taskfit_cert_sack_most(sacks, &host, effort, claims ? cut->beside[o] : 0, &beside_out[o]);
        }
        taskfit_arena_reset(scratch);
    }
    taskfit_arena_free(scratch);
    return sure;
}
