#ifndef TASKFIT_SOLVE_MOVES_MASTER_H
#define TASKFIT_SOLVE_MOVES_MASTER_H

/*
 * The linear relaxation of a board: which contents for which stand, and for new instances, so that most tasks stay?
 *
 *     maximize  sum kept x
 *     cover[p,U]:   sum over the columns of zones in U   a[p] x  >= what the zones in U must hold of p
 *     stand[i]:     sum over the columns of stand i           x  <= 1       (= 1 where the stand is said to stay)
 *     choice[c]:    sum over the columns of its stands        x  <= n_choose
 *     new[k]:       sum over the columns of new instances     x  <= n_new
 *     cap[p,U]:     sum over the stands of zones in U   kept[p] x  <= what the zones in U may hold of p
 *
 * where kept[p] = min(before[p], a[p]). moves_bound.c says what is proved with its prices; moves_price.c asks for columns.
 */

#include "solve/glpk_lp.h"
#include "solve/moves_board.h"
#include "solve/pattern.h"
#include "solve/pricing.h"

typedef enum taskfit_moves_state { TASKFIT_MOVES_FREE, TASKFIT_MOVES_STAYS, TASKFIT_MOVES_GOES } taskfit_moves_state;

/* A part of the board's question: bounds on the content of each stand, should it stay, and which ones stay or go for sure. */
typedef struct taskfit_moves_node {
    const int64_t **low, **high; /* [n_stands] of [n_profiles]; shared with other nodes where they are the same */
    taskfit_moves_state *state;  /* [n_stands] */
} taskfit_moves_node;

typedef enum taskfit_moves_row_type {
    TASKFIT_MOVES_COVER,
    TASKFIT_MOVES_STAND,
    TASKFIT_MOVES_CHOICE,
    TASKFIT_MOVES_NEW,
    TASKFIT_MOVES_CAP
} taskfit_moves_row_type;

typedef struct taskfit_moves_row {
    taskfit_moves_row_type type;
    size_t index;   /* profile, stand, choice or kind */
    uint64_t zones; /* U, a bit each: cover and cap */
    int64_t bound;
    bool basic, spare_basic; /* itself and the column that stands in for what it lacks */
} taskfit_moves_row;

typedef struct taskfit_moves_column {
    size_t block; /* a stand, or n_stands + kind */
    size_t pattern;
    int64_t kept;
    bool shut; /* not in the present node */
    bool basic;
} taskfit_moves_column;

typedef struct taskfit_moves_master taskfit_moves_master;

/* Of the prices that bound the board. In whole numbers; `unit` is the price of one task that stays. */
typedef struct taskfit_moves_prices {
    int64_t unit;
    int64_t *task;  /* [n_profiles][n_zones] what a task is worth */
    int64_t *bonus; /* [n_profiles][n_zones] what it is worth more, or less, when it stays */
    int64_t caps;   /* sum over cap rows of price times bound: what bonus was lowered by */
} taskfit_moves_prices;

struct taskfit_moves_master {
    taskfit_arena *arena;
    const taskfit_moves_board *board;
    taskfit_budget *budget;
    taskfit_pattern_pool *pool;
    taskfit_lp *lp;
    taskfit_moves_row *rows;
    size_t n_rows, rows_capacity;
    taskfit_moves_column *columns;
    size_t n_columns, columns_capacity;
    const taskfit_moves_node *node;
    double penalty;                   /* for what no column covers */
    bool spare;                       /* something is not covered */
    taskfit_moves_prices dual, smooth, center;
    int64_t *pay;                     /* [n_blocks] what the master pays for a column already */
    int64_t center_bound;             /* what it proves, times its unit; INT64_MAX: there is no center */
    struct taskfit_moves_pricer *pricers; /* [n_blocks] */
    taskfit_pricer_tables *tables;
    int64_t *worth;                   /* [n_blocks] no content is worth more at the prices asked last */
    int64_t *sorted;                  /* [n_stands] scratch */
    int64_t *tasks;                   /* [n_profiles] scratch */
    size_t *entry_rows;
    double *entry_values;
    size_t entries_capacity;
    bool dual_first;
    bool inherited; /* there are prices to begin with */
};

/* Up to 64 zones. Free it: GLPK holds a part of it. */
taskfit_moves_master *taskfit_moves_master_new(taskfit_arena *arena, const taskfit_moves_board *board, taskfit_budget *budget);
void taskfit_moves_master_free(taskfit_moves_master *master);

/* Begins with the penalty and the prices of a coarser board's master. */
void taskfit_moves_master_inherit(taskfit_moves_master *master, const taskfit_moves_master *from);

typedef enum taskfit_moves_effort {
    TASKFIT_MOVES_ROOT,    /* the penalty may rise and stays so */
    TASKFIT_MOVES_PROVING, /* it may rise for the node */
    TASKFIT_MOVES_BRIEFLY  /* it does not: a node that holds no placement may seem to */
} taskfit_moves_effort;

/* Generates columns for the node until its bound is as good as it gets, or not above `target`, or the budget is spent. Returns
 * the bound: no placement within the node keeps more, -1: there is none. True in *solved_out: the columns have
 * values, which cover all but what master->spare tells of. */
int64_t taskfit_moves_master_solve(taskfit_moves_master *master, const taskfit_moves_node *node, taskfit_moves_effort effort,
                                   int64_t target, bool *solved_out);
double taskfit_moves_master_value(const taskfit_moves_master *master, size_t column);

/* ---- for moves_price.c ---- */

static inline size_t taskfit_moves_n_blocks(const taskfit_moves_board *board) {
    return board->n_stands + board->decision->n_kinds;
}

/* The kind of a block. */
static inline size_t taskfit_moves_kind_of(const taskfit_moves_board *board, size_t block) {
    return block < board->n_stands ? board->stands[block].kind : block - board->n_stands;
}

/* Adds the column for these tasks[n_profiles] unless it is there. */
bool taskfit_moves_master_add(taskfit_moves_master *master, size_t block, const int64_t *tasks);

typedef enum taskfit_moves_pass { /* of pricing, each only when the one before found no column */
    TASKFIT_MOVES_SMOOTH,
    TASKFIT_MOVES_QUICK,
    TASKFIT_MOVES_THOROUGH,
    TASKFIT_MOVES_PROVED,
    TASKFIT_MOVES_N_PASSES
} taskfit_moves_pass;

void taskfit_moves_price_init(taskfit_moves_master *master);
void taskfit_moves_price_free(taskfit_moves_master *master);
/* Prices every block that the node leaves: new columns, and master->worth. False: some instance can hold nothing at all. */
bool taskfit_moves_price(taskfit_moves_master *master, const taskfit_moves_prices *prices, taskfit_moves_pass pass,
                         size_t *n_new_out);

/* ---- for moves_bound.c ---- */

void taskfit_moves_prices_init(taskfit_moves_prices *prices, const taskfit_decision *decision, taskfit_arena *arena);
/* master->dual and master->pay from the solution. */
void taskfit_moves_prices_read(taskfit_moves_master *master);
/* Half-way to the center; false: there is none. */
bool taskfit_moves_prices_smooth(taskfit_moves_master *master);
/* unit * kept is at most this, as the prices prove once every block was priced. -1: there is no placement. */
int64_t taskfit_moves_prices_bound(taskfit_moves_master *master, const taskfit_moves_prices *prices);
/* Keeps the prices as the center if they prove more than it does. */
void taskfit_moves_prices_center(taskfit_moves_master *master, const taskfit_moves_prices *prices, int64_t bound);

#endif
