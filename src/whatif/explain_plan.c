#include <string.h>

#include "base/error.h"
#include "problem/find.h"
#include "simulate/place.h"
#include "whatif/explanation.h"

enum { WHOLE = 1000, GROWTH_MAX = 10 * WHOLE /* permille */, ORDERS = 1000 };

void taskfit_explanation_free(taskfit_explanation *explanation) {
    if (explanation != NULL) {
        taskfit_arena_free(explanation->arena);
    }
}

static taskfit_status check_plan(const taskfit_plan *plan, taskfit_error *err) {
    if (plan->instances < 0) {
        return taskfit_fail(err, TASKFIT_E_INPUT, "the plan has no instances to explain");
    }
    size_t n_broken = 0;
    const taskfit_status status = taskfit_plan_verify(plan, NULL, NULL, NULL, &n_broken, err);
    if (status == TASKFIT_OK && n_broken > 0) {
        return taskfit_fail(err, TASKFIT_E_INPUT, "the plan breaks %zu of its own rules ('taskfit verify' names them)", n_broken);
    }
    return status;
}

/* Services and instances have names of their own; where one is both, the service is meant. */
static taskfit_status find_subject(taskfit_explanation *e, const char *name, taskfit_error *err) {
    const taskfit_deployment *deployment = e->plan->deployment;
    const size_t n_machines = e->plan->fleet->n_machines;
    const char **names = TASKFIT_ARRAY(e->arena, deployment->n_services + n_machines, const char *);
    for (size_t s = 0; s < deployment->n_services; s++) {
        names[s] = deployment->services[s].name;
    }
    for (size_t m = 0; m < n_machines; m++) {
        names[deployment->n_services + m] = e->ids[m];
    }
    size_t index = 0;
    const taskfit_status status = taskfit_name_find("service or instance", name, names, deployment->n_services + n_machines, &index, err);
    if (status == TASKFIT_OK) {
        e->subject = index < deployment->n_services ? TASKFIT_SUBJECT_SERVICE : TASKFIT_SUBJECT_INSTANCE;
        e->index = index < deployment->n_services ? index : index - deployment->n_services;
    }
    return status;
}

/* ---- the plan ---- */

/* A rung that costs no more than the one below is bound by nothing of its own. */
static taskfit_status ask_rung(taskfit_explanation *e, taskfit_trial *trial, size_t row, taskfit_rung_cause *cause, taskfit_error *err) {
    const taskfit_plan_rung *rung = &e->plan->ladder[row];
    for (size_t below = row; below-- > 0;) {
        if (e->plan->ladder[below].instances >= 0) {
            if (e->plan->ladder[below].instances == rung->instances) {
                return TASKFIT_OK;
            }
            break;
        }
    }
    if (rung->reason != NULL) {
        *cause = (taskfit_rung_cause){.resource = rung->reason->resource, .note = rung->reason->message};
        return TASKFIT_OK;
    }
    const taskfit_settings settings = taskfit_trial_settings(trial, true);
    if (rung->rung == e->plan->rung && e->plan->binding_resource != NULL) {
        *cause = (taskfit_rung_cause){.resource = e->plan->binding_resource, .note = e->plan->binding_note};
        return TASKFIT_OK;
    }
    if (trial->limited) {
        return TASKFIT_OK;
    }
    taskfit_plan *plan = NULL;
    const taskfit_deployment *variant =
        taskfit_variant_of_rung(taskfit_variant_unmoved(e->plan->deployment, e->arena), rung->rung, e->arena);
    const taskfit_status status = taskfit_size(variant, &settings, &plan, err);
    if (status == TASKFIT_OK && plan->binding_resource != NULL) {
        cause->resource = plan->binding_resource;
        cause->note = plan->binding_note != NULL ? taskfit_arena_strdup(e->arena, plan->binding_note) : NULL;
    }
    taskfit_plan_free(plan);
    return status;
}

static taskfit_status explain_fleet(taskfit_explanation *e, const taskfit_settings *settings, taskfit_error *err) {
    taskfit_trial trial = taskfit_trial_start(settings);
    taskfit_rung_cause *causes = TASKFIT_ARRAY(e->arena, e->plan->n_ladder, taskfit_rung_cause);
    taskfit_status status = TASKFIT_OK;
    trial.per_group = true;
    trial.counts = TASKFIT_ARRAY(e->arena, e->plan->deployment->n_groups, int64_t);
    for (size_t m = 0; m < e->plan->fleet->n_machines; m++) {
        trial.counts[e->plan->fleet->machines[m].group]++;
    }
    for (size_t row = 0; row < e->plan->n_ladder && status == TASKFIT_OK; row++) {
        status = ask_rung(e, &trial, row, &causes[row], err);
    }
    e->causes = causes;
    static const taskfit_lever levers[] = {TASKFIT_LEVER_TASKS, TASKFIT_LEVER_MEMORY};
    for (size_t i = 0; i < 2 && status == TASKFIT_OK; i++) {
        e->growth[i] = (taskfit_scaling){.lever = levers[i], .low_permille = WHOLE, .high_permille = GROWTH_MAX};
        status = taskfit_trial_scale(&trial, taskfit_variant_unmoved(e->plan->deployment, e->arena), &e->growth[i], err);
    }
    return status;
}

/* ---- a service, an instance ---- */

/* More tasks of the service that fit on the machine; takes them away again. */
static int64_t count_more(taskfit_cluster *cluster, size_t service, size_t machine) {
    int64_t n = 0;
    while (taskfit_cluster_obstacle(cluster, service, machine) == TASKFIT_OBSTACLE_NONE && n < INT32_MAX / 2) {
        taskfit_cluster_add(cluster, service, machine);
        n++;
    }
    for (int64_t i = 0; i < n; i++) {
        taskfit_cluster_remove(cluster, service, machine);
    }
    return n;
}

static void explain_service(taskfit_explanation *e) {
    const size_t n_machines = e->plan->fleet->n_machines;
    taskfit_obstacle *obstacles = TASKFIT_ARRAY(e->arena, n_machines, taskfit_obstacle);
    int64_t *more = TASKFIT_ARRAY(e->arena, n_machines, int64_t);
    for (size_t m = 0; m < n_machines; m++) {
        obstacles[m] = taskfit_cluster_obstacle(e->cluster, e->index, m);
        if (!taskfit_cluster_permitted(e->cluster, e->index, m)) {
            obstacles[m] = TASKFIT_OBSTACLE_PERMISSION;
        }
        more[m] = count_more(e->cluster, e->index, m);
        e->n_more += more[m]; /* alone on each machine, so together as well */
    }
    e->obstacles = obstacles;
    e->more_on = more;
}

static taskfit_status explain_instance(taskfit_explanation *e, const taskfit_settings *settings, taskfit_error *err) {
    int64_t *more = TASKFIT_ARRAY(e->arena, e->plan->deployment->n_services, int64_t);
    for (size_t s = 0; s < e->plan->deployment->n_services; s++) {
        more[s] = count_more(e->cluster, s, e->index);
    }
    e->more_of = more;
    size_t *largest_first = TASKFIT_ARRAY(e->arena, e->plan->deployment->n_services, size_t);
    taskfit_launch_order(taskfit_launcher_new(e->arena, e->cluster), TASKFIT_ORDER_LARGEST_FIRST, NULL, largest_first);
    e->largest_first = largest_first;
    taskfit_simulate_options options;
    taskfit_simulate_options_init(&options);
    const char *text = taskfit_arena_printf(e->arena, "lose %s", e->ids[e->index]);
    options.n_orders = ORDERS;
    options.seed = settings->seed;
    options.stop = settings->stop;
    options.stop_arg = settings->stop_arg;
    options.events = &text;
    options.n_events = 1;
    return taskfit_events_run(e->cluster, &options, e->arena, &e->loss, err);
}

taskfit_status taskfit_explain(const taskfit_plan *plan, const char *subject, const taskfit_settings *settings,
                               taskfit_explanation **explanation_out, taskfit_error *err) {
    taskfit_status status = check_plan(plan, err);
    if (status != TASKFIT_OK) {
        return status;
    }
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_explanation *e = TASKFIT_NEW(arena, taskfit_explanation);
    *e = (taskfit_explanation){.arena = arena, .plan = plan};
    e->ids = taskfit_fleet_ids(plan->deployment, plan->fleet, arena);
    e->use = taskfit_fleet_use(plan->deployment, plan->fleet, arena);
    if (subject != NULL) {
        status = find_subject(e, subject, err);
    }
    if (status == TASKFIT_OK && e->subject != TASKFIT_SUBJECT_PLAN) {
        status = taskfit_cluster_check(plan->deployment, plan->fleet, err);
    }
    if (status == TASKFIT_OK && e->subject != TASKFIT_SUBJECT_PLAN) {
        e->cluster = taskfit_cluster_new(arena, plan->deployment, plan->fleet);
        taskfit_cluster_fill(e->cluster);
    }
    if (status == TASKFIT_OK) {
        switch (e->subject) {
        case TASKFIT_SUBJECT_PLAN: status = explain_fleet(e, settings, err); break;
        case TASKFIT_SUBJECT_SERVICE: explain_service(e); break;
        case TASKFIT_SUBJECT_INSTANCE: status = explain_instance(e, settings, err); break;
        }
    }
    if (status != TASKFIT_OK) {
        taskfit_explanation_free(e);
        return status;
    }
    *explanation_out = e;
    return TASKFIT_OK;
}
