#ifndef TASKFIT_SOLVE_PRICING_INSIDE_H
#define TASKFIT_SOLVE_PRICING_INSIDE_H

/*
 * What the files of pricing share: the pricer, its items and the bounds on what they can still add. Only they include it.
 */

#include "solve/pricing.h"

typedef struct taskfit_item { /* a profile with a price, in search order */
    size_t profile;
    int64_t price;
    int64_t most;            /* tasks beyond low */
    int64_t undominated;     /* of them, those that dominance leaves */
    int64_t surrogate;       /* weight */
    const int64_t *weights;  /* [n_dims] */
} taskfit_item;

typedef struct taskfit_pricing_table { /* of one dimension: see pricing_bound.c */
    size_t dim;
    int64_t cell;    /* units of the dimension in a cell */
    int64_t n_cells; /* of a row: capacity / cell + 1 */
    int64_t *most;   /* [n_items + 1][n_cells] */
    size_t allocated;
} taskfit_pricing_table;

enum {
    TASKFIT_PRICING_TABLES = 3,
    TASKFIT_TABLE_CELLS = 1 << 22, /* for one dimension */
    TASKFIT_SMALL_TABLE_CELLS = 1 << 18
};

struct taskfit_pricer_tables {
    taskfit_arena *arena;
    taskfit_pricing_table items[TASKFIT_PRICING_TABLES];
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
    int64_t *scale, *used;       /* [n_dims] scratch of theirs */
    bool warm;                   /* multipliers of an earlier query */
    size_t **rivals;    /* [n_profiles] conflicting profiles; NULL without conflicts */
    size_t *n_rivals;
    /* of the present query */
    taskfit_item *items;
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

/* ---- pricing_dominance.c ---- */

/* Takes away the tasks that dominance makes needless: some best pattern does without them, but not every one. */
void taskfit_pricer_drop_dominated(taskfit_pricer *pricer);

/* ---- pricing_bound.c ---- */

/* Multipliers for the items of the present query, and the items in the order they make. */
void taskfit_pricer_weigh(taskfit_pricer *pricer);
/* Tables of the dimensions that bind most, of at most so many cells each. */
void taskfit_pricer_build_tables(taskfit_pricer *pricer, int64_t n_cells);
/* The most that the items from `first` on can add to the present content within `room` of surrogate weight. */
int64_t taskfit_pricer_completion(const taskfit_pricer *pricer, size_t first, int64_t room);

/* ---- pricing_search.c ---- */

/* Looks for contents worth more than pricer->best, beginning with `start`, the worth of the lows. */
void taskfit_pricer_search(taskfit_pricer *pricer, int64_t start, int64_t node_limit);
/* Tells all full contents worth at least pricer->best. */
void taskfit_pricer_search_all(taskfit_pricer *pricer, int64_t start, int64_t node_limit);

#endif
