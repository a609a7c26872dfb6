/* models/master.mod by glpsol, with all patterns written down, against column generation and the whole optimizer. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "glpsol.h"
#include "problem_builder.h"
#include "solve/generate.h"
#include "solve/solve.h"

enum { N_DECISIONS = 150, N_PROBLEMS = 60, MAX_PROFILES = 8 };
static const char master_model[] = "-m models/master.mod -d";

/* ---- random problems ---- */

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

static void add_group(problem_builder *b, size_t n_types) {
    builder_group group = {.n_types = n_types, .mixed = chance(50), .max_instances = 8, .min_instances = chance(20) ? up_to(3) : 0};
    for (size_t t = 0; t < n_types; t++) {
        group.types[t] = (builder_type){.memory_mib = 12 + up_to(12),
                                        .cpu_units = chance(60) ? 10 + up_to(8) : 0,
                                        .tasks = chance(20) ? 3 + up_to(3) : 0,
                                        .price_usd_micros = 100 + up_to(100),
                                        .stock = chance(20) ? 1 + up_to(3) : 0};
    }
    problem_builder_group(b, &group);
}

static void add_service(problem_builder *b, size_t n_azs, size_t n_groups, bool spread_instance) {
    builder_service service = {.replicas = 1 + up_to(3),
                               .memory_mib = 2 + up_to(8),
                               .cpu_units = up_to(6),
                               .distinct_instance = chance(30),
                               .spread_az = chance(60),
                               .spread_instance = spread_instance && chance(30)};
    service.ports = chance(20) ? (uint64_t)(1 + up_to(2)) : 0;
    service.conflicts = chance(20) ? (uint64_t)up_to(7) : 0;
    service.azs = n_azs > 1 && chance(10) ? (uint64_t)1 << up_to((int64_t)n_azs - 1) : 0;
    service.groups = n_groups > 1 && chance(20) ? (uint64_t)1 << up_to((int64_t)n_groups - 1) : 0;
    problem_builder_service(b, &service);
}

/* Several types and prices, or several groups, instance spread too: what a decision on a given fleet can have. */
static problem_builder *draw_problem(uint64_t number, bool several_types) {
    seed = number * UINT64_C(0x9e3779b97f4a7c15) + 11;
    const size_t n_azs = 1 + (size_t)up_to(2);
    const size_t n_groups = 1 + (size_t)(up_to(2) == 0);
    problem_builder *b = problem_builder_new(n_azs);
    for (size_t g = 0; g < n_groups; g++) {
        add_group(b, several_types ? 1 + (size_t)up_to(1) : 1);
    }
    const int64_t n_services = 3 + up_to(3);
    const uint64_t before = seed;
    const bool alike = chance(40); /* services that merge into a profile */
    for (int64_t s = 0; s < n_services; s++) {
        seed = alike && s < 3 ? before : seed;
        add_service(b, n_azs, n_groups, !several_types);
    }
    return b;
}

/* ---- all patterns, as data of the model ---- */

typedef struct listing {
    const taskfit_decision *decision;
    size_t kind;
    const char *on; /* name of the kind in the data */
    int64_t tasks[MAX_PROFILES];
    size_t n;                       /* patterns so far */
    taskfit_strbuf *patterns, *contains, *fits;
} listing;

static bool has_room(const listing *l) {
    const taskfit_decision *d = l->decision;
    bool room = true;
    for (size_t dim = 0; dim < d->n_dims; dim++) {
        int64_t used = 0;
        for (size_t p = 0; p < d->n_profiles; p++) {
            used += l->tasks[p] * d->profiles[p].demand[dim];
        }
        room = room && used <= d->kinds[l->kind].capacity[dim];
    }
    for (size_t i = 0; i < d->n_conflicts; i++) {
        room = room && (l->tasks[d->conflicts[i].a] == 0 || l->tasks[d->conflicts[i].b] == 0);
    }
    return room;
}

static bool can_grow(listing *l) {
    bool can = false;
    for (size_t p = 0; p < l->decision->n_profiles; p++) {
        l->tasks[p]++;
        can = can || (l->tasks[p] <= l->decision->kinds[l->kind].high[p] && has_room(l));
        l->tasks[p]--;
    }
    return can;
}

/* Those to which nothing can be added, and the least one. */
static void list_from(listing *l, size_t from) {
    const taskfit_kind *kind = &l->decision->kinds[l->kind];
    if (from < l->decision->n_profiles) {
        for (l->tasks[from] = kind->low[from]; l->tasks[from] <= kind->high[from]; l->tasks[from]++) {
            list_from(l, from + 1);
        }
        l->tasks[from] = 0;
        return;
    }
    const bool least = memcmp(l->tasks, kind->low, l->decision->n_profiles * sizeof *l->tasks) == 0;
    if (!has_room(l) || (!least && can_grow(l))) {
        return;
    }
    taskfit_strbuf_printf(l->patterns, " %s-%zu", l->on, l->n);
    taskfit_strbuf_printf(l->fits, " %s-%zu %s", l->on, l->n, l->on);
    for (size_t p = 0; p < l->decision->n_profiles; p++) {
        taskfit_strbuf_printf(l->contains, " %s-%zu p%zu %lld", l->on, l->n, p, (long long)l->tasks[p]);
    }
    l->n++;
}

/* False: the kind has no content at all. */
static bool list_patterns(const taskfit_decision *d, size_t kind, const char *on, taskfit_strbuf *text[3]) {
    listing l = {.decision = d, .kind = kind, .on = on, .patterns = text[0], .contains = text[1], .fits = text[2]};
    list_from(&l, 0);
    return l.n > 0;
}

static void write_profiles(const taskfit_decision *d, size_t n_azs, taskfit_strbuf *out) {
    taskfit_strbuf_adds(out, "set ZONES :=");
    for (size_t z = 0; z < n_azs; z++) {
        taskfit_strbuf_printf(out, " z%zu", z);
    }
    taskfit_strbuf_adds(out, ";\nparam : PROFILES : services replicas :=");
    for (size_t p = 0; p < d->n_profiles; p++) {
        taskfit_strbuf_printf(out, " p%zu %lld %lld", p, (long long)d->profiles[p].n_services, (long long)d->profiles[p].replicas);
    }
    taskfit_strbuf_adds(out, ";\nparam : zone_low zone_high :=");
    for (size_t p = 0; p < d->n_profiles; p++) {
        for (size_t z = 0; z < d->n_zones && d->n_zones > 1; z++) {
            taskfit_strbuf_printf(out, " p%zu z%zu %lld %lld", p, z, (long long)d->profiles[p].zone_low[z],
                                  (long long)d->profiles[p].zone_high[z]);
        }
    }
}

static void write_patterns(taskfit_strbuf *const text[3], taskfit_strbuf *out) {
    static const char *const heads[3] = {"set PATTERNS :=", "param contains :=", "set FITS :="};
    for (size_t i = 0; i < 3; i++) {
        taskfit_strbuf_printf(out, ";\n%s%s", heads[i], text[i]->data);
    }
    taskfit_strbuf_adds(out, ";\nend;\n");
}

/* ---- decisions ---- */

/* False: a kind has no content, which the model cannot say. */
static bool write_decision(const taskfit_decision *d, taskfit_strbuf *out) {
    TASKFIT_STRBUF(patterns);
    TASKFIT_STRBUF(contains);
    TASKFIT_STRBUF(fits);
    taskfit_strbuf *text[3] = {&patterns, &contains, &fits};
    bool all = true;
    taskfit_strbuf_adds(out, "data;\nparam fixed := 1;\nset GROUPS := g;\nparam mixed := g 1;\n");
    write_profiles(d, d->n_zones, out);
    taskfit_strbuf_adds(out, ";\nparam : KINDS : group type zone most :=");
    for (size_t k = 0; k < d->n_kinds; k++) {
        char name[24];
        snprintf(name, sizeof name, "k%zu", k);
        taskfit_strbuf_printf(out, " %s g %s z%zu %lld", name, name, d->kinds[k].zone, (long long)d->kinds[k].count);
        all = list_patterns(d, k, name, text) && all;
    }
    taskfit_strbuf_adds(out, ";\nparam low :=");
    for (size_t k = 0; k < d->n_kinds; k++) {
        for (size_t p = 0; p < d->n_profiles; p++) {
            taskfit_strbuf_printf(out, " p%zu k%zu %lld", p, k, (long long)d->kinds[k].low[p]);
        }
    }
    write_patterns(text, out);
    return all;
}

typedef struct tally {
    size_t compared, refuted, bounds, several_blocks, with_lows;
} tally;

static int64_t glpsol_relaxed(const char *data) {
    char options[64];
    snprintf(options, sizeof options, "--nomip %s", master_model);
    return glpsol_run(options, data);
}

/* The linear relaxation: the goal where it is at most the fleet; else that it is not. The optimum of the relaxation. */
static int64_t compare_root(const taskfit_decision *d, const char *data, tally *t) {
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_residual *root = taskfit_residual_new(arena, d, false);
    const int64_t relaxed = glpsol_relaxed(data);
    const int64_t fleet = d->n_instances * 1000000;
    if (root->decision.impossible) {
        assert_true(relaxed == GLPSOL_INFEASIBLE || relaxed > fleet);
        taskfit_arena_free(arena);
        return relaxed;
    }
    taskfit_master *master = taskfit_master_new(arena, root, taskfit_pattern_pool_new(arena), taskfit_columns_new(arena, root));
    taskfit_generate_start(master);
    taskfit_generator generator = {.converge = true};
    taskfit_budget budget = {.work_left = 50000000};
    const taskfit_generated generated = taskfit_generate(&generator, master, &budget);
    if (generated == TASKFIT_GENERATED_FITS) {
        const int64_t ours = llround(taskfit_master_objective(master) * 1000000);
        if (llabs(ours - relaxed) > 20) {
            fail_msg("the master's goal is %lld, the model's %lld\n%s", (long long)ours, (long long)relaxed, data);
        }
    } else {
        assert_int_equal(generated, TASKFIT_GENERATED_REFUTED);
        assert_true(relaxed == GLPSOL_INFEASIBLE || relaxed > fleet);
        t->refuted++;
    }
    t->several_blocks += root->n_blocks > 1;
    taskfit_master_free(master);
    taskfit_arena_free(arena);
    return relaxed;
}

static void column_generation_solves_the_model(void **state) {
    (void)state;
    tally t = {0};
    for (uint64_t number = 1; number <= N_DECISIONS; number++) {
        problem_builder *b = draw_problem(number, false);
        const taskfit_problem *problem = problem_builder_finish(b);
        int64_t count[16] = {0};
        assert_true(problem->n_offers <= 16);
        for (size_t o = 0; o < problem->n_offers; o++) {
            count[o] = (o == 0) + up_to(problem->n_offers > 2 ? 1 : 3);
        }
        const taskfit_decision *decision = taskfit_decision_new(problem->arena, problem, count);
        TASKFIT_STRBUF(data);
        if (!decision->impossible && write_decision(decision, &data)) {
            const int64_t relaxed = compare_root(decision, data.data, &t);
            const int64_t whole = glpsol_run(master_model, data.data);
            taskfit_budget budget = {.work_left = 50000000};
            const taskfit_answer answer = taskfit_colgen_decide(decision, &budget, problem->arena);
            const bool fits = whole != GLPSOL_INFEASIBLE && whole <= decision->n_instances * 1000000;
            if (answer.verdict != (fits ? TASKFIT_VERDICT_FITS : TASKFIT_VERDICT_REFUTED)) {
                fail_msg("decision %d: verdict %d, model %lld\n%s", (int)number, (int)answer.verdict, (long long)whole, data.data);
            }
            if (answer.lower_bound > 0 && relaxed != GLPSOL_INFEASIBLE) {
                ASSERT_INT(answer.lower_bound, (relaxed + 999999) / 1000000);
                t.bounds++;
            }
            t.compared++;
            for (size_t i = 0; i < decision->n_kinds * decision->n_profiles; i++) {
                t.with_lows += decision->kinds[i / decision->n_profiles].low[i % decision->n_profiles] > 0;
            }
        }
        problem_builder_free(b);
    }
    print_message("%zu compared, %zu refuted, %zu bounds, %zu of several blocks, %zu lows\n", t.compared, t.refuted, t.bounds, t.several_blocks, t.with_lows);
    assert_true(t.compared >= 60 && t.refuted >= 15 && t.compared - t.refuted >= 15 && t.several_blocks >= 15 && t.with_lows >= 5);
}

/* ---- optimization ---- */

static void write_offers(const taskfit_problem *problem, const taskfit_decision *d, bool by_cost, taskfit_strbuf *out) {
    TASKFIT_STRBUF(patterns);
    TASKFIT_STRBUF(contains);
    TASKFIT_STRBUF(fits);
    taskfit_strbuf *text[3] = {&patterns, &contains, &fits};
    taskfit_strbuf_adds(out, "data;\n");
    write_profiles(d, problem->n_azs, out);
    taskfit_strbuf_adds(out, ";\nparam : KINDS : group type zone weight most :=");
    for (size_t o = 0; o < problem->n_offers; o++) {
        const taskfit_offer *offer = &problem->offers[o];
        char name[24];
        snprintf(name, sizeof name, "k%zu", o);
        taskfit_strbuf_printf(out, " %s g%zu t%zu z%zu %lld %lld", name, offer->group, offer->type, offer->az,
                              by_cost ? (long long)offer->price_usd_micros : 1LL,
                              (long long)problem->groups[offer->group].max_instances);
        assert_true(list_patterns(d, d->offer_kind[o], name, text));
    }
    taskfit_strbuf_adds(out, ";\nparam : GROUPS : mixed group_min group_max :=");
    for (size_t g = 0; g < problem->n_groups; g++) {
        const taskfit_problem_group *group = &problem->groups[g];
        taskfit_strbuf_printf(out, " g%zu %d %lld %lld", g, group->mixed, (long long)group->min_instances,
                              (long long)group->max_instances);
    }
    taskfit_strbuf_adds(out, ";\nparam stock :=");
    for (size_t g = 0; g < problem->n_groups; g++) {
        for (size_t type = 0; type < problem->groups[g].n_types; type++) {
            if (problem->groups[g].stock[type] >= 0) {
                taskfit_strbuf_printf(out, " g%zu t%zu %lld", g, type, (long long)problem->groups[g].stock[type]);
            }
        }
    }
    write_patterns(text, out);
}

static void the_optimizer_finds_the_models_optimum(void **state) {
    (void)state;
    size_t n_feasible = 0;
    for (uint64_t number = 1; number <= N_PROBLEMS; number++) {
        problem_builder *b = draw_problem(number, true);
        const bool by_cost = number % 2 == 0;
        problem_builder_objective(b, (taskfit_goal[]){by_cost ? TASKFIT_GOAL_COST : TASKFIT_GOAL_COUNT}, 1);
        const taskfit_problem *problem = problem_builder_finish(b);
        const taskfit_settings settings = {.work_limit = 200000000, .seed = 1};
        taskfit_solve_result result;
        assert_int_equal(taskfit_solve(problem, &settings, 0, NULL, problem->arena, &result, NULL), TASKFIT_OK);
        assert_true(result.outcome == TASKFIT_OPTIMAL || result.outcome == TASKFIT_INFEASIBLE);
        int64_t count[24];
        for (size_t o = 0; o < problem->n_offers; o++) {
            count[o] = 8;
        }
        const taskfit_decision *decision = taskfit_decision_new(problem->arena, problem, count);
        TASKFIT_STRBUF(data);
        if (decision->impossible) {
            assert_int_equal(result.outcome, TASKFIT_INFEASIBLE);
        } else {
            write_offers(problem, decision, by_cost, &data);
            const int64_t optimum = glpsol_run(master_model, data.data);
            assert_int_equal(result.outcome, optimum == GLPSOL_INFEASIBLE ? TASKFIT_INFEASIBLE : TASKFIT_OPTIMAL);
            if (optimum != GLPSOL_INFEASIBLE) {
                ASSERT_INT((by_cost ? result.cost_usd_micros : (int64_t)result.fleet->n_machines) * 1000000, optimum);
                n_feasible++;
            }
        }
        problem_builder_free(b);
    }
    print_message("%zu of %d have a fleet\n", n_feasible, (int)N_PROBLEMS);
    assert_true(n_feasible >= N_PROBLEMS / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(column_generation_solves_the_model),
        cmocka_unit_test(the_optimizer_finds_the_models_optimum),
    };
    return RUN_TESTS(tests);
}
