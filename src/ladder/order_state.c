#include "ladder/order_state.h"

#include <assert.h>

static const taskfit_problem_service *service_of(const taskfit_order_state *state, size_t service) {
    return &state->query->problem->services[service];
}

bool taskfit_order_stays(const taskfit_order_state *state, size_t place) {
    return place < state->query->n_places;
}

/* ---- tasks come and go ---- */

static void add(const taskfit_order_state *state, int64_t *amounts, size_t service, int64_t count) {
    for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
        amounts[r] += service_of(state, service)->demand[r] * count;
    }
}

static void set_ports(taskfit_order_state *state, size_t service, size_t place, int64_t change) {
    const taskfit_problem_service *of = service_of(state, service);
    for (size_t p = 0; p < of->n_ports; p++) {
        state->port_taken[place * state->query->problem->n_ports + of->ports[p]] += change;
    }
}

/* SIZE_MAX: it takes no task. */
static size_t offer_of(const taskfit_order_state *state, size_t place) {
    return place + 1 == state->n_all ? state->spare : state->query->offers[place];
}

static bool delicate(const taskfit_order_state *state, size_t service) {
    return service_of(state, service)->n_ports > 0 || service_of(state, service)->n_conflicts > 0;
}

/* `count` 1: the task stands there now; -1: taken back. */
static void come(taskfit_order_state *state, size_t share, int64_t count) {
    const size_t place = state->query->shares[share].place;
    const size_t service = state->query->shares[share].service;
    state->deficit[share] -= count;
    state->n_coming[place] -= count;
    state->n_delicate[place] -= delicate(state, service) ? count : 0;
    add(state, &state->used[place * TASKFIT_RESOURCE_COUNT], service, count);
    add(state, &state->to_come[place * TASKFIT_RESOURCE_COUNT], service, -count);
    set_ports(state, service, place, count);
}

static void leave(taskfit_order_state *state, size_t share, int64_t count) {
    const size_t place = state->query->shares[share].place;
    const size_t service = state->query->shares[share].service;
    state->surplus[share] -= count;
    add(state, &state->used[place * TASKFIT_RESOURCE_COUNT], service, -count);
    set_ports(state, service, place, -count);
    if (taskfit_order_stays(state, place)) {
        state->n_leaving_here[place] -= count;
        state->kept_surplus -= count;
    }
}

static void record(taskfit_order_state *state, taskfit_step_action action, size_t service, size_t from, size_t to) {
    TASKFIT_GROW(state->arena, state->steps, state->n_steps, state->capacity);
    state->steps[state->n_steps++] = (taskfit_order_step){action, service, from, to};
}

void taskfit_order_move(taskfit_order_state *state, size_t from, size_t to) {
    const taskfit_order_share *shares = state->query->shares;
    assert(state->surplus[from] > 0 && state->deficit[to] > 0 && shares[from].service == shares[to].service);
    come(state, to, 1);
    leave(state, from, 1);
    record(state, TASKFIT_STEP_MOVE, shares[from].service, shares[from].place, shares[to].place);
}

void taskfit_order_undo(taskfit_order_state *state, size_t from, size_t to) {
    assert(state->n_steps > 0);
    state->n_steps--;
    leave(state, from, -1);
    come(state, to, -1);
}

/* As steps name it. */
static size_t named(const taskfit_order_state *state, size_t place) {
    return place + 1 == state->n_all ? TASKFIT_PLACE_SPARE : place;
}

static void stand_waiting(taskfit_order_state *state, taskfit_order_wait *wait, int64_t count) {
    wait->count += count;
    add(state, &state->used[wait->place * TASKFIT_RESOURCE_COUNT], wait->service, count);
    set_ports(state, wait->service, wait->place, count);
}

void taskfit_order_wait_on(taskfit_order_state *state, size_t from, size_t place) {
    const taskfit_order_share *share = &state->query->shares[from];
    size_t at = 0;
    while (at < state->n_waits && (state->waits[at].service != share->service || state->waits[at].place != place)) {
        at++;
    }
    if (at == state->n_waits) {
        TASKFIT_GROW(state->arena, state->waits, state->n_waits, state->waits_capacity);
        state->waits[state->n_waits++] = (taskfit_order_wait){.service = share->service, .place = place};
    }
    stand_waiting(state, &state->waits[at], 1);
    state->n_waiting++;
    state->n_on_spare += place + 1 == state->n_all ? 1 : 0;
    leave(state, from, 1);
    record(state, TASKFIT_STEP_MOVE, share->service, share->place, named(state, place));
}

void taskfit_order_end_wait(taskfit_order_state *state, size_t wait, size_t to) {
    taskfit_order_wait *of = &state->waits[wait];
    assert(of->count > 0 && of->service == state->query->shares[to].service);
    come(state, to, 1);
    stand_waiting(state, of, -1);
    record(state, TASKFIT_STEP_MOVE, of->service, named(state, of->place), state->query->shares[to].place);
}

void taskfit_order_stop(taskfit_order_state *state, size_t from) {
    leave(state, from, 1);
    record(state, TASKFIT_STEP_STOP, state->query->shares[from].service, state->query->shares[from].place, TASKFIT_PLACE_NONE);
}

void taskfit_order_start(taskfit_order_state *state, size_t to) {
    come(state, to, 1);
    record(state, TASKFIT_STEP_START, state->query->shares[to].service, TASKFIT_PLACE_NONE, state->query->shares[to].place);
}

/* ---- what fits ---- */

static int64_t now_at(const taskfit_order_state *state, size_t service, size_t place) {
    size_t low = state->first_share[service];
    size_t high = state->first_share[service + 1];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (state->query->shares[middle].place < place) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const bool found = low < state->first_share[service + 1] && state->query->shares[low].place == place;
    int64_t n = found ? state->query->shares[low].after + state->surplus[low] - state->deficit[low] : 0;
    for (size_t w = 0; w < state->n_waits && !taskfit_order_stays(state, place); w++) {
        n += state->waits[w].service == service && state->waits[w].place == place ? state->waits[w].count : 0;
    }
    return n;
}

static bool has_room(const int64_t *used, const int64_t *demand, const int64_t *capacity) {
    for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
        if (demand[r] > 0 && used[r] + demand[r] > capacity[r]) {
            return false;
        }
    }
    return true;
}

bool taskfit_order_fits(const taskfit_order_state *state, size_t service, size_t place) {
    const taskfit_problem *problem = state->query->problem;
    const taskfit_problem_service *of = &problem->services[service];
    const size_t offer = offer_of(state, place);
    if (offer == SIZE_MAX || !of->may_stand[offer] ||
        !has_room(&state->used[place * TASKFIT_RESOURCE_COUNT], of->demand, problem->offers[offer].ecs_capacity) ||
        (of->distinct_instance && now_at(state, service, place) > 0)) {
        return false;
    }
    for (size_t p = 0; p < of->n_ports; p++) {
        if (state->port_taken[place * problem->n_ports + of->ports[p]] > 0) {
            return false;
        }
    }
    for (size_t c = 0; c < of->n_conflicts; c++) {
        if (now_at(state, of->conflicts[c], place) > 0) {
            return false;
        }
    }
    return true;
}

bool taskfit_order_safe(const taskfit_order_state *state, size_t place) {
    if (state->n_leaving_here[place] == 0) {
        return true;
    }
    return state->n_delicate[place] == 0 &&
           has_room(&state->used[place * TASKFIT_RESOURCE_COUNT], &state->to_come[place * TASKFIT_RESOURCE_COUNT],
                    state->query->problem->offers[state->query->offers[place]].ecs_capacity);
}

/* ---- the start ---- */

static const size_t *index_shares(const taskfit_order_query *query, taskfit_arena *arena) {
    size_t *first = TASKFIT_ARRAY(arena, query->problem->n_services + 1, size_t);
    size_t share = 0;
    for (size_t s = 0; s <= query->problem->n_services; s++) {
        while (share < query->n_shares && query->shares[share].service < s) {
            share++;
        }
        first[s] = share;
    }
    return first;
}

static void count_in(taskfit_order_state *state, size_t share) {
    const taskfit_order_share *of = &state->query->shares[share];
    add(state, &state->used[of->place * TASKFIT_RESOURCE_COUNT], of->service, of->before);
    set_ports(state, of->service, of->place, of->before);
    if (!taskfit_order_stays(state, of->place)) {
        assert(of->after == 0);
        return;
    }
    add(state, &state->to_come[of->place * TASKFIT_RESOURCE_COUNT], of->service, state->deficit[share]);
    state->n_leaving_here[of->place] += state->surplus[share];
    state->kept_surplus += state->surplus[share];
    state->n_coming[of->place] += state->deficit[share];
    state->n_delicate[of->place] += delicate(state, of->service) ? state->deficit[share] : 0;
}

taskfit_order_state *taskfit_order_state_new(const taskfit_order_query *query, size_t spare, taskfit_arena *arena) {
    taskfit_order_state *state = TASKFIT_NEW(arena, taskfit_order_state);
    const size_t n = query->n_places;
    const size_t n_all = n + query->n_leaving + 1;
    *state = (taskfit_order_state){.query = query,
                                   .arena = arena,
                                   .first_share = index_shares(query, arena),
                                   .surplus = TASKFIT_ARRAY(arena, query->n_shares, int64_t),
                                   .deficit = TASKFIT_ARRAY(arena, query->n_shares, int64_t),
                                   .n_all = n_all,
                                   .used = TASKFIT_ARRAY(arena, n_all * TASKFIT_RESOURCE_COUNT, int64_t),
                                   .to_come = TASKFIT_ARRAY(arena, n * TASKFIT_RESOURCE_COUNT, int64_t),
                                   .n_leaving_here = TASKFIT_ARRAY(arena, n, int64_t),
                                   .n_coming = TASKFIT_ARRAY(arena, n, int64_t),
                                   .n_delicate = TASKFIT_ARRAY(arena, n, int64_t),
                                   .port_taken = TASKFIT_ARRAY(arena, n_all * query->problem->n_ports, int64_t),
                                   .spare = spare};
    for (size_t i = 0; i < query->n_shares; i++) {
        const taskfit_order_share *share = &query->shares[i];
        state->surplus[i] = share->before > share->after ? share->before - share->after : 0;
        state->deficit[i] = share->after > share->before ? share->after - share->before : 0;
        count_in(state, i);
    }
    return state;
}
