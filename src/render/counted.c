#include "render/counted.h"

#include <string.h>

#include "deployment/accounting.h"
#include "render/nodes.h"
#include "render/task_size.h"

static int64_t or_zero(int64_t value) {
    return value > 0 ? value : 0;
}

static int64_t gpus_of(const taskfit_node *container) {
    const taskfit_node *list = taskfit_list_of(container, "resourceRequirements");
    int64_t n_gpus = 0;
    for (size_t item = 0; item < list->n; item++) {
        const char *type = taskfit_text_of(list->items[item], "type");
        if (type != NULL && strcmp(type, "GPU") == 0) {
            n_gpus += or_zero(taskfit_number_of(list->items[item], "value"));
        }
    }
    return n_gpus;
}

/* As deployment/accounting.c counts a service, but from the tree that is written. */
static void count(const taskfit_node *tree, int64_t amount[TASKFIT_RESOURCE_COUNT]) {
    const taskfit_node *containers = taskfit_list_of(tree, "containerDefinitions");
    const char *mode = taskfit_text_of(tree, "networkMode");
    const int64_t task_cpu = taskfit_task_cpu_units(tree), task_memory = taskfit_task_memory_mib(tree);
    for (size_t index = 0; index < containers->n; index++) {
        const taskfit_node *container = containers->items[index];
        const int64_t reservation = taskfit_number_of(container, "memoryReservation");
        amount[TASKFIT_RESOURCE_CPU] += or_zero(taskfit_number_of(container, "cpu"));
        amount[TASKFIT_RESOURCE_MEMORY] += or_zero(reservation > 0 ? reservation : taskfit_number_of(container, "memory"));
        amount[TASKFIT_RESOURCE_GPU] += gpus_of(container);
    }
    amount[TASKFIT_RESOURCE_CPU] = task_cpu > 0 ? task_cpu : amount[TASKFIT_RESOURCE_CPU];
    amount[TASKFIT_RESOURCE_MEMORY] = task_memory > 0 ? task_memory : amount[TASKFIT_RESOURCE_MEMORY];
    amount[TASKFIT_RESOURCE_ENI] = mode != NULL && strcmp(mode, "awsvpc") == 0;
}

void taskfit_counted_compare(const taskfit_service *service, const taskfit_node *task_definition, taskfit_tell *tell,
                             taskfit_arena *arena) {
    static const struct {
        taskfit_resource resource;
        const char *unit;
    } rows[] = {{TASKFIT_RESOURCE_MEMORY, "MiB of memory"},
                {TASKFIT_RESOURCE_CPU, "CPU units"},
                {TASKFIT_RESOURCE_ENI, "network interfaces"},
                {TASKFIT_RESOURCE_GPU, "GPUs"}};
    int64_t amount[TASKFIT_RESOURCE_COUNT] = {0};
    const taskfit_task_demand demand = taskfit_task_demand_of(service, arena);
    count(task_definition, amount);
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        const taskfit_resource resource = rows[row].resource;
        if (amount[resource] != demand.amount[resource]) {
            taskfit_tell_note(tell,
                              "service '%s': with what its base adds a task takes %lld %s, but the plan counts %lld (state it in the "
                              "deployment)",
                              service->name, (long long)amount[resource], rows[row].unit, (long long)demand.amount[resource]);
        }
    }
}
