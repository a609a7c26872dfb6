#include "unit.h"

#include "problem_builder.h"
#include "solve/decision.h"
#include "solve/exclusive.h"

static void services_that_differ_in_what_never_binds_are_one_profile(void **state) {
    (void)state;
    problem_builder *b = problem_builder_new(1);
    problem_builder_group(b, &(builder_group){.n_types = 1, .types = {{.memory_mib = 1000, .cpu_units = 1000}}});
    for (int64_t i = 0; i < 3; i++) {
        problem_builder_service(b, &(builder_service){.replicas = 2, .memory_mib = 400, .cpu_units = 10 + i});
    }
    problem_builder_service(b, &(builder_service){.replicas = 1, .memory_mib = 600});
    const taskfit_problem *problem = problem_builder_finish(b);
    const taskfit_decision *d = taskfit_decision_new(problem->arena, problem, (int64_t[]){4});
    ASSERT_INT(d->n_dims, 1);
    ASSERT_INT(d->dim_resource[0], TASKFIT_RESOURCE_MEMORY);
    ASSERT_INT(d->n_profiles, 2);
    ASSERT_INT(d->profiles[0].tasks, 1);
    ASSERT_INT(d->profiles[0].demand[0], 3); /* 600, 400 and 1000 in units of 200 */
    ASSERT_INT(d->profiles[1].tasks, 6);
    ASSERT_INT(d->profiles[1].demand[0], 2);
    ASSERT_INT(d->kinds[0].capacity[0], 5);
    ASSERT_INT(d->kinds[0].high[1], 2);
    ASSERT_INT(d->n_instances, 4);
    problem_builder_free(b);
}

static void az_windows_and_distinct_instances(void **state) {
    (void)state;
    problem_builder *b = problem_builder_new(3);
    problem_builder_group(b, &(builder_group){.n_types = 1, .types = {{.memory_mib = 1000}}});
    for (int i = 0; i < 2; i++) {
        problem_builder_service(b, &(builder_service){.replicas = 4, .memory_mib = 100, .spread_az = true, .distinct_instance = true});
    }
    problem_builder_service(b, &(builder_service){.replicas = 5, .memory_mib = 90, .azs = 1 | 2, .spread_az = true, .spread_instance = true});
    const taskfit_problem *problem = problem_builder_finish(b);
    const taskfit_decision *d = taskfit_decision_new(problem->arena, problem, (int64_t[]){2, 2, 1});
    ASSERT_INT(d->n_zones, 3);
    ASSERT_INT(d->n_profiles, 2);
    ASSERT_INT(d->profiles[0].zone_low[2], 2);
    ASSERT_INT(d->profiles[0].zone_high[2], 4);
    ASSERT_INT(d->profiles[1].zone_low[0], 2);
    ASSERT_INT(d->profiles[1].zone_high[1], 3);
    ASSERT_INT(d->profiles[1].zone_high[2], 0);
    ASSERT_INT(d->kinds[0].high[0], 2); /* distinct: one of each service */
    ASSERT_INT(d->kinds[0].low[1], 1);  /* 2 or 3 tasks on 2 instances */
    ASSERT_INT(d->kinds[0].high[1], 2);
    ASSERT_INT(d->kinds[2].high[1], 0);
    assert_false(d->impossible);
    assert_true(taskfit_decision_new(problem->arena, problem, (int64_t[]){2, 2, 0})->impossible);
    problem_builder_free(b);
}

static void alike_azs_are_one_kind_when_no_rule_speaks_of_them(void **state) {
    (void)state;
    problem_builder *b = problem_builder_new(3);
    problem_builder_group(b, &(builder_group){.n_types = 1, .types = {{.memory_mib = 1000}}});
    problem_builder_service(b, &(builder_service){.replicas = 5, .memory_mib = 300, .ports = 1});
    problem_builder_service(b, &(builder_service){.replicas = 1, .memory_mib = 300, .ports = 2});
    problem_builder_service(b, &(builder_service){.replicas = 1, .memory_mib = 300, .ports = 2 | 4});
    const taskfit_problem *problem = problem_builder_finish(b);
    const taskfit_decision *d = taskfit_decision_new(problem->arena, problem, (int64_t[]){2, 2, 1});
    ASSERT_INT(d->n_kinds, 1);
    ASSERT_INT(d->kinds[0].count, 5);
    ASSERT_INT(d->n_dims, 1); /* the shared port; memory cannot bind: one of each at most */
    ASSERT_INT(d->dim_resource[0], -1);
    ASSERT_INT(d->n_profiles, 2); /* the last two are alike: their own port 4 means nothing to others */
    problem_builder_free(b);
}

static void conflicting_services_are_profiles_of_their_own(void **state) {
    (void)state;
    problem_builder *b = problem_builder_new(1);
    problem_builder_group(b, &(builder_group){.n_types = 1, .types = {{.memory_mib = 500}}});
    for (int i = 0; i < 4; i++) {
        problem_builder_service(b, &(builder_service){.replicas = 1, .memory_mib = 200, .conflicts = i < 2 ? 4 : 0});
    }
    const taskfit_problem *problem = problem_builder_finish(b);
    const taskfit_decision *d = taskfit_decision_new(problem->arena, problem, (int64_t[]){2});
    ASSERT_INT(d->n_profiles, 3); /* 0 and 1 conflict with 2; 3 is free */
    ASSERT_INT(d->n_conflicts, 1);
    problem_builder_free(b);
}

static void a_set_of_conflicting_services_is_a_dimension(void **state) {
    (void)state;
    problem_builder *b = problem_builder_new(1);
    problem_builder_group(b, &(builder_group){.n_types = 1, .types = {{.memory_mib = 900}}});
    for (int i = 0; i < 3; i++) {
        problem_builder_service(b, &(builder_service){.replicas = 2, .memory_mib = 200, .distinct_instance = true, .conflicts = 1 | 2 | 4});
    }
    for (int i = 0; i < 2; i++) { /* may stand together with their like, but not with the others */
        problem_builder_service(b, &(builder_service){.replicas = 2, .memory_mib = 200, .conflicts = 1 | 2 | 4});
    }
    const taskfit_problem *problem = problem_builder_finish(b);
    const taskfit_decision *d = taskfit_decision_new(problem->arena, problem, (int64_t[]){7});
    ASSERT_INT(d->n_profiles, 2);
    ASSERT_INT(d->n_conflicts, 1); /* between the two */
    ASSERT_INT(d->n_dims, 2);
    ASSERT_INT(d->dim_resource[1], TASKFIT_DIM_SET);
    ASSERT_INT(d->kinds[0].capacity[1], 1);
    ASSERT_INT(taskfit_exclusive_bound(problem), 6);
    const size_t set = d->profiles[0].demand[1] > 0 ? 0 : 1;
    ASSERT_INT(d->profiles[set].n_services, 3);
    ASSERT_INT(d->kinds[0].high[set], 1);
    ASSERT_INT(d->profiles[1 - set].demand[1], 0);
    assert_int_equal(taskfit_bound_decide(taskfit_decision_new(problem->arena, problem, (int64_t[]){5}), NULL).verdict,
                     TASKFIT_VERDICT_REFUTED);
    problem_builder_free(b);
}

static void contents_are_checked_in_every_respect(void **state) {
    (void)state;
    problem_builder *b = problem_builder_new(2);
    problem_builder_group(b, &(builder_group){.n_types = 1, .types = {{.memory_mib = 100}}});
    problem_builder_service(b, &(builder_service){.replicas = 2, .memory_mib = 60, .spread_az = true});
    problem_builder_service(b, &(builder_service){.replicas = 2, .memory_mib = 30, .spread_az = true});
    const taskfit_problem *problem = problem_builder_finish(b);
    const taskfit_decision *d = taskfit_decision_new(problem->arena, problem, (int64_t[]){1, 1});
    const taskfit_content_task both[] = {{0, 1}, {1, 1}};
    const taskfit_content_task twice[] = {{0, 1}, {0, 1}};
    const taskfit_content_task two_large[] = {{0, 2}};
    ASSERT_INT(d->n_kinds, 2);
    assert_true(taskfit_contents_valid(d, (taskfit_content[]){{0, 1, both, 2}, {1, 1, both, 2}}, 2));
    assert_false(taskfit_contents_valid(d, (taskfit_content[]){{0, 1, both, 2}}, 1));
    assert_false(taskfit_contents_valid(d, (taskfit_content[]){{0, 1, both, 2}, {1, 1, NULL, 0}}, 2));
    assert_false(taskfit_contents_valid(d, (taskfit_content[]){{0, 2, both, 2}, {1, 1, NULL, 0}}, 2));
    assert_false(taskfit_contents_valid(d, (taskfit_content[]){{0, 1, two_large, 1}, {1, 1, NULL, 0}}, 2));
    assert_false(taskfit_contents_valid(d, (taskfit_content[]){{0, 1, twice, 2}, {1, 1, both, 2}}, 2));
    const taskfit_content dense = taskfit_content_from_dense(problem->arena, 1, 1, (int64_t[]){1, 1}, 2);
    ASSERT_INT(dense.n_tasks, 2);
    assert_true(taskfit_contents_valid(d, (taskfit_content[]){{0, 1, both, 2}, dense}, 2));
    problem_builder_free(b);
}

static void a_budget_ends_by_work_by_the_clock_and_on_request(void **state) {
    (void)state;
    taskfit_budget budget = {.work_left = 10};
    assert_true(taskfit_budget_spend(&budget, 9));
    assert_false(taskfit_budget_spend(&budget, 1));
    assert_false(budget.stopped);
    budget = (taskfit_budget){.work_left = 100000, .deadline_ms = 1};
    assert_false(taskfit_budget_spend(&budget, 5000));
    assert_true(budget.stopped);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(services_that_differ_in_what_never_binds_are_one_profile),
        cmocka_unit_test(az_windows_and_distinct_instances),
        cmocka_unit_test(alike_azs_are_one_kind_when_no_rule_speaks_of_them),
        cmocka_unit_test(conflicting_services_are_profiles_of_their_own),
        cmocka_unit_test(a_set_of_conflicting_services_is_a_dimension),
        cmocka_unit_test(contents_are_checked_in_every_respect),
        cmocka_unit_test(a_budget_ends_by_work_by_the_clock_and_on_request),
    };
    return RUN_TESTS(tests);
}
