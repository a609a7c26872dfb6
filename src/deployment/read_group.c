#include "deployment/read.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "deployment/words.h"

/* ---- purchase ---- */

enum { HUNDREDTHS = 100, PERCENT = 100 };

typedef struct purchase_draft {
    int64_t discount_hundredths; /* of a percent; -1: none */
    int64_t price_usd_micros;    /* -1: the type's */
} purchase_draft;

static void read_discount(taskfit_decoder *decoder, const taskfit_field *field, taskfit_node *value, void *object) {
    const char *text = NULL;
    int64_t millionths = 0;
    const char *why = NULL;
    const taskfit_field as_text = {.key = field->key};
    taskfit_decode_percent_text(decoder, &as_text, value, &text);
    if (!text || !taskfit_parse_usd_micros(text, strlen(text), &millionths, &why)) {
        return;
    }
    if (millionths % (1000000 / HUNDREDTHS) != 0) {
        taskfit_decode_defect(decoder, value->position, "'%.80s' has more than two decimals (round it)", text);
        return;
    }
    *(int64_t *)(void *)((char *)object + field->offset) = millionths / (1000000 / HUNDREDTHS);
}

static const taskfit_field purchase_fields[] = {
    {TASKFIT_KEY("discountPercent", read_discount, purchase_draft, discount_hundredths)},
    {TASKFIT_KEY("usdPerHour", taskfit_decode_usd, purchase_draft, price_usd_micros)},
};

static const taskfit_word purchase_words[] = {{"onDemand", 0}, {NULL, 0}};

static void read_purchase(taskfit_decoder *decoder, taskfit_node *node, purchase_draft *purchase) {
    int word = 0;
    if (!node) {
        return;
    }
    if (node->kind == TASKFIT_NODE_SCALAR) {
        (void)taskfit_decode_word_of(decoder, node, purchase_words, &word);
    } else if (taskfit_decode_map(decoder, node, purchase_fields, TASKFIT_COUNT_OF(purchase_fields), purchase) &&
               taskfit_decode_given(node, "discountPercent") == taskfit_decode_given(node, "usdPerHour")) {
        taskfit_decode_defect(decoder, node->position, "needs either discountPercent or usdPerHour");
    }
}

/* Half up. A type without a price is a defect told already. Micro-dollars times ten thousand stay below 2^63 (units.h
 * bounds prices). */
static int64_t price_of(const taskfit_instance_type *type, const purchase_draft *purchase) {
    if (purchase->price_usd_micros >= 0) {
        return purchase->price_usd_micros;
    }
    if (purchase->discount_hundredths < 0) {
        return type->price_usd_micros;
    }
    const int64_t whole = PERCENT * HUNDREDTHS;
    return (type->price_usd_micros * (whole - purchase->discount_hundredths) + whole / 2) / whole;
}

/* ---- instance groups ---- */

typedef struct group_draft {
    taskfit_instance_group group;
    taskfit_node *types, *azs, *purchase, *attributes;
} group_draft;

static const taskfit_field group_fields[] = {
    {TASKFIT_KEY("name", taskfit_decode_name, taskfit_instance_group, name), .required = true,
     .remedy = "of the Auto Scaling group's capacity provider"},
    {TASKFIT_KEY("types", taskfit_decode_node, group_draft, types), .required = true,
     .remedy = "a list of instance types, for example [r7g.2xlarge]"},
    {TASKFIT_KEY("mixed", taskfit_decode_bool, taskfit_instance_group, mixed)},
    {TASKFIT_KEY("min", taskfit_decode_count, taskfit_instance_group, min_instances), .low = 0,
     .high = TASKFIT_INSTANCES_MAX},
    {TASKFIT_KEY("max", taskfit_decode_count, taskfit_instance_group, max_instances), .low = 0,
     .high = TASKFIT_INSTANCES_MAX},
    {TASKFIT_KEY("current", taskfit_decode_count, taskfit_instance_group, current_instances), .low = 0,
     .high = TASKFIT_INSTANCES_MAX},
    {TASKFIT_KEY("availabilityZones", taskfit_decode_node, group_draft, azs)},
    {TASKFIT_KEY("reservedMemory", taskfit_decode_memory_up, taskfit_instance_group, reserved_memory_mib)},
    {TASKFIT_KEY("reservedCpu", taskfit_decode_cpu_up, taskfit_instance_group, reserved_cpu_units)},
    {TASKFIT_KEY("maxTasks", taskfit_decode_count, taskfit_instance_group, max_tasks), .low = 1,
     .high = TASKFIT_TASKS_MAX},
    {TASKFIT_KEY("purchase", taskfit_decode_node, group_draft, purchase)},
    {TASKFIT_KEY("attributes", taskfit_decode_node, group_draft, attributes)},
};

typedef struct candidate_draft {
    const char *name;
    int64_t stock;
} candidate_draft;

static const taskfit_field candidate_fields[] = {
    {TASKFIT_KEY("type", taskfit_decode_text, candidate_draft, name), .required = true},
    {TASKFIT_KEY("max", taskfit_decode_count, candidate_draft, stock), .low = 0, .high = TASKFIT_INSTANCES_MAX},
};

typedef struct candidates {
    const taskfit_type_table *table;
    const purchase_draft *purchase;
    taskfit_candidate_type *types;
    taskfit_named *names;
    size_t n;
} candidates;

static void read_candidate(taskfit_decoder *decoder, taskfit_node *item, size_t index TASKFIT_UNUSED, void *arg) {
    taskfit_reading *reading = taskfit_reading_of(decoder);
    candidates *list = arg;
    candidate_draft draft = {.stock = -1};
    if (item->kind == TASKFIT_NODE_MAP) {
        (void)taskfit_decode_map(decoder, item, candidate_fields, TASKFIT_COUNT_OF(candidate_fields), &draft);
    } else {
        (void)taskfit_decode_text_of(decoder, item, &draft.name);
    }
    taskfit_candidate_type candidate = {.stock = draft.stock};
    if (!draft.name) {
        return;
    }
    if (!taskfit_find_type(reading, list->table, draft.name, &candidate.type)) {
        const char *nearest = taskfit_catalogue_nearest(reading->catalogue, draft.name);
        taskfit_decode_defect(decoder, item->position,
                              "there is no instance type '%s' (%s%s%sdescribe it in cluster.instanceTypes)", draft.name,
                              nearest ? "did you mean '" : "", nearest ? nearest : "", nearest ? "'? or " : "");
        return;
    }
    candidate.price_usd_micros = price_of(&candidate.type, list->purchase);
    list->names[list->n] = taskfit_named_here(decoder, draft.name, list->n, item->position);
    list->types[list->n++] = candidate;
}

static void read_candidates(taskfit_reading *reading, group_draft *draft, const taskfit_type_table *table,
                            const purchase_draft *purchase) {
    taskfit_decoder *decoder = &reading->decoder;
    const size_t room = taskfit_decode_size(draft->types);
    candidates list = {.table = table,
                       .purchase = purchase,
                       .types = TASKFIT_ARRAY(decoder->arena, room, taskfit_candidate_type),
                       .names = TASKFIT_ARRAY(decoder->arena, room, taskfit_named)};
    const taskfit_path path = {.up = decoder->path, .key = "types"};
    decoder->path = &path;
    taskfit_decode_items(decoder, draft->types, read_candidate, &list);
    if (draft->types && draft->types->kind == TASKFIT_NODE_LIST && draft->types->n == 0) {
        taskfit_decode_defect(decoder, draft->types->position, "must name at least one instance type");
    }
    decoder->path = path.up;
    taskfit_names_sort(decoder, list.names, list.n, "instance type");
    draft->group.types = list.types;
    draft->group.n_types = list.n;
}

static int compare_indexes(const void *left, const void *right) {
    const size_t *a = left;
    const size_t *b = right;
    return (*a > *b) - (*a < *b);
}

static void read_group_azs(taskfit_reading *reading, group_draft *draft) {
    const taskfit_deployment *deployment = reading->deployment;
    const taskfit_decoder *decoder = &reading->decoder;
    size_t *azs = TASKFIT_ARRAY(deployment->arena, deployment->n_azs, size_t);
    size_t n = 0;
    if (!draft->azs) {
        for (; n < deployment->n_azs; n++) {
            azs[n] = n;
        }
    } else {
        const taskfit_az_list list = taskfit_read_azs(&reading->decoder, draft->azs);
        taskfit_names_sort(decoder, list.names, list.n, "availability zone");
        for (size_t i = 0; i < list.n; i++) {
            const taskfit_named *found = taskfit_names_find(reading->azs, deployment->n_azs, list.names[i].name);
            if (!found) {
                taskfit_diag_add(decoder->diag, list.names[i].position, list.names[i].path,
                                 "'%s' is not one of the cluster's availability zones%s", list.names[i].name,
                                 taskfit_names_hint(decoder, reading->azs, deployment->n_azs, list.names[i].name));
            } else if (i == 0 || strcmp(list.names[i].name, list.names[i - 1].name) != 0) {
                azs[n++] = found->index;
            }
        }
        qsort(azs, n, sizeof *azs, compare_indexes);
    }
    draft->group.azs = azs;
    draft->group.n_azs = n;
}

/* ---- attributes ---- */

static void read_attributes(taskfit_decoder *decoder, group_draft *draft) {
    static const char *const planned[] = {"ecs.instance-type", "ecs.availability-zone", "ecs.cpu-architecture"};
    taskfit_node *node = draft->attributes;
    const taskfit_path path = {.up = decoder->path, .key = "attributes"};
    decoder->path = &path;
    if (node && taskfit_decode_is(decoder, node, TASKFIT_NODE_MAP)) {
        taskfit_attribute *attributes = TASKFIT_ARRAY(decoder->arena, node->n, taskfit_attribute);
        for (size_t i = 0; i < node->n; i++) {
            const taskfit_path key = {.up = &path, .key = node->entries[i].key};
            decoder->path = &key;
            attributes[i].name = node->entries[i].key;
            for (size_t p = 0; p < TASKFIT_COUNT_OF(planned); p++) {
                if (strcmp(planned[p], attributes[i].name) == 0) {
                    taskfit_decode_defect(decoder, node->entries[i].key_position,
                                          "'%s' follows from the plan (remove it)", planned[p]);
                }
            }
            (void)taskfit_decode_text_of(decoder, node->entries[i].value, &attributes[i].value);
        }
        draft->group.attributes = attributes;
        draft->group.n_attributes = node->n;
    }
    decoder->path = path.up;
}

/* ---- one group, all groups ---- */

typedef struct group_list {
    const taskfit_type_table *table;
    taskfit_instance_group *groups;
    taskfit_named *names;
    size_t n;
    size_t n_offers;
} group_list;

static void read_group(taskfit_decoder *decoder, taskfit_node *item, size_t index TASKFIT_UNUSED, void *arg) {
    taskfit_reading *reading = taskfit_reading_of(decoder);
    group_list *list = arg;
    group_draft draft = {
        .group = {.max_instances = 10000, .current_instances = -1, .max_tasks = -1, .position = item->position}};
    purchase_draft purchase = {.discount_hundredths = -1, .price_usd_micros = -1};
    if (list->n >= TASKFIT_GROUPS_MAX || list->n_offers > TASKFIT_OFFERS_MAX ||
        !taskfit_decode_map(decoder, item, group_fields, TASKFIT_COUNT_OF(group_fields), &draft)) {
        return;
    }
    const taskfit_path path = {.up = decoder->path, .key = "purchase"};
    decoder->path = &path;
    read_purchase(decoder, draft.purchase, &purchase);
    decoder->path = path.up;
    read_candidates(reading, &draft, list->table, &purchase);
    read_group_azs(reading, &draft);
    read_attributes(decoder, &draft);
    if (draft.group.min_instances > draft.group.max_instances) {
        taskfit_decode_defect_at(decoder, item, "min", "%lld is above max, %lld (lower it or raise max)",
                                 (long long)draft.group.min_instances, (long long)draft.group.max_instances);
    }
    list->n_offers += draft.group.n_types * draft.group.n_azs;
    if (list->n_offers > TASKFIT_OFFERS_MAX) {
        taskfit_decode_defect(decoder, item->position,
                              "too many instance types times availability zones (at most %d over all groups)",
                              TASKFIT_OFFERS_MAX);
    }
    if (draft.group.name) {
        list->names[list->n] = taskfit_named_here(decoder, draft.group.name, list->n, item->position);
        list->groups[list->n++] = draft.group;
    }
}

void taskfit_read_groups(taskfit_reading *reading, taskfit_node *node, const taskfit_type_table *table) {
    taskfit_decoder *decoder = &reading->decoder;
    taskfit_deployment *deployment = reading->deployment;
    const size_t n_given = taskfit_decode_size(node);
    const size_t room = n_given < TASKFIT_GROUPS_MAX ? n_given : TASKFIT_GROUPS_MAX;
    group_list list = {.table = table,
                       .groups = TASKFIT_ARRAY(decoder->arena, room, taskfit_instance_group),
                       .names = TASKFIT_ARRAY(decoder->arena, room, taskfit_named)};
    const taskfit_path path = {.up = decoder->path, .key = "instanceGroups"};
    decoder->path = &path;
    taskfit_decode_items(decoder, node, read_group, &list);
    if (node && node->kind == TASKFIT_NODE_LIST && (node->n == 0 || node->n > TASKFIT_GROUPS_MAX)) {
        taskfit_decode_defect(decoder, node->position, "%zu instance groups (describe from 1 to %d)", node->n,
                              TASKFIT_GROUPS_MAX);
    }
    decoder->path = path.up;
    taskfit_names_sort(decoder, list.names, list.n, "instance group");
    deployment->groups = list.groups;
    deployment->n_groups = list.n;
    reading->groups = list.names;
}
