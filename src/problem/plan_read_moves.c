/* `moves` and `movesFront` of a plan's document. Whether their figures are right is the verifier's question. */

#include <string.h>

#include "problem/plan.h"
#include "problem/plan_fields.h"

typedef taskfit_node node;
typedef taskfit_field field;

static bool read_from(const taskfit_document *in, const field *at, const node *map, taskfit_plan_moves *moves) {
    const field from_at = {at, "from", 0};
    const node *from = taskfit_field_map(in, &from_at, map);
    return from && taskfit_field_text(in, &(field){&from_at, "file", 0}, from, true, &moves->file) &&
           taskfit_field_text(in, &(field){&from_at, "sha256", 0}, from, true, &moves->sha256) &&
           taskfit_field_count(in, &(field){&from_at, "instances", 0}, from, false, &moves->n_given);
}

/* They are written in the order of the fleet; any other order is understood too. */
static bool read_instances(const taskfit_document *in, const field *at, const node *map, taskfit_plan *plan, taskfit_plan_moves *moves) {
    const field list_at = {at, "instances", 0};
    const node *list = taskfit_field_list(in, &list_at, map);
    if (!list) {
        return false;
    }
    const size_t n = plan->fleet->n_machines;
    const char **was = TASKFIT_ARRAY(plan->arena, n, const char *);
    const char *const *ids = taskfit_fleet_ids(plan->deployment, plan->fleet, plan->arena);
    size_t next = 0;
    for (size_t i = 0; i < list->n; i++) {
        const field item = {&list_at, NULL, i};
        const char *id = NULL;
        const char *old = NULL;
        if (!taskfit_field_text(in, &(field){&item, "id", 0}, list->items[i], false, &id) ||
            !taskfit_field_text(in, &(field){&item, "was", 0}, list->items[i], true, &old)) {
            return false;
        }
        size_t tries = 0;
        while (tries < n && strcmp(ids[(next + tries) % n], id) != 0) {
            tries++;
        }
        if (tries == n) {
            return taskfit_field_refuse(in, &item, list->items[i], "no instance of the fleet has the id", id);
        }
        next = (next + tries) % n;
        was[next++] = old;
    }
    moves->was = was;
    return true;
}

static bool read_removed(const taskfit_document *in, const field *at, const node *map, taskfit_plan *plan, taskfit_plan_moves *moves) {
    const field list_at = {at, "removed", 0};
    const node *list = taskfit_field_list(in, &list_at, map);
    if (!list) {
        return false;
    }
    const char **removed = TASKFIT_ARRAY(plan->arena, list->n, const char *);
    for (size_t i = 0; i < list->n; i++) {
        const field item = {&list_at, NULL, i};
        if (list->items[i]->kind != TASKFIT_NODE_SCALAR || taskfit_node_is_null(list->items[i])) {
            return taskfit_field_refuse(in, &item, list->items[i], "must be a text", NULL);
        }
        removed[i] = list->items[i]->text;
    }
    moves->removed = removed;
    moves->n_removed = list->n;
    return true;
}

static bool read_action(const taskfit_document *in, const field *at, const node *map, taskfit_step_action *action_out) {
    const char *word = NULL;
    if (!taskfit_field_text(in, at, map, false, &word)) {
        return false;
    }
    for (int action = TASKFIT_STEP_STOP; action <= TASKFIT_STEP_START; action++) {
        if (strcmp(word, taskfit_step_action_name((taskfit_step_action)action)) == 0) {
            *action_out = (taskfit_step_action)action;
            return true;
        }
    }
    return taskfit_field_refuse(in, at, taskfit_node_get(map, at->key), "unknown action", word);
}

static bool read_order(const taskfit_document *in, const field *at, const node *map, taskfit_plan *plan, taskfit_plan_moves *moves) {
    const field list_at = {at, "order", 0};
    if (!taskfit_field_text(in, &(field){at, "noOrder", 0}, map, true, &moves->no_order)) {
        return false;
    }
    if (moves->no_order && taskfit_field_absent(taskfit_node_get(map, "order"))) {
        return true;
    }
    const node *list = taskfit_field_list(in, &list_at, map);
    if (!list) {
        return false;
    }
    taskfit_plan_step *steps = TASKFIT_ARRAY(plan->arena, list->n, taskfit_plan_step);
    for (size_t i = 0; i < list->n; i++) {
        const field item = {&list_at, NULL, i};
        if (!read_action(in, &(field){&item, "action", 0}, list->items[i], &steps[i].action) ||
            !taskfit_field_text(in, &(field){&item, "service", 0}, list->items[i], false, &steps[i].service) ||
            !taskfit_field_text(in, &(field){&item, "from", 0}, list->items[i], steps[i].action == TASKFIT_STEP_START, &steps[i].from) ||
            !taskfit_field_text(in, &(field){&item, "to", 0}, list->items[i], steps[i].action == TASKFIT_STEP_STOP, &steps[i].to)) {
            return false;
        }
    }
    moves->steps = steps;
    moves->n_steps = list->n;
    return true;
}

static bool read_waiting(const taskfit_document *in, const field *at, const node *map, taskfit_plan *plan, taskfit_plan_moves *moves) {
    const field list_at = {at, "waitingOn", 0};
    if (taskfit_field_absent(taskfit_node_get(map, "waitingOn"))) {
        return true;
    }
    const node *list = taskfit_field_list(in, &list_at, map);
    taskfit_plan_spare *waiting = TASKFIT_ARRAY(plan->arena, list ? list->n : 0, taskfit_plan_spare);
    for (size_t i = 0; list && i < list->n; i++) {
        const field item = {&list_at, NULL, i};
        if (!taskfit_field_text(in, &(field){&item, "id", 0}, list->items[i], false, &waiting[i].id) ||
            !taskfit_field_text(in, &(field){&item, "group", 0}, list->items[i], false, &waiting[i].group) ||
            !taskfit_field_text(in, &(field){&item, "type", 0}, list->items[i], false, &waiting[i].type) ||
            !taskfit_field_text(in, &(field){&item, "availabilityZone", 0}, list->items[i], false, &waiting[i].az)) {
            return false;
        }
    }
    moves->waiting = waiting;
    moves->n_waiting = list ? list->n : 0;
    return list != NULL;
}

static bool read_spare(const taskfit_document *in, const field *at, const node *map, taskfit_plan *plan, taskfit_plan_moves *moves) {
    const field spare_at = {at, "spareInstance", 0};
    if (taskfit_field_absent(taskfit_node_get(map, "spareInstance"))) {
        return true;
    }
    taskfit_plan_spare *spare = TASKFIT_NEW(plan->arena, taskfit_plan_spare);
    moves->spare = spare;
    const node *value = taskfit_field_map(in, &spare_at, map);
    return value && taskfit_field_text(in, &(field){&spare_at, "group", 0}, value, false, &spare->group) &&
           taskfit_field_text(in, &(field){&spare_at, "type", 0}, value, false, &spare->type) &&
           taskfit_field_text(in, &(field){&spare_at, "availabilityZone", 0}, value, false, &spare->az) &&
           taskfit_field_text(in, &(field){&spare_at, "message", 0}, value, true, &spare->message);
}

static bool read_moves(const taskfit_document *in, const node *root, taskfit_plan *plan) {
    const field at = {NULL, "moves", 0};
    if (taskfit_field_absent(taskfit_node_get(root, "moves"))) {
        return true;
    }
    const node *map = taskfit_field_map(in, &at, root);
    taskfit_plan_moves *moves = TASKFIT_NEW(plan->arena, taskfit_plan_moves);
    plan->moves = moves;
    return map && read_from(in, &at, map, moves) && taskfit_field_count(in, &(field){&at, "tasks", 0}, map, false, &moves->tasks) &&
           taskfit_field_count(in, &(field){&at, "of", 0}, map, false, &moves->of) &&
           taskfit_field_count(in, &(field){&at, "kept", 0}, map, false, &moves->kept) &&
           taskfit_field_count(in, &(field){&at, "starts", 0}, map, false, &moves->starts) &&
           taskfit_field_count(in, &(field){&at, "stops", 0}, map, false, &moves->stops) && read_instances(in, &at, map, plan, moves) &&
           read_removed(in, &at, map, plan, moves) && read_order(in, &at, map, plan, moves) &&
           read_waiting(in, &at, map, plan, moves) && read_spare(in, &at, map, plan, moves);
}

static bool read_front(const taskfit_document *in, const node *root, taskfit_plan *plan) {
    const field at = {NULL, "movesFront", 0};
    if (taskfit_field_absent(taskfit_node_get(root, "movesFront"))) {
        return true;
    }
    const node *list = taskfit_field_list(in, &at, root);
    if (!list) {
        return false;
    }
    taskfit_plan_front_row *rows = TASKFIT_ARRAY(plan->arena, list->n, taskfit_plan_front_row);
    for (size_t i = 0; i < list->n; i++) {
        const field item = {&at, NULL, i};
        const node *map = list->items[i];
        if (!taskfit_field_count(in, &(field){&item, "instances", 0}, map, false, &rows[i].instances) ||
            !taskfit_field_count(in, &(field){&item, "moves", 0}, map, true, &rows[i].tasks) ||
            !taskfit_field_count(in, &(field){&item, "bound", 0}, map, true, &rows[i].bound) ||
            !taskfit_field_proof(in, &(field){&item, "proof", 0}, map, &rows[i].proof) ||
            !taskfit_field_usd_micros(in, &(field){&item, "costUsdPerHour", 0}, map, &rows[i].cost_usd_micros)) {
            return false;
        }
    }
    plan->front = rows;
    plan->n_front = list->n;
    return true;
}

bool taskfit_plan_read_moves(const taskfit_document *document, const taskfit_node *root, taskfit_plan *plan) {
    return read_moves(document, root, plan) && read_front(document, root, plan);
}
