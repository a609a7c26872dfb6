#include "deployment/read.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "deployment/accounting.h"
#include "deployment/query.h"
#include "deployment/words.h"

/* What ECS does for a service that states no strategy (developer guide, "Amazon ECS services"). */
const taskfit_strategy taskfit_ecs_strategies[2] = {
    {.type = TASKFIT_STRATEGY_SPREAD_AZ, .field = "attribute:ecs.availability-zone"},
    {.type = TASKFIT_STRATEGY_SPREAD_INSTANCE, .field = "instanceId"},
};

typedef struct service_draft {
    taskfit_service service;
    taskfit_container main; /* short form */
    int scheduling;
    taskfit_node *definitions, *sidecar;
    taskfit_node *node;
} service_draft;

/* ---- maps inside a service ---- */

static const taskfit_field task_fields[] = {
    {TASKFIT_KEY("cpu", taskfit_decode_cpu_up, taskfit_service, task_cpu_units), .low = 128, .high = 196608},
    {TASKFIT_KEY("memory", taskfit_decode_memory_up, taskfit_service, task_memory_mib), .low = 6,
     .high = TASKFIT_QUANTITY_MAX},
};

static void read_task(taskfit_decoder *decoder, const taskfit_field *field TASKFIT_UNUSED, taskfit_node *value,
                      void *object) {
    (void)taskfit_decode_map(decoder, value, task_fields, TASKFIT_COUNT_OF(task_fields), object);
}

static const taskfit_field platform_fields[] = {
    {TASKFIT_KEY("cpuArchitecture", taskfit_decode_word, taskfit_service, architecture),
     .words = taskfit_service_architecture_words},
};

static void read_platform(taskfit_decoder *decoder, const taskfit_field *field TASKFIT_UNUSED, taskfit_node *value,
                          void *object) {
    (void)taskfit_decode_map(decoder, value, platform_fields, TASKFIT_COUNT_OF(platform_fields), object);
}

static const taskfit_field deployment_fields[] = {
    {TASKFIT_KEY("maximumPercent", taskfit_decode_count, taskfit_service, maximum_percent), .low = 0, .high = 10000},
    {TASKFIT_KEY("minimumHealthyPercent", taskfit_decode_count, taskfit_service, minimum_healthy_percent), .low = 0,
     .high = 100},
    {TASKFIT_KEY("strategy", taskfit_decode_word, taskfit_service, deployment_strategy),
     .words = taskfit_deployment_strategy_words},
};

static void read_deployment_configuration(taskfit_decoder *decoder, const taskfit_field *field TASKFIT_UNUSED,
                                          taskfit_node *value, void *object) {
    (void)taskfit_decode_map(decoder, value, deployment_fields, TASKFIT_COUNT_OF(deployment_fields), object);
}

/* ---- ignore ---- */

static const taskfit_field ignore_fields[] = {
    {TASKFIT_KEY("rule", taskfit_decode_text, taskfit_ignore, rule), .required = true,
     .remedy = "the code of the finding, for example JVM003"},
    {TASKFIT_KEY("reason", taskfit_decode_text, taskfit_ignore, reason), .required = true,
     .remedy = "why the finding does not matter here"},
};

static void read_ignore_item(taskfit_decoder *decoder, taskfit_node *item, size_t index, void *arg) {
    taskfit_ignore *ignore = arg;
    (void)taskfit_decode_map(decoder, item, ignore_fields, TASKFIT_COUNT_OF(ignore_fields), &ignore[index]);
}

static void read_ignore(taskfit_decoder *decoder, const taskfit_field *field TASKFIT_UNUSED, taskfit_node *value,
                        void *object) {
    taskfit_service *service = object;
    taskfit_ignore *ignore = TASKFIT_ARRAY(decoder->arena, taskfit_decode_size(value), taskfit_ignore);
    taskfit_decode_items(decoder, value, read_ignore_item, ignore);
    service->ignore = ignore;
    service->n_ignore = taskfit_decode_size(value);
}

/* ---- the body of a service; struct service_draft begins with the service ---- */

static const taskfit_field service_fields[] = {
    {TASKFIT_KEY("name", taskfit_decode_name, taskfit_service, name)},
    TASKFIT_CONTAINER_FIELDS(offsetof(service_draft, main)),
    {TASKFIT_KEY("sidecar", taskfit_decode_node, service_draft, sidecar)},
    {TASKFIT_KEY("containerDefinitions", taskfit_decode_node, service_draft, definitions)},
    {.key = "task", .read = read_task},
    {TASKFIT_KEY("desiredCount", taskfit_decode_count, taskfit_service, desired_count), .low = 0,
     .high = TASKFIT_TASKS_MAX},
    {TASKFIT_KEY("schedulingStrategy", taskfit_decode_word, service_draft, scheduling),
     .words = taskfit_scheduling_words},
    {.key = "group", .read = taskfit_read_service_groups},
    {TASKFIT_KEY("networkMode", taskfit_decode_word, taskfit_service, network_mode), .words = taskfit_network_words},
    {.key = "runtimePlatform", .read = read_platform},
    {.key = "placementStrategy", .read = taskfit_read_strategies},
    {.key = "placementConstraints", .read = taskfit_read_constraints},
    {.key = "deploymentConfiguration", .read = read_deployment_configuration},
    {TASKFIT_KEY("readWriteSplit", taskfit_decode_bool, taskfit_service, read_write_split)},
    {TASKFIT_KEY("family", taskfit_decode_name, taskfit_service, family)},
    {.key = "ignore", .read = read_ignore},
};

bool taskfit_is_service_key(const char *key) {
    for (size_t i = 0; i < TASKFIT_COUNT_OF(service_fields); i++) {
        if (strcmp(service_fields[i].key, key) == 0) {
            return true;
        }
    }
    return false;
}

static service_draft draft_of(const taskfit_reading *reading) {
    return (service_draft){.service = {.desired_count = 1,
                                       .task_cpu_units = -1,
                                       .task_memory_mib = -1,
                                       .network_mode = reading->deployment->network_mode,
                                       .architecture = TASKFIT_ARCH_ANY,
                                       .maximum_percent = -1,
                                       .minimum_healthy_percent = -1,
                                       .deployment_strategy = TASKFIT_DEPLOY_ROLLING},
                           .main = taskfit_container_defaults()};
}

void taskfit_read_defaults(taskfit_reading *reading, taskfit_node *defaults) {
    taskfit_decoder *decoder = &reading->decoder;
    service_draft draft = draft_of(reading);
    (void)taskfit_decode_map(decoder, defaults, service_fields, TASKFIT_COUNT_OF(service_fields), &draft);
    const char *const own[] = {"name", "containerDefinitions"};
    for (size_t i = 0; defaults->kind == TASKFIT_NODE_MAP && i < TASKFIT_COUNT_OF(own); i++) {
        if (taskfit_decode_given(defaults, own[i])) {
            taskfit_decode_defect_at(decoder, defaults, own[i],
                                     "belongs to a service of its own (remove it from defaults)");
        }
    }
}

/* ---- containers of a service ---- */

typedef struct definitions {
    service_draft *draft;
    taskfit_container *containers;
} definitions;

static void read_definition(taskfit_decoder *decoder, taskfit_node *item, size_t index, void *arg) {
    definitions *list = arg;
    taskfit_reading *reading = taskfit_reading_of(decoder);
    if (index < TASKFIT_CONTAINERS_MAX) {
        list->containers[index] = taskfit_read_container(reading, item, NULL, true);
        if (item->kind == TASKFIT_NODE_MAP) {
            taskfit_check_container(reading, &list->draft->service, &list->containers[index]);
        }
    }
}

static void read_long_form(taskfit_reading *reading, service_draft *draft, taskfit_container *containers) {
    taskfit_decoder *decoder = &reading->decoder;
    for (size_t i = 0; i < draft->node->n; i++) {
        const char *key = draft->node->entries[i].key;
        if ((taskfit_is_container_key(key) || strcmp(key, "sidecar") == 0) && taskfit_decode_given(draft->node, key)) {
            taskfit_decode_defect_at(decoder, draft->node, key,
                                     "does not go with containerDefinitions (move it into a container there)");
        }
    }
    const taskfit_path path = {.up = decoder->path, .key = "containerDefinitions"};
    const taskfit_node *list = draft->definitions;
    decoder->path = &path;
    taskfit_decode_items(decoder, draft->definitions, read_definition, &(definitions){draft, containers});
    if (list->kind == TASKFIT_NODE_LIST && list->n == 0) {
        taskfit_decode_defect(decoder, list->position, "must hold at least one container");
    } else if (taskfit_decode_size(list) > TASKFIT_CONTAINERS_MAX) {
        taskfit_decode_defect(decoder, list->position, "%zu containers in a task (ECS takes at most %d)", list->n,
                              TASKFIT_CONTAINERS_MAX);
    }
    decoder->path = path.up;
    draft->service.long_form = true;
    draft->service.n_containers = list->kind != TASKFIT_NODE_LIST    ? 0
                                  : list->n < TASKFIT_CONTAINERS_MAX ? list->n
                                                                     : TASKFIT_CONTAINERS_MAX;
}

static void read_short_form(taskfit_reading *reading, service_draft *draft, taskfit_container *containers) {
    taskfit_decoder *decoder = &reading->decoder;
    containers[0] = draft->main;
    containers[0].name = draft->service.name;
    containers[0].node = draft->node;
    taskfit_check_container(reading, &draft->service, &containers[0]);
    draft->service.n_containers = 1;
    if (draft->sidecar && draft->sidecar->kind == TASKFIT_NODE_MAP) { /* else resolve.c has told why not */
        const taskfit_path path = {.up = decoder->path, .key = "sidecar"};
        decoder->path = &path;
        containers[1] = taskfit_read_container(reading, draft->sidecar, "sidecar", false);
        taskfit_check_container(reading, &draft->service, &containers[1]);
        decoder->path = path.up;
        draft->service.n_containers = 2;
    }
}

static int compare_host_ports(const void *left, const void *right) {
    const taskfit_port_mapping *a = left;
    const taskfit_port_mapping *b = right;
    if (a->protocol != b->protocol) {
        return a->protocol < b->protocol ? -1 : 1;
    }
    return (a->host_port > b->host_port) - (a->host_port < b->host_port);
}

/* One task cannot take the same port twice: of the host, or of its own network interface. */
static void check_ports(const taskfit_reading *reading, const service_draft *draft,
                        const taskfit_container *containers) {
    size_t n = 0;
    for (size_t c = 0; c < draft->service.n_containers; c++) {
        n += containers[c].n_port_mappings;
    }
    taskfit_port_mapping *ports = TASKFIT_ARRAY(reading->decoder.arena, n, taskfit_port_mapping);
    n = 0;
    for (size_t c = 0; c < draft->service.n_containers; c++) {
        for (size_t p = 0; p < containers[c].n_port_mappings; p++) {
            if (containers[c].port_mappings[p].host_port > 0) {
                ports[n++] = containers[c].port_mappings[p];
            }
        }
    }
    if (n > 1) {
        qsort(ports, n, sizeof *ports, compare_host_ports);
    }
    for (size_t i = 1; i < n; i++) {
        if (compare_host_ports(&ports[i - 1], &ports[i]) == 0) {
            taskfit_decode_defect(&reading->decoder, draft->service.position,
                                  "%s port %lld is taken twice in one task (give each mapping a port of its own)",
                                  taskfit_word_text(taskfit_protocol_words, (int)ports[i].protocol),
                                  (long long)ports[i].host_port);
        }
    }
}

static void check_containers(const taskfit_reading *reading, const service_draft *draft,
                             const taskfit_container *containers) {
    const taskfit_decoder *decoder = &reading->decoder;
    const taskfit_service *service = &draft->service;
    bool essential = service->n_containers == 0;
    int64_t reserved_mib = 0;
    for (size_t c = 0; c < service->n_containers; c++) {
        essential = essential || containers[c].essential;
        reserved_mib += containers[c].memory_reservation_mib > 0 ? containers[c].memory_reservation_mib : 0;
        for (size_t other = 0; other < c; other++) {
            if (containers[c].name[0] && strcmp(containers[c].name, containers[other].name) == 0) {
                taskfit_decode_defect(decoder, containers[c].node->position,
                                      "container name '%s' is given twice in one task (names must differ)",
                                      containers[c].name);
            }
        }
    }
    if (!essential) {
        taskfit_decode_defect(decoder, service->position, "no container is essential (ECS needs at least one)");
    }
    if (service->task_memory_mib >= 0 && reserved_mib > service->task_memory_mib) {
        taskfit_decode_defect(
            decoder, service->position,
            "reservations of %lld MiB are above the task's memory of %lld MiB (lower them or raise task.memory)",
            (long long)reserved_mib, (long long)service->task_memory_mib);
    }
    check_ports(reading, draft, containers);
}

/* ---- one service, all services ---- */

static void settle_daemon(taskfit_reading *reading, service_draft *draft, bool listed) {
    taskfit_service *service = &draft->service;
    const bool count_given = taskfit_decode_given(draft->node, "desiredCount");
    service->daemon = true;
    service->desired_count = 0;
    if (listed && count_given) {
        taskfit_decode_defect_at(&reading->decoder, draft->node, "desiredCount",
                                 "a daemon has one task on every instance (remove it)");
    } else if (count_given) {
        taskfit_warn(reading, TASKFIT_WARN_DAEMON_COUNT, service->name,
                     "desiredCount has no effect: schedulingStrategy DAEMON puts one task on every instance");
    }
    if (listed && taskfit_decode_given(draft->node, "schedulingStrategy") && draft->scheduling == 0) {
        taskfit_decode_defect_at(&reading->decoder, draft->node, "schedulingStrategy",
                                 "what stands in cluster.daemons is a daemon (remove it, or move it to services)");
    }
    if (service->n_strategies > 0) {
        taskfit_warn(reading, TASKFIT_WARN_DAEMON_STRATEGY, service->name,
                     "placementStrategy has no effect: a daemon stands on every instance its constraints permit");
    }
}

/* `not(task:group == service:ITSELF)` says distinctInstance in other words. */
static bool refuses_itself(const taskfit_service *service) {
    for (size_t q = 0; q < service->n_member_of; q++) {
        size_t n = 0;
        const char *const *names = taskfit_query_conflicts(service->queries[q], &n);
        for (size_t i = 0; i < n; i++) {
            if (strcmp(names[i], service->name) == 0) {
                return true;
            }
        }
    }
    return false;
}

static taskfit_service read_service(taskfit_reading *reading, taskfit_node *node, bool listed_daemon) {
    service_draft draft = draft_of(reading);
    taskfit_service *service = &draft.service;
    draft.node = node;
    service->position = node->position;
    service->node = node;
    if (!taskfit_decode_map(&reading->decoder, node, service_fields, TASKFIT_COUNT_OF(service_fields), &draft)) {
        service->name = "";
        return *service;
    }
    if (!taskfit_decode_given(node, "name")) {
        taskfit_decode_defect(&reading->decoder, node->position, "'name' is missing (every service needs one)");
    }
    service->name = service->name ? service->name : "";
    service->family = service->family ? service->family : service->name;
    taskfit_container *containers = TASKFIT_ARRAY(reading->decoder.arena, TASKFIT_CONTAINERS_MAX, taskfit_container);
    if (draft.definitions) {
        read_long_form(reading, &draft, containers);
    } else {
        read_short_form(reading, &draft, containers);
    }
    check_containers(reading, &draft, containers);
    for (size_t i = 0; i < service->n_member_of; i++) {
        taskfit_error why = {.status = TASKFIT_OK};
        if (taskfit_member_of_check(reading->deployment, service, i, &why) != TASKFIT_OK) {
            taskfit_decode_defect_at(&reading->decoder, node, "placementConstraints", "%s", why.message);
        }
    }
    service->distinct_instance = service->distinct_instance || refuses_itself(service);
    service->containers = containers;
    if (listed_daemon || draft.scheduling == 1) {
        settle_daemon(reading, &draft, listed_daemon);
    }
    if (service->n_strategies == 0) {
        service->strategies = taskfit_ecs_strategies;
        service->n_strategies = TASKFIT_COUNT_OF(taskfit_ecs_strategies);
    }
    if (service->maximum_percent < 0) {
        service->maximum_percent = service->daemon ? 100 : 200;
    }
    if (service->minimum_healthy_percent < 0) {
        service->minimum_healthy_percent = service->daemon ? 0 : 100;
    }
    return *service;
}

typedef struct service_list {
    taskfit_service *items;
    taskfit_named *names;
    size_t n, n_names;
    size_t capacity, names_capacity;
} service_list;

static void add_services(taskfit_reading *reading, taskfit_node *list, bool daemons, service_list *out) {
    taskfit_decoder *decoder = &reading->decoder;
    if (!list || !taskfit_decode_is(decoder, list, TASKFIT_NODE_LIST)) {
        return;
    }
    const char *file = NULL;
    size_t index = 0; /* inside its file: an include has its own count */
    for (size_t i = 0; i < list->n && out->n <= TASKFIT_SERVICES_MAX; i++) {
        taskfit_node *node = list->items[i];
        index = file && node->position.file && strcmp(file, node->position.file) == 0 ? index + 1 : 0;
        file = node->position.file;
        const taskfit_path path = {.up = decoder->path, .index = index};
        decoder->path = &path;
        TASKFIT_GROW(decoder->arena, out->items, out->n, out->capacity);
        out->items[out->n++] = read_service(reading, node, daemons);
        TASKFIT_GROW(decoder->arena, out->names, out->n_names, out->names_capacity);
        const char *name = out->items[out->n - 1].name;
        if (name[0]) {
            out->names[out->n_names++] = taskfit_named_here(decoder, name, out->n - 1, node->position);
        }
        decoder->path = path.up;
    }
}

void taskfit_read_services(taskfit_reading *reading, taskfit_node *daemons, taskfit_node *services) {
    taskfit_decoder *decoder = &reading->decoder;
    taskfit_deployment *deployment = reading->deployment;
    service_list all = {.items = NULL};
    const taskfit_path cluster = {.key = "cluster"};
    const taskfit_path daemons_path = {.up = &cluster, .key = "daemons"};
    const taskfit_path services_path = {.key = "services"};
    decoder->path = &daemons_path;
    add_services(reading, daemons, true, &all);
    decoder->path = &services_path;
    add_services(reading, services, false, &all);
    if (all.n > TASKFIT_SERVICES_MAX) {
        taskfit_decode_defect(decoder, services->position, "too many services (at most %d, daemons included)",
                              TASKFIT_SERVICES_MAX);
    }
    decoder->path = NULL;
    taskfit_names_sort(decoder, all.names, all.n_names, "service");
    reading->services = all.names;
    reading->n_services = all.n_names;

    taskfit_service *split = TASKFIT_ARRAY(deployment->arena, all.n, taskfit_service);
    for (size_t i = 0; i < all.n; i++) {
        if (all.items[i].daemon) {
            split[deployment->n_daemons++] = all.items[i];
        }
    }
    int64_t n_tasks = 0;
    for (size_t i = 0; i < all.n; i++) {
        if (!all.items[i].daemon) {
            split[deployment->n_daemons + deployment->n_services++] = all.items[i];
            n_tasks += all.items[i].desired_count;
        }
    }
    if (n_tasks > TASKFIT_TASKS_MAX) {
        taskfit_decode_defect(decoder, services->position, "%lld tasks in all (at most %d)", (long long)n_tasks,
                              TASKFIT_TASKS_MAX);
    }
    deployment->daemons = split;
    deployment->services = split + deployment->n_daemons;
}
