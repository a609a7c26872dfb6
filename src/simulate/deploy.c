#include "simulate/deploy.h"

#include <assert.h>
#include <inttypes.h>

typedef struct stage { /* what all steps share */
    taskfit_cluster *cluster;
    taskfit_ties ties;
    taskfit_rand *dice;
    size_t *scratch;
} stage;

static taskfit_renewal renewal_of(const taskfit_cluster *cluster, size_t service, int64_t desired, taskfit_arena *arena) {
    const taskfit_service *of = &taskfit_cluster_deployment(cluster)->services[service];
    return (taskfit_renewal){.service = service,
                             .desired = desired,
                             .least = (desired * of->minimum_healthy_percent + 99) / 100,
                             .most = desired * of->maximum_percent / 100,
                             .old = TASKFIT_ARRAY(arena, taskfit_cluster_machines(cluster), int64_t)};
}

taskfit_renewal taskfit_renewal_of_service(const taskfit_cluster *cluster, size_t service, int64_t desired, taskfit_arena *arena) {
    taskfit_renewal renewal = renewal_of(cluster, service, desired, arena);
    for (size_t m = 0; m < taskfit_cluster_machines(cluster); m++) {
        renewal.old[m] = taskfit_cluster_tasks(cluster, service, m);
        renewal.n_old += renewal.old[m];
    }
    renewal.n_wanted = desired;
    renewal.full_set = taskfit_cluster_deployment(cluster)->services[service].deployment_strategy != TASKFIT_DEPLOY_ROLLING;
    return renewal;
}

taskfit_renewal taskfit_renewal_of_machine(const taskfit_cluster *cluster, size_t service, int64_t desired, size_t machine,
                                           taskfit_arena *arena) {
    taskfit_renewal renewal = renewal_of(cluster, service, desired, arena);
    renewal.old[machine] = renewal.n_old = renewal.n_wanted = taskfit_cluster_tasks(cluster, service, machine);
    return renewal;
}

static bool start_one(const stage *s, taskfit_renewal *renewal) {
    const size_t machine = taskfit_place_next(s->cluster, renewal->service, s->ties, s->dice, s->scratch);
    if (machine == TASKFIT_NO_MACHINE) {
        return false;
    }
    taskfit_cluster_add(s->cluster, renewal->service, machine);
    renewal->n_started++;
    return true;
}

static void stop_one(const stage *s, taskfit_renewal *renewal) {
    const size_t machine = taskfit_place_stop(s->cluster, renewal->service, renewal->old, s->ties, s->dice, s->scratch);
    assert(machine != TASKFIT_NO_MACHINE);
    taskfit_cluster_remove(s->cluster, renewal->service, machine);
    renewal->old[machine]--;
    renewal->n_old--;
}

static void count_batch(taskfit_renewal *renewal, int64_t batch) {
    renewal->n_waves += batch > 0;
    renewal->largest_batch = batch > renewal->largest_batch ? batch : renewal->largest_batch;
}

/* All new tasks at once; what does not fit as a whole is rolled back. */
static bool start_full_set(const stage *s, taskfit_renewal *renewal) {
    const size_t n_machines = taskfit_cluster_machines(s->cluster);
    if (renewal->n_started == renewal->n_wanted) {
        return false; /* they stand already */
    }
    while (renewal->n_started < renewal->n_wanted && start_one(s, renewal)) {
    }
    if (renewal->n_started == renewal->n_wanted) {
        count_batch(renewal, renewal->n_wanted);
        return true;
    }
    renewal->misfit = taskfit_misfit_of(s->cluster, renewal->service);
    renewal->stuck = TASKFIT_STUCK_ROOM;
    for (size_t m = 0; m < n_machines; m++) {
        while (taskfit_cluster_tasks(s->cluster, renewal->service, m) > renewal->old[m]) {
            taskfit_cluster_remove(s->cluster, renewal->service, m);
        }
    }
    return false;
}

/* As many new tasks as may run and find a place. */
static bool start_batch(const stage *s, taskfit_renewal *renewal) {
    int64_t batch = 0;
    int64_t n_running = taskfit_cluster_running(s->cluster, renewal->service);
    while (renewal->n_started < renewal->n_wanted && n_running < renewal->most && start_one(s, renewal)) {
        n_running++;
        batch++;
    }
    count_batch(renewal, batch);
    return batch > 0;
}

/* Old tasks that new ones replace; without any, those that may be missing for a while. */
static bool stop_batch(const stage *s, taskfit_renewal *renewal, bool started) {
    int64_t n_running = taskfit_cluster_running(s->cluster, renewal->service);
    const bool replaced = n_running > renewal->desired;
    const int64_t keep = replaced || started || renewal->n_started == renewal->n_wanted ? renewal->desired : renewal->least;
    bool stopped = false;
    while (renewal->n_old > 0 && (n_running > keep || (renewal->full_set && renewal->n_started == renewal->n_wanted))) {
        stop_one(s, renewal);
        n_running--;
        stopped = true;
    }
    renewal->stopped_first = renewal->stopped_first || (stopped && !replaced);
    return stopped;
}

static void judge(const taskfit_cluster *cluster, taskfit_renewal *renewal) {
    if (renewal->stuck != TASKFIT_STUCK_NOT || (renewal->n_started == renewal->n_wanted && renewal->n_old == 0)) {
        return;
    }
    if (taskfit_cluster_running(cluster, renewal->service) >= renewal->most) { /* a further one may not start; the wave stopped what may stop */
        renewal->stuck = TASKFIT_STUCK_PERCENT;
        return;
    }
    renewal->stuck = TASKFIT_STUCK_ROOM;
    renewal->misfit = taskfit_misfit_of(cluster, renewal->service);
}

void taskfit_renewals_run(taskfit_cluster *cluster, taskfit_renewal *renewals, size_t n, taskfit_ties ties, taskfit_rand *dice,
                          size_t *scratch) {
    const stage s = {.cluster = cluster, .ties = ties, .dice = dice, .scratch = scratch};
    taskfit_arena *arena = taskfit_arena_new();
    bool *started = TASKFIT_ARRAY(arena, n, bool);
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t i = 0; i < n; i++) {
            if (renewals[i].stuck == TASKFIT_STUCK_NOT) {
                started[i] = renewals[i].full_set ? start_full_set(&s, &renewals[i]) : start_batch(&s, &renewals[i]);
                moved = moved || started[i];
            }
        }
        for (size_t i = 0; i < n; i++) {
            if (renewals[i].stuck == TASKFIT_STUCK_NOT) {
                moved = stop_batch(&s, &renewals[i], started[i]) || moved;
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        judge(cluster, &renewals[i]);
    }
    taskfit_arena_free(arena);
}

const char *taskfit_renewal_arithmetic(const taskfit_cluster *cluster, const taskfit_renewal *renewal, taskfit_arena *arena) {
    const taskfit_service *service = &taskfit_cluster_deployment(cluster)->services[renewal->service];
    return taskfit_arena_printf(arena,
                                "at most floor(%" PRId64 " x %" PRId64 " / 100) = %" PRId64 " may run and at least ceil(%" PRId64
                                " x %" PRId64 " / 100) = %" PRId64 " must",
                                renewal->desired, service->maximum_percent, renewal->most, renewal->desired,
                                service->minimum_healthy_percent, renewal->least);
}
