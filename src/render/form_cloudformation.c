/*
 * The form of CloudFormation: a template for each service, with its task definition, so that one service can be
 * deployed without the others and no template meets the limit of 500 resources. Names of fields are those of the API with
 * a capital letter, but for a few. Source: resource schemas of AWS::ECS::TaskDefinition and AWS::ECS::Service, 2026-07.
 */
#include <string.h>

#include "render/nodes.h"
#include "render/renderer.h"
#include "render/service.h"

/* ---- names ---- */

static const struct {
    const char *within; /* NULL: anywhere */
    const char *api, *name;
} renamed[] = {
    {NULL, "efsVolumeConfiguration", "EFSVolumeConfiguration"},
    {NULL, "fsxWindowsFileServerVolumeConfiguration", "FSxWindowsFileServerVolumeConfiguration"},
    {NULL, "iam", "IAM"},
    {NULL, "placementStrategy", "PlacementStrategies"},
    {"efsVolumeConfiguration", "fileSystemId", "FilesystemId"},
    {"proxyConfiguration", "properties", "ProxyConfigurationProperties"},
};

/* Maps whose keys are the user's. */
static bool is_free(const char *key) {
    static const char *const keys[] = {"dockerLabels", "options", "driverOpts", "labels"};
    for (size_t row = 0; row < sizeof keys / sizeof keys[0]; row++) {
        if (strcmp(key, keys[row]) == 0) {
            return true;
        }
    }
    return false;
}

static char upper(char c) {
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static const char *name_of(taskfit_arena *arena, const char *within, const char *key) {
    for (size_t row = 0; row < sizeof renamed / sizeof renamed[0]; row++) {
        if (strcmp(renamed[row].api, key) == 0 && (renamed[row].within == NULL || strcmp(renamed[row].within, within) == 0)) {
            return renamed[row].name;
        }
    }
    char *name = taskfit_arena_strdup(arena, key);
    name[0] = upper(name[0]);
    return name;
}

/* `within`: the key the node stands at. */
static taskfit_node *convert(taskfit_arena *arena, const taskfit_node *node, const char *within) {
    if (node->kind == TASKFIT_NODE_SCALAR || (node->kind == TASKFIT_NODE_MAP && is_free(within))) {
        return taskfit_node_copy(arena, node);
    }
    if (node->kind == TASKFIT_NODE_LIST) {
        taskfit_node *list = taskfit_node_list(arena);
        for (size_t item = 0; item < node->n; item++) {
            taskfit_node_append(arena, list, convert(arena, node->items[item], within));
        }
        return list;
    }
    taskfit_node *map = taskfit_node_map(arena);
    for (size_t entry = 0; entry < node->n; entry++) {
        const char *key = node->entries[entry].key;
        taskfit_node_set(arena, map, name_of(arena, within, key), convert(arena, node->entries[entry].value, key));
    }
    return map;
}

/* ---- parameters ---- */

static taskfit_node *one(taskfit_arena *arena, const char *key, const char *value) {
    taskfit_node *map = taskfit_node_map(arena);
    taskfit_set_string(arena, map, key, value);
    return map;
}

static void add_parameter(taskfit_arena *arena, taskfit_node *parameters, const char *name, const char *type, const char *description,
                          const char *fallback) {
    taskfit_node *map = one(arena, "Type", type);
    taskfit_set_string(arena, map, "Description", description);
    if (fallback != NULL) {
        taskfit_set_string(arena, map, "Default", fallback);
    }
    taskfit_node_set(arena, parameters, name, map);
}

/* "ModUsersImageTag" for container "mod-users": letters and digits alone, of each template's containers another. */
static const char *tag_parameter(taskfit_arena *arena, const taskfit_node *parameters, const char *container) {
    TASKFIT_STRBUF(name);
    bool begins = true;
    for (; *container != '\0'; container++) {
        const bool separates = *container == '-' || *container == '_';
        if (!separates) {
            taskfit_strbuf_addc(&name, begins ? upper(*container) : *container);
        }
        begins = separates;
    }
    taskfit_strbuf_adds(&name, "ImageTag");
    const size_t len = name.len;
    for (size_t number = 2; taskfit_node_get(parameters, name.data) != NULL; number++) {
        TASKFIT_STRBUF(numbered);
        taskfit_strbuf_add(&numbered, name.data, len);
        taskfit_strbuf_printf(&numbered, "%zu", number);
        taskfit_strbuf_reset(&name);
        taskfit_strbuf_adds(&name, numbered.data);
    }
    return taskfit_arena_strdup(arena, name.data);
}

/* The tag becomes a parameter; an image with a digest stays as it is. */
static void set_image(taskfit_arena *arena, taskfit_node *parameters, taskfit_node *container) {
    const char *image = taskfit_text_of(container, "Image"), *name = taskfit_text_of(container, "Name");
    const char *slash = strrchr(image, '/'), *colon = strrchr(slash != NULL ? slash : image, ':');
    TASKFIT_STRBUF(text);
    if (strchr(image, '@') != NULL) {
        return;
    }
    const size_t len = colon != NULL ? (size_t)(colon - image) : strlen(image);
    const char *parameter = tag_parameter(arena, parameters, name);
    for (size_t at = 0; at < len; at++) {
        taskfit_strbuf_addc(&text, image[at]);
        if (image[at] == '$' && image[at + 1] == '{') {
            taskfit_strbuf_adds(&text, "{!"); /* Fn::Sub makes ${ of it */
            at++;
        }
    }
    add_parameter(arena, parameters, parameter, "String", taskfit_arena_printf(arena, "Tag of the image of container %s", name),
                  colon != NULL ? colon + 1 : "latest");
    taskfit_strbuf_printf(&text, ":${%s}", parameter);
    taskfit_node_set(arena, container, "Image", one(arena, "Fn::Sub", text.data));
}

/* ---- the template ---- */

static taskfit_node *resource(taskfit_arena *arena, const char *type, taskfit_node *properties) {
    taskfit_node *map = one(arena, "Type", type);
    taskfit_node_set(arena, map, "Properties", properties);
    return map;
}

static void set_network(taskfit_arena *arena, taskfit_node *parameters, taskfit_node *service) {
    taskfit_node *vpc = taskfit_node_map(arena), *network = taskfit_node_map(arena);
    add_parameter(arena, parameters, "Subnets", "List<AWS::EC2::Subnet::Id>", "Subnets of the tasks", NULL);
    add_parameter(arena, parameters, "SecurityGroups", "List<AWS::EC2::SecurityGroup::Id>", "Security groups of the tasks", NULL);
    taskfit_node_set(arena, vpc, "Subnets", one(arena, "Ref", "Subnets"));
    taskfit_node_set(arena, vpc, "SecurityGroups", one(arena, "Ref", "SecurityGroups"));
    taskfit_node_set(arena, network, "AwsvpcConfiguration", vpc);
    taskfit_node_set(arena, service, "NetworkConfiguration", network);
}

static taskfit_node *template_of(taskfit_renderer *render, const taskfit_output *output) {
    taskfit_arena *arena = render->arena;
    taskfit_node *root = taskfit_node_map(arena), *parameters = taskfit_node_map(arena), *resources = taskfit_node_map(arena);
    taskfit_node *definition = convert(arena, output->tree, "");
    taskfit_node *service = convert(arena, taskfit_service_create_tree(render, output), "");
    const taskfit_node *containers = taskfit_list_of(definition, "ContainerDefinitions");
    const char *mode = taskfit_text_of(output->tree, "networkMode");
    add_parameter(arena, parameters, "Cluster", "String", "Name of the cluster", render->deployment->name);
    for (size_t index = 0; index < containers->n; index++) {
        set_image(arena, parameters, containers->items[index]);
    }
    taskfit_node_set(arena, service, "Cluster", one(arena, "Ref", "Cluster"));
    taskfit_node_set(arena, service, "TaskDefinition", one(arena, "Ref", "TaskDefinition"));
    if (mode != NULL && strcmp(mode, "awsvpc") == 0) {
        set_network(arena, parameters, service);
    }
    taskfit_node_set(arena, resources, "TaskDefinition", resource(arena, "AWS::ECS::TaskDefinition", definition));
    taskfit_node_set(arena, resources, "Service", resource(arena, "AWS::ECS::Service", service));
    taskfit_set_string(arena, root, "AWSTemplateFormatVersion", "2010-09-09");
    taskfit_set_string(arena, root, "Description",
                       taskfit_arena_printf(arena, "Service %s and its task definition, by taskfit render", output->service->name));
    taskfit_node_set(arena, root, "Parameters", parameters);
    taskfit_node_set(arena, root, "Resources", resources);
    return root;
}

void taskfit_render_cloudformation(taskfit_renderer *render) {
    for (size_t index = 0; index < render->n_outputs; index++) {
        const taskfit_output *output = &render->outputs[index];
        taskfit_renderer_add(render, (taskfit_output_file){.name = taskfit_renderer_file_name(render, output->service->family, ""),
                                                           .kind = TASKFIT_RENDERED_TEMPLATE,
                                                           .of = output,
                                                           .tree = template_of(render, output)});
    }
}
