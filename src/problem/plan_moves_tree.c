/* The parts of a plan's document that speak of a given plan; the order in which keys are set is the written one. */

#include "problem/plan.h"

#include <assert.h>

#include "problem/plan_put.h"

const char *taskfit_step_action_name(taskfit_step_action action) {
    static const char *const names[] = {[TASKFIT_STEP_STOP] = "stop", [TASKFIT_STEP_MOVE] = "move", [TASKFIT_STEP_START] = "start"};
    assert((size_t)action < sizeof names / sizeof *names);
    return names[action];
}

static node *from_node(const taskfit_plan_moves *moves, taskfit_arena *arena) {
    node *map = taskfit_node_map(arena);
    put_text(arena, map, "file", moves->file);
    put_text(arena, map, "sha256", moves->sha256);
    put_known(arena, map, "instances", moves->n_given);
    return map;
}

static node *order_node(const taskfit_plan_moves *moves, taskfit_arena *arena) {
    if (moves->no_order) {
        return taskfit_node_null(arena);
    }
    node *list = taskfit_node_list(arena);
    for (size_t i = 0; i < moves->n_steps; i++) {
        node *map = taskfit_node_map(arena);
        put_known(arena, map, "step", (int64_t)i + 1);
        put_text(arena, map, "action", taskfit_step_action_name(moves->steps[i].action));
        put_text(arena, map, "service", moves->steps[i].service);
        put_text(arena, map, "from", moves->steps[i].from);
        put_text(arena, map, "to", moves->steps[i].to);
        taskfit_node_append(arena, list, map);
    }
    return list;
}

static node *spare_node(const taskfit_plan_spare *spare, taskfit_arena *arena) {
    if (!spare) {
        return taskfit_node_null(arena);
    }
    node *map = taskfit_node_map(arena);
    put_text(arena, map, "group", spare->group);
    put_text(arena, map, "type", spare->type);
    put_text(arena, map, "availabilityZone", spare->az);
    put_text(arena, map, "message", spare->message);
    return map;
}

static node *waiting_node(const taskfit_plan_moves *moves, taskfit_arena *arena) {
    node *list = taskfit_node_list(arena);
    for (size_t i = 0; i < moves->n_waiting; i++) {
        node *map = taskfit_node_map(arena);
        put_text(arena, map, "id", moves->waiting[i].id);
        put_text(arena, map, "group", moves->waiting[i].group);
        put_text(arena, map, "type", moves->waiting[i].type);
        put_text(arena, map, "availabilityZone", moves->waiting[i].az);
        taskfit_node_append(arena, list, map);
    }
    return list;
}

taskfit_node *taskfit_plan_moves_node(const taskfit_plan *plan, const char *const *ids, taskfit_arena *arena) {
    const taskfit_plan_moves *moves = plan->moves;
    node *map = taskfit_node_map(arena);
    put(arena, map, "from", from_node(moves, arena));
    put_known(arena, map, "tasks", moves->tasks);
    put_known(arena, map, "of", moves->of);
    put_known(arena, map, "kept", moves->kept);
    put_known(arena, map, "starts", moves->starts);
    put_known(arena, map, "stops", moves->stops);
    node *instances = taskfit_node_list(arena);
    for (size_t m = 0; m < plan->fleet->n_machines; m++) {
        node *instance = taskfit_node_map(arena);
        put_text(arena, instance, "id", ids[m]);
        put_text(arena, instance, "was", moves->was[m]);
        taskfit_node_append(arena, instances, instance);
    }
    put(arena, map, "instances", instances);
    node *removed = taskfit_node_list(arena);
    for (size_t i = 0; i < moves->n_removed; i++) {
        taskfit_node_append(arena, removed, taskfit_node_string(arena, moves->removed[i]));
    }
    put(arena, map, "removed", removed);
    put(arena, map, "order", order_node(moves, arena));
    put_text(arena, map, "noOrder", moves->no_order);
    put(arena, map, "waitingOn", waiting_node(moves, arena));
    put(arena, map, "spareInstance", spare_node(moves->spare, arena));
    return map;
}

taskfit_node *taskfit_plan_front_node(const taskfit_plan *plan, taskfit_arena *arena) {
    node *list = taskfit_node_list(arena);
    for (size_t i = 0; i < plan->n_front; i++) {
        const taskfit_plan_front_row *row = &plan->front[i];
        node *map = taskfit_node_map(arena);
        put_known(arena, map, "instances", row->instances);
        put_known(arena, map, "moves", row->tasks);
        put_known(arena, map, "bound", row->bound);
        put_text(arena, map, "proof", taskfit_proof_name(row->proof));
        put_usd_per_hour(arena, map, "costUsdPerHour", row->cost_usd_micros);
        put_usd_per_month(arena, map, "costUsdPerMonth", row->cost_usd_micros, plan->deployment->hours_per_month);
        taskfit_node_append(arena, list, map);
    }
    return list;
}
