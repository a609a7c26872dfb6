#include "simulate/events.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/units.h"
#include "problem/find.h"
#include "problem/plan.h"
#include "simulate/event_state.h"
#include "simulate/resize.h"

enum { TASKS_MAX = 2000000, INSTANCES_MAX = 50000 };

/* ---- placing what is missing ---- */

size_t taskfit_event_settle(taskfit_event_state *state, const size_t *order, taskfit_rand *dice, taskfit_standing *placed_out) {
    size_t n = 0;
    for (size_t i = 0; i < state->deployment->n_services; i++) {
        const size_t service = order[i];
        for (int64_t left = state->desired[service] - taskfit_cluster_running(state->cluster, service); left > 0; left--) {
            const size_t machine = taskfit_place_next(state->cluster, service, state->options->ties, dice, state->scratch);
            if (machine == TASKFIT_NO_MACHINE) {
                break;
            }
            taskfit_cluster_add(state->cluster, service, machine);
            if (placed_out != NULL) {
                placed_out[n] = (taskfit_standing){.service = service, .machine = machine};
            }
            n++;
        }
    }
    return n;
}

int64_t taskfit_event_missing(const taskfit_event_state *state) {
    int64_t missing = 0;
    for (size_t s = 0; s < state->deployment->n_services; s++) {
        const int64_t left = state->desired[s] - taskfit_cluster_running(state->cluster, s);
        missing += left > 0 ? left : 0;
    }
    return missing;
}

static void draw_order(taskfit_event_state *state) {
    taskfit_rand dice = taskfit_order_dice(state->options->seed);
    taskfit_launch_order(state->launcher, state->options->order, &dice, state->order);
}

/* ---- deployments and draining ---- */

/* Why a renewal is stuck. */
static const char *stuck_text(const taskfit_event_state *state, const taskfit_renewal *renewal) {
    const char *arithmetic = taskfit_renewal_arithmetic(state->cluster, renewal, state->arena);
    const char *misfit = NULL;
    switch (renewal->stuck) {
    case TASKFIT_STUCK_NOT: return NULL;
    case TASKFIT_STUCK_PERCENT:
        return taskfit_arena_printf(state->arena, "%s, so that none can start or stop", arithmetic);
    case TASKFIT_STUCK_ROOM: break;
    }
    misfit = taskfit_misfit_text(state->cluster, &renewal->misfit, state->ids, state->arena);
    if (renewal->full_set) {
        return taskfit_arena_printf(state->arena, "all %" PRId64 " new tasks must stand beside the old ones, but only %" PRId64 " find a place: %s",
                                    renewal->n_wanted, renewal->n_started, misfit);
    }
    return taskfit_arena_printf(state->arena, "after %" PRId64 " of %" PRId64 " new tasks none finds a place: %s; %s", renewal->n_started,
                                renewal->n_wanted, misfit, arithmetic);
}

static void tell_renewals(const taskfit_event_state *state, taskfit_renewed *renewed, size_t n, taskfit_event *event) {
    event->renewed = renewed;
    event->n_renewed = n;
    for (size_t i = 0; i < n; i++) {
        renewed[i].text = stuck_text(state, &renewed[i].renewal);
        event->n_stuck += renewed[i].text != NULL;
        event->n_tasks += renewed[i].renewal.n_wanted;
    }
}

/* Side by side, as they interact. */
static void renew(taskfit_event_state *state, taskfit_renewal *renewals, size_t n, taskfit_event *event) {
    taskfit_renewals_run(state->cluster, renewals, n, state->options->ties, &state->dice, state->scratch);
    taskfit_renewed *renewed = TASKFIT_ARRAY(state->arena, n, taskfit_renewed);
    for (size_t i = 0; i < n; i++) {
        renewed[i].renewal = renewals[i];
    }
    tell_renewals(state, renewed, n, event);
}

/* One after the other, each from the same state. */
static void renew_each(taskfit_event_state *state, taskfit_event *event) {
    const size_t n_services = state->deployment->n_services;
    taskfit_renewed *renewed = TASKFIT_ARRAY(state->arena, n_services, taskfit_renewed);
    int64_t *before = TASKFIT_ARRAY(state->arena, state->fleet->n_machines, int64_t);
    for (size_t s = 0; s < n_services; s++) {
        for (size_t m = 0; m < state->fleet->n_machines; m++) {
            before[m] = taskfit_cluster_tasks(state->cluster, s, m);
        }
        taskfit_renewal *renewal = &renewed[s].renewal;
        *renewal = taskfit_renewal_of_service(state->cluster, s, state->desired[s], state->arena);
        taskfit_renewals_run(state->cluster, renewal, 1, state->options->ties, &state->dice, state->scratch);
        for (size_t m = 0; m < state->fleet->n_machines; m++) {
            while (taskfit_cluster_tasks(state->cluster, s, m) > 0) {
                taskfit_cluster_remove(state->cluster, s, m);
            }
        }
        for (size_t m = 0; m < state->fleet->n_machines; m++) {
            while (taskfit_cluster_tasks(state->cluster, s, m) < before[m]) {
                taskfit_cluster_add(state->cluster, s, m);
            }
        }
    }
    tell_renewals(state, renewed, n_services, event);
}

static taskfit_status deploy(taskfit_event_state *state, const char *name, taskfit_event *event, taskfit_error *err) {
    const size_t n_services = state->deployment->n_services;
    taskfit_renewal *renewals = TASKFIT_ARRAY(state->arena, n_services, taskfit_renewal);
    if (strcmp(name, "each") == 0) {
        renew_each(state, event);
        return TASKFIT_OK;
    }
    if (strcmp(name, "all") == 0) {
        draw_order(state);
        for (size_t i = 0; i < n_services; i++) {
            renewals[i] = taskfit_renewal_of_service(state->cluster, state->order[i], state->desired[state->order[i]], state->arena);
        }
        renew(state, renewals, n_services, event);
        return TASKFIT_OK;
    }
    size_t service = 0;
    const taskfit_status status = taskfit_service_find(state->deployment, name, &service, err);
    if (status == TASKFIT_OK) {
        renewals[0] = taskfit_renewal_of_service(state->cluster, service, state->desired[service], state->arena);
        renew(state, renewals, 1, event);
    }
    return status;
}

static taskfit_status drain(taskfit_event_state *state, const char *name, taskfit_event *event, taskfit_error *err) {
    size_t machine = 0;
    taskfit_status status = taskfit_name_find("instance", name, state->ids, state->fleet->n_machines, &machine, err);
    if (status == TASKFIT_OK && !taskfit_cluster_active(state->cluster, machine)) {
        status = taskfit_fail(err, TASKFIT_E_ARGUMENT, "'%s' is lost or draining already", name);
    }
    if (status != TASKFIT_OK) {
        return status;
    }
    taskfit_renewal *renewals = TASKFIT_ARRAY(state->arena, state->deployment->n_services, taskfit_renewal);
    size_t n = 0;
    taskfit_cluster_set_active(state->cluster, machine, false);
    draw_order(state);
    for (size_t i = 0; i < state->deployment->n_services; i++) {
        const size_t s = state->order[i];
        if (taskfit_cluster_tasks(state->cluster, s, machine) > 0) {
            renewals[n++] = taskfit_renewal_of_machine(state->cluster, s, state->desired[s], machine, state->arena);
        }
    }
    renew(state, renewals, n, event);
    return TASKFIT_OK;
}

/* ---- other numbers ---- */

/* "NAME=N" */
static taskfit_status split_count(const taskfit_event_state *state, const char *text, int64_t high, const char **name_out, int64_t *n_out,
                                  taskfit_error *err) {
    const char *equals = strrchr(text, '=');
    if (equals == NULL) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "a number is missing (NAME=N)");
    }
    const char *why = NULL;
    if (!taskfit_parse_count(equals + 1, strlen(equals + 1), 0, high, n_out, &why)) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "'%s': %s", equals + 1, why);
    }
    *name_out = taskfit_arena_strndup(state->arena, text, (size_t)(equals - text));
    return TASKFIT_OK;
}

static taskfit_status scale(taskfit_event_state *state, const char *text, taskfit_event *event, taskfit_error *err) {
    const char *name = NULL;
    int64_t desired = 0;
    size_t service = 0;
    taskfit_status status = split_count(state, text, TASKS_MAX, &name, &desired, err);
    if (status == TASKFIT_OK) {
        status = taskfit_service_find(state->deployment, name, &service, err);
    }
    if (status != TASKFIT_OK) {
        return status;
    }
    state->desired[service] = desired;
    int64_t running = taskfit_cluster_running(state->cluster, service);
    event->n_tasks = desired > running ? desired - running : 0;
    for (; running > desired; running--) {
        const size_t machine = taskfit_place_stop(state->cluster, service, NULL, state->options->ties, &state->dice, state->scratch);
        taskfit_cluster_remove(state->cluster, service, machine);
    }
    return TASKFIT_OK;
}

/* The AZ of the group with the fewest instances that stand, the first of them. */
static size_t emptiest_az(const taskfit_event_state *state, const taskfit_fleet *fleet, size_t group) {
    const taskfit_instance_group *of = &state->deployment->groups[group];
    size_t best = of->azs[0];
    size_t fewest = SIZE_MAX;
    for (size_t i = 0; i < of->n_azs; i++) {
        size_t n = 0;
        for (size_t m = 0; m < fleet->n_machines; m++) {
            const bool stands = m >= state->fleet->n_machines || taskfit_cluster_active(state->cluster, m);
            n += stands && fleet->machines[m].group == group && fleet->machines[m].az == of->azs[i];
        }
        if (n < fewest) {
            fewest = n;
            best = of->azs[i];
        }
    }
    return best;
}

/* The same tasks on a cluster of more machines. */
static void move_to(taskfit_event_state *state, taskfit_fleet *fleet) {
    taskfit_cluster *cluster = taskfit_cluster_new(state->arena, state->deployment, fleet);
    for (size_t m = 0; m < taskfit_cluster_machines(state->cluster); m++) {
        for (size_t s = 0; s < state->deployment->n_services; s++) {
            for (int64_t left = taskfit_cluster_tasks(state->cluster, s, m); left > 0; left--) {
                taskfit_cluster_add(cluster, s, m);
            }
        }
        taskfit_cluster_set_active(cluster, m, taskfit_cluster_active(state->cluster, m));
    }
    state->fleet = fleet;
    state->cluster = cluster;
    state->ids = taskfit_fleet_ids(state->deployment, fleet, state->arena);
    state->launcher = taskfit_launcher_new(state->arena, cluster);
    state->scratch = TASKFIT_ARRAY(state->arena, fleet->n_machines, size_t);
}

static taskfit_status grow(taskfit_event_state *state, const char *text, taskfit_event *event, taskfit_error *err) {
    const char *name = NULL;
    int64_t wanted = 0;
    size_t group = 0;
    taskfit_status status = split_count(state, text, INSTANCES_MAX, &name, &wanted, err);
    if (status == TASKFIT_OK) {
        status = taskfit_group_find(state->deployment, name, &group, err);
    }
    if (status != TASKFIT_OK) {
        return status;
    }
    int64_t n_standing = 0;
    for (size_t m = 0; m < state->fleet->n_machines; m++) {
        n_standing += state->fleet->machines[m].group == group && taskfit_cluster_active(state->cluster, m);
    }
    if (wanted < n_standing) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "%" PRId64 " instances of '%s' stand already (drain some to have fewer)", n_standing, name);
    }
    event->n_tasks = taskfit_event_missing(state);
    taskfit_fleet *fleet = TASKFIT_NEW(state->arena, taskfit_fleet);
    fleet->machines = TASKFIT_ARRAY(state->arena, state->fleet->n_machines + (size_t)(wanted - n_standing), taskfit_machine);
    for (; fleet->n_machines < state->fleet->n_machines; fleet->n_machines++) {
        fleet->machines[fleet->n_machines] = state->fleet->machines[fleet->n_machines];
    }
    event->n_machines = wanted - n_standing;
    for (; n_standing < wanted; n_standing++) {
        const taskfit_machine fresh = {.group = group,
                                       .type = taskfit_fleet_type_of(state->fleet, group, n_standing),
                                       .az = emptiest_az(state, fleet, group)};
        fleet->machines[fleet->n_machines++] = fresh;
    }
    status = taskfit_cluster_check(state->deployment, fleet, err);
    if (status == TASKFIT_OK) {
        move_to(state, fleet);
    }
    return status;
}

/* ---- the sequence ---- */

static void tell_missing(const taskfit_event_state *state, taskfit_event *event) {
    taskfit_missing *missing = TASKFIT_ARRAY(state->arena, state->deployment->n_services, taskfit_missing);
    event->missing = missing;
    for (size_t s = 0; s < state->deployment->n_services; s++) {
        const int64_t left = state->desired[s] - taskfit_cluster_running(state->cluster, s);
        if (left > 0) {
            const taskfit_misfit misfit = taskfit_misfit_of(state->cluster, s);
            missing[event->n_missing++] = (taskfit_missing){.service = s,
                                                            .tasks = left,
                                                            .misfit = misfit,
                                                            .id = misfit.machine == TASKFIT_NO_MACHINE ? NULL : state->ids[misfit.machine],
                                                            .text = taskfit_misfit_text(state->cluster, &misfit, state->ids, state->arena)};
            event->n_missing_tasks += left;
        }
    }
}

typedef taskfit_status event_fn(taskfit_event_state *state, const char *rest, taskfit_event *event, taskfit_error *err);

static taskfit_status run_event(taskfit_event_state *state, const char *text, taskfit_event *event, taskfit_error *err) {
    static const struct {
        const char *word;
        event_fn *run;
    } kinds[] = {
        [TASKFIT_EVENT_LOSE] = {"lose", taskfit_event_lose}, [TASKFIT_EVENT_DEPLOY] = {"deploy", deploy},
        [TASKFIT_EVENT_SCALE] = {"scale", scale},            [TASKFIT_EVENT_DRAIN] = {"drain", drain},
        [TASKFIT_EVENT_GROW] = {"grow", grow},
    };
    const size_t len = strcspn(text, " ");
    *event = (taskfit_event){.text = taskfit_arena_strdup(state->arena, text)};
    event->subject = text[len] == ' ' ? event->text + len + 1 : "";
    taskfit_error why = {.status = TASKFIT_OK};
    taskfit_status status = TASKFIT_E_ARGUMENT;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (strlen(kinds[k].word) == len && strncmp(kinds[k].word, text, len) == 0) {
            event->kind = (taskfit_event_kind)k;
            status = kinds[k].run(state, event->subject, event, &why);
        }
    }
    if (status != TASKFIT_OK) {
        taskfit_error_at(err, "event '%s'", text);
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "%s",
                            why.message[0] != '\0' ? why.message : "unknown event (lose, deploy, scale, drain or grow)");
    }
    draw_order(state);
    (void)taskfit_event_settle(state, state->order, &state->dice, NULL);
    tell_missing(state, event);
    return TASKFIT_OK;
}

taskfit_status taskfit_events_run(taskfit_cluster *cluster, const taskfit_simulate_options *options, taskfit_arena *arena,
                                  const taskfit_event **events_out, taskfit_error *err) {
    const taskfit_deployment *deployment = taskfit_cluster_deployment(cluster);
    const taskfit_fleet *fleet = taskfit_cluster_fleet(cluster);
    taskfit_event_state state = {.arena = arena,
                                 .deployment = deployment,
                                 .options = options,
                                 .fleet = taskfit_fleet_copy(arena, fleet),
                                 .ids = taskfit_fleet_ids(deployment, fleet, arena),
                                 .cluster = cluster,
                                 .launcher = taskfit_launcher_new(arena, cluster),
                                 .desired = TASKFIT_ARRAY(arena, deployment->n_services, int64_t),
                                 .scratch = TASKFIT_ARRAY(arena, fleet->n_machines, size_t),
                                 .order = TASKFIT_ARRAY(arena, deployment->n_services, size_t),
                                 .dice = taskfit_ties_dice(options->seed)};
    for (size_t s = 0; s < deployment->n_services; s++) {
        state.desired[s] = deployment->services[s].desired_count;
    }
    taskfit_event *events = TASKFIT_ARRAY(arena, options->n_events, taskfit_event);
    for (size_t i = 0; i < options->n_events; i++) {
        const taskfit_status status = run_event(&state, options->events[i], &events[i], err);
        if (status != TASKFIT_OK) {
            return status;
        }
    }
    *events_out = events;
    return TASKFIT_OK;
}
