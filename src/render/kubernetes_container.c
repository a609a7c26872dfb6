#include "render/kubernetes_container.h"

#include <string.h>

#include "render/nodes.h"

const char *const taskfit_kubernetes_container_keys[] = {
    "name",        "image",      "cpu",     "memory",           "memoryReservation",    "essential", "portMappings",
    "environment", "entryPoint", "command", "workingDirectory", "resourceRequirements", NULL};

/* Kubernetes replaces $(NAME) by a variable; $$ is one dollar. */
static taskfit_node *escaped(taskfit_arena *arena, const char *text) {
    TASKFIT_STRBUF(out);
    for (; *text != '\0'; text++) {
        taskfit_strbuf_adds(&out, text[0] == '$' && (text[1] == '(' || text[1] == '$') ? "$" : "");
        taskfit_strbuf_addc(&out, *text);
    }
    return taskfit_node_string(arena, out.data);
}

static void set_texts(taskfit_arena *arena, taskfit_node *container, const char *key, const taskfit_node *texts) {
    taskfit_node *list = taskfit_node_list(arena);
    for (size_t item = 0; item < texts->n; item++) {
        if (texts->items[item]->kind == TASKFIT_NODE_SCALAR) {
            taskfit_node_append(arena, list, escaped(arena, texts->items[item]->text));
        }
    }
    taskfit_set_unless_empty(arena, container, key, list);
}

static taskfit_node *environment(taskfit_arena *arena, const taskfit_node *definition) {
    const taskfit_node *given = taskfit_list_of(definition, "environment");
    taskfit_node *list = taskfit_node_list(arena);
    for (size_t index = 0; index < given->n; index++) {
        const char *value = taskfit_text_of(given->items[index], "value");
        taskfit_node *item = taskfit_node_map(arena);
        taskfit_set_string(arena, item, "name", taskfit_text_of(given->items[index], "name"));
        taskfit_node_set(arena, item, "value", escaped(arena, value != NULL ? value : ""));
        taskfit_node_append(arena, list, item);
    }
    return list;
}

/* With awsvpc a task has ports of its own, as every pod has. */
static taskfit_node *ports(taskfit_arena *arena, const taskfit_node *definition, const char *network_mode) {
    const bool of_host = network_mode == NULL || strcmp(network_mode, "awsvpc") != 0;
    const taskfit_node *given = taskfit_list_of(definition, "portMappings");
    taskfit_node *list = taskfit_node_list(arena);
    for (size_t index = 0; index < given->n; index++) {
        const char *protocol = taskfit_text_of(given->items[index], "protocol");
        const int64_t host_port = taskfit_number_of(given->items[index], "hostPort");
        taskfit_node *item = taskfit_node_map(arena);
        taskfit_set_quantity(arena, item, "containerPort", taskfit_number_of(given->items[index], "containerPort"));
        taskfit_set_quantity(arena, item, "hostPort", of_host && host_port > 0 ? host_port : -1);
        taskfit_set_string(arena, item, "protocol", protocol != NULL && strcmp(protocol, "udp") == 0 ? "UDP" : "TCP");
        taskfit_node_append(arena, list, item);
    }
    return list;
}

/* ---- resources ---- */

static void set_mebibytes(taskfit_arena *arena, taskfit_node *map, int64_t mib) {
    if (mib > 0) {
        taskfit_set_string(arena, map, "memory", taskfit_arena_printf(arena, "%lldMi", (long long)mib));
    }
}

static void set_gpus(taskfit_arena *arena, taskfit_node *limits, const taskfit_node *definition) {
    const taskfit_node *list = taskfit_list_of(definition, "resourceRequirements");
    for (size_t item = 0; item < list->n; item++) {
        const char *type = taskfit_text_of(list->items[item], "type"), *value = taskfit_text_of(list->items[item], "value");
        if (type != NULL && value != NULL && strcmp(type, "GPU") == 0) {
            taskfit_set_string(arena, limits, "nvidia.com/gpu", value);
        }
    }
}

/* CPU units are 1024ths, Kubernetes counts in 1000ths: rounded up. */
static taskfit_node *resources(taskfit_arena *arena, const taskfit_node *definition) {
    const int64_t cpu_units = taskfit_number_of(definition, "cpu"), memory = taskfit_number_of(definition, "memory");
    const int64_t reservation = taskfit_number_of(definition, "memoryReservation");
    taskfit_node *map = taskfit_node_map(arena), *requests = taskfit_node_map(arena), *limits = taskfit_node_map(arena);
    if (cpu_units > 0) {
        taskfit_set_string(arena, requests, "cpu", taskfit_arena_printf(arena, "%lldm", (long long)((cpu_units * 1000 + 1023) / 1024)));
    }
    set_mebibytes(arena, requests, reservation > 0 ? reservation : memory);
    set_mebibytes(arena, limits, memory);
    set_gpus(arena, limits, definition);
    taskfit_set_unless_empty(arena, map, "requests", requests);
    taskfit_set_unless_empty(arena, map, "limits", limits);
    return map;
}

taskfit_node *taskfit_kubernetes_container(taskfit_arena *arena, const taskfit_node *definition, const char *network_mode) {
    taskfit_node *map = taskfit_node_map(arena);
    const char *folder = taskfit_text_of(definition, "workingDirectory");
    taskfit_set_string(arena, map, "name", taskfit_text_of(definition, "name"));
    taskfit_set_string(arena, map, "image", taskfit_text_of(definition, "image"));
    set_texts(arena, map, "command", taskfit_list_of(definition, "entryPoint"));
    set_texts(arena, map, "args", taskfit_list_of(definition, "command"));
    if (folder != NULL) {
        taskfit_set_string(arena, map, "workingDir", folder);
    }
    taskfit_set_unless_empty(arena, map, "ports", ports(arena, definition, network_mode));
    taskfit_set_unless_empty(arena, map, "env", environment(arena, definition));
    taskfit_set_unless_empty(arena, map, "resources", resources(arena, definition));
    return map;
}
