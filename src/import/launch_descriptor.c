/*
 * FOLIO's module descriptors, as files or as lists of them: launchDescriptor.dockerArgs.HostConfig.Memory is the hard limit in
 * bytes, launchDescriptor.env holds JAVA_OPTIONS. Soft limits, CPU and counts are not stated in this format.
 */
#include <string.h>

#include "base/units.h"
#include "import/kinds.h"

static const taskfit_node *launch_of(const taskfit_node *descriptor) {
    const taskfit_node *launch = taskfit_node_get(descriptor, "launchDescriptor");
    return launch && launch->kind == TASKFIT_NODE_MAP ? launch : NULL;
}

static bool recognize(const taskfit_import_input *input) {
    const taskfit_node *root = input->root;
    const taskfit_node *first = root->kind == TASKFIT_NODE_LIST ? (root->n > 0 ? root->items[0] : NULL) : root;
    return first && launch_of(first) && taskfit_node_get(first, "id");
}

/* "mod-2fa-1.4.0-SNAPSHOT": the version starts behind the first hyphen that digits and a dot follow. NULL: no version. */
static const char *version_in(const char *id) {
    for (const char *at = strchr(id, '-'); at; at = strchr(at + 1, '-')) {
        const size_t n_digits = strspn(at + 1, "0123456789");
        if (n_digits > 0 && at[1 + n_digits] == '.') {
            return at + 1;
        }
    }
    return NULL;
}

static void read_id(taskfit_importer *importer, const taskfit_node *id, const char **name_out, const char **version_out) {
    static const char *const placeholders[] = {"-${version}", "-${project.version}", "-@version@", "-@project.version@", NULL};
    *name_out = id->text;
    *version_out = version_in(id->text);
    if (*version_out) {
        *name_out = taskfit_arena_strndup(importer->arena, id->text, (size_t)(*version_out - id->text) - 1);
        return;
    }
    for (const char *const *placeholder = placeholders; *placeholder; placeholder++) {
        const char *at = strstr(id->text, *placeholder);
        if (at) {
            *name_out = taskfit_arena_strndup(importer->arena, id->text, (size_t)(at - id->text));
            return;
        }
    }
}

static bool is_number(const taskfit_node *node) {
    return node->kind == TASKFIT_NODE_SCALAR && node->n > 0 && strspn(node->text, "0123456789") == node->n;
}

static void read_memory(taskfit_importer *importer, const char *service, const taskfit_node *memory, taskfit_import_container *container) {
    enum { MIB_BYTES = 1024 * 1024 };
    int64_t bytes = 0;
    const char *why = NULL;
    if (!memory) {
        return; /* check.c tells of containers without limits */
    }
    if (!is_number(memory) || !taskfit_parse_count(memory->text, memory->n, 0, TASKFIT_QUANTITY_MAX, &bytes, &why)) {
        taskfit_import_note(importer, TASKFIT_IMPORT_DEFECT, memory->position, service,
                            "HostConfig.Memory is no number of bytes up to 2^40");
        return;
    }
    if (bytes == 0) {
        return; /* Docker's word for no limit */
    }
    container->amounts[TASKFIT_IMPORT_MEMORY] = (taskfit_import_quantity){(bytes + MIB_BYTES - 1) / MIB_BYTES, memory->position};
    if (bytes % MIB_BYTES != 0) {
        taskfit_import_note(importer, TASKFIT_IMPORT_REPAIRED, memory->position, service, "%s bytes of memory are rounded up to %lld MiB",
                            memory->text, (long long)container->amounts[TASKFIT_IMPORT_MEMORY].value);
    }
}

/* JAVA_OPTIONS and what else is in the environment: the values are a reference deployment's own, so they are not carried over. */
static void read_environment(taskfit_importer *importer, const char *service, const taskfit_node *env, taskfit_import_container *container) {
    size_t n_other = 0;
    for (size_t i = 0; env && env->kind == TASKFIT_NODE_LIST && i < env->n; i++) {
        const taskfit_node *name = taskfit_node_get(env->items[i], "name");
        const taskfit_node *value = taskfit_node_get(env->items[i], "value");
        if (name && value && name->kind == TASKFIT_NODE_SCALAR && value->kind == TASKFIT_NODE_SCALAR &&
            strcmp(name->text, "JAVA_OPTIONS") == 0) {
            taskfit_import_jvm(importer, container, value->text, value->position);
        } else {
            n_other++;
        }
    }
    if (env && env->kind != TASKFIT_NODE_LIST) {
        taskfit_import_note(importer, TASKFIT_IMPORT_IGNORED, env->position, service, "env is no list of names and values");
    }
    if (n_other > 0) {
        taskfit_import_note(importer, TASKFIT_IMPORT_IGNORED, env->position, service,
                            "%zu variable%s of the reference environment beside JAVA_OPTIONS", n_other, n_other == 1 ? "" : "s");
    }
}

static void read_descriptor(taskfit_importer *importer, const taskfit_node *descriptor) {
    const taskfit_node *launch = launch_of(descriptor);
    const taskfit_node *id = taskfit_node_get(descriptor, "id");
    if (!id || id->kind != TASKFIT_NODE_SCALAR || id->n == 0) {
        taskfit_import_note(importer, TASKFIT_IMPORT_DEFECT, descriptor->position, NULL, "a module descriptor without 'id'");
        return;
    }
    if (!launch) {
        taskfit_import_note(importer, TASKFIT_IMPORT_IGNORED, descriptor->position, NULL, "'%s' has no launchDescriptor", id->text);
        return;
    }
    const char *name = NULL;
    const char *version = NULL;
    read_id(importer, id, &name, &version);
    taskfit_import_service *service = taskfit_import_service_add(importer, name, descriptor->position);
    taskfit_import_container *container = taskfit_import_container_add(importer, service, launch->position);
    if (version) {
        const char *image = taskfit_arena_printf(importer->arena, "%s:%s", name, version);
        container->image = (taskfit_import_text){image, id->position};
    }
    const taskfit_node *image = taskfit_node_get(launch, "dockerImage");
    if (image && image->kind == TASKFIT_NODE_SCALAR && image->n > 0 && !strchr(image->text, '$')) {
        container->image = (taskfit_import_text){image->text, image->position};
    }
    const taskfit_node *host = taskfit_node_get(taskfit_node_get(launch, "dockerArgs"), "HostConfig");
    read_memory(importer, service->name, taskfit_node_get(host, "Memory"), container);
    read_environment(importer, service->name, taskfit_node_get(launch, "env"), container);
}

static void read(taskfit_importer *importer, const taskfit_import_input *inputs, size_t n_inputs) {
    for (size_t i = 0; i < n_inputs; i++) {
        const taskfit_node *root = inputs[i].root;
        for (size_t d = 0; root->kind == TASKFIT_NODE_LIST && d < root->n; d++) {
            read_descriptor(importer, root->items[d]);
        }
        if (root->kind == TASKFIT_NODE_MAP) {
            read_descriptor(importer, root);
        }
    }
}

const taskfit_import_kind taskfit_import_launch_descriptor = {
    .name = "launch-descriptor",
    .summary = "FOLIO module descriptors with their launchDescriptor",
    .is_tree = true,
    .recognize = recognize,
    .read = read,
};
