/*
 * Depth-first branch and bound over the profiles, those of the best price per surrogate weight first, as many tasks of each as fit first.
 */
#include <string.h>

#include "solve/pricing_inside.h"

enum { CHARGE_NODES = 1 << 16 /* the budget is asked that often */ };

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static int64_t fitting(const taskfit_pricer *pricer, const taskfit_item *it) {
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

static void put(taskfit_pricer *pricer, const taskfit_item *it, int64_t tasks) {
    pricer->tasks[it->profile] += tasks;
    for (size_t d = 0; d < pricer->n_dims; d++) {
        pricer->rest[d] -= tasks * it->weights[d];
    }
}

static void block_rivals(taskfit_pricer *pricer, const taskfit_item *it, int64_t by) {
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
        const taskfit_item *it = &pricer->items[i];
        const int64_t most = fitting(pricer, it);
        if (most == 0) {
            continue;
        }
        if (worth + taskfit_pricer_completion(pricer, i, room) <= pricer->best) {
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
            pricer->open_bound = larger(pricer->open_bound, worth + taskfit_pricer_completion(pricer, i, room));
            return;
        }
    }
}

void taskfit_pricer_search(taskfit_pricer *pricer, int64_t start, int64_t node_limit) {
    pricer->nodes = 0;
    pricer->node_limit = node_limit;
    pricer->cut_short = false;
    pricer->open_bound = INT64_MIN;
    memcpy(pricer->rest, pricer->capacity, pricer->n_dims * sizeof *pricer->rest);
    search(pricer, 0, start, pricer->surrogate_capacity);
    (void)taskfit_budget_spend(pricer->budget, pricer->nodes % CHARGE_NODES);
}

/* ---- all of them ---- */

/* Nothing that fits is left out. */
static bool is_full(const taskfit_pricer *pricer) {
    for (size_t i = 0; i < pricer->n_items; i++) {
        const taskfit_item *it = &pricer->items[i];
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
        const taskfit_item *it = &pricer->items[i];
        const int64_t most = fitting(pricer, it);
        if (most == 0) {
            continue;
        }
        if (worth + taskfit_pricer_completion(pricer, i, room) < pricer->best) {
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

void taskfit_pricer_search_all(taskfit_pricer *pricer, int64_t start, int64_t node_limit) {
    pricer->nodes = 0;
    pricer->node_limit = node_limit;
    pricer->cut_short = false;
    memcpy(pricer->rest, pricer->capacity, pricer->n_dims * sizeof *pricer->rest);
    list(pricer, 0, start, pricer->surrogate_capacity);
    (void)taskfit_budget_spend(pricer->budget, pricer->nodes % CHARGE_NODES);
}
