#ifndef TASKFIT_REPORT_COMPARISON_REPORT_H
#define TASKFIT_REPORT_COMPARISON_REPORT_H

/* What the text of a comparison (comparison_report.c) and its documents (comparison_document.c) share. Texts live in the arena. */

#include "base/strbuf.h"
#include "input/node.h"
#include "whatif/comparison.h"

/* The first row, when there is something to compare with it; else NULL. */
const taskfit_row *taskfit_comparison_reference(const taskfit_comparison *comparison, const taskfit_row *row);
/* Tenths of a percent by which `value` differs from `base`, half away from zero. */
int64_t taskfit_comparison_change_tenths(int64_t base, int64_t value);
const char *taskfit_tenths_text(taskfit_arena *arena, int64_t tenths);
const char *taskfit_cents_text(taskfit_arena *arena, int64_t cents, bool grouped);
const char *taskfit_usd_text(taskfit_arena *arena, int64_t usd_micros); /* per hour */
const char *taskfit_kpi_value_text(taskfit_arena *arena, int64_t micros); /* "2783" and "0.25" of millionths */
const char *taskfit_fargate_architecture(taskfit_architecture architecture);

taskfit_node *taskfit_comparison_tree(const taskfit_comparison *comparison, taskfit_arena *arena);
/* The scalars of the document's rows. */
void taskfit_comparison_csv(const taskfit_comparison *comparison, taskfit_strbuf *out);

#endif
