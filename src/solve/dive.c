#include "solve/dive.h"

#include <assert.h>
#include <math.h>

enum { MAX_CHOICES = TASKFIT_DIVE_DISCREPANCIES + 1 };

typedef struct diver {
    const taskfit_dive_settings *settings;
    taskfit_pattern_pool *pool;
    taskfit_budget *budget;
    taskfit_arena *answers;
    taskfit_answer *answer;
    taskfit_column taboo[64];
    size_t n_taboo;
    int64_t nodes_left;
} diver;

typedef struct choice {
    taskfit_column column;
    double value;
} choice;

/* What is read from a solved master, which then can go: on the way down many would pile up. */
typedef struct level {
    taskfit_arena *scratch;
    const taskfit_residual *residual;
    taskfit_columns *columns;
    choice *whole; /* columns with a whole part */
    size_t n_whole;
    choice choices[MAX_CHOICES]; /* the largest values, the largest first */
    size_t n_choices;
} level;

/* Puts the pattern on up to n instances in place; returns how many it took until the windows refused. */
static int64_t fill_in_place(taskfit_arena *arena, taskfit_residual *residual, size_t block, const int64_t *tasks, int64_t n,
                             bool cut) {
    int64_t filled = 0;
    while (filled < n && !residual->decision.impossible) {
        size_t kind = taskfit_residual_kind_for(residual, block, tasks, false);
        kind = kind == SIZE_MAX && cut ? taskfit_residual_kind_for(residual, block, tasks, true) : kind;
        if (kind == SIZE_MAX) {
            break;
        }
        taskfit_residual_fill(arena, residual, kind, tasks);
        filled++;
    }
    return filled;
}

/* The residual with the pattern on up to n more instances, as many as the windows allow; NULL: none. */
static taskfit_residual *fill_some(const diver *dv, taskfit_arena *arena, const taskfit_residual *residual,
                                   const taskfit_column *column, int64_t n, bool cut) {
    const size_t n_profiles = residual->decision.n_profiles;
    int64_t *tasks = TASKFIT_ARRAY(arena, n_profiles, int64_t);
    taskfit_pattern_expand(&dv->pool->patterns[column->pattern], tasks, n_profiles);
    while (n > 0) {
        taskfit_residual *trial = taskfit_residual_copy(arena, residual);
        const int64_t filled = fill_in_place(arena, trial, column->block, tasks, n, cut);
        if (!trial->decision.impossible) {
            return filled > 0 ? trial : NULL;
        }
        n = filled - 1; /* the last one broke a window: again without it */
    }
    return NULL;
}

static void note_choice(level *at, size_t most, choice candidate) {
    size_t i = at->n_choices < most ? at->n_choices++ : most;
    for (; i > 0 && at->choices[i - 1].value < candidate.value; i--) {
        if (i < most) {
            at->choices[i] = at->choices[i - 1];
        }
    }
    if (i < most) {
        at->choices[i] = candidate;
    }
}

static void read_master(level *at, const taskfit_master *master, size_t discrepancies) {
    at->columns = taskfit_columns_copy(at->scratch, &master->list, master->residual->n_blocks);
    at->whole = TASKFIT_ARRAY(at->scratch, master->list.n_columns, choice);
    for (size_t i = 0; i < master->list.n_columns; i++) {
        const choice candidate = {.column = master->list.columns[i], .value = taskfit_master_value(master, i)};
        if (candidate.value >= 1.0 - 1e-6) {
            at->whole[at->n_whole++] = candidate;
        }
        if (candidate.value > 1e-6) {
            note_choice(at, discrepancies + 1, candidate);
        }
    }
}

/* Solves the master of the level; false: no fractional cover within what is left. */
static bool solve_level(const diver *dv, level *at, const taskfit_columns *columns, size_t discrepancies) {
    taskfit_columns *open = taskfit_columns_copy(at->scratch, columns, at->residual->n_blocks);
    for (size_t i = 0; i < open->n_columns; i++) {
        for (size_t t = 0; t < dv->n_taboo; t++) {
            open->columns[i].shut = open->columns[i].shut || (open->columns[i].pattern == dv->taboo[t].pattern &&
                                                              open->columns[i].block == dv->taboo[t].block);
        }
    }
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_master *master = taskfit_master_new(arena, at->residual, dv->pool, open);
    taskfit_generator generator = {
        .all = dv->settings->all, .converge_if_tight = true, .taboo = dv->taboo, .n_taboo = dv->n_taboo};
    const bool fits = taskfit_generate(&generator, master, dv->budget) == TASKFIT_GENERATED_FITS;
    if (fits) {
        read_master(at, master, discrepancies);
    }
    taskfit_master_free(master);
    taskfit_arena_free(arena);
    return fits;
}

static bool dive(diver *dv, const taskfit_residual *residual, const taskfit_columns *columns, size_t discrepancies);

/* Fixes the whole parts of the solution; `cut`: those that no longer fit, in part. NULL when there are none, or the windows refuse them all. */
static const taskfit_residual *fill_whole_parts(const diver *dv, const level *at, bool cut) {
    const taskfit_residual *residual = at->residual;
    bool any = false;
    for (size_t i = 0; i < at->n_whole; i++) {
        const int64_t n = (int64_t)floor(at->whole[i].value + 1e-6);
        const taskfit_residual *filled = fill_some(dv, at->scratch, residual, &at->whole[i].column, n, cut);
        any = any || filled != NULL;
        residual = filled != NULL ? filled : residual;
    }
    return any ? residual : NULL;
}

static bool dive_by_choice(diver *dv, const level *at, size_t discrepancies) {
    const size_t n_taboo = dv->n_taboo;
    bool found = false;
    for (size_t i = 0; i < at->n_choices && i <= discrepancies && !found; i++) {
        const taskfit_residual *child = fill_some(dv, at->scratch, at->residual, &at->choices[i].column, 1, false);
        found = child != NULL && dive(dv, child, at->columns, discrepancies - i);
        assert(dv->n_taboo < sizeof dv->taboo / sizeof dv->taboo[0]);
        dv->taboo[dv->n_taboo++] = at->choices[i].column;
    }
    dv->n_taboo = n_taboo;
    return found;
}

static bool dive_below(diver *dv, level *at, const taskfit_columns *columns, size_t discrepancies) {
    if (!solve_level(dv, at, columns, discrepancies)) {
        return false;
    }
    /* A pattern that covers tasks twice is better priced anew than cut, but a list of all patterns has no others. */
    const taskfit_residual *child = fill_whole_parts(dv, at, dv->settings->all != NULL);
    child = child == NULL ? fill_whole_parts(dv, at, true) : child;
    if (child == NULL) {
        return dive_by_choice(dv, at, discrepancies);
    }
    return dive(dv, child, at->columns, discrepancies) || (discrepancies > 0 && dive_by_choice(dv, at, discrepancies - 1));
}

static bool dive(diver *dv, const taskfit_residual *residual, const taskfit_columns *columns, size_t discrepancies) {
    if (taskfit_residual_done(residual)) {
        *dv->answer = taskfit_residual_answer(dv->answers, residual, dv->settings->stage);
        return true;
    }
    if (residual->decision.impossible || residual->decision.n_instances == 0 || dv->nodes_left-- <= 0 ||
        !taskfit_budget_spend(dv->budget, 1)) {
        return false;
    }
    taskfit_arena *scratch = taskfit_arena_new();
    level at = {.scratch = scratch, .residual = residual};
    const bool found = dive_below(dv, &at, columns, discrepancies);
    taskfit_arena_free(scratch);
    return found;
}

bool taskfit_dive(const taskfit_residual *residual, taskfit_pattern_pool *pool, const taskfit_columns *columns,
                  const taskfit_dive_settings *settings, taskfit_budget *budget, taskfit_arena *answers,
                  taskfit_answer *answer_out) {
    assert(settings->discrepancies <= TASKFIT_DIVE_DISCREPANCIES);
    diver dv = {.settings = settings,
                .pool = pool,
                .budget = budget,
                .answers = answers,
                .answer = answer_out,
                .nodes_left = settings->nodes};
    return dive(&dv, residual, columns, settings->discrepancies);
}
