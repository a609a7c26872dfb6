#include "unit.h"

#include "solve/branch.h"
#include "solve/enumerate.h"
#include "solve/subset_rows.h"

/*
 * Two sets of three tasks: any two of a set fill an instance, and tasks of different sets conflict. Three instances cover all tasks
 * by half (each pair once); in whole numbers each set needs two.
 */

enum { N = 6 };

typedef struct triangles {
    taskfit_arena *arena;
    taskfit_profile profiles[N];
    taskfit_conflict conflicts[N * N];
    int64_t none[N], one[N];
    taskfit_kind kind;
    taskfit_decision decision;
    taskfit_budget budget;
    taskfit_master *master; /* solved */
    taskfit_brancher brancher; /* all patterns listed */
} triangles;

static const int64_t size = 1;
static const int64_t capacity = 2;

static void set_up(triangles *t) {
    *t = (triangles){.arena = taskfit_arena_new(), .budget = {.work_left = 100000000}};
    size_t n_conflicts = 0;
    for (size_t p = 0; p < N; p++) {
        t->one[p] = 1;
        t->profiles[p] = (taskfit_profile){.tasks = 1, .demand = &size, .zone_low = &t->none[p], .zone_high = &t->one[p]};
        for (size_t q = 3; q < N && p < 3; q++) {
            t->conflicts[n_conflicts++] = (taskfit_conflict){p, q};
        }
    }
    t->kind = (taskfit_kind){.count = 3, .capacity = &capacity, .low = t->none, .high = t->one};
    t->decision = (taskfit_decision){.n_dims = 1, .profiles = t->profiles, .n_profiles = N, .n_zones = 1, .kinds = &t->kind,
                                     .n_kinds = 1, .n_instances = 3, .conflicts = t->conflicts, .n_conflicts = n_conflicts};
    taskfit_pattern_pool *pool = taskfit_pattern_pool_new(t->arena);
    const taskfit_residual *root = taskfit_residual_new(t->arena, &t->decision, false);
    t->master = taskfit_master_new(t->arena, root, pool, taskfit_columns_new(t->arena, root));
    taskfit_generator generator = {.converge = true};
    assert_int_equal(taskfit_generate(&generator, t->master, &t->budget), TASKFIT_GENERATED_FITS);
    t->brancher = (taskfit_brancher){.arena = t->arena, .pool = pool, .budget = &t->budget};
    assert_true(taskfit_enumerate(&t->brancher, t->master));
    assert_int_equal(t->brancher.all->n_columns, 6);
}

static void tear_down(triangles *t) {
    taskfit_master_free(t->master);
    taskfit_arena_free(t->arena);
}

static void odd_sets_are_found_and_cut(void **state) {
    (void)state;
    triangles t;
    set_up(&t);
    taskfit_generator generator = {.converge = true};
    assert_int_equal(taskfit_generate(&generator, t.master, &t.budget), TASKFIT_GENERATED_FITS); /* prices of its own again */
    size_t n = 0;
    const taskfit_subset_row *rows = taskfit_subset_rows_find(t.master, 10, t.arena, &n);
    assert_int_equal(n, 2);
    for (size_t i = 0; i < 2; i++) {
        for (size_t m = 0; m < 3; m++) {
            assert_int_equal(rows[i].members[m], 3 * i + m);
        }
    }
    assert_non_null(taskfit_subset_rows_find(t.master, 1, t.arena, &n));
    assert_int_equal(n, 1);

    taskfit_columns *columns = taskfit_columns_copy(t.arena, &t.master->list, 1);
    taskfit_subset_rows_add(t.arena, columns, rows, 2);
    assert_int_equal(columns->n_subset_rows, 2);
    taskfit_master *cut = taskfit_master_new(t.arena, t.master->residual, t.brancher.pool, columns);
    generator = (taskfit_generator){.all = t.brancher.all};
    assert_int_equal(taskfit_generate(&generator, cut, &t.budget), TASKFIT_GENERATED_REFUTED);
    assert_int_equal(generator.instance_bound, 4);
    assert_true(taskfit_master_subset_worth(cut) > 0);
    taskfit_master_free(cut);
    tear_down(&t);
}

/* Rows that do not bind make room for new ones. */
static void idle_rows_are_dropped(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_subset_row old[2] = {{.members = {0, 1, 2}, .basic = true}, {.members = {1, 2, 3}}};
    taskfit_columns columns = {.subset_rows = old, .n_subset_rows = 2};
    const taskfit_subset_row new_row = {.members = {2, 3, 4}, .basic = true};
    taskfit_subset_rows_add(arena, &columns, &new_row, 1);
    assert_int_equal(columns.n_subset_rows, 2);
    assert_int_equal(columns.subset_rows[0].members[0], 1);
    assert_int_equal(columns.subset_rows[1].members[0], 2);
    taskfit_arena_free(arena);
}

static void branching_needs_no_branch(void **state) {
    (void)state;
    triangles t;
    set_up(&t);
    const taskfit_answer answer =
        taskfit_branch(&t.brancher, t.master->residual, taskfit_columns_new(t.arena, t.master->residual), t.arena);
    assert_int_equal(answer.verdict, TASKFIT_VERDICT_REFUTED);
    assert_int_equal(answer.proof, TASKFIT_PROOF_EXACT);
    tear_down(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(odd_sets_are_found_and_cut), cmocka_unit_test(idle_rows_are_dropped),
                                       cmocka_unit_test(branching_needs_no_branch)};
    return RUN_TESTS(tests);
}
