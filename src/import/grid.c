#include "import/grid.h"

#include <string.h>

/* ---- cells ---- */

/* Bytes of a blank that is none of ASCII: no-break space, U+2000..U+200B, U+202F, U+FEFF; or 0. is_thin_out: of no width. */
static size_t wide_blank(const char *text, bool *is_thin_out) {
    const unsigned char *at = (const unsigned char *)text;
    *is_thin_out = false;
    if (at[0] == 0xc2 && at[1] == 0xa0) {
        return 2;
    }
    if (at[0] == 0xe2 && at[1] == 0x80 && ((at[2] >= 0x80 && at[2] <= 0x8b) || at[2] == 0xaf)) {
        *is_thin_out = at[2] == 0x8b;
        return 3;
    }
    *is_thin_out = at[0] == 0xef && at[1] == 0xbb && at[2] == 0xbf;
    return *is_thin_out ? 3 : 0;
}

/* Blanks in a row are one, and none stands beside a line break. */
const char *taskfit_cell_text(taskfit_arena *arena, const char *text, size_t len) {
    TASKFIT_STRBUF(plain);
    const char *copy = taskfit_arena_strndup(arena, text, len);
    for (const char *at = copy; *at;) {
        bool is_thin = false;
        const size_t wide = wide_blank(at, &is_thin);
        const bool is_break = *at == '\n';
        if (is_break) {
            while (plain.len > 0 && plain.data[plain.len - 1] == ' ') {
                plain.data[--plain.len] = '\0';
            }
        }
        const char last = plain.len > 0 ? plain.data[plain.len - 1] : '\n';
        if (is_break) {
            taskfit_strbuf_add(&plain, "\n", last != '\n');
        } else if ((wide > 0 && !is_thin) || *at == ' ' || *at == '\t' || *at == '\r') {
            taskfit_strbuf_add(&plain, " ", last != ' ' && last != '\n');
        } else if (wide == 0) {
            taskfit_strbuf_addc(&plain, *at);
        }
        at += wide > 0 ? wide : 1;
    }
    while (plain.len > 0 && (plain.data[plain.len - 1] == ' ' || plain.data[plain.len - 1] == '\n')) {
        plain.data[--plain.len] = '\0';
    }
    return taskfit_arena_strndup(arena, plain.data, plain.len);
}

void taskfit_grid_add(taskfit_arena *arena, taskfit_grid *grid, const taskfit_cell *cells, size_t n_cells, size_t table) {
    taskfit_cell *copy = TASKFIT_ARRAY(arena, n_cells, taskfit_cell);
    if (n_cells == 0) {
        return;
    }
    memcpy(copy, cells, n_cells * sizeof *copy);
    TASKFIT_GROW(arena, grid->rows, grid->n_rows, grid->rows_capacity);
    grid->rows[grid->n_rows++] = (taskfit_row){.cells = copy, .n_cells = n_cells, .table = table};
}

/* The cells of the row being read; one array serves all rows. */
struct line {
    taskfit_arena *arena;
    taskfit_cell *cells;
    size_t n, capacity;
    taskfit_position position; /* of what is read next */
};

static void add_cell(struct line *line, const char *text, size_t len, taskfit_position position) {
    TASKFIT_GROW(line->arena, line->cells, line->n, line->capacity);
    line->cells[line->n++] = (taskfit_cell){taskfit_cell_text(line->arena, text, len), position};
}

/* ---- bars ---- */

/* "---", ":--:", "====", or nothing. */
static bool is_rule(const taskfit_cell *cell) {
    return cell->text[strspn(cell->text, "-:=+ ")] == '\0';
}

static bool is_rule_line(const struct line *line) {
    size_t n_empty = 0;
    for (size_t i = 0; i < line->n; i++) {
        if (!is_rule(&line->cells[i])) {
            return false;
        }
        n_empty += line->cells[i].text[0] == '\0';
    }
    return n_empty < line->n;
}

/* "||Module||Count||" of wiki markup has bars of two. */
static void split_bars(struct line *line, const char *text, size_t len) {
    const bool is_double = len >= 2 && text[0] == '|' && text[1] == '|';
    TASKFIT_STRBUF(cell);
    taskfit_position start = line->position;
    for (size_t i = 0; i < len; i++) {
        line->position.column += ((unsigned char)text[i] & 0xc0) != 0x80; /* the first byte of a character */
        if (text[i] == '\\' && i + 1 < len && text[i + 1] == '|') {
            taskfit_strbuf_addc(&cell, text[++i]);
            line->position.column++;
        } else if (text[i] == '|') {
            if (is_double && i + 1 < len && text[i + 1] == '|') {
                line->position.column++;
                i++;
            }
            add_cell(line, cell.data, cell.len, start);
            taskfit_strbuf_reset(&cell);
            start = line->position;
        } else {
            taskfit_strbuf_addc(&cell, text[i]);
        }
    }
    add_cell(line, cell.data, cell.len, start);
}

taskfit_grid taskfit_grid_of_bars(taskfit_arena *arena, const char *file, const char *text) {
    taskfit_grid grid = {.n_rows = 0};
    struct line line = {.arena = arena, .position = {.file = file, .line = 0, .column = 1}};
    while (*text) {
        const size_t len = strcspn(text, "\n");
        const size_t indent = strspn(text, " \t");
        const size_t start = indent < len ? indent : 0;
        line.position.line++;
        line.position.column = 1 + (uint32_t)start;
        line.n = 0;
        split_bars(&line, text + start, len - start);
        const bool opens = text[start] == '|';
        const bool closes = line.n > 1 && line.cells[line.n - 1].text[0] == '\0'; /* behind the last bar */
        const bool is_blank = line.n == 1 && line.cells[0].text[0] == '\0';
        if (!is_blank && !is_rule_line(&line) && line.n > (size_t)opens + closes) {
            taskfit_grid_add(arena, &grid, line.cells + opens, line.n - (size_t)opens - closes, 0);
        }
        text += len + (text[len] == '\n');
    }
    return grid;
}

/* ---- delimiters ---- */

struct scan {
    const char *at;
    taskfit_position position;
    taskfit_strbuf cell;
};

static void step(struct scan *scan) {
    if (*scan->at == '\n') {
        scan->position.line++;
        scan->position.column = 1;
    } else if (((unsigned char)*scan->at & 0xc0) != 0x80) { /* the first byte of a character */
        scan->position.column++;
    }
    scan->at++;
}

/* A quote that is not closed, or stands inside a cell, is a character like others. */
static void scan_cell(struct scan *scan, char delimiter) {
    taskfit_strbuf_reset(&scan->cell);
    bool in_quotes = *scan->at == '"' && strchr(scan->at + 1, '"');
    if (in_quotes) {
        step(scan);
    }
    while (*scan->at && (in_quotes || (*scan->at != delimiter && *scan->at != '\n'))) {
        if (in_quotes && *scan->at == '"') {
            step(scan);
            in_quotes = *scan->at == '"';
            if (!in_quotes) {
                continue;
            }
        }
        taskfit_strbuf_addc(&scan->cell, *scan->at);
        step(scan);
    }
}

taskfit_grid taskfit_grid_of_delimited(taskfit_arena *arena, const char *file, const char *text, char delimiter) {
    taskfit_grid grid = {.n_rows = 0};
    struct line line = {.arena = arena};
    struct scan scan = {.at = text, .position = {.file = file, .line = 1, .column = 1}};
    taskfit_strbuf_init(&scan.cell);
    while (*scan.at) {
        taskfit_position start = scan.position;
        scan_cell(&scan, delimiter);
        add_cell(&line, scan.cell.data, scan.cell.len, start);
        if (*scan.at == delimiter) {
            step(&scan);
            if (*scan.at && *scan.at != '\n') {
                continue;
            }
            add_cell(&line, "", 0, scan.position);
        }
        if (line.n > 1 || line.cells[0].text[0]) {
            taskfit_grid_add(arena, &grid, line.cells, line.n, 0);
        }
        line.n = 0;
        if (*scan.at) {
            step(&scan);
        }
    }
    taskfit_strbuf_release(&scan.cell);
    return grid;
}
