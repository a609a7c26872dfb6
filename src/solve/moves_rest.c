#include "base/int64.h"
#include "solve/moves_finder.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "solve/moves_deal.h"
#include "solve/moves_refine.h"

enum { FINE_WORK = 10 * 1000 * 1000 };

/* Which stands stay: those that do for sure, then by share, then by tasks. */
static void choose_stands(const taskfit_moves_finder *f, const taskfit_moves_node *node, bool *stays) {
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
static rest rest_with(const taskfit_moves_finder *f, const taskfit_moves_board *board, const taskfit_moves_node *node, const bool *stays,
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
static rest rest_of(const taskfit_moves_finder *f, const taskfit_moves_node *node, const bool *stays, double threshold,
                    taskfit_arena *scratch) {
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
static taskfit_answer ask_stages(taskfit_moves_finder *f, const taskfit_decision *d, int64_t work, taskfit_arena *scratch) {
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

static void tell_found(taskfit_moves_finder *f, const taskfit_moves_board *board, const taskfit_moves_machine *machines,
                       const int64_t *dealt, taskfit_arena *scratch) {
    const size_t n = (size_t)board->decision->n_instances;
    const int64_t kept = f->search->found(f->search->found_arg, taskfit_moves_fleet(board, machines, n, dealt, scratch));
    f->search->n_refused += kept < 0 ? 1 : 0;
    if (kept <= f->search->best) {
        return;
    }
    f->search->best = kept;
    const size_t n_services = board->problem->n_services;
    int64_t *best = TASKFIT_ARRAY(f->search->arena, n_services * n, int64_t);
    size_t *block = TASKFIT_ARRAY(f->search->arena, n, size_t);
    memcpy(best, dealt, n_services * n * sizeof *best);
    for (size_t j = 0; j < n; j++) {
        const size_t kind = board->decision->offer_kind[machines[j].offer];
        block[j] = machines[j].stand != SIZE_MAX ? machines[j].stand : board->n_stands + kind;
    }
    f->search->best_dealt = best;
    f->search->best_block = block;
}

/* Tasks of a profile that stay by its contents, but not by its services. */
static int64_t loss_of(const taskfit_moves_finder *f, const taskfit_moves_machine *machines, size_t n_machines,
                       const int64_t *dealt, size_t p) {
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
static bool note_losses(taskfit_moves_finder *f, const taskfit_moves_machine *machines, size_t n_machines, const int64_t *dealt,
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
        memset(f->lossy, 0, d->problem->n_services * sizeof *f->lossy);
        for (size_t p = 0; p < d->n_profiles; p++) {
            for (int64_t s = 0; s < d->profiles[p].n_services; s++) {
                f->lossy[d->profiles[p].services[s]] = loss[p] > 0;
            }
        }
    }
    return true;
}

/* Where the deal of a coarse content loses tasks that were to stay, perhaps others can be moved elsewhere: the fine decision. */
static void try_fine(taskfit_moves_finder *f, const taskfit_moves_machine *machines, size_t n_machines, const int64_t *dealt,
                     const bool *stays, taskfit_arena *scratch) {
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

taskfit_verdict taskfit_moves_try_rest(taskfit_moves_finder *f, const taskfit_moves_node *node, double threshold, int64_t work,
                                       taskfit_proof *proof_out) {
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
