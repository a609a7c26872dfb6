#include "whatif/trial.h"

#include <stdlib.h>

#include "base/clock.h"
#include "problem/plan.h"

/*
 * A total over several groups is asked split by split, nearest first to what the deployment would take by itself; a
 * lower bound above the total saves them all.
 */

enum { SPLITS_MAX = 500 };

taskfit_trial taskfit_trial_start(const taskfit_settings *settings) {
    taskfit_trial trial = {.settings = *settings};
    trial.settings.ladder = false;
    trial.settings.from = NULL;
    trial.settings.moves_front = false;
    trial.deadline_ms = settings->time_limit_ms > 0 ? taskfit_clock_ms() + settings->time_limit_ms : 0;
    return trial;
}

taskfit_settings taskfit_trial_settings(taskfit_trial *trial, bool ladder) {
    taskfit_settings settings = trial->settings;
    settings.ladder = ladder;
    if (trial->deadline_ms > 0) {
        const int64_t left_ms = trial->deadline_ms - taskfit_clock_ms();
        trial->limited = trial->limited || left_ms <= 0;
        settings.time_limit_ms = left_ms > 0 ? left_ms : 1;
    }
    trial->limited = trial->limited || (settings.stop != NULL && settings.stop(settings.stop_arg));
    return settings;
}

/* ---- one question ---- */

static taskfit_status ask_counts(taskfit_trial *trial, const taskfit_deployment *deployment, const int64_t *counts,
                                 taskfit_verdict *verdict_out, taskfit_error *err) {
    const taskfit_settings settings = taskfit_trial_settings(trial, false);
    *verdict_out = TASKFIT_VERDICT_UNKNOWN;
    if (trial->limited) {
        return TASKFIT_OK;
    }
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_plan *plan = NULL;
    const taskfit_status status = taskfit_size(taskfit_variant_of_counts(deployment, counts, arena), &settings, &plan, err);
    if (status == TASKFIT_OK) {
        const taskfit_outcome outcome = taskfit_plan_outcome(plan);
        *verdict_out = outcome == TASKFIT_INFEASIBLE ? TASKFIT_VERDICT_NO
                       : outcome == TASKFIT_UNKNOWN  ? TASKFIT_VERDICT_UNKNOWN
                                                     : TASKFIT_VERDICT_YES;
    }
    taskfit_plan_free(plan);
    taskfit_arena_free(arena);
    return status;
}

typedef struct split {
    const int64_t *counts;
    int64_t distance; /* from the deployment's own plan */
    size_t index;
} split;

typedef struct split_list {
    taskfit_arena *arena;
    const taskfit_deployment *deployment;
    const int64_t *wanted; /* [n_groups] */
    split *items;
    size_t n, capacity;
    bool complete;
} split_list;

static int nearer(const void *left, const void *right) {
    const split *a = left;
    const split *b = right;
    if (a->distance != b->distance) {
        return a->distance < b->distance ? -1 : 1;
    }
    return (a->index > b->index) - (a->index < b->index);
}

static void add_split(split_list *list, const int64_t *counts) {
    const size_t n_groups = list->deployment->n_groups;
    int64_t *copy = TASKFIT_ARRAY(list->arena, n_groups, int64_t);
    int64_t distance = 0;
    for (size_t g = 0; g < n_groups; g++) {
        copy[g] = counts[g];
        distance += counts[g] > list->wanted[g] ? counts[g] - list->wanted[g] : list->wanted[g] - counts[g];
    }
    TASKFIT_GROW(list->arena, list->items, list->n, list->capacity);
    list->items[list->n] = (split){.counts = copy, .distance = distance, .index = list->n};
    list->n++;
}

/* All ways to give `left` instances to the groups from `group` on, each within its min and max. */
static void list_splits(split_list *list, size_t group, int64_t left, int64_t *counts) {
    const taskfit_instance_group *of = &list->deployment->groups[group];
    if (list->n == SPLITS_MAX) {
        list->complete = false;
        return;
    }
    if (group + 1 == list->deployment->n_groups) {
        counts[group] = left;
        if (left >= of->min_instances && left <= of->max_instances) {
            add_split(list, counts);
        }
        return;
    }
    for (int64_t n = of->min_instances; n <= left && n <= of->max_instances; n++) {
        counts[group] = n;
        list_splits(list, group + 1, left - n, counts);
    }
}

/* The counts of the deployment's own plan; false when its bound alone says that the total is too small. */
static taskfit_status own_counts(taskfit_trial *trial, const taskfit_deployment *deployment, int64_t *counts, bool *possible_out,
                                 taskfit_error *err) {
    const taskfit_settings settings = taskfit_trial_settings(trial, false);
    taskfit_plan *plan = NULL;
    *possible_out = true;
    if (trial->limited) {
        return TASKFIT_OK;
    }
    const taskfit_status status = taskfit_size(deployment, &settings, &plan, err);
    if (status == TASKFIT_OK) {
        *possible_out = plan->outcome != TASKFIT_INFEASIBLE && plan->lower_bound <= trial->total;
        for (size_t m = 0; m < plan->fleet->n_machines; m++) {
            counts[plan->fleet->machines[m].group]++;
        }
    }
    taskfit_plan_free(plan);
    return status;
}

static taskfit_status ask_total(taskfit_trial *trial, const taskfit_deployment *deployment, int64_t *counts_out,
                                taskfit_verdict *verdict_out, taskfit_arena *arena, taskfit_error *err) {
    int64_t *wanted = TASKFIT_ARRAY(arena, deployment->n_groups, int64_t);
    int64_t *counts = TASKFIT_ARRAY(arena, deployment->n_groups, int64_t);
    split_list list = {.arena = arena, .deployment = deployment, .wanted = wanted, .complete = true};
    bool possible = true;
    taskfit_status status = own_counts(trial, deployment, wanted, &possible, err);
    if (status != TASKFIT_OK || !possible) {
        *verdict_out = TASKFIT_VERDICT_NO;
        return status;
    }
    list_splits(&list, 0, trial->total, counts);
    if (list.n > 0) {
        qsort(list.items, list.n, sizeof *list.items, nearer);
    }
    bool proved = list.complete;
    taskfit_verdict verdict = TASKFIT_VERDICT_NO;
    for (size_t i = 0; i < list.n && status == TASKFIT_OK && verdict != TASKFIT_VERDICT_YES; i++) {
        status = ask_counts(trial, deployment, list.items[i].counts, &verdict, err);
        proved = proved && verdict != TASKFIT_VERDICT_UNKNOWN;
        for (size_t g = 0; verdict == TASKFIT_VERDICT_YES && counts_out != NULL && g < deployment->n_groups; g++) {
            counts_out[g] = list.items[i].counts[g];
        }
    }
    *verdict_out = verdict == TASKFIT_VERDICT_YES ? verdict : proved ? TASKFIT_VERDICT_NO : TASKFIT_VERDICT_UNKNOWN;
    return status;
}

taskfit_status taskfit_trial_ask(taskfit_trial *trial, const taskfit_deployment *deployment, int64_t *counts_out,
                                 taskfit_verdict *verdict_out, taskfit_error *err) {
    if (trial->per_group) {
        for (size_t g = 0; counts_out != NULL && g < deployment->n_groups; g++) {
            counts_out[g] = trial->counts[g];
        }
        return ask_counts(trial, deployment, trial->counts, verdict_out, err);
    }
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_status status = ask_total(trial, deployment, counts_out, verdict_out, arena, err);
    taskfit_arena_free(arena);
    return status;
}

/* ---- levers ---- */

static taskfit_status ask_scaled(taskfit_trial *trial, const taskfit_deployment *deployment, taskfit_lever lever, int64_t permille,
                                 taskfit_verdict *verdict_out, taskfit_error *err) {
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_status status =
        taskfit_trial_ask(trial, taskfit_variant_scaled(deployment, lever, permille, arena), NULL, verdict_out, err);
    taskfit_arena_free(arena);
    return status;
}

taskfit_status taskfit_trial_scale(taskfit_trial *trial, const taskfit_deployment *deployment, taskfit_scaling *scaling,
                                   taskfit_error *err) {
    int64_t fits = scaling->low_permille;
    int64_t fails = scaling->high_permille + 1;
    bool proved = false;
    taskfit_verdict verdict = TASKFIT_VERDICT_UNKNOWN;
    taskfit_status status = ask_scaled(trial, deployment, scaling->lever, fits, &verdict, err);
    scaling->fits_permille = scaling->fails_permille = 0;
    if (status != TASKFIT_OK || verdict != TASKFIT_VERDICT_YES) {
        return status;
    }
    while (fails - fits > 1 && status == TASKFIT_OK) {
        const int64_t middle = fits + (fails - fits) / 2;
        status = ask_scaled(trial, deployment, scaling->lever, middle, &verdict, err);
        if (verdict == TASKFIT_VERDICT_YES) {
            fits = middle;
        } else {
            fails = middle;
            proved = verdict == TASKFIT_VERDICT_NO;
        }
    }
    scaling->fits_permille = fits;
    scaling->fails_permille = proved ? fails : 0;
    return status;
}
