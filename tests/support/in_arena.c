#include "unit.h"

#include "in_arena.h"

taskfit_arena *arena;

int arena_set_up(void **state) {
    (void)state;
    arena = taskfit_arena_new();
    return 0;
}

int arena_tear_down(void **state) {
    (void)state;
    taskfit_arena_free(arena);
    return 0;
}

taskfit_node *read_tree(node_reader *reader, const char *file, const char *data, size_t len, taskfit_error *err) {
    taskfit_node *root = NULL;
    *err = (taskfit_error){.status = TASKFIT_OK};
    const taskfit_status status = reader(arena, file, data, len, &root, err);
    ASSERT_INT(err->status, status);
    assert_true(root != NULL ? status == TASKFIT_OK : status == TASKFIT_E_INPUT);
    return root;
}

static taskfit_node *read_or_fail(node_reader *reader, const char *file, const char *text) {
    taskfit_error err;
    taskfit_node *root = read_tree(reader, file, text, strlen(text), &err);
    if (root == NULL) {
        fail_msg("%s: %s in: %s", err.where, err.message, text);
    }
    return root;
}

taskfit_node *yaml(const char *text) {
    return read_or_fail(taskfit_node_read_yaml, "a.yaml", text);
}

taskfit_node *json(const char *text) {
    return read_or_fail(taskfit_node_read_json, "a.json", text);
}
