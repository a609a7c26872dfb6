#include "unit.h"

#include "brute_force.h"
#include "draw.h"
#include "problem_builder.h"
#include "solve/decision.h"
#include "solve/expand.h"
#include "solve/solve.h"

enum { MAX_INSTANCES = 6 };

static void random_group(problem_builder *b, uint64_t *state, bool several) {
    builder_group group = {.mixed = chance(state, 25), .n_types = 1 + (size_t)up_to(state, several ? 1 : 0)};
    group.max_instances = several ? MAX_INSTANCES / 2 : MAX_INSTANCES;
    group.min_instances = chance(state, 10) ? up_to(state, 2) : 0;
    for (size_t t = 0; t < group.n_types; t++) {
        group.types[t] = (builder_type){.memory_mib = 10 + up_to(state, 12),
                                        .cpu_units = chance(state, 60) ? 8 + up_to(state, 10) : 0,
                                        .tasks = chance(state, 20) ? 1 + up_to(state, 4) : 0,
                                        .price_usd_micros = 100 + up_to(state, 100),
                                        .stock = chance(state, 15) ? 1 + up_to(state, 3) : 0};
    }
    problem_builder_group(b, &group);
}

static void random_service(problem_builder *b, uint64_t *state, size_t n_azs, size_t n_groups, int64_t most_replicas) {
    builder_service service = {.replicas = 1 + up_to(state, most_replicas - 1),
                               .memory_mib = 1 + up_to(state, 9),
                               .cpu_units = up_to(state, 7),
                               .distinct_instance = chance(state, 25),
                               .spread_az = chance(state, 50),
                               .spread_instance = chance(state, 40)};
    service.ports = chance(state, 25) ? (uint64_t)(1 + up_to(state, 2)) : 0;
    service.conflicts = chance(state, 15) ? (uint64_t)up_to(state, 7) : 0;
    service.azs = n_azs > 1 && chance(state, 15) ? (uint64_t)1 << up_to(state, (int64_t)n_azs - 1) : 0;
    service.groups = n_groups > 1 && chance(state, 30) ? (uint64_t)1 << up_to(state, (int64_t)n_groups - 1) : 0;
    service.types = chance(state, 5) ? 1 : 0;
    problem_builder_service(b, &service);
}

static problem_builder *random_problem(uint64_t seed) {
    uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    const size_t n_azs = 1 + (size_t)up_to(&state, 2);
    const bool several = chance(&state, 40);
    const size_t n_groups = several && chance(&state, 50) ? 2 : 1;
    problem_builder *b = problem_builder_new(n_azs);
    for (size_t g = 0; g < n_groups; g++) {
        random_group(b, &state, several);
    }
    const int64_t n_services = 1 + up_to(&state, 4);
    const bool alike = chance(&state, 30);
    const uint64_t before = state;
    for (int64_t s = 0; s < n_services; s++) {
        if (alike && s < 3) {
            state = before; /* services that merge into a profile */
        }
        random_service(b, &state, n_azs, n_groups, n_services > 3 ? 3 : 4);
    }
    return b;
}

static taskfit_settings plain_settings(void) {
    return (taskfit_settings){.work_limit = 200000000, .ladder = true, .seed = 1};
}

static void answers_are_those_of_brute_force(void **state) {
    (void)state;
    size_t n_feasible = 0;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        problem_builder *b = random_problem(seed);
        const bool cost_first = seed % 4 == 0;
        if (cost_first) {
            problem_builder_objective(b, (taskfit_goal[]){TASKFIT_GOAL_COST, TASKFIT_GOAL_COUNT}, 2);
        }
        if (seed % 4 == 1) {
            problem_builder_objective(b, (taskfit_goal[]){TASKFIT_GOAL_COUNT, TASKFIT_GOAL_COST, TASKFIT_GOAL_BALANCE}, 3);
        }
        const taskfit_problem *problem = problem_builder_finish(b);
        const brute_answer truth = brute_force(problem, MAX_INSTANCES, cost_first);
        const taskfit_settings settings = plain_settings();
        taskfit_solve_result result;
        assert_int_equal(taskfit_solve(problem, &settings, 0, NULL, problem->arena, &result, NULL), TASKFIT_OK);
        if (result.outcome != (truth.instances < 0 ? TASKFIT_INFEASIBLE : TASKFIT_OPTIMAL)) {
            fail_msg("seed %d: outcome %d, truth %d", (int)seed, (int)result.outcome, (int)truth.instances);
        }
        if (truth.instances >= 0) {
            n_feasible++;
            if ((int64_t)result.fleet->n_machines != truth.instances || result.cost_usd_micros != truth.cost_usd_micros ||
                !brute_force_accepts(problem, result.fleet)) {
                fail_msg("seed %d: %d instances for %d, truth %d for %d, or a rule is broken", (int)seed,
                         (int)result.fleet->n_machines, (int)result.cost_usd_micros, (int)truth.instances,
                         (int)truth.cost_usd_micros);
            }
            assert_non_null(result.binding_note);
        } else {
            assert_non_null(result.reason.message);
        }
        problem_builder_free(b);
    }
    assert_in_range(n_feasible, 400, 990);
}

/* ---- every stage on random fleets ---- */

typedef struct tally {
    size_t fits, refuted, open;
} tally;

static void judge_stage(const taskfit_decision *d, const taskfit_answer *answer, bool truth, uint64_t seed, const char *stage,
                        tally *count) {
    if ((answer->verdict == TASKFIT_VERDICT_FITS && !truth) || (answer->verdict == TASKFIT_VERDICT_REFUTED && truth)) {
        fail_msg("seed %d: %s says %d, truth %d", (int)seed, stage, (int)answer->verdict, (int)truth);
    }
    if (answer->verdict == TASKFIT_VERDICT_FITS) {
        assert_true(taskfit_contents_valid(d, answer->contents, answer->n_contents));
    }
    count->fits += answer->verdict == TASKFIT_VERDICT_FITS;
    count->refuted += answer->verdict == TASKFIT_VERDICT_REFUTED;
    count->open += answer->verdict == TASKFIT_VERDICT_OPEN;
}

static bool same_answer(const taskfit_problem *problem, const taskfit_fleet *fleet) {
    int64_t n_tasks = 0;
    for (size_t m = 0; m < fleet->n_machines; m++) {
        for (size_t i = 0; i < fleet->machines[m].n_tasks; i++) {
            n_tasks += fleet->machines[m].tasks[i].count;
        }
    }
    for (size_t s = 0; s < problem->n_services; s++) {
        n_tasks -= problem->services[s].replicas;
    }
    return n_tasks == 0 && brute_force_keeps_rules(problem, fleet);
}

static void stages_never_contradict_brute_force(void **state) {
    (void)state;
    tally bound = {0}, greedy = {0}, colgen = {0}, compact = {0};
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        problem_builder *b = random_problem(seed + 5000);
        const taskfit_problem *problem = problem_builder_finish(b);
        taskfit_arena *arena = problem->arena;
        uint64_t random = seed * 77 + 1;
        int64_t *count = TASKFIT_ARRAY(arena, problem->n_offers, int64_t);
        for (int64_t left = 1 + up_to(&random, 4); left > 0; left--) {
            count[up_to(&random, (int64_t)problem->n_offers - 1)]++;
        }
        const bool truth = brute_force_fits(problem, count);
        const taskfit_decision *d = taskfit_decision_new(arena, problem, count);
        taskfit_budget budget = {.work_left = 200000000};
        taskfit_answer answer = taskfit_bound_decide(d, arena);
        judge_stage(d, &answer, truth, seed, "bound", &bound);
        answer = taskfit_greedy_decide(d, &budget, arena);
        judge_stage(d, &answer, truth, seed, "greedy", &greedy);
        answer = taskfit_colgen_decide(d, &budget, arena);
        judge_stage(d, &answer, truth, seed, "colgen", &colgen);
        answer = taskfit_compact_decide(d, &budget, arena);
        judge_stage(d, &answer, truth, seed, "compact", &compact);
        if (truth) {
            assert_true(answer.verdict == TASKFIT_VERDICT_FITS);
            assert_true(same_answer(problem, taskfit_expand(d, answer.contents, answer.n_contents, arena)));
        }
        problem_builder_free(b);
    }
    assert_true(greedy.fits * 10 >= compact.fits * 9);
    assert_true(bound.refuted * 10 >= compact.refuted * 7);
    assert_true(colgen.open * 20 <= 1000);
    ASSERT_INT(compact.fits + compact.refuted, 1000 - compact.open);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_brute_force),
        cmocka_unit_test(stages_never_contradict_brute_force),
    };
    return RUN_TESTS(tests);
}
