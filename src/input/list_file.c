/* Files that are a list of names or events. */
#include "base/arena.h"
#include "input/node.h"
#include "taskfit/simulate.h"

/* The list itself, or that of the worst launch in the output of a simulation. */
static const taskfit_node *order_of(const taskfit_node *root) {
    const taskfit_node *launch = root->kind == TASKFIT_NODE_MAP ? taskfit_node_get(root, "launch") : NULL;
    const taskfit_node *worst = launch != NULL && launch->kind == TASKFIT_NODE_MAP ? taskfit_node_get(launch, "worst") : NULL;
    const taskfit_node *order = worst != NULL && worst->kind == TASKFIT_NODE_MAP ? taskfit_node_get(worst, "order") : NULL;
    return order != NULL ? order : root;
}

/* "web", or from {scale: {web: 4}} "scale web=4"; NULL: neither. */
static const char *text_of(const taskfit_node *node, taskfit_arena *arena) {
    if (node->kind == TASKFIT_NODE_SCALAR) {
        return taskfit_node_is_null(node) ? NULL : node->text;
    }
    if (node->kind != TASKFIT_NODE_MAP || node->n != 1) {
        return NULL;
    }
    const taskfit_node *value = node->entries[0].value;
    if (value->kind == TASKFIT_NODE_MAP && value->n == 1 && value->entries[0].value->kind == TASKFIT_NODE_SCALAR) {
        return taskfit_arena_printf(arena, "%s %s=%s", node->entries[0].key, value->entries[0].key, value->entries[0].value->text);
    }
    return value->kind == TASKFIT_NODE_SCALAR ? taskfit_arena_printf(arena, "%s %s", node->entries[0].key, value->text) : NULL;
}

typedef struct list_file {
    const char *file, *what; /* "services", "a service's name" */
    bool maps;               /* items may be maps */
    const char *item;
} list_file;

static taskfit_status read_list(const list_file *kind, const taskfit_node *list, taskfit_item_text_fn *item, void *arg, taskfit_arena *arena,
                                taskfit_error *err) {
    if (list->kind != TASKFIT_NODE_LIST) {
        taskfit_error_at(err, "%s", kind->file);
        return taskfit_fail(err, TASKFIT_E_INPUT, "a list of %s is expected, not a %s", kind->what, taskfit_node_kind_name(list));
    }
    for (size_t i = 0; i < list->n; i++) {
        const char *text = kind->maps || list->items[i]->kind == TASKFIT_NODE_SCALAR ? text_of(list->items[i], arena) : NULL;
        if (text == NULL) {
            taskfit_error_at(err, "%s: [%zu]", kind->file, i);
            return taskfit_fail(err, TASKFIT_E_INPUT, "%s is expected", kind->item);
        }
        item(arg, text);
    }
    return TASKFIT_OK;
}

taskfit_status taskfit_order_list_read(const char *file, const char *data, size_t len, taskfit_item_text_fn *item, void *arg,
                                       taskfit_error *err) {
    const list_file kind = {.file = file, .what = "services", .item = "a service's name"};
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_node *root = NULL;
    taskfit_status status = taskfit_node_read(arena, file, data, len, &root, err);
    if (status == TASKFIT_OK) {
        status = read_list(&kind, order_of(root), item, arg, arena, err);
    }
    taskfit_arena_free(arena);
    return status;
}

taskfit_status taskfit_event_list_read(const char *file, const char *data, size_t len, taskfit_item_text_fn *item, void *arg,
                                       taskfit_error *err) {
    const list_file kind = {.file = file, .what = "events", .maps = true, .item = "an event such as {lose: main-3} or {scale: {web: 4}}"};
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_node *root = NULL;
    taskfit_status status = taskfit_node_read(arena, file, data, len, &root, err);
    if (status == TASKFIT_OK) {
        status = read_list(&kind, root, item, arg, arena, err);
    }
    taskfit_arena_free(arena);
    return status;
}
