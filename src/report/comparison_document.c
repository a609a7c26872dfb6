/* A comparison as a document, and as CSV. */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/units.h"
#include "input/node.h"
#include "report/comparison_report.h"
#include "report/table.h"
#include "whatif/comparison.h"
#include "whatif/kpi.h"

enum { COLUMNS_MAX = 64 };

static taskfit_node *text_or_null(taskfit_arena *arena, const char *text) {
    return text ? taskfit_node_string(arena, text) : taskfit_node_null(arena);
}

static taskfit_node *count_or_null(taskfit_arena *arena, int64_t count) {
    return count < 0 ? taskfit_node_null(arena) : taskfit_node_int(arena, count);
}

static taskfit_node *percent_or_null(taskfit_arena *arena, int64_t part, int64_t whole) {
    if (part < 0 || whole <= 0) {
        return taskfit_node_null(arena);
    }
    return taskfit_node_plain(arena, taskfit_tenths_text(arena, (int64_t)((double)part * 1000.0 / (double)whole + 0.5)));
}

static void set_money(const taskfit_comparison *comparison, const taskfit_row *row, taskfit_arena *arena, taskfit_node *map) {
    const taskfit_row_figures *figures = &row->figures;
    const bool priced = figures->usd_cents >= 0;
    taskfit_node_set(arena, map, "costUsdPerHour", text_or_null(arena, priced ? taskfit_usd_text(arena, figures->usd_micros) : NULL));
    taskfit_node_set(arena, map, "ec2UsdPerMonth",
                     text_or_null(arena, priced ? taskfit_cents_text(arena, figures->ec2_usd_cents, false) : NULL));
    taskfit_node_set(arena, map, "costUsdPerMonth",
                     text_or_null(arena, priced ? taskfit_cents_text(arena, figures->usd_cents, false) : NULL));
    const taskfit_row *first = taskfit_comparison_reference(comparison, row);
    taskfit_node_set(arena, map, "differenceUsdPerMonth",
                     text_or_null(arena, first ? taskfit_cents_text(arena, figures->usd_cents - first->figures.usd_cents, false) : NULL));
    taskfit_node_set(arena, map, "differencePercent",
                     first && first->figures.usd_cents > 0
                         ? taskfit_node_plain(arena, taskfit_tenths_text(arena, taskfit_comparison_change_tenths(first->figures.usd_cents, figures->usd_cents)))
                         : taskfit_node_null(arena));
}

static taskfit_node *costs_tree(const taskfit_row *row, taskfit_arena *arena) {
    taskfit_node *list = taskfit_node_list(arena);
    for (size_t i = 0; i < row->costs.n_items; i++) {
        const taskfit_item_cost *item = &row->costs.items[i];
        taskfit_node *map = taskfit_node_map(arena);
        taskfit_node_set(arena, map, "name", taskfit_node_string(arena, item->name));
        taskfit_node_set(arena, map, "paid", taskfit_node_bool(arena, item->paid));
        taskfit_node_set(arena, map, "usdPerMonth", taskfit_node_string(arena, taskfit_cents_text(arena, item->usd_cents, false)));
        taskfit_node_set(arena, map, "weakPrice", text_or_null(arena, item->weak ? item->weak->item : NULL));
        taskfit_node_append(arena, list, map);
    }
    return list;
}

static taskfit_node *fargate_tree(const taskfit_comparison *comparison, const taskfit_fargate_row *row, taskfit_arena *arena) {
    taskfit_node *map = taskfit_node_map(arena);
    const int64_t first = comparison->rows[0].figures.usd_cents;
    taskfit_node_set(arena, map, "row", taskfit_node_int(arena, (int64_t)row->row));
    taskfit_node_set(arena, map, "architecture", taskfit_node_string(arena, taskfit_fargate_architecture(row->architecture)));
    taskfit_node_set(arena, map, "costUsdPerHour", taskfit_node_string(arena, taskfit_usd_text(arena, row->usd_micros)));
    taskfit_node_set(arena, map, "costUsdPerMonth", taskfit_node_string(arena, taskfit_cents_text(arena, row->usd_cents, false)));
    taskfit_node_set(arena, map, "differenceUsdPerMonth",
                     text_or_null(arena, first >= 0 ? taskfit_cents_text(arena, row->usd_cents - first, false) : NULL));
    return map;
}

static taskfit_node *warnings_tree(const taskfit_plan *plan, taskfit_arena *arena) {
    taskfit_node *list = taskfit_node_list(arena);
    for (size_t w = 0; w < plan->n_warnings; w++) {
        taskfit_node *map = taskfit_node_map(arena);
        taskfit_node_set(arena, map, "code", taskfit_node_string(arena, plan->warnings[w].code));
        taskfit_node_set(arena, map, "service", text_or_null(arena, plan->warnings[w].service));
        taskfit_node_set(arena, map, "message", taskfit_node_string(arena, plan->warnings[w].message));
        taskfit_node_append(arena, list, map);
    }
    return list;
}

static taskfit_node *row_tree(const taskfit_comparison *comparison, const taskfit_row *row, taskfit_arena *arena) {
    const taskfit_plan *plan = row->plan;
    const taskfit_row_figures *figures = &row->figures;
    taskfit_node *map = taskfit_node_map(arena);
    taskfit_node *vary = taskfit_node_map(arena);
    for (size_t v = 0; v < comparison->n_vary; v++) {
        taskfit_node_set(arena, vary, comparison->vary[v].path, taskfit_node_string(arena, row->values[v]));
    }
    taskfit_node_set(arena, map, "file", taskfit_node_string(arena, comparison->files[row->file]));
    taskfit_node_set(arena, map, "scenario", text_or_null(arena, row->scenario));
    taskfit_node_set(arena, map, "vary", vary);
    if (row->range != SIZE_MAX) {
        taskfit_node_set(arena, map, "from", taskfit_node_int(arena, row->low));
        taskfit_node_set(arena, map, "to", taskfit_node_int(arena, row->high));
    }
    taskfit_node_set(arena, map, "outcome", taskfit_node_string(arena, taskfit_outcome_name(plan->outcome)));
    taskfit_node_set(arena, map, "rung", taskfit_node_string(arena, taskfit_rung_name(plan->rung)));
    taskfit_node_set(arena, map, "instances", count_or_null(arena, plan->instances));
    taskfit_node_set(arena, map, "lowerBound", plan->outcome == TASKFIT_INFEASIBLE ? taskfit_node_null(arena)
                                                                                  : count_or_null(arena, plan->lower_bound));
    taskfit_node_set(arena, map, "fleet", text_or_null(arena, figures->fleet));
    set_money(comparison, row, arena, map);
    taskfit_node_set(arena, map, "costs", costs_tree(row, arena));
    taskfit_node_set(arena, map, "reservedMemoryPercent", percent_or_null(arena, figures->reserved_mib, figures->registered_mib));
    taskfit_node_set(arena, map, "hardMemoryPercent", percent_or_null(arena, figures->hard_mib, figures->registered_mib));
    taskfit_node_set(arena, map, "reservedCpuPercent", percent_or_null(arena, figures->reserved_cpu_units, figures->cpu_units));
    taskfit_node_set(arena, map, "expectedCpuPercent", percent_or_null(arena, figures->expected_cpu_units, figures->cpu_units));
    taskfit_node_set(arena, map, "reason",
                     text_or_null(arena, plan->outcome == TASKFIT_INFEASIBLE ? plan->reason.message : NULL));
    taskfit_node_set(arena, map, "warnings", warnings_tree(plan, arena));
    return map;
}

static taskfit_node *kpis_tree(const taskfit_comparison *comparison, size_t row, taskfit_arena *arena) {
    const taskfit_kpis *kpis = comparison->kpis;
    taskfit_node *list = taskfit_node_list(arena);
    for (size_t i = 0; kpis && i < kpis->n_items; i++) {
        const taskfit_kpi *kpi = &kpis->items[i];
        if (kpi->micros[row] < 0) {
            continue;
        }
        const int64_t worse = taskfit_kpi_worse_permille(kpi, kpis->reference, row);
        taskfit_node *map = taskfit_node_map(arena);
        taskfit_node_set(arena, map, "transaction", taskfit_node_string(arena, kpi->transaction));
        taskfit_node_set(arena, map, "value", taskfit_node_plain(arena, taskfit_kpi_value_text(arena, kpi->micros[row])));
        taskfit_node_set(arena, map, "unit", taskfit_node_string(arena, kpi->unit));
        taskfit_node_set(arena, map, "changePercent", taskfit_node_plain(arena, taskfit_tenths_text(arena, kpi->higher_is_better ? -worse : worse)));
        taskfit_node_set(arena, map, "regression", taskfit_node_bool(arena, worse > comparison->kpi_tolerance_permille));
        taskfit_node_append(arena, list, map);
    }
    return list;
}

static taskfit_node *range_tree(const taskfit_comparison *comparison, size_t index, taskfit_arena *arena) {
    const taskfit_range *range = &comparison->ranges[index];
    taskfit_node *map = taskfit_node_map(arena);
    for (size_t v = 0; v < comparison->n_vary; v++) {
        const taskfit_vary *vary = &comparison->vary[v];
        if (vary->range) {
            taskfit_node_set(arena, map, "path", taskfit_node_string(arena, vary->path));
            taskfit_node_set(arena, map, "low", taskfit_node_int(arena, vary->low));
            taskfit_node_set(arena, map, "high", taskfit_node_int(arena, vary->high));
        }
    }
    taskfit_node_set(arena, map, "monotone", taskfit_node_bool(arena, range->monotone));
    taskfit_node_set(arena, map, "monotoneByNature", taskfit_node_bool(arena, range->certain));
    taskfit_node_set(arena, map, "proved", taskfit_node_bool(arena, range->proved));
    taskfit_node_set(arena, map, "solved", taskfit_node_int(arena, (int64_t)range->n_solved));
    return map;
}

taskfit_node *taskfit_comparison_tree(const taskfit_comparison *comparison, taskfit_arena *arena) {
    taskfit_node *root = taskfit_node_map(arena);
    taskfit_node *rows = taskfit_node_list(arena);
    taskfit_node *ranges = taskfit_node_list(arena);
    for (size_t r = 0; r < comparison->n_rows; r++) {
        taskfit_node *row = row_tree(comparison, &comparison->rows[r], arena);
        if (comparison->kpis) {
            taskfit_node_set(arena, row, "kpis", kpis_tree(comparison, r, arena));
            taskfit_node_set(arena, row, "unbeaten", taskfit_node_bool(arena, comparison->kpis->unbeaten[r]));
        }
        taskfit_node_append(arena, rows, row);
    }
    for (size_t i = 0; i < comparison->n_ranges; i++) {
        taskfit_node_append(arena, ranges, range_tree(comparison, i, arena));
    }
    taskfit_node_set(arena, root, "schema", taskfit_node_string(arena, "taskfit.compare/1"));
    taskfit_node_set(arena, root, "rows", rows);
    taskfit_node_set(arena, root, "ranges", ranges);
    taskfit_node *fargate = taskfit_node_list(arena);
    for (size_t i = 0; i < comparison->n_fargate; i++) {
        taskfit_node_append(arena, fargate, fargate_tree(comparison, &comparison->fargate[i], arena));
    }
    taskfit_node_set(arena, root, "fargate", fargate);
    return root;
}

/* ---- CSV: the scalars of the document's rows ---- */

void taskfit_comparison_csv(const taskfit_comparison *comparison, taskfit_strbuf *out) {
    taskfit_arena *arena = taskfit_arena_new();
    static const char *const keys[] = {"outcome", "rung", "instances", "lowerBound", "fleet", "costUsdPerHour", "ec2UsdPerMonth", "costUsdPerMonth",
                                       "differenceUsdPerMonth", "differencePercent", "reservedMemoryPercent", "hardMemoryPercent",
                                       "reservedCpuPercent", "expectedCpuPercent", "reason"};
    enum { N_KEYS = sizeof keys / sizeof *keys };
    const size_t n = 2 + comparison->n_vary + N_KEYS + 1;
    const char **headers = TASKFIT_ARRAY(arena, n, const char *);
    size_t h = 0;
    headers[h++] = "file";
    headers[h++] = "scenario";
    for (size_t v = 0; v < comparison->n_vary; v++) {
        headers[h++] = comparison->vary[v].path;
    }
    for (size_t k = 0; k < N_KEYS; k++) {
        headers[h++] = keys[k];
    }
    headers[h++] = "warnings";
    taskfit_table *table = taskfit_table_new(arena, headers, n);
    for (size_t r = 0; r < comparison->n_rows; r++) {
        const taskfit_row *row = &comparison->rows[r];
        const taskfit_node *map = row_tree(comparison, row, arena);
        taskfit_table_cell(table, "%s", comparison->files[row->file]);
        taskfit_table_cell(table, "%s", row->scenario ? row->scenario : "");
        for (size_t v = 0; v < comparison->n_vary; v++) {
            taskfit_table_cell(table, "%s", row->values[v]);
        }
        for (size_t k = 0; k < N_KEYS; k++) {
            const taskfit_node *value = taskfit_node_get(map, keys[k]);
            taskfit_table_cell(table, "%s", taskfit_node_is_null(value) ? "" : value->text);
        }
        taskfit_table_cell(table, "%zu", row->plan->n_warnings);
    }
    taskfit_table_write_csv(table, out);
    taskfit_arena_free(arena);
}
