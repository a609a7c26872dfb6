/*
 * A running cluster: what `aws ecs describe-services`, `describe-task-definition`, `describe-container-instances`, `describe-tasks` and
 * `describe-clusters` print, in any number of files. Beside the deployment it gives the placement of today.
 */
#include <string.h>

#include "import/ecs.h"
#include "import/ecs_fleet.h"
#include "import/kinds.h"

struct described { /* maps of one sort, from all files */
    const taskfit_node **items;
    size_t n, capacity;
};

struct cluster {
    taskfit_ecs_reader ecs;
    struct described services, definitions, tasks;
    taskfit_ecs_fleet fleet;
};

/* ---- gathering ---- */

static const char *const parts[] = {"services", "containerInstances", "tasks", "clusters"};

static bool is_part(const taskfit_node *map) {
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const taskfit_node *list = taskfit_list_at(map, parts[i]);
        const taskfit_node *first = list && list->n > 0 ? list->items[0] : NULL;
        if (first && (taskfit_text_at(first, "clusterArn") || taskfit_text_at(first, "containerInstanceArn"))) {
            return true;
        }
    }
    return false;
}

/* Lists of ARNs are what the files were made by. */
static bool is_list_of_arns(const taskfit_node *map) {
    static const char *const keys[] = {"serviceArns", "taskArns", "containerInstanceArns", "clusterArns", "taskDefinitionArns"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (taskfit_list_at(map, keys[i])) {
            return true;
        }
    }
    return false;
}

static bool recognize(const taskfit_import_input *input) {
    const taskfit_node *root = input->root;
    if (root->kind == TASKFIT_NODE_LIST) {
        root = root->n > 0 ? root->items[0] : root;
    }
    return root->kind == TASKFIT_NODE_MAP && (is_part(root) || is_list_of_arns(root));
}

static void gather_list(taskfit_importer *importer, struct described *described, const taskfit_node *list) {
    for (size_t i = 0; list && i < list->n; i++) {
        if (list->items[i]->kind == TASKFIT_NODE_MAP) {
            TASKFIT_GROW(importer->arena, described->items, described->n, described->capacity);
            described->items[described->n++] = list->items[i];
        }
    }
}

static void tell_gaps(taskfit_importer *importer, const taskfit_node *map) {
    const taskfit_node *failures = taskfit_list_at(map, "failures");
    for (size_t i = 0; failures && i < failures->n; i++) {
        const char *arn = taskfit_text_at(failures->items[i], "arn");
        const char *reason = taskfit_text_at(failures->items[i], "reason");
        taskfit_import_note(importer, TASKFIT_IMPORT_DOUBTFUL, failures->items[i]->position, NULL,
                            "'%s' could not be described: %s", arn ? arn : "?", reason ? reason : "?");
    }
    if (taskfit_text_at(map, "nextToken")) {
        taskfit_import_note(importer, TASKFIT_IMPORT_DOUBTFUL, taskfit_node_get(map, "nextToken")->position, NULL,
                            "the list goes on behind this page (nextToken)");
    }
}

/* The last part of "arn:aws:ecs:us-east-1:123456789012:cluster/relc". */
static const char *last_part(const char *arn) {
    const char *slash = strrchr(arn, '/');
    return slash ? slash + 1 : arn;
}

static void state(taskfit_importer *importer, const char *key, const char *text, taskfit_position position) {
    taskfit_node *node = taskfit_node_string(importer->arena, text);
    node->position = position;
    taskfit_import_cluster(importer, key, node);
}

/* Name and region of the cluster, from its ARN. */
static void read_cluster_arn(taskfit_importer *importer, const taskfit_node *map) {
    const char *arn = taskfit_text_at(map, "clusterArn");
    if (!arn || strncmp(arn, "arn:", 4) != 0) {
        return;
    }
    const taskfit_position position = taskfit_node_get(map, "clusterArn")->position;
    const char *region = arn;
    for (size_t colon = 0; colon < 3 && region; colon++) {
        region = strchr(region, ':');
        region = region ? region + 1 : NULL;
    }
    if (*last_part(arn)) {
        state(importer, "name", last_part(arn), position);
    }
    const size_t len = region ? strcspn(region, ":") : 0;
    if (len > 0) {
        state(importer, "region", taskfit_arena_strndup(importer->arena, region, len), position);
    }
}

static void gather(struct cluster *cluster, const taskfit_node *map) {
    taskfit_importer *importer = cluster->ecs.importer;
    if (map->kind == TASKFIT_NODE_LIST) {
        for (size_t i = 0; i < map->n; i++) {
            gather(cluster, map->items[i]);
        }
        return;
    }
    if (map->kind != TASKFIT_NODE_MAP) {
        return;
    }
    const taskfit_node *definition = taskfit_node_get(map, "taskDefinition");
    const taskfit_node *instances = taskfit_list_at(map, "containerInstances");
    const taskfit_node *clusters = taskfit_list_at(map, "clusters");
    tell_gaps(importer, map);
    gather_list(importer, &cluster->services, taskfit_list_at(map, "services"));
    gather_list(importer, &cluster->tasks, taskfit_list_at(map, "tasks"));
    for (size_t i = 0; instances && i < instances->n; i++) {
        taskfit_ecs_fleet_add(importer, &cluster->fleet, instances->items[i]);
    }
    for (size_t i = 0; clusters && i < clusters->n; i++) {
        read_cluster_arn(importer, clusters->items[i]);
    }
    if (definition && taskfit_is_task_definition(definition)) {
        const taskfit_node one = {.kind = TASKFIT_NODE_LIST, .items = (taskfit_node *[]){taskfit_node_copy(importer->arena, definition)}, .n = 1};
        gather_list(importer, &cluster->definitions, &one);
    } else if (!is_part(map) && !is_list_of_arns(map) && !instances && !taskfit_list_at(map, "services") &&
               !taskfit_list_at(map, "tasks")) {
        taskfit_import_note(importer, TASKFIT_IMPORT_IGNORED, map->position, NULL, "not a description of a cluster's parts");
    }
}

/* ---- sorting and finding ---- */

static const char *text_of(const taskfit_node *map, const char *key) {
    const char *text = taskfit_text_at(map, key);
    return text ? text : "";
}

static int by_definition_arn(const void *a, const void *b) {
    return strcmp(text_of(*(const taskfit_node *const *)a, "taskDefinitionArn"),
                  text_of(*(const taskfit_node *const *)b, "taskDefinitionArn"));
}

static int by_service_name(const void *a, const void *b) {
    const taskfit_node *left = *(const taskfit_node *const *)a;
    const taskfit_node *right = *(const taskfit_node *const *)b;
    const int order = strcmp(text_of(left, "serviceName"), text_of(right, "serviceName"));
    return order != 0 ? order : strcmp(text_of(left, "serviceArn"), text_of(right, "serviceArn"));
}

static int by_task_arn(const void *a, const void *b) {
    return strcmp(text_of(*(const taskfit_node *const *)a, "taskArn"), text_of(*(const taskfit_node *const *)b, "taskArn"));
}

/* Sorted, each once: files of a folder may overlap. */
static void settle(struct described *described, int (*compare)(const void *, const void *)) {
    if (described->n > 1) {
        qsort(described->items, described->n, sizeof *described->items, compare);
    }
    size_t n = 0;
    for (size_t i = 0; i < described->n; i++) {
        if (n == 0 || compare(&described->items[n - 1], &described->items[i]) != 0) {
            described->items[n++] = described->items[i];
        }
    }
    described->n = n;
}

/* By ARN, or by "family:revision". */
static const taskfit_node *find_definition(const struct cluster *cluster, const char *arn) {
    for (size_t low = 0, high = cluster->definitions.n; low < high;) {
        const size_t middle = low + (high - low) / 2;
        const int order = strcmp(text_of(cluster->definitions.items[middle], "taskDefinitionArn"), arn);
        if (order == 0) {
            return cluster->definitions.items[middle];
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    for (size_t i = 0; i < cluster->definitions.n && strchr(arn, '/') == NULL; i++) {
        if (strcmp(last_part(text_of(cluster->definitions.items[i], "taskDefinitionArn")), arn) == 0) {
            return cluster->definitions.items[i];
        }
    }
    return NULL;
}

/* ---- services ---- */

static bool is_fargate(const taskfit_node *map) {
    const taskfit_node *strategy = taskfit_list_at(map, "capacityProviderStrategy");
    bool is_all_fargate = strategy && strategy->n > 0;
    for (size_t i = 0; strategy && i < strategy->n; i++) {
        is_all_fargate = is_all_fargate && strncmp(text_of(strategy->items[i], "capacityProvider"), "FARGATE", 7) == 0;
    }
    return strcmp(text_of(map, "launchType"), "FARGATE") == 0 || is_all_fargate;
}

/* The groups of the service's capacity providers; without a strategy it may stand anywhere. */
static void read_groups(struct cluster *cluster, taskfit_import_service *service, const taskfit_node *map) {
    taskfit_importer *importer = cluster->ecs.importer;
    const taskfit_node *strategy = taskfit_list_at(map, "capacityProviderStrategy");
    taskfit_node *groups = taskfit_node_list(importer->arena);
    for (size_t i = 0; strategy && i < strategy->n; i++) {
        const char *provider = text_of(strategy->items[i], "capacityProvider");
        const size_t n_before = groups->n;
        for (size_t group = 0; group < cluster->fleet.n_groups; group++) {
            if (strcmp(cluster->fleet.groups[group].provider, provider) == 0) {
                taskfit_node_append(importer->arena, groups, taskfit_node_string(importer->arena, cluster->fleet.groups[group].name));
            }
        }
        if (groups->n == n_before && strncmp(provider, "FARGATE", 7) != 0) {
            taskfit_import_note(importer, TASKFIT_IMPORT_IGNORED, strategy->items[i]->position, service->name,
                                "capacity provider '%s', which has no instance", provider);
        }
    }
    if (strategy && groups->n > 0) {
        groups->position = strategy->position;
        taskfit_import_extra(importer, &service->extra, "group", groups->n == 1 ? groups->items[0] : groups);
    }
}

static void read_service(struct cluster *cluster, const taskfit_node *map) {
    taskfit_importer *importer = cluster->ecs.importer;
    const char *name = taskfit_text_at(map, "serviceName");
    const char *arn = taskfit_text_at(map, "taskDefinition");
    const char *status = taskfit_text_at(map, "status");
    if (!name || !arn) {
        taskfit_import_note(importer, TASKFIT_IMPORT_DEFECT, map->position, NULL,
                            "no service with serviceName and taskDefinition (describe-services tells them)");
        return;
    }
    if ((status && strcmp(status, "ACTIVE") != 0) || is_fargate(map)) {
        taskfit_import_note(importer, TASKFIT_IMPORT_IGNORED, map->position, name, "the service, as it %s",
                            is_fargate(map) ? "runs on Fargate" : "is not active");
        return;
    }
    const taskfit_node *definition = find_definition(cluster, arn);
    if (!definition) {
        taskfit_import_note(importer, TASKFIT_IMPORT_DEFECT, map->position, name,
                            "task definition '%s' is missing (add the output of describe-task-definition)", arn);
        return;
    }
    taskfit_import_service *service = taskfit_import_service_add(importer, name, map->position);
    const char *family = taskfit_task_definition_family(definition);
    if (family && strcmp(family, service->name) != 0) {
        taskfit_node *node = taskfit_node_string(importer->arena, family);
        node->position = map->position;
        taskfit_import_extra(importer, &service->extra, "family", node);
    }
    read_cluster_arn(importer, map);
    read_groups(cluster, service, map);
    taskfit_ecs_task_definition(&cluster->ecs, service, definition);
    taskfit_ecs_service(&cluster->ecs, service, map);
}

/* ---- tasks ---- */

static void place(struct cluster *cluster, taskfit_placement *placement, const taskfit_node *map) {
    static const char prefix[] = "service:";
    taskfit_importer *importer = cluster->ecs.importer;
    const char *group = text_of(map, "group");
    const char *arn = taskfit_text_at(map, "containerInstanceArn");
    const char *last = text_of(map, "lastStatus");
    const bool is_over = strcmp(text_of(map, "desiredStatus"), "STOPPED") == 0 || strcmp(last, "STOPPED") == 0 ||
                         strcmp(last, "DEPROVISIONING") == 0;
    if (is_over || !arn) {
        return; /* ends, or runs on Fargate */
    }
    const taskfit_ecs_instance *instance = taskfit_ecs_fleet_find(&cluster->fleet, arn);
    if (!instance) {
        taskfit_import_note(importer, TASKFIT_IMPORT_IGNORED, map->position, NULL,
                            "task '%s' on an instance that is not described or not active", text_of(map, "taskArn"));
    } else if (strncmp(group, prefix, sizeof prefix - 1) != 0) {
        taskfit_import_note(importer, TASKFIT_IMPORT_IGNORED, map->position, NULL, "task '%s' of '%s', which is no service",
                            text_of(map, "taskArn"), group);
    } else {
        TASKFIT_GROW(importer->arena, placement->tasks, placement->n_tasks, placement->tasks_capacity);
        placement->tasks[placement->n_tasks++] = (taskfit_placed_task){
            .instance = (size_t)(instance - cluster->fleet.instances), .service = group + sizeof prefix - 1, .position = map->position};
    }
}

static void read_placement(struct cluster *cluster) {
    taskfit_importer *importer = cluster->ecs.importer;
    taskfit_placement *placement = TASKFIT_NEW(importer->arena, taskfit_placement);
    for (size_t i = 0; i < cluster->fleet.n_instances; i++) {
        const taskfit_ecs_instance *instance = &cluster->fleet.instances[i];
        TASKFIT_GROW(importer->arena, placement->instances, placement->n_instances, placement->instances_capacity);
        placement->instances[placement->n_instances++] =
            (taskfit_placed_instance){cluster->fleet.groups[instance->group].name, instance->type, instance->az};
    }
    for (size_t i = 0; i < cluster->tasks.n; i++) {
        place(cluster, placement, cluster->tasks.items[i]);
    }
    importer->placement = placement;
}

static void read(taskfit_importer *importer, const taskfit_import_input *inputs, size_t n_inputs) {
    struct cluster cluster = {.ecs = {.importer = importer}};
    for (size_t i = 0; i < n_inputs; i++) {
        gather(&cluster, inputs[i].root);
    }
    settle(&cluster.services, by_service_name);
    settle(&cluster.definitions, by_definition_arn);
    settle(&cluster.tasks, by_task_arn);
    taskfit_ecs_fleet_group(importer, &cluster.fleet);
    for (size_t i = 0; i < cluster.services.n; i++) {
        read_service(&cluster, cluster.services.items[i]);
    }
    taskfit_ecs_fleet_cluster(importer, &cluster.fleet);
    if (cluster.fleet.n_instances > 0) {
        read_placement(&cluster);
    }
    taskfit_ecs_tell_unplaced(&cluster.ecs);
}

const taskfit_import_kind taskfit_import_ecs_cluster = {
    .name = "ecs-cluster",
    .summary = "descriptions of a running cluster's services, task definitions, instances, tasks",
    .is_tree = true,
    .is_together = true,
    .recognize = recognize,
    .read = read,
};
