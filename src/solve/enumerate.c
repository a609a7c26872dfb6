#include "solve/enumerate.h"

enum { MOST_PATTERNS = 20000, SAMPLES = 8 };
#define WORTH_A_TRY 0.1 /* instances between the fractional cover and the fleet; with more, too many patterns are of use */

typedef struct listing {
    const taskfit_brancher *brancher;
    taskfit_columns *columns;
    size_t n_profiles;
} listing;

static void note(void *arg, const int64_t *tasks, int64_t worth) {
    (void)worth;
    listing *l = arg;
    taskfit_columns_add(l->brancher->arena, l->columns, taskfit_pattern_pool_add(l->brancher->pool, tasks, l->n_profiles), 0);
}

/* The mean of several optimal duals: a pattern that is dear under one of them is dear under the mean, so fewer are of use
 * than under any one. Which prices are taken matters for their number only, never for the proof. */
static void mean_price(const taskfit_brancher *brancher, taskfit_master *master, int64_t *price) {
    const size_t n = master->residual->decision.n_profiles;
    const int64_t scale = master->scale;
    for (size_t p = 0; p < n; p++) {
        price[p] = master->price[p] / SAMPLES;
    }
    for (uint64_t salt = 1; salt < SAMPLES; salt++) {
        taskfit_generator generator = {.converge = true};
        taskfit_master_perturb(master, salt);
        (void)taskfit_generate(&generator, master, brancher->budget);
        for (size_t p = 0; p < n; p++) {
            price[p] += master->price[p] / SAMPLES * scale / master->scale;
        }
    }
    taskfit_master_perturb(master, 0);
}

bool taskfit_enumerate(taskfit_brancher *brancher, taskfit_master *master) {
    const taskfit_residual *r = master->residual;
    const double slack = (double)r->decision.n_instances - taskfit_master_objective(master);
    if (r->n_blocks != 1 || r->decision.n_kinds != 1 || slack > WORTH_A_TRY) {
        return false;
    }
    int64_t *price = TASKFIT_ARRAY(brancher->arena, r->decision.n_profiles, int64_t);
    mean_price(brancher, master, price);
    taskfit_arena *scratch = taskfit_arena_new();
    taskfit_pricer *pricer = taskfit_pricer_new(scratch, &r->decision, 0);
    taskfit_pricing_query query = {.price = price, .thorough = true};
    const int64_t worth = taskfit_master_worth_at(master, price);
    query.above = worth / r->decision.n_instances;
    int64_t most = query.above;
    for (bool more = true; more;) { /* quick answers until one is proved */
        const taskfit_pricing_result result = taskfit_pricer_ask(pricer, &query, brancher->budget);
        more = result.best > query.above && result.bound > result.best;
        most = result.bound;
        query.above = result.best;
    }
    const int64_t at_least = worth - (r->decision.n_instances - 1) * most;
    listing l = {.brancher = brancher, .columns = taskfit_columns_new(brancher->arena, r), .n_profiles = r->decision.n_profiles};
    query.above = at_least;
    query.found = note;
    query.found_arg = &l;
    const bool all = at_least > 0 && taskfit_pricer_list(pricer, &query, MOST_PATTERNS, brancher->budget);
    taskfit_arena_free(scratch);
    if (!all) {
        return false;
    }
    brancher->price = price;
    brancher->at_least = at_least;
    brancher->all = l.columns;
    return true;
}
