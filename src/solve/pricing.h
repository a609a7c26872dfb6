#ifndef TASKFIT_SOLVE_PRICING_H
#define TASKFIT_SOLVE_PRICING_H

/*
 * Which content of an instance is worth most, when each task of profile p has a price? A bounded knapsack of several
 * dimensions with conflicts and lower bounds, answered exactly in integers by branch and bound.
 * It serves column generation (any pattern worth more than the master pays) and proofs (no pattern is worth
 * more than the bound): both read the same two numbers.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "solve/decision.h"

#define TASKFIT_PRICE_MAX (INT64_C(1) << 30) /* of one task */

typedef struct taskfit_pricer taskfit_pricer; /* lives in its arena */

/* For the instances of one kind of the decision, which must outlive it. */
taskfit_pricer *taskfit_pricer_new(taskfit_arena *arena, const taskfit_decision *decision, size_t kind);

/* Tables are the large part of a pricer. Those that are asked one after the other may share them; `tables` outlives them. */
typedef struct taskfit_pricer_tables taskfit_pricer_tables;
taskfit_pricer_tables *taskfit_pricer_tables_new(taskfit_arena *arena);
void taskfit_pricer_share_tables(taskfit_pricer *pricer, taskfit_pricer_tables *tables);

typedef struct taskfit_pricing_query {
    const int64_t *price; /* [n_profiles], 0..TASKFIT_PRICE_MAX */
    int64_t above;        /* only patterns worth more are of interest */
    bool thorough;        /* false: give up early; true: until proved, or out of budget */
    int64_t quick_nodes;  /* when to give up; 0: as experience says */
    /* Called for each pattern that is better than all before it; tasks [n_profiles] is only lent. */
    void (*found)(void *arg, const int64_t *tasks, int64_t worth);
    void *found_arg;
} taskfit_pricing_query;

typedef struct taskfit_pricing_result {
    bool feasible; /* false: no content at all (lows do not fit): the rest is 0 */
    int64_t best;  /* worth of the best pattern found above `above`; `above` when there is none */
    int64_t bound; /* no pattern is worth more than this or `above`; equals `best` when proved */
} taskfit_pricing_result;

taskfit_pricing_result taskfit_pricer_ask(taskfit_pricer *pricer, const taskfit_pricing_query *query,
                                          taskfit_budget *budget);

/* Calls found for every content worth at least `above` to which no task can be added. False: more than `most` of
 * them, too long a search, or out of budget; some were told. `thorough` means nothing here. */
bool taskfit_pricer_list(taskfit_pricer *pricer, const taskfit_pricing_query *query, int64_t most,
                         taskfit_budget *budget);

#endif
