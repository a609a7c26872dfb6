#include "unit.h"

#include "brute_force.h"
#include "problem_builder.h"
#include "solve/expand.h"
#include "solve/level.h"

static int64_t least_free(const taskfit_problem *problem, const taskfit_fleet *fleet) {
    int64_t least = INT64_MAX;
    for (size_t m = 0; m < fleet->n_machines; m++) {
        int64_t free_mib = problem->offers[0].capacity[TASKFIT_RESOURCE_MEMORY];
        for (size_t i = 0; i < fleet->machines[m].n_tasks; i++) {
            const taskfit_machine_task *task = &fleet->machines[m].tasks[i];
            free_mib -= task->count * problem->services[task->service].demand[TASKFIT_RESOURCE_MEMORY];
        }
        least = free_mib < least ? free_mib : least;
    }
    return least;
}

static int64_t levelled(problem_builder *b, const int64_t *count) {
    const taskfit_problem *problem = problem_builder_finish(b);
    const taskfit_decision *d = taskfit_decision_new(problem->arena, problem, count);
    taskfit_budget budget = {.work_left = 10000000};
    const taskfit_answer answer = taskfit_greedy_decide(d, &budget, problem->arena);
    ASSERT_INT(answer.verdict, TASKFIT_VERDICT_FITS);
    const taskfit_answer better = taskfit_level(d, &answer, &budget, problem->arena);
    assert_true(taskfit_contents_valid(d, better.contents, better.n_contents));
    const taskfit_fleet *fleet = taskfit_expand(d, better.contents, better.n_contents, problem->arena);
    assert_true(brute_force_keeps_rules(problem, fleet));
    return least_free(problem, fleet);
}

static problem_builder *boxes(size_t n_azs) {
    problem_builder *b = problem_builder_new(n_azs);
    problem_builder_group(b, &(builder_group){.n_types = 1, .types = {{.memory_mib = 100}}});
    return b;
}

static void moves_and_swaps_level_the_load(void **state) {
    (void)state;
    problem_builder *b = boxes(1);
    const int64_t sizes[] = {50, 40, 30, 30, 10};
    for (size_t i = 0; i < 5; i++) {
        problem_builder_service(b, &(builder_service){.replicas = 1, .memory_mib = sizes[i]});
    }
    ASSERT_INT(levelled(b, (int64_t[]){2}), 20); /* 80 and 80 */
    problem_builder_free(b);
}

static void rules_bind_the_levelling(void **state) {
    (void)state;
    problem_builder *b = boxes(2);
    problem_builder_service(b, &(builder_service){.replicas = 2, .memory_mib = 20, .spread_az = true});
    problem_builder_service(b, &(builder_service){.replicas = 1, .memory_mib = 60, .azs = 1});
    problem_builder_service(b, &(builder_service){.replicas = 1, .memory_mib = 20, .azs = 1});
    ASSERT_INT(levelled(b, (int64_t[]){1, 1}), 0); /* all of the first AZ must stay there */
    problem_builder_free(b);
    b = boxes(1);
    problem_builder_service(b, &(builder_service){.replicas = 1, .memory_mib = 60, .conflicts = 4});
    problem_builder_service(b, &(builder_service){.replicas = 1, .memory_mib = 40, .conflicts = 4});
    problem_builder_service(b, &(builder_service){.replicas = 1, .memory_mib = 10});
    ASSERT_INT(levelled(b, (int64_t[]){2}), 0); /* 60 and 40 both shun the 10 */
    problem_builder_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_and_swaps_level_the_load),
        cmocka_unit_test(rules_bind_the_levelling),
    };
    return RUN_TESTS(tests);
}
