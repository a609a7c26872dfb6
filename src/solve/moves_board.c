#include "solve/moves_board.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/int64.h"

/* ---- classes ---- */

typedef struct presence { /* tasks of a service on a standing instance */
    size_t service, standing;
    int64_t count;
} presence;

typedef struct history { /* of a service: its presences, one after the other */
    const presence *first;
    size_t n;
    size_t service;
} history;

static int presence_compare(const void *left, const void *right) {
    const presence *a = left;
    const presence *b = right;
    if (a->service != b->service) {
        return a->service < b->service ? -1 : 1;
    }
    return (a->standing > b->standing) - (a->standing < b->standing);
}

static int history_equal_order(const history *a, const history *b) {
    if (a->n != b->n) {
        return a->n < b->n ? -1 : 1;
    }
    for (size_t i = 0; i < a->n; i++) {
        if (a->first[i].standing != b->first[i].standing) {
            return a->first[i].standing < b->first[i].standing ? -1 : 1;
        }
        if (a->first[i].count != b->first[i].count) {
            return a->first[i].count < b->first[i].count ? -1 : 1;
        }
    }
    return 0;
}

static int history_compare(const void *left, const void *right) {
    const history *a = left;
    const history *b = right;
    const int order = history_equal_order(a, b);
    return order != 0 ? order : (a->service > b->service) - (a->service < b->service);
}

static history *list_histories(const taskfit_problem *problem, const taskfit_standing *standing, taskfit_arena *scratch) {
    size_t n = 0;
    for (size_t i = 0; i < standing->n_instances; i++) {
        n += standing->instances[i].n_tasks;
    }
    presence *list = TASKFIT_ARRAY(scratch, n, presence);
    n = 0;
    for (size_t i = 0; i < standing->n_instances; i++) {
        const taskfit_standing_instance *at = &standing->instances[i];
        for (size_t t = 0; t < at->n_tasks; t++) {
            assert(at->tasks[t].service < problem->n_services);
            list[n++] = (presence){.service = at->tasks[t].service, .standing = i, .count = at->tasks[t].count};
        }
    }
    if (n > 0) {
        qsort(list, n, sizeof *list, presence_compare);
    }
    history *histories = TASKFIT_ARRAY(scratch, problem->n_services, history);
    size_t next = 0;
    for (size_t s = 0; s < problem->n_services; s++) {
        histories[s] = (history){.first = &list[next], .service = s};
        while (next < n && list[next].service == s) {
            next++;
            histories[s].n++;
        }
    }
    return histories;
}

const size_t *taskfit_moves_classes(const taskfit_problem *problem, const taskfit_standing *standing, taskfit_arena *arena) {
    taskfit_arena *scratch = taskfit_arena_new();
    size_t *classes = TASKFIT_ARRAY(arena, problem->n_services, size_t);
    history *histories = list_histories(problem, standing, scratch);
    if (problem->n_services > 0) {
        qsort(histories, problem->n_services, sizeof *histories, history_compare);
    }
    size_t n_classes = 0;
    for (size_t i = 0; i < problem->n_services; i++) {
        n_classes += i > 0 && history_equal_order(&histories[i - 1], &histories[i]) != 0 ? 1 : 0;
        classes[histories[i].service] = n_classes;
    }
    taskfit_arena_free(scratch);
    return classes;
}

/* ---- the board ---- */

/* Kinds that are alike are told apart by their offers again: what stands on an instance of one AZ stays there. */
static const taskfit_decision *kind_per_offer(taskfit_arena *arena, const taskfit_decision *from, const int64_t *count) {
    taskfit_decision *d = TASKFIT_NEW(arena, taskfit_decision);
    *d = *from;
    const size_t n_offers = from->problem->n_offers;
    taskfit_kind *kinds = TASKFIT_ARRAY(arena, n_offers, taskfit_kind);
    size_t *offer_kind = TASKFIT_ARRAY(arena, n_offers, size_t);
    d->n_kinds = 0;
    for (size_t offer = 0; offer < n_offers; offer++) {
        if (count[offer] > 0) {
            offer_kind[offer] = d->n_kinds;
            kinds[d->n_kinds] = from->kinds[from->offer_kind[offer]];
            kinds[d->n_kinds].offer = offer;
            kinds[d->n_kinds++].count = count[offer];
        }
    }
    d->kinds = kinds;
    d->offer_kind = offer_kind;
    return d;
}

static int64_t *tasks_before(const taskfit_moves_board *board, const taskfit_standing_instance *at, const size_t *profile_of,
                             const taskfit_kind *kind, taskfit_arena *arena) {
    const taskfit_decision *d = board->decision;
    int64_t *before = TASKFIT_ARRAY(arena, d->n_profiles, int64_t);
    for (size_t t = 0; t < at->n_tasks; t++) {
        const int64_t replicas = board->problem->services[at->tasks[t].service].replicas;
        before[profile_of[at->tasks[t].service]] += min64(at->tasks[t].count, replicas);
    }
    for (size_t p = 0; p < d->n_profiles; p++) {
        before[p] = min64(before[p], kind->high[p]);
    }
    return before;
}

static const size_t *profiles_of_services(const taskfit_decision *d, taskfit_arena *arena) {
    size_t *profile_of = TASKFIT_ARRAY(arena, d->problem->n_services, size_t);
    for (size_t p = 0; p < d->n_profiles; p++) {
        for (int64_t i = 0; i < d->profiles[p].n_services; i++) {
            profile_of[d->profiles[p].services[i]] = p;
        }
    }
    return profile_of;
}

static int descending(const void *left, const void *right) {
    const int64_t a = *(const int64_t *)left;
    const int64_t b = *(const int64_t *)right;
    return (a < b) - (a > b);
}

/* No more stay than stand on the fullest instances of each choice, nor more of a profile than it has tasks. */
static int64_t count_bound(const taskfit_moves_board *board, taskfit_arena *scratch) {
    int64_t by_stand = 0;
    int64_t *of_stand = TASKFIT_ARRAY(scratch, board->n_stands, int64_t);
    for (size_t c = 0; c < board->n_choices; c++) {
        const taskfit_moves_choice *choice = &board->choices[c];
        for (size_t i = 0; i < choice->n_stands; i++) {
            of_stand[i] = board->stands[choice->first + i].n_before;
        }
        qsort(of_stand, choice->n_stands, sizeof *of_stand, descending);
        for (size_t i = 0; i < choice->n_choose; i++) {
            by_stand += of_stand[i];
        }
    }
    int64_t by_profile = 0;
    for (size_t p = 0; p < board->decision->n_profiles; p++) {
        int64_t stays = 0;
        for (size_t i = 0; i < board->n_stands; i++) {
            stays += board->stands[i].before[p];
        }
        by_profile += min64(stays, board->decision->profiles[p].tasks);
    }
    return min64(by_stand, by_profile);
}

static void add_stands(taskfit_moves_board *board, const taskfit_standing *standing, taskfit_arena *arena) {
    const taskfit_decision *d = board->decision;
    const size_t *profile_of = profiles_of_services(d, arena);
    taskfit_moves_stand *stands = TASKFIT_ARRAY(arena, standing->n_instances, taskfit_moves_stand);
    taskfit_moves_choice *choices = TASKFIT_ARRAY(arena, d->n_kinds, taskfit_moves_choice);
    int64_t *n_new = TASKFIT_ARRAY(arena, d->n_kinds, int64_t);
    for (size_t k = 0; k < d->n_kinds; k++) {
        const size_t first = board->n_stands;
        for (size_t i = 0; i < standing->n_instances; i++) {
            if (standing->instances[i].offer != d->kinds[k].offer) {
                continue;
            }
            taskfit_moves_stand stand = {.standing = i, .kind = k, .zone = d->kinds[k].zone, .choice = board->n_choices};
            stand.before = tasks_before(board, &standing->instances[i], profile_of, &d->kinds[k], arena);
            for (size_t p = 0; p < d->n_profiles; p++) {
                stand.n_before += stand.before[p];
            }
            if (stand.n_before > 0) {
                stands[board->n_stands++] = stand;
            }
        }
        const size_t n = board->n_stands - first;
        const size_t n_choose = n < (size_t)d->kinds[k].count ? n : (size_t)d->kinds[k].count;
        n_new[k] = d->kinds[k].count - (int64_t)n_choose;
        if (n > 0) {
            choices[board->n_choices++] = (taskfit_moves_choice){.first = first, .n_stands = n, .n_choose = n_choose};
        }
    }
    board->stands = stands;
    board->choices = choices;
    board->n_new = n_new;
}

const taskfit_moves_board *taskfit_moves_board_new(taskfit_arena *arena, const taskfit_problem *problem,
                                                   const taskfit_standing *standing, const int64_t *count) {
    taskfit_moves_board *board = TASKFIT_NEW(arena, taskfit_moves_board);
    board->problem = problem;
    board->standing = standing;
    board->decision = kind_per_offer(arena, taskfit_decision_new(arena, problem, count), count);
    add_stands(board, standing, arena);
    board->bound = board->decision->impossible ? -1 : count_bound(board, arena);
    return board;
}
