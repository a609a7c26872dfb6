#include "unit.h"

#include "whatif/reach.h"

/* 20 services x 2, two of one never together, on boxes of 10,000 MiB: floor(10000 / task) on each. */
static taskfit_reach *seek(int64_t instances, const char *sidecar, const char *service, const char *policy) {
    TASKFIT_STRBUF(text);
    taskfit_strbuf_printf(&text,
                          "taskfit: 1\n"
                          "cluster:\n"
                          "  name: boxes\n"
                          "  instanceTypes: [{type: box.large, vcpu: 4, registeredMemory: 10000, architecture: x86_64, usdPerHour: 0.1}]\n"
                          "  instanceGroups: [{name: main, types: [box.large]}]\n"
                          "defaults: {desiredCount: 2, sidecar: s, placementConstraints: [{type: distinctInstance}]}\n"
                          "sidecars: {s: {%s}}\n"
                          "policy: {rollingDeployment: none, %s}\n"
                          "services:\n",
                          sidecar, policy);
    for (int s = 0; s < 20; s++) {
        taskfit_strbuf_printf(&text, "  - {name: s%02d, %s}\n", s, service);
    }
    taskfit_reach_options options;
    taskfit_reach_options_init(&options);
    options.file = (taskfit_whatif_file){"boxes.yaml", text.data, text.len};
    options.instances = instances;
    taskfit_reach *reach = NULL;
    taskfit_error err = {0};
    if (taskfit_reach_new(&options, &reach, &err) != TASKFIT_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
    return reach;
}

static const taskfit_reach_row *row_of(const taskfit_reach *reach, const char *lever) {
    for (size_t i = 0; i < reach->n_rows; i++) {
        if (strcmp(reach->rows[i].lever, lever) == 0) {
            return &reach->rows[i];
        }
    }
    fail_msg("no lever '%s'", lever);
    return NULL;
}

/* As it is: 1500 MiB, 6 on a box, 7 boxes. */
static void the_smallest_cut_is_exact(void **state) {
    (void)state;
    static const struct {
        int64_t instances, sidecar_mib, module_permille;
        bool sidecar_reaches;
    } rows[] = {
        {6, 428, 928, true},  /* 7 on a box: 1428 */
        {5, 250, 750, true},  /* 8 on a box: 1250 */
        {4, 4, 500, false},   /* 10 on a box: 1000, which a sidecar of 4 MiB misses; then 5 boxes is what it can */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        taskfit_reach *reach = seek(rows[i].instances, "memory: 4000, memoryReservation: 500", "memory: 1000", "spread: preferred");
        const taskfit_reach_row *sidecar = row_of(reach, "sidecar.memoryReservation");
        const taskfit_reach_row *module = row_of(reach, "memoryReservation of all modules");
        assert_int_equal(sidecar->reaches, rows[i].sidecar_reaches);
        assert_true(sidecar->proved);
        assert_true(module->proved);
        assert_int_equal(module->value, rows[i].module_permille);
        assert_int_equal(sidecar->value, rows[i].sidecar_reaches ? rows[i].sidecar_mib : 250);
        assert_int_equal(sidecar->instances, rows[i].sidecar_reaches ? rows[i].instances : 5);
        assert_int_equal(taskfit_reach_outcome(reach), TASKFIT_OPTIMAL);
        taskfit_reach_free(reach);
    }
}

static void risks_are_counted(void **state) {
    (void)state;
    taskfit_reach *reach = seek(5, "memory: 4000, memoryReservation: 500, jvm: {xmx: 300m, maxMetaspace: 64m}",
                                "memory: 1000, observed: {memory: 800}", "spread: preferred");
    const taskfit_reach_row *sidecar = row_of(reach, "sidecar.memoryReservation");
    const taskfit_reach_row *module = row_of(reach, "memoryReservation of all modules");
    assert_int_equal(sidecar->risk.n_jvm_above, 20);
    assert_int_equal(sidecar->risk.n_observed_above, 0);
    assert_int_equal(module->risk.n_observed_above, 20);
    assert_int_equal(module->risk.n_jvm_above, 0);
    assert_string_equal(sidecar->risk.worst, "s00: 364 MiB needed, 250 reserved");
    assert_string_equal(module->risk.worst, "s00: 800 MiB needed, 750 reserved");
    taskfit_reach_free(reach);
}

static void a_rule_is_given_up(void **state) {
    (void)state;
    taskfit_reach *reach = seek(7, "memory: 500", "memory: 1000", "spread: preferred, headroom: {memoryPercent: 20}");
    const taskfit_reach_row *headroom = row_of(reach, "policy.headroom");
    assert_true(headroom->reaches);
    assert_int_equal(headroom->instances, 7);
    taskfit_reach_free(reach);
}

static void what_fits_needs_no_lever(void **state) {
    (void)state;
    taskfit_reach *reach = seek(7, "memory: 500", "memory: 1000", "spread: preferred");
    assert_true(reach->already);
    assert_int_equal(reach->n_rows, 0);
    assert_int_equal(taskfit_reach_outcome(reach), TASKFIT_OPTIMAL);
    taskfit_reach_free(reach);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_smallest_cut_is_exact),
        cmocka_unit_test(risks_are_counted),
        cmocka_unit_test(a_rule_is_given_up),
        cmocka_unit_test(what_fits_needs_no_lever),
    };
    return RUN_TESTS(tests);
}
