#ifndef TASKFIT_BASE_INT64_H
#define TASKFIT_BASE_INT64_H

/* Whole numbers compared, as every stage does it. */

#include <stdint.h>

static inline int64_t min64(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static inline int64_t max64(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* Greatest common divisor of a, b >= 0; that of 0 and b is b. */
static inline int64_t gcd64(int64_t a, int64_t b) {
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

#endif
