/*
 * Moves against instances: each row is the policy's goals with the number of instances fixed. With one group that is its
 * min and max; over several groups only moves_solve knows a total, so there moves come before cost.
 */

#include <assert.h>

#include "base/clock.h"
#include "ladder/moves.h"

typedef struct front {
    taskfit_plan *plan;
    const taskfit_problem *problem;
    const taskfit_given *given;
    const taskfit_settings *settings;
    int64_t deadline_ms; /* 0: none */
    int64_t last;        /* most instances */
} front;

enum { FRONT_WORK = 500000000 /* of a row, unless the settings say otherwise */ };

static taskfit_plan_front_row row_of(int64_t n_instances, const taskfit_given *given, const taskfit_rearranged *found, int64_t cost_usd_micros) {
    return (taskfit_plan_front_row){.instances = n_instances,
                                    .tasks = given->of - found->kept,
                                    .bound = found->kept_bound < 0 ? -1 : given->of - found->kept_bound,
                                    .proof = found->proof,
                                    .cost_usd_micros = cost_usd_micros};
}

static taskfit_settings row_settings(const front *f, int64_t n_instances) {
    taskfit_settings settings = *f->settings;
    if (f->deadline_ms > 0) {
        const int64_t left_ms = f->deadline_ms - taskfit_clock_ms();
        settings.time_limit_ms = left_ms > 0 ? left_ms / (f->last - n_instances + 1) + 1 : 1;
    }
    return settings;
}

static taskfit_budget row_budget(const taskfit_settings *settings) {
    return (taskfit_budget){.work_left = settings->work_limit > 0 ? settings->work_limit : FRONT_WORK,
                            .deadline_ms = settings->time_limit_ms > 0 ? taskfit_clock_ms() + settings->time_limit_ms : 0,
                            .stop = settings->stop,
                            .stop_arg = settings->stop_arg};
}

/* The one group held to so many instances. */
static taskfit_status row_of_group(const front *f, int64_t n_instances, taskfit_arena *arena, taskfit_plan_front_row *row, taskfit_error *err) {
    taskfit_deployment held = *f->plan->deployment;
    taskfit_instance_group group = held.groups[0];
    group.min_instances = group.max_instances = n_instances;
    held.groups = &group;
    const taskfit_settings settings = row_settings(f, n_instances);
    taskfit_problem *problem = taskfit_problem_new(&held, f->plan->rung);
    taskfit_budget budget = row_budget(&settings);
    taskfit_solve_result answer;
    const taskfit_status status = taskfit_solve(problem, &settings, n_instances, NULL, arena, &answer, err);
    if (status == TASKFIT_OK && answer.fleet != NULL) {
        const taskfit_rearranged found = taskfit_rearrange(problem, f->given, &budget, &answer, arena);
        *row = row_of(n_instances, f->given, &found, answer.cost_usd_micros);
    } else if (status == TASKFIT_OK && answer.outcome == TASKFIT_INFEASIBLE) {
        row->proof = TASKFIT_PROOF_INFEASIBLE;
    }
    taskfit_problem_free(problem);
    return status;
}

static void row_of_total(const front *f, int64_t n_instances, taskfit_arena *arena, taskfit_plan_front_row *row) {
    const taskfit_settings settings = row_settings(f, n_instances);
    taskfit_budget budget = row_budget(&settings);
    const taskfit_moves_query query = {.problem = f->problem,
                                       .standing = &f->given->standing,
                                       .n_instances = n_instances,
                                       .max_cost_usd_micros = -1};
    const taskfit_moves_answer answer = taskfit_moves_solve(&query, &budget, arena);
    if (answer.fleet != NULL) {
        const int64_t bound = answer.kept_bound < f->given->of ? answer.kept_bound : f->given->of;
        const taskfit_rearranged found = {.kept = answer.kept, .kept_bound = bound, .proof = answer.proof};
        int64_t usd_micros = 0;
        for (size_t m = 0; m < answer.fleet->n_machines; m++) {
            const taskfit_machine *machine = &answer.fleet->machines[m];
            usd_micros += f->plan->deployment->groups[machine->group].types[machine->type].price_usd_micros;
        }
        *row = row_of(n_instances, f->given, &found, usd_micros);
    }
}

taskfit_status taskfit_plan_fill_front(taskfit_plan *plan, const taskfit_problem *problem, const taskfit_given *given,
                                       const taskfit_rearranged *rearranged, const taskfit_settings *settings, taskfit_error *err) {
    front f = {.plan = plan, .problem = problem, .given = given, .settings = settings};
    int64_t most = 0;
    for (size_t g = 0; g < problem->n_groups; g++) {
        most += problem->groups[g].max_instances;
    }
    const int64_t n_given = (int64_t)given->plan->fleet->n_machines;
    f.last = n_given < most ? n_given : most;
    f.last = f.last > plan->instances ? f.last : plan->instances;
    f.deadline_ms = settings->time_limit_ms > 0 ? taskfit_clock_ms() + settings->time_limit_ms : 0;
    taskfit_plan_front_row *rows = TASKFIT_ARRAY(plan->arena, (size_t)(f.last - plan->instances + 1), taskfit_plan_front_row);
    rows[0] = row_of(plan->instances, given, rearranged, plan->cost_usd_micros);
    taskfit_status status = TASKFIT_OK;
    for (int64_t n = plan->instances + 1; n <= f.last && status == TASKFIT_OK; n++) {
        taskfit_arena *arena = taskfit_arena_new();
        taskfit_plan_front_row *row = &rows[n - plan->instances];
        *row = (taskfit_plan_front_row){.instances = n, .tasks = -1, .bound = -1, .proof = TASKFIT_PROOF_NONE, .cost_usd_micros = -1};
        if (problem->n_groups == 1) {
            status = row_of_group(&f, n, arena, row, err);
        } else {
            row_of_total(&f, n, arena, row);
        }
        taskfit_arena_free(arena);
    }
    plan->front = rows;
    plan->n_front = (size_t)(f.last - plan->instances + 1);
    return status;
}
