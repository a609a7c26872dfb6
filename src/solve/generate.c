#include "solve/generate.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    MOST_LISTED = 50, /* columns of a kind taken from a list at once */
    REST_NODES = 1000
};
#define TIGHT 0.1      /* instances between the cover and the fleet: then reduced costs are to prove something */
#define VERY_TIGHT 0.03 /* then dives need better columns than those that happen to fit */
#define TOLERANCE 2e-6 /* of the LP: what is worth less than that more is no gain */

typedef struct pricing_round {
    taskfit_generator *generator;
    taskfit_master *master;
    taskfit_budget *budget;
    taskfit_arena *arena;     /* of the pricers: their tables are large */
    taskfit_pricer **pricers; /* [n_kinds]; NULL: not of its own, or not yet made */
    size_t *twin;             /* [n_kinds] the first kind with the same pricing problem */
    int64_t *bound;           /* [n_kinds] V; of twins' first */
    size_t block;             /* of the pricing in progress */
    int64_t needed;           /* worth from which a pattern is a column */
    const int64_t *price_of_kind; /* of the pricing in progress: a row of price */
    const int64_t *price;     /* [n_classes][n_profiles] asked with: the master's or smooth */
    int64_t *smooth, *center; /* [n_classes][n_profiles] */
    int64_t *rest;            /* [n_profiles] */
    int64_t *listed_worth;    /* [of the list] of patterns worth more than is paid; else 0 */
    int64_t center_scale;
    double center_bound;      /* theta that the prices at the center prove; 0: no center yet */
    size_t n_new;
    size_t first_new; /* columns from here on are of this round */
} pricing_round;

static bool same_problem(const taskfit_residual *r, size_t a, size_t b) {
    const size_t n = r->decision.n_profiles;
    if (r->block[a] != r->block[b]) {
        return false;
    }
    for (size_t p = 0; p < n; p++) {
        if (r->kinds[a].low[p] != r->kinds[b].low[p] || r->kinds[a].high[p] != r->kinds[b].high[p]) {
            return false;
        }
    }
    return true;
}

static void find_twins(pricing_round *rd) {
    const taskfit_residual *r = rd->master->residual;
    for (size_t k = 0; k < r->decision.n_kinds; k++) {
        rd->twin[k] = k;
        for (size_t other = 0; other < k && r->kinds[k].count > 0; other++) {
            if (r->kinds[other].count > 0 && same_problem(r, other, k)) {
                rd->twin[k] = other;
                break;
            }
        }
    }
}

static bool listed(const taskfit_column *columns, size_t n, size_t pattern, size_t block) {
    for (size_t i = 0; i < n; i++) {
        if (columns[i].pattern == pattern && columns[i].block == block) {
            return true;
        }
    }
    return false;
}

static void add_new(pricing_round *rd, size_t pattern) {
    taskfit_master *master = rd->master;
    if (!listed(rd->generator->taboo, rd->generator->n_taboo, pattern, rd->block) &&
        !listed(master->list.columns, master->list.n_columns, pattern, rd->block)) {
        taskfit_master_add(master, pattern, rd->block);
        rd->n_new++;
    }
}

static void take(void *arg, const int64_t *tasks, int64_t worth) {
    pricing_round *rd = arg;
    taskfit_master *master = rd->master;
    if (rd->price != master->price) {
        const taskfit_residual *r = master->residual;
        const int64_t *price = master->price + (rd->price_of_kind - rd->price);
        worth = 0;
        for (size_t p = 0; p < r->decision.n_profiles; p++) {
            worth += tasks[p] * price[p];
        }
    }
    if (worth < rd->needed) {
        return;
    }
    add_new(rd, taskfit_pattern_pool_add(master->pool, tasks, master->residual->decision.n_profiles));
}

static bool open_for(const taskfit_residual *r, size_t kind, const taskfit_column *column, const taskfit_pattern *pattern) {
    return column->block == r->block[kind] && !column->shut &&
           taskfit_pattern_suits(pattern, &r->kinds[kind], r->decision.n_profiles);
}

/* Choosing from a list of all patterns stands in for pricing: V is the worth of the best. Of the patterns worth more than
 * the master pays, those with at least half the gain of the best become columns. */
static void price_listed(pricing_round *rd) {
    taskfit_master *master = rd->master;
    const taskfit_residual *r = master->residual;
    const taskfit_columns *all = rd->generator->all;
    for (size_t k = 0; k < r->decision.n_kinds; k++) {
        const int64_t pay = master->pay[r->block[k]];
        const int64_t *price = master->price + r->zone_class[r->kinds[k].zone] * r->decision.n_profiles;
        rd->bound[k] = pay;
        for (size_t i = 0; i < all->n_columns && r->kinds[k].count > 0; i++) {
            const taskfit_pattern *pattern = &master->pool->patterns[all->columns[i].pattern];
            const int64_t worth = taskfit_pattern_worth(pattern, price) + taskfit_master_subset_pay(master, pattern);
            const bool better = worth > pay && open_for(r, k, &all->columns[i], pattern);
            rd->listed_worth[i] = better ? worth : 0;
            rd->bound[k] = better && worth > rd->bound[k] ? worth : rd->bound[k];
        }
        rd->block = r->block[k];
        rd->needed = pay + (int64_t)(TOLERANCE * (double)master->scale) + 1;
        const int64_t enough = pay + (rd->bound[k] - pay) / 2;
        const size_t most = rd->n_new + MOST_LISTED;
        for (size_t i = 0; i < all->n_columns && rd->bound[k] >= rd->needed && rd->n_new < most; i++) {
            if (rd->listed_worth[i] >= enough) {
                add_new(rd, all->columns[i].pattern);
            }
        }
    }
}

enum { SMOOTH, QUICK, THOROUGH, PROVED, N_PASSES }; /* of pricing, each only when the one before found no column */

/*
 * Duals of a degenerate master jump about, and patterns priced at them are of little use. SMOOTH asks half-way between
 * them and the prices that proved most so far (Wentges); what is worth nothing to the master there is not added, and
 * the bound of these prices has then grown instead.
 */
static bool smooth_prices(pricing_round *rd) {
    const taskfit_master *master = rd->master;
    if (rd->center_bound <= 0.0 || master->artificial) {
        return false;
    }
    const size_t n = master->residual->n_classes * master->residual->decision.n_profiles;
    for (size_t i = 0; i < n; i++) {
        const double center = (double)rd->center[i] * (double)master->scale / (double)rd->center_scale;
        const double most = (double)TASKFIT_PRICE_MAX; /* shrunk prices and another scale may pass it */
        rd->smooth[i] = ((int64_t)(center < most ? center : most) + master->price[i]) / 2;
    }
    rd->price = rd->smooth;
    return true;
}

/* Keeps the prices asked with as the center if they prove more than it does, scaled to be what the master pays. */
static void move_center(pricing_round *rd, int64_t worth, int64_t room) {
    const taskfit_residual *r = rd->master->residual;
    const double bound = (double)worth / (double)(room > 0 ? room : 1);
    if (bound <= rd->center_bound || rd->master->artificial) {
        return;
    }
    const double shrink = (double)r->decision.n_instances * (double)rd->master->scale / (double)(room > 0 ? room : 1);
    for (size_t i = 0; i < r->n_classes * r->decision.n_profiles; i++) {
        rd->center[i] = (int64_t)((double)rd->price[i] * shrink);
    }
    rd->center_scale = rd->master->scale;
    rd->center_bound = bound;
}

/* Further patterns without the profiles of those found last, as long as they are worth adding: the master needs columns
 * for all of its rows, and the best patterns of one search resemble each other. */
static void price_rest(pricing_round *rd, size_t kind, taskfit_pricing_query query) {
    const taskfit_master *master = rd->master;
    const size_t n = master->residual->decision.n_profiles;
    memcpy(rd->rest, query.price, n * sizeof *rd->rest);
    query.price = rd->rest;
    query.quick_nodes = REST_NODES;
    for (size_t before = 0; before < rd->n_new;) {
        const taskfit_column last = master->list.columns[master->list.n_columns - 1];
        const taskfit_pattern *pattern = &master->pool->patterns[last.pattern];
        for (size_t i = 0; i < pattern->n_parts; i++) {
            rd->rest[pattern->parts[i].profile] = 0;
        }
        before = rd->n_new;
        (void)taskfit_pricer_ask(rd->pricers[kind], &query, rd->budget);
    }
}

/* QUICK may give up, THOROUGH leaves patterns of no gain to the LP's tolerance, PROVED tells the exact maximum. */
static taskfit_pricing_result price_kind(pricing_round *rd, size_t kind, int pass) {
    taskfit_master *master = rd->master;
    const taskfit_residual *r = master->residual;
    const int64_t pay = master->pay[rd->block];
    const size_t n_before = rd->n_new;
    rd->needed = pay + (int64_t)(TOLERANCE * (double)master->scale) + 1;
    rd->price_of_kind = rd->price + r->zone_class[r->kinds[kind].zone] * r->decision.n_profiles;
    taskfit_pricing_query query = {.price = rd->price_of_kind,
                                   .above = pass == THOROUGH ? rd->needed - 1 : pay,
                                   .thorough = pass > QUICK,
                                   .found = take,
                                   .found_arg = rd};
    taskfit_pricing_result result = taskfit_pricer_ask(rd->pricers[kind], &query, rd->budget);
    while (pass == PROVED && result.best > query.above && result.bound > result.best) {
        query.above = result.best;
        result = taskfit_pricer_ask(rd->pricers[kind], &query, rd->budget);
    }
    if (pass <= QUICK && rd->n_new > n_before) {
        price_rest(rd, kind, query);
    }
    return result;
}

/* Prices all kinds; false when some kind can hold nothing at all. */
static bool price_kinds(pricing_round *rd, int pass) {
    taskfit_master *master = rd->master;
    const taskfit_residual *r = master->residual;
    for (size_t k = 0; k < r->decision.n_kinds; k++) {
        if (r->kinds[k].count == 0 || rd->twin[k] != k) {
            continue;
        }
        rd->block = r->block[k];
        if (pass > QUICK && rd->bound[k] <= master->pay[rd->block]) {
            continue;
        }
        if (rd->pricers[k] == NULL) {
            rd->pricers[k] = taskfit_pricer_new(rd->arena, &r->decision, k);
        }
        const taskfit_pricing_result result = price_kind(rd, k, pass);
        if (!result.feasible) {
            return false;
        }
        rd->bound[k] = result.bound;
    }
    return true;
}

/* W > sum count V? */
static bool refuted(pricing_round *rd) {
    const taskfit_residual *r = rd->master->residual;
    const int64_t worth = taskfit_master_worth_at(rd->master, rd->price) + taskfit_master_subset_worth(rd->master);
    int64_t room = 0;
    int64_t highest = 1;
    for (size_t k = 0; k < r->decision.n_kinds; k++) {
        if (r->kinds[k].count > 0) {
            const int64_t bound = rd->bound[rd->twin[k]];
            room += r->kinds[k].count * bound;
            highest = bound > highest ? bound : highest;
        }
    }
    if (r->n_blocks == 1) {
        const int64_t instances = (worth + highest - 1) / highest;
        rd->generator->instance_bound =
            instances > rd->generator->instance_bound ? instances : rd->generator->instance_bound;
    }
    move_center(rd, worth, room);
    if (worth > room && rd->price != rd->master->price) { /* the master shows the prices that prove it */
        memcpy(rd->master->price, rd->price, r->n_classes * r->decision.n_profiles * sizeof *rd->price);
    }
    return worth > room;
}

static bool bound_may_grow(const pricing_round *rd) {
    return rd->generator->whole_bound && rd->master->residual->n_blocks == 1 &&
           (double)rd->generator->instance_bound < ceil(taskfit_master_objective(rd->master) - 1e-6);
}

static taskfit_generated loop(pricing_round *rd) {
    taskfit_master *master = rd->master;
    const double n_instances = (double)master->residual->decision.n_instances;
    bool proved = false;
    while (taskfit_budget_spend(rd->budget, 1)) {
        if (!taskfit_master_solve(master, rd->budget)) {
            break;
        }
        const bool fits = !master->artificial && taskfit_master_objective(master) <= n_instances + 1e-7 * n_instances;
        const double slack = n_instances - taskfit_master_objective(master);
        const bool tight = fits && slack < TIGHT;
        if (fits && !rd->generator->converge && !(rd->generator->converge_if_tight && slack < VERY_TIGHT)) {
            return TASKFIT_GENERATED_FITS;
        }
        const int n_passes = !fits ? N_PASSES : tight && rd->generator->converge ? PROVED : THOROUGH;
        rd->n_new = 0;
        for (int pass = SMOOTH; pass < n_passes && rd->n_new == 0; pass++) {
            rd->price = master->price;
            if (pass == SMOOTH && (rd->generator->all != NULL || !smooth_prices(rd))) {
                continue;
            }
            if (rd->generator->all != NULL) {
                price_listed(rd);
            } else if (!price_kinds(rd, pass)) {
                return TASKFIT_GENERATED_REFUTED;
            }
            proved = refuted(rd) || proved;
            if (proved && !bound_may_grow(rd)) {
                return TASKFIT_GENERATED_REFUTED;
            }
        }
        if (rd->n_new == 0) {
            return fits ? TASKFIT_GENERATED_FITS : proved ? TASKFIT_GENERATED_REFUTED : TASKFIT_GENERATED_OVER;
        }
    }
    return proved ? TASKFIT_GENERATED_REFUTED : TASKFIT_GENERATED_STOPPED;
}

taskfit_generated taskfit_generate(taskfit_generator *generator, taskfit_master *master, taskfit_budget *budget) {
    const size_t n_kinds = master->residual->decision.n_kinds;
    const size_t n_prices = master->residual->n_classes * master->residual->decision.n_profiles;
    assert(generator->all != NULL || master->list.n_subset_rows == 0); /* pricing knows nothing of them */
    taskfit_arena *arena = taskfit_arena_new();
    pricing_round rd = {.generator = generator,
                        .master = master,
                        .budget = budget,
                        .arena = arena,
                        .smooth = TASKFIT_ARRAY(arena, n_prices, int64_t),
                        .center = TASKFIT_ARRAY(arena, n_prices, int64_t),
                        .rest = TASKFIT_ARRAY(arena, n_prices, int64_t),
                        .listed_worth = TASKFIT_ARRAY(arena, generator->all != NULL ? generator->all->n_columns : 0, int64_t),
                        .pricers = TASKFIT_ARRAY(arena, n_kinds, taskfit_pricer *),
                        .twin = TASKFIT_ARRAY(arena, n_kinds, size_t),
                        .bound = TASKFIT_ARRAY(arena, n_kinds, int64_t)};
    find_twins(&rd);
    const taskfit_generated generated = loop(&rd);
    taskfit_arena_free(arena);
    return generated;
}

/* ---- a start ---- */

static int64_t fitting(const taskfit_decision *d, size_t profile, const int64_t *room, int64_t most) {
    for (size_t dim = 0; dim < d->n_dims && most > 0; dim++) {
        const int64_t demand = d->profiles[profile].demand[dim];
        if (demand > 0 && room[dim] / demand < most) {
            most = room[dim] / demand;
        }
    }
    return most;
}

static bool rivals(const taskfit_decision *d, const int64_t *tasks, size_t profile) {
    for (size_t i = 0; i < d->n_conflicts; i++) {
        const taskfit_conflict pair = d->conflicts[i];
        if ((pair.a == profile && tasks[pair.b] > 0) || (pair.b == profile && tasks[pair.a] > 0)) {
            return true;
        }
    }
    return false;
}

static void put(const taskfit_decision *d, size_t profile, int64_t n, int64_t *room, int64_t *tasks) {
    for (size_t dim = 0; dim < d->n_dims; dim++) {
        room[dim] -= n * d->profiles[profile].demand[dim];
    }
    tasks[profile] += n;
}

static void start_around(taskfit_master *master, size_t kind, size_t profile, int64_t *room, int64_t *tasks) {
    const taskfit_decision *d = &master->residual->decision;
    const taskfit_kind *k = &d->kinds[kind];
    for (size_t dim = 0; dim < d->n_dims; dim++) {
        room[dim] = k->capacity[dim];
    }
    bool fits = true;
    for (size_t p = 0; p < d->n_profiles; p++) {
        tasks[p] = 0;
        fits = fits && fitting(d, p, room, k->low[p]) == k->low[p] && (k->low[p] == 0 || !rivals(d, tasks, p));
        put(d, p, k->low[p], room, tasks);
    }
    if (!fits || (tasks[profile] == 0 && rivals(d, tasks, profile))) {
        return;
    }
    for (size_t i = 0; i < d->n_profiles; i++) { /* the others in a circle behind it */
        const size_t p = (profile + i) % d->n_profiles;
        const int64_t n = fitting(d, p, room, k->high[p] - tasks[p]);
        if (n > 0 && (tasks[p] > 0 || !rivals(d, tasks, p))) {
            put(d, p, n, room, tasks);
        }
    }
    const size_t pattern = taskfit_pattern_pool_add(master->pool, tasks, d->n_profiles);
    if (!listed(master->list.columns, master->list.n_columns, pattern, master->residual->block[kind])) {
        taskfit_master_add(master, pattern, master->residual->block[kind]);
    }
}

void taskfit_generate_start(taskfit_master *master) {
    const taskfit_residual *r = master->residual;
    int64_t *room = TASKFIT_ARRAY(master->arena, r->decision.n_dims, int64_t);
    int64_t *tasks = TASKFIT_ARRAY(master->arena, r->decision.n_profiles, int64_t);
    for (size_t k = 0; k < r->decision.n_kinds; k++) {
        bool twin = false;
        for (size_t other = 0; other < k; other++) {
            twin = twin || (r->kinds[other].count > 0 && same_problem(r, other, k));
        }
        for (size_t p = 0; p < r->decision.n_profiles && r->kinds[k].count > 0 && !twin; p++) {
            if (r->kinds[k].high[p] > 0) {
                start_around(master, k, p, room, tasks);
            }
        }
    }
}
