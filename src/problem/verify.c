#include "problem/verify.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "problem/plan.h"

/* Beyond every capacity and yet small enough to be multiplied by a percentage. */
#define ENDLESS (INT64_C(1) << 56)

void taskfit_judge_tell(taskfit_judge *judge, const char *format, ...) {
    judge->n_broken++;
    if (!judge->broken) {
        return;
    }
    TASKFIT_STRBUF(text);
    va_list args;
    va_start(args, format);
    taskfit_strbuf_vprintf(&text, format, args);
    va_end(args);
    judge->broken(judge->broken_arg, text.data);
}

const char *taskfit_judge_number(taskfit_judge *judge, int64_t value) {
    TASKFIT_STRBUF(text);
    taskfit_add_grouped(&text, value);
    return taskfit_arena_strndup(judge->arena, text.data, text.len);
}

void taskfit_judge_add(int64_t *sum, int64_t amount, int64_t count) {
    int64_t product = 0;
    if (__builtin_mul_overflow(amount, count, &product) || __builtin_add_overflow(*sum, product, sum) || *sum > ENDLESS) {
        *sum = ENDLESS;
    }
}

bool taskfit_judge_port_taken(const taskfit_instance_capacity *capacity, const taskfit_task_demand *demand) {
    for (size_t p = 0; p < demand->n_ports; p++) {
        for (size_t taken = 0; taken < capacity->n_ports; taken++) {
            if (capacity->ports[taken].protocol == demand->ports[p].protocol &&
                capacity->ports[taken].host_port == demand->ports[p].host_port) {
                return true;
            }
        }
    }
    return false;
}

const taskfit_instance_capacity *taskfit_judge_capacity(taskfit_judge *judge, size_t group, size_t type, size_t az) {
    const taskfit_instance_capacity **slot = &judge->capacities[group][type * judge->deployment->n_azs + az];
    if (!*slot) {
        taskfit_instance_capacity *capacity = TASKFIT_NEW(judge->arena, taskfit_instance_capacity);
        *capacity = taskfit_instance_capacity_of(judge->deployment, group, type, az, judge->arena);
        *slot = capacity;
    }
    return *slot;
}

/* ---- the document's fleet ---- */

typedef struct named {
    const char *name;
    size_t index;
} named;

static int by_name(const void *a, const void *b) {
    return strcmp(((const named *)a)->name, ((const named *)b)->name);
}

static const char *text_of(const taskfit_node *map, const char *key) {
    const taskfit_node *value = taskfit_node_get(map, key);
    return value && value->kind == TASKFIT_NODE_SCALAR && !taskfit_node_is_null(value) ? value->text : NULL;
}

static const taskfit_node *list_of(taskfit_judge *judge, const taskfit_node *map, const char *what, const char *key) {
    const taskfit_node *list = taskfit_node_get(map, key);
    if (!list || list->kind != TASKFIT_NODE_LIST) {
        taskfit_judge_tell(judge, "%s: '%s' is not a list (rule: document)", what, key);
        return NULL;
    }
    return list;
}

static bool find_text(const char *const *texts, size_t n, const char *wanted, size_t *index_out) {
    for (size_t i = 0; i < n && wanted; i++) {
        if (strcmp(texts[i], wanted) == 0) {
            *index_out = i;
            return true;
        }
    }
    return false;
}

/* Group, type and AZ of a machine: known, and belonging together. */
static void locate(taskfit_judge *judge, taskfit_judged_machine *machine) {
    const taskfit_deployment *deployment = judge->deployment;
    const char *group_name = text_of(machine->node, "group");
    const char *type_name = text_of(machine->node, "type");
    const char *az_name = text_of(machine->node, "availabilityZone");
    size_t group = 0;
    while (group < deployment->n_groups && (!group_name || strcmp(deployment->groups[group].name, group_name) != 0)) {
        group++;
    }
    if (group == deployment->n_groups) {
        taskfit_judge_tell(judge, "%s: unknown instance group '%s' (rule: group)", machine->id, group_name ? group_name : "");
        return;
    }
    const taskfit_instance_group *instances = &deployment->groups[group];
    size_t type = 0;
    while (type < instances->n_types && (!type_name || strcmp(instances->types[type].type.name, type_name) != 0)) {
        type++;
    }
    size_t az = 0;
    bool az_known = find_text(deployment->azs, deployment->n_azs, az_name, &az);
    bool az_in_group = false;
    for (size_t i = 0; az_known && i < instances->n_azs; i++) {
        az_in_group = az_in_group || instances->azs[i] == az;
    }
    if (type == instances->n_types) {
        taskfit_judge_tell(judge, "%s: '%s' is not a type of group '%s' (rule: type)", machine->id, type_name ? type_name : "",
                           group_name);
    } else if (!az_in_group) {
        taskfit_judge_tell(judge, "%s: '%s' is not an availability zone of group '%s' (rule: availabilityZone)", machine->id,
                           az_name ? az_name : "", group_name);
    } else {
        machine->group = group;
        machine->type = type;
        machine->az = az;
        machine->capacity = taskfit_judge_capacity(judge, group, type, az);
        machine->located = true;
    }
}

static int64_t count_of(const taskfit_node *map, const char *key) {
    const taskfit_node *value = taskfit_node_get(map, key);
    const char *why = NULL;
    int64_t count = 0;
    bool valid = value && value->kind == TASKFIT_NODE_SCALAR && !value->quoted &&
                 taskfit_parse_count(value->text, value->n, 1, TASKFIT_QUANTITY_MAX, &count, &why);
    return valid ? count : -1;
}

static int by_service(const void *a, const void *b) {
    size_t left = ((const taskfit_judged_task *)a)->service;
    size_t right = ((const taskfit_judged_task *)b)->service;
    return (left > right) - (left < right);
}

/* Sorts the tasks, joins repetitions and sums up what they take. */
static void sum_tasks(taskfit_judge *judge, taskfit_judged_machine *machine) {
    if (machine->n_tasks > 0) {
        qsort(machine->tasks, machine->n_tasks, sizeof machine->tasks[0], by_service);
    }
    size_t n = 0;
    for (size_t i = 0; i < machine->n_tasks; i++) {
        const taskfit_judged_task task = machine->tasks[i];
        if (n > 0 && machine->tasks[n - 1].service == task.service) {
            taskfit_judge_tell(judge, "%s: '%s' is listed twice (rule: document)", machine->id,
                               judge->deployment->services[task.service].name);
            taskfit_judge_add(&machine->tasks[n - 1].count, task.count, 1);
        } else {
            machine->tasks[n++] = task;
        }
        taskfit_judge_add(&judge->n_placed[task.service], task.count, 1);
        for (size_t resource = 0; resource < TASKFIT_RESOURCE_COUNT; resource++) {
            taskfit_judge_add(&machine->held[resource], judge->demands[task.service].amount[resource], task.count);
        }
    }
    machine->n_tasks = n;
}

static void read_tasks(taskfit_judge *judge, const named *services, taskfit_judged_machine *machine) {
    const taskfit_node *list = list_of(judge, machine->node, machine->id, "tasks");
    size_t n_services = judge->deployment->n_services;
    machine->tasks = TASKFIT_ARRAY(judge->arena, list ? list->n : 0, taskfit_judged_task);
    for (size_t i = 0; list && i < list->n; i++) {
        const char *name = text_of(list->items[i], "service");
        int64_t count = count_of(list->items[i], "count");
        const named key = {name ? name : "", 0};
        const named *service = n_services > 0 ? bsearch(&key, services, n_services, sizeof key, by_name) : NULL;
        if (!service) {
            taskfit_judge_tell(judge, "%s: unknown service '%s' (rule: service)", machine->id, key.name);
        } else if (count < 1) {
            taskfit_judge_tell(judge, "%s: the count of '%s' is not a whole number above 0 (rule: document)", machine->id, name);
        } else {
            machine->tasks[machine->n_tasks++] = (taskfit_judged_task){service->index, count};
        }
    }
    sum_tasks(judge, machine);
}

static void judge_ids(taskfit_judge *judge) {
    named *ids = TASKFIT_ARRAY(judge->arena, judge->n_machines, named);
    for (size_t i = 0; i < judge->n_machines; i++) {
        ids[i] = (named){judge->machines[i].id, i};
    }
    if (judge->n_machines > 0) {
        qsort(ids, judge->n_machines, sizeof *ids, by_name);
    }
    for (size_t i = 1; i < judge->n_machines; i++) {
        if (strcmp(ids[i - 1].name, ids[i].name) == 0) {
            taskfit_judge_tell(judge, "%s: the id is given twice (rule: document)", ids[i].name);
        }
    }
}

static void read_fleet(taskfit_judge *judge) {
    const taskfit_node *list = list_of(judge, judge->document, "plan", "fleet");
    const taskfit_deployment *deployment = judge->deployment;
    named *services = TASKFIT_ARRAY(judge->arena, deployment->n_services, named);
    for (size_t i = 0; i < deployment->n_services; i++) {
        services[i] = (named){deployment->services[i].name, i};
    }
    if (deployment->n_services > 0) {
        qsort(services, deployment->n_services, sizeof *services, by_name);
    }
    judge->n_machines = list ? list->n : 0;
    judge->machines = TASKFIT_ARRAY(judge->arena, judge->n_machines, taskfit_judged_machine);
    for (size_t i = 0; i < judge->n_machines; i++) {
        taskfit_judged_machine *machine = &judge->machines[i];
        machine->node = list->items[i];
        machine->id = text_of(machine->node, "id");
        if (!machine->id) {
            machine->id = taskfit_arena_printf(judge->arena, "fleet[%zu]", i);
            taskfit_judge_tell(judge, "%s: no id (rule: document)", machine->id);
        }
        locate(judge, machine);
        read_tasks(judge, services, machine);
    }
    judge_ids(judge);
}

/* ---- the rules ---- */

static bool warns(const taskfit_judge *judge, const char *wanted) {
    const taskfit_node *warnings = taskfit_node_get(judge->document, "warnings");
    bool found = false;
    for (size_t i = 0; warnings && warnings->kind == TASKFIT_NODE_LIST && i < warnings->n; i++) {
        const char *code = text_of(warnings->items[i], "code");
        found = found || (code && strcmp(code, wanted) == 0);
    }
    return found;
}

/* Which rules the plan's rung holds: the policy's; what it waives is a rule only above its own rung. */
static void judge_rung(taskfit_judge *judge) {
    const taskfit_policy *policy = &judge->deployment->policy;
    const taskfit_rung asked = taskfit_policy_rung(policy);
    const char *name = text_of(judge->document, "rung");
    if (!name || !taskfit_rung_from_name(name, &judge->rung)) {
        taskfit_judge_tell(judge, "plan: unknown rung '%s' (rule: document)", name ? name : "");
        return;
    }
    judge->limits_in_force = judge->rung >= TASKFIT_RUNG_LIMITS;
    judge->spread_in_force = judge->rung >= TASKFIT_RUNG_SPREAD &&
                             (policy->spread == TASKFIT_SPREAD_REQUIRED || asked < TASKFIT_RUNG_SPREAD);
    if (judge->rung >= TASKFIT_RUNG_ROLLING) {
        judge->rolling_in_force = asked < TASKFIT_RUNG_ROLLING ? TASKFIT_ROLLING_ONE_SERVICE : policy->rolling;
    }
    if (judge->rung == TASKFIT_RUNG_SURVIVE) {
        judge->survive_in_force = asked < TASKFIT_RUNG_SURVIVE ? TASKFIT_SURVIVE_INSTANCE : policy->survive;
    }
    judge->undecided_told = warns(judge, "VERIFY001");
    if (judge->rung != asked) {
        taskfit_judge_tell(judge, "plan: rung '%s' is not the policy's '%s' (rule: rung)", name, taskfit_rung_name(asked));
    }
}

static void judge_counts(taskfit_judge *judge) {
    for (size_t i = 0; i < judge->deployment->n_services; i++) {
        const taskfit_service *service = &judge->deployment->services[i];
        if (judge->n_placed[i] != service->desired_count) {
            taskfit_judge_tell(judge, "%s: %s tasks placed, %s desired (rule: desiredCount)", service->name,
                               taskfit_judge_number(judge, judge->n_placed[i]),
                               taskfit_judge_number(judge, service->desired_count));
        }
    }
}

static void open_books(taskfit_judge *judge) {
    const taskfit_deployment *deployment = judge->deployment;
    taskfit_task_demand *demands = TASKFIT_ARRAY(judge->arena, deployment->n_services, taskfit_task_demand);
    for (size_t i = 0; i < deployment->n_services; i++) {
        demands[i] = taskfit_task_demand_of(&deployment->services[i], judge->arena);
    }
    judge->demands = demands;
    judge->n_placed = TASKFIT_ARRAY(judge->arena, deployment->n_services, int64_t);
    judge->capacities = TASKFIT_ARRAY(judge->arena, deployment->n_groups, const taskfit_instance_capacity **);
    for (size_t group = 0; group < deployment->n_groups; group++) {
        judge->capacities[group] = TASKFIT_ARRAY(judge->arena, deployment->groups[group].n_types * deployment->n_azs,
                                                 const taskfit_instance_capacity *);
    }
}

static size_t verify(const taskfit_node *document, const taskfit_deployment *deployment, const taskfit_plan *from,
                     taskfit_diag_fn *broken, void *broken_arg) {
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_judge judge = {.deployment = deployment,
                           .document = document,
                           .arena = arena,
                           .broken = broken,
                           .broken_arg = broken_arg,
                           .rolling_in_force = TASKFIT_ROLLING_NONE,
                           .survive_in_force = TASKFIT_SURVIVE_NONE};
    open_books(&judge);
    judge_rung(&judge);
    read_fleet(&judge);
    const char *outcome = text_of(document, "outcome");
    bool has_plan = outcome && (strcmp(outcome, "optimal") == 0 || strcmp(outcome, "feasible") == 0);
    if (has_plan) {
        judge_counts(&judge);
        taskfit_judge_machines(&judge);
        taskfit_judge_groups(&judge);
        if (judge.spread_in_force) {
            taskfit_judge_spread(&judge);
        }
        taskfit_judge_rolling(&judge);
        taskfit_judge_survive(&judge);
        const taskfit_node *given = from ? from->stated ? from->stated : taskfit_plan_tree(from, arena) : NULL;
        taskfit_judge_moves(&judge, given, from ? from->sha256 : NULL);
    }
    taskfit_judge_figures(&judge);
    taskfit_arena_free(arena);
    return judge.n_broken;
}

size_t taskfit_verify(const taskfit_node *document, const taskfit_deployment *deployment, taskfit_diag_fn *broken,
                      void *broken_arg) {
    return verify(document, deployment, NULL, broken, broken_arg);
}

taskfit_status taskfit_plan_verify_from(const taskfit_plan *plan, const taskfit_deployment *deployment, const taskfit_plan *from,
                                        taskfit_diag_fn *broken, void *broken_arg, size_t *n_broken_out) {
    assert(n_broken_out);
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_node *document = plan->stated ? plan->stated : taskfit_plan_tree(plan, arena);
    *n_broken_out = verify(document, deployment ? deployment : plan->deployment, from, broken, broken_arg);
    taskfit_arena_free(arena);
    return TASKFIT_OK;
}

taskfit_status taskfit_plan_verify(const taskfit_plan *plan, const taskfit_deployment *deployment, taskfit_diag_fn *broken,
                                   void *broken_arg, size_t *n_broken_out, taskfit_error *err TASKFIT_UNUSED) {
    return taskfit_plan_verify_from(plan, deployment, NULL, broken, broken_arg, n_broken_out);
}
