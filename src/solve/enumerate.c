#include "solve/enumerate.h"

#include <string.h>

enum { MOST_PATTERNS = 20000 };

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

bool taskfit_enumerate(taskfit_brancher *brancher, const taskfit_master *master, taskfit_columns **columns_out) {
    const taskfit_residual *r = master->residual;
    if (r->n_blocks != 1 || r->decision.n_kinds != 1) {
        return false;
    }
    taskfit_arena *scratch = taskfit_arena_new();
    taskfit_pricer *pricer = taskfit_pricer_new(scratch, &r->decision, 0);
    taskfit_pricing_query query = {.price = master->price, .above = master->pay[0], .thorough = true};
    const int64_t most = taskfit_pricer_ask(pricer, &query, brancher->budget).bound;
    const int64_t worth = taskfit_master_worth(master);
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
    int64_t *price = TASKFIT_ARRAY(brancher->arena, r->decision.n_profiles, int64_t);
    memcpy(price, master->price, r->decision.n_profiles * sizeof *price);
    brancher->price = price;
    brancher->at_least = at_least;
    brancher->frozen = true;
    *columns_out = l.columns;
    return true;
}
