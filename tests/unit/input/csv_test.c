#include "unit.h"

#include "in_arena.h"
#include "input/csv.h"

static taskfit_error err;

static taskfit_status read_bytes(const char *data, size_t len, taskfit_csv *csv) {
    err = (taskfit_error){.status = TASKFIT_OK};
    const taskfit_status status = taskfit_csv_read(arena, "a.csv", data, len, csv, &err);
    ASSERT_INT(err.status, status);
    return status;
}

/* Rows as "a|b;c|d;". */
static const char *flat(const taskfit_csv *csv) {
    TASKFIT_STRBUF(out);
    for (size_t row = 0; row < csv->n_rows; row++) {
        for (size_t column = 0; column < csv->n_columns; column++) {
            taskfit_strbuf_printf(&out, "%s%s", column > 0 ? "|" : "", taskfit_csv_at(csv, row, column)->text);
        }
        taskfit_strbuf_adds(&out, ";");
    }
    return taskfit_arena_strdup(arena, out.data);
}

static void accepts(void **state) {
    (void)state;
    static const struct {
        const char *text;
        const char *rows;
    } rows[] = {
        {"a,b\n1,2\n3,4\n", "1|2;3|4;"},
        {"a,b\r\n1,2\r\n3,4", "1|2;3|4;"},
        {"\xef\xbb\xbf" "a,b\n1,2\n", "1|2;"},
        {"# source\n#\n\na,b\n1,2\n", "1|2;"},
        {"a,b\n", ""},
        {"a,b", ""},
        {"a\n1\n\n\n2\n\n", "1;2;"},
        {"a,b\n,\n", "|;"},
        {"a,b\n\"x, y\",\"say \"\"hi\"\"\"\n", "x, y|say \"hi\";"},
        {"a,b\n\"two\nlines\",\"\"\r\n", "two\nlines|;"},
        {"a,b\n\"cr\r\nlf\",\"\r\"\n", "cr\r\nlf|\r;"},
        {"a,b\n x , y \n", " x | y ;"},
        {"a,b\n#1,2\n", "#1|2;"},
        {"a,b\n\"\"\"\",\"\"", "\"|;"},
        {"\"a\",b\né,日本\n", "é|日本;"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        taskfit_csv csv;
        if (read_bytes(rows[i].text, strlen(rows[i].text), &csv) != TASKFIT_OK) {
            fail_msg("'%s' gave %s: %s", rows[i].text, err.where, err.message);
        }
        assert_string_equal(csv.columns[0].text, "a");
        assert_string_equal(flat(&csv), rows[i].rows);
    }
}

static void refuses(void **state) {
    (void)state;
    static const struct {
        const char *text;
        const char *where;
        const char *message;
    } rows[] = {
        {"", "a.csv", "no header row"},
        {"# only\n\n", "a.csv", "no header row"},
        {"\xef\xbb\xbf", "a.csv", "no header row"},
        {"a,b\n1,2\n3\n", "a.csv:3:1", "1 field where the header has 2"},
        {"a,b\n1,2,3\n", "a.csv:2:1", "3 fields where the header has 2"},
        {"# c\na,b\n\"x\ny\",2\n1,2,3,4\n", "a.csv:5:1", "4 fields where the header has 2"},
        {"a,b,a\n", "a.csv:1:5", "column 'a' stands twice"},
        {"a,b\n1,\"x\n", "a.csv:2:3", "a quoted field without an end"},
        {"a,b\n1,\"", "a.csv:2:3", "a quoted field without an end"},
        {"a,b\n1,\"x\"\"", "a.csv:2:3", "a quoted field without an end"},
        {"a,b\n\"x\"y,1\n", "a.csv:2:4", "text behind the closing quote (double a quote that is meant)"},
        {"a,b\n1,x\"y\n", "a.csv:2:4", "a quote in a field without quotes (put the field in quotes)"},
        {"a,b\r1,2\n", "a.csv:1:4", "a carriage return in a field without quotes (put the field in quotes)"},
        {"a\né,\xff\n", "a.csv:2:3", "not UTF-8 (save the file as UTF-8)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        taskfit_csv csv = {.n_rows = 77};
        ASSERT_INT(read_bytes(rows[i].text, strlen(rows[i].text), &csv), TASKFIT_E_INPUT);
        assert_string_equal(err.message, rows[i].message);
        assert_string_equal(err.where, rows[i].where);
        ASSERT_INT(csv.n_rows, 77); /* untouched */
    }
    taskfit_csv csv;
    ASSERT_INT(read_bytes("a\nx\0y\n", 6, &csv), TASKFIT_E_INPUT);
    assert_string_equal(err.where, "a.csv:2:2");
    assert_string_equal(err.message, "a NUL character in a text");
}

static void tells_columns_positions_and_comment(void **state) {
    (void)state;
    static const char text[] = "#  sources: x, y\n# more\nname,usd\nm6i.large,\"0.096\"\nr7g.large,0.1071\n";
    taskfit_csv csv;
    ASSERT_INT(read_bytes(text, strlen(text), &csv), TASKFIT_OK);
    assert_string_equal(csv.comment, "sources: x, y");
    ASSERT_INT(taskfit_csv_column(&csv, "usd"), 1);
    ASSERT_INT(taskfit_csv_column(&csv, "Usd"), csv.n_columns);
    const taskfit_csv_field *field = taskfit_csv_at(&csv, 0, 1);
    assert_string_equal(field->text, "0.096");
    assert_string_equal(field->position.file, "a.csv");
    ASSERT_INT(field->position.line, 4);
    ASSERT_INT(field->position.column, 11);
    ASSERT_INT(read_bytes("a\n", 2, &csv), TASKFIT_OK);
    assert_string_equal(csv.comment, "");
}

static void sizes_are_limited(void **state) {
    (void)state;
    TASKFIT_STRBUF(text);
    for (int i = 0; i < 1001; i++) {
        taskfit_strbuf_printf(&text, "%sc%d", i > 0 ? "," : "", i);
    }
    taskfit_csv csv;
    ASSERT_INT(read_bytes(text.data, text.len, &csv), TASKFIT_E_INPUT);
    assert_string_equal(err.message, "more than 1000 columns");
    taskfit_strbuf_reset(&text);
    taskfit_strbuf_repeat(&text, "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1\n", (size_t)TASKFIT_INPUT_BYTES_MAX / 64 + 1);
    ASSERT_INT(read_bytes(text.data, text.len, &csv), TASKFIT_E_INPUT);
    assert_string_equal(err.message, "larger than 64 MiB");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_ARENA(accepts),
        IN_ARENA(refuses),
        IN_ARENA(tells_columns_positions_and_comment),
        IN_ARENA(sizes_are_limited),
    };
    return RUN_TESTS(tests);
}
