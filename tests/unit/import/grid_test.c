#include "unit.h"

#include "import/grid.h"

/* Rows as text: cells in brackets, '/' for a line break in a cell, a semicolon between rows. */
static void show(const taskfit_grid *grid, taskfit_strbuf *out) {
    for (size_t row = 0; row < grid->n_rows; row++) {
        taskfit_strbuf_adds(out, row > 0 ? ";" : "");
        for (size_t cell = 0; cell < grid->rows[row].n_cells; cell++) {
            taskfit_strbuf_addc(out, '[');
            for (const char *c = grid->rows[row].cells[cell].text; *c; c++) {
                taskfit_strbuf_addc(out, *c == '\n' ? '/' : *c);
            }
            taskfit_strbuf_addc(out, ']');
        }
    }
}

static const struct {
    char kind; /* 'b'ars, 'h'tml, or the delimiter */
    const char *text, *expected;
} rows[] = {
    {'b', "a | b\n", "[a][b]"},
    {'b', "| a | b |\n|---|:-:|\n| c | |\n", "[a][b];[c][]"},
    {'b', "a | b |\n| c | d", "[a][b];[c][d]"},
    {'b', "||a||b||\n|c|d|\n", "[a][b];[c][d]"},
    {'b', "  | a \\| b | c\r\n", "[a | b][c]"},
    {'b', "\n\n===\n+---+---+\na\n", "[a]"},
    {'b', "|\n||\n| | |\n", "[][]"},
    {'b', "|\xc2\xa0" "a\xe2\x80\x8b" "b\xc2\xa0 c |", "[ab c]"},
    {',', "a,b\n\"c,d\",\"e \"\"f\"\"\"\r\n", "[a][b];[c,d][e \"f\"]"},
    {',', "\"a\nb\",c\n", "[a/b][c]"},
    {',', "a,\n,b\n\n,\n", "[a][];[][b];[][]"},
    {',', "\"open,b\nc", "[\"open][b];[c]"},
    {'\t', "a\t\tb", "[a][][b]"},
    {'h', "<table><tr><td>a<td>b</tr><tr><th>c</th></tr></table>", "[a][b];[c]"},
    {'h', "x<TABLE\nclass=y><TR><TD>a&nbsp;&amp;&#65;&#x42;&lt;&bogus;&", "[a &AB<&bogus;&]"},
    {'h', "<table><tr><td><p>a</p><p>b<br/>c</p></td><td colspan=\"3\">d</td><td>e", "[a/b/c][d][][][e]"},
    {'h', "<!-- <tr><td>x</td></tr> --><tr><td>a < b</td></tr>", "[a < b]"},
    {'h', "<tr><td>&#0;&#55296;&#1114112;&#x;&#;", "[&#0;&#55296;&#1114112;&#x;&#;]"},
    {'h', "<tr><td colspan=0>a<td colspan=>b<td colspan=999999999999>c", "[a][b][c]"},
    {'h', "<", ""},
    {'h', "</", ""},
    {'h', "<!--", ""},
};

static void splits(void **state TASKFIT_UNUSED) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        taskfit_arena *arena = taskfit_arena_new();
        const taskfit_grid grid = rows[i].kind == 'b'   ? taskfit_grid_of_bars(arena, "f", rows[i].text)
                                  : rows[i].kind == 'h' ? taskfit_grid_of_html(arena, "f", rows[i].text)
                                                        : taskfit_grid_of_delimited(arena, "f", rows[i].text, rows[i].kind);
        TASKFIT_STRBUF(shown);
        show(&grid, &shown);
        if (strcmp(shown.data, rows[i].expected) != 0) {
            fail_msg("'%s': %s, not %s", rows[i].text, shown.data, rows[i].expected);
        }
        taskfit_arena_free(arena);
    }
}

static void knows_places(void **state TASKFIT_UNUSED) {
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_grid bars = taskfit_grid_of_bars(arena, "f", "x\n| \xc3\xa4 | b |\n");
    ASSERT_INT(bars.rows[1].cells[1].position.line, 2);
    ASSERT_INT(bars.rows[1].cells[1].position.column, 6);
    const taskfit_grid csv = taskfit_grid_of_delimited(arena, "f", "\"a\nb\",c\nd,e", ',');
    ASSERT_INT(csv.rows[0].cells[1].position.line, 2);
    ASSERT_INT(csv.rows[0].cells[1].position.column, 4);
    ASSERT_INT(csv.rows[1].cells[1].position.line, 3);
    const taskfit_grid html = taskfit_grid_of_html(arena, "f", "<table>\n<tr><td>a</td>\n<td>b</td></tr></table><table><tr><td>c");
    ASSERT_INT(html.rows[0].cells[1].position.line, 3);
    assert_int_not_equal(html.rows[0].table, html.rows[1].table);
    taskfit_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(splits), cmocka_unit_test(knows_places)};
    return RUN_TESTS(tests);
}
