#include "unit.h"

#include "report/table.h"

static const char *const headers[] = {"name", ">MiB", "note", ">n"};

static taskfit_table *example(taskfit_arena *arena) {
    taskfit_table *table = taskfit_table_new(arena, headers, 4);
    static const char *const cells[] = {"a", "1", "", "", "long name", "62942", "x, \"y\"", "7", "h\xc3\xbc", "12", "z", ""};
    for (size_t cell = 0; cell < sizeof cells / sizeof *cells; cell++) {
        taskfit_table_cell(table, "%s", cells[cell]);
    }
    return table;
}

static void columns_align_and_lines_end_without_blanks(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    TASKFIT_STRBUF(out);
    taskfit_table_write(example(arena), &out);
    assert_string_equal(out.data, "name         MiB  note    n\n"
                                  "a              1\n"
                                  "long name  62942  x, \"y\"  7\n"
                                  "h\xc3\xbc            12  z\n");
    taskfit_arena_free(arena);
}

static void csv_quotes_what_needs_it(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    TASKFIT_STRBUF(out);
    taskfit_table_write_csv(example(arena), &out);
    assert_string_equal(out.data, "name,MiB,note,n\na,1,,\nlong name,62942,\"x, \"\"y\"\"\",7\nh\xc3\xbc,12,z,\n");
    taskfit_arena_free(arena);
}

static void a_table_without_rows_is_its_header(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_table *table = taskfit_table_new(arena, headers, 2);
    TASKFIT_STRBUF(out);
    taskfit_table_write(table, &out);
    taskfit_table_write_csv(table, &out);
    assert_string_equal(out.data, "name  MiB\nname,MiB\n");
    taskfit_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_align_and_lines_end_without_blanks),
        cmocka_unit_test(csv_quotes_what_needs_it),
        cmocka_unit_test(a_table_without_rows_is_its_header),
    };
    return RUN_TESTS(tests);
}
