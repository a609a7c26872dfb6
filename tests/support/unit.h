#ifndef TASKFIT_TESTS_SUPPORT_UNIT_H
#define TASKFIT_TESTS_SUPPORT_UNIT_H

/* What every unit test includes: cmocka with the headers it needs before it. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* cmocka prints integers in hexadecimal; this one says both numbers as people write them. */
#define ASSERT_INT(actual, expected)                                                                         \
    do {                                                                                                     \
        const int64_t actual_value = (int64_t)(actual), expected_value = (int64_t)(expected);                \
        if (actual_value != expected_value) {                                                                \
            fail_msg("%s is %lld, not %lld", #actual, (long long)actual_value, (long long)expected_value);   \
        }                                                                                                    \
    } while (0)

/* cmocka_run_group_tests returns the number of failures, so 256 of them would look like success. */
#define RUN_TESTS(tests) (cmocka_run_group_tests(tests, NULL, NULL) != 0)

#endif
