/* What a plan says of the one it comes from, for people: who stays, how many tasks move, the steps, and the front. */
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "report/plan_report.h"
#include "report/table.h"

enum { ROWS_SHOWN = 24, IDS_SHOWN = 12 };

static const char *counted(const taskfit_report *report, int64_t n, const char *noun) {
    return taskfit_arena_printf(report->arena, "%s %s%s", taskfit_report_number(report, n), noun, n == 1 ? "" : "s");
}

static void heading(const taskfit_report *report, const char *text) {
    taskfit_strbuf_addc(report->out, '\n');
    taskfit_report_toned(report, TASKFIT_TONE_HEADING, text);
    taskfit_strbuf_addc(report->out, '\n');
}

/* "(proved)" and the like, of the goal. */
static const char *proof_text(const taskfit_report *report) {
    const taskfit_plan *plan = report->plan;
    for (size_t i = 0; i < plan->n_goals; i++) {
        const taskfit_plan_goal *goal = &plan->goals[i];
        if (strcmp(goal->goal, "moves") == 0 && (goal->proof == TASKFIT_PROOF_EXACT || goal->proof == TASKFIT_PROOF_SOLVER)) {
            return plan->moves->tasks == 0 ? "" : "; fewer are not possible (proved)";
        }
        if (strcmp(goal->goal, "moves") == 0 && goal->bound) {
            return taskfit_arena_printf(report->arena, "; at least %s must, so this may not be the fewest", goal->bound);
        }
    }
    return "; whether fewer would do is not known";
}

static void add_ids(const taskfit_report *report, taskfit_strbuf *out, const char *const *ids, size_t n) {
    for (size_t i = 0; i < n && (report->wide || n <= IDS_SHOWN || i < IDS_SHOWN - 2); i++) {
        taskfit_strbuf_printf(out, "%s %s", i > 0 ? "," : ":", ids[i]);
    }
    if (!report->wide && n > IDS_SHOWN) {
        taskfit_strbuf_printf(out, ", ...");
    }
}

static void add_summary(const taskfit_report *report) {
    const taskfit_plan_moves *moves = report->plan->moves;
    const size_t n = report->plan->fleet->n_machines;
    const char **new_ids = TASKFIT_ARRAY(report->arena, n, const char *);
    size_t n_new = 0;
    for (size_t m = 0; m < n; m++) {
        if (!moves->was[m]) {
            new_ids[n_new++] = report->ids[m];
        }
    }
    TASKFIT_STRBUF(text);
    taskfit_strbuf_printf(&text, "%s of %s move%s.", taskfit_report_number(report, moves->tasks), counted(report, moves->of, "task"),
                          proof_text(report));
    const char *tasks = counted(report, moves->starts, "task");
    if (moves->starts > 0 && moves->stops > 0) {
        taskfit_strbuf_printf(&text, " Besides, %s start%s and %s stop%s.", tasks, moves->starts == 1 ? "s" : "",
                              taskfit_report_number(report, moves->stops), moves->stops == 1 ? "s" : "");
    } else if (moves->starts > 0 || moves->stops > 0) {
        taskfit_strbuf_printf(&text, " Besides, %s %s%s.", moves->starts > 0 ? tasks : counted(report, moves->stops, "task"),
                              moves->starts > 0 ? "start" : "stop", moves->starts + moves->stops == 1 ? "s" : "");
    }
    taskfit_report_wrap(report, text.data, 0, 0);
    TASKFIT_STRBUF(instances);
    taskfit_strbuf_printf(&instances, "%s stay%s", counted(report, (int64_t)(n - n_new), "instance"), n - n_new == 1 ? "s" : "");
    taskfit_strbuf_printf(&instances, "; %zu %s new", n_new, n_new == 1 ? "is" : "are");
    add_ids(report, &instances, new_ids, n_new);
    taskfit_strbuf_printf(&instances, "; %zu go%s", moves->n_removed, moves->n_removed == 1 ? "es" : "");
    add_ids(report, &instances, moves->removed, moves->n_removed);
    taskfit_report_wrap(report, instances.data, 0, 2);
}

/* ---- steps ---- */

static bool same(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool alike(const taskfit_plan_step *a, const taskfit_plan_step *b) {
    return a->action == b->action && strcmp(a->service, b->service) == 0 && same(a->from, b->from) && same(a->to, b->to);
}

static void add_steps(const taskfit_report *report) {
    static const char *const headers[] = {">step", "", "service", ">tasks", "from", "to"};
    const taskfit_plan_moves *moves = report->plan->moves;
    taskfit_table *table = taskfit_table_new(report->arena, headers, sizeof headers / sizeof *headers);
    size_t n_rows = 0;
    size_t n_shown = 0;
    for (size_t i = 0; i < moves->n_steps; n_rows++) {
        const taskfit_plan_step *step = &moves->steps[i];
        size_t n = 1;
        while (i + n < moves->n_steps && alike(step, &moves->steps[i + n])) {
            n++;
        }
        if (report->wide || n_rows < ROWS_SHOWN) {
            taskfit_table_cell(table, "%zu", i + 1);
            taskfit_table_cell(table, "%s", taskfit_step_action_name(step->action));
            taskfit_table_cell(table, "%s", step->service);
            taskfit_table_cell(table, "%zu", n);
            taskfit_table_cell(table, "%s", step->from ? step->from : "");
            taskfit_table_cell(table, "%s", step->to ? step->to : "");
            n_shown = i + n;
        }
        i += n;
    }
    taskfit_table_write(table, report->out);
    if (n_shown < moves->n_steps) {
        taskfit_strbuf_printf(report->out, "... and %s (-o wide shows all)\n",
                              counted(report, (int64_t)(moves->n_steps - n_shown), "more step"));
    }
}

/* Tasks that wait on instances that go. */
static void add_waiting(const taskfit_report *report) {
    const taskfit_plan_moves *moves = report->plan->moves;
    int64_t n = 0;
    for (size_t i = 0; i < moves->n_steps; i++) {
        for (size_t w = 0; w < moves->n_waiting; w++) {
            n += moves->steps[i].to && strcmp(moves->steps[i].to, moves->waiting[w].id) == 0 ? 1 : 0;
        }
    }
    TASKFIT_STRBUF(text);
    taskfit_strbuf_printf(&text, "%s wait%s for room on an instance that goes", counted(report, n, "task"), n == 1 ? "s" : "");
    for (size_t w = 0; w < moves->n_waiting; w++) {
        taskfit_strbuf_printf(&text, "%s %s", w > 0 ? "," : ":", moves->waiting[w].id);
    }
    taskfit_strbuf_addc(&text, '.');
    taskfit_report_wrap(report, text.data, 0, 2);
}

static void add_order(const taskfit_report *report) {
    const taskfit_plan_moves *moves = report->plan->moves;
    if (moves->no_order) {
        taskfit_report_wrap(report, taskfit_arena_printf(report->arena, "No order of steps: %s.", moves->no_order), 0, 0);
    } else if (moves->n_steps > 0) {
        if (moves->spare) {
            taskfit_report_wrap(report, taskfit_arena_printf(report->arena, "A spare instance is needed: %s.", moves->spare->message), 0, 2);
        }
        if (moves->n_waiting > 0) {
            add_waiting(report);
        }
        taskfit_report_wrap(report,
                            "In this order every task finds room: it starts at its new place first, then the old one stops. Instances that "
                            "go stay until they are empty.",
                            0, 0);
        add_steps(report);
    }
}

void taskfit_report_moves(const taskfit_report *report) {
    const taskfit_plan_moves *moves = report->plan->moves;
    if (!moves) {
        return;
    }
    heading(report, taskfit_arena_printf(report->arena, "Moves from %s of %s", moves->file ? moves->file : "a plan",
                                         counted(report, moves->n_given, "instance")));
    add_summary(report);
    add_order(report);
}

/* ---- the front ---- */

void taskfit_report_front(const taskfit_report *report) {
    static const char *const headers[] = {">instances", ">moves", ">bound", "proof", ">USD/hour", ">USD/month"};
    const taskfit_plan *plan = report->plan;
    if (plan->n_front == 0) {
        return;
    }
    heading(report, "Moves against instances");
    taskfit_table *table = taskfit_table_new(report->arena, headers, sizeof headers / sizeof *headers);
    for (size_t i = 0; i < plan->n_front; i++) {
        const taskfit_plan_front_row *row = &plan->front[i];
        TASKFIT_STRBUF(per_hour);
        TASKFIT_STRBUF(per_month);
        if (row->cost_usd_micros >= 0) {
            taskfit_add_usd_per_hour(&per_hour, row->cost_usd_micros);
            taskfit_add_usd_cents_grouped(&per_month, taskfit_usd_cents_per_month(row->cost_usd_micros, plan->deployment->hours_per_month));
        }
        taskfit_table_cell(table, "%s", taskfit_report_number(report, row->instances));
        taskfit_table_cell(table, "%s", row->tasks < 0 ? "-" : taskfit_report_number(report, row->tasks));
        taskfit_table_cell(table, "%s", row->bound < 0 ? "-" : taskfit_report_number(report, row->bound));
        taskfit_table_cell(table, "%s", taskfit_proof_name(row->proof));
        taskfit_table_cell(table, "%s", row->cost_usd_micros < 0 ? "-" : per_hour.data);
        taskfit_table_cell(table, "%s", row->cost_usd_micros < 0 ? "-" : per_month.data);
    }
    taskfit_table_write(table, report->out);
}
