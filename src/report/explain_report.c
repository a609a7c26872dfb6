#include "report/explain_report.h"

#include <inttypes.h>

#include "base/error.h"
#include "report/simulation_report.h"
#include "report/table.h"

void taskfit_report_heading(const taskfit_report *report, const char *text) {
    taskfit_strbuf_addc(report->out, '\n');
    taskfit_report_toned(report, TASKFIT_TONE_HEADING, text);
    taskfit_strbuf_addc(report->out, '\n');
}

/* ---- the plan, for people ---- */

static void add_causes(const taskfit_report *report, const taskfit_explanation *e) {
    taskfit_report_heading(report, "What binds each rung");
    for (size_t i = 0; i < report->plan->n_ladder; i++) {
        const taskfit_plan_rung *rung = &report->plan->ladder[i];
        const char *count = rung->instances < 0
                                ? "none"
                                : taskfit_arena_printf(report->arena, "%s instance%s", taskfit_report_number(report, rung->instances),
                                                       rung->instances == 1 ? "" : "s");
        const char *why = e->causes[i].resource == NULL
                              ? (i == 0 ? "not known" : "nothing of its own")
                              : taskfit_arena_printf(report->arena, "%s%s%s", e->causes[i].resource, e->causes[i].note ? ": " : "",
                                                     e->causes[i].note ? e->causes[i].note : "");
        taskfit_report_wrap(report, taskfit_arena_printf(report->arena, "%s (%s): %s", taskfit_rung_name(rung->rung), count, why), 0, 2);
    }
}

static void add_room(const taskfit_report *report, const taskfit_explanation *e) {
    static const struct {
        taskfit_resource resource;
        const char *unit;
    } rows[] = {{TASKFIT_RESOURCE_MEMORY, "MiB of memory"}, {TASKFIT_RESOURCE_CPU, "CPU units"}};
    taskfit_report_heading(report, "Free room");
    for (size_t i = 0; i < 2; i++) {
        int64_t free = 0;
        int64_t capacity = 0;
        int64_t most = 0;
        size_t where = 0;
        for (size_t m = 0; m < report->plan->fleet->n_machines; m++) {
            const int64_t here = taskfit_explain_free(e, m, rows[i].resource);
            free += here;
            capacity += e->use[m].capacity[rows[i].resource];
            if (here > most) {
                most = here;
                where = m;
            }
        }
        taskfit_strbuf_printf(report->out, "%s of %s %s (%s), at most %s on one instance (%s)\n", taskfit_report_number(report, free),
                              taskfit_report_number(report, capacity), rows[i].unit, taskfit_report_percent(report, free, capacity),
                              taskfit_report_number(report, most), report->plan->fleet->n_machines > 0 ? e->ids[where] : "-");
    }
}

static const char *permille_text(const taskfit_report *report, int64_t permille) {
    return taskfit_arena_printf(report->arena, "%" PRId64 ".%" PRId64 " %%", permille / 10, permille % 10);
}

/* Desired counts are whole, so a little growth is a task more of every service. */
static const char *growth_text(const taskfit_report *report, const taskfit_scaling *growth) {
    const char *what = growth->lever == TASKFIT_LEVER_TASKS ? "desired counts, rounded up" : "memory of every task";
    const char *proof = growth->fails_permille > 0 ? taskfit_arena_printf(report->arena, "; %s more needs another instance (proved)",
                                                                          permille_text(report, growth->fails_permille - 1000))
                                                   : "";
    if (growth->fits_permille == 0) {
        return taskfit_arena_printf(report->arena, "%s: not known", what);
    }
    if (growth->fits_permille == 1000 && growth->fails_permille > 0) {
        return taskfit_arena_printf(report->arena, "%s: the least growth%s needs another instance (proved)", what,
                                    growth->lever == TASKFIT_LEVER_TASKS ? ", one task more of each service," : "");
    }
    return taskfit_arena_printf(report->arena, "%s: up to %s more fits%s", what, permille_text(report, growth->fits_permille - 1000), proof);
}

static void add_growth(const taskfit_report *report, const taskfit_explanation *e) {
    taskfit_report_heading(report, "Growth on these instances");
    for (size_t i = 0; i < 2; i++) {
        taskfit_report_wrap(report, growth_text(report, &e->growth[i]), 0, 2);
    }
}

static void add_plan(const taskfit_report *report, const taskfit_explanation *e) {
    const taskfit_plan *plan = report->plan;
    taskfit_report_toned(report, TASKFIT_TONE_HEADING,
                         taskfit_arena_printf(report->arena, "%s: %s instances on rung '%s'", plan->deployment->name,
                                              taskfit_report_number(report, plan->instances), taskfit_rung_name(plan->rung)));
    taskfit_strbuf_addc(report->out, '\n');
    if (plan->binding_resource != NULL) {
        taskfit_report_wrap(report, taskfit_arena_printf(report->arena, "What binds it is %s%s%s", plan->binding_resource,
                                                         plan->binding_note ? ": " : "", plan->binding_note ? plan->binding_note : ""),
                            0, 0);
    }
    add_causes(report, e);
    add_room(report, e);
    add_growth(report, e);
}

static void write_text(const taskfit_explanation *e, bool wide, bool color, taskfit_strbuf *out) {
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_report report = {.plan = e->plan, .uses = e->use, .ids = e->ids, .wide = wide, .color = color, .arena = arena, .out = out};
    switch (e->subject) {
    case TASKFIT_SUBJECT_PLAN: add_plan(&report, e); break;
    case TASKFIT_SUBJECT_SERVICE: taskfit_report_service(&report, e); break;
    case TASKFIT_SUBJECT_INSTANCE: taskfit_report_instance(&report, e); break;
    }
    taskfit_arena_free(arena);
}

/* ---- document ---- */

static taskfit_node *permille_node(int64_t permille, taskfit_arena *arena) {
    return permille > 0 ? taskfit_node_plain(arena, taskfit_arena_printf(arena, "%" PRId64 ".%03" PRId64, permille / 1000, permille % 1000))
                        : taskfit_node_null(arena);
}

static taskfit_node *plan_tree(const taskfit_explanation *e, taskfit_arena *arena) {
    taskfit_node *map = taskfit_node_map(arena);
    taskfit_node *rungs = taskfit_node_list(arena);
    taskfit_node *growth = taskfit_node_list(arena);
    for (size_t i = 0; i < e->plan->n_ladder; i++) {
        taskfit_node *row = taskfit_node_map(arena);
        const int64_t instances = e->plan->ladder[i].instances;
        taskfit_node_set(arena, row, "rung", taskfit_node_string(arena, taskfit_rung_name(e->plan->ladder[i].rung)));
        taskfit_node_set(arena, row, "instances", instances < 0 ? taskfit_node_null(arena) : taskfit_node_int(arena, instances));
        taskfit_node_set(arena, row, "resource", taskfit_node_string(arena, e->causes[i].resource));
        taskfit_node_set(arena, row, "note", taskfit_node_string(arena, e->causes[i].note));
        taskfit_node_append(arena, rungs, row);
    }
    for (size_t i = 0; i < 2; i++) {
        taskfit_node *row = taskfit_node_map(arena);
        taskfit_node_set(arena, row, "lever", taskfit_node_string(arena, taskfit_lever_name(e->growth[i].lever)));
        taskfit_node_set(arena, row, "fitsAtFactor", permille_node(e->growth[i].fits_permille, arena));
        taskfit_node_set(arena, row, "failsAtFactor", permille_node(e->growth[i].fails_permille, arena));
        taskfit_node_append(arena, growth, row);
    }
    taskfit_node_set(arena, map, "rungs", rungs);
    taskfit_node_set(arena, map, "growth", growth);
    return map;
}

static taskfit_node *service_tree(const taskfit_explanation *e, taskfit_arena *arena) {
    taskfit_node *map = taskfit_node_map(arena);
    taskfit_node *instances = taskfit_node_list(arena);
    for (size_t m = 0; m < e->plan->fleet->n_machines; m++) {
        taskfit_node *row = taskfit_node_map(arena);
        const bool open = e->obstacles[m] == TASKFIT_OBSTACLE_NONE;
        taskfit_node_set(arena, row, "id", taskfit_node_string(arena, e->ids[m]));
        taskfit_node_set(arena, row, "tasks", taskfit_node_int(arena, taskfit_cluster_tasks(e->cluster, e->index, m)));
        taskfit_node_set(arena, row, "moreFit", taskfit_node_int(arena, e->more_on[m]));
        taskfit_node_set(arena, row, "obstacle", taskfit_node_string(arena, open ? NULL : taskfit_obstacle_name(e->obstacles[m])));
        taskfit_node_append(arena, instances, row);
    }
    taskfit_node_set(arena, map, "name", taskfit_node_string(arena, e->plan->deployment->services[e->index].name));
    taskfit_node_set(arena, map, "moreFit", taskfit_node_int(arena, e->n_more));
    taskfit_node_set(arena, map, "instances", instances);
    return map;
}

static taskfit_node *instance_tree(const taskfit_explanation *e, taskfit_arena *arena) {
    const taskfit_deployment *deployment = e->plan->deployment;
    taskfit_node *map = taskfit_node_map(arena);
    taskfit_node *more = taskfit_node_list(arena);
    taskfit_node *loss = taskfit_node_map(arena);
    taskfit_node *missing = taskfit_node_list(arena);
    size_t n = 0;
    const size_t *services = taskfit_explain_more(e, arena, &n);
    for (size_t i = 0; i < n; i++) {
        taskfit_node *row = taskfit_node_map(arena);
        taskfit_node_set(arena, row, "service", taskfit_node_string(arena, deployment->services[services[i]].name));
        taskfit_node_set(arena, row, "moreFit", taskfit_node_int(arena, e->more_of[services[i]]));
        taskfit_node_append(arena, more, row);
    }
    for (size_t i = 0; i < e->loss->n_missing; i++) {
        const taskfit_missing *gone = &e->loss->missing[i];
        taskfit_node *row = taskfit_node_map(arena);
        taskfit_node_set(arena, row, "service", taskfit_node_string(arena, deployment->services[gone->service].name));
        taskfit_node_set(arena, row, "tasks", taskfit_node_int(arena, gone->tasks));
        taskfit_node_set(arena, row, "reason", taskfit_misfit_tree(&gone->misfit, gone->id, gone->text, arena));
        taskfit_node_append(arena, missing, row);
    }
    taskfit_node_set(arena, loss, "tasks", taskfit_node_int(arena, e->loss->n_tasks));
    taskfit_node_set(arena, loss, "replacements", taskfit_node_int(arena, e->loss->n_tries));
    taskfit_node_set(arena, loss, "replacementsComplete", taskfit_node_int(arena, e->loss->n_tries_survived));
    taskfit_node_set(arena, loss, "missingTasks", taskfit_node_int(arena, e->loss->n_missing_tasks));
    taskfit_node_set(arena, loss, "missing", missing);
    taskfit_node_set(arena, map, "id", taskfit_node_string(arena, e->ids[e->index]));
    taskfit_node_set(arena, map, "freeMemoryMiB", taskfit_node_int(arena, taskfit_explain_free(e, e->index, TASKFIT_RESOURCE_MEMORY)));
    taskfit_node_set(arena, map, "freeCpuUnits", taskfit_node_int(arena, taskfit_explain_free(e, e->index, TASKFIT_RESOURCE_CPU)));
    taskfit_node_set(arena, map, "more", more);
    taskfit_node_set(arena, map, "loss", loss);
    return map;
}

static taskfit_node *explanation_tree(const taskfit_explanation *e, taskfit_arena *arena) {
    taskfit_node *root = taskfit_node_map(arena);
    taskfit_node_set(arena, root, "schema", taskfit_node_string(arena, "taskfit.explanation/1"));
    taskfit_node_set(arena, root, "deployment", taskfit_node_string(arena, e->plan->deployment->name));
    taskfit_node_set(arena, root, "rung", taskfit_node_string(arena, taskfit_rung_name(e->plan->rung)));
    taskfit_node *none = taskfit_node_null(arena);
    taskfit_node_set(arena, root, "plan", e->subject == TASKFIT_SUBJECT_PLAN ? plan_tree(e, arena) : none);
    taskfit_node_set(arena, root, "service", e->subject == TASKFIT_SUBJECT_SERVICE ? service_tree(e, arena) : none);
    taskfit_node_set(arena, root, "instance", e->subject == TASKFIT_SUBJECT_INSTANCE ? instance_tree(e, arena) : none);
    return root;
}

/* ---- CSV ---- */

static void write_csv(const taskfit_explanation *e, taskfit_strbuf *out) {
    static const char *const rung_headers[] = {"rung", "instances", "resource", "note"};
    static const char *const service_headers[] = {"instance", "tasks", "moreFit", "obstacle"};
    static const char *const instance_headers[] = {"service", "moreFit", "missingAfterLoss", "message"};
    taskfit_arena *arena = taskfit_arena_new();
    const char *const *headers = e->subject == TASKFIT_SUBJECT_PLAN ? rung_headers : e->subject == TASKFIT_SUBJECT_SERVICE ? service_headers : instance_headers;
    taskfit_table *table = taskfit_table_new(arena, headers, 4);
    for (size_t i = 0; e->subject == TASKFIT_SUBJECT_PLAN && i < e->plan->n_ladder; i++) {
        taskfit_table_cell(table, "%s", taskfit_rung_name(e->plan->ladder[i].rung));
        taskfit_table_cell(table, "%" PRId64, e->plan->ladder[i].instances);
        taskfit_table_cell(table, "%s", e->causes[i].resource != NULL ? e->causes[i].resource : "");
        taskfit_table_cell(table, "%s", e->causes[i].note != NULL ? e->causes[i].note : "");
    }
    for (size_t m = 0; e->subject == TASKFIT_SUBJECT_SERVICE && m < e->plan->fleet->n_machines; m++) {
        taskfit_table_cell(table, "%s", e->ids[m]);
        taskfit_table_cell(table, "%" PRId64, taskfit_cluster_tasks(e->cluster, e->index, m));
        taskfit_table_cell(table, "%" PRId64, e->more_on[m]);
        taskfit_table_cell(table, "%s", e->obstacles[m] == TASKFIT_OBSTACLE_NONE ? "" : taskfit_obstacle_name(e->obstacles[m]));
    }
    for (size_t s = 0; e->subject == TASKFIT_SUBJECT_INSTANCE && s < e->plan->deployment->n_services; s++) {
        const taskfit_missing *missing = NULL;
        for (size_t i = 0; i < e->loss->n_missing; i++) {
            missing = e->loss->missing[i].service == s ? &e->loss->missing[i] : missing;
        }
        taskfit_table_cell(table, "%s", e->plan->deployment->services[s].name);
        taskfit_table_cell(table, "%" PRId64, e->more_of[s]);
        taskfit_table_cell(table, "%" PRId64, missing != NULL ? missing->tasks : 0);
        taskfit_table_cell(table, "%s", missing != NULL ? missing->text : "");
    }
    taskfit_table_write_csv(table, out);
    taskfit_arena_free(arena);
}

taskfit_status taskfit_explanation_write(const taskfit_explanation *e, taskfit_plan_style style, bool color, taskfit_write_fn *write,
                                         void *sink, taskfit_error *err) {
    TASKFIT_STRBUF(out);
    taskfit_arena *arena = taskfit_arena_new();
    switch (style) {
    case TASKFIT_STYLE_TABLE: write_text(e, false, color, &out); break;
    case TASKFIT_STYLE_WIDE: write_text(e, true, color, &out); break;
    case TASKFIT_STYLE_JSON: taskfit_node_write_json(explanation_tree(e, arena), &out); break;
    case TASKFIT_STYLE_YAML: taskfit_node_write_yaml(explanation_tree(e, arena), &out); break;
    case TASKFIT_STYLE_CSV: write_csv(e, &out); break;
    }
    taskfit_arena_free(arena);
    if (write(sink, out.data, out.len) != 0) {
        return taskfit_fail(err, TASKFIT_E_SYSTEM, "the output could not be written");
    }
    return TASKFIT_OK;
}
