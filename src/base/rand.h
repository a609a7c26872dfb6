#ifndef TASKFIT_BASE_RAND_H
#define TASKFIT_BASE_RAND_H

/*
 * Seeded random numbers, the same on every machine (SplitMix64; Steele, Lea and Flood 2014). Not for secrets.
 */

#include <stddef.h>
#include <stdint.h>

typedef struct taskfit_rand {
    uint64_t state;
} taskfit_rand;

taskfit_rand taskfit_rand_seeded(uint64_t seed);
uint64_t taskfit_rand_next(taskfit_rand *dice);
/* 0..n-1, every value equally likely; n >= 1. */
size_t taskfit_rand_below(taskfit_rand *dice, size_t n);
/* Puts the n indexes in random order (Fisher and Yates). */
void taskfit_rand_shuffle(taskfit_rand *dice, size_t *indexes, size_t n);

#endif
