#include "solve/dive.h"

#include <assert.h>
#include <math.h>

enum { MAX_CHOICES = TASKFIT_DIVE_DISCREPANCIES + 1 };

typedef struct diver {
    taskfit_arena *arena;
    taskfit_pattern_pool *pool;
    taskfit_budget *budget;
    taskfit_column taboo[64];
    size_t n_taboo;
    int64_t nodes_left;
    bool frozen;
    const taskfit_residual *done;
} diver;

typedef struct choice {
    size_t column;
    double value;
} choice;

/* Puts the pattern on up to n instances; what the windows refuse stays undone. Returns how many. */
static int64_t fill_some(diver *dv, taskfit_residual **residual, const taskfit_column *column, int64_t n) {
    const size_t n_profiles = (*residual)->decision.n_profiles;
    int64_t *tasks = TASKFIT_ARRAY(dv->arena, n_profiles, int64_t);
    taskfit_pattern_expand(&dv->pool->patterns[column->pattern], tasks, n_profiles);
    int64_t filled = 0;
    for (; filled < n; filled++) {
        const size_t kind = taskfit_residual_kind_for(*residual, column->block, tasks);
        if (kind == SIZE_MAX) {
            break;
        }
        taskfit_residual *trial = taskfit_residual_copy(dv->arena, *residual);
        taskfit_residual_fill(dv->arena, trial, kind, tasks);
        if (trial->decision.impossible) {
            break;
        }
        *residual = trial;
    }
    return filled;
}

/* Fixes the whole parts of the solution; true when there were any. */
static bool fill_whole_parts(diver *dv, const taskfit_master *master, taskfit_residual **residual) {
    bool any = false;
    for (size_t i = 0; i < master->list.n_columns; i++) {
        const double value = taskfit_master_value(master, i);
        if (value >= 1.0 - 1e-6) {
            any = fill_some(dv, residual, &master->list.columns[i], (int64_t)floor(value + 1e-6)) > 0 || any;
        }
    }
    return any;
}

static size_t best_choices(const taskfit_master *master, choice *choices, size_t most) {
    size_t n = 0;
    for (size_t i = 0; i < master->list.n_columns; i++) {
        const double value = taskfit_master_value(master, i);
        if (value < 1e-6) {
            continue;
        }
        size_t at = n < most ? n++ : most;
        for (; at > 0 && choices[at - 1].value < value; at--) {
            if (at < most) {
                choices[at] = choices[at - 1];
            }
        }
        if (at < most) {
            choices[at] = (choice){.column = i, .value = value};
        }
    }
    return n;
}

static bool dive(diver *dv, const taskfit_residual *residual, const taskfit_columns *columns, size_t discrepancies);

static bool dive_by_choice(diver *dv, const taskfit_master *master, size_t discrepancies) {
    choice choices[MAX_CHOICES];
    const size_t n = best_choices(master, choices, discrepancies + 1);
    const size_t n_taboo = dv->n_taboo;
    bool found = false;
    for (size_t i = 0; i < n && !found; i++) {
        const taskfit_column *column = &master->list.columns[choices[i].column];
        taskfit_residual *child = taskfit_residual_copy(dv->arena, master->residual);
        if (fill_some(dv, &child, column, 1) > 0) {
            found = dive(dv, child, &master->list, discrepancies - i);
        }
        assert(dv->n_taboo < sizeof dv->taboo / sizeof dv->taboo[0]);
        dv->taboo[dv->n_taboo++] = *column;
    }
    dv->n_taboo = n_taboo;
    return found;
}

static bool dive_below(diver *dv, const taskfit_residual *residual, const taskfit_columns *columns, size_t discrepancies,
                       taskfit_arena *scratch) {
    taskfit_columns *open = taskfit_columns_copy(scratch, columns, residual->n_blocks);
    for (size_t i = 0; i < open->n_columns; i++) {
        for (size_t t = 0; t < dv->n_taboo; t++) {
            open->columns[i].shut = open->columns[i].shut || (open->columns[i].pattern == dv->taboo[t].pattern &&
                                                              open->columns[i].block == dv->taboo[t].block);
        }
    }
    taskfit_master *master = taskfit_master_new(scratch, residual, dv->pool, open);
    taskfit_generator generator = {.frozen = dv->frozen, .taboo = dv->taboo, .n_taboo = dv->n_taboo};
    bool found = false;

    if (taskfit_generate(&generator, master, dv->budget) == TASKFIT_GENERATED_FITS) {
        taskfit_residual *child = taskfit_residual_copy(dv->arena, residual);
        if (fill_whole_parts(dv, master, &child)) {
            found = dive(dv, child, &master->list, discrepancies) ||
                    (discrepancies > 0 && dive_by_choice(dv, master, discrepancies - 1));
        } else {
            found = dive_by_choice(dv, master, discrepancies);
        }
    }
    taskfit_master_free(master);
    return found;
}

static bool dive(diver *dv, const taskfit_residual *residual, const taskfit_columns *columns, size_t discrepancies) {
    if (taskfit_residual_done(residual)) {
        dv->done = residual;
        return true;
    }
    if (residual->decision.impossible || residual->decision.n_instances == 0 || dv->nodes_left-- <= 0 ||
        !taskfit_budget_spend(dv->budget, 1)) {
        return false;
    }
    taskfit_arena *scratch = taskfit_arena_new();
    const bool found = dive_below(dv, residual, columns, discrepancies, scratch);
    taskfit_arena_free(scratch);
    return found;
}

const taskfit_residual *taskfit_dive(taskfit_arena *arena, const taskfit_residual *residual, taskfit_pattern_pool *pool,
                                     const taskfit_columns *columns, const taskfit_dive_settings *settings,
                                     taskfit_budget *budget) {
    assert(settings->discrepancies <= TASKFIT_DIVE_DISCREPANCIES);
    diver dv = {.arena = arena, .pool = pool, .budget = budget, .nodes_left = settings->nodes, .frozen = settings->frozen};
    return dive(&dv, residual, columns, settings->discrepancies) ? dv.done : NULL;
}
