/* What can be said of one service: its limits against what was measured, its ports and percentages against its count. */

#include <inttypes.h>

#include "check/findings.h"
#include "deployment/accounting.h"
#include "deployment/rollout.h"

enum {
    HEAVY_CPU_UNITS = 256,     /* a quarter of a vCPU: what a container without reservation may use unremarked */
    BUSY_CPU_PERCENT = 200,    /* of the reservation */
    BUSY_MEMORY_PERCENT = 125, /* of the reservation: page cache and a moment's need aside */
    PORTS_MAX = 95             /* of 100, 5 are taken: accounting.c */
};

typedef struct task_check {
    taskfit_findings *findings;
    const taskfit_deployment *deployment;
    const taskfit_service *service;
} task_check;

#define TEXT(check, ...) taskfit_arena_printf((check)->findings->arena, __VA_ARGS__)

static void find(const task_check *check, const char *code, const taskfit_container *container, const char *message,
                 const char *fix) {
    taskfit_findings_add(check->findings, code, check->service, container, message, fix);
}

/* ---- observed use ---- */

static void check_cpu(const task_check *check, const taskfit_container *container) {
    const int64_t observed = container->observed_cpu_units;
    if (container->cpu_units <= 0 && observed >= HEAVY_CPU_UNITS) {
        find(check, "ECS017", container, TEXT(check, "it reserves no CPU and uses %" PRId64 " units", observed),
             TEXT(check, "set cpu to %" PRId64, observed));
    } else if (container->cpu_units > 0 && observed >= container->cpu_units * BUSY_CPU_PERCENT / 100) {
        find(check, "ECS007", container,
             TEXT(check, "it uses %" PRId64 " CPU units, %" PRId64 " %% of the %" PRId64 " that it reserves", observed,
                  observed * 100 / container->cpu_units, container->cpu_units),
             TEXT(check, "raise cpu to %" PRId64, observed));
    }
}

static void check_memory(const task_check *check, const taskfit_container *container) {
    const int64_t reserved = container->memory_reservation_mib > 0 ? container->memory_reservation_mib : container->memory_mib;
    const int64_t observed = container->observed_memory_mib;
    if (reserved > 0 && observed >= 0 && observed * 100 >= reserved * BUSY_MEMORY_PERCENT) {
        find(check, "ECS008", container,
             TEXT(check, "it uses %" PRId64 " MiB of memory, %" PRId64 " %% of the %" PRId64 " that it reserves", observed,
                  observed * 100 / reserved, reserved),
             TEXT(check, "raise memoryReservation to %" PRId64, observed));
    }
    if (container->memory_reservation_mib > 0 && container->memory_reservation_mib == container->memory_mib) {
        find(check, "ECS016", container,
             TEXT(check, "memory and memoryReservation are both %" PRId64 " MiB", container->memory_mib), NULL);
    }
}

/* ---- deployments ---- */

/* The percentages of n tasks that let one more start, or one stop first. */
static const char *moving_percentages(const task_check *check) {
    const int64_t n = check->service->desired_count;
    return TEXT(check, "raise maximumPercent to %" PRId64 " or lower minimumHealthyPercent to %" PRId64,
                ((n + 1) * 100 + n - 1) / n, (n - 1) * 100 / n);
}

static void check_deployment(const task_check *check, const taskfit_task_demand *demand) {
    const taskfit_service *service = check->service;
    const int64_t n = service->desired_count;
    const taskfit_rollout rollout = service->daemon ? TASKFIT_ROLLOUT_STOPS_FIRST : taskfit_rollout_of(service);
    if (rollout == TASKFIT_ROLLOUT_STUCK) {
        find(check, "ROLL001", NULL,
             TEXT(check,
                  "it can never be deployed: minimumHealthyPercent %" PRId64 " of %" PRId64 " task%s lets none stop, maximumPercent %" PRId64
                  " lets none start",
                  service->minimum_healthy_percent, n, n == 1 ? "" : "s", service->maximum_percent),
             moving_percentages(check));
    } else if (rollout == TASKFIT_ROLLOUT_STARTS_FIRST && demand->n_ports > 0) {
        find(check, "ECS009", NULL,
             TEXT(check,
                  "host port %" PRId64 " is fixed: %" PRId64 " task%s need as many instances, and a deployment that may stop none needs "
                  "one more",
                  demand->ports[0].host_port, n, n == 1 ? "" : "s"),
             TEXT(check, "lower minimumHealthyPercent to %" PRId64 ", use dynamic host ports, or run %" PRId64 " instances",
                  (n - 1) * 100 / n, n + 1));
    }
}

/* ---- availability zones ---- */

static bool spreads_over_azs(const taskfit_service *service) {
    for (size_t i = 0; i < service->n_strategies; i++) {
        if (service->strategies[i].type == TASKFIT_STRATEGY_SPREAD_AZ) {
            return true;
        }
    }
    return false;
}

static bool stands_in(const task_check *check, size_t az) {
    const taskfit_deployment *deployment = check->deployment;
    for (size_t g = 0; g < deployment->n_groups; g++) {
        const taskfit_instance_group *group = &deployment->groups[g];
        for (size_t k = 0; k < group->n_azs * group->n_types; k++) {
            if (group->azs[k / group->n_types] == az &&
                taskfit_service_permitted(deployment, check->service, g, k % group->n_types, az)) {
                return true;
            }
        }
    }
    return false;
}

static void check_azs(const task_check *check) {
    const taskfit_service *service = check->service;
    const int64_t n = service->desired_count;
    if (service->daemon || n == 0 || n >= (int64_t)check->deployment->n_azs || !spreads_over_azs(service)) {
        return;
    }
    int64_t n_azs = 0;
    for (size_t az = 0; az < check->deployment->n_azs; az++) {
        n_azs += stands_in(check, az);
    }
    if (n < n_azs) {
        find(check, "ECS013", NULL,
             TEXT(check, "%" PRId64 " task%s over %" PRId64 " availability zones", n, n == 1 ? "" : "s", n_azs),
             TEXT(check, "raise desiredCount to %" PRId64, n_azs));
    }
}

void taskfit_check_task(taskfit_findings *findings, const taskfit_deployment *deployment, const taskfit_service *service) {
    const task_check check = {findings, deployment, service};
    const taskfit_task_demand demand = taskfit_task_demand_of(service, findings->arena);
    if (service->task_cpu_units > 0) {
        find(&check, "ECS010", NULL,
             TEXT(&check, "task cpu of %" PRId64 " units is a cap: the task never gets more, however idle the instance is",
                  service->task_cpu_units),
             NULL);
    }
    for (size_t c = 0; c < service->n_containers; c++) {
        if (service->task_cpu_units <= 0) {
            check_cpu(&check, &service->containers[c]);
        }
        if (service->task_memory_mib <= 0) {
            check_memory(&check, &service->containers[c]);
        }
    }
    check_deployment(&check, &demand);
    if (demand.n_ports > PORTS_MAX) {
        find(&check, "ECS012", NULL,
             TEXT(&check, "a task has %zu fixed host ports, an instance has %d", demand.n_ports, PORTS_MAX), NULL);
    }
    check_azs(&check);
}
