#include "unit.h"

#include "whatif/vary.h"

static void values_are_split(void **state) {
    (void)state;
    static const struct {
        const char *text, *path, *values; /* joined by '|' */
    } rows[] = {
        {"sidecar.cpu=0,512", "sidecar.cpu", "0|512"},
        {" sidecar.cpu = 0 , 512 ", "sidecar.cpu", "0|512"},
        {"type=m6i.large,r7g.large", "type", "m6i.large|r7g.large"},
        {"x.types=[a,b],[c]", "x.types", "[a,b]|[c]"},
        {"x.purchase={discountPercent: 1, a: 2},onDemand", "x.purchase", "{discountPercent: 1, a: 2}|onDemand"},
        {"x.image='a,b',\"c,d\"", "x.image", "'a,b'|\"c,d\""},
        {"x.\"a=b\".cpu=1", "x.\"a=b\".cpu", "1"},
        {"x.image=1..b", "x.image", "1..b"},
        {"x.cpu=-1..2", "x.cpu", "-1..2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        taskfit_arena *arena = taskfit_arena_new();
        taskfit_vary vary;
        taskfit_error err = {0};
        assert_int_equal(taskfit_vary_parse(arena, rows[i].text, &vary, &err), TASKFIT_OK);
        TASKFIT_STRBUF(values);
        for (size_t v = 0; v < vary.n_values; v++) {
            taskfit_strbuf_printf(&values, "%s%s", v > 0 ? "|" : "", vary.values[v]);
        }
        assert_string_equal(vary.path, rows[i].path);
        assert_string_equal(values.data, rows[i].values);
        assert_false(vary.range);
        taskfit_arena_free(arena);
    }
}

static void a_range_is_two_whole_numbers(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_vary vary;
    assert_int_equal(taskfit_vary_parse(arena, "sidecar.memoryReservation=256..1024", &vary, NULL), TASKFIT_OK);
    assert_true(vary.range);
    assert_int_equal(vary.low, 256);
    assert_int_equal(vary.high, 1024);
    assert_string_equal(taskfit_vary_edit(arena, &vary, "300"), "sidecar.memoryReservation=300");
    assert_int_equal(taskfit_vary_trend(&vary), TASKFIT_TREND_UP);
    assert_int_equal(taskfit_vary_parse(arena, "policy.maxHardMemoryPercent=90..120", &vary, NULL), TASKFIT_OK);
    assert_int_equal(taskfit_vary_trend(&vary), TASKFIT_TREND_DOWN);
    assert_int_equal(taskfit_vary_parse(arena, "x.desiredCount=1..3", &vary, NULL), TASKFIT_OK);
    assert_int_equal(taskfit_vary_trend(&vary), TASKFIT_TREND_UNKNOWN);
    assert_int_equal(taskfit_vary_parse(arena, "type=a", &vary, NULL), TASKFIT_OK);
    assert_string_equal(taskfit_vary_edit(arena, &vary, "a"), "cluster.instanceGroups.0.types=[a]");
    taskfit_arena_free(arena);
}

static void what_is_refused(void **state) {
    (void)state;
    static const char *const texts[] = {"", "x", "=1", "x=", "x=1,", "x=,1", "x=1, ,2", "x=5..5", "x=6..5"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        taskfit_arena *arena = taskfit_arena_new();
        taskfit_vary vary = {.path = "untouched"};
        taskfit_error err = {0};
        assert_int_equal(taskfit_vary_parse(arena, texts[i], &vary, &err), TASKFIT_E_ARGUMENT);
        assert_string_equal(vary.path, "untouched");
        taskfit_arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_split),
        cmocka_unit_test(a_range_is_two_whole_numbers),
        cmocka_unit_test(what_is_refused),
    };
    return RUN_TESTS(tests);
}
