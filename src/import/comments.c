#include "import/comments.h"

#include <string.h>

/* A comment and where it belongs: above the key or item of a line, or behind it. */
struct comment {
    const char *text; /* with its '#' */
    size_t len;
    uint32_t line; /* of the old text: that it stands behind, or the next one with content; UINT32_MAX: the end */
    bool is_behind;
};

/* A key or item, in the old text and in the new one. */
struct pair {
    uint32_t old_line, new_line;
};

struct restore {
    taskfit_arena *arena;
    const char *file; /* of the old text */
    struct comment *comments;
    size_t n_comments, comments_capacity;
    struct pair *pairs; /* in the order of the new text */
    size_t n_pairs, pairs_capacity;
};

/* ---- places ---- */

static void add_pair(struct restore *restore, taskfit_position old, taskfit_position new) {
    if (old.line > 0 && old.file && strcmp(old.file, restore->file) == 0) {
        TASKFIT_GROW(restore->arena, restore->pairs, restore->n_pairs, restore->pairs_capacity);
        restore->pairs[restore->n_pairs++] = (struct pair){old.line, new.line};
    }
}

/* Both trees have the same shape: one was written from the other. */
static void pair_up(struct restore *restore, const taskfit_node *old, const taskfit_node *new) {
    for (size_t i = 0; old->kind == TASKFIT_NODE_LIST && i < old->n; i++) {
        add_pair(restore, old->items[i]->position, new->items[i]->position);
        pair_up(restore, old->items[i], new->items[i]);
    }
    for (size_t i = 0; old->kind == TASKFIT_NODE_MAP && i < old->n; i++) {
        add_pair(restore, old->entries[i].key_position, new->entries[i].key_position);
        pair_up(restore, old->entries[i].value, new->entries[i].value);
    }
}

static int compare_pairs(const void *a, const void *b) {
    const struct pair *left = a;
    const struct pair *right = b;
    if (left->old_line != right->old_line) {
        return left->old_line < right->old_line ? -1 : 1;
    }
    return left->new_line < right->new_line ? -1 : left->new_line > right->new_line;
}

/* The first pair of this line of the old text or a later one, or n_pairs. */
static size_t first_pair(const struct restore *restore, uint32_t old_line) {
    size_t low = 0;
    for (size_t high = restore->n_pairs; low < high;) {
        const size_t middle = low + (high - low) / 2;
        if (restore->pairs[middle].old_line < old_line) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The line of the new text for one of the old: that of the first key or item there, or else of the next one. */
static uint32_t new_line_of(const struct restore *restore, uint32_t old_line) {
    const size_t at = first_pair(restore, old_line);
    return at < restore->n_pairs ? restore->pairs[at].new_line : UINT32_MAX;
}

static bool has_key(const struct restore *restore, uint32_t old_line) {
    const size_t at = first_pair(restore, old_line);
    return at < restore->n_pairs && restore->pairs[at].old_line == old_line;
}

/* ---- finding comments ---- */

struct scan {
    char quote;   /* in which a scalar is open across lines; 0: none */
    size_t depth; /* of flow collections */
    size_t block; /* 1 + indentation of the key of a block scalar; 0: none */
};

/* Whether a value starts at this place of a line: behind the indentation, "key: ", "- ", or in a flow collection behind a bracket or
 * comma. Elsewhere a quote or bracket is a letter of a plain scalar. */
static bool starts_value(const struct scan *scan, const char *line, size_t at) {
    size_t before = at;
    while (before > 0 && (line[before - 1] == ' ' || line[before - 1] == '\t')) {
        before--;
    }
    const char last = before > 0 ? line[before - 1] : '\0';
    const bool is_adjacent = before == at;
    const bool is_json = before > 1 && (line[before - 2] == '"' || line[before - 2] == '\'');
    if (last == ',') {
        return scan->depth > 0;
    }
    return last == '\0' || last == '[' || last == '{' || (last == ':' && (!is_adjacent || is_json)) || ((last == '-' || last == '?') && !is_adjacent);
}

/* Where the comment of a line starts, or len. */
static size_t find_comment(struct scan *scan, const char *line, size_t len) {
    for (size_t i = 0; i < len; i++) {
        const char c = line[i];
        const bool is_escape = (scan->quote == '"' && c == '\\') || (scan->quote == '\'' && c == '\'' && i + 1 < len && line[i + 1] == '\'');
        if (is_escape) {
            i++;
        } else if (scan->quote) {
            scan->quote = c == scan->quote ? '\0' : scan->quote;
        } else if (strchr("\"'[{", c) && starts_value(scan, line, i)) {
            scan->quote = c == '"' || c == '\'' ? c : '\0';
            scan->depth += scan->quote == '\0';
        } else if (c == ']' || c == '}') {
            scan->depth -= scan->depth > 0;
        } else if (c == '#' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t')) {
            return i;
        }
    }
    return len;
}

/* A line that ends in "|", ">-" and the like opens a block scalar. */
static bool opens_block(const char *line, size_t len) {
    while (len > 0 && strchr(" \t\r", line[len - 1])) {
        len--;
    }
    while (len > 0 && strchr("+-0123456789", line[len - 1])) {
        len--;
    }
    return len > 1 && (line[len - 1] == '|' || line[len - 1] == '>') && line[len - 2] == ' ';
}

static void add_comment(struct restore *restore, const char *text, size_t len, uint32_t line, bool is_behind) {
    static const char own[] = TASKFIT_IMPORT_COMMENT;
    while (len > 0 && strchr(" \t\r", text[len - 1])) {
        len--;
    }
    if (len < sizeof own - 1 || memcmp(text, own, sizeof own - 1) != 0) {
        TASKFIT_GROW(restore->arena, restore->comments, restore->n_comments, restore->comments_capacity);
        restore->comments[restore->n_comments++] = (struct comment){text, len, line, is_behind};
    }
}

/* Comments of their own line wait for the next one with content. */
static void find_comments(struct restore *restore, const char *text) {
    struct scan scan = {.quote = '\0'};
    size_t n_settled = 0;
    for (uint32_t line = 1; *text; line++) {
        const size_t len = strcspn(text, "\n");
        const size_t indent = strspn(text, " \t\r");
        const bool is_blank = indent >= len;
        if (scan.block > 0 && !is_blank && indent < scan.block) {
            scan.block = 0;
        }
        if (has_key(restore, line)) { /* no scalar is open where one starts, whatever was mistaken above */
            scan = (struct scan){.depth = scan.depth};
        }
        if (!is_blank && scan.block == 0) {
            const size_t at = find_comment(&scan, text, len);
            if (at > indent) {
                for (; n_settled < restore->n_comments; n_settled++) {
                    restore->comments[n_settled].line = line;
                }
                scan.block = !scan.quote && opens_block(text, at) ? indent + 1 : 0;
            }
            if (at < len) {
                add_comment(restore, text + at, len - at, at > indent ? line : UINT32_MAX, at > indent);
                n_settled = at > indent ? restore->n_comments : n_settled;
            }
        }
        text += len + (text[len] == '\n');
    }
}

/* Line ends of YAML that are not those of text files: lines would be counted in two ways. */
static bool has_other_line_ends(const char *text) {
    for (const char *at = strchr(text, '\r'); at; at = strchr(at + 1, '\r')) {
        if (at[1] != '\n') {
            return true;
        }
    }
    return strstr(text, "\xc2\x85") || strstr(text, "\xe2\x80\xa8") || strstr(text, "\xe2\x80\xa9");
}

/* ---- writing ---- */

static int compare_comments(const void *a, const void *b) {
    const struct comment *left = a;
    const struct comment *right = b;
    if (left->line != right->line) {
        return left->line < right->line ? -1 : 1;
    }
    return left->text < right->text ? -1 : left->text > right->text; /* both point into one text */
}

static void settle(struct restore *restore) {
    for (size_t i = 0; i < restore->n_comments; i++) {
        restore->comments[i].line = new_line_of(restore, restore->comments[i].line);
        restore->comments[i].is_behind = restore->comments[i].is_behind && restore->comments[i].line != UINT32_MAX;
    }
    if (restore->n_comments > 1) {
        qsort(restore->comments, restore->n_comments, sizeof *restore->comments, compare_comments);
    }
}

/* The comments of one line, from *next on: those above it with its indentation, or those behind it. */
static void write_comments(const struct restore *restore, size_t first, size_t end, bool are_behind, size_t indent, taskfit_strbuf *out) {
    for (size_t i = first; i < end; i++) {
        const struct comment *comment = &restore->comments[i];
        if (comment->is_behind == are_behind) {
            taskfit_strbuf_repeat(out, " ", are_behind ? 1 : indent);
            taskfit_strbuf_add(out, comment->text, comment->len);
            taskfit_strbuf_adds(out, are_behind ? "" : "\n");
        }
    }
}

static void write_lines(const struct restore *restore, const char *yaml, taskfit_strbuf *out) {
    size_t next = 0;
    for (uint32_t line = 1; *yaml; line++) {
        const size_t len = strcspn(yaml, "\n");
        const size_t first = next;
        while (next < restore->n_comments && restore->comments[next].line == line) {
            next++;
        }
        write_comments(restore, first, next, false, strspn(yaml, " "), out);
        taskfit_strbuf_add(out, yaml, len);
        write_comments(restore, first, next, true, 0, out);
        taskfit_strbuf_addc(out, '\n');
        yaml += len + (yaml[len] == '\n');
    }
    write_comments(restore, next, restore->n_comments, false, 0, out);
}

/* `root` has its positions in `old`. NULL: lines cannot be told, or the comments changed the meaning. */
static const taskfit_node *put_back(taskfit_arena *arena, const taskfit_import_file *old, const taskfit_node *root, const char *yaml,
                                    taskfit_strbuf *out) {
    struct restore restore = {.arena = arena, .file = old->name};
    taskfit_node *written = NULL;
    taskfit_node *again = NULL;
    const char *text = taskfit_arena_strndup(arena, old->data, old->len);
    if (has_other_line_ends(text) || taskfit_node_read_yaml(arena, "", yaml, strlen(yaml), &written, NULL) != TASKFIT_OK) {
        return NULL;
    }
    pair_up(&restore, root, written);
    if (restore.n_pairs > 1) {
        qsort(restore.pairs, restore.n_pairs, sizeof *restore.pairs, compare_pairs);
    }
    find_comments(&restore, text);
    settle(&restore);
    write_lines(&restore, yaml, out);
    const bool is_yaml = taskfit_node_read_yaml(arena, "again", out->data, out->len, &again, NULL) == TASKFIT_OK;
    return is_yaml && taskfit_node_equal(written, again) ? again : NULL;
}

/* Comments are told from text by rules of thumb: what they give must hold when it is read again. */
bool taskfit_import_restore_comments(const taskfit_import_file *into, const taskfit_node *root, const char *yaml, taskfit_strbuf *out) {
    taskfit_arena *arena = taskfit_arena_new();
    TASKFIT_STRBUF(first);
    TASKFIT_STRBUF(second);
    const taskfit_node *again = put_back(arena, into, root, yaml, &first);
    const taskfit_import_file result = {"again", first.data, first.len};
    const bool holds = again && put_back(arena, &result, again, yaml, &second) && strcmp(first.data, second.data) == 0;
    if (holds) {
        taskfit_strbuf_add(out, first.data, first.len);
    }
    taskfit_arena_free(arena);
    return holds;
}
