/*
 * What was read, written into the tree of a deployment: a new one, or a given one of which everything stays that the source does
 * not state, down to the spelling of equal figures (2Gi stays 2Gi when the source says 2048).
 */
#include <assert.h>
#include <string.h>

#include "base/units.h"
#include "import/import.h"

static const struct {
    const char *key;
    bool is_jvm;
} amount_keys[TASKFIT_IMPORT_AMOUNTS] = {
    [TASKFIT_IMPORT_CPU] = {"cpu", false},
    [TASKFIT_IMPORT_MEMORY] = {"memory", false},
    [TASKFIT_IMPORT_RESERVATION] = {"memoryReservation", false},
    [TASKFIT_IMPORT_XMX] = {"xmx", true},
    [TASKFIT_IMPORT_XMS] = {"xms", true},
    [TASKFIT_IMPORT_METASPACE] = {"metaspace", true},
    [TASKFIT_IMPORT_MAX_METASPACE] = {"maxMetaspace", true},
    [TASKFIT_IMPORT_CODE_CACHE] = {"codeCache", true},
    [TASKFIT_IMPORT_DIRECT_MEMORY] = {"directMemory", true},
};

const char *taskfit_import_amount_key(taskfit_import_amount amount) {
    assert(amount < TASKFIT_IMPORT_AMOUNTS);
    return amount_keys[amount].key;
}

/* ---- updating a tree ---- */

static void update(taskfit_arena *arena, taskfit_node *map, const char *key, const taskfit_node *value);

static void update_map(taskfit_arena *arena, taskfit_node *map, const taskfit_node *source) {
    for (size_t i = 0; i < source->n; i++) {
        update(arena, map, source->entries[i].key, source->entries[i].value);
    }
}

/* The text of an item's key; NULL: the item is not known by it, or has nothing else. */
static const char *identity_text(const taskfit_node *item, const char *key) {
    const taskfit_node *value = item->kind == TASKFIT_NODE_MAP && item->n > 1 ? taskfit_node_get(item, key) : NULL;
    return value && value->kind == TASKFIT_NODE_SCALAR && value->n > 0 && !taskfit_node_is_null(value) ? value->text : NULL;
}

static taskfit_node *item_of(const taskfit_node *list, size_t n, const char *key, const char *text) {
    for (size_t i = 0; i < n; i++) {
        const char *other = identity_text(list->items[i], key);
        if (other && strcmp(other, text) == 0) {
            return list->items[i];
        }
    }
    return NULL;
}

/* Whether the items of a list are known by this key, each by another text. */
static bool is_known_by(const taskfit_node *list, const char *key) {
    enum { COMPARED_MAX = 1000 }; /* each with each */
    for (size_t i = 0; i < list->n; i++) {
        const char *text = identity_text(list->items[i], key);
        if (list->n > COMPARED_MAX || !text || item_of(list, i, key, text)) {
            return false;
        }
    }
    return true;
}

static void update_list(taskfit_arena *arena, taskfit_node *list, const taskfit_node *source, const char *identity) {
    for (size_t i = 0; i < source->n; i++) {
        const char *text = identity_text(source->items[i], identity);
        assert(text); /* is_known_by */
        taskfit_node *item = item_of(list, list->n, identity, text);
        if (item) {
            update_map(arena, item, source->items[i]);
        } else {
            taskfit_node_append(arena, list, taskfit_node_copy(arena, source->items[i]));
        }
    }
}

static taskfit_node *get(const taskfit_node *map, const char *key) {
    for (size_t i = 0; i < map->n; i++) {
        if (strcmp(map->entries[i].key, key) == 0) {
            return map->entries[i].value;
        }
    }
    return NULL;
}

/* Maps key by key, lists of named things thing by thing, everything else is replaced unless it says the same. */
static void update(taskfit_arena *arena, taskfit_node *map, const char *key, const taskfit_node *value) {
    taskfit_node *known = get(map, key);
    const char *identity = strcmp(key, "instanceTypes") == 0 ? "type" : "name";
    const bool are_lists = known && known->kind == TASKFIT_NODE_LIST && value->kind == TASKFIT_NODE_LIST;
    if (known && known->kind == TASKFIT_NODE_MAP && value->kind == TASKFIT_NODE_MAP) {
        update_map(arena, known, value);
    } else if (are_lists && is_known_by(value, identity) && is_known_by(known, identity)) {
        update_list(arena, known, value, identity);
    } else if (!known || known->kind != TASKFIT_NODE_SCALAR || value->kind != TASKFIT_NODE_SCALAR ||
               strcmp(known->text, value->text) != 0) {
        taskfit_node_set(arena, map, key, taskfit_node_copy(arena, value));
    }
}

typedef bool parse_fn(const char *text, size_t len, int64_t *value_out);

static bool parse_memory(const char *text, size_t len, int64_t *value_out) {
    const char *why = NULL;
    return taskfit_parse_memory_mib(text, len, TASKFIT_ROUND_UP, value_out, &why);
}

static bool parse_cpu(const char *text, size_t len, int64_t *value_out) {
    const char *why = NULL;
    return taskfit_parse_cpu_units(text, len, TASKFIT_ROUND_UP, value_out, &why);
}

static bool parse_count(const char *text, size_t len, int64_t *value_out) {
    const char *why = NULL;
    return taskfit_parse_count(text, len, 0, TASKFIT_QUANTITY_MAX, value_out, &why);
}

static void put_quantity(taskfit_arena *arena, taskfit_node *map, const char *key, const taskfit_import_quantity *quantity,
                         parse_fn *parse) {
    const taskfit_node *known = taskfit_node_get(map, key);
    int64_t value = -1;
    const bool says_it = known && known->kind == TASKFIT_NODE_SCALAR && parse(known->text, known->n, &value) &&
                         value == quantity->value;
    if (quantity->value >= 0 && !says_it) {
        taskfit_node_set(arena, map, key, taskfit_node_int(arena, quantity->value));
    }
}

static void put_text(taskfit_arena *arena, taskfit_node *map, const char *key, const char *text) {
    const taskfit_node *known = taskfit_node_get(map, key);
    if (text && !(known && known->kind == TASKFIT_NODE_SCALAR && strcmp(known->text, text) == 0)) {
        taskfit_node_set(arena, map, key, taskfit_node_string(arena, text));
    }
}

/* The map under a key, made when there is none. */
static taskfit_node *map_at(taskfit_arena *arena, taskfit_node *map, const char *key) {
    taskfit_node *inner = get(map, key);
    if (!inner || inner->kind != TASKFIT_NODE_MAP) {
        inner = taskfit_node_map(arena);
        taskfit_node_set(arena, map, key, inner);
    }
    return inner;
}

/* ---- containers ---- */

/* A mere version keeps the repository that the deployment names: mod-users:19.2.0 beside folioorg/mod-users:19.1.0. */
static const char *image_of(taskfit_arena *arena, const taskfit_node *map, const char *image) {
    const taskfit_node *known = taskfit_node_get(map, "image");
    const char *version = image ? strchr(image, ':') : NULL;
    if (!version || strchr(image, '/') || !known || known->kind != TASKFIT_NODE_SCALAR) {
        return image;
    }
    const char *slash = strrchr(known->text, '/');
    const size_t name_len = (size_t)(version - image) + 1;
    if (!slash || strncmp(slash + 1, image, name_len) != 0) {
        return image;
    }
    return taskfit_arena_printf(arena, "%.*s%s", (int)(slash + 1 - known->text), known->text, image);
}

static void put_jvm(taskfit_arena *arena, taskfit_node *map, const taskfit_import_container *container) {
    bool is_stated = container->max_ram_percentage.text || container->jvm_options.text;
    for (size_t amount = TASKFIT_IMPORT_XMX; amount < TASKFIT_IMPORT_AMOUNTS; amount++) {
        is_stated = is_stated || container->amounts[amount].value >= 0;
    }
    if (!is_stated) {
        return;
    }
    taskfit_node *jvm = map_at(arena, map, "jvm");
    for (size_t amount = TASKFIT_IMPORT_XMX; amount < TASKFIT_IMPORT_AMOUNTS; amount++) {
        put_quantity(arena, jvm, amount_keys[amount].key, &container->amounts[amount], parse_memory);
    }
    if (container->max_ram_percentage.text) {
        const taskfit_node *percentage = taskfit_node_plain(arena, container->max_ram_percentage.text);
        update(arena, jvm, "maxRamPercentage", percentage);
    }
    put_text(arena, jvm, "options", container->jvm_options.text);
}

/* Keys that a container in short form may have beside those of a taskfit_import_container. */
static bool is_short_key(const char *key) {
    static const char *const keys[] = {"essential", "portMappings", "environment", "resourceRequirements", "observed"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strcmp(keys[i], key) == 0) {
            return true;
        }
    }
    return false;
}

struct target {
    taskfit_importer *importer;
    const taskfit_import_service *service;
    bool is_long; /* whether the service is, in the deployment */
};

static void put_image(taskfit_arena *arena, taskfit_node *map, const taskfit_import_container *container) {
    put_text(arena, map, "image", image_of(arena, map, container->image.text));
}

/* All of a container but its name and image, which stand first. */
static void put_container(const struct target *target, taskfit_node *map, const taskfit_import_container *container) {
    taskfit_arena *arena = target->importer->arena;
    put_quantity(arena, map, "cpu", &container->amounts[TASKFIT_IMPORT_CPU], parse_cpu);
    put_quantity(arena, map, "memory", &container->amounts[TASKFIT_IMPORT_MEMORY], parse_memory);
    put_quantity(arena, map, "memoryReservation", &container->amounts[TASKFIT_IMPORT_RESERVATION], parse_memory);
    put_jvm(arena, map, container);
    for (size_t i = 0; container->extra && i < container->extra->n; i++) {
        const taskfit_entry *entry = &container->extra->entries[i];
        if (target->is_long || is_short_key(entry->key)) {
            update(arena, map, entry->key, entry->value);
        } else {
            taskfit_import_note(target->importer, TASKFIT_IMPORT_IGNORED, entry->value->position, target->service->name,
                                "%s (the deployment has the service in short form, which cannot hold it)", entry->key);
        }
    }
}

/* The container of a long-form service that is meant; made when there is none. */
static taskfit_node *long_container(const struct target *target, taskfit_node *list, size_t index) {
    const char *name = taskfit_import_container_name(target->service, index);
    for (size_t i = 0; i < list->n; i++) {
        const taskfit_node *other = taskfit_node_get(list->items[i], "name");
        if (other && other->kind == TASKFIT_NODE_SCALAR && strcmp(other->text, name) == 0) {
            return list->items[i];
        }
    }
    const bool is_named = target->service->containers[index]->name.text != NULL;
    if (!is_named && index < list->n && list->items[index]->kind == TASKFIT_NODE_MAP) {
        return list->items[index];
    }
    taskfit_node *made = taskfit_node_map(target->importer->arena);
    taskfit_node_set(target->importer->arena, made, "name", taskfit_node_string(target->importer->arena, name));
    taskfit_node_append(target->importer->arena, list, made);
    return made;
}

static void put_long_form(const struct target *target, taskfit_node *map) {
    taskfit_arena *arena = target->importer->arena;
    taskfit_node *list = get(map, "containerDefinitions");
    if (!list || list->kind != TASKFIT_NODE_LIST) {
        list = taskfit_node_list(arena);
        taskfit_node_set(arena, map, "containerDefinitions", list);
    }
    for (size_t i = 0; i < target->service->n_containers; i++) {
        taskfit_node *container = long_container(target, list, i);
        put_image(arena, container, target->service->containers[i]);
        put_container(target, container, target->service->containers[i]);
    }
}

/* A sidecar that the deployment takes by its name becomes that one and what the source says of it. */
static taskfit_node *sidecar_map(taskfit_arena *arena, taskfit_node *map) {
    const taskfit_node *known = taskfit_node_get(map, "sidecar");
    const bool is_name = known && known->kind == TASKFIT_NODE_SCALAR && !taskfit_node_is_null(known);
    taskfit_node *sidecar = map_at(arena, map, "sidecar");
    if (is_name) {
        taskfit_node_set(arena, sidecar, "base", taskfit_node_string(arena, known->text));
    }
    return sidecar;
}

static void put_sidecar(const struct target *target, taskfit_node *map) {
    taskfit_arena *arena = target->importer->arena;
    const taskfit_import_container *container = target->service->containers[1];
    taskfit_node *sidecar = sidecar_map(arena, map);
    put_text(arena, sidecar, "name", container->name.text);
    put_image(arena, sidecar, container);
    put_container(target, sidecar, container);
}

/* ---- services ---- */

/* Whether a service is in the long form: as the deployment has it, else as it must be. */
static bool is_long_form(const taskfit_import_service *service, const taskfit_node *map, bool is_new) {
    return is_new ? service->long_form || service->n_containers > 2 : get(map, "containerDefinitions") != NULL;
}

static bool is_daemon(const taskfit_import_service *service) {
    const taskfit_node *strategy = service->extra ? taskfit_node_get(service->extra, "schedulingStrategy") : NULL;
    return strategy && strategy->kind == TASKFIT_NODE_SCALAR && strcmp(strategy->text, "DAEMON") == 0;
}

static void put_count(const struct target *target, taskfit_node *map, bool has_default) {
    taskfit_importer *importer = target->importer;
    const taskfit_import_service *service = target->service;
    if (service->desired_count.value >= 0 || is_daemon(service) || has_default || taskfit_node_get(map, "desiredCount")) {
        put_quantity(importer->arena, map, "desiredCount", &service->desired_count, parse_count);
        return;
    }
    const int64_t count = importer->options->count;
    taskfit_node_set(importer->arena, map, "desiredCount", taskfit_node_int(importer->arena, count));
    taskfit_import_note(importer, TASKFIT_IMPORT_ASSUMED, service->position, service->name,
                        "no count is stated: desiredCount %lld (--count N for another)", (long long)count);
}

static void doubt_memory(const struct target *target) {
    const taskfit_import_service *service = target->service;
    const taskfit_node *task = service->extra ? taskfit_node_get(service->extra, "task") : NULL;
    for (size_t i = 0; i < service->n_containers && !(task && taskfit_node_get(task, "memory")); i++) {
        const taskfit_import_quantity *amounts = service->containers[i]->amounts;
        if (amounts[TASKFIT_IMPORT_MEMORY].value < 0 && amounts[TASKFIT_IMPORT_RESERVATION].value < 0) {
            taskfit_import_note(target->importer, TASKFIT_IMPORT_DOUBTFUL, service->containers[i]->position, service->name,
                                "container '%s' has neither a hard nor a soft limit (Amazon ECS needs one)",
                                taskfit_import_container_name(service, i));
        }
    }
}

static void put_service(const struct target *given, taskfit_node *map, bool is_new, bool has_default_count) {
    struct target target = *given;
    const taskfit_import_service *service = target.service;
    taskfit_arena *arena = target.importer->arena;
    target.is_long = is_long_form(service, map, is_new);
    if (is_new) {
        doubt_memory(&target);
    }
    if (!target.is_long && service->n_containers > 0) {
        put_image(arena, map, service->containers[0]);
    }
    put_count(&target, map, has_default_count);
    if (service->extra) {
        update_map(arena, map, service->extra);
    }
    if (target.is_long) {
        put_long_form(&target, map);
        return;
    }
    if (service->n_containers > 0) {
        put_container(&target, map, service->containers[0]);
    }
    if (service->n_containers > 1) {
        put_sidecar(&target, map);
    }
    for (size_t i = 2; i < service->n_containers; i++) {
        taskfit_import_note(target.importer, TASKFIT_IMPORT_DEFECT, service->containers[i]->position, service->name,
                            "container '%s': the deployment has the service in short form, which holds two containers "
                            "(write it with containerDefinitions there)",
                            taskfit_import_container_name(service, i));
    }
}

/* ---- the whole deployment ---- */

struct known_service {
    const char *name;
    taskfit_node *map;
};

static int compare_known(const void *a, const void *b) {
    return strcmp(((const struct known_service *)a)->name, ((const struct known_service *)b)->name);
}

/* The services that are there, a list or a map by name, sorted. */
static struct known_service *known_services(taskfit_arena *arena, const taskfit_node *services, size_t *n_out) {
    struct known_service *known = TASKFIT_ARRAY(arena, services->n, struct known_service);
    size_t n = 0;
    for (size_t i = 0; i < services->n; i++) {
        const bool is_list = services->kind == TASKFIT_NODE_LIST;
        taskfit_node *map = is_list ? services->items[i] : services->entries[i].value;
        const taskfit_node *name = is_list ? taskfit_node_get(map, "name") : NULL;
        if (map->kind == TASKFIT_NODE_MAP && (!is_list || (name && name->kind == TASKFIT_NODE_SCALAR))) {
            known[n++] = (struct known_service){is_list ? name->text : services->entries[i].key, map};
        }
    }
    if (n > 1) {
        qsort(known, n, sizeof *known, compare_known);
    }
    *n_out = n;
    return known;
}

static taskfit_node *add_service(taskfit_arena *arena, taskfit_node *services, const char *name) {
    taskfit_node *map = taskfit_node_map(arena);
    if (services->kind == TASKFIT_NODE_LIST) {
        taskfit_node_set(arena, map, "name", taskfit_node_string(arena, name));
        taskfit_node_append(arena, services, map);
    } else {
        taskfit_node_set(arena, services, name, map);
    }
    return map;
}

static void put_services(taskfit_importer *importer, taskfit_node *root) {
    taskfit_node *services = get(root, "services");
    if (!services || services->kind == TASKFIT_NODE_SCALAR) {
        services = taskfit_node_list(importer->arena);
        taskfit_node_set(importer->arena, root, "services", services);
    }
    const taskfit_node *defaults = taskfit_node_get(root, "defaults");
    const bool has_default_count = defaults && taskfit_node_get(defaults, "desiredCount");
    size_t n_known = 0;
    const struct known_service *known = known_services(importer->arena, services, &n_known);
    for (size_t i = 0; i < importer->n_services; i++) {
        const struct target target = {.importer = importer, .service = importer->services[i]};
        const struct known_service key = {.name = target.service->name};
        const struct known_service *found = n_known > 0 ? bsearch(&key, known, n_known, sizeof key, compare_known) : NULL;
        taskfit_node *map = found ? found->map : add_service(importer->arena, services, key.name);
        put_service(&target, map, !found, has_default_count);
    }
}

/* Whether it is the group's only type: "T" or {type: T, max: 4}. */
static bool is_of_type(const taskfit_node *group, const char *type) {
    const taskfit_node *types = taskfit_node_get(group, "types");
    const taskfit_node *only = types && types->kind == TASKFIT_NODE_LIST && types->n == 1 ? types->items[0] : NULL;
    only = only && only->kind == TASKFIT_NODE_MAP ? taskfit_node_get(only, "type") : only;
    return only && only->kind == TASKFIT_NODE_SCALAR && strcmp(only->text, type) == 0;
}

/* --type: the one group, which may stand there already. */
static void put_group(taskfit_importer *importer, taskfit_node *root) {
    taskfit_arena *arena = importer->arena;
    taskfit_node *cluster = map_at(arena, root, "cluster");
    taskfit_node *types = taskfit_node_list(arena);
    taskfit_node_append(arena, types, taskfit_node_string(arena, importer->options->type));
    const taskfit_node *groups = taskfit_node_get(cluster, "instanceGroups");
    if (groups && groups->kind == TASKFIT_NODE_LIST && groups->n > 1) {
        taskfit_import_note(importer, TASKFIT_IMPORT_DEFECT, groups->position, NULL,
                            "there are %zu instance groups (--type is for a deployment with one)", groups->n);
        return;
    }
    if (groups && groups->kind == TASKFIT_NODE_LIST && groups->n == 1 && groups->items[0]->kind == TASKFIT_NODE_MAP) {
        if (!is_of_type(groups->items[0], importer->options->type)) {
            taskfit_node_set(arena, groups->items[0], "types", types);
        }
        return;
    }
    taskfit_node *group = taskfit_node_map(arena);
    taskfit_node_set(arena, group, "name", taskfit_node_string(arena, "main"));
    taskfit_node_set(arena, group, "types", types);
    taskfit_node *list = taskfit_node_list(arena);
    taskfit_node_append(arena, list, group);
    taskfit_node_set(arena, cluster, "instanceGroups", list);
}

taskfit_node *taskfit_import_tree(taskfit_importer *importer, taskfit_node *base) {
    taskfit_arena *arena = importer->arena;
    taskfit_node *root = base ? base : taskfit_node_map(arena);
    if (!base) {
        taskfit_node_set(arena, root, "taskfit", taskfit_node_int(arena, 1));
        taskfit_node_set(arena, root, "cluster", taskfit_node_map(arena)); /* --set cluster.KEY finds it */
    }
    if (importer->cluster) {
        update_map(arena, map_at(arena, root, "cluster"), importer->cluster);
    }
    if (importer->options->type) {
        put_group(importer, root);
    }
    put_services(importer, root);
    return root;
}
