/*
 * max sum_p price[p] a[p]   subject to   sum_p demand[p][d] a[p] <= capacity[d],  low <= a <= high,  conflicts
 *
 * Depth-first branch and bound over the profiles, best ones first. Two bounds on what the open profiles can still add:
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
#include "solve/pricing.h"

#include <assert.h>
#include <string.h>

enum {
    QUICK_NODES = 20000,
    LIST_NODES = 20 * 1000 * 1000,
    CHARGE_NODES = 1 << 16, /* the budget is asked that often */
    MAX_TABLES = 3,
    TABLE_CELLS = 1 << 22, /* for one dimension */
    SMALL_TABLE_CELLS = 1 << 18,
    FIRST_STEPS = 30,      /* subgradient steps of the first query, */
    NEXT_STEPS = 6,        /* and of one that starts where the last one ended */
    UNIT = 1 << 16,        /* of multipliers: they sum to it, */
    SPARE_BITS = 20        /* and to 2^50 when times capacity: 2^30 once these are dropped */
};

typedef struct item { /* a profile with a price, in search order */
    size_t profile;
    int64_t price;
    int64_t most;            /* tasks beyond low */
    int64_t surrogate;       /* weight */
    const int64_t *weights;  /* [n_dims] */
} item;

typedef struct table {
    size_t dim;
    int64_t cell;   /* units of the dimension in a cell */
    int64_t n_cells; /* of a row: capacity / cell + 1 */
    int64_t *most;  /* [n_items + 1][n_cells] */
    size_t allocated;
} table;

struct taskfit_pricer_tables {
    taskfit_arena *arena;
    table items[MAX_TABLES];
};

struct taskfit_pricer {
    taskfit_arena *arena;
    const taskfit_decision *decision;
    const taskfit_kind *kind;
    bool feasible;
    size_t n_dims;      /* that can bind */
    int64_t *capacity;  /* [n_dims] beyond low, in units of the greatest common divisor */
    int64_t *weights;   /* [n_profiles][n_dims] */
    int64_t *ordered;   /* [n_items][n_dims] weights in search order */
    int64_t *smallest;  /* [n_items + 1][n_dims] least weight of the items from there on */
    int64_t *most;      /* [n_profiles] high - low, cut to what fits; 0 where a low one conflicts */
    int64_t *multiplier, *trial; /* [n_dims] in UNIT */
    bool warm;                   /* multipliers of an earlier query */
    size_t **rivals;    /* [n_profiles] conflicting profiles; NULL without conflicts */
    size_t *n_rivals;
    /* of the present query */
    item *items;
    size_t n_items;
    int64_t *rest;      /* [n_dims] */
    int64_t *tasks;     /* [n_profiles] low + chosen */
    int64_t *blocked;   /* [n_profiles] how many chosen profiles it conflicts with */
    int64_t surrogate_capacity;
    taskfit_pricer_tables *tables;
    size_t n_tables;
    const taskfit_pricing_query *query;
    taskfit_budget *budget;
    int64_t best, open_bound, nodes, node_limit, left_to_list;
    bool cut_short;
    bool tough; /* the last quick search was cut short: small tables are worth their cost */
};

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static int64_t common_divisor(int64_t a, int64_t b) {
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* ---- once for each kind ---- */

static void note_conflicts(taskfit_pricer *pricer) {
    const taskfit_decision *decision = pricer->decision;
    if (decision->n_conflicts == 0) {
        return;
    }
    const size_t n = decision->n_profiles;
    pricer->rivals = TASKFIT_ARRAY(pricer->arena, n, size_t *);
    pricer->n_rivals = TASKFIT_ARRAY(pricer->arena, n, size_t);
    size_t *capacity = TASKFIT_ARRAY(pricer->arena, n, size_t);
    for (size_t i = 0; i < decision->n_conflicts; i++) {
        const size_t pair[2] = {decision->conflicts[i].a, decision->conflicts[i].b};
        for (size_t side = 0; side < 2; side++) {
            const size_t p = pair[side];
            TASKFIT_GROW(pricer->arena, pricer->rivals[p], pricer->n_rivals[p], capacity[p]);
            pricer->rivals[p][pricer->n_rivals[p]++] = pair[1 - side];
        }
    }
    for (size_t p = 0; p < n; p++) {
        for (size_t i = 0; i < pricer->n_rivals[p] && pricer->kind->low[p] > 0; i++) {
            pricer->most[pricer->rivals[p][i]] = 0;
            pricer->feasible = pricer->feasible && pricer->kind->low[pricer->rivals[p][i]] == 0;
        }
    }
}

/* Keeps dimension d if it can bind, divided by what all its demands have in common. */
static void add_dimension(taskfit_pricer *pricer, size_t d, int64_t room) {
    const taskfit_decision *decision = pricer->decision;
    int64_t divisor = 0;
    int64_t all = 0;
    for (size_t p = 0; p < decision->n_profiles; p++) {
        if (pricer->most[p] > 0) {
            divisor = common_divisor(divisor, decision->profiles[p].demand[d]);
            all += pricer->most[p] * decision->profiles[p].demand[d];
        }
    }
    if (all <= room) {
        return;
    }
    for (size_t p = 0; p < decision->n_profiles; p++) {
        pricer->weights[p * decision->n_dims + pricer->n_dims] = decision->profiles[p].demand[d] / divisor;
    }
    pricer->capacity[pricer->n_dims++] = room / divisor;
}

taskfit_pricer_tables *taskfit_pricer_tables_new(taskfit_arena *arena) {
    taskfit_pricer_tables *tables = TASKFIT_NEW(arena, taskfit_pricer_tables);
    tables->arena = arena;
    return tables;
}

void taskfit_pricer_share_tables(taskfit_pricer *pricer, taskfit_pricer_tables *tables) {
    pricer->tables = tables;
}

taskfit_pricer *taskfit_pricer_new(taskfit_arena *arena, const taskfit_decision *decision, size_t kind) {
    taskfit_pricer *pricer = TASKFIT_NEW(arena, taskfit_pricer);
    const size_t n = decision->n_profiles;
    *pricer = (taskfit_pricer){.arena = arena,
                               .decision = decision,
                               .kind = &decision->kinds[kind],
                               .feasible = true,
                               .capacity = TASKFIT_ARRAY(arena, decision->n_dims, int64_t),
                               .weights = TASKFIT_ARRAY(arena, n * decision->n_dims, int64_t),
                               .ordered = TASKFIT_ARRAY(arena, n * decision->n_dims, int64_t),
                               .smallest = TASKFIT_ARRAY(arena, (n + 1) * decision->n_dims, int64_t),
                               .most = TASKFIT_ARRAY(arena, n, int64_t),
                               .multiplier = TASKFIT_ARRAY(arena, decision->n_dims, int64_t),
                               .trial = TASKFIT_ARRAY(arena, decision->n_dims, int64_t),
                               .items = TASKFIT_ARRAY(arena, n, item),
                               .rest = TASKFIT_ARRAY(arena, decision->n_dims, int64_t),
                               .tasks = TASKFIT_ARRAY(arena, n, int64_t),
                               .blocked = TASKFIT_ARRAY(arena, n, int64_t),
                               .tables = taskfit_pricer_tables_new(arena)};
    for (size_t p = 0; p < n; p++) {
        pricer->tasks[p] = pricer->kind->low[p];
        pricer->most[p] = pricer->kind->high[p] - pricer->kind->low[p];
        pricer->feasible = pricer->feasible && pricer->most[p] >= 0;
    }
    note_conflicts(pricer);
    int64_t *room = TASKFIT_ARRAY(arena, decision->n_dims, int64_t);
    for (size_t d = 0; d < decision->n_dims; d++) {
        room[d] = pricer->kind->capacity[d];
        for (size_t p = 0; p < n; p++) {
            room[d] -= pricer->kind->low[p] * decision->profiles[p].demand[d];
        }
        pricer->feasible = pricer->feasible && room[d] >= 0;
    }
    for (size_t d = 0; d < decision->n_dims && pricer->feasible; d++) {
        for (size_t p = 0; p < n; p++) {
            const int64_t demand = decision->profiles[p].demand[d];
            pricer->most[p] = demand > 0 ? smaller(pricer->most[p], room[d] / demand) : pricer->most[p];
        }
    }
    for (size_t d = 0; d < decision->n_dims && pricer->feasible; d++) {
        add_dimension(pricer, d, room[d]);
    }
    return pricer;
}

/* ---- the surrogate ---- */

static bool before(const item *a, const item *b) {
    const int64_t left = a->price * b->surrogate;
    const int64_t right = b->price * a->surrogate;
    if (left != right) {
        return left > right;
    }
    return a->surrogate != b->surrogate ? a->surrogate > b->surrogate : a->profile < b->profile;
}

/* Weights for these multipliers, and the order they make: nearly the old one, so sorted by insertion. */
static void weigh(taskfit_pricer *pricer, const int64_t *multiplier) {
    int64_t scale[64];
    assert(pricer->n_dims <= 64);
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
        const item moved = pricer->items[i];
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
        const item *it = &pricer->items[i];
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
    int64_t used[64] = {0};
    int64_t room = pricer->surrogate_capacity;
    for (size_t i = 0; i < pricer->n_items && room > 0; i++) {
        const item *it = &pricer->items[i];
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

static void choose_multipliers(taskfit_pricer *pricer) {
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

static void fill_table(const taskfit_pricer *pricer, table *t) {
    const size_t width = (size_t)t->n_cells;
    memset(t->most + pricer->n_items * width, 0, width * sizeof *t->most);
    for (size_t i = pricer->n_items; i-- > 0;) {
        const item *it = &pricer->items[i];
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

static void build_tables(taskfit_pricer *pricer, int64_t n_cells) {
    bool taken[64] = {false};
    pricer->n_tables = 0;
    while (pricer->n_tables < MAX_TABLES) {
        size_t dim = pricer->n_dims;
        for (size_t d = 0; d < pricer->n_dims; d++) {
            if (!taken[d] && (dim == pricer->n_dims || pricer->multiplier[d] > pricer->multiplier[dim])) {
                dim = d;
            }
        }
        if (dim == pricer->n_dims || pricer->multiplier[dim] < UNIT / 16) {
            return;
        }
        taken[dim] = true;
        table *t = &pricer->tables->items[pricer->n_tables++];
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

/* ---- the search ---- */

/* Most that the items from `first` on can add to the present content. */
static int64_t completion(const taskfit_pricer *pricer, size_t first, int64_t room) {
    int64_t bound = fractional(pricer, first, room);
    for (size_t i = 0; i < pricer->n_tables; i++) {
        const table *t = &pricer->tables->items[i];
        bound = smaller(bound, t->most[(int64_t)first * t->n_cells + pricer->rest[t->dim] / t->cell]);
    }
    return bound;
}

static int64_t fitting(const taskfit_pricer *pricer, const item *it) {
    for (size_t d = 0; d < pricer->n_dims; d++) {
        if (it->weights[d] > pricer->rest[d]) { /* the usual case, without a division */
            return 0;
        }
    }
    if (pricer->blocked[it->profile] > 0) {
        return 0;
    }
    int64_t most = it->most;
    for (size_t d = 0; d < pricer->n_dims && most > 1; d++) {
        if (it->weights[d] * most > pricer->rest[d]) {
            most = pricer->rest[d] / it->weights[d];
        }
    }
    return most;
}

/* Not even the smallest of the items from `first` on fits. */
static bool no_room(const taskfit_pricer *pricer, size_t first) {
    const int64_t *smallest = pricer->smallest + first * pricer->n_dims;
    for (size_t d = 0; d < pricer->n_dims; d++) {
        if (smallest[d] > pricer->rest[d]) {
            return true;
        }
    }
    return first == pricer->n_items;
}

static void put(taskfit_pricer *pricer, const item *it, int64_t tasks) {
    pricer->tasks[it->profile] += tasks;
    for (size_t d = 0; d < pricer->n_dims; d++) {
        pricer->rest[d] -= tasks * it->weights[d];
    }
}

static void block_rivals(taskfit_pricer *pricer, const item *it, int64_t by) {
    for (size_t i = 0; pricer->rivals != NULL && i < pricer->n_rivals[it->profile]; i++) {
        pricer->blocked[pricer->rivals[it->profile][i]] += by;
    }
}

static void search(taskfit_pricer *pricer, size_t first, int64_t worth, int64_t room) {
    if (worth > pricer->best) {
        pricer->best = worth;
        if (pricer->query->found != NULL) {
            pricer->query->found(pricer->query->found_arg, pricer->tasks, worth);
        }
    }
    pricer->nodes++;
    if (pricer->nodes > pricer->node_limit ||
        (pricer->nodes % CHARGE_NODES == 0 && !taskfit_budget_spend(pricer->budget, CHARGE_NODES))) {
        pricer->cut_short = true;
    }
    if (no_room(pricer, first)) {
        return;
    }
    for (size_t i = first; i < pricer->n_items; i++) {
        const item *it = &pricer->items[i];
        const int64_t most = fitting(pricer, it);
        if (most == 0) {
            continue;
        }
        if (worth + completion(pricer, i, room) <= pricer->best) {
            return;
        }
        block_rivals(pricer, it, 1);
        for (int64_t tasks = most; tasks > 0 && !pricer->cut_short; tasks--) {
            put(pricer, it, tasks);
            search(pricer, i + 1, worth + tasks * it->price, room - tasks * it->surrogate);
            put(pricer, it, -tasks);
        }
        block_rivals(pricer, it, -1);
        if (pricer->cut_short) { /* what was not looked at is in here */
            pricer->open_bound = larger(pricer->open_bound, worth + completion(pricer, i, room));
            return;
        }
    }
}

static void run(taskfit_pricer *pricer, int64_t start, int64_t node_limit) {
    pricer->nodes = 0;
    pricer->node_limit = node_limit;
    pricer->cut_short = false;
    pricer->open_bound = INT64_MIN;
    memcpy(pricer->rest, pricer->capacity, pricer->n_dims * sizeof *pricer->rest);
    search(pricer, 0, start, pricer->surrogate_capacity);
    (void)taskfit_budget_spend(pricer->budget, pricer->nodes % CHARGE_NODES);
}

static int64_t list_items(taskfit_pricer *pricer, const int64_t *price, bool worthless_too) {
    const size_t n = pricer->decision->n_profiles;
    int64_t start = 0;
    pricer->n_items = 0;
    for (size_t p = 0; p < n; p++) {
        assert(price[p] >= 0 && price[p] <= TASKFIT_PRICE_MAX);
        start += price[p] * pricer->kind->low[p];
        if ((price[p] > 0 || worthless_too) && pricer->most[p] > 0) {
            pricer->items[pricer->n_items++] = (item){.profile = p,
                                                      .price = price[p],
                                                      .most = pricer->most[p],
                                                      .weights = pricer->weights + p * pricer->decision->n_dims};
        }
    }
    return start;
}

taskfit_pricing_result taskfit_pricer_ask(taskfit_pricer *pricer, const taskfit_pricing_query *query,
                                          taskfit_budget *budget) {
    if (!pricer->feasible) {
        return (taskfit_pricing_result){.feasible = false};
    }
    pricer->query = query;
    pricer->budget = budget;
    pricer->best = query->above;
    pricer->n_tables = 0;
    const int64_t start = list_items(pricer, query->price, false);
    choose_multipliers(pricer);
    if (pricer->tough && query->quick_nodes == 0) {
        build_tables(pricer, SMALL_TABLE_CELLS);
    }
    run(pricer, start, query->quick_nodes > 0 ? query->quick_nodes : QUICK_NODES);
    if (query->quick_nodes == 0) {
        pricer->tough = pricer->cut_short || (pricer->tough && pricer->nodes > QUICK_NODES / 4);
    }
    if (pricer->cut_short && query->thorough && pricer->best == query->above) {
        build_tables(pricer, TABLE_CELLS);
        run(pricer, start, INT64_MAX);
    }
    return (taskfit_pricing_result){
        .feasible = true, .best = pricer->best, .bound = larger(pricer->best, pricer->open_bound)};
}

/* ---- all of them ---- */

/* Nothing that fits is left out. */
static bool is_full(const taskfit_pricer *pricer) {
    for (size_t i = 0; i < pricer->n_items; i++) {
        const item *it = &pricer->items[i];
        if (pricer->tasks[it->profile] - pricer->kind->low[it->profile] < it->most && fitting(pricer, it) > 0) {
            return false;
        }
    }
    return true;
}

static void list(taskfit_pricer *pricer, size_t first, int64_t worth, int64_t room) {
    if (worth >= pricer->best && is_full(pricer)) {
        pricer->cut_short = pricer->left_to_list-- <= 0;
        pricer->query->found(pricer->query->found_arg, pricer->tasks, worth);
    }
    pricer->nodes++;
    pricer->cut_short = pricer->cut_short || pricer->nodes > pricer->node_limit ||
                        (pricer->nodes % CHARGE_NODES == 0 && !taskfit_budget_spend(pricer->budget, CHARGE_NODES));
    for (size_t i = no_room(pricer, first) ? pricer->n_items : first; i < pricer->n_items && !pricer->cut_short; i++) {
        const item *it = &pricer->items[i];
        const int64_t most = fitting(pricer, it);
        if (most == 0) {
            continue;
        }
        if (worth + completion(pricer, i, room) < pricer->best) {
            return;
        }
        block_rivals(pricer, it, 1);
        for (int64_t tasks = most; tasks > 0 && !pricer->cut_short; tasks--) {
            put(pricer, it, tasks);
            list(pricer, i + 1, worth + tasks * it->price, room - tasks * it->surrogate);
            put(pricer, it, -tasks);
        }
        block_rivals(pricer, it, -1);
    }
}

bool taskfit_pricer_list(taskfit_pricer *pricer, const taskfit_pricing_query *query, int64_t most,
                         taskfit_budget *budget) {
    if (!pricer->feasible) {
        return true;
    }
    pricer->query = query;
    pricer->budget = budget;
    pricer->best = query->above;
    pricer->nodes = 0;
    pricer->node_limit = LIST_NODES;
    pricer->cut_short = false;
    pricer->left_to_list = most;
    const int64_t start = list_items(pricer, query->price, true);
    choose_multipliers(pricer);
    memcpy(pricer->rest, pricer->capacity, pricer->n_dims * sizeof *pricer->rest);
    build_tables(pricer, TABLE_CELLS);
    list(pricer, 0, start, pricer->surrogate_capacity);
    (void)taskfit_budget_spend(budget, pricer->nodes % CHARGE_NODES);
    return !pricer->cut_short;
}
