#include "solve/moves_room.h"

#include <string.h>

#include "solve/room.h"

/*
 * For what no problem without the rule stands for: losses, or deployments of services that nothing covers. Steps from a
 * placement that keeps the rules to the next: a stranger - a task on an instance where none of its service is missing from before - goes back to an
 * instance that lacks it, or changes places with a stranger there. Each step is judged by the decision's bounds, then by room_check.c.
 */

enum { MAX_CHECKS = 2000, CHECK_WORK = 20000 };

typedef struct improver {
    const taskfit_problem *problem;
    const taskfit_decision *decision; /* services apart: profile p is service of_profile[p] */
    const size_t *of_profile;
    taskfit_budget *budget;
    taskfit_fleet *fleet; /* machines in a fixed order; lists are made anew */
    size_t n_machines;
    int64_t *after;       /* [n_services][n_machines] */
    int64_t *before;      /* the same of the standing instance each machine is */
    int64_t checks_left;
    taskfit_arena *arena;
} improver;

static const size_t *identity(size_t n, taskfit_arena *arena) {
    size_t *list = TASKFIT_ARRAY(arena, n, size_t);
    for (size_t i = 0; i < n; i++) {
        list[i] = i;
    }
    return list;
}

static bool bounds_hold(const improver *im) {
    const taskfit_decision *d = im->decision;
    taskfit_arena *scratch = taskfit_arena_new();
    taskfit_content *contents = TASKFIT_ARRAY(scratch, im->n_machines, taskfit_content);
    int64_t *tasks = TASKFIT_ARRAY(scratch, d->n_profiles, int64_t);
    for (size_t m = 0; m < im->n_machines; m++) {
        for (size_t p = 0; p < d->n_profiles; p++) {
            tasks[p] = im->after[im->of_profile[p] * im->n_machines + m];
        }
        const size_t offer = taskfit_room_offer_of(im->problem, &im->fleet->machines[m]);
        contents[m] = taskfit_content_from_dense(scratch, d->offer_kind[offer], 1, tasks, d->n_profiles);
    }
    const bool valid = taskfit_contents_valid(d, contents, im->n_machines);
    taskfit_arena_free(scratch);
    return valid;
}

static void write_lists(improver *im) {
    for (size_t m = 0; m < im->n_machines; m++) {
        taskfit_machine *machine = &im->fleet->machines[m];
        machine->n_tasks = 0;
        for (size_t s = 0; s < im->problem->n_services; s++) {
            const int64_t count = im->after[s * im->n_machines + m];
            if (count > 0) {
                machine->tasks[machine->n_tasks++] =
                    (taskfit_machine_task){.service = im->problem->services[s].service, .count = count};
            }
        }
    }
}

static bool rules_hold(improver *im) {
    if (!bounds_hold(im)) {
        return false;
    }
    im->checks_left--;
    (void)taskfit_budget_spend(im->budget, CHECK_WORK);
    write_lists(im);
    return taskfit_room_check(im->problem, im->fleet, im->budget) == TASKFIT_VERDICT_FITS;
}

static bool go_on(const improver *im) {
    return im->checks_left > 0 && !im->budget->stopped && im->budget->work_left > 0;
}

static bool stranger(const improver *im, size_t s, size_t m) {
    return im->after[s * im->n_machines + m] > im->before[s * im->n_machines + m];
}

static void shift(improver *im, size_t s, size_t from, size_t to) {
    im->after[s * im->n_machines + from]--;
    im->after[s * im->n_machines + to]++;
}

/* Takes a task of s from one machine home to another, alone or for a stranger there. */
static bool take_home(improver *im, size_t s, size_t from, size_t to) {
    shift(im, s, from, to);
    if (rules_hold(im)) {
        return true;
    }
    for (size_t other = 0; other < im->problem->n_services && go_on(im); other++) {
        if (other != s && stranger(im, other, to)) {
            shift(im, other, to, from);
            if (rules_hold(im)) {
                return true;
            }
            shift(im, other, from, to);
        }
    }
    shift(im, s, to, from);
    return false;
}

static bool improve_once(improver *im) {
    for (size_t s = 0; s < im->problem->n_services; s++) {
        for (size_t from = 0; from < im->n_machines; from++) {
            for (size_t to = 0; to < im->n_machines && stranger(im, s, from) && go_on(im); to++) {
                const size_t at = s * im->n_machines + to;
                if (to != from && im->after[at] < im->before[at] && take_home(im, s, from, to)) {
                    return true;
                }
            }
        }
    }
    return false;
}

static void read_fleets(improver *im, const taskfit_standing *standing, const taskfit_fleet *fleet, taskfit_arena *scratch) {
    int64_t kept = 0;
    const size_t *standing_of = taskfit_moves_match(im->problem, standing, fleet, scratch, &kept);
    size_t *index = TASKFIT_ARRAY(scratch, im->problem->deployment->n_services, size_t);
    for (size_t s = 0; s < im->problem->n_services; s++) {
        index[im->problem->services[s].service] = s;
    }
    for (size_t m = 0; m < im->n_machines; m++) {
        const taskfit_machine *machine = &fleet->machines[m];
        for (size_t t = 0; t < machine->n_tasks; t++) {
            im->after[index[machine->tasks[t].service] * im->n_machines + m] = machine->tasks[t].count;
        }
        const taskfit_standing_instance *at = standing_of[m] == SIZE_MAX ? NULL : &standing->instances[standing_of[m]];
        for (size_t t = 0; at != NULL && t < at->n_tasks; t++) {
            im->before[at->tasks[t].service * im->n_machines + m] = at->tasks[t].count;
        }
        im->fleet->machines[m].tasks = TASKFIT_ARRAY(im->arena, im->problem->n_services, taskfit_machine_task);
    }
}

taskfit_fleet *taskfit_moves_improve(const taskfit_problem *problem, const taskfit_standing *standing, taskfit_fleet *fleet,
                                     taskfit_budget *budget, taskfit_arena *arena) {
    taskfit_arena *scratch = taskfit_arena_new();
    taskfit_problem apart = *problem;
    apart.classes = identity(problem->n_services, scratch);
    int64_t *count = TASKFIT_ARRAY(scratch, problem->n_offers, int64_t);
    for (size_t m = 0; m < fleet->n_machines; m++) {
        count[taskfit_room_offer_of(problem, &fleet->machines[m])]++;
    }
    improver im = {.problem = problem,
                   .decision = taskfit_decision_new(scratch, &apart, count),
                   .budget = budget,
                   .fleet = taskfit_fleet_copy(arena, fleet),
                   .n_machines = fleet->n_machines,
                   .after = TASKFIT_ARRAY(scratch, problem->n_services * fleet->n_machines, int64_t),
                   .before = TASKFIT_ARRAY(scratch, problem->n_services * fleet->n_machines, int64_t),
                   .checks_left = MAX_CHECKS,
                   .arena = arena};
    size_t *of_profile = TASKFIT_ARRAY(scratch, im.decision->n_profiles, size_t);
    for (size_t p = 0; p < im.decision->n_profiles; p++) {
        of_profile[p] = im.decision->profiles[p].services[0];
    }
    im.of_profile = of_profile;
    read_fleets(&im, standing, fleet, scratch);
    while (go_on(&im) && improve_once(&im)) {
    }
    write_lists(&im);
    taskfit_fleet_canonicalize(im.fleet);
    taskfit_arena_free(scratch);
    return im.fleet;
}
