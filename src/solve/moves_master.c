#include "solve/moves_master.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/int64.h"

/*
 * Cover rows. Contents may cover more than the tasks; what is over is left out later. Then zones can hold T[p,z] tasks within
 * their windows iff for each set U of zones the contents there cover what is left for U when the other zones are full,
 *
 *     tasks - sum of zone_high outside U,    and sum of zone_low in U.
 *
 * Only the rows for all zones and for floors are there from the beginning; others come when a solution breaks them, the one for U =
 * the zones that are not full being the most broken.
 */

enum { FIRST_PENALTY = 8, LAST_PENALTY = 1 << 16, PENALTY_STEP = 16 };
#define EPSILON 1e-6

/* ---- rows ---- */

static void add_row(taskfit_moves_master *m, taskfit_moves_row_type type, size_t index, uint64_t zones, int64_t bound) {
    TASKFIT_GROW(m->arena, m->rows, m->n_rows, m->rows_capacity);
    m->rows[m->n_rows++] =
        (taskfit_moves_row){.type = type, .index = index, .zones = zones, .bound = bound, .basic = true};
}

static uint64_t all_zones(const taskfit_decision *d) {
    return d->n_zones == 64 ? UINT64_MAX : (UINT64_C(1) << d->n_zones) - 1;
}

static bool in_zones(uint64_t zones, size_t zone) {
    return (zones >> zone & 1) != 0;
}

/* What the zones must hold of the profile. */
static int64_t floor_of(const taskfit_decision *d, size_t profile, uint64_t zones) {
    int64_t lows = 0;
    int64_t rest = d->profiles[profile].tasks;
    for (size_t z = 0; z < d->n_zones; z++) {
        if (in_zones(zones, z)) {
            lows += d->profiles[profile].zone_low[z];
        } else {
            rest -= d->profiles[profile].zone_high[z];
        }
    }
    return lows > rest ? lows : rest;
}

static void add_cap_row(taskfit_moves_master *m, size_t profile, uint64_t zones, int64_t cap) {
    int64_t before = 0;
    for (size_t i = 0; i < m->board->n_stands; i++) {
        before += in_zones(zones, m->board->stands[i].zone) ? m->board->stands[i].before[profile] : 0;
    }
    if (before > cap) {
        add_row(m, TASKFIT_MOVES_CAP, profile, zones, cap);
    }
}

static void add_profile_rows(taskfit_moves_master *m, size_t p) {
    const taskfit_decision *d = m->board->decision;
    const taskfit_profile *profile = &d->profiles[p];
    int64_t lows = 0;
    for (size_t z = 0; z < d->n_zones && d->n_zones > 1; z++) {
        const int64_t floor = floor_of(d, p, UINT64_C(1) << z);
        if (floor > 0) {
            add_row(m, TASKFIT_MOVES_COVER, p, UINT64_C(1) << z, floor);
            lows += floor;
        }
        if (profile->zone_high[z] < profile->tasks) {
            add_cap_row(m, p, UINT64_C(1) << z, profile->zone_high[z]);
        }
    }
    if (lows < profile->tasks) {
        add_row(m, TASKFIT_MOVES_COVER, p, all_zones(d), profile->tasks);
    }
    add_cap_row(m, p, all_zones(d), profile->tasks);
}

static void add_rows(taskfit_moves_master *m) {
    const taskfit_moves_board *board = m->board;
    for (size_t p = 0; p < board->decision->n_profiles; p++) {
        add_profile_rows(m, p);
    }
    for (size_t i = 0; i < board->n_stands; i++) {
        add_row(m, TASKFIT_MOVES_STAND, i, 0, 1);
    }
    for (size_t c = 0; c < board->n_choices; c++) {
        if (board->choices[c].n_choose < board->choices[c].n_stands) {
            add_row(m, TASKFIT_MOVES_CHOICE, c, 0, (int64_t)board->choices[c].n_choose);
        }
    }
    for (size_t k = 0; k < board->decision->n_kinds; k++) {
        if (board->n_new[k] > 0) {
            add_row(m, TASKFIT_MOVES_NEW, k, 0, board->n_new[k]);
        }
    }
}

/* ---- the linear program ---- */

static int64_t part_kept(const taskfit_moves_master *m, size_t block, const taskfit_content_task *part) {
    return block < m->board->n_stands ? min64(part->count, m->board->stands[block].before[part->profile]) : 0;
}

/* The column's coefficient in a row. */
static int64_t entry_of(const taskfit_moves_master *m, const taskfit_moves_row *row, const taskfit_moves_column *column) {
    const taskfit_moves_board *board = m->board;
    const size_t n_stands = board->n_stands;
    switch (row->type) {
    case TASKFIT_MOVES_STAND:
        return row->index == column->block ? 1 : 0;
    case TASKFIT_MOVES_CHOICE:
        return column->block < n_stands && board->stands[column->block].choice == row->index ? 1 : 0;
    case TASKFIT_MOVES_NEW:
        return row->index + n_stands == column->block ? 1 : 0;
    case TASKFIT_MOVES_COVER:
    case TASKFIT_MOVES_CAP:
        break;
    }
    if (!in_zones(row->zones, board->decision->kinds[taskfit_moves_kind_of(board, column->block)].zone)) {
        return 0;
    }
    const taskfit_pattern *pattern = &m->pool->patterns[column->pattern];
    for (size_t i = 0; i < pattern->n_parts && pattern->parts[i].profile <= row->index; i++) {
        if (pattern->parts[i].profile == row->index) {
            return row->type == TASKFIT_MOVES_COVER ? pattern->parts[i].count : part_kept(m, column->block, &pattern->parts[i]);
        }
    }
    return 0;
}

static void add_lp_column(taskfit_moves_master *m, const taskfit_moves_column *column) {
    if (m->entries_capacity < m->n_rows) {
        m->entries_capacity = 2 * m->n_rows;
        m->entry_rows = TASKFIT_ARRAY(m->arena, m->entries_capacity, size_t);
        m->entry_values = TASKFIT_ARRAY(m->arena, m->entries_capacity, double);
    }
    size_t n = 0;
    for (size_t row = 0; row < m->n_rows; row++) {
        const int64_t value = entry_of(m, &m->rows[row], column);
        if (value != 0) {
            m->entry_rows[n] = row;
            m->entry_values[n++] = (double)value;
        }
    }
    const size_t index = taskfit_lp_add_column(m->lp, -(double)column->kept, n, m->entry_rows, m->entry_values);
    taskfit_lp_fix_column(m->lp, index, column->shut);
}

/* A stand that stays for sure uses exactly one column. */
static void set_row(taskfit_moves_master *m, size_t index) {
    const taskfit_moves_row *row = &m->rows[index];
    const bool stays = row->type == TASKFIT_MOVES_STAND && m->node->state[row->index] == TASKFIT_MOVES_STAYS;
    const taskfit_lp_sense sense = row->type == TASKFIT_MOVES_COVER ? TASKFIT_LP_AT_LEAST
                                   : stays                          ? TASKFIT_LP_EQUAL
                                                                    : TASKFIT_LP_AT_MOST;
    taskfit_lp_set_row(m->lp, index, sense, (double)row->bound);
}

/* For what a row lacks: tasks, a content, or room under a cap. */
static double spare_of(const taskfit_moves_row *row) {
    return row->type == TASKFIT_MOVES_CAP ? -1.0 : 1.0;
}

static bool has_spare(const taskfit_moves_row *row) {
    return row->type != TASKFIT_MOVES_CHOICE && row->type != TASKFIT_MOVES_NEW;
}

static void build(taskfit_moves_master *m) {
    taskfit_lp_free(m->lp);
    m->lp = taskfit_lp_new(m->arena, m->n_rows);
    for (size_t row = 0; row < m->n_rows; row++) {
        set_row(m, row);
        const double one = spare_of(&m->rows[row]);
        const size_t spare = taskfit_lp_add_column(m->lp, m->penalty, 1, &row, &one);
        taskfit_lp_fix_column(m->lp, spare, !has_spare(&m->rows[row]));
    }
    for (size_t i = 0; i < m->n_columns; i++) {
        add_lp_column(m, &m->columns[i]);
    }
    for (size_t row = 0; row < m->n_rows; row++) {
        taskfit_lp_set_row_basic(m->lp, row, m->rows[row].basic);
        taskfit_lp_set_column_basic(m->lp, row, m->rows[row].spare_basic);
    }
    for (size_t i = 0; i < m->n_columns; i++) {
        taskfit_lp_set_column_basic(m->lp, m->n_rows + i, m->columns[i].basic);
    }
    m->dual_first = true;
}

bool taskfit_moves_master_add(taskfit_moves_master *m, size_t block, const int64_t *tasks) {
    const size_t pattern = taskfit_pattern_pool_add(m->pool, tasks, m->board->decision->n_profiles);
    for (size_t i = 0; i < m->n_columns; i++) {
        if (m->columns[i].pattern == pattern && m->columns[i].block == block) {
            return false;
        }
    }
    taskfit_moves_column column = {.block = block, .pattern = pattern};
    for (size_t i = 0; i < m->pool->patterns[pattern].n_parts; i++) {
        column.kept += part_kept(m, block, &m->pool->patterns[pattern].parts[i]);
    }
    TASKFIT_GROW(m->arena, m->columns, m->n_columns, m->columns_capacity);
    m->columns[m->n_columns++] = column;
    if (m->lp != NULL) {
        add_lp_column(m, &column);
    }
    return true;
}

double taskfit_moves_master_value(const taskfit_moves_master *m, size_t column) {
    return taskfit_lp_value(m->lp, m->n_rows + column);
}

static bool solve_lp(taskfit_moves_master *m) {
    if (!taskfit_lp_solve(m->lp, m->dual_first, m->budget)) {
        return false;
    }
    m->dual_first = false;
    m->spare = false;
    for (size_t row = 0; row < m->n_rows; row++) {
        m->rows[row].basic = taskfit_lp_row_basic(m->lp, row);
        m->rows[row].spare_basic = taskfit_lp_column_basic(m->lp, row);
        m->spare = m->spare || taskfit_lp_value(m->lp, row) > EPSILON;
    }
    for (size_t i = 0; i < m->n_columns; i++) {
        m->columns[i].basic = taskfit_lp_column_basic(m->lp, m->n_rows + i);
    }
    return true;
}

/* Adds the cover rows that the solution breaks most; false: it breaks none. */
static bool separate(taskfit_moves_master *m) {
    const taskfit_decision *d = m->board->decision;
    if (d->n_zones == 1) {
        return false;
    }
    taskfit_arena *scratch = taskfit_arena_new();
    double *covered = TASKFIT_ARRAY(scratch, d->n_profiles * d->n_zones, double);
    for (size_t i = 0; i < m->n_columns; i++) {
        const double value = m->columns[i].basic ? taskfit_moves_master_value(m, i) : 0.0;
        const taskfit_pattern *pattern = &m->pool->patterns[m->columns[i].pattern];
        const size_t zone = d->kinds[taskfit_moves_kind_of(m->board, m->columns[i].block)].zone;
        for (size_t part = 0; part < pattern->n_parts && value > 0.0; part++) {
            covered[pattern->parts[part].profile * d->n_zones + zone] += value * (double)pattern->parts[part].count;
        }
    }
    for (size_t row = 0; row < m->n_rows; row++) { /* what is missing anyway counts as covered in the first zone of its row */
        const double spare = m->rows[row].type == TASKFIT_MOVES_COVER ? taskfit_lp_value(m->lp, row) : 0.0;
        size_t zone = 0;
        while (spare > 0.0 && !in_zones(m->rows[row].zones, zone)) {
            zone++;
        }
        covered[spare > 0.0 ? m->rows[row].index * d->n_zones + zone : 0] += spare;
    }
    const size_t n_before = m->n_rows;
    for (size_t p = 0; p < d->n_profiles; p++) {
        uint64_t zones = 0;
        double in = 0.0;
        for (size_t z = 0; z < d->n_zones; z++) {
            if (covered[p * d->n_zones + z] < (double)d->profiles[p].zone_high[z] - EPSILON) {
                zones |= UINT64_C(1) << z;
                in += covered[p * d->n_zones + z];
            }
        }
        const int64_t floor = floor_of(d, p, zones);
        if (zones != 0 && in < (double)floor - 1e-5) {
            add_row(m, TASKFIT_MOVES_COVER, p, zones, floor);
        }
    }
    taskfit_arena_free(scratch);
    return m->n_rows > n_before;
}

/* ---- the loop ---- */

taskfit_moves_master *taskfit_moves_master_new(taskfit_arena *arena, const taskfit_moves_board *board, taskfit_budget *budget) {
    assert(board->decision->n_zones <= 64);
    taskfit_moves_master *m = TASKFIT_NEW(arena, taskfit_moves_master);
    const size_t n_profiles = board->decision->n_profiles;
    *m = (taskfit_moves_master){.arena = arena,
                                .board = board,
                                .budget = budget,
                                .pool = taskfit_pattern_pool_new(arena),
                                .penalty = FIRST_PENALTY,
                                .center_bound = INT64_MAX,
                                .pay = TASKFIT_ARRAY(arena, taskfit_moves_n_blocks(board), int64_t),
                                .sorted = TASKFIT_ARRAY(arena, board->n_stands, int64_t),
                                .tasks = TASKFIT_ARRAY(arena, n_profiles, int64_t)};
    taskfit_moves_prices_init(&m->dual, board->decision, arena);
    taskfit_moves_prices_init(&m->smooth, board->decision, arena);
    taskfit_moves_prices_init(&m->center, board->decision, arena);
    taskfit_moves_price_init(m);
    add_rows(m);
    return m;
}

void taskfit_moves_master_free(taskfit_moves_master *m) {
    if (m != NULL) {
        taskfit_lp_free(m->lp);
        taskfit_moves_price_free(m);
    }
}

static bool suits(const taskfit_moves_master *m, const taskfit_moves_column *column) {
    const taskfit_moves_node *node = m->node;
    if (column->block >= m->board->n_stands) {
        return true;
    }
    if (node->state[column->block] == TASKFIT_MOVES_GOES) {
        return false;
    }
    const taskfit_kind bounds = {.low = node->low[column->block], .high = node->high[column->block]};
    return taskfit_pattern_suits(&m->pool->patterns[column->pattern], &bounds, m->board->decision->n_profiles);
}

static void enter(taskfit_moves_master *m, const taskfit_moves_node *node) {
    m->node = node;
    m->center_bound = INT64_MAX;
    for (size_t i = 0; i < m->n_columns; i++) {
        m->columns[i].shut = !suits(m, &m->columns[i]);
        if (m->lp != NULL) {
            taskfit_lp_fix_column(m->lp, m->n_rows + i, m->columns[i].shut);
        }
    }
    if (m->lp == NULL) {
        build(m);
        m->dual_first = false;
        return;
    }
    for (size_t row = 0; row < m->n_rows; row++) {
        if (m->rows[row].type == TASKFIT_MOVES_STAND) {
            set_row(m, row);
        }
    }
    m->dual_first = true;
}

static void set_penalty(taskfit_moves_master *m, double penalty) {
    m->penalty = penalty;
    for (size_t row = 0; row < m->n_rows; row++) {
        taskfit_lp_set_cost(m->lp, row, m->penalty);
    }
    m->center_bound = INT64_MAX;
}

/* One solution of the linear program and what pricing makes of it. False: nothing more is to be had. */
static bool go_on(taskfit_moves_master *m, int64_t target, double most_penalty, int64_t *bound, bool *solved) {
    *solved = false;
    if (!taskfit_budget_spend(m->budget, 1) || !solve_lp(m)) {
        return false;
    }
    if (separate(m)) {
        build(m);
        return true;
    }
    *solved = true;
    const double value = floor(EPSILON - taskfit_lp_objective(m->lp));
    taskfit_moves_prices_read(m);
    size_t n_new = 0;
    for (int pass = TASKFIT_MOVES_SMOOTH; pass < TASKFIT_MOVES_N_PASSES && n_new == 0; pass++) {
        if (pass == TASKFIT_MOVES_SMOOTH && !taskfit_moves_prices_smooth(m)) {
            continue;
        }
        const taskfit_moves_prices *prices = pass == TASKFIT_MOVES_SMOOTH ? &m->smooth : &m->dual;
        if (!taskfit_moves_price(m, prices, (taskfit_moves_pass)pass, &n_new)) {
            *bound = -1;
            return false;
        }
        const int64_t proved = taskfit_moves_prices_bound(m, prices);
        taskfit_moves_prices_center(m, prices, proved);
        *bound = min64(*bound, proved < 0 ? -1 : proved / prices->unit);
        if (*bound <= target || (!m->spare && (double)*bound <= value)) {
            return false;
        }
    }
    if (n_new == 0 && m->spare && m->penalty < most_penalty) {
        set_penalty(m, m->penalty * PENALTY_STEP);
        return true;
    }
    return n_new > 0;
}

void taskfit_moves_master_inherit(taskfit_moves_master *m, const taskfit_moves_master *from) {
    const taskfit_decision *d = m->board->decision;
    const taskfit_decision *coarse = from->board->decision;
    if (from->center_bound == INT64_MAX) {
        return;
    }
    taskfit_arena *scratch = taskfit_arena_new();
    size_t *profile_of = TASKFIT_ARRAY(scratch, d->problem->n_services, size_t);
    for (size_t p = 0; p < coarse->n_profiles; p++) {
        for (int64_t s = 0; s < coarse->profiles[p].n_services; s++) {
            profile_of[coarse->profiles[p].services[s]] = p;
        }
    }
    for (size_t p = 0; p < d->n_profiles; p++) {
        const size_t first = profile_of[d->profiles[p].services[0]] * d->n_zones;
        memcpy(m->center.task + p * d->n_zones, from->center.task + first, d->n_zones * sizeof *m->center.task);
        memcpy(m->center.bonus + p * d->n_zones, from->center.bonus + first, d->n_zones * sizeof *m->center.bonus);
    }
    m->center.unit = from->center.unit;
    m->center.caps = from->center.caps;
    m->penalty = from->penalty;
    m->inherited = true;
    taskfit_arena_free(scratch);
}

/* Prices at the center before there is a solution. False: some instance can hold nothing. */
static bool begin_with_center(taskfit_moves_master *m, int64_t *bound) {
    const size_t n = m->board->decision->n_profiles * m->board->decision->n_zones;
    m->inherited = false;
    memcpy(m->dual.task, m->center.task, n * sizeof *m->dual.task);
    memcpy(m->dual.bonus, m->center.bonus, n * sizeof *m->dual.bonus);
    m->dual.unit = m->center.unit;
    m->dual.caps = m->center.caps;
    size_t n_new = 0;
    if (!taskfit_moves_price(m, &m->dual, TASKFIT_MOVES_QUICK, &n_new)) {
        *bound = -1;
        return false;
    }
    const int64_t proved = taskfit_moves_prices_bound(m, &m->dual);
    taskfit_moves_prices_center(m, &m->dual, proved);
    *bound = min64(*bound, proved < 0 ? -1 : proved / m->dual.unit);
    return true;
}

int64_t taskfit_moves_master_solve(taskfit_moves_master *m, const taskfit_moves_node *node, taskfit_moves_effort effort,
                                   int64_t target, bool *solved_out) {
    int64_t bound = m->board->bound;
    const double penalty = m->penalty;
    enter(m, node);
    *solved_out = false;
    if (m->inherited && !begin_with_center(m, &bound)) {
        return bound;
    }
    while (bound > target && go_on(m, target, effort == TASKFIT_MOVES_BRIEFLY ? penalty : LAST_PENALTY, &bound, solved_out)) {
    }
    if (effort != TASKFIT_MOVES_ROOT && m->penalty > penalty) { /* high prices are coarse */
        set_penalty(m, penalty);
    }
    return bound;
}
