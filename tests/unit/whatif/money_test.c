#include "unit.h"

#include "whatif/money.h"

static taskfit_deployment *parse(const char *services, const char *items) {
    TASKFIT_STRBUF(text);
    taskfit_strbuf_printf(&text,
                          "taskfit: 1\ncluster: {instanceGroups: [{name: main, types: [r7g.2xlarge]}]}\n"
                          "services: [%s]\ncosts: {items: [%s]}\n",
                          services, items);
    taskfit_deployment *deployment = NULL;
    taskfit_error err = {0};
    if (taskfit_deployment_parse("costs.yaml", text.data, text.len, NULL, &deployment, &err) != TASKFIT_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
    return deployment;
}

/* Two services of three and two tasks, seven instances, 730 hours. */
static void items_cost_what_they_say(void **state) {
    (void)state;
    static const struct {
        const char *item;
        int64_t usd_cents;
        bool weak;
    } rows[] = {
        {"usdPerMonth: 100", 10000, false},
        {"usdPerMonth: 0", 0, false},
        {"usdPerMonth: 0.005", 1, false}, /* half up */
        {"usdPerMonth: 0.0049", 0, false},
        {"usdPerHour: 0.1", 7300, false},
        {"usdPerHour: 0.1, count: 3", 21900, false},
        {"usdPerHour: 0.1, count: 0", 0, false},
        {"usdPerMonth: 2, per: instance", 1400, false},
        {"usdPerMonth: 2, per: service", 400, false},
        {"usdPerMonth: 2, per: task, count: 2", 2000, false},
        {"service: ebs, type: gp3, storageGiBEach: 100, per: instance", 5600, true},
        {"service: ebs, storageGiB: 100", 800, true},
        {"service: rds, type: db.r7g.xlarge, engine: mysql", 34894, false},
        {"service: rds, type: db.r7g.xlarge, engine: mysql, storageGiB: 500", 34894 + 5750, false},
        {"service: rds, type: db.r7g.xlarge, engine: mysql, count: 2, storageGiBEach: 500", 2 * (34894 + 5750), false},
        {"service: rds, type: db.r6g.xlarge, engine: postgresql", 32850, true},
        {"service: rds, type: db.nobody.knows, usdPerHour: 1", 73000, false},
        {"service: msk, type: kafka.m5.2xlarge, count: 2, storageGiBEach: 300", 122640 + 6000, false},
        {"service: rds, type: db.r7g.xlarge, engine: mysql, when: readWriteSplit", 0, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        taskfit_arena *arena = taskfit_arena_new();
        taskfit_deployment *deployment =
            parse("{name: a, memory: 100, desiredCount: 3}, {name: b, memory: 100, desiredCount: 2}",
                  taskfit_arena_printf(arena, "{name: x, %s}", rows[i].item));
        taskfit_item_costs costs;
        assert_int_equal(taskfit_item_costs_of(deployment, NULL, 7, arena, &costs, NULL), TASKFIT_OK);
        assert_int_equal(costs.usd_cents, rows[i].usd_cents);
        assert_int_equal(costs.items[0].weak != NULL, rows[i].weak);
        taskfit_deployment_free(deployment);
        taskfit_arena_free(arena);
    }
}

static void a_reader_is_paid_when_somebody_reads(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_deployment *deployment = parse("{name: a, memory: 100}, {name: b, memory: 100, readWriteSplit: true}",
                                           "{name: reader, usdPerMonth: 5, when: readWriteSplit}");
    taskfit_item_costs costs;
    assert_int_equal(taskfit_item_costs_of(deployment, NULL, 1, arena, &costs, NULL), TASKFIT_OK);
    assert_true(costs.items[0].paid);
    assert_int_equal(costs.usd_cents, 500);
    taskfit_deployment_free(deployment);
    taskfit_arena_free(arena);
}

static void an_unknown_price_names_its_line(void **state) {
    (void)state;
    static const struct {
        const char *item, *line;
    } rows[] = {
        {"service: rds, type: db.x.large, engine: oracle", "'db.x.large oracle,USD,hour,given,WHERE FROM'"},
        {"service: rds, type: db.r6g.xlarge", "'db.r6g.xlarge,USD,hour,given,WHERE FROM'"},
        {"service: msk, type: kafka.m9.large", "'kafka.m9.large,USD,hour,given,WHERE FROM'"},
        {"service: ebs, type: io2, storageGiB: 1", "'ebs io2,USD,GiB-month,given,WHERE FROM'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        taskfit_arena *arena = taskfit_arena_new();
        taskfit_deployment *deployment = parse("{name: a, memory: 100}", taskfit_arena_printf(arena, "{name: x, %s}", rows[i].item));
        taskfit_item_costs costs = {.n_items = 99};
        taskfit_error err = {0};
        assert_int_equal(taskfit_item_costs_of(deployment, NULL, 1, arena, &costs, &err), TASKFIT_E_INPUT);
        assert_non_null(strstr(err.message, rows[i].line));
        assert_non_null(strstr(err.where, "costs.yaml:4:17: costs.items[0]"));
        assert_int_equal(costs.n_items, 99);
        taskfit_deployment_free(deployment);
        taskfit_arena_free(arena);
    }
}

static void connections_are_tasks_times_pools(void **state) {
    (void)state;
    static const struct {
        const char *item;
        bool exceeded;
    } rows[] = {
        {"maxConnections: 100, poolSize: 20", false}, /* 5 tasks */
        {"maxConnections: 99, poolSize: 20", true},
        {"maxConnections: 50, poolSize: 20, count: 2", false},
        {"maxConnections: 39, poolSize: 20, when: readWriteSplit", true}, /* only the 2 of b */
        {"maxConnections: 40, poolSize: 20, when: readWriteSplit", false},
        {"count: 1", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        taskfit_arena *arena = taskfit_arena_new();
        taskfit_deployment *deployment =
            parse("{name: a, memory: 100, desiredCount: 3}, {name: b, memory: 100, desiredCount: 2, readWriteSplit: true}",
                  taskfit_arena_printf(arena, "{name: x, usdPerMonth: 1, %s}", rows[i].item));
        taskfit_warning warning = {0};
        assert_int_equal(taskfit_connections_exceeded(deployment, &deployment->cost_items[0], arena, &warning), rows[i].exceeded);
        taskfit_deployment_free(deployment);
        taskfit_arena_free(arena);
    }
}

static void fargate_sizes_are_valid_ones(void **state) {
    (void)state;
    static const struct {
        int64_t cpu_units, memory_mib;
        taskfit_fargate_size size; /* 0: none */
    } rows[] = {
        {0, 0, {256, 512}},         {256, 512, {256, 512}},     {256, 513, {256, 1024}},       {256, 1025, {256, 2048}},
        {256, 2049, {512, 3072}},   {257, 1, {512, 1024}},      {0, 4097, {1024, 5120}},       {1025, 1, {2048, 4096}},
        {4096, 30721, {8192, 32768}}, {8192, 16385, {8192, 20480}}, {8193, 1, {16384, 32768}}, {16384, 122880, {16384, 122880}},
        {16384, 122881, {0, 0}},    {16385, 1, {0, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        taskfit_fargate_size size = {0, 0};
        bool found = taskfit_fargate_size_of(rows[i].cpu_units, rows[i].memory_mib, 40480, 4445, &size);
        assert_int_equal(found, rows[i].size.cpu_units > 0);
        assert_int_equal(size.cpu_units, rows[i].size.cpu_units);
        assert_int_equal(size.memory_mib, rows[i].size.memory_mib);
    }
}

static void fargate_costs_each_task(void **state) {
    (void)state;
    taskfit_deployment *deployment = parse("{name: a, memory: 2000, desiredCount: 3}, "
                                           "{name: b, cpu: 512, memory: 1000, runtimePlatform: {cpuArchitecture: ARM64}}", "");
    int64_t usd_micros = 0;
    /* 3 x (0.25 x 0.04048 + 2 x 0.004445) + (0.5 x 0.03238 + 1 x 0.00356) */
    assert_int_equal(taskfit_fargate_cost(deployment, NULL, TASKFIT_ARCH_X86_64, &usd_micros, NULL), TASKFIT_OK);
    assert_int_equal(usd_micros, 3 * 19010 + 19750);
    taskfit_deployment_free(deployment);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_cost_what_they_say),
        cmocka_unit_test(a_reader_is_paid_when_somebody_reads),
        cmocka_unit_test(an_unknown_price_names_its_line),
        cmocka_unit_test(connections_are_tasks_times_pools),
        cmocka_unit_test(fargate_sizes_are_valid_ones),
        cmocka_unit_test(fargate_costs_each_task),
    };
    return RUN_TESTS(tests);
}
