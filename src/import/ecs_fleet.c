#include "import/ecs_fleet.h"

#include <assert.h>
#include <string.h>

#include "base/units.h"
#include "import/ecs.h"

/* ---- one instance ---- */

static bool is_own_attribute(const char *name) {
    return strncmp(name, "ecs.", 4) != 0 && strncmp(name, "com.amazonaws.", 14) != 0;
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* What an attribute of the agent says of the instance. */
static void read_agent_attribute(taskfit_ecs_instance *instance, const char *name, const char *value) {
    if (strcmp(name, "ecs.instance-type") == 0) {
        instance->type = value;
    } else if (strcmp(name, "ecs.availability-zone") == 0) {
        instance->az = value;
    } else if (strcmp(name, "ecs.cpu-architecture") == 0) {
        instance->architecture = value;
    } else if (strcmp(name, "ecs.awsvpc-trunk-id") == 0) {
        instance->has_trunk = true;
    }
}

static void read_attributes(taskfit_importer *importer, taskfit_ecs_instance *instance, const taskfit_node *list) {
    taskfit_node *map = taskfit_node_map(importer->arena);
    const char **texts = TASKFIT_ARRAY(importer->arena, list ? list->n : 0, const char *);
    size_t n = 0;
    for (size_t i = 0; list && i < list->n; i++) {
        const char *name = taskfit_text_at(list->items[i], "name");
        const char *value = taskfit_text_at(list->items[i], "value");
        if (name && value && is_own_attribute(name)) {
            texts[n++] = taskfit_arena_printf(importer->arena, "%s=%s", name, value);
            taskfit_node_set(importer->arena, map, name, taskfit_node_string(importer->arena, value));
        } else if (name && value) {
            read_agent_attribute(instance, name, value);
        }
    }
    if (n > 1) {
        qsort(texts, n, sizeof *texts, compare_texts);
    }
    TASKFIT_STRBUF(all);
    for (size_t i = 0; i < n; i++) {
        taskfit_strbuf_printf(&all, "%s\n", texts[i]);
    }
    instance->attributes = taskfit_arena_strndup(importer->arena, all.data, all.len);
    instance->attribute_map = map;
}

static void read_resources(taskfit_ecs_instance *instance, const taskfit_node *list) {
    for (size_t i = 0; list && i < list->n; i++) {
        const char *name = taskfit_text_at(list->items[i], "name");
        const char *value = taskfit_text_at(list->items[i], "integerValue");
        const taskfit_node *set = taskfit_list_at(list->items[i], "stringSetValue");
        int64_t amount = 0;
        const char *why = NULL;
        const bool is_number = value && taskfit_parse_count(value, strlen(value), 0, TASKFIT_QUANTITY_MAX, &amount, &why);
        if (name && strcmp(name, "MEMORY") == 0 && is_number) {
            instance->memory_mib = amount;
        } else if (name && strcmp(name, "CPU") == 0 && is_number) {
            instance->cpu_units = amount;
        } else if (name && strcmp(name, "GPU") == 0 && set) {
            instance->n_gpus = (int64_t)set->n;
        }
    }
}

void taskfit_ecs_fleet_add(taskfit_importer *importer, taskfit_ecs_fleet *fleet, const taskfit_node *map) {
    const char *arn = taskfit_text_at(map, "containerInstanceArn");
    const char *status = taskfit_text_at(map, "status");
    const char *provider = taskfit_text_at(map, "capacityProviderName");
    taskfit_ecs_instance instance = {.arn = arn, .provider = provider ? provider : "", .position = map->position};
    read_attributes(importer, &instance, taskfit_list_at(map, "attributes"));
    read_resources(&instance, taskfit_list_at(map, "registeredResources"));
    if (!arn || !instance.type || !instance.az || instance.memory_mib == 0 || instance.cpu_units == 0) {
        taskfit_import_note(importer, TASKFIT_IMPORT_DEFECT, map->position, NULL,
                            "no container instance with its ARN, type, availability zone, registered CPU and memory "
                            "(describe-container-instances tells them)");
        return;
    }
    if (status && strcmp(status, "ACTIVE") != 0) {
        taskfit_import_note(importer, TASKFIT_IMPORT_IGNORED, map->position, NULL, "instance '%s', which is %s", arn, status);
        return;
    }
    TASKFIT_GROW(importer->arena, fleet->instances, fleet->n_instances, fleet->instances_capacity);
    fleet->instances[fleet->n_instances++] = instance;
}

/* ---- groups ---- */

static int compare_groups(const void *a, const void *b) {
    const taskfit_ecs_instance *left = a;
    const taskfit_ecs_instance *right = b;
    int order = strcmp(left->provider, right->provider);
    order = order != 0 ? order : strcmp(left->attributes, right->attributes);
    return order != 0 ? order : strcmp(left->arn, right->arn);
}

static int compare_arns(const void *a, const void *b) {
    return strcmp(((const taskfit_ecs_instance *)a)->arn, ((const taskfit_ecs_instance *)b)->arn);
}

/* The same instance may stand in two files. */
static void drop_repeated(taskfit_ecs_fleet *fleet) {
    size_t n = 0;
    for (size_t i = 0; i < fleet->n_instances; i++) {
        if (n == 0 || strcmp(fleet->instances[n - 1].arn, fleet->instances[i].arn) != 0) {
            fleet->instances[n++] = fleet->instances[i];
        }
    }
    fleet->n_instances = n;
}

static void sort(taskfit_ecs_fleet *fleet, int (*compare)(const void *, const void *)) {
    if (fleet->n_instances > 1) {
        qsort(fleet->instances, fleet->n_instances, sizeof *fleet->instances, compare);
    }
}

void taskfit_ecs_fleet_group(taskfit_importer *importer, taskfit_ecs_fleet *fleet) {
    sort(fleet, compare_arns);
    drop_repeated(fleet);
    sort(fleet, compare_groups);
    fleet->groups = TASKFIT_ARRAY(importer->arena, fleet->n_instances, taskfit_ecs_group);
    size_t n_of_provider = 0;
    for (size_t i = 0; i < fleet->n_instances; i++) {
        taskfit_ecs_instance *instance = &fleet->instances[i];
        taskfit_ecs_group *last = fleet->n_groups > 0 ? &fleet->groups[fleet->n_groups - 1] : NULL;
        const bool same_provider = last && strcmp(last->provider, instance->provider) == 0;
        if (!same_provider || strcmp(last->attributes, instance->attributes) != 0) {
            n_of_provider = same_provider ? n_of_provider + 1 : 1;
            const char *stem = *instance->provider ? instance->provider : "main";
            last = &fleet->groups[fleet->n_groups++];
            last->name = n_of_provider == 1 ? stem : taskfit_arena_printf(importer->arena, "%s-%zu", stem, n_of_provider);
            last->provider = instance->provider;
            last->attributes = instance->attributes;
            last->attribute_map = instance->attribute_map;
        }
        last->n_instances++;
        instance->group = fleet->n_groups - 1;
    }
    sort(fleet, compare_arns);
}

const taskfit_ecs_instance *taskfit_ecs_fleet_find(const taskfit_ecs_fleet *fleet, const char *arn) {
    const taskfit_ecs_instance key = {.arn = arn};
    return fleet->n_instances > 0 ? bsearch(&key, fleet->instances, fleet->n_instances, sizeof key, compare_arns) : NULL;
}

/* ---- the cluster ---- */

/* Different texts of instances (of one group, or of all: group == n_groups), sorted. */
typedef const char *text_fn(const taskfit_ecs_instance *instance);

static const char *type_of(const taskfit_ecs_instance *instance) {
    return instance->type;
}

static const char *az_of(const taskfit_ecs_instance *instance) {
    return instance->az;
}

static taskfit_node *distinct(taskfit_importer *importer, const taskfit_ecs_fleet *fleet, size_t group, text_fn *text) {
    const char **texts = TASKFIT_ARRAY(importer->arena, fleet->n_instances, const char *);
    size_t n = 0;
    for (size_t i = 0; i < fleet->n_instances; i++) {
        if (group == fleet->n_groups || fleet->instances[i].group == group) {
            texts[n++] = text(&fleet->instances[i]);
        }
    }
    if (n > 1) {
        qsort(texts, n, sizeof *texts, compare_texts);
    }
    taskfit_node *list = taskfit_node_list(importer->arena);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || strcmp(texts[i - 1], texts[i]) != 0) {
            taskfit_node_append(importer->arena, list, taskfit_node_string(importer->arena, texts[i]));
        }
    }
    return list;
}

static taskfit_node *group_node(taskfit_importer *importer, const taskfit_ecs_fleet *fleet, size_t index, size_t n_azs) {
    taskfit_arena *arena = importer->arena;
    const taskfit_ecs_group *group = &fleet->groups[index];
    taskfit_node *map = taskfit_node_map(arena);
    taskfit_node *types = distinct(importer, fleet, index, type_of);
    taskfit_node *azs = distinct(importer, fleet, index, az_of);
    taskfit_node_set(arena, map, "name", taskfit_node_string(arena, group->name));
    taskfit_node_set(arena, map, "types", types);
    if (types->n > 1) {
        taskfit_node_set(arena, map, "mixed", taskfit_node_bool(arena, true));
    }
    taskfit_node_set(arena, map, "current", taskfit_node_int(arena, (int64_t)group->n_instances));
    if (azs->n < n_azs) {
        taskfit_node_set(arena, map, "availabilityZones", azs);
    }
    if (group->attribute_map->n > 0) {
        taskfit_node_set(arena, map, "attributes", taskfit_node_copy(arena, group->attribute_map));
    }
    return map;
}

/* The least that an instance of the type registers: the deployment has one figure for all. */
static taskfit_node *type_node(taskfit_importer *importer, const taskfit_ecs_fleet *fleet, const char *type) {
    taskfit_arena *arena = importer->arena;
    const taskfit_ecs_instance *least = NULL;
    int64_t most_mib = 0;
    int64_t cpu_units = INT64_MAX;
    for (size_t i = 0; i < fleet->n_instances; i++) {
        const taskfit_ecs_instance *instance = &fleet->instances[i];
        if (strcmp(instance->type, type) == 0) {
            least = !least || instance->memory_mib < least->memory_mib ? instance : least;
            most_mib = instance->memory_mib > most_mib ? instance->memory_mib : most_mib;
            cpu_units = instance->cpu_units < cpu_units ? instance->cpu_units : cpu_units;
        }
    }
    assert(least);
    if (most_mib > least->memory_mib) {
        taskfit_import_note(importer, TASKFIT_IMPORT_ASSUMED, least->position, NULL,
                            "instances of %s register %lld to %lld MiB: the least counts for all", type,
                            (long long)least->memory_mib, (long long)most_mib);
    }
    taskfit_node *map = taskfit_node_map(arena);
    taskfit_node_set(arena, map, "type", taskfit_node_string(arena, type));
    taskfit_node_set(arena, map, "vcpu", taskfit_node_int(arena, cpu_units / TASKFIT_CPU_UNITS_PER_VCPU));
    taskfit_node_set(arena, map, "registeredMemory", taskfit_node_int(arena, least->memory_mib));
    if (least->architecture) {
        taskfit_node_set(arena, map, "architecture", taskfit_node_string(arena, least->architecture));
    }
    if (least->n_gpus > 0) {
        taskfit_node_set(arena, map, "gpu", taskfit_node_int(arena, least->n_gpus));
    }
    return map;
}

void taskfit_ecs_fleet_cluster(taskfit_importer *importer, const taskfit_ecs_fleet *fleet) {
    taskfit_arena *arena = importer->arena;
    taskfit_node *azs = distinct(importer, fleet, fleet->n_groups, az_of);
    const taskfit_node *names = distinct(importer, fleet, fleet->n_groups, type_of);
    taskfit_node *types = taskfit_node_list(arena);
    taskfit_node *groups = taskfit_node_list(arena);
    bool has_trunk = false;
    for (size_t i = 0; i < names->n; i++) {
        taskfit_node_append(arena, types, type_node(importer, fleet, names->items[i]->text));
    }
    for (size_t i = 0; i < fleet->n_groups; i++) {
        taskfit_node_append(arena, groups, group_node(importer, fleet, i, azs->n));
    }
    for (size_t i = 0; i < fleet->n_instances; i++) {
        has_trunk = has_trunk || fleet->instances[i].has_trunk;
    }
    if (fleet->n_instances > 0) {
        taskfit_import_cluster(importer, "availabilityZones", azs);
        if (has_trunk) {
            taskfit_import_cluster(importer, "awsvpcTrunking", taskfit_node_bool(arena, true));
        }
        taskfit_import_cluster(importer, "instanceTypes", types);
        taskfit_import_cluster(importer, "instanceGroups", groups);
    }
}
