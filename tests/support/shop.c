#include "unit.h"

#include <stdlib.h>

#include "base/file.h"
#include "shop.h"

char *shop_file(const char *name, taskfit_arena *arena) {
    taskfit_error err = {0};
    TASKFIT_STRBUF(text);
    if (taskfit_file_read(taskfit_arena_printf(arena, "tests/data/plans/%s", name), 1 << 20, &text, &err) != TASKFIT_OK) {
        fail_msg("%s: %s", name, err.message);
    }
    return taskfit_arena_strndup(arena, text.data, text.len);
}

taskfit_node *shop_json(const char *text, taskfit_arena *arena) {
    taskfit_node *root = NULL;
    taskfit_error err = {0};
    if (taskfit_node_read_json(arena, "json", text, strlen(text), &root, &err) != TASKFIT_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
    return root;
}

taskfit_deployment *shop_deployment(const char *from, const char *to, taskfit_arena *arena) {
    char *text = shop_file("shop.yaml", arena);
    if (from) {
        char *at = strstr(text, from);
        assert_non_null(at);
        text = taskfit_arena_printf(arena, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    }
    taskfit_parse_options options;
    taskfit_parse_options_init(&options);
    taskfit_deployment *deployment = NULL;
    taskfit_error err = {0};
    if (taskfit_deployment_parse("shop.yaml", text, strlen(text), &options, &deployment, &err) != TASKFIT_OK) {
        fail_msg("%s: %s (%s)", err.where, err.message, to ? to : "");
    }
    return deployment;
}

static void remove_item(taskfit_node *list, size_t index) {
    memmove(list->items + index, list->items + index + 1, (list->n - index - 1) * sizeof list->items[0]);
    list->n--;
}

typedef struct step { /* one segment of a path */
    char *key;        /* NULL: an index */
    size_t index;
} step;

static step next_step(const char **path, taskfit_arena *arena) {
    bool is_index = **path == '[';
    *path += is_index || **path == '.';
    size_t len = strcspn(*path, ".[]");
    char *word = taskfit_arena_strndup(arena, *path, len);
    *path += len + (is_index ? 1 : 0);
    return is_index ? (step){NULL, (size_t)strtoul(word, NULL, 10)} : (step){word, 0};
}

static taskfit_node *child_of(const taskfit_node *node, step at) {
    if (!at.key) {
        return at.index < node->n ? node->items[at.index] : NULL;
    }
    for (size_t i = 0; i < node->n; i++) {
        if (strcmp(node->entries[i].key, at.key) == 0) {
            return node->entries[i].value;
        }
    }
    return NULL;
}

void shop_apply(taskfit_node *node, const shop_edit *edit, taskfit_arena *arena) {
    const char *path = edit->path;
    step at = next_step(&path, arena);
    while (*path) {
        node = child_of(node, at);
        assert_non_null(node);
        at = next_step(&path, arena);
    }
    if (edit->value[0] == '+') {
        taskfit_node_append(arena, child_of(node, at), shop_json(edit->value + 1, arena));
    } else if (strcmp(edit->value, "-") == 0 && at.key) {
        assert_true(taskfit_node_remove(node, at.key));
    } else if (strcmp(edit->value, "-") == 0) {
        remove_item(node, at.index);
    } else {
        /* a scalar is no JSON text for the reader, so it comes inside a list */
        taskfit_node *value = shop_json(taskfit_arena_printf(arena, "[%s]", edit->value), arena)->items[0];
        if (at.key) {
            taskfit_node_set(arena, node, at.key, value);
        } else {
            node->items[at.index] = value;
        }
    }
}

taskfit_node *shop_plan(const shop_edit *edits, size_t n_edits, taskfit_arena *arena) {
    taskfit_node *root = shop_json(shop_file("shop.json", arena), arena);
    for (size_t i = 0; i < n_edits && edits[i].path; i++) {
        shop_apply(root, &edits[i], arena);
    }
    return root;
}
