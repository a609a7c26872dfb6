/* The nearest word, for the hint behind an unknown key. */
#include <string.h>

#include "base/utf8.h"
#include "input/diag.h"

enum { WORD_MAX = 127 };

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Insertions, deletions, replacements and swaps of neighbours (optimal string alignment), case aside. */
static size_t distance(const char *a, size_t a_len, const char *b, size_t b_len) {
    size_t rows[3][WORD_MAX + 1];
    size_t *before = rows[0];
    size_t *last = rows[1];
    size_t *row = rows[2];
    for (size_t j = 0; j <= b_len; j++) {
        last[j] = j;
    }
    for (size_t i = 1; i <= a_len; i++) {
        row[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            const size_t differs = taskfit_ascii_lower(a[i - 1]) != taskfit_ascii_lower(b[j - 1]);
            row[j] = least(least(last[j] + 1, row[j - 1] + 1), last[j - 1] + differs);
            if (i > 1 && j > 1 && taskfit_ascii_lower(a[i - 1]) == taskfit_ascii_lower(b[j - 2]) && taskfit_ascii_lower(a[i - 2]) == taskfit_ascii_lower(b[j - 1])) {
                row[j] = least(row[j], before[j - 2] + 1);
            }
        }
        size_t *spare = before;
        before = last;
        last = row;
        row = spare;
    }
    return last[b_len];
}

const char *taskfit_nearest(const char *word, const char *const *candidates, size_t n_candidates) {
    const size_t len = strlen(word);
    const char *nearest = NULL;
    /* A slip changes at most a third of the word. */
    size_t limit = len / 3;
    for (size_t i = 0; i < n_candidates && len <= WORD_MAX; i++) {
        const size_t other_len = strlen(candidates[i]);
        const size_t difference = other_len > len ? other_len - len : len - other_len;
        if (other_len > WORD_MAX || difference > limit) {
            continue;
        }
        const size_t edits = distance(word, len, candidates[i], other_len);
        if (edits < limit + !nearest) {
            limit = edits;
            nearest = candidates[i];
        }
    }
    return nearest;
}
