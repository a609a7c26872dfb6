#include "folio_draw.h"

#include <stddef.h>

enum { N_SIZES = 8, N_CPUS = 5, SIDECAR_MIB = 256 };

folio_draw folio_draw_new(uint64_t seed) {
    return (folio_draw){seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
}

static int64_t below(folio_draw *draw, int64_t limit) {
    draw->state ^= draw->state << 13;
    draw->state ^= draw->state >> 7;
    draw->state ^= draw->state << 17;
    return (int64_t)(draw->state % (uint64_t)limit);
}

static size_t weighted(folio_draw *draw, const int64_t *weights, size_t n) {
    int64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += weights[i];
    }
    int64_t ticket = below(draw, sum);
    size_t i = 0;
    for (; ticket >= weights[i]; i++) {
        ticket -= weights[i];
    }
    return i;
}

folio_task folio_draw_task(folio_draw *draw, bool mixed_cpu, int64_t replicas) {
    static const int64_t memory[N_SIZES] = {896, 1440, 1684, 1844, 2592, 2600, 3690, 5000};
    static const int64_t memory_weights[N_SIZES] = {14, 30, 14, 12, 10, 8, 8, 4};
    static const int64_t cpu[N_CPUS] = {0, 128, 512, 1024, 2048};
    static const int64_t low_weights[N_CPUS] = {80, 90, 24, 6, 1};
    static const int64_t mix_weights[N_CPUS] = {20, 40, 25, 12, 3};
    static const int64_t counts[5] = {1, 2, 3, 4, 6};
    folio_task task;
    task.memory_mib = memory[weighted(draw, memory_weights, N_SIZES)] + SIDECAR_MIB;
    task.cpu_units = cpu[weighted(draw, mixed_cpu ? mix_weights : low_weights, N_CPUS)];
    task.replicas = replicas > 0 ? replicas : counts[below(draw, 5)];
    return task;
}
