#ifndef TASKFIT_BENCH_FOLIO_DRAW_H
#define TASKFIT_BENCH_FOLIO_DRAW_H

/* Services of FOLIO-like deployments, drawn: memory and CPU have the frequencies seen in FOLIO deployments; memory includes a
 * sidecar of 256 MiB. The same seed gives the same services. */

#include <stdbool.h>
#include <stdint.h>

typedef struct folio_draw {
    uint64_t state;
} folio_draw;

typedef struct folio_task {
    int64_t memory_mib, cpu_units, replicas;
} folio_task;

folio_draw folio_draw_new(uint64_t seed);
/* `replicas` 0: drawn from 1, 2, 3, 4, 6. */
folio_task folio_draw_task(folio_draw *draw, bool mixed_cpu, int64_t replicas);

#endif
