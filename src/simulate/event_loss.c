#include "simulate/event_state.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "problem/find.h"

/*
 * Each thing that may be lost is tried in turn, with several orders in which ECS starts its tasks elsewhere; every
 * try but the worst is taken back.
 */

enum { TRIES_MIN = 20 };

typedef struct victim {
    const char *name;
    bool whole_az;
    size_t index; /* machine or AZ */
} victim;

typedef struct attempt {
    uint64_t seed;
    int64_t missing; /* tasks */
    size_t victim;
} attempt;

static bool hit(const taskfit_event_state *state, const victim *lost, size_t machine) {
    return lost->whole_az ? state->fleet->machines[machine].az == lost->index : machine == lost->index;
}

/* ---- one try ---- */

static size_t take_down(taskfit_event_state *state, const victim *lost, taskfit_standing *fallen) {
    size_t n = 0;
    for (size_t m = 0; m < state->fleet->n_machines; m++) {
        if (!hit(state, lost, m)) {
            continue;
        }
        taskfit_cluster_set_active(state->cluster, m, false);
        for (size_t s = 0; s < state->deployment->n_services; s++) {
            for (int64_t left = taskfit_cluster_tasks(state->cluster, s, m); left > 0; left--) {
                taskfit_cluster_remove(state->cluster, s, m);
                fallen[n++] = (taskfit_standing){.service = s, .machine = m};
            }
        }
    }
    return n;
}

static size_t place_again(taskfit_event_state *state, uint64_t seed, taskfit_standing *placed) {
    taskfit_rand order_dice = taskfit_order_dice(seed);
    taskfit_rand ties_dice = taskfit_ties_dice(seed);
    taskfit_launch_order(state->launcher, state->options->order, &order_dice, state->order);
    return taskfit_event_settle(state, state->order, &ties_dice, placed);
}

static size_t count_tasks(const taskfit_event_state *state) {
    size_t n = 0;
    for (size_t s = 0; s < state->deployment->n_services; s++) {
        const int64_t running = taskfit_cluster_running(state->cluster, s);
        n += (size_t)(running > state->desired[s] ? running : state->desired[s]);
    }
    return n;
}

static void try_loss(taskfit_event_state *state, const victim *lost, attempt *made, taskfit_arena *scratch) {
    bool *was_active = TASKFIT_ARRAY(scratch, state->fleet->n_machines, bool);
    for (size_t m = 0; m < state->fleet->n_machines; m++) {
        was_active[m] = taskfit_cluster_active(state->cluster, m);
    }
    taskfit_standing *fallen = TASKFIT_ARRAY(scratch, count_tasks(state), taskfit_standing);
    taskfit_standing *placed = TASKFIT_ARRAY(scratch, count_tasks(state), taskfit_standing);
    const size_t n_fallen = take_down(state, lost, fallen);
    const size_t n_placed = place_again(state, made->seed, placed);
    made->missing = taskfit_event_missing(state);
    for (size_t i = 0; i < n_placed; i++) {
        taskfit_cluster_remove(state->cluster, placed[i].service, placed[i].machine);
    }
    for (size_t i = 0; i < n_fallen; i++) {
        taskfit_cluster_add(state->cluster, fallen[i].service, fallen[i].machine);
    }
    for (size_t m = 0; m < state->fleet->n_machines; m++) {
        taskfit_cluster_set_active(state->cluster, m, was_active[m]);
    }
    taskfit_arena_reset(scratch);
}

/* ---- what may be lost ---- */

static size_t list_victims(const taskfit_event_state *state, bool azs, victim *victims) {
    size_t n = 0;
    for (size_t m = 0; m < state->fleet->n_machines; m++) {
        const size_t az = state->fleet->machines[m].az;
        const victim one = azs ? (victim){.name = state->deployment->azs[az], .whole_az = true, .index = az}
                               : (victim){.name = state->ids[m], .index = m};
        bool known = !taskfit_cluster_active(state->cluster, m);
        for (size_t v = 0; v < n && !known; v++) {
            known = victims[v].index == one.index;
        }
        if (!known) {
            victims[n++] = one;
        }
    }
    return n;
}

/* An instance that still stands, or an AZ that has one. */
static taskfit_status find_victim(const taskfit_event_state *state, const char *name, victim *victims, taskfit_error *err) {
    const size_t n_machines = state->fleet->n_machines;
    const char **names = TASKFIT_ARRAY(state->arena, n_machines + state->deployment->n_azs, const char *);
    memcpy(names, state->ids, n_machines * sizeof *names);
    memcpy(names + n_machines, state->deployment->azs, state->deployment->n_azs * sizeof *names);
    size_t index = 0;
    const taskfit_status status =
        taskfit_name_find("instance or availability zone", name, names, n_machines + state->deployment->n_azs, &index, err);
    if (status != TASKFIT_OK) {
        return status;
    }
    victims[0] = (victim){.name = names[index], .whole_az = index >= n_machines, .index = index >= n_machines ? index - n_machines : index};
    bool stands = false;
    for (size_t m = 0; m < n_machines; m++) {
        stands = stands || (hit(state, &victims[0], m) && taskfit_cluster_active(state->cluster, m));
    }
    return stands ? TASKFIT_OK : taskfit_fail(err, TASKFIT_E_ARGUMENT, "nothing stands on '%s' any more", name);
}

/* Tries all; the worst is the one with most tasks missing, then the first. */
static attempt try_all(taskfit_event_state *state, const victim *victims, size_t n, taskfit_event *event) {
    const int64_t share = state->options->n_orders / (int64_t)n;
    const int64_t tries = n == 1 ? state->options->n_orders : share > TRIES_MIN ? share : TRIES_MIN;
    attempt worst = {.missing = -1};
    taskfit_arena *scratch = taskfit_arena_new();
    for (size_t v = 0; v < n; v++) {
        bool survived = true;
        for (int64_t k = 0; k < tries; k++) {
            if (k > 0 && state->options->stop != NULL && state->options->stop(state->options->stop_arg)) {
                break;
            }
            attempt made = {.seed = state->options->seed + (uint64_t)k, .victim = v};
            try_loss(state, &victims[v], &made, scratch);
            event->n_tries++;
            event->n_tries_survived += made.missing == 0;
            survived = survived && made.missing == 0;
            worst = made.missing > worst.missing ? made : worst;
        }
        event->n_victims_survived += survived;
    }
    taskfit_arena_free(scratch);
    return worst;
}

taskfit_status taskfit_event_lose(taskfit_event_state *state, const char *name, taskfit_event *event, taskfit_error *err) {
    victim *victims = TASKFIT_ARRAY(state->arena, state->fleet->n_machines + 1, victim);
    size_t n = 1;
    if (strcmp(name, "instance") == 0 || strcmp(name, "availabilityZone") == 0) {
        n = list_victims(state, name[0] == 'a', victims);
        if (n == 0) {
            return taskfit_fail(err, TASKFIT_E_ARGUMENT, "no instance is left to be lost");
        }
    } else {
        const taskfit_status status = find_victim(state, name, victims, err);
        if (status != TASKFIT_OK) {
            return status;
        }
    }
    const attempt worst = try_all(state, victims, n, event);
    assert(worst.missing >= 0);
    taskfit_standing *fallen = TASKFIT_ARRAY(state->arena, count_tasks(state), taskfit_standing);
    event->n_victims = (int64_t)n;
    event->subject = victims[worst.victim].name;
    event->n_tasks = (int64_t)take_down(state, &victims[worst.victim], fallen);
    (void)place_again(state, worst.seed, NULL);
    return TASKFIT_OK;
}
