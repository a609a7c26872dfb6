#include "unit.h"

#include "base/strbuf.h"
#include "parse.h"
#include "problem/advice.h"

static void add(void *arg, const char *code, const char *message) {
    taskfit_strbuf_printf(arg, "%s %s\n", code, message);
}

/* A deployment sized with its ladder, and what is advised, without the lines of other codes. */
static void assert_advice(const char *code, const char *cluster, const char *services, const char *expected) {
    taskfit_deployment *deployment = parse_deployment("taskfit: 1\ncluster:\n%s\npolicy: {rollingDeployment: none}\nservices:\n%s\n", cluster, services);
    taskfit_settings settings;
    taskfit_settings_init(&settings);
    taskfit_plan *plan = NULL;
    ASSERT_INT(taskfit_size(deployment, &settings, &plan, NULL), TASKFIT_OK);
    assert_true(taskfit_plan_instances(plan) > 0);
    TASKFIT_STRBUF(told);
    taskfit_plan_advise(plan, add, &told);
    const char *line = strstr(told.data, code);
    if ((line == NULL) != (expected == NULL) || (line != NULL && strncmp(line, expected, strlen(expected)) != 0)) {
        fail_msg("%s: '%s', not '%s'", code, told.data, expected != NULL ? expected : "");
    }
    bool in_plan = false;
    for (size_t w = 0; w < plan->n_warnings; w++) {
        in_plan = in_plan || strcmp(plan->warnings[w].code, code) == 0;
    }
    ASSERT_INT(in_plan, expected != NULL);
    taskfit_plan_free(plan);
    taskfit_deployment_free(deployment);
}

#define TYPE_T "  instanceTypes: [{type: t, vcpu: 1, registeredMemory: 1000, architecture: arm64, usdPerHour: 1}]\n"

static void heavy_tasks_without_cpu_units(void **state) {
    (void)state;
    static const struct {
        const char *services, *expected;
    } row[] = {
        /* two instances by memory; the two heavy ones fit together on one, 600 of 1024 units */
        {"  - {name: heavy, memory: 300, observed: {cpu: 300}, placementStrategy: [{type: binpack, field: memory}]}\n"
         "  - {name: heavy2, memory: 300, observed: {cpu: 300}, placementStrategy: [{type: binpack, field: memory}]}\n"
         "  - {name: idle, memory: 400, observed: {cpu: 10}}\n"
         "  - {name: big, memory: 1000, observed: {cpu: 10}}",
         "CPU002 2 of the heaviest tasks without CPU units, by observed use, stand together on main-1 and use 58 % of it: heavy, heavy2 ("},
        /* with CPU units ECS counts them */
        {"  - {name: heavy, cpu: 10, memory: 300, observed: {cpu: 300}}\n"
         "  - {name: heavy2, cpu: 10, memory: 300, observed: {cpu: 300}}\n"
         "  - {name: idle, cpu: 10, memory: 400, observed: {cpu: 10}}\n"
         "  - {name: big, memory: 1000, observed: {cpu: 10}}",
         NULL},
        /* 20 % of an instance together: no matter */
        {"  - {name: heavy, memory: 300, observed: {cpu: 100}}\n"
         "  - {name: heavy2, memory: 300, observed: {cpu: 100}}\n"
         "  - {name: big, memory: 1000, observed: {cpu: 10}}",
         NULL},
        /* nobody measured */
        {"  - {name: heavy, memory: 300}\n  - {name: heavy2, memory: 300}\n  - {name: big, memory: 1000}", NULL},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        assert_advice("CPU002", TYPE_T "  instanceGroups: [{name: main, types: [t]}]", row[i].services, row[i].expected);
    }
}

static void spread_while_an_instance_is_drained(void **state) {
    (void)state;
    static const struct {
        const char *azs, *services, *expected;
        int n_min;
    } row[] = {
        /* one instance in each AZ: its AZ keeps none */
        {"a, b", "  - {name: web, memory: 300, desiredCount: 2}",
         "SPREAD004 spread over availability zones cannot hold while any instance is drained: of what main-1 holds, a must keep 300 MiB and has room for 0",
         2},
        /* two in each: room enough on the other */
        {"a, b", "  - {name: web, memory: 300, desiredCount: 2}", NULL, 4},
        /* one task over two AZs: one AZ has none anyway */
        {"a, b", "  - {name: web, memory: 300, desiredCount: 1}", NULL, 2},
        {"a", "  - {name: web, memory: 300, desiredCount: 2}", NULL, 2},
        /* not its wish */
        {"a, b", "  - {name: web, memory: 300, desiredCount: 2, placementStrategy: [{type: spread, field: instanceId}]}", NULL, 2},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        TASKFIT_STRBUF(cluster);
        taskfit_strbuf_printf(&cluster, "  availabilityZones: [%s]\n" TYPE_T "  instanceGroups: [{name: main, types: [t], min: %d}]", row[i].azs,
                              row[i].n_min);
        assert_advice("SPREAD004", cluster.data, row[i].services, row[i].expected);
    }
}

static void counts_that_are_no_multiple(void **state) {
    (void)state;
    /* six of 500: three instances; in two AZs three tasks each, two instances each */
    assert_advice("SPREAD005", "  availabilityZones: [a, b]\n" TYPE_T "  instanceGroups: [{name: main, types: [t]}]",
                  "  - {name: web, memory: 500, desiredCount: 6}",
                  "SPREAD005 spread takes 4 instances where 3 hold the tasks, as 3 is no multiple of the 2 availability zones");
    /* eight of 500: four and four */
    assert_advice("SPREAD005", "  availabilityZones: [a, b]\n" TYPE_T "  instanceGroups: [{name: main, types: [t]}]",
                  "  - {name: web, memory: 500, desiredCount: 8}", NULL);
}

static void mixed_types(void **state) {
    (void)state;
    static const char *const cluster = "  instanceTypes:\n"
                                       "    - {type: small, vcpu: 1, registeredMemory: 500, architecture: arm64, usdPerHour: 1}\n"
                                       "    - {type: large, vcpu: 2, registeredMemory: 1000, architecture: arm64, usdPerHour: 1}\n"
                                       "  instanceGroups: [{name: main, types: [large, small], mixed: %s}]";
    static const char *const services = "  - {name: big, memory: 600}\n  - {name: little, memory: 100}";
    for (int mixed = 0; mixed < 2; mixed++) {
        taskfit_arena *arena = taskfit_arena_new();
        TASKFIT_STRBUF(text);
        const char *mark = strstr(cluster, "%s");
        taskfit_strbuf_printf(&text, "%.*s%s}]", (int)(mark - cluster), cluster, mixed ? "true" : "false");
        assert_advice("GROUP003", text.data, services,
                      mixed ? "GROUP003 group 'main' mixes types, and a capacity provider scales by its smallest, small, which holds no task of 1 "
                              "services: they stay PENDING when they need a new instance: big"
                            : NULL);
        taskfit_arena_free(arena);
    }
}

/* Case 22 (FOLIO performance team, cluster mcpt, 2024): 22.4 vCPU observed. By memory 6 x2gd.xlarge of 24 vCPU hold it, and run
 * hot; with a cap of 60 % it takes at least 10. */
static void measured_use_decides_where_cpu_units_are_0(void **state) {
    (void)state;
    static const struct {
        const char *policy;
        int64_t least, most; /* instances */
        bool warned;
    } row[] = {{"{rollingDeployment: none}", 6, 6, true}, {"{rollingDeployment: none, maxExpectedCpuPercent: 60}", 10, 11, false}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        TASKFIT_STRBUF(services);
        for (int s = 0; s < 14; s++) {
            taskfit_strbuf_printf(&services, "  - {name: s%d}\n", s);
        }
        taskfit_deployment *deployment = parse_deployment(
            "taskfit: 1\n"
            "cluster: {instanceGroups: [{name: main, types: [x2gd.xlarge]}]}\n"
            "defaults: {desiredCount: 8, memory: 4096, memoryReservation: 3200, observed: {cpu: 205, memory: 2900}}\n"
            "policy: %s\nservices:\n%s",
            row[i].policy, services.data);
        taskfit_plan *plan = size_deployment(deployment);
        assert_in_range(taskfit_plan_instances(plan), row[i].least, row[i].most);
        bool warned = false;
        for (size_t w = 0; w < plan->n_warnings; w++) {
            warned = warned || strcmp(plan->warnings[w].code, "CPU001") == 0;
        }
        ASSERT_INT(warned, row[i].warned);
        taskfit_plan_free(plan);
        taskfit_deployment_free(deployment);
    }
    ASSERT_INT(14 * 8 * 205 * 100 / (6 * 4 * 1024), 93); /* percent of the six */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heavy_tasks_without_cpu_units),
        cmocka_unit_test(spread_while_an_instance_is_drained),
        cmocka_unit_test(counts_that_are_no_multiple),
        cmocka_unit_test(mixed_types),
        cmocka_unit_test(measured_use_decides_where_cpu_units_are_0),
    };
    return RUN_TESTS(tests);
}
