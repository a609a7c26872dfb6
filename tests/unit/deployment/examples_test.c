/* The examples stay what their heads say: counts and sums, computed apart from taskfit when they were written. */
#include "unit.h"

#include "base/strbuf.h"
#include "deployment/accounting.h"

static const struct {
    const char *path;
    int64_t n_services, n_tasks, reserved_memory_mib, reserved_cpu_units, hard_memory_mib;
} rows[] = {
    {"examples/minimal.yaml", 1, 1, 512, 0, 512},
    {"examples/pcp1.yaml", 10, 21, 39620, 16640, 44716},
    /* 121 modules of 200997 MiB for one task each; kong 2428, folio-keycloak 5120 */
    {"examples/eureka-release.yaml", 123, 246, (200997 + 2428 + 5120) * 2, 0, 285310 * 2},
    {"examples/relc.yaml", 97, 194, 334750, 9984, 217512 * 2},
    {"examples/two-groups.yaml", 10, 21, 39620, 42, 44716},
    {"examples/lotus-kubernetes.yaml", 5, 10, 15068, 5250, 18524},
    {"examples/expected-cpu.yaml", 14, 112, 358400, 0, 458752},
};

static void add_line(void *arg, const char *text) { taskfit_strbuf_printf(arg, "%s\n", text); }

static taskfit_deployment *read_example(const char *path) {
    TASKFIT_STRBUF(text);
    TASKFIT_STRBUF(defects);
    char chunk[4096];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    for (size_t len; (len = fread(chunk, 1, sizeof chunk, file)) > 0;) {
        taskfit_strbuf_add(&text, chunk, len);
    }
    assert_int_equal(fclose(file), 0);
    taskfit_deployment *deployment = NULL;
    taskfit_parse_options options;
    taskfit_parse_options_init(&options);
    options.diag = add_line;
    options.diag_arg = &defects;
    if (taskfit_deployment_parse(path, text.data, text.len, &options, &deployment, NULL) != TASKFIT_OK) {
        fail_msg("%s", defects.data);
    }
    return deployment;
}

static void sums_are_those_of_the_sources(void **state TASKFIT_UNUSED) {
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        taskfit_deployment *deployment = read_example(rows[row].path);
        taskfit_arena *arena = taskfit_arena_new();
        int64_t n_tasks = 0, memory_mib = 0, cpu_units = 0, hard_memory_mib = 0;
        for (size_t index = 0; index < deployment->n_services; index++) {
            const taskfit_service *service = &deployment->services[index];
            const taskfit_task_demand demand = taskfit_task_demand_of(service, arena);
            n_tasks += service->desired_count;
            memory_mib += service->desired_count * demand.amount[TASKFIT_RESOURCE_MEMORY];
            cpu_units += service->desired_count * demand.amount[TASKFIT_RESOURCE_CPU];
            hard_memory_mib += service->desired_count * demand.amount[TASKFIT_RESOURCE_HARD_MEMORY];
        }
        print_message("# %s\n", rows[row].path);
        ASSERT_INT(deployment->n_services, rows[row].n_services);
        ASSERT_INT(n_tasks, rows[row].n_tasks);
        ASSERT_INT(memory_mib, rows[row].reserved_memory_mib);
        ASSERT_INT(cpu_units, rows[row].reserved_cpu_units);
        ASSERT_INT(hard_memory_mib, rows[row].hard_memory_mib);
        taskfit_arena_free(arena);
        taskfit_deployment_free(deployment);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums_are_those_of_the_sources)};
    return RUN_TESTS(tests);
}
