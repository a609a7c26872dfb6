#include "unit.h"

#include "problem_builder.h"
#include "solve/walk.h"

static size_t count_layouts(const taskfit_problem *problem, const int64_t *n) {
    taskfit_walk *walk = taskfit_walk_new(problem, false, problem->arena);
    const taskfit_mix mix = {.n = n};
    size_t n_layouts;
    bool complete;
    (void)taskfit_walk_layouts(walk, &mix, problem->arena, &n_layouts, &complete);
    assert_true(complete);
    return n_layouts;
}

static void alike_azs_are_laid_out_once(void **state) {
    (void)state;
    problem_builder *b = problem_builder_new(3);
    problem_builder_group(b, &(builder_group){.n_types = 1, .types = {{.memory_mib = 10}}});
    problem_builder_service(b, &(builder_service){.replicas = 3, .memory_mib = 5, .spread_az = true});
    const taskfit_problem *problem = problem_builder_finish(b);
    ASSERT_INT(count_layouts(problem, (int64_t[]){3}), 1);
    ASSERT_INT(count_layouts(problem, (int64_t[]){4}), 1);
    ASSERT_INT(count_layouts(problem, (int64_t[]){5}), 1);
    problem_builder_free(b);
}

static void azs_that_differ_take_turns(void **state) {
    (void)state;
    problem_builder *b = problem_builder_new(3);
    problem_builder_group(b, &(builder_group){.n_types = 1, .types = {{.memory_mib = 10}}});
    problem_builder_service(b, &(builder_service){.replicas = 3, .memory_mib = 5, .azs = 1});
    const taskfit_problem *problem = problem_builder_finish(b);
    ASSERT_INT(count_layouts(problem, (int64_t[]){3}), 1);
    ASSERT_INT(count_layouts(problem, (int64_t[]){4}), 2); /* the one more in the first AZ, or in one of the others */
    problem_builder_free(b);
}

static void mixed_groups_balance_their_total(void **state) {
    (void)state;
    problem_builder *b = problem_builder_new(2);
    problem_builder_group(b, &(builder_group){.mixed = true, .n_types = 2, .types = {{.memory_mib = 10}, {.memory_mib = 20}}});
    problem_builder_service(b, &(builder_service){.replicas = 3, .memory_mib = 5, .spread_az = true});
    const taskfit_problem *problem = problem_builder_finish(b);
    ASSERT_INT(count_layouts(problem, (int64_t[]){2, 2}), 2); /* 1+1 | 1+1 and 2+0 | 0+2 */
    ASSERT_INT(count_layouts(problem, (int64_t[]){1, 2}), 2); /* 1+1 | 0+1 and 1+0 | 0+2 */
    problem_builder_free(b);
}

static void mixes_keep_the_rules_of_groups(void **state) {
    (void)state;
    problem_builder *b = problem_builder_new(1);
    problem_builder_group(b, &(builder_group){.n_types = 2,
                                              .min_instances = 1,
                                              .types = {{.memory_mib = 10, .price_usd_micros = 3},
                                                        {.memory_mib = 20, .price_usd_micros = 5, .stock = 2}}});
    problem_builder_group(b, &(builder_group){.n_types = 1, .max_instances = 1, .types = {{.memory_mib = 100, .price_usd_micros = 1}}});
    problem_builder_service(b, &(builder_service){.replicas = 3, .memory_mib = 10, .groups = 1});
    const taskfit_problem *problem = problem_builder_finish(b);
    taskfit_walk *walk = taskfit_walk_new(problem, false, problem->arena);
    ASSERT_INT(taskfit_walk_bound(walk), 1);
    ASSERT_INT(taskfit_walk_max_instances(walk), 10001);
    ASSERT_INT(taskfit_walk_mixes(walk, 1, 1, problem->arena).n_items, 0); /* 30 MiB pinned to the first group */
    taskfit_mixes mixes = taskfit_walk_mixes(walk, 2, 2, problem->arena);
    ASSERT_INT(mixes.n_items, 1); /* two large ones */
    ASSERT_INT(mixes.items[0].n[1], 2);
    ASSERT_INT(mixes.items[0].cost_usd_micros, 10);
    mixes = taskfit_walk_mixes(walk, 3, 3, problem->arena);
    ASSERT_INT(mixes.n_items, 2); /* three small ones, or two large ones and the idle group's; never both types */
    ASSERT_INT(mixes.items[0].cost_usd_micros, 9);
    ASSERT_INT(mixes.items[1].cost_usd_micros, 11);
    walk = taskfit_walk_new(problem, true, problem->arena);
    ASSERT_INT(taskfit_walk_step(walk), 1);
    mixes = taskfit_walk_mixes(walk, 0, 10, problem->arena);
    ASSERT_INT(mixes.n_items, 3);
    ASSERT_INT(mixes.items[0].cost_usd_micros, 9);
    ASSERT_INT(mixes.items[1].cost_usd_micros, 10);
    ASSERT_INT(mixes.items[1].count, 2); /* equal cost: fewer first */
    ASSERT_INT(mixes.items[2].count, 4);
    problem_builder_free(b);
}

static void too_many_mixes_are_said_to_be(void **state) {
    (void)state;
    problem_builder *b = problem_builder_new(1);
    builder_group group = {.mixed = true, .n_types = 8};
    for (size_t t = 0; t < 8; t++) {
        group.types[t] = (builder_type){.memory_mib = 10, .price_usd_micros = 5};
    }
    problem_builder_group(b, &group);
    problem_builder_service(b, &(builder_service){.replicas = 3, .memory_mib = 10});
    const taskfit_problem *problem = problem_builder_finish(b);
    taskfit_walk *walk = taskfit_walk_new(problem, false, problem->arena);
    assert_true(taskfit_walk_mixes(walk, 3, 3, problem->arena).complete);
    assert_false(taskfit_walk_mixes(walk, 60, 60, problem->arena).complete);
    problem_builder_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alike_azs_are_laid_out_once),
        cmocka_unit_test(azs_that_differ_take_turns),
        cmocka_unit_test(mixed_groups_balance_their_total),
        cmocka_unit_test(mixes_keep_the_rules_of_groups),
        cmocka_unit_test(too_many_mixes_are_said_to_be),
    };
    return RUN_TESTS(tests);
}
