#include "solve/master.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* An uncovered task costs twice the fleet. No dual price of a decision that fits exceeds N / tasks[p] <= N (the duals of the
 * cover rows times their tasks sum to the objective), so artificial columns leave as soon as they can. */
static double artificial_cost(const taskfit_master *master) {
    return 2.0 * (double)(master->residual->decision.n_instances + 1);
}

static int64_t row_demand(const taskfit_residual *residual, const taskfit_cover_row *row) {
    const size_t profile = taskfit_residual_root(residual, row->profile);
    return row->zone_class == SIZE_MAX ? residual->profiles[profile].tasks
                                       : taskfit_residual_class_floor(residual, profile, row->zone_class);
}

/* ---- lists of columns ---- */

static int64_t class_count(const taskfit_residual *r, size_t zone_class) {
    int64_t count = 0;
    for (size_t k = 0; k < r->decision.n_kinds; k++) {
        count += r->zone_class[r->kinds[k].zone] == zone_class ? r->kinds[k].count : 0;
    }
    return count;
}

static void add_row(taskfit_columns *columns, size_t profile, size_t zone_class) {
    columns->rows[columns->n_rows++] = (taskfit_cover_row){.profile = profile, .zone_class = zone_class, .basic = true};
}

taskfit_columns *taskfit_columns_new(taskfit_arena *arena, const taskfit_residual *residual) {
    taskfit_columns *columns = TASKFIT_NEW(arena, taskfit_columns);
    const taskfit_decision *d = &residual->decision;
    columns->rows = TASKFIT_ARRAY(arena, d->n_profiles * (residual->n_classes + 1), taskfit_cover_row);
    columns->block_basic = TASKFIT_ARRAY(arena, residual->n_blocks, bool);
    const bool every = residual->n_classes > 1 && residual->n_classes == d->n_zones; /* branches may move any window */
    for (size_t p = 0; p < d->n_profiles; p++) {
        int64_t floors = 0;
        for (size_t c = 0; c < residual->n_classes && residual->n_classes > 1; c++) {
            floors += taskfit_residual_class_floor(residual, p, c);
        }
        const bool settled = floors == d->profiles[p].tasks; /* by the classes alone */
        for (size_t c = 0; c < residual->n_classes && residual->n_classes > 1; c++) {
            const int64_t floor = taskfit_residual_class_floor(residual, p, c);
            const bool binds = floor * d->n_instances >= d->profiles[p].tasks * class_count(residual, c);
            if (every || (floor > 0 && (settled || binds))) { /* binds: when tasks are shared out in proportion */
                add_row(columns, p, c);
            }
        }
        if (!settled || every) {
            add_row(columns, p, SIZE_MAX);
        }
    }
    return columns;
}

taskfit_columns *taskfit_columns_copy(taskfit_arena *arena, const taskfit_columns *columns, size_t n_blocks) {
    taskfit_columns *copy = TASKFIT_NEW(arena, taskfit_columns);
    *copy = *columns;
    copy->capacity = columns->n_columns + 16;
    copy->columns = TASKFIT_ARRAY(arena, copy->capacity, taskfit_column);
    copy->rows = TASKFIT_ARRAY(arena, columns->n_rows, taskfit_cover_row);
    copy->block_basic = TASKFIT_ARRAY(arena, n_blocks, bool);
    if (columns->n_columns > 0) {
        memcpy(copy->columns, columns->columns, columns->n_columns * sizeof *copy->columns);
    }
    memcpy(copy->rows, columns->rows, columns->n_rows * sizeof *copy->rows);
    copy->subset_rows = TASKFIT_ARRAY(arena, columns->n_subset_rows, taskfit_subset_row);
    if (columns->n_subset_rows > 0) {
        memcpy(copy->subset_rows, columns->subset_rows, columns->n_subset_rows * sizeof *copy->subset_rows);
    }
    memcpy(copy->block_basic, columns->block_basic, n_blocks * sizeof *copy->block_basic);
    return copy;
}

void taskfit_columns_add(taskfit_arena *arena, taskfit_columns *columns, size_t pattern, size_t block) {
    TASKFIT_GROW(arena, columns->columns, columns->n_columns, columns->capacity);
    columns->columns[columns->n_columns++] = (taskfit_column){.pattern = pattern, .block = block, .n_merges = SIZE_MAX};
}

/* ---- the linear program ---- */

static size_t block_class(const taskfit_residual *r, size_t block) {
    for (size_t k = 0; k < r->decision.n_kinds; k++) {
        if (r->block[k] == block) {
            return r->zone_class[r->kinds[k].zone];
        }
    }
    return 0;
}

/* Chains each profile that stands for others to them, as after the first n merges. */
static size_t *chain_members(taskfit_arena *arena, const taskfit_residual *r, size_t n) {
    size_t *next = TASKFIT_ARRAY(arena, r->decision.n_profiles, size_t);
    for (size_t p = 0; p < r->decision.n_profiles; p++) {
        next[p] = SIZE_MAX;
    }
    for (size_t i = 0; i < n; i++) {
        size_t last = r->merges[i].b;
        while (next[last] != SIZE_MAX) {
            last = next[last];
        }
        next[last] = next[r->merges[i].a];
        next[r->merges[i].a] = r->merges[i].b;
    }
    return next;
}

/* Counts the members that a pattern holds of each subset row into n_members; returns how many rows it touches. */
static size_t count_members(const taskfit_master *master, const taskfit_pattern *pattern, const size_t *next) {
    size_t n = 0;
    for (size_t part = 0; part < pattern->n_parts && master->list.n_subset_rows > 0; part++) {
        for (size_t p = pattern->parts[part].profile; p != SIZE_MAX; p = next[p]) {
            for (size_t i = master->first_subset[p]; i < master->first_subset[p + 1]; i++) {
                const size_t row = master->subset_of[i];
                if (master->n_members[row] == 0) {
                    master->touched[n++] = row;
                }
                master->n_members[row] += pattern->parts[part].count;
            }
        }
    }
    return n;
}

static void add_lp_column(taskfit_master *master, const taskfit_column *column) {
    const taskfit_pattern *pattern = &master->pool->patterns[column->pattern];
    const taskfit_columns *list = &master->list;
    const size_t zone_class = block_class(master->residual, column->block);
    const size_t *next = column->shut && column->n_merges < master->residual->n_merges
                             ? chain_members(master->arena, master->residual, column->n_merges)
                             : master->next;
    size_t *rows = master->entry_rows;
    double *coefficients = master->entry_values;
    size_t n = 0;
    for (size_t part = 0; part < pattern->n_parts; part++) {
        for (size_t p = pattern->parts[part].profile; p != SIZE_MAX; p = next[p]) {
            for (size_t row = master->first_row[p]; row < master->first_row[p + 1]; row++) {
                if (list->rows[row].zone_class == SIZE_MAX || list->rows[row].zone_class == zone_class) {
                    rows[n] = row;
                    coefficients[n++] = (double)pattern->parts[part].count;
                }
            }
        }
    }
    for (size_t i = 0, n_touched = count_members(master, pattern, next); i < n_touched; i++) {
        const size_t row = master->touched[i];
        rows[n] = master->first_subset_row + row;
        coefficients[n++] = (double)((master->n_members[row] + 1) / 2);
        master->n_members[row] = 0;
    }
    const bool many = master->theta != SIZE_MAX;
    if (many) {
        rows[n] = list->n_rows + column->block;
        coefficients[n++] = 1.0;
    }
    const size_t index = taskfit_lp_add_column(master->lp, many ? 0.0 : 1.0, n, rows, coefficients);
    taskfit_lp_fix_column(master->lp, index, column->shut);
}

static bool suits_some(const taskfit_residual *r, const taskfit_pattern *pattern, size_t block) {
    for (size_t k = 0; k < r->decision.n_kinds; k++) {
        if (r->block[k] == block && r->kinds[k].count > 0 &&
            taskfit_pattern_suits(pattern, &r->kinds[k], r->decision.n_profiles)) {
            return true;
        }
    }
    return false;
}

static int64_t subset_demand(const taskfit_master *master, size_t row) {
    int64_t tasks = 0;
    for (size_t i = 0; i < 3; i++) {
        tasks += master->residual->profiles[taskfit_residual_root(master->residual, master->list.subset_rows[row].members[i])].tasks;
    }
    return (tasks + 1) / 2;
}

static void index_subset_rows(taskfit_master *master) {
    const size_t n_profiles = master->residual->decision.n_profiles;
    const size_t n = master->list.n_subset_rows;
    master->first_subset = TASKFIT_ARRAY(master->arena, n_profiles + 1, size_t);
    master->subset_of = TASKFIT_ARRAY(master->arena, 3 * n, size_t);
    master->subset_price = TASKFIT_ARRAY(master->arena, n, int64_t);
    master->touched = TASKFIT_ARRAY(master->arena, n, size_t);
    master->n_members = TASKFIT_ARRAY(master->arena, n, int64_t);
    for (size_t i = 0; i < 3 * n; i++) {
        master->first_subset[master->list.subset_rows[i / 3].members[i % 3] + 1]++;
    }
    for (size_t p = 0; p < n_profiles; p++) {
        master->first_subset[p + 1] += master->first_subset[p];
    }
    for (size_t i = 3 * n; i-- > 0;) { /* each takes the last free place, so begins move down to where they belong */
        master->subset_of[--master->first_subset[master->list.subset_rows[i / 3].members[i % 3] + 1]] = i / 3;
    }
    for (size_t p = 0; p < n_profiles; p++) {
        master->first_subset[p] = master->first_subset[p + 1];
    }
    master->first_subset[n_profiles] = 3 * n;
}

static void build_subset_rows(taskfit_master *master) {
    for (size_t i = 0; i < master->list.n_subset_rows; i++) {
        const size_t row = master->first_subset_row + i;
        const double one = 1.0;
        taskfit_lp_set_row(master->lp, row, TASKFIT_LP_AT_LEAST, (double)subset_demand(master, i));
        (void)taskfit_lp_add_column(master->lp, artificial_cost(master), 1, &row, &one);
    }
}

static void build_rows(taskfit_master *master) {
    const taskfit_residual *r = master->residual;
    const size_t n_blocks = r->n_blocks > 1 ? r->n_blocks : 0;
    const size_t n_rows = master->list.n_rows + n_blocks + master->list.n_subset_rows;
    master->lp = taskfit_lp_new(master->arena, n_rows);
    master->first_subset_row = master->list.n_rows + n_blocks;
    master->first_row = TASKFIT_ARRAY(master->arena, r->decision.n_profiles + 1, size_t);
    master->next = chain_members(master->arena, r, r->n_merges);
    for (size_t row = 0; row < master->list.n_rows; row++) {
        taskfit_lp_set_row(master->lp, row, TASKFIT_LP_AT_LEAST, (double)row_demand(r, &master->list.rows[row]));
        const double one = 1.0;
        (void)taskfit_lp_add_column(master->lp, artificial_cost(master), 1, &row, &one);
        master->first_row[master->list.rows[row].profile + 1] = row + 1;
    }
    for (size_t p = 0; p < r->decision.n_profiles; p++) { /* some have no row */
        size_t *end = &master->first_row[p + 1];
        *end = *end > master->first_row[p] ? *end : master->first_row[p];
    }
    index_subset_rows(master);
    build_subset_rows(master);
    master->entry_rows = TASKFIT_ARRAY(master->arena, n_rows + 1, size_t);
    master->entry_values = TASKFIT_ARRAY(master->arena, n_rows + 1, double);
    master->theta = SIZE_MAX;
    master->first_column = master->list.n_rows + master->list.n_subset_rows;
    if (n_blocks > 0) {
        size_t *rows = TASKFIT_ARRAY(master->arena, n_blocks, size_t);
        double *shares = TASKFIT_ARRAY(master->arena, n_blocks, double);
        for (size_t b = 0; b < n_blocks; b++) {
            rows[b] = master->list.n_rows + b;
            shares[b] = -(double)master->block_count[b] / (double)(r->decision.n_instances > 0 ? r->decision.n_instances : 1);
            taskfit_lp_set_row(master->lp, rows[b], TASKFIT_LP_AT_MOST, 0.0);
        }
        master->theta = taskfit_lp_add_column(master->lp, 1.0, n_blocks, rows, shares);
        master->first_column++;
    }
}

static void carry_basis(taskfit_master *master) {
    const taskfit_columns *list = &master->list;
    for (size_t row = 0; row < list->n_rows; row++) {
        taskfit_lp_set_row_basic(master->lp, row, list->rows[row].basic);
        taskfit_lp_set_column_basic(master->lp, row, list->rows[row].artificial);
    }
    for (size_t i = 0; i < list->n_subset_rows; i++) {
        taskfit_lp_set_row_basic(master->lp, master->first_subset_row + i, list->subset_rows[i].basic);
        taskfit_lp_set_column_basic(master->lp, list->n_rows + i, list->subset_rows[i].artificial);
    }
    if (master->theta != SIZE_MAX) {
        for (size_t b = 0; b < master->residual->n_blocks; b++) {
            taskfit_lp_set_row_basic(master->lp, list->n_rows + b, list->block_basic[b]);
        }
        taskfit_lp_set_column_basic(master->lp, master->theta, list->theta_basic);
    }
    for (size_t i = 0; i < list->n_columns; i++) {
        taskfit_lp_set_column_basic(master->lp, master->first_column + i, list->columns[i].basic);
    }
}

taskfit_master *taskfit_master_new(taskfit_arena *arena, const taskfit_residual *residual, taskfit_pattern_pool *pool,
                                   const taskfit_columns *columns) {
    taskfit_master *master = TASKFIT_NEW(arena, taskfit_master);
    master->arena = arena;
    master->residual = residual;
    master->pool = pool;
    master->list = *taskfit_columns_copy(arena, columns, residual->n_blocks);
    master->block_count = TASKFIT_ARRAY(arena, residual->n_blocks, int64_t);
    master->price = TASKFIT_ARRAY(arena, residual->n_classes * residual->decision.n_profiles, int64_t);
    master->dual = TASKFIT_ARRAY(arena, residual->n_classes * residual->decision.n_profiles, double);
    master->pay = TASKFIT_ARRAY(arena, residual->n_blocks, int64_t);
    for (size_t b = 0; b < residual->n_blocks; b++) {
        master->block_count[b] = taskfit_residual_block_count(residual, b);
    }
    build_rows(master);
    size_t kept = 0;
    for (size_t i = 0; i < columns->n_columns; i++) {
        taskfit_column column = columns->columns[i];
        column.shut = column.shut || !suits_some(residual, &pool->patterns[column.pattern], column.block);
        if (column.shut && !column.basic) {
            continue;
        }
        add_lp_column(master, &column);
        master->list.columns[kept++] = column;
    }
    master->list.n_columns = kept;
    if (columns->has_basis) {
        carry_basis(master);
        master->dual_first = true;
    }
    return master;
}

void taskfit_master_free(taskfit_master *master) {
    if (master != NULL) {
        taskfit_lp_free(master->lp);
    }
}

void taskfit_master_add(taskfit_master *master, size_t pattern, size_t block) {
    taskfit_columns_add(master->arena, &master->list, pattern, block);
    add_lp_column(master, &master->list.columns[master->list.n_columns - 1]);
}

static double positive(double price) {
    return price > 0.0 ? price : 0.0;
}

/* Duals become integers: the scale is the largest power of two that keeps each below TASKFIT_PRICE_MAX. A task that stands for
 * others has the prices of all of their rows. */
static void read_prices(taskfit_master *master) {
    const taskfit_columns *list = &master->list;
    const size_t n_classes = master->residual->n_classes;
    const size_t n = master->residual->decision.n_profiles;
    memset(master->dual, 0, n_classes * n * sizeof *master->dual);
    double dearest = 1.0;
    for (size_t row = 0; row < list->n_rows; row++) {
        const size_t p = taskfit_residual_root(master->residual, list->rows[row].profile);
        for (size_t c = 0; c < n_classes; c++) {
            if (list->rows[row].zone_class == SIZE_MAX || list->rows[row].zone_class == c) {
                master->dual[c * n + p] += positive(taskfit_lp_price(master->lp, row));
                dearest = fmax(dearest, master->dual[c * n + p]);
            }
        }
    }
    master->scale = INT64_C(1) << 28;
    while ((double)master->scale * dearest > (double)TASKFIT_PRICE_MAX && master->scale > 1) {
        master->scale /= 2;
    }
    const double scale = (double)master->scale;
    for (size_t i = 0; i < n_classes * n; i++) {
        master->price[i] = (int64_t)floor(master->dual[i] * scale);
    }
    for (size_t i = 0; i < list->n_subset_rows; i++) {
        master->subset_price[i] = (int64_t)floor(positive(taskfit_lp_price(master->lp, master->first_subset_row + i)) * scale);
    }
    for (size_t b = 0; b < master->residual->n_blocks; b++) {
        master->pay[b] = master->theta == SIZE_MAX
                             ? master->scale
                             : (int64_t)floor(positive(-taskfit_lp_price(master->lp, list->n_rows + b)) * scale);
    }
}

bool taskfit_master_solve(taskfit_master *master, taskfit_budget *budget) {
    if (!taskfit_lp_solve(master->lp, master->dual_first, budget)) {
        return false;
    }
    master->dual_first = false;
    read_prices(master);
    taskfit_columns *list = &master->list;
    list->has_basis = true;
    master->artificial = false;
    for (size_t row = 0; row < list->n_rows; row++) {
        list->rows[row].basic = taskfit_lp_row_basic(master->lp, row);
        list->rows[row].artificial = taskfit_lp_column_basic(master->lp, row);
        master->artificial = master->artificial || (list->rows[row].artificial && taskfit_lp_value(master->lp, row) > 1e-7);
    }
    for (size_t i = 0; i < list->n_subset_rows; i++) {
        const size_t column = list->n_rows + i;
        list->subset_rows[i].basic = taskfit_lp_row_basic(master->lp, master->first_subset_row + i);
        list->subset_rows[i].artificial = taskfit_lp_column_basic(master->lp, column);
        master->artificial =
            master->artificial || (list->subset_rows[i].artificial && taskfit_lp_value(master->lp, column) > 1e-7);
    }
    for (size_t b = 0; b < master->residual->n_blocks && master->theta != SIZE_MAX; b++) {
        list->block_basic[b] = taskfit_lp_row_basic(master->lp, list->n_rows + b);
    }
    list->theta_basic = master->theta != SIZE_MAX && taskfit_lp_column_basic(master->lp, master->theta);
    for (size_t i = 0; i < list->n_columns; i++) {
        list->columns[i].basic = taskfit_lp_column_basic(master->lp, master->first_column + i);
    }
    return true;
}

void taskfit_master_perturb(taskfit_master *master, uint64_t salt) {
    uint64_t random = salt * UINT64_C(0x9e3779b97f4a7c15);
    for (size_t row = 0; row < master->list.n_rows; row++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        const double share = 1.0 + (double)(random >> 40) / (double)(1 << 24) * 1e-3;
        taskfit_lp_set_row(master->lp, row, TASKFIT_LP_AT_LEAST,
                           (double)row_demand(master->residual, &master->list.rows[row]) * share);
    }
    master->dual_first = true;
}

double taskfit_master_objective(const taskfit_master *master) {
    return taskfit_lp_objective(master->lp);
}

double taskfit_master_value(const taskfit_master *master, size_t column) {
    return taskfit_lp_value(master->lp, master->first_column + column);
}

double taskfit_master_reduced_cost(const taskfit_master *master, size_t column) {
    return taskfit_lp_reduced_cost(master->lp, master->first_column + column);
}

/* For each profile: the floors of its zones first, then the cheapest zones up to their ceilings. */
static int64_t profile_worth(const taskfit_residual *r, const int64_t *price_of, size_t profile) {
    const size_t n = r->decision.n_profiles;
    const size_t n_zones = r->decision.n_zones;
    if (r->n_classes == 1) {
        return r->profiles[profile].tasks * price_of[profile];
    }
    int64_t worth = 0;
    int64_t left = r->profiles[profile].tasks;
    for (size_t z = 0; z < n_zones; z++) {
        const int64_t floor = r->zone_low[profile * n_zones + z];
        worth += floor * price_of[r->zone_class[z] * n + profile];
        left -= floor;
    }
    int64_t last = -1;
    while (left > 0) { /* prices in ascending order */
        int64_t next = INT64_MAX;
        for (size_t c = 0; c < r->n_classes; c++) {
            const int64_t price = price_of[c * n + profile];
            next = price > last && price < next ? price : next;
        }
        assert(next < INT64_MAX);
        last = next;
        for (size_t z = 0; z < n_zones && left > 0; z++) {
            if (price_of[r->zone_class[z] * n + profile] == next) {
                const int64_t room = r->zone_high[profile * n_zones + z] - r->zone_low[profile * n_zones + z];
                const int64_t put = room < left ? room : left;
                worth += put * next;
                left -= put;
            }
        }
    }
    return worth;
}

int64_t taskfit_master_worth_at(const taskfit_master *master, const int64_t *price) {
    int64_t worth = 0;
    for (size_t p = 0; p < master->residual->decision.n_profiles; p++) {
        worth += profile_worth(master->residual, price, p);
    }
    return worth;
}

int64_t taskfit_master_subset_worth(const taskfit_master *master) {
    int64_t worth = 0;
    for (size_t i = 0; i < master->list.n_subset_rows; i++) {
        worth += master->subset_price[i] * subset_demand(master, i);
    }
    return worth;
}

int64_t taskfit_master_subset_pay(const taskfit_master *master, const taskfit_pattern *pattern) {
    int64_t pay = 0;
    for (size_t i = 0, n = count_members(master, pattern, master->next); i < n; i++) {
        const size_t row = master->touched[i];
        pay += master->subset_price[row] * ((master->n_members[row] + 1) / 2);
        master->n_members[row] = 0;
    }
    return pay;
}

int64_t taskfit_master_worth(const taskfit_master *master) {
    return taskfit_master_worth_at(master, master->price);
}
