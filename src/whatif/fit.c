#include <inttypes.h>

#include "base/error.h"
#include "ladder/warnings.h"
#include "problem/counts.h"
#include "taskfit/simulate.h"
#include "whatif/fitting.h"

enum {
    ORDERS = 1000,
    WHOLE = 1000,            /* permille */
    LAUNCH_STEPS = 400000000 /* tasks x instances looked at: some seconds */
};

void taskfit_fitting_free(taskfit_fitting *fitting) {
    if (fitting != NULL) {
        taskfit_plan_free(fitting->plan);
        taskfit_plan_free(fitting->needed);
        taskfit_arena_free(fitting->arena);
    }
}

taskfit_verdict taskfit_fitting_verdict(const taskfit_fitting *fitting) {
    return fitting->verdict;
}

bool taskfit_fitting_ecs_agrees(const taskfit_fitting *fitting) {
    return fitting->verdict == TASKFIT_VERDICT_YES && fitting->n_placed_all == fitting->n_orders;
}

static taskfit_status read_counts(taskfit_fitting *fitting, taskfit_trial *trial, taskfit_error *err) {
    taskfit_counts counts;
    const taskfit_deployment *deployment = fitting->deployment;
    const taskfit_status status = taskfit_counts_parse(deployment, fitting->instances, fitting->arena, &counts, err);
    if (status != TASKFIT_OK) {
        return status;
    }
    trial->per_group = counts.total < 0 || deployment->n_groups == 1;
    trial->total = counts.total;
    trial->counts = TASKFIT_ARRAY(fitting->arena, deployment->n_groups, int64_t);
    for (size_t g = 0; g < deployment->n_groups; g++) {
        trial->counts[g] = counts.total >= 0 ? counts.total : counts.groups[g] >= 0 ? counts.groups[g] : 0;
    }
    return TASKFIT_OK;
}

/* ---- yes ---- */

static void warn_of_ecs(const taskfit_fitting *fitting) {
    taskfit_plan_warn_more(fitting->plan, "ECS005",
                           taskfit_arena_printf(fitting->plan->arena,
                                                "in %" PRId64 " of %" PRId64 " launch orders Amazon ECS's own placement leaves tasks out on these "
                                                "instances, though a placement exists ('taskfit simulate' shows the worst)",
                                                fitting->n_orders - fitting->n_placed_all, fitting->n_orders));
}

/* A launch looks at every instance for every task: on large fleets fewer of them. */
static int64_t orders_for(const taskfit_plan *plan) {
    int64_t n_tasks = 1;
    for (size_t s = 0; s < plan->deployment->n_services; s++) {
        n_tasks += plan->deployment->services[s].desired_count;
    }
    const int64_t orders = LAUNCH_STEPS / n_tasks / (plan->instances > 0 ? plan->instances : 1);
    return orders < 1 ? 1 : orders < ORDERS ? orders : ORDERS;
}

static taskfit_status ask_ecs(taskfit_fitting *fitting, const taskfit_trial *trial, taskfit_error *err) {
    taskfit_simulate_options options;
    taskfit_simulate_options_init(&options);
    options.n_orders = orders_for(fitting->plan);
    options.seed = trial->settings.seed;
    options.stop = trial->settings.stop;
    options.stop_arg = trial->settings.stop_arg;
    taskfit_simulation *simulation = NULL;
    const taskfit_status status = taskfit_simulate(fitting->plan, &options, &simulation, err);
    if (status == TASKFIT_OK) {
        fitting->n_orders = taskfit_simulation_orders(simulation);
        fitting->n_placed_all = taskfit_simulation_placed_all(simulation);
        if (fitting->n_placed_all < fitting->n_orders) {
            warn_of_ecs(fitting);
        }
    }
    taskfit_simulation_free(simulation);
    return status;
}

/* ---- no ---- */

static void tell_reason(taskfit_fitting *fitting) {
    const taskfit_plan *plan = fitting->plan;
    const taskfit_plan *needed = fitting->needed;
    if (plan != NULL && plan->outcome == TASKFIT_INFEASIBLE && plan->reason.message != NULL) {
        fitting->reason = plan->reason.message;
    } else if (needed != NULL && needed->outcome == TASKFIT_INFEASIBLE) {
        fitting->reason = needed->reason.message;
    } else if (needed != NULL && needed->binding_note != NULL) {
        fitting->reason = needed->binding_note;
    } else {
        fitting->reason = "no plan was found within the limits, and no proof that there is none";
    }
}

static taskfit_status look_for_cause(taskfit_fitting *fitting, taskfit_trial *trial, taskfit_error *err) {
    const taskfit_settings settings = taskfit_trial_settings(trial, false);
    taskfit_status status = taskfit_size(fitting->deployment, &settings, &fitting->needed, err);
    if (status == TASKFIT_OK) {
        tell_reason(fitting);
    }
    if (status == TASKFIT_OK && fitting->verdict == TASKFIT_VERDICT_NO) {
        status = taskfit_clash_find(fitting, trial, err);
        for (int lever = TASKFIT_LEVER_TASKS; lever <= TASKFIT_LEVER_CPU && status == TASKFIT_OK; lever++) {
            taskfit_scaling *scaling = &fitting->scalings[lever];
            *scaling = (taskfit_scaling){.lever = (taskfit_lever)lever, .low_permille = 1, .high_permille = WHOLE - 1};
            if (lever != TASKFIT_LEVER_TASKS) { /* rounded up, a task never goes: the clash says what does */
                status = taskfit_trial_scale(trial, fitting->deployment, scaling, err);
            }
        }
    }
    return status;
}

typedef struct fit_question {
    const taskfit_deployment *deployment;
    const taskfit_settings *settings;
} fit_question;

/* The plan on the counts that fit, or with one group the reason why they do not. `asked` is what fit was asked about. */
static taskfit_status size_held(taskfit_fitting *fitting, taskfit_trial *trial, const fit_question *asked, const int64_t *counts,
                                taskfit_error *err) {
    const bool fits = fitting->verdict == TASKFIT_VERDICT_YES;
    taskfit_settings settings = taskfit_trial_settings(trial, fits && asked->settings->ladder);
    settings.from = fits ? asked->settings->from : NULL;
    fitting->held = taskfit_variant_of_counts(fits ? asked->deployment : fitting->deployment, counts, fitting->arena);
    return taskfit_size(fitting->held, &settings, &fitting->plan, err);
}

taskfit_status taskfit_fit(const taskfit_deployment *deployment, const char *instances, const taskfit_settings *settings,
                           taskfit_fitting **fitting_out, taskfit_error *err) {
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_fitting *fitting = TASKFIT_NEW(arena, taskfit_fitting);
    *fitting = (taskfit_fitting){.arena = arena, .deployment = taskfit_variant_unmoved(deployment, arena), .instances = taskfit_arena_strdup(arena, instances)};
    taskfit_trial trial = taskfit_trial_start(settings);
    int64_t *counts = TASKFIT_ARRAY(arena, deployment->n_groups, int64_t);
    taskfit_status status = read_counts(fitting, &trial, err);
    if (status == TASKFIT_OK) {
        status = taskfit_trial_ask(&trial, fitting->deployment, counts, &fitting->verdict, err);
    }
    if (status == TASKFIT_OK && (fitting->verdict == TASKFIT_VERDICT_YES || trial.per_group)) {
        const fit_question asked = {deployment, settings};
        status = size_held(fitting, &trial, &asked, counts, err);
    }
    if (status == TASKFIT_OK && fitting->verdict == TASKFIT_VERDICT_YES) {
        status = ask_ecs(fitting, &trial, err);
    } else if (status == TASKFIT_OK) {
        status = look_for_cause(fitting, &trial, err);
    }
    if (status != TASKFIT_OK) {
        taskfit_fitting_free(fitting);
        return status;
    }
    *fitting_out = fitting;
    return TASKFIT_OK;
}
