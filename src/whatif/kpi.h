#ifndef TASKFIT_WHATIF_KPI_H
#define TASKFIT_WHATIF_KPI_H

/*
 * Key performance indicators: measured values of transactions, scenario by scenario, from the files of `kpis`
 * (CSV: scenario,transaction,value,unit; an empty scenario is the deployment as it is). They are shown, never
 * predicted. Lower is better, but for units of throughput, which contain "/" ("req/s").
 */

#include "whatif/comparison.h"

typedef struct taskfit_kpi { /* one transaction */
    const char *transaction, *unit;
    bool higher_is_better;
    int64_t *micros; /* [n_rows], millionths of the unit; -1: not measured */
} taskfit_kpi;

typedef struct taskfit_kpis { /* in the comparison's arena */
    taskfit_kpi *items;
    size_t n_items;
    int64_t *worse_permille; /* [n_rows]: mean change for the worse from the first row measured; INT64_MIN: not measured */
    bool *unbeaten;          /* [n_rows]: no other measured row is as good in cost and measurements and better in one */
    size_t reference;        /* the first row measured */
} taskfit_kpis;

/* Reads the files of the first file's deployment, which must be loadable; kpis_out->n_items 0: there are none. */
taskfit_status taskfit_kpis_read(const taskfit_comparison *comparison, const taskfit_parse_options *options,
                                 taskfit_kpis *kpis_out, taskfit_error *err) TASKFIT_MUST_USE;
/* Change for the worse (positive) of a row from the reference, in thousandths. */
int64_t taskfit_kpi_worse_permille(const taskfit_kpi *kpi, size_t reference, size_t row);

#endif
