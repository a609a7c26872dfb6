#include "render/merge.h"

#include <string.h>

#include "deployment/words.h"
#include "render/container_definition.h"
#include "render/merge_jvm.h"
#include "render/nodes.h"
#include "render/task_definition.h"
#include "render/task_size.h"

typedef struct merge {
    const taskfit_base *base;
    const taskfit_service *service;
    taskfit_tell *tell;
    taskfit_arena *arena;
} merge;

static taskfit_node *find_named(const taskfit_node *list, const char *name) {
    for (size_t item = 0; item < list->n; item++) {
        const char *text = taskfit_text_of(list->items[item], "name");
        if (text != NULL && strcmp(text, name) == 0) {
            return list->items[item];
        }
    }
    return NULL;
}

/* A list of a map that may be changed; made when it is missing. */
static taskfit_node *own_list(taskfit_arena *arena, taskfit_node *map, const char *key) {
    for (size_t entry = 0; entry < map->n; entry++) {
        if (strcmp(map->entries[entry].key, key) == 0 && map->entries[entry].value->kind == TASKFIT_NODE_LIST) {
            return map->entries[entry].value;
        }
    }
    taskfit_node *list = taskfit_node_list(arena);
    taskfit_node_set(arena, map, key, list);
    return list;
}

/* ---- containers ---- */

static void set_number(taskfit_arena *arena, taskfit_node *map, const char *key, int64_t value) {
    if (taskfit_number_of(map, key) != value) {
        taskfit_set_quantity(arena, map, key, value);
    }
}

/* Of the three numbers, those that placement counts are the deployment's; a hard limit that it does not state stays. */
static void set_quantities(merge *this, taskfit_node *body, const taskfit_container *container) {
    if (container->cpu_units > 0 || taskfit_number_of(body, "cpu") > 0) {
        set_number(this->arena, body, "cpu", container->cpu_units);
    }
    set_number(this->arena, body, "memory", container->memory_mib);
    set_number(this->arena, body, "memoryReservation", container->memory_reservation_mib);
    if (container->memory_mib >= 0 && container->memory_reservation_mib < 0 && this->service->task_memory_mib < 0 &&
        taskfit_node_remove(body, "memoryReservation")) {
        taskfit_tell_note(this->tell,
                          "service '%s': memoryReservation of container '%s' is taken out, since the deployment states memory alone",
                          this->service->name, container->name);
    }
}

static taskfit_node *find_port(const taskfit_node *list, const taskfit_port_mapping *mapping) {
    for (size_t item = 0; item < list->n; item++) {
        const char *protocol = taskfit_text_of(list->items[item], "protocol");
        const bool udp = protocol != NULL && strcmp(protocol, "udp") == 0;
        if (taskfit_number_of(list->items[item], "containerPort") == mapping->container_port &&
            udp == (mapping->protocol == TASKFIT_UDP)) {
            return list->items[item];
        }
    }
    return NULL;
}

/* The deployment's list replaces the base's, but what the base says beside about one of its ports stays. */
static void set_ports(merge *this, taskfit_node *body, const taskfit_container *container) {
    const taskfit_node *given = taskfit_list_of(container->node, "portMappings");
    const taskfit_node *old = taskfit_list_of(body, "portMappings");
    taskfit_node *list = taskfit_node_list(this->arena);
    for (size_t index = 0; index < container->n_port_mappings; index++) {
        const taskfit_port_mapping *mapping = &container->port_mappings[index];
        taskfit_node *item = find_port(old, mapping);
        if (item == NULL) {
            item = taskfit_node_map(this->arena);
            taskfit_set_port_mapping(this->arena, item, mapping, given->items[index]);
        } else {
            const int64_t host_port = taskfit_number_of(item, "hostPort");
            const bool own_address = this->service->network_mode != TASKFIT_NETWORK_BRIDGE; /* no hostPort: the same port */
            if (mapping->host_port > 0 && !(own_address && host_port <= 0)) {
                set_number(this->arena, item, "hostPort", mapping->host_port);
            } else if (mapping->host_port == 0 && host_port > 0) {
                (void)taskfit_node_remove(item, "hostPort");
            }
        }
        taskfit_node_append(this->arena, list, item);
    }
    if (list->n > 0 || old->n > 0) {
        taskfit_node_set(this->arena, body, "portMappings", list);
    }
}

/* Variables that the deployment states are set, the base's others stay. */
static void set_environment(merge *this, taskfit_node *body, const taskfit_container *container) {
    for (size_t index = 0; index < container->n_environment; index++) {
        const taskfit_environment *variable = &container->environment[index];
        taskfit_node *list = own_list(this->arena, body, "environment");
        taskfit_node *item = find_named(list, variable->name);
        if (item == NULL) {
            item = taskfit_node_map(this->arena);
            taskfit_set_string(this->arena, item, "name", variable->name);
            taskfit_node_append(this->arena, list, item);
        }
        taskfit_set_string(this->arena, item, "value", variable->value);
    }
}

static void merge_container(merge *this, taskfit_node *body, const taskfit_container *container) {
    if (container->image != NULL) {
        taskfit_set_string(this->arena, body, "image", container->image);
    }
    set_quantities(this, body, container);
    if (taskfit_is_given(container->node, "essential")) {
        const char *old = taskfit_text_of(body, "essential");
        if (container->essential ? old != NULL && strcmp(old, "true") != 0 : old == NULL || strcmp(old, "false") != 0) {
            taskfit_node_set(this->arena, body, "essential", taskfit_node_bool(this->arena, container->essential));
        }
    }
    if (taskfit_is_given(container->node, "portMappings")) {
        set_ports(this, body, container);
    }
    set_environment(this, body, container);
    taskfit_pass_container_keys(this->arena, body, container->node);
    if (container->jvm.present && !taskfit_merge_jvm(body, &container->jvm, this->arena)) {
        taskfit_tell_defect(this->tell, body->position,
                            "container '%s': JAVA_OPTIONS comes from secrets and cannot be set (remove jvm from service '%s')",
                            container->name, this->service->name);
    }
}

static void merge_containers(merge *this, taskfit_node *tree) {
    taskfit_node *list = own_list(this->arena, tree, "containerDefinitions");
    for (size_t index = 0; index < this->service->n_containers; index++) {
        const taskfit_container *container = &this->service->containers[index];
        taskfit_node *body = find_named(list, container->name);
        if (body != NULL) {
            merge_container(this, body, container);
        } else if (container->image == NULL) {
            taskfit_tell_defect(this->tell, this->service->position,
                                "service '%s': its base has no container '%s', which lacks an image (name it as the base does, or "
                                "add image: REPOSITORY:TAG)",
                                this->service->name, container->name);
        } else {
            taskfit_tell_note(this->tell, "service '%s': container '%s' is added; its base has none of that name",
                              this->service->name, container->name);
            taskfit_node_append(this->arena, list, taskfit_container_definition_tree(container, this->arena));
        }
    }
}

/* ---- the task ---- */

static void set_task_size(merge *this, taskfit_node *tree) {
    if (this->service->task_cpu_units >= 0 && taskfit_task_cpu_units(tree) != this->service->task_cpu_units) {
        taskfit_set_quantity_text(this->arena, tree, "cpu", this->service->task_cpu_units);
    }
    if (this->service->task_memory_mib >= 0 && taskfit_task_memory_mib(tree) != this->service->task_memory_mib) {
        taskfit_set_quantity_text(this->arena, tree, "memory", this->service->task_memory_mib);
    }
}

static void set_architecture(merge *this, taskfit_node *tree) {
    const char *name = this->service->architecture == TASKFIT_ARCH_ARM64 ? "ARM64" : "X86_64";
    if (this->service->architecture == TASKFIT_ARCH_ANY) {
        return;
    }
    for (size_t entry = 0; entry < tree->n; entry++) {
        if (strcmp(tree->entries[entry].key, "runtimePlatform") == 0 &&
            tree->entries[entry].value->kind == TASKFIT_NODE_MAP) {
            taskfit_set_string(this->arena, tree->entries[entry].value, "cpuArchitecture", name);
            return;
        }
    }
    taskfit_node *platform = taskfit_node_map(this->arena);
    taskfit_set_string(this->arena, platform, "cpuArchitecture", name);
    taskfit_node_set(this->arena, tree, "runtimePlatform", platform);
}

static bool holds_expression(const taskfit_node *list, const char *expression) {
    for (size_t item = 0; item < list->n; item++) {
        const char *text = taskfit_text_of(list->items[item], "expression");
        if (text != NULL && strcmp(text, expression) == 0) {
            return true;
        }
    }
    return false;
}

/* Constraints that the deployment states replace the base's; what antiAffinity asks for comes beside either. */
static void set_constraints(merge *this, taskfit_node *tree, taskfit_expressions apart) {
    if (taskfit_is_given(this->service->node, "placementConstraints")) {
        taskfit_node *list = taskfit_node_list(this->arena);
        taskfit_add_member_of(this->arena, list, this->service->member_of, this->service->n_member_of);
        if (list->n > 0 || taskfit_list_of(tree, "placementConstraints")->n > 0) {
            taskfit_node_set(this->arena, tree, "placementConstraints", list);
        }
    }
    for (size_t index = 0; index < apart.n; index++) {
        taskfit_node *list = own_list(this->arena, tree, "placementConstraints");
        if (!holds_expression(list, apart.texts[index])) {
            taskfit_add_member_of(this->arena, list, &apart.texts[index], 1);
        }
    }
}

taskfit_node *taskfit_base_merge(const taskfit_base *base, const taskfit_service *service, taskfit_expressions apart,
                                 taskfit_tell *tell, taskfit_arena *arena) {
    merge this = {base, service, tell, arena};
    taskfit_node *tree = taskfit_node_copy(arena, base->tree);
    if (taskfit_is_given(service->node, "networkMode")) {
        const char *mode = taskfit_network_mode_name(service->network_mode), *old = taskfit_text_of(tree, "networkMode");
        if (old == NULL ? service->network_mode != TASKFIT_NETWORK_BRIDGE : strcmp(old, mode) != 0) {
            taskfit_set_string(arena, tree, "networkMode", mode);
        }
    }
    set_task_size(&this, tree);
    set_architecture(&this, tree);
    merge_containers(&this, tree);
    set_constraints(&this, tree, apart);
    return tree;
}
