#ifndef TASKFIT_CATALOGUE_PRICES_H
#define TASKFIT_CATALOGUE_PRICES_H

/*
 * Prices of what stands beside the instances: RDS, MSK, storage, Fargate. Source of the built-in ones:
 * data/prices_us-east-1.csv; a file of the user's own has the same columns and goes before them.
 */

#include "base/arena.h"
#include "base/error.h"
#include "taskfit/taskfit.h"

typedef struct taskfit_price {
    const char *item; /* "db.r6g.xlarge postgresql", "kafka.m5.large", "rds storage", "fargate arm64 GiB" */
    int64_t usd_micros;
    const char *per;        /* "hour", "GiB-month" */
    const char *confidence; /* "high", "medium", "secondary", "derived", "unsourced", or the user's own word */
} taskfit_price;

/* NULL prices: the built-in ones. NULL: unknown. */
const taskfit_price *taskfit_price_find(const taskfit_prices *prices, const char *item);
/* Whether the source is one to check: not "high", and not from a file of the user's own. */
bool taskfit_price_weak(const taskfit_prices *prices, const taskfit_price *price);

#endif
