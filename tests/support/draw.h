#ifndef TASKFIT_TESTS_SUPPORT_DRAW_H
#define TASKFIT_TESTS_SUPPORT_DRAW_H

/* Random numbers for cases that are the same on every machine (xorshift64*); the state is any seed but 0. */

#include <stdbool.h>
#include <stdint.h>

int64_t draw(uint64_t *state, int64_t low, int64_t high); /* both included */
int64_t up_to(uint64_t *state, int64_t most);                     /* from 0 */
bool chance(uint64_t *state, int64_t percent);

#endif
