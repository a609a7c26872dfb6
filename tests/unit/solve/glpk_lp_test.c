#include "unit.h"

#include <math.h>

#include "solve/glpk_lp.h"

static void assert_near(double actual, double expected) {
    if (fabs(actual - expected) > 1e-6) {
        fail_msg("%f is not %f", actual, expected);
    }
}

/* How much meat and how much rice cover 8 and 12 units: cost 7 x + 4 y, 2 x + y >= 8, x + 3 y >= 12; optimum (2.4, 3.2), cost 29.6. */
static taskfit_lp *diet(taskfit_arena *arena) {
    taskfit_lp *lp = taskfit_lp_new(arena, 2);
    taskfit_lp_set_row(lp, 0, TASKFIT_LP_AT_LEAST, 8.0);
    taskfit_lp_set_row(lp, 1, TASKFIT_LP_AT_LEAST, 12.0);
    const size_t rows[2] = {0, 1};
    ASSERT_INT(taskfit_lp_add_column(lp, 7.0, 2, rows, (const double[]){2.0, 1.0}), 0);
    ASSERT_INT(taskfit_lp_add_column(lp, 4.0, 2, rows, (const double[]){1.0, 3.0}), 1);
    return lp;
}

static void assert_solved(const taskfit_lp *lp) {
    assert_near(taskfit_lp_objective(lp), 29.6);
    assert_near(taskfit_lp_value(lp, 0), 2.4);
    assert_near(taskfit_lp_value(lp, 1), 3.2);
    assert_near(taskfit_lp_price(lp, 0), 3.4);
    assert_near(taskfit_lp_price(lp, 1), 0.2);
}

static void an_optimum_has_values_and_prices(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_lp *lp = diet(arena);
    taskfit_budget budget = {.work_left = 1000000};
    assert_true(taskfit_lp_solve(lp, false, &budget));
    assert_solved(lp);
    assert_true(budget.work_left < 1000000);
    ASSERT_INT(budget.glpk_fallbacks, 0);
    taskfit_lp_set_row(lp, 0, TASKFIT_LP_AT_LEAST, 3.0); /* rice alone: the dual simplex method goes on from there */
    assert_true(taskfit_lp_solve(lp, true, &budget));
    assert_near(taskfit_lp_objective(lp), 16.0);
    assert_near(taskfit_lp_reduced_cost(lp, 0), 7.0 - 4.0 / 3.0);
    ASSERT_INT(budget.glpk_fallbacks, 0);
    taskfit_lp_free(lp);
    taskfit_arena_free(arena);
}

/* A basis that is none makes both simplex methods give up at once; the crash basis saves it. */
static void a_solve_that_fails_is_restarted_and_counted(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_lp *lp = diet(arena);
    taskfit_budget budget = {.work_left = 1000000};
    for (size_t i = 0; i < 2; i++) {
        taskfit_lp_set_row_basic(lp, i, false);
        taskfit_lp_set_column_basic(lp, i, false);
    }
    assert_true(taskfit_lp_solve(lp, false, &budget));
    assert_solved(lp);
    ASSERT_INT(budget.glpk_fallbacks, 2);
    assert_true(taskfit_lp_solve(lp, false, &budget));
    ASSERT_INT(budget.glpk_fallbacks, 2);
    taskfit_lp_free(lp);
    taskfit_arena_free(arena);
}

static void what_has_no_optimum_ends_after_the_last_rung(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_lp *lp = diet(arena);
    taskfit_budget budget = {.work_left = 1000000};
    taskfit_lp_fix_column(lp, 0, true);
    taskfit_lp_fix_column(lp, 1, true);
    assert_false(taskfit_lp_solve(lp, false, &budget));
    ASSERT_INT(budget.glpk_fallbacks, 3);
    taskfit_lp_free(lp);
    lp = diet(arena);
    taskfit_lp_set_cost(lp, 0, -1.0); /* unbounded */
    assert_false(taskfit_lp_solve(lp, false, &budget));
    ASSERT_INT(budget.glpk_fallbacks, 6);
    taskfit_lp_free(lp);
    taskfit_arena_free(arena);
}

typedef struct told {
    int n;
    const char *last;
} told;

static void tell(const taskfit_budget *budget) {
    told *t = budget->report_arg;
    t->n++;
    t->last = budget->stage;
}

static void stages_and_much_work_are_reported(void **state) {
    (void)state;
    told t = {0};
    taskfit_budget budget = {.work_left = 500000000, .report = tell, .report_arg = &t};
    taskfit_budget_stage(&budget, "dive");
    ASSERT_INT(t.n, 1);
    assert_string_equal(t.last, "dive");
    for (int i = 0; i < 30; i++) {
        assert_true(taskfit_budget_spend(&budget, 10000000));
    }
    ASSERT_INT(t.n, 4);
    assert_false(taskfit_budget_spend(&budget, 200000000));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_optimum_has_values_and_prices),
        cmocka_unit_test(a_solve_that_fails_is_restarted_and_counted),
        cmocka_unit_test(what_has_no_optimum_ends_after_the_last_rung),
        cmocka_unit_test(stages_and_much_work_are_reported),
    };
    return RUN_TESTS(tests);
}
