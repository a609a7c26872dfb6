#ifndef TASKFIT_BASE_UNITS_H
#define TASKFIT_BASE_UNITS_H

/*
 * Quantities as people write them, and back: the only place that knows 1024s, millicores and
 * micro-dollars. All results are integers: MiB, CPU units (1024 = 1 vCPU), micro-dollars per hour.
 * Bounds hold at the boundary, so that sums of up to 2,000,000 tasks need no overflow check behind it.
 *
 * Parsers take (text, len), accept no sign, no blank around the number, no locale, and return false with
 * a reason in `*why_out` (a constant, lower case, with the remedy in parentheses) when the text does not fit.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

#define TASKFIT_QUANTITY_MAX (INT64_C(1) << 40) /* MiB, CPU units: the largest accepted */
#define TASKFIT_PRICE_USD_MICROS_MAX (INT64_C(1000000) * 1000000) /* a million dollars per hour */
#define TASKFIT_COST_USD_MICROS_MAX (TASKFIT_PRICE_USD_MICROS_MAX * 1000000) /* of a million such instances */
enum { TASKFIT_CPU_UNITS_PER_VCPU = 1024 };

typedef enum taskfit_rounding { TASKFIT_ROUND_UP, TASKFIT_ROUND_DOWN } taskfit_rounding;

/* A whole number without unit, low..high. */
bool taskfit_parse_count(const char *text, size_t len, int64_t low, int64_t high, int64_t *value_out,
                         const char **why_out);
/* "512" and "512Mi" (MiB), "2Gi", "1048576Ki", Java's "768m", "2g", "1048576k" (any case).
 * Fractions of a MiB round as told: demands up, capacities down. MB and GB are refused by name. */
bool taskfit_parse_memory_mib(const char *text, size_t len, taskfit_rounding rounding, int64_t *mib_out,
                              const char **why_out);
/* "512" (units), "0.5 vCPU" (any case, blank optional), "500m" (millicores; 1000m = 1 vCPU), rounded as told. */
bool taskfit_parse_cpu_units(const char *text, size_t len, taskfit_rounding rounding, int64_t *units_out,
                             const char **why_out);
/* "0.4284" dollars; more than six decimals round half up. */
bool taskfit_parse_usd_micros(const char *text, size_t len, int64_t *usd_micros_out, const char **why_out);

/* The same for what many instances cost: up to TASKFIT_COST_USD_MICROS_MAX. */
bool taskfit_parse_cost_usd_micros(const char *text, size_t len, int64_t *usd_micros_out, const char **why_out);

/* "0.428400": six decimals, as plans print dollars per hour. */
void taskfit_add_usd_per_hour(taskfit_strbuf *buf, int64_t usd_micros);
/* Cents per month, half up: the hourly price times hours_per_month. */
int64_t taskfit_usd_cents_per_month(int64_t usd_micros_per_hour, int64_t hours_per_month);
/* "2501.86" */
void taskfit_add_usd_cents(taskfit_strbuf *buf, int64_t cents);
/* "2,501.86": the same for people, with thousands separators. */
void taskfit_add_usd_cents_grouped(taskfit_strbuf *buf, int64_t cents);
/* "62,942" */
void taskfit_add_grouped(taskfit_strbuf *buf, int64_t value);

#endif
