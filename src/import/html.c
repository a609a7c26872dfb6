/* Tables of web pages, as browsers save them: a reader that knows the few tags of tables and takes everything else for text. */
#include <string.h>

#include "base/units.h"
#include "base/utf8.h"
#include "import/grid.h"

struct page {
    taskfit_arena *arena;
    const char *at;
    taskfit_position position;
    taskfit_grid grid;
    taskfit_cell *cells; /* of the row being read */
    size_t n_cells, capacity;
    size_t table;
    bool in_cell;
    taskfit_position cell_position;
    size_t span; /* columns of the cell */
    taskfit_strbuf text;
};

static void step(struct page *page, size_t n) {
    for (size_t i = 0; i < n; i++) {
        page->position.line += page->at[i] == '\n';
    }
    page->at += n;
}

static void add_cell(struct page *page, const char *text) {
    TASKFIT_GROW(page->arena, page->cells, page->n_cells, page->capacity);
    page->cells[page->n_cells++] = (taskfit_cell){text, page->cell_position};
}

static void end_cell(struct page *page) {
    if (page->in_cell) {
        add_cell(page, taskfit_cell_text(page->arena, page->text.data, page->text.len));
        for (size_t i = 1; i < page->span; i++) {
            add_cell(page, "");
        }
        page->in_cell = false;
    }
}

static void end_row(struct page *page) {
    end_cell(page);
    taskfit_grid_add(page->arena, &page->grid, page->cells, page->n_cells, page->table);
    page->n_cells = 0;
}

/* colspan="3" of a tag, 1 to 100; 1 when there is none. */
static size_t span_of(const char *tag, size_t len) {
    enum { SPAN_MAX = 100 };
    static const char name[] = "colspan=";
    for (size_t i = 0; i + sizeof name - 1 <= len; i++) {
        if (taskfit_is_word(tag + i, sizeof name - 1, name)) {
            const char *digits = tag + i + sizeof name - 1;
            digits += *digits == '"' || *digits == '\'';
            int64_t span = 1;
            const char *why = NULL;
            const size_t n = strspn(digits, "0123456789");
            return taskfit_parse_count(digits, n, 1, SPAN_MAX, &span, &why) ? (size_t)span : 1;
        }
    }
    return 1;
}

static bool is_one_of(const char *name, size_t len, const char *const *words) {
    for (; *words; words++) {
        if (taskfit_is_word(name, len, *words)) {
            return true;
        }
    }
    return false;
}

/* `tag` is what stands between < and >. */
static void read_tag(struct page *page, const char *tag, size_t len) {
    static const char *const rows[] = {"tr", NULL};
    static const char *const cells[] = {"td", "th", NULL};
    static const char *const tables[] = {"table", NULL};
    static const char *const breaks[] = {"br", "p", "div", "li", NULL};
    const bool is_end = len > 0 && tag[0] == '/';
    const char *name = tag + is_end;
    size_t name_len = 0;
    while (name_len < len - (size_t)is_end && !strchr(" \t\r\n/", name[name_len])) {
        name_len++;
    }
    if (is_one_of(name, name_len, cells)) {
        end_cell(page);
        page->in_cell = !is_end;
        page->cell_position = page->position;
        page->span = span_of(tag, len);
        taskfit_strbuf_reset(&page->text);
    } else if (is_one_of(name, name_len, rows)) {
        end_row(page);
    } else if (is_one_of(name, name_len, tables)) {
        end_row(page);
        page->table++;
    } else if (is_one_of(name, name_len, breaks)) {
        taskfit_strbuf_addc(&page->text, '\n');
    }
}

static void add_character(taskfit_strbuf *out, int64_t code) {
    if (code < 0x80) {
        taskfit_strbuf_addc(out, (char)code);
    } else if (code < 0x800) {
        taskfit_strbuf_addc(out, (char)(0xc0 | code >> 6));
        taskfit_strbuf_addc(out, (char)(0x80 | (code & 0x3f)));
    } else {
        if (code < 0x10000) {
            taskfit_strbuf_addc(out, (char)(0xe0 | code >> 12));
        } else {
            taskfit_strbuf_addc(out, (char)(0xf0 | code >> 18));
            taskfit_strbuf_addc(out, (char)(0x80 | (code >> 12 & 0x3f)));
        }
        taskfit_strbuf_addc(out, (char)(0x80 | (code >> 6 & 0x3f)));
        taskfit_strbuf_addc(out, (char)(0x80 | (code & 0x3f)));
    }
}

/* The character of "#160" or "#xA0"; false when there is none. */
static bool parse_code(const char *name, size_t len, int64_t *code_out) {
    const bool is_hex = len > 1 && (name[1] == 'x' || name[1] == 'X');
    int64_t code = 0;
    size_t i = is_hex ? 2 : 1;
    if (i == len || len > 9) {
        return false;
    }
    for (; i < len; i++) {
        static const char digits[] = "0123456789abcdef";
        const char *digit = strchr(digits, taskfit_ascii_lower(name[i]));
        if (!digit || digit - digits >= (is_hex ? 16 : 10)) {
            return false;
        }
        code = code * (is_hex ? 16 : 10) + (digit - digits);
    }
    *code_out = code;
    return code >= ' ' && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000);
}

/* "&nbsp;" and the like; what is not known stays as it stands. */
static size_t read_entity(struct page *page) {
    static const struct {
        const char *name;
        int code;
    } entities[] = {{"nbsp", 0xa0}, {"amp", '&'},   {"lt", '<'},       {"gt", '>'},       {"quot", '"'},
                    {"apos", '\''}, {"ndash", 0x2013}, {"mdash", 0x2014}, {"zwnj", 0x200b}, {"thinsp", 0x2009}};
    enum { ENTITY_MAX = 10 };
    const char *end = memchr(page->at, ';', strnlen(page->at, ENTITY_MAX));
    const size_t len = end ? (size_t)(end - page->at) - 1 : 0;
    const char *name = page->at + 1;
    int64_t code = 0;
    if (len > 1 && name[0] == '#' && parse_code(name, len, &code)) {
        add_character(&page->text, code);
        return len + 2;
    }
    for (size_t i = 0; len > 0 && i < sizeof entities / sizeof entities[0]; i++) {
        if (strlen(entities[i].name) == len && memcmp(entities[i].name, name, len) == 0) {
            add_character(&page->text, entities[i].code);
            return len + 2;
        }
    }
    taskfit_strbuf_addc(&page->text, '&');
    return 1;
}

static bool starts_tag(const char *at) {
    const char c = at[1];
    return at[0] == '<' && (c == '/' || c == '!' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
}

static void read_markup(struct page *page) {
    const bool is_comment = strncmp(page->at, "<!--", 4) == 0;
    const char *end = strstr(page->at, is_comment ? "-->" : ">");
    const size_t len = end ? (size_t)(end - page->at) : strlen(page->at);
    if (!is_comment) {
        read_tag(page, page->at + 1, len - 1);
    }
    step(page, len + (end ? (is_comment ? 3 : 1) : 0));
}

taskfit_grid taskfit_grid_of_html(taskfit_arena *arena, const char *file, const char *text) {
    struct page page = {.arena = arena, .at = text, .position = {.file = file, .line = 1}};
    taskfit_strbuf_init(&page.text);
    while (*page.at) {
        if (starts_tag(page.at)) {
            read_markup(&page);
        } else if (*page.at == '&') {
            step(&page, read_entity(&page));
        } else {
            taskfit_strbuf_addc(&page.text, *page.at == '\n' ? ' ' : *page.at);
            step(&page, 1);
        }
    }
    end_row(&page);
    taskfit_strbuf_release(&page.text);
    return page.grid;
}

bool taskfit_is_html_table(const char *text) {
    for (const char *at = strchr(text, '<'); at; at = strchr(at + 1, '<')) {
        const size_t len = strnlen(at, 6);
        if (taskfit_is_word(at, len, "<table") || (len >= 3 && taskfit_is_word(at, 3, "<tr"))) {
            return true;
        }
    }
    return false;
}
