/* Rungs rolling and survive on random tiny problems, against trying everything. */

#include "unit.h"

#include <stdlib.h>

#include "brute_force.h"
#include "draw.h"
#include "problem_builder.h"
#include "solve/room.h"
#include "solve/solve.h"

enum { MAX_INSTANCES = 5 };

static void random_group(problem_builder *b, uint64_t *state, bool several) {
    builder_group group = {.mixed = chance(state, 30), .n_types = several ? 1 + (size_t)up_to(state, 1) : 1};
    group.max_instances = several ? 3 : MAX_INSTANCES;
    for (size_t t = 0; t < group.n_types; t++) {
        group.types[t] = (builder_type){.memory_mib = 10 + up_to(state, 12),
                                        .cpu_units = chance(state, 40) ? 8 + up_to(state, 10) : 0,
                                        .tasks = chance(state, 15) ? 2 + up_to(state, 4) : 0,
                                        .headroom_mib = chance(state, 30) ? up_to(state, 5) : 0,
                                        .price_usd_micros = 100 + up_to(state, 100)};
    }
    problem_builder_group(b, &group);
}

static void random_service(problem_builder *b, uint64_t *state, size_t n_azs, size_t n_groups) {
    builder_service service = {.replicas = 1 + up_to(state, 2),
                               .memory_mib = 1 + up_to(state, 8),
                               .cpu_units = up_to(state, 6),
                               .distinct_instance = chance(state, 35),
                               .spread_az = chance(state, 50),
                               .spread_instance = chance(state, 40),
                               .stops_first = chance(state, 15),
                               .full_set = chance(state, 10)};
    service.ports = chance(state, 20) ? (uint64_t)(1 + up_to(state, 2)) : 0;
    service.conflicts = chance(state, 12) ? (uint64_t)up_to(state, 7) : 0;
    service.azs = n_azs > 1 && chance(state, 8) ? (uint64_t)1 << up_to(state, (int64_t)n_azs - 1) : 0;
    service.groups = n_groups > 1 && chance(state, 20) ? (uint64_t)1 << up_to(state, (int64_t)n_groups - 1) : 0;
    problem_builder_service(b, &service);
}

static problem_builder *random_problem(uint64_t seed) {
    static const struct {
        taskfit_rolling_policy rolling;
        taskfit_survive_policy survive;
    } rules[] = {
        {TASKFIT_ROLLING_ONE_SERVICE, TASKFIT_SURVIVE_NONE},
        {TASKFIT_ROLLING_ALL_SERVICES, TASKFIT_SURVIVE_NONE},
        {TASKFIT_ROLLING_ONE_SERVICE, TASKFIT_SURVIVE_INSTANCE},
        {TASKFIT_ROLLING_NONE, TASKFIT_SURVIVE_INSTANCE},
        {TASKFIT_ROLLING_ONE_SERVICE, TASKFIT_SURVIVE_AVAILABILITY_ZONE},
        {TASKFIT_ROLLING_ALL_SERVICES, TASKFIT_SURVIVE_INSTANCE},
    };
    const size_t rule = seed % (sizeof rules / sizeof *rules);
    uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 7;
    const bool by_az = rules[rule].survive == TASKFIT_SURVIVE_AVAILABILITY_ZONE;
    const size_t n_azs = by_az ? 2 + (size_t)up_to(&state, 1) : 1 + (size_t)up_to(&state, 1);
    const bool several = chance(&state, 30);
    const size_t n_groups = several && chance(&state, 50) ? 2 : 1;
    problem_builder *b = problem_builder_new(n_azs);
    problem_builder_rooms(b, rules[rule].rolling, rules[rule].survive);
    for (size_t g = 0; g < n_groups; g++) {
        random_group(b, &state, several);
    }
    const int64_t n_services = 1 + up_to(&state, 3);
    const bool alike = chance(&state, 30);
    const uint64_t before = state;
    for (int64_t s = 0; s < n_services; s++) {
        if (alike && s < 3) {
            state = before; /* services that merge into a profile */
        }
        random_service(b, &state, n_azs, n_groups);
    }
    return b;
}

static size_t compare_with_truth(uint64_t seed) {
    problem_builder *b = random_problem(seed);
    const bool cost_first = seed % 5 == 0;
    if (cost_first) {
        problem_builder_objective(b, (taskfit_goal[]){TASKFIT_GOAL_COST, TASKFIT_GOAL_COUNT}, 2);
    }
    const taskfit_problem *problem = problem_builder_finish(b);
    const brute_answer truth = brute_force(problem, MAX_INSTANCES, cost_first);
    const taskfit_settings settings = {.work_limit = 200000000, .ladder = true, .seed = 1};
    taskfit_solve_result result;
    assert_int_equal(taskfit_solve(problem, &settings, 0, NULL, problem->arena, &result, NULL), TASKFIT_OK);
    if (truth.instances < 0) {
        /* more than the brute force tries may be allowed, with two groups */
        if (result.outcome != TASKFIT_INFEASIBLE && result.fleet->n_machines <= MAX_INSTANCES) {
            fail_msg("seed %d: %d instances, truth says none", (int)seed, (int)result.outcome);
        }
    } else if (result.outcome != TASKFIT_OPTIMAL || result.cost_usd_micros != truth.cost_usd_micros ||
               (int64_t)result.fleet->n_machines != truth.instances || !brute_force_accepts(problem, result.fleet)) {
        fail_msg("seed %d: outcome %d, %d instances (bound %d) for %d, truth %d for %d, or a rule is broken", (int)seed,
                 (int)result.outcome, result.fleet == NULL ? -1 : (int)result.fleet->n_machines, (int)result.lower_bound,
                 (int)result.cost_usd_micros, (int)truth.instances, (int)truth.cost_usd_micros);
    }
    problem_builder_free(b);
    return truth.instances >= 0 ? 1 : 0;
}

static void answers_are_those_of_brute_force(void **state) {
    (void)state;
    const char *more = getenv("TASKFIT_ROOMS"); /* how many problems, for long runs */
    const uint64_t n = more != NULL ? strtoull(more, NULL, 10) : 3000;
    size_t n_feasible = 0;
    for (uint64_t seed = 1; seed <= n; seed++) {
        n_feasible += compare_with_truth(seed);
    }
    assert_in_range(n_feasible, n / 3, n);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_brute_force),
    };
    return RUN_TESTS(tests);
}
