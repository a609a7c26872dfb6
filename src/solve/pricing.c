/*
 * max sum_p price[p] a[p]   subject to   sum_p demand[p][d] a[p] <= capacity[d],  low <= a <= high,  conflicts
 *
 * This file makes the knapsack of a kind: what is beyond its lows, in the dimensions that can bind, each divided by what
 * its demands have in common; and it decides how long to search and by which bounds (pricing_dominance.c, pricing_bound.c,
 * pricing_search.c).
 */
#include <assert.h>
#include <string.h>

#include "solve/pricing_inside.h"

enum { QUICK_NODES = 20000, LIST_NODES = 20 * 1000 * 1000 };

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
                               .scale = TASKFIT_ARRAY(arena, decision->n_dims, int64_t),
                               .used = TASKFIT_ARRAY(arena, decision->n_dims, int64_t),
                               .items = TASKFIT_ARRAY(arena, n, taskfit_item),
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

/* ---- queries ---- */

static int64_t list_items(taskfit_pricer *pricer, const int64_t *price, bool worthless_too) {
    const size_t n = pricer->decision->n_profiles;
    int64_t start = 0;
    pricer->n_items = 0;
    for (size_t p = 0; p < n; p++) {
        assert(price[p] >= 0 && price[p] <= TASKFIT_PRICE_MAX);
        start += price[p] * pricer->kind->low[p];
        if ((price[p] > 0 || worthless_too) && pricer->most[p] > 0) {
            pricer->items[pricer->n_items++] = (taskfit_item){.profile = p,
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
    taskfit_pricer_drop_dominated(pricer);
    taskfit_pricer_weigh(pricer);
    if (pricer->tough && query->quick_nodes == 0) {
        taskfit_pricer_build_tables(pricer, TASKFIT_SMALL_TABLE_CELLS);
    }
    taskfit_pricer_search(pricer, start, query->quick_nodes > 0 ? query->quick_nodes : QUICK_NODES);
    if (query->quick_nodes == 0) {
        pricer->tough = pricer->cut_short || (pricer->tough && pricer->nodes > QUICK_NODES / 4);
    }
    if (pricer->cut_short && query->thorough && pricer->best == query->above) {
        taskfit_pricer_build_tables(pricer, TASKFIT_TABLE_CELLS);
        taskfit_pricer_search(pricer, start, INT64_MAX);
    }
    return (taskfit_pricing_result){
        .feasible = true, .best = pricer->best, .bound = larger(pricer->best, pricer->open_bound)};
}

bool taskfit_pricer_list(taskfit_pricer *pricer, const taskfit_pricing_query *query, int64_t most,
                         taskfit_budget *budget) {
    if (!pricer->feasible) {
        return true;
    }
    pricer->query = query;
    pricer->budget = budget;
    pricer->best = query->above;
    pricer->left_to_list = most;
    const int64_t start = list_items(pricer, query->price, true);
    taskfit_pricer_weigh(pricer);
    taskfit_pricer_build_tables(pricer, TASKFIT_TABLE_CELLS);
    taskfit_pricer_search_all(pricer, start, LIST_NODES);
    return !pricer->cut_short;
}
