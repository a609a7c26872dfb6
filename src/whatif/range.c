#include "whatif/range.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 8, SOLVES_MAX = 400 };

void taskfit_range_release(taskfit_range_search *search) {
    for (size_t i = 0; i < search->n_points; i++) {
        taskfit_plan_free(search->points[i].plan);
        taskfit_deployment_free(search->points[i].deployment);
    }
    free(search->points);
    search->points = NULL;
    search->n_points = search->capacity = 0;
}

/* Having no plan is worse than any number of instances. */
static int64_t count_of(const taskfit_range_point *point) {
    return point->plan->instances < 0 ? INT64_MAX : point->plan->instances;
}

static void insert(taskfit_range_search *search, taskfit_range_point point) {
    if (search->n_points == search->capacity) {
        search->capacity = search->capacity > 0 ? search->capacity * 2 : 16;
        taskfit_range_point *points = realloc(search->points, search->capacity * sizeof *points);
        if (!points) {
            taskfit_oom();
        }
        search->points = points;
    }
    size_t at = search->n_points++;
    for (; at > 0 && search->points[at - 1].value > point.value; at--) {
        search->points[at] = search->points[at - 1];
    }
    search->points[at] = point;
}

static taskfit_status solve(taskfit_range_search *search, int64_t value, bool extended, taskfit_error *err) {
    for (size_t i = 0; i < search->n_points; i++) {
        if (search->points[i].value == value) {
            search->points[i].extended = search->points[i].extended || extended;
            return TASKFIT_OK;
        }
    }
    if (search->n_points == SOLVES_MAX) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "more than %d values of a range had to be solved (give a smaller range)",
                            (int)SOLVES_MAX);
    }
    taskfit_range_point point = {.value = value, .extended = extended};
    taskfit_status status = search->make(search->make_arg, value, &point.deployment, err);
    if (status == TASKFIT_OK) {
        status = taskfit_size(point.deployment, search->settings, &point.plan, err);
    }
    if (status != TASKFIT_OK) {
        taskfit_deployment_free(point.deployment);
        return status;
    }
    insert(search, point);
    return TASKFIT_OK;
}

/* ---- how far a plan reaches ---- */

/* A taskfit_diag_fn. Goals and the like are not stated for a plan that is only tried. */
static void count_broken(void *arg, const char *text) {
    size_t *n_broken = arg;
    *n_broken += strstr(text, "(rule: figures)") == NULL;
}

/* Indexes mean the same, since only figures differ. */
bool taskfit_plan_still_holds(const taskfit_plan *plan, const taskfit_deployment *deployment) {
    if (deployment->n_services != plan->deployment->n_services || deployment->n_groups != plan->deployment->n_groups) {
        return false;
    }
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_plan moved = {.arena = arena,
                          .deployment = deployment,
                          .outcome = TASKFIT_FEASIBLE,
                          .rung = plan->rung,
                          .instances = plan->instances,
                          .lower_bound = 0,
                          .cost_usd_micros = 0,
                          .cost_bound_usd_micros = -1,
                          .fleet = taskfit_fleet_copy(arena, plan->fleet)};
    taskfit_fleet_canonicalize(moved.fleet);
    for (size_t m = 0; m < moved.fleet->n_machines; m++) {
        const taskfit_machine *machine = &moved.fleet->machines[m];
        moved.cost_usd_micros += deployment->groups[machine->group].types[machine->type].price_usd_micros;
    }
    taskfit_plan_rung rung = {.rung = plan->rung,
                              .instances = plan->instances,
                              .lower_bound = 0,
                              .proof = TASKFIT_PROOF_GAP,
                              .cost_usd_micros = moved.cost_usd_micros};
    moved.ladder = &rung;
    moved.n_ladder = 1;
    size_t n_broken = 0;
    (void)taskfit_verify(taskfit_plan_tree(&moved, arena), deployment, count_broken, &n_broken);
    taskfit_arena_free(arena);
    return n_broken == 0;
}

/* The value farthest towards `end` (not included) at which the point's plan still stands; its own at least. */
static taskfit_status reach_of(const taskfit_range_search *search, const taskfit_range_point *point, int64_t end,
                               int64_t *reach_out, taskfit_error *err) {
    int64_t good = point->value;
    int64_t bad = end;
    while (good + 1 < bad || bad + 1 < good) {
        int64_t middle = good + (bad - good) / 2;
        taskfit_deployment *deployment = NULL;
        taskfit_status status = search->make(search->make_arg, middle, &deployment, err);
        if (status != TASKFIT_OK) {
            return status;
        }
        if (taskfit_plan_still_holds(point->plan, deployment)) {
            good = middle;
        } else {
            bad = middle;
        }
        taskfit_deployment_free(deployment);
    }
    *reach_out = good;
    return TASKFIT_OK;
}

/* ---- narrowing ---- */

/* The first neighbours with different counts and values between them; n_points: none. */
static size_t find_gap(const taskfit_range_search *search) {
    for (size_t i = 0; i + 1 < search->n_points; i++) {
        const taskfit_range_point *left = &search->points[i];
        if (count_of(left) != count_of(left + 1) && left->value + 1 < left[1].value) {
            return i;
        }
    }
    return search->n_points;
}

static taskfit_status narrow(taskfit_range_search *search, size_t gap, taskfit_error *err) {
    taskfit_range_point *left = &search->points[gap];
    taskfit_range_point *right = left + 1;
    bool up = count_of(left) < count_of(right);
    taskfit_range_point *fewer = up ? left : right;
    int64_t far_end = up ? right->value : left->value;
    if (!search->result.certain || fewer->extended) {
        return solve(search, left->value + (right->value - left->value) / 2, false, err);
    }
    fewer->extended = true;
    int64_t reach = fewer->value;
    taskfit_status status = reach_of(search, fewer, far_end, &reach, err);
    if (status == TASKFIT_OK) {
        status = solve(search, reach, true, err); /* moves the points */
    }
    int64_t behind = up ? reach + 1 : reach - 1;
    return status != TASKFIT_OK || behind == far_end ? status : solve(search, behind, true, err);
}

/* ---- the verdict ---- */

static bool proved(const taskfit_plan *plan) {
    return plan->outcome == TASKFIT_OPTIMAL || plan->outcome == TASKFIT_INFEASIBLE;
}

static void judge(taskfit_range_search *search) {
    bool rises = false;
    bool falls = false;
    taskfit_range *result = &search->result;
    result->proved = true;
    for (size_t i = 0; i < search->n_points; i++) {
        result->proved = result->proved && proved(search->points[i].plan);
        if (i > 0) {
            rises = rises || count_of(&search->points[i]) > count_of(&search->points[i - 1]);
            falls = falls || count_of(&search->points[i]) < count_of(&search->points[i - 1]);
        }
    }
    result->monotone = !(rises && falls);
    result->certain = result->certain && result->monotone;
    result->trend = rises == falls ? TASKFIT_TREND_UNKNOWN : rises ? TASKFIT_TREND_UP : TASKFIT_TREND_DOWN;
    result->n_solved = search->n_points;
}

/* The cheapest fleet may well have fewer instances when tasks grow: only where count comes first is it monotone. */
static bool count_first(const taskfit_deployment *deployment) {
    return deployment->policy.n_objective == 0 || deployment->policy.objective[0] == TASKFIT_GOAL_COUNT;
}

taskfit_status taskfit_range_run(taskfit_range_search *search, taskfit_error *err) {
    assert(search->low < search->high && search->n_points == 0);
    taskfit_status status = solve(search, search->low, false, err);
    if (status == TASKFIT_OK) {
        status = solve(search, search->high, false, err);
    }
    search->result.certain =
        status == TASKFIT_OK && search->trend != TASKFIT_TREND_UNKNOWN && count_first(search->points[0].deployment);
    for (int64_t sample = 1; sample < SAMPLES && status == TASKFIT_OK && !search->result.certain; sample++) {
        const int64_t width = search->high - search->low;
        status = solve(search, search->low + width / SAMPLES * sample + width % SAMPLES * sample / SAMPLES, false, err);
    }
    while (status == TASKFIT_OK) {
        size_t gap = find_gap(search);
        if (gap == search->n_points) {
            break;
        }
        status = narrow(search, gap, err);
    }
    if (status == TASKFIT_OK) {
        judge(search);
    }
    return status;
}
