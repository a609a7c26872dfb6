#include "problem/certificate_knapsack.h"

#include <stdlib.h>
#include <string.h>

#include "base/int64.h"

/*
 * A *surrogate* adds up the resources with weights; every content keeps it, whatever the weights. Tasks that may be cut fill it
 * in the order of worth by weight: that is the rough bound. Where it says too little, a search over items has one bound, a table
 * that is exact for the surrogate. Where one resource binds, the surrogate is that resource and the table is the answer.
 */

enum {
    N_DIMS = TASKFIT_RESOURCE_COUNT,
    MOST_CELLS = 1 << 16,
    MOST_TABLE = 1 << 22,
    LEAST_CELLS = 256,
    NODES = 4000000
};

typedef struct solved {
    taskfit_cert_sack sack;
    taskfit_cert_effort effort;
    int64_t claimed;
    int64_t most;
} solved;

struct taskfit_cert_sacks {
    taskfit_arena *arena;
    solved *list;
    size_t n, capacity;
};

taskfit_cert_sacks *taskfit_cert_sacks_new(taskfit_arena *arena) {
    taskfit_cert_sacks *sacks = TASKFIT_NEW(arena, taskfit_cert_sacks);
    sacks->arena = arena;
    return sacks;
}

typedef struct knapsack {
    const taskfit_cert_sack *sack;
    int64_t weights[N_DIMS];
    int64_t *cells;      /* [n_items] of the surrogate */
    int64_t n_cells;
    int64_t *table;      /* [n_items + 1][n_cells + 1] the most that items from i on are worth in so many cells */
    int64_t *taken;      /* [n_items] */
    int64_t best;
    int64_t nodes_left;
} knapsack;

/* ---- the surrogate ---- */

static int64_t surrogate_of(const int64_t *weights, const int64_t *amount) {
    int64_t sum = 0;
    for (size_t d = 0; d < N_DIMS; d++) {
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

/* What fits at most when tasks may be cut. */
static int64_t fractional(const taskfit_cert_sack *x, const int64_t *weights, ranked *order) {
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

/* One resource after the other gets the weight that lowers the bound most, until it is `enough`. Returns the bound. */
static int64_t choose_weights(const taskfit_cert_sack *x, int64_t enough, int64_t *weights, taskfit_arena *arena) {
    enum { PASSES = 3, STEPS = 33 };
    ranked *order = TASKFIT_ARRAY(arena, x->n_items, ranked);
    size_t n_binding = 0;
    for (size_t d = 0; d < N_DIMS; d++) {
        n_binding += x->binds[d] ? 1 : 0;
        weights[d] = x->binds[d] ? 1 : 0;
    }
    int64_t best = n_binding == 1 ? fractional(x, weights, order) : INT64_MAX;
    memset(weights, 0, (n_binding == 1 ? 0 : N_DIMS) * sizeof *weights);
    for (int pass = 0; pass < PASSES && n_binding > 1; pass++) {
        for (size_t d = 0; d < N_DIMS; d++) {
            const int64_t unit = max64(1, (INT64_C(1) << 40) / max64(1, x->room[d]) / 16);
            int64_t kept = weights[d];
            for (int64_t step = 0; step < STEPS && x->binds[d] && best > enough; step++) {
                weights[d] = step * unit;
                const int64_t bound = surrogate_of(weights, x->room) > 0 ? fractional(x, weights, order) : INT64_MAX;
                kept = bound < best ? weights[d] : kept;
                best = min64(best, bound);
            }
            weights[d] = kept;
        }
    }
    return best;
}

/* Surrogate demands as cells: exactly where they are few, else rounded down, which only lets more fit. */
static void count_cells(knapsack *k) {
    const taskfit_cert_sack *x = k->sack;
    int64_t whole = surrogate_of(k->weights, x->room);
    int64_t divisor = 0;
    for (size_t i = 0; i < x->n_items; i++) {
        k->cells[i] = surrogate_of(k->weights, x->items[i].demand);
        divisor = gcd64(divisor, k->cells[i]);
    }
    divisor = max64(1, divisor);
    whole /= divisor;
    const int64_t most = max64(LEAST_CELLS, min64(MOST_CELLS, MOST_TABLE / (int64_t)(x->n_items + 1)));
    k->n_cells = min64(whole, most);
    for (size_t i = 0; i < x->n_items; i++) {
        const int64_t cells = k->cells[i] / divisor;
        k->cells[i] = whole <= most ? cells : (int64_t)((taskfit_wide)cells * most / whole);
    }
}

/* Item i added to the row of the items behind it: in packs of 1, 2, 4 ... tasks, which make up any number. */
static void add_row(const knapsack *k, size_t i) {
    const size_t width = (size_t)k->n_cells + 1;
    int64_t *row = k->table + i * width;
    memcpy(row, row + width, width * sizeof *row);
    int64_t left = k->sack->items[i].count;
    for (int64_t pack = 1; left > 0; pack *= 2) {
        const int64_t n = min64(pack, left);
        const int64_t cells = n * k->cells[i];
        const int64_t worth = n * k->sack->items[i].worth;
        left -= n;
        for (int64_t c = k->n_cells; c >= cells; c--) {
            row[c] = max64(row[c], row[c - cells] + worth);
        }
    }
}

static void make_table(knapsack *k, taskfit_arena *arena) {
    k->cells = TASKFIT_ARRAY(arena, k->sack->n_items, int64_t);
    count_cells(k);
    k->table = TASKFIT_ARRAY(arena, (k->sack->n_items + 1) * ((size_t)k->n_cells + 1), int64_t);
    for (size_t i = k->sack->n_items; i-- > 0;) {
        add_row(k, i);
    }
}

/* ---- the search ---- */

static bool refused(const knapsack *k, size_t i) {
    const taskfit_cert_item *items = k->sack->items;
    const taskfit_cert_service *service = &k->sack->rules->services[items[i].service];
    for (size_t before = 0; before < i && items[i].n_conflicts > 0; before++) {
        for (size_t c = 0; k->taken[before] > 0 && c < service->n_conflicts; c++) {
            if (service->conflicts[c] == items[before].service) {
                return true;
            }
        }
    }
    return false;
}

static int64_t fitting(const taskfit_cert_item *item, const int64_t *room) {
    int64_t n = item->count;
    for (size_t d = 0; d < N_DIMS; d++) {
        if (item->demand[d] > 0) {
            n = min64(n, room[d] / item->demand[d]);
        }
    }
    return n;
}

static void search(knapsack *k, size_t i, const int64_t *room, int64_t cells, int64_t worth) {
    const taskfit_cert_sack *x = k->sack;
    k->best = max64(k->best, worth);
    if (i == x->n_items || --k->nodes_left < 0) {
        return;
    }
    const size_t width = (size_t)k->n_cells + 1;
    int64_t n = refused(k, i) ? 0 : fitting(&x->items[i], room);
    int64_t left[N_DIMS];
    for (; n >= 0 && k->nodes_left >= 0; n--) {
        const int64_t cells_left = cells - n * k->cells[i];
        const int64_t now = worth + n * x->items[i].worth;
        if (now + k->table[(i + 1) * width + (size_t)cells_left] <= k->best) {
            continue;
        }
        for (size_t d = 0; d < N_DIMS; d++) {
            left[d] = room[d] - n * x->items[i].demand[d];
        }
        k->taken[i] = n;
        search(k, i + 1, left, cells_left, now);
        k->taken[i] = 0;
    }
}

/* `least` is not looked for: an answer no higher says no more than that. */
static bool find_most(const taskfit_cert_sack *x, int64_t least, bool rough, int64_t *most_out, taskfit_arena *arena) {
    int64_t all = 0;
    bool binds = false;
    for (size_t i = 0; i < x->n_items; i++) {
        all += x->items[i].count * x->items[i].worth;
        binds = binds || x->items[i].n_conflicts > 0;
    }
    for (size_t d = 0; d < N_DIMS; d++) {
        binds = binds || x->binds[d];
    }
    *most_out = max64(all, least);
    if (!binds || all <= least) {
        return true;
    }
    knapsack k = {.sack = x, .nodes_left = NODES};
    const int64_t bound = choose_weights(x, least, k.weights, arena);
    if (rough || bound <= least) {
        *most_out = max64(min64(all, bound), least);
        return true;
    }
    make_table(&k, arena);
    k.taken = TASKFIT_ARRAY(arena, x->n_items, int64_t);
    k.best = least;
    if (k.table[k.n_cells] > least) {
        search(&k, 0, x->room, k.n_cells, 0);
    }
    *most_out = k.best;
    return k.nodes_left >= 0;
}

static bool same(const taskfit_cert_sack *a, const taskfit_cert_sack *b) {
    return a->n_items == b->n_items && a->base == b->base && a->impossible == b->impossible &&
           memcmp(a->room, b->room, sizeof a->room) == 0 && memcmp(a->binds, b->binds, sizeof a->binds) == 0 &&
           (a->n_items == 0 || memcmp(a->items, b->items, a->n_items * sizeof *a->items) == 0);
}

bool taskfit_cert_sack_most(taskfit_cert_sacks *sacks, const taskfit_cert_sack *sack, taskfit_cert_effort effort, int64_t claimed,
                            int64_t *most_out) {
    claimed = effort == TASKFIT_CERT_CHECK ? claimed : 0;
    for (size_t i = 0; i < sacks->n; i++) {
        const solved *known = &sacks->list[i];
        if (known->effort == effort && known->claimed == claimed && same(&known->sack, sack)) {
            *most_out = known->most;
            return true;
        }
    }
    if (sack->impossible) {
        *most_out = max64(claimed, 0);
        return true;
    }
    taskfit_arena *scratch = taskfit_arena_new();
    int64_t most = 0;
    const bool sure = find_most(sack, max64(0, claimed - sack->base), effort == TASKFIT_CERT_ROUGH, &most, scratch);
    taskfit_arena_free(scratch);
    *most_out = sack->base + most;
    if (sure) {
        TASKFIT_GROW(sacks->arena, sacks->list, sacks->n, sacks->capacity);
        sacks->list[sacks->n] = (solved){*sack, effort, claimed, *most_out};
        sacks->list[sacks->n].sack.items = TASKFIT_ARRAY(sacks->arena, sack->n_items, taskfit_cert_item);
        if (sack->n_items > 0) {
            memcpy(sacks->list[sacks->n].sack.items, sack->items, sack->n_items * sizeof *sack->items);
        }
        sacks->n++;
    }
    return sure;
}
