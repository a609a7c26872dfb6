#include "solve/moves_search.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "solve/moves_deal.h"
#include "solve/moves_master.h"
#include "solve/moves_refine.h"

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
    FINE_WORK = 10 * 1000 * 1000,
    LEAF_WORK = 40 * 1000 * 1000, /* for one where nothing else is open */
    MAX_DEPTH = 4000,
    MAX_REFUSED = 20,
    MOST_LOSSY = 3,
    COARSE_NODES = 100
};
#define WHOLE 1e-6
#define NEARLY 0.999

typedef struct finder {
    taskfit_moves_search *search;
    const taskfit_moves_board *board;
    const taskfit_moves_board *fine; /* the board whose profiles merge only what stands alike */
    bool *refined;        /* [n_services] told apart by where they stand; more so after deals that lose tasks */
    size_t n_lossy, most_lossy; /* such deals, and when to give up for a finer board */
    int64_t least_loss;
    taskfit_moves_master *master;
    taskfit_arena *arena; /* of nodes */
    int64_t nodes_left;
    double *share;        /* [n_stands] how far the stand stays */
    double *kept;         /* [n_stands][n_profiles] tasks that stay */
} finder;

/* What the next branch is about. */
typedef struct branching {
    bool any;
    size_t stand;
    size_t profile; /* SIZE_MAX: whether the stand stays */
    int64_t tasks;  /* at least so many, or fewer */
} branching;

static int64_t min64(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* ---- nodes ---- */

static taskfit_moves_node *node_root(const finder *f) {
    const taskfit_moves_board *board = f->board;
    taskfit_moves_node *node = TASKFIT_NEW(f->arena, taskfit_moves_node);
    node->low = TASKFIT_ARRAY(f->arena, board->n_stands, const int64_t *);
    node->high = TASKFIT_ARRAY(f->arena, board->n_stands, const int64_t *);
    node->state = TASKFIT_ARRAY(f->arena, board->n_stands, taskfit_moves_state);
    for (size_t i = 0; i < board->n_stands; i++) {
        const taskfit_moves_choice *choice = &board->choices[board->stands[i].choice];
        node->low[i] = board->decision->kinds[board->stands[i].kind].low;
        node->high[i] = board->decision->kinds[board->stands[i].kind].high;
        node->state[i] = choice->n_choose == choice->n_stands ? TASKFIT_MOVES_STAYS : TASKFIT_MOVES_FREE;
    }
    return node;
}

static taskfit_moves_node *node_copy(const finder *f, const taskfit_moves_node *node) {
    const size_t n = f->board->n_stands;
    taskfit_moves_node *copy = TASKFIT_NEW(f->arena, taskfit_moves_node);
    copy->low = TASKFIT_ARRAY(f->arena, n, const int64_t *);
    copy->high = TASKFIT_ARRAY(f->arena, n, const int64_t *);
    copy->state = TASKFIT_ARRAY(f->arena, n, taskfit_moves_state);
    memcpy(copy->low, node->low, n * sizeof *copy->low);
    memcpy(copy->high, node->high, n * sizeof *copy->high);
    memcpy(copy->state, node->state, n * sizeof *copy->state);
    return copy;
}

static const int64_t *with(const finder *f, const int64_t *bounds, size_t profile, int64_t value) {
    const size_t n = f->board->decision->n_profiles;
    int64_t *copy = TASKFIT_ARRAY(f->arena, n, int64_t);
    memcpy(copy, bounds, n * sizeof *copy);
    copy[profile] = value;
    return copy;
}

/* Makes the branch in place; the other stands of a choice follow when it is full. False: no placement is left. */
static bool apply(const finder *f, taskfit_moves_node *node, const branching *b, bool up) {
    if (b->profile != SIZE_MAX && up) {
        node->low[b->stand] = with(f, node->low[b->stand], b->profile, b->tasks);
    } else if (b->profile != SIZE_MAX) {
        node->high[b->stand] = with(f, node->high[b->stand], b->profile, b->tasks - 1);
        return node->low[b->stand][b->profile] <= b->tasks - 1 || node->state[b->stand] != TASKFIT_MOVES_STAYS;
    }
    if (node->state[b->stand] == (up ? TASKFIT_MOVES_GOES : TASKFIT_MOVES_STAYS)) {
        return false;
    }
    node->state[b->stand] = up ? TASKFIT_MOVES_STAYS : TASKFIT_MOVES_GOES;
    const taskfit_moves_choice *choice = &f->board->choices[f->board->stands[b->stand].choice];
    size_t n_stay = 0;
    size_t n_go = 0;
    for (size_t i = choice->first; i < choice->first + choice->n_stands; i++) {
        n_stay += node->state[i] == TASKFIT_MOVES_STAYS ? 1 : 0;
        n_go += node->state[i] == TASKFIT_MOVES_GOES ? 1 : 0;
    }
    if (n_stay > choice->n_choose || n_go > choice->n_stands - choice->n_choose) {
        return false;
    }
    for (size_t i = choice->first; i < choice->first + choice->n_stands; i++) {
        if (node->state[i] == TASKFIT_MOVES_FREE && n_stay == choice->n_choose) {
            node->state[i] = TASKFIT_MOVES_GOES;
        } else if (node->state[i] == TASKFIT_MOVES_FREE && n_go == choice->n_stands - choice->n_choose) {
            node->state[i] = TASKFIT_MOVES_STAYS;
        }
    }
    return true;
}

/* ---- what the relaxation says ---- */

static void read_values(finder *f) {
    const taskfit_moves_board *board = f->board;
    const size_t n = board->decision->n_profiles;
    memset(f->share, 0, board->n_stands * sizeof *f->share);
    memset(f->kept, 0, board->n_stands * n * sizeof *f->kept);
    for (size_t i = 0; i < f->master->n_columns; i++) {
        const taskfit_moves_column *column = &f->master->columns[i];
        const double value = taskfit_moves_master_value(f->master, i);
        if (column->block >= board->n_stands || value <= 0.0) {
            continue;
        }
        f->share[column->block] += value;
        const taskfit_pattern *pattern = &f->master->pool->patterns[column->pattern];
        for (size_t part = 0; part < pattern->n_parts; part++) {
            const int64_t before = board->stands[column->block].before[pattern->parts[part].profile];
            const int64_t count = pattern->parts[part].count < before ? pattern->parts[part].count : before;
            f->kept[column->block * n + pattern->parts[part].profile] += value * (double)count;
        }
    }
}

static double fraction(double value) {
    return value - floor(value + WHOLE);
}

/* The stand whose stay is most in doubt, else the profile, else - all is whole - tasks that a bound does not yet hold. */
static branching choose_branch(const finder *f, const taskfit_moves_node *node) {
    const taskfit_moves_board *board = f->board;
    const size_t n = board->decision->n_profiles;
    branching b = {.any = false};
    double best = WHOLE;
    for (size_t i = 0; i < board->n_stands; i++) {
        if (node->state[i] == TASKFIT_MOVES_FREE && fraction(f->share[i]) > best) {
            best = fraction(f->share[i]);
            b = (branching){.any = true, .stand = i, .profile = SIZE_MAX};
        }
    }
    for (size_t i = 0; i < board->n_stands * n && (!b.any || b.profile != SIZE_MAX); i++) {
        if (fraction(f->kept[i]) > best && node->state[i / n] != TASKFIT_MOVES_GOES) {
            best = fraction(f->kept[i]);
            b = (branching){.any = true, .stand = i / n, .profile = i % n, .tasks = (int64_t)ceil(f->kept[i] - WHOLE)};
        }
    }
    return b;
}

static int64_t most_kept(const finder *f, const taskfit_moves_node *node, size_t stand, size_t profile) {
    const int64_t before = f->board->stands[stand].before[profile];
    return before < node->high[stand][profile] ? before : node->high[stand][profile];
}

/* Of stands that stay for sure, no more tasks than their bounds allow; of others, all. Where nothing is open this is what stays. */
static int64_t count_bound(const finder *f, const taskfit_moves_node *node) {
    int64_t bound = 0;
    for (size_t i = 0; i < f->board->n_stands; i++) {
        for (size_t p = 0; p < f->board->decision->n_profiles && node->state[i] != TASKFIT_MOVES_GOES; p++) {
            bound += most_kept(f, node, i, p);
        }
    }
    return bound;
}

/* Tasks that the relaxation says do not stay, and the bounds not yet. */
static branching choose_loose(const finder *f, const taskfit_moves_node *node) {
    const size_t n = f->board->decision->n_profiles;
    for (size_t i = 0; i < f->board->n_stands * n; i++) {
        const int64_t low = node->low[i / n][i % n];
        if (node->state[i / n] == TASKFIT_MOVES_STAYS && low < most_kept(f, node, i / n, i % n)) {
            return (branching){.any = true, .stand = i / n, .profile = i % n, .tasks = low + 1};
        }
    }
    return (branching){.any = false};
}

static branching choose_whole(const finder *f, const taskfit_moves_node *node) {
    const taskfit_moves_board *board = f->board;
    const size_t n = board->decision->n_profiles;
    for (size_t i = 0; i < board->n_stands; i++) {
        if (node->state[i] == TASKFIT_MOVES_FREE) {
            return (branching){.any = true, .stand = i, .profile = SIZE_MAX};
        }
    }
    for (size_t i = 0; i < board->n_stands * n; i++) {
        const int64_t tasks = llround(f->kept[i]);
        if (node->state[i / n] == TASKFIT_MOVES_STAYS && tasks > node->low[i / n][i % n]) {
            return (branching){.any = true, .stand = i / n, .profile = i % n, .tasks = tasks};
        }
    }
    return choose_loose(f, node);
}

/* ---- placements ---- */

/* Which stands stay: those that do for sure, then by share, then by tasks. */
static void choose_stands(const finder *f, const taskfit_moves_node *node, bool *stays) {
    for (size_t c = 0; c < f->board->n_choices; c++) {
        const taskfit_moves_choice *choice = &f->board->choices[c];
        for (size_t n = 0; n < choice->n_choose; n++) {
            size_t best = SIZE_MAX;
            double best_rank = -1.0;
            for (size_t i = choice->first; i < choice->first + choice->n_stands; i++) {
                const double rank = (node->state[i] == TASKFIT_MOVES_STAYS ? 2.0 : f->share[i]) +
                                    (double)f->board->stands[i].n_before * 1e-9;
                if (!stays[i] && node->state[i] != TASKFIT_MOVES_GOES && rank > best_rank) {
                    best = i;
                    best_rank = rank;
                }
            }
            stays[best] = true;
        }
    }
}

/* The lows of a decision made by decision.c are within the windows; those of stands need not be. */
static bool lows_too_high(const taskfit_decision *d, taskfit_arena *scratch) {
    int64_t *in_zone = TASKFIT_ARRAY(scratch, d->n_zones, int64_t);
    for (size_t p = 0; p < d->n_profiles; p++) {
        int64_t all = 0;
        memset(in_zone, 0, d->n_zones * sizeof *in_zone);
        for (size_t k = 0; k < d->n_kinds; k++) {
            in_zone[d->kinds[k].zone] += d->kinds[k].count * d->kinds[k].low[p];
            all += d->kinds[k].count * d->kinds[k].low[p];
        }
        for (size_t z = 0; z < d->n_zones; z++) {
            if (in_zone[z] > d->profiles[p].zone_high[z]) {
                return true;
            }
        }
        if (all > d->profiles[p].tasks) {
            return true;
        }
    }
    return false;
}

typedef struct rest { /* the decision that is left when the stands are chosen */
    taskfit_decision *decision;
    size_t *stand_of_kind; /* [n_kinds] SIZE_MAX: new instances */
} rest;

/* Kinds for the stands that stay, with lows[n_stands] (NULL: none of its own) and the node's highs, then those of new instances. */
static rest rest_with(const finder *f, const taskfit_moves_board *board, const taskfit_moves_node *node, const bool *stays,
                      const int64_t *const *lows, taskfit_arena *scratch) {
    const taskfit_decision *from = board->decision;
    taskfit_decision *d = TASKFIT_NEW(scratch, taskfit_decision);
    *d = *from;
    d->n_kinds = 0;
    taskfit_kind *kinds = TASKFIT_ARRAY(scratch, board->n_stands + from->n_kinds, taskfit_kind);
    size_t *stand_of_kind = TASKFIT_ARRAY(scratch, board->n_stands + from->n_kinds, size_t);
    for (size_t i = 0; i < board->n_stands; i++) {
        if (!stays[i]) {
            continue;
        }
        taskfit_kind *kind = &kinds[d->n_kinds];
        stand_of_kind[d->n_kinds++] = i;
        *kind = from->kinds[board->stands[i].kind];
        kind->count = 1;
        kind->low = lows[i];
        kind->high = board == f->board ? node->high[i] : kind->high;
        for (size_t p = 0; p < from->n_profiles; p++) {
            d->impossible = d->impossible || kind->low[p] > kind->high[p];
        }
    }
    for (size_t k = 0; k < from->n_kinds; k++) {
        if (board->n_new[k] > 0) {
            stand_of_kind[d->n_kinds] = SIZE_MAX;
            kinds[d->n_kinds] = from->kinds[k];
            kinds[d->n_kinds++].count = board->n_new[k];
        }
    }
    d->kinds = kinds;
    d->impossible = d->impossible || lows_too_high(d, scratch);
    return (rest){.decision = d, .stand_of_kind = stand_of_kind};
}

/* Each keeps what the relaxation keeps there to more than `threshold` of a task. */
static rest rest_of(const finder *f, const taskfit_moves_node *node, const bool *stays, double threshold, taskfit_arena *scratch) {
    const taskfit_moves_board *board = f->board;
    const size_t n = board->decision->n_profiles;
    const int64_t **lows = TASKFIT_ARRAY(scratch, board->n_stands, const int64_t *);
    for (size_t i = 0; i < board->n_stands; i++) {
        int64_t *low = TASKFIT_ARRAY(scratch, n, int64_t);
        for (size_t p = 0; p < n; p++) {
            const int64_t kept = (int64_t)floor(f->kept[i * n + p] + 1.0 - threshold);
            low[p] = kept > node->low[i][p] ? kept : node->low[i][p];
        }
        lows[i] = low;
    }
    return rest_with(f, board, node, stays, lows, scratch);
}

/* Asks one stage after the other, with work of its own. */
static taskfit_answer ask_stages(finder *f, const taskfit_decision *d, int64_t work, taskfit_arena *scratch) {
    taskfit_budget *budget = f->search->budget;
    taskfit_answer answer = taskfit_bound_decide(d, scratch);
    taskfit_budget own = *budget;
    own.work_left = work < budget->work_left ? work : budget->work_left;
    const int64_t before = own.work_left;
    if (answer.verdict == TASKFIT_VERDICT_OPEN) {
        answer = taskfit_greedy_decide(d, &own, scratch);
    }
    if (answer.verdict == TASKFIT_VERDICT_OPEN && own.work_left > 0) {
        answer = taskfit_colgen_decide(d, &own, scratch);
    }
    budget->work_left -= before - own.work_left;
    budget->stopped = own.stopped;
    budget->glpk_fallbacks = own.glpk_fallbacks;
    return answer;
}

/* The instances of the rest with their contents: stands that stay come first, in order. */
static taskfit_moves_machine *list_machines(const taskfit_decision *d, const taskfit_answer *answer, const size_t *stand_of_kind,
                                            taskfit_arena *scratch) {
    const size_t n_profiles = d->n_profiles;
    taskfit_moves_machine *machines = TASKFIT_ARRAY(scratch, (size_t)d->n_instances, taskfit_moves_machine);
    size_t n = 0;
    for (size_t i = 0; i < answer->n_contents; i++) {
        const taskfit_content *content = &answer->contents[i];
        int64_t *tasks = TASKFIT_ARRAY(scratch, n_profiles, int64_t);
        for (size_t t = 0; t < content->n_tasks; t++) {
            tasks[content->tasks[t].profile] = content->tasks[t].count;
        }
        for (int64_t copy = 0; copy < content->count; copy++) {
            machines[n++] = (taskfit_moves_machine){
                .offer = d->kinds[content->kind].offer, .stand = stand_of_kind[content->kind], .tasks = tasks};
        }
    }
    assert(n == (size_t)d->n_instances);
    return machines;
}

static void tell_found(finder *f, const taskfit_moves_board *board, const taskfit_moves_machine *machines, const int64_t *dealt,
                       taskfit_arena *scratch) {
    const size_t n = (size_t)board->decision->n_instances;
    const int64_t kept = f->search->found(f->search->found_arg, taskfit_moves_fleet(board, machines, n, dealt, scratch));
    f->search->best = kept > f->search->best ? kept : f->search->best;
    f->search->n_refused += kept < 0 ? 1 : 0;
}

/* Tasks of a profile that stay by its contents, but not by its services. */
static int64_t loss_of(const finder *f, const taskfit_moves_machine *machines, size_t n_machines, const int64_t *dealt, size_t p) {
    const taskfit_moves_board *board = f->board;
    const taskfit_profile *profile = &board->decision->profiles[p];
    int64_t loss = 0;
    for (size_t j = 0; j < n_machines; j++) {
        if (machines[j].stand == SIZE_MAX || board->stands[machines[j].stand].before[p] == 0) {
            continue;
        }
        loss += min64(machines[j].tasks[p], board->stands[machines[j].stand].before[p]);
        const taskfit_standing_instance *at = &board->standing->instances[board->stands[machines[j].stand].standing];
        size_t t = 0;
        for (int64_t s = 0; s < profile->n_services; s++) { /* both lists ascend */
            while (t < at->n_tasks && at->tasks[t].service < profile->services[s]) {
                t++;
            }
            if (t < at->n_tasks && at->tasks[t].service == profile->services[s]) {
                loss -= min64(at->tasks[t].count, dealt[profile->services[s] * n_machines + j]);
            }
        }
    }
    return loss;
}

/* Of the deals that lose tasks, the profiles of the one that loses least are to be told apart. */
static bool note_losses(finder *f, const taskfit_moves_machine *machines, size_t n_machines, const int64_t *dealt,
                        taskfit_arena *scratch) {
    const taskfit_decision *d = f->board->decision;
    int64_t *loss = TASKFIT_ARRAY(scratch, d->n_profiles, int64_t);
    int64_t all = 0;
    for (size_t p = 0; p < d->n_profiles; p++) {
        loss[p] = d->profiles[p].n_services > 1 ? loss_of(f, machines, n_machines, dealt, p) : 0;
        all += loss[p];
    }
    if (all == 0) {
        return false;
    }
    if (f->n_lossy++ == 0 || all < f->least_loss) {
        f->least_loss = all;
        memset(f->refined, 0, d->problem->n_services * sizeof *f->refined);
        for (size_t p = 0; p < d->n_profiles; p++) {
            for (int64_t s = 0; s < d->profiles[p].n_services; s++) {
                f->refined[d->profiles[p].services[s]] = loss[p] > 0;
            }
        }
    }
    return true;
}

/* Where the deal of a coarse content loses tasks that were to stay, perhaps others can be moved elsewhere: the fine decision. */
static void try_fine(finder *f, const taskfit_moves_machine *machines, size_t n_machines, const int64_t *dealt, const bool *stays,
                     taskfit_arena *scratch) {
    const int64_t **lows = TASKFIT_ARRAY(scratch, f->fine->n_stands, const int64_t *);
    const int64_t n_kept = taskfit_moves_refine(f->board, f->fine, machines, n_machines, dealt, lows, scratch);
    if (n_kept <= f->search->best) {
        return;
    }
    const rest r = rest_with(f, f->fine, NULL, stays, lows, scratch);
    taskfit_answer answer = {.verdict = TASKFIT_VERDICT_REFUTED};
    if (!r.decision->impossible) {
        answer = ask_stages(f, r.decision, FINE_WORK, scratch);
    }
    if (answer.verdict == TASKFIT_VERDICT_FITS) {
        const taskfit_moves_machine *fine = list_machines(r.decision, &answer, r.stand_of_kind, scratch);
        tell_found(f, f->fine, fine, taskfit_moves_deal(f->fine, fine, n_machines, f->search->budget, scratch), scratch);
    }
}

/* The rest with the node's bounds on stands, once these are chosen. */
static taskfit_verdict try_rest(finder *f, const taskfit_moves_node *node, double threshold, int64_t work, taskfit_proof *proof_out) {
    taskfit_arena *scratch = taskfit_arena_new();
    bool *stays = TASKFIT_ARRAY(scratch, f->board->n_stands, bool);
    choose_stands(f, node, stays);
    const rest r = rest_of(f, node, stays, threshold, scratch);
    taskfit_answer answer = {.verdict = TASKFIT_VERDICT_REFUTED, .proof = TASKFIT_PROOF_EXACT};
    if (!r.decision->impossible) {
        answer = ask_stages(f, r.decision, work, scratch);
    }
    if (answer.verdict == TASKFIT_VERDICT_FITS) {
        const taskfit_moves_machine *machines = list_machines(r.decision, &answer, r.stand_of_kind, scratch);
        const int64_t *dealt = taskfit_moves_deal(f->board, machines, (size_t)r.decision->n_instances, f->search->budget, scratch);
        tell_found(f, f->board, machines, dealt, scratch);
        if (note_losses(f, machines, (size_t)r.decision->n_instances, dealt, scratch)) {
            try_fine(f, machines, (size_t)r.decision->n_instances, dealt, stays, scratch);
        }
    }
    *proof_out = answer.proof;
    taskfit_arena_free(scratch);
    return answer.verdict;
}

static bool out_of_budget(const finder *f) {
    return f->n_lossy >= f->most_lossy || f->search->n_refused > MAX_REFUSED || f->search->budget->stopped || f->search->budget->work_left <= 0;
}

/* ---- dives ---- */

static void fix_nearly_whole(const finder *f, taskfit_moves_node *node) {
    const taskfit_moves_board *board = f->board;
    const size_t n = board->decision->n_profiles;
    for (size_t i = 0; i < board->n_stands; i++) {
        if (f->share[i] < NEARLY || node->state[i] == TASKFIT_MOVES_GOES) {
            continue;
        }
        if (node->state[i] == TASKFIT_MOVES_FREE) {
            (void)apply(f, node, &(branching){.stand = i, .profile = SIZE_MAX}, true);
        }
        int64_t *low = TASKFIT_ARRAY(f->arena, n, int64_t);
        bool raised = false;
        for (size_t p = 0; p < n; p++) {
            const int64_t tasks = (int64_t)floor(f->kept[i * n + p] + 1.0 - NEARLY);
            low[p] = tasks > node->low[i][p] ? tasks : node->low[i][p];
            raised = raised || low[p] != node->low[i][p];
        }
        node->low[i] = raised ? low : node->low[i];
    }
}

/* True: nothing more is to be found on the board. */
static bool dive(finder *f, const taskfit_moves_node *node, int64_t bound, size_t discrepancies) {
    bool solved = false;
    if (f->nodes_left-- <= 0 || out_of_budget(f)) {
        return false;
    }
    const int64_t here = taskfit_moves_master_solve(f->master, node, TASKFIT_MOVES_BRIEFLY, f->search->best, &solved);
    if (here <= f->search->best || !solved || f->master->spare || out_of_budget(f)) {
        return f->search->best >= bound;
    }
    read_values(f);
    taskfit_proof proof;
    const branching b = choose_branch(f, node);
    (void)try_rest(f, node, b.any ? 0.5 : NEARLY, b.any ? QUICK_WORK : LEAF_WORK, &proof);
    if (f->search->best >= bound || !b.any) {
        return f->search->best >= bound;
    }
    taskfit_moves_node *up = node_copy(f, node);
    fix_nearly_whole(f, up);
    taskfit_moves_node *down = node_copy(f, node);
    if (apply(f, up, &b, true) && dive(f, up, bound, discrepancies)) {
        return true;
    }
    return discrepancies > 0 && apply(f, down, &b, false) && dive(f, down, bound, discrepancies - 1);
}

/* ---- branches ---- */

/* Returns the bound of the node once everything below is searched: at most search->best where it is closed. */
static int64_t branch(finder *f, const taskfit_moves_node *node, int depth) {
    bool solved = false;
    int64_t bound = count_bound(f, node);
    if (bound > f->search->best) {
        const int64_t relaxed = taskfit_moves_master_solve(f->master, node, TASKFIT_MOVES_PROVING, f->search->best, &solved);
        bound = relaxed < bound ? relaxed : bound;
    }
    if (bound <= f->search->best || !solved || out_of_budget(f) || depth > MAX_DEPTH || f->nodes_left-- <= 0) {
        return bound;
    }
    read_values(f);
    branching b = choose_branch(f, node);
    taskfit_proof proof;
    const taskfit_verdict verdict = try_rest(f, node, b.any ? 0.5 : NEARLY, b.any ? QUICK_WORK : LEAF_WORK, &proof);
    if (bound <= f->search->best) {
        return bound;
    }
    if (!b.any) {
        b = choose_whole(f, node);
    }
    if (!b.any) { /* all is fixed */
        const bool refuted = verdict == TASKFIT_VERDICT_REFUTED;
        f->search->by_solver = f->search->by_solver || (refuted && proof == TASKFIT_PROOF_SOLVER);
        return refuted ? f->search->best : bound;
    }
    int64_t worst = -1;
    for (int side = 0; side < 2; side++) {
        taskfit_moves_node *child = node_copy(f, node);
        if (apply(f, child, &b, side == 0)) {
            const int64_t below = branch(f, child, depth + 1);
            worst = below > worst ? below : worst;
        }
    }
    return worst < bound ? worst : bound;
}

/* ---- the whole ---- */

/* What stands there now, as far as it still fits: the first column of each stand. */
static void start_columns(finder *f) {
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

typedef enum progress { CLOSED, LOSSY, STUCK } progress;

/* The search on a board, whose bound goes down to what is proved. `branches`: as many nodes; before that, dives. */
static progress run(taskfit_moves_search *search, const taskfit_moves_board *board, const taskfit_moves_board *fine, bool *refined,
                    int64_t branches) {
    const size_t n_profiles = board->decision->n_profiles;
    finder f = {.search = search, .board = board, .fine = fine, .refined = refined, .arena = taskfit_arena_new()};
    f.most_lossy = n_profiles < fine->decision->n_profiles ? MOST_LOSSY : SIZE_MAX;
    f.share = TASKFIT_ARRAY(f.arena, board->n_stands, double);
    f.kept = TASKFIT_ARRAY(f.arena, board->n_stands * n_profiles, double);
    f.master = taskfit_moves_master_new(f.arena, board, search->budget);
    start_columns(&f);
    const taskfit_moves_node *root = node_root(&f);
    bool solved = false;
    search->bound = min64(search->bound, taskfit_moves_master_solve(f.master, root, TASKFIT_MOVES_ROOT, search->best, &solved));
    f.nodes_left = 10 * (int64_t)board->n_stands + 50;
    if (search->bound > search->best && solved && !dive(&f, root, search->bound, DISCREPANCIES) && !out_of_budget(&f)) {
        f.nodes_left = branches;
        search->bound = min64(search->bound, branch(&f, root, 0));
    }
    taskfit_moves_master_free(f.master);
    taskfit_arena_free(f.arena);
    return search->bound <= search->best ? CLOSED : f.n_lossy > 0 ? LOSSY : STUCK;
}

/* The classes that tell apart by where they stand only the services of profiles that lost tasks. False: there is none new. */
static bool refine_classes(size_t *classes, const bool *refined, const size_t *fine, size_t n_services) {
    bool any = false;
    for (size_t s = 0; s < n_services; s++) {
        if (refined[s] && classes[s] == 0) {
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
    bool *refined = TASKFIT_ARRAY(scratch, n_services, bool);
    progress state = LOSSY;
    merged.classes = classes;
    while (state == LOSSY && search->n_refused <= MAX_REFUSED && !search->budget->stopped && search->budget->work_left > 0) {
        const taskfit_moves_board *board =
            taskfit_moves_board_new(scratch, &merged, fine->standing, fine->decision->offer_count);
        const bool last = board->decision->n_profiles == fine->decision->n_profiles;
        memset(refined, 0, n_services * sizeof *refined);
        state = run(search, last ? fine : board, fine, refined, last ? INT64_MAX : COARSE_NODES);
        if (last) {
            break;
        }
        if (state != CLOSED && !refine_classes(classes, refined, fine->problem->classes, n_services)) {
            memset(refined, 1, n_services * sizeof *refined);
            (void)refine_classes(classes, refined, fine->problem->classes, n_services);
            state = LOSSY;
        }
    }
    taskfit_arena_free(scratch);
}
