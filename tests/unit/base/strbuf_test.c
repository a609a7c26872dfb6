#include "unit.h"

#include "base/strbuf.h"

static void is_a_string_from_the_start(void **state) {
    (void)state;
    taskfit_strbuf buf;
    taskfit_strbuf_init(&buf);
    assert_string_equal(buf.data, "");
    taskfit_strbuf_reset(&buf);
    taskfit_strbuf_add(&buf, NULL, 0);
    assert_string_equal(buf.data, "");
    taskfit_strbuf_release(&buf);
    taskfit_strbuf_release(&buf);
    assert_string_equal(buf.data, "");
}

static void appends(void **state) {
    (void)state;
    TASKFIT_STRBUF(buf);
    taskfit_strbuf_adds(&buf, "a");
    taskfit_strbuf_addc(&buf, 'b');
    taskfit_strbuf_add(&buf, "cde", 2);
    taskfit_strbuf_repeat(&buf, "=-", 3);
    taskfit_strbuf_repeat(&buf, "x", 0);
    taskfit_strbuf_printf(&buf, "%d %s", 7, "instances");
    assert_string_equal(buf.data, "abcd=-=-=-7 instances");
    ASSERT_INT(buf.len, strlen(buf.data));
    const char *memory = buf.data;
    taskfit_strbuf_reset(&buf);
    assert_string_equal(buf.data, "");
    assert_ptr_equal(buf.data, memory);
}

static void holds_nuls_and_grows(void **state) {
    (void)state;
    TASKFIT_STRBUF(buf);
    taskfit_strbuf_add(&buf, "a\0b", 3);
    ASSERT_INT(buf.len, 3);
    for (int i = 0; i < 10000; i++) {
        taskfit_strbuf_printf(&buf, "%04d", i);
    }
    ASSERT_INT(buf.len, 40003);
    assert_memory_equal(buf.data, "a\0b0000", 7);
    assert_string_equal(buf.data + 39999, "9999");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_a_string_from_the_start),
        cmocka_unit_test(appends),
        cmocka_unit_test(holds_nuls_and_grows),
    };
    return RUN_TESTS(tests);
}
