#include "solve/branch.h"

#include <string.h>

#include "solve/dive.h"
#include "solve/split.h"
#include "solve/subset_rows.h"

enum { MAX_DEPTH = 400, NODES_TO_A_DIVE = 16, ROOT_ROUNDS = 20, ROUNDS = 2, ROWS_A_ROUND = 60 };

typedef struct node {
    taskfit_residual *residual;
    taskfit_columns *columns; /* of its master to begin with */
    taskfit_columns *all;     /* all patterns of use; NULL: not known */
} node;

typedef struct tree {
    const taskfit_brancher *with;
    taskfit_arena *arena; /* of the node in work */
    taskfit_arena *answers;
    taskfit_answer answer; /* FITS once found */
    taskfit_proof proof;
    bool open; /* some node could not be decided */
    int64_t n_nodes;
} tree;

/* ---- columns of a branch ---- */

/* Among all patterns of use, a part of a pattern is one of them only if it is worth enough. */
static bool of_use(const tree *t, const taskfit_residual *r, const int64_t *tasks) {
    if (t->with->price == NULL) {
        return true;
    }
    int64_t worth = 0;
    for (size_t p = 0; p < r->decision.n_profiles; p++) {
        worth += tasks[p] * t->with->price[p];
    }
    for (size_t i = 0; i < r->n_merges; i++) { /* a task that others were merged into stands for all of them */
        const size_t other = r->merges[i].b;
        worth += tasks[taskfit_residual_root(r, other)] * t->with->price[other];
    }
    return worth >= t->with->at_least;
}

static void add_column(const tree *t, const taskfit_residual *r, taskfit_columns *list, const int64_t *tasks, size_t block) {
    if (of_use(t, r, tasks)) {
        taskfit_columns_add(t->arena, list, taskfit_pattern_pool_add(t->with->pool, tasks, r->decision.n_profiles), block);
    }
}

/* A pattern with both becomes two with one of them each. */
static void part_pairs(const tree *t, const taskfit_residual *r, const taskfit_split *s, taskfit_columns *list) {
    int64_t *tasks = TASKFIT_ARRAY(t->arena, r->decision.n_profiles, int64_t);
    const size_t n_columns = list->n_columns;
    for (size_t i = 0; i < n_columns; i++) {
        taskfit_pattern_expand(&t->with->pool->patterns[list->columns[i].pattern], tasks, r->decision.n_profiles);
        if (list->columns[i].shut || tasks[s->profile] == 0 || tasks[s->other] == 0) {
            continue;
        }
        const size_t block = list->columns[i].block;
        list->columns[i].shut = true;
        tasks[s->profile] = 0;
        add_column(t, r, list, tasks, block);
        tasks[s->profile] = 1;
        tasks[s->other] = 0;
        add_column(t, r, list, tasks, block);
    }
}

/* A pattern with both holds the merged task; one with half of it loses that. The linear program stays the same but for
 * columns with a half, which are fixed to 0: they stay as long as the basis needs them. */
static void join_pairs(const tree *t, const taskfit_residual *r, const taskfit_split *s, taskfit_columns *list) {
    int64_t *tasks = TASKFIT_ARRAY(t->arena, r->decision.n_profiles, int64_t);
    const size_t n_columns = list->n_columns;
    size_t kept = 0;
    taskfit_columns halves = {.n_columns = 0};
    for (size_t i = 0; i < n_columns; i++) {
        taskfit_column column = list->columns[i];
        taskfit_pattern_expand(&t->with->pool->patterns[column.pattern], tasks, r->decision.n_profiles);
        const bool whole = tasks[s->profile] == tasks[s->other];
        if (!column.shut && !whole) {
            const int64_t first = tasks[s->profile];
            const int64_t second = tasks[s->other];
            tasks[s->profile] = tasks[s->other] = 0;
            add_column(t, r, &halves, tasks, column.block);
            tasks[s->profile] = first;
            tasks[s->other] = second;
            column.shut = true;
        }
        if (column.shut && column.n_merges == SIZE_MAX) {
            column.n_merges = r->n_merges - 1;
        } else if (!column.shut) {
            tasks[s->other] = 0;
            column.pattern = taskfit_pattern_pool_add(t->with->pool, tasks, r->decision.n_profiles);
        }
        if (column.basic || !column.shut) {
            list->columns[kept++] = column;
        }
    }
    list->n_columns = kept;
    for (size_t i = 0; i < halves.n_columns; i++) {
        taskfit_columns_add(t->arena, list, halves.columns[i].pattern, halves.columns[i].block);
    }
}

/* What the block had, its new half has too. The new block's row joins the basis; where there was one block only, theta
 * does so too, and is what the old block needs. */
static void share_columns(const tree *t, const taskfit_residual *r, const taskfit_split *s, taskfit_columns *list) {
    const size_t n_columns = list->n_columns;
    for (size_t i = 0; i < n_columns; i++) {
        if (list->columns[i].block == s->block && !list->columns[i].shut) {
            taskfit_columns_add(t->arena, list, list->columns[i].pattern, r->n_blocks - 1);
        }
    }
    bool *block_basic = TASKFIT_ARRAY(t->arena, r->n_blocks, bool);
    memcpy(block_basic, list->block_basic, (r->n_blocks - 1) * sizeof *block_basic);
    block_basic[r->n_blocks - 1] = true;
    if (r->n_blocks == 2) {
        list->theta_basic = true;
        block_basic[0] = false;
    }
    list->block_basic = block_basic;
}

/* Patterns above the upper bounds of a kind, cut down to them: else a list of all would miss some. */
static void add_trimmed(const tree *t, const taskfit_residual *r, taskfit_columns *list) {
    const size_t n = r->decision.n_profiles;
    int64_t *tasks = TASKFIT_ARRAY(t->arena, n, int64_t);
    const size_t n_columns = list->n_columns;
    for (size_t i = 0; i < n_columns; i++) {
        const taskfit_column column = list->columns[i];
        const taskfit_pattern *pattern = &t->with->pool->patterns[column.pattern];
        for (size_t k = 0; k < r->decision.n_kinds && !column.shut; k++) {
            bool cut = false;
            for (size_t part = 0; part < pattern->n_parts && r->block[k] == column.block && r->kinds[k].count > 0; part++) {
                cut = cut || pattern->parts[part].count > r->kinds[k].high[pattern->parts[part].profile];
            }
            if (cut) {
                taskfit_pattern_expand(pattern, tasks, n);
                for (size_t p = 0; p < n; p++) {
                    tasks[p] = tasks[p] > r->kinds[k].high[p] ? r->kinds[k].high[p] : tasks[p];
                }
                add_column(t, r, list, tasks, column.block);
            }
        }
    }
}

static void adapt(const tree *t, const taskfit_residual *r, const taskfit_split *s, bool second, taskfit_columns *list) {
    switch (s->type) {
    case TASKFIT_SPLIT_PAIR:
        if (second) {
            part_pairs(t, r, s, list);
        } else {
            join_pairs(t, r, s, list);
        }
        break;
    case TASKFIT_SPLIT_KIND:
        share_columns(t, r, s, list);
        break;
    case TASKFIT_SPLIT_WINDOW:
    case TASKFIT_SPLIT_NONE:
        break;
    }
    add_trimmed(t, r, list);
}

static node make_branch(const tree *t, const node *at, const taskfit_master *master, const taskfit_split *s, bool second) {
    const size_t n_blocks = master->residual->n_blocks;
    node child = {.residual = taskfit_residual_copy(t->arena, master->residual),
                  .columns = taskfit_columns_copy(t->arena, &master->list, n_blocks),
                  .all = at->all != NULL ? taskfit_columns_copy(t->arena, at->all, n_blocks) : NULL};
    taskfit_split_apply(s, second, t->arena, child.residual);
    if (child.residual->decision.impossible) {
        return child;
    }
    adapt(t, child.residual, s, second, child.columns);
    if (child.all != NULL) {
        adapt(t, child.residual, s, second, child.all);
    }
    return child;
}

/* ---- the tree ---- */

static bool visit(tree *t, node *at, int depth);

static bool dive_once(tree *t, const node *at, const taskfit_master *master) {
    const taskfit_dive_settings settings = {.nodes = master->residual->decision.n_instances + 10, .all = at->all, .stage = "branch"};
    return taskfit_dive(master->residual, t->with->pool, &master->list, &settings, t->with->budget, t->answers, &t->answer);
}

/* The fractional cover is within the fleet: round it, or split. */
static bool descend(tree *t, const node *at, const taskfit_master *master, int depth) {
    const taskfit_split s = taskfit_split_find(master, t->arena);
    bool found = false;
    if (s.type == TASKFIT_SPLIT_NONE || t->n_nodes++ % NODES_TO_A_DIVE == 0) {
        found = dive_once(t, at, master);
    }
    if (!found && (s.type == TASKFIT_SPLIT_NONE || depth >= MAX_DEPTH)) {
        t->open = true;
    }
    for (int second = 0; second < 2 && !found && !t->open; second++) {
        node child = make_branch(t, at, master, &s, second == 1);
        found = visit(t, &child, depth + 1);
    }
    return found;
}

/* What is left of the list: with V the most and W the least that an instance and all tasks can be worth, no instance of
 * a plan holds less than W - (N - 1) V. */
static void shorten_list(node *at, const taskfit_master *master) {
    const taskfit_residual *r = master->residual;
    const taskfit_columns *all = at->all;
    if (r->decision.n_kinds != 1) {
        return;
    }
    int64_t most = 0;
    taskfit_arena *scratch = taskfit_arena_new();
    int64_t *worth = TASKFIT_ARRAY(scratch, all->n_columns, int64_t);
    for (size_t i = 0; i < all->n_columns; i++) {
        const taskfit_pattern *pattern = &master->pool->patterns[all->columns[i].pattern];
        if (!all->columns[i].shut && taskfit_pattern_suits(pattern, &r->kinds[0], r->decision.n_profiles)) {
            worth[i] = taskfit_pattern_worth(pattern, master->price) + taskfit_master_subset_pay(master, pattern);
            most = worth[i] > most ? worth[i] : most;
        }
    }
    const int64_t at_least =
        taskfit_master_worth(master) + taskfit_master_subset_worth(master) - (r->decision.n_instances - 1) * most;
    size_t kept = 0;
    for (size_t i = 0; i < all->n_columns; i++) {
        at->all->columns[kept] = all->columns[i];
        kept += worth[i] >= at_least && worth[i] > 0;
    }
    if (at_least > 0) {
        at->all->n_columns = kept;
    }
    taskfit_arena_free(scratch);
}

/* Solves the master of the node; with a list of all patterns also cuts, again and again, what no plan is. */
static taskfit_generated solve_node(const tree *t, node *at, int depth, taskfit_master **master) {
    taskfit_generator generator = {.all = at->all, .converge = at->all != NULL && depth == 0};
    *master = taskfit_master_new(t->arena, at->residual, t->with->pool, at->columns);
    taskfit_generated result = taskfit_generate(&generator, *master, t->with->budget);
    const int rounds = at->all == NULL ? 0 : depth == 0 ? ROOT_ROUNDS : ROUNDS;
    for (int round = 0; round < rounds && result == TASKFIT_GENERATED_FITS; round++) {
        size_t n = 0;
        const taskfit_subset_row *rows = taskfit_subset_rows_find(*master, ROWS_A_ROUND, t->arena, &n);
        if (n == 0) {
            break;
        }
        taskfit_columns *columns = taskfit_columns_copy(t->arena, &(*master)->list, at->residual->n_blocks);
        taskfit_subset_rows_add(t->arena, columns, rows, n);
        taskfit_master_free(*master);
        *master = taskfit_master_new(t->arena, at->residual, t->with->pool, columns);
        result = taskfit_generate(&generator, *master, t->with->budget);
    }
    if (at->all != NULL && result == TASKFIT_GENERATED_FITS) {
        shorten_list(at, *master);
    }
    return result;
}

static bool visit_here(tree *t, node *at, int depth) {
    taskfit_master *master = NULL;
    bool found = false;
    switch (solve_node(t, at, depth, &master)) {
    case TASKFIT_GENERATED_REFUTED:
        break;
    case TASKFIT_GENERATED_OVER:
        t->proof = TASKFIT_PROOF_SOLVER;
        break;
    case TASKFIT_GENERATED_STOPPED:
        t->open = true;
        break;
    case TASKFIT_GENERATED_FITS:
        found = descend(t, at, master, depth);
        break;
    }
    taskfit_master_free(master);
    return found;
}

static bool visit(tree *t, node *at, int depth) {
    if (at->residual->decision.impossible) {
        return false;
    }
    if (!taskfit_budget_spend(t->with->budget, 1)) {
        t->open = true;
        return false;
    }
    taskfit_arena *outer = t->arena;
    t->arena = taskfit_arena_new();
    const bool found = visit_here(t, at, depth);
    taskfit_arena_free(t->arena);
    t->arena = outer;
    return found;
}

taskfit_answer taskfit_branch(const taskfit_brancher *brancher, const taskfit_residual *residual,
                              const taskfit_columns *columns, taskfit_arena *answers) {
    tree t = {.with = brancher, .arena = brancher->arena, .answers = answers, .proof = TASKFIT_PROOF_EXACT};
    node root = {.residual = taskfit_residual_copy(brancher->arena, residual),
                       .columns = taskfit_columns_copy(brancher->arena, columns, residual->n_blocks),
                       .all = brancher->all};
    if (visit(&t, &root, 0)) {
        return t.answer;
    }
    if (t.open) {
        return (taskfit_answer){.verdict = TASKFIT_VERDICT_OPEN, .stage = "branch"};
    }
    return (taskfit_answer){.verdict = TASKFIT_VERDICT_REFUTED, .proof = t.proof, .stage = "branch"};
}
