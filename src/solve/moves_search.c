#include "base/int64.h"
#include "solve/moves_finder.h"

#include <math.h>
#include <string.h>

/*
 * A branch says of a stand that it stays or goes, or of its content that it holds at least v of a profile, or less. Once the relaxation
 * leaves nothing open - each stand stays or goes, each keeps whole numbers of tasks - what remains is a decision
 * (decision.h): each stand that stays is a kind of its own, whose lows are the tasks that are to stay there. The stages answer it, with
 * exact refutations; moves need no packing of their own.
 *
 * First a few dives, which fix all that is nearly whole and the largest fraction, again and again; with limited discrepancy. They end
 * as soon as a placement meets the bound, which is the rule. Then branches, one at a time, with proof.
 */

enum {
    DISCREPANCIES = 3,
    QUICK_WORK = 2 * 1000 * 1000, /* for a decision on the way */
    LEAF_WORK = 40 * 1000 * 1000, /* for one where nothing else is open */
    MAX_DEPTH = 4000,
    MAX_REFUSED = 20,
    MOST_LOSSY = 3,
    COARSE_NODES = 100
};

static bool out_of_budget(const taskfit_moves_finder *f) {
    return f->n_lossy >= f->most_lossy || f->search->n_refused > MAX_REFUSED || f->search->budget->stopped ||
           f->search->budget->work_left <= 0;
}

/* ---- dives ---- */

static void fix_nearly_whole(const taskfit_moves_finder *f, taskfit_moves_node *node) {
    const taskfit_moves_board *board = f->board;
    const size_t n = board->decision->n_profiles;
    for (size_t i = 0; i < board->n_stands; i++) {
        if (f->share[i] < TASKFIT_MOVES_NEARLY || node->state[i] == TASKFIT_MOVES_GOES) {
            continue;
        }
        if (node->state[i] == TASKFIT_MOVES_FREE) {
            (void)taskfit_moves_node_apply(f, node, &(taskfit_moves_branching){.stand = i, .profile = SIZE_MAX}, true);
        }
        int64_t *low = TASKFIT_ARRAY(f->arena, n, int64_t);
        bool raised = false;
        for (size_t p = 0; p < n; p++) {
            const int64_t tasks = (int64_t)floor(f->kept[i * n + p] + 1.0 - TASKFIT_MOVES_NEARLY);
            low[p] = tasks > node->low[i][p] ? tasks : node->low[i][p];
            raised = raised || low[p] != node->low[i][p];
        }
        node->low[i] = raised ? low : node->low[i];
    }
}

/* True: nothing more is to be found on the board. */
static bool dive(taskfit_moves_finder *f, const taskfit_moves_node *node, int64_t bound, size_t discrepancies) {
    bool solved = false;
    if (f->nodes_left-- <= 0 || out_of_budget(f)) {
        return false;
    }
    const int64_t here = taskfit_moves_master_solve(f->master, node, TASKFIT_MOVES_BRIEFLY, f->search->best, &solved);
    if (here <= f->search->best || !solved || f->master->spare || out_of_budget(f)) {
        return f->search->best >= bound;
    }
    taskfit_moves_read_values(f);
    taskfit_proof proof;
    const taskfit_moves_branching b = taskfit_moves_choose_branch(f, node);
    (void)taskfit_moves_try_rest(f, node, b.any ? 0.5 : TASKFIT_MOVES_NEARLY, b.any ? QUICK_WORK : LEAF_WORK, &proof);
    if (f->search->best >= bound || !b.any) {
        return f->search->best >= bound;
    }
    taskfit_moves_node *up = taskfit_moves_node_copy(f, node);
    fix_nearly_whole(f, up);
    taskfit_moves_node *down = taskfit_moves_node_copy(f, node);
    if (taskfit_moves_node_apply(f, up, &b, true) && dive(f, up, bound, discrepancies)) {
        return true;
    }
    return discrepancies > 0 && taskfit_moves_node_apply(f, down, &b, false) && dive(f, down, bound, discrepancies - 1);
}

/* ---- branches ---- */

/* Returns the bound of the node once everything below is searched: at most search->best where it is closed. */
static int64_t branch(taskfit_moves_finder *f, const taskfit_moves_node *node, int depth) {
    bool solved = false;
    int64_t bound = taskfit_moves_count_bound(f, node);
    if (bound > f->search->best) {
        const int64_t relaxed = taskfit_moves_master_solve(f->master, node, TASKFIT_MOVES_PROVING, f->search->best, &solved);
        bound = relaxed < bound ? relaxed : bound;
    }
    if (bound <= f->search->best || !solved || out_of_budget(f) || depth > MAX_DEPTH || f->nodes_left-- <= 0) {
        return bound;
    }
    taskfit_moves_read_values(f);
    taskfit_moves_branching b = taskfit_moves_choose_branch(f, node);
    taskfit_proof proof;
    const taskfit_verdict verdict =
        taskfit_moves_try_rest(f, node, b.any ? 0.5 : TASKFIT_MOVES_NEARLY, b.any ? QUICK_WORK : LEAF_WORK, &proof);
    if (bound <= f->search->best) {
        return bound;
    }
    if (!b.any) {
        b = taskfit_moves_choose_whole(f, node);
    }
    if (!b.any) { /* all is fixed */
        const bool refuted = verdict == TASKFIT_VERDICT_REFUTED;
        f->search->by_solver = f->search->by_solver || (refuted && proof == TASKFIT_PROOF_SOLVER);
        return refuted ? f->search->best : bound;
    }
    int64_t worst = -1;
    for (int side = 0; side < 2; side++) {
        taskfit_moves_node *child = taskfit_moves_node_copy(f, node);
        if (taskfit_moves_node_apply(f, child, &b, side == 0)) {
            const int64_t below = branch(f, child, depth + 1);
            worst = below > worst ? below : worst;
        }
    }
    return worst < bound ? worst : bound;
}

/* ---- the whole ---- */

/* What stands there now, as far as it still fits: the first column of each stand. */
static void start_columns(taskfit_moves_finder *f) {
    const taskfit_moves_board *board = f->board;
    const taskfit_decision *d = board->decision;
    int64_t *tasks = TASKFIT_ARRAY(f->arena, d->n_profiles, int64_t);
    for (size_t i = 0; i < board->n_stands; i++) {
        const taskfit_kind *kind = &d->kinds[board->stands[i].kind];
        bool fits = true;
        for (size_t p = 0; p < d->n_profiles; p++) {
            tasks[p] = board->stands[i].before[p] > kind->low[p] ? board->stands[i].before[p] : kind->low[p];
        }
        for (size_t dim = 0; dim < d->n_dims && fits; dim++) {
            int64_t used = 0;
            for (size_t p = 0; p < d->n_profiles; p++) {
                used += tasks[p] * d->profiles[p].demand[dim];
            }
            fits = used <= kind->capacity[dim];
        }
        for (size_t c = 0; c < d->n_conflicts && fits; c++) {
            fits = tasks[d->conflicts[c].a] == 0 || tasks[d->conflicts[c].b] == 0;
        }
        if (fits) {
            (void)taskfit_moves_master_add(f->master, i, tasks);
        }
    }
}

/* The contents of the best placement so far, as columns. */
static void add_best(const taskfit_moves_finder *f) {
    const taskfit_decision *d = f->board->decision;
    const size_t n = (size_t)d->n_instances;
    int64_t *tasks = TASKFIT_ARRAY(f->arena, d->n_profiles, int64_t);
    for (size_t j = 0; j < n && f->search->best_dealt != NULL; j++) {
        for (size_t p = 0; p < d->n_profiles; p++) {
            tasks[p] = 0;
            for (int64_t s = 0; s < d->profiles[p].n_services; s++) {
                tasks[p] += f->search->best_dealt[d->profiles[p].services[s] * n + j];
            }
        }
        (void)taskfit_moves_master_add(f->master, f->search->best_block[j], tasks);
    }
}

typedef enum progress { CLOSED, LOSSY, STUCK } progress;

/* The search on a board, whose bound goes down to what is proved: dives, then so many branches. `before` is the finder of the
 * coarser board, or NULL. */
static progress run(taskfit_moves_finder *f, const taskfit_moves_finder *before, int64_t branches) {
    taskfit_moves_search *search = f->search;
    f->arena = taskfit_arena_new();
    f->share = TASKFIT_ARRAY(f->arena, f->board->n_stands, double);
    f->kept = TASKFIT_ARRAY(f->arena, f->board->n_stands * f->board->decision->n_profiles, double);
    f->master = taskfit_moves_master_new(f->arena, f->board, search->budget);
    start_columns(f);
    add_best(f);
    if (before != NULL) {
        taskfit_moves_master_inherit(f->master, before->master);
    }
    const taskfit_moves_node *root = taskfit_moves_node_root(f);
    bool solved = false;
    search->bound =
        min64(search->bound, taskfit_moves_master_solve(f->master, root, TASKFIT_MOVES_ROOT, search->best, &solved));
    f->nodes_left = 10 * (int64_t)f->board->n_stands + 50;
    if (search->bound > search->best && solved && !dive(f, root, search->bound, DISCREPANCIES) && !out_of_budget(f) &&
        !search->dives_only) {
        f->nodes_left = branches;
        search->bound = min64(search->bound, branch(f, root, 0));
    }
    return search->bound <= search->best ? CLOSED : f->n_lossy > 0 ? LOSSY : STUCK;
}

static void finder_free(taskfit_moves_finder *f) {
    if (f->arena != NULL) {
        taskfit_moves_master_free(f->master);
        taskfit_arena_free(f->arena);
    }
}

/* The classes that tell apart by where they stand only the services of profiles that lost tasks. False: there is none new. */
static bool refine_classes(size_t *classes, const bool *lossy, const size_t *fine, size_t n_services) {
    bool any = false;
    for (size_t s = 0; s < n_services; s++) {
        if (lossy[s] && classes[s] == 0) {
            classes[s] = fine[s] + 1;
            any = true;
        }
    }
    return any;
}

/*
 * First all alike services are merged, which makes the program small. Then those profiles are told apart by where their services stand
 * whose tasks, well dealt, do not all stay; at last all.
 */
void taskfit_moves_search_run(taskfit_moves_search *search) {
    const taskfit_moves_board *fine = search->board;
    const size_t n_services = fine->problem->n_services;
    search->bound = fine->bound;
    if (fine->bound <= search->best || fine->decision->n_zones > 64) {
        return;
    }
    taskfit_arena *scratch = taskfit_arena_new();
    taskfit_problem merged = *fine->problem;
    size_t *classes = TASKFIT_ARRAY(scratch, n_services, size_t);
    bool *lossy = TASKFIT_ARRAY(scratch, n_services, bool);
    taskfit_moves_finder before = {.search = search};
    bool go_on = true;
    merged.classes = classes;
    while (go_on && search->n_refused <= MAX_REFUSED && !search->budget->stopped && search->budget->work_left > 0) {
        const taskfit_moves_board *board =
            taskfit_moves_board_new(scratch, &merged, fine->standing, fine->decision->offer_count);
        const bool last = board->decision->n_profiles == fine->decision->n_profiles;
        memset(lossy, 0, n_services * sizeof *lossy);
        taskfit_moves_finder f = {.search = search, .board = last ? fine : board, .fine = fine, .lossy = lossy};
        f.most_lossy = last ? SIZE_MAX : MOST_LOSSY;
        go_on = run(&f, before.arena != NULL ? &before : NULL, last ? INT64_MAX : COARSE_NODES) != CLOSED && !last;
        finder_free(&before);
        before = f;
        if (go_on && !refine_classes(classes, lossy, fine->problem->classes, n_services)) {
            memset(lossy, 1, n_services * sizeof *lossy);
            (void)refine_classes(classes, lossy, fine->problem->classes, n_services);
        }
    }
    finder_free(&before);
    taskfit_arena_free(scratch);
}
