#include "unit.h"

#include "brute_force.h"
#include "base/strbuf.h"
#include "glpsol.h"
#include "problem_builder.h"
#include "solve/lattice.h"
#include "solve/solve.h"

enum { MOST_INSTANCES = 4, ROUNDS = 150, MODEL_ROUNDS = 30, MOST_QUESTIONS = 4 };

static uint64_t draws = 1;

static int64_t draw(int64_t low, int64_t high) {
    draws ^= draws >> 12;
    draws ^= draws << 25;
    draws ^= draws >> 27;
    return low + (int64_t)((draws * UINT64_C(2685821657736338717)) >> 33) % (high - low + 1);
}

/* One mixed group of three types, or two groups that share the tasks. */
static problem_builder *random_mix(uint64_t seed, bool cost_first) {
    draws = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    const size_t n_azs = (size_t)draw(1, 2);
    const int64_t n_groups = draw(1, 2);
    const taskfit_goal goals[2] = {cost_first ? TASKFIT_GOAL_COST : TASKFIT_GOAL_COUNT,
                                   cost_first ? TASKFIT_GOAL_COUNT : TASKFIT_GOAL_COST};
    problem_builder *b = problem_builder_new(n_azs);
    for (int64_t g = 0; g < n_groups; g++) {
        builder_group group = {.mixed = draw(0, 3) > 0, .n_types = n_groups == 1 ? 3 : 2, .max_instances = MOST_INSTANCES / n_groups};
        for (size_t t = 0; t < group.n_types; t++) {
            group.types[t] = (builder_type){.memory_mib = draw(8, 24),
                                            .cpu_units = draw(0, 1) == 0 ? 0 : draw(8, 20),
                                            .price_usd_micros = draw(50, 60) * 2,
                                            .stock = draw(0, 3) == 0 ? draw(1, 2) : 0};
        }
        problem_builder_group(b, &group);
    }
    for (int64_t s = draw(2, 4); s > 0; s--) {
        problem_builder_service(b, &(builder_service){.replicas = draw(1, 3),
                                                      .memory_mib = draw(2, 9),
                                                      .cpu_units = draw(0, 6),
                                                      .distinct_instance = draw(0, 2) == 0,
                                                      .spread_az = draw(0, 1) == 0,
                                                      .spread_instance = draw(0, 2) == 0,
                                                      .ports = draw(0, 5) == 0 ? 1 : 0});
    }
    problem_builder_objective(b, goals, 2);
    return b;
}

static void test_random_mixes(void **state) {
    (void)state;
    const taskfit_settings settings = {.work_limit = 200000000, .ladder = true, .seed = 1};
    size_t n_optimal = 0;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        const bool cost_first = seed % 3 != 0;
        problem_builder *b = random_mix(seed, cost_first);
        const taskfit_problem *problem = problem_builder_finish(b);
        taskfit_arena *arena = taskfit_arena_new();
        taskfit_solve_result result;
        assert_int_equal(taskfit_solve(problem, &settings, 0, NULL, arena, &result, NULL), TASKFIT_OK);
        const brute_answer best = brute_force(problem, MOST_INSTANCES, cost_first);
        if (best.instances < 0) {
            if (result.outcome != TASKFIT_INFEASIBLE) {
                fail_msg("seed %d: infeasible, but outcome %d", (int)seed, (int)result.outcome);
            }
        } else {
            n_optimal++;
            if (result.outcome != TASKFIT_OPTIMAL || (int64_t)result.fleet->n_machines != best.instances ||
                result.cost_usd_micros != best.cost_usd_micros || result.cost_proof == TASKFIT_PROOF_GAP) {
                fail_msg("seed %d: %d instances for %d, not outcome %d: %d for %d (proof %d)", (int)seed, (int)best.instances,
                         (int)best.cost_usd_micros, (int)result.outcome,
                         result.fleet == NULL ? -1 : (int)result.fleet->n_machines, (int)result.cost_usd_micros,
                         (int)result.cost_proof);
            }
            assert_true(brute_force_accepts(problem, result.fleet));
        }
        taskfit_arena_free(arena);
        problem_builder_free(b);
    }
    assert_true(n_optimal > ROUNDS / 2);
}

/* 120 tasks of 100 MiB on boxes of 1,000, 500 and 2,100 MiB: which are cheapest depends on a few micro-dollars. */
static void test_swaps_come_out(void **state) {
    (void)state;
    static const struct {
        int64_t price[3];
    } row[] = {{{100, 60, 205}}, {{100, 49, 205}}, {{100, 50, 200}}, {{100, 51, 211}}, {{90, 70, 210}}};
    const taskfit_settings settings = {.work_limit = 200000000, .ladder = true, .seed = 1};
    const taskfit_goal goals[2] = {TASKFIT_GOAL_COST, TASKFIT_GOAL_COUNT};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        problem_builder *b = problem_builder_new(1);
        problem_builder_group(b, &(builder_group){.mixed = true,
                                                  .n_types = 3,
                                                  .types = {{.memory_mib = 1000, .price_usd_micros = row[i].price[0]},
                                                            {.memory_mib = 500, .price_usd_micros = row[i].price[1]},
                                                            {.memory_mib = 2100, .price_usd_micros = row[i].price[2]}}});
        problem_builder_service(b, &(builder_service){.replicas = 120, .memory_mib = 100});
        problem_builder_objective(b, goals, 2);
        taskfit_arena *arena = taskfit_arena_new();
        taskfit_solve_result result;
        assert_int_equal(taskfit_solve(problem_builder_finish(b), &settings, 0, NULL, arena, &result, NULL), TASKFIT_OK);
        int64_t cost = INT64_MAX; /* by trying all */
        int64_t count = 0;
        for (int64_t x = 0; x <= 12; x++) {
            for (int64_t y = 0; y <= 24; y++) {
                for (int64_t z = 0; z <= 6; z++) {
                    const int64_t sum = x * row[i].price[0] + y * row[i].price[1] + z * row[i].price[2];
                    if (10 * x + 5 * y + 21 * z >= 120 && (sum < cost || (sum == cost && x + y + z < count))) {
                        cost = sum;
                        count = x + y + z;
                    }
                }
            }
        }
        assert_int_equal(result.outcome, TASKFIT_OPTIMAL);
        ASSERT_INT(result.cost_usd_micros, cost);
        ASSERT_INT(result.fleet->n_machines, count);
        assert_int_equal(result.cost_proof, TASKFIT_PROOF_EXACT);
        taskfit_arena_free(arena);
        problem_builder_free(b);
    }
}

/* models/fleet.mod with the cuts known so far. */
static void write_fleet_data(taskfit_strbuf *out, const taskfit_problem *problem, const taskfit_cut_pool *pool, bool cost_first) {
    taskfit_strbuf_adds(out, "data;\nset GROUPS :=");
    for (size_t g = 0; g < problem->n_groups; g++) {
        taskfit_strbuf_printf(out, " g%zu", g);
    }
    taskfit_strbuf_adds(out, ";\nparam : KINDS : group type zone weight :=");
    for (size_t o = 0; o < problem->n_offers; o++) {
        const taskfit_offer *offer = &problem->offers[o];
        taskfit_strbuf_printf(out, "\n k%zu g%zu t%zu z%zu %lld", o, offer->group, offer->type, offer->az,
                              cost_first ? (long long)offer->price_usd_micros : 1);
    }
    taskfit_strbuf_adds(out, ";\nparam : mixed group_min group_max :=");
    for (size_t g = 0; g < problem->n_groups; g++) {
        const taskfit_problem_group *group = &problem->groups[g];
        taskfit_strbuf_printf(out, "\n g%zu %d %lld %lld", g, group->mixed, (long long)group->min_instances, (long long)group->max_instances);
    }
    taskfit_strbuf_adds(out, ";\nparam stock :=");
    for (size_t o = 0; o < problem->n_offers; o++) {
        const taskfit_offer *offer = &problem->offers[o];
        const taskfit_problem_group *group = &problem->groups[offer->group];
        const size_t type = (o - group->first_offer) / group->n_azs;
        if (group->stock[type] >= 0 && (o - group->first_offer) % group->n_azs == 0) {
            taskfit_strbuf_printf(out, "\n g%zu t%zu %lld", offer->group, offer->type, (long long)group->stock[type]);
        }
    }
    taskfit_strbuf_adds(out, ";\nparam : CUTS : worth :=");
    for (size_t c = 0; c < pool->n_cuts; c++) {
        taskfit_strbuf_printf(out, "\n c%zu %lld", c, (long long)pool->cuts[c].worth);
    }
    taskfit_strbuf_adds(out, ";\nparam maximum :=");
    for (size_t c = 0; c < pool->n_cuts; c++) {
        for (size_t o = 0; o < problem->n_offers; o++) {
            taskfit_strbuf_printf(out, "\n c%zu k%zu %lld", c, o, (long long)pool->cuts[c].maximum[o]);
        }
    }
    taskfit_strbuf_adds(out, ";\nend;\n");
}

/* The lattice's best fleet is that of models/fleet.mod, as cuts come; returns the questions asked. */
static size_t ask_lattice_and_model(uint64_t seed, bool cost_first) {
    problem_builder *b = random_mix(seed, cost_first);
    const taskfit_problem *problem = problem_builder_finish(b);
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_budget budget = {.work_left = 200000000};
    const taskfit_lattice_setting setting = {.problem = problem,
                                             .walk = taskfit_walk_new(problem, cost_first, arena),
                                             .cost_first = cost_first,
                                             .most_instances = 1000,
                                             .budget = &budget};
    taskfit_lattice *lattice = taskfit_lattice_new(&setting, arena);
    taskfit_cut_pool *pool = taskfit_lattice_cuts(lattice);
    size_t n_questions = 0;
    for (bool more = true; more && n_questions < MOST_QUESTIONS; n_questions++) {
        TASKFIT_STRBUF(data);
        taskfit_lattice_query query = {.below = {INT64_MAX, INT64_MAX}, .count = TASKFIT_ARRAY(arena, problem->n_offers, int64_t)};
        const bool any = taskfit_lattice_next(lattice, &query);
        assert_false(query.cut_short);
        write_fleet_data(&data, problem, pool, cost_first);
        const int64_t expected = glpsol_run("-m models/fleet.mod -d", data.data);
        if (any ? query.goal.first * 1000000 != expected : expected != GLPSOL_INFEASIBLE) {
            fail_msg("seed %d: %lld, by the model %lld\n%s", (int)seed, any ? (long long)query.goal.first : -1LL, (long long)expected, data.data);
        }
        more = any && taskfit_cut_find(pool, query.count) && pool->cuts[pool->n_cuts - 1].fleet == NULL;
    }
    taskfit_arena_free(arena);
    problem_builder_free(b);
    return n_questions;
}

static void test_lattice_against_model(void **state) {
    (void)state;
    size_t n_questions = 0;
    for (uint64_t seed = 1; seed <= MODEL_ROUNDS; seed++) {
        n_questions += ask_lattice_and_model(seed, seed % 3 != 0);
    }
    assert_true(n_questions > MODEL_ROUNDS);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_mixes), cmocka_unit_test(test_swaps_come_out),
                                       cmocka_unit_test(test_lattice_against_model)};
    return RUN_TESTS(tests);
}
