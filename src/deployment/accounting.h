#ifndef TASKFIT_DEPLOYMENT_ACCOUNTING_H
#define TASKFIT_DEPLOYMENT_ACCOUNTING_H

/*
 * What one task takes and what one instance gives, exactly as Amazon ECS counts (DESIGN 3): the one place
 * for these rules. Source: amazon-ecs-agent agent/api/task/task.go ToHostResources(), the API model of
 * RegisterTaskDefinition, and the ECS developer guide's memory-management page.
 */

#include "deployment/deployment.h"
#include "deployment/query.h"

/* Everything that is counted per instance. All are summed over tasks and compared with a capacity. */
typedef enum taskfit_resource {
    TASKFIT_RESOURCE_MEMORY,          /* MiB reserved */
    TASKFIT_RESOURCE_CPU,             /* CPU units reserved */
    TASKFIT_RESOURCE_ENI,             /* ENI task slots */
    TASKFIT_RESOURCE_GPU,             /* GPUs */
    TASKFIT_RESOURCE_TASKS,           /* tasks, against maxTasks */
    TASKFIT_RESOURCE_PORTS,           /* reserved host ports of both protocols, of 95 */
    TASKFIT_RESOURCE_HARD_MEMORY,     /* MiB of hard limits, against maxHardMemoryPercent */
    TASKFIT_RESOURCE_EXPECTED_CPU,    /* CPU units observed, against maxExpectedCpuPercent */
    TASKFIT_RESOURCE_EXPECTED_MEMORY, /* MiB observed, against maxExpectedMemoryPercent */
    TASKFIT_RESOURCE_COUNT
} taskfit_resource;

#define TASKFIT_UNLIMITED (INT64_C(1) << 60) /* a capacity that never binds; sums of demands stay below it */

/* The word of DESIGN 8: "memory", "cpu", "eni", "gpu", "tasks", "ports", "hardMemory", "expectedCpu", "expectedMemory". */
const char *taskfit_resource_name(taskfit_resource resource);

typedef struct taskfit_task_demand {
    int64_t amount[TASKFIT_RESOURCE_COUNT]; /* expected: reservation where a container has no observed figure */
    bool expected_cpu_complete;    /* every container has observed.cpu */
    bool expected_memory_complete; /* every container has observed.memory */
    bool hard_memory_complete;     /* every container has a hard limit */
    const taskfit_port_mapping *ports; /* fixed host ports (protocol, host_port), sorted, unique; none in awsvpc */
    size_t n_ports;
} taskfit_task_demand;

/* By protocol, then host port: the order of every sorted list of ports, for qsort and bsearch. */
int taskfit_port_compare(const void *left, const void *right);

/* What one task of the service takes. Arrays are made in `arena`. */
taskfit_task_demand taskfit_task_demand_of(const taskfit_service *service, taskfit_arena *arena);

/* Whether ECS may place a task of the service on an instance of this group, type and AZ (group, architecture,
 * memberOf; resources and ports aside). */
bool taskfit_service_permitted(const taskfit_deployment *deployment, const taskfit_service *service, size_t group,
                               size_t type, size_t az);

/* Does its memberOf ask for runningTasksCount? taskfit_service_permitted then says whether some count will do, */
bool taskfit_service_counts_tasks(const taskfit_service *service);
/* and this whether memberOf holds on an instance (group, type, AZ) on which so many tasks run. */
bool taskfit_service_bears_tasks(const taskfit_deployment *deployment, const taskfit_service *service, const size_t place[3],
                                 int64_t n_running);

/* Attributes of such an instance for memberOf: those ECS sets itself (as far as a plan knows them), then the
 * group's. `own` is room for the former. */
enum { TASKFIT_OWN_ATTRIBUTES = 6 };
typedef struct taskfit_instance_attributes {
    taskfit_attribute own[TASKFIT_OWN_ATTRIBUTES];
    taskfit_attributes group;
} taskfit_instance_attributes;
taskfit_attributes taskfit_attributes_of(const taskfit_deployment *deployment, size_t group, size_t type, size_t az,
                                         taskfit_instance_attributes *room);

/* Whether service->queries[index] can be asked about every instance the service may stand on: E_INPUT names what a
 * plan cannot know and the group to add it to, or a pattern that needs too much work. The reader calls it for every
 * memberOf of services and daemons; taskfit_service_permitted relies on it. */
taskfit_status taskfit_member_of_check(const taskfit_deployment *deployment, const taskfit_service *service, size_t index,
                                       taskfit_error *err) TASKFIT_MUST_USE;

/* What one instance of group `group`, candidate type `type`, in AZ `az` gives. */
typedef struct taskfit_instance_capacity {
    int64_t registered_memory_mib; /* before reservedMemory: the base of percentages */
    int64_t total_cpu_units;       /* vCPU x 1024: the base of percentages */
    int64_t amount[TASKFIT_RESOURCE_COUNT];  /* before daemons; memory less reservedMemory, CPU less reservedCpu;
                                                the policy's caps and headroom are not in it */
    int64_t daemons[TASKFIT_RESOURCE_COUNT]; /* taken by the daemons that stand there */
    const size_t *daemon_index;              /* indexes of those daemons */
    size_t n_daemons;
    const taskfit_port_mapping *ports; /* host ports taken: the agent's own and the daemons', sorted */
    size_t n_ports;
} taskfit_instance_capacity;

taskfit_instance_capacity taskfit_instance_capacity_of(const taskfit_deployment *deployment, size_t group, size_t type,
                                                       size_t az, taskfit_arena *arena);

#endif
