#ifndef TASKFIT_WORDS_H
#define TASKFIT_WORDS_H

#include <stddef.h>

#pragma GCC visibility push(default) /* everything else in the library is hidden */

/* The candidate nearest to a mistyped `word` by edit distance, or NULL when none is near enough to be a slip. */
const char *taskfit_nearest(const char *word, const char *const *candidates, size_t n_candidates);

#pragma GCC visibility pop

#endif
