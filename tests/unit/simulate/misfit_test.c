#include "unit.h"

#include "parse.h"
#include "simulate/misfit.h"
#include "simulate/place.h"

/* One instance of 1000 MiB and 2048 units holds `first`; why does a task of `second` not join it? */
static void the_reason_names_figures(void **state) {
    (void)state;
    static const struct {
        const char *first, *second;
        taskfit_obstacle obstacle;
        int64_t need, room;
        const char *text;
    } row[] = {
        {"memory: 700", "memory: 400", TASKFIT_OBSTACLE_MEMORY, 400, 300,
         "main-1 comes closest, with 300 of the 400 MiB of memory it needs"},
        {"memory: 10, cpu: 2000", "memory: 10, cpu: 100", TASKFIT_OBSTACLE_CPU, 100, 48,
         "main-1 comes closest, with 48 of the 100 CPU units it needs"},
        {"memory: 10, portMappings: [{containerPort: 1, hostPort: 80}]", "memory: 10, portMappings: [{containerPort: 2, hostPort: 80}]",
         TASKFIT_OBSTACLE_PORTS, -1, -1, "main-1 has the resources, but not its host port free"},
        {"memory: 10", "memory: 10, placementConstraints: [{type: memberOf, expression: 'not(task:group == service:first)'}]",
         TASKFIT_OBSTACLE_CONFLICT, -1, -1, "main-1 has room, but 'first' stands there, which it must not meet"},
        {"memory: 10", "memory: 10, group: other", TASKFIT_OBSTACLE_PERMISSION, -1, -1,
         "there is no instance that it may stand on (group, architecture, memberOf)"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        taskfit_deployment *deployment = parse_deployment(
            "taskfit: 1\n"
            "cluster:\n"
            "  instanceTypes: [{type: t, vcpu: 2, registeredMemory: 1000, architecture: arm64, usdPerHour: 1}]\n"
            "  instanceGroups: [{name: main, types: [t]}, {name: other, types: [t]}]\n"
            "services:\n"
            "  - {name: first, %s}\n"
            "  - {name: second, %s}\n",
            row[i].first, row[i].second);
        taskfit_arena *arena = taskfit_arena_new();
        taskfit_machine machine = {.group = 0};
        const taskfit_fleet fleet = {.machines = &machine, .n_machines = 1};
        taskfit_cluster *cluster = taskfit_cluster_new(arena, deployment, &fleet);
        size_t scratch = 0;
        taskfit_cluster_add(cluster, 0, 0);
        ASSERT_INT(taskfit_place_next(cluster, 1, TASKFIT_TIES_FIRST, NULL, &scratch), TASKFIT_NO_MACHINE);
        const taskfit_misfit misfit = taskfit_misfit_of(cluster, 1);
        const char *const ids[] = {"main-1"};
        ASSERT_INT(misfit.obstacle, row[i].obstacle);
        ASSERT_INT(misfit.need, row[i].need);
        ASSERT_INT(misfit.room, row[i].room);
        ASSERT_INT(misfit.n_machines[row[i].obstacle], 1);
        assert_string_equal(taskfit_misfit_text(cluster, &misfit, ids, arena), row[i].text);
        taskfit_cluster_set_active(cluster, 0, false);
        const taskfit_misfit none = taskfit_misfit_of(cluster, 1);
        assert_string_equal(taskfit_misfit_text(cluster, &none, ids, arena), "no instance is left");
        taskfit_arena_free(arena);
        taskfit_deployment_free(deployment);
    }
}

/* The closest has room but a task of the service; the other lacks memory. */
static void the_closest_is_where_resources_suffice(void **state) {
    (void)state;
    taskfit_deployment *deployment = parse_deployment(
        "taskfit: 1\n"
        "cluster:\n"
        "  instanceTypes: [{type: t, vcpu: 2, registeredMemory: 1000, architecture: arm64, usdPerHour: 1}]\n"
        "  instanceGroups: [{name: main, types: [t]}]\n"
        "services:\n"
        "  - {name: big, memory: 900}\n"
        "  - {name: web, memory: 200, placementConstraints: [{type: distinctInstance}]}\n");
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_machine machines[2] = {{.group = 0}, {.group = 0}};
    const taskfit_fleet fleet = {.machines = machines, .n_machines = 2};
    taskfit_cluster *cluster = taskfit_cluster_new(arena, deployment, &fleet);
    taskfit_cluster_add(cluster, 0, 0);
    taskfit_cluster_add(cluster, 1, 1);
    const taskfit_misfit misfit = taskfit_misfit_of(cluster, 1);
    const char *const ids[] = {"main-1", "main-2"};
    ASSERT_INT(misfit.machine, 1);
    ASSERT_INT(misfit.obstacle, TASKFIT_OBSTACLE_DISTINCT);
    assert_string_equal(taskfit_misfit_text(cluster, &misfit, ids, arena),
                        "where there is room a task of it stands already (distinctInstance): 1 short of memory, 1 with a task of it");
    taskfit_arena_free(arena);
    taskfit_deployment_free(deployment);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reason_names_figures),
        cmocka_unit_test(the_closest_is_where_resources_suffice),
    };
    return RUN_TESTS(tests);
}
