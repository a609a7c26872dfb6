/*
 * FOLIO's Helm values (a map from the name of a module to its resources, replicaCount, autoscaling, extraJavaOpts, extraEnvVars and
 * sidecarContainers) and plain Kubernetes manifests (Deployment, StatefulSet, DaemonSet, List; several documents in a file).
 */
#include <string.h>

#include "import/kinds.h"
#include "import/pod.h"

/* ---- documents ---- */

static void shift_lines(taskfit_node *node, uint32_t lines) {
    node->position.line += node->position.line > 0 ? lines : 0;
    for (size_t i = 0; node->kind == TASKFIT_NODE_LIST && i < node->n; i++) {
        shift_lines(node->items[i], lines);
    }
    for (size_t i = 0; node->kind == TASKFIT_NODE_MAP && i < node->n; i++) {
        node->entries[i].key_position.line += node->entries[i].key_position.line > 0 ? lines : 0;
        shift_lines(node->entries[i].value, lines);
    }
}

static bool is_blank_document(const char *from, const char *to) {
    while (from < to) {
        const char *newline = memchr(from, '\n', (size_t)(to - from));
        const char *end = newline ? newline : to;
        from += strspn(from, " \t\r");
        if (from < end && *from != '#' && strncmp(from, "---", 3) != 0) {
            return false;
        }
        from = end + 1;
    }
    return true;
}

/* The start of the next line that is "---", or the end of the text. */
static const char *next_separator(const char *at, const char *end) {
    for (const char *line = memchr(at, '\n', (size_t)(end - at)); line; line = memchr(line + 1, '\n', (size_t)(end - line - 1))) {
        if (end - line > 3 && strncmp(line + 1, "---", 3) == 0 && (end - line == 4 || strchr(" \t\r\n", line[4]))) {
            return line + 1;
        }
    }
    return end;
}

typedef void visit_document(taskfit_importer *importer, taskfit_node *root);

/* Reads each document; false where one is no YAML (told when there is an importer to tell). */
static bool each_document(taskfit_importer *importer, taskfit_arena *arena, const taskfit_import_input *input, visit_document *visit,
                          taskfit_node **first_out) {
    const char *end = input->data + input->len;
    uint32_t lines = 0;
    for (const char *from = input->data; from < end;) {
        const char *to = next_separator(from, end);
        taskfit_node *root = NULL;
        taskfit_error err = {.status = TASKFIT_OK};
        if (!is_blank_document(from, to)) {
            if (taskfit_node_read(arena, input->file, from, (size_t)(to - from), &root, &err) != TASKFIT_OK) {
                if (importer) {
                    taskfit_import_note(importer, TASKFIT_IMPORT_DEFECT, (taskfit_position){.file = input->file, .line = lines + 1}, NULL,
                                        "the document that starts here: %s (%s)", err.message, err.where);
                }
                return false;
            }
            shift_lines(root, lines);
            if (first_out) {
                *first_out = root;
                return true;
            }
            visit(importer, root);
        }
        for (; from < to; from++) {
            lines += *from == '\n';
        }
    }
    return true;
}

static const char *text_of(const taskfit_node *map, const char *key) {
    const taskfit_node *value = taskfit_node_get(map, key);
    return value && value->kind == TASKFIT_NODE_SCALAR && !taskfit_node_is_null(value) ? value->text : NULL;
}

static bool is_manifest(const taskfit_node *root) {
    return text_of(root, "apiVersion") && text_of(root, "kind");
}

static bool is_module(const taskfit_node *body) {
    return body->kind == TASKFIT_NODE_MAP && (taskfit_node_get(body, "resources") || taskfit_node_get(body, "replicaCount"));
}

static bool recognize(const taskfit_import_input *input) {
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_node *root = NULL;
    bool known = each_document(NULL, arena, input, NULL, &root) && root && root->kind == TASKFIT_NODE_MAP;
    if (known && !is_manifest(root)) {
        known = false;
        for (size_t i = 0; i < root->n && !known; i++) {
            known = is_module(root->entries[i].value);
        }
    }
    taskfit_arena_free(arena);
    return known;
}

/* ---- Helm values ---- */

static void read_count(taskfit_importer *importer, taskfit_import_service *service, const taskfit_node *body) {
    const taskfit_node *scaling = taskfit_node_get(body, "autoscaling");
    const bool is_scaled = text_of(scaling, "enabled") && strcmp(text_of(scaling, "enabled"), "true") == 0;
    const char *key = "replicaCount";
    const taskfit_node *from = body;
    if (is_scaled && importer->options->replicas != TASKFIT_REPLICAS_GIVEN) {
        key = importer->options->replicas == TASKFIT_REPLICAS_MIN ? "minReplicas" : "maxReplicas";
        from = scaling;
    }
    const taskfit_node *count = taskfit_node_get(from, key);
    if (count && count->kind == TASKFIT_NODE_SCALAR && !taskfit_node_is_null(count)) {
        const char *subject = taskfit_arena_printf(importer->arena, "%s: %s", service->name, key);
        (void)taskfit_import_count(importer, subject, count->text, count->position, &service->desired_count);
    }
    if (is_scaled) {
        taskfit_import_note(importer, TASKFIT_IMPORT_REMARK, scaling->position, service->name,
                            "autoscaling between %s and %s replicas: %s is taken (--replicas for another)",
                            text_of(scaling, "minReplicas") ? text_of(scaling, "minReplicas") : "?",
                            text_of(scaling, "maxReplicas") ? text_of(scaling, "maxReplicas") : "?", key);
    }
}

static void read_value_sidecar(taskfit_importer *importer, taskfit_import_service *service, const char *name, const taskfit_node *body) {
    taskfit_import_container *container = taskfit_import_container_add(importer, service, body->position);
    container->name = (taskfit_import_text){name ? name : text_of(body, "name"), body->position};
    taskfit_import_pod_container(importer, service, container, body);
}

static void read_value_sidecars(taskfit_importer *importer, taskfit_import_service *service, const taskfit_node *sidecars) {
    for (size_t i = 0; sidecars && sidecars->kind == TASKFIT_NODE_MAP && i < sidecars->n; i++) {
        read_value_sidecar(importer, service, sidecars->entries[i].key, sidecars->entries[i].value);
    }
    for (size_t i = 0; sidecars && sidecars->kind == TASKFIT_NODE_LIST && i < sidecars->n; i++) {
        read_value_sidecar(importer, service, NULL, sidecars->items[i]);
    }
}

static void read_module(taskfit_importer *importer, const taskfit_entry *entry) {
    if (!is_module(entry->value)) {
        taskfit_import_note(importer, TASKFIT_IMPORT_IGNORED, entry->key_position, NULL, "'%s' has neither resources nor replicaCount",
                            entry->key);
        return;
    }
    taskfit_import_service *service = taskfit_import_service_add(importer, entry->key, entry->key_position);
    taskfit_import_container *container = taskfit_import_container_add(importer, service, entry->key_position);
    read_count(importer, service, entry->value);
    taskfit_import_pod_container(importer, service, container, entry->value);
    read_value_sidecars(importer, service, taskfit_node_get(entry->value, "sidecarContainers"));
}

/* ---- manifests ---- */

static void read_workload(taskfit_importer *importer, const taskfit_node *object, const char *name) {
    const taskfit_node *spec = taskfit_node_get(object, "spec");
    const taskfit_node *pod = taskfit_node_get(taskfit_node_get(spec, "template"), "spec");
    const taskfit_node *containers = taskfit_node_get(pod, "containers");
    taskfit_import_service *service = taskfit_import_service_add(importer, name, object->position);
    const taskfit_node *replicas = taskfit_node_get(spec, "replicas");
    if (strcmp(text_of(object, "kind"), "DaemonSet") == 0) {
        taskfit_import_extra(importer, &service->extra, "schedulingStrategy", taskfit_node_string(importer->arena, "DAEMON"));
    } else if (replicas && replicas->kind == TASKFIT_NODE_SCALAR) {
        const char *subject = taskfit_arena_printf(importer->arena, "%s: replicas", service->name);
        (void)taskfit_import_count(importer, subject, replicas->text, replicas->position, &service->desired_count);
    }
    for (size_t i = 0; containers && containers->kind == TASKFIT_NODE_LIST && i < containers->n; i++) {
        const taskfit_node *body = containers->items[i];
        taskfit_import_container *container = taskfit_import_container_add(importer, service, body->position);
        container->name = (taskfit_import_text){text_of(body, "name"), body->position};
        taskfit_import_pod_container(importer, service, container, body);
    }
    if (service->n_containers == 0) {
        (void)taskfit_import_container_add(importer, service, object->position);
        taskfit_import_note(importer, TASKFIT_IMPORT_DEFECT, object->position, service->name, "no containers in spec.template.spec");
    }
}

static void read_object(taskfit_importer *importer, const taskfit_node *object) {
    const char *kind = text_of(object, "kind");
    const char *name = text_of(taskfit_node_get(object, "metadata"), "name");
    if (!kind || !name) {
        taskfit_import_note(importer, TASKFIT_IMPORT_IGNORED, object->position, NULL, "an object without kind or metadata.name");
    } else if (strcmp(kind, "Deployment") == 0 || strcmp(kind, "StatefulSet") == 0 || strcmp(kind, "DaemonSet") == 0) {
        read_workload(importer, object, name);
    } else {
        taskfit_import_note(importer, TASKFIT_IMPORT_REMARK, object->position, NULL, "%s '%s' has no place in a deployment", kind, name);
    }
}

static void read_document(taskfit_importer *importer, taskfit_node *root) {
    const taskfit_node *items = taskfit_node_get(root, "items");
    if (!is_manifest(root)) {
        if (root->kind != TASKFIT_NODE_MAP) {
            taskfit_import_note(importer, TASKFIT_IMPORT_DEFECT, root->position, NULL, "neither Helm values nor a Kubernetes object");
        }
        for (size_t i = 0; root->kind == TASKFIT_NODE_MAP && i < root->n; i++) {
            read_module(importer, &root->entries[i]);
        }
    } else if (items && items->kind == TASKFIT_NODE_LIST) { /* a List, as kubectl get -o yaml prints it */
        for (size_t i = 0; i < items->n; i++) {
            read_object(importer, items->items[i]);
        }
    } else {
        read_object(importer, root);
    }
}

static void read(taskfit_importer *importer, const taskfit_import_input *inputs, size_t n_inputs) {
    for (size_t i = 0; i < n_inputs; i++) {
        (void)each_document(importer, importer->arena, &inputs[i], read_document, NULL);
    }
}

const taskfit_import_kind taskfit_import_helm = {
    .name = "helm",
    .summary = "FOLIO Helm values, or Kubernetes manifests (Deployment, StatefulSet, DaemonSet)",
    .recognize = recognize,
    .read = read,
};
