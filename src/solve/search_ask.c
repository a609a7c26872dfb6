#include "base/int64.h"
#include "solve/bound.h"
#include "solve/greedy.h"
#include "solve/room.h"
#include "solve/search.h"

/* Which stages are asked about one fleet, in which order, and how much work each may take. */

enum {
    LARGE_CELLS = 4000000, /* profiles x instances from which greedy is not asked again below its plan */
    COLGEN_CONFLICTS = 100000, /* pairs */
    COLGEN_PROFILES = 4000, /* more rows than a linear program of GLPK is good for */
    COMPACT_CELLS = 3000,  /* profiles x instances that GLPK's branch and bound is tried on */
    SMALL_CELLS = 500,     /*    ... and that it may decide at once, */
    LITTLE_WORK = 4000000, /*    ... with this */
    ROOM_COLUMNS = 3000,   /* of the program of placements with deployments and losses */
    MAX_COLUMNS = 6000     /* the same when nothing else is asked */
};

/* As long as there is no plan nobody stops greedy: there should be one even when all else is spent. */
static taskfit_answer ask_cheaply(taskfit_search *s, const taskfit_decision *d, bool greedy,
                                  taskfit_greedy_guide *guide, taskfit_arena *arena) {
    taskfit_answer answer = taskfit_bound_decide(d, arena);
    if (answer.verdict == TASKFIT_VERDICT_OPEN && greedy) {
        taskfit_budget own = s->has_plan ? s->budget : (taskfit_budget){0};
        own.work_left = TASKFIT_GREEDY_WORK;
        answer = taskfit_greedy_try(d, guide, &own, arena);
        s->budget.work_left -= TASKFIT_GREEDY_WORK - own.work_left;
        s->budget.stopped = s->budget.stopped || own.stopped;
    }
    return answer;
}

typedef taskfit_answer stage_fn(const taskfit_decision *d, taskfit_budget *budget, taskfit_arena *arena);

static taskfit_answer spend_on(taskfit_search *s, stage_fn *stage, const taskfit_decision *d, int64_t share,
                               taskfit_arena *arena) {
    taskfit_budget own = s->budget;
    own.work_left = share;
    s->asked = d->n_instances;
    s->given = share;
    const taskfit_answer answer = stage(d, &own, arena);
    s->budget.work_left -= share - own.work_left;
    s->budget.stopped = own.stopped;
    s->budget.glpk_fallbacks = own.glpk_fallbacks;
    s->given = 0;
    taskfit_search_log_answer(s, &answer);
    return answer;
}

/* Column generation; what it leaves open and is small, the aggregated program. */
static taskfit_answer ask_both(taskfit_search *s, const taskfit_decision *d, int64_t share, int64_t compact_share,
                               taskfit_arena *arena) {
    taskfit_answer answer = {.verdict = TASKFIT_VERDICT_OPEN, .stage = "colgen"};
    if (!s->settings->compact && d->n_profiles <= COLGEN_PROFILES) {
        answer = spend_on(s, taskfit_colgen_decide, d, share, arena);
    }
    if (answer.verdict == TASKFIT_VERDICT_OPEN && !s->budget.stopped &&
        (s->settings->compact || (int64_t)d->n_profiles * d->n_instances <= COMPACT_CELLS)) {
        answer = spend_on(s, taskfit_compact_decide, d, compact_share, arena);
    }
    return answer;
}

/* The exact stages, with at most `share` of the work. What is small is often easy for one of them: both begin with little. */
static taskfit_answer ask_exactly(taskfit_search *s, const taskfit_decision *d, int64_t share, taskfit_arena *arena) {
    taskfit_answer answer = taskfit_bound_decide(d, arena);
    if (answer.verdict != TASKFIT_VERDICT_OPEN || s->budget.stopped || share <= 0) {
        return answer;
    }
    if (!s->settings->compact && (int64_t)d->n_profiles * d->n_instances <= SMALL_CELLS && share > 2 * LITTLE_WORK) {
        answer = ask_both(s, d, LITTLE_WORK, LITTLE_WORK, arena);
    }
    if (answer.verdict == TASKFIT_VERDICT_OPEN && !s->budget.stopped) {
        answer = ask_both(s, d, share, s->settings->compact ? share : share / 4, arena);
    }
    return answer;
}

/* ---- the same where deployments or losses are rules ---- */

static taskfit_answer room_by_bound(void *arg TASKFIT_UNUSED, const taskfit_decision *d, taskfit_arena *arena) {
    return taskfit_bound_decide(d, arena);
}

static taskfit_answer room_by_greedy(void *arg, const taskfit_decision *d, taskfit_arena *arena) {
    taskfit_greedy_guide guide = {0};
    return ask_cheaply(arg, d, true, &guide, arena);
}

static taskfit_answer room_exactly(void *arg, const taskfit_decision *d, taskfit_arena *arena) {
    taskfit_search *s = arg;
    return ask_exactly(s, d, min64(s->share, s->budget.work_left), arena);
}

static taskfit_answer find_rooms(taskfit_search *s, const int64_t *count, taskfit_asker asker, const char *stage) {
    taskfit_answer answer = {.verdict = TASKFIT_VERDICT_OPEN, .proof = TASKFIT_PROOF_NONE, .stage = stage};
    taskfit_budget own = s->has_plan ? s->budget : (taskfit_budget){0}; /* as for greedy: there should be a plan */
    own.work_left = TASKFIT_GREEDY_WORK;
    s->found = taskfit_room_find(s->problem, count, asker, &own, s->scratch);
    s->budget.work_left -= TASKFIT_GREEDY_WORK - own.work_left;
    answer.verdict = s->found != NULL ? TASKFIT_VERDICT_FITS : TASKFIT_VERDICT_OPEN;
    return answer;
}

static taskfit_answer rooms_cheaply(taskfit_search *s, const int64_t *count, bool greedy) {
    taskfit_answer answer = taskfit_room_refute(s->problem, count, (taskfit_asker){.ask = room_by_bound, .arg = s});
    if (answer.verdict == TASKFIT_VERDICT_OPEN && greedy) {
        answer = find_rooms(s, count, (taskfit_asker){.ask = room_by_greedy, .arg = s}, "greedy");
    }
    return answer;
}

/* The bounds by the exact stages, then placements by them, then one program for all of it. */
static taskfit_answer rooms_exactly(taskfit_search *s, const int64_t *count, int64_t share) {
    const taskfit_asker asker = {.ask = room_exactly, .arg = s};
    taskfit_answer answer = {.verdict = TASKFIT_VERDICT_OPEN, .proof = TASKFIT_PROOF_NONE};
    s->share = share;
    if (!s->settings->compact) {
        answer = taskfit_room_refute(s->problem, count, asker);
        if (answer.verdict == TASKFIT_VERDICT_OPEN) {
            answer = find_rooms(s, count, asker, "colgen");
        }
    }
    if (answer.verdict == TASKFIT_VERDICT_OPEN && !s->budget.stopped) {
        taskfit_budget own = s->budget;
        const int64_t given = min64(share, s->budget.work_left);
        own.work_left = given;
        const size_t max_columns = s->settings->compact ? MAX_COLUMNS : ROOM_COLUMNS;
        answer = taskfit_room_exact(s->problem, count, max_columns, &own, s->scratch, &s->found);
        s->budget.work_left -= given - own.work_left;
        s->budget.stopped = own.stopped;
    }
    return answer;
}

/* ---- one fleet ---- */

taskfit_answer taskfit_search_ask_cheaply(taskfit_search *s, const int64_t *count, taskfit_greedy_guide *guide) {
    taskfit_arena_reset(s->scratch);
    const taskfit_decision *d = taskfit_decision_new(s->scratch, s->problem, count);
    taskfit_greedy_guide own = {0};
    const bool again = s->sought_incumbent && (int64_t)d->n_profiles * d->n_instances > LARGE_CELLS;
    const bool greedy = guide != NULL || (!s->settings->compact && !again);
    const taskfit_answer answer = ask_cheaply(s, d, greedy && !s->rooms, guide != NULL ? guide : &own, s->scratch);
    return s->rooms && answer.verdict == TASKFIT_VERDICT_OPEN ? rooms_cheaply(s, count, greedy) : answer;
}

taskfit_answer taskfit_search_ask_exactly(taskfit_search *s, const int64_t *count, int64_t share) {
    taskfit_arena_reset(s->scratch);
    const taskfit_decision *d = taskfit_decision_new(s->scratch, s->problem, count);
    if (!s->rooms) {
        return ask_exactly(s, d, share, s->scratch);
    }
    const taskfit_answer answer = s->settings->compact ? taskfit_bound_decide(d, s->scratch)
                                                       : ask_exactly(s, d, share / 4, s->scratch);
    return answer.verdict == TASKFIT_VERDICT_REFUTED ? answer : rooms_exactly(s, count, share / 4);
}
