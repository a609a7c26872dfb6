/* Why a deployment does not fit on a fleet; where it does, the plan speaks for itself. */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "deployment/accounting.h"
#include "report/plan_report.h"
#include "report/table.h"
#include "whatif/fitting.h"

enum { NAMES_SHOWN = 12 };

/* ---- for people ---- */

static void add_clash(const taskfit_report *report, const taskfit_fitting *fitting) {
    const taskfit_deployment *deployment = fitting->deployment;
    TASKFIT_STRBUF(text);
    if (fitting->n_clash == 1) {
        for (size_t s = 0; s < deployment->n_services; s++) {
            if (fitting->clash[s]) {
                taskfit_strbuf_printf(report->out, "'%s' alone does not fit.\n", deployment->services[s].name);
            }
        }
        return;
    }
    const char *rest = fitting->clash_minimal ? "without any one of them the rest fits" : "not all smaller sets were tried";
    taskfit_strbuf_printf(&text, "%zu of %zu services do not fit together, and %s:", fitting->n_clash, deployment->n_services, rest);
    size_t n_shown = 0;
    for (size_t s = 0; s < deployment->n_services; s++) {
        if (fitting->clash[s] && (report->wide || fitting->n_clash <= NAMES_SHOWN || n_shown < NAMES_SHOWN - 2)) {
            taskfit_strbuf_printf(&text, "%s %s", n_shown++ > 0 ? "," : "", deployment->services[s].name);
        }
    }
    if (n_shown < fitting->n_clash) {
        taskfit_strbuf_printf(&text, " and %zu more (-o wide shows all)", fitting->n_clash - n_shown);
    }
    taskfit_report_wrap(report, text.data, 0, 2);
}

static const char *permille_text(const taskfit_report *report, int64_t permille) {
    return taskfit_arena_printf(report->arena, "%" PRId64 ".%" PRId64 " %%", permille / 10, permille % 10);
}

static void add_scaling(const taskfit_report *report, const taskfit_scaling *scaling) {
    const char *what = scaling->lever == TASKFIT_LEVER_MEMORY ? "memory" : "CPU units";
    if (scaling->fits_permille > 0) {
        const char *proof = scaling->fails_permille > 0 ? taskfit_arena_printf(report->arena, "; %s less is not enough (proved)",
                                                                               permille_text(report, 1000 - scaling->fails_permille))
                                                        : "";
        taskfit_report_wrap(report, taskfit_arena_printf(report->arena, "It fits with %s less %s for every task%s.",
                                                         permille_text(report, 1000 - scaling->fits_permille), what, proof),
                            0, 2);
    } else if (scaling->lever == TASKFIT_LEVER_MEMORY) {
        taskfit_report_wrap(report, "Less memory alone does not make it fit.", 0, 2);
    }
}

static void write_text(const taskfit_fitting *fitting, bool wide, bool color, taskfit_strbuf *out) {
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_report report = {.plan = fitting->needed, .wide = wide, .color = color, .arena = arena, .out = out};
    const bool proved = fitting->verdict == TASKFIT_VERDICT_NO;
    taskfit_report_toned(&report, TASKFIT_TONE_BAD,
                         taskfit_arena_printf(arena, proved ? "%s does not fit on %s instances (proved)" : "%s: no plan found on %s instances",
                                              fitting->deployment->name, fitting->instances));
    taskfit_strbuf_addc(out, '\n');
    taskfit_report_wrap(&report, fitting->reason, 0, 0);
    if (fitting->needed != NULL && fitting->needed->instances >= 0) {
        taskfit_strbuf_printf(out, "By itself it takes %s instances%s.\n", taskfit_report_number(&report, fitting->needed->instances),
                              fitting->needed->outcome == TASKFIT_OPTIMAL ? "" : " (not proved to be the fewest)");
    }
    if (proved) {
        taskfit_strbuf_addc(out, '\n');
        taskfit_report_toned(&report, TASKFIT_TONE_HEADING, "What would have to go");
        taskfit_strbuf_addc(out, '\n');
        add_scaling(&report, &fitting->scalings[TASKFIT_LEVER_MEMORY]);
        add_scaling(&report, &fitting->scalings[TASKFIT_LEVER_CPU]);
        add_clash(&report, fitting);
    }
    taskfit_arena_free(arena);
}

/* ---- document ---- */

static taskfit_node *permille_node(int64_t permille, taskfit_arena *arena) {
    return permille > 0 ? taskfit_node_plain(arena, taskfit_arena_printf(arena, "%" PRId64 ".%03" PRId64, permille / 1000, permille % 1000))
                        : taskfit_node_null(arena);
}

static taskfit_node *reason_tree(const taskfit_fitting *fitting, taskfit_arena *arena) {
    const taskfit_plan *plan = fitting->plan;
    const taskfit_plan_reason none = {.need = -1, .room = -1};
    const taskfit_plan_reason *reason = plan != NULL && plan->outcome == TASKFIT_INFEASIBLE ? &plan->reason : &none;
    const char *binding = fitting->needed != NULL ? fitting->needed->binding_resource : NULL;
    /* that the counts are held is no news: what runs out is what binds the fleet it takes by itself */
    const bool held = reason->resource == NULL || strcmp(reason->resource, "max") == 0;
    const char *resource = held && binding != NULL ? binding : reason->resource;
    taskfit_node *map = taskfit_node_map(arena);
    taskfit_node_set(arena, map, "service", taskfit_node_string(arena, reason->service));
    taskfit_node_set(arena, map, "resource", taskfit_node_string(arena, resource));
    taskfit_node_set(arena, map, "need", reason->need >= 0 ? taskfit_node_int(arena, reason->need) : taskfit_node_null(arena));
    taskfit_node_set(arena, map, "room", reason->room >= 0 ? taskfit_node_int(arena, reason->room) : taskfit_node_null(arena));
    taskfit_node_set(arena, map, "message", taskfit_node_string(arena, fitting->reason));
    return map;
}

static taskfit_node *cuts_tree(const taskfit_fitting *fitting, taskfit_arena *arena) {
    taskfit_node *list = taskfit_node_list(arena);
    for (int lever = TASKFIT_LEVER_MEMORY; lever <= TASKFIT_LEVER_CPU; lever++) {
        const taskfit_scaling *scaling = &fitting->scalings[lever];
        taskfit_node *row = taskfit_node_map(arena);
        taskfit_node_set(arena, row, "lever", taskfit_node_string(arena, taskfit_lever_name(scaling->lever)));
        taskfit_node_set(arena, row, "fitsAtShare", permille_node(scaling->fits_permille, arena));
        taskfit_node_set(arena, row, "failsAtShare", permille_node(scaling->fails_permille, arena));
        taskfit_node_append(arena, list, row);
    }
    return list;
}

static taskfit_node *fit_tree(const taskfit_fitting *fitting, taskfit_arena *arena) {
    const taskfit_deployment *deployment = fitting->deployment;
    const bool proved = fitting->verdict == TASKFIT_VERDICT_NO;
    taskfit_node *root = taskfit_node_map(arena);
    taskfit_node *clash = taskfit_node_map(arena);
    taskfit_node *services = taskfit_node_list(arena);
    for (size_t s = 0; proved && s < deployment->n_services; s++) {
        if (fitting->clash[s]) {
            taskfit_node_append(arena, services, taskfit_node_string(arena, deployment->services[s].name));
        }
    }
    taskfit_node_set(arena, clash, "services", services);
    taskfit_node_set(arena, clash, "minimal", taskfit_node_bool(arena, fitting->clash_minimal));
    taskfit_node_set(arena, root, "schema", taskfit_node_string(arena, "taskfit.fit/1"));
    taskfit_node_set(arena, root, "deployment", taskfit_node_string(arena, deployment->name));
    taskfit_node_set(arena, root, "instances", taskfit_node_string(arena, fitting->instances));
    taskfit_node_set(arena, root, "fits", proved ? taskfit_node_bool(arena, false) : taskfit_node_null(arena));
    taskfit_node_set(arena, root, "needed", fitting->needed != NULL && fitting->needed->instances >= 0
                                                ? taskfit_node_int(arena, fitting->needed->instances)
                                                : taskfit_node_null(arena));
    taskfit_node_set(arena, root, "reason", reason_tree(fitting, arena));
    taskfit_node_set(arena, root, "clash", clash);
    taskfit_node_set(arena, root, "cuts", proved ? cuts_tree(fitting, arena) : taskfit_node_list(arena));
    return root;
}

/* ---- CSV ---- */

static void write_csv(const taskfit_fitting *fitting, taskfit_strbuf *out) {
    static const char *const headers[] = {"service", "desiredCount", "memoryMiB", "cpuUnits"};
    const taskfit_deployment *deployment = fitting->deployment;
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_table *table = taskfit_table_new(arena, headers, sizeof headers / sizeof *headers);
    for (size_t s = 0; fitting->clash != NULL && s < deployment->n_services; s++) {
        if (fitting->clash[s]) {
            const taskfit_task_demand demand = taskfit_task_demand_of(&deployment->services[s], arena);
            taskfit_table_cell(table, "%s", deployment->services[s].name);
            taskfit_table_cell(table, "%" PRId64, deployment->services[s].desired_count);
            taskfit_table_cell(table, "%" PRId64, demand.amount[TASKFIT_RESOURCE_MEMORY]);
            taskfit_table_cell(table, "%" PRId64, demand.amount[TASKFIT_RESOURCE_CPU]);
        }
    }
    taskfit_table_write_csv(table, out);
    taskfit_arena_free(arena);
}

taskfit_status taskfit_fitting_write(const taskfit_fitting *fitting, taskfit_plan_style style, bool color, taskfit_write_fn *write,
                                     void *sink, taskfit_error *err) {
    if (fitting->verdict == TASKFIT_VERDICT_YES) {
        return taskfit_plan_write(fitting->plan, style, color, write, sink, err);
    }
    TASKFIT_STRBUF(out);
    taskfit_arena *arena = taskfit_arena_new();
    switch (style) {
    case TASKFIT_STYLE_TABLE: write_text(fitting, false, color, &out); break;
    case TASKFIT_STYLE_WIDE: write_text(fitting, true, color, &out); break;
    case TASKFIT_STYLE_JSON: taskfit_node_write_json(fit_tree(fitting, arena), &out); break;
    case TASKFIT_STYLE_YAML: taskfit_node_write_yaml(fit_tree(fitting, arena), &out); break;
    case TASKFIT_STYLE_CSV: write_csv(fitting, &out); break;
    }
    taskfit_arena_free(arena);
    if (write(sink, out.data, out.len) != 0) {
        return taskfit_fail(err, TASKFIT_E_SYSTEM, "the output could not be written");
    }
    return TASKFIT_OK;
}
