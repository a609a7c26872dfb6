/* The program's configuration file: a flat map. */
#include "base/arena.h"
#include "input/node.h"
#include "taskfit/taskfit.h"

static taskfit_status each_setting(const char *file, const taskfit_node *root, taskfit_setting_fn *setting, void *arg,
                                   taskfit_error *err) {
    if (root->kind != TASKFIT_NODE_MAP) {
        taskfit_error_at(err, "%s", file);
        return taskfit_fail(err, TASKFIT_E_INPUT, "a map of settings is expected, not a %s", taskfit_node_kind_name(root));
    }
    taskfit_status status = TASKFIT_OK;
    for (size_t i = 0; i < root->n && status == TASKFIT_OK; i++) {
        const taskfit_entry *entry = &root->entries[i];
        if (entry->value->kind != TASKFIT_NODE_SCALAR || taskfit_node_is_null(entry->value)) {
            taskfit_error_at(err, "%s: %s", file, entry->key);
            return taskfit_fail(err, TASKFIT_E_INPUT, "one value is expected, not a %s", taskfit_node_kind_name(entry->value));
        }
        status = setting(arg, entry->key, entry->value->text, err);
    }
    return status;
}

taskfit_status taskfit_settings_file_read(const char *file, const char *data, size_t len, taskfit_setting_fn *setting,
                                          void *arg, taskfit_error *err) {
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_node *root = NULL;
    taskfit_status status = taskfit_node_read(arena, file, data, len, &root, err);
    if (status == TASKFIT_OK) {
        status = each_setting(file, root, setting, arg, err);
    }
    taskfit_arena_free(arena);
    return status;
}
