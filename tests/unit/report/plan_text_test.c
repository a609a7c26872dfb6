#include "unit.h"

#include <stdlib.h>

#include "base/file.h"
#include "report/plan_report.h"
#include "report/plan_write.h"
#include "shop.h"

/* ---- helpers ---- */

static int collect(void *sink, const char *data, size_t len) {
    taskfit_strbuf_add(sink, data, len);
    return 0;
}

static int refuse(void *sink, const char *data, size_t len) {
    (void)sink, (void)data, (void)len;
    return 1;
}

static taskfit_plan *shop(const shop_edit *edits, size_t n_edits) {
    taskfit_arena *arena = taskfit_arena_new();
    TASKFIT_STRBUF(text);
    taskfit_node_write_json(shop_plan(edits, n_edits, arena), &text);
    taskfit_plan *plan = NULL;
    taskfit_error err = {0};
    if (taskfit_plan_read("shop.json", text.data, text.len, NULL, &plan, &err) != TASKFIT_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
    taskfit_arena_free(arena);
    return plan;
}

/* Columns of the widest line, escape sequences not being expected. */
static size_t widest(const char *text) {
    size_t most = 0;
    size_t width = 0;
    for (; *text; text++) {
        width += ((unsigned char)*text & 0xc0) != 0x80 && *text != '\n';
        most = width > most ? width : most;
        width = *text == '\n' ? 0 : width;
    }
    return most;
}

static size_t count(const char *text, const char *what) {
    size_t n = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what)) {
        n++;
    }
    return n;
}

static void assert_has(const char *text, const char *what) {
    if (!strstr(text, what)) {
        fail_msg("no '%s' in:\n%s", what, text);
    }
}

/* ---- whole reports ---- */

static void reports_are_as_reviewed(void **state) {
    (void)state;
    static const struct {
        taskfit_plan_style style;
        const char *file;
    } rows[] = {
        {TASKFIT_STYLE_TABLE, "shop.table.txt"},
        {TASKFIT_STYLE_WIDE, "shop.wide.txt"},
        {TASKFIT_STYLE_CSV, "shop.csv"},
    };
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_plan *plan = shop(NULL, 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        TASKFIT_STRBUF(text);
        taskfit_error err = {0};
        ASSERT_INT(taskfit_plan_write(plan, rows[i].style, false, collect, &text, &err), TASKFIT_OK);
        if (getenv("UPDATE")) {
            const char *path = taskfit_arena_printf(arena, "tests/data/plans/%s", rows[i].file);
            ASSERT_INT(taskfit_file_write(path, text.data, text.len, &err), TASKFIT_OK);
        }
        assert_string_equal(text.data, shop_file(rows[i].file, arena));
        assert_true(rows[i].style == TASKFIT_STYLE_CSV || widest(text.data) <= TASKFIT_REPORT_COLUMNS);
    }
    taskfit_plan_free(plan);
    taskfit_arena_free(arena);
}

/* The document itself is tested where it is made; here, that each style is what it is called. */
static void documents_are_json_and_yaml(void **state) {
    (void)state;
    taskfit_plan *plan = shop(NULL, 0);
    TASKFIT_STRBUF(json);
    TASKFIT_STRBUF(yaml);
    taskfit_error err = {0};
    ASSERT_INT(taskfit_plan_write(plan, TASKFIT_STYLE_JSON, false, collect, &json, &err), TASKFIT_OK);
    ASSERT_INT(taskfit_plan_write(plan, TASKFIT_STYLE_YAML, true, collect, &yaml, &err), TASKFIT_OK);
    ASSERT_INT(json.data[0], '{');
    ASSERT_INT(json.data[json.len - 1], '\n');
    assert_has(json.data, "\"taskfit.plan/1\"");
    ASSERT_INT(strncmp(yaml.data, "schema: taskfit.plan/1\ndeployment:\n", 35), 0);
    taskfit_plan_free(plan);
}

static void a_sink_that_fails_is_a_system_error(void **state) {
    (void)state;
    taskfit_plan *plan = shop(NULL, 0);
    taskfit_error err = {0};
    ASSERT_INT(taskfit_plan_write(plan, TASKFIT_STYLE_TABLE, false, refuse, NULL, &err), TASKFIT_E_SYSTEM);
    taskfit_plan_free(plan);
}

static void colour_only_where_asked(void **state) {
    (void)state;
    taskfit_plan *plan = shop(NULL, 0);
    TASKFIT_STRBUF(plain);
    TASKFIT_STRBUF(colored);
    taskfit_plan_write_text(plan, false, false, &plain);
    taskfit_plan_write_text(plan, false, true, &colored);
    assert_null(strchr(plain.data, '\033'));
    assert_has(colored.data, "\033[1mshop: 5 instances");
    assert_has(colored.data, "\033[33mMEM001\033[0m");
    taskfit_plan_free(plan);
}

/* ---- headlines ---- */

#define REASON                                                                                                               \
    "{\"service\": \"web\", \"resource\": \"memory\", \"need\": 9000, \"room\": 8000, \"instanceType\": \"own.big\","        \
    " \"message\": \"a task of 'web' needs 9,000 MiB; own.big, the largest, has 8,000\"}"

static void headlines_say_what_is_proved(void **state) {
    (void)state;
    static const struct {
        shop_edit edits[6];
        const char *has[3];
    } rows[] = {
        {{{"outcome", "\"feasible\""}, {"lowerBound", "4"}, {"goals[0].proof", "\"gap\""}},
         {"shop: 5 instances", "Not proved to be the fewest: on rung 'spread' at least 4 instances are needed."}},
        {{{"outcome", "\"feasible\""}, {"lowerBound", "1"}, {"goals[0].proof", "\"gap\""}}, {"at least 1 instance is needed."}},
        {{{"goals[0].proof", "\"solver\""}}, {"proved by GLPK's branch and bound"}},
        {{{"goals[0]", "-"}}, {"No cheaper fleet keeps the rules of rung 'spread' (proved by integer arithmetic)."}},
        {{{"goals[0]", "-"}, {"goals[0].proof", "\"gap\""}, {"outcome", "\"feasible\""}, {"lowerBoundUsdPerHour", "\"0.5\""}},
         {"Not proved to be the cheapest: the bound on rung 'spread' is 0.500000 USD/hour."}},
        {{{"outcome", "\"unknown\""}, {"instances", "null"}, {"fleet", "[]"}},
         {"shop: no plan found within the limits for the 12 tasks of 5 services (rung 'spread')", "At least 5 instances needed."}},
        {{{"outcome", "\"infeasible\""}, {"instances", "null"}, {"fleet", "[]"}, {"reason", REASON}, {"binding", "null"}},
         {"shop: no fleet holds the 12 tasks of 5 services (rung 'spread', proved)\n",
          "\na task of 'web' needs 9,000 MiB; own.big, the largest, has 8,000\n"}},
        {{{"ladder[1].instances", "null"}, {"ladder[1].proof", "\"infeasible\""}, {"ladder[1].reason", REASON}, {"rung", "\"packing\""}},
         {"none", "spread: a task of 'web' needs 9,000 MiB"}},
        {{{"ladder[1].instances", "6"}, {"ladder[1].costUsdPerHour", "\"0.7\""}}, {"   +1  ", "511.00  +73.00  <-"}},
        {{{"deployment.resolved.cluster.instanceGroups[0].current", "4"}, {"deployment.resolved.cluster.instanceGroups[1].current", "2"}},
         {"\nToday 6 instances run (current): 1 fewer.\n"}},
        {{{"deployment.resolved.cluster.instanceGroups[0].current", "1"}, {"deployment.resolved.cluster.instanceGroups[1].current", "0"}},
         {"\nToday 1 instance runs (current): 4 more.\n"}},
        {{{"deployment.resolved.cluster.instanceGroups[0].current", "4"}, {"deployment.resolved.cluster.instanceGroups[1].current", "1"}},
         {"\nToday 5 instances run (current): as many.\n"}},
        {{{"instances", "0"}, {"fleet", "[]"}}, {"shop: 0 instances\n", "No task is desired, so no instance is needed."}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        taskfit_plan *plan = shop(rows[i].edits, 6);
        TASKFIT_STRBUF(text);
        taskfit_plan_write_text(plan, false, false, &text);
        for (size_t h = 0; h < 3 && rows[i].has[h]; h++) {
            assert_has(text.data, rows[i].has[h]);
        }
        assert_true(widest(text.data) <= TASKFIT_REPORT_COLUMNS);
        taskfit_plan_free(plan);
    }
}

static void many_warnings_are_cut_in_the_table_alone(void **state) {
    (void)state;
    taskfit_plan *plan = shop(NULL, 0);
    taskfit_warning warnings[30];
    for (size_t i = 0; i < 30; i++) {
        warnings[i] = (taskfit_warning){"TEST001", NULL, "a message that is long enough to be broken over lines, since it goes on "
                                                         "and on until there is no room left on a line"};
    }
    plan->warnings = warnings;
    plan->n_warnings = 30;
    TASKFIT_STRBUF(table);
    TASKFIT_STRBUF(wide);
    taskfit_plan_write_text(plan, false, false, &table);
    taskfit_plan_write_text(plan, true, false, &wide);
    ASSERT_INT(count(table.data, "TEST001"), 10);
    assert_has(table.data, "... and 20 more (-o wide shows all)");
    ASSERT_INT(count(wide.data, "TEST001"), 30);
    assert_true(widest(wide.data) <= TASKFIT_REPORT_COLUMNS);
    taskfit_plan_free(plan);
}

/* ---- large fleets ---- */

static void large_fleets_are_summed_up(void **state) {
    (void)state;
    enum { N_MACHINES = 5000 };
    taskfit_plan *plan = shop(NULL, 0);
    taskfit_machine *machines = TASKFIT_ARRAY(plan->arena, N_MACHINES, taskfit_machine);
    taskfit_machine_task *tasks = TASKFIT_ARRAY(plan->arena, N_MACHINES, taskfit_machine_task);
    for (size_t i = 0; i < N_MACHINES; i++) {
        /* ten kinds of content in each AZ; web takes 512 MiB and 256 units */
        tasks[i] = (taskfit_machine_task){.service = 0, .count = 10 - (int64_t)(i % 10)};
        machines[i] = (taskfit_machine){.az = i >= N_MACHINES / 2, .tasks = &tasks[i], .n_tasks = i % 1000 == 9 ? 0 : 1};
    }
    plan->fleet->machines = machines;
    plan->fleet->n_machines = N_MACHINES;
    plan->instances = N_MACHINES;
    TASKFIT_STRBUF(table);
    TASKFIT_STRBUF(wide);
    taskfit_plan_write_text(plan, false, false, &table);
    taskfit_plan_write_text(plan, true, false, &wide);
    assert_has(table.data, "us-east-1a, main: 2,500 own.small");
    assert_has(table.data, "  main-1 +249  ");
    assert_has(table.data, "  main-10 +2  ");
    assert_has(table.data, "  ... 1,250 instances in between (-o wide shows all)\n");
    assert_true(count(table.data, "\n") < 40);
    assert_true(widest(table.data) <= TASKFIT_REPORT_COLUMNS);
    ASSERT_INT(count(wide.data, "\n  main-"), N_MACHINES);
    ASSERT_INT(count(wide.data, "    (empty)\n"), 5);
    taskfit_plan_free(plan);
}

/* ---- pieces ---- */

static void words_are_wrapped(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    TASKFIT_STRBUF(out);
    const taskfit_report report = {.arena = arena, .out = &out};
    taskfit_report_wrap(&report, "one  two\nthree", 0, 2);
    assert_string_equal(out.data, "one two three\n");
    taskfit_strbuf_reset(&out);
    taskfit_report_wrap(&report, "one two", 94, 2);
    assert_string_equal(out.data, "one\n  two\n");
    taskfit_strbuf_reset(&out);
    taskfit_report_wrap(&report, "one to", 94, 2);
    assert_string_equal(out.data, "one to\n");
    taskfit_strbuf_reset(&out);
    taskfit_report_wrap(&report, "one 95.6 % two", 91, 2);
    assert_string_equal(out.data, "one\n  95.6 % two\n");
    taskfit_strbuf_reset(&out);
    taskfit_report_wrap(&report, "", 0, 2);
    assert_string_equal(out.data, "\n");
    taskfit_arena_free(arena);
}

static void shares_are_rounded(void **state) {
    (void)state;
    static const struct {
        int64_t part, whole;
        const char *text;
    } rows[] = {
        {0, 10, "0.0 %"},          {1, 3, "33.3 %"},         {2, 3, "66.7 %"},           {999, 1000, "99.9 %"}, {99950, 100000, "100.0 %"},
        {15, 10, "150.0 %"},       {1, 0, "-"},             {INT64_C(1) << 55, INT64_C(1) << 40, "3276800.0 %"},
    };
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_report report = {.arena = arena};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(taskfit_report_percent(&report, rows[i].part, rows[i].whole), rows[i].text);
    }
    taskfit_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_are_as_reviewed),
        cmocka_unit_test(documents_are_json_and_yaml),
        cmocka_unit_test(a_sink_that_fails_is_a_system_error),
        cmocka_unit_test(colour_only_where_asked),
        cmocka_unit_test(headlines_say_what_is_proved),
        cmocka_unit_test(many_warnings_are_cut_in_the_table_alone),
        cmocka_unit_test(large_fleets_are_summed_up),
        cmocka_unit_test(words_are_wrapped),
        cmocka_unit_test(shares_are_rounded),
    };
    return RUN_TESTS(tests);
}
