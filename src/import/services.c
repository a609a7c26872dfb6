#include <assert.h>
#include <string.h>

#include "import/import.h"

/* ---- services ---- */

static bool is_name_character(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/* A name that Amazon ECS takes: letters, digits, hyphens, underscores, at most 255. */
static const char *clean_name(taskfit_importer *importer, const char *name) {
    enum { NAME_MAX_LENGTH = 255 };
    TASKFIT_STRBUF(clean);
    for (const char *c = name; *c && clean.len < NAME_MAX_LENGTH; c++) {
        if (is_name_character(*c)) {
            taskfit_strbuf_addc(&clean, *c);
        } else if (clean.len > 0 && clean.data[clean.len - 1] != '-') { /* several bytes of one character are one hyphen */
            taskfit_strbuf_addc(&clean, '-');
        }
    }
    while (clean.len > 0 && clean.data[clean.len - 1] == '-' && strcmp(clean.data, name) != 0) {
        clean.data[--clean.len] = '\0';
    }
    return taskfit_arena_strdup(importer->arena, clean.len > 0 ? clean.data : "unnamed");
}

taskfit_import_service *taskfit_import_service_add(taskfit_importer *importer, const char *name, taskfit_position position) {
    taskfit_import_service *service = TASKFIT_NEW(importer->arena, taskfit_import_service);
    service->name = clean_name(importer, name);
    service->position = position;
    service->desired_count.value = -1;
    if (strcmp(service->name, name) != 0) {
        taskfit_import_note(importer, TASKFIT_IMPORT_REPAIRED, position, service->name,
                            "the name was '%s' (names of services are letters, digits, hyphens and underscores)", name);
    }
    TASKFIT_GROW(importer->arena, importer->services, importer->n_services, importer->services_capacity);
    importer->services[importer->n_services++] = service;
    return service;
}

taskfit_import_container *taskfit_import_container_add(taskfit_importer *importer, taskfit_import_service *service,
                                                       taskfit_position position) {
    taskfit_import_container *container = TASKFIT_NEW(importer->arena, taskfit_import_container);
    container->position = position;
    for (size_t amount = 0; amount < TASKFIT_IMPORT_AMOUNTS; amount++) {
        container->amounts[amount].value = -1;
    }
    TASKFIT_GROW(importer->arena, service->containers, service->n_containers, service->containers_capacity);
    service->containers[service->n_containers++] = container;
    return container;
}

const char *taskfit_import_container_name(const taskfit_import_service *service, size_t container) {
    assert(container < service->n_containers);
    const char *name = service->containers[container]->name.text;
    return name ? name : container == 0 ? service->name : "sidecar";
}

/* ---- parts ---- */

void taskfit_import_extra(taskfit_importer *importer, taskfit_node **extra, const char *key, taskfit_node *value) {
    if (!*extra) {
        *extra = taskfit_node_map(importer->arena);
    }
    taskfit_node_set(importer->arena, *extra, key, value);
}

void taskfit_import_jvm(taskfit_importer *importer, taskfit_import_container *container, const char *flags,
                        taskfit_position position) {
    const taskfit_jvm_flags read = taskfit_jvm_flags_parse(importer->arena, flags);
    const struct {
        taskfit_import_amount amount;
        int64_t mib;
    } sizes[] = {
        {TASKFIT_IMPORT_XMX, read.xmx_mib},
        {TASKFIT_IMPORT_XMS, read.xms_mib},
        {TASKFIT_IMPORT_METASPACE, read.metaspace_mib},
        {TASKFIT_IMPORT_MAX_METASPACE, read.max_metaspace_mib},
        {TASKFIT_IMPORT_CODE_CACHE, read.code_cache_mib},
        {TASKFIT_IMPORT_DIRECT_MEMORY, read.direct_memory_mib},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (sizes[i].mib >= 0) {
            container->amounts[sizes[i].amount] = (taskfit_import_quantity){sizes[i].mib, position};
        }
    }
    if (read.max_ram_percentage) {
        container->max_ram_percentage = (taskfit_import_text){read.max_ram_percentage, position};
    }
    if (read.options) {
        container->jvm_options = (taskfit_import_text){read.options, position};
    }
    if (read.is_rounded) {
        taskfit_import_note(importer, TASKFIT_IMPORT_ASSUMED, position, NULL,
                            "a size of the JVM is no whole number of MiB and is rounded up");
    }
}

void taskfit_import_cluster(taskfit_importer *importer, const char *key, taskfit_node *value) {
    if (!importer->cluster) {
        importer->cluster = taskfit_node_map(importer->arena);
    }
    const taskfit_node *known = taskfit_node_get(importer->cluster, key);
    if (known && !taskfit_node_equal(known, value)) {
        taskfit_import_note(importer, TASKFIT_IMPORT_DEFECT, value->position, NULL,
                            "cluster.%s differs from what %s:%u says (import one cluster at a time)", key,
                            known->position.file ? known->position.file : "the source", known->position.line);
    } else if (!known) {
        taskfit_node_set(importer->arena, importer->cluster, key, value);
    }
}
