#include "report/events_report.h"

#include <inttypes.h>

#include "report/simulation_report.h"
#include "report/table.h"

enum { LINES_SHOWN = 8 };

static const char *service_name(const taskfit_simulation *sim, size_t service) {
    return sim->plan->deployment->services[service].name;
}

static const char *tasks_text(const taskfit_report *report, int64_t n) {
    return taskfit_arena_printf(report->arena, "%s task%s", taskfit_report_number(report, n), n == 1 ? "" : "s");
}

/* ---- for people ---- */

/* What the event came to, in a line. */
static const char *summary(const taskfit_report *report, const taskfit_simulation *sim, const taskfit_event *event) {
    taskfit_arena *arena = report->arena;
    const char *left = event->n_missing_tasks == 0
                           ? "nothing is missing"
                           : taskfit_arena_printf(arena, "%s %s missing", tasks_text(report, event->n_missing_tasks),
                                                  event->n_missing_tasks == 1 ? "is" : "are");
    const taskfit_renewal *only = event->n_renewed == 1 ? &event->renewed[0].renewal : NULL;
    switch (event->kind) {
    case TASKFIT_EVENT_LOSE:
        return taskfit_arena_printf(arena, "%" PRId64 " of %" PRId64 " re-placements put every task somewhere%s; after the %s of %s, with %s, %s",
                                    event->n_tries_survived, event->n_tries,
                                    event->n_victims > 1 ? taskfit_arena_printf(arena, " (%" PRId64 " of %" PRId64 " can be lost whatever the order)",
                                                                                event->n_victims_survived, event->n_victims)
                                                         : "",
                                    event->n_victims > 1 ? "worst loss, that" : "loss", event->subject, tasks_text(report, event->n_tasks), left);
    case TASKFIT_EVENT_DEPLOY:
        if (only != NULL && event->n_stuck == 0) {
            return taskfit_arena_printf(arena, "done, %s in %" PRId64 " wave%s of at most %" PRId64 " (%s; %s)", tasks_text(report, only->n_started),
                                        only->n_waves, only->n_waves == 1 ? "" : "s", only->largest_batch,
                                        only->stopped_first ? "old ones stop first" : "new ones start first",
                                        only->full_set ? "a full second set" : taskfit_renewal_arithmetic(sim->cluster, only, arena));
        }
        return taskfit_arena_printf(arena, "%zu of %zu service%s done, %zu stuck; %s", event->n_renewed - event->n_stuck, event->n_renewed,
                                    event->n_renewed == 1 ? "" : "s", event->n_stuck, left);
    case TASKFIT_EVENT_DRAIN:
        return taskfit_arena_printf(arena, "%zu of %zu services leave it, %zu stuck; %s", event->n_renewed - event->n_stuck, event->n_renewed,
                                    event->n_stuck, left);
    case TASKFIT_EVENT_SCALE: return taskfit_arena_printf(arena, "%s to start; %s", tasks_text(report, event->n_tasks), left);
    case TASKFIT_EVENT_GROW:
        return taskfit_arena_printf(arena, "%s instance%s more%s; %s", taskfit_report_number(report, event->n_machines),
                                    event->n_machines == 1 ? "" : "s",
                                    event->n_tasks > 0 ? taskfit_arena_printf(arena, " for %s missing", tasks_text(report, event->n_tasks)) : "",
                                    left);
    }
    return left;
}

static void add_waves(const taskfit_report *report, const taskfit_simulation *sim, const taskfit_event *event) {
    static const char *const headers[] = {"  service", ">tasks", ">at least", ">at most", ">waves", ">largest wave", "how"};
    taskfit_table *table = taskfit_table_new(report->arena, headers, sizeof headers / sizeof *headers);
    for (size_t i = 0; i < event->n_renewed; i++) {
        const taskfit_renewal *renewal = &event->renewed[i].renewal;
        taskfit_table_cell(table, "  %s", service_name(sim, renewal->service));
        taskfit_table_cell(table, "%" PRId64, renewal->n_wanted);
        taskfit_table_cell(table, "%" PRId64, renewal->least);
        taskfit_table_cell(table, "%" PRId64, renewal->most);
        taskfit_table_cell(table, "%" PRId64, renewal->n_waves);
        taskfit_table_cell(table, "%" PRId64, renewal->largest_batch);
        taskfit_table_cell(table, "%s", event->renewed[i].text != NULL ? "stuck" : renewal->full_set ? "full set"
                                        : renewal->stopped_first       ? "stops first"
                                                                       : "starts first");
    }
    taskfit_table_write(table, report->out);
}

/* The first few lines, and how many more there are. */
static void add_line(const taskfit_report *report, size_t *n_shown, size_t n, const char *text) {
    const size_t limit = report->wide || n <= LINES_SHOWN ? n : LINES_SHOWN - 1;
    if (*n_shown < limit) {
        taskfit_report_wrap(report, text, 0, 2);
    } else if (*n_shown == limit) {
        taskfit_strbuf_printf(report->out, "... and %zu more (-o wide shows all)\n", n - limit);
    }
    ++*n_shown;
}

static void add_stuck(const taskfit_report *report, const taskfit_simulation *sim, const taskfit_event *event) {
    size_t n_shown = 0;
    for (size_t i = 0; i < event->n_renewed; i++) {
        if (event->renewed[i].text != NULL) {
            const char *service = service_name(sim, event->renewed[i].renewal.service);
            add_line(report, &n_shown, event->n_stuck,
                     taskfit_arena_printf(report->arena, "%s is stuck: %s", service, event->renewed[i].text));
        }
    }
}

static void add_missing(const taskfit_report *report, const taskfit_simulation *sim, const taskfit_event *event) {
    size_t n_shown = 0;
    for (size_t i = 0; i < event->n_missing; i++) {
        const taskfit_missing *missing = &event->missing[i];
        add_line(report, &n_shown, event->n_missing,
                 taskfit_arena_printf(report->arena, "%s is short of %s: %s", service_name(sim, missing->service),
                                      tasks_text(report, missing->tasks), missing->text));
    }
}

void taskfit_report_events(const taskfit_report *report, const taskfit_simulation *sim) {
    for (size_t e = 0; e < sim->options.n_events; e++) {
        const taskfit_event *event = &sim->events[e];
        taskfit_strbuf_addc(report->out, '\n');
        taskfit_report_toned(report, TASKFIT_TONE_HEADING, event->text);
        taskfit_strbuf_addc(report->out, '\n');
        taskfit_report_wrap(report, summary(report, sim, event), 0, 0);
        add_stuck(report, sim, event);
        add_missing(report, sim, event);
        if (report->wide && event->n_renewed > 0) {
            add_waves(report, sim, event);
        }
    }
}

/* ---- document ---- */

static taskfit_node *renewals_tree(const taskfit_simulation *sim, const taskfit_event *event, taskfit_arena *arena) {
    static const char *const stuck_names[] = {NULL, "percentages", "room"};
    taskfit_node *list = taskfit_node_list(arena);
    for (size_t i = 0; i < event->n_renewed; i++) {
        const taskfit_renewal *renewal = &event->renewed[i].renewal;
        taskfit_node *row = taskfit_node_map(arena);
        taskfit_node_set(arena, row, "service", taskfit_node_string(arena, service_name(sim, renewal->service)));
        taskfit_node_set(arena, row, "tasks", taskfit_node_int(arena, renewal->n_wanted));
        taskfit_node_set(arena, row, "started", taskfit_node_int(arena, renewal->n_started));
        taskfit_node_set(arena, row, "atLeast", taskfit_node_int(arena, renewal->least));
        taskfit_node_set(arena, row, "atMost", taskfit_node_int(arena, renewal->most));
        taskfit_node_set(arena, row, "waves", taskfit_node_int(arena, renewal->n_waves));
        taskfit_node_set(arena, row, "largestWave", taskfit_node_int(arena, renewal->largest_batch));
        taskfit_node_set(arena, row, "fullSet", taskfit_node_bool(arena, renewal->full_set));
        taskfit_node_set(arena, row, "stopsFirst", taskfit_node_bool(arena, renewal->stopped_first));
        taskfit_node_set(arena, row, "stuck", taskfit_node_string(arena, stuck_names[renewal->stuck]));
        taskfit_node_set(arena, row, "message", taskfit_node_string(arena, event->renewed[i].text));
        taskfit_node_append(arena, list, row);
    }
    return list;
}

static taskfit_node *missing_tree(const taskfit_simulation *sim, const taskfit_event *event, taskfit_arena *arena) {
    taskfit_node *list = taskfit_node_list(arena);
    for (size_t i = 0; i < event->n_missing; i++) {
        const taskfit_missing *missing = &event->missing[i];
        taskfit_node *row = taskfit_node_map(arena);
        taskfit_node_set(arena, row, "service", taskfit_node_string(arena, service_name(sim, missing->service)));
        taskfit_node_set(arena, row, "tasks", taskfit_node_int(arena, missing->tasks));
        taskfit_node_set(arena, row, "reason", taskfit_misfit_tree(&missing->misfit, missing->id, missing->text, arena));
        taskfit_node_append(arena, list, row);
    }
    return list;
}

taskfit_node *taskfit_events_tree(const taskfit_simulation *sim, taskfit_arena *arena) {
    taskfit_node *list = taskfit_node_list(arena);
    for (size_t e = 0; e < sim->options.n_events; e++) {
        const taskfit_event *event = &sim->events[e];
        taskfit_node *row = taskfit_node_map(arena);
        taskfit_node_set(arena, row, "event", taskfit_node_string(arena, event->text));
        taskfit_node_set(arena, row, "subject", taskfit_node_string(arena, event->subject));
        taskfit_node_set(arena, row, "tasks", taskfit_node_int(arena, event->n_tasks));
        if (event->kind == TASKFIT_EVENT_LOSE) {
            taskfit_node_set(arena, row, "losses", taskfit_node_int(arena, event->n_victims));
            taskfit_node_set(arena, row, "lossesSurvived", taskfit_node_int(arena, event->n_victims_survived));
            taskfit_node_set(arena, row, "replacements", taskfit_node_int(arena, event->n_tries));
            taskfit_node_set(arena, row, "replacementsComplete", taskfit_node_int(arena, event->n_tries_survived));
        } else if (event->kind == TASKFIT_EVENT_DEPLOY || event->kind == TASKFIT_EVENT_DRAIN) {
            taskfit_node_set(arena, row, "services", renewals_tree(sim, event, arena));
            taskfit_node_set(arena, row, "stuck", taskfit_node_int(arena, (int64_t)event->n_stuck));
        }
        taskfit_node_set(arena, row, "missingTasks", taskfit_node_int(arena, event->n_missing_tasks));
        taskfit_node_set(arena, row, "missing", missing_tree(sim, event, arena));
        taskfit_node_append(arena, list, row);
    }
    return list;
}

/* ---- CSV ---- */

static void add_row(taskfit_table *table, const taskfit_event *event, const char *service, int64_t missing, const char *message) {
    taskfit_table_cell(table, "%s", event->text);
    taskfit_table_cell(table, "%s", event->subject);
    taskfit_table_cell(table, "%s", service);
    taskfit_table_cell(table, "%" PRId64, missing);
    taskfit_table_cell(table, "%s", message);
}

void taskfit_events_write_csv(const taskfit_simulation *sim, taskfit_strbuf *out) {
    static const char *const headers[] = {"event", "subject", "service", "missingTasks", "message"};
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_table *table = taskfit_table_new(arena, headers, sizeof headers / sizeof *headers);
    for (size_t e = 0; e < sim->options.n_events; e++) {
        const taskfit_event *event = &sim->events[e];
        for (size_t i = 0; i < event->n_renewed; i++) {
            if (event->renewed[i].text != NULL) {
                add_row(table, event, service_name(sim, event->renewed[i].renewal.service), 0, event->renewed[i].text);
            }
        }
        for (size_t i = 0; i < event->n_missing; i++) {
            add_row(table, event, service_name(sim, event->missing[i].service), event->missing[i].tasks, event->missing[i].text);
        }
        if (event->n_stuck + event->n_missing == 0) {
            add_row(table, event, "", 0, "");
        }
    }
    taskfit_table_write_csv(table, out);
    taskfit_arena_free(arena);
}
