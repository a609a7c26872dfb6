/* Room that is there, and that Amazon ECS finds only in some orders. */

#include "unit.h"

#include "ladder/replace.h"
#include "taskfit/taskfit.h"

static void greedy_placement_may_miss_the_room(void **state) {
    (void)state;
    static const char text[] =
        "taskfit: 1\n"
        "cluster:\n"
        "  instanceTypes: [{type: box, vcpu: 4, registeredMemory: 1000, architecture: x86_64, usdPerHour: 0.5}]\n"
        "  instanceGroups: [{name: main, types: [box]}]\n"
        "services: [{name: a, memory: 300}, {name: b, memory: 400}, {name: c, memory: 600}, {name: d, memory: 700}]\n";
    taskfit_parse_options options;
    taskfit_parse_options_init(&options);
    taskfit_deployment *deployment = NULL;
    assert_int_equal(taskfit_deployment_parse("t.yaml", text, sizeof text - 1, &options, &deployment, NULL), TASKFIT_OK);
    taskfit_machine_task lost[] = {{0, 1}, {1, 1}};
    taskfit_machine_task c[] = {{2, 1}};
    taskfit_machine_task d[] = {{3, 1}};
    taskfit_machine machines[] = {{.tasks = lost, .n_tasks = 2}, {.tasks = c, .n_tasks = 1}, {.tasks = d, .n_tasks = 1}, {.tasks = NULL}};
    taskfit_fleet fleet = {.machines = machines, .n_machines = 4};
    taskfit_plan plan = {.deployment = deployment, .fleet = &fleet};
    taskfit_replacements found;
    assert_true(taskfit_replace_losses(&plan, false, 1, &found)); /* an empty machine takes whatever is lost */
    ASSERT_INT(found.n_tried, 400);
    ASSERT_INT(found.n_placed_all, 400);
    fleet.n_machines = 3;
    assert_true(taskfit_replace_losses(&plan, false, 1, &found));
    ASSERT_INT(found.n_tried, 300);
    assert_in_range(found.n_placed_all, 60, 90); /* a goes first in half of the orders, and then to the wrong one in half */
    ASSERT_INT(found.worst, 1);                  /* c finds 300 and 300 MiB */
    ASSERT_INT(found.worst_permille, 0);
    assert_true(taskfit_replace_losses(&plan, true, 1, &found)); /* there is one AZ: nothing is left */
    ASSERT_INT(found.n_placed_all, 0);
    taskfit_deployment_free(deployment);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(greedy_placement_may_miss_the_room),
    };
    return RUN_TESTS(tests);
}
