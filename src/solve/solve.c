#include "solve/solve.h"

#include <assert.h>
#include <string.h>

#include "base/clock.h"
#include "solve/bound.h"
#include "solve/decision.h"
#include "solve/expand.h"
#include "solve/explain.h"
#include "solve/fleet.h"
#include "solve/greedy.h"
#include "solve/level.h"
#include "solve/room.h"
#include "solve/walk.h"

/*
 * Walks through the fleets in the order of the goals, from the least that volume allows upward, and asks of
 * each whether the tasks fit. The first that does is optimal when all before it were refuted. Bounds rise only by
 * proofs: a fleet that stays open leaves the bound where it is, and the walk goes on to find a plan.
 *
 * A fleet of N instances may fail where N - 1 hold the tasks, since spread by instance counts empty instances;
 * so nothing is concluded from larger fleets.
 */

enum {
    DEFAULT_WORK = 2000000000,   /* about a minute */
    GREEDY_WORK = 400000000,     /* of one greedy decision: it must answer even when the rest is spent */
    MAX_GREEDY_MIXES = 8,
    LARGE_CELLS = 4000000,       /* profiles x instances from which greedy is not asked again below its plan */
    CLOSE_SHARE = 1000,          /* a first plan need not be greedy's best to the last instance in a thousand */
    COLGEN_DIMS = 64,            /* what its pricing takes; more is many shared host ports */
    COLGEN_PROFILES = 4000,      /* more rows than a linear program of GLPK is good for */
    COMPACT_CELLS = 3000,        /* profiles x instances that GLPK's branch and bound is tried on */
    WINDOW_WORK = 5000,          /* of listing the fleets of a window, so that the clock is looked at */
    ROOM_COLUMNS = 3000,         /* of the program of placements with deployments and losses */
    MAX_COLUMNS = 6000,          /* the same when nothing else is asked */
    FLEET_SHARE = 64,            /* of the work that one of many fleets may take before the next is looked at */
    FLEET_WORK = 20000000,       /*    ... but at least so much */
    WINDOW_SHARE = 64            /* cost windows grow with the cost, so that there are few of them */
};

typedef struct search {
    const taskfit_problem *problem;
    const taskfit_settings *settings;
    taskfit_arena *arena;   /* of the answer */
    taskfit_arena *scratch; /* of one fleet */
    taskfit_walk *walk;
    bool cost_first;
    taskfit_budget budget;
    int64_t work_limit;
    int64_t free_slack; /* instances that cost nothing weigh 1 micro-dollar in the walk: how much that may be */
    bool sought_incumbent;
    bool has_plan;
    taskfit_answer plan;  /* the best so far, of the decision of fleet_count */
    bool rooms;           /* deployments or losses are rules: then plans are fleets, */
    taskfit_fleet *found; /* of the last answer, in scratch, */
    taskfit_fleet *placed; /* and of the best so far */
    int64_t share;        /* of the work that one exact question about rooms may take */
    int64_t *fleet_count; /* [n_offers] */
    int64_t first, second; /* its goals: instances and cost, or cost and instances */
    bool refuted_by_solver;
    const char *refuted_stage; /* of the last refutation that took more than the bound */
    int64_t open_first, open_second; /* of the first fleet left open; INT64_MAX: none */
} search;

static int64_t min64(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t max64(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static void log_line(const search *s, const char *line) {
    if (s->settings->log != NULL) {
        s->settings->log(s->settings->log_arg, line);
    }
}

static int64_t first_goal(const search *s, const taskfit_mix *mix) {
    return s->cost_first ? mix->cost_usd_micros : mix->count;
}

static int64_t second_goal(const search *s, const taskfit_mix *mix) {
    return s->cost_first ? mix->count : mix->cost_usd_micros;
}

static bool better(const search *s, const taskfit_mix *mix) {
    const int64_t first = first_goal(s, mix);
    return !s->has_plan || first < s->first || (first == s->first && second_goal(s, mix) < s->second);
}

static void keep_plan(search *s, const taskfit_mix *mix, const int64_t *count, const taskfit_answer *answer) {
    taskfit_content *contents = TASKFIT_ARRAY(s->arena, answer->n_contents, taskfit_content);
    for (size_t i = 0; i < answer->n_contents; i++) {
        taskfit_content_task *tasks = TASKFIT_ARRAY(s->arena, answer->contents[i].n_tasks, taskfit_content_task);
        for (size_t task = 0; task < answer->contents[i].n_tasks; task++) {
            tasks[task] = answer->contents[i].tasks[task];
        }
        contents[i] = answer->contents[i];
        contents[i].tasks = tasks;
    }
    s->has_plan = true;
    s->placed = s->rooms ? taskfit_fleet_copy(s->arena, s->found) : NULL;
    s->plan = *answer;
    s->plan.contents = contents;
    s->first = first_goal(s, mix);
    s->second = second_goal(s, mix);
    memcpy(s->fleet_count, count, s->problem->n_offers * sizeof *count);
    log_line(s, taskfit_arena_printf(s->scratch, "plan of %lld instances by %s", (long long)mix->count, answer->stage));
}

/* Bound, then greedy. Greedy has work of its own, and as long as there is no plan nobody stops it: there should be
 * one even when all else is spent. */
static taskfit_answer ask_cheaply(search *s, const taskfit_decision *d, bool greedy, taskfit_greedy_guide *guide,
                                  taskfit_arena *arena) {
    taskfit_answer answer = taskfit_bound_decide(d, arena);
    if (answer.verdict == TASKFIT_VERDICT_OPEN && greedy) {
        taskfit_budget own = s->has_plan ? s->budget : (taskfit_budget){0};
        own.work_left = GREEDY_WORK;
        answer = taskfit_greedy_try(d, guide, &own, arena);
        s->budget.work_left -= GREEDY_WORK - own.work_left;
        s->budget.stopped = s->budget.stopped || own.stopped;
    }
    return answer;
}

typedef taskfit_answer stage_fn(const taskfit_decision *d, taskfit_budget *budget, taskfit_arena *arena);

static taskfit_answer spend_on(search *s, stage_fn *stage, const taskfit_decision *d, int64_t share, taskfit_arena *arena) {
    taskfit_budget own = s->budget;
    own.work_left = share;
    const taskfit_answer answer = stage(d, &own, arena);
    s->budget.work_left -= share - own.work_left;
    s->budget.stopped = own.stopped;
    s->budget.glpk_fallbacks = own.glpk_fallbacks;
    return answer;
}

/* The exact stages, with at most `share` of the work: column generation; what it leaves open and is small, the
 * aggregated program. */
static taskfit_answer ask_exactly(search *s, const taskfit_decision *d, int64_t share, taskfit_arena *arena) {
    taskfit_answer answer = taskfit_bound_decide(d, arena);
    if (answer.verdict != TASKFIT_VERDICT_OPEN || s->budget.stopped || share <= 0) {
        return answer;
    }
    if (!s->settings->compact && d->n_profiles <= COLGEN_PROFILES && d->n_dims <= COLGEN_DIMS) {
        answer = spend_on(s, taskfit_colgen_decide, d, share, arena);
    }
    if (answer.verdict == TASKFIT_VERDICT_OPEN && !s->budget.stopped &&
        (s->settings->compact || (int64_t)d->n_profiles * d->n_instances <= COMPACT_CELLS)) {
        answer = spend_on(s, taskfit_compact_decide, d, s->settings->compact ? share : share / 4, arena);
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
    search *s = arg;
    return ask_exactly(s, d, min64(s->share, s->budget.work_left), arena);
}

static taskfit_answer find_rooms(search *s, const int64_t *count, taskfit_asker asker, const char *stage) {
    taskfit_answer answer = {.verdict = TASKFIT_VERDICT_OPEN, .proof = TASKFIT_PROOF_NONE, .stage = stage};
    taskfit_budget own = s->has_plan ? s->budget : (taskfit_budget){0}; /* as for greedy: there should be a plan */
    own.work_left = GREEDY_WORK;
    s->found = taskfit_room_find(s->problem, count, asker, &own, s->scratch);
    s->budget.work_left -= GREEDY_WORK - own.work_left;
    answer.verdict = s->found != NULL ? TASKFIT_VERDICT_FITS : TASKFIT_VERDICT_OPEN;
    return answer;
}

static taskfit_answer rooms_cheaply(search *s, const int64_t *count, bool greedy) {
    taskfit_answer answer = taskfit_room_refute(s->problem, count, (taskfit_asker){.ask = room_by_bound, .arg = s});
    if (answer.verdict == TASKFIT_VERDICT_OPEN && greedy) {
        answer = find_rooms(s, count, (taskfit_asker){.ask = room_by_greedy, .arg = s}, "greedy");
    }
    return answer;
}

/* The bounds by the exact stages, then placements by them, then one program for all of it. */
static taskfit_answer rooms_exactly(search *s, const int64_t *count, int64_t share) {
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

/* `guide` is given where a first plan is sought: then greedy is asked in any case. */
static taskfit_answer decide_cheaply(search *s, const int64_t *count, taskfit_greedy_guide *guide) {
    taskfit_arena_reset(s->scratch);
    const taskfit_decision *d = taskfit_decision_new(s->scratch, s->problem, count);
    taskfit_greedy_guide own = {0};
    const bool again = s->sought_incumbent && (int64_t)d->n_profiles * d->n_instances > LARGE_CELLS;
    const bool greedy = guide != NULL || (!s->settings->compact && !again);
    const taskfit_answer answer = ask_cheaply(s, d, greedy && !s->rooms, guide != NULL ? guide : &own, s->scratch);
    return s->rooms && answer.verdict == TASKFIT_VERDICT_OPEN ? rooms_cheaply(s, count, greedy) : answer;
}

static taskfit_answer decide_exactly(search *s, const int64_t *count, int64_t share) {
    taskfit_arena_reset(s->scratch);
    const taskfit_decision *d = taskfit_decision_new(s->scratch, s->problem, count);
    if (!s->rooms) {
        return ask_exactly(s, d, share, s->scratch);
    }
    const taskfit_answer answer = s->settings->compact ? taskfit_bound_decide(d, s->scratch)
                                                       : ask_exactly(s, d, share / 4, s->scratch);
    return answer.verdict == TASKFIT_VERDICT_REFUTED ? answer : rooms_exactly(s, count, share / 4);
}

static bool fits(search *s, const taskfit_mix *mix, const int64_t *count, const taskfit_answer *answer) {
    if (answer->verdict != TASKFIT_VERDICT_FITS) {
        return false;
    }
    keep_plan(s, mix, count, answer);
    return true;
}

/* ---- a first plan ---- */

/* Stopped, with a plan to show for it. */
static bool enough(const search *s) {
    return s->budget.stopped && s->has_plan;
}

/* Greedy on some mixes of exactly n instances, cheapest first. */
static bool greedy_on_count(search *s, const taskfit_walk *by_count, int64_t n, taskfit_greedy_guide *guide) {
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_mixes mixes = taskfit_walk_mixes(by_count, n, n, arena);
    bool found = false;
    for (size_t i = 0; i < mixes.n_items && i < MAX_GREEDY_MIXES && !found && !enough(s); i++) {
        /* spread the tries over all mixes of that count */
        const size_t step = mixes.n_items > MAX_GREEDY_MIXES ? mixes.n_items / MAX_GREEDY_MIXES : 1;
        const taskfit_mix *mix = &mixes.items[i * step];
        size_t n_layouts;
        bool complete;
        const int64_t *const *layouts = taskfit_walk_layouts(by_count, mix, arena, &n_layouts, &complete);
        for (size_t layout = 0; layout < n_layouts && layout < 3 && !found; layout++) {
            const taskfit_answer answer = decide_cheaply(s, layouts[layout], guide);
            found = answer.verdict == TASKFIT_VERDICT_FITS;
            if (found && better(s, mix)) {
                keep_plan(s, mix, layouts[layout], &answer);
            }
        }
    }
    taskfit_arena_free(arena);
    return found;
}

/* Goes upward by what greedy is short of until it places everything, then halves the way back. */
static void seek_incumbent(search *s, int64_t from) {
    s->sought_incumbent = true;
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_walk *by_count = taskfit_walk_new(s->problem, false, arena);
    const int64_t most = taskfit_walk_max_instances(by_count);
    taskfit_greedy_guide guide = {0};
    int64_t failed = from - 1;
    int64_t n = min64(from, most);
    int64_t step = 1;
    while (!greedy_on_count(s, by_count, n, &guide)) {
        if (n == most || enough(s)) {
            taskfit_arena_free(arena);
            return;
        }
        failed = n;
        n = min64(most, n + max64(step, guide.missing));
        step += max64(1, step / 2);
    }
    while (n - failed > 1 + n / CLOSE_SHARE && !enough(s)) {
        const int64_t middle = failed + (n - failed) / 2;
        if (greedy_on_count(s, by_count, middle, &guide)) {
            n = middle;
        } else {
            failed = middle;
        }
    }
    taskfit_arena_free(arena);
}

/* ---- one mix ---- */

static taskfit_verdict close_layouts(search *s, const taskfit_mix *mix, const int64_t *const *layouts, size_t n_layouts,
                                     int64_t share) {
    bool all_refuted = true;
    for (size_t i = 0; i < n_layouts; i++) {
        const taskfit_answer answer = decide_exactly(s, layouts[i], share / (int64_t)n_layouts);
        if (fits(s, mix, layouts[i], &answer)) {
            return TASKFIT_VERDICT_FITS;
        }
        if (answer.verdict == TASKFIT_VERDICT_REFUTED) {
            s->refuted_by_solver = s->refuted_by_solver || answer.proof == TASKFIT_PROOF_SOLVER;
            s->refuted_stage = answer.stage;
        }
        all_refuted = all_refuted && answer.verdict == TASKFIT_VERDICT_REFUTED;
    }
    return all_refuted ? TASKFIT_VERDICT_REFUTED : TASKFIT_VERDICT_OPEN;
}

/* Every layout of a mix: cheap stages on all first, then the exact ones. */
static taskfit_verdict decide_mix(search *s, const taskfit_mix *mix, int64_t n_alike) {
    taskfit_arena *arena = taskfit_arena_new();
    size_t n_layouts;
    bool complete;
    const int64_t *const *layouts = taskfit_walk_layouts(s->walk, mix, arena, &n_layouts, &complete);
    size_t n_open = 0;
    const int64_t **open = TASKFIT_ARRAY(arena, n_layouts, const int64_t *);
    taskfit_verdict verdict = complete ? TASKFIT_VERDICT_REFUTED : TASKFIT_VERDICT_OPEN;
    for (size_t i = 0; i < n_layouts && verdict != TASKFIT_VERDICT_FITS; i++) {
        const taskfit_answer answer = decide_cheaply(s, layouts[i], NULL);
        if (fits(s, mix, layouts[i], &answer)) {
            verdict = TASKFIT_VERDICT_FITS;
        } else if (answer.verdict == TASKFIT_VERDICT_OPEN) {
            open[n_open++] = layouts[i];
        }
    }
    if (verdict != TASKFIT_VERDICT_FITS && n_open > 0) {
        if (!s->sought_incumbent && (!s->settings->compact || s->rooms)) {
            seek_incumbent(s, s->cost_first ? 1 : mix->count + 1);
        }
        const int64_t share = s->budget.work_left / (n_alike > 1 ? min64(n_alike, 16) : 2);
        const taskfit_verdict closed =
            better(s, mix) ? close_layouts(s, mix, open, n_open, share) : TASKFIT_VERDICT_OPEN;
        verdict = closed == TASKFIT_VERDICT_REFUTED ? verdict : closed;
    }
    taskfit_arena_free(arena);
    return verdict;
}

/* ---- the walk ---- */

static bool within_gap(const search *s, int64_t bound) {
    return s->has_plan && s->settings->gap_rel > 0 && (double)(s->first - bound) <= s->settings->gap_rel * (double)s->first;
}

/* Mixes of a window; true when the search is over. */
static bool walk_window(search *s, int64_t low, int64_t high) {
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_mixes mixes = taskfit_walk_mixes(s->walk, low, high, arena);
    bool over = false;
    for (size_t i = 0; i < mixes.n_items && !over; i++) {
        const taskfit_mix *mix = &mixes.items[i];
        if (!better(s, mix)) {
            over = true; /* so are all after it: the plan at hand is the answer */
            break;
        }
        const taskfit_verdict verdict = decide_mix(s, mix, (int64_t)(mixes.n_items - i));
        if (verdict == TASKFIT_VERDICT_OPEN && better(s, mix) && s->open_first == INT64_MAX) {
            s->open_first = first_goal(s, mix);
            s->open_second = second_goal(s, mix);
        }
        over = verdict == TASKFIT_VERDICT_FITS || s->budget.stopped ||
               (s->open_first != INT64_MAX && s->has_plan && s->budget.work_left <= 0);
    }
    if (!mixes.complete && !over && s->open_first == INT64_MAX) {
        s->open_first = low;
        s->open_second = 0;
    }
    taskfit_arena_free(arena);
    return over;
}

/* No fleet above this can hold what none below does: each task would have an instance of its own in every AZ. */
static int64_t enough_instances(const search *s) {
    int64_t n_tasks = 0;
    for (size_t i = 0; i < s->problem->n_services; i++) {
        n_tasks += s->problem->services[i].replicas + s->problem->services[i].deploy_tasks;
    }
    n_tasks *= s->problem->survive == TASKFIT_SURVIVE_NONE ? 1 : 2;
    const int64_t enough = taskfit_walk_min_instances(s->walk) + (n_tasks + 1) * (int64_t)s->problem->n_azs;
    return min64(enough, taskfit_walk_max_instances(s->walk));
}

/* Returns the bound reached on the first goal: everything below it is refuted. */
static int64_t walk(search *s, int64_t from) {
    const int64_t step = taskfit_walk_step(s->walk);
    const int64_t most = taskfit_walk_max_instances(s->walk);
    const int64_t limit = most > 0 ? taskfit_walk_limit(s->walk) / most * enough_instances(s) : 0;
    int64_t low = from;
    while (low <= limit) {
        const int64_t width = s->cost_first ? max64(step, low / WINDOW_SHARE) : 1;
        if (walk_window(s, low, low + width - 1)) {
            break;
        }
        low += width;
        (void)taskfit_budget_spend(&s->budget, WINDOW_WORK);
        if (s->open_first == INT64_MAX && within_gap(s, low)) {
            return low;
        }
        if (s->budget.stopped || s->budget.work_left <= 0 || (s->has_plan && low > s->first + s->free_slack)) {
            break;
        }
    }
    if (!s->has_plan && (s->budget.stopped || s->budget.work_left <= 0)) {
        seek_incumbent(s, s->cost_first ? 1 : low);
    }
    if (s->open_first != INT64_MAX) {
        return s->open_first;
    }
    return s->has_plan && !s->budget.stopped && s->budget.work_left > 0 ? s->first : max64(0, low - s->free_slack);
}

/* ---- many mixes ---- */

static bool has_choice(const search *s) {
    size_t n_types = 0;
    for (size_t g = 0; g < s->problem->n_groups; g++) {
        n_types += s->problem->groups[g].n_types;
    }
    return n_types > 1 && !s->settings->compact;
}

/* A taskfit_fleet_search's question; a plan found on the way makes dearer fleets uninteresting. */
static taskfit_verdict decide_fleet(taskfit_fleet_search *fleets, const int64_t *count, taskfit_fleet_goal goal,
                                    bool again) {
    search *s = fleets->decide_arg;
    const taskfit_mix mix = {.count = s->cost_first ? goal.second : goal.first,
                             .cost_usd_micros = s->cost_first ? goal.first : goal.second};
    const taskfit_answer answer = again ? (taskfit_answer){.verdict = TASKFIT_VERDICT_OPEN} : decide_cheaply(s, count, NULL);
    taskfit_verdict verdict = fits(s, &mix, count, &answer) ? TASKFIT_VERDICT_FITS : answer.verdict;
    if (verdict == TASKFIT_VERDICT_OPEN && !s->sought_incumbent) {
        seek_incumbent(s, s->cost_first ? 1 : mix.count + 1);
    }
    if (verdict == TASKFIT_VERDICT_OPEN && better(s, &mix)) {
        const int64_t little = max64(s->work_limit / FLEET_SHARE, FLEET_WORK);
        const int64_t share = again ? s->budget.work_left / 2 : min64(s->budget.work_left / 4, little);
        verdict = close_layouts(s, &mix, &count, 1, share);
    }
    fleets->known = s->has_plan ? (taskfit_fleet_goal){s->first, s->second} : fleets->known;
    return verdict;
}

/* Instead of walk(), where there are several types: the same bound, by cuts. */
static int64_t find_fleet(search *s, int64_t from) {
    taskfit_fleet_search fleets = {.problem = s->problem,
                                   .walk = s->walk,
                                   .cost_first = s->cost_first,
                                   .budget = &s->budget,
                                   .decide = decide_fleet,
                                   .decide_arg = s,
                                   .most_instances = enough_instances(s),
                                   .known = {INT64_MAX, INT64_MAX}};
    taskfit_fleet_find(&fleets, max64(0, from - s->free_slack));
    if (!s->has_plan && (s->budget.stopped || s->budget.work_left <= 0)) {
        seek_incumbent(s, s->cost_first ? 1 : fleets.bound.first);
    }
    if (fleets.open) {
        s->open_first = fleets.bound.first;
        s->open_second = fleets.bound.second;
        return fleets.bound.first;
    }
    return s->has_plan ? s->first : from;
}

/* ---- the answer ---- */

static void largest_fleet(const search *s, int64_t *count) {
    for (size_t g = 0; g < s->problem->n_groups; g++) {
        const taskfit_problem_group *group = &s->problem->groups[g];
        int64_t left = group->max_instances;
        for (size_t t = 0; t < group->n_types && left > 0; t++) {
            const int64_t n = group->stock[t] < 0 ? left : min64(left, group->stock[t]);
            for (size_t k = 0; k < group->n_azs; k++) {
                const int64_t larger = (int64_t)k < n % (int64_t)group->n_azs ? 1 : 0;
                count[group->first_offer + t * group->n_azs + k] = n / (int64_t)group->n_azs + larger;
            }
            left = group->mixed ? left - n : 0;
        }
    }
}

/* The plan as machines, levelled where balance is a goal. */
static taskfit_fleet *final_fleet(search *s) {
    bool level = false;
    for (size_t i = 0; i < s->problem->n_objective && !s->budget.stopped; i++) {
        level = level || s->problem->objective[i] == TASKFIT_GOAL_BALANCE;
    }
    taskfit_arena_reset(s->scratch);
    if (s->rooms) {
        return level ? taskfit_room_level(s->problem, s->fleet_count, s->placed, &s->budget, s->arena) : s->placed;
    }
    const taskfit_decision *d = taskfit_decision_new(s->scratch, s->problem, s->fleet_count);
    if (level) {
        taskfit_budget own = s->budget;
        own.work_left = GREEDY_WORK;
        s->plan = taskfit_level(d, &s->plan, &own, s->scratch);
    }
    return taskfit_expand(d, s->plan.contents, s->plan.n_contents, s->arena);
}

/* Could the same instances be laid over the AZs in another way that is not the same but for names? */
static bool other_layouts(const search *s) {
    taskfit_arena *arena = taskfit_arena_new();
    int64_t *n = TASKFIT_ARRAY(arena, s->problem->n_offers, int64_t);
    size_t entry = 0;
    for (size_t g = 0; g < s->problem->n_groups; g++) {
        const taskfit_problem_group *group = &s->problem->groups[g];
        for (size_t type = 0; type < group->n_types; type++, entry++) {
            for (size_t k = 0; k < group->n_azs; k++) {
                n[entry] += s->fleet_count[group->first_offer + type * group->n_azs + k];
            }
        }
    }
    const taskfit_mix mix = {.n = n};
    size_t n_layouts;
    bool complete;
    (void)taskfit_walk_layouts(s->walk, &mix, arena, &n_layouts, &complete);
    taskfit_arena_free(arena);
    return n_layouts > 1;
}

/* By volume: what any fleet costs. */
static int64_t least_cost_usd_micros(const search *s) {
    for (size_t o = 0; o < s->problem->n_offers; o++) {
        if (s->problem->offers[o].price_usd_micros <= 0) {
            return 0;
        }
    }
    return taskfit_walk_bound(taskfit_walk_new(s->problem, true, s->arena));
}

/* By volume: the bound on instances where the goal was another. */
static int64_t least_instances(const search *s) {
    return taskfit_walk_bound(taskfit_walk_new(s->problem, false, s->arena));
}

static void answer_with_plan(search *s, int64_t bound, taskfit_solve_result *result) {
    const bool proved = bound >= s->first;
    const taskfit_proof proof = s->refuted_by_solver ? TASKFIT_PROOF_SOLVER : TASKFIT_PROOF_EXACT;
    const bool second_proved = proved && s->open_first == INT64_MAX;
    result->outcome = proved ? TASKFIT_OPTIMAL : TASKFIT_FEASIBLE;
    result->fleet = final_fleet(s);
    result->layout_matters = other_layouts(s);
    result->proof = proved ? proof : TASKFIT_PROOF_GAP;
    result->cost_proof = proof;
    if (s->cost_first) {
        result->cost_usd_micros = s->first;
        result->cost_bound_usd_micros = min64(bound, s->first);
        result->cost_proof = result->proof;
        result->lower_bound = second_proved ? s->second : least_instances(s);
    } else {
        result->cost_usd_micros = s->second;
        result->cost_bound_usd_micros =
            second_proved ? s->second : min64(s->second, proved ? s->open_second : least_cost_usd_micros(s));
        result->cost_proof = second_proved ? proof : TASKFIT_PROOF_GAP;
        result->lower_bound = min64(bound, s->first);
    }
    result->stage = s->refuted_stage != NULL ? s->refuted_stage : s->plan.stage;
    result->binding = taskfit_explain_binding(s->problem, s->fleet_count, s->arena, &result->binding_note);
}

static void answer_without_plan(search *s, int64_t bound, taskfit_solve_result *result) {
    result->lower_bound = s->cost_first ? least_instances(s) : bound;
    result->cost_usd_micros = -1;
    result->proof = TASKFIT_PROOF_NONE;
    result->cost_proof = TASKFIT_PROOF_NONE;
    result->outcome = TASKFIT_UNKNOWN;
    result->stage = s->refuted_stage != NULL ? s->refuted_stage : "volume";
    if (s->open_first == INT64_MAX && !s->budget.stopped && s->budget.work_left > 0) {
        result->outcome = TASKFIT_INFEASIBLE;
        result->proof = TASKFIT_PROOF_INFEASIBLE;
        largest_fleet(s, s->fleet_count);
        const taskfit_decision *d = taskfit_decision_new(s->scratch, s->problem, s->fleet_count);
        const bool holds = s->rooms && taskfit_bound_shortage(d).type == TASKFIT_SHORTAGE_NONE;
        result->reason = holds ? taskfit_explain_no_room(s->problem, s->fleet_count, s->arena)
                               : taskfit_explain_too_small(s->problem, s->fleet_count, s->arena);
    }
}

static search search_new(const taskfit_problem *problem, const taskfit_settings *settings, taskfit_arena *arena) {
    search s = {.problem = problem,
                .settings = settings,
                .arena = arena,
                .scratch = taskfit_arena_new(),
                .rooms = taskfit_room_asked(problem),
                .cost_first = problem->n_objective > 0 && problem->objective[0] == TASKFIT_GOAL_COST,
                .work_limit = settings->work_limit > 0 ? settings->work_limit : DEFAULT_WORK,
                .open_first = INT64_MAX,
                .open_second = INT64_MAX};
    s.walk = taskfit_walk_new(problem, s.cost_first, arena);
    for (size_t o = 0; o < problem->n_offers && s.cost_first; o++) {
        s.free_slack = problem->offers[o].price_usd_micros <= 0 ? taskfit_walk_max_instances(s.walk) : s.free_slack;
    }
    s.fleet_count = TASKFIT_ARRAY(arena, problem->n_offers, int64_t);
    s.budget = (taskfit_budget){.work_left = s.work_limit, .stop = settings->stop, .stop_arg = settings->stop_arg};
    if (settings->time_limit_ms > 0) {
        s.budget.deadline_ms = taskfit_clock_ms() + settings->time_limit_ms;
    }
    return s;
}

taskfit_status taskfit_solve(const taskfit_problem *problem, const taskfit_settings *settings, int64_t known_bound,
                             const taskfit_fleet *hint TASKFIT_UNUSED, taskfit_arena *arena,
                             taskfit_solve_result *result_out, taskfit_error *err TASKFIT_UNUSED) {
    taskfit_solve_result result = {.outcome = TASKFIT_INFEASIBLE,
                                   .proof = TASKFIT_PROOF_INFEASIBLE,
                                   .cost_usd_micros = -1,
                                   .cost_proof = TASKFIT_PROOF_NONE,
                                   .stage = "volume"};
    if (!taskfit_explain_impossible(problem, arena, &result.reason) &&
        !taskfit_explain_no_second_az(problem, arena, &result.reason)) {
        search s = search_new(problem, settings, arena);
        int64_t from = taskfit_walk_bound(s.walk);
        if (!s.cost_first) {
            from = max64(from, known_bound);
        }
        const int64_t bound = has_choice(&s) ? find_fleet(&s, from) : walk(&s, from);
        if (s.has_plan) {
            answer_with_plan(&s, bound, &result);
        } else {
            answer_without_plan(&s, bound, &result);
        }
        result.work = s.work_limit - s.budget.work_left;
        result.stopped = s.budget.stopped;
        taskfit_arena_free(s.scratch);
    }
    *result_out = result;
    return TASKFIT_OK;
}
