/* Proposed limits for people, as documents and as CSV. */
#include <inttypes.h>

#include "base/units.h"
#include "input/node.h"
#include "report/plan_report.h"
#include "report/table.h"
#include "rightsize/rightsize.h"

typedef struct fleets {
    const taskfit_plan *before, *after; /* NULL: not compared */
} fleets;

/* ---- text ---- */

static const char *change(const taskfit_report *report, const taskfit_proposal *proposal, taskfit_limit limit) {
    const char *current = proposal->current[limit] < 0 ? "-" : taskfit_report_number(report, proposal->current[limit]);
    if (!proposal->reasons[limit] || proposal->proposed[limit] == proposal->current[limit]) {
        return current;
    }
    return taskfit_arena_printf(report->arena, "%s -> %s", current, taskfit_report_number(report, proposal->proposed[limit]));
}

static const char *name_of(const taskfit_report *report, const taskfit_proposal *proposal) {
    const bool is_main = proposal->container == &proposal->service->containers[0];
    return is_main ? proposal->service->name
                   : taskfit_arena_printf(report->arena, "%s (%s)", proposal->service->name, proposal->container->name);
}

/* What a task reserves less than before; negative: more. */
static int64_t saving(const taskfit_proposal *proposal, taskfit_limit limit) {
    const int64_t current = limit == TASKFIT_LIMIT_SOFT && proposal->current[TASKFIT_LIMIT_SOFT] < 0 ? proposal->current[TASKFIT_LIMIT_HARD]
                                                                                                    : proposal->current[limit];
    return proposal->reasons[limit] && current >= 0 ? current - proposal->proposed[limit] : 0;
}

static void add_proposals(const taskfit_report *report, const taskfit_rightsizing *rightsizing) {
    static const char *const headers[] = {"container", ">samples", ">cpu, units", ">soft, MiB", ">hard, MiB"};
    taskfit_table *table = taskfit_table_new(report->arena, headers, sizeof headers / sizeof headers[0]);
    int64_t cpu_units = 0;
    int64_t memory_mib = 0;
    for (size_t i = 0; i < rightsizing->n_proposals; i++) {
        const taskfit_proposal *proposal = &rightsizing->proposals[i];
        taskfit_table_cell(table, "%s", name_of(report, proposal));
        taskfit_table_cell(table, "%zu", proposal->n_samples);
        for (taskfit_limit limit = TASKFIT_LIMIT_CPU; limit < TASKFIT_LIMITS; limit++) {
            taskfit_table_cell(table, "%s", change(report, proposal, limit));
        }
        cpu_units += saving(proposal, TASKFIT_LIMIT_CPU) * proposal->service->desired_count;
        memory_mib += saving(proposal, TASKFIT_LIMIT_SOFT) * proposal->service->desired_count;
    }
    if (rightsizing->n_proposals > 0) {
        taskfit_table_write(table, report->out);
        taskfit_report_wrap(report,
                            taskfit_arena_printf(report->arena, "All tasks together would reserve %s MiB %s and %s CPU units %s.",
                                                 taskfit_report_number(report, memory_mib < 0 ? -memory_mib : memory_mib),
                                                 memory_mib < 0 ? "more" : "less",
                                                 taskfit_report_number(report, cpu_units < 0 ? -cpu_units : cpu_units),
                                                 cpu_units < 0 ? "more" : "less"),
                            0, 0);
    }
    for (size_t i = 0; report->wide && i < rightsizing->n_proposals; i++) {
        const taskfit_proposal *proposal = &rightsizing->proposals[i];
        for (taskfit_limit limit = TASKFIT_LIMIT_CPU; limit < TASKFIT_LIMITS; limit++) {
            if (proposal->reasons[limit]) {
                taskfit_report_wrap(report,
                                    taskfit_arena_printf(report->arena, "%s: %s %" PRId64 ": %s", name_of(report, proposal),
                                                         taskfit_rightsize_limit_name(limit), proposal->proposed[limit], proposal->reasons[limit]),
                                    0, 2);
            }
        }
    }
}

static const char *fleet_text(const taskfit_report *report, const taskfit_plan *plan) {
    if (taskfit_plan_instances(plan) < 0) {
        return "no fleet holds it";
    }
    TASKFIT_STRBUF(text);
    taskfit_strbuf_printf(&text, "%" PRId64 " instance%s, ", taskfit_plan_instances(plan), taskfit_plan_instances(plan) == 1 ? "" : "s");
    taskfit_add_usd_cents_grouped(&text, taskfit_usd_cents_per_month(plan->cost_usd_micros, plan->deployment->hours_per_month));
    taskfit_strbuf_adds(&text, " USD/month");
    return taskfit_arena_strndup(report->arena, text.data, text.len);
}

static void write_text(const taskfit_report *report, const taskfit_rightsizing *rightsizing, const fleets *plans) {
    taskfit_report_toned(report, TASKFIT_TONE_HEADING,
                         taskfit_arena_printf(report->arena, "%s: limits from measured use", rightsizing->deployment->name));
    taskfit_strbuf_addc(report->out, '\n');
    add_proposals(report, rightsizing);
    for (size_t i = 0; i < rightsizing->n_left_alone; i++) {
        taskfit_report_wrap(report,
                            taskfit_arena_printf(report->arena, "%s is left alone: %s", rightsizing->left_alone[i].service,
                                                 rightsizing->left_alone[i].reason),
                            0, 2);
    }
    if (rightsizing->n_unmeasured > 0) {
        taskfit_strbuf_printf(report->out, "%zu service%s not measured.\n", rightsizing->n_unmeasured,
                              rightsizing->n_unmeasured == 1 ? " was" : "s were");
    }
    if (rightsizing->metrics->n_unknown > 0) {
        TASKFIT_STRBUF(names);
        for (size_t i = 0; i < rightsizing->metrics->n_unknown && i < 5; i++) {
            taskfit_strbuf_printf(&names, "%s'%s'", i > 0 ? ", " : "", rightsizing->metrics->unknown[i]);
        }
        taskfit_report_wrap(report, taskfit_arena_printf(report->arena, "Names that are no service: %s%s.", names.data,
                                                         rightsizing->metrics->n_unknown > 5 ? ", ..." : ""), 0, 2);
    }
    if (plans->before && plans->after) {
        taskfit_strbuf_printf(report->out, "Before: %s\n", fleet_text(report, plans->before));
        taskfit_strbuf_printf(report->out, "After:  %s\n", fleet_text(report, plans->after));
    }
}

/* ---- documents and CSV ---- */

static taskfit_node *known(taskfit_arena *arena, int64_t value) {
    return value >= 0 ? taskfit_node_int(arena, value) : taskfit_node_null(arena);
}

static taskfit_node *limits_tree(taskfit_arena *arena, const int64_t *limits) {
    taskfit_node *map = taskfit_node_map(arena);
    for (taskfit_limit limit = TASKFIT_LIMIT_CPU; limit < TASKFIT_LIMITS; limit++) {
        taskfit_node_set(arena, map, taskfit_rightsize_limit_name(limit), known(arena, limits[limit]));
    }
    return map;
}

static taskfit_node *proposal_tree(taskfit_arena *arena, const taskfit_proposal *proposal) {
    taskfit_node *map = taskfit_node_map(arena);
    taskfit_node *observed = taskfit_node_map(arena);
    taskfit_node *reasons = taskfit_node_map(arena);
    taskfit_node *saved = taskfit_node_map(arena);
    taskfit_node_set(arena, observed, "cpu", known(arena, proposal->observed_cpu_units));
    taskfit_node_set(arena, observed, "memory", known(arena, proposal->observed_memory_mib));
    taskfit_node_set(arena, observed, "peakMemory", known(arena, proposal->peak_memory_mib));
    for (taskfit_limit limit = TASKFIT_LIMIT_CPU; limit < TASKFIT_LIMITS; limit++) {
        taskfit_node_set(arena, reasons, taskfit_rightsize_limit_name(limit), taskfit_node_string(arena, proposal->reasons[limit]));
        taskfit_node_set(arena, saved, taskfit_rightsize_limit_name(limit), taskfit_node_int(arena, saving(proposal, limit)));
    }
    taskfit_node_set(arena, map, "service", taskfit_node_string(arena, proposal->service->name));
    taskfit_node_set(arena, map, "container", taskfit_node_string(arena, proposal->container->name));
    taskfit_node_set(arena, map, "samples", taskfit_node_int(arena, (int64_t)proposal->n_samples));
    taskfit_node_set(arena, map, "observed", observed);
    taskfit_node_set(arena, map, "current", limits_tree(arena, proposal->current));
    taskfit_node_set(arena, map, "proposed", limits_tree(arena, proposal->proposed));
    taskfit_node_set(arena, map, "saving", saved);
    taskfit_node_set(arena, map, "reasons", reasons);
    return map;
}

static taskfit_node *fleet_tree(taskfit_arena *arena, const taskfit_plan *plan) {
    if (!plan) {
        return taskfit_node_null(arena);
    }
    taskfit_node *map = taskfit_node_map(arena);
    const bool placed = taskfit_plan_instances(plan) >= 0;
    TASKFIT_STRBUF(cost);
    if (placed) {
        taskfit_add_usd_cents(&cost, taskfit_usd_cents_per_month(plan->cost_usd_micros, plan->deployment->hours_per_month));
    }
    taskfit_node_set(arena, map, "instances", known(arena, taskfit_plan_instances(plan)));
    taskfit_node_set(arena, map, "costUsdPerMonth", taskfit_node_string(arena, placed ? cost.data : NULL));
    return map;
}

static taskfit_node *rightsizing_tree(const taskfit_rightsizing *rightsizing, const fleets *plans, taskfit_arena *arena) {
    taskfit_node *root = taskfit_node_map(arena);
    taskfit_node *list = taskfit_node_list(arena);
    taskfit_node *left = taskfit_node_list(arena);
    taskfit_node *unknown = taskfit_node_list(arena);
    for (size_t i = 0; i < rightsizing->n_proposals; i++) {
        taskfit_node_append(arena, list, proposal_tree(arena, &rightsizing->proposals[i]));
    }
    for (size_t i = 0; i < rightsizing->n_left_alone; i++) {
        taskfit_node *map = taskfit_node_map(arena);
        taskfit_node_set(arena, map, "service", taskfit_node_string(arena, rightsizing->left_alone[i].service));
        taskfit_node_set(arena, map, "reason", taskfit_node_string(arena, rightsizing->left_alone[i].reason));
        taskfit_node_append(arena, left, map);
    }
    for (size_t i = 0; i < rightsizing->metrics->n_unknown; i++) {
        taskfit_node_append(arena, unknown, taskfit_node_string(arena, rightsizing->metrics->unknown[i]));
    }
    taskfit_node_set(arena, root, "schema", taskfit_node_string(arena, "taskfit.rightsize/1"));
    taskfit_node_set(arena, root, "deployment", taskfit_node_string(arena, rightsizing->deployment->name));
    taskfit_node_set(arena, root, "containers", list);
    taskfit_node_set(arena, root, "leftAlone", left);
    taskfit_node_set(arena, root, "unmeasuredServices", taskfit_node_int(arena, (int64_t)rightsizing->n_unmeasured));
    taskfit_node_set(arena, root, "unknownNames", unknown);
    taskfit_node_set(arena, root, "before", fleet_tree(arena, plans->before));
    taskfit_node_set(arena, root, "after", fleet_tree(arena, plans->after));
    return root;
}

static void write_csv(const taskfit_rightsizing *rightsizing, taskfit_arena *arena, taskfit_strbuf *out) {
    static const char *const headers[] = {"service", "container", "limit", "current", "proposed", "reason"};
    taskfit_table *table = taskfit_table_new(arena, headers, sizeof headers / sizeof headers[0]);
    for (size_t i = 0; i < rightsizing->n_proposals; i++) {
        const taskfit_proposal *proposal = &rightsizing->proposals[i];
        for (taskfit_limit limit = TASKFIT_LIMIT_CPU; limit < TASKFIT_LIMITS; limit++) {
            if (proposal->reasons[limit]) {
                taskfit_table_cell(table, "%s", proposal->service->name);
                taskfit_table_cell(table, "%s", proposal->container->name);
                taskfit_table_cell(table, "%s", taskfit_rightsize_limit_name(limit));
                taskfit_table_cell(table, "%s", proposal->current[limit] < 0 ? "" : taskfit_arena_printf(arena, "%" PRId64, proposal->current[limit]));
                taskfit_table_cell(table, "%" PRId64, proposal->proposed[limit]);
                taskfit_table_cell(table, "%s", proposal->reasons[limit]);
            }
        }
    }
    taskfit_table_write_csv(table, out);
}

taskfit_status taskfit_rightsizing_write(const taskfit_rightsizing *rightsizing, const taskfit_plan *before, const taskfit_plan *after,
                                         taskfit_plan_style style, bool color, taskfit_write_fn *write, void *sink, taskfit_error *err) {
    TASKFIT_STRBUF(out);
    taskfit_arena *arena = taskfit_arena_new();
    const fleets plans = {before, after};
    const taskfit_report report = {.wide = style == TASKFIT_STYLE_WIDE, .color = color, .arena = arena, .out = &out};
    switch (style) {
    case TASKFIT_STYLE_TABLE:
    case TASKFIT_STYLE_WIDE: write_text(&report, rightsizing, &plans); break;
    case TASKFIT_STYLE_JSON: taskfit_node_write_json(rightsizing_tree(rightsizing, &plans, arena), &out); break;
    case TASKFIT_STYLE_YAML: taskfit_node_write_yaml(rightsizing_tree(rightsizing, &plans, arena), &out); break;
    case TASKFIT_STYLE_CSV: write_csv(rightsizing, arena, &out); break;
    }
    taskfit_arena_free(arena);
    if (write(sink, out.data, out.len) != 0) {
        return taskfit_fail(err, TASKFIT_E_SYSTEM, "the output could not be written");
    }
    return TASKFIT_OK;
}
