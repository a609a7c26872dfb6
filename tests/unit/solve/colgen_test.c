#include "unit.h"

#include "brute_force.h"
#include "problem_builder.h"
#include "solve/decision.h"

/* Column generation alone, without the cheap stages before it, against trying everything. */

static uint64_t seed;

static int64_t up_to(int64_t most) {
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return (int64_t)((seed * UINT64_C(2685821657736338717)) >> 33) % (most + 1);
}

static bool chance(int64_t percent) {
    return up_to(99) < percent;
}

static void add_service(problem_builder *b, size_t n_azs, size_t n_groups) {
    builder_service service = {.replicas = 1 + up_to(4),
                               .memory_mib = 1 + up_to(9),
                               .cpu_units = up_to(6),
                               .distinct_instance = chance(30),
                               .spread_az = chance(50),
                               .spread_instance = chance(35)};
    service.ports = chance(20) ? (uint64_t)(1 + up_to(2)) : 0;
    service.conflicts = chance(20) ? (uint64_t)up_to(7) : 0;
    service.azs = n_azs > 1 && chance(15) ? (uint64_t)1 << up_to((int64_t)n_azs - 1) : 0;
    service.groups = n_groups > 1 && chance(30) ? (uint64_t)1 << up_to((int64_t)n_groups - 1) : 0;
    problem_builder_service(b, &service);
}

static problem_builder *draw_problem(uint64_t number) {
    seed = number * UINT64_C(0x9e3779b97f4a7c15) + 7;
    const size_t n_azs = 1 + (size_t)up_to(2);
    const size_t n_groups = 1 + (size_t)up_to(1);
    problem_builder *b = problem_builder_new(n_azs);
    for (size_t g = 0; g < n_groups; g++) {
        problem_builder_group(b, &(builder_group){.n_types = 1,
                                                  .mixed = true,
                                                  .types = {{.memory_mib = 10 + up_to(12),
                                                             .cpu_units = chance(60) ? 8 + up_to(10) : 0,
                                                             .tasks = chance(20) ? 2 + up_to(4) : 0}}});
    }
    const int64_t n_services = 1 + up_to(3);
    const bool alike = chance(40);
    const uint64_t before = seed;
    for (int64_t s = 0; s < n_services; s++) {
        if (alike && s < 3) {
            seed = before;
        }
        add_service(b, n_azs, n_groups);
    }
    return b;
}

static void verdicts_are_those_of_brute_force(void **state) {
    (void)state;
    size_t n_fits = 0;
    size_t n_refuted = 0;
    size_t n_open = 0;
    for (uint64_t number = 1; number <= 3000; number++) {
        problem_builder *b = draw_problem(number);
        const taskfit_problem *problem = problem_builder_finish(b);
        int64_t count[16] = {0};
        assert_true(problem->n_offers <= 16);
        for (size_t o = 0; o < problem->n_offers; o++) {
            count[o] = up_to(problem->n_offers > 2 ? 1 : 3);
        }
        const taskfit_decision *decision = taskfit_decision_new(problem->arena, problem, count);
        taskfit_budget budget = {.work_left = 50000000};
        const taskfit_answer answer = decision->impossible ? (taskfit_answer){.verdict = TASKFIT_VERDICT_REFUTED}
                                                           : taskfit_colgen_decide(decision, &budget, problem->arena);
        const bool truth = brute_force_fits(problem, count);
        n_fits += answer.verdict == TASKFIT_VERDICT_FITS;
        n_refuted += answer.verdict == TASKFIT_VERDICT_REFUTED;
        n_open += answer.verdict == TASKFIT_VERDICT_OPEN;
        if (answer.verdict != TASKFIT_VERDICT_OPEN && (answer.verdict == TASKFIT_VERDICT_FITS) != truth) {
            fail_msg("problem %d: said %d, truth %d", (int)number, (int)answer.verdict, (int)truth);
        }
        if (answer.verdict == TASKFIT_VERDICT_FITS && !taskfit_contents_valid(decision, answer.contents, answer.n_contents)) {
            fail_msg("problem %d: no valid contents", (int)number);
        }
        problem_builder_free(b);
    }
    printf("%d fit, %d refuted, %d open\n", (int)n_fits, (int)n_refuted, (int)n_open);
    assert_in_range(n_fits, 300, 2700);
    assert_in_range(n_refuted, 300, 2700);
}

/* On 4 instances each holds a task of 6 MiB, which leaves no room for 5: that refutes 4 and says nothing of 5, which do. */
static void what_binds_on_few_instances_is_no_bound(void **state) {
    (void)state;
    problem_builder *b = problem_builder_new(1);
    problem_builder_group(b, &(builder_group){.n_types = 1, .types = {{.memory_mib = 10}}});
    problem_builder_service(b, &(builder_service){.replicas = 4, .memory_mib = 6});
    problem_builder_service(b, &(builder_service){.replicas = 2, .memory_mib = 5});
    const taskfit_problem *problem = problem_builder_finish(b);
    for (int64_t n = 4; n <= 5; n++) {
        taskfit_budget budget = {.work_left = 1000000};
        const taskfit_answer answer = taskfit_colgen_decide(taskfit_decision_new(problem->arena, problem, &n), &budget, problem->arena);
        assert_int_equal(answer.verdict, n == 4 ? TASKFIT_VERDICT_REFUTED : TASKFIT_VERDICT_FITS);
        assert_true(answer.lower_bound <= 5);
    }
    problem_builder_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(verdicts_are_those_of_brute_force), cmocka_unit_test(what_binds_on_few_instances_is_no_bound)};
    return RUN_TESTS(tests);
}
