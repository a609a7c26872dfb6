#include "unit.h"

#include <inttypes.h>

#include "whatif/comparison.h"

/* 20 services x 2 on boxes of 10,000 MiB, two of one service never together; a task is its own 1,000 MiB and the sidecar. */
static void write_file(taskfit_strbuf *text, const char *more) {
    taskfit_strbuf_adds(text,
                        "taskfit: 1\n"
                        "cluster:\n"
                        "  name: boxes\n"
                        "  instanceTypes: [{type: box.large, vcpu: 4, registeredMemory: 10000, architecture: x86_64, usdPerHour: 0.1}]\n"
                        "  instanceGroups: [{name: main, types: [box.large]}]\n"
                        "defaults: {desiredCount: 2, sidecar: s, placementConstraints: [{type: distinctInstance}]}\n"
                        "sidecars: {s: {memory: 4000, memoryReservation: 500}}\n");
    taskfit_strbuf_adds(text, more);
    taskfit_strbuf_adds(text, "services:\n");
    for (int s = 0; s < 20; s++) {
        taskfit_strbuf_printf(text, "  - {name: s%02d, memory: 1000}\n", s);
    }
}

static taskfit_comparison *compare(const char *more, const char *const *vary, size_t n_vary, size_t n_workers) {
    TASKFIT_STRBUF(text);
    write_file(&text, more);
    const taskfit_whatif_file file = {"boxes.yaml", text.data, text.len};
    taskfit_compare_options options;
    taskfit_compare_options_init(&options);
    options.files = &file;
    options.n_files = 1;
    options.vary = vary;
    options.n_vary = n_vary;
    options.n_workers = n_workers;
    options.settings.time_limit_ms = 0; /* on a slow machine too */
    taskfit_comparison *comparison = NULL;
    taskfit_error err = {0};
    if (taskfit_compare(&options, &comparison, &err) != TASKFIT_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
    return comparison;
}

static const char preferred[] = "policy: {spread: preferred, rollingDeployment: none}\n";

/* floor(10000 / (1000 + v)) tasks on a box, 40 tasks. */
static int64_t boxes(int64_t v) {
    const int64_t per_box = 10000 / (1000 + v);
    return (40 + per_box - 1) / per_box;
}

static void breakpoints_are_exact(void **state) {
    (void)state;
    static const char *const vary[] = {"sidecar.memoryReservation=4..3000"};
    taskfit_comparison *comparison = compare(preferred, vary, 1, 1);
    int64_t next = 4;
    for (size_t r = 0; r < comparison->n_rows; r++) {
        const taskfit_row *row = &comparison->rows[r];
        assert_int_equal(row->low, next);
        assert_int_equal(row->plan->instances, boxes(row->low));
        assert_int_equal(row->plan->instances, boxes(row->high));
        assert_int_equal(row->plan->outcome, TASKFIT_OPTIMAL);
        next = row->high + 1;
        assert_true(next > 3000 || boxes(next) > row->plan->instances);
    }
    assert_int_equal(next, 3001);
    assert_true(comparison->ranges[0].certain);
    assert_true(comparison->ranges[0].proved);
    assert_true(comparison->ranges[0].n_solved <= 2 + 3 * comparison->n_rows);
    taskfit_comparison_free(comparison);
}

static void larger_boxes_need_fewer(void **state) {
    (void)state;
    static const char *const vary[] = {"cluster.instanceTypes.0.registeredMemory=6000..14000"};
    taskfit_comparison *comparison = compare(preferred, vary, 1, 1);
    assert_int_equal(comparison->ranges[0].trend, TASKFIT_TREND_DOWN);
    for (size_t r = 0; r < comparison->n_rows; r++) {
        const taskfit_row *row = &comparison->rows[r];
        const int64_t per_box = row->low / 1500;
        assert_int_equal(row->plan->instances, (40 + per_box - 1) / per_box);
        if (r > 0) { /* the row shows its smallest value: one MiB less needs more */
            assert_int_equal(row->low % 1500, 0);
            assert_true(row->plan->instances < comparison->rows[r - 1].plan->instances);
        }
    }
    taskfit_comparison_free(comparison);
}

/* The cheapest fleet is of small boxes while a task fits on them, then of great ones, which hold several. */
static void rising_and_falling_is_said(void **state) {
    (void)state;
    static const char more[] =
        "policy: {spread: preferred, rollingDeployment: none, objective: [cost, count]}\n";
    static const char *const vary[] = {"sidecar.memoryReservation=1000..9000"};
    TASKFIT_STRBUF(text);
    taskfit_strbuf_printf(&text,
                          "taskfit: 1\ncluster:\n  name: mixed\n  instanceTypes:\n"
                          "    - {type: small.large, vcpu: 4, registeredMemory: 4000, architecture: x86_64, usdPerHour: 0.1}\n"
                          "    - {type: great.large, vcpu: 4, registeredMemory: 20000, architecture: x86_64, usdPerHour: 0.35}\n"
                          "  instanceGroups: [{name: main, types: [small.large, great.large]}]\n"
                          "sidecars: {s: {memory: 10000, memoryReservation: 500}}\n%s"
                          "services: [{name: a, desiredCount: 6, memory: 1000, sidecar: s}]\n",
                          more);
    const taskfit_whatif_file file = {"mixed.yaml", text.data, text.len};
    taskfit_compare_options options;
    taskfit_compare_options_init(&options);
    options.files = &file;
    options.n_files = 1;
    options.vary = vary;
    options.n_vary = 1;
    taskfit_comparison *comparison = NULL;
    assert_int_equal(taskfit_compare(&options, &comparison, NULL), TASKFIT_OK);
    assert_false(comparison->ranges[0].monotone);
    assert_false(comparison->ranges[0].certain);
    taskfit_comparison_free(comparison);
}

static int append(void *sink, const char *data, size_t len) {
    taskfit_strbuf_add(sink, data, len);
    return 0;
}

/* Whatever the number of threads, the same bytes. */
static void threads_change_nothing(void **state) {
    (void)state;
    static const char *const vary[] = {"sidecar.memoryReservation=100,200,300,400,500,600,700", "s00.desiredCount=1,2,3"};
    TASKFIT_STRBUF(first);
    for (size_t n_workers = 1; n_workers < 5; n_workers++) {
        TASKFIT_STRBUF(text);
        taskfit_comparison *comparison = compare("", vary, 2, n_workers);
        assert_int_equal(taskfit_comparison_rows(comparison), 21);
        assert_int_equal(taskfit_comparison_write(comparison, TASKFIT_STYLE_JSON, false, append, &text, NULL), TASKFIT_OK);
        if (n_workers == 1) {
            taskfit_strbuf_adds(&first, text.data);
        }
        assert_string_equal(text.data, first.data);
        taskfit_comparison_free(comparison);
    }
}

static void ranges_and_values_combine(void **state) {
    (void)state;
    static const char *const vary[] = {"sidecar.memoryReservation=200..300", "s00.desiredCount=1,2"};
    taskfit_comparison *comparison = compare(preferred, vary, 2, 0);
    assert_int_equal(comparison->n_ranges, 2);
    assert_string_equal(taskfit_comparison_label(comparison, 0), "sidecar.memoryReservation=200..250 s00.desiredCount=1");
    taskfit_comparison_free(comparison);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(breakpoints_are_exact),
        cmocka_unit_test(larger_boxes_need_fewer),
        cmocka_unit_test(rising_and_falling_is_said),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(ranges_and_values_combine),
    };
    return RUN_TESTS(tests);
}
