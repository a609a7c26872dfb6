/* Files that are a list of names. */
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

taskfit_status taskfit_order_list_read(const char *file, const char *data, size_t len, taskfit_item_text_fn *item, void *arg,
                                       taskfit_error *err) {
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_node *root = NULL;
    taskfit_status status = taskfit_node_read(arena, file, data, len, &root, err);
    const taskfit_node *list = status == TASKFIT_OK ? order_of(root) : NULL;
    if (list != NULL && list->kind != TASKFIT_NODE_LIST) {
        taskfit_error_at(err, "%s", file);
        status = taskfit_fail(err, TASKFIT_E_INPUT, "a list of services is expected, not a %s", taskfit_node_kind_name(list));
    }
    for (size_t i = 0; status == TASKFIT_OK && i < list->n; i++) {
        if (list->items[i]->kind != TASKFIT_NODE_SCALAR || taskfit_node_is_null(list->items[i])) {
            taskfit_error_at(err, "%s: [%zu]", file, i);
            status = taskfit_fail(err, TASKFIT_E_INPUT, "a service's name is expected, not a %s", taskfit_node_kind_name(list->items[i]));
        } else {
            item(arg, list->items[i]->text);
        }
    }
    taskfit_arena_free(arena);
    return status;
}
