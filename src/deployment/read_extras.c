#include "deployment/read.h"

#include "deployment/edit.h"

/* ---- costs ---- */

enum { HOURS_PER_MONTH = 730, HOURS_PER_MONTH_MAX = 744 };

typedef struct reading_item {
    taskfit_cost_item item;
    int service, per, when; /* words */
} reading_item;

static const taskfit_word cost_service_words[] = {{"rds", TASKFIT_COST_RDS},
                                                  {"msk", TASKFIT_COST_MSK},
                                                  {"ebs", TASKFIT_COST_EBS},
                                                  {"fargate", TASKFIT_COST_FARGATE},
                                                  {NULL, 0}};
static const taskfit_word per_words[] = {
    {"instance", TASKFIT_PER_INSTANCE}, {"service", TASKFIT_PER_SERVICE}, {"task", TASKFIT_PER_TASK}, {NULL, 0}};
static const taskfit_word when_words[] = {{"readWriteSplit", 1}, {NULL, 0}};

static const taskfit_field item_fields[] = {
    {TASKFIT_KEY("name", taskfit_decode_text, reading_item, item.name), .required = true, .remedy = "what is paid for"},
    {TASKFIT_KEY("service", taskfit_decode_word, reading_item, service), .words = cost_service_words},
    {TASKFIT_KEY("type", taskfit_decode_text, reading_item, item.type)},
    {TASKFIT_KEY("engine", taskfit_decode_text, reading_item, item.engine)},
    {TASKFIT_KEY("count", taskfit_decode_count, reading_item, item.count), .low = 0, .high = 1000000},
    {TASKFIT_KEY("storageGiB", taskfit_decode_count, reading_item, item.storage_gib)},
    {TASKFIT_KEY("storageGiBEach", taskfit_decode_count, reading_item, item.storage_gib_each)},
    {TASKFIT_KEY("per", taskfit_decode_word, reading_item, per), .words = per_words},
    {TASKFIT_KEY("when", taskfit_decode_word, reading_item, when), .words = when_words},
    {TASKFIT_KEY("usdPerHour", taskfit_decode_usd, reading_item, item.usd_micros_per_hour)},
    {TASKFIT_KEY("usdPerMonth", taskfit_decode_usd, reading_item, item.usd_micros_per_month)},
    {TASKFIT_KEY("maxConnections", taskfit_decode_count, reading_item, item.max_connections), .low = 1, .high = 10000000},
    {TASKFIT_KEY("poolSize", taskfit_decode_count, reading_item, item.pool_size), .low = 1, .high = 1000000},
};

/* `type`, or a price of its own, says what it costs; EBS volumes have a usual type, and Fargate needs none. */
static void check_cost_item(const taskfit_decoder *decoder, const taskfit_node *node, const taskfit_cost_item *item) {
    const bool priced = taskfit_decode_given(node, "usdPerHour") || taskfit_decode_given(node, "usdPerMonth");
    if (!taskfit_decode_given(node, "service") && !priced) {
        taskfit_decode_defect(decoder, node->position,
                              "has no price (give service and type, usdPerHour or usdPerMonth)");
    } else if ((item->service == TASKFIT_COST_RDS || item->service == TASKFIT_COST_MSK) && !item->type && !priced) {
        taskfit_decode_defect(decoder, node->position, "has no type (such as %s, or give usdPerHour)",
                              item->service == TASKFIT_COST_RDS ? "db.r6g.xlarge" : "kafka.m7g.large");
    }
    if (taskfit_decode_given(node, "maxConnections") != taskfit_decode_given(node, "poolSize")) {
        taskfit_decode_defect(decoder, node->position, "has one of maxConnections and poolSize (give both or none)");
    }
}

typedef struct item_list {
    taskfit_cost_item *items;
    size_t n;
} item_list;

static void read_cost_item(taskfit_decoder *decoder, taskfit_node *node, size_t index TASKFIT_UNUSED, void *arg) {
    item_list *list = arg;
    reading_item reading = {.item = {.count = 1,
                                     .usd_micros_per_hour = -1,
                                     .usd_micros_per_month = -1,
                                     .max_connections = -1,
                                     .pool_size = -1,
                                     .position = node->position}};
    if (!taskfit_decode_map(decoder, node, item_fields, TASKFIT_COUNT_OF(item_fields), &reading)) {
        return;
    }
    reading.item.service = (taskfit_cost_service)reading.service;
    reading.item.per = (taskfit_cost_per)reading.per;
    reading.item.when_read_write_split = reading.when != 0;
    check_cost_item(decoder, node, &reading.item);
    list->items[list->n++] = reading.item;
}

static void read_cost_items(taskfit_decoder *decoder, const taskfit_field *field TASKFIT_UNUSED, taskfit_node *value,
                            void *object) {
    taskfit_deployment *deployment = object;
    item_list list = {.items = TASKFIT_ARRAY(decoder->arena, taskfit_decode_size(value), taskfit_cost_item)};
    taskfit_decode_items(decoder, value, read_cost_item, &list);
    deployment->cost_items = list.items;
    deployment->n_cost_items = list.n;
}

static const taskfit_field costs_fields[] = {
    {TASKFIT_KEY("hoursPerMonth", taskfit_decode_count, taskfit_deployment, hours_per_month), .low = 1,
     .high = HOURS_PER_MONTH_MAX},
    {.key = "items", .read = read_cost_items},
};

/* ---- kpis ---- */

static void read_kpi_file(taskfit_decoder *decoder, taskfit_node *item, size_t index TASKFIT_UNUSED, void *arg) {
    const char ***next = arg;
    if (taskfit_decode_text_of(decoder, item, *next)) {
        (*next)++;
    }
}

/* ---- scenarios ---- */

static void read_scenarios(taskfit_decoder *decoder, taskfit_node *scenarios) {
    if (!taskfit_decode_is(decoder, scenarios, TASKFIT_NODE_MAP)) {
        return;
    }
    const taskfit_path *up = decoder->path;
    for (size_t i = 0; i < scenarios->n; i++) {
        const taskfit_path path = {.up = up, .key = scenarios->entries[i].key};
        const taskfit_edit *edits = NULL;
        size_t n_edits = 0;
        decoder->path = &path;
        taskfit_edits_decode(decoder->arena, scenarios->entries[i].value, taskfit_decode_path(decoder), decoder->diag,
                             &edits, &n_edits);
    }
    decoder->path = up;
}

void taskfit_read_extras(taskfit_reading *reading, taskfit_node *costs, taskfit_node *scenarios, taskfit_node *kpis) {
    taskfit_decoder *decoder = &reading->decoder;
    const taskfit_path costs_path = {.key = "costs"};
    const taskfit_path scenarios_path = {.key = "scenarios"};
    const taskfit_path kpis_path = {.key = "kpis"};
    reading->deployment->hours_per_month = HOURS_PER_MONTH;
    if (costs) {
        decoder->path = &costs_path;
        (void)taskfit_decode_map(decoder, costs, costs_fields, TASKFIT_COUNT_OF(costs_fields), reading->deployment);
    }
    if (scenarios) {
        decoder->path = &scenarios_path;
        read_scenarios(decoder, scenarios);
    }
    decoder->path = &kpis_path;
    const char **files = TASKFIT_ARRAY(decoder->arena, taskfit_decode_size(kpis), const char *);
    const char **next = files;
    taskfit_decode_items(decoder, kpis, read_kpi_file, &next);
    reading->deployment->kpi_files = files;
    reading->deployment->n_kpi_files = (size_t)(next - files);
    decoder->path = NULL;
}
