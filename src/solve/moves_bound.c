#include "base/int64.h"
#include "solve/moves_master.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * The bound. For any whole prices P[p,z] >= 0 of tasks and s[r] >= 0 of the cap rows let `unit` be the price of a task that stays,
 *
 *     bonus[p,z] = unit - sum of s[r] over the cap rows r of p with z
 *     V[b]       = the most that a content of block b is worth: sum P a + sum bonus kept
 *     W          = the least that all tasks are worth, wherever the windows let them stand
 *
 * Every task of a placement is on some instance, so W <= sum of P a over the instances, and no cap row is broken, so
 *
 *     unit * kept  <=  sum bonus kept + sum s cap  <=  (sum of V, the largest ones of each choice) - W + sum s cap
 *
 * in whole numbers, whatever the linear program says; its duals only propose the prices. A fleet that cannot hold the tasks
 * shows by a bound below 0 as soon as the prices are high enough: so what no column covers has a price, `penalty`, that
 * rises.
 */

static bool in_zones(uint64_t zones, size_t zone) {
    return (zones >> zone & 1) != 0;
}

/* ---- prices ---- */

void taskfit_moves_prices_init(taskfit_moves_prices *prices, const taskfit_decision *d, taskfit_arena *arena) {
    prices->task = TASKFIT_ARRAY(arena, d->n_profiles * d->n_zones, int64_t);
    prices->bonus = TASKFIT_ARRAY(arena, d->n_profiles * d->n_zones, int64_t);
}

/* The power of two that leaves a price of `penalty` well below TASKFIT_PRICE_MAX. */
static int64_t unit_for(double penalty) {
    int64_t unit = 1 << 20;
    while (unit > 1 && (double)unit * penalty * 4.0 > (double)TASKFIT_PRICE_MAX) {
        unit /= 2;
    }
    return unit;
}

static int64_t to_price(double dual, int64_t unit) {
    const double price = dual * (double)unit;
    return price <= 0.0 ? 0 : price >= (double)(TASKFIT_PRICE_MAX / 2) ? TASKFIT_PRICE_MAX / 2 : (int64_t)floor(price);
}

static void read_row(taskfit_moves_master *m, const taskfit_moves_row *row, double dual) {
    const taskfit_decision *d = m->board->decision;
    taskfit_moves_prices *prices = &m->dual;
    const size_t first = row->index * d->n_zones;
    const int64_t price = row->type == TASKFIT_MOVES_COVER ? to_price(dual, prices->unit) : to_price(-dual, prices->unit);
    const int64_t signed_price = -(int64_t)floor(dual * (double)prices->unit);
    switch (row->type) {
    case TASKFIT_MOVES_COVER:
        for (size_t z = 0; z < d->n_zones; z++) {
            const int64_t sum = prices->task[first + z] + (in_zones(row->zones, z) ? price : 0);
            prices->task[first + z] = min64(sum, TASKFIT_PRICE_MAX / 2);
        }
        break;
    case TASKFIT_MOVES_CAP:
        for (size_t z = 0; z < d->n_zones; z++) {
            prices->bonus[first + z] -= in_zones(row->zones, z) ? price : 0;
        }
        prices->caps += price * row->bound;
        break;
    case TASKFIT_MOVES_STAND:
        m->pay[row->index] += signed_price;
        break;
    case TASKFIT_MOVES_NEW:
        m->pay[m->board->n_stands + row->index] += price;
        break;
    case TASKFIT_MOVES_CHOICE:
        for (size_t i = 0; i < m->board->choices[row->index].n_stands; i++) {
            m->pay[m->board->choices[row->index].first + i] += price;
        }
        break;
    }
}

void taskfit_moves_prices_read(taskfit_moves_master *m) {
    const taskfit_decision *d = m->board->decision;
    const size_t n = d->n_profiles * d->n_zones;
    m->dual.unit = unit_for(m->penalty);
    m->dual.caps = 0;
    for (size_t i = 0; i < n; i++) {
        m->dual.task[i] = 0;
        m->dual.bonus[i] = m->dual.unit;
    }
    for (size_t block = 0; block < taskfit_moves_n_blocks(m->board); block++) {
        m->pay[block] = 0;
    }
    for (size_t row = 0; row < m->n_rows; row++) {
        read_row(m, &m->rows[row], taskfit_lp_price(m->lp, row));
    }
}

bool taskfit_moves_prices_smooth(taskfit_moves_master *m) {
    if (m->center_bound == INT64_MAX || m->center.unit != m->dual.unit) {
        return false;
    }
    const size_t n = m->board->decision->n_profiles * m->board->decision->n_zones;
    for (size_t i = 0; i < n; i++) {
        m->smooth.task[i] = (m->dual.task[i] + m->center.task[i]) / 2;
        m->smooth.bonus[i] = (m->dual.bonus[i] + m->center.bonus[i] + 1) / 2; /* up: the caps' share stays enough */
    }
    m->smooth.caps = (m->dual.caps + m->center.caps + 1) / 2;
    m->smooth.unit = m->dual.unit;
    return true;
}

/* ---- the bound ---- */

static int descending(const void *left, const void *right) {
    const int64_t a = *(const int64_t *)left;
    const int64_t b = *(const int64_t *)right;
    return (a < b) - (a > b);
}

/* The most a choice's stands are worth: those that stay, then the best; -1: too few can. */
static int64_t choice_worth(const taskfit_moves_master *m, const taskfit_moves_choice *choice, int64_t *sorted) {
    int64_t worth = 0;
    size_t left = choice->n_choose;
    size_t n = 0;
    for (size_t i = choice->first; i < choice->first + choice->n_stands; i++) {
        if (m->node->state[i] == TASKFIT_MOVES_STAYS) {
            worth += m->worth[i];
            left -= left > 0 ? 1 : 0;
        } else if (m->node->state[i] == TASKFIT_MOVES_FREE && m->worth[i] >= 0) {
            sorted[n++] = m->worth[i];
        }
    }
    if (n < left) {
        return -1;
    }
    if (n > 0) {
        qsort(sorted, n, sizeof *sorted, descending);
    }
    for (size_t i = 0; i < left; i++) {
        worth += sorted[i];
    }
    return worth;
}

/* The least the profile's tasks are worth: floors of the zones, then the cheapest zones up to their ceilings. */
static int64_t tasks_worth(const taskfit_decision *d, size_t p, const int64_t *price) {
    const taskfit_profile *profile = &d->profiles[p];
    int64_t worth = 0;
    int64_t left = profile->tasks;
    for (size_t z = 0; z < d->n_zones; z++) {
        worth += profile->zone_low[z] * price[z];
        left -= profile->zone_low[z];
    }
    for (int64_t last = -1; left > 0;) {
        int64_t next = INT64_MAX;
        for (size_t z = 0; z < d->n_zones; z++) {
            next = price[z] > last && price[z] < next ? price[z] : next;
        }
        assert(next < INT64_MAX); /* the decision is possible, so ceilings hold all tasks */
        for (size_t z = 0; z < d->n_zones && left > 0; z++) {
            if (price[z] == next) {
                const int64_t put = min64(left, profile->zone_high[z] - profile->zone_low[z]);
                worth += put * next;
                left -= put;
            }
        }
        last = next;
    }
    return worth;
}

/* unit * kept is at most this, as the prices prove once every block was priced. -1: there is no placement. */
int64_t taskfit_moves_prices_bound(taskfit_moves_master *m, const taskfit_moves_prices *prices) {
    const taskfit_moves_board *board = m->board;
    const taskfit_decision *d = board->decision;
    int64_t sum = prices->caps;
    for (size_t c = 0; c < board->n_choices; c++) {
        const int64_t worth = choice_worth(m, &board->choices[c], m->sorted);
        if (worth < 0) {
            return -1;
        }
        sum += worth;
    }
    for (size_t k = 0; k < d->n_kinds; k++) {
        sum += board->n_new[k] > 0 ? board->n_new[k] * m->worth[board->n_stands + k] : 0;
    }
    for (size_t p = 0; p < d->n_profiles; p++) {
        sum -= tasks_worth(d, p, prices->task + p * d->n_zones);
    }
    return sum < 0 ? -1 : sum;
}

void taskfit_moves_prices_center(taskfit_moves_master *m, const taskfit_moves_prices *prices, int64_t bound) {
    if (bound >= m->center_bound && m->center.unit == prices->unit) {
        return;
    }
    const size_t n = m->board->decision->n_profiles * m->board->decision->n_zones;
    memcpy(m->center.task, prices->task, n * sizeof *m->center.task);
    memcpy(m->center.bonus, prices->bonus, n * sizeof *m->center.bonus);
    m->center.caps = prices->caps;
    m->center.unit = prices->unit;
    m->center_bound = bound;
}
