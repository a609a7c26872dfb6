#include "input/csv.h"

#include <assert.h>
#include <string.h>

#include "base/utf8.h"
#include "input/reader.h"

struct reader {
    taskfit_arena *arena;
    const char *data;
    size_t len;
    size_t offset;
    taskfit_position position; /* of the offset */
    taskfit_csv_field *fields; /* of all rows, the header first */
    size_t n_fields, capacity;
    taskfit_strbuf text; /* of the field being read */
    taskfit_error *err;
};

/* The byte at the offset, or -1 at the end. */
static int peek(const struct reader *reader) {
    return reader->offset < reader->len ? (unsigned char)reader->data[reader->offset] : -1;
}

static void step(struct reader *reader) {
    const int c = peek(reader);
    assert(c >= 0);
    reader->offset++;
    if (c == '\n') {
        reader->position.line++;
        reader->position.column = 1;
    } else if ((c & 0xc0) != 0x80) { /* continuation bytes belong to the character before */
        reader->position.column++;
    }
}

static bool is_line_end(const struct reader *reader) {
    return peek(reader) == '\n' ||
           (peek(reader) == '\r' && reader->offset + 1 < reader->len && reader->data[reader->offset + 1] == '\n');
}

static bool is_field_end(const struct reader *reader) {
    return peek(reader) == ',' || peek(reader) < 0 || is_line_end(reader);
}

static void skip_line_end(struct reader *reader) {
    while (peek(reader) == '\r') {
        step(reader);
    }
    if (peek(reader) == '\n') {
        step(reader);
    }
}

static taskfit_status read_quoted(struct reader *reader) {
    const taskfit_position start = reader->position;
    bool is_closed = false;
    step(reader);
    while (!is_closed && peek(reader) >= 0) {
        const char c = (char)peek(reader);
        step(reader);
        if (c != '"') {
            taskfit_strbuf_addc(&reader->text, c);
        } else if (peek(reader) == '"') { /* two quotes are one */
            taskfit_strbuf_addc(&reader->text, c);
            step(reader);
        } else {
            is_closed = true;
        }
    }
    if (!is_closed) {
        return taskfit_fail_at(reader->err, start, "a quoted field without an end");
    }
    if (!is_field_end(reader)) {
        return taskfit_fail_at(reader->err, reader->position, "text behind the closing quote (double a quote that is meant)");
    }
    return TASKFIT_OK;
}

static taskfit_status read_bare(struct reader *reader) {
    for (; !is_field_end(reader); step(reader)) {
        if (peek(reader) == '"' || peek(reader) == '\r') {
            return taskfit_fail_at(reader->err, reader->position, "a %s in a field without quotes (put the field in quotes)",
                                   peek(reader) == '"' ? "quote" : "carriage return");
        }
        taskfit_strbuf_addc(&reader->text, (char)peek(reader));
    }
    return TASKFIT_OK;
}

static taskfit_status read_field(struct reader *reader) {
    if (reader->n_fields == TASKFIT_NODES_MAX) {
        return taskfit_fail_at(reader->err, reader->position, "more than %d values", TASKFIT_NODES_MAX);
    }
    const taskfit_position start = reader->position;
    taskfit_strbuf_reset(&reader->text);
    const taskfit_status status = peek(reader) == '"' ? read_quoted(reader) : read_bare(reader);
    if (status == TASKFIT_OK) {
        TASKFIT_GROW(reader->arena, reader->fields, reader->n_fields, reader->capacity);
        reader->fields[reader->n_fields++] =
            (taskfit_csv_field){.text = taskfit_arena_strndup(reader->arena, reader->text.data, reader->text.len), .position = start};
    }
    return status;
}

/* A row and the end of its line. */
static taskfit_status read_row(struct reader *reader, size_t *n_fields_out) {
    const size_t first = reader->n_fields;
    taskfit_status status = read_field(reader);
    while (status == TASKFIT_OK && peek(reader) == ',') {
        step(reader);
        status = read_field(reader);
    }
    if (status == TASKFIT_OK) {
        skip_line_end(reader);
        *n_fields_out = reader->n_fields - first;
    }
    return status;
}

static void skip_empty_lines(struct reader *reader) {
    while (is_line_end(reader)) {
        skip_line_end(reader);
    }
}

/* Leaves the first comment's text in comment_out. */
static void skip_comments(struct reader *reader, const char **comment_out) {
    *comment_out = "";
    bool is_first = true;
    skip_empty_lines(reader);
    while (peek(reader) == '#') {
        step(reader);
        while (peek(reader) == ' ') {
            step(reader);
        }
        const char *text = reader->data + reader->offset;
        while (peek(reader) >= 0 && !is_line_end(reader)) {
            step(reader);
        }
        if (is_first) {
            *comment_out = taskfit_arena_strndup(reader->arena, text, (size_t)(reader->data + reader->offset - text));
            is_first = false;
        }
        skip_empty_lines(reader);
    }
}

static taskfit_status check_header(const struct reader *reader) {
    for (size_t i = 0; i < reader->n_fields; i++) {
        for (size_t j = 0; j < i; j++) {
            if (strcmp(reader->fields[i].text, reader->fields[j].text) == 0) {
                return taskfit_fail_at(reader->err, reader->fields[i].position, "column '%s' stands twice", reader->fields[i].text);
            }
        }
    }
    return TASKFIT_OK;
}

static taskfit_status read_table(struct reader *reader, taskfit_csv *csv_out) {
    enum { COLUMNS_MAX = 1000 };
    taskfit_csv csv = {0};
    skip_comments(reader, &csv.comment);
    if (peek(reader) < 0) {
        return taskfit_fail_at(reader->err, (taskfit_position){.file = reader->position.file}, "no header row");
    }
    taskfit_status status = read_row(reader, &csv.n_columns);
    if (status == TASKFIT_OK && csv.n_columns > COLUMNS_MAX) {
        return taskfit_fail_at(reader->err, reader->fields[COLUMNS_MAX].position, "more than %d columns", COLUMNS_MAX);
    }
    if (status == TASKFIT_OK) {
        status = check_header(reader);
    }
    skip_empty_lines(reader);
    while (status == TASKFIT_OK && peek(reader) >= 0) {
        const taskfit_position start = reader->position;
        size_t n_fields = 0;
        status = read_row(reader, &n_fields);
        if (status == TASKFIT_OK && n_fields != csv.n_columns) {
            return taskfit_fail_at(reader->err, start, "%zu field%s where the header has %zu", n_fields, n_fields == 1 ? "" : "s",
                                   csv.n_columns);
        }
        csv.n_rows++;
        skip_empty_lines(reader);
    }
    if (status == TASKFIT_OK) {
        csv.columns = reader->fields;
        csv.fields = reader->fields + csv.n_columns;
        *csv_out = csv;
    }
    return status;
}

taskfit_status taskfit_csv_read(taskfit_arena *arena, const char *file, const char *data, size_t len, taskfit_csv *csv_out,
                                taskfit_error *err) {
    assert(file && (data || len == 0));
    if (len > TASKFIT_INPUT_BYTES_MAX) {
        return taskfit_fail_at(err, (taskfit_position){.file = file}, "larger than %d MiB", TASKFIT_INPUT_BYTES_MAX >> 20);
    }
    const size_t bom = taskfit_bom_length(data, len);
    struct reader reader = {.arena = arena, .data = data, .len = len, .offset = bom, .err = err};
    reader.position = (taskfit_position){.file = taskfit_arena_strdup(arena, file), .line = 1, .column = 1};
    const size_t valid = taskfit_utf8_valid(data, len);
    if (valid < len) {
        return taskfit_fail_at(err, taskfit_position_of(file, data, len, valid), "not UTF-8 (save the file as UTF-8)");
    }
    const char *nul = len > 0 ? memchr(data, '\0', len) : NULL;
    if (nul) {
        return taskfit_fail_at(err, taskfit_position_of(file, data, len, (size_t)(nul - data)), "a NUL character in a text");
    }
    taskfit_strbuf_init(&reader.text);
    const taskfit_status status = read_table(&reader, csv_out);
    taskfit_strbuf_release(&reader.text);
    return status;
}

size_t taskfit_csv_column(const taskfit_csv *csv, const char *name) {
    size_t column = 0;
    while (column < csv->n_columns && strcmp(csv->columns[column].text, name) != 0) {
        column++;
    }
    return column;
}

const taskfit_csv_field *taskfit_csv_at(const taskfit_csv *csv, size_t row, size_t column) {
    assert(row < csv->n_rows && column < csv->n_columns);
    return &csv->fields[row * csv->n_columns + column];
}
