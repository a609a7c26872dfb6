/* A comparison for people. */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/units.h"
#include "check/rules.h"
#include "input/node.h"
#include "report/comparison_report.h"
#include "report/plan_report.h"
#include "report/table.h"
#include "whatif/comparison.h"
#include "whatif/kpi.h"

enum { COLUMNS_MAX = 64, WARNINGS_SHOWN = 12 };

typedef struct column {
    const char *header;
    const char *(*cell)(const taskfit_report *report, const taskfit_comparison *comparison, const taskfit_row *row);
    bool wide; /* only with -o wide */
} column;

/* ---- cells ---- */

static const char *cell_instances(const taskfit_report *report, const taskfit_comparison *comparison TASKFIT_UNUSED,
                                  const taskfit_row *row) {
    const taskfit_plan *plan = row->plan;
    switch (plan->outcome) {
    case TASKFIT_OPTIMAL: return taskfit_report_number(report, plan->instances);
    case TASKFIT_FEASIBLE: return taskfit_arena_printf(report->arena, "at most %s", taskfit_report_number(report, plan->instances));
    case TASKFIT_INFEASIBLE: return "none";
    case TASKFIT_UNKNOWN: break;
    }
    return "unknown";
}

static const char *cell_fleet(const taskfit_report *report TASKFIT_UNUSED, const taskfit_comparison *comparison TASKFIT_UNUSED,
                              const taskfit_row *row) {
    return row->figures.fleet ? row->figures.fleet : "-";
}

static const char *cell_bound(const taskfit_report *report, const taskfit_comparison *comparison TASKFIT_UNUSED,
                              const taskfit_row *row) {
    return row->plan->outcome == TASKFIT_INFEASIBLE ? "-" : taskfit_report_number(report, row->plan->lower_bound);
}

static const char *cell_rung(const taskfit_report *report TASKFIT_UNUSED, const taskfit_comparison *comparison TASKFIT_UNUSED,
                             const taskfit_row *row) {
    return taskfit_rung_name(row->plan->rung);
}

static const char *cell_hour(const taskfit_report *report, const taskfit_comparison *comparison TASKFIT_UNUSED,
                             const taskfit_row *row) {
    return row->figures.usd_micros < 0 ? "-" : taskfit_usd_text(report->arena, row->figures.usd_micros);
}

static const char *cell_month(const taskfit_report *report, const taskfit_comparison *comparison TASKFIT_UNUSED,
                              const taskfit_row *row) {
    return row->figures.usd_cents < 0 ? "-" : taskfit_cents_text(report->arena, row->figures.usd_cents, true);
}

static const char *cell_difference(const taskfit_report *report, const taskfit_comparison *comparison, const taskfit_row *row) {
    const taskfit_row *first = taskfit_comparison_reference(comparison, row);
    if (!first) {
        return "";
    }
    const int64_t more = row->figures.usd_cents - first->figures.usd_cents;
    return taskfit_arena_printf(report->arena, "%s%s", more > 0 ? "+" : "", taskfit_cents_text(report->arena, more, true));
}

static const char *cell_change(const taskfit_report *report, const taskfit_comparison *comparison, const taskfit_row *row) {
    const taskfit_row *first = taskfit_comparison_reference(comparison, row);
    if (!first || first->figures.usd_cents == 0) {
        return "";
    }
    const int64_t tenths = taskfit_comparison_change_tenths(first->figures.usd_cents, row->figures.usd_cents);
    return taskfit_arena_printf(report->arena, "%s%s %%", tenths > 0 ? "+" : "", taskfit_tenths_text(report->arena, tenths));
}

static const char *share(const taskfit_report *report, int64_t part, int64_t whole) {
    return part < 0 ? "-" : taskfit_report_percent(report, part, whole);
}

static const char *cell_memory(const taskfit_report *report, const taskfit_comparison *comparison TASKFIT_UNUSED,
                               const taskfit_row *row) {
    return share(report, row->figures.reserved_mib, row->figures.registered_mib);
}

static const char *cell_hard(const taskfit_report *report, const taskfit_comparison *comparison TASKFIT_UNUSED,
                             const taskfit_row *row) {
    return share(report, row->figures.hard_mib, row->figures.registered_mib);
}

static const char *cell_cpu(const taskfit_report *report, const taskfit_comparison *comparison TASKFIT_UNUSED,
                            const taskfit_row *row) {
    return share(report, row->figures.reserved_cpu_units, row->figures.cpu_units);
}

static const char *cell_expected(const taskfit_report *report, const taskfit_comparison *comparison TASKFIT_UNUSED,
                                 const taskfit_row *row) {
    return share(report, row->figures.expected_cpu_units, row->figures.cpu_units);
}

static const char *cell_warnings(const taskfit_report *report, const taskfit_comparison *comparison TASKFIT_UNUSED,
                                 const taskfit_row *row) {
    return taskfit_report_number(report, (int64_t)row->plan->n_warnings);
}

static const column columns[] = {
    {">instances", cell_instances, false}, {"type", cell_fleet, false},
    {">bound", cell_bound, true},          {"rung", cell_rung, true},
    {">USD/hour", cell_hour, true},        {">USD/month", cell_month, false},
    {">difference", cell_difference, false}, {">change", cell_change, false},
    {">memory", cell_memory, false},       {">hard", cell_hard, false},
    {">CPU", cell_cpu, true},              {">expected CPU", cell_expected, false},
    {">warnings", cell_warnings, true},
};

/* ---- text ---- */

static bool has_scenarios(const taskfit_comparison *comparison) {
    for (size_t r = 0; r < comparison->n_rows; r++) {
        if (comparison->rows[r].scenario) {
            return true;
        }
    }
    return false;
}

/* The columns that tell rows apart. */
typedef struct labels {
    bool files, scenarios;
    size_t n_vary;
} labels;

static bool is_right(const taskfit_comparison *comparison, size_t vary) {
    const char *value = comparison->n_rows > 0 ? comparison->rows[0].values[vary] : "";
    return strspn(value, "0123456789.") == strlen(value);
}

static labels labels_of(const taskfit_comparison *comparison) {
    const bool scenarios = has_scenarios(comparison);
    return (labels){.files = comparison->n_files > 1 || (!scenarios && comparison->n_vary == 0),
                    .scenarios = scenarios,
                    .n_vary = comparison->n_vary < COLUMNS_MAX / 2 ? comparison->n_vary : COLUMNS_MAX / 2};
}

static size_t add_label_headers(const taskfit_report *report, const taskfit_comparison *comparison, const labels *shown,
                                const char **headers) {
    size_t n = 0;
    if (shown->files) {
        headers[n++] = "file";
    }
    if (shown->scenarios) {
        headers[n++] = "scenario";
    }
    for (size_t v = 0; v < shown->n_vary; v++) {
        headers[n++] = taskfit_arena_printf(report->arena, "%s%s", is_right(comparison, v) ? ">" : "", comparison->vary[v].path);
    }
    return n;
}

static void add_label_cells(const taskfit_comparison *comparison, const labels *shown, size_t r, taskfit_table *table) {
    const taskfit_row *row = &comparison->rows[r];
    if (shown->files) {
        taskfit_table_cell(table, "%s", comparison->files[row->file]);
    }
    if (shown->scenarios) {
        taskfit_table_cell(table, "%s", row->scenario ? row->scenario : "as it is");
    }
    for (size_t v = 0; v < shown->n_vary; v++) {
        taskfit_table_cell(table, "%s", row->values[v]);
    }
}

static void add_table(const taskfit_report *report, const taskfit_comparison *comparison) {
    const char *headers[COLUMNS_MAX];
    const labels shown = labels_of(comparison);
    size_t n = add_label_headers(report, comparison, &shown, headers);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        if (report->wide || !columns[i].wide) {
            headers[n++] = columns[i].header;
        }
    }
    taskfit_table *table = taskfit_table_new(report->arena, headers, n);
    for (size_t r = 0; r < comparison->n_rows; r++) {
        add_label_cells(comparison, &shown, r, table);
        for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
            if (report->wide || !columns[i].wide) {
                taskfit_table_cell(table, "%s", columns[i].cell(report, comparison, &comparison->rows[r]));
            }
        }
    }
    taskfit_table_write(table, report->out);
}

/* ---- money ---- */

static void heading(const taskfit_report *report, const char *text) {
    taskfit_strbuf_addc(report->out, '\n');
    taskfit_report_toned(report, TASKFIT_TONE_HEADING, text);
    taskfit_strbuf_addc(report->out, '\n');
}

/* Each price to check, once. */
static void add_weak_prices(const taskfit_report *report, const taskfit_comparison *comparison) {
    TASKFIT_STRBUF(told);
    for (size_t r = 0; r < comparison->n_rows; r++) {
        const taskfit_item_costs *costs = &comparison->rows[r].costs;
        for (size_t i = 0; i < costs->n_items; i++) {
            if (costs->items[i].weak && !strstr(told.data, costs->items[i].weak->item)) {
                taskfit_strbuf_printf(&told, "%s%s (%s)", told.len > 0 ? ", " : "", costs->items[i].weak->item,
                                      costs->items[i].weak->confidence);
            }
        }
    }
    if (told.len > 0) {
        taskfit_report_wrap(report, taskfit_arena_printf(report->arena, "* rests on a price of weak source: %s", told.data), 0, 2);
    }
}

/* EC2 and each item of every row that has items. */
static void add_costs(const taskfit_report *report, const taskfit_comparison *comparison) {
    const char *headers[COLUMNS_MAX];
    const labels shown = labels_of(comparison);
    size_t n = add_label_headers(report, comparison, &shown, headers);
    bool any = false;
    headers[n++] = "item";
    headers[n++] = ">USD/month";
    headers[n++] = "";
    taskfit_table *table = taskfit_table_new(report->arena, headers, n);
    for (size_t r = 0; r < comparison->n_rows; r++) {
        const taskfit_row *row = &comparison->rows[r];
        for (size_t i = 0; row->costs.n_items > 0 && i <= row->costs.n_items; i++) {
            const taskfit_item_cost *item = i > 0 ? &row->costs.items[i - 1] : NULL;
            any = true;
            add_label_cells(comparison, &shown, r, table);
            taskfit_table_cell(table, "%s", item ? item->name : "EC2");
            taskfit_table_cell(table, "%s", item && !item->paid ? "-" : taskfit_cents_text(report->arena, item ? item->usd_cents : row->figures.ec2_usd_cents, true));
            taskfit_table_cell(table, "%s", item && item->weak ? "*" : "");
        }
    }
    if (any) {
        heading(report, "Costs");
        taskfit_table_write(table, report->out);
        add_weak_prices(report, comparison);
    }
}

static void add_fargate(const taskfit_report *report, const taskfit_comparison *comparison) {
    const char *headers[COLUMNS_MAX];
    const labels shown = labels_of(comparison);
    const int64_t first = comparison->rows[0].figures.usd_cents;
    size_t n = add_label_headers(report, comparison, &shown, headers);
    headers[n++] = "architecture";
    headers[n++] = ">USD/hour";
    headers[n++] = ">USD/month";
    headers[n++] = ">difference";
    headers[n++] = ">change";
    if (comparison->n_fargate == 0) {
        return;
    }
    taskfit_table *table = taskfit_table_new(report->arena, headers, n);
    for (size_t i = 0; i < comparison->n_fargate; i++) {
        const taskfit_fargate_row *row = &comparison->fargate[i];
        const int64_t more = row->usd_cents - first;
        add_label_cells(comparison, &shown, row->row, table);
        taskfit_table_cell(table, "%s", taskfit_fargate_architecture(row->architecture));
        taskfit_table_cell(table, "%s", taskfit_usd_text(report->arena, row->usd_micros));
        taskfit_table_cell(table, "%s", taskfit_cents_text(report->arena, row->usd_cents, true));
        taskfit_table_cell(table, "%s%s", first >= 0 && more > 0 ? "+" : "", first < 0 ? "-" : taskfit_cents_text(report->arena, more, true));
        const int64_t tenths = first > 0 ? taskfit_comparison_change_tenths(first, row->usd_cents) : 0;
        taskfit_table_cell(table, "%s%s", tenths > 0 ? "+" : "",
                           first > 0 ? taskfit_arena_printf(report->arena, "%s %%", taskfit_tenths_text(report->arena, tenths)) : "-");
    }
    heading(report, "The same tasks on Fargate (each the cheapest size that holds what ECS reserves for it)");
    taskfit_table_write(table, report->out);
}

/* ---- measured values ---- */

/* Rows that no transaction was measured in have no column. */
static bool is_measured(const taskfit_kpis *kpis, size_t row) {
    return kpis->worse_permille[row] != INT64_MIN;
}

static const char *kpi_text(const taskfit_report *report, const taskfit_comparison *comparison, const taskfit_kpi *kpi, size_t row) {
    const taskfit_kpis *kpis = comparison->kpis;
    if (kpi->micros[row] < 0) {
        return "-";
    }
    const char *value = taskfit_kpi_value_text(report->arena, kpi->micros[row]);
    if (row == kpis->reference || kpi->micros[kpis->reference] <= 0) {
        return value;
    }
    const int64_t worse = taskfit_kpi_worse_permille(kpi, kpis->reference, row);
    const int64_t change = kpi->higher_is_better ? -worse : worse;
    return taskfit_arena_printf(report->arena, "%s (%s%s %%)%s", value, change > 0 ? "+" : "", taskfit_tenths_text(report->arena, change),
                                worse > comparison->kpi_tolerance_permille ? " !" : "");
}

static void add_kpis(const taskfit_report *report, const taskfit_comparison *comparison) {
    const taskfit_kpis *kpis = comparison->kpis;
    if (!kpis || kpis->n_items == 0) {
        return;
    }
    const char **headers = TASKFIT_ARRAY(report->arena, comparison->n_rows + 2, const char *);
    size_t n = 0;
    headers[n++] = "transaction";
    headers[n++] = "unit";
    for (size_t r = 0; r < comparison->n_rows; r++) {
        if (is_measured(kpis, r)) {
            headers[n++] = taskfit_arena_printf(report->arena, ">%s", taskfit_comparison_label(comparison, r));
        }
    }
    taskfit_table *table = taskfit_table_new(report->arena, headers, n);
    for (size_t i = 0; i < kpis->n_items; i++) {
        taskfit_table_cell(table, "%s", kpis->items[i].transaction);
        taskfit_table_cell(table, "%s", kpis->items[i].unit);
        for (size_t r = 0; r < comparison->n_rows; r++) {
            if (is_measured(kpis, r)) {
                taskfit_table_cell(table, "%s", kpi_text(report, comparison, &kpis->items[i], r));
            }
        }
    }
    heading(report, "Measured (not predicted)");
    taskfit_table_write(table, report->out);
    TASKFIT_STRBUF(text);
    for (size_t r = 0; r < comparison->n_rows; r++) {
        if (kpis->unbeaten[r]) {
            taskfit_strbuf_printf(&text, "%s%s", text.len > 0 ? ", " : "", taskfit_comparison_label(comparison, r));
        }
    }
    taskfit_report_wrap(report,
                        taskfit_arena_printf(report->arena, "No other beats in both cost and measured values: %s. '!': worse by more than %s %%.",
                                             text.data, taskfit_tenths_text(report->arena, comparison->kpi_tolerance_permille)),
                        0, 2);
}

static void add_reasons(const taskfit_report *report, const taskfit_comparison *comparison) {
    for (size_t r = 0; r < comparison->n_rows; r++) {
        const taskfit_plan *plan = comparison->rows[r].plan;
        if (plan->outcome == TASKFIT_INFEASIBLE) {
            const char *label = taskfit_comparison_label(comparison, r);
            taskfit_strbuf_printf(report->out, "%s: ", label);
            taskfit_report_wrap(report, plan->reason.message ? plan->reason.message : plan->reason.resource, strlen(label) + 2, 2);
        }
    }
}

static const char *trend_text(const taskfit_range *range) {
    if (!range->monotone) {
        return "the number of instances rises and falls, so values between those solved may differ from their row";
    }
    return range->trend == TASKFIT_TREND_UP     ? "more instances as it grows; each row shows its largest value"
           : range->trend == TASKFIT_TREND_DOWN ? "fewer instances as it grows; each row shows its smallest value"
                                                : "always the same number of instances; the row shows the largest value";
}

static const char *certainty_text(const taskfit_range *range) {
    return !range->monotone  ? "not monotone"
           : !range->proved  ? "not all proved"
           : range->certain  ? "exact"
                             : "exact if it goes one way, as it does at all values solved";
}

static void add_ranges(const taskfit_report *report, const taskfit_comparison *comparison) {
    for (size_t i = 0; i < comparison->n_ranges; i++) {
        const taskfit_range *range = &comparison->ranges[i];
        const char *path = "";
        for (size_t v = 0; v < comparison->n_vary; v++) {
            path = comparison->vary[v].range ? comparison->vary[v].path : path;
        }
        TASKFIT_STRBUF(text);
        taskfit_strbuf_printf(&text, "%s%s: %s (%s; %zu values solved)", path,
                              comparison->n_ranges > 1 ? taskfit_arena_printf(report->arena, ", range %zu", i + 1) : "",
                              trend_text(range), certainty_text(range), range->n_solved);
        taskfit_report_wrap(report, text.data, 0, 2);
    }
}

/* In a table one line stands for all services that a rule speaks of. */
static bool is_alike(const taskfit_report *report, const taskfit_warning *a, const taskfit_warning *b) {
    if (a->service && b->service && !report->wide) {
        return strcmp(a->code, b->code) == 0;
    }
    return strcmp(a->message, b->message) == 0 && !a->service == !b->service && (!a->service || strcmp(a->service, b->service) == 0);
}

static const char *warning_text(const taskfit_report *report, const taskfit_warning *warning) {
    const taskfit_rule *rule = warning->service && !report->wide ? taskfit_rule_find(warning->code) : NULL;
    return rule ? taskfit_arena_printf(report->arena, "%s, first in %s", rule->what, warning->service)
                : taskfit_arena_printf(report->arena, "%s%s%s", warning->service ? warning->service : "", warning->service ? ": " : "",
                                       warning->message);
}

/* Each warning once, with the number of rows that have it. */
static void add_warnings(const taskfit_report *report, const taskfit_comparison *comparison) {
    size_t n_all = 0;
    for (size_t r = 0; r < comparison->n_rows; r++) {
        n_all += comparison->rows[r].plan->n_warnings;
    }
    typedef struct counted {
        const taskfit_warning *warning;
        size_t n;   /* rows */
        size_t row; /* the last of them */
    } counted;
    counted *seen = TASKFIT_ARRAY(report->arena, n_all, counted);
    size_t n_seen = 0;
    for (size_t r = 0; r < comparison->n_rows; r++) {
        const taskfit_plan *plan = comparison->rows[r].plan;
        for (size_t w = 0; w < plan->n_warnings; w++) {
            size_t at = 0;
            while (at < n_seen && !is_alike(report, seen[at].warning, &plan->warnings[w])) {
                at++;
            }
            if (at == n_seen) {
                seen[n_seen++] = (counted){.warning = &plan->warnings[w], .row = SIZE_MAX};
            }
            seen[at].n += seen[at].row != r;
            seen[at].row = r;
        }
    }
    if (n_seen > 0) {
        heading(report, "Warnings");
    }
    for (size_t i = 0; i < n_seen && (report->wide || i < WARNINGS_SHOWN); i++) {
        const taskfit_warning *warning = seen[i].warning;
        taskfit_report_toned(report, TASKFIT_TONE_WARNING, warning->code);
        const char *where = seen[i].n == comparison->n_rows
                                ? ""
                                : taskfit_arena_printf(report->arena, " (%zu of %zu rows)", seen[i].n, comparison->n_rows);
        const char *text = taskfit_arena_printf(report->arena, "%s%s", warning_text(report, warning), where);
        taskfit_strbuf_addc(report->out, ' ');
        taskfit_report_wrap(report, text, strlen(warning->code) + 1, 2);
    }
    if (n_seen > WARNINGS_SHOWN && !report->wide) {
        taskfit_strbuf_printf(report->out, "... and %zu more (-o wide shows all)\n", n_seen - WARNINGS_SHOWN);
    }
}

static void write_text(const taskfit_comparison *comparison, bool wide, bool color, taskfit_strbuf *out) {
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_report report = {.plan = comparison->rows[0].plan, .wide = wide, .color = color, .arena = arena, .out = out};
    bool one_rung = true;
    for (size_t r = 1; r < comparison->n_rows; r++) {
        one_rung = one_rung && comparison->rows[r].plan->rung == comparison->rows[0].plan->rung;
    }
    const char *rung = one_rung ? taskfit_arena_printf(arena, "rung '%s'", taskfit_rung_name(report.plan->rung)) : "several rungs";
    taskfit_report_toned(&report, TASKFIT_TONE_HEADING,
                         taskfit_arena_printf(arena, "%s%s%zu row%s, %s", comparison->n_files == 1 ? report.plan->deployment->name : "",
                                              comparison->n_files == 1 ? ": " : "", comparison->n_rows,
                                              comparison->n_rows == 1 ? "" : "s", rung));
    taskfit_strbuf_adds(out, "\n\n");
    add_table(&report, comparison);
    add_reasons(&report, comparison);
    add_ranges(&report, comparison);
    taskfit_report_wrap(&report,
                        "memory, CPU: reserved, of what is registered; hard: sum of hard limits; expected CPU: as observed; "
                        "difference, change: from the first row.",
                        0, 2);
    add_costs(&report, comparison);
    add_kpis(&report, comparison);
    add_fargate(&report, comparison);
    add_warnings(&report, comparison);
    taskfit_arena_free(arena);
}


taskfit_status taskfit_comparison_write(const taskfit_comparison *comparison, taskfit_plan_style style, bool color,
                                        taskfit_write_fn *write, void *sink, taskfit_error *err) {
    TASKFIT_STRBUF(out);
    taskfit_arena *arena = taskfit_arena_new();
    switch (style) {
    case TASKFIT_STYLE_TABLE:
    case TASKFIT_STYLE_WIDE: write_text(comparison, style == TASKFIT_STYLE_WIDE, color, &out); break;
    case TASKFIT_STYLE_JSON: taskfit_node_write_json(taskfit_comparison_tree(comparison, arena), &out); break;
    case TASKFIT_STYLE_YAML: taskfit_node_write_yaml(taskfit_comparison_tree(comparison, arena), &out); break;
    case TASKFIT_STYLE_CSV: taskfit_comparison_csv(comparison, &out); break;
    }
    taskfit_arena_free(arena);
    return write(sink, out.data, out.len) == 0 ? TASKFIT_OK : taskfit_fail(err, TASKFIT_E_SYSTEM, "cannot write the comparison");
}
