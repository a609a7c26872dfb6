#include "solve/compact.h"

#include <assert.h>

/*
 * Feasibility of
 *     sum_p demand[p,d] x[p,j] <= capacity[j,d]                  all instances j, dimensions d
 *     zone_low[p,z] <= sum_{j in z} x[p,j] <= zone_high[p,z]     all zones z
 *     sum_j x[p,j] = tasks[p]                                    all profiles p
 *     low[p,j] <= x[p,j] <= high[p,j], integer
 *     x[p,j] <= high[p,j] y[p,j],  y[p,j] + y[q,j] <= 1, binary  for conflicts {p, q}
 * Alike instances are put in the order of their load, so that their permutations are searched once.
 */

typedef struct model {
    const taskfit_decision *d;
    taskfit_arena *arena;
    taskfit_program *program;
    size_t n_instances;
    const taskfit_kind **kind_of; /* [n_instances] */
    size_t *x;                    /* [n_profiles][n_instances] */
} model;

static void add_columns(model *m) {
    const size_t n = m->n_instances;
    for (size_t p = 0; p < m->d->n_profiles; p++) {
        for (size_t j = 0; j < n; j++) {
            const taskfit_kind *kind = m->kind_of[j];
            m->x[p * n + j] = SIZE_MAX;
            if (kind->high[p] > 0) {
                const char *name = taskfit_arena_printf(m->arena, "x(%zu,%zu)", p + 1, j + 1);
                m->x[p * n + j] = taskfit_program_column(m->program, kind->low[p], kind->high[p], 0, name);
            }
        }
    }
}

static void add_entry(model *m, size_t row, size_t p, size_t j, int64_t value) {
    const size_t column = m->x[p * m->n_instances + j];
    if (column != SIZE_MAX) {
        taskfit_program_entry(m->program, row, column, value);
    }
}

static void add_capacity_rows(model *m) {
    for (size_t j = 0; j < m->n_instances; j++) {
        for (size_t dim = 0; dim < m->d->n_dims; dim++) {
            const char *name = taskfit_arena_printf(m->arena, "room(%zu,%zu)", j + 1, dim + 1);
            const size_t row =
                taskfit_program_row(m->program, TASKFIT_PROGRAM_NONE, m->kind_of[j]->capacity[dim], name);
            for (size_t p = 0; p < m->d->n_profiles; p++) {
                add_entry(m, row, p, j, m->d->profiles[p].demand[dim]);
            }
        }
    }
}

static void add_task_rows(model *m) {
    for (size_t p = 0; p < m->d->n_profiles; p++) {
        const taskfit_profile *profile = &m->d->profiles[p];
        const char *name = taskfit_arena_printf(m->arena, "tasks(%zu)", p + 1);
        const size_t row = taskfit_program_row(m->program, profile->tasks, profile->tasks, name);
        for (size_t j = 0; j < m->n_instances; j++) {
            add_entry(m, row, p, j, 1);
        }
        for (size_t zone = 0; zone < m->d->n_zones && profile->spread_az; zone++) {
            const char *window = taskfit_arena_printf(m->arena, "zone(%zu,%zu)", p + 1, zone + 1);
            const size_t zone_row =
                taskfit_program_row(m->program, profile->zone_low[zone], profile->zone_high[zone], window);
            for (size_t j = 0; j < m->n_instances; j++) {
                if (m->kind_of[j]->zone == zone) {
                    add_entry(m, zone_row, p, j, 1);
                }
            }
        }
    }
}

/* The loads of alike instances fall in the first dimension. */
static void add_order_rows(model *m) {
    for (size_t j = 1; j < m->n_instances && m->d->n_dims > 0; j++) {
        if (m->kind_of[j] == m->kind_of[j - 1]) {
            const char *name = taskfit_arena_printf(m->arena, "order(%zu)", j + 1);
            const size_t row = taskfit_program_row(m->program, 0, TASKFIT_PROGRAM_NONE, name);
            for (size_t p = 0; p < m->d->n_profiles; p++) {
                add_entry(m, row, p, j - 1, m->d->profiles[p].demand[0]);
                add_entry(m, row, p, j, -m->d->profiles[p].demand[0]);
            }
        }
    }
}

static size_t presence_column(model *m, size_t *y, size_t p, size_t j) {
    size_t *column = &y[p * m->n_instances + j];
    if (*column == 0) { /* column 0 is an x */
        const int64_t high = m->kind_of[j]->high[p];
        *column = taskfit_program_column(m->program, 0, 1, 0, taskfit_arena_printf(m->arena, "y(%zu,%zu)", p + 1, j + 1));
        const size_t row = taskfit_program_row(m->program, TASKFIT_PROGRAM_NONE, 0,
                                               taskfit_arena_printf(m->arena, "present(%zu,%zu)", p + 1, j + 1));
        add_entry(m, row, p, j, 1);
        taskfit_program_entry(m->program, row, *column, -high);
    }
    return *column;
}

static void add_conflict_rows(model *m) {
    size_t *y = m->d->n_conflicts == 0 ? NULL : TASKFIT_ARRAY(m->arena, m->d->n_profiles * m->n_instances, size_t);
    for (size_t i = 0; i < m->d->n_conflicts; i++) {
        const taskfit_conflict *conflict = &m->d->conflicts[i];
        for (size_t j = 0; j < m->n_instances; j++) {
            if (m->kind_of[j]->high[conflict->a] > 0 && m->kind_of[j]->high[conflict->b] > 0) {
                const size_t a = presence_column(m, y, conflict->a, j);
                const size_t b = presence_column(m, y, conflict->b, j);
                const char *name = taskfit_arena_printf(m->arena, "apart(%zu,%zu)", i + 1, j + 1);
                const size_t row = taskfit_program_row(m->program, TASKFIT_PROGRAM_NONE, 1, name);
                taskfit_program_entry(m->program, row, a, 1);
                taskfit_program_entry(m->program, row, b, 1);
            }
        }
    }
}

taskfit_program *taskfit_compact_program(const taskfit_decision *d, size_t max_columns, taskfit_arena *arena,
                                         const size_t **column_of_out) {
    const size_t n_instances = (size_t)d->n_instances;
    if (d->n_profiles * n_instances > max_columns || d->n_conflicts * n_instances > max_columns) {
        return NULL;
    }
    model m = {.d = d, .arena = arena, .program = taskfit_program_new(arena), .n_instances = n_instances};
    m.kind_of = TASKFIT_ARRAY(arena, n_instances, const taskfit_kind *);
    m.x = TASKFIT_ARRAY(arena, d->n_profiles * n_instances, size_t);
    size_t j = 0;
    for (size_t k = 0; k < d->n_kinds; k++) {
        for (int64_t i = 0; i < d->kinds[k].count; i++) {
            m.kind_of[j++] = &d->kinds[k];
        }
    }
    assert(j == n_instances);
    add_columns(&m);
    add_capacity_rows(&m);
    add_task_rows(&m);
    add_order_rows(&m);
    add_conflict_rows(&m);
    *column_of_out = m.x;
    return m.program;
}

static void read_contents(const taskfit_decision *d, const int64_t *values, const size_t *column_of, taskfit_arena *arena,
                          taskfit_answer *answer) {
    const size_t n_instances = (size_t)d->n_instances;
    taskfit_content *contents = TASKFIT_ARRAY(arena, n_instances, taskfit_content);
    int64_t *tasks = TASKFIT_ARRAY(arena, d->n_profiles, int64_t);
    size_t j = 0;
    for (size_t k = 0; k < d->n_kinds; k++) {
        for (int64_t i = 0; i < d->kinds[k].count; i++, j++) {
            for (size_t p = 0; p < d->n_profiles; p++) {
                const size_t column = column_of[p * n_instances + j];
                tasks[p] = column == SIZE_MAX ? 0 : values[column];
            }
            contents[j] = taskfit_content_from_dense(arena, k, 1, tasks, d->n_profiles);
        }
    }
    if (taskfit_contents_valid(d, contents, n_instances)) {
        answer->verdict = TASKFIT_VERDICT_FITS;
        answer->proof = TASKFIT_PROOF_NONE;
        answer->contents = contents;
        answer->n_contents = n_instances;
    }
}

taskfit_answer taskfit_compact_decide(const taskfit_decision *decision, taskfit_budget *budget, taskfit_arena *arena) {
    enum { MAX_COLUMNS = 40000 };
    taskfit_answer answer = {.verdict = TASKFIT_VERDICT_OPEN, .proof = TASKFIT_PROOF_NONE, .stage = "compact"};
    const size_t *column_of = NULL;
    taskfit_arena *scratch = taskfit_arena_new();
    taskfit_program *program =
        decision->impossible ? NULL : taskfit_compact_program(decision, MAX_COLUMNS, scratch, &column_of);
    taskfit_program_result result;
    taskfit_budget_stage(budget, "compact");
    if (program != NULL && taskfit_program_solve(program, budget, scratch, &result, NULL) == TASKFIT_OK) {
        if (result.outcome == TASKFIT_INFEASIBLE) {
            answer.verdict = TASKFIT_VERDICT_REFUTED;
            answer.proof = TASKFIT_PROOF_SOLVER;
        } else if (result.outcome == TASKFIT_OPTIMAL || result.outcome == TASKFIT_FEASIBLE) {
            read_contents(decision, result.values, column_of, arena, &answer);
        }
    }
    taskfit_arena_free(scratch);
    return answer;
}
