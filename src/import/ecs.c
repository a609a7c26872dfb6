#include "import/ecs.h"

#include <assert.h>
#include <string.h>

#include "base/utf8.h"

struct taskfit_unplaced_key {
    const char *key;
    taskfit_position position; /* of the first */
    size_t n;
};

/* ---- looking ---- */

bool taskfit_is_void(const taskfit_node *node) {
    return !node || node->n == 0 || taskfit_node_is_null(node);
}

const char *taskfit_text_at(const taskfit_node *map, const char *key) {
    const taskfit_node *value = map ? taskfit_node_get(map, key) : NULL;
    return !taskfit_is_void(value) && value->kind == TASKFIT_NODE_SCALAR ? value->text : NULL;
}

const taskfit_node *taskfit_list_at(const taskfit_node *map, const char *key) {
    const taskfit_node *value = map ? taskfit_node_get(map, key) : NULL;
    return value && value->kind == TASKFIT_NODE_LIST ? value : NULL;
}

static bool is_one_of(const char *word, const char *const *words, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(word, words[i]) == 0) {
            return true;
        }
    }
    return false;
}
#define IS_ONE_OF(word, words) is_one_of((word), (words), sizeof(words) / sizeof(words)[0])

/* Says what holds without it. */
static bool is_usual(const taskfit_node *value) {
    static const char *const words[] = {"false", "NONE", "0"};
    return taskfit_is_void(value) || (value->kind == TASKFIT_NODE_SCALAR && IS_ONE_OF(value->text, words));
}

static void add_unplaced(taskfit_ecs_reader *reader, const taskfit_entry *entry) {
    if (is_usual(entry->value)) {
        return;
    }
    size_t i = 0;
    while (i < reader->n_unplaced && strcmp(reader->unplaced[i].key, entry->key) != 0) {
        i++;
    }
    if (i == reader->n_unplaced) {
        TASKFIT_GROW(reader->importer->arena, reader->unplaced, reader->n_unplaced, reader->unplaced_capacity);
        reader->unplaced[reader->n_unplaced++] = (struct taskfit_unplaced_key){.key = entry->key, .position = entry->key_position};
    }
    reader->unplaced[i].n++;
}

void taskfit_ecs_tell_unplaced(taskfit_ecs_reader *reader) {
    for (size_t i = 0; i < reader->n_unplaced; i++) {
        const struct taskfit_unplaced_key *key = &reader->unplaced[i];
        taskfit_import_note(reader->importer, TASKFIT_IMPORT_IGNORED, key->position, NULL,
                            "%s has no place in a deployment (%zu time%s)", key->key, key->n, key->n == 1 ? "" : "s");
    }
}

/* ---- the JVM ---- */

/* Variables that the JVM, or the start script of an image, reads, in the order in which they are obeyed: the last wins. */
static const char *const jvm_variables[] = {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "JAVA_OPTS", "JAVA_OPTIONS"};
static const char rendered_variable[] = "JAVA_OPTIONS"; /* the one that a deployment's `jvm` becomes */

static const taskfit_node *find_variable(const taskfit_node *environment, const char *name) {
    for (size_t i = 0; environment && i < environment->n; i++) {
        const char *other = taskfit_text_at(environment->items[i], "name");
        const taskfit_node *value = taskfit_node_get(environment->items[i], "value");
        if (other && strcmp(other, name) == 0 && value && value->kind == TASKFIT_NODE_SCALAR) {
            return value;
        }
    }
    return NULL;
}

/* Sizes count; options stay in the text they stand in, which is passed on. */
static void read_kept_flags(taskfit_ecs_reader *reader, taskfit_import_container *container, const char *flags,
                            const char *where, taskfit_position position) {
    const taskfit_jvm_flags found = taskfit_jvm_flags_parse(reader->importer->arena, flags);
    const taskfit_import_text options = container->jvm_options;
    if (found.xmx_mib < 0 && found.xms_mib < 0 && found.metaspace_mib < 0 && found.max_metaspace_mib < 0 &&
        found.code_cache_mib < 0 && found.direct_memory_mib < 0 && !found.max_ram_percentage) {
        return;
    }
    taskfit_import_jvm(reader->importer, container, flags, position);
    container->jvm_options = options;
    taskfit_import_note(reader->importer, TASKFIT_IMPORT_REMARK, position, NULL,
                        "JVM flags of '%s' are read into jvm and stay there too", where);
}

static void read_command(taskfit_ecs_reader *reader, taskfit_import_container *container, const taskfit_node *map,
                         const char *key) {
    const taskfit_node *words = taskfit_list_at(map, key);
    if (!words) {
        return;
    }
    TASKFIT_STRBUF(flags);
    for (size_t i = 0; i < words->n; i++) {
        if (words->items[i]->kind == TASKFIT_NODE_SCALAR) {
            taskfit_strbuf_printf(&flags, "%s ", words->items[i]->text);
        }
    }
    read_kept_flags(reader, container, flags.data, key, words->position);
}

/* The environment without the variable that `jvm` stands for. */
static taskfit_node *rest_of_environment(taskfit_arena *arena, const taskfit_node *environment) {
    taskfit_node *rest = taskfit_node_list(arena);
    rest->position = environment->position;
    for (size_t i = 0; i < environment->n; i++) {
        const char *name = taskfit_text_at(environment->items[i], "name");
        if (!name || strcmp(name, rendered_variable) != 0) {
            taskfit_node_append(arena, rest, environment->items[i]);
        }
    }
    return rest;
}

static void read_environment(taskfit_ecs_reader *reader, taskfit_import_container *container, const taskfit_node *map) {
    taskfit_importer *importer = reader->importer;
    const taskfit_node *environment = taskfit_list_at(map, "environment");
    for (size_t i = 0; i < sizeof jvm_variables / sizeof jvm_variables[0]; i++) {
        const taskfit_node *value = find_variable(environment, jvm_variables[i]);
        if (value && strcmp(jvm_variables[i], rendered_variable) == 0) {
            taskfit_import_jvm(importer, container, value->text, value->position);
        } else if (value) {
            read_kept_flags(reader, container, value->text, jvm_variables[i], value->position);
        }
    }
    read_command(reader, container, map, "entryPoint");
    read_command(reader, container, map, "command");
    taskfit_node *rest = environment ? rest_of_environment(importer->arena, environment) : NULL;
    if (rest && rest->n > 0) {
        taskfit_import_extra(importer, &container->extra, "environment", rest);
    }
}

/* ---- containers ---- */

static const char *const short_keys[] = {"essential", "portMappings", "resourceRequirements"};

/* A key that is passed on, unless it says what holds without it. Long form is needed for all but a few. */
static void pass_on(taskfit_ecs_reader *reader, taskfit_import_service *service, taskfit_import_container *container,
                    const taskfit_entry *entry) {
    const bool is_scalar = entry->value->kind == TASKFIT_NODE_SCALAR;
    const bool is_needless = (strcmp(entry->key, "essential") == 0 && is_scalar && strcmp(entry->value->text, "true") == 0) ||
                          taskfit_is_void(entry->value);
    if (!is_needless) {
        taskfit_import_extra(reader->importer, &container->extra, entry->key, entry->value);
        service->long_form = service->long_form || !IS_ONE_OF(entry->key, short_keys);
    }
}

static void read_limit(taskfit_ecs_reader *reader, const taskfit_import_service *service, taskfit_import_container *container,
                       const taskfit_entry *entry, taskfit_import_amount amount) {
    taskfit_importer *importer = reader->importer;
    const taskfit_node *value = entry->value;
    if (value->kind != TASKFIT_NODE_SCALAR) {
        taskfit_import_note(importer, TASKFIT_IMPORT_DEFECT, value->position, service->name, "%s must be a number, not a %s",
                            entry->key, taskfit_node_kind_name(value));
        return;
    }
    const char *subject = taskfit_arena_printf(importer->arena, "%s: %s", service->name, entry->key);
    if (amount == TASKFIT_IMPORT_CPU) {
        (void)taskfit_import_cpu(importer, subject, value->text, value->position, TASKFIT_IMPORT_CPU_UNITS, &container->amounts[amount]);
    } else {
        (void)taskfit_import_memory(importer, subject, value->text, value->position, &container->amounts[amount]);
    }
}

static void read_container(taskfit_ecs_reader *reader, taskfit_import_service *service, const taskfit_node *map) {
    taskfit_import_container *container = taskfit_import_container_add(reader->importer, service, map->position);
    for (size_t i = 0; i < map->n; i++) {
        const taskfit_entry *entry = &map->entries[i];
        const taskfit_node *value = entry->value;
        if (strcmp(entry->key, "name") == 0 || strcmp(entry->key, "image") == 0) {
            taskfit_import_text *text = entry->key[0] == 'n' ? &container->name : &container->image;
            *text = (taskfit_import_text){taskfit_text_at(map, entry->key), value->position};
        } else if (strcmp(entry->key, "cpu") == 0) {
            read_limit(reader, service, container, entry, TASKFIT_IMPORT_CPU);
        } else if (strcmp(entry->key, "memory") == 0) {
            read_limit(reader, service, container, entry, TASKFIT_IMPORT_MEMORY);
        } else if (strcmp(entry->key, "memoryReservation") == 0) {
            read_limit(reader, service, container, entry, TASKFIT_IMPORT_RESERVATION);
        } else if (strcmp(entry->key, "environment") != 0) {
            pass_on(reader, service, container, entry);
        }
    }
    read_environment(reader, container, map);
}

/* The main container: of the task definition's name, else the first that is no sidecar. */
static size_t find_main(const taskfit_import_service *service, const char *family) {
    for (size_t i = 0; i < service->n_containers; i++) {
        const char *name = service->containers[i]->name.text;
        if (name && (strcmp(name, service->name) == 0 || (family && strcmp(name, family) == 0))) {
            return i;
        }
    }
    for (size_t i = 0; i < service->n_containers; i++) {
        const char *name = service->containers[i]->name.text;
        if (!name || !strstr(name, "sidecar")) {
            return i;
        }
    }
    return 0;
}

static void read_containers(taskfit_ecs_reader *reader, taskfit_import_service *service, const taskfit_node *map) {
    assert(map);
    const taskfit_node *list = taskfit_list_at(map, "containerDefinitions");
    for (size_t i = 0; list && i < list->n; i++) {
        if (list->items[i]->kind == TASKFIT_NODE_MAP) {
            read_container(reader, service, list->items[i]);
        } else {
            taskfit_import_note(reader->importer, TASKFIT_IMPORT_DEFECT, list->items[i]->position, service->name,
                                "containerDefinitions[%zu] must be a map, not a %s", i, taskfit_node_kind_name(list->items[i]));
        }
    }
    if (service->n_containers == 0) {
        taskfit_import_note(reader->importer, TASKFIT_IMPORT_DEFECT, map->position, service->name, "containerDefinitions is empty");
        return;
    }
    const size_t main = find_main(service, taskfit_task_definition_family(map));
    taskfit_import_container *first = service->containers[main];
    memmove(&service->containers[1], &service->containers[0], main * sizeof(taskfit_import_container *));
    service->containers[0] = first;
    service->long_form = service->long_form || (first->name.text && strcmp(first->name.text, service->name) != 0);
}

/* ---- task level ---- */

bool taskfit_is_task_definition(const taskfit_node *map) {
    return map->kind == TASKFIT_NODE_MAP && taskfit_list_at(map, "containerDefinitions");
}

const char *taskfit_task_definition_family(const taskfit_node *map) {
    return taskfit_text_at(map, "family");
}

/* "1 vCPU", "2 GB", "512": Amazon ECS takes them as strings at task level. */
static void read_task_level(taskfit_ecs_reader *reader, taskfit_import_service *service, const taskfit_node *map) {
    taskfit_importer *importer = reader->importer;
    taskfit_import_quantity cpu = {-1, map->position};
    taskfit_import_quantity memory = {-1, map->position};
    const char *text = taskfit_text_at(map, "cpu");
    const char *subject = taskfit_arena_printf(importer->arena, "%s: task level", service->name);
    if (text) {
        (void)taskfit_import_cpu(importer, subject, text, taskfit_node_get(map, "cpu")->position, TASKFIT_IMPORT_CPU_UNITS, &cpu);
    }
    text = taskfit_text_at(map, "memory");
    if (text) {
        const size_t len = strlen(text);
        const bool is_gb = len > 2 && taskfit_is_word(text + len - 2, 2, "gb"); /* Amazon ECS means 1024 MiB */
        text = is_gb ? taskfit_arena_strndup(importer->arena, text, len - 1) : text;
        (void)taskfit_import_memory(importer, subject, text, taskfit_node_get(map, "memory")->position, &memory);
    }
    if (cpu.value >= 0 || memory.value >= 0) {
        taskfit_node *task = taskfit_node_map(importer->arena);
        task->position = map->position;
        if (cpu.value >= 0) {
            taskfit_node_set(importer->arena, task, "cpu", taskfit_node_int(importer->arena, cpu.value));
        }
        if (memory.value >= 0) {
            taskfit_node_set(importer->arena, task, "memory", taskfit_node_int(importer->arena, memory.value));
        }
        taskfit_import_extra(importer, &service->extra, "task", task);
    }
}

static void read_platform(taskfit_ecs_reader *reader, taskfit_import_service *service, const taskfit_node *platform) {
    taskfit_importer *importer = reader->importer;
    const char *architecture = taskfit_text_at(platform, "cpuArchitecture");
    const char *family = taskfit_text_at(platform, "operatingSystemFamily");
    if (architecture) {
        taskfit_node *copy = taskfit_node_map(importer->arena);
        copy->position = platform->position;
        taskfit_node_set(importer->arena, copy, "cpuArchitecture", taskfit_node_string(importer->arena, architecture));
        taskfit_import_extra(importer, &service->extra, "runtimePlatform", copy);
    }
    if (family && strcmp(family, "LINUX") != 0) {
        taskfit_import_note(importer, TASKFIT_IMPORT_DOUBTFUL, platform->position, service->name,
                            "operating system %s (taskfit counts as Linux does)", family);
    }
}

/* Adds the constraints of one list to those there are. */
static void read_constraints(taskfit_ecs_reader *reader, taskfit_import_service *service, const taskfit_node *list) {
    taskfit_importer *importer = reader->importer;
    if (taskfit_is_void(list)) {
        return;
    }
    const taskfit_node *known = service->extra ? taskfit_node_get(service->extra, "placementConstraints") : NULL;
    taskfit_node *all = known ? taskfit_node_copy(importer->arena, known) : taskfit_node_list(importer->arena);
    all->position = list->position;
    for (size_t i = 0; i < list->n; i++) {
        taskfit_node *item = taskfit_node_copy(importer->arena, list->items[i]);
        if (item->kind == TASKFIT_NODE_MAP && taskfit_node_get(item, "expression") && taskfit_is_void(taskfit_node_get(item, "expression"))) {
            (void)taskfit_node_remove(item, "expression");
        }
        taskfit_node_append(importer->arena, all, item);
    }
    taskfit_import_extra(importer, &service->extra, "placementConstraints", all);
}

static void doubt_fargate(taskfit_ecs_reader *reader, const taskfit_import_service *service, const taskfit_node *compatibilities) {
    for (size_t i = 0; compatibilities && i < compatibilities->n; i++) {
        const taskfit_node *item = compatibilities->items[i];
        if (compatibilities->n == 1 && item->kind == TASKFIT_NODE_SCALAR && strcmp(item->text, "EC2") != 0) {
            taskfit_import_note(reader->importer, TASKFIT_IMPORT_DOUBTFUL, item->position, service->name,
                                "made for %s only (taskfit places it on EC2)", item->text);
        }
    }
}

void taskfit_ecs_task_definition(taskfit_ecs_reader *reader, taskfit_import_service *service, const taskfit_node *map) {
    /* figures that Amazon ECS adds, and what is read by name */
    static const char *const known[] = {"family", "containerDefinitions", "cpu", "memory", "networkMode", "runtimePlatform",
                                        "placementConstraints", "requiresCompatibilities", "taskDefinitionArn", "revision",
                                        "status", "requiresAttributes", "compatibilities", "registeredAt", "registeredBy",
                                        "deregisteredAt", "deleteRequestedAt"};
    read_containers(reader, service, map);
    read_task_level(reader, service, map);
    const char *mode = taskfit_text_at(map, "networkMode");
    if (mode) {
        taskfit_node *node = taskfit_node_string(reader->importer->arena, mode);
        node->position = taskfit_node_get(map, "networkMode")->position;
        taskfit_import_extra(reader->importer, &service->extra, "networkMode", node);
    }
    const taskfit_node *platform = taskfit_node_get(map, "runtimePlatform");
    if (platform && platform->kind == TASKFIT_NODE_MAP) {
        read_platform(reader, service, platform);
    }
    read_constraints(reader, service, taskfit_list_at(map, "placementConstraints"));
    doubt_fargate(reader, service, taskfit_list_at(map, "requiresCompatibilities"));
    for (size_t i = 0; i < map->n; i++) {
        if (!IS_ONE_OF(map->entries[i].key, known)) {
            add_unplaced(reader, &map->entries[i]);
        }
    }
}

/* ---- services ---- */

static void read_percentages(taskfit_ecs_reader *reader, taskfit_import_service *service, const taskfit_node *map) {
    static const char *const kept[] = {"maximumPercent", "minimumHealthyPercent", "strategy"};
    taskfit_node *copy = taskfit_node_map(reader->importer->arena);
    copy->position = map->position;
    for (size_t i = 0; i < map->n; i++) {
        if (IS_ONE_OF(map->entries[i].key, kept) && !taskfit_is_void(map->entries[i].value)) {
            taskfit_node_set(reader->importer->arena, copy, map->entries[i].key, map->entries[i].value);
        }
    }
    if (copy->n > 0) {
        taskfit_import_extra(reader->importer, &service->extra, "deploymentConfiguration", copy);
    }
}

static void read_strategies(taskfit_ecs_reader *reader, taskfit_import_service *service, const taskfit_node *list) {
    taskfit_arena *arena = reader->importer->arena;
    if (taskfit_is_void(list)) {
        return;
    }
    taskfit_node *copy = taskfit_node_copy(arena, list);
    for (size_t i = 0; i < copy->n; i++) {
        taskfit_node *item = copy->items[i];
        assert(item);
        if (item->kind == TASKFIT_NODE_MAP && !taskfit_text_at(item, "field")) {
            (void)taskfit_node_remove(item, "field"); /* of `random` */
        }
    }
    taskfit_import_extra(reader->importer, &service->extra, "placementStrategy", copy);
}

void taskfit_ecs_service(taskfit_ecs_reader *reader, taskfit_import_service *service, const taskfit_node *map) {
    /* what is read by name, and what a description adds of the moment */
    static const char *const known[] = {
        "serviceName", "serviceArn", "clusterArn", "cluster", "taskDefinition", "desiredCount", "placementStrategy",
        "placementStrategies", "placementConstraints", "schedulingStrategy", "deploymentConfiguration",
        "capacityProviderStrategy", "launchType", "status", "runningCount", "pendingCount", "deployments", "taskSets", "events",
        "createdAt", "createdBy", "updatedAt", "deploymentController", "platformFamily", "platformVersion", "roleArn",
        "currentServiceDeployment", "currentServiceRevisions"};
    assert(map);
    taskfit_importer *importer = reader->importer;
    const char *scheduling = taskfit_text_at(map, "schedulingStrategy");
    const bool is_daemon = scheduling && strcmp(scheduling, "DAEMON") == 0;
    const char *count = taskfit_text_at(map, "desiredCount");
    if (is_daemon) {
        taskfit_import_extra(importer, &service->extra, "schedulingStrategy", taskfit_node_string(importer->arena, scheduling));
    } else if (count) {
        const char *subject = taskfit_arena_printf(importer->arena, "%s: desiredCount", service->name);
        (void)taskfit_import_count(importer, subject, count, taskfit_node_get(map, "desiredCount")->position, &service->desired_count);
    }
    const taskfit_node *strategies = taskfit_list_at(map, "placementStrategy");
    read_strategies(reader, service, is_daemon ? NULL : strategies ? strategies : taskfit_list_at(map, "placementStrategies"));
    read_constraints(reader, service, taskfit_list_at(map, "placementConstraints"));
    const taskfit_node *percentages = taskfit_node_get(map, "deploymentConfiguration");
    if (percentages && percentages->kind == TASKFIT_NODE_MAP) {
        read_percentages(reader, service, percentages);
    }
    for (size_t i = 0; i < map->n; i++) {
        if (!IS_ONE_OF(map->entries[i].key, known)) {
            add_unplaced(reader, &map->entries[i]);
        }
    }
}
