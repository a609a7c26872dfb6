#include "import/pod.h"

#include <string.h>

#include "base/units.h"

/* For containers without any figure of memory; nobody's measurement, so it is told each time. */
enum { DEFAULT_REQUEST_MIB = 512, DEFAULT_LIMIT_MIB = 1024 };

static const taskfit_node *scalar_in(const taskfit_node *map, const char *key) {
    const taskfit_node *value = taskfit_node_get(map, key);
    return value && value->kind == TASKFIT_NODE_SCALAR && !taskfit_node_is_null(value) ? value : NULL;
}

static const char *subject(taskfit_importer *importer, const taskfit_import_service *service, const char *what) {
    return taskfit_arena_printf(importer->arena, "%s: %s", service->name, what);
}

/* Kubernetes counts bytes: bare figures, and k, M, G, T by thousands. Ki, Mi, Gi and the rest are those of taskfit. */
static void read_amount(taskfit_importer *importer, const char *what, const taskfit_node *amount, taskfit_import_quantity *mib_out) {
    static const struct {
        const char *suffix;
        int64_t bytes;
    } units[] = {{"", 1}, {"k", 1000}, {"M", 1000000}, {"G", 1000000000}, {"T", 1000000000000}};
    enum { MIB_BYTES = 1024 * 1024 };
    static const int64_t figure_max = INT64_C(1000000000000000);
    const size_t n_digits = strspn(amount->text, "0123456789");
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        int64_t figure = 0;
        int64_t bytes = 0;
        const char *why = NULL;
        if (n_digits > 0 && strcmp(amount->text + n_digits, units[i].suffix) == 0 &&
            taskfit_parse_count(amount->text, n_digits, 0, figure_max, &figure, &why) &&
            !__builtin_mul_overflow(figure, units[i].bytes, &bytes)) {
            *mib_out = (taskfit_import_quantity){bytes / MIB_BYTES + (bytes % MIB_BYTES > 0), amount->position};
            return;
        }
    }
    (void)taskfit_import_memory(importer, what, amount->text, amount->position, mib_out);
}

static void read_memory(taskfit_importer *importer, const taskfit_import_service *service, taskfit_import_container *container,
                        const taskfit_node *resources) {
    taskfit_import_quantity *hard = &container->amounts[TASKFIT_IMPORT_MEMORY];
    taskfit_import_quantity *soft = &container->amounts[TASKFIT_IMPORT_RESERVATION];
    const taskfit_node *limit = scalar_in(taskfit_node_get(resources, "limits"), "memory");
    const taskfit_node *request = scalar_in(taskfit_node_get(resources, "requests"), "memory");
    if (limit) {
        read_amount(importer, subject(importer, service, "limits.memory"), limit, hard);
    }
    if (request) {
        read_amount(importer, subject(importer, service, "requests.memory"), request, soft);
    }
    if (!limit && !request) {
        *hard = (taskfit_import_quantity){DEFAULT_LIMIT_MIB, container->position};
        *soft = (taskfit_import_quantity){DEFAULT_REQUEST_MIB, container->position};
        taskfit_import_note(importer, TASKFIT_IMPORT_ASSUMED, container->position, service->name,
                            "no memory is stated: request %d MiB, limit %d MiB", DEFAULT_REQUEST_MIB, DEFAULT_LIMIT_MIB);
    }
}

static void read_cpu(taskfit_importer *importer, const taskfit_import_service *service, taskfit_import_container *container,
                     const taskfit_node *resources) {
    taskfit_import_quantity *units = &container->amounts[TASKFIT_IMPORT_CPU];
    const taskfit_node *limit = scalar_in(taskfit_node_get(resources, "limits"), "cpu");
    const taskfit_node *request = scalar_in(taskfit_node_get(resources, "requests"), "cpu");
    if (limit) {
        taskfit_import_note(importer, request ? TASKFIT_IMPORT_IGNORED : TASKFIT_IMPORT_REMARK, limit->position, service->name,
                            request ? "limits.cpu '%s' (a container on Amazon ECS has a reservation only)"
                                    : "limits.cpu '%s' is also the request, as in Kubernetes",
                            limit->text);
    }
    const taskfit_node *cpu = request ? request : limit;
    if (cpu) {
        (void)taskfit_import_cpu(importer, subject(importer, service, "cpu"), cpu->text, cpu->position, TASKFIT_IMPORT_CPU_CORES, units);
    }
}

static bool is_java_variable(const char *name) {
    return strcmp(name, "JAVA_OPTIONS") == 0 || strcmp(name, "JAVA_OPTS") == 0 || strcmp(name, "JAVA_TOOL_OPTIONS") == 0;
}

/* Appends the texts of a list of scalars, or the one scalar. */
static void add_texts(taskfit_strbuf *flags, const taskfit_node *node) {
    for (size_t i = 0; node && node->kind == TASKFIT_NODE_LIST && i < node->n; i++) {
        add_texts(flags, node->items[i]);
    }
    if (node && node->kind == TASKFIT_NODE_SCALAR && !taskfit_node_is_null(node)) {
        taskfit_strbuf_adds(flags, flags->len > 0 ? " " : "");
        taskfit_strbuf_adds(flags, node->text);
    }
}

static size_t read_environment(const taskfit_node *list, taskfit_strbuf *flags, taskfit_position *position) {
    size_t n_other = 0;
    for (size_t i = 0; list && list->kind == TASKFIT_NODE_LIST && i < list->n; i++) {
        const taskfit_node *name = scalar_in(list->items[i], "name");
        const taskfit_node *value = scalar_in(list->items[i], "value");
        if (name && value && is_java_variable(name->text)) {
            add_texts(flags, value);
            *position = value->position;
        } else {
            n_other++;
        }
    }
    return n_other;
}

void taskfit_import_pod_container(taskfit_importer *importer, const taskfit_import_service *service,
                                  taskfit_import_container *container, const taskfit_node *body) {
    const taskfit_node *resources = taskfit_node_get(body, "resources");
    read_memory(importer, service, container, resources);
    read_cpu(importer, service, container, resources);
    TASKFIT_STRBUF(flags);
    taskfit_position position = container->position;
    const size_t n_other = read_environment(taskfit_node_get(body, "env"), &flags, &position) +
                           read_environment(taskfit_node_get(body, "extraEnvVars"), &flags, &position);
    const taskfit_node *java = taskfit_node_get(body, "extraJavaOpts");
    add_texts(&flags, java);
    position = java ? java->position : position;
    if (flags.len > 0) {
        taskfit_import_jvm(importer, container, taskfit_arena_strdup(importer->arena, flags.data), position);
    }
    if (n_other > 0) {
        taskfit_import_note(importer, TASKFIT_IMPORT_IGNORED, container->position, service->name,
                            "%zu variable%s of the environment beside the flags of the JVM", n_other, n_other == 1 ? "" : "s");
    }
    const char *image = taskfit_import_pod_image(importer, taskfit_node_get(body, "image"));
    if (image) {
        container->image = (taskfit_import_text){image, container->position};
    }
}

const char *taskfit_import_pod_image(taskfit_importer *importer, const taskfit_node *image) {
    if (image && image->kind == TASKFIT_NODE_SCALAR && !taskfit_node_is_null(image) && image->n > 0) {
        return image->text;
    }
    const taskfit_node *repository = scalar_in(image, "repository");
    const taskfit_node *registry = scalar_in(image, "registry");
    const taskfit_node *tag = scalar_in(image, "tag");
    if (!repository) {
        return NULL;
    }
    return taskfit_arena_printf(importer->arena, "%s%s%s%s%s", registry ? registry->text : "", registry ? "/" : "", repository->text,
                                tag ? ":" : "", tag ? tag->text : "");
}
