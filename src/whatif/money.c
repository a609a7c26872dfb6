#include "whatif/money.h"

#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "problem/plan.h"

enum { MICROS_PER_CENT = 10000 };

/* ---- how many ---- */

static bool uses_read_write_split(const taskfit_deployment *deployment) {
    for (size_t s = 0; s < deployment->n_services; s++) {
        if (deployment->services[s].read_write_split) {
            return true;
        }
    }
    return false;
}

static int64_t count_tasks(const taskfit_deployment *deployment, bool only_split) {
    int64_t n_tasks = 0;
    for (size_t s = 0; s < deployment->n_services; s++) {
        if (!only_split || deployment->services[s].read_write_split) {
            n_tasks += deployment->services[s].desired_count;
        }
    }
    return n_tasks;
}

static int64_t count_of(const taskfit_deployment *deployment, const taskfit_cost_item *item, int64_t n_instances) {
    switch (item->per) {
    case TASKFIT_PER_INSTANCE: return item->count * n_instances;
    case TASKFIT_PER_SERVICE: return item->count * (int64_t)deployment->n_services;
    case TASKFIT_PER_TASK: return item->count * count_tasks(deployment, false);
    case TASKFIT_PER_NOTHING: break;
    }
    return item->count;
}

/* ---- prices ---- */

typedef struct pricing {
    const taskfit_deployment *deployment;
    const taskfit_prices *prices;
    const taskfit_cost_item *item;
    size_t index;
    taskfit_arena *arena;
    const taskfit_price *weak; /* the first met */
} pricing;

/* An unknown price is never taken for 0. */
static taskfit_status find_price(pricing *p, const char *name, const char *per, int64_t *usd_micros_out, taskfit_error *err) {
    const taskfit_price *price = taskfit_price_find(p->prices, name);
    if (price && strcmp(price->per, per) == 0) {
        p->weak = p->weak || !taskfit_price_weak(p->prices, price) ? p->weak : price;
        *usd_micros_out = price->usd_micros;
        return TASKFIT_OK;
    }
    const taskfit_position *at = &p->item->position;
    if (at->line > 0) {
        taskfit_error_at(err, "%s:%u:%u: costs.items[%zu]", at->file, (unsigned)at->line, (unsigned)at->column, p->index);
    } else {
        taskfit_error_at(err, "%s: costs.items[%zu]", p->deployment->file, p->index);
    }
    return taskfit_fail(err, TASKFIT_E_INPUT,
                        "'%s': the price of '%s' is not known (add a line '%s,USD,%s,given,WHERE FROM' to the file of --prices, "
                        "whose first line is 'item,usd,per,confidence,source')",
                        p->item->name, name, name, per);
}

/* Per hour and per piece; 0 for what is paid by its storage alone. */
static taskfit_status price_by_hour(pricing *p, int64_t *usd_micros_out, taskfit_error *err) {
    const taskfit_cost_item *item = p->item;
    *usd_micros_out = 0;
    if (item->usd_micros_per_hour >= 0) {
        *usd_micros_out = item->usd_micros_per_hour;
        return TASKFIT_OK;
    }
    if (item->usd_micros_per_month >= 0) {
        return TASKFIT_OK;
    }
    if (item->service == TASKFIT_COST_RDS) {
        const char *name = item->engine ? taskfit_arena_printf(p->arena, "%s %s", item->type, item->engine) : item->type;
        return find_price(p, name, "hour", usd_micros_out, err);
    }
    return item->service == TASKFIT_COST_MSK ? find_price(p, item->type, "hour", usd_micros_out, err) : TASKFIT_OK;
}

static taskfit_status price_of_storage(pricing *p, int64_t *usd_micros_out, taskfit_error *err) {
    const taskfit_cost_item *item = p->item;
    *usd_micros_out = 0;
    if (item->storage_gib == 0 && item->storage_gib_each == 0) {
        return TASKFIT_OK;
    }
    switch (item->service) {
    case TASKFIT_COST_RDS: return find_price(p, "rds storage", "GiB-month", usd_micros_out, err);
    case TASKFIT_COST_MSK: return find_price(p, "msk storage", "GiB-month", usd_micros_out, err);
    case TASKFIT_COST_EBS:
        return find_price(p, taskfit_arena_printf(p->arena, "ebs %s", item->type ? item->type : "gp3"), "GiB-month", usd_micros_out,
                          err);
    case TASKFIT_COST_FREE:
    case TASKFIT_COST_FARGATE: break;
    }
    return TASKFIT_OK;
}

static taskfit_status price_item(pricing *p, int64_t n_instances, int64_t *usd_cents_out, taskfit_error *err) {
    int64_t hourly = 0;
    int64_t storage = 0;
    taskfit_status status = price_by_hour(p, &hourly, err);
    if (status == TASKFIT_OK) {
        status = price_of_storage(p, &storage, err);
    }
    if (status != TASKFIT_OK) {
        return status;
    }
    const int64_t n = count_of(p->deployment, p->item, n_instances);
    int64_t one = 0; /* micro-dollars per month; sums stop far above every real bill */
    taskfit_add_held(&one, hourly, p->deployment->hours_per_month);
    taskfit_add_held(&one, storage, p->item->storage_gib_each);
    taskfit_add_held(&one, p->item->usd_micros_per_month > 0 ? p->item->usd_micros_per_month : 0, 1);
    int64_t all = 0;
    taskfit_add_held(&all, one, n);
    taskfit_add_held(&all, storage, p->item->storage_gib);
    *usd_cents_out = (all + MICROS_PER_CENT / 2) / MICROS_PER_CENT;
    return TASKFIT_OK;
}

taskfit_status taskfit_item_costs_of(const taskfit_deployment *deployment, const taskfit_prices *prices, int64_t n_instances,
                                     taskfit_arena *arena, taskfit_item_costs *costs_out, taskfit_error *err) {
    taskfit_item_costs costs = {.items = TASKFIT_ARRAY(arena, deployment->n_cost_items, taskfit_item_cost)};
    const bool split = uses_read_write_split(deployment);
    for (size_t i = 0; i < deployment->n_cost_items; i++) {
        const taskfit_cost_item *item = &deployment->cost_items[i];
        if (item->service == TASKFIT_COST_FARGATE) {
            continue;
        }
        taskfit_item_cost *cost = &costs.items[costs.n_items++];
        *cost = (taskfit_item_cost){.name = taskfit_arena_strdup(arena, item->name), .paid = split || !item->when_read_write_split};
        if (cost->paid) {
            pricing p = {.deployment = deployment, .prices = prices, .item = item, .index = i, .arena = arena};
            taskfit_status status = price_item(&p, n_instances, &cost->usd_cents, err);
            if (status != TASKFIT_OK) {
                return status;
            }
            cost->weak = p.weak;
            costs.usd_cents += cost->usd_cents;
        }
    }
    *costs_out = costs;
    return TASKFIT_OK;
}

/* ---- connections ---- */

bool taskfit_connections_exceeded(const taskfit_deployment *deployment, const taskfit_cost_item *item, taskfit_arena *arena,
                                  taskfit_warning *warning_out) {
    if (item->max_connections < 0 || (item->when_read_write_split && !uses_read_write_split(deployment))) {
        return false;
    }
    const int64_t n_tasks = count_tasks(deployment, item->when_read_write_split);
    const int64_t needed = n_tasks * item->pool_size;
    const int64_t given = item->max_connections * item->count;
    if (needed <= given) {
        return false;
    }
    TASKFIT_STRBUF(text);
    taskfit_strbuf_printf(&text, "'%s' takes ", item->name);
    taskfit_add_grouped(&text, given);
    taskfit_strbuf_adds(&text, " connections; ");
    taskfit_add_grouped(&text, n_tasks);
    taskfit_strbuf_printf(&text, " tasks with pools of %" PRId64 " may open ", item->pool_size);
    taskfit_add_grouped(&text, needed);
    *warning_out = (taskfit_warning){.code = "COST001", .message = taskfit_arena_strndup(arena, text.data, text.len)};
    return true;
}
