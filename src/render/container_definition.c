#include "render/container_definition.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "render/java_options.h"
#include "render/nodes.h"

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

void taskfit_quote_scalars(taskfit_node *node) {
    switch (node->kind) {
    case TASKFIT_NODE_SCALAR: node->quoted = true; break;
    case TASKFIT_NODE_LIST:
        for (size_t item = 0; item < node->n; item++) {
            taskfit_quote_scalars(node->items[item]);
        }
        break;
    case TASKFIT_NODE_MAP:
        for (size_t entry = 0; entry < node->n; entry++) {
            taskfit_quote_scalars(node->entries[entry].value);
        }
        break;
    }
}

static bool takes_only_strings(const char *key) {
    static const char *const own[] = {"name", "image", "environment"};
    for (size_t row = 0; row < sizeof own / sizeof own[0]; row++) {
        if (strcmp(own[row], key) == 0) {
            return true;
        }
    }
    for (size_t row = 0; row < sizeof passed / sizeof passed[0]; row++) {
        if (strcmp(passed[row].key, key) == 0) {
            return passed[row].only_strings;
        }
    }
    return false;
}

void taskfit_quote_container_strings(taskfit_node *container) {
    for (size_t entry = 0; entry < container->n; entry++) {
        if (takes_only_strings(container->entries[entry].key)) {
            taskfit_quote_scalars(container->entries[entry].value);
        }
    }
}

void taskfit_pass_container_keys(taskfit_arena *arena, taskfit_node *body, const taskfit_node *given) {
    for (size_t row = 0; row < sizeof passed / sizeof passed[0]; row++) {
        const taskfit_node *value = taskfit_node_get(given, passed[row].key);
        if (value == NULL || taskfit_node_is_null(value)) {
            continue;
        }
        taskfit_node *copy = taskfit_node_copy(arena, value);
        if (passed[row].only_strings) {
            taskfit_quote_scalars(copy);
        }
        taskfit_node_set(arena, body, passed[row].key, copy);
    }
}

static void pass_string(taskfit_arena *arena, taskfit_node *map, const char *key, const taskfit_node *given) {
    const taskfit_node *value = taskfit_node_get(given, key);
    if (value != NULL && value->kind == TASKFIT_NODE_SCALAR && !taskfit_node_is_null(value)) {
        taskfit_set_string(arena, map, key, value->text);
    }
}

void taskfit_set_port_mapping(taskfit_arena *arena, taskfit_node *item, const taskfit_port_mapping *mapping,
                              const taskfit_node *given) {
    taskfit_set_quantity(arena, item, "containerPort", mapping->container_port);
    if (mapping->host_port > 0) { /* absent is dynamic in bridge mode and right in every other */
        taskfit_set_quantity(arena, item, "hostPort", mapping->host_port);
    }
    taskfit_set_string(arena, item, "protocol", mapping->protocol == TASKFIT_UDP ? "udp" : "tcp");
    pass_string(arena, item, "name", given);
    pass_string(arena, item, "appProtocol", given);
}

static taskfit_node *port_mappings(taskfit_arena *arena, const taskfit_container *container) {
    const taskfit_node *given = taskfit_node_get(container->node, "portMappings");
    taskfit_node *list = taskfit_node_list(arena);
    assert(container->n_port_mappings == 0 || given->n == container->n_port_mappings);
    for (size_t index = 0; index < container->n_port_mappings; index++) {
        taskfit_node *item = taskfit_node_map(arena);
        taskfit_set_port_mapping(arena, item, &container->port_mappings[index], given->items[index]);
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
        taskfit_set_string(arena, item, "name", variables[index].name);
        taskfit_set_string(arena, item, "value", variables[index].value);
        taskfit_node_append(arena, list, item);
    }
    return list;
}

taskfit_node *taskfit_container_definition_tree(const taskfit_container *container, taskfit_arena *arena) {
    taskfit_node *body = taskfit_node_map(arena);
    assert(container->image != NULL);
    taskfit_set_string(arena, body, "name", container->name);
    taskfit_set_string(arena, body, "image", container->image);
    taskfit_set_quantity(arena, body, "cpu", container->cpu_units);
    taskfit_set_quantity(arena, body, "memory", container->memory_mib);
    taskfit_set_quantity(arena, body, "memoryReservation", container->memory_reservation_mib);
    taskfit_node_set(arena, body, "essential", taskfit_node_bool(arena, container->essential));
    taskfit_set_unless_empty(arena, body, "portMappings", port_mappings(arena, container));
    taskfit_set_unless_empty(arena, body, "environment", environment(arena, container));
    taskfit_pass_container_keys(arena, body, container->node);
    return body;
}
