#include "deployment/read.h"

#include "deployment/edit.h"

/* ---- costs ---- */

enum { HOURS_PER_MONTH = 730, HOURS_PER_MONTH_MAX = 744 };

typedef struct cost_item { /* read for its defects; comparisons read it again from the resolved tree */
    const char *name, *type, *engine;
    int service, per, when;
    int64_t count, storage_gib, storage_gib_each, usd_per_month_micros, usd_per_hour_micros;
} cost_item;

static const taskfit_word cost_service_words[] = {{"rds", 1}, {"msk", 2}, {"ebs", 3}, {"fargate", 4}, {NULL, 0}};
static const taskfit_word per_words[] = {{"instance", 1}, {"service", 2}, {"task", 3}, {NULL, 0}};
static const taskfit_word when_words[] = {{"readWriteSplit", 1}, {NULL, 0}};

static const taskfit_field item_fields[] = {
    {TASKFIT_KEY("name", taskfit_decode_text, cost_item, name), .required = true, .remedy = "what is paid for"},
    {TASKFIT_KEY("service", taskfit_decode_word, cost_item, service), .words = cost_service_words},
    {TASKFIT_KEY("type", taskfit_decode_text, cost_item, type)},
    {TASKFIT_KEY("engine", taskfit_decode_text, cost_item, engine)},
    {TASKFIT_KEY("count", taskfit_decode_count, cost_item, count), .low = 0, .high = 1000000},
    {TASKFIT_KEY("storageGiB", taskfit_decode_count, cost_item, storage_gib)},
    {TASKFIT_KEY("storageGiBEach", taskfit_decode_count, cost_item, storage_gib_each)},
    {TASKFIT_KEY("per", taskfit_decode_word, cost_item, per), .words = per_words},
    {TASKFIT_KEY("when", taskfit_decode_word, cost_item, when), .words = when_words},
    {TASKFIT_KEY("usdPerHour", taskfit_decode_usd, cost_item, usd_per_hour_micros)},
    {TASKFIT_KEY("usdPerMonth", taskfit_decode_usd, cost_item, usd_per_month_micros)},
};

static void read_cost_item(taskfit_decoder *decoder, taskfit_node *item, size_t index TASKFIT_UNUSED,
                           void *arg TASKFIT_UNUSED) {
    cost_item cost = {.count = 1};
    if (!taskfit_decode_map(decoder, item, item_fields, TASKFIT_COUNT_OF(item_fields), &cost)) {
        return;
    }
    if (!taskfit_decode_given(item, "service") && !taskfit_decode_given(item, "usdPerHour") &&
        !taskfit_decode_given(item, "usdPerMonth")) {
        taskfit_decode_defect(decoder, item->position,
                              "has no price (give service and type, usdPerHour or usdPerMonth)");
    }
}

static void read_cost_items(taskfit_decoder *decoder, const taskfit_field *field TASKFIT_UNUSED, taskfit_node *value,
                            void *object TASKFIT_UNUSED) {
    taskfit_decode_items(decoder, value, read_cost_item, NULL);
}

static const taskfit_field costs_fields[] = {
    {TASKFIT_KEY("hoursPerMonth", taskfit_decode_count, taskfit_deployment, hours_per_month), .low = 1,
     .high = HOURS_PER_MONTH_MAX},
    {.key = "items", .read = read_cost_items},
};

/* ---- kpis ---- */

static void read_kpi_file(taskfit_decoder *decoder, taskfit_node *item, size_t index TASKFIT_UNUSED,
                          void *arg TASKFIT_UNUSED) {
    const char *file = NULL;
    (void)taskfit_decode_text_of(decoder, item, &file);
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
    taskfit_decode_items(decoder, kpis, read_kpi_file, NULL);
    decoder->path = NULL;
}
