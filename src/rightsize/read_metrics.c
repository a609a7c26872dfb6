/* Readers of metrics, one for each format. Each tells how many samples it found; a file with none is refused. */

#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/utf8.h"
#include "input/csv.h"
#include "input/node.h"
#include "rightsize/metrics.h"

#define MICROS INT64_C(1000000)

enum { UNITS_PER_CORE = 1024 };

/* Whether text holds word, letters of either case, '_', '-' and blanks aside. */
static bool holds(const char *text, const char *word) {
    for (; *text; text++) {
        const char *a = text;
        const char *b = word;
        while (*a && *b) {
            if (*a == ' ' || *a == '_' || *a == '-') {
                a++;
            } else if (taskfit_ascii_lower(*a) == *b) {
                a++;
                b++;
            } else {
                break;
            }
        }
        if (!*b) {
            return true;
        }
    }
    return false;
}

/* ---- CloudWatch: get-metric-data ---- */

/* "mod-users CPUUtilization", "mod-users" with Id "cpu_1": the metric, and whether it is in percent of the reservation. */
static bool metric_of(const char *label, const char *id, taskfit_metric *metric_out, bool *is_percent_out) {
    const char *const texts[] = {label, id};
    for (size_t i = 0; i < 2; i++) {
        const bool is_cpu = holds(texts[i], "cpu");
        if (is_cpu || holds(texts[i], "mem")) {
            *metric_out = is_cpu ? TASKFIT_METRIC_CPU : TASKFIT_METRIC_MEMORY;
            *is_percent_out = !holds(texts[i], "utilized");
            return true;
        }
    }
    return false;
}

/* Of the words of a label the first that is a service. */
static taskfit_service_metrics *service_of_label(taskfit_metrics *metrics, const char *label) {
    taskfit_service_metrics *found = NULL;
    const size_t n_unknown = metrics->n_unknown;
    for (const char *at = label; *at && !found;) {
        const size_t len = strcspn(at, " \t\n");
        const char *word = taskfit_arena_strndup(metrics->arena, at, len);
        found = len > 0 ? taskfit_metrics_service(metrics, word) : NULL;
        at += len + strspn(at + len, " \t\n");
    }
    metrics->n_unknown = n_unknown;
    return found ? found : taskfit_metrics_service(metrics, label);
}

static const char *text_of(const taskfit_node *map, const char *key) {
    const taskfit_node *node = taskfit_node_get(map, key);
    return node && node->kind == TASKFIT_NODE_SCALAR ? node->text : "";
}

static void read_result(taskfit_metrics *metrics, const taskfit_node *result) {
    taskfit_metric metric = TASKFIT_METRIC_CPU;
    bool is_percent = true;
    const taskfit_node *values = taskfit_node_get(result, "Values");
    if (!metric_of(text_of(result, "Label"), text_of(result, "Id"), &metric, &is_percent) || !values ||
        values->kind != TASKFIT_NODE_LIST) {
        return;
    }
    taskfit_service_metrics *service = service_of_label(metrics, text_of(result, "Label"));
    for (size_t i = 0; service && i < values->n; i++) {
        int64_t micros = 0;
        const char *rest = NULL;
        if (values->items[i]->kind == TASKFIT_NODE_SCALAR && taskfit_metrics_number(values->items[i]->text, &micros, &rest) && !*rest) {
            taskfit_metrics_add(metrics, service, SIZE_MAX, metric,
                                is_percent ? taskfit_metrics_of_percent(service->service, metric, micros) : micros);
        }
    }
}

static taskfit_status read_cloudwatch(taskfit_metrics *metrics, const char *file, const char *data, size_t len, taskfit_error *err) {
    taskfit_node *root = NULL;
    const taskfit_status status = taskfit_node_read_json(metrics->arena, file, data, len, &root, err);
    if (status != TASKFIT_OK) {
        return status;
    }
    const taskfit_node *results = taskfit_node_get(root, "MetricDataResults");
    if (!results || results->kind != TASKFIT_NODE_LIST) {
        taskfit_error_at(err, "%s", file);
        return taskfit_fail(err, TASKFIT_E_INPUT, "no list 'MetricDataResults' (the output of aws cloudwatch get-metric-data)");
    }
    for (size_t i = 0; i < results->n; i++) {
        read_result(metrics, results->items[i]);
    }
    return TASKFIT_OK;
}

/* ---- docker stats ---- */

/* "1.2GiB" in millionths of a MiB. */
static bool memory_micros(const char *text, int64_t *micros_out, const char **rest_out) {
    static const struct {
        const char *unit;
        int64_t bytes;
    } units[] = {{"GiB", 1 << 30},    {"MiB", 1 << 20},    {"KiB", 1 << 10}, {"TiB", INT64_C(1) << 40},
                 {"GB", 1000000000}, {"MB", 1000000}, {"kB", 1000},     {"B", 1}};
    int64_t micros = 0;
    if (!taskfit_metrics_number(text, &micros, rest_out)) {
        return false;
    }
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const size_t len = strlen(units[i].unit);
        if (strncmp(*rest_out, units[i].unit, len) == 0) {
            const int64_t whole = micros / MICROS;
            const int64_t bytes = whole > (INT64_C(1) << 62) / units[i].bytes ? INT64_C(1) << 50
                                                                              : whole * units[i].bytes + micros % MICROS * (units[i].bytes / 1000) / 1000;
            *micros_out = bytes / (1 << 20) < INT64_C(1000000000) ? bytes / (1 << 20) * MICROS + bytes % (1 << 20) * MICROS / (1 << 20)
                                                                   : INT64_C(1000000000) * MICROS;
            *rest_out += len;
            return true;
        }
    }
    return false;
}

/* ID NAME CPU% USAGE / LIMIT ... ; without the ID where --format leaves it out: the name stands before the first percent. */
static void read_stats_line(taskfit_metrics *metrics, const char *line) {
    const char *name = NULL;
    int64_t cpu_micros = -1;
    for (const char *at = line + strspn(line, " \t"); *at;) {
        const size_t len = strcspn(at, " \t");
        const char *word = taskfit_arena_strndup(metrics->arena, at, len);
        int64_t micros = 0;
        const char *rest = NULL;
        if (cpu_micros < 0 && taskfit_metrics_number(word, &micros, &rest) && strcmp(rest, "%") == 0) {
            cpu_micros = micros / 100 * UNITS_PER_CORE;
        } else if (cpu_micros >= 0) {
            size_t container = SIZE_MAX;
            taskfit_service_metrics *service =
                name && memory_micros(word, &micros, &rest) ? taskfit_metrics_container(metrics, name, &container) : NULL;
            if (service) {
                taskfit_metrics_add(metrics, service, container, TASKFIT_METRIC_CPU, cpu_micros);
                taskfit_metrics_add(metrics, service, container, TASKFIT_METRIC_MEMORY, micros);
            }
            return;
        } else {
            name = word;
        }
        at += len + strspn(at + len, " \t");
    }
}

static void read_stats(taskfit_metrics *metrics, const char *data, size_t len) {
    for (size_t at = 0; at < len;) {
        const char *end = memchr(data + at, '\n', len - at);
        size_t n = end ? (size_t)(end - data) - at : len - at;
        const size_t next = at + n + 1;
        n -= n > 0 && data[at + n - 1] == '\r';
        read_stats_line(metrics, taskfit_arena_strndup(metrics->arena, data + at, n));
        at = next;
    }
}

/* ---- tables: Container Insights, and percent ---- */

typedef struct table_columns { /* n_columns: there is none */
    size_t service, container, used[TASKFIT_METRICS], reserved[TASKFIT_METRICS];
    bool is_percent;
} table_columns;

static size_t column_of(const taskfit_csv *csv, const char *first, const char *second) {
    for (size_t c = 0; c < csv->n_columns; c++) {
        if (holds(csv->columns[c].text, first) && (!second || holds(csv->columns[c].text, second))) {
            return c;
        }
    }
    return csv->n_columns;
}

static size_t either(const taskfit_csv *csv, size_t first, size_t second) {
    return first < csv->n_columns ? first : second;
}

static table_columns columns_of(const taskfit_csv *csv) {
    table_columns columns = {.service = either(csv, column_of(csv, "service", NULL), column_of(csv, "module", NULL))};
    columns.service = either(csv, columns.service, either(csv, column_of(csv, "family", NULL), column_of(csv, "name", NULL)));
    columns.container = column_of(csv, "containername", NULL);
    static const char *const words[TASKFIT_METRICS] = {"cpu", "mem"};
    columns.is_percent = true;
    for (size_t m = 0; m < TASKFIT_METRICS; m++) {
        columns.used[m] = column_of(csv, words[m], "utilized");
        columns.is_percent = columns.is_percent && columns.used[m] == csv->n_columns;
        columns.reserved[m] = column_of(csv, words[m], "reserved");
    }
    for (size_t m = 0; columns.is_percent && m < TASKFIT_METRICS; m++) {
        columns.used[m] = column_of(csv, words[m], NULL);
    }
    return columns;
}

/* What the row reserves tells how many tasks it sums up. */
static int64_t tasks_of_row(const taskfit_csv *csv, size_t row, size_t column, int64_t reserved) {
    int64_t micros = 0;
    const char *rest = NULL;
    if (column == csv->n_columns || reserved <= 0 || !taskfit_metrics_number(taskfit_csv_at(csv, row, column)->text, &micros, &rest)) {
        return 1;
    }
    const int64_t n = (micros / MICROS + reserved / 2) / reserved;
    return n > 1 ? n : 1;
}

static size_t container_named(const taskfit_service *service, const char *name) {
    for (size_t c = 0; c < service->n_containers; c++) {
        if (strcmp(service->containers[c].name, name) == 0) {
            return c;
        }
    }
    return SIZE_MAX;
}

static void read_row(taskfit_metrics *metrics, const taskfit_csv *csv, const table_columns *columns, size_t row) {
    taskfit_service_metrics *service = taskfit_metrics_service(metrics, taskfit_csv_at(csv, row, columns->service)->text);
    for (size_t m = 0; service && m < TASKFIT_METRICS; m++) {
        const taskfit_metric metric = (taskfit_metric)m;
        int64_t micros = 0;
        const char *rest = NULL;
        if (columns->used[m] == csv->n_columns ||
            !taskfit_metrics_number(taskfit_csv_at(csv, row, columns->used[m])->text, &micros, &rest)) {
            continue;
        }
        size_t container = SIZE_MAX;
        if (columns->is_percent) {
            micros = taskfit_metrics_of_percent(service->service, metric, micros);
            service->is_aggregate = true;
        } else if (columns->container < csv->n_columns) {
            container = container_named(service->service, taskfit_csv_at(csv, row, columns->container)->text);
        } else {
            micros /= tasks_of_row(csv, row, columns->reserved[m], taskfit_metrics_reserved(service->service, metric));
        }
        taskfit_metrics_add(metrics, service, container, metric, micros);
    }
}

static taskfit_status read_table(taskfit_metrics *metrics, const char *file, const char *data, size_t len, taskfit_error *err) {
    taskfit_csv csv;
    const taskfit_status status = taskfit_csv_read(metrics->arena, file, data, len, &csv, err);
    if (status != TASKFIT_OK) {
        return status;
    }
    const table_columns columns = columns_of(&csv);
    if (columns.service == csv.n_columns ||
        (columns.used[TASKFIT_METRIC_CPU] == csv.n_columns && columns.used[TASKFIT_METRIC_MEMORY] == csv.n_columns)) {
        taskfit_error_at(err, "%s", file);
        return taskfit_fail(err, TASKFIT_E_INPUT,
                            "no column of services and none of CPU or memory (needed: service, and CpuUtilized, MemoryUtilized or percent)");
    }
    for (size_t row = 0; row < csv.n_rows; row++) {
        read_row(metrics, &csv, &columns, row);
    }
    return TASKFIT_OK;
}

/* ---- all ---- */

taskfit_status taskfit_metrics_read(taskfit_metrics *metrics, const char *file, const char *data, size_t len, taskfit_error *err) {
    const size_t n_before = metrics->n_samples;
    const char *line_end = len > 0 ? memchr(data, '\n', len) : NULL;
    const char *head = taskfit_arena_strndup(metrics->arena, data, line_end ? (size_t)(line_end - data) : len);
    taskfit_status status = TASKFIT_OK;
    if (head[strspn(head, " \t\r\xef\xbb\xbf")] == '{') {
        status = read_cloudwatch(metrics, file, data, len, err);
    } else if (strchr(head, ',') || head[0] == '#') {
        status = read_table(metrics, file, data, len, err);
    } else {
        read_stats(metrics, data, len);
    }
    if (status == TASKFIT_OK && metrics->n_samples == n_before) {
        taskfit_error_at(err, "%s", file);
        status = taskfit_fail(err, TASKFIT_E_INPUT,
                              "no sample of any service of the deployment (get-metric-data JSON, Container Insights CSV, docker stats or a "
                              "table of percent)");
    }
    return status;
}
