#include "unit.h"

#include <glpk.h>

#include "solve/glpk_build.h"

static void codes_and_statuses_mean_outcomes(void **state) {
    (void)state;
    static const struct {
        int code, status;
        taskfit_outcome outcome;
    } row[] = {
        {0, GLP_OPT, TASKFIT_OPTIMAL},
        {0, GLP_FEAS, TASKFIT_FEASIBLE},
        {0, GLP_NOFEAS, TASKFIT_INFEASIBLE},
        {GLP_ENOPFS, GLP_NOFEAS, TASKFIT_INFEASIBLE},    /* the presolver's word for it */
        {GLP_ENOPFS, GLP_UNDEF, TASKFIT_UNKNOWN},
        {GLP_EROOT, GLP_UNDEF, TASKFIT_UNKNOWN},         /* no solved root */
        {GLP_ETMLIM, GLP_FEAS, TASKFIT_FEASIBLE},
        {GLP_ETMLIM, GLP_UNDEF, TASKFIT_UNKNOWN},        /* the objective value is 0 then */
        {GLP_ESTOP, GLP_FEAS, TASKFIT_FEASIBLE},
        {GLP_ESTOP, GLP_UNDEF, TASKFIT_UNKNOWN},
        {GLP_EMIPGAP, GLP_FEAS, TASKFIT_FEASIBLE},
        {GLP_EFAIL, GLP_UNDEF, TASKFIT_UNKNOWN},
        {GLP_EFAIL, GLP_NOFEAS, TASKFIT_UNKNOWN},        /* a failure proves nothing */
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        ASSERT_INT(taskfit_glpk_outcome(row[i].code, row[i].status), row[i].outcome);
    }
}

/* max 3 x + 2 y, 2 x + 2 y <= 7: half of a unit is lost to whole numbers. */
static void a_program_is_solved_in_whole_numbers(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_program *program = taskfit_program_new(arena);
    const size_t x = taskfit_program_column(program, 0, 2, -3, "x");
    const size_t y = taskfit_program_column(program, 0, 9, -2, NULL);
    const size_t room = taskfit_program_row(program, TASKFIT_PROGRAM_NONE, 7, "room");
    taskfit_program_entry(program, room, x, 2);
    taskfit_program_entry(program, room, y, 2);
    taskfit_budget budget = {.work_left = 1000000};
    taskfit_program_result result;
    assert_int_equal(taskfit_program_solve(program, &budget, arena, &result, NULL), TASKFIT_OK);
    ASSERT_INT(result.outcome, TASKFIT_OPTIMAL);
    ASSERT_INT(result.values[x], 2);
    ASSERT_INT(result.values[y], 1);
    assert_true(budget.work_left < 1000000);
    taskfit_program_row(program, 8, TASKFIT_PROGRAM_NONE, "too much");
    taskfit_program_entry(program, room + 1, x, 1);
    assert_int_equal(taskfit_program_solve(program, &budget, arena, &result, NULL), TASKFIT_OK);
    ASSERT_INT(result.outcome, TASKFIT_INFEASIBLE);
    taskfit_arena_free(arena);
}

static void spent_work_ends_the_search(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_program *program = taskfit_program_new(arena);
    /* 2 (x1 + ... + x40) = 39: hopeless, and branch and bound takes ages to see it */
    const size_t row = taskfit_program_row(program, 39, 39, NULL);
    for (size_t i = 0; i < 40; i++) {
        taskfit_program_entry(program, row, taskfit_program_column(program, 0, 1, 0, NULL), 2);
    }
    taskfit_budget budget = {.work_left = 100000};
    taskfit_program_result result;
    assert_int_equal(taskfit_program_solve(program, &budget, arena, &result, NULL), TASKFIT_OK);
    ASSERT_INT(result.outcome, TASKFIT_UNKNOWN);
    assert_true(budget.work_left <= 0);
    taskfit_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_and_statuses_mean_outcomes),
        cmocka_unit_test(a_program_is_solved_in_whole_numbers),
        cmocka_unit_test(spent_work_ends_the_search),
    };
    return RUN_TESTS(tests);
}
