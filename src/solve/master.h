#ifndef TASKFIT_SOLVE_MASTER_H
#define TASKFIT_SOLVE_MASTER_H

/*
 * The restricted master program of a residual decision: which patterns, how often (fractionally)?
 *
 *     minimize  N theta
 *     cover[p]:       sum over columns  a[p] x  >= tasks[p]            (the whole fleet, or one class of zones)
 *     block[b]:       sum over columns of b  x  <= count[b] theta
 *     subset rows     cuts, only where all patterns are listed (subset_rows.h)
 *
 * N = instances. The fleet, scaled by theta, holds all tasks fractionally; theta > 1 refutes the decision. With
 * one block, block[b] falls away and the objective is sum x: the number of instances.
 * Integer prices come from the duals: `scale` stands for 1. What is proved with them is proved in integers.
 */

#include "solve/glpk_lp.h"
#include "solve/pattern.h"
#include "solve/pricing.h"
#include "solve/residual.h"

typedef struct taskfit_column {
    size_t pattern; /* of the pool */
    size_t block;
    bool basic;
    bool shut;      /* suits no instance that is left, or is taboo: stays 0, only there for the basis */
    size_t n_merges; /* shut: its pattern speaks of profiles as after the first n_merges of the residual; SIZE_MAX: all */
} taskfit_column;

typedef struct taskfit_cover_row {
    size_t profile;
    size_t zone_class; /* SIZE_MAX: all zones */
    bool basic;
    bool artificial; /* its artificial column is basic */
} taskfit_cover_row;

typedef struct taskfit_subset_row {
    size_t members[3]; /* profiles */
    bool basic;
    bool artificial;
} taskfit_subset_row;

/* What one master hands to the next: columns and rows with their basis. Rows ascend by profile; those of profiles merged into
 * others stay, as rows of the same tasks, so that the basis fits after a merge. */
typedef struct taskfit_columns {
    taskfit_column *columns;
    size_t n_columns, capacity;
    taskfit_cover_row *rows;
    size_t n_rows;
    taskfit_subset_row *subset_rows;
    size_t n_subset_rows;
    bool *block_basic; /* [n_blocks] */
    bool theta_basic;
    bool has_basis;
} taskfit_columns;

typedef struct taskfit_master {
    taskfit_arena *arena;
    const taskfit_residual *residual;
    taskfit_pattern_pool *pool;
    taskfit_columns list; /* its own copy, kept in step with lp */
    taskfit_lp *lp;
    size_t first_column;  /* of lp: artificial columns and theta come before */
    size_t theta;         /* column of lp; SIZE_MAX with one block */
    int64_t *block_count; /* [n_blocks] */
    int64_t scale;        /* of the prices */
    int64_t *price;       /* [n_classes][n_profiles] what a task is worth, after a solve */
    double *dual;         /* the same as GLPK has it */
    int64_t *pay;         /* [n_blocks] what the master pays for a pattern already */
    bool artificial;      /* some tasks are not covered by any pattern yet */
    bool dual_first;
    size_t *first_row;  /* [n_profiles + 1] of each profile in the list of rows */
    size_t *next;       /* [n_profiles] the next profile that is merged into the same one; SIZE_MAX: none */
    size_t first_subset_row;  /* of lp: cover rows and blocks come before */
    size_t *first_subset;     /* [n_profiles + 1] of each profile in subset_of */
    size_t *subset_of;        /* subset rows by member */
    int64_t *subset_price;    /* [n_subset_rows] what one of the right side is worth */
    size_t *touched;          /* [n_subset_rows] scratch: rows that a pattern has members of */
    int64_t *n_members;       /* [n_subset_rows] how many; 0 outside of use */
    size_t *entry_rows;       /* [rows of lp] scratch for a column */
    double *entry_values;
} taskfit_master;

/* The rows a root needs: whole-fleet covers, and covers of a class of zones where its windows bind. */
taskfit_columns *taskfit_columns_new(taskfit_arena *arena, const taskfit_residual *residual);
taskfit_columns *taskfit_columns_copy(taskfit_arena *arena, const taskfit_columns *columns, size_t n_blocks);
void taskfit_columns_add(taskfit_arena *arena, taskfit_columns *columns, size_t pattern, size_t block);

/* Owns a GLPK object: free it. Columns that suit no instance left are shut; `columns` is only read. */
taskfit_master *taskfit_master_new(taskfit_arena *arena, const taskfit_residual *residual, taskfit_pattern_pool *pool,
                                   const taskfit_columns *columns);
void taskfit_master_free(taskfit_master *master);
void taskfit_master_add(taskfit_master *master, size_t pattern, size_t block);
/* False: GLPK gave no optimum. Otherwise prices, pay and values are there, and the basis is in `list`. */
bool taskfit_master_solve(taskfit_master *master, taskfit_budget *budget);
/* Asks for up to a thousandth more of each row, as `salt` decides (0: as it was): where many duals are optimal, each
 * salt shows another one. */
void taskfit_master_perturb(taskfit_master *master, uint64_t salt);
/* Instances the fractional cover needs, when the fleet is scaled in proportion. */
double taskfit_master_objective(const taskfit_master *master);
double taskfit_master_value(const taskfit_master *master, size_t column);
double taskfit_master_reduced_cost(const taskfit_master *master, size_t column);
/* The least that all tasks together are worth at the present prices, wherever the windows let them stand. */
int64_t taskfit_master_worth(const taskfit_master *master);
/* What the subset rows add to that, and to the worth of a pattern. */
int64_t taskfit_master_subset_worth(const taskfit_master *master);
int64_t taskfit_master_subset_pay(const taskfit_master *master, const taskfit_pattern *pattern);
/* The same at prices of another source: [n_classes][n_profiles]. */
int64_t taskfit_master_worth_at(const taskfit_master *master, const int64_t *price);

#endif
