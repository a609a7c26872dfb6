#include "render/task_definition.h"

#include "render/container_definition.h"
#include "render/nodes.h"

void taskfit_add_member_of(taskfit_arena *arena, taskfit_node *list, const char *const *expressions,
                          size_t n_expressions) {
    for (size_t index = 0; index < n_expressions; index++) {
        taskfit_node *item = taskfit_node_map(arena);
        taskfit_set_string(arena, item, "type", "memberOf");
        taskfit_set_string(arena, item, "expression", expressions[index]);
        taskfit_node_append(arena, list, item);
    }
}

taskfit_node *taskfit_task_definition_tree(const taskfit_service *service, taskfit_expressions apart,
                                           taskfit_arena *arena) {
    taskfit_node *root = taskfit_node_map(arena);
    taskfit_set_string(arena, root, "family", service->family);
    taskfit_set_string(arena, root, "networkMode", taskfit_network_mode_name(service->network_mode));
    taskfit_set_quantity_text(arena, root, "cpu", service->task_cpu_units);
    taskfit_set_quantity_text(arena, root, "memory", service->task_memory_mib);
    taskfit_node *compatibilities = taskfit_node_list(arena);
    taskfit_node_append(arena, compatibilities, taskfit_node_string(arena, "EC2"));
    taskfit_node_set(arena, root, "requiresCompatibilities", compatibilities);
    if (service->architecture != TASKFIT_ARCH_ANY) {
        taskfit_node *platform = taskfit_node_map(arena);
        taskfit_set_string(arena, platform, "cpuArchitecture",
                   service->architecture == TASKFIT_ARCH_ARM64 ? "ARM64" : "X86_64");
        taskfit_node_set(arena, root, "runtimePlatform", platform);
    }
    taskfit_node *containers = taskfit_node_list(arena);
    for (size_t index = 0; index < service->n_containers; index++) {
        taskfit_node_append(arena, containers, taskfit_container_definition_tree(&service->containers[index], arena));
    }
    taskfit_node_set(arena, root, "containerDefinitions", containers);
    taskfit_node *constraints = taskfit_node_list(arena);
    taskfit_add_member_of(arena, constraints, service->member_of, service->n_member_of);
    taskfit_add_member_of(arena, constraints, apart.texts, apart.n);
    taskfit_set_unless_empty(arena, root, "placementConstraints", constraints);
    return root;
}
