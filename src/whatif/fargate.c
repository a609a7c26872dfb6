#include <stdio.h>

#include "deployment/accounting.h"
#include "problem/plan.h"
#include "whatif/money.h"

enum { PARTS = 1024 }; /* CPU units of a vCPU, and MiB of a GiB */

/* Valid sizes of a task on Fargate. Source: RegisterTaskDefinition in the ECS API model (botocore 1.43.11); cfn-lint E3047. */
static const struct tier {
    int64_t cpu_units, low_mib, high_mib, step_mib; /* step 0: doubling */
} tiers[] = {
    {256, 512, 2048, 0},           {512, 1024, 4096, 1024},      {1024, 2048, 8192, 1024},     {2048, 4096, 16384, 1024},
    {4096, 8192, 30720, 1024},     {8192, 16384, 61440, 4096},   {16384, 32768, 122880, 8192},
};

/* The smallest memory of the tier that is enough; -1: none. */
static int64_t memory_in(const struct tier *tier, int64_t memory_mib) {
    int64_t mib = tier->low_mib;
    if (memory_mib > tier->high_mib) {
        return -1;
    }
    while (mib < memory_mib) {
        mib += tier->step_mib > 0 ? tier->step_mib : mib;
    }
    return mib;
}

static int64_t usd_micros_of(const taskfit_fargate_size *size, int64_t per_vcpu, int64_t per_gib) {
    const int64_t scaled = size->cpu_units * per_vcpu + size->memory_mib * per_gib;
    return (scaled + PARTS - 1) / PARTS;
}

bool taskfit_fargate_size_of(int64_t cpu_units, int64_t memory_mib, int64_t usd_micros_per_vcpu, int64_t usd_micros_per_gib,
                             taskfit_fargate_size *size_out) {
    bool found = false;
    int64_t best = 0;
    for (size_t t = 0; t < sizeof tiers / sizeof *tiers; t++) {
        const taskfit_fargate_size size = {tiers[t].cpu_units, memory_in(&tiers[t], memory_mib)};
        if (size.cpu_units < cpu_units || size.memory_mib < 0) {
            continue;
        }
        const int64_t usd_micros = usd_micros_of(&size, usd_micros_per_vcpu, usd_micros_per_gib);
        if (!found || usd_micros < best) {
            found = true;
            best = usd_micros;
            *size_out = size;
        }
    }
    return found;
}

bool taskfit_fargate_wanted(const taskfit_deployment *deployment) {
    for (size_t i = 0; i < deployment->n_cost_items; i++) {
        if (deployment->cost_items[i].service == TASKFIT_COST_FARGATE) {
            return true;
        }
    }
    return false;
}

static taskfit_status find_price(const taskfit_prices *prices, taskfit_architecture architecture, const char *what,
                                 int64_t *usd_micros_out, taskfit_error *err) {
    char item[64];
    (void)snprintf(item, sizeof item, "fargate %s %s", taskfit_architecture_name(architecture), what);
    const taskfit_price *price = taskfit_price_find(prices, item);
    if (!price) {
        return taskfit_fail(err, TASKFIT_E_INTERNAL, "there is no built-in price of '%s'", item);
    }
    *usd_micros_out = price->usd_micros;
    return TASKFIT_OK;
}

static taskfit_status add_service(const taskfit_service *service, const taskfit_prices *prices, taskfit_architecture architecture,
                                  int64_t *sum, taskfit_error *err) {
    if (service->architecture != TASKFIT_ARCH_ANY) {
        architecture = service->architecture;
    }
    int64_t per_vcpu = 0;
    int64_t per_gib = 0;
    taskfit_status status = find_price(prices, architecture, "vCPU", &per_vcpu, err);
    if (status == TASKFIT_OK) {
        status = find_price(prices, architecture, "GiB", &per_gib, err);
    }
    if (status != TASKFIT_OK) {
        return status;
    }
    taskfit_arena *scratch = taskfit_arena_new();
    const taskfit_task_demand demand = taskfit_task_demand_of(service, scratch);
    const int64_t cpu_units = demand.amount[TASKFIT_RESOURCE_CPU];
    const int64_t memory_mib = demand.amount[TASKFIT_RESOURCE_MEMORY];
    taskfit_arena_free(scratch);
    taskfit_fargate_size size;
    if (!taskfit_fargate_size_of(cpu_units, memory_mib, per_vcpu, per_gib, &size)) {
        return taskfit_fail(err, TASKFIT_E_INPUT, "a task of '%s' is larger than any size of Fargate", service->name);
    }
    taskfit_add_held(sum, usd_micros_of(&size, per_vcpu, per_gib), service->desired_count);
    return TASKFIT_OK;
}

taskfit_status taskfit_fargate_cost(const taskfit_deployment *deployment, const taskfit_prices *prices,
                                    taskfit_architecture architecture, int64_t *usd_micros_per_hour_out, taskfit_error *err) {
    int64_t sum = 0;
    for (size_t s = 0; s < deployment->n_services; s++) {
        taskfit_status status = add_service(&deployment->services[s], prices, architecture, &sum, err);
        if (status != TASKFIT_OK) {
            return status;
        }
    }
    *usd_micros_per_hour_out = sum;
    return TASKFIT_OK;
}
