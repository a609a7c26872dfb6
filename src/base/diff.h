#ifndef TASKFIT_BASE_DIFF_H
#define TASKFIT_BASE_DIFF_H

/* Differences of two texts by lines, in the unified format with three lines of context that diff -u and patch know. */

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

typedef struct taskfit_diff_side {
    const char *name; /* behind "---" or "+++" */
    const char *data;
    size_t len;
} taskfit_diff_side;

/* Appends the difference to out and returns true; equal texts append nothing and return false. It is the shortest
 * one up to a thousand changed lines, beyond that everything between common ends is replaced. */
bool taskfit_diff_unified(const taskfit_diff_side *before, const taskfit_diff_side *after, taskfit_strbuf *out);

#endif
