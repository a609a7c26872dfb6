#include "unit.h"

#include <glpk.h>

#include "solve/glpk_guard.h"

static void fine(void *arg) {
    glp_prob *problem = glp_create_prob();
    *(int *)arg = glp_add_rows(problem, 3);
    glp_delete_prob(problem);
}

static void wrong(void *arg) {
    (void)arg;
    glp_prob *problem = glp_create_prob();
    glp_add_rows(problem, -1);
}

static void a_wrong_argument_comes_back_as_a_status(void **state) {
    (void)state;
    int first_row = 0;
    assert_int_equal(taskfit_glpk_run(fine, &first_row, NULL), TASKFIT_OK);
    ASSERT_INT(first_row, 1);
    const int generation = taskfit_glpk_generation();
    taskfit_error err = {.status = TASKFIT_OK};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(taskfit_glpk_run(wrong, NULL, &err), TASKFIT_E_INTERNAL);
    }
    assert_non_null(strstr(err.message, "GLPK stopped: "));
    ASSERT_INT(taskfit_glpk_generation(), generation + 3);
    assert_int_equal(taskfit_glpk_run(fine, &first_row, NULL), TASKFIT_OK); /* usable again */
}

static void chatter(void *arg) {
    int *lines = arg;
    glp_printf("before\n");
    ++*lines;
    taskfit_glpk_set_deadline(1); /* long ago */
    glp_printf("after\n");
    ++*lines;
}

static void a_deadline_stops_it_when_it_next_prints(void **state) {
    (void)state;
    int lines = 0;
    taskfit_error err = {.status = TASKFIT_OK};
    assert_int_equal(taskfit_glpk_run(chatter, &lines, &err), TASKFIT_E_INTERNAL);
    ASSERT_INT(lines, 1);
    assert_string_equal(err.message, "GLPK stopped: after");
    assert_int_equal(taskfit_glpk_run(fine, &lines, NULL), TASKFIT_OK); /* no deadline any more */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_argument_comes_back_as_a_status),
        cmocka_unit_test(a_deadline_stops_it_when_it_next_prints),
    };
    return RUN_TESTS(tests);
}
