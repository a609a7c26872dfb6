#include "problem/certificate.h"

#include <stdlib.h>
#include <string.h>

#include "problem/certificate_knapsack.h"

/*
 * What all tasks are worth at least, and what may stand on an instance. Cases differ in three things: how many tasks there
 * are, whether spread binds them, and what capacity is meant.
 */

static int64_t min64(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t max64(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static bool is_loss(const taskfit_cert_cut *cut) {
    return cut->of == TASKFIT_CERT_LOSES_INSTANCE || cut->of == TASKFIT_CERT_LOSES_AZ;
}

/* Next tasks of a service that are counted with its old ones. */
static int64_t next_tasks(const taskfit_cert_rules *rules, size_t s, const taskfit_cert_cut *cut) {
    const bool counted = cut->of == TASKFIT_CERT_DEPLOYS_ALL || (cut->of == TASKFIT_CERT_DEPLOYS && s == cut->service);
    return counted ? rules->services[s].deploy_tasks : 0;
}

bool taskfit_cert_case_asked(const taskfit_cert_rules *rules, const taskfit_cert_cut *cut) {
    switch (cut->of) {
    case TASKFIT_CERT_TASKS: return true;
    case TASKFIT_CERT_DEPLOYS:
    case TASKFIT_CERT_HOSTS: return rules->services[cut->service].deploy_tasks > 0;
    case TASKFIT_CERT_DEPLOYS_ALL: return rules->rolling == TASKFIT_ROLLING_ALL_SERVICES;
    case TASKFIT_CERT_LOSES_INSTANCE: return rules->survive == TASKFIT_SURVIVE_INSTANCE;
    case TASKFIT_CERT_LOSES_AZ: return rules->survive == TASKFIT_SURVIVE_AVAILABILITY_ZONE;
    case TASKFIT_CERT_CASES: break;
    }
    return false;
}

/* Where ECS's own rules are all there is, headroom and caps do not bind; counted next tasks take the others along. */
static const int64_t *capacity_of(const taskfit_cert_rules *rules, size_t o, const taskfit_cert_cut *cut) {
    const bool limits = cut->of == TASKFIT_CERT_TASKS || cut->of == TASKFIT_CERT_HOSTS;
    return limits ? rules->offers[o].capacity : rules->offers[o].bare;
}

static int64_t low_of(const taskfit_cert_service *service, size_t az, const taskfit_cert_cut *cut) {
    return is_loss(cut) ? 0 : service->low[az];
}

static int64_t high_of(const taskfit_cert_service *service, size_t az, const taskfit_cert_cut *cut) {
    return is_loss(cut) && service->high[az] > 0 ? service->replicas : service->high[az];
}

static bool overfull(const int64_t *capacity) {
    for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
        if (capacity[r] < 0) {
            return true;
        }
    }
    return false;
}

/* Instances of the fleet in the class of the AZ where the service's tasks are spread. */
static int64_t class_size(const taskfit_cert_rules *rules, const taskfit_cert_service *service, const taskfit_cert_cut *cut, size_t az) {
    int64_t n = 0;
    for (size_t o = 0; o < rules->n_offers; o++) {
        n += service->may_stand[o] && (!service->spread_az || rules->offers[o].az == az) ? cut->fleet[o] : 0;
    }
    return n;
}

/* The most tasks of a service on one instance of the offer, as far as it alone is concerned. */
static int64_t most_on(const taskfit_cert_rules *rules, size_t s, size_t o, const taskfit_cert_cut *cut) {
    const taskfit_cert_service *service = &rules->services[s];
    const taskfit_cert_offer *offer = &rules->offers[o];
    const int64_t *capacity = capacity_of(rules, o, cut);
    if (!service->may_stand[o] || overfull(capacity)) {
        return 0;
    }
    int64_t most = high_of(service, offer->az, cut) + next_tasks(rules, s, cut);
    most = service->single ? min64(1, most) : most;
    for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
        if (service->demand.amount[r] > 0) {
            most = min64(most, capacity[r] / service->demand.amount[r]);
        }
    }
    const int64_t n = cut->fleet != NULL && service->spread_instance ? class_size(rules, service, cut, offer->az) : 0;
    return n > 0 ? min64(most, (service->high[offer->az] + n - 1) / n) : most;
}

/* Spread over the instances of one fleet also asks for a least number on each. */
static int64_t least_on(const taskfit_cert_rules *rules, size_t s, size_t o, const taskfit_cert_cut *cut) {
    const taskfit_cert_service *service = &rules->services[s];
    const size_t az = rules->offers[o].az;
    if (cut->fleet == NULL || cut->fleet[o] == 0 || !service->spread_instance || !service->may_stand[o]) {
        return 0;
    }
    return (service->spread_az ? service->low[az] : service->replicas) / class_size(rules, service, cut, az);
}

/* ---- W ---- */

/* Windows of a service's AZs, narrowed by the places that the fleet has. */
static void windows(const taskfit_cert_rules *rules, size_t s, const taskfit_cert_cut *cut, int64_t *low, int64_t *high) {
    const taskfit_cert_service *service = &rules->services[s];
    int64_t all_high = 0;
    for (size_t az = 0; az < rules->n_azs; az++) {
        low[az] = low_of(service, az, cut);
        high[az] = high_of(service, az, cut);
    }
    for (size_t az = 0; az < rules->n_azs && cut->fleet != NULL; az++) {
        int64_t places = 0;
        for (size_t o = 0; o < rules->n_offers; o++) {
            places += rules->offers[o].az == az && cut->fleet[o] > 0 ? cut->fleet[o] * most_on(rules, s, o, cut) : 0;
        }
        high[az] = min64(high[az], places);
    }
    for (size_t az = 0; az < rules->n_azs; az++) {
        all_high += high[az];
    }
    for (size_t az = 0; az < rules->n_azs; az++) {
        low[az] = max64(low[az], service->replicas - (all_high - high[az]));
    }
}

/* Where a service's next tasks are cheapest: spread does not bind them. */
static int64_t next_worth(const taskfit_cert_rules *rules, size_t s, const taskfit_cert_cut *cut) {
    const int64_t n = next_tasks(rules, s, cut);
    int64_t least = INT64_MAX;
    for (size_t o = 0; o < rules->n_offers && n > 0; o++) {
        const int64_t price = cut->price[s * rules->n_azs + rules->offers[o].az];
        least = rules->services[s].may_stand[o] ? min64(least, price) : least;
    }
    return least == INT64_MAX ? 0 : least * n;
}

/* The cheapest way to stand within the windows. */
static int64_t service_worth(const taskfit_cert_rules *rules, size_t s, const taskfit_cert_cut *cut,
                             int64_t *low, int64_t *high) {
    const int64_t *price = cut->price + s * rules->n_azs;
    windows(rules, s, cut, low, high);
    int64_t left = rules->services[s].replicas;
    int64_t worth = 0;
    for (size_t az = 0; az < rules->n_azs; az++) {
        left -= low[az];
        worth += low[az] * price[az];
        high[az] -= low[az];
    }
    while (left > 0) {
        size_t cheapest = SIZE_MAX;
        for (size_t az = 0; az < rules->n_azs; az++) {
            cheapest = high[az] > 0 && (cheapest == SIZE_MAX || price[az] < price[cheapest]) ? az : cheapest;
        }
        if (cheapest == SIZE_MAX) {
            break; /* it stands nowhere: whatever is left counts nothing */
        }
        const int64_t n = min64(left, high[cheapest]);
        worth += n * price[cheapest];
        high[cheapest] -= n;
        left -= n;
    }
    return worth;
}

int64_t taskfit_cert_worth(const taskfit_cert_rules *rules, const taskfit_cert_cut *cut) {
    taskfit_arena *scratch = taskfit_arena_new();
    int64_t *low = TASKFIT_ARRAY(scratch, rules->n_azs, int64_t);
    int64_t *high = TASKFIT_ARRAY(scratch, rules->n_azs, int64_t);
    int64_t worth = 0;
    for (size_t s = 0; s < rules->n_services; s++) {
        worth += service_worth(rules, s, cut, low, high) + next_worth(rules, s, cut);
    }
    taskfit_arena_free(scratch);
    return worth;
}

/* ---- V ---- */

static int item_compare(const void *left, const void *right) {
    const taskfit_cert_item *a = left;
    const taskfit_cert_item *b = right;
    if (a->worth != b->worth) {
        return a->worth > b->worth ? -1 : 1;
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
        if (last != NULL && last->n_conflicts == 0 && x->items[i].n_conflicts == 0 && last->worth == x->items[i].worth &&
            memcmp(last->demand, x->items[i].demand, sizeof last->demand) == 0) {
            last->count += x->items[i].count;
        } else {
            x->items[n++] = x->items[i];
        }
    }
    x->n_items = n;
}

/* Puts in what a leaf's spread asks for; services it conflicts with are none of the items. */
static void put_least(taskfit_cert_sack *x, const taskfit_cert_cut *cut, size_t o) {
    const taskfit_cert_rules *rules = x->rules;
    for (size_t s = 0; s < rules->n_services; s++) {
        const int64_t n = least_on(rules, s, o, cut);
        x->base += n * cut->price[s * rules->n_azs + rules->offers[o].az];
        for (size_t d = 0; d < TASKFIT_RESOURCE_COUNT && n > 0; d++) {
            x->room[d] -= x->room[d] < TASKFIT_UNLIMITED ? n * rules->services[s].demand.amount[d] : 0;
            x->impossible = x->impossible || x->room[d] < 0;
        }
        x->impossible = x->impossible || n > most_on(rules, s, o, cut);
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

/* Kept off by the next task (`hosts`), or by what a leaf's spread puts here. */
static bool kept_off(const taskfit_cert_rules *rules, size_t s, size_t o, const taskfit_cert_cut *cut, bool hosts) {
    const taskfit_cert_service *service = &rules->services[s];
    if (hosts && ((s == cut->service && service->single) || conflict(service, cut->service))) {
        return true;
    }
    for (size_t i = 0; i < service->n_conflicts && cut->fleet != NULL; i++) {
        if (least_on(rules, service->conflicts[i], o, cut) > 0) {
            return true;
        }
    }
    return false;
}

static void add_items(taskfit_cert_sack *x, const taskfit_cert_cut *cut, size_t o, bool hosts, int64_t *need) {
    const taskfit_cert_rules *rules = x->rules;
    for (size_t s = 0; s < rules->n_services && !x->impossible; s++) {
        const int64_t worth = cut->price[s * rules->n_azs + rules->offers[o].az];
        const int64_t least = least_on(rules, s, o, cut);
        const bool off = kept_off(rules, s, o, cut, hosts);
        const int64_t count = worth > 0 && !off ? most_on(rules, s, o, cut) - least : 0;
        x->impossible = off && least > 0;
        if (count > 0) {
            taskfit_cert_item *item = &x->items[x->n_items++];
            *item = (taskfit_cert_item){
                .worth = worth, .count = count, .service = s, .n_conflicts = rules->services[s].n_conflicts};
            memcpy(item->demand, rules->services[s].demand.amount, sizeof item->demand);
            for (size_t d = 0; d < TASKFIT_RESOURCE_COUNT; d++) {
                need[d] += count * item->demand[d];
            }
        }
    }
}

/* `hosts`: with the next task of the cut's service there. */
static taskfit_cert_sack fill_sack(const taskfit_cert_rules *rules, const taskfit_cert_cut *cut, size_t o, bool hosts,
                                   taskfit_arena *arena) {
    taskfit_cert_sack x = {.rules = rules, .items = TASKFIT_ARRAY(arena, rules->n_services, taskfit_cert_item)};
    int64_t need[TASKFIT_RESOURCE_COUNT] = {0};
    memcpy(x.room, capacity_of(rules, o, cut), sizeof x.room);
    put_least(&x, cut, o);
    if (hosts) {
        put_next(&x, cut, o);
    }
    add_items(&x, cut, o, hosts, need);
    for (size_t d = 0; d < TASKFIT_RESOURCE_COUNT; d++) {
        x.binds[d] = need[d] > x.room[d];
        for (size_t i = 0; i < x.n_items && !x.binds[d]; i++) {
            x.items[i].demand[d] = 0; /* so that more are alike */
        }
    }
    merge_items(&x);
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
        const taskfit_cert_sack sack = fill_sack(rules, cut, o, false, scratch);
        sure = taskfit_cert_sack_most(sacks, &sack, effort, claims ? cut->maximum[o] : 0, &maximum_out[o]);
        if (sure && cut->of == TASKFIT_CERT_HOSTS && taskfit_cert_may_host(rules, cut->service, o)) {
            const taskfit_cert_sack host = fill_sack(rules, cut, o, true, scratch);
            sure = taskfit_cert_sack_most(sacks, &host, effort, claims ? cut->beside[o] : 0, &beside_out[o]);
        }
        taskfit_arena_reset(scratch);
    }
    taskfit_arena_free(scratch);
    return sure;
}
