/* What concerns several services, or an instance group: types, interfaces, ports, and hard limits that add up. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "check/findings.h"
#include "deployment/accounting.h"

enum { PORTS_MAX = 95 };

#define TEXT(findings, ...) taskfit_arena_printf((findings)->arena, __VA_ARGS__)

/* Sums of limits near 2^40 over two million tasks stay at a bound that a percentage still fits behind. */
static void add_times(int64_t *sum, int64_t amount, int64_t count) {
    const int64_t most = INT64_C(1) << 56;
    int64_t product = 0;
    if (__builtin_mul_overflow(amount, count, &product) || __builtin_add_overflow(*sum, product, sum) || *sum > most) {
        *sum = most;
    }
}

static int64_t registered_mib(const taskfit_instance_group *group, size_t type) {
    return group->types[type].type.memory_registered_mib;
}

static size_t smallest_type(const taskfit_instance_group *group) {
    size_t smallest = 0;
    for (size_t t = 1; t < group->n_types; t++) {
        smallest = registered_mib(group, t) < registered_mib(group, smallest) ? t : smallest;
    }
    return smallest;
}

/* ---- mixed types ---- */

/* The first service that may stand in the group and is too large for an instance of the type; NULL: none. */
static const taskfit_service *too_large_for(const taskfit_deployment *deployment, size_t g, size_t type, taskfit_arena *arena) {
    const taskfit_instance_group *group = &deployment->groups[g];
    const taskfit_instance_capacity capacity = taskfit_instance_capacity_of(deployment, g, type, group->azs[0], arena);
    for (size_t s = 0; s < deployment->n_services; s++) {
        const taskfit_service *service = &deployment->services[s];
        const taskfit_task_demand demand = taskfit_task_demand_of(service, arena);
        for (size_t r = 0; r <= TASKFIT_RESOURCE_CPU; r++) {
            if (demand.amount[r] > capacity.amount[r] - capacity.daemons[r] &&
                taskfit_service_permitted(deployment, service, g, type, group->azs[0])) {
                return service;
            }
        }
    }
    return NULL;
}

static void check_mixed(taskfit_findings *findings, const taskfit_deployment *deployment) {
    for (size_t g = 0; g < deployment->n_groups; g++) {
        const taskfit_instance_group *group = &deployment->groups[g];
        if (!group->mixed || group->n_types < 2) {
            continue;
        }
        taskfit_arena *scratch = taskfit_arena_new();
        const size_t smallest = smallest_type(group);
        const taskfit_service *service = too_large_for(deployment, g, smallest, scratch);
        taskfit_arena_free(scratch);
        taskfit_findings_add(findings, "ECS014", NULL, NULL,
                             TEXT(findings, "group '%s' mixes %zu types, of which %s is the smallest%s%s%s", group->name, group->n_types,
                                  group->types[smallest].type.name, service ? ": a task of '" : "", service ? service->name : "",
                                  service ? "' is too large for it, so its group is never scaled for one" : ""),
                             NULL);
    }
}

/* ---- network interfaces ---- */

typedef struct awsvpc_need {
    int64_t n_tasks, memory_mib, cpu_units;
} awsvpc_need;

static int64_t quotient_up(int64_t need, int64_t each) {
    return each > 0 ? need / each + (need % each != 0) : INT64_MAX;
}

/* The best of all candidates for each resource: a bound on instances, so that the finding is no guess. */
static void check_interfaces(taskfit_findings *findings, const taskfit_deployment *deployment) {
    awsvpc_need need = {0};
    for (size_t s = 0; s < deployment->n_services; s++) {
        const taskfit_service *service = &deployment->services[s];
        const taskfit_task_demand demand = taskfit_task_demand_of(service, findings->arena);
        add_times(&need.n_tasks, demand.amount[TASKFIT_RESOURCE_ENI], service->desired_count);
        add_times(&need.memory_mib, demand.amount[TASKFIT_RESOURCE_MEMORY], service->desired_count);
        add_times(&need.cpu_units, demand.amount[TASKFIT_RESOURCE_CPU], service->desired_count);
    }
    if (need.n_tasks == 0) {
        return;
    }
    int64_t slots = 0;
    int64_t memory_mib = 0;
    int64_t cpu_units = 0;
    for (size_t g = 0; g < deployment->n_groups; g++) {
        for (size_t t = 0; t < deployment->groups[g].n_types; t++) {
            const taskfit_instance_type *type = &deployment->groups[g].types[t].type;
            const int64_t own = deployment->awsvpc_trunking ? type->awsvpc_tasks_trunking : type->awsvpc_tasks;
            slots = own > slots ? own : slots;
            memory_mib = type->memory_registered_mib > memory_mib ? type->memory_registered_mib : memory_mib;
            cpu_units = type->vcpu * TASKFIT_CPU_UNITS_PER_VCPU > cpu_units ? type->vcpu * TASKFIT_CPU_UNITS_PER_VCPU : cpu_units;
        }
    }
    const int64_t by_memory = quotient_up(need.memory_mib, memory_mib);
    const int64_t by_cpu = quotient_up(need.cpu_units, cpu_units);
    const int64_t by_others = by_memory > by_cpu ? by_memory : by_cpu;
    if (slots == 0) {
        taskfit_findings_add(findings, "ECS011", NULL, NULL,
                             TEXT(findings, "%" PRId64 " awsvpc tasks, and no instance type has an interface for one", need.n_tasks), NULL);
    } else if (quotient_up(need.n_tasks, slots) > by_others) {
        taskfit_findings_add(findings, "ECS011", NULL, NULL,
                             TEXT(findings,
                                  "%" PRId64 " awsvpc tasks need %" PRId64 " instances for their interfaces (%" PRId64
                                  " on each), CPU and memory only %" PRId64,
                                  need.n_tasks, quotient_up(need.n_tasks, slots), slots, by_others),
                             NULL);
    }
}

/* ---- ports ---- */

static int compare_ports(const void *left, const void *right) {
    const int64_t *a = left;
    const int64_t *b = right;
    return (*a > *b) - (*a < *b);
}

/* All fixed ports of all services, each once: beyond 95 no instance can hold one task of each. */
static void check_ports(taskfit_findings *findings, const taskfit_deployment *deployment) {
    taskfit_arena *scratch = taskfit_arena_new();
    int64_t *ports = NULL;
    size_t n = 0;
    size_t capacity = 0;
    bool is_told = false; /* of a task: it says more */
    for (size_t s = 0; s < deployment->n_services; s++) {
        const taskfit_task_demand demand = taskfit_task_demand_of(&deployment->services[s], scratch);
        is_told = is_told || demand.n_ports > PORTS_MAX;
        for (size_t p = 0; p < demand.n_ports; p++) {
            TASKFIT_GROW(scratch, ports, n, capacity);
            ports[n++] = demand.ports[p].host_port * 2 + (demand.ports[p].protocol == TASKFIT_UDP);
        }
    }
    size_t n_unique = 0;
    if (n > 0) {
        qsort(ports, n, sizeof *ports, compare_ports);
    }
    for (size_t i = 0; i < n; i++) {
        n_unique += i == 0 || ports[i] != ports[i - 1];
    }
    if (n_unique > PORTS_MAX && !is_told) {
        taskfit_findings_add(findings, "ECS012", NULL, NULL,
                             TEXT(findings, "the services have %zu fixed host ports, an instance has %d", n_unique, PORTS_MAX), NULL);
    }
    taskfit_arena_free(scratch);
}

/* ---- hard limits ---- */

/* Memory of the largest instance that the service may stand on. */
static int64_t largest_mib(const taskfit_deployment *deployment, const taskfit_service *service) {
    int64_t largest = 0;
    for (size_t g = 0; g < deployment->n_groups; g++) {
        const taskfit_instance_group *group = &deployment->groups[g];
        for (size_t k = 0; k < group->n_types * group->n_azs; k++) {
            const size_t type = k / group->n_azs;
            if (registered_mib(group, type) > largest &&
                taskfit_service_permitted(deployment, service, g, type, group->azs[k % group->n_azs])) {
                largest = registered_mib(group, type);
            }
        }
    }
    return largest;
}

static int64_t smallest_mib(const taskfit_deployment *deployment) {
    int64_t smallest = INT64_MAX;
    for (size_t g = 0; g < deployment->n_groups; g++) {
        const int64_t own = registered_mib(&deployment->groups[g], smallest_type(&deployment->groups[g]));
        smallest = own < smallest ? own : smallest;
    }
    return smallest;
}

/* What runs today (`current`), all groups of one type; -1: not known. */
static int64_t current_mib(const taskfit_deployment *deployment) {
    int64_t total = 0;
    for (size_t g = 0; g < deployment->n_groups; g++) {
        const taskfit_instance_group *group = &deployment->groups[g];
        if (group->current_instances < 0 || group->n_types != 1) {
            return -1;
        }
        add_times(&total, registered_mib(group, 0), group->current_instances);
    }
    return total;
}

static void check_hard_memory(taskfit_findings *findings, const taskfit_deployment *deployment) {
    const int64_t smallest = smallest_mib(deployment);
    int64_t total = 0;
    for (size_t s = 0; s < deployment->n_services; s++) {
        const taskfit_service *service = &deployment->services[s];
        const taskfit_task_demand demand = taskfit_task_demand_of(service, findings->arena);
        const int64_t hard_mib = demand.amount[TASKFIT_RESOURCE_HARD_MEMORY];
        add_times(&total, hard_mib, service->desired_count);
        const int64_t room_mib = hard_mib > smallest ? largest_mib(deployment, service) : INT64_MAX;
        /* a reservation above it is no matter of limits: the task fits nowhere */
        if (hard_mib > room_mib && demand.amount[TASKFIT_RESOURCE_MEMORY] <= room_mib) {
            taskfit_findings_add(findings, "ECS015", service, NULL,
                                 TEXT(findings, "the hard limits of a task, %" PRId64 " MiB, exceed the %" PRId64
                                                " that the largest instance registers",
                                      hard_mib, room_mib),
                                 NULL);
        }
    }
    const int64_t current = current_mib(deployment);
    if (current >= 0 && total > current) {
        taskfit_findings_add(findings, "ECS015", NULL, NULL,
                             TEXT(findings,
                                  "the hard limits of all tasks, %" PRId64 " MiB, are %" PRId64 " %% of the %" PRId64
                                  " that today's instances register",
                                  total, current > 0 ? total * 100 / current : 0, current),
                             NULL);
    }
}

void taskfit_check_fleet(taskfit_findings *findings, const taskfit_deployment *deployment) {
    check_mixed(findings, deployment);
    check_interfaces(findings, deployment);
    check_ports(findings, deployment);
    check_hard_memory(findings, deployment);
}
