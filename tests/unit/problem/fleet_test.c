#include "unit.h"

#include "problem/fleet.h"

static void the_same_placement_has_the_same_order(void **state) {
    (void)state;
    taskfit_machine_task few[] = {{3, 1}};
    taskfit_machine_task many[] = {{5, 2}, {1, 1}};
    taskfit_machine_task early[] = {{0, 1}, {9, 2}};
    taskfit_machine machines[] = {
        {.group = 1, .type = 0, .az = 0, .tasks = few, .n_tasks = 1},
        {.group = 0, .type = 0, .az = 1},
        {.group = 0, .type = 1, .az = 0},
        {.group = 0, .type = 0, .az = 0},
        {.group = 0, .type = 0, .az = 0, .tasks = many, .n_tasks = 2},
        {.group = 0, .type = 0, .az = 0, .tasks = early, .n_tasks = 2},
    };
    taskfit_fleet fleet = {.machines = machines, .n_machines = 6};
    taskfit_fleet_canonicalize(&fleet);
    ASSERT_INT(fleet.machines[0].tasks[0].service, 0); /* three tasks each: first service first */
    ASSERT_INT(fleet.machines[1].tasks[0].service, 1); /* sorted inside too */
    ASSERT_INT(fleet.machines[2].n_tasks, 0);          /* emptier behind */
    ASSERT_INT(fleet.machines[3].type, 1);
    ASSERT_INT(fleet.machines[4].az, 1);
    ASSERT_INT(fleet.machines[5].group, 1);
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_fleet *copy = taskfit_fleet_copy(arena, &fleet);
    fleet.machines[0].tasks[0].count = 77;
    ASSERT_INT(copy->n_machines, 6);
    ASSERT_INT(copy->machines[0].tasks[0].count, 1);
    taskfit_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_placement_has_the_same_order)};
    return RUN_TESTS(tests);
}
