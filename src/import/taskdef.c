/*
 * Task definitions: as `aws ecs register-task-definition` takes them, as `describe-task-definition` prints them, in CloudFormation
 * templates, in arrays, and a bare array of containers.
 */
#include <string.h>

#include "import/cloudformation.h"
#include "import/kinds.h"

/* One container of a bare array. */
static bool is_container(const taskfit_node *node) {
    return node->kind == TASKFIT_NODE_MAP && taskfit_text_at(node, "name") && taskfit_text_at(node, "image");
}

static const taskfit_node *described(const taskfit_node *node) {
    const taskfit_node *inner = node->kind == TASKFIT_NODE_MAP ? taskfit_node_get(node, "taskDefinition") : NULL;
    return inner && inner->kind == TASKFIT_NODE_MAP ? inner : node;
}

static bool is_definition(const taskfit_node *node) {
    return taskfit_is_task_definition(described(node)) || taskfit_is_cloudformation(node);
}

/* The list that the root is, or holds under taskDefinitions; NULL: one definition. */
static const taskfit_node *list_of(const taskfit_node *root) {
    return root->kind == TASKFIT_NODE_LIST ? root : taskfit_list_at(root, "taskDefinitions");
}

static bool recognize(const taskfit_import_input *input) {
    const taskfit_node *list = list_of(input->root);
    if (list) {
        return list->n > 0 && (is_definition(list->items[0]) || is_container(list->items[0]));
    }
    return is_definition(input->root);
}

static void read_definition(taskfit_ecs_reader *reader, const taskfit_node *node) {
    if (taskfit_is_cloudformation(node)) {
        taskfit_cloudformation_read(reader, node);
        return;
    }
    const taskfit_node *map = described(node);
    const char *family = taskfit_task_definition_family(map);
    if (!taskfit_is_task_definition(map)) {
        taskfit_import_note(reader->importer, TASKFIT_IMPORT_DEFECT, node->position, NULL,
                            "no task definition (containerDefinitions is missing)");
        return;
    }
    const taskfit_node *list = taskfit_list_at(map, "containerDefinitions");
    const char *first = list->n > 0 ? taskfit_text_at(list->items[0], "name") : NULL;
    taskfit_import_service *service = taskfit_import_service_add(reader->importer, family ? family : first ? first : "unnamed", map->position);
    if (!family) {
        taskfit_import_note(reader->importer, TASKFIT_IMPORT_ASSUMED, map->position, service->name,
                            "named after its first container, as it has no family");
    }
    taskfit_ecs_task_definition(reader, service, map);
}

static void read(taskfit_importer *importer, const taskfit_import_input *inputs, size_t n_inputs) {
    (void)n_inputs;
    taskfit_ecs_reader reader = {.importer = importer};
    const taskfit_node *root = inputs->root;
    const taskfit_node *list = list_of(root);
    if (list && list->n > 0 && is_container(list->items[0])) {
        taskfit_node *map = taskfit_node_map(importer->arena);
        map->position = list->position;
        taskfit_node *containers = taskfit_node_copy(importer->arena, list);
        taskfit_node_set(importer->arena, map, "containerDefinitions", containers);
        read_definition(&reader, map);
    } else if (list) {
        for (size_t i = 0; i < list->n; i++) {
            read_definition(&reader, list->items[i]);
        }
    } else {
        read_definition(&reader, root);
    }
    taskfit_ecs_tell_unplaced(&reader);
}

const taskfit_import_kind taskfit_import_taskdef = {
    .name = "taskdef",
    .summary = "task definitions of Amazon ECS: registered, described, CloudFormation",
    .is_tree = true,
    .recognize = recognize,
    .read = read,
};
