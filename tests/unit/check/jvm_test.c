#include "unit.h"

#include "check/jvm.h"
#include "parse.h"

static taskfit_jvm_memory memory_of(taskfit_arena *arena, const char *body) {
    taskfit_deployment *deployment = parse_deployment(
        "{taskfit: 1, cluster: {instanceGroups: [{name: main, types: [r7g.2xlarge]}]}, services: [{name: w, %s}]}", body);
    taskfit_jvm_memory memory;
    assert_true(taskfit_jvm_memory_of(&deployment->services[0], &deployment->services[0].containers[0], arena, &memory));
    memory.max_ram_percentage = NULL; /* it goes with the deployment */
    taskfit_deployment_free(deployment);
    return memory;
}

/* The worked example of the memory calculator: 15605568 KiB, 250 threads, 19692 loaded classes. */
static void a_limit_gives_the_heap_of_the_calculators_example(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_jvm_memory memory = memory_of(arena, "memory: 15605568Ki, jvm: {threads: 250, loadedClasses: 19692}");
    ASSERT_INT(memory.bytes[TASKFIT_JVM_METASPACE_REGION] / 1024, 125208);
    ASSERT_INT(taskfit_jvm_heap_bytes(&memory, INT64_C(15605568) * 1024, 0) / 1024, 14968359);
    ASSERT_INT(taskfit_jvm_heap_bytes(&memory, INT64_C(15605568) * 1024, 10) / 1024, 14968359 - 1560556 - 1);
    ASSERT_INT(memory.origins[TASKFIT_JVM_METASPACE_REGION], TASKFIT_JVM_ESTIMATED);
    ASSERT_INT(memory.origins[TASKFIT_JVM_STACKS], TASKFIT_JVM_ESTIMATED);
    ASSERT_INT(memory.origins[TASKFIT_JVM_CODE_CACHE_REGION], TASKFIT_JVM_DEFAULT);
    taskfit_arena_free(arena);
}

/* The other direction: limits from the heap, and back. */
static void the_smallest_safe_limits_hold_the_flags_and_no_less_does(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_jvm_memory memory = memory_of(arena, "memory: 4096, jvm: {xmx: 3076m, metaspace: 384m, maxMetaspace: 512m}");
    ASSERT_INT(taskfit_jvm_hard_need_mib(&memory), 3076 + 512 + 500);
    ASSERT_INT(taskfit_jvm_soft_need_mib(&memory), 3076 + 512);
    assert_true(taskfit_jvm_heap_bytes(&memory, INT64_C(4088) << 20, 0) == INT64_C(3076) << 20);
    assert_true(taskfit_jvm_heap_bytes(&memory, INT64_C(4087) << 20, 0) < INT64_C(3076) << 20);
    assert_true(taskfit_jvm_heap_bytes(&memory, 0, 0) < 0);
    taskfit_arena_free(arena);
}

static void every_region_says_where_its_size_is_from(void **state) {
    (void)state;
    enum { G = TASKFIT_JVM_GIVEN, E = TASKFIT_JVM_ESTIMATED, D = TASKFIT_JVM_DEFAULT, U = TASKFIT_JVM_UNKNOWN };
    static const struct {
        const char *body;
        int64_t mib[TASKFIT_JVM_REGIONS]; /* rounded up */
        int origins[TASKFIT_JVM_REGIONS];
        int64_t hard_need_mib, soft_need_mib;
    } rows[] = {
        {"memory: 1024, jvm: {}", {256, 123, 240, 250, 10}, {D, D, D, D, D}, 879, 379},
        {"memory: 1024, jvm: {maxRamPercentage: 66.5}", {681, 123, 240, 250, 10}, {E, D, D, D, D}, 1304, 804},
        {"memory: 1024, jvm: {xmx: 500m, maxRamPercentage: 66}", {500, 123, 240, 250, 10}, {G, D, D, D, D}, 1123, 623},
        {"memory: 1024, jvm: {xmx: 100m, xms: 400m, maxMetaspace: 9m}", {100, 9, 240, 250, 10}, {G, G, D, D, D}, 609, 400},
        {"memory: 1024, jvm: {xmx: 100m, metaspace: 7m}", {100, 7, 240, 250, 10}, {G, G, D, D, D}, 607, 107},
        {"memory: 1024, jvm: {xmx: 100m, metaspace: 7m, loadedClasses: 0}", {100, 14, 240, 250, 10}, {G, E, D, D, D}, 614, 114},
        {"memory: 1024, jvm: {xmx: 1m, maxMetaspace: 1m, codeCache: 2m, directMemory: 3m, threads: 4}", {1, 1, 2, 4, 3}, {G, G, G, E, G}, 11, 2},
        {"memory: 1024, jvm: {xmx: 1m, maxMetaspace: 1m, options: -Xss2m}", {1, 1, 240, 500, 10}, {G, G, D, E, D}, 752, 2},
        {"memoryReservation: 1024, jvm: {maxRamPercentage: 66}", {0, 123, 240, 250, 10}, {U, D, D, D, D}, -1, -1},
        {"memoryReservation: 1024, jvm: {xmx: 1m, threads: 1099511627776, loadedClasses: 1099511627776, options: -Xss1t}",
         {1, INT64_C(6081740814), 240, INT64_C(1) << 40, 10}, {G, E, D, E, D}, (INT64_C(1) << 40) + INT64_C(6081740814) + 251,
         INT64_C(6081740815)},
    };
    taskfit_arena *arena = taskfit_arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const taskfit_jvm_memory memory = memory_of(arena, rows[i].body);
        for (size_t region = 0; region < TASKFIT_JVM_REGIONS; region++) {
            if (taskfit_jvm_mib(memory.bytes[region]) != rows[i].mib[region] || (int)memory.origins[region] != rows[i].origins[region]) {
                fail_msg("%s: %s is %lld MiB (%s)", rows[i].body, taskfit_jvm_region_name((taskfit_jvm_region)region),
                         (long long)taskfit_jvm_mib(memory.bytes[region]), taskfit_jvm_origin_name(memory.origins[region]));
            }
        }
        ASSERT_INT(taskfit_jvm_hard_need_mib(&memory), rows[i].hard_need_mib);
        ASSERT_INT(taskfit_jvm_soft_need_mib(&memory), rows[i].soft_need_mib);
    }
    taskfit_arena_free(arena);
}

static void the_tasks_own_memory_bounds_a_container_without_limit(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_jvm_memory memory =
        memory_of(arena, "task: {memory: 1000}, containerDefinitions: [{name: a, jvm: {maxRamPercentage: 50}}]");
    ASSERT_INT(memory.hard_mib, 1000);
    assert_true(memory.bytes[TASKFIT_JVM_HEAP] == INT64_C(500) << 20);
    taskfit_arena_free(arena);
}

static void a_container_that_nothing_calls_a_jvm_is_none(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_deployment *deployment = parse_deployment("{taskfit: 1, cluster: {instanceGroups: [{name: main, types: [r7g.2xlarge]}]}, "
                                                      "services: [{name: w, memory: 512, environment: [{name: JAVA, value: -Xmx1g}]}]}");
    taskfit_jvm_memory memory;
    assert_false(taskfit_jvm_memory_of(&deployment->services[0], &deployment->services[0].containers[0], arena, &memory));
    taskfit_deployment_free(deployment);
    taskfit_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limit_gives_the_heap_of_the_calculators_example),
        cmocka_unit_test(the_smallest_safe_limits_hold_the_flags_and_no_less_does),
        cmocka_unit_test(every_region_says_where_its_size_is_from),
        cmocka_unit_test(the_tasks_own_memory_bounds_a_container_without_limit),
        cmocka_unit_test(a_container_that_nothing_calls_a_jvm_is_none),
    };
    return RUN_TESTS(tests);
}
