#ifndef TASKFIT_WHATIF_MONEY_H
#define TASKFIT_WHATIF_MONEY_H

/*
 * What a deployment costs a month beside its instances: the items of `costs`, and what the same tasks would cost on
 * Fargate. Each item is rounded to cents, half up, so that columns add up.
 */

#include "catalogue/prices.h"
#include "deployment/deployment.h"

typedef struct taskfit_item_cost {
    const char *name;
    bool paid;         /* false: its `when` does not hold */
    int64_t usd_cents; /* per month */
    const taskfit_price *weak; /* a price to check; NULL: none */
} taskfit_item_cost;

typedef struct taskfit_item_costs {
    taskfit_item_cost *items; /* in file order, without Fargate */
    size_t n_items;
    int64_t usd_cents; /* their sum */
} taskfit_item_costs;

/* Names the first item whose price is unknown, and the line to add. */
taskfit_status taskfit_item_costs_of(const taskfit_deployment *deployment, const taskfit_prices *prices, int64_t n_instances,
                                     taskfit_arena *arena, taskfit_item_costs *costs_out, taskfit_error *err) TASKFIT_MUST_USE;

/* "COST001 database writer: ..." where tasks x poolSize is above maxConnections; false: it is not, or nobody asked. */
bool taskfit_connections_exceeded(const taskfit_deployment *deployment, const taskfit_cost_item *item, taskfit_arena *arena,
                                  taskfit_warning *warning_out);

/* ---- Fargate ---- */

typedef struct taskfit_fargate_size {
    int64_t cpu_units, memory_mib;
} taskfit_fargate_size;

/* The cheapest valid size that holds a task; false: none does. Source: ECS API model of RegisterTaskDefinition. */
bool taskfit_fargate_size_of(int64_t cpu_units, int64_t memory_mib, int64_t usd_micros_per_vcpu, int64_t usd_micros_per_gib,
                             taskfit_fargate_size *size_out);
/* All replica tasks, by what ECS reserves for them, on this architecture; services that need the other one are priced on
 * that. E_INPUT names a task that is too large. */
taskfit_status taskfit_fargate_cost(const taskfit_deployment *deployment, const taskfit_prices *prices,
                                    taskfit_architecture architecture, int64_t *usd_micros_per_hour_out,
                                    taskfit_error *err) TASKFIT_MUST_USE;
/* Whether `costs` asks for the comparison. */
bool taskfit_fargate_wanted(const taskfit_deployment *deployment);

#endif
