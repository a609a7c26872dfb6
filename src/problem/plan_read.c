/*
 * A plan document back into structs. What is read here is what reports and verbs need: the answer, the ladder and
 * who stands where. The figures of each instance are not read - they follow from the deployment, and whether the
 * document states them rightly is the verifier's question, as is a name that the deployment does not know.
 */

#include "problem/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "base/units.h"
#include "problem/plan_fields.h"

typedef taskfit_node node;

static const char schema_prefix[] = "taskfit.plan/";
static const char schema[] = "taskfit.plan/1";

typedef struct named { /* a service, sorted by name */
    const char *name;
    size_t index;
} named;

enum { TASKS_MAX = 2 * 1000 * 1000 }; /* of a plan */

typedef struct reader {
    taskfit_document document;
    int64_t n_tasks; /* read so far */
    taskfit_plan *plan;
    named *services; /* [deployment->n_services] */
} reader;

static bool read_reason(reader *in, const taskfit_field *at, const node *parent, taskfit_plan_reason *reason_out) {
    const node *map = taskfit_field_map(&in->document, at, parent);
    return map &&
           taskfit_field_text(&in->document, &(taskfit_field){at, "service", 0}, map, true, &reason_out->service) &&
           taskfit_field_text(&in->document, &(taskfit_field){at, "resource", 0}, map, false, &reason_out->resource) &&
           taskfit_field_count(&in->document, &(taskfit_field){at, "need", 0}, map, true, &reason_out->need) &&
           taskfit_field_count(&in->document, &(taskfit_field){at, "room", 0}, map, true, &reason_out->room) &&
           taskfit_field_text(&in->document, &(taskfit_field){at, "instanceType", 0}, map, true, &reason_out->instance_type) &&
           taskfit_field_text(&in->document, &(taskfit_field){at, "message", 0}, map, false, &reason_out->message);
}

static bool read_goals(reader *in, const node *root) {
    const taskfit_field at = {NULL, "goals", 0};
    const node *list = taskfit_field_list(&in->document, &at, root);
    if (!list) {
        return false;
    }
    taskfit_plan_goal *goals = TASKFIT_ARRAY(in->plan->arena, list->n, taskfit_plan_goal);
    for (size_t i = 0; i < list->n; i++) {
        const taskfit_field item = {&at, NULL, i};
        if (!taskfit_field_text(&in->document, &(taskfit_field){&item, "goal", 0}, list->items[i], false, &goals[i].goal) ||
            !taskfit_field_text(&in->document, &(taskfit_field){&item, "value", 0}, list->items[i], true, &goals[i].value) ||
            !taskfit_field_text(&in->document, &(taskfit_field){&item, "bound", 0}, list->items[i], true, &goals[i].bound) ||
            !taskfit_field_proof(&in->document, &(taskfit_field){&item, "proof", 0}, list->items[i], &goals[i].proof)) {
            return false;
        }
    }
    in->plan->goals = goals;
    in->plan->n_goals = list->n;
    return true;
}

static bool read_rung(reader *in, const taskfit_field *at, const node *map, taskfit_plan_rung *rung) {
    if (!taskfit_field_rung(&in->document, &(taskfit_field){at, "rung", 0}, map, &rung->rung) ||
        !taskfit_field_count(&in->document, &(taskfit_field){at, "instances", 0}, map, true, &rung->instances) ||
        !taskfit_field_count(&in->document, &(taskfit_field){at, "lowerBound", 0}, map, true, &rung->lower_bound) ||
        !taskfit_field_proof(&in->document, &(taskfit_field){at, "proof", 0}, map, &rung->proof) ||
        !taskfit_field_usd_micros(&in->document, &(taskfit_field){at, "costUsdPerHour", 0}, map, &rung->cost_usd_micros)) {
        return false;
    }
    rung->lower_bound = rung->lower_bound < 0 ? 0 : rung->lower_bound;
    if (taskfit_field_absent(taskfit_node_get(map, "reason"))) {
        return true;
    }
    taskfit_plan_reason *reason = TASKFIT_NEW(in->plan->arena, taskfit_plan_reason);
    rung->reason = reason;
    return read_reason(in, &(taskfit_field){at, "reason", 0}, map, reason);
}

static bool read_ladder(reader *in, const node *root) {
    const taskfit_field at = {NULL, "ladder", 0};
    const node *list = taskfit_field_list(&in->document, &at, root);
    if (!list) {
        return false;
    }
    taskfit_plan_rung *ladder = TASKFIT_ARRAY(in->plan->arena, list->n, taskfit_plan_rung);
    for (size_t i = 0; i < list->n; i++) {
        if (!read_rung(in, &(taskfit_field){&at, NULL, i}, list->items[i], &ladder[i])) {
            return false;
        }
    }
    in->plan->ladder = ladder;
    in->plan->n_ladder = list->n;
    return true;
}

/* "0.948" as 948, null as -1. */
static bool get_permille(reader *in, const taskfit_field *at, const node *map, int64_t *permille_out) {
    const node *value = taskfit_node_get(map, at->key);
    int64_t micros = 0;
    const char *why = NULL;
    *permille_out = -1;
    if (taskfit_field_absent(value)) {
        return true;
    }
    if (value->kind != TASKFIT_NODE_SCALAR || !taskfit_parse_usd_micros(value->text, value->n, &micros, &why) || micros > 1000000) {
        return taskfit_field_refuse(&in->document, at, value, "not a share from 0 to 1", NULL);
    }
    *permille_out = micros / 1000;
    return true;
}

static bool read_ecs(reader *in, const node *root) {
    const taskfit_field at = {NULL, "ecs", 0};
    taskfit_plan_ecs *ecs = &in->plan->ecs;
    if (taskfit_field_absent(taskfit_node_get(root, "ecs"))) {
        return true;
    }
    const node *map = taskfit_field_map(&in->document, &at, root);
    return map && taskfit_field_count(&in->document, &(taskfit_field){&at, "instances", 0}, map, false, &ecs->instances) &&
           taskfit_field_count(&in->document, &(taskfit_field){&at, "orders", 0}, map, false, &ecs->orders) &&
           taskfit_field_count(&in->document, &(taskfit_field){&at, "seed", 0}, map, false, &ecs->seed) &&
           get_permille(in, &(taskfit_field){&at, "successShareBelow", 0}, map, &ecs->below_permille) &&
           get_permille(in, &(taskfit_field){&at, "spreadLostShare", 0}, map, &ecs->spread_lost_permille);
}

static bool read_answer(reader *in, const node *root) {
    taskfit_plan *plan = in->plan;
    const taskfit_field outcome_at = {NULL, "outcome", 0};
    const char *outcome = NULL;
    if (!taskfit_field_text(&in->document, &outcome_at, root, false, &outcome)) {
        return false;
    }
    if (!taskfit_outcome_from_name(outcome, &plan->outcome)) {
        return taskfit_field_refuse(&in->document, &outcome_at, taskfit_node_get(root, "outcome"), "unknown outcome", outcome);
    }
    if (!taskfit_field_rung(&in->document, &(taskfit_field){NULL, "rung", 0}, root, &plan->rung) ||
        !taskfit_field_count(&in->document, &(taskfit_field){NULL, "instances", 0}, root, true, &plan->instances) ||
        !taskfit_field_count(&in->document, &(taskfit_field){NULL, "lowerBound", 0}, root, true, &plan->lower_bound) ||
        !taskfit_field_usd_micros(&in->document, &(taskfit_field){NULL, "costUsdPerHour", 0}, root, &plan->cost_usd_micros) ||
        !taskfit_field_usd_micros(&in->document, &(taskfit_field){NULL, "lowerBoundUsdPerHour", 0}, root, &plan->cost_bound_usd_micros)) {
        return false;
    }
    plan->lower_bound = plan->lower_bound < 0 ? 0 : plan->lower_bound;
    const taskfit_field binding_at = {NULL, "binding", 0};
    const node *binding = taskfit_node_get(root, "binding");
    if (!taskfit_field_absent(binding) &&
        (!taskfit_field_map(&in->document, &binding_at, root) ||
         !taskfit_field_text(&in->document, &(taskfit_field){&binding_at, "resource", 0}, binding, false, &plan->binding_resource) ||
         !taskfit_field_text(&in->document, &(taskfit_field){&binding_at, "note", 0}, binding, true, &plan->binding_note))) {
        return false;
    }
    return plan->outcome != TASKFIT_INFEASIBLE || read_reason(in, &(taskfit_field){NULL, "reason", 0}, root, &plan->reason);
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const named *)a)->name, ((const named *)b)->name);
}

static void index_services(reader *in) {
    const taskfit_deployment *deployment = in->plan->deployment;
    in->services = TASKFIT_ARRAY(in->plan->arena, deployment->n_services, named);
    for (size_t i = 0; i < deployment->n_services; i++) {
        in->services[i] = (named){deployment->services[i].name, i};
    }
    if (deployment->n_services > 0) {
        qsort(in->services, deployment->n_services, sizeof in->services[0], by_name);
    }
}

static const named *find_service(const reader *in, const char *name) {
    const named key = {name, 0};
    size_t n = in->plan->deployment->n_services;
    return n == 0 ? NULL : bsearch(&key, in->services, n, sizeof key, by_name);
}

static int by_service(const void *a, const void *b) {
    size_t left = ((const taskfit_machine_task *)a)->service;
    size_t right = ((const taskfit_machine_task *)b)->service;
    return (left > right) - (left < right);
}

/* A service named twice on one machine becomes one entry: machines hold each service once. */
static void merge_tasks(taskfit_machine *machine) {
    if (machine->n_tasks == 0) {
        return;
    }
    qsort(machine->tasks, machine->n_tasks, sizeof machine->tasks[0], by_service);
    size_t n = 1;
    for (size_t i = 1; i < machine->n_tasks; i++) {
        if (machine->tasks[i].service == machine->tasks[n - 1].service) {
            machine->tasks[n - 1].count += machine->tasks[i].count;
        } else {
            machine->tasks[n++] = machine->tasks[i];
        }
    }
    machine->n_tasks = n;
}

static bool read_tasks(reader *in, const taskfit_field *at, const node *map, taskfit_machine *machine) {
    const taskfit_field tasks_at = {at, "tasks", 0};
    const node *list = taskfit_field_list(&in->document, &tasks_at, map);
    if (!list) {
        return false;
    }
    machine->tasks = TASKFIT_ARRAY(in->plan->arena, list->n, taskfit_machine_task);
    for (size_t i = 0; i < list->n; i++) {
        const taskfit_field item = {&tasks_at, NULL, i};
        const char *name = NULL;
        int64_t count = 0;
        if (!taskfit_field_text(&in->document, &(taskfit_field){&item, "service", 0}, list->items[i], false, &name) ||
            !taskfit_field_count(&in->document, &(taskfit_field){&item, "count", 0}, list->items[i], false, &count)) {
            return false;
        }
        if (count > TASKS_MAX || (in->n_tasks += count) > TASKS_MAX) {
            return taskfit_field_refuse(&in->document, &item, list->items[i], "the plan has more than 2,000,000 tasks", NULL);
        }
        const named *service = find_service(in, name);
        if (service && count > 0) {
            machine->tasks[machine->n_tasks++] = (taskfit_machine_task){service->index, count};
        }
        in->plan->n_strangers += service ? 0 : count;
    }
    merge_tasks(machine);
    return true;
}

/* Group, type and AZ by name; false when the deployment does not know one of them. */
static bool locate(const taskfit_deployment *deployment, const char *group, const char *type, const char *az,
                   taskfit_machine *machine) {
    while (machine->group < deployment->n_groups && strcmp(deployment->groups[machine->group].name, group) != 0) {
        machine->group++;
    }
    while (machine->az < deployment->n_azs && strcmp(deployment->azs[machine->az], az) != 0) {
        machine->az++;
    }
    if (machine->group == deployment->n_groups || machine->az == deployment->n_azs) {
        return false;
    }
    const taskfit_instance_group *known = &deployment->groups[machine->group];
    while (machine->type < known->n_types && strcmp(known->types[machine->type].type.name, type) != 0) {
        machine->type++;
    }
    return machine->type < known->n_types;
}

static bool read_fleet(reader *in, const node *root) {
    const taskfit_field at = {NULL, "fleet", 0};
    const node *list = taskfit_field_list(&in->document, &at, root);
    if (!list) {
        return false;
    }
    taskfit_fleet *fleet = TASKFIT_NEW(in->plan->arena, taskfit_fleet);
    fleet->machines = TASKFIT_ARRAY(in->plan->arena, list->n, taskfit_machine);
    for (size_t i = 0; i < list->n; i++) {
        const taskfit_field item = {&at, NULL, i};
        const node *map = list->items[i];
        taskfit_machine machine = {0};
        const char *group = NULL;
        const char *type = NULL;
        const char *az = NULL;
        if (!taskfit_field_text(&in->document, &(taskfit_field){&item, "id", 0}, map, true, &machine.id) ||
            !taskfit_field_text(&in->document, &(taskfit_field){&item, "group", 0}, map, false, &group) ||
            !taskfit_field_text(&in->document, &(taskfit_field){&item, "type", 0}, map, false, &type) ||
            !taskfit_field_text(&in->document, &(taskfit_field){&item, "availabilityZone", 0}, map, false, &az) ||
            !read_tasks(in, &item, map, &machine)) {
            return false;
        }
        if (locate(in->plan->deployment, group, type, az, &machine)) {
            fleet->machines[fleet->n_machines++] = machine;
        } else {
            in->plan->n_strangers++;
        }
    }
    in->plan->fleet = fleet;
    return true;
}

static bool read_warnings(reader *in, const node *root) {
    const taskfit_field at = {NULL, "warnings", 0};
    const node *list = taskfit_field_list(&in->document, &at, root);
    if (!list) {
        return false;
    }
    taskfit_warning *warnings = TASKFIT_ARRAY(in->plan->arena, list->n, taskfit_warning);
    for (size_t i = 0; i < list->n; i++) {
        const taskfit_field item = {&at, NULL, i};
        if (!taskfit_field_text(&in->document, &(taskfit_field){&item, "code", 0}, list->items[i], false, &warnings[i].code) ||
            !taskfit_field_text(&in->document, &(taskfit_field){&item, "service", 0}, list->items[i], true, &warnings[i].service) ||
            !taskfit_field_text(&in->document, &(taskfit_field){&item, "message", 0}, list->items[i], false, &warnings[i].message)) {
            return false;
        }
    }
    in->plan->warnings = warnings;
    in->plan->n_warnings = list->n;
    return true;
}

/* The deployment inside the document, through the reader of deployment files, so that it is validated like any
 * other. What the document says about where it came from replaces what that reader would make up. */
static taskfit_status read_deployment(reader *in, const node *root, const taskfit_parse_options *options) {
    const taskfit_field at = {NULL, "deployment", 0};
    const node *map = taskfit_field_map(&in->document, &at, root);
    const node *resolved = map ? taskfit_field_map(&in->document, &(taskfit_field){&at, "resolved", 0}, map) : NULL;
    const node *edits = resolved ? taskfit_field_list(&in->document, &(taskfit_field){&at, "edits", 0}, map) : NULL;
    const char *file = NULL;
    const char *sha256 = NULL;
    const char *scenario = NULL;
    if (!edits || !taskfit_field_text(&in->document, &(taskfit_field){&at, "file", 0}, map, true, &file) ||
        !taskfit_field_text(&in->document, &(taskfit_field){&at, "sha256", 0}, map, true, &sha256) ||
        !taskfit_field_text(&in->document, &(taskfit_field){&at, "scenario", 0}, map, true, &scenario)) {
        return TASKFIT_E_INPUT;
    }
    taskfit_parse_options parse = *options;
    parse.format = TASKFIT_FORMAT_JSON;
    parse.load = NULL; /* includes are resolved, edits and scenario applied */
    parse.set = NULL;
    parse.n_set = 0;
    parse.scenario = NULL;
    TASKFIT_STRBUF(text);
    taskfit_node_write_json(resolved, &text);
    const char *name = taskfit_arena_printf(in->plan->arena, "%s: deployment.resolved", in->document.file);
    taskfit_deployment *deployment = NULL;
    taskfit_status status = taskfit_deployment_parse(name, text.data, text.len, &parse, &deployment, in->document.err);
    if (status != TASKFIT_OK) {
        return status;
    }
    in->plan->owned_deployment = deployment;
    in->plan->deployment = deployment;
    deployment->file = taskfit_arena_strdup(deployment->arena, file ? file : in->document.file);
    (void)snprintf(deployment->sha256, sizeof deployment->sha256, "%s", sha256 ? sha256 : "");
    deployment->scenario = scenario ? taskfit_arena_strdup(deployment->arena, scenario) : NULL;
    const char **texts = TASKFIT_ARRAY(deployment->arena, edits->n, const char *);
    for (size_t i = 0; i < edits->n; i++) {
        const node *edit = edits->items[i];
        texts[i] = taskfit_arena_strdup(deployment->arena, edit->kind == TASKFIT_NODE_SCALAR ? edit->text : "");
    }
    deployment->edits = texts;
    deployment->n_edits = edits->n;
    return TASKFIT_OK;
}

static taskfit_status read_document(reader *in, const node *root, const taskfit_parse_options *options) {
    const taskfit_field at = {NULL, "schema", 0};
    const char *word = NULL;
    if (!taskfit_node_get(root, "schema")) {
        taskfit_error_at(in->document.err, "%s", in->document.file);
        return taskfit_fail(in->document.err, TASKFIT_E_INPUT, "this is no plan ('schema: %s' is missing)", schema);
    }
    if (!taskfit_field_text(&in->document, &at, root, false, &word)) {
        return TASKFIT_E_INPUT;
    }
    if (strcmp(word, schema) != 0) {
        (void)taskfit_field_refuse(&in->document, &at, taskfit_node_get(root, "schema"), "this taskfit reads taskfit.plan/1, not", word);
        return TASKFIT_E_INPUT;
    }
    taskfit_status status = read_deployment(in, root, options);
    if (status != TASKFIT_OK) {
        return status;
    }
    index_services(in);
    bool read = read_answer(in, root) && read_goals(in, root) && read_ladder(in, root) && read_ecs(in, root) && read_fleet(in, root) &&
                taskfit_plan_read_moves(&in->document, root, in->plan) && read_warnings(in, root);
    return read ? TASKFIT_OK : TASKFIT_E_INPUT;
}

taskfit_status taskfit_plan_read(const char *name, const char *data, size_t len, const taskfit_parse_options *options,
                                 taskfit_plan **plan_out, taskfit_error *err) {
    taskfit_parse_options defaults;
    taskfit_parse_options_init(&defaults);
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_plan *plan = TASKFIT_NEW(arena, taskfit_plan);
    plan->arena = arena;
    reader in = {.document = {.file = name, .err = err}, .plan = plan};
    node *root = NULL;
    taskfit_status status = taskfit_node_read(arena, name, data, len, &root, err);
    if (status == TASKFIT_OK) {
        char hex[TASKFIT_SHA256_HEX_SIZE];
        taskfit_sha256_hex(data, len, hex);
        plan->stated = root;
        plan->file = taskfit_arena_strdup(arena, name);
        plan->sha256 = taskfit_arena_strdup(arena, hex);
        status = read_document(&in, root, options ? options : &defaults);
    }
    if (status != TASKFIT_OK) {
        taskfit_plan_free(plan);
        return status;
    }
    *plan_out = plan;
    return TASKFIT_OK;
}

/* The cheap question first: most inputs are deployments and need not be read twice. */
static bool contains(const char *data, size_t len, const char *word, size_t n_word) {
    for (const char *at = data; len >= n_word;) {
        const char *hit = memchr(at, word[0], len - n_word + 1);
        if (!hit) {
            return false;
        }
        if (memcmp(hit, word, n_word) == 0) {
            return true;
        }
        len -= (size_t)(hit - at) + 1;
        at = hit + 1;
    }
    return false;
}

bool taskfit_is_plan(const char *data, size_t len) {
    const size_t n_prefix = sizeof schema_prefix - 1;
    if (!contains(data, len, schema_prefix, n_prefix)) {
        return false;
    }
    taskfit_arena *arena = taskfit_arena_new();
    node *root = NULL;
    bool is_plan = false;
    if (taskfit_node_read(arena, "", data, len, &root, NULL) == TASKFIT_OK) {
        const node *value = taskfit_node_get(root, "schema");
        is_plan = value && value->kind == TASKFIT_NODE_SCALAR && strncmp(value->text, schema_prefix, n_prefix) == 0;
    }
    taskfit_arena_free(arena);
    return is_plan;
}
