#include "ladder/losses.h"

#include "problem/problem.h"
#include "simulate/events.h"

enum { CELLS_MAX = 10000000 /* tasks times instances: some seconds */ };

bool taskfit_loss_share_of(const taskfit_plan *plan, const taskfit_settings *settings, taskfit_loss_share *share_out) {
    const taskfit_deployment *deployment = plan->deployment;
    const taskfit_survive_policy loss = taskfit_survive_in_force(&deployment->policy, plan->rung);
    int64_t n_tasks = 0;
    for (size_t s = 0; s < deployment->n_services; s++) {
        n_tasks += deployment->services[s].desired_count;
    }
    if (loss == TASKFIT_SURVIVE_NONE || plan->instances < 2 || n_tasks > CELLS_MAX / plan->instances) {
        return false;
    }
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_cluster *cluster = taskfit_cluster_new(arena, deployment, plan->fleet);
    const char *text = loss == TASKFIT_SURVIVE_INSTANCE ? "lose instance" : "lose availabilityZone";
    const taskfit_event *event = NULL;
    taskfit_simulate_options options;
    taskfit_simulate_options_init(&options);
    options.seed = settings->seed;
    options.stop = settings->stop;
    options.stop_arg = settings->stop_arg;
    options.events = &text;
    options.n_events = 1;
    taskfit_cluster_fill(cluster);
    const bool tried = taskfit_events_run(cluster, &options, arena, &event, NULL) == TASKFIT_OK;
    if (tried) {
        *share_out = (taskfit_loss_share){.n_tries = event->n_tries, .n_complete = event->n_tries_survived};
    }
    taskfit_arena_free(arena);
    return tried;
}
