#include "render/task_definition.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "render/java_options.h"

/*
 * Container keys of RegisterTaskDefinition that pass through unread, sorted: API model of Amazon ECS, API
 * version 2014-11-13 (botocore 1.43.11, 2026). In those of only strings a number such as `value: 1` is quoted,
 * since AWS refuses it otherwise.
 */
static const struct {
    const char *key;
    bool only_strings;
} passed[] = {
    {"command", true},
    {"credentialSpecs", true},
    {"dependsOn", true},
    {"disableNetworking", false},
    {"dnsSearchDomains", true},
    {"dnsServers", true},
    {"dockerLabels", true},
    {"dockerSecurityOptions", true},
    {"entryPoint", true},
    {"environmentFiles", true},
    {"extraHosts", true},
    {"firelensConfiguration", true},
    {"healthCheck", false},
    {"hostname", true},
    {"interactive", false},
    {"links", true},
    {"linuxParameters", false},
    {"logConfiguration", true},
    {"mountPoints", false},
    {"privileged", false},
    {"pseudoTerminal", false},
    {"readonlyRootFilesystem", false},
    {"repositoryCredentials", true},
    {"resourceRequirements", true},
    {"restartPolicy", false},
    {"secrets", true},
    {"startTimeout", false},
    {"stopTimeout", false},
    {"systemControls", true},
    {"ulimits", false},
    {"user", true},
    {"versionConsistency", true},
    {"volumesFrom", false},
    {"workingDirectory", true},
};

static void set_string(taskfit_arena *arena, taskfit_node *map, const char *key, const char *text) {
    taskfit_node_set(arena, map, key, taskfit_node_string(arena, text));
}

static void set_quantity(taskfit_arena *arena, taskfit_node *map, const char *key, int64_t value) {
    if (value >= 0) {
        taskfit_node_set(arena, map, key, taskfit_node_int(arena, value));
    }
}

/* AWS takes task-level CPU and memory as strings. */
static void set_quantity_text(taskfit_arena *arena, taskfit_node *map, const char *key, int64_t value) {
    if (value >= 0) {
        set_string(arena, map, key, taskfit_arena_printf(arena, "%lld", (long long)value));
    }
}

static void set_unless_empty(taskfit_arena *arena, taskfit_node *map, const char *key, taskfit_node *list) {
    if (list->n > 0) {
        taskfit_node_set(arena, map, key, list);
    }
}

static void quote_scalars(taskfit_node *node) {
    switch (node->kind) {
    case TASKFIT_NODE_SCALAR: node->quoted = true; break;
    case TASKFIT_NODE_LIST:
        for (size_t item = 0; item < node->n; item++) {
            quote_scalars(node->items[item]);
        }
        break;
    case TASKFIT_NODE_MAP:
        for (size_t entry = 0; entry < node->n; entry++) {
            quote_scalars(node->entries[entry].value);
        }
        break;
    }
}

static void pass_keys(taskfit_arena *arena, taskfit_node *body, const taskfit_node *given) {
    for (size_t row = 0; row < sizeof passed / sizeof passed[0]; row++) {
        const taskfit_node *value = taskfit_node_get(given, passed[row].key);
        if (value == NULL || taskfit_node_is_null(value)) {
            continue;
        }
        taskfit_node *copy = taskfit_node_copy(arena, value);
        if (passed[row].only_strings) {
            quote_scalars(copy);
        }
        taskfit_node_set(arena, body, passed[row].key, copy);
    }
}

static void pass_string(taskfit_arena *arena, taskfit_node *map, const char *key, const taskfit_node *given) {
    const taskfit_node *value = taskfit_node_get(given, key);
    if (value != NULL && value->kind == TASKFIT_NODE_SCALAR && !taskfit_node_is_null(value)) {
        set_string(arena, map, key, value->text);
    }
}

static taskfit_node *port_mappings(taskfit_arena *arena, const taskfit_container *container) {
    const taskfit_node *given = taskfit_node_get(container->node, "portMappings");
    taskfit_node *list = taskfit_node_list(arena);
    assert(container->n_port_mappings == 0 || given->n == container->n_port_mappings);
    for (size_t index = 0; index < container->n_port_mappings; index++) {
        const taskfit_port_mapping *mapping = &container->port_mappings[index];
        taskfit_node *item = taskfit_node_map(arena);
        set_quantity(arena, item, "containerPort", mapping->container_port);
        if (mapping->host_port > 0) { /* absent is dynamic in bridge mode and right in every other */
            set_quantity(arena, item, "hostPort", mapping->host_port);
        }
        set_string(arena, item, "protocol", mapping->protocol == TASKFIT_UDP ? "udp" : "tcp");
        pass_string(arena, item, "name", given->items[index]);
        pass_string(arena, item, "appProtocol", given->items[index]);
        taskfit_node_append(arena, list, item);
    }
    return list;
}

typedef struct variable {
    const char *name, *value;
    size_t index; /* of two with one name Docker takes the last: they stay in order */
} variable;

static int compare_variables(const void *left, const void *right) {
    const variable *a = left, *b = right;
    const int by_name = strcmp(a->name, b->name);
    return by_name != 0 ? by_name : (a->index > b->index) - (a->index < b->index);
}

static taskfit_node *environment(taskfit_arena *arena, const taskfit_container *container) {
    static const char java_options[] = "JAVA_OPTIONS";
    TASKFIT_STRBUF(composed);
    variable *variables = TASKFIT_ARRAY(arena, container->n_environment + 1, variable);
    size_t n_variables = 0;
    const char *given = NULL;
    for (size_t index = 0; index < container->n_environment; index++) {
        const taskfit_environment *entry = &container->environment[index];
        if (container->jvm.present && strcmp(entry->name, java_options) == 0) {
            given = entry->value;
        } else {
            variables[n_variables++] = (variable){entry->name, entry->value, index};
        }
    }
    if (container->jvm.present) {
        taskfit_java_options_compose(&container->jvm, given, &composed);
        if (composed.len > 0) {
            variables[n_variables++] = (variable){java_options, composed.data, container->n_environment};
        }
    }
    qsort(variables, n_variables, sizeof *variables, compare_variables);
    taskfit_node *list = taskfit_node_list(arena);
    for (size_t index = 0; index < n_variables; index++) {
        taskfit_node *item = taskfit_node_map(arena);
        set_string(arena, item, "name", variables[index].name);
        set_string(arena, item, "value", variables[index].value);
        taskfit_node_append(arena, list, item);
    }
    return list;
}

static taskfit_node *container_definition(taskfit_arena *arena, const taskfit_container *container) {
    taskfit_node *body = taskfit_node_map(arena);
    assert(container->image != NULL);
    set_string(arena, body, "name", container->name);
    set_string(arena, body, "image", container->image);
    set_quantity(arena, body, "cpu", container->cpu_units);
    set_quantity(arena, body, "memory", container->memory_mib);
    set_quantity(arena, body, "memoryReservation", container->memory_reservation_mib);
    taskfit_node_set(arena, body, "essential", taskfit_node_bool(arena, container->essential));
    set_unless_empty(arena, body, "portMappings", port_mappings(arena, container));
    set_unless_empty(arena, body, "environment", environment(arena, container));
    pass_keys(arena, body, container->node);
    return body;
}

static void add_member_of(taskfit_arena *arena, taskfit_node *list, const char *const *expressions,
                          size_t n_expressions) {
    for (size_t index = 0; index < n_expressions; index++) {
        taskfit_node *item = taskfit_node_map(arena);
        set_string(arena, item, "type", "memberOf");
        set_string(arena, item, "expression", expressions[index]);
        taskfit_node_append(arena, list, item);
    }
}

taskfit_node *taskfit_task_definition_tree(const taskfit_service *service, taskfit_expressions apart,
                                           taskfit_arena *arena) {
    taskfit_node *root = taskfit_node_map(arena);
    set_string(arena, root, "family", service->family);
    set_string(arena, root, "networkMode", taskfit_network_mode_name(service->network_mode));
    set_quantity_text(arena, root, "cpu", service->task_cpu_units);
    set_quantity_text(arena, root, "memory", service->task_memory_mib);
    taskfit_node *compatibilities = taskfit_node_list(arena);
    taskfit_node_append(arena, compatibilities, taskfit_node_string(arena, "EC2"));
    taskfit_node_set(arena, root, "requiresCompatibilities", compatibilities);
    if (service->architecture != TASKFIT_ARCH_ANY) {
        taskfit_node *platform = taskfit_node_map(arena);
        set_string(arena, platform, "cpuArchitecture",
                   service->architecture == TASKFIT_ARCH_ARM64 ? "ARM64" : "X86_64");
        taskfit_node_set(arena, root, "runtimePlatform", platform);
    }
    taskfit_node *containers = taskfit_node_list(arena);
    for (size_t index = 0; index < service->n_containers; index++) {
        taskfit_node_append(arena, containers, container_definition(arena, &service->containers[index]));
    }
    taskfit_node_set(arena, root, "containerDefinitions", containers);
    taskfit_node *constraints = taskfit_node_list(arena);
    add_member_of(arena, constraints, service->member_of, service->n_member_of);
    add_member_of(arena, constraints, apart.texts, apart.n);
    set_unless_empty(arena, root, "placementConstraints", constraints);
    return root;
}
