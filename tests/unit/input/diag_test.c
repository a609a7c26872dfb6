#include "unit.h"

#include "input/diag.h"

static taskfit_arena *arena;
static taskfit_diag *diag;

static int set_up(void **state) {
    (void)state;
    arena = taskfit_arena_new();
    diag = taskfit_diag_new(arena);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    taskfit_arena_free(arena);
    return 0;
}

static taskfit_position at(const char *file, uint32_t line, uint32_t column) {
    return (taskfit_position){.file = file, .line = line, .column = column};
}

/* All kept defects, one a line. */
static const char *shown(void) {
    TASKFIT_STRBUF(out);
    size_t n = 0;
    const taskfit_defect *defects = taskfit_diag_sorted(diag, &n);
    for (size_t i = 0; i < n; i++) {
        taskfit_defect_format(&defects[i], &out);
        taskfit_strbuf_addc(&out, '\n');
    }
    return taskfit_arena_strdup(arena, out.data);
}

static void defects_stand_in_file_order(void **state) {
    (void)state;
    ASSERT_INT(taskfit_diag_count(diag), 0);
    assert_string_equal(shown(), "");
    taskfit_diag_add(diag, at("main.yaml", 9, 1), "b", "second %d", 2);
    taskfit_diag_add(diag, at("part.yaml", 1, 1), "", "other file");
    taskfit_diag_add(diag, at("main.yaml", 9, 1), "a", "third, same place");
    taskfit_diag_add(diag, at("main.yaml", 3, 7), "services[3].memory", "first");
    taskfit_diag_add(diag, at("main.yaml", 3, 10), "", "between");
    ASSERT_INT(taskfit_diag_count(diag), 5);
    assert_string_equal(shown(), "main.yaml:3:7: services[3].memory: first\n"
                                 "main.yaml:3:10: between\n"
                                 "main.yaml:9:1: b: second 2\n"
                                 "main.yaml:9:1: a: third, same place\n"
                                 "part.yaml:1:1: other file\n");
}

static void what_is_unknown_is_left_out(void **state) {
    (void)state;
    taskfit_diag_add(diag, at(NULL, 0, 0), NULL, "nowhere");
    assert_string_equal(shown(), "nowhere\n");
    taskfit_diag_add(diag, at("a.json", 0, 0), "cluster.name", "not a text");
    taskfit_diag_add(diag, at("", 0, 0), "x", "no file");
    assert_string_equal(shown(), "nowhere\nx: no file\na.json: cluster.name: not a text\n");
}

static void the_same_defect_is_kept_once(void **state) {
    (void)state;
    for (int i = 0; i < 5000; i++) {
        /* A bad default: one position, many services. */
        taskfit_diag_add(diag, at("a.yaml", 50, 3), taskfit_arena_printf(arena, "services[%d].memory", i), "bad unit");
        /* Many different defects before it push it out of what is shown. */
        taskfit_diag_add(diag, at("a.yaml", (uint32_t)(i % 40) + 1, 1), "x", "unknown key");
        taskfit_diag_add(diag, at("a.yaml", (uint32_t)(i % 40) + 1, 1), "x", "another message");
    }
    ASSERT_INT(taskfit_diag_count(diag), 81);
    taskfit_diag_add(diag, at("b.json", 0, 0), "a", "bad unit");
    taskfit_diag_add(diag, at("b.json", 0, 0), "a", "bad unit");
    taskfit_diag_add(diag, at("b.json", 0, 0), "b", "bad unit"); /* without a line the path tells them apart */
    ASSERT_INT(taskfit_diag_count(diag), 83);
}

static void the_first_twenty_are_shown(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 100; i++) {
        const uint32_t line = (i * 37) % 100 + 1; /* any order */
        taskfit_diag_add(diag, at("a.yaml", line, 1), "", "defect %u", line);
    }
    ASSERT_INT(taskfit_diag_count(diag), 100);
    size_t n = 0;
    const taskfit_defect *defects = taskfit_diag_sorted(diag, &n);
    ASSERT_INT(n, TASKFIT_DIAG_SHOWN);
    for (size_t i = 0; i < n; i++) {
        ASSERT_INT(defects[i].position.line, i + 1);
        assert_string_equal(defects[i].message, taskfit_arena_printf(arena, "defect %zu", i + 1));
    }
}

static void texts_are_copied(void **state) {
    (void)state;
    char file[] = "a.yaml";
    char path[] = "path";
    taskfit_diag_add(diag, at(file, 1, 2), path, "%s", path);
    file[0] = path[0] = '?';
    assert_string_equal(shown(), "a.yaml:1:2: path: path\n");
}

static void nearest_words(void **state) {
    (void)state;
    static const char *const keys[] = {"cpu", "memory", "memoryReservation", "image", "name", "essential", "portMappings", "n"};
    static const struct {
        const char *word;
        const char *nearest;
    } rows[] = {
        {"memroy", "memory"}, {"Memory", "memory"},        {"memory_reservation", "memoryReservation"},
        {"memorys", "memory"}, {"portMapping", "portMappings"}, {"cp", NULL},
        {"cpus", "cpu"},       {"nme", "name"},           {"esential", "essential"},
        {"zzz", NULL},         {"", NULL},                {"mem", NULL},
        {"environment", NULL}, {"cpu", "cpu"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *nearest = taskfit_nearest(rows[i].word, keys, sizeof keys / sizeof keys[0]);
        if (!nearest || !rows[i].nearest ? nearest != rows[i].nearest : strcmp(nearest, rows[i].nearest) != 0) {
            fail_msg("'%s' is near '%s'", rows[i].word, nearest ? nearest : "nothing");
        }
    }
    assert_null(taskfit_nearest("cpu", NULL, 0));
    static const char *const ties[] = {"ab1", "ab2", "ab3"};
    assert_string_equal(taskfit_nearest("ab0", ties, 3), "ab1");
    char word[1000];
    memset(word, 'x', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    const char *const longs[] = {word};
    assert_null(taskfit_nearest(word, longs, 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(defects_stand_in_file_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_unknown_is_left_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_same_defect_is_kept_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_first_twenty_are_shown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(texts_are_copied, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nearest_words, set_up, tear_down),
    };
    return RUN_TESTS(tests);
}
