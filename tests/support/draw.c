#include "draw.h"

int64_t draw(uint64_t *state, int64_t low, int64_t high) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return low + (int64_t)((*state * UINT64_C(2685821657736338717)) >> 33) % (high - low + 1);
}

int64_t up_to(uint64_t *state, int64_t most) {
    return draw(state, 0, most);
}

bool chance(uint64_t *state, int64_t percent) {
    return up_to(state, 99) < percent;
}
