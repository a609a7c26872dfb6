#include "base/rand.h"

#include <assert.h>

taskfit_rand taskfit_rand_seeded(uint64_t seed) {
    return (taskfit_rand){.state = seed};
}

uint64_t taskfit_rand_next(taskfit_rand *dice) {
    dice->state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = dice->state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

size_t taskfit_rand_below(taskfit_rand *dice, size_t n) {
    assert(n > 0);
    /* Values from the last, incomplete run of n would favour small results. */
    const uint64_t usable = UINT64_MAX - UINT64_MAX % n;
    uint64_t value = 0;
    do {
        value = taskfit_rand_next(dice);
    } while (value >= usable);
    return (size_t)(value % n);
}

void taskfit_rand_shuffle(taskfit_rand *dice, size_t *indexes, size_t n) {
    for (size_t left = n; left > 1; left--) {
        const size_t pick = taskfit_rand_below(dice, left);
        const size_t swapped = indexes[left - 1];
        indexes[left - 1] = indexes[pick];
        indexes[pick] = swapped;
    }
}
