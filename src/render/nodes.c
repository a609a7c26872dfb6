#include "render/nodes.h"

#include <string.h>

#include "base/units.h"

void taskfit_set_string(taskfit_arena *arena, taskfit_node *map, const char *key, const char *text) {
    taskfit_node_set(arena, map, key, taskfit_node_string(arena, text));
}

void taskfit_set_quantity(taskfit_arena *arena, taskfit_node *map, const char *key, int64_t value) {
    if (value >= 0) {
        taskfit_node_set(arena, map, key, taskfit_node_int(arena, value));
    }
}

void taskfit_set_quantity_text(taskfit_arena *arena, taskfit_node *map, const char *key, int64_t value) {
    if (value >= 0) {
        taskfit_set_string(arena, map, key, taskfit_arena_printf(arena, "%lld", (long long)value));
    }
}

void taskfit_set_unless_empty(taskfit_arena *arena, taskfit_node *map, const char *key, taskfit_node *list) {
    if (list->n > 0) {
        taskfit_node_set(arena, map, key, list);
    }
}

const char *taskfit_text_of(const taskfit_node *map, const char *key) {
    const taskfit_node *value = taskfit_node_get(map, key);
    return value != NULL && value->kind == TASKFIT_NODE_SCALAR && !taskfit_node_is_null(value) ? value->text : NULL;
}

const taskfit_node *taskfit_list_of(const taskfit_node *map, const char *key) {
    static const taskfit_node none = {.kind = TASKFIT_NODE_LIST};
    const taskfit_node *value = taskfit_node_get(map, key);
    return value != NULL && value->kind == TASKFIT_NODE_LIST ? value : &none;
}

bool taskfit_is_given(const taskfit_node *map, const char *key) {
    const taskfit_node *value = taskfit_node_get(map, key);
    return value != NULL && !taskfit_node_is_null(value);
}

int64_t taskfit_number_of(const taskfit_node *map, const char *key) {
    const char *text = taskfit_text_of(map, key), *why = NULL;
    int64_t value = 0;
    return text != NULL && taskfit_parse_count(text, strlen(text), 0, TASKFIT_QUANTITY_MAX, &value, &why) ? value : -1;
}
