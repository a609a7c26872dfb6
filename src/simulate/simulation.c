#include "simulate/simulation.h"

#include "base/error.h"
#include "problem/find.h"
#include "simulate/resize.h"

void taskfit_simulate_options_init(taskfit_simulate_options *options) {
    *options = (taskfit_simulate_options){.n_orders = 1000, .seed = 1};
}

void taskfit_simulation_free(taskfit_simulation *simulation) {
    if (simulation != NULL) {
        taskfit_arena_free(simulation->arena);
    }
}

int64_t taskfit_simulation_orders(const taskfit_simulation *simulation) {
    return simulation->orders.n_orders;
}

int64_t taskfit_simulation_placed_all(const taskfit_simulation *simulation) {
    return simulation->orders.n_placed_all;
}

/* The services that start before the others, as indexes. */
static taskfit_status read_order_list(const taskfit_simulation *sim, size_t **first_out, taskfit_error *err) {
    const taskfit_deployment *deployment = sim->plan->deployment;
    const taskfit_simulate_options *options = &sim->options;
    taskfit_status status = TASKFIT_OK;
    size_t *first = TASKFIT_ARRAY(sim->arena, options->n_order_list, size_t);
    bool *named = TASKFIT_ARRAY(sim->arena, deployment->n_services, bool);
    for (size_t i = 0; i < options->n_order_list && status == TASKFIT_OK; i++) {
        status = taskfit_service_find(deployment, options->order_list[i], &first[i], err);
        if (status == TASKFIT_OK && named[first[i]]) {
            status = taskfit_fail(err, TASKFIT_E_ARGUMENT, "the order names '%s' twice", options->order_list[i]);
        }
        if (status == TASKFIT_OK) {
            named[first[i]] = true;
        }
    }
    *first_out = first;
    return status;
}

/* A plan may come from anybody's hand. */
static taskfit_status check_plan(const taskfit_plan *plan, taskfit_error *err) {
    size_t n_broken = 0;
    const taskfit_status status = taskfit_plan_verify(plan, NULL, NULL, NULL, &n_broken, err);
    if (status == TASKFIT_OK && n_broken > 0) {
        return taskfit_fail(err, TASKFIT_E_INPUT, "the plan breaks %zu of its own rules ('taskfit verify' names them)", n_broken);
    }
    return status;
}

static taskfit_status choose_fleet(taskfit_simulation *sim, taskfit_error *err) {
    const taskfit_plan *plan = sim->plan;
    sim->fleet = plan->fleet;
    if (sim->options.instances != NULL) {
        taskfit_counts counts;
        const taskfit_status status = taskfit_counts_parse(plan->deployment, sim->options.instances, sim->arena, &counts, err);
        if (status != TASKFIT_OK) {
            return status;
        }
        if (counts.total >= 0 && plan->deployment->n_groups > 1) {
            return taskfit_fail(err, TASKFIT_E_ARGUMENT, "instances '%s' do not say of which group (GROUP=N)", sim->options.instances);
        }
        sim->fleet = taskfit_fleet_resize(plan->deployment, plan->fleet, &counts, sim->arena);
    } else if (plan->instances < 0) {
        return taskfit_fail(err, TASKFIT_E_INPUT, "the plan has no instances to simulate (--instances tries a number)");
    }
    sim->ids = taskfit_fleet_ids(plan->deployment, sim->fleet, sim->arena);
    return taskfit_cluster_check(plan->deployment, sim->fleet, err);
}

/* From the plan's placement, or from the first launch where there is none. */
static taskfit_status run_events(taskfit_simulation *sim, const size_t *first, taskfit_error *err) {
    if (sim->options.instances == NULL) {
        taskfit_cluster_fill(sim->cluster);
    } else {
        taskfit_simulate_options one = sim->options;
        one.n_orders = 1;
        (void)taskfit_orders_run(sim->cluster, &one, first, one.n_order_list, sim->arena);
    }
    return taskfit_events_run(sim->cluster, &sim->options, sim->arena, &sim->events, err);
}

taskfit_status taskfit_simulate(const taskfit_plan *plan, const taskfit_simulate_options *options, taskfit_simulation **simulation_out,
                                taskfit_error *err) {
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_simulation *sim = TASKFIT_NEW(arena, taskfit_simulation);
    *sim = (taskfit_simulation){.arena = arena, .plan = plan, .options = *options};
    size_t *first = NULL;
    taskfit_status status = options->n_orders > 0 ? TASKFIT_OK : taskfit_fail(err, TASKFIT_E_ARGUMENT, "at least one order is needed");
    if (status == TASKFIT_OK) {
        status = check_plan(plan, err);
    }
    if (status == TASKFIT_OK) {
        status = choose_fleet(sim, err);
    }
    if (status == TASKFIT_OK) {
        status = read_order_list(sim, &first, err);
    }
    if (status != TASKFIT_OK) {
        taskfit_arena_free(arena);
        return status;
    }
    sim->cluster = taskfit_cluster_new(arena, plan->deployment, sim->fleet);
    if (options->n_events == 0) {
        sim->orders = taskfit_orders_run(sim->cluster, options, first, options->n_order_list, arena);
    } else {
        status = run_events(sim, first, err);
    }
    if (status != TASKFIT_OK) {
        taskfit_arena_free(arena);
        return status;
    }
    sim->options.instances = NULL; /* the caller's own */
    sim->options.order_list = NULL;
    sim->options.events = NULL;
    *simulation_out = sim;
    return TASKFIT_OK;
}
