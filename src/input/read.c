/* Which format a text is in. */
#include <string.h>

#include "input/reader.h"

static bool looks_like_json(const char *data, size_t len) {
    size_t offset = taskfit_bom_length(data, len);
    while (offset < len && taskfit_is_json_blank(data[offset])) {
        offset++;
    }
    return offset < len && (data[offset] == '{' || data[offset] == '[');
}

static bool is_named_yaml(const char *file) {
    const char *ending = strrchr(file, '.');
    return ending && (strcmp(ending, ".yaml") == 0 || strcmp(ending, ".yml") == 0);
}

taskfit_status taskfit_node_read(taskfit_arena *arena, const char *file, const char *data, size_t len,
                                 taskfit_node **root_out, taskfit_error *err) {
    if (!looks_like_json(data, len)) {
        return taskfit_node_read_yaml(arena, file, data, len, root_out, err);
    }
    taskfit_error json_error = {.status = TASKFIT_OK};
    taskfit_error yaml_error = {.status = TASKFIT_OK};
    if (taskfit_node_read_json(arena, file, data, len, root_out, &json_error) == TASKFIT_OK ||
        taskfit_node_read_yaml(arena, file, data, len, root_out, &yaml_error) == TASKFIT_OK) {
        return TASKFIT_OK;
    }
    if (err && err->status == TASKFIT_OK) {
        *err = is_named_yaml(file) ? yaml_error : json_error;
    }
    return TASKFIT_E_INPUT;
}
