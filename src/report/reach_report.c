/* What `reach` found, for people, as a document and as CSV. */
#include <inttypes.h>

#include "base/error.h"
#include "base/units.h"
#include "input/node.h"
#include "report/comparison_report.h"
#include "report/plan_report.h"
#include "report/table.h"
#include "whatif/reach.h"

static int64_t usd_cents_now(const taskfit_reach *reach) {
    return reach->plan->instances < 0 ? -1
                                      : taskfit_usd_cents_per_month(reach->plan->cost_usd_micros, reach->deployment->hours_per_month);
}

/* ---- text ---- */

static const char *risk_text(const taskfit_report *report, const taskfit_reach_risk *risk) {
    if (risk->n_observed_above == 0 && risk->n_jvm_above == 0) {
        return "";
    }
    TASKFIT_STRBUF(text);
    if (risk->n_observed_above > 0) {
        taskfit_strbuf_printf(&text, "%s below observed use", taskfit_report_number(report, risk->n_observed_above));
    }
    if (risk->n_jvm_above > 0) {
        taskfit_strbuf_printf(&text, "%s%s below JVM need", text.len > 0 ? ", " : "", taskfit_report_number(report, risk->n_jvm_above));
    }
    return taskfit_arena_strndup(report->arena, text.data, text.len);
}

static void add_table(const taskfit_report *report, const taskfit_reach *reach) {
    static const char *const headers[] = {"lever", "smallest change", ">instances", "enough", ">USD/month", ">difference", ">hard", "risk"};
    taskfit_table *table = taskfit_table_new(report->arena, headers, sizeof headers / sizeof *headers);
    const int64_t now = usd_cents_now(reach);
    for (size_t i = 0; i < reach->n_rows; i++) {
        const taskfit_reach_row *row = &reach->rows[i];
        const bool placed = row->instances >= 0;
        const int64_t more = placed && now >= 0 ? row->figures.ec2_usd_cents - now : 0;
        taskfit_table_cell(table, "%s", row->lever);
        taskfit_table_cell(table, "%s", row->helps || row->reaches ? row->change : "none helps");
        taskfit_table_cell(table, "%s", placed ? taskfit_report_number(report, row->instances) : "none");
        taskfit_table_cell(table, "%s", row->reaches ? (row->proved ? "yes" : "yes, perhaps less") : row->proved ? "no" : "not found");
        taskfit_table_cell(table, "%s", placed ? taskfit_cents_text(report->arena, row->figures.ec2_usd_cents, true) : "-");
        taskfit_table_cell(table, "%s%s", more > 0 ? "+" : "", placed && now >= 0 ? taskfit_cents_text(report->arena, more, true) : "");
        taskfit_table_cell(table, "%s", placed ? taskfit_report_percent(report, row->figures.hard_mib, row->figures.registered_mib) : "-");
        taskfit_table_cell(table, "%s", risk_text(report, &row->risk));
    }
    taskfit_table_write(table, report->out);
}

static void add_notes(const taskfit_report *report, const taskfit_reach *reach) {
    for (size_t i = 0; i < reach->n_rows; i++) {
        const taskfit_reach_row *row = &reach->rows[i];
        if (report->wide && row->applies) {
            taskfit_report_wrap(report, taskfit_arena_printf(report->arena, "%s: %s", row->lever, row->applies), 0, 2);
        }
        if (row->risk.worst) {
            taskfit_report_wrap(report, taskfit_arena_printf(report->arena, "%s, worst: %s", row->lever, row->risk.worst), 0, 2);
        }
    }
}

static void write_text(const taskfit_reach *reach, bool wide, bool color, taskfit_strbuf *out) {
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_report report = {.plan = reach->plan, .wide = wide, .color = color, .arena = arena, .out = out};
    const char *now = reach->plan->instances < 0 ? "no number of instances"
                                                 : taskfit_arena_printf(arena, "%" PRId64 " instance%s", reach->plan->instances,
                                                                        reach->plan->instances == 1 ? "" : "s");
    const char *goal = taskfit_arena_printf(arena, "%" PRId64, reach->target);
    taskfit_report_toned(&report, TASKFIT_TONE_HEADING,
                         taskfit_arena_printf(arena, "%s: from %s to %s on rung '%s'", reach->deployment->name, now, goal,
                                              taskfit_rung_name(reach->plan->rung)));
    taskfit_strbuf_addc(out, '\n');
    if (reach->already) {
        taskfit_strbuf_printf(out, "It fits as it is.\n");
    } else {
        taskfit_strbuf_addc(out, '\n');
        add_table(&report, reach);
        taskfit_report_wrap(&report,
                            "Each row is a plan that was verified; less of the same change is proved not to do ('perhaps less', "
                            "'not found': not proved). Rows that are not enough show the least change that brings what the lever can bring. "
                            "hard: sum of hard limits over registered memory; risk: containers that would reserve less than they "
                            "were observed to use, or than heap and metaspace of their JVM.",
                            0, 2);
        add_notes(&report, reach);
    }
    taskfit_arena_free(arena);
}

/* ---- documents ---- */

static taskfit_node *text_or_null(taskfit_arena *arena, const char *text) {
    return text ? taskfit_node_string(arena, text) : taskfit_node_null(arena);
}

static taskfit_node *count_or_null(taskfit_arena *arena, int64_t count) {
    return count < 0 ? taskfit_node_null(arena) : taskfit_node_int(arena, count);
}

static taskfit_node *row_tree(const taskfit_reach *reach, const taskfit_reach_row *row, taskfit_arena *arena) {
    taskfit_node *map = taskfit_node_map(arena);
    const bool placed = row->instances >= 0;
    const int64_t now = usd_cents_now(reach);
    taskfit_node_set(arena, map, "lever", taskfit_node_string(arena, row->lever));
    taskfit_node_set(arena, map, "change", text_or_null(arena, row->helps || row->reaches ? row->change : NULL));
    taskfit_node_set(arena, map, "value", row->helps || row->reaches ? count_or_null(arena, row->value) : taskfit_node_null(arena));
    taskfit_node_set(arena, map, "services", text_or_null(arena, row->applies));
    taskfit_node_set(arena, map, "reaches", taskfit_node_bool(arena, row->reaches));
    taskfit_node_set(arena, map, "proved", taskfit_node_bool(arena, row->proved));
    taskfit_node_set(arena, map, "instances", count_or_null(arena, row->instances));
    taskfit_node_set(arena, map, "fleet", text_or_null(arena, row->figures.fleet));
    taskfit_node_set(arena, map, "costUsdPerMonth",
                     text_or_null(arena, placed ? taskfit_cents_text(arena, row->figures.ec2_usd_cents, false) : NULL));
    taskfit_node_set(arena, map, "differenceUsdPerMonth",
                     text_or_null(arena, placed && now >= 0 ? taskfit_cents_text(arena, row->figures.ec2_usd_cents - now, false) : NULL));
    taskfit_node_set(arena, map, "hardMemoryMiB", count_or_null(arena, row->figures.hard_mib));
    taskfit_node_set(arena, map, "registeredMemoryMiB", count_or_null(arena, row->figures.registered_mib));
    taskfit_node_set(arena, map, "belowObservedUse", taskfit_node_int(arena, row->risk.n_observed_above));
    taskfit_node_set(arena, map, "belowJvmNeed", taskfit_node_int(arena, row->risk.n_jvm_above));
    taskfit_node_set(arena, map, "worst", text_or_null(arena, row->risk.worst));
    return map;
}

static taskfit_node *tree_of(const taskfit_reach *reach, taskfit_arena *arena) {
    taskfit_node *root = taskfit_node_map(arena);
    taskfit_node *rows = taskfit_node_list(arena);
    for (size_t i = 0; i < reach->n_rows; i++) {
        taskfit_node_append(arena, rows, row_tree(reach, &reach->rows[i], arena));
    }
    const taskfit_outcome outcome = taskfit_reach_outcome(reach);
    taskfit_node_set(arena, root, "schema", taskfit_node_string(arena, "taskfit.reach/1"));
    taskfit_node_set(arena, root, "target", taskfit_node_int(arena, reach->target));
    taskfit_node_set(arena, root, "rung", taskfit_node_string(arena, taskfit_rung_name(reach->plan->rung)));
    taskfit_node_set(arena, root, "instances", count_or_null(arena, reach->plan->instances));
    taskfit_node_set(arena, root, "reached", taskfit_node_bool(arena, outcome == TASKFIT_OPTIMAL));
    taskfit_node_set(arena, root, "rows", rows);
    return root;
}

static void write_csv(const taskfit_reach *reach, taskfit_strbuf *out) {
    static const char *const keys[] = {"lever", "change", "value", "services", "reaches", "proved", "instances", "fleet",
                                       "costUsdPerMonth", "differenceUsdPerMonth", "hardMemoryMiB", "registeredMemoryMiB",
                                       "belowObservedUse", "belowJvmNeed", "worst"};
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_table *table = taskfit_table_new(arena, keys, sizeof keys / sizeof *keys);
    for (size_t i = 0; i < reach->n_rows; i++) {
        const taskfit_node *map = row_tree(reach, &reach->rows[i], arena);
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            const taskfit_node *value = taskfit_node_get(map, keys[k]);
            taskfit_table_cell(table, "%s", taskfit_node_is_null(value) ? "" : value->text);
        }
    }
    taskfit_table_write_csv(table, out);
    taskfit_arena_free(arena);
}

taskfit_status taskfit_reach_write(const taskfit_reach *reach, taskfit_plan_style style, bool color, taskfit_write_fn *write,
                                   void *sink, taskfit_error *err) {
    TASKFIT_STRBUF(out);
    taskfit_arena *arena = taskfit_arena_new();
    switch (style) {
    case TASKFIT_STYLE_TABLE:
    case TASKFIT_STYLE_WIDE: write_text(reach, style == TASKFIT_STYLE_WIDE, color, &out); break;
    case TASKFIT_STYLE_JSON: taskfit_node_write_json(tree_of(reach, arena), &out); break;
    case TASKFIT_STYLE_YAML: taskfit_node_write_yaml(tree_of(reach, arena), &out); break;
    case TASKFIT_STYLE_CSV: write_csv(reach, &out); break;
    }
    taskfit_arena_free(arena);
    return write(sink, out.data, out.len) == 0 ? TASKFIT_OK : taskfit_fail(err, TASKFIT_E_SYSTEM, "cannot write the answer");
}
