#include "import/cloudformation.h"

#include <assert.h>
#include <string.h>

static const char *resource_type(const taskfit_node *resource) {
    return resource->kind == TASKFIT_NODE_MAP ? taskfit_text_at(resource, "Type") : NULL;
}

static bool is_of_type(const taskfit_node *resource, const char *type) {
    const char *stated = resource_type(resource);
    return stated && strcmp(stated, type) == 0;
}

static const taskfit_node *resources_of(const taskfit_node *root) {
    const taskfit_node *resources = root->kind == TASKFIT_NODE_MAP ? taskfit_node_get(root, "Resources") : NULL;
    return resources && resources->kind == TASKFIT_NODE_MAP ? resources : NULL;
}

bool taskfit_is_cloudformation(const taskfit_node *root) {
    const taskfit_node *resources = resources_of(root);
    for (size_t i = 0; resources && i < resources->n; i++) {
        if (is_of_type(resources->entries[i].value, "AWS::ECS::TaskDefinition")) {
            return true;
        }
    }
    return false;
}

/* ---- from PascalCase and functions to the API's form ---- */

struct template {
    taskfit_ecs_reader *reader;
    const taskfit_node *resources, *parameters; /* parameters NULL: none */
};

/* Maps whose keys are the user's own. */
static bool has_free_keys(const char *key) {
    static const char *const keys[] = {"dockerLabels", "options", "labels", "driverOpts"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strcmp(keys[i], key) == 0) {
            return true;
        }
    }
    return false;
}

/* {"Ref": "X"}: X; else NULL. */
static const char *reference(const taskfit_node *node) {
    return node->kind == TASKFIT_NODE_MAP && node->n == 1 ? taskfit_text_at(node, "Ref") : NULL;
}

static bool is_function(const taskfit_node *node) {
    return node->kind == TASKFIT_NODE_MAP && node->n == 1 &&
           (strcmp(node->entries[0].key, "Ref") == 0 || strncmp(node->entries[0].key, "Fn::", 4) == 0);
}

/* The default of the parameter of this name, with a note; NULL where there is none. */
static const taskfit_node *default_of(const struct template *template, const char *name, taskfit_position position) {
    taskfit_importer *importer = template->reader->importer;
    const taskfit_node *parameter = template->parameters && name ? taskfit_node_get(template->parameters, name) : NULL;
    const taskfit_node *value = parameter && parameter->kind == TASKFIT_NODE_MAP ? taskfit_node_get(parameter, "Default") : NULL;
    if (value) {
        taskfit_import_note(importer, TASKFIT_IMPORT_ASSUMED, position, NULL, "parameter '%s' has its default", name);
    } else if (parameter) {
        taskfit_import_note(importer, TASKFIT_IMPORT_DOUBTFUL, position, NULL, "parameter '%s' has no default: its name stands for it", name);
    }
    return value;
}

static taskfit_node *convert(const struct template *template, const taskfit_node *node, bool keeps_keys);

/* What a function gives cannot be known, but a parameter's default; the text of others stands for itself. */
static taskfit_node *evaluate(const struct template *template, const taskfit_node *node) {
    taskfit_importer *importer = template->reader->importer;
    const char *name = reference(node);
    const taskfit_node *known = default_of(template, name, node->position);
    if (known) {
        return taskfit_node_copy(importer->arena, known);
    }
    const taskfit_node *argument = node->entries[0].value;
    if (argument->kind == TASKFIT_NODE_SCALAR) {
        taskfit_node *text = taskfit_node_string(importer->arena, argument->text);
        text->position = node->position;
        return text;
    }
    taskfit_import_note(importer, TASKFIT_IMPORT_IGNORED, node->position, NULL, "the value of function '%s'", node->entries[0].key);
    return taskfit_node_null(importer->arena);
}

static taskfit_node *convert_map(const struct template *template, const taskfit_node *node, bool keeps_keys) {
    taskfit_arena *arena = template->reader->importer->arena;
    taskfit_node *copy = taskfit_node_map(arena);
    for (size_t i = 0; i < node->n; i++) {
        char *key = taskfit_arena_strdup(arena, node->entries[i].key);
        if (!keeps_keys && key[0] >= 'A' && key[0] <= 'Z') {
            key[0] = (char)(key[0] - 'A' + 'a');
        }
        taskfit_node_set(arena, copy, key, convert(template, node->entries[i].value, has_free_keys(key)));
        taskfit_entry *entry = &copy->entries[copy->n - 1];
        entry->key_position = node->entries[i].key_position;
    }
    return copy;
}

static taskfit_node *convert(const struct template *template, const taskfit_node *node, bool keeps_keys) {
    taskfit_arena *arena = template->reader->importer->arena;
    if (is_function(node)) {
        return evaluate(template, node);
    }
    taskfit_node *copy = NULL;
    if (node->kind == TASKFIT_NODE_SCALAR) {
        /* "!Ref X" in YAML arrives as plain X */
        const taskfit_node *known = node->quoted ? NULL : default_of(template, node->text, node->position);
        copy = taskfit_node_copy(arena, known ? known : node);
    } else if (node->kind == TASKFIT_NODE_LIST) {
        copy = taskfit_node_list(arena);
        for (size_t i = 0; i < node->n; i++) {
            taskfit_node_append(arena, copy, convert(template, node->items[i], false));
        }
    } else {
        copy = convert_map(template, node, keeps_keys);
    }
    copy->position = node->position;
    return copy;
}

/* ---- resources ---- */

static taskfit_node *properties_of(const struct template *template, const taskfit_node *resource) {
    const taskfit_node *properties = taskfit_node_get(resource, "Properties");
    return properties && properties->kind == TASKFIT_NODE_MAP ? convert(template, properties, false)
                                                              : taskfit_node_map(template->reader->importer->arena);
}

/* The logical name of the task definition that a service refers to, or NULL. */
static const char *definition_of(const taskfit_node *service) {
    const taskfit_node *properties = taskfit_node_get(service, "Properties");
    const taskfit_node *value = properties ? taskfit_node_get(properties, "TaskDefinition") : NULL;
    if (!value) {
        return NULL;
    }
    return value->kind == TASKFIT_NODE_SCALAR ? value->text : reference(value);
}

static void add(const struct template *template, const taskfit_entry *definition, const taskfit_node *service_node,
                const char *logical_name) {
    taskfit_importer *importer = template->reader->importer;
    const taskfit_node *task = properties_of(template, definition->value);
    const taskfit_node *properties = service_node ? properties_of(template, service_node) : NULL;
    const char *family = taskfit_task_definition_family(task);
    const char *service_name = properties ? taskfit_text_at(properties, "serviceName") : NULL;
    const char *name = service_name ? service_name : family ? family : logical_name;
    taskfit_import_service *service = taskfit_import_service_add(importer, name, definition->key_position);
    if (!service_name && !family) {
        taskfit_import_note(importer, TASKFIT_IMPORT_ASSUMED, definition->key_position, service->name,
                            "named after its resource, as it has neither a service name nor a family");
    }
    if (family && strcmp(family, service->name) != 0) {
        taskfit_node *node = taskfit_node_string(importer->arena, family);
        node->position = definition->key_position;
        taskfit_import_extra(importer, &service->extra, "family", node);
    }
    taskfit_ecs_task_definition(template->reader, service, task);
    if (properties) {
        taskfit_ecs_service(template->reader, service, properties);
    }
}

void taskfit_cloudformation_read(taskfit_ecs_reader *reader, const taskfit_node *root) {
    const taskfit_node *resources = resources_of(root);
    assert(resources);
    const struct template template = {.reader = reader, .resources = resources, .parameters = taskfit_node_get(root, "Parameters")};
    bool *is_used = TASKFIT_ARRAY(reader->importer->arena, resources->n, bool);
    for (size_t i = 0; i < resources->n; i++) {
        const taskfit_entry *resource = &resources->entries[i];
        const char *definition = is_of_type(resource->value, "AWS::ECS::Service") ? definition_of(resource->value) : NULL;
        for (size_t j = 0; definition && j < resources->n; j++) {
            if (strcmp(resources->entries[j].key, definition) == 0 && is_of_type(resources->entries[j].value, "AWS::ECS::TaskDefinition")) {
                add(&template, &resources->entries[j], resource->value, resource->key);
                is_used[j] = true;
            }
        }
    }
    for (size_t i = 0; i < resources->n; i++) {
        if (!is_used[i] && is_of_type(resources->entries[i].value, "AWS::ECS::TaskDefinition")) {
            add(&template, &resources->entries[i], NULL, resources->entries[i].key);
        }
    }
}
