#include "unit.h"

#include "solve/branch.h"
#include "solve/enumerate.h"
#include "solve/split.h"

/*
 * Branching on small packings against trying everything, with pricing and with the list of all patterns. The root and
 * its dive would settle nearly all of these: here branching has to.
 */

enum { MAX_PROFILES = 7, MAX_DIMS = 2, MAX_TASKS = 8, MAX_CONFLICTS = MAX_PROFILES * (MAX_PROFILES - 1) / 2 };

typedef struct sample {
    taskfit_profile profiles[MAX_PROFILES];
    int64_t demand[MAX_PROFILES][MAX_DIMS], zone_high[MAX_PROFILES];
    int64_t capacity[MAX_DIMS], low[MAX_PROFILES], high[MAX_PROFILES];
    taskfit_conflict conflicts[MAX_CONFLICTS];
    taskfit_kind kind;
    taskfit_decision decision;
} sample;

static uint64_t seed = 1;

static int64_t draw(int64_t low, int64_t high) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (int64_t)((seed >> 33) % (uint64_t)(high - low + 1));
}

static void draw_sample(sample *s) {
    *s = (sample){.kind = {.capacity = s->capacity, .low = s->low, .high = s->high}};
    const size_t n = (size_t)draw(2, MAX_PROFILES);
    const size_t n_dims = (size_t)draw(1, MAX_DIMS);
    int64_t n_tasks = 0;
    int64_t volume = 0;
    for (size_t d = 0; d < n_dims; d++) {
        s->capacity[d] = draw(10, 30);
    }
    for (size_t p = 0; p < n; p++) {
        s->profiles[p].tasks = n_tasks < MAX_TASKS - (int64_t)n ? draw(1, 2) : 1;
        n_tasks += s->profiles[p].tasks;
        s->high[p] = s->profiles[p].tasks;
        for (size_t d = 0; d < n_dims; d++) {
            s->demand[p][d] = draw(2, s->capacity[d] * 2 / 3);
            s->high[p] = s->capacity[d] / s->demand[p][d] < s->high[p] ? s->capacity[d] / s->demand[p][d] : s->high[p];
        }
        volume += s->demand[p][0] * s->profiles[p].tasks;
        s->zone_high[p] = s->profiles[p].tasks;
        s->profiles[p].demand = s->demand[p];
        s->profiles[p].zone_low = s->low;
        s->profiles[p].zone_high = &s->zone_high[p];
    }
    s->kind.count = (volume + s->capacity[0] - 1) / s->capacity[0] + draw(0, 2);
    s->decision = (taskfit_decision){.n_dims = n_dims,
                                     .profiles = s->profiles,
                                     .n_profiles = n,
                                     .n_zones = 1,
                                     .kinds = &s->kind,
                                     .n_kinds = 1,
                                     .n_instances = s->kind.count,
                                     .conflicts = s->conflicts};
    const bool odd = draw(0, 1) == 1; /* two triangles that conflict with each other: fractionally 3 instances, in truth 4 */
    for (size_t a = 0; a < n; a++) {
        for (size_t b = a + 1; b < n && s->kind.count > 1; b++) {
            if (odd ? a / 3 != b / 3 : draw(0, 3) == 0) {
                s->conflicts[s->decision.n_conflicts++] = (taskfit_conflict){.a = a, .b = b};
            }
        }
    }
}

typedef struct instance {
    int64_t used[MAX_DIMS], tasks[MAX_PROFILES];
} instance;

/* Places task after task on n_open instances in use and a new one. */
static bool at_war(const sample *s, size_t a, size_t b) {
    for (size_t i = 0; i < s->decision.n_conflicts; i++) {
        if ((s->conflicts[i].a == a && s->conflicts[i].b == b) || (s->conflicts[i].a == b && s->conflicts[i].b == a)) {
            return true;
        }
    }
    return false;
}

static bool try_all(const sample *s, size_t profile, int64_t placed, instance *used, int64_t n_open) {
    if (placed == s->profiles[profile].tasks) {
        return profile + 1 == s->decision.n_profiles || try_all(s, profile + 1, 0, used, n_open);
    }
    for (int64_t i = 0; i < (n_open < s->kind.count ? n_open + 1 : n_open); i++) {
        bool fits = true;
        for (size_t p = 0; p < profile; p++) {
            fits = fits && (used[i].tasks[p] == 0 || !at_war(s, p, profile));
        }
        used[i].tasks[profile]++;
        for (size_t d = 0; d < s->decision.n_dims; d++) {
            used[i].used[d] += s->demand[profile][d];
            fits = fits && used[i].used[d] <= s->capacity[d];
        }
        const bool found = fits && try_all(s, profile, placed + 1, used, i == n_open ? n_open + 1 : n_open);
        used[i].tasks[profile]--;
        for (size_t d = 0; d < s->decision.n_dims; d++) {
            used[i].used[d] -= s->demand[profile][d];
        }
        if (found) {
            return true;
        }
    }
    return false;
}

static void check(int number, const sample *s, const taskfit_answer *answer, bool truth) {
    if (answer->verdict != (truth ? TASKFIT_VERDICT_FITS : TASKFIT_VERDICT_REFUTED)) {
        fail_msg("sample %d: said %d, truth %d", number, (int)answer->verdict, (int)truth);
    }
    if (truth) {
        assert_true(taskfit_contents_valid(&s->decision, answer->contents, answer->n_contents));
    } else {
        assert_int_equal(answer->proof, TASKFIT_PROOF_EXACT);
    }
}

static void branching_tells_the_truth(void **state) {
    (void)state;
    int n_listed = 0;
    int n_refuted = 0;
    for (int number = 0; number < 8000; number++) {
        sample s;
        draw_sample(&s);
        taskfit_arena *arena = taskfit_arena_new();
        taskfit_budget budget = {.work_left = 100000000};
        taskfit_pattern_pool *pool = taskfit_pattern_pool_new(arena);
        const taskfit_residual *root = taskfit_residual_new(arena, &s.decision, false);
        if (root->decision.impossible) {
            taskfit_arena_free(arena);
            continue;
        }
        taskfit_master *master = taskfit_master_new(arena, root, pool, taskfit_columns_new(arena, root));
        taskfit_generator generator = {.converge = true};
        const taskfit_generated at_root = taskfit_generate(&generator, master, &budget);
        instance used[16] = {{{0}, {0}}};
        const bool truth = try_all(&s, 0, 0, used, 0);
        if (at_root == TASKFIT_GENERATED_FITS) {
            taskfit_brancher brancher = {.arena = arena, .pool = pool, .budget = &budget};
            const taskfit_answer priced = taskfit_branch(&brancher, root, &master->list, arena);
            check(number, &s, &priced, truth);
            if (taskfit_enumerate(&brancher, master)) {
                const taskfit_answer listed = taskfit_branch(&brancher, root, taskfit_columns_new(arena, root), arena);
                check(number, &s, &listed, truth);
                n_listed++;
                n_refuted += !truth;
            }
        } else {
            assert_int_equal(at_root, TASKFIT_GENERATED_REFUTED);
            assert_false(truth);
        }
        taskfit_master_free(master);
        taskfit_arena_free(arena);
    }
    assert_true(n_listed > 1000);
    assert_true(n_refuted > 20);
}

/* Tasks may be merged into one that is merged itself later: all of them are worth something to a pattern with the last. */
static void merged_tasks_stay_merged(void **state) {
    (void)state;
    enum { N = 4 };
    int64_t none[N] = {0};
    int64_t one[N] = {1, 1, 1, 1};
    const int64_t size = 10;
    const int64_t capacity = 40;
    taskfit_profile profiles[N];
    for (size_t p = 0; p < N; p++) {
        profiles[p] = (taskfit_profile){.tasks = 1, .demand = &size, .zone_low = &none[p], .zone_high = &one[p]};
    }
    const taskfit_kind kind = {.count = 2, .capacity = &capacity, .low = none, .high = one};
    const taskfit_decision decision = {
        .n_dims = 1, .profiles = profiles, .n_profiles = N, .n_zones = 1, .kinds = &kind, .n_kinds = 1, .n_instances = 2};
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_residual *r = taskfit_residual_new(arena, &decision, false);
    taskfit_split_apply(&(taskfit_split){.type = TASKFIT_SPLIT_PAIR, .profile = 2, .other = 3}, false, arena, r);
    taskfit_split_apply(&(taskfit_split){.type = TASKFIT_SPLIT_PAIR, .profile = 1, .other = 2}, false, arena, r);
    assert_int_equal(taskfit_residual_root(r, 3), 1);
    assert_int_equal(taskfit_residual_root(r, 2), 1);
    assert_int_equal(taskfit_residual_root(r, 0), 0);
    assert_int_equal(r->profiles[1].demand[0], 30);
    taskfit_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(branching_tells_the_truth), cmocka_unit_test(merged_tasks_stay_merged)};
    return RUN_TESTS(tests);
}
