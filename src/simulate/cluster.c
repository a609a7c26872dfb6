#include "simulate/cluster.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "deployment/conflict.h"

enum { CELLS_MAX = 1 << 28 /* services times instances: a GiB */ };

/*
 * Everything that does not change is worked out once: demands, capacities after daemons, who may stand where. Alike
 * machines (same group, type and AZ) share a *site*, so that a thousand orders on fifty thousand machines ask
 * memberOf only once for each.
 */

typedef struct site {
    size_t group, type, az;
    int64_t capacity[TASKFIT_PLACED_RESOURCES]; /* less daemons */
    size_t n_daemons;
} site;

struct taskfit_cluster {
    const taskfit_deployment *deployment;
    const taskfit_fleet *fleet;
    size_t n_services, n_machines, n_ports;
    site *sites;
    size_t n_sites;
    size_t *site_of; /* [n_machines] */
    const taskfit_task_demand *demands; /* [n_services] */
    bool *permitted;                    /* [n_services * n_sites] */
    size_t **service_ports;             /* [n_services][demand.n_ports] */
    const taskfit_conflicts *conflicts; /* [n_services] */
    bool *counts_tasks;                 /* [n_services] its memberOf asks for runningTasksCount */
    bool *active;                       /* [n_machines] */
    int64_t *n_running;                 /* [n_machines] tasks, daemons included */
    int64_t *free;                      /* [n_machines * TASKFIT_PLACED_RESOURCES] */
    int32_t *tasks;                     /* [n_services * n_machines] */
    int32_t *az_tasks;                  /* [n_services * n_azs] */
    bool *port_taken;                   /* [n_machines * n_ports] */
};

/* ---- making ---- */

static void make_sites(taskfit_cluster *c, taskfit_arena *arena) {
    c->sites = TASKFIT_ARRAY(arena, c->n_machines, site);
    c->site_of = TASKFIT_ARRAY(arena, c->n_machines, size_t);
    for (size_t m = 0; m < c->n_machines; m++) {
        const taskfit_machine *machine = &c->fleet->machines[m];
        size_t s = c->n_sites;
        while (s > 0 && (c->sites[s - 1].group != machine->group || c->sites[s - 1].type != machine->type ||
                         c->sites[s - 1].az != machine->az)) {
            s--;
        }
        if (s == 0) {
            site *fresh = &c->sites[c->n_sites++];
            *fresh = (site){.group = machine->group, .type = machine->type, .az = machine->az};
            s = c->n_sites;
        }
        c->site_of[m] = s - 1;
    }
}

/* Numbers the host ports that services want. */
static taskfit_port_mapping *number_ports(taskfit_cluster *c, taskfit_arena *arena) {
    size_t n = 0;
    for (size_t s = 0; s < c->n_services; s++) {
        n += c->demands[s].n_ports;
    }
    taskfit_port_mapping *ports = TASKFIT_ARRAY(arena, n, taskfit_port_mapping);
    n = 0;
    for (size_t s = 0; s < c->n_services; s++) {
        for (size_t p = 0; p < c->demands[s].n_ports; p++) {
            ports[n++] = c->demands[s].ports[p];
        }
    }
    if (n > 0) {
        qsort(ports, n, sizeof *ports, taskfit_port_compare);
    }
    for (size_t p = 0; p < n; p++) {
        if (c->n_ports == 0 || taskfit_port_compare(&ports[c->n_ports - 1], &ports[p]) != 0) {
            ports[c->n_ports++] = ports[p];
        }
    }
    c->service_ports = TASKFIT_ARRAY(arena, c->n_services, size_t *);
    for (size_t s = 0; s < c->n_services; s++) {
        c->service_ports[s] = TASKFIT_ARRAY(arena, c->demands[s].n_ports, size_t);
        for (size_t p = 0; p < c->demands[s].n_ports; p++) {
            const taskfit_port_mapping *found =
                bsearch(&c->demands[s].ports[p], ports, c->n_ports, sizeof *ports, taskfit_port_compare);
            assert(found);
            c->service_ports[s][p] = (size_t)(found - ports);
        }
    }
    return ports;
}

/* A host port of the agent or of a daemon never comes free, so it is part of the permission. */
static bool port_free_at(const taskfit_task_demand *demand, const taskfit_instance_capacity *given) {
    for (size_t p = 0; p < demand->n_ports; p++) {
        if (given->n_ports > 0 && bsearch(&demand->ports[p], given->ports, given->n_ports, sizeof *given->ports, taskfit_port_compare)) {
            return false;
        }
    }
    return true;
}

static void measure_sites(taskfit_cluster *c, taskfit_arena *arena) {
    c->permitted = TASKFIT_ARRAY(arena, c->n_services * c->n_sites, bool);
    for (size_t i = 0; i < c->n_sites; i++) {
        site *at = &c->sites[i];
        const taskfit_instance_capacity given = taskfit_instance_capacity_of(c->deployment, at->group, at->type, at->az, arena);
        at->n_daemons = given.n_daemons;
        for (size_t r = 0; r < TASKFIT_PLACED_RESOURCES; r++) {
            at->capacity[r] = given.amount[r] - given.daemons[r];
        }
        for (size_t s = 0; s < c->n_services; s++) {
            c->permitted[s * c->n_sites + i] =
                taskfit_service_permitted(c->deployment, &c->deployment->services[s], at->group, at->type, at->az) &&
                port_free_at(&c->demands[s], &given);
        }
    }
}

taskfit_status taskfit_cluster_check(const taskfit_deployment *deployment, const taskfit_fleet *fleet, taskfit_error *err) {
    if (fleet->n_machines > 0 && deployment->n_services > CELLS_MAX / fleet->n_machines) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "%zu services on %zu instances are too many to simulate", deployment->n_services,
                            fleet->n_machines);
    }
    return TASKFIT_OK;
}

taskfit_cluster *taskfit_cluster_new(taskfit_arena *arena, const taskfit_deployment *deployment, const taskfit_fleet *fleet) {
    taskfit_cluster *c = TASKFIT_NEW(arena, taskfit_cluster);
    c->deployment = deployment;
    c->fleet = fleet;
    c->n_services = deployment->n_services;
    c->n_machines = fleet->n_machines;
    taskfit_task_demand *demands = TASKFIT_ARRAY(arena, c->n_services, taskfit_task_demand);
    c->counts_tasks = TASKFIT_ARRAY(arena, c->n_services, bool);
    for (size_t s = 0; s < c->n_services; s++) {
        demands[s] = taskfit_task_demand_of(&deployment->services[s], arena);
        c->counts_tasks[s] = taskfit_service_counts_tasks(&deployment->services[s]);
    }
    c->demands = demands;
    c->conflicts = taskfit_conflicts_placing(deployment, true, arena);
    make_sites(c, arena);
    (void)number_ports(c, arena);
    measure_sites(c, arena);
    c->active = TASKFIT_ARRAY(arena, c->n_machines, bool);
    c->n_running = TASKFIT_ARRAY(arena, c->n_machines, int64_t);
    c->free = TASKFIT_ARRAY(arena, c->n_machines * TASKFIT_PLACED_RESOURCES, int64_t);
    c->tasks = TASKFIT_ARRAY(arena, c->n_services * c->n_machines, int32_t);
    c->az_tasks = TASKFIT_ARRAY(arena, c->n_services * deployment->n_azs, int32_t);
    c->port_taken = TASKFIT_ARRAY(arena, c->n_machines * c->n_ports, bool);
    taskfit_cluster_clear(c);
    return c;
}

void taskfit_cluster_clear(taskfit_cluster *c) {
    for (size_t m = 0; m < c->n_machines; m++) {
        c->active[m] = true;
        c->n_running[m] = (int64_t)c->sites[c->site_of[m]].n_daemons;
        memcpy(&c->free[m * TASKFIT_PLACED_RESOURCES], c->sites[c->site_of[m]].capacity, sizeof c->sites->capacity);
    }
    memset(c->az_tasks, 0, c->n_services * c->deployment->n_azs * sizeof *c->az_tasks);
    if (c->n_machines > 0) {
        memset(c->tasks, 0, c->n_services * c->n_machines * sizeof *c->tasks);
        memset(c->port_taken, 0, c->n_machines * c->n_ports * sizeof *c->port_taken);
    }
}

void taskfit_cluster_fill(taskfit_cluster *c) {
    for (size_t m = 0; m < c->n_machines; m++) {
        const taskfit_machine *machine = &c->fleet->machines[m];
        for (size_t t = 0; t < machine->n_tasks; t++) {
            for (int64_t i = 0; i < machine->tasks[t].count; i++) {
                taskfit_cluster_add(c, machine->tasks[t].service, m);
            }
        }
    }
}

/* ---- looking ---- */

size_t taskfit_cluster_machines(const taskfit_cluster *c) {
    return c->n_machines;
}

const taskfit_deployment *taskfit_cluster_deployment(const taskfit_cluster *c) {
    return c->deployment;
}

const taskfit_fleet *taskfit_cluster_fleet(const taskfit_cluster *c) {
    return c->fleet;
}

bool taskfit_cluster_active(const taskfit_cluster *c, size_t machine) {
    return c->active[machine];
}

void taskfit_cluster_set_active(taskfit_cluster *c, size_t machine, bool active) {
    c->active[machine] = active;
}

int64_t taskfit_cluster_tasks(const taskfit_cluster *c, size_t service, size_t machine) {
    return c->tasks[service * c->n_machines + machine];
}

int64_t taskfit_cluster_running(const taskfit_cluster *c, size_t service) {
    int64_t tasks = 0;
    for (size_t az = 0; az < c->deployment->n_azs; az++) {
        tasks += taskfit_cluster_az_tasks(c, service, az);
    }
    return tasks;
}

int64_t taskfit_cluster_az_tasks(const taskfit_cluster *c, size_t service, size_t az) {
    return c->az_tasks[service * c->deployment->n_azs + az];
}

bool taskfit_cluster_permitted(const taskfit_cluster *c, size_t service, size_t machine) {
    return c->permitted[service * c->n_sites + c->site_of[machine]];
}

int64_t taskfit_cluster_free(const taskfit_cluster *c, size_t machine, taskfit_resource resource) {
    assert((size_t)resource < TASKFIT_PLACED_RESOURCES);
    return c->free[machine * TASKFIT_PLACED_RESOURCES + (size_t)resource];
}

int64_t taskfit_cluster_demand(const taskfit_cluster *c, size_t service, taskfit_resource resource) {
    return c->demands[service].amount[resource];
}

static const taskfit_obstacle resource_obstacle[TASKFIT_PLACED_RESOURCES] = {
    [TASKFIT_RESOURCE_MEMORY] = TASKFIT_OBSTACLE_MEMORY, [TASKFIT_RESOURCE_CPU] = TASKFIT_OBSTACLE_CPU,
    [TASKFIT_RESOURCE_ENI] = TASKFIT_OBSTACLE_ENI,       [TASKFIT_RESOURCE_GPU] = TASKFIT_OBSTACLE_GPU,
    [TASKFIT_RESOURCE_TASKS] = TASKFIT_OBSTACLE_TASKS,   [TASKFIT_RESOURCE_PORTS] = TASKFIT_OBSTACLE_PORTS,
};

size_t taskfit_cluster_conflict(const taskfit_cluster *c, size_t service, size_t machine) {
    for (size_t i = 0; i < c->conflicts[service].n; i++) {
        if (c->tasks[c->conflicts[service].services[i] * c->n_machines + machine] > 0) {
            return c->conflicts[service].services[i];
        }
    }
    return SIZE_MAX;
}

taskfit_obstacle taskfit_cluster_obstacle(const taskfit_cluster *c, size_t service, size_t machine) {
    if (!c->active[machine]) {
        return TASKFIT_OBSTACLE_INACTIVE;
    }
    const int64_t *free = &c->free[machine * TASKFIT_PLACED_RESOURCES];
    const taskfit_task_demand *demand = &c->demands[service];
    for (size_t r = 0; r < TASKFIT_PLACED_RESOURCES; r++) {
        if (demand->amount[r] > 0 && demand->amount[r] > free[r]) {
            return resource_obstacle[r];
        }
    }
    for (size_t p = 0; p < demand->n_ports; p++) {
        if (c->port_taken[machine * c->n_ports + c->service_ports[service][p]]) {
            return TASKFIT_OBSTACLE_PORTS;
        }
    }
    if (!c->permitted[service * c->n_sites + c->site_of[machine]]) {
        return TASKFIT_OBSTACLE_PERMISSION;
    }
    const site *at = &c->sites[c->site_of[machine]];
    if (c->counts_tasks[service] &&
        !taskfit_service_bears_tasks(c->deployment, &c->deployment->services[service], (const size_t[3]){at->group, at->type, at->az},
                                     c->n_running[machine])) {
        return TASKFIT_OBSTACLE_RUNNING;
    }
    if (c->deployment->services[service].distinct_instance && c->tasks[service * c->n_machines + machine] > 0) {
        return TASKFIT_OBSTACLE_DISTINCT;
    }
    return taskfit_cluster_conflict(c, service, machine) != SIZE_MAX ? TASKFIT_OBSTACLE_CONFLICT : TASKFIT_OBSTACLE_NONE;
}

/* ---- changing ---- */

static void change(taskfit_cluster *c, size_t service, size_t machine, int64_t tasks) {
    const taskfit_task_demand *demand = &c->demands[service];
    for (size_t r = 0; r < TASKFIT_PLACED_RESOURCES; r++) {
        int64_t *free = &c->free[machine * TASKFIT_PLACED_RESOURCES + r];
        *free -= tasks * demand->amount[r];
        assert(tasks < 0 || demand->amount[r] == 0 || *free >= 0);
    }
    for (size_t p = 0; p < demand->n_ports; p++) {
        c->port_taken[machine * c->n_ports + c->service_ports[service][p]] = tasks > 0;
    }
    c->tasks[service * c->n_machines + machine] += (int32_t)tasks;
    c->n_running[machine] += tasks;
    assert(c->tasks[service * c->n_machines + machine] >= 0);
    c->az_tasks[service * c->deployment->n_azs + c->fleet->machines[machine].az] += (int32_t)tasks;
}

void taskfit_cluster_add(taskfit_cluster *c, size_t service, size_t machine) {
    change(c, service, machine, 1);
}

void taskfit_cluster_remove(taskfit_cluster *c, size_t service, size_t machine) {
    change(c, service, machine, -1);
}
