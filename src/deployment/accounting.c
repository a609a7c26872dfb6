#include "deployment/accounting.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

/* An instance may have 100 host ports reserved, these five of the agent, Docker and SSH among them
 * (API model, PortMapping.hostPort). */
enum { RESERVED_PORTS_MAX = 100, N_AGENT_PORTS = 5 };
static const int64_t agent_port[N_AGENT_PORTS] = {22, 2375, 2376, 51678, 51679};

const char *taskfit_resource_name(taskfit_resource resource) {
    switch (resource) {
    case TASKFIT_RESOURCE_MEMORY: return "memory";
    case TASKFIT_RESOURCE_CPU: return "cpu";
    case TASKFIT_RESOURCE_ENI: return "eni";
    case TASKFIT_RESOURCE_GPU: return "gpu";
    case TASKFIT_RESOURCE_TASKS: return "tasks";
    case TASKFIT_RESOURCE_PORTS: return "ports";
    case TASKFIT_RESOURCE_HARD_MEMORY: return "hardMemory";
    case TASKFIT_RESOURCE_EXPECTED_CPU: return "expectedCpu";
    case TASKFIT_RESOURCE_EXPECTED_MEMORY: return "expectedMemory";
    case TASKFIT_RESOURCE_COUNT: break;
    }
    assert(resource != TASKFIT_RESOURCE_COUNT);
    return NULL;
}

/* ---- ports ---- */

int taskfit_port_compare(const void *left, const void *right) {
    const taskfit_port_mapping *a = left;
    const taskfit_port_mapping *b = right;
    if (a->protocol != b->protocol) {
        return a->protocol < b->protocol ? -1 : 1;
    }
    return (a->host_port > b->host_port) - (a->host_port < b->host_port);
}

/* Sorts and drops repetitions: the same host port twice is one reserved port. */
static size_t unique_ports(taskfit_port_mapping *ports, size_t n) {
    if (n > 0) {
        qsort(ports, n, sizeof *ports, taskfit_port_compare);
    }
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (kept == 0 || taskfit_port_compare(&ports[kept - 1], &ports[i]) != 0) {
            ports[kept++] = ports[i];
        }
    }
    return kept;
}

/* The port of the instance that a mapping reserves; 0: none. */
static int64_t reserved_port(taskfit_network_mode mode, const taskfit_port_mapping *mapping) {
    switch (mode) {
    case TASKFIT_NETWORK_BRIDGE: return mapping->host_port;
    case TASKFIT_NETWORK_HOST: return mapping->host_port > 0 ? mapping->host_port : mapping->container_port;
    case TASKFIT_NETWORK_AWSVPC: /* the task has an address of its own */
    case TASKFIT_NETWORK_NONE: break;
    }
    return 0;
}

static void collect_ports(const taskfit_service *service, taskfit_arena *arena, taskfit_task_demand *demand) {
    size_t n_mappings = 0;
    for (size_t c = 0; c < service->n_containers; c++) {
        n_mappings += service->containers[c].n_port_mappings;
    }
    taskfit_port_mapping *ports = TASKFIT_ARRAY(arena, n_mappings, taskfit_port_mapping);
    size_t n = 0;
    for (size_t c = 0; c < service->n_containers; c++) {
        const taskfit_container *container = &service->containers[c];
        for (size_t m = 0; m < container->n_port_mappings; m++) {
            int64_t port = reserved_port(service->network_mode, &container->port_mappings[m]);
            if (port > 0) {
                ports[n] = container->port_mappings[m];
                ports[n++].host_port = port;
            }
        }
    }
    demand->ports = ports;
    demand->n_ports = unique_ports(ports, n);
    demand->amount[TASKFIT_RESOURCE_PORTS] = (int64_t)demand->n_ports;
}

/* ---- one task ---- */

static int64_t known(int64_t quantity) {
    return quantity > 0 ? quantity : 0;
}

static int64_t reservation_mib(const taskfit_container *container) {
    return container->memory_reservation_mib > 0 ? container->memory_reservation_mib : known(container->memory_mib);
}

/* Memory and CPU: the task's own figure, else the sum over its containers. */
static void count_reserved(const taskfit_service *service, taskfit_task_demand *demand) {
    int64_t memory_mib = 0;
    int64_t cpu_units = 0;
    for (size_t c = 0; c < service->n_containers; c++) {
        memory_mib += reservation_mib(&service->containers[c]);
        cpu_units += known(service->containers[c].cpu_units);
    }
    demand->amount[TASKFIT_RESOURCE_MEMORY] = service->task_memory_mib > 0 ? service->task_memory_mib : memory_mib;
    demand->amount[TASKFIT_RESOURCE_CPU] = service->task_cpu_units > 0 ? service->task_cpu_units : cpu_units;
}

static void count_hard_memory(const taskfit_service *service, taskfit_task_demand *demand) {
    int64_t hard_mib = 0;
    bool boundless = false; /* a container that nothing but the task's own memory holds back */
    demand->hard_memory_complete = true;
    for (size_t c = 0; c < service->n_containers; c++) {
        const taskfit_container *container = &service->containers[c];
        if (container->memory_mib > 0) {
            hard_mib += container->memory_mib;
            continue;
        }
        demand->hard_memory_complete = false;
        hard_mib += reservation_mib(container);
        boundless = boundless || reservation_mib(container) == 0;
    }
    if (boundless && hard_mib < service->task_memory_mib) {
        hard_mib = service->task_memory_mib;
    }
    demand->amount[TASKFIT_RESOURCE_HARD_MEMORY] = hard_mib;
}

/* A task of which nothing was observed is expected to use what it reserves, task level included. */
static void count_expected(const taskfit_service *service, taskfit_task_demand *demand) {
    int64_t memory_mib = 0;
    int64_t cpu_units = 0;
    size_t n_memory = 0;
    size_t n_cpu = 0;
    for (size_t c = 0; c < service->n_containers; c++) {
        const taskfit_container *container = &service->containers[c];
        bool memory_observed = container->observed_memory_mib >= 0;
        bool cpu_observed = container->observed_cpu_units >= 0;
        memory_mib += memory_observed ? container->observed_memory_mib : reservation_mib(container);
        cpu_units += cpu_observed ? container->observed_cpu_units : known(container->cpu_units);
        n_memory += memory_observed;
        n_cpu += cpu_observed;
    }
    demand->expected_memory_complete = n_memory == service->n_containers;
    demand->expected_cpu_complete = n_cpu == service->n_containers;
    demand->amount[TASKFIT_RESOURCE_EXPECTED_MEMORY] = n_memory > 0 ? memory_mib : demand->amount[TASKFIT_RESOURCE_MEMORY];
    demand->amount[TASKFIT_RESOURCE_EXPECTED_CPU] = n_cpu > 0 ? cpu_units : demand->amount[TASKFIT_RESOURCE_CPU];
}

taskfit_task_demand taskfit_task_demand_of(const taskfit_service *service, taskfit_arena *arena) {
    assert(service->n_containers > 0);
    taskfit_task_demand demand = {0};
    count_reserved(service, &demand);
    count_hard_memory(service, &demand);
    count_expected(service, &demand);
    collect_ports(service, arena, &demand);
    demand.amount[TASKFIT_RESOURCE_ENI] = service->network_mode == TASKFIT_NETWORK_AWSVPC;
    demand.amount[TASKFIT_RESOURCE_TASKS] = 1;
    for (size_t c = 0; c < service->n_containers; c++) {
        demand.amount[TASKFIT_RESOURCE_GPU] += service->containers[c].gpus;
    }
    return demand;
}

/* ---- one instance ---- */

static bool contains(const size_t *items, size_t n, size_t wanted) {
    for (size_t i = 0; i < n; i++) {
        if (items[i] == wanted) {
            return true;
        }
    }
    return false;
}

taskfit_attributes taskfit_attributes_of(const taskfit_deployment *deployment, size_t group, size_t type, size_t az,
                                         taskfit_instance_attributes *room) {
    const taskfit_instance_group *instances = &deployment->groups[group];
    const taskfit_instance_type *kind = &instances->types[type].type;
    const taskfit_attribute own[TASKFIT_OWN_ATTRIBUTES] = {
        {"ecs.instance-type", kind->name},
        {"ecs.availability-zone", deployment->azs[az]},
        {"ecs.cpu-architecture", kind->architecture == TASKFIT_ARCH_ARM64 ? "arm64" : "x86_64"},
        {"ecs.os-type", "linux"},
        {"ecs.os-family", "LINUX"},
        {"agentConnected", "true"}, /* ECS places on no other */
    };
    memcpy(room->own, own, sizeof own);
    room->group = (taskfit_attributes){.items = instances->attributes, .n_items = instances->n_attributes};
    return (taskfit_attributes){.items = room->own, .n_items = TASKFIT_OWN_ATTRIBUTES, .next = &room->group};
}

taskfit_status taskfit_member_of_check(const taskfit_deployment *deployment, const taskfit_service *service, size_t index,
                                       taskfit_error *err) {
    assert(index < service->n_member_of);
    const taskfit_query *query = service->queries[index];
    for (size_t g = 0; g < deployment->n_groups; g++) {
        const taskfit_instance_group *instances = &deployment->groups[g];
        if (service->n_groups > 0 && !contains(service->groups, service->n_groups, g)) {
            continue;
        }
        for (size_t place = 0; place < instances->n_types * instances->n_azs; place++) {
            taskfit_instance_attributes room;
            taskfit_attributes attributes = taskfit_attributes_of(deployment, g, place / instances->n_azs,
                                                                  instances->azs[place % instances->n_azs], &room);
            const taskfit_attribute running = {TASKFIT_RUNNING_TASKS, "0"};
            const taskfit_attributes counted = {.items = &running, .n_items = deployment->counts_tasks, .next = &attributes};
            const char *unknown = taskfit_query_unknown(query, &counted);
            if (unknown && strcmp(unknown, TASKFIT_RUNNING_TASKS) == 0) {
                return taskfit_fail(err, TASKFIT_E_INPUT, "a plan cannot promise the runningTasksCount of an instance (only "
                                    "simulate follows it)");
            }
            if (unknown) {
                return taskfit_fail(err, TASKFIT_E_INPUT, "a plan cannot know '%s' of an instance (add it to the attributes of "
                                    "instance group '%s')", unknown, instances->name);
            }
            bool holds = false;
            taskfit_status status = taskfit_query_holds(query, &attributes, &holds, err);
            if (status != TASKFIT_OK) {
                return status;
            }
        }
    }
    return TASKFIT_OK;
}

/* n_running < 0: any number may run there. */
static bool queries_hold(const taskfit_deployment *deployment, const taskfit_service *service, const size_t place[3],
                         int64_t n_running) {
    taskfit_instance_attributes room;
    const taskfit_attributes given = taskfit_attributes_of(deployment, place[0], place[1], place[2], &room);
    char count[24];
    (void)snprintf(count, sizeof count, "%lld", (long long)n_running);
    const taskfit_attribute running = {TASKFIT_RUNNING_TASKS, count};
    const taskfit_attributes attributes = {.items = &running, .n_items = n_running >= 0, .next = &given};
    for (size_t q = 0; q < service->n_member_of; q++) {
        bool holds = false;
        taskfit_status status = taskfit_query_holds(service->queries[q], &attributes, &holds, NULL);
        assert(status == TASKFIT_OK); /* taskfit_member_of_check */
        if (status != TASKFIT_OK || !holds) {
            return false;
        }
    }
    return true;
}

static bool permitted_alone(const taskfit_deployment *deployment, const taskfit_service *service, size_t group, size_t type,
                            size_t az) {
    assert(group < deployment->n_groups && type < deployment->groups[group].n_types && az < deployment->n_azs);
    const taskfit_instance_group *instances = &deployment->groups[group];
    const taskfit_instance_type *kind = &instances->types[type].type;
    return (service->n_groups == 0 || contains(service->groups, service->n_groups, group)) &&
           contains(instances->azs, instances->n_azs, az) &&
           (service->architecture == TASKFIT_ARCH_ANY || service->architecture == kind->architecture) &&
           queries_hold(deployment, service, (const size_t[3]){group, type, az}, -1);
}

bool taskfit_service_counts_tasks(const taskfit_service *service) {
    for (size_t q = 0; q < service->n_member_of; q++) {
        if (taskfit_query_counts_tasks(service->queries[q])) {
            return true;
        }
    }
    return false;
}

bool taskfit_service_bears_tasks(const taskfit_deployment *deployment, const taskfit_service *service, const size_t place[3],
                                 int64_t n_running) {
    assert(n_running >= 0);
    return queries_hold(deployment, service, place, n_running);
}

/* Whether a daemon stands there with which the service refuses to share an instance: daemons come first. */
static bool meets_refused_daemon(const taskfit_deployment *deployment, const taskfit_service *service, size_t group,
                                 size_t type, size_t az) {
    for (size_t q = 0; q < service->n_member_of; q++) {
        size_t n_refused = 0;
        const char *const *refused = taskfit_query_conflicts(service->queries[q], &n_refused);
        for (size_t i = 0; i < n_refused * deployment->n_daemons; i++) {
            const taskfit_service *daemon = &deployment->daemons[i / n_refused];
            if (daemon != service && strcmp(daemon->name, refused[i % n_refused]) == 0 &&
                permitted_alone(deployment, daemon, group, type, az)) {
                return true;
            }
        }
    }
    return false;
}

bool taskfit_service_permitted(const taskfit_deployment *deployment, const taskfit_service *service, size_t group,
                               size_t type, size_t az) {
    return permitted_alone(deployment, service, group, type, az) &&
           !meets_refused_daemon(deployment, service, group, type, az);
}

/* Fills what the daemons of such an instance take and which ports are gone. */
static void stand_daemons(const taskfit_deployment *deployment, const size_t place[3], taskfit_arena *arena,
                          taskfit_instance_capacity *capacity) {
    size_t *standing = TASKFIT_ARRAY(arena, deployment->n_daemons, size_t);
    size_t n_room = 2 * N_AGENT_PORTS;
    taskfit_port_mapping *ports = TASKFIT_ARRAY(arena, n_room, taskfit_port_mapping);
    size_t n_ports = 0;
    for (size_t p = 0; p < N_AGENT_PORTS; p++) {
        ports[n_ports++] = (taskfit_port_mapping){.host_port = agent_port[p], .protocol = TASKFIT_TCP};
    }
    for (size_t d = 0; d < deployment->n_daemons; d++) {
        if (!taskfit_service_permitted(deployment, &deployment->daemons[d], place[0], place[1], place[2])) {
            continue;
        }
        standing[capacity->n_daemons++] = d;
        taskfit_task_demand demand = taskfit_task_demand_of(&deployment->daemons[d], arena);
        for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
            capacity->daemons[r] += demand.amount[r];
        }
        for (size_t p = 0; p < demand.n_ports; p++) {
            TASKFIT_GROW(arena, ports, n_ports, n_room);
            ports[n_ports++] = demand.ports[p];
        }
    }
    capacity->daemon_index = standing;
    capacity->ports = ports;
    capacity->n_ports = unique_ports(ports, n_ports);
}

taskfit_instance_capacity taskfit_instance_capacity_of(const taskfit_deployment *deployment, size_t group, size_t type,
                                                       size_t az, taskfit_arena *arena) {
    assert(group < deployment->n_groups && type < deployment->groups[group].n_types);
    const taskfit_instance_group *instances = &deployment->groups[group];
    const taskfit_instance_type *kind = &instances->types[type].type;
    taskfit_instance_capacity capacity = {
        .registered_memory_mib = kind->memory_registered_mib,
        .total_cpu_units = kind->vcpu * TASKFIT_CPU_UNITS_PER_VCPU,
    };
    int64_t *amount = capacity.amount;
    amount[TASKFIT_RESOURCE_MEMORY] = capacity.registered_memory_mib - instances->reserved_memory_mib;
    amount[TASKFIT_RESOURCE_CPU] = capacity.total_cpu_units - instances->reserved_cpu_units;
    /* An unknown figure plans no awsvpc task; tasks of other modes take no slot, so it does not hinder them. */
    amount[TASKFIT_RESOURCE_ENI] = known(deployment->awsvpc_trunking ? kind->awsvpc_tasks_trunking : kind->awsvpc_tasks);
    amount[TASKFIT_RESOURCE_GPU] = kind->gpus;
    amount[TASKFIT_RESOURCE_TASKS] = instances->max_tasks >= 0 ? instances->max_tasks : TASKFIT_UNLIMITED;
    amount[TASKFIT_RESOURCE_PORTS] = RESERVED_PORTS_MAX - N_AGENT_PORTS;
    amount[TASKFIT_RESOURCE_HARD_MEMORY] = TASKFIT_UNLIMITED;
    amount[TASKFIT_RESOURCE_EXPECTED_CPU] = TASKFIT_UNLIMITED;
    amount[TASKFIT_RESOURCE_EXPECTED_MEMORY] = TASKFIT_UNLIMITED;
    stand_daemons(deployment, (const size_t[3]){group, type, az}, arena, &capacity);
    return capacity;
}
