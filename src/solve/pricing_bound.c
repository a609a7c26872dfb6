/*
 * Two bounds on what the open profiles can still add to a content:
 *
 *   surrogate   With multipliers u >= 0 all dimensions become one: sum_p (u . demand[p]) a[p] <= u . capacity. Its
 *               fractional optimum (Dantzig) is a bound for any u; a few subgradient steps make u good. The order of
 *               the search is that of price per surrogate weight.
 *   table       One dimension alone, exactly: table[i][c] = most that the profiles i.. add in c units of
 *               dimension d. Prices in proportion to sizes (memory decides everything) make the first bound say
 *               nothing; this one then is nearly the answer. Built only when the search without it did not end.
 *
 * All in 64-bit integers: prices <= 2^30, surrogate capacity < 2^31, so price times rest stays below 2^61. Rounding
 * weights down and splitting a dimension into coarser cells only widens the room: the bounds stay bounds.
 */
#include <string.h>

#include "solve/pricing_inside.h"

enum {
    FIRST_STEPS = 30,      /* subgradient steps of the first query, */
    NEXT_STEPS = 6,        /* and of one that starts where the last one ended */
    UNIT = 1 << 16,        /* of multipliers: they sum to it, */
    SPARE_BITS = 20        /* and to 2^50 when times capacity: 2^30 once these are dropped */
};

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* ---- the surrogate ---- */

static bool before(const taskfit_item *a, const taskfit_item *b) {
    const int64_t left = a->price * b->surrogate;
    const int64_t right = b->price * a->surrogate;
    if (left != right) {
        return left > right;
    }
    return a->surrogate != b->surrogate ? a->surrogate > b->surrogate : a->profile < b->profile;
}

/* Weights for these multipliers, and the order they make: nearly the old one, so sorted by insertion. */
static void weigh(taskfit_pricer *pricer, const int64_t *multiplier) {
    int64_t *scale = pricer->scale;
    int64_t total = 0;
    for (size_t d = 0; d < pricer->n_dims; d++) {
        scale[d] = pricer->capacity[d] > 0 ? (multiplier[d] << 34) / pricer->capacity[d] : 0;
        total += scale[d] * pricer->capacity[d];
    }
    pricer->surrogate_capacity = total >> SPARE_BITS;
    for (size_t i = 0; i < pricer->n_items; i++) {
        int64_t weight = 0;
        for (size_t d = 0; d < pricer->n_dims; d++) {
            weight += scale[d] * pricer->items[i].weights[d];
        }
        pricer->items[i].surrogate = weight >> SPARE_BITS;
    }
    for (size_t i = 1; i < pricer->n_items; i++) {
        const taskfit_item moved = pricer->items[i];
        size_t j = i;
        for (; j > 0 && before(&moved, &pricer->items[j - 1]); j--) {
            pricer->items[j] = pricer->items[j - 1];
        }
        pricer->items[j] = moved;
    }
}

/* Dantzig's bound on what the items from `first` on add within `room` of surrogate weight. */
static int64_t fractional(const taskfit_pricer *pricer, size_t first, int64_t room) {
    int64_t worth = 0;
    for (size_t i = first; i < pricer->n_items; i++) {
        const taskfit_item *it = &pricer->items[i];
        const int64_t weight = it->surrogate * it->most;
        if (weight > room) {
            return worth + room * it->price / it->surrogate;
        }
        room -= weight;
        worth += it->price * it->most;
    }
    return worth;
}

/* One subgradient step: dimensions the fractional optimum overfills get dearer, others cheaper. */
static void step_multipliers(const taskfit_pricer *pricer, int64_t *multiplier, int64_t divisor) {
    int64_t *used = pricer->used;
    memset(used, 0, pricer->n_dims * sizeof *used);
    int64_t room = pricer->surrogate_capacity;
    for (size_t i = 0; i < pricer->n_items && room > 0; i++) {
        const taskfit_item *it = &pricer->items[i];
        const int64_t weight = it->surrogate * it->most;
        const int64_t share = weight > room ? room * 1024 / weight : 1024; /* of the item, in 1/1024 */
        for (size_t d = 0; d < pricer->n_dims; d++) {
            used[d] += it->weights[d] * it->most * share / 1024;
        }
        room -= weight;
    }
    int64_t sum = 1;
    for (size_t d = 0; d < pricer->n_dims; d++) {
        const int64_t fill = pricer->capacity[d] > 0 ? smaller(used[d] * 1024 / pricer->capacity[d], 4096) : 0;
        multiplier[d] = larger(multiplier[d] * (1024 + (fill - 1024) / divisor) / 1024, 1);
        sum += multiplier[d];
    }
    for (size_t d = 0; d < pricer->n_dims; d++) {
        multiplier[d] = multiplier[d] * UNIT / sum;
    }
}

void taskfit_pricer_weigh(taskfit_pricer *pricer) {
    const size_t n_dims = pricer->n_dims;
    for (size_t d = 0; d < n_dims && !pricer->warm; d++) {
        pricer->multiplier[d] = UNIT / (int64_t)n_dims;
    }
    if (n_dims > 1) {
        const int64_t n_steps = pricer->warm ? NEXT_STEPS : FIRST_STEPS;
        int64_t lowest = INT64_MAX;
        memcpy(pricer->trial, pricer->multiplier, n_dims * sizeof *pricer->trial);
        for (int64_t step = 0; step < n_steps; step++) {
            weigh(pricer, pricer->trial);
            const int64_t bound = fractional(pricer, 0, pricer->surrogate_capacity);
            if (bound < lowest) {
                lowest = bound;
                memcpy(pricer->multiplier, pricer->trial, n_dims * sizeof *pricer->trial);
            }
            step_multipliers(pricer, pricer->trial, 2 + step);
        }
    }
    pricer->warm = true;
    weigh(pricer, pricer->multiplier);
    for (size_t i = pricer->n_items; i-- > 0;) { /* side by side in search order */
        int64_t *weights = pricer->ordered + i * n_dims;
        int64_t *smallest = pricer->smallest + i * n_dims;
        for (size_t d = 0; d < n_dims; d++) {
            weights[d] = pricer->items[i].weights[d];
            smallest[d] = i + 1 < pricer->n_items ? smaller(weights[d], smallest[n_dims + d]) : weights[d];
        }
        pricer->items[i].weights = weights;
    }
}

/* ---- tables ---- */

static void fill_table(const taskfit_pricer *pricer, taskfit_pricing_table *t) {
    const size_t width = (size_t)t->n_cells;
    memset(t->most + pricer->n_items * width, 0, width * sizeof *t->most);
    for (size_t i = pricer->n_items; i-- > 0;) {
        const taskfit_item *it = &pricer->items[i];
        int64_t *row = t->most + i * width;
        memcpy(row, row + width, width * sizeof *row);
        const int64_t weight = it->weights[t->dim] / t->cell;
        int64_t left = it->most;
        for (int64_t chunk = 1; left > 0; chunk *= 2) { /* 1, 2, 4, ... and the rest make every number */
            const int64_t n = smaller(chunk, left);
            left -= n;
            for (int64_t c = t->n_cells - 1; c >= n * weight; c--) {
                row[c] = larger(row[c], row[c - n * weight] + n * it->price);
            }
        }
    }
}

static bool has_table(const taskfit_pricer *pricer, size_t dim) {
    for (size_t i = 0; i < pricer->n_tables; i++) {
        if (pricer->tables->items[i].dim == dim) {
            return true;
        }
    }
    return false;
}

void taskfit_pricer_build_tables(taskfit_pricer *pricer, int64_t n_cells) {
    pricer->n_tables = 0;
    while (pricer->n_tables < TASKFIT_PRICING_TABLES) {
        size_t dim = pricer->n_dims;
        for (size_t d = 0; d < pricer->n_dims; d++) {
            if (!has_table(pricer, d) && (dim == pricer->n_dims || pricer->multiplier[d] > pricer->multiplier[dim])) {
                dim = d;
            }
        }
        if (dim == pricer->n_dims || pricer->multiplier[dim] < UNIT / 16) {
            return;
        }
        taskfit_pricing_table *t = &pricer->tables->items[pricer->n_tables++];
        t->dim = dim;
        t->cell = pricer->capacity[dim] / (n_cells / (int64_t)(pricer->n_items + 1)) + 1;
        t->n_cells = pricer->capacity[dim] / t->cell + 1;
        const size_t needed = (pricer->n_items + 1) * (size_t)t->n_cells;
        if (needed > t->allocated) {
            t->most = TASKFIT_ARRAY(pricer->tables->arena, needed, int64_t);
            t->allocated = needed;
        }
        fill_table(pricer, t);
        (void)taskfit_budget_spend(pricer->budget, (int64_t)needed / 16 + 1);
    }
}

int64_t taskfit_pricer_completion(const taskfit_pricer *pricer, size_t first, int64_t room) {
    int64_t bound = fractional(pricer, first, room);
    for (size_t i = 0; i < pricer->n_tables; i++) {
        const taskfit_pricing_table *t = &pricer->tables->items[i];
        bound = smaller(bound, t->most[(int64_t)first * t->n_cells + pricer->rest[t->dim] / t->cell]);
    }
    return bound;
}
