#include "report/table.h"

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

struct taskfit_table {
    taskfit_arena *arena;
    const char *const *headers;
    size_t n_columns;
    const char **cells; /* row by row */
    size_t n_cells;
    size_t capacity;
};

taskfit_table *taskfit_table_new(taskfit_arena *arena, const char *const *headers, size_t n_columns) {
    assert(n_columns > 0);
    taskfit_table *table = TASKFIT_NEW(arena, taskfit_table);
    table->arena = arena;
    table->headers = headers;
    table->n_columns = n_columns;
    return table;
}

void taskfit_table_cell(taskfit_table *table, const char *format, ...) {
    TASKFIT_STRBUF(text);
    va_list args;
    va_start(args, format);
    taskfit_strbuf_vprintf(&text, format, args);
    va_end(args);
    TASKFIT_GROW(table->arena, table->cells, table->n_cells, table->capacity);
    table->cells[table->n_cells++] = taskfit_arena_strndup(table->arena, text.data, text.len);
}

/* Characters, not bytes: UTF-8 continuation bytes take no room. */
static size_t width_of(const char *text) {
    size_t width = 0;
    for (; *text; text++) {
        width += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return width;
}

static const char *header(const taskfit_table *table, size_t column) {
    return table->headers[column] + (table->headers[column][0] == '>');
}

static void write_row(const taskfit_table *table, const size_t *widths, const char *const *cells, taskfit_strbuf *out) {
    size_t n_pending = 0; /* blanks that are written only when something follows them */
    for (size_t column = 0; column < table->n_columns; column++) {
        const char *cell = cells ? cells[column] : header(table, column);
        size_t n_fill = widths[column] - width_of(cell);
        bool right = table->headers[column][0] == '>';
        n_pending += (column > 0 ? 2 : 0) + (right ? n_fill : 0);
        if (*cell) {
            taskfit_strbuf_repeat(out, " ", n_pending);
            taskfit_strbuf_adds(out, cell);
            n_pending = 0;
        }
        n_pending += right ? 0 : n_fill;
    }
    taskfit_strbuf_addc(out, '\n');
}

void taskfit_table_write(const taskfit_table *table, taskfit_strbuf *out) {
    assert(table->n_cells % table->n_columns == 0);
    size_t *widths = TASKFIT_ARRAY(table->arena, table->n_columns, size_t);
    for (size_t column = 0; column < table->n_columns; column++) {
        widths[column] = width_of(header(table, column));
        for (size_t cell = column; cell < table->n_cells; cell += table->n_columns) {
            size_t width = width_of(table->cells[cell]);
            widths[column] = width > widths[column] ? width : widths[column];
        }
    }
    write_row(table, widths, NULL, out);
    for (size_t cell = 0; cell < table->n_cells; cell += table->n_columns) {
        write_row(table, widths, table->cells + cell, out);
    }
}

static void add_csv_field(const char *text, taskfit_strbuf *out) {
    if (!strpbrk(text, ",\"\r\n")) {
        taskfit_strbuf_adds(out, text);
        return;
    }
    taskfit_strbuf_addc(out, '"');
    for (; *text; text++) {
        if (*text == '"') {
            taskfit_strbuf_addc(out, '"');
        }
        taskfit_strbuf_addc(out, *text);
    }
    taskfit_strbuf_addc(out, '"');
}

void taskfit_table_write_csv(const taskfit_table *table, taskfit_strbuf *out) {
    assert(table->n_cells % table->n_columns == 0);
    for (size_t column = 0; column < table->n_columns; column++) {
        add_csv_field(header(table, column), out);
        taskfit_strbuf_addc(out, column + 1 < table->n_columns ? ',' : '\n');
    }
    for (size_t cell = 0; cell < table->n_cells; cell++) {
        add_csv_field(table->cells[cell], out);
        taskfit_strbuf_addc(out, (cell + 1) % table->n_columns ? ',' : '\n');
    }
}
