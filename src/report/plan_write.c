#include "report/plan_write.h"

#include <inttypes.h>

#include "deployment/accounting.h"
#include "report/table.h"

/* ---- CSV ---- */

typedef struct csv {
    const taskfit_deployment *deployment;
    const taskfit_plan_moves *moves; /* NULL: no plan was given */
    taskfit_arena *arena;
    taskfit_table *table;
} csv;

/* count tasks of a service on a machine; service NULL: the machine is empty. */
static void add_row(const csv *out, const char *id, const char *was, const taskfit_machine *machine, const taskfit_service *service,
                    int64_t count) {
    const taskfit_instance_group *group = &out->deployment->groups[machine->group];
    static const taskfit_resource shown[] = {TASKFIT_RESOURCE_MEMORY, TASKFIT_RESOURCE_CPU, TASKFIT_RESOURCE_HARD_MEMORY,
                                             TASKFIT_RESOURCE_ENI, TASKFIT_RESOURCE_GPU};
    taskfit_table_cell(out->table, "%s", id);
    taskfit_table_cell(out->table, "%s", group->name);
    taskfit_table_cell(out->table, "%s", group->types[machine->type].type.name);
    taskfit_table_cell(out->table, "%s", out->deployment->azs[machine->az]);
    taskfit_table_cell(out->table, "%s", service ? service->name : "");
    taskfit_table_cell(out->table, "%s", !service ? "" : service->daemon ? "DAEMON" : "REPLICA");
    taskfit_table_cell(out->table, "%" PRId64, count);
    taskfit_task_demand demand = {0};
    if (service) {
        demand = taskfit_task_demand_of(service, out->arena);
    }
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        int64_t amount = 0;
        taskfit_add_held(&amount, demand.amount[shown[i]], count);
        taskfit_table_cell(out->table, "%" PRId64, amount);
    }
    if (out->moves) {
        taskfit_table_cell(out->table, "%s", was ? was : "");
    }
}

void taskfit_plan_write_csv(const taskfit_plan *plan, taskfit_strbuf *out) {
    static const char *const headers[] = {"instance", "group",     "type",     "availabilityZone", "service", "schedulingStrategy",
                                          "count",    "memoryMiB", "cpuUnits", "hardMemoryMiB",    "eni",     "gpu",  "was"};
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_table *table = taskfit_table_new(arena, headers, sizeof headers / sizeof headers[0] - (plan->moves ? 0 : 1));
    const taskfit_deployment *deployment = plan->deployment;
    const csv rows = {deployment, plan->moves, arena, table};
    const taskfit_fleet none = {0};
    const taskfit_fleet *fleet = plan->fleet ? plan->fleet : &none;
    const char *const *ids = taskfit_fleet_ids(deployment, fleet, arena);
    for (size_t m = 0; m < fleet->n_machines; m++) {
        const taskfit_machine *machine = &fleet->machines[m];
        const char *was = plan->moves ? plan->moves->was[m] : NULL;
        size_t n_daemons = 0;
        for (size_t d = 0; d < deployment->n_daemons; d++) {
            if (taskfit_service_permitted(deployment, &deployment->daemons[d], machine->group, machine->type, machine->az)) {
                add_row(&rows, ids[m], was, machine, &deployment->daemons[d], 1);
                n_daemons++;
            }
        }
        for (size_t i = 0; i < machine->n_tasks; i++) {
            add_row(&rows, ids[m], was, machine, &deployment->services[machine->tasks[i].service], machine->tasks[i].count);
        }
        if (n_daemons + machine->n_tasks == 0) {
            add_row(&rows, ids[m], was, machine, NULL, 0);
        }
    }
    taskfit_table_write_csv(table, out);
    taskfit_arena_free(arena);
}

/* ---- all styles ---- */

static void write_tree(const taskfit_plan *plan, bool json, taskfit_strbuf *out) {
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_node *tree = taskfit_plan_tree(plan, arena);
    if (json) {
        taskfit_node_write_json(tree, out);
    } else {
        taskfit_node_write_yaml(tree, out);
    }
    taskfit_arena_free(arena);
}

taskfit_status taskfit_plan_write(const taskfit_plan *plan, taskfit_plan_style style, bool color, taskfit_write_fn *write,
                                  void *sink, taskfit_error *err) {
    TASKFIT_STRBUF(out);
    switch (style) {
    case TASKFIT_STYLE_TABLE: taskfit_plan_write_text(plan, false, color, &out); break;
    case TASKFIT_STYLE_WIDE: taskfit_plan_write_text(plan, true, color, &out); break;
    case TASKFIT_STYLE_JSON: write_tree(plan, true, &out); break;
    case TASKFIT_STYLE_YAML: write_tree(plan, false, &out); break;
    case TASKFIT_STYLE_CSV: taskfit_plan_write_csv(plan, &out); break;
    }
    if (write(sink, out.data, out.len) != 0) {
        return taskfit_fail(err, TASKFIT_E_SYSTEM, "the output could not be written");
    }
    return TASKFIT_OK;
}
