/* What differs between two plans, for people, as a document and as CSV. */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/units.h"
#include "input/node.h"
#include "report/plan_report.h"
#include "report/table.h"
#include "taskfit/whatif.h"
#include "whatif/difference.h"

enum { NAMES_SHOWN = 5, CENTS = 100 };

typedef struct sides {
    const taskfit_plan *before, *after;
    taskfit_difference difference;
    taskfit_arena *arena;
} sides;

static int64_t cents_of(const taskfit_plan *plan) {
    return plan->instances < 0 ? -1 : taskfit_usd_cents_per_month(plan->cost_usd_micros, plan->deployment->hours_per_month);
}

static int64_t rounded(double value) {
    return (int64_t)(value < 0 ? value - 0.5 : value + 0.5);
}

/* ---- text ---- */

static char sign_of(const char *before, const char *after) {
    return !before ? '+' : !after ? '-' : '~';
}

static const char *count_text(const sides *s, int64_t count) {
    TASKFIT_STRBUF(text);
    taskfit_add_grouped(&text, count);
    return count < 0 ? "none" : taskfit_arena_strdup(s->arena, text.data);
}

/* "$3,127 -> $2,502 (-20 %)" */
static void add_money(const sides *s, taskfit_strbuf *out) {
    const int64_t before = cents_of(s->before);
    const int64_t after = cents_of(s->after);
    if (before == after) {
        return;
    }
    taskfit_strbuf_printf(out, "~ USD/month: $%s -> $%s", before < 0 ? "-" : count_text(s, (before + CENTS / 2) / CENTS),
                          after < 0 ? "-" : count_text(s, (after + CENTS / 2) / CENTS));
    if (before > 0 && after >= 0) {
        const int64_t percent = rounded((double)(after - before) * 100.0 / (double)before);
        taskfit_strbuf_printf(out, " (%s%" PRId64 " %%)", percent > 0 ? "+" : "", percent);
    }
    taskfit_strbuf_addc(out, '\n');
}

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_change(const taskfit_change *a, const taskfit_change *b) {
    return a->service && b->service && same_text(a->key, b->key) && same_text(a->before, b->before) && same_text(a->after, b->after);
}

static void add_change(const taskfit_report *report, const taskfit_change *change, const char *subject) {
    TASKFIT_STRBUF(text);
    taskfit_strbuf_printf(&text, "%c %s", sign_of(change->before, change->after), subject);
    if (change->key) {
        taskfit_strbuf_printf(&text, ": %s %s -> %s", change->key, change->before ? change->before : "none",
                              change->after ? change->after : "none");
        text.data[0] = '~';
    } else {
        taskfit_strbuf_printf(&text, " (%s)", change->before ? change->before : change->after);
    }
    taskfit_report_wrap(report, text.data, 0, 2);
}

/* What many services have in common is one row. */
static void add_changes(const taskfit_report *report, const taskfit_difference *difference) {
    bool *told = TASKFIT_ARRAY(report->arena, difference->n_changes, bool);
    for (size_t i = 0; i < difference->n_changes; i++) {
        const taskfit_change *change = &difference->changes[i];
        TASKFIT_STRBUF(names);
        size_t n = 0;
        for (size_t k = i; k < difference->n_changes && !told[i]; k++) {
            if (k == i || (!told[k] && change->key && same_change(change, &difference->changes[k]))) {
                n++;
                if (report->wide || n <= NAMES_SHOWN) {
                    taskfit_strbuf_printf(&names, "%s%s", n > 1 ? ", " : "", difference->changes[k].subject);
                }
                told[k] = k != i || told[k];
            }
        }
        if (n > NAMES_SHOWN && !report->wide) {
            taskfit_strbuf_printf(&names, " and %zu more", n - NAMES_SHOWN);
        }
        if (n > 0) {
            add_change(report, change, names.data);
        }
    }
}

static void add_moves(const taskfit_report *report, const taskfit_difference *difference) {
    if (difference->n_moved == 0) {
        return;
    }
    TASKFIT_STRBUF(text);
    taskfit_strbuf_printf(&text, "~ %s of %s tasks that both have move: ", taskfit_report_number(report, difference->n_moved),
                          taskfit_report_number(report, difference->n_moved + difference->n_kept));
    for (size_t i = 0; i < difference->n_moves && (report->wide || i < NAMES_SHOWN); i++) {
        const taskfit_service_moves *moves = &difference->moves[i];
        taskfit_strbuf_printf(&text, "%s%s", i > 0 ? ", " : "", moves->service);
        if (moves->n_tasks > 1) {
            taskfit_strbuf_printf(&text, " x %" PRId64, moves->n_tasks);
        }
    }
    if (difference->n_moves > NAMES_SHOWN && !report->wide) {
        taskfit_strbuf_printf(&text, " and %zu more services", difference->n_moves - NAMES_SHOWN);
    }
    taskfit_report_wrap(report, text.data, 0, 2);
}

static bool differs(const sides *s) {
    return s->difference.n_changes > 0 || s->difference.n_moved > 0 || s->before->instances != s->after->instances ||
           cents_of(s->before) != cents_of(s->after);
}

static void write_text(const sides *s, bool wide, bool color, taskfit_strbuf *out) {
    const taskfit_report report = {.plan = s->after, .wide = wide, .color = color, .arena = s->arena, .out = out};
    if (s->before->instances != s->after->instances) {
        taskfit_strbuf_printf(out, "~ instances: %s -> %s\n", count_text(s, s->before->instances), count_text(s, s->after->instances));
    }
    add_money(s, out);
    add_changes(&report, &s->difference);
    add_moves(&report, &s->difference);
    if (!differs(s)) {
        taskfit_strbuf_adds(out, "no difference\n");
    }
}

/* ---- documents ---- */

static taskfit_node *text_or_null(taskfit_arena *arena, const char *text) {
    return text ? taskfit_node_string(arena, text) : taskfit_node_null(arena);
}

static taskfit_node *count_or_null(taskfit_arena *arena, int64_t count) {
    return count < 0 ? taskfit_node_null(arena) : taskfit_node_int(arena, count);
}

static taskfit_node *cents_or_null(taskfit_arena *arena, int64_t cents) {
    TASKFIT_STRBUF(text);
    taskfit_add_usd_cents(&text, cents);
    return cents < 0 ? taskfit_node_null(arena) : taskfit_node_string(arena, text.data);
}

static taskfit_node *pair_of(taskfit_arena *arena, taskfit_node *before, taskfit_node *after) {
    taskfit_node *map = taskfit_node_map(arena);
    taskfit_node_set(arena, map, "old", before);
    taskfit_node_set(arena, map, "new", after);
    return map;
}

static taskfit_node *tree_of(const sides *s) {
    taskfit_arena *arena = s->arena;
    taskfit_node *root = taskfit_node_map(arena);
    taskfit_node *changes = taskfit_node_list(arena);
    taskfit_node *moves = taskfit_node_list(arena);
    for (size_t i = 0; i < s->difference.n_changes; i++) {
        const taskfit_change *change = &s->difference.changes[i];
        taskfit_node *map = taskfit_node_map(arena);
        const char sign[] = {change->key ? '~' : sign_of(change->before, change->after), '\0'};
        taskfit_node_set(arena, map, "change", taskfit_node_string(arena, sign));
        taskfit_node_set(arena, map, "subject", taskfit_node_string(arena, change->subject));
        taskfit_node_set(arena, map, "key", text_or_null(arena, change->key));
        taskfit_node_set(arena, map, "old", text_or_null(arena, change->before));
        taskfit_node_set(arena, map, "new", text_or_null(arena, change->after));
        taskfit_node_append(arena, changes, map);
    }
    for (size_t i = 0; i < s->difference.n_moves; i++) {
        taskfit_node *map = taskfit_node_map(arena);
        taskfit_node_set(arena, map, "service", taskfit_node_string(arena, s->difference.moves[i].service));
        taskfit_node_set(arena, map, "tasks", taskfit_node_int(arena, s->difference.moves[i].n_tasks));
        taskfit_node_append(arena, moves, map);
    }
    taskfit_node_set(arena, root, "schema", taskfit_node_string(arena, "taskfit.diff/1"));
    taskfit_node_set(arena, root, "differs", taskfit_node_bool(arena, differs(s)));
    taskfit_node_set(arena, root, "instances",
                     pair_of(arena, count_or_null(arena, s->before->instances), count_or_null(arena, s->after->instances)));
    taskfit_node_set(arena, root, "costUsdPerMonth",
                     pair_of(arena, cents_or_null(arena, cents_of(s->before)), cents_or_null(arena, cents_of(s->after))));
    taskfit_node_set(arena, root, "changes", changes);
    taskfit_node_set(arena, root, "tasksMoved", taskfit_node_int(arena, s->difference.n_moved));
    taskfit_node_set(arena, root, "tasksKept", taskfit_node_int(arena, s->difference.n_kept));
    taskfit_node_set(arena, root, "moves", moves);
    return root;
}

/* A row for each change; instances and money are rows too. */
static void write_csv(const sides *s, taskfit_strbuf *out) {
    static const char *const headers[] = {"change", "subject", "key", "old", "new"};
    taskfit_table *table = taskfit_table_new(s->arena, headers, 5);
    const taskfit_node *root = tree_of(s);
    static const char *const totals[] = {"instances", "costUsdPerMonth"};
    for (size_t t = 0; t < 2; t++) {
        const taskfit_node *pair = taskfit_node_get(root, totals[t]);
        const taskfit_node *before = taskfit_node_get(pair, "old");
        const taskfit_node *after = taskfit_node_get(pair, "new");
        if (strcmp(before->text, after->text) != 0) {
            taskfit_table_cell(table, "~");
            taskfit_table_cell(table, "plan");
            taskfit_table_cell(table, "%s", totals[t]);
            taskfit_table_cell(table, "%s", taskfit_node_is_null(before) ? "" : before->text);
            taskfit_table_cell(table, "%s", taskfit_node_is_null(after) ? "" : after->text);
        }
    }
    for (size_t i = 0; i < s->difference.n_changes; i++) {
        const taskfit_change *change = &s->difference.changes[i];
        taskfit_table_cell(table, "%c", change->key ? '~' : sign_of(change->before, change->after));
        taskfit_table_cell(table, "%s", change->subject);
        taskfit_table_cell(table, "%s", change->key ? change->key : "");
        taskfit_table_cell(table, "%s", change->before ? change->before : "");
        taskfit_table_cell(table, "%s", change->after ? change->after : "");
    }
    for (size_t i = 0; i < s->difference.n_moves; i++) {
        taskfit_table_cell(table, "~");
        taskfit_table_cell(table, "%s", s->difference.moves[i].service);
        taskfit_table_cell(table, "tasks moved");
        taskfit_table_cell(table, "%s", "");
        taskfit_table_cell(table, "%" PRId64, s->difference.moves[i].n_tasks);
    }
    taskfit_table_write_csv(table, out);
}

taskfit_status taskfit_plan_diff_write(const taskfit_plan *old_plan, const taskfit_plan *new_plan, taskfit_plan_style style,
                                       bool color, taskfit_write_fn *write, void *sink, bool *differs_out, taskfit_error *err) {
    TASKFIT_STRBUF(out);
    sides s = {.before = old_plan, .after = new_plan, .arena = taskfit_arena_new()};
    s.difference = taskfit_difference_of(old_plan, new_plan, s.arena);
    switch (style) {
    case TASKFIT_STYLE_TABLE:
    case TASKFIT_STYLE_WIDE: write_text(&s, style == TASKFIT_STYLE_WIDE, color, &out); break;
    case TASKFIT_STYLE_JSON: taskfit_node_write_json(tree_of(&s), &out); break;
    case TASKFIT_STYLE_YAML: taskfit_node_write_yaml(tree_of(&s), &out); break;
    case TASKFIT_STYLE_CSV: write_csv(&s, &out); break;
    }
    const bool any = differs(&s);
    taskfit_arena_free(s.arena);
    if (write(sink, out.data, out.len) != 0) {
        return taskfit_fail(err, TASKFIT_E_SYSTEM, "cannot write the differences");
    }
    *differs_out = any;
    return TASKFIT_OK;
}
