#include "ladder/move_order.h"

#include <assert.h>
#include <stdlib.h>

#include "ladder/order_state.h"

/*
 * Only tasks that leave an instance that stays make room anybody waits for. So those go first; once they are gone, each
 * instance holds nothing but tasks of the final placement, and whatever comes from instances that go, or starts, fits.
 *
 * A place is safe when all that comes there fits beside all that has yet to leave: going there spoils nothing, and if only
 * one place has such a task to give, it may as well go at once. Other moves are tried best first, and taken back when they
 * lead nowhere; a search that has tried them all has proved that there is no order.
 */

enum { SEARCH_WORK = 50000000, GREEDY_WORK = 120000000, OFFERS_TRIED = 24 };

typedef struct choice {
    size_t from, to; /* shares */
    int64_t score;
} choice;

typedef struct finder {
    taskfit_order_state *state;
    taskfit_arena *arena;
    choice *choices; /* a stack: those of the nodes above, then this one's */
    size_t n_choices, capacity;
    size_t turn; /* the share to look at first: behind the one filled last */
    int64_t work_limit;
    bool cut;
} finder;

/* ---- what may be done next ---- */

static int best_first(const void *left, const void *right) {
    const choice *a = left;
    const choice *b = right;
    if (a->score != b->score) {
        return a->score > b->score ? -1 : 1;
    }
    if (a->to != b->to) {
        return a->to < b->to ? -1 : 1;
    }
    return (a->from > b->from) - (a->from < b->from);
}

/* Who waits for room should get it, and large tasks make more of it. */
static int64_t score_of(const taskfit_order_state *state, size_t from) {
    const taskfit_order_share *share = &state->query->shares[from];
    const int64_t memory_mib = state->query->problem->services[share->service].demand[TASKFIT_RESOURCE_MEMORY];
    return state->n_coming[share->place] > 0 ? memory_mib + (INT64_C(1) << 50) : memory_mib;
}

static bool gives(const taskfit_order_state *state, size_t share) {
    return state->surplus[share] > 0 && taskfit_order_stays(state, state->query->shares[share].place);
}

/* Pushes the ways to fill one share from instances that stay; how many there are. */
static size_t push_sources(finder *f, size_t to) {
    const taskfit_order_state *state = f->state;
    const size_t service = state->query->shares[to].service;
    size_t n = 0;
    for (size_t from = state->first_share[service]; from < state->first_share[service + 1]; from++) {
        f->state->work++;
        if (gives(state, from)) {
            TASKFIT_GROW(f->arena, f->choices, f->n_choices, f->capacity);
            f->choices[f->n_choices++] = (choice){from, to, score_of(state, from)};
            n++;
        }
    }
    return n;
}

/* The choices of one node behind those of the others: the sources of one safe place, a single one if there is such; else
 * all. */
static void push_choices(finder *f) {
    taskfit_order_state *state = f->state;
    const size_t first = f->n_choices;
    size_t n_safe = 0;
    const size_t n_shares = state->query->n_shares;
    for (size_t look = 0; look < n_shares && n_safe != 1; look++) {
        const size_t to = (f->turn + look) % n_shares;
        const taskfit_order_share *share = &state->query->shares[to];
        state->work++;
        if (state->deficit[to] == 0 || !taskfit_order_fits(state, share->service, share->place)) {
            continue;
        }
        const bool safe = taskfit_order_safe(state, share->place);
        const size_t before = f->n_choices;
        const size_t n = safe || n_safe == 0 ? push_sources(f, to) : 0;
        if (safe && n > 0 && (n_safe == 0 || n == 1)) {
            for (size_t i = 0; i < n; i++) {
                f->choices[first + i] = f->choices[before + i];
            }
            f->n_choices = first + n;
            n_safe = n;
        } else if (n_safe > 0) {
            f->n_choices = before;
        }
    }
    if (f->n_choices > first) {
        qsort(&f->choices[first], f->n_choices - first, sizeof *f->choices, best_first);
    }
}

/* ---- the search ---- */

/* Depth first, without recursion: `next` of each move made says which choice of its node comes after it. */
typedef struct level {
    size_t first, next; /* choices of the node above this move */
} level;

static bool search(finder *f) {
    taskfit_order_state *state = f->state;
    level *levels = NULL;
    size_t n = 0;
    size_t capacity = 0;
    while (state->kept_surplus > 0) {
        const size_t first = f->n_choices;
        push_choices(f);
        TASKFIT_GROW(f->arena, levels, n, capacity);
        levels[n++] = (level){first, first};
        while (n > 0 && levels[n - 1].next == f->n_choices) { /* leads nowhere: back */
            f->n_choices = levels[--n].first;
            if (n > 0) {
                const choice *last = &f->choices[levels[n - 1].next - 1];
                taskfit_order_undo(state, last->from, last->to);
            }
        }
        f->cut = state->work > f->work_limit;
        if (n == 0 || f->cut) {
            return false;
        }
        const choice *chosen = &f->choices[levels[n - 1].next++];
        taskfit_order_move(state, chosen->from, chosen->to);
        f->turn = chosen->to;
    }
    return true;
}

/* ---- with tasks that wait ---- */

/* An instance that goes, else the spare one, that takes a task of the service; n_all: none. */
static size_t waiting_place(taskfit_order_state *state, size_t service) {
    size_t place = state->query->n_places;
    while (place < state->n_all && !taskfit_order_fits(state, service, place)) {
        state->work++;
        place++;
    }
    return place;
}

/* Which task should wait: the smallest of the instance where others wait for room and the fewest have to leave. False: none
 * can. */
static bool let_one_wait(finder *f) {
    taskfit_order_state *state = f->state;
    const taskfit_order_query *query = state->query;
    size_t best = query->n_shares;
    size_t best_place = state->n_all;
    int64_t best_score = INT64_MIN;
    for (size_t from = 0; from < query->n_shares; from++) {
        const taskfit_order_share *share = &query->shares[from];
        state->work++;
        if (!gives(state, from) || state->n_coming[share->place] == 0) {
            continue;
        }
        const int64_t score = -query->problem->services[share->service].demand[TASKFIT_RESOURCE_MEMORY] -
                              (state->n_leaving_here[share->place] << 42);
        const size_t place = score > best_score ? waiting_place(state, share->service) : state->n_all;
        if (place < state->n_all) {
            best = from;
            best_place = place;
            best_score = score;
        }
    }
    if (best < query->n_shares) {
        taskfit_order_wait_on(state, best, best_place);
    }
    return best < query->n_shares;
}

static bool go_with_waits(finder *f) {
    taskfit_order_state *state = f->state;
    while (state->kept_surplus > 0) {
        f->n_choices = 0;
        push_choices(f);
        if (state->work > f->work_limit) {
            return false;
        }
        if (f->n_choices > 0) {
            f->turn = f->choices[0].to;
            taskfit_order_move(state, f->choices[0].from, f->choices[0].to);
        } else if (!let_one_wait(f)) {
            return false;
        }
    }
    return true;
}

typedef struct spare_offer {
    size_t offer;
    bool in_use; /* an instance of its group is of this type already */
    int64_t price_usd_micros;
} spare_offer;

static int nearest_offer(const void *left, const void *right) {
    const spare_offer *a = left;
    const spare_offer *b = right;
    if (a->in_use != b->in_use) {
        return a->in_use ? -1 : 1;
    }
    if (a->price_usd_micros != b->price_usd_micros) {
        return a->price_usd_micros < b->price_usd_micros ? -1 : 1;
    }
    return (a->offer > b->offer) - (a->offer < b->offer);
}

/* Of what stands already first, then by price. */
static const spare_offer *sort_offers(const taskfit_order_query *query, taskfit_arena *arena) {
    const taskfit_problem *problem = query->problem;
    spare_offer *offers = TASKFIT_ARRAY(arena, problem->n_offers, spare_offer);
    for (size_t o = 0; o < problem->n_offers; o++) {
        offers[o] = (spare_offer){.offer = o, .price_usd_micros = problem->offers[o].price_usd_micros};
        for (size_t p = 0; p < query->n_places; p++) {
            const taskfit_offer *stands = &problem->offers[query->offers[p]];
            offers[o].in_use = offers[o].in_use || (stands->group == problem->offers[o].group && stands->type == problem->offers[o].type);
        }
    }
    if (problem->n_offers > 0) {
        qsort(offers, problem->n_offers, sizeof *offers, nearest_offer);
    }
    return offers;
}

/* ---- the whole order ---- */

static bool overfull(const taskfit_order_state *state, size_t place, size_t *resource_out) {
    const int64_t *capacity = state->query->problem->offers[state->query->offers[place]].ecs_capacity;
    for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
        const int64_t used = state->used[place * TASKFIT_RESOURCE_COUNT + r];
        if (used > 0 && used > capacity[r]) {
            *resource_out = r;
            return true;
        }
    }
    return false;
}

/* How welcome it is that a task there stops. */
static int welcome(const taskfit_order_state *state, size_t share) {
    const size_t place = state->query->shares[share].place;
    size_t resource = 0;
    if (!taskfit_order_stays(state, place)) {
        return 0;
    }
    return overfull(state, place, &resource) ? 3 : state->n_coming[place] > 0 ? 2 : 1;
}

/* Tasks that are not wanted any more. *chosen_out: there was a choice which. */
static void stop_surplus(taskfit_order_state *state, bool *chosen_out) {
    for (size_t s = 0; s < state->query->problem->n_services; s++) {
        int64_t surplus = 0;
        int64_t deficit = 0;
        for (size_t i = state->first_share[s]; i < state->first_share[s + 1]; i++) {
            surplus += state->surplus[i];
            deficit += state->deficit[i];
        }
        *chosen_out = *chosen_out || (deficit > 0 && surplus > deficit);
        for (; surplus > deficit; surplus--) {
            size_t best = SIZE_MAX;
            for (size_t i = state->first_share[s]; i < state->first_share[s + 1]; i++) {
                if (state->surplus[i] > 0 && (best == SIZE_MAX || welcome(state, i) > welcome(state, best))) {
                    best = i;
                }
            }
            taskfit_order_stop(state, best);
        }
    }
}

/* What waits, then what stands on instances that go, then what starts. */
static void finish(taskfit_order_state *state) {
    for (size_t to = 0; to < state->query->n_shares; to++) {
        for (size_t w = 0; w < state->n_waits; w++) {
            while (state->deficit[to] > 0 && state->waits[w].count > 0 && state->waits[w].service == state->query->shares[to].service) {
                taskfit_order_end_wait(state, w, to);
            }
        }
    }
    for (size_t to = 0; to < state->query->n_shares; to++) {
        const size_t service = state->query->shares[to].service;
        for (size_t from = state->first_share[service]; from < state->first_share[service + 1]; from++) {
            while (state->deficit[to] > 0 && state->surplus[from] > 0) {
                taskfit_order_move(state, from, to);
            }
        }
    }
    for (size_t to = 0; to < state->query->n_shares; to++) {
        while (state->deficit[to] > 0) {
            taskfit_order_start(state, to);
        }
    }
}

static taskfit_order found(taskfit_order_state *state, bool proved) {
    finish(state);
    return (taskfit_order){.end = TASKFIT_ORDER_FOUND,
                           .steps = state->steps,
                           .n_steps = state->n_steps,
                           .n_waiting = state->n_waiting,
                           .waiting_proved = proved,
                           .spare_offer = state->n_on_spare > 0 ? state->spare : SIZE_MAX,
                           .n_on_spare = state->n_on_spare};
}

/* Without a spare instance (SIZE_MAX), or with one of the offer. */
static bool find_with_waits(const taskfit_order_query *query, size_t spare, bool proved, taskfit_arena *arena, taskfit_order *order) {
    taskfit_order_state *state = taskfit_order_state_new(query, spare, arena);
    finder f = {.state = state, .arena = arena, .work_limit = GREEDY_WORK / OFFERS_TRIED};
    bool chosen = false;
    stop_surplus(state, &chosen);
    const bool done = go_with_waits(&f);
    if (done) {
        *order = found(state, proved);
    }
    return done;
}

static taskfit_order order_with_waits(const taskfit_order_query *query, bool proved, taskfit_arena *arena) {
    const spare_offer *offers = sort_offers(query, arena);
    taskfit_order order = {.end = TASKFIT_ORDER_STUCK, .spare_offer = SIZE_MAX};
    bool done = query->n_leaving > 0 && find_with_waits(query, SIZE_MAX, proved, arena, &order);
    for (size_t o = 0; o < query->problem->n_offers && o < OFFERS_TRIED && !done; o++) {
        done = find_with_waits(query, offers[o].offer, proved, arena, &order);
    }
    return order;
}

taskfit_order taskfit_move_order(const taskfit_order_query *query, taskfit_arena *arena) {
    enum { CELLS_MAX = 50 * 1000 * 1000, MOVES_MAX = 200 * 1000 };
    int64_t n_moves = 0;
    for (size_t i = 0; i < query->n_shares; i++) {
        const taskfit_order_share *share = &query->shares[i];
        n_moves += share->before > share->after ? share->before - share->after : share->after - share->before;
    }
    if (n_moves > MOVES_MAX || (int64_t)(query->n_places + query->n_leaving) * (int64_t)(query->problem->n_ports + 1) > CELLS_MAX) {
        return (taskfit_order){.end = TASKFIT_ORDER_LARGE, .spare_offer = SIZE_MAX};
    }
    taskfit_order_state *state = taskfit_order_state_new(query, SIZE_MAX, arena);
    bool chosen = false;
    stop_surplus(state, &chosen);
    for (size_t p = 0; p < query->n_places; p++) {
        size_t resource = 0;
        if (overfull(state, p, &resource)) {
            return (taskfit_order){.end = TASKFIT_ORDER_OVERFULL,
                                   .spare_offer = SIZE_MAX,
                                   .place = p,
                                   .resource = resource,
                                   .held = state->used[p * TASKFIT_RESOURCE_COUNT + resource],
                                   .capacity = query->problem->offers[query->offers[p]].ecs_capacity[resource]};
        }
    }
    finder f = {.state = state, .arena = arena, .work_limit = SEARCH_WORK};
    return search(&f) ? found(state, false) : order_with_waits(query, !f.cut && !chosen, arena);
}
