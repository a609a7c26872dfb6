/*
 * The JSON of FOLIO's ECS resource check (folio-org/perf-testing, common/ECSResourcesCheck): a map, or a list of maps, from the name
 * of a service to its figures in MiB and CPU units. 0 stands for "not set", but for CPU. Services may carry a suffix "-b".
 */
#include <string.h>

#include "import/kinds.h"

struct figure {
    const char *key;
    taskfit_import_amount amount;
    bool zero_is_absent;
};

static const struct figure figures[] = {
    {"CPUUnits", TASKFIT_IMPORT_CPU, false},        {"HardLimit", TASKFIT_IMPORT_MEMORY, true},
    {"SoftLimit", TASKFIT_IMPORT_RESERVATION, true}, {"XMX", TASKFIT_IMPORT_XMX, true},
    {"Metaspace", TASKFIT_IMPORT_METASPACE, true},  {"MaxMetaspaceSize", TASKFIT_IMPORT_MAX_METASPACE, true},
};
enum { N_FIGURES = sizeof figures / sizeof figures[0] };

struct entry { /* one service or sidecar being read */
    taskfit_importer *importer;
    taskfit_import_service *service;
    taskfit_import_container *container;
    const char *subject;
};

static bool is_service_body(const taskfit_node *node) {
    size_t n_known = 0;
    for (size_t i = 0; i < N_FIGURES; i++) {
        n_known += taskfit_node_get(node, figures[i].key) != NULL;
    }
    return n_known >= 2;
}

static bool recognize(const taskfit_import_input *input) {
    const taskfit_node *map = input->root;
    if (map->kind == TASKFIT_NODE_LIST) {
        map = map->n > 0 ? map->items[0] : NULL;
    }
    return map && map->kind == TASKFIT_NODE_MAP && map->n > 0 && is_service_body(map->entries[0].value);
}

static void read_amount(const struct entry *entry, const struct figure *figure, const taskfit_node *value) {
    taskfit_import_quantity *amount = &entry->container->amounts[figure->amount];
    const char *subject = taskfit_arena_printf(entry->importer->arena, "%s: %s", entry->subject, figure->key);
    if (figure->amount == TASKFIT_IMPORT_CPU) {
        (void)taskfit_import_cpu(entry->importer, subject, value->text, value->position, TASKFIT_IMPORT_CPU_UNITS, amount);
    } else {
        (void)taskfit_import_memory(entry->importer, subject, value->text, value->position, amount);
    }
    if (amount->value == 0 && figure->zero_is_absent) {
        amount->value = -1;
    }
}

static void read_read_write_split(const struct entry *entry, const taskfit_node *value) {
    const bool is_true = strcmp(value->text, "true") == 0;
    if (is_true || strcmp(value->text, "false") == 0) {
        taskfit_node *split = taskfit_node_bool(entry->importer->arena, is_true);
        split->position = value->position;
        taskfit_import_extra(entry->importer, &entry->service->extra, "readWriteSplit", split);
    } else if (!taskfit_node_is_null(value)) {
        taskfit_import_note(entry->importer, TASKFIT_IMPORT_IGNORED, value->position, entry->service->name,
                            "RWSplitEnabled '%s' is neither true nor false", value->text);
    }
}

/* One key of a body; false: not one that is known. */
static bool read_key(const struct entry *entry, const char *key, const taskfit_node *value, bool is_sidecar) {
    for (size_t i = 0; i < N_FIGURES; i++) {
        if (strcmp(figures[i].key, key) == 0) {
            read_amount(entry, &figures[i], value);
            return true;
        }
    }
    if (strcmp(key, "Version") == 0) {
        if (!taskfit_node_is_null(value) && value->n > 0) {
            entry->container->image = (taskfit_import_text){value->text, value->position};
        }
    } else if (!is_sidecar && strcmp(key, "desiredCount") == 0) {
        const char *subject = taskfit_arena_printf(entry->importer->arena, "%s: %s", entry->subject, key);
        (void)taskfit_import_count(entry->importer, subject, value->text, value->position, &entry->service->desired_count);
    } else if (!is_sidecar && strcmp(key, "RWSplitEnabled") == 0) {
        read_read_write_split(entry, value);
    } else {
        /* a sidecar has the service's count and split; a revision has no place in a deployment */
        return strcmp(key, "Revision") == 0 || strcmp(key, "desiredCount") == 0 || strcmp(key, "RWSplitEnabled") == 0;
    }
    return true;
}

static void read_body(const struct entry *entry, const taskfit_node *body, bool is_sidecar) {
    for (size_t i = 0; i < body->n; i++) {
        const taskfit_entry *item = &body->entries[i];
        const bool is_scalar = item->value->kind == TASKFIT_NODE_SCALAR;
        if (!(is_scalar && read_key(entry, item->key, item->value, is_sidecar)) &&
            (is_sidecar || strcmp(item->key, "sidecars") != 0)) {
            taskfit_import_note(entry->importer, TASKFIT_IMPORT_IGNORED, item->key_position, entry->service->name,
                                "%s '%s'", is_scalar ? "unknown key" : "no figure under key", item->key);
        }
    }
}

static void read_sidecar(struct entry entry, const char *name, const taskfit_node *body) {
    entry.container = taskfit_import_container_add(entry.importer, entry.service, body->position);
    entry.subject = taskfit_arena_printf(entry.importer->arena, "%s: %s", entry.service->name, name ? name : "sidecar");
    if (name) {
        entry.container->name = (taskfit_import_text){name, body->position};
    }
    read_body(&entry, body, true);
}

/* A list of bodies, or of maps from a name to a body; or such a map. */
static void read_sidecars(const struct entry *entry, const taskfit_node *sidecars) {
    if (sidecars->kind == TASKFIT_NODE_MAP && is_service_body(sidecars)) {
        read_sidecar(*entry, NULL, sidecars);
    } else if (sidecars->kind == TASKFIT_NODE_MAP) {
        for (size_t i = 0; i < sidecars->n; i++) {
            if (sidecars->entries[i].value->kind == TASKFIT_NODE_MAP) {
                read_sidecar(*entry, sidecars->entries[i].key, sidecars->entries[i].value);
            }
        }
    } else if (sidecars->kind == TASKFIT_NODE_LIST) {
        for (size_t i = 0; i < sidecars->n; i++) {
            if (sidecars->items[i]->kind != TASKFIT_NODE_LIST) {
                read_sidecars(entry, sidecars->items[i]);
            }
        }
    }
}

/* Whether the image of a service is called as the service is. */
static bool is_name_of_image(const taskfit_node *body, const char *name) {
    const taskfit_node *version = taskfit_node_get(body, "Version");
    if (!version || version->kind != TASKFIT_NODE_SCALAR) {
        return false;
    }
    const char *slash = strrchr(version->text, '/');
    const char *start = slash ? slash + 1 : version->text;
    return strcspn(start, ":@") == strlen(name) && strncmp(start, name, strlen(name)) == 0;
}

/* "mod-users-b" is mod-users; its task definitions keep the name. */
static taskfit_import_service *add_service(taskfit_importer *importer, const char *name, const taskfit_node *body,
                                           taskfit_position position) {
    static const char suffix[] = "-b";
    const size_t len = strlen(name);
    const size_t suffix_len = sizeof suffix - 1;
    if (len <= suffix_len || strcmp(name + len - suffix_len, suffix) != 0 || is_name_of_image(body, name)) {
        return taskfit_import_service_add(importer, name, position);
    }
    const char *stem = taskfit_arena_strndup(importer->arena, name, len - suffix_len);
    taskfit_import_service *service = taskfit_import_service_add(importer, stem, position);
    taskfit_node *family = taskfit_node_string(importer->arena, name);
    family->position = position;
    taskfit_import_extra(importer, &service->extra, "family", family);
    taskfit_import_note(importer, TASKFIT_IMPORT_REMARK, position, service->name, "'%s' without its suffix, which is kept as family", name);
    return service;
}

static void read_services(taskfit_importer *importer, const taskfit_node *map) {
    for (size_t i = 0; i < map->n; i++) {
        const taskfit_entry *item = &map->entries[i];
        if (item->value->kind != TASKFIT_NODE_MAP) {
            taskfit_import_note(importer, TASKFIT_IMPORT_DEFECT, item->value->position, NULL,
                                "'%s' must be a map of figures, not a %s", item->key, taskfit_node_kind_name(item->value));
            continue;
        }
        struct entry entry = {.importer = importer, .service = add_service(importer, item->key, item->value, item->key_position)};
        entry.container = taskfit_import_container_add(importer, entry.service, item->key_position);
        entry.subject = entry.service->name;
        read_body(&entry, item->value, false);
        const taskfit_node *sidecars = taskfit_node_get(item->value, "sidecars");
        if (sidecars) {
            read_sidecars(&entry, sidecars);
        }
    }
}

static void read(taskfit_importer *importer, const taskfit_import_input *inputs, size_t n_inputs) {
    (void)n_inputs;
    const taskfit_node *root = inputs->root;
    if (root->kind == TASKFIT_NODE_MAP) {
        read_services(importer, root);
    }
    for (size_t i = 0; root->kind == TASKFIT_NODE_LIST && i < root->n; i++) {
        if (root->items[i]->kind == TASKFIT_NODE_MAP) {
            read_services(importer, root->items[i]);
        } else {
            taskfit_import_note(importer, TASKFIT_IMPORT_DEFECT, root->items[i]->position, NULL,
                                "item %zu must be a map of services, not a %s", i, taskfit_node_kind_name(root->items[i]));
        }
    }
}

const taskfit_import_kind taskfit_import_ecs_check = {
    .name = "ecs-check",
    .summary = "JSON of FOLIO's ECS resource check",
    .is_tree = true,
    .recognize = recognize,
    .read = read,
};
