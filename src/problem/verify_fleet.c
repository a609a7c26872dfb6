/* Rules of single instances and of instance groups. */

#include "problem/verify.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* ---- what an instance holds ---- */

static void judge_capacity(taskfit_judge *judge, const taskfit_judged_machine *machine) {
    static const struct {
        taskfit_resource resource;
        const char *what, *unit, *rule;
    } rules[] = {
        {TASKFIT_RESOURCE_MEMORY, "memory", " MiB reserved", "capacity"},
        {TASKFIT_RESOURCE_CPU, "CPU", " units reserved", "capacity"},
        {TASKFIT_RESOURCE_ENI, "ENI", " slots taken", "capacity"},
        {TASKFIT_RESOURCE_GPU, "GPU", " taken", "capacity"},
        {TASKFIT_RESOURCE_TASKS, "tasks", "", "maxTasks"},
        {TASKFIT_RESOURCE_PORTS, "host ports", " reserved", "ports"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        taskfit_resource resource = rules[i].resource;
        int64_t total = machine->held[resource];
        taskfit_judge_add(&total, machine->capacity->daemons[resource], 1);
        if (total > machine->capacity->amount[resource]) {
            taskfit_judge_tell(judge, "%s: %s %s%s of %s (rule: %s)", machine->id, rules[i].what,
                               taskfit_judge_number(judge, total), rules[i].unit,
                               taskfit_judge_number(judge, machine->capacity->amount[resource]), rules[i].rule);
        }
    }
}

/* used x 100 <= percent x base, without overflow. */
static bool within_percent(int64_t used, int64_t percent, int64_t base) {
    return used <= base * percent / 100;
}

static void judge_headroom(taskfit_judge *judge, const taskfit_judged_machine *machine) {
    const taskfit_policy *policy = &judge->deployment->policy;
    const taskfit_instance_capacity *capacity = machine->capacity;
    const struct {
        taskfit_resource resource;
        int64_t percent, base;
        const char *what, *unit;
    } rules[] = {
        {TASKFIT_RESOURCE_MEMORY, policy->headroom_memory_percent, capacity->registered_memory_mib, "memory", "MiB"},
        {TASKFIT_RESOURCE_CPU, policy->headroom_cpu_percent, capacity->total_cpu_units, "CPU", "units"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        taskfit_resource resource = rules[i].resource;
        int64_t total = machine->held[resource];
        taskfit_judge_add(&total, capacity->daemons[resource], 1);
        int64_t free_amount = capacity->amount[resource] - total;
        if (rules[i].percent > 0 && free_amount * 100 < rules[i].base * rules[i].percent) {
            taskfit_judge_tell(judge, "%s: %s %s %s free, %lld %% of %s to be kept (rule: headroom)", machine->id,
                               rules[i].what, taskfit_judge_number(judge, free_amount), rules[i].unit,
                               (long long)rules[i].percent, taskfit_judge_number(judge, rules[i].base));
        }
    }
}

static void judge_caps(taskfit_judge *judge, const taskfit_judged_machine *machine) {
    const taskfit_policy *policy = &judge->deployment->policy;
    const taskfit_instance_capacity *capacity = machine->capacity;
    const struct {
        taskfit_resource resource;
        int64_t percent, base;
        const char *what, *rule;
    } rules[] = {
        {TASKFIT_RESOURCE_HARD_MEMORY, policy->max_hard_memory_percent, capacity->registered_memory_mib,
         "MiB of hard limits", "maxHardMemoryPercent"},
        {TASKFIT_RESOURCE_EXPECTED_CPU, policy->max_expected_cpu_percent, capacity->total_cpu_units,
         "CPU units expected", "maxExpectedCpuPercent"},
        {TASKFIT_RESOURCE_EXPECTED_MEMORY, policy->max_expected_memory_percent, capacity->registered_memory_mib,
         "MiB expected", "maxExpectedMemoryPercent"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        int64_t total = machine->held[rules[i].resource];
        taskfit_judge_add(&total, capacity->daemons[rules[i].resource], 1);
        if (rules[i].percent >= 0 && !within_percent(total, rules[i].percent, rules[i].base)) {
            taskfit_judge_tell(judge, "%s: %s %s, above %lld %% of %s (rule: %s)", machine->id,
                               taskfit_judge_number(judge, total), rules[i].what, (long long)rules[i].percent,
                               taskfit_judge_number(judge, rules[i].base), rules[i].rule);
        }
    }
}

/* ---- who stands on it ---- */

static const char *name_of(const taskfit_judge *judge, size_t service) {
    return judge->deployment->services[service].name;
}

static void judge_permitted(taskfit_judge *judge, const taskfit_judged_machine *machine, size_t index) {
    const taskfit_deployment *deployment = judge->deployment;
    const taskfit_service *service = &deployment->services[index];
    if (taskfit_service_permitted(deployment, service, machine->group, machine->type, machine->az)) {
        return;
    }
    const taskfit_instance_group *group = &deployment->groups[machine->group];
    bool in_group = service->n_groups == 0;
    for (size_t i = 0; i < service->n_groups; i++) {
        in_group = in_group || service->groups[i] == machine->group;
    }
    taskfit_architecture architecture = group->types[machine->type].type.architecture;
    if (!in_group) {
        taskfit_judge_tell(judge, "%s: '%s' is not for group '%s' (rule: group)", machine->id, service->name, group->name);
    } else if (service->architecture != TASKFIT_ARCH_ANY && service->architecture != architecture) {
        taskfit_judge_tell(judge, "%s: '%s' is for %s, the instance is %s (rule: architecture)", machine->id, service->name,
                           taskfit_architecture_name(service->architecture), taskfit_architecture_name(architecture));
    } else {
        taskfit_judge_tell(judge, "%s: '%s' may not stand on it by its placement constraints (rule: memberOf)", machine->id,
                           service->name);
    }
}

typedef struct port_use {
    taskfit_port_mapping port;
    size_t service;
    int64_t count;
} port_use;

static int by_port(const void *a, const void *b) {
    const port_use *left = a;
    const port_use *right = b;
    if (left->port.protocol != right->port.protocol) {
        return left->port.protocol < right->port.protocol ? -1 : 1;
    }
    if (left->port.host_port != right->port.host_port) {
        return left->port.host_port < right->port.host_port ? -1 : 1;
    }
    return (left->service > right->service) - (left->service < right->service);
}

static const char *port_text(taskfit_judge *judge, const taskfit_port_mapping *port) {
    return taskfit_arena_printf(judge->arena, "%s/%lld", port->protocol == TASKFIT_UDP ? "udp" : "tcp",
                                (long long)port->host_port);
}

/* Two tasks, of the same service or of two, want one port. */
static void judge_port_uses(taskfit_judge *judge, const taskfit_judged_machine *machine, port_use *uses, size_t n_uses) {
    if (n_uses > 0) {
        qsort(uses, n_uses, sizeof *uses, by_port);
    }
    for (size_t i = 0; i < n_uses; i++) {
        const port_use *use = &uses[i];
        const char *port = port_text(judge, &use->port);
        if (use->count > 1) {
            taskfit_judge_tell(judge, "%s: %s is wanted by %s tasks of '%s' (rule: ports)", machine->id, port,
                               taskfit_judge_number(judge, use->count), name_of(judge, use->service));
        }
        bool same = i > 0 && uses[i - 1].port.protocol == use->port.protocol &&
                    uses[i - 1].port.host_port == use->port.host_port;
        if (same) {
            taskfit_judge_tell(judge, "%s: %s is wanted by '%s' and '%s' (rule: ports)", machine->id, port,
                               name_of(judge, uses[i - 1].service), name_of(judge, use->service));
        }
    }
}

static void judge_ports(taskfit_judge *judge, const taskfit_judged_machine *machine) {
    port_use *uses = NULL;
    size_t n_uses = 0;
    size_t n_room = 0;
    for (size_t i = 0; i < machine->n_tasks; i++) {
        const taskfit_judged_task *task = &machine->tasks[i];
        const taskfit_task_demand *demand = &judge->demands[task->service];
        for (size_t p = 0; p < demand->n_ports; p++) {
            TASKFIT_GROW(judge->arena, uses, n_uses, n_room);
            uses[n_uses++] = (port_use){demand->ports[p], task->service, task->count};
        }
        if (taskfit_judge_port_taken(machine->capacity, demand)) {
            taskfit_judge_tell(judge, "%s: a host port of '%s' is taken by the agent or a daemon (rule: ports)", machine->id,
                               name_of(judge, task->service));
        }
    }
    judge_port_uses(judge, machine, uses, n_uses);
}

bool taskfit_judge_matches(const char *const *globs, const char *name) {
    for (; *globs; globs++) {
        if (fnmatch(*globs, name, 0) == 0) {
            return true;
        }
    }
    return false;
}

static void judge_anti_affinity(taskfit_judge *judge, const taskfit_judged_machine *machine) {
    const taskfit_policy *policy = &judge->deployment->policy;
    for (size_t list = 0; list < policy->n_anti_affinity; list++) {
        const char *first = NULL;
        for (size_t i = 0; i < machine->n_tasks; i++) {
            const char *name = name_of(judge, machine->tasks[i].service);
            if (!taskfit_judge_matches(policy->anti_affinity[list], name)) {
                continue;
            }
            if (first) {
                taskfit_judge_tell(judge, "%s: '%s' and '%s' stand together (rule: antiAffinity)", machine->id, first, name);
            }
            first = first ? first : name;
        }
    }
}

static bool holds_service(const taskfit_judge *judge, const taskfit_judged_machine *machine, size_t self, const char *name) {
    for (size_t i = 0; i < machine->n_tasks; i++) {
        const taskfit_judged_task *task = &machine->tasks[i];
        if (strcmp(name_of(judge, task->service), name) == 0 && (task->service != self || task->count > 1)) {
            return true;
        }
    }
    for (size_t i = 0; i < machine->capacity->n_daemons; i++) {
        if (strcmp(judge->deployment->daemons[machine->capacity->daemon_index[i]].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* not(task:group == service:X) of a service's memberOf */
static void judge_conflicts(taskfit_judge *judge, const taskfit_judged_machine *machine, size_t index) {
    const taskfit_service *service = &judge->deployment->services[index];
    for (size_t q = 0; q < service->n_member_of; q++) {
        size_t n_names = 0;
        const char *const *names = taskfit_query_conflicts(service->queries[q], &n_names);
        for (size_t i = 0; i < n_names; i++) {
            if (holds_service(judge, machine, index, names[i])) {
                taskfit_judge_tell(judge, "%s: '%s' stands with '%s', which its placement constraints forbid (rule: memberOf)",
                                   machine->id, service->name, names[i]);
            }
        }
    }
}

static void judge_machine(taskfit_judge *judge, const taskfit_judged_machine *machine) {
    judge_capacity(judge, machine);
    judge_ports(judge, machine);
    for (size_t i = 0; i < machine->n_tasks; i++) {
        const taskfit_judged_task *task = &machine->tasks[i];
        judge_permitted(judge, machine, task->service);
        judge_conflicts(judge, machine, task->service);
        if (judge->deployment->services[task->service].distinct_instance && task->count > 1) {
            taskfit_judge_tell(judge, "%s: %s tasks of '%s' (rule: distinctInstance)", machine->id,
                               taskfit_judge_number(judge, task->count), name_of(judge, task->service));
        }
    }
    if (judge->limits_in_force) {
        judge_headroom(judge, machine);
        judge_caps(judge, machine);
        judge_anti_affinity(judge, machine);
    }
}

void taskfit_judge_machines(taskfit_judge *judge) {
    for (size_t i = 0; i < judge->n_machines; i++) {
        if (judge->machines[i].located) {
            judge_machine(judge, &judge->machines[i]);
        }
    }
}

/* ---- groups ---- */

static void judge_types(taskfit_judge *judge, const taskfit_instance_group *group, const int64_t *n_of_type) {
    const char *first = NULL;
    for (size_t type = 0; type < group->n_types; type++) {
        const char *name = group->types[type].type.name;
        int64_t stock = group->types[type].stock;
        if (stock >= 0 && n_of_type[type] > stock) {
            taskfit_judge_tell(judge, "group %s: %s instances of %s of a stock of %s (rule: stock)", group->name,
                               taskfit_judge_number(judge, n_of_type[type]), name, taskfit_judge_number(judge, stock));
        }
        if (n_of_type[type] > 0 && first && !group->mixed) {
            taskfit_judge_tell(judge, "group %s: both %s and %s (rule: mixed)", group->name, first, name);
        }
        first = first || n_of_type[type] == 0 ? first : name;
    }
}

/* Auto Scaling keeps a group's AZs within one instance of each other. */
static void judge_balance(taskfit_judge *judge, const taskfit_instance_group *group, const int64_t *n_in_az) {
    size_t most = group->azs[0];
    size_t fewest = group->azs[0];
    for (size_t i = 1; i < group->n_azs; i++) {
        most = n_in_az[group->azs[i]] > n_in_az[most] ? group->azs[i] : most;
        fewest = n_in_az[group->azs[i]] < n_in_az[fewest] ? group->azs[i] : fewest;
    }
    if (n_in_az[most] - n_in_az[fewest] > 1) {
        taskfit_judge_tell(judge, "group %s: %s instances in %s, %s in %s (rule: balance over availability zones)", group->name,
                           taskfit_judge_number(judge, n_in_az[most]), judge->deployment->azs[most],
                           taskfit_judge_number(judge, n_in_az[fewest]), judge->deployment->azs[fewest]);
    }
}

static void judge_group(taskfit_judge *judge, size_t index) {
    const taskfit_instance_group *group = &judge->deployment->groups[index];
    int64_t *n_of_type = TASKFIT_ARRAY(judge->arena, group->n_types, int64_t);
    int64_t *n_in_az = TASKFIT_ARRAY(judge->arena, judge->deployment->n_azs, int64_t);
    int64_t n = 0;
    for (size_t i = 0; i < judge->n_machines; i++) {
        const taskfit_judged_machine *machine = &judge->machines[i];
        if (machine->located && machine->group == index) {
            n++;
            n_of_type[machine->type]++;
            n_in_az[machine->az]++;
        }
    }
    if (n < group->min_instances) {
        taskfit_judge_tell(judge, "group %s: %s instances, at least %s (rule: min)", group->name, taskfit_judge_number(judge, n),
                           taskfit_judge_number(judge, group->min_instances));
    }
    if (n > group->max_instances) {
        taskfit_judge_tell(judge, "group %s: %s instances, at most %s (rule: max)", group->name, taskfit_judge_number(judge, n),
                           taskfit_judge_number(judge, group->max_instances));
    }
    judge_types(judge, group, n_of_type);
    judge_balance(judge, group, n_in_az);
}

void taskfit_judge_groups(taskfit_judge *judge) {
    for (size_t group = 0; group < judge->deployment->n_groups; group++) {
        judge_group(judge, group);
    }
}
