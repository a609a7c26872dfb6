#include "unit.h"

#include "brute_force.h"
#include "problem_builder.h"
#include "solve/solve.h"

static taskfit_solve_result solve_with(problem_builder *b, const taskfit_settings *settings, int64_t known_bound) {
    const taskfit_problem *problem = problem_builder_finish(b);
    taskfit_solve_result result;
    assert_int_equal(taskfit_solve(problem, settings, known_bound, NULL, problem->arena, &result, NULL), TASKFIT_OK);
    return result;
}

static taskfit_solve_result solve(problem_builder *b) {
    const taskfit_settings settings = {.seed = 1};
    return solve_with(b, &settings, 0);
}

static problem_builder *one_group(size_t n_azs, builder_group group) {
    problem_builder *b = problem_builder_new(n_azs);
    problem_builder_group(b, &group);
    return b;
}

static void min_and_max_hold(void **state) {
    (void)state;
    problem_builder *b = one_group(1, (builder_group){.min_instances = 4, .n_types = 1, .types = {{.memory_mib = 100}}});
    problem_builder_service(b, &(builder_service){.replicas = 3, .memory_mib = 40});
    taskfit_solve_result result = solve(b);
    ASSERT_INT(result.outcome, TASKFIT_OPTIMAL);
    ASSERT_INT(result.fleet->n_machines, 4);
    ASSERT_INT(result.lower_bound, 4);
    ASSERT_INT(result.binding, TASKFIT_LIMIT_MIN);
    problem_builder_free(b);
    b = one_group(1, (builder_group){.max_instances = 2, .n_types = 1, .types = {{.memory_mib = 100}}});
    problem_builder_service(b, &(builder_service){.replicas = 5, .memory_mib = 40});
    result = solve(b);
    ASSERT_INT(result.outcome, TASKFIT_INFEASIBLE);
    ASSERT_INT(result.proof, TASKFIT_PROOF_INFEASIBLE);
    ASSERT_INT(result.reason.resource, TASKFIT_LIMIT_MAX);
    assert_null(result.fleet);
    problem_builder_free(b);
}

static void no_services_need_no_instances(void **state) {
    (void)state;
    problem_builder *b = one_group(2, (builder_group){.n_types = 1, .types = {{.memory_mib = 100}}});
    const taskfit_solve_result result = solve(b);
    ASSERT_INT(result.outcome, TASKFIT_OPTIMAL);
    ASSERT_INT(result.fleet->n_machines, 0);
    ASSERT_INT(result.cost_usd_micros, 0);
    problem_builder_free(b);
}

static void an_empty_instance_counts_in_spread(void **state) {
    (void)state;
    /* four tasks of s0 two and two on 2 instances; on 3 instances one each at least, where s1 leaves room for none */
    problem_builder *b = one_group(1, (builder_group){.min_instances = 3, .n_types = 1, .types = {{.memory_mib = 10}}});
    problem_builder_service(b, &(builder_service){.replicas = 4, .memory_mib = 5, .spread_instance = true});
    problem_builder_service(b, &(builder_service){.replicas = 1, .memory_mib = 10});
    const taskfit_solve_result result = solve(b);
    ASSERT_INT(result.outcome, TASKFIT_OPTIMAL);
    ASSERT_INT(result.fleet->n_machines, 5);
    problem_builder_free(b);
}

static void cost_may_come_first(void **state) {
    (void)state;
    const builder_group group = {.n_types = 2,
                                 .types = {{.memory_mib = 100, .price_usd_micros = 10}, {.memory_mib = 300, .price_usd_micros = 40}}};
    problem_builder *b = one_group(1, group);
    problem_builder_service(b, &(builder_service){.replicas = 6, .memory_mib = 50});
    taskfit_solve_result result = solve(b);
    ASSERT_INT(result.fleet->n_machines, 1);
    ASSERT_INT(result.cost_usd_micros, 40);
    problem_builder_free(b);
    b = one_group(1, group);
    problem_builder_service(b, &(builder_service){.replicas = 6, .memory_mib = 50});
    problem_builder_objective(b, (taskfit_goal[]){TASKFIT_GOAL_COST}, 1);
    result = solve(b);
    ASSERT_INT(result.fleet->n_machines, 3);
    ASSERT_INT(result.cost_usd_micros, 30);
    ASSERT_INT(result.cost_bound_usd_micros, 30);
    ASSERT_INT(result.outcome, TASKFIT_OPTIMAL);
    problem_builder_free(b);
}

static void free_instances_are_not_endless(void **state) {
    (void)state;
    problem_builder *b = one_group(1, (builder_group){.n_types = 2,
                                                      .mixed = true,
                                                      .types = {{.memory_mib = 100, .price_usd_micros = -1, .stock = 2},
                                                                {.memory_mib = 100, .price_usd_micros = 7}}});
    problem_builder_service(b, &(builder_service){.replicas = 6, .memory_mib = 50});
    problem_builder_objective(b, (taskfit_goal[]){TASKFIT_GOAL_COST, TASKFIT_GOAL_COUNT}, 2);
    taskfit_problem *problem = (taskfit_problem *)(uintptr_t)problem_builder_finish(b);
    ((taskfit_offer *)(uintptr_t)problem->offers)[0].price_usd_micros = 0;
    const taskfit_settings settings = {.seed = 1};
    taskfit_solve_result result;
    assert_int_equal(taskfit_solve(problem, &settings, 0, NULL, problem->arena, &result, NULL), TASKFIT_OK);
    ASSERT_INT(result.cost_usd_micros, 7); /* the two free ones and one more */
    ASSERT_INT(result.fleet->n_machines, 3);
    problem_builder_free(b);
}

/* 24 items of a known textbook case: volume says 10 and 11 is right, so that greedy alone cannot close it. */
static problem_builder *textbook(void) {
    static const int64_t sizes[] = {48, 30, 19, 36, 36, 27, 42, 42, 36, 24, 30, 33, 33, 33, 33, 33, 45, 45, 67, 27, 80, 44, 38, 77};
    problem_builder *b = one_group(1, (builder_group){.n_types = 1, .types = {{.memory_mib = 100}}});
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        problem_builder_service(b, &(builder_service){.replicas = 1, .memory_mib = sizes[i]});
    }
    return b;
}

static bool stop_at_once(void *arg) {
    (void)arg;
    return true;
}

static void limits_leave_a_plan_and_an_honest_bound(void **state) {
    (void)state;
    problem_builder *b = textbook();
    taskfit_settings settings = {.work_limit = 1};
    taskfit_solve_result result = solve_with(b, &settings, 0);
    ASSERT_INT(result.outcome, TASKFIT_FEASIBLE);
    ASSERT_INT(result.proof, TASKFIT_PROOF_GAP);
    ASSERT_INT(result.lower_bound, 10);
    ASSERT_INT(result.cost_bound_usd_micros, 9580000); /* 958 of 100 each, at a dollar */
    assert_true(result.fleet->n_machines >= 11);
    assert_false(result.stopped);
    problem_builder_free(b);
    b = textbook();
    settings = (taskfit_settings){.stop = stop_at_once};
    result = solve_with(b, &settings, 0);
    assert_non_null(result.fleet);
    assert_true(result.lower_bound <= 11);
    problem_builder_free(b);
}

static void a_known_bound_is_used(void **state) {
    (void)state;
    problem_builder *b = textbook();
    const taskfit_settings settings = {.work_limit = 1};
    const taskfit_solve_result result = solve_with(b, &settings, 11);
    ASSERT_INT(result.lower_bound, 11);
    ASSERT_INT(result.fleet->n_machines == 11, result.outcome == TASKFIT_OPTIMAL);
    problem_builder_free(b);
}

static void a_gap_may_be_allowed(void **state) {
    (void)state;
    problem_builder *b = textbook();
    const taskfit_settings settings = {.gap_rel = 0.5};
    const taskfit_solve_result result = solve_with(b, &settings, 0);
    assert_non_null(result.fleet);
    assert_true(result.lower_bound >= 10);
    problem_builder_free(b);
}

static void the_same_question_has_the_same_answer(void **state) {
    (void)state;
    problem_builder *a = textbook();
    problem_builder *b = textbook();
    const taskfit_solve_result first = solve(a);
    const taskfit_solve_result second = solve(b);
    ASSERT_INT(first.work, second.work);
    ASSERT_INT(first.fleet->n_machines, 11);
    for (size_t m = 0; m < first.fleet->n_machines; m++) {
        ASSERT_INT(first.fleet->machines[m].n_tasks, second.fleet->machines[m].n_tasks);
        for (size_t i = 0; i < first.fleet->machines[m].n_tasks; i++) {
            ASSERT_INT(first.fleet->machines[m].tasks[i].service, second.fleet->machines[m].tasks[i].service);
        }
    }
    problem_builder_free(a);
    problem_builder_free(b);
}

/* Two pinned groups: each is as large as its own services need. */
static void groups_are_sized_each(void **state) {
    (void)state;
    problem_builder *b = problem_builder_new(2);
    problem_builder_group(b, &(builder_group){.n_types = 1, .types = {{.memory_mib = 100}}});
    problem_builder_group(b, &(builder_group){.n_types = 1, .types = {{.memory_mib = 1000}}});
    problem_builder_service(b, &(builder_service){.replicas = 3, .memory_mib = 60, .groups = 1});
    for (int i = 0; i < 30; i++) {
        problem_builder_service(b, &(builder_service){.replicas = 2, .memory_mib = 90 + i, .groups = 2, .spread_az = true});
    }
    const taskfit_solve_result result = solve(b);
    size_t in_first = 0;
    for (size_t m = 0; m < result.fleet->n_machines; m++) {
        in_first += result.fleet->machines[m].group == 0;
    }
    ASSERT_INT(result.outcome, TASKFIT_OPTIMAL);
    ASSERT_INT(in_first, 3);
    ASSERT_INT(result.fleet->n_machines, 3 + 8); /* 3,135 MiB in each AZ */
    problem_builder_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(min_and_max_hold),
        cmocka_unit_test(no_services_need_no_instances),
        cmocka_unit_test(an_empty_instance_counts_in_spread),
        cmocka_unit_test(cost_may_come_first),
        cmocka_unit_test(free_instances_are_not_endless),
        cmocka_unit_test(limits_leave_a_plan_and_an_honest_bound),
        cmocka_unit_test(a_known_bound_is_used),
        cmocka_unit_test(a_gap_may_be_allowed),
        cmocka_unit_test(the_same_question_has_the_same_answer),
        cmocka_unit_test(groups_are_sized_each),
    };
    return RUN_TESTS(tests);
}
