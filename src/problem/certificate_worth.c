#include "problem/certificate.h"

#include <stdlib.h>
#include <string.h>

/*
 * What all tasks are worth at least, and an instance's content at most.
 *
 * The knapsack is a search over items (tasks that are alike) with one bound: a table, exact for a single *surrogate*
 * dimension that adds up the others with weights. Every content keeps the surrogate, so the table is never too low. Where one
 * resource binds, the surrogate is that resource and the table is the answer.
 */

enum { MOST_DIMS = TASKFIT_RESOURCE_COUNT, MOST_CELLS = 1 << 16, MOST_TABLE = 1 << 22, LEAST_CELLS = 256, NODES = 4000000 };

static int64_t min64(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t max64(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* A deployment's next task takes what Amazon ECS gives; headroom and caps do not bind it. */
static const int64_t *capacity_of(const taskfit_cert_rules *rules, size_t o, const taskfit_cert_cut *cut) {
    return cut->deploys != TASKFIT_CERT_NONE ? rules->offers[o].bare : rules->offers[o].capacity;
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
    int64_t most = service->high[offer->az] + (s == cut->deploys ? service->deploy_tasks : 0);
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
        low[az] = service->low[az];
        high[az] = service->high[az];
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

/* Where the next tasks of a deployment are cheapest: spread does not bind them. */
static int64_t deployed_worth(const taskfit_cert_rules *rules, const taskfit_cert_cut *cut) {
    const taskfit_cert_service *service = &rules->services[cut->deploys];
    int64_t least = INT64_MAX;
    for (size_t o = 0; o < rules->n_offers; o++) {
        const int64_t price = cut->price[cut->deploys * rules->n_azs + rules->offers[o].az];
        least = service->may_stand[o] ? min64(least, price) : least;
    }
    return least == INT64_MAX ? 0 : least * service->deploy_tasks;
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
        worth += service_worth(rules, s, cut, low, high);
    }
    taskfit_arena_free(scratch);
    return worth + (cut->deploys != TASKFIT_CERT_NONE ? deployed_worth(rules, cut) : 0);
}

/* ---- V ---- */

typedef struct item {
    int64_t worth;
    int64_t count;
    int64_t demand[MOST_DIMS];
    int64_t cells;
    size_t service; /* of the rules; the first of those that are alike */
    size_t n_conflicts;
} item;

typedef struct sack {
    const taskfit_cert_rules *rules;
    item *items;
    size_t n_items;
    bool binds[MOST_DIMS];
    int64_t room[MOST_DIMS];
    int64_t n_cells;
    int64_t *table;    /* [n_items + 1][n_cells + 1] the most that items from i on are worth in so many cells */
    int64_t *taken;    /* [n_items] */
    int64_t base;      /* worth of what must stand there */
    bool impossible;   /* that alone does not fit */
    int64_t best;
    int64_t nodes_left;
} sack;

static int item_compare(const void *left, const void *right) {
    const item *a = left;
    const item *b = right;
    if (a->worth != b->worth) {
        return a->worth > b->worth ? -1 : 1;
    }
    const int by_demand = memcmp(a->demand, b->demand, sizeof a->demand);
    return by_demand != 0 ? by_demand : (a->service > b->service) - (a->service < b->service);
}

static void merge_items(sack *x) {
    if (x->n_items > 0) {
        qsort(x->items, x->n_items, sizeof *x->items, item_compare);
    }
    size_t n = 0;
    for (size_t i = 0; i < x->n_items; i++) {
        item *last = n > 0 ? &x->items[n - 1] : NULL;
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
static void put_least(sack *x, const taskfit_cert_cut *cut, size_t o) {
    const taskfit_cert_rules *rules = x->rules;
    for (size_t s = 0; s < rules->n_services; s++) {
        const int64_t n = least_on(rules, s, o, cut);
        x->base += n * cut->price[s * rules->n_azs + rules->offers[o].az];
        for (size_t d = 0; d < MOST_DIMS && n > 0; d++) {
            x->room[d] -= x->room[d] < TASKFIT_UNLIMITED ? n * rules->services[s].demand.amount[d] : 0;
            x->impossible = x->impossible || x->room[d] < 0;
        }
        x->impossible = x->impossible || n > most_on(rules, s, o, cut);
    }
}

static bool refused_by_least(const taskfit_cert_rules *rules, size_t s, size_t o, const taskfit_cert_cut *cut) {
    for (size_t i = 0; i < rules->services[s].n_conflicts && cut->fleet != NULL; i++) {
        if (least_on(rules, rules->services[s].conflicts[i], o, cut) > 0) {
            return true;
        }
    }
    return false;
}

static sack fill_sack(const taskfit_cert_rules *rules, const taskfit_cert_cut *cut, size_t o, taskfit_arena *arena) {
    sack x = {.rules = rules, .items = TASKFIT_ARRAY(arena, rules->n_services, item), .nodes_left = NODES};
    int64_t need[MOST_DIMS] = {0};
    memcpy(x.room, capacity_of(rules, o, cut), sizeof x.room);
    put_least(&x, cut, o);
    for (size_t s = 0; s < rules->n_services && !x.impossible; s++) {
        const int64_t worth = cut->price[s * rules->n_azs + rules->offers[o].az];
        const int64_t count =
            worth > 0 && !refused_by_least(rules, s, o, cut) ? most_on(rules, s, o, cut) - least_on(rules, s, o, cut) : 0;
        if (count > 0) {
            item *new_item = &x.items[x.n_items++];
            *new_item = (item){.worth = worth, .count = count, .service = s, .n_conflicts = rules->services[s].n_conflicts};
            memcpy(new_item->demand, rules->services[s].demand.amount, sizeof new_item->demand);
            for (size_t d = 0; d < MOST_DIMS; d++) {
                need[d] += count * new_item->demand[d];
            }
        }
    }
    for (size_t d = 0; d < MOST_DIMS; d++) {
        x.binds[d] = need[d] > x.room[d];
        for (size_t i = 0; i < x.n_items && !x.binds[d]; i++) {
            x.items[i].demand[d] = 0; /* so that more are alike */
        }
    }
    merge_items(&x);
    return x;
}

/* ---- the surrogate ---- */

static int64_t surrogate_of(const int64_t *weights, const int64_t *amount) {
    int64_t sum = 0;
    for (size_t d = 0; d < MOST_DIMS; d++) {
        sum += weights[d] > 0 ? weights[d] * amount[d] : 0;
    }
    return sum;
}

typedef struct ranked {
    int64_t worth, weight, count;
} ranked;

static int ranked_compare(const void *left, const void *right) {
    const ranked *a = left;
    const ranked *b = right;
    const taskfit_wide difference = (taskfit_wide)a->worth * b->weight - (taskfit_wide)b->worth * a->weight;
    return (difference < 0) - (difference > 0);
}

/* What fits at most when tasks may be cut: how good a choice of weights is. */
static int64_t fractional(const sack *x, const int64_t *weights, ranked *order) {
    int64_t room = surrogate_of(weights, x->room);
    for (size_t i = 0; i < x->n_items; i++) {
        order[i] = (ranked){x->items[i].worth, surrogate_of(weights, x->items[i].demand), x->items[i].count};
    }
    qsort(order, x->n_items, sizeof *order, ranked_compare);
    int64_t worth = 0;
    for (size_t i = 0; i < x->n_items && room > 0; i++) {
        if (order[i].weight == 0 || order[i].weight * order[i].count <= room) {
            worth += order[i].worth * order[i].count;
            room -= order[i].weight * order[i].count;
        } else {
            worth += (int64_t)((taskfit_wide)order[i].worth * room / order[i].weight);
            room = 0;
        }
    }
    return worth;
}

/* One resource after the other gets the weight that lowers the bound most. */
static void choose_weights(const sack *x, int64_t *weights, taskfit_arena *arena) {
    enum { PASSES = 3, STEPS = 33 };
    ranked *order = TASKFIT_ARRAY(arena, x->n_items, ranked);
    int64_t best = INT64_MAX;
    for (int pass = 0; pass < PASSES; pass++) {
        for (size_t d = 0; d < MOST_DIMS; d++) {
            if (!x->binds[d]) {
                continue;
            }
            const int64_t unit = max64(1, (INT64_C(1) << 40) / max64(1, x->room[d]) / 16);
            int64_t kept = weights[d];
            for (int64_t step = 0; step < STEPS; step++) {
                weights[d] = step * unit;
                const int64_t bound = surrogate_of(weights, x->room) > 0 ? fractional(x, weights, order) : INT64_MAX;
                if (bound < best) {
                    best = bound;
                    kept = weights[d];
                }
            }
            weights[d] = kept;
        }
    }
}

static int64_t gcd(int64_t a, int64_t b) {
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Surrogate demands as cells: exactly where they are few, else rounded down, which only lets more fit. */
static void count_cells(sack *x, const int64_t *weights) {
    size_t n_weighted = 0;
    size_t only = 0;
    for (size_t d = 0; d < MOST_DIMS; d++) {
        n_weighted += weights[d] > 0 ? 1 : 0;
        only = weights[d] > 0 ? d : only;
    }
    int64_t whole = n_weighted == 1 ? x->room[only] : surrogate_of(weights, x->room);
    int64_t divisor = 0;
    for (size_t i = 0; i < x->n_items; i++) {
        x->items[i].cells = n_weighted == 1 ? x->items[i].demand[only] : surrogate_of(weights, x->items[i].demand);
        divisor = gcd(divisor, x->items[i].cells);
    }
    divisor = max64(1, divisor);
    whole /= divisor;
    const int64_t most = max64(LEAST_CELLS, min64(MOST_CELLS, MOST_TABLE / (int64_t)(x->n_items + 1)));
    x->n_cells = min64(whole, most);
    for (size_t i = 0; i < x->n_items; i++) {
        const int64_t cells = x->items[i].cells / divisor;
        x->items[i].cells = whole <= most ? cells : (int64_t)((taskfit_wide)cells * most / whole);
    }
}

/* Item i added to the row of the items behind it: in packs of 1, 2, 4 ... tasks, which make up any number. */
static void add_row(const sack *x, size_t i) {
    const size_t width = (size_t)x->n_cells + 1;
    int64_t *row = x->table + i * width;
    memcpy(row, row + width, width * sizeof *row);
    int64_t left = x->items[i].count;
    for (int64_t pack = 1; left > 0; pack *= 2) {
        const int64_t n = min64(pack, left);
        const int64_t cells = n * x->items[i].cells;
        const int64_t worth = n * x->items[i].worth;
        left -= n;
        for (int64_t c = x->n_cells; c >= cells; c--) {
            row[c] = max64(row[c], row[c - cells] + worth);
        }
    }
}

static void make_table(sack *x, taskfit_arena *arena) {
    int64_t weights[MOST_DIMS] = {0};
    choose_weights(x, weights, arena);
    count_cells(x, weights);
    x->table = TASKFIT_ARRAY(arena, (x->n_items + 1) * ((size_t)x->n_cells + 1), int64_t);
    for (size_t i = x->n_items; i-- > 0;) {
        add_row(x, i);
    }
}

/* ---- the search ---- */

static bool refused(const sack *x, size_t i) {
    const taskfit_cert_service *service = &x->rules->services[x->items[i].service];
    for (size_t before = 0; before < i && x->items[i].n_conflicts > 0; before++) {
        for (size_t c = 0; x->taken[before] > 0 && c < service->n_conflicts; c++) {
            if (service->conflicts[c] == x->items[before].service) {
                return true;
            }
        }
    }
    return false;
}

static int64_t fitting(const sack *x, size_t i, const int64_t *room) {
    int64_t n = x->items[i].count;
    for (size_t d = 0; d < MOST_DIMS; d++) {
        if (x->items[i].demand[d] > 0) {
            n = min64(n, room[d] / x->items[i].demand[d]);
        }
    }
    return n;
}

static void search(sack *x, size_t i, const int64_t *room, int64_t cells, int64_t worth) {
    x->best = max64(x->best, worth);
    if (i == x->n_items || --x->nodes_left < 0) {
        return;
    }
    const size_t width = (size_t)x->n_cells + 1;
    int64_t n = refused(x, i) ? 0 : fitting(x, i, room);
    int64_t left[MOST_DIMS];
    for (; n >= 0 && x->nodes_left >= 0; n--) {
        const int64_t cells_left = cells - n * x->items[i].cells;
        const int64_t now = worth + n * x->items[i].worth;
        if (now + x->table[(i + 1) * width + (size_t)cells_left] <= x->best) {
            continue;
        }
        for (size_t d = 0; d < MOST_DIMS; d++) {
            left[d] = room[d] - n * x->items[i].demand[d];
        }
        x->taken[i] = n;
        search(x, i + 1, left, cells_left, now);
        x->taken[i] = 0;
    }
}

static bool most_worth(sack *x, int64_t claimed, taskfit_arena *arena, int64_t *maximum_out) {
    int64_t all = 0;
    bool binds = false;
    claimed -= x->base;
    for (size_t i = 0; i < x->n_items; i++) {
        all += x->items[i].count * x->items[i].worth;
        binds = binds || x->items[i].n_conflicts > 0;
    }
    for (size_t d = 0; d < MOST_DIMS; d++) {
        binds = binds || x->binds[d];
    }
    x->best = all;
    if (binds && all > claimed) {
        make_table(x, arena);
        x->taken = TASKFIT_ARRAY(arena, x->n_items, int64_t);
        x->best = max64(claimed, 0);
        if (x->table[x->n_cells] > x->best) {
            search(x, 0, x->room, x->n_cells, 0);
        }
    }
    *maximum_out = x->impossible ? 0 : x->base + x->best;
    return x->nodes_left >= 0;
}

static bool same_sack(const sack *a, const sack *b) {
    return a->n_items == b->n_items && a->base == b->base && a->impossible == b->impossible && memcmp(a->room, b->room, sizeof a->room) == 0 &&
           memcmp(a->items, b->items, a->n_items * sizeof *a->items) == 0;
}

bool taskfit_cert_maxima(const taskfit_cert_rules *rules, const taskfit_cert_cut *cut, const int64_t *claimed,
                         int64_t *maximum_out, taskfit_arena *arena) {
    sack *sacks = TASKFIT_ARRAY(arena, rules->n_offers, sack);
    bool sure = true;
    for (size_t o = 0; o < rules->n_offers && sure; o++) {
        maximum_out[o] = 0;
        if (cut->fleet != NULL && cut->fleet[o] == 0) {
            continue;
        }
        sacks[o] = fill_sack(rules, cut, o, arena);
        size_t twin = 0;
        while (twin < o && (sacks[twin].items == NULL || !same_sack(&sacks[twin], &sacks[o]))) {
            twin++;
        }
        if (twin < o) {
            maximum_out[o] = maximum_out[twin];
            continue;
        }
        sack searched = sacks[o];
        taskfit_arena *scratch = taskfit_arena_new();
        searched.items = TASKFIT_ARRAY(scratch, searched.n_items, item);
        memcpy(searched.items, sacks[o].items, searched.n_items * sizeof *searched.items);
        sure = most_worth(&searched, claimed != NULL ? claimed[o] : -1, scratch, &maximum_out[o]);
        taskfit_arena_free(scratch);
    }
    return sure;
}
