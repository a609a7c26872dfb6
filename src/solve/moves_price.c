#include "base/int64.h"
#include "solve/moves_master.h"

#include <assert.h>
#include <string.h>

/*
 * A stand's content is worth price a[p] and a bonus for each task that stays, of which there are at most before[p]. Both kinds of
 * tasks of a profile are items of their own: first come those that stay, being worth more. So the pricing of
 * column generation (pricing.h) is asked about a decision of one kind with
 *
 *     profile e < n          tasks of e beyond before, low - min(low, before) .. high - min(high, before)
 *     profile n + i          tasks of the i-th profile with before > 0, min(low, before) .. min(high, before)
 */

typedef struct taskfit_moves_pricer {
    taskfit_arena *arena;      /* of the pricer */
    taskfit_pricer *pricer;
    const int64_t *low, *high; /* of the node it was made for */
    size_t n_kept;             /* profiles with before > 0 */
    const size_t *kept;
    int64_t *price;            /* [n_profiles + n_kept] */
} taskfit_moves_pricer;

enum { TOLERANCE = 1 << 19 }; /* of the LP, 2e-6: what is worth less than unit / TOLERANCE more is no gain */

typedef struct pricing {
    taskfit_moves_master *master;
    taskfit_moves_pricer *pricer;
    size_t block;
    int64_t needed; /* worth at the master's prices from which it is a column */
    bool smooth;
    size_t n_new;
} pricing;

void taskfit_moves_price_init(taskfit_moves_master *master) {
    const size_t n_blocks = taskfit_moves_n_blocks(master->board);
    master->pricers = TASKFIT_ARRAY(master->arena, n_blocks, taskfit_moves_pricer);
    master->worth = TASKFIT_ARRAY(master->arena, n_blocks, int64_t);
    master->tables = taskfit_pricer_tables_new(master->arena);
}

void taskfit_moves_price_free(taskfit_moves_master *master) {
    for (size_t block = 0; block < taskfit_moves_n_blocks(master->board); block++) {
        taskfit_arena_free(master->pricers[block].arena);
    }
}

static void extend_conflicts(const taskfit_moves_board *board, const taskfit_moves_pricer *p, taskfit_decision *d,
                             taskfit_arena *arena) {
    const taskfit_decision *from = board->decision;
    if (from->n_conflicts == 0) {
        return;
    }
    size_t *twin = TASKFIT_ARRAY(arena, from->n_profiles, size_t); /* 0: none */
    for (size_t i = 0; i < p->n_kept; i++) {
        twin[p->kept[i]] = from->n_profiles + i;
    }
    taskfit_conflict *conflicts = TASKFIT_ARRAY(arena, 4 * from->n_conflicts, taskfit_conflict);
    d->n_conflicts = 0;
    for (size_t i = 0; i < from->n_conflicts; i++) {
        const size_t sides[2][2] = {{from->conflicts[i].a, twin[from->conflicts[i].a]},
                                    {from->conflicts[i].b, twin[from->conflicts[i].b]}};
        for (size_t a = 0; a < 2; a++) {
            for (size_t b = 0; b < 2; b++) {
                if ((a == 0 || sides[0][1] != 0) && (b == 0 || sides[1][1] != 0)) {
                    conflicts[d->n_conflicts++] = (taskfit_conflict){.a = sides[0][a], .b = sides[1][b]};
                }
            }
        }
    }
    d->conflicts = conflicts;
}

/* The decision of one kind described above. */
static const taskfit_decision *extend(const taskfit_moves_board *board, size_t stand, const taskfit_moves_pricer *p,
                                      taskfit_arena *arena) {
    const taskfit_decision *from = board->decision;
    const size_t n = from->n_profiles;
    taskfit_decision *d = TASKFIT_NEW(arena, taskfit_decision);
    *d = *from;
    d->n_profiles = n + p->n_kept;
    taskfit_profile *profiles = TASKFIT_ARRAY(arena, d->n_profiles, taskfit_profile);
    taskfit_kind *kind = TASKFIT_NEW(arena, taskfit_kind);
    int64_t *low = TASKFIT_ARRAY(arena, d->n_profiles, int64_t);
    int64_t *high = TASKFIT_ARRAY(arena, d->n_profiles, int64_t);
    memcpy(profiles, from->profiles, n * sizeof *profiles);
    memcpy(low, p->low, n * sizeof *low);
    memcpy(high, p->high, n * sizeof *high);
    for (size_t i = 0; i < p->n_kept; i++) {
        const size_t of = p->kept[i];
        const int64_t before = board->stands[stand].before[of];
        profiles[n + i] = from->profiles[of];
        low[n + i] = min64(low[of], before);
        high[n + i] = min64(high[of], before);
        low[of] -= low[n + i];
        high[of] -= high[n + i];
    }
    extend_conflicts(board, p, d, arena);
    *kind = from->kinds[board->stands[stand].kind];
    kind->count = 1;
    kind->low = low;
    kind->high = high;
    d->profiles = profiles;
    d->kinds = kind;
    d->n_kinds = 1;
    return d;
}

/* The block's pricer for the bounds of the node. */
static taskfit_moves_pricer *pricer_of(taskfit_moves_master *master, size_t block) {
    const taskfit_moves_board *board = master->board;
    const taskfit_decision *d = board->decision;
    taskfit_moves_pricer *p = &master->pricers[block];
    const bool stand = block < board->n_stands;
    const int64_t *low = stand ? master->node->low[block] : d->kinds[block - board->n_stands].low;
    const int64_t *high = stand ? master->node->high[block] : d->kinds[block - board->n_stands].high;
    if (p->pricer != NULL && p->low == low && p->high == high) {
        return p;
    }
    if (p->price == NULL) {
        size_t *kept = TASKFIT_ARRAY(master->arena, d->n_profiles, size_t);
        for (size_t profile = 0; stand && profile < d->n_profiles; profile++) {
            if (board->stands[block].before[profile] > 0) {
                kept[p->n_kept++] = profile;
            }
        }
        p->kept = kept;
        p->price = TASKFIT_ARRAY(master->arena, d->n_profiles + p->n_kept, int64_t);
    }
    p->low = low;
    p->high = high;
    p->arena = p->arena == NULL ? taskfit_arena_new() : p->arena;
    taskfit_arena_reset(p->arena);
    p->pricer = stand ? taskfit_pricer_new(p->arena, extend(board, block, p, p->arena), 0)
                      : taskfit_pricer_new(p->arena, d, block - board->n_stands);
    taskfit_pricer_share_tables(p->pricer, master->tables);
    return p;
}

/* A content in the terms of the extended decision: its worth at the master's prices, and its tasks. */
static int64_t fold(const pricing *q, const int64_t *tasks, int64_t *folded) {
    const taskfit_moves_board *board = q->master->board;
    const taskfit_decision *d = board->decision;
    const size_t zone = d->kinds[taskfit_moves_kind_of(board, q->block)].zone;
    const taskfit_moves_prices *dual = &q->master->dual;
    int64_t worth = 0;
    memcpy(folded, tasks, d->n_profiles * sizeof *folded);
    for (size_t i = 0; i < q->pricer->n_kept; i++) {
        const size_t p = q->pricer->kept[i];
        folded[p] += tasks[d->n_profiles + i];
        worth += min64(folded[p], board->stands[q->block].before[p]) * dual->bonus[p * d->n_zones + zone];
    }
    for (size_t p = 0; p < d->n_profiles; p++) {
        worth += folded[p] * dual->task[p * d->n_zones + zone];
    }
    return worth;
}

static void take(void *arg, const int64_t *tasks, int64_t worth) {
    pricing *q = arg;
    (void)worth; /* at other prices perhaps */
    if (fold(q, tasks, q->master->tasks) >= q->needed && taskfit_moves_master_add(q->master, q->block, q->master->tasks)) {
        q->n_new++;
    }
}

static void set_prices(const taskfit_moves_master *master, const taskfit_moves_prices *prices, size_t block,
                       taskfit_moves_pricer *p) {
    const taskfit_decision *d = master->board->decision;
    const size_t zone = d->kinds[taskfit_moves_kind_of(master->board, block)].zone;
    for (size_t profile = 0; profile < d->n_profiles; profile++) {
        p->price[profile] = prices->task[profile * d->n_zones + zone];
    }
    for (size_t i = 0; i < p->n_kept; i++) {
        const int64_t price = p->price[p->kept[i]] + prices->bonus[p->kept[i] * d->n_zones + zone];
        p->price[d->n_profiles + i] = price > 0 ? price : 0;
    }
}

/* QUICK may give up, THOROUGH leaves contents of no gain to the LP's tolerance, PROVED tells the exact maximum. */
static bool price_block(pricing *q, const taskfit_moves_prices *prices, taskfit_moves_pass pass) {
    taskfit_moves_master *master = q->master;
    const int64_t pay = master->pay[q->block];
    if (pass > TASKFIT_MOVES_QUICK && master->worth[q->block] <= pay) {
        return true;
    }
    q->pricer = pricer_of(master, q->block);
    set_prices(master, prices, q->block, q->pricer);
    q->needed = pay + prices->unit / TOLERANCE + 1;
    taskfit_pricing_query query = {.price = q->pricer->price,
                                   .above = pass == TASKFIT_MOVES_THOROUGH ? q->needed - 1 : pay,
                                   .thorough = pass > TASKFIT_MOVES_QUICK,
                                   .found = take,
                                   .found_arg = q};
    taskfit_pricing_result result = taskfit_pricer_ask(q->pricer->pricer, &query, master->budget);
    while (pass == TASKFIT_MOVES_PROVED && result.best > query.above && result.bound > result.best) {
        query.above = result.best;
        result = taskfit_pricer_ask(q->pricer->pricer, &query, master->budget);
    }
    master->worth[q->block] = result.bound;
    return result.feasible;
}

bool taskfit_moves_price(taskfit_moves_master *master, const taskfit_moves_prices *prices, taskfit_moves_pass pass,
                         size_t *n_new_out) {
    const taskfit_moves_board *board = master->board;
    *n_new_out = 0;
    for (size_t block = 0; block < taskfit_moves_n_blocks(board); block++) {
        const bool stand = block < board->n_stands;
        if (stand ? master->node->state[block] == TASKFIT_MOVES_GOES : board->n_new[block - board->n_stands] == 0) {
            continue;
        }
        pricing q = {.master = master, .block = block};
        const bool feasible = price_block(&q, prices, pass);
        *n_new_out += q.n_new;
        if (!feasible) {
            master->worth[block] = -1; /* only a stand that is free may be left out */
            if (!stand || master->node->state[block] == TASKFIT_MOVES_STAYS) {
                return false;
            }
        }
    }
    return true;
}
