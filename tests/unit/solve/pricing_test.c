#include "unit.h"

#include <string.h>

#include "base/strbuf.h"
#include "glpsol.h"
#include "solve/pricing.h"

/* Small random knapsacks against trying everything. */

enum { MAX_PROFILES = 6, MAX_DIMS = 4 };

typedef struct sample {
    taskfit_profile profiles[MAX_PROFILES];
    int64_t demand[MAX_PROFILES][MAX_DIMS];
    int64_t capacity[MAX_DIMS], low[MAX_PROFILES], high[MAX_PROFILES], price[MAX_PROFILES];
    taskfit_conflict conflicts[3];
    taskfit_kind kind;
    taskfit_decision decision;
} sample;

static uint64_t seed = 1;

static int64_t draw(int64_t low, int64_t high) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (int64_t)((seed >> 33) % (uint64_t)(high - low + 1));
}

static void draw_sample(sample *s) {
    *s = (sample){.kind = {.count = 1, .capacity = s->capacity, .low = s->low, .high = s->high}};
    const size_t n = (size_t)draw(1, MAX_PROFILES);
    const size_t n_dims = (size_t)draw(1, MAX_DIMS);
    const bool alike = draw(0, 1) == 1; /* prices in proportion to sizes */
    for (size_t d = 0; d < n_dims; d++) {
        s->capacity[d] = draw(0, 40);
    }
    for (size_t p = 0; p < n; p++) {
        for (size_t d = 0; d < n_dims; d++) {
            s->demand[p][d] = draw(0, 3) == 0 ? 0 : draw(0, 20);
        }
        s->profiles[p].demand = s->demand[p];
        s->low[p] = draw(0, 5) == 0 ? 1 : 0;
        s->high[p] = draw(s->low[p], 4);
        s->price[p] = alike ? s->demand[p][0] * 1000 : draw(0, 3) == 0 ? 0 : draw(0, TASKFIT_PRICE_MAX);
    }
    s->decision = (taskfit_decision){
        .n_dims = n_dims, .profiles = s->profiles, .n_profiles = n, .n_zones = 1, .kinds = &s->kind, .n_kinds = 1};
    for (size_t i = 0; n > 2 && i < (size_t)draw(0, 3); i++) {
        const size_t a = (size_t)draw(0, (int64_t)n - 2);
        s->conflicts[s->decision.n_conflicts++] = (taskfit_conflict){.a = a, .b = (size_t)draw((int64_t)a + 1, (int64_t)n - 1)};
        if (s->decision.n_conflicts == 3) {
            break;
        }
    }
    s->decision.conflicts = s->conflicts;
}

static bool fits(const sample *s, const int64_t *tasks) {
    for (size_t d = 0; d < s->decision.n_dims; d++) {
        int64_t used = 0;
        for (size_t p = 0; p < s->decision.n_profiles; p++) {
            used += tasks[p] * s->demand[p][d];
        }
        if (used > s->capacity[d]) {
            return false;
        }
    }
    for (size_t i = 0; i < s->decision.n_conflicts; i++) {
        if (tasks[s->conflicts[i].a] > 0 && tasks[s->conflicts[i].b] > 0) {
            return false;
        }
    }
    return true;
}

static int64_t worth_of(const sample *s, const int64_t *tasks) {
    int64_t worth = 0;
    for (size_t p = 0; p < s->decision.n_profiles; p++) {
        worth += tasks[p] * s->price[p];
    }
    return worth;
}

/* The most any content is worth; -1: there is none. */
static int64_t try_all(const sample *s, int64_t *tasks, size_t from) {
    if (from == s->decision.n_profiles) {
        return fits(s, tasks) ? worth_of(s, tasks) : -1;
    }
    int64_t best = -1;
    for (tasks[from] = s->low[from]; tasks[from] <= s->high[from]; tasks[from]++) {
        const int64_t worth = try_all(s, tasks, from + 1);
        best = worth > best ? worth : best;
    }
    return best;
}

typedef struct catch {
    const sample *sample;
    int64_t best;
} catch;

static void note(void *arg, const int64_t *tasks, int64_t worth) {
    catch *caught = arg;
    ASSERT_INT(worth, worth_of(caught->sample, tasks));
    assert_true(fits(caught->sample, tasks));
    for (size_t p = 0; p < caught->sample->decision.n_profiles; p++) {
        assert_true(tasks[p] >= caught->sample->low[p] && tasks[p] <= caught->sample->high[p]);
    }
    assert_true(worth_of(caught->sample, tasks) > caught->best);
    caught->best = worth_of(caught->sample, tasks);
}

static void the_best_pattern_is_found_and_proved(void **state) {
    (void)state;
    size_t n_infeasible = 0;
    for (int round = 0; round < 3000; round++) {
        sample s;
        draw_sample(&s);
        int64_t tasks[MAX_PROFILES] = {0};
        const int64_t most = try_all(&s, tasks, 0);
        taskfit_arena *arena = taskfit_arena_new();
        taskfit_budget budget = {.work_left = 1000000};
        taskfit_pricer *pricer = taskfit_pricer_new(arena, &s.decision, 0);
        catch caught = {.sample = &s, .best = -1};
        taskfit_pricing_query query = {.price = s.price, .above = -1, .thorough = true, .found = note, .found_arg = &caught};
        const taskfit_pricing_result first = taskfit_pricer_ask(pricer, &query, &budget);
        assert_int_equal(first.feasible, most >= 0);
        n_infeasible += most < 0;
        if (most >= 0) {
            ASSERT_INT(first.best, most);
            ASSERT_INT(first.bound, most);
            ASSERT_INT(caught.best, most);
            query.above = most; /* nothing is better; and the pricer can be asked again */
            const taskfit_pricing_result second = taskfit_pricer_ask(pricer, &query, &budget);
            ASSERT_INT(second.best, most);
            ASSERT_INT(second.bound, most);
        }
        taskfit_arena_free(arena);
    }
    assert_in_range(n_infeasible, 1, 2000);
}

/* The sample as data of models/pricing.mod. */
static void write_data(const sample *s, taskfit_strbuf *out) {
    const taskfit_decision *d = &s->decision;
    taskfit_strbuf_adds(out, "data;\nset RESOURCES :=");
    for (size_t dim = 0; dim < d->n_dims; dim++) {
        taskfit_strbuf_printf(out, " %zu", dim);
    }
    taskfit_strbuf_adds(out, ";\nset CONFLICTS :=");
    for (size_t i = 0; i < d->n_conflicts; i++) {
        bool again = false; /* a set names each pair once */
        for (size_t j = 0; j < i; j++) {
            again = again || (s->conflicts[j].a == s->conflicts[i].a && s->conflicts[j].b == s->conflicts[i].b);
        }
        if (!again) {
            taskfit_strbuf_printf(out, " (%zu,%zu)", s->conflicts[i].a, s->conflicts[i].b);
        }
    }
    taskfit_strbuf_adds(out, ";\nparam capacity :=");
    for (size_t dim = 0; dim < d->n_dims; dim++) {
        taskfit_strbuf_printf(out, " %zu %lld", dim, (long long)s->capacity[dim]);
    }
    taskfit_strbuf_adds(out, ";\nparam demand :=");
    for (size_t p = 0; p < d->n_profiles; p++) {
        for (size_t dim = 0; dim < d->n_dims; dim++) {
            taskfit_strbuf_printf(out, " %zu %zu %lld", p, dim, (long long)s->demand[p][dim]);
        }
    }
    taskfit_strbuf_adds(out, ";\nparam : PROFILES : price low high :=\n");
    for (size_t p = 0; p < d->n_profiles; p++) {
        taskfit_strbuf_printf(out, "%zu %lld %lld %lld\n", p, (long long)s->price[p], (long long)s->low[p], (long long)s->high[p]);
    }
    taskfit_strbuf_adds(out, ";\nend;\n");
}

static void the_model_says_the_same(void **state) {
    (void)state;
    size_t n_feasible = 0;
    for (int round = 0; round < 60; round++) {
        sample s;
        draw_sample(&s);
        for (size_t p = 0; p < s.decision.n_profiles; p++) {
            s.price[p] >>= 14; /* GLPK tells no 1 in 10^7 */
        }
        TASKFIT_STRBUF(data);
        write_data(&s, &data);
        const int64_t optimum = glpsol_run("-m models/pricing.mod -d", data.data);
        taskfit_arena *arena = taskfit_arena_new();
        taskfit_budget budget = {.work_left = 1000000};
        const taskfit_pricing_query query = {.price = s.price, .above = -1, .thorough = true};
        const taskfit_pricing_result result = taskfit_pricer_ask(taskfit_pricer_new(arena, &s.decision, 0), &query, &budget);
        assert_int_equal(result.feasible, optimum != GLPSOL_INFEASIBLE);
        if (result.feasible) {
            ASSERT_INT(result.best * 1000000, optimum);
        }
        n_feasible += result.feasible;
        taskfit_arena_free(arena);
    }
    assert_in_range(n_feasible, 30, 59);
}

/* 60 profiles whose price is their size: the surrogate bound says nothing, the table nearly everything. */
static void subset_sums_end_by_table(void **state) {
    (void)state;
    enum { N = 60 };
    taskfit_profile profiles[N] = {{0}};
    int64_t demand[N][2], low[N] = {0}, high[N], price[N];
    const int64_t capacity[2] = {100000, 30};
    for (size_t p = 0; p < N; p++) {
        demand[p][0] = 2 * draw(2000, 9000);
        demand[p][1] = 1;
        price[p] = demand[p][0] * 64;
        high[p] = 3;
        profiles[p].demand = demand[p];
    }
    const taskfit_kind kind = {.count = 1, .capacity = capacity, .low = low, .high = high};
    const taskfit_decision decision = {
        .n_dims = 2, .profiles = profiles, .n_profiles = N, .n_zones = 1, .kinds = &kind, .n_kinds = 1};
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_budget budget = {.work_left = 5000000};
    const taskfit_pricing_query query = {.price = price, .above = 100000 * 64, .thorough = true};
    const taskfit_pricing_result result = taskfit_pricer_ask(taskfit_pricer_new(arena, &decision, 0), &query, &budget);
    ASSERT_INT(result.bound, 100000 * 64);
    assert_true(budget.work_left > 0);
    taskfit_arena_free(arena);
}

/* Six demands, each of 50 profiles that differ in price hardly or not at all, as profiles of other replicas do. */
static void dominated_profiles_are_not_searched(void **state) {
    (void)state;
    enum { N = 300 };
    taskfit_profile profiles[N] = {{0}};
    int64_t demand[N][3], low[N] = {0}, high[N], price[N];
    const int64_t capacity[3] = {15875, 64, 40};
    for (size_t p = 0; p < N; p++) {
        if (p % 50 == 0) {
            demand[p][0] = draw(280, 1300);
            demand[p][1] = draw(0, 8);
        } else {
            memcpy(demand[p], demand[p - 1], sizeof demand[p]);
        }
        demand[p][2] = 1;
        price[p] = 512 * demand[p][0] + 50000 * demand[p][1] + draw(0, 100);
        high[p] = 40;
        profiles[p].demand = demand[p];
    }
    const taskfit_kind kind = {.count = 1, .capacity = capacity, .low = low, .high = high};
    const taskfit_decision decision = {
        .n_dims = 3, .profiles = profiles, .n_profiles = N, .n_zones = 1, .kinds = &kind, .n_kinds = 1};
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_budget budget = {.work_left = 3000000};
    taskfit_pricer *pricer = taskfit_pricer_new(arena, &decision, 0);
    taskfit_pricing_query query = {.price = price, .thorough = true};
    taskfit_pricing_result result = {.bound = 1};
    while (result.best < result.bound && budget.work_left > 0) {
        query.above = result.best;
        result = taskfit_pricer_ask(pricer, &query, &budget);
    }
    assert_in_range(result.best, 1, 512 * 15875 + 50000 * 64 + 4000);
    assert_true(budget.work_left > 0);
    taskfit_arena_free(arena);
}

/* As many dimensions as host ports that profiles share: the dearest of each port fits beside the others. */
static void dimensions_may_be_many(void **state) {
    (void)state;
    enum { N = 150, DIMS = 75 };
    static int64_t demand[N][DIMS];
    taskfit_profile profiles[N] = {{0}};
    int64_t capacity[DIMS], low[N] = {0}, high[N], price[N];
    int64_t most = 0;
    for (size_t p = 0; p < N; p++) {
        capacity[p % DIMS] = 1;
        demand[p][p % DIMS] = 1;
        price[p] = draw(1, 1000);
        high[p] = 1;
        profiles[p].demand = demand[p];
    }
    for (size_t p = 0; p < DIMS; p++) {
        most += price[p] > price[p + DIMS] ? price[p] : price[p + DIMS];
    }
    const taskfit_kind kind = {.count = 1, .capacity = capacity, .low = low, .high = high};
    const taskfit_decision decision = {
        .n_dims = DIMS, .profiles = profiles, .n_profiles = N, .n_zones = 1, .kinds = &kind, .n_kinds = 1};
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_budget budget = {.work_left = 1000000};
    const taskfit_pricing_query query = {.price = price, .above = 0, .thorough = true};
    const taskfit_pricing_result result = taskfit_pricer_ask(taskfit_pricer_new(arena, &decision, 0), &query, &budget);
    ASSERT_INT(result.best, most);
    ASSERT_INT(result.bound, most);
    taskfit_arena_free(arena);
}

/* Cut short, the bound still holds. */
static void a_search_cut_short_leaves_a_bound(void **state) {
    (void)state;
    enum { N = 200 };
    taskfit_profile profiles[N] = {{0}};
    int64_t demand[N][3], low[N] = {0}, high[N], price[N];
    const int64_t capacity[3] = {1000003, 1000003, 1000003};
    for (size_t p = 0; p < N; p++) {
        for (size_t d = 0; d < 3; d++) {
            demand[p][d] = draw(20000, 90000);
        }
        price[p] = 8 * (demand[p][0] + demand[p][1] + demand[p][2]) + draw(0, 100);
        high[p] = 1;
        profiles[p].demand = demand[p];
    }
    const taskfit_kind kind = {.count = 1, .capacity = capacity, .low = low, .high = high};
    const taskfit_decision decision = {
        .n_dims = 3, .profiles = profiles, .n_profiles = N, .n_zones = 1, .kinds = &kind, .n_kinds = 1};
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_budget budget = {.work_left = 300000};
    taskfit_pricer *pricer = taskfit_pricer_new(arena, &decision, 0);
    const taskfit_pricing_query query = {.price = price, .above = 0, .thorough = false};
    const taskfit_pricing_result quick = taskfit_pricer_ask(pricer, &query, &budget);
    assert_true(quick.bound > quick.best);
    assert_true(quick.bound <= 8 * 3 * 1000003 + 100 * 50);
    taskfit_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_pattern_is_found_and_proved),
        cmocka_unit_test(the_model_says_the_same),
        cmocka_unit_test(subset_sums_end_by_table),
        cmocka_unit_test(dominated_profiles_are_not_searched),
        cmocka_unit_test(dimensions_may_be_many),
        cmocka_unit_test(a_search_cut_short_leaves_a_bound),
    };
    return RUN_TESTS(tests);
}
