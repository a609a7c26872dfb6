#include "unit.h"

#include <stdlib.h>

#include "base/diff.h"

static bool diff(const char *before, const char *after, taskfit_strbuf *out) {
    taskfit_diff_side a = {"a", before, strlen(before)};
    taskfit_diff_side b = {"b", after, strlen(after)};
    return taskfit_diff_unified(&a, &b, out);
}

static void differences_read_as_diff_u_writes_them(void **state) {
    (void)state;
    static const struct {
        const char *before, *after, *hunks;
    } rows[] = {
        {"", "x\n", "@@ -0,0 +1 @@\n+x\n"},
        {"x\n", "", "@@ -1 +0,0 @@\n-x\n"},
        {"x", "x\n", "@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n"},
        {"1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\nfive\n6\n", "@@ -2,5 +2,5 @@\n 2\n 3\n 4\n-5\n+five\n 6\n"},
        {"1\n2\n3\n", "0\n1\n2\n3\n4\n", "@@ -1,3 +1,5 @@\n+0\n 1\n 2\n 3\n+4\n"},
        /* six lines between: one hunk; seven: two */
        {"a\n1\n2\n3\n4\n5\n6\nb\n", "1\n2\n3\n4\n5\n6\n", "@@ -1,8 +1,6 @@\n-a\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n"},
        {"a\n1\n2\n3\n4\n5\n6\n7\nb\n", "1\n2\n3\n4\n5\n6\n7\n",
         "@@ -1,4 +1,3 @@\n-a\n 1\n 2\n 3\n@@ -6,4 +5,3 @@\n 5\n 6\n 7\n-b\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        TASKFIT_STRBUF(out);
        TASKFIT_STRBUF(expected);
        taskfit_strbuf_printf(&expected, "--- a\n+++ b\n%s", rows[i].hunks);
        assert_true(diff(rows[i].before, rows[i].after, &out));
        assert_string_equal(out.data, expected.data);
    }
}

static void equal_texts_have_none(void **state) {
    (void)state;
    TASKFIT_STRBUF(out);
    assert_false(diff("", "", &out));
    assert_false(diff("a\nb", "a\nb", &out));
    ASSERT_INT(out.len, 0);
}

/* Applies a difference to `before`, checking every context and deleted line on the way. */
static void apply(const char *before, const char *patch, taskfit_strbuf *out) {
    size_t n_taken = 0; /* lines of `before` used so far */
    patch = strchr(strchr(patch, '\n') + 1, '\n') + 1;
    while (*patch) {
        size_t len = strcspn(patch, "\n") + 1;
        if (*patch == '@') {
            size_t start = (size_t)strtol(patch + 4, NULL, 10);
            const char *comma = memchr(patch, ',', strcspn(patch, "+"));
            bool empty = comma && strncmp(comma, ",0 ", 3) == 0;
            for (size_t until = empty ? start : start - 1; n_taken < until; n_taken++) {
                size_t kept = strcspn(before, "\n") + 1;
                taskfit_strbuf_add(out, before, kept);
                before += kept;
            }
        } else if (*patch == '+') {
            taskfit_strbuf_add(out, patch + 1, len - 1);
        } else {
            assert_true(strncmp(before, patch + 1, len - 1) == 0);
            if (*patch == ' ') {
                taskfit_strbuf_add(out, before, len - 1);
            }
            before += len - 1;
            n_taken++;
        }
        patch += len;
    }
    taskfit_strbuf_adds(out, before);
}

static void every_difference_leads_from_one_text_to_the_other(void **state) {
    (void)state;
    uint32_t random = 1;
    for (int round = 0; round < 3000; round++) {
        TASKFIT_STRBUF(before);
        TASKFIT_STRBUF(after);
        size_t n_lines = round == 0 ? 4000 : (size_t)round % 40; /* the first has more changes than are searched */
        for (size_t line = 0; line < n_lines; line++) {
            random = random * 1664525 + 1013904223;
            unsigned word = (random >> 16) % 5;
            if ((random >> 24) % 4 != 0) {
                taskfit_strbuf_printf(&before, "%u\n", word);
            }
            if ((random >> 28) % 4 != 0) {
                taskfit_strbuf_printf(&after, "%u\n", (random >> 21) % 8 == 0 || round == 0 ? word + 5 : word);
            }
        }
        TASKFIT_STRBUF(patch);
        TASKFIT_STRBUF(patched);
        if (diff(before.data, after.data, &patch)) {
            apply(before.data, patch.data, &patched);
            assert_string_equal(patched.data, after.data);
        } else {
            assert_string_equal(before.data, after.data);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_read_as_diff_u_writes_them),
        cmocka_unit_test(equal_texts_have_none),
        cmocka_unit_test(every_difference_leads_from_one_text_to_the_other),
    };
    return RUN_TESTS(tests);
}
