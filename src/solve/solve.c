#include "solve/solve.h"

#include "base/clock.h"
#include "base/int64.h"
#include "solve/exclusive.h"
#include "solve/explain.h"
#include "solve/fleet.h"
#include "solve/room.h"
#include "solve/search.h"

/*
 * Walks through the fleets in the order of the goals, from the least that volume allows upward, and asks of
 * each whether the tasks fit. The first that does is optimal when all before it were refuted. Bounds rise only by
 * proofs: a fleet that stays open leaves the bound where it is, and the walk goes on to find a plan.
 *
 * A fleet of N instances may fail where N - 1 hold the tasks, since spread by instance counts empty instances;
 * so nothing is concluded from larger fleets.
 */

enum {
    DEFAULT_WORK = 2000000000, /* about a minute */
    WINDOW_WORK = 5000,        /* of listing the fleets of a window, so that the clock is looked at */
    FLEET_SHARE = 20,          /* of the work that one of many fleets may take before the next is looked at */
    FLEET_WORK = 20000000,     /*    ... but at least so much */
    WINDOW_SHARE = 64          /* cost windows grow with the cost, so that there are few of them */
};

/* ---- one mix ---- */

static bool fits(taskfit_search *s, const taskfit_mix *mix, const int64_t *count, const taskfit_answer *answer) {
    if (answer->verdict != TASKFIT_VERDICT_FITS) {
        return false;
    }
    taskfit_search_keep(s, mix, count, answer);
    return true;
}

static taskfit_verdict close_layouts(taskfit_search *s, const taskfit_mix *mix, const int64_t *const *layouts,
                                     size_t n_layouts, int64_t share) {
    bool all_refuted = true;
    for (size_t i = 0; i < n_layouts; i++) {
        const taskfit_answer answer = taskfit_search_ask_exactly(s, layouts[i], share / (int64_t)n_layouts);
        if (fits(s, mix, layouts[i], &answer)) {
            return TASKFIT_VERDICT_FITS;
        }
        if (answer.verdict == TASKFIT_VERDICT_REFUTED) {
            s->refuted_by_solver = s->refuted_by_solver || answer.proof == TASKFIT_PROOF_SOLVER;
            s->refuted_stage = answer.stage;
        }
        if (mix->count >= s->one_kind_from && answer.verdict == TASKFIT_VERDICT_REFUTED && answer.lower_bound > mix->count) {
            s->refuted_to = answer.lower_bound - 1;
            return TASKFIT_VERDICT_REFUTED; /* whatever the layout */
        }
        all_refuted = all_refuted && answer.verdict == TASKFIT_VERDICT_REFUTED;
    }
    return all_refuted ? TASKFIT_VERDICT_REFUTED : TASKFIT_VERDICT_OPEN;
}

/* Every layout of a mix: cheap stages on all first, then the exact ones. */
static taskfit_verdict decide_mix(taskfit_search *s, const taskfit_mix *mix, int64_t n_alike) {
    taskfit_arena *arena = taskfit_arena_new();
    size_t n_layouts;
    bool complete;
    const int64_t *const *layouts = taskfit_walk_layouts(s->walk, mix, arena, &n_layouts, &complete);
    size_t n_open = 0;
    const int64_t **open = TASKFIT_ARRAY(arena, n_layouts, const int64_t *);
    taskfit_verdict verdict = complete ? TASKFIT_VERDICT_REFUTED : TASKFIT_VERDICT_OPEN;
    for (size_t i = 0; i < n_layouts && verdict != TASKFIT_VERDICT_FITS; i++) {
        const taskfit_answer answer = taskfit_search_ask_cheaply(s, layouts[i], NULL);
        if (fits(s, mix, layouts[i], &answer)) {
            verdict = TASKFIT_VERDICT_FITS;
        } else if (answer.verdict == TASKFIT_VERDICT_OPEN) {
            open[n_open++] = layouts[i];
        }
    }
    if (verdict != TASKFIT_VERDICT_FITS && n_open > 0) {
        if (!s->sought_incumbent && (!s->settings->compact || s->rooms)) {
            taskfit_search_first_plan(s, s->cost_first ? 1 : mix->count + 1);
        }
        const int64_t share = s->budget.work_left / (n_alike > 1 ? min64(n_alike, 16) : 2);
        const taskfit_verdict closed =
            taskfit_search_better(s, mix) ? close_layouts(s, mix, open, n_open, share) : TASKFIT_VERDICT_OPEN;
        verdict = closed == TASKFIT_VERDICT_REFUTED ? verdict : closed;
    }
    taskfit_arena_free(arena);
    return verdict;
}

/* ---- the walk ---- */

static bool within_gap(const taskfit_search *s, int64_t bound) {
    return s->has_plan && s->settings->gap_rel > 0 && (double)(s->first - bound) <= s->settings->gap_rel * (double)s->first;
}

/* Mixes of a window; true when the search is over. */
static bool walk_window(taskfit_search *s, int64_t low, int64_t high) {
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_mixes mixes = taskfit_walk_mixes(s->walk, low, high, arena);
    bool over = false;
    for (size_t i = 0; i < mixes.n_items && !over; i++) {
        const taskfit_mix *mix = &mixes.items[i];
        if (!taskfit_search_better(s, mix)) {
            over = true; /* so are all after it: the plan at hand is the answer */
            break;
        }
        const taskfit_verdict verdict = decide_mix(s, mix, (int64_t)(mixes.n_items - i));
        if (verdict == TASKFIT_VERDICT_OPEN && taskfit_search_better(s, mix) && s->open_first == INT64_MAX) {
            s->open_first = taskfit_search_first(s, mix);
            s->open_second = taskfit_search_second(s, mix);
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
static int64_t enough_instances(const taskfit_search *s) {
    int64_t n_tasks = 0;
    for (size_t i = 0; i < s->problem->n_services; i++) {
        n_tasks += s->problem->services[i].replicas + s->problem->services[i].deploy_tasks;
    }
    n_tasks *= s->problem->survive == TASKFIT_SURVIVE_NONE ? 1 : 2;
    const int64_t enough = taskfit_walk_min_instances(s->walk) + (n_tasks + 1) * (int64_t)s->problem->n_azs;
    return min64(enough, taskfit_walk_max_instances(s->walk));
}

/* Returns the bound reached on the first goal: everything below it is refuted. */
static int64_t walk(taskfit_search *s, int64_t from) {
    const int64_t step = taskfit_walk_step(s->walk);
    const int64_t most = taskfit_walk_max_instances(s->walk);
    const int64_t limit = most > 0 ? taskfit_walk_limit(s->walk) / most * enough_instances(s) : 0;
    int64_t low = from;
    s->bound = from;
    while (low <= limit) {
        const int64_t width = s->cost_first ? max64(step, low / WINDOW_SHARE) : 1;
        if (walk_window(s, low, low + width - 1)) {
            break;
        }
        low = max64(low + width, s->open_first == INT64_MAX ? s->refuted_to + 1 : 0);
        s->bound = s->open_first == INT64_MAX ? low : s->open_first;
        (void)taskfit_budget_spend(&s->budget, WINDOW_WORK);
        if (s->open_first == INT64_MAX && within_gap(s, low)) {
            return low;
        }
        if (s->budget.stopped || s->budget.work_left <= 0 || (s->has_plan && low > s->first + s->free_slack)) {
            break;
        }
    }
    if (!s->has_plan && (s->budget.stopped || s->budget.work_left <= 0)) {
        taskfit_search_first_plan(s, s->cost_first ? 1 : low);
    }
    if (s->open_first != INT64_MAX) {
        return s->open_first;
    }
    return s->has_plan && !s->budget.stopped && s->budget.work_left > 0 ? s->first : max64(0, low - s->free_slack);
}

/* ---- many mixes ---- */

static bool has_choice(const taskfit_search *s) {
    size_t n_types = 0;
    for (size_t g = 0; g < s->problem->n_groups; g++) {
        n_types += s->problem->groups[g].n_types;
    }
    return n_types > 1 && !s->settings->compact;
}

/* A taskfit_fleet_search's question; a plan found on the way makes dearer fleets uninteresting. */
static taskfit_verdict decide_fleet(taskfit_fleet_search *fleets, const int64_t *count, taskfit_fleet_goal goal, int64_t work) {
    taskfit_search *s = fleets->decide_arg;
    const taskfit_mix mix = {.count = s->cost_first ? goal.second : goal.first,
                             .cost_usd_micros = s->cost_first ? goal.first : goal.second};
    const bool again = work > fleets->work;
    s->bound = fleets->bound.first;
    const taskfit_answer answer =
        again ? (taskfit_answer){.verdict = TASKFIT_VERDICT_OPEN} : taskfit_search_ask_cheaply(s, count, NULL);
    taskfit_verdict verdict = fits(s, &mix, count, &answer) ? TASKFIT_VERDICT_FITS : answer.verdict;
    if (verdict == TASKFIT_VERDICT_OPEN && !s->sought_incumbent) {
        taskfit_search_first_plan(s, s->cost_first ? 1 : mix.count + 1);
    }
    if (verdict == TASKFIT_VERDICT_OPEN && taskfit_search_better(s, &mix)) {
        verdict = close_layouts(s, &mix, &count, 1, min64(work, s->budget.work_left));
    }
    fleets->known = s->has_plan ? (taskfit_fleet_goal){s->first, s->second} : fleets->known;
    return verdict;
}

/* Instead of walk(), where there are several types: the same bound, by cuts. */
static int64_t find_fleet(taskfit_search *s, int64_t from) {
    taskfit_fleet_search fleets = {.problem = s->problem,
                                   .walk = s->walk,
                                   .cost_first = s->cost_first,
                                   .budget = &s->budget,
                                   .decide = decide_fleet,
                                   .decide_arg = s,
                                   .work = min64(max64(s->work_limit / FLEET_SHARE, FLEET_WORK), s->work_limit / 4),
                                   .most_instances = enough_instances(s),
                                   .known = {INT64_MAX, INT64_MAX}};
    taskfit_fleet_find(&fleets, max64(0, from - s->free_slack));
    if (!s->has_plan && fleets.open && (!s->sought_incumbent || !taskfit_budget_spend(&s->budget, 0))) {
        taskfit_search_first_plan(s, s->cost_first ? 1 : fleets.bound.first);
    }
    if (fleets.open) {
        s->open_first = fleets.bound.first;
        s->open_second = fleets.bound.second;
        return fleets.bound.first;
    }
    return s->has_plan ? s->first : from;
}

/* ---- the door ---- */

/* Instances from which fleets are of one kind of instance, with the same bounds (taskfit_answer.lower_bound): with one group of one type,
 * as soon as spread by instance asks for a task of a service on no instance, and for two on none. INT64_MAX: never. */
static int64_t one_kind_from(const taskfit_problem *problem) {
    int64_t from = problem->n_groups == 1 && problem->groups[0].n_types == 1 ? 0 : INT64_MAX;
    for (size_t i = 0; i < problem->n_services; i++) {
        const taskfit_problem_service *service = &problem->services[i];
        from = max64(from, service->spread_instance ? service->replicas * (int64_t)problem->n_azs + 1 : 0);
    }
    return from;
}

static taskfit_search search_new(const taskfit_problem *problem, const taskfit_settings *settings, taskfit_arena *arena) {
    taskfit_search s = {.problem = problem,
                .settings = settings,
                .arena = arena,
                .scratch = taskfit_arena_new(),
                .rooms = taskfit_room_asked(problem),
                .cost_first = problem->n_objective > 0 && problem->objective[0] == TASKFIT_GOAL_COST,
                .work_limit = settings->work_limit > 0 ? settings->work_limit : DEFAULT_WORK,
                .open_first = INT64_MAX,
                .open_second = INT64_MAX};
    s.one_kind_from = s.cost_first ? INT64_MAX : one_kind_from(problem);
    s.walk = taskfit_walk_new(problem, s.cost_first, arena);
    for (size_t o = 0; o < problem->n_offers && s.cost_first; o++) {
        s.free_slack = problem->offers[o].price_usd_micros <= 0 ? taskfit_walk_max_instances(s.walk) : s.free_slack;
    }
    s.fleet_count = TASKFIT_ARRAY(arena, problem->n_offers, int64_t);
    s.budget = (taskfit_budget){.work_left = s.work_limit, .stop = settings->stop, .stop_arg = settings->stop_arg};
    s.budget.report = settings->log != NULL ? taskfit_search_report : NULL;
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
        taskfit_search s = search_new(problem, settings, arena);
        s.budget.report_arg = &s;
        int64_t from = taskfit_walk_bound(s.walk);
        if (!s.cost_first) {
            from = max64(max64(from, known_bound), taskfit_exclusive_bound(problem));
        }
        const int64_t bound = has_choice(&s) ? find_fleet(&s, from) : walk(&s, from);
        taskfit_search_answer(&s, bound, &result);
        result.work = s.work_limit - s.budget.work_left;
        result.stopped = s.budget.stopped;
        taskfit_search_log_end(&s, &result);
        taskfit_arena_free(s.scratch);
    }
    *result_out = result;
    return TASKFIT_OK;
}
