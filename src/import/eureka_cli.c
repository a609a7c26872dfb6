/*
 * The configuration of FOLIO's eureka-cli: backend-modules, each with resources {cpus, memory, memory-reservation} and, but for the
 * mgr-* modules or where deploy-sidecar says otherwise, the sidecar of sidecar-module. CPUs are Docker's, memory is in MiB.
 * What the file leaves out takes the tool's own defaults (folio-org/eureka-setup, 2026-08).
 */
#include <string.h>

#include "import/kinds.h"

typedef struct defaults {
    const char *cpus;
    int64_t memory_mib, reservation_mib;
} defaults;

static const defaults module_defaults = {"1", 750, 120};
static const defaults sidecar_defaults = {"1", 450, 64};

static bool recognize(const taskfit_import_input *input) {
    const taskfit_node *modules = taskfit_node_get(input->root, "backend-modules");
    return modules && modules->kind == TASKFIT_NODE_MAP;
}

static const char *scalar_of(const taskfit_node *map, const char *key) {
    const taskfit_node *value = taskfit_node_get(map, key);
    return value && value->kind == TASKFIT_NODE_SCALAR && !taskfit_node_is_null(value) ? value->text : NULL;
}

static bool says(const taskfit_node *map, const char *key, const char *word) {
    const char *text = scalar_of(map, key);
    return text && strcmp(text, word) == 0;
}

/* ---- figures ---- */

typedef struct body { /* a module or the sidecar, being read */
    taskfit_importer *importer;
    const char *service;
    const char *what; /* for messages: the container */
    const taskfit_node *resources; /* NULL: none given */
    taskfit_position position;     /* of the module, for what is not stated */
    taskfit_import_container *container;
    bool is_sidecar, assumed;
} body;

static void read_memory(body *b, const char *key, taskfit_import_amount amount, int64_t otherwise_mib) {
    const taskfit_node *value = taskfit_node_get(b->resources, key);
    taskfit_import_quantity *to = &b->container->amounts[amount];
    if (value && value->kind == TASKFIT_NODE_SCALAR && !taskfit_node_is_null(value)) {
        const char *subject = taskfit_arena_printf(b->importer->arena, "%s: %s", b->what, key);
        (void)taskfit_import_memory(b->importer, subject, value->text, value->position, to);
        return;
    }
    *to = (taskfit_import_quantity){otherwise_mib, b->position};
    b->assumed = true;
}

static void read_resources(body *b, const defaults *otherwise) {
    const taskfit_node *cpus = taskfit_node_get(b->resources, "cpus");
    const bool stated = cpus && cpus->kind == TASKFIT_NODE_SCALAR && !taskfit_node_is_null(cpus);
    const char *subject = taskfit_arena_printf(b->importer->arena, "%s: cpus", b->what);
    (void)taskfit_import_cpu(b->importer, subject, stated ? cpus->text : otherwise->cpus, stated ? cpus->position : b->position,
                             TASKFIT_IMPORT_CPU_CORES, &b->container->amounts[TASKFIT_IMPORT_CPU]);
    b->assumed = b->assumed || !stated;
    read_memory(b, "memory", TASKFIT_IMPORT_MEMORY, otherwise->memory_mib);
    read_memory(b, "memory-reservation", TASKFIT_IMPORT_RESERVATION, otherwise->reservation_mib);
    for (size_t i = 0; b->resources && b->resources->kind == TASKFIT_NODE_MAP && i < b->resources->n; i++) {
        const taskfit_entry *entry = &b->resources->entries[i];
        if (strcmp(entry->key, "cpus") != 0 && strcmp(entry->key, "memory") != 0 && strcmp(entry->key, "memory-reservation") != 0) {
            taskfit_import_note(b->importer, TASKFIT_IMPORT_IGNORED, entry->key_position, b->service,
                                "resources.%s has no place in a deployment", entry->key);
        }
    }
    if (b->assumed) {
        taskfit_import_note(b->importer, TASKFIT_IMPORT_ASSUMED, b->position, b->service,
                            "%seureka-cli's defaults for what resources leaves out: %s CPU, memory %lld MiB, reservation %lld MiB",
                            b->is_sidecar ? "sidecar: " : "", otherwise->cpus, (long long)otherwise->memory_mib, (long long)otherwise->reservation_mib);
    }
}

/* The container's own JAVA_OPTIONS, else those for all. */
static void read_java_options(const body *b, const taskfit_node *own, const taskfit_node *shared) {
    const taskfit_node *options = taskfit_node_get(own, "JAVA_OPTIONS");
    options = options ? options : taskfit_node_get(shared, "JAVA_OPTIONS");
    if (options && options->kind == TASKFIT_NODE_SCALAR && !taskfit_node_is_null(options)) {
        taskfit_import_jvm(b->importer, b->container, options->text, options->position);
    }
}

/* ---- modules ---- */

static void read_image(const body *b, const char *name, const taskfit_node *body_node) {
    const taskfit_node *version = taskfit_node_get(body_node, "version");
    if (version && version->kind == TASKFIT_NODE_SCALAR && !taskfit_node_is_null(version)) {
        const char *image = taskfit_arena_printf(b->importer->arena, "%s:%s", name, version->text);
        b->container->image = (taskfit_import_text){image, version->position};
    }
}

static void read_sidecar(taskfit_importer *importer, taskfit_import_service *service, const taskfit_node *root, const taskfit_node *module) {
    const taskfit_node *sidecar = taskfit_node_get(root, "sidecar-module");
    const char *image = scalar_of(sidecar, "image");
    const char *name = image ? image : "folio-module-sidecar";
    const taskfit_node *own = taskfit_node_get(module, "sidecar-resources");
    body b = {.importer = importer,
              .is_sidecar = true,
              .service = service->name,
              .what = taskfit_arena_printf(importer->arena, "%s: sidecar", service->name),
              .resources = own ? own : taskfit_node_get(sidecar, "resources"),
              .position = sidecar ? sidecar->position : service->position,
              .container = taskfit_import_container_add(importer, service, service->position)};
    const char *slash = strrchr(name, '/');
    const char *plain = slash ? slash + 1 : name;
    b.container->name = (taskfit_import_text){taskfit_arena_strndup(importer->arena, plain, strcspn(plain, ":")), b.position};
    read_image(&b, name, sidecar);
    read_resources(&b, &sidecar_defaults);
    read_java_options(&b, taskfit_node_get(sidecar, "environment"), NULL);
}

static bool has_sidecar(const char *name, const taskfit_node *module) {
    if (scalar_of(module, "deploy-sidecar")) {
        return says(module, "deploy-sidecar", "true");
    }
    return strncmp(name, "mgr-", strlen("mgr-")) != 0;
}

static void read_module(taskfit_importer *importer, const taskfit_node *root, const taskfit_entry *entry) {
    const taskfit_node *module = entry->value->kind == TASKFIT_NODE_MAP ? entry->value : NULL;
    if (says(module, "deploy-module", "false")) {
        taskfit_import_note(importer, TASKFIT_IMPORT_IGNORED, entry->key_position, entry->key, "deploy-module is false");
        return;
    }
    taskfit_import_service *service = taskfit_import_service_add(importer, entry->key, entry->key_position);
    body b = {.importer = importer,
              .service = service->name,
              .what = service->name,
              .resources = taskfit_node_get(module, "resources"),
              .position = entry->key_position,
              .container = taskfit_import_container_add(importer, service, entry->key_position)};
    read_image(&b, entry->key, module);
    read_resources(&b, &module_defaults);
    read_java_options(&b, taskfit_node_get(module, "environment"), taskfit_node_get(root, "environment"));
    if (has_sidecar(entry->key, module)) {
        read_sidecar(importer, service, root, module);
    }
}

static void note_the_rest(taskfit_importer *importer, const taskfit_node *root) {
    for (size_t i = 0; i < root->n; i++) {
        const char *key = root->entries[i].key;
        if (strcmp(key, "backend-modules") != 0 && strcmp(key, "sidecar-module") != 0) {
            taskfit_import_note(importer, TASKFIT_IMPORT_REMARK, root->entries[i].key_position, NULL, "'%s' has no place in a deployment%s", key,
                                strcmp(key, "environment") == 0 ? ", but for JAVA_OPTIONS" : "");
        }
    }
}

static void read(taskfit_importer *importer, const taskfit_import_input *inputs, size_t n_inputs) {
    for (size_t i = 0; i < n_inputs; i++) {
        const taskfit_node *root = inputs[i].root;
        const taskfit_node *modules = taskfit_node_get(root, "backend-modules");
        if (!modules || modules->kind != TASKFIT_NODE_MAP) {
            taskfit_import_note(importer, TASKFIT_IMPORT_DEFECT, root->position, NULL, "no map 'backend-modules'");
            continue;
        }
        for (size_t m = 0; m < modules->n; m++) {
            read_module(importer, root, &modules->entries[m]);
        }
        note_the_rest(importer, root);
    }
}

const taskfit_import_kind taskfit_import_eureka_cli = {
    .name = "eureka-cli",
    .summary = "configuration of FOLIO's eureka-cli",
    .is_tree = true,
    .recognize = recognize,
    .read = read,
};
