#ifndef TASKFIT_WORDS_H
#define TASKFIT_WORDS_H

#include <stddef.h>

/* The candidate nearest to a mistyped `word` by edit distance, or NULL when none is near enough to be a slip. */
const char *taskfit_nearest(const char *word, const char *const *candidates, size_t n_candidates);

#endif
