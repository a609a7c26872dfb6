#include "solve/subset_rows.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PROFILES = 1024, MOST_FOUND = 4096 };
#define BROKEN 0.02 /* by so much at least */

typedef struct finder {
    const taskfit_master *master;
    size_t n;
    double *together; /* [n][n] instances that hold both */
    double *held;     /* [n] tasks covered, 1 or more */
    size_t **columns; /* [n] columns in use with it */
    size_t *n_columns;
    size_t *near;     /* [n] profiles that share an instance with the first one */
    size_t n_near;
} finder;

typedef struct broken_row {
    taskfit_subset_row row;
    double by;
} broken_row;

static const taskfit_pattern *pattern_of(const finder *f, size_t column) {
    return &f->master->pool->patterns[f->master->list.columns[column].pattern];
}

static bool is_single(const finder *f, size_t profile) {
    return f->master->residual->profiles[profile].tasks == 1;
}

static void read_cover(finder *f, taskfit_arena *arena) {
    const taskfit_columns *list = &f->master->list;
    f->together = TASKFIT_ARRAY(arena, f->n * f->n, double);
    f->held = TASKFIT_ARRAY(arena, f->n, double);
    f->columns = TASKFIT_ARRAY(arena, f->n, size_t *);
    f->n_columns = TASKFIT_ARRAY(arena, f->n, size_t);
    f->near = TASKFIT_ARRAY(arena, f->n, size_t);
    for (size_t pass = 0; pass < 2; pass++) { /* count, then note */
        for (size_t i = 0; i < list->n_columns; i++) {
            const double value = taskfit_master_value(f->master, i);
            const taskfit_pattern *pattern = pattern_of(f, i);
            for (size_t a = 0; value > 1e-9 && a < pattern->n_parts; a++) {
                const size_t p = pattern->parts[a].profile;
                if (pass == 0) {
                    f->n_columns[p]++;
                    f->held[p] += value * (double)pattern->parts[a].count;
                    for (size_t b = 0; b < pattern->n_parts; b++) {
                        f->together[p * f->n + pattern->parts[b].profile] += value;
                    }
                } else {
                    f->columns[p][f->n_columns[p]++] = i;
                }
            }
        }
        for (size_t p = 0; p < f->n && pass == 0; p++) {
            f->columns[p] = TASKFIT_ARRAY(arena, f->n_columns[p], size_t);
            f->n_columns[p] = 0;
        }
    }
}

/* Instances that hold all three. */
static double all_three(const finder *f, size_t i, size_t j, size_t k) {
    double sum = 0.0;
    for (size_t c = 0; c < f->n_columns[i]; c++) {
        const taskfit_pattern *pattern = pattern_of(f, f->columns[i][c]);
        size_t n = 0;
        for (size_t part = 0; part < pattern->n_parts; part++) {
            n += pattern->parts[part].profile == j || pattern->parts[part].profile == k;
        }
        sum += n == 2 ? taskfit_master_value(f->master, f->columns[i][c]) : 0.0;
    }
    return sum;
}

/* With one, two and three of the tasks on s1, s2, s3 instances: s1 + s2 + 2 s3 < 2? */
static double broken_by(const finder *f, size_t i, size_t j, size_t k) {
    const double pairs = f->together[i * f->n + j] + f->together[i * f->n + k] + f->together[j * f->n + k]; /* s2 + 3 s3 */
    const double slack = f->held[i] + f->held[j] + f->held[k] - pairs - 2.0;
    return slack > -BROKEN ? 0.0 : -(slack + 2.0 * all_three(f, i, j, k));
}

static int by_most_broken(const void *a, const void *b) {
    const broken_row *x = a;
    const broken_row *y = b;
    if (x->by > y->by || x->by < y->by) {
        return x->by > y->by ? -1 : 1;
    }
    for (size_t i = 0; i < 3; i++) {
        if (x->row.members[i] != y->row.members[i]) {
            return x->row.members[i] < y->row.members[i] ? -1 : 1;
        }
    }
    return 0;
}

static size_t find_with(finder *f, size_t i, broken_row *found, size_t n_found) {
    f->n_near = 0;
    for (size_t j = 0; j < f->n; j++) {
        if (j != i && is_single(f, j) && f->together[i * f->n + j] > 1e-6) {
            f->near[f->n_near++] = j;
        }
    }
    for (size_t a = 0; a < f->n_near; a++) { /* i shares with both; the other two may or may not */
        for (size_t b = a + 1; b < f->n_near && n_found < MOST_FOUND; b++) {
            const size_t j = f->near[a];
            const size_t k = f->near[b];
            if (f->together[j * f->n + k] > 1e-6 && j < i) {
                continue; /* found with the least of them */
            }
            const double by = broken_by(f, i, j, k);
            if (by > BROKEN) {
                found[n_found++] = (broken_row){.row = {.members = {i, j, k}, .basic = true}, .by = by};
            }
        }
    }
    return n_found;
}

taskfit_subset_row *taskfit_subset_rows_find(const taskfit_master *master, size_t most, taskfit_arena *arena, size_t *n_out) {
    finder f = {.master = master, .n = master->residual->decision.n_profiles};
    *n_out = 0;
    if (f.n > MOST_PROFILES) {
        return NULL;
    }
    taskfit_arena *scratch = taskfit_arena_new();
    read_cover(&f, scratch);
    broken_row *found = TASKFIT_ARRAY(scratch, MOST_FOUND, broken_row);
    size_t n = 0;
    for (size_t i = 0; i < f.n; i++) {
        n = is_single(&f, i) ? find_with(&f, i, found, n) : n;
    }
    qsort(found, n, sizeof *found, by_most_broken);
    n = n < most ? n : most;
    taskfit_subset_row *rows = TASKFIT_ARRAY(arena, n, taskfit_subset_row);
    for (size_t i = 0; i < n; i++) {
        rows[i] = found[i].row;
    }
    taskfit_arena_free(scratch);
    *n_out = n;
    return rows;
}

void taskfit_subset_rows_add(taskfit_arena *arena, taskfit_columns *columns, const taskfit_subset_row *rows, size_t n) {
    taskfit_subset_row *all = TASKFIT_ARRAY(arena, columns->n_subset_rows + n, taskfit_subset_row);
    size_t n_all = 0;
    for (size_t i = 0; i < columns->n_subset_rows; i++) {
        if (!columns->subset_rows[i].basic) {
            all[n_all++] = columns->subset_rows[i];
        }
    }
    if (n > 0) {
        memcpy(all + n_all, rows, n * sizeof *all);
    }
    columns->subset_rows = all;
    columns->n_subset_rows = n_all + n;
}
