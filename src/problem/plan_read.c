/*
 * A plan document back into structs. What is read here is what reports and verbs need: the answer, the ladder and
 * who stands where. The figures of each instance are not read - they follow from the deployment, and whether the
 * document states them rightly is the verifier's question, as is a name that the deployment does not know.
 */

#include "problem/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

typedef taskfit_node node;

static const char schema_prefix[] = "taskfit.plan/";
static const char schema[] = "taskfit.plan/1";

/* A field's path, written out only when there is something to complain of. */
typedef struct place {
    const struct place *parent; /* NULL: the document */
    const char *key;            /* NULL: an index */
    size_t index;
} place;

typedef struct named { /* a service, sorted by name */
    const char *name;
    size_t index;
} named;

enum { TASKS_MAX = 2 * 1000 * 1000 }; /* of a plan */

typedef struct reader {
    const char *file;
    int64_t n_tasks; /* read so far */
    taskfit_plan *plan;
    named *services; /* [deployment->n_services] */
    taskfit_error *err;
} reader;

static void add_path(const place *at, taskfit_strbuf *out) {
    if (!at) {
        return;
    }
    add_path(at->parent, out);
    if (at->key) {
        taskfit_strbuf_printf(out, "%s%s", at->parent ? "." : "", at->key);
    } else {
        taskfit_strbuf_printf(out, "[%zu]", at->index);
    }
}

/* Fills the error with the place of a field and returns false. `value` and `word` may be NULL. */
static bool refuse(reader *in, const place *at, const node *value, const char *what, const char *word) {
    TASKFIT_STRBUF(path);
    TASKFIT_STRBUF(message);
    add_path(at, &path);
    taskfit_strbuf_adds(&message, what);
    if (word) {
        taskfit_strbuf_printf(&message, " '%.80s'", word);
    }
    (void)!taskfit_fail(in->err, TASKFIT_E_INPUT, "%s", message.data);
    if (value && value->position.line > 0) {
        taskfit_error_at(in->err, "%s:%u:%u: %s", in->file, (unsigned)value->position.line,
                         (unsigned)value->position.column, path.data);
    } else {
        taskfit_error_at(in->err, "%s: %s", in->file, path.data);
    }
    return false;
}

static bool is_absent(const node *value) {
    return !value || taskfit_node_is_null(value);
}

/* The list or map under at->key; NULL, with the error filled, when it is something else. */
static const node *get_list(reader *in, const place *at, const node *map) {
    const node *value = taskfit_node_get(map, at->key);
    bool found = value && value->kind == TASKFIT_NODE_LIST;
    return found || refuse(in, at, value, "must be a list", NULL) ? value : NULL;
}

static const node *get_map(reader *in, const place *at, const node *map) {
    const node *value = taskfit_node_get(map, at->key);
    bool found = value && value->kind == TASKFIT_NODE_MAP;
    return found || refuse(in, at, value, "must be a map", NULL) ? value : NULL;
}

/* Absent and null give NULL where that is allowed. The text lives in the document. */
static bool get_text(reader *in, const place *at, const node *map, bool may_be_null, const char **text_out) {
    const node *value = taskfit_node_get(map, at->key);
    if (is_absent(value)) {
        *text_out = NULL;
        return may_be_null || refuse(in, at, value, "must be a text", NULL);
    }
    if (value->kind != TASKFIT_NODE_SCALAR) {
        return refuse(in, at, value, may_be_null ? "must be a text or null" : "must be a text", NULL);
    }
    *text_out = value->text;
    return true;
}

/* Whole numbers, 0 or more; absent and null give -1 where that is allowed. */
static bool get_count(reader *in, const place *at, const node *map, bool may_be_null, int64_t *value_out) {
    const node *value = taskfit_node_get(map, at->key);
    if (is_absent(value) && may_be_null) {
        *value_out = -1;
        return true;
    }
    const char *why = NULL;
    if (!value || value->kind != TASKFIT_NODE_SCALAR || value->quoted ||
        !taskfit_parse_count(value->text, value->n, 0, TASKFIT_QUANTITY_MAX, value_out, &why)) {
        return refuse(in, at, value, may_be_null ? "must be a whole number or null" : "must be a whole number", NULL);
    }
    return true;
}

static bool get_usd_micros(reader *in, const place *at, const node *map, int64_t *usd_micros_out) {
    const char *text = NULL;
    const char *why = NULL;
    if (!get_text(in, at, map, true, &text)) {
        return false;
    }
    *usd_micros_out = -1;
    if (text && !taskfit_parse_usd_micros(text, strlen(text), usd_micros_out, &why)) {
        return refuse(in, at, taskfit_node_get(map, at->key), "must be dollars per hour such as \"3.427200\", not", text);
    }
    return true;
}

static bool get_proof(reader *in, const place *at, const node *map, taskfit_proof *proof_out) {
    const char *word = NULL;
    return get_text(in, at, map, false, &word) &&
           (taskfit_proof_from_name(word, proof_out) ||
            refuse(in, at, taskfit_node_get(map, at->key), "unknown proof", word));
}

static bool get_rung(reader *in, const place *at, const node *map, taskfit_rung *rung_out) {
    const char *word = NULL;
    return get_text(in, at, map, false, &word) &&
           (taskfit_rung_from_name(word, rung_out) ||
            refuse(in, at, taskfit_node_get(map, at->key), "unknown rung", word));
}

static bool read_reason(reader *in, const place *at, const node *parent, taskfit_plan_reason *reason_out) {
    const node *map = get_map(in, at, parent);
    return map &&
           get_text(in, &(place){at, "service", 0}, map, true, &reason_out->service) &&
           get_text(in, &(place){at, "resource", 0}, map, false, &reason_out->resource) &&
           get_count(in, &(place){at, "need", 0}, map, true, &reason_out->need) &&
           get_count(in, &(place){at, "room", 0}, map, true, &reason_out->room) &&
           get_text(in, &(place){at, "instanceType", 0}, map, true, &reason_out->instance_type) &&
           get_text(in, &(place){at, "message", 0}, map, false, &reason_out->message);
}

static bool read_goals(reader *in, const node *root) {
    const place at = {NULL, "goals", 0};
    const node *list = get_list(in, &at, root);
    if (!list) {
        return false;
    }
    taskfit_plan_goal *goals = TASKFIT_ARRAY(in->plan->arena, list->n, taskfit_plan_goal);
    for (size_t i = 0; i < list->n; i++) {
        const place item = {&at, NULL, i};
        if (!get_text(in, &(place){&item, "goal", 0}, list->items[i], false, &goals[i].goal) ||
            !get_text(in, &(place){&item, "value", 0}, list->items[i], true, &goals[i].value) ||
            !get_text(in, &(place){&item, "bound", 0}, list->items[i], true, &goals[i].bound) ||
            !get_proof(in, &(place){&item, "proof", 0}, list->items[i], &goals[i].proof)) {
            return false;
        }
    }
    in->plan->goals = goals;
    in->plan->n_goals = list->n;
    return true;
}

static bool read_rung(reader *in, const place *at, const node *map, taskfit_plan_rung *rung) {
    if (!get_rung(in, &(place){at, "rung", 0}, map, &rung->rung) ||
        !get_count(in, &(place){at, "instances", 0}, map, true, &rung->instances) ||
        !get_count(in, &(place){at, "lowerBound", 0}, map, true, &rung->lower_bound) ||
        !get_proof(in, &(place){at, "proof", 0}, map, &rung->proof) ||
        !get_usd_micros(in, &(place){at, "costUsdPerHour", 0}, map, &rung->cost_usd_micros)) {
        return false;
    }
    rung->lower_bound = rung->lower_bound < 0 ? 0 : rung->lower_bound;
    if (is_absent(taskfit_node_get(map, "reason"))) {
        return true;
    }
    taskfit_plan_reason *reason = TASKFIT_NEW(in->plan->arena, taskfit_plan_reason);
    rung->reason = reason;
    return read_reason(in, &(place){at, "reason", 0}, map, reason);
}

static bool read_ladder(reader *in, const node *root) {
    const place at = {NULL, "ladder", 0};
    const node *list = get_list(in, &at, root);
    if (!list) {
        return false;
    }
    taskfit_plan_rung *ladder = TASKFIT_ARRAY(in->plan->arena, list->n, taskfit_plan_rung);
    for (size_t i = 0; i < list->n; i++) {
        if (!read_rung(in, &(place){&at, NULL, i}, list->items[i], &ladder[i])) {
            return false;
        }
    }
    in->plan->ladder = ladder;
    in->plan->n_ladder = list->n;
    return true;
}

/* "0.948" as 948, null as -1. */
static bool get_permille(reader *in, const place *at, const node *map, int64_t *permille_out) {
    const node *value = taskfit_node_get(map, at->key);
    int64_t micros = 0;
    const char *why = NULL;
    *permille_out = -1;
    if (is_absent(value)) {
        return true;
    }
    if (value->kind != TASKFIT_NODE_SCALAR || !taskfit_parse_usd_micros(value->text, value->n, &micros, &why) || micros > 1000000) {
        return refuse(in, at, value, "not a share from 0 to 1", NULL);
    }
    *permille_out = micros / 1000;
    return true;
}

static bool read_ecs(reader *in, const node *root) {
    const place at = {NULL, "ecs", 0};
    taskfit_plan_ecs *ecs = &in->plan->ecs;
    if (is_absent(taskfit_node_get(root, "ecs"))) {
        return true;
    }
    const node *map = get_map(in, &at, root);
    return map && get_count(in, &(place){&at, "instances", 0}, map, false, &ecs->instances) &&
           get_count(in, &(place){&at, "orders", 0}, map, false, &ecs->orders) &&
           get_count(in, &(place){&at, "seed", 0}, map, false, &ecs->seed) &&
           get_permille(in, &(place){&at, "successShareBelow", 0}, map, &ecs->below_permille) &&
           get_permille(in, &(place){&at, "spreadLostShare", 0}, map, &ecs->spread_lost_permille);
}

static bool read_answer(reader *in, const node *root) {
    taskfit_plan *plan = in->plan;
    const place outcome_at = {NULL, "outcome", 0};
    const char *outcome = NULL;
    if (!get_text(in, &outcome_at, root, false, &outcome)) {
        return false;
    }
    if (!taskfit_outcome_from_name(outcome, &plan->outcome)) {
        return refuse(in, &outcome_at, taskfit_node_get(root, "outcome"), "unknown outcome", outcome);
    }
    if (!get_rung(in, &(place){NULL, "rung", 0}, root, &plan->rung) ||
        !get_count(in, &(place){NULL, "instances", 0}, root, true, &plan->instances) ||
        !get_count(in, &(place){NULL, "lowerBound", 0}, root, true, &plan->lower_bound) ||
        !get_usd_micros(in, &(place){NULL, "costUsdPerHour", 0}, root, &plan->cost_usd_micros) ||
        !get_usd_micros(in, &(place){NULL, "lowerBoundUsdPerHour", 0}, root, &plan->cost_bound_usd_micros)) {
        return false;
    }
    plan->lower_bound = plan->lower_bound < 0 ? 0 : plan->lower_bound;
    const place binding_at = {NULL, "binding", 0};
    const node *binding = taskfit_node_get(root, "binding");
    if (!is_absent(binding) &&
        (!get_map(in, &binding_at, root) ||
         !get_text(in, &(place){&binding_at, "resource", 0}, binding, false, &plan->binding_resource) ||
         !get_text(in, &(place){&binding_at, "note", 0}, binding, true, &plan->binding_note))) {
        return false;
    }
    return plan->outcome != TASKFIT_INFEASIBLE || read_reason(in, &(place){NULL, "reason", 0}, root, &plan->reason);
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

static bool read_tasks(reader *in, const place *at, const node *map, taskfit_machine *machine) {
    const place tasks_at = {at, "tasks", 0};
    const node *list = get_list(in, &tasks_at, map);
    if (!list) {
        return false;
    }
    machine->tasks = TASKFIT_ARRAY(in->plan->arena, list->n, taskfit_machine_task);
    for (size_t i = 0; i < list->n; i++) {
        const place item = {&tasks_at, NULL, i};
        const char *name = NULL;
        int64_t count = 0;
        if (!get_text(in, &(place){&item, "service", 0}, list->items[i], false, &name) ||
            !get_count(in, &(place){&item, "count", 0}, list->items[i], false, &count)) {
            return false;
        }
        if (count > TASKS_MAX || (in->n_tasks += count) > TASKS_MAX) {
            return refuse(in, &item, list->items[i], "the plan has more than 2,000,000 tasks", NULL);
        }
        const named *service = find_service(in, name);
        if (service && count > 0) {
            machine->tasks[machine->n_tasks++] = (taskfit_machine_task){service->index, count};
        }
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
    const place at = {NULL, "fleet", 0};
    const node *list = get_list(in, &at, root);
    if (!list) {
        return false;
    }
    taskfit_fleet *fleet = TASKFIT_NEW(in->plan->arena, taskfit_fleet);
    fleet->machines = TASKFIT_ARRAY(in->plan->arena, list->n, taskfit_machine);
    for (size_t i = 0; i < list->n; i++) {
        const place item = {&at, NULL, i};
        const node *map = list->items[i];
        taskfit_machine machine = {0};
        const char *group = NULL;
        const char *type = NULL;
        const char *az = NULL;
        if (!get_text(in, &(place){&item, "group", 0}, map, false, &group) ||
            !get_text(in, &(place){&item, "type", 0}, map, false, &type) ||
            !get_text(in, &(place){&item, "availabilityZone", 0}, map, false, &az) ||
            !read_tasks(in, &item, map, &machine)) {
            return false;
        }
        if (locate(in->plan->deployment, group, type, az, &machine)) {
            fleet->machines[fleet->n_machines++] = machine;
        }
    }
    in->plan->fleet = fleet;
    return true;
}

static bool read_warnings(reader *in, const node *root) {
    const place at = {NULL, "warnings", 0};
    const node *list = get_list(in, &at, root);
    if (!list) {
        return false;
    }
    taskfit_warning *warnings = TASKFIT_ARRAY(in->plan->arena, list->n, taskfit_warning);
    for (size_t i = 0; i < list->n; i++) {
        const place item = {&at, NULL, i};
        if (!get_text(in, &(place){&item, "code", 0}, list->items[i], false, &warnings[i].code) ||
            !get_text(in, &(place){&item, "service", 0}, list->items[i], true, &warnings[i].service) ||
            !get_text(in, &(place){&item, "message", 0}, list->items[i], false, &warnings[i].message)) {
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
    const place at = {NULL, "deployment", 0};
    const node *map = get_map(in, &at, root);
    const node *resolved = map ? get_map(in, &(place){&at, "resolved", 0}, map) : NULL;
    const node *edits = resolved ? get_list(in, &(place){&at, "edits", 0}, map) : NULL;
    const char *file = NULL;
    const char *sha256 = NULL;
    const char *scenario = NULL;
    if (!edits || !get_text(in, &(place){&at, "file", 0}, map, true, &file) ||
        !get_text(in, &(place){&at, "sha256", 0}, map, true, &sha256) ||
        !get_text(in, &(place){&at, "scenario", 0}, map, true, &scenario)) {
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
    const char *name = taskfit_arena_printf(in->plan->arena, "%s: deployment.resolved", in->file);
    taskfit_deployment *deployment = NULL;
    taskfit_status status = taskfit_deployment_parse(name, text.data, text.len, &parse, &deployment, in->err);
    if (status != TASKFIT_OK) {
        return status;
    }
    in->plan->owned_deployment = deployment;
    in->plan->deployment = deployment;
    deployment->file = taskfit_arena_strdup(deployment->arena, file ? file : in->file);
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
    const place at = {NULL, "schema", 0};
    const char *word = NULL;
    if (!taskfit_node_get(root, "schema")) {
        taskfit_error_at(in->err, "%s", in->file);
        return taskfit_fail(in->err, TASKFIT_E_INPUT, "this is no plan ('schema: %s' is missing)", schema);
    }
    if (!get_text(in, &at, root, false, &word)) {
        return TASKFIT_E_INPUT;
    }
    if (strcmp(word, schema) != 0) {
        (void)refuse(in, &at, taskfit_node_get(root, "schema"), "this taskfit reads taskfit.plan/1, not", word);
        return TASKFIT_E_INPUT;
    }
    taskfit_status status = read_deployment(in, root, options);
    if (status != TASKFIT_OK) {
        return status;
    }
    index_services(in);
    bool read = read_answer(in, root) && read_goals(in, root) && read_ladder(in, root) && read_ecs(in, root) && read_fleet(in, root) &&
                read_warnings(in, root);
    return read ? TASKFIT_OK : TASKFIT_E_INPUT;
}

taskfit_status taskfit_plan_read(const char *name, const char *data, size_t len, const taskfit_parse_options *options,
                                 taskfit_plan **plan_out, taskfit_error *err) {
    taskfit_parse_options defaults;
    taskfit_parse_options_init(&defaults);
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_plan *plan = TASKFIT_NEW(arena, taskfit_plan);
    plan->arena = arena;
    reader in = {.file = name, .plan = plan, .err = err};
    node *root = NULL;
    taskfit_status status = taskfit_node_read(arena, name, data, len, &root, err);
    if (status == TASKFIT_OK) {
        plan->stated = root;
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
