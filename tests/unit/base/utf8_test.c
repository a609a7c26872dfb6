#include "unit.h"

#include "base/utf8.h"

static void lengths(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t length; /* of the first character; 0: not UTF-8 */
    } rows[] = {
        {"a", 1},
        {"\x7f", 1},
        {"\xc2\x80", 2},
        {"\xdf\xbf", 2},
        {"\xe0\xa0\x80", 3},
        {"\xed\x9f\xbf", 3},
        {"\xee\x80\x80", 3},
        {"\xef\xbf\xbf", 3},
        {"\xf0\x90\x80\x80", 4},
        {"\xf4\x8f\xbf\xbf", 4},
        {"", 0},
        {"\x80", 0},
        {"\xbf", 0},
        {"\xc0\x80", 0}, /* overlong */
        {"\xc1\xbf", 0},
        {"\xe0\x9f\xbf", 0},
        {"\xf0\x8f\xbf\xbf", 0},
        {"\xed\xa0\x80", 0}, /* surrogates */
        {"\xed\xbf\xbf", 0},
        {"\xf4\x90\x80\x80", 0}, /* above U+10FFFF */
        {"\xf5\x80\x80\x80", 0},
        {"\xff", 0},
        {"\xc2", 0}, /* cut off */
        {"\xe2\x82", 0},
        {"\xf0\x9f\x98", 0},
        {"\xc2" "a", 0},
        {"\xe2\x82" "a", 0},
        {"\xf0\x9f\x98" "a", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ASSERT_INT(taskfit_utf8_length(rows[i].text, strlen(rows[i].text)), rows[i].length);
    }
    ASSERT_INT(taskfit_utf8_length("\0", 1), 1);
}

static void valid_prefixes(void **state) {
    (void)state;
    ASSERT_INT(taskfit_utf8_valid("", 0), 0);
    ASSERT_INT(taskfit_utf8_valid("aé日\xf0\x9f\x98\x80", 10), 10);
    ASSERT_INT(taskfit_utf8_valid("aé\xff", 4), 3);
    ASSERT_INT(taskfit_utf8_valid("aé", 2), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths),
        cmocka_unit_test(valid_prefixes),
    };
    return RUN_TESTS(tests);
}
