/* Findings and rules for people, as documents and as CSV. */
#include <inttypes.h>
#include <string.h>

#include "check/findings.h"
#include "input/node.h"
#include "report/plan_report.h"
#include "report/table.h"

enum { SERVICES_SHOWN = 10 };

static taskfit_status deliver(const taskfit_strbuf *out, taskfit_write_fn *write, void *sink, taskfit_error *err) {
    if (write(sink, out->data, out->len) != 0) {
        return taskfit_fail(err, TASKFIT_E_SYSTEM, "the output could not be written");
    }
    return TASKFIT_OK;
}

static const char *plural(taskfit_arena *arena, size_t n, const char *what) {
    return taskfit_arena_printf(arena, "%zu %s%s", n, what, n == 1 ? "" : "s");
}

/* ---- text ---- */

static const char *subject_of(const taskfit_finding *finding, taskfit_arena *arena) {
    if (!finding->service) {
        return "";
    }
    const bool is_main = !finding->container || strcmp(finding->container, finding->service) == 0;
    return is_main ? taskfit_arena_printf(arena, "%s: ", finding->service)
                   : taskfit_arena_printf(arena, "%s (%s): ", finding->service, finding->container);
}

/* All findings of one rule. */
static void add_rule(const taskfit_report *report, const taskfit_findings *findings, const taskfit_rule *rule) {
    size_t n = 0;
    for (size_t i = 0; i < findings->n; i++) {
        n += findings->items[i].rule == rule && !findings->items[i].reason;
    }
    if (n == 0) {
        return;
    }
    taskfit_strbuf_addc(report->out, '\n');
    taskfit_report_toned(report, rule->severity == TASKFIT_SEVERITY_ERROR ? TASKFIT_TONE_BAD : TASKFIT_TONE_WARNING, rule->code);
    taskfit_strbuf_addc(report->out, ' ');
    taskfit_report_wrap(report, taskfit_arena_printf(report->arena, "%s: %s", taskfit_severity_name(rule->severity), rule->what),
                        strlen(rule->code) + 1, 2);
    if (report->wide && *rule->why) {
        taskfit_strbuf_adds(report->out, "  ");
        taskfit_report_wrap(report, rule->why, 2, 2);
    }
    const size_t n_shown = report->wide || n <= SERVICES_SHOWN ? n : SERVICES_SHOWN - 1;
    size_t n_written = 0;
    for (size_t i = 0; i < findings->n && n_written < n_shown; i++) {
        const taskfit_finding *finding = &findings->items[i];
        if (finding->rule == rule && !finding->reason) {
            taskfit_strbuf_adds(report->out, "  ");
            taskfit_report_wrap(report,
                                taskfit_arena_printf(report->arena, "%s%s%s%s%s", subject_of(finding, report->arena), finding->message,
                                                     *finding->fix ? " (" : "", finding->fix, *finding->fix ? ")" : ""),
                                2, 4);
            n_written++;
        }
    }
    if (n_shown < n) {
        taskfit_strbuf_printf(report->out, "  ... and %zu more (-o wide shows all)\n", n - n_shown);
    }
}

/* Rules that have findings, each once, in the order of their first. */
static const taskfit_rule **rules_met(const taskfit_findings *findings, taskfit_arena *arena, size_t *n_out) {
    const taskfit_rule **met = TASKFIT_ARRAY(arena, findings->n, const taskfit_rule *);
    size_t n = 0;
    for (size_t i = 0; i < findings->n; i++) {
        bool is_known = false;
        for (size_t r = 0; r < n; r++) {
            is_known = is_known || met[r] == findings->items[i].rule;
        }
        if (!is_known) {
            met[n++] = findings->items[i].rule;
        }
    }
    *n_out = n;
    return met;
}

static void add_silenced(const taskfit_report *report, const taskfit_findings *findings) {
    bool is_first = true;
    for (size_t i = 0; i < findings->n; i++) {
        const taskfit_finding *finding = &findings->items[i];
        if (finding->reason) {
            if (is_first) {
                taskfit_strbuf_addc(report->out, '\n');
                taskfit_report_toned(report, TASKFIT_TONE_HEADING, "Silenced");
                taskfit_strbuf_addc(report->out, '\n');
                is_first = false;
            }
            taskfit_report_wrap(report,
                                taskfit_arena_printf(report->arena, "%s %s%s (%s)", finding->rule->code,
                                                     subject_of(finding, report->arena), finding->rule->what, finding->reason),
                                0, 2);
        }
    }
}

static void write_text(const taskfit_findings *findings, const char *name, const taskfit_report *report) {
    const size_t n_errors = taskfit_findings_count(findings, TASKFIT_SEVERITY_ERROR);
    const size_t n_warnings = taskfit_findings_count(findings, TASKFIT_SEVERITY_WARNING);
    const size_t n_notes = taskfit_findings_count(findings, TASKFIT_SEVERITY_NOTE);
    const char *headline = n_errors + n_warnings + n_notes == 0
                               ? taskfit_arena_printf(report->arena, "%s: nothing found", name)
                               : taskfit_arena_printf(report->arena, "%s: %s, %s, %s", name, plural(report->arena, n_errors, "error"),
                                                      plural(report->arena, n_warnings, "warning"),
                                                      plural(report->arena, n_notes, "note"));
    taskfit_report_toned(report, TASKFIT_TONE_HEADING, headline);
    taskfit_strbuf_addc(report->out, '\n');
    size_t n_met = 0;
    const taskfit_rule **met = rules_met(findings, report->arena, &n_met);
    for (taskfit_severity severity = TASKFIT_SEVERITY_ERROR; severity <= TASKFIT_SEVERITY_NOTE; severity++) {
        for (size_t r = 0; r < n_met; r++) {
            if (met[r]->severity == severity) {
                add_rule(report, findings, met[r]);
            }
        }
    }
    add_silenced(report, findings);
}

/* ---- documents and CSV ---- */

static taskfit_node *finding_tree(const taskfit_finding *finding, taskfit_arena *arena) {
    taskfit_node *map = taskfit_node_map(arena);
    taskfit_node_set(arena, map, "code", taskfit_node_string(arena, finding->rule->code));
    taskfit_node_set(arena, map, "severity", taskfit_node_string(arena, taskfit_severity_name(finding->rule->severity)));
    taskfit_node_set(arena, map, "service", taskfit_node_string(arena, finding->service));
    taskfit_node_set(arena, map, "container", taskfit_node_string(arena, finding->container));
    taskfit_node_set(arena, map, "message", taskfit_node_string(arena, finding->message));
    taskfit_node_set(arena, map, "fix", taskfit_node_string(arena, finding->fix));
    if (finding->reason) {
        taskfit_node_set(arena, map, "reason", taskfit_node_string(arena, finding->reason));
    }
    return map;
}

static taskfit_node *findings_tree(const taskfit_findings *findings, taskfit_arena *arena) {
    taskfit_node *root = taskfit_node_map(arena);
    taskfit_node *list = taskfit_node_list(arena);
    taskfit_node *silenced = taskfit_node_list(arena);
    for (size_t i = 0; i < findings->n; i++) {
        taskfit_node_append(arena, findings->items[i].reason ? silenced : list, finding_tree(&findings->items[i], arena));
    }
    taskfit_node_set(arena, root, "schema", taskfit_node_string(arena, "taskfit.check/1"));
    taskfit_node_set(arena, root, "findings", list);
    taskfit_node_set(arena, root, "silenced", silenced);
    return root;
}

static void write_csv(const taskfit_findings *findings, taskfit_arena *arena, taskfit_strbuf *out) {
    static const char *const headers[] = {"code", "severity", "service", "container", "message", "fix"};
    taskfit_table *table = taskfit_table_new(arena, headers, sizeof headers / sizeof headers[0]);
    for (size_t i = 0; i < findings->n; i++) {
        const taskfit_finding *finding = &findings->items[i];
        if (!finding->reason) {
            taskfit_table_cell(table, "%s", finding->rule->code);
            taskfit_table_cell(table, "%s", taskfit_severity_name(finding->rule->severity));
            taskfit_table_cell(table, "%s", finding->service ? finding->service : "");
            taskfit_table_cell(table, "%s", finding->container ? finding->container : "");
            taskfit_table_cell(table, "%s", finding->message);
            taskfit_table_cell(table, "%s", finding->fix);
        }
    }
    taskfit_table_write_csv(table, out);
}

taskfit_status taskfit_findings_write(const taskfit_findings *findings, const char *name, taskfit_plan_style style, bool color,
                                      taskfit_write_fn *write, void *sink, taskfit_error *err) {
    TASKFIT_STRBUF(out);
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_report report = {.wide = style == TASKFIT_STYLE_WIDE, .color = color, .arena = arena, .out = &out};
    switch (style) {
    case TASKFIT_STYLE_TABLE:
    case TASKFIT_STYLE_WIDE: write_text(findings, name, &report); break;
    case TASKFIT_STYLE_JSON: taskfit_node_write_json(findings_tree(findings, arena), &out); break;
    case TASKFIT_STYLE_YAML: taskfit_node_write_yaml(findings_tree(findings, arena), &out); break;
    case TASKFIT_STYLE_CSV: write_csv(findings, arena, &out); break;
    }
    taskfit_arena_free(arena);
    return deliver(&out, write, sink, err);
}

/* ---- the rules ---- */

static void write_rules_text(const taskfit_report *report) {
    size_t n = 0;
    const taskfit_rule *rules = taskfit_rules(&n);
    for (size_t i = 0; i < n; i++) {
        const size_t indent = 11;
        taskfit_report_toned(report, TASKFIT_TONE_HEADING, rules[i].code);
        taskfit_strbuf_repeat(report->out, " ", indent - strlen(rules[i].code));
        taskfit_report_wrap(report,
                            taskfit_arena_printf(report->arena, "%s: %s", taskfit_severity_name(rules[i].severity), rules[i].what),
                            indent, indent);
        taskfit_strbuf_repeat(report->out, " ", indent);
        taskfit_report_wrap(report, rules[i].why, indent, indent);
        taskfit_strbuf_repeat(report->out, " ", indent);
        taskfit_report_wrap(report, taskfit_arena_printf(report->arena, "fix: %s", rules[i].fix), indent, indent);
    }
}

static taskfit_node *rules_tree(taskfit_arena *arena) {
    size_t n = 0;
    const taskfit_rule *rules = taskfit_rules(&n);
    taskfit_node *root = taskfit_node_map(arena);
    taskfit_node *list = taskfit_node_list(arena);
    for (size_t i = 0; i < n; i++) {
        taskfit_node *map = taskfit_node_map(arena);
        taskfit_node_set(arena, map, "code", taskfit_node_string(arena, rules[i].code));
        taskfit_node_set(arena, map, "severity", taskfit_node_string(arena, taskfit_severity_name(rules[i].severity)));
        taskfit_node_set(arena, map, "what", taskfit_node_string(arena, rules[i].what));
        taskfit_node_set(arena, map, "why", taskfit_node_string(arena, rules[i].why));
        taskfit_node_set(arena, map, "fix", taskfit_node_string(arena, rules[i].fix));
        taskfit_node_append(arena, list, map);
    }
    taskfit_node_set(arena, root, "schema", taskfit_node_string(arena, "taskfit.rules/1"));
    taskfit_node_set(arena, root, "rules", list);
    return root;
}

static void write_rules_csv(taskfit_arena *arena, taskfit_strbuf *out) {
    static const char *const headers[] = {"code", "severity", "what", "why", "fix"};
    size_t n = 0;
    const taskfit_rule *rules = taskfit_rules(&n);
    taskfit_table *table = taskfit_table_new(arena, headers, sizeof headers / sizeof headers[0]);
    for (size_t i = 0; i < n; i++) {
        taskfit_table_cell(table, "%s", rules[i].code);
        taskfit_table_cell(table, "%s", taskfit_severity_name(rules[i].severity));
        taskfit_table_cell(table, "%s", rules[i].what);
        taskfit_table_cell(table, "%s", rules[i].why);
        taskfit_table_cell(table, "%s", rules[i].fix);
    }
    taskfit_table_write_csv(table, out);
}

taskfit_status taskfit_rules_write(taskfit_plan_style style, bool color, taskfit_write_fn *write, void *sink, taskfit_error *err) {
    TASKFIT_STRBUF(out);
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_report report = {.color = color, .arena = arena, .out = &out};
    switch (style) {
    case TASKFIT_STYLE_TABLE:
    case TASKFIT_STYLE_WIDE: write_rules_text(&report); break;
    case TASKFIT_STYLE_JSON: taskfit_node_write_json(rules_tree(arena), &out); break;
    case TASKFIT_STYLE_YAML: taskfit_node_write_yaml(rules_tree(arena), &out); break;
    case TASKFIT_STYLE_CSV: write_rules_csv(arena, &out); break;
    }
    taskfit_arena_free(arena);
    return deliver(&out, write, sink, err);
}
