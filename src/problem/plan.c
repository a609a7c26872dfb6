#include "problem/plan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "deployment/accounting.h"

static const char *const outcome_names[] = {
    [TASKFIT_OPTIMAL] = "optimal",
    [TASKFIT_FEASIBLE] = "feasible",
    [TASKFIT_INFEASIBLE] = "infeasible",
    [TASKFIT_UNKNOWN] = "unknown",
};
static const char *const proof_names[] = {
    [TASKFIT_PROOF_EXACT] = "exact",
    [TASKFIT_PROOF_SOLVER] = "solver",
    [TASKFIT_PROOF_GAP] = "gap",
    [TASKFIT_PROOF_INFEASIBLE] = "infeasible",
    [TASKFIT_PROOF_NONE] = "none",
};
static const char *const rung_names[TASKFIT_RUNG_COUNT] = {
    [TASKFIT_RUNG_PACKING] = "packing",
    [TASKFIT_RUNG_LIMITS] = "limits",
    [TASKFIT_RUNG_SPREAD] = "spread",
    [TASKFIT_RUNG_ROLLING] = "rolling",
    [TASKFIT_RUNG_SURVIVE] = "survive",
};
enum {
    N_OUTCOMES = sizeof outcome_names / sizeof outcome_names[0],
    N_PROOFS = sizeof proof_names / sizeof proof_names[0]
};

const char *taskfit_outcome_name(taskfit_outcome outcome) {
    assert((size_t)outcome < N_OUTCOMES);
    return outcome_names[outcome];
}

const char *taskfit_proof_name(taskfit_proof proof) {
    assert((size_t)proof < N_PROOFS);
    return proof_names[proof];
}

const char *taskfit_rung_name(taskfit_rung rung) {
    assert(rung < TASKFIT_RUNG_COUNT);
    return rung_names[rung];
}

/* The index of a word, or n. */
static size_t word_index(const char *const *words, size_t n, const char *word) {
    size_t index = 0;
    while (index < n && strcmp(words[index], word) != 0) {
        index++;
    }
    return index;
}

bool taskfit_outcome_from_name(const char *name, taskfit_outcome *outcome_out) {
    size_t index = word_index(outcome_names, N_OUTCOMES, name);
    if (index == N_OUTCOMES) {
        return false;
    }
    *outcome_out = (taskfit_outcome)index;
    return true;
}

bool taskfit_proof_from_name(const char *name, taskfit_proof *proof_out) {
    size_t index = word_index(proof_names, N_PROOFS, name);
    if (index == N_PROOFS) {
        return false;
    }
    *proof_out = (taskfit_proof)index;
    return true;
}

bool taskfit_rung_from_name(const char *name, taskfit_rung *rung_out) {
    size_t index = word_index(rung_names, TASKFIT_RUNG_COUNT, name);
    if (index == TASKFIT_RUNG_COUNT) {
        return false;
    }
    *rung_out = (taskfit_rung)index;
    return true;
}

void taskfit_plan_free(taskfit_plan *plan) {
    if (plan) {
        taskfit_deployment_free(plan->owned_deployment);
        taskfit_arena_free(plan->arena); /* the plan itself lies in it */
    }
}

taskfit_outcome taskfit_plan_outcome(const taskfit_plan *plan) {
    return plan->outcome;
}

int64_t taskfit_plan_instances(const taskfit_plan *plan) {
    return plan->instances;
}

const taskfit_warning *taskfit_plan_warnings(const taskfit_plan *plan, size_t *n_out) {
    *n_out = plan->n_warnings;
    return plan->warnings;
}

int64_t taskfit_plan_lower_bound(const taskfit_plan *plan) {
    return plan->lower_bound;
}

const taskfit_deployment *taskfit_plan_deployment(const taskfit_plan *plan) {
    return plan->deployment;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char *const *taskfit_fleet_ids(const taskfit_deployment *deployment, const taskfit_fleet *fleet,
                                     taskfit_arena *arena) {
    const char **ids = TASKFIT_ARRAY(arena, fleet->n_machines, const char *);
    const char **taken = TASKFIT_ARRAY(arena, fleet->n_machines, const char *);
    size_t *n_of_group = TASKFIT_ARRAY(arena, deployment->n_groups, size_t);
    size_t n_taken = 0;
    for (size_t machine = 0; machine < fleet->n_machines; machine++) {
        if (fleet->machines[machine].id) {
            taken[n_taken++] = fleet->machines[machine].id;
        }
    }
    if (n_taken > 0) {
        qsort(taken, n_taken, sizeof *taken, by_text);
    }
    for (size_t machine = 0; machine < fleet->n_machines; machine++) {
        const size_t group = fleet->machines[machine].group;
        ids[machine] = fleet->machines[machine].id;
        while (!ids[machine]) {
            const char *id = taskfit_arena_printf(arena, "%s-%zu", deployment->groups[group].name, ++n_of_group[group]);
            ids[machine] = n_taken > 0 && bsearch(&id, taken, n_taken, sizeof *taken, by_text) ? NULL : id;
        }
    }
    return ids;
}

/* ---- what machines hold ---- */

/* Demands and capacities, each computed when first asked for: fleets repeat a few of them many times. */
typedef struct accounts {
    const taskfit_deployment *deployment;
    taskfit_arena *arena;
    const taskfit_task_demand **services;           /* [n_services] */
    const taskfit_task_demand **daemons;            /* [n_daemons] */
    const taskfit_instance_capacity ***capacities; /* [n_groups][n_types * n_azs of the cluster] */
} accounts;

static const taskfit_task_demand *demand_of(accounts *books, const taskfit_service *service,
                                            const taskfit_task_demand **slot) {
    if (!*slot) {
        taskfit_task_demand *demand = TASKFIT_NEW(books->arena, taskfit_task_demand);
        *demand = taskfit_task_demand_of(service, books->arena);
        *slot = demand;
    }
    return *slot;
}

static const taskfit_instance_capacity *capacity_of(accounts *books, const taskfit_machine *machine) {
    const taskfit_deployment *deployment = books->deployment;
    const taskfit_instance_capacity **slot =
        &books->capacities[machine->group][machine->type * deployment->n_azs + machine->az];
    if (!*slot) {
        taskfit_instance_capacity *capacity = TASKFIT_NEW(books->arena, taskfit_instance_capacity);
        *capacity =
            taskfit_instance_capacity_of(deployment, machine->group, machine->type, machine->az, books->arena);
        *slot = capacity;
    }
    return *slot;
}

static accounts books_open(const taskfit_deployment *deployment, taskfit_arena *arena) {
    accounts books = {.deployment = deployment, .arena = arena};
    books.services = TASKFIT_ARRAY(arena, deployment->n_services, const taskfit_task_demand *);
    books.daemons = TASKFIT_ARRAY(arena, deployment->n_daemons, const taskfit_task_demand *);
    books.capacities = TASKFIT_ARRAY(arena, deployment->n_groups, const taskfit_instance_capacity **);
    for (size_t group = 0; group < deployment->n_groups; group++) {
        books.capacities[group] =
            TASKFIT_ARRAY(arena, deployment->groups[group].n_types * deployment->n_azs, const taskfit_instance_capacity *);
    }
    return books;
}

void taskfit_add_held(int64_t *sum, int64_t amount, int64_t count) {
    int64_t product = 0;
    if (__builtin_mul_overflow(amount, count, &product) || __builtin_add_overflow(*sum, product, sum) ||
        *sum > TASKFIT_HELD_MAX) {
        *sum = TASKFIT_HELD_MAX;
    }
}

static taskfit_machine_use use_of(accounts *books, const taskfit_machine *machine) {
    const taskfit_deployment *deployment = books->deployment;
    const taskfit_instance_capacity *capacity = capacity_of(books, machine);
    int64_t held[TASKFIT_RESOURCE_COUNT] = {0};
    bool memory_known = true;
    bool cpu_known = true;
    int64_t n_tasks = 0;
    for (size_t i = 0; i < machine->n_tasks; i++) {
        const taskfit_machine_task *task = &machine->tasks[i];
        const taskfit_task_demand *demand =
            demand_of(books, &deployment->services[task->service], &books->services[task->service]);
        for (size_t resource = 0; resource < TASKFIT_RESOURCE_COUNT; resource++) {
            taskfit_add_held(&held[resource], demand->amount[resource], task->count);
        }
        memory_known = memory_known && demand->expected_memory_complete;
        cpu_known = cpu_known && demand->expected_cpu_complete;
        n_tasks += task->count;
    }
    for (size_t i = 0; i < capacity->n_daemons; i++) {
        size_t daemon = capacity->daemon_index[i];
        const taskfit_task_demand *demand = demand_of(books, &deployment->daemons[daemon], &books->daemons[daemon]);
        memory_known = memory_known && demand->expected_memory_complete;
        cpu_known = cpu_known && demand->expected_cpu_complete;
    }
    /* Under a cap, what nobody measured counts with its reservation (DESIGN 3). */
    memory_known = memory_known || deployment->policy.max_expected_memory_percent >= 0;
    cpu_known = cpu_known || deployment->policy.max_expected_cpu_percent >= 0;
    const int64_t *daemons = capacity->daemons;
    taskfit_machine_use use = {
        .registered_memory_mib = capacity->registered_memory_mib,
        .total_cpu_units = capacity->total_cpu_units,
        .hard_memory_mib = held[TASKFIT_RESOURCE_HARD_MEMORY] + daemons[TASKFIT_RESOURCE_HARD_MEMORY],
        .expected_memory_mib =
            memory_known ? held[TASKFIT_RESOURCE_EXPECTED_MEMORY] + daemons[TASKFIT_RESOURCE_EXPECTED_MEMORY] : -1,
        .expected_cpu_units =
            cpu_known ? held[TASKFIT_RESOURCE_EXPECTED_CPU] + daemons[TASKFIT_RESOURCE_EXPECTED_CPU] : -1,
        .n_tasks = n_tasks,
        .n_daemons = (int64_t)capacity->n_daemons,
    };
    for (size_t resource = 0; resource < TASKFIT_PLAN_RESOURCES; resource++) {
        use.capacity[resource] = capacity->amount[resource];
        use.daemons[resource] = daemons[resource];
        use.reserved[resource] = held[resource];
    }
    return use;
}

taskfit_machine_use taskfit_machine_use_of(const taskfit_deployment *deployment, const taskfit_machine *machine,
                                           taskfit_arena *scratch) {
    accounts books = books_open(deployment, scratch);
    return use_of(&books, machine);
}

const taskfit_machine_use *taskfit_fleet_use(const taskfit_deployment *deployment, const taskfit_fleet *fleet,
                                             taskfit_arena *arena) {
    accounts books = books_open(deployment, arena);
    taskfit_machine_use *uses = TASKFIT_ARRAY(arena, fleet->n_machines, taskfit_machine_use);
    for (size_t machine = 0; machine < fleet->n_machines; machine++) {
        uses[machine] = use_of(&books, &fleet->machines[machine]);
    }
    return uses;
}
