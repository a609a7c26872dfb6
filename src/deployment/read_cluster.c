#include "deployment/read.h"

#include <string.h>

#include "deployment/words.h"

/* ---- availability zones ---- */

static void read_az(taskfit_decoder *decoder, taskfit_node *item, size_t index TASKFIT_UNUSED, void *arg) {
    taskfit_az_list *list = arg;
    const char *name = NULL;
    if (list->n < TASKFIT_AZS_MAX && taskfit_decode_name_of(decoder, item, &name)) {
        list->names[list->n] = taskfit_named_here(decoder, name, list->n, item->position);
        list->n++;
    }
}

taskfit_az_list taskfit_read_azs(taskfit_decoder *decoder, taskfit_node *node) {
    taskfit_az_list list = {.names = TASKFIT_ARRAY(decoder->arena, TASKFIT_AZS_MAX, taskfit_named)};
    const taskfit_path path = {.up = decoder->path, .key = "availabilityZones"};
    decoder->path = &path;
    taskfit_decode_items(decoder, node, read_az, &list);
    if (node->kind == TASKFIT_NODE_LIST && (node->n == 0 || node->n > TASKFIT_AZS_MAX)) {
        taskfit_decode_defect(decoder, node->position, "%zu availability zones (name from 1 to %d)", node->n,
                              TASKFIT_AZS_MAX);
    }
    decoder->path = path.up;
    return list;
}

static void read_cluster_azs(taskfit_reading *reading, taskfit_node *node) {
    taskfit_deployment *deployment = reading->deployment;
    taskfit_az_list list = {.names = NULL};
    if (node) {
        list = taskfit_read_azs(&reading->decoder, node);
    }
    if (list.n == 0) {
        list.names = TASKFIT_NEW(deployment->arena, taskfit_named);
        list.names[list.n++].name = taskfit_arena_printf(deployment->arena, "%sa", deployment->region);
    }
    const char **azs = TASKFIT_ARRAY(deployment->arena, list.n, const char *);
    for (size_t i = 0; i < list.n; i++) {
        azs[i] = list.names[i].name;
    }
    taskfit_names_sort(&reading->decoder, list.names, list.n, "availability zone");
    reading->azs = list.names;
    deployment->azs = azs;
    deployment->n_azs = list.n;
}

/* ---- the cluster ---- */

typedef struct cluster_draft {
    const char *name, *region;
    int network_mode;
    bool awsvpc_trunking;
    taskfit_node *azs, *types, *groups, *daemons;
} cluster_draft;

static const taskfit_field cluster_fields[] = {
    {TASKFIT_KEY("name", taskfit_decode_text, cluster_draft, name)},
    {TASKFIT_KEY("region", taskfit_decode_name, cluster_draft, region)},
    {TASKFIT_KEY("availabilityZones", taskfit_decode_node, cluster_draft, azs)},
    {TASKFIT_KEY("networkMode", taskfit_decode_word, cluster_draft, network_mode), .words = taskfit_network_words},
    {TASKFIT_KEY("awsvpcTrunking", taskfit_decode_bool, cluster_draft, awsvpc_trunking)},
    {TASKFIT_KEY("instanceTypes", taskfit_decode_node, cluster_draft, types)},
    {TASKFIT_KEY("instanceGroups", taskfit_decode_node, cluster_draft, groups), .required = true,
     .remedy = "at least one, here or with --set 'cluster.instanceGroups=[{name: main, types: [r7g.2xlarge]}]'"},
    {TASKFIT_KEY("daemons", taskfit_decode_node, cluster_draft, daemons)},
};

taskfit_node *taskfit_read_cluster(taskfit_reading *reading, taskfit_node *cluster) {
    taskfit_decoder *decoder = &reading->decoder;
    taskfit_deployment *deployment = reading->deployment;
    cluster_draft draft = {.name = deployment->name, .region = "us-east-1", .network_mode = TASKFIT_NETWORK_BRIDGE};
    const taskfit_path path = {.key = "cluster"};
    decoder->path = &path;
    if (!taskfit_decode_map(decoder, cluster, cluster_fields, TASKFIT_COUNT_OF(cluster_fields), &draft)) {
        decoder->path = NULL;
        return NULL;
    }
    deployment->name = draft.name;
    deployment->region = draft.region;
    deployment->network_mode = (taskfit_network_mode)draft.network_mode;
    deployment->awsvpc_trunking = draft.awsvpc_trunking;
    read_cluster_azs(reading, draft.azs);
    const taskfit_type_table types = taskfit_read_types(reading, draft.types);
    taskfit_read_groups(reading, draft.groups, &types);
    if (taskfit_diag_count(decoder->diag) == 0) { /* the name and the figures that the next reader may not have */
        taskfit_node_set(decoder->arena, cluster, "name", taskfit_node_string(decoder->arena, deployment->name));
        taskfit_node_set(decoder->arena, cluster, "instanceTypes", taskfit_types_node(reading, &types));
    }
    decoder->path = NULL;
    return draft.daemons;
}
