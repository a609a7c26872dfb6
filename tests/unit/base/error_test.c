#include "unit.h"

#include "base/error.h"

static void the_first_error_wins(void **state) {
    (void)state;
    taskfit_error err = {.status = TASKFIT_OK};
    ASSERT_INT(taskfit_fail(&err, TASKFIT_E_INPUT, "'%s' is too large", "x"), TASKFIT_E_INPUT);
    ASSERT_INT(taskfit_fail(&err, TASKFIT_E_SYSTEM, "another"), TASKFIT_E_SYSTEM);
    ASSERT_INT(err.status, TASKFIT_E_INPUT);
    assert_string_equal(err.message, "'x' is too large");
    assert_string_equal(err.where, "");
    taskfit_error_at(&err, "%s:%d", "a.yaml", 3);
    taskfit_error_at(&err, "outer");
    assert_string_equal(err.where, "a.yaml:3");
}

static void nobody_need_listen(void **state) {
    (void)state;
    ASSERT_INT(taskfit_fail(NULL, TASKFIT_E_ARGUMENT, "%d", 1), TASKFIT_E_ARGUMENT);
    taskfit_error_at(NULL, "nowhere");
}

static void long_texts_are_cut(void **state) {
    (void)state;
    char text[2000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    taskfit_error err = {.status = TASKFIT_OK};
    (void)!taskfit_fail(&err, TASKFIT_E_INPUT, "%s", text);
    taskfit_error_at(&err, "%s", text);
    ASSERT_INT(strlen(err.message), sizeof err.message - 1);
    ASSERT_INT(strlen(err.where), sizeof err.where - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_error_wins),
        cmocka_unit_test(nobody_need_listen),
        cmocka_unit_test(long_texts_are_cut),
    };
    return RUN_TESTS(tests);
}
