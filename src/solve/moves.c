#include "solve/moves.h"

#include <stdlib.h>
#include <string.h>

#include "base/int64.h"
#include "solve/moves_room.h"
#include "solve/moves_search.h"
#include "solve/room.h"
#include "solve/walk.h"

/*
 * Every fleet that the goals before leave is a board (moves_board.h) with a bound by counting. The most promising are searched first,
 * and the search ends at the first whose bound is not above what was found. Where there must be room for deployments or losses, that
 * is done for one or more problems without such a rule (moves_room.h), whose placements are checked.
 */

enum { SOME_MORE = 4, FIRST_WORK = 30 * 1000 * 1000 };

typedef struct candidate { /* a fleet */
    const int64_t *count;
    int64_t bound;
    bool hinted; /* the fleet of the hint */
    size_t index;
} candidate;

typedef struct solver {
    const taskfit_moves_query *query;
    const taskfit_problem *problem; /* of the variant in hand, with classes */
    taskfit_budget *budget;
    taskfit_arena *arena, *scratch;
    taskfit_moves_answer *answer;
    candidate *candidates;
    size_t n_candidates, capacity;
    bool complete; /* all fleets are listed */
    bool by_solver; /* so is the answer's bound */
} solver;

/* Only more is of interest. */
static int64_t best_so_far(const solver *s) {
    const int64_t best = s->answer->fleet == NULL ? -1 : s->answer->kept;
    return best < s->query->at_least - 1 ? s->query->at_least - 1 : best;
}

static int descending(const void *left, const void *right) {
    const int64_t a = *(const int64_t *)left;
    const int64_t b = *(const int64_t *)right;
    return (a < b) - (a > b);
}

/* Whatever the fleet: each service keeps at most the tasks it has and those that stand, each instance at most what stands
 * on it, and there are only so many instances. */
static int64_t simple_bound(const taskfit_moves_query *query, taskfit_arena *scratch) {
    const taskfit_standing *standing = query->standing;
    const taskfit_problem *problem = query->problem;
    int64_t *of_service = TASKFIT_ARRAY(scratch, problem->n_services, int64_t);
    int64_t *of_instance = TASKFIT_ARRAY(scratch, standing->n_instances, int64_t);
    for (size_t i = 0; i < standing->n_instances; i++) {
        const taskfit_standing_instance *at = &standing->instances[i];
        for (size_t t = 0; t < at->n_tasks; t++) {
            const taskfit_problem_service *service = &problem->services[at->tasks[t].service];
            const int64_t most = service->may_stand[at->offer] ? min64(at->tasks[t].count, service->replicas) : 0;
            of_service[at->tasks[t].service] += most;
            of_instance[i] += most;
        }
    }
    int64_t by_service = 0;
    for (size_t s = 0; s < problem->n_services; s++) {
        by_service += min64(of_service[s], problem->services[s].replicas);
    }
    if (standing->n_instances > 0) {
        qsort(of_instance, standing->n_instances, sizeof *of_instance, descending);
    }
    int64_t by_instance = 0;
    for (size_t i = 0; i < standing->n_instances && (query->n_instances < 0 || (int64_t)i < query->n_instances); i++) {
        by_instance += of_instance[i];
    }
    return min64(by_service, by_instance);
}

/* ---- fleets ---- */

static bool same_counts(const taskfit_problem *problem, const int64_t *count, const int64_t *other) {
    return memcmp(count, other, problem->n_offers * sizeof *count) == 0;
}

static const int64_t *counts_of(const taskfit_problem *problem, const taskfit_fleet *fleet, taskfit_arena *arena) {
    int64_t *count = TASKFIT_ARRAY(arena, problem->n_offers, int64_t);
    for (size_t m = 0; m < fleet->n_machines; m++) {
        count[taskfit_room_offer_of(problem, &fleet->machines[m])]++;
    }
    return count;
}

static void add_candidate(solver *s, const int64_t *count) {
    taskfit_arena *own = taskfit_arena_new();
    const int64_t bound = taskfit_moves_board_new(own, s->problem, s->query->standing, count)->bound;
    taskfit_arena_free(own);
    TASKFIT_GROW(s->scratch, s->candidates, s->n_candidates, s->capacity);
    s->candidates[s->n_candidates] = (candidate){.count = count, .bound = bound, .index = s->n_candidates};
    s->n_candidates++;
}

/* All layouts of all mixes whose first goal is low..high and that the query allows. */
static void list_between(solver *s, const taskfit_walk *walk, int64_t low, int64_t high) {
    const taskfit_moves_query *query = s->query;
    const taskfit_mixes mixes = taskfit_walk_mixes(walk, low, high, s->scratch);
    s->complete = s->complete && mixes.complete;
    for (size_t i = 0; i < mixes.n_items; i++) {
        const taskfit_mix *mix = &mixes.items[i];
        if ((query->n_instances >= 0 && mix->count != query->n_instances) ||
            (query->max_cost_usd_micros >= 0 && mix->cost_usd_micros > query->max_cost_usd_micros)) {
            continue;
        }
        size_t n_layouts = 0;
        bool complete = true;
        const int64_t *const *layouts = taskfit_walk_layouts(walk, mix, s->scratch, &n_layouts, &complete);
        s->complete = s->complete && complete;
        for (size_t layout = 0; layout < n_layouts; layout++) {
            add_candidate(s, layouts[layout]);
        }
    }
}

static int candidate_compare(const void *left, const void *right) {
    const candidate *a = left;
    const candidate *b = right;
    if (a->bound != b->bound) {
        return a->bound > b->bound ? -1 : 1;
    }
    if (a->hinted != b->hinted) {
        return a->hinted ? -1 : 1;
    }
    return (a->index > b->index) - (a->index < b->index);
}

/* Fleets of any size and price are listed up to some more than today's, the largest first, where there is most room. */
static void list_fleets(solver *s) {
    const taskfit_moves_query *query = s->query;
    const bool by_cost = query->n_instances < 0 && query->max_cost_usd_micros >= 0;
    taskfit_walk *walk = taskfit_walk_new(s->problem, by_cost, s->scratch);
    taskfit_walk_tell_azs(walk);
    s->complete = true;
    if (query->n_instances >= 0) {
        list_between(s, walk, query->n_instances, query->n_instances);
    } else if (by_cost) {
        list_between(s, walk, 0, query->max_cost_usd_micros);
    } else {
        const int64_t today = (int64_t)query->standing->n_instances;
        const int64_t hinted = query->hint == NULL ? 0 : (int64_t)query->hint->n_machines;
        const int64_t least = taskfit_walk_bound(walk);
        for (int64_t n = (today > hinted ? today : hinted) + SOME_MORE; n >= least; n--) {
            list_between(s, walk, n, n);
        }
        s->complete = false;
    }
    if (query->hint != NULL) {
        const int64_t *count = counts_of(s->problem, query->hint, s->scratch);
        for (size_t i = 0; i < s->n_candidates; i++) {
            s->candidates[i].hinted = same_counts(s->problem, s->candidates[i].count, count);
        }
    }
    if (s->n_candidates > 0) {
        qsort(s->candidates, s->n_candidates, sizeof *s->candidates, candidate_compare);
    }
}

/* ---- the whole ---- */

static void accept(solver *s, const taskfit_fleet *fleet, int64_t kept) {
    if (kept > best_so_far(s)) {
        s->answer->fleet = taskfit_fleet_copy(s->arena, fleet);
        s->answer->standing =
            taskfit_moves_match(s->query->problem, s->query->standing, s->answer->fleet, s->arena, &s->answer->kept);
    }
}

/* A placement of the variant's: without its twins, how many tasks stay, if the rules of the original are kept? */
static int64_t found(void *arg, const taskfit_fleet *fleet) {
    solver *s = arg;
    const taskfit_problem *problem = s->query->problem;
    taskfit_arena *own = taskfit_arena_new();
    const taskfit_fleet *bare = taskfit_moves_strip(problem, fleet, own);
    int64_t kept = 0;
    (void)taskfit_moves_match(problem, s->query->standing, bare, own, &kept);
    if (kept > best_so_far(s)) {
        if (taskfit_room_asked(problem) && taskfit_room_check(problem, bare, s->budget) != TASKFIT_VERDICT_FITS) {
            kept = -1;
        } else {
            accept(s, bare, kept);
        }
    }
    taskfit_arena_free(own);
    return kept;
}

/* Searches the variant's fleets. Returns the bound. */
static int64_t search_fleets(solver *s, bool relaxed, bool *by_solver_out) {
    int64_t bound = s->complete ? -1 : s->answer->kept_bound;
    for (size_t i = 0; i < s->n_candidates; i++) {
        const candidate *c = &s->candidates[i];
        if (c->bound <= best_so_far(s)) {
            break;
        }
        taskfit_arena *own = taskfit_arena_new();
        taskfit_moves_search search = {.board = taskfit_moves_board_new(own, s->problem, s->query->standing, c->count),
                                       .budget = s->budget,
                                       .arena = own,
                                       .found = found,
                                       .found_arg = s,
                                       .dives_only = !relaxed,
                                       .best = best_so_far(s)};
        taskfit_moves_search_run(&search);
        taskfit_arena_free(own);
        bound = search.bound > bound ? search.bound : bound;
        *by_solver_out = *by_solver_out || search.by_solver;
    }
    return bound > best_so_far(s) ? bound : best_so_far(s);
}

static void search_variant(solver *s, const taskfit_moves_variant *variant) {
    taskfit_problem *classed = TASKFIT_NEW(s->scratch, taskfit_problem);
    *classed = *variant->problem;
    classed->classes = taskfit_moves_classes(classed, s->query->standing, s->scratch);
    s->problem = classed;
    s->candidates = NULL;
    s->n_candidates = 0;
    s->capacity = 0;
    list_fleets(s);
    bool by_solver = false;
    const int64_t bound = search_fleets(s, variant->relaxed, &by_solver);
    if (variant->relaxed && bound < s->answer->kept_bound) {
        s->answer->kept_bound = bound;
        s->by_solver = by_solver;
    }
}

/* With so much work at most: the next variant may tell more. */
static void search_for(solver *s, const taskfit_moves_variant *variant, int64_t work) {
    taskfit_budget *all = s->budget;
    taskfit_budget own = *all;
    own.work_left = min64(work, all->work_left);
    const int64_t before = own.work_left;
    s->budget = &own;
    search_variant(s, variant);
    s->budget = all;
    all->work_left -= before - own.work_left;
    all->stopped = own.stopped;
    all->glpk_fallbacks = own.glpk_fallbacks;
}

static bool closed(const solver *s) {
    return best_so_far(s) >= s->answer->kept_bound;
}

static void solve(solver *s) {
    const taskfit_problem *problem = s->query->problem;
    taskfit_moves_variant variants[TASKFIT_MOVES_VARIANTS];
    const size_t n = taskfit_moves_variants(problem, variants, s->scratch);
    for (size_t i = 0; i < n && n > 1 && !closed(s); i++) {
        search_for(s, &variants[i], FIRST_WORK);
    }
    for (size_t i = 0; i < n && !closed(s); i++) {
        search_for(s, &variants[i], INT64_MAX);
    }
    if (!closed(s) && s->answer->fleet != NULL && taskfit_room_asked(problem)) {
        taskfit_arena *own = taskfit_arena_new();
        const taskfit_fleet *better = taskfit_moves_improve(problem, s->query->standing, s->answer->fleet, s->budget, own);
        int64_t kept = 0;
        (void)taskfit_moves_match(problem, s->query->standing, better, own, &kept);
        accept(s, better, kept);
        taskfit_arena_free(own);
    }
    s->answer->proof = !closed(s) ? TASKFIT_PROOF_GAP : s->by_solver ? TASKFIT_PROOF_SOLVER : TASKFIT_PROOF_EXACT;
}

taskfit_moves_answer taskfit_moves_solve(const taskfit_moves_query *query, taskfit_budget *budget, taskfit_arena *arena) {
    taskfit_moves_answer answer = {.proof = TASKFIT_PROOF_GAP};
    taskfit_arena *scratch = taskfit_arena_new();
    solver s = {.query = query, .budget = budget, .arena = arena, .scratch = scratch, .answer = &answer};
    answer.kept_bound = simple_bound(query, scratch);
    if (query->hint != NULL) {
        answer.fleet = taskfit_fleet_copy(arena, query->hint);
        answer.standing = taskfit_moves_match(query->problem, query->standing, answer.fleet, arena, &answer.kept);
    }
    solve(&s);
    taskfit_arena_free(scratch);
    return answer;
}
