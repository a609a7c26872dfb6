/*
 * Myers, "An O(ND) difference algorithm and its variations" (1986). A path through the grid of old lines (x)
 * and new lines (y) goes right (delete), down (insert) or along the diagonal (keep). reach[k] is the furthest x
 * on diagonal k = x - y with d changes; the reaches of every d are kept, so that the path can be walked
 * back. Common lines at both ends are taken off first.
 */
#include "base/diff.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

enum { CONTEXT_LINES = 3, CHANGES_MAX = 1000 };

struct line {
    const char *text;
    size_t len; /* with its line feed, which the last line may lack */
    bool changed; /* deleted from the old, inserted into the new */
};

struct text {
    struct line *lines;
    ptrdiff_t n;
};

static struct text split(taskfit_arena *arena, const char *data, size_t len) {
    size_t n = 0;
    for (size_t i = 0; i < len; i++) {
        n += data[i] == '\n' || i + 1 == len;
    }
    struct text text = {.lines = TASKFIT_ARRAY(arena, n, struct line), .n = (ptrdiff_t)n};
    for (size_t line = 0, start = 0; line < n; line++) {
        const char *feed = memchr(data + start, '\n', len - start);
        size_t line_len = feed ? (size_t)(feed - data) + 1 - start : len - start;
        text.lines[line] = (struct line){.text = data + start, .len = line_len};
        start += line_len;
    }
    return text;
}

static bool same(const struct line *a, const struct line *b) {
    return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

static bool comes_from_above(const ptrdiff_t *reach, ptrdiff_t k, ptrdiff_t d) {
    return k == -d || (k != d && reach[k - 1] < reach[k + 1]);
}

/* Walks back from (a.n, b.n), marking the changed lines. trace[d] is reach after d changes, centred. */
static void mark_path(struct text a, struct text b, ptrdiff_t *const *trace, ptrdiff_t d) {
    ptrdiff_t x = a.n;
    ptrdiff_t y = b.n;
    for (; d > 0; d--) {
        const ptrdiff_t *reach = trace[d - 1];
        ptrdiff_t k = x - y;
        bool inserted = comes_from_above(reach, k, d);
        k += inserted ? 1 : -1;
        x = reach[k];
        y = x - k;
        if (inserted) {
            b.lines[y].changed = true;
        } else {
            a.lines[x].changed = true;
        }
    }
}

/* False when there are more than CHANGES_MAX changes. */
static bool mark_shortest(taskfit_arena *arena, struct text a, struct text b) {
    ptrdiff_t **trace = TASKFIT_ARRAY(arena, CHANGES_MAX + 1, ptrdiff_t *);
    ptrdiff_t *reach = TASKFIT_ARRAY(arena, 2 * CHANGES_MAX + 3, ptrdiff_t);
    reach += CHANGES_MAX + 1;
    for (ptrdiff_t d = 0; d <= CHANGES_MAX; d++) {
        for (ptrdiff_t k = -d; k <= d; k += 2) {
            ptrdiff_t x = d == 0 ? 0 : comes_from_above(reach, k, d) ? reach[k + 1] : reach[k - 1] + 1;
            ptrdiff_t y = x - k;
            while (x < a.n && y < b.n && x >= 0 && y >= 0 && same(&a.lines[x], &b.lines[y])) {
                x++;
                y++;
            }
            reach[k] = x;
            if (x == a.n && y == b.n) {
                mark_path(a, b, trace, d);
                return true;
            }
        }
        trace[d] = TASKFIT_ARRAY(arena, (size_t)(2 * d + 1), ptrdiff_t);
        trace[d] += d;
        memcpy(trace[d] - d, reach - d, (size_t)(2 * d + 1) * sizeof *reach);
    }
    return false;
}

static void mark_all(struct text text) {
    for (ptrdiff_t line = 0; line < text.n; line++) {
        text.lines[line].changed = true;
    }
}

static void mark_changes(taskfit_arena *arena, struct text a, struct text b) {
    while (a.n > 0 && b.n > 0 && same(&a.lines[0], &b.lines[0])) {
        a = (struct text){a.lines + 1, a.n - 1};
        b = (struct text){b.lines + 1, b.n - 1};
    }
    while (a.n > 0 && b.n > 0 && same(&a.lines[a.n - 1], &b.lines[b.n - 1])) {
        a.n--;
        b.n--;
    }
    if (!mark_shortest(arena, a, b)) {
        mark_all(a);
        mark_all(b);
    }
}

/* ---- writing ---- */

static void write_line(char sign, const struct line *line, taskfit_strbuf *out) {
    taskfit_strbuf_addc(out, sign);
    taskfit_strbuf_add(out, line->text, line->len);
    if (line->text[line->len - 1] != '\n') {
        taskfit_strbuf_adds(out, "\n\\ No newline at end of file\n");
    }
}

struct span { /* lines of a text, end not included */
    ptrdiff_t start, end;
};

/* "12,3"; "12" for one line; an empty range names the line before it. */
static void write_range(struct span span, taskfit_strbuf *out) {
    ptrdiff_t n = span.end - span.start;
    taskfit_strbuf_printf(out, "%td", n > 0 ? span.start + 1 : span.start);
    if (n != 1) {
        taskfit_strbuf_printf(out, ",%td", n);
    }
}

/* A stretch of both texts: changed lines, and unchanged ones in pairs. */
static void write_hunk(struct text a, struct span a_span, struct text b, struct span b_span, taskfit_strbuf *out) {
    taskfit_strbuf_adds(out, "@@ -");
    write_range(a_span, out);
    taskfit_strbuf_adds(out, " +");
    write_range(b_span, out);
    taskfit_strbuf_adds(out, " @@\n");
    ptrdiff_t x = a_span.start;
    ptrdiff_t y = b_span.start;
    while (x < a_span.end || y < b_span.end) {
        if (x < a_span.end && a.lines[x].changed) {
            write_line('-', &a.lines[x++], out);
        } else if (y < b_span.end && b.lines[y].changed) {
            write_line('+', &b.lines[y++], out);
        } else {
            assert(x < a_span.end && y < b_span.end);
            write_line(' ', &a.lines[x], out);
            x++;
            y++;
        }
    }
}

/* Unchanged pairs of lines ahead of (x, y). */
static ptrdiff_t count_pairs(struct text a, struct text b, ptrdiff_t x, ptrdiff_t y) {
    ptrdiff_t n = 0;
    while (x + n < a.n && y + n < b.n && !a.lines[x + n].changed && !b.lines[y + n].changed) {
        n++;
    }
    return n;
}

static ptrdiff_t context_of(ptrdiff_t n_pairs) {
    return n_pairs < CONTEXT_LINES ? n_pairs : CONTEXT_LINES;
}

static void write_hunks(struct text a, struct text b, taskfit_strbuf *out) {
    ptrdiff_t x = 0;
    ptrdiff_t y = 0;
    for (;;) {
        ptrdiff_t n_pairs = count_pairs(a, b, x, y);
        if (x + n_pairs == a.n && y + n_pairs == b.n) {
            return;
        }
        x += n_pairs - context_of(n_pairs);
        y += n_pairs - context_of(n_pairs);
        ptrdiff_t a_end = x;
        ptrdiff_t b_end = y;
        n_pairs = context_of(n_pairs);
        do { /* changes that are near share a hunk */
            a_end += n_pairs;
            b_end += n_pairs;
            while (a_end < a.n && a.lines[a_end].changed) {
                a_end++;
            }
            while (b_end < b.n && b.lines[b_end].changed) {
                b_end++;
            }
            n_pairs = count_pairs(a, b, a_end, b_end);
        } while (n_pairs <= 2 * CONTEXT_LINES && (a_end + n_pairs < a.n || b_end + n_pairs < b.n));
        a_end += context_of(n_pairs);
        b_end += context_of(n_pairs);
        write_hunk(a, (struct span){x, a_end}, b, (struct span){y, b_end}, out);
        x = a_end;
        y = b_end;
    }
}

bool taskfit_diff_unified(const taskfit_diff_side *before, const taskfit_diff_side *after, taskfit_strbuf *out) {
    if (before->len == after->len && memcmp(before->data, after->data, before->len) == 0) {
        return false;
    }
    taskfit_arena *arena = taskfit_arena_new();
    struct text a = split(arena, before->data, before->len);
    struct text b = split(arena, after->data, after->len);
    mark_changes(arena, a, b);
    taskfit_strbuf_printf(out, "--- %s\n+++ %s\n", before->name, after->name);
    write_hunks(a, b, out);
    taskfit_arena_free(arena);
    return true;
}
