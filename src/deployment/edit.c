#include "deployment/edit.h"

#include <assert.h>
#include <string.h>

#include "deployment/edit_path.h"

/* ---- scenarios ---- */

static const struct operation_row {
    const char *key;
    taskfit_edit_operation operation;
} operations[] = {{"to", TASKFIT_EDIT_SET}, {"add", TASKFIT_EDIT_ADD}, {"scale", TASKFIT_EDIT_SCALE}, {"unset", TASKFIT_EDIT_UNSET}};

enum { N_OPERATIONS = sizeof operations / sizeof *operations };

/* Finds what is to be done; complains of unknown keys and of none or several operations. */
static bool decode_operation(const taskfit_node *item, const char *where, taskfit_diag *diag, taskfit_edit *edit) {
    static const char *const keys[] = {"set", "to", "add", "scale", "unset"};
    size_t n_found = 0;
    bool fine = true;
    for (size_t e = 0; e < item->n; e++) {
        const taskfit_entry *entry = &item->entries[e];
        bool known = strcmp(entry->key, "set") == 0;
        for (size_t o = 0; o < N_OPERATIONS; o++) {
            if (strcmp(entry->key, operations[o].key) == 0) {
                edit->operation = operations[o].operation;
                edit->value = entry->value;
                known = true;
                n_found++;
            }
        }
        if (!known) {
            const char *nearest = taskfit_nearest(entry->key, keys, sizeof keys / sizeof *keys);
            taskfit_diag_add(diag, entry->key_position, where, "unknown key '%s' (%s%s%s)", entry->key,
                             nearest ? "did you mean '" : "an edit has set and to, add, scale or unset", nearest ? nearest : "",
                             nearest ? "'?" : "");
            fine = false;
        }
    }
    if (n_found != 1) {
        taskfit_diag_add(diag, item->position, where, n_found == 0 ? "an edit that says not what to do (add to, add, scale or unset)"
                                                                   : "several of to, add, scale and unset (use an edit for each)");
        fine = false;
    }
    return fine;
}

static bool decode_edit(taskfit_arena *arena, const taskfit_node *item, const char *where, taskfit_diag *diag, taskfit_edit *edit) {
    if (item->kind != TASKFIT_NODE_MAP) {
        taskfit_diag_add(diag, item->position, where, "expected a map such as {set: PATH, to: VALUE}, found a %s",
                         taskfit_node_kind_name(item));
        return false;
    }
    bool fine = decode_operation(item, where, diag, edit);
    const taskfit_node *path = taskfit_node_get(item, "set");
    if (!path || path->kind != TASKFIT_NODE_SCALAR || taskfit_node_is_null(path)) {
        taskfit_diag_add(diag, path ? path->position : item->position, where, "set is missing (the path of what to change)");
        return false;
    }
    taskfit_edit_path parsed;
    taskfit_error err = {0};
    if (taskfit_edit_path_parse(arena, path->text, &parsed, &err) != TASKFIT_OK) {
        taskfit_diag_add(diag, path->position, where, "%s", err.message);
        return false;
    }
    if (fine && edit->operation == TASKFIT_EDIT_UNSET) {
        fine = edit->value->kind == TASKFIT_NODE_SCALAR && !edit->value->quoted && strcmp(edit->value->text, "true") == 0;
        if (!fine) {
            taskfit_diag_add(diag, edit->value->position, where, "unset is true or not there");
        }
        edit->value = NULL;
    }
    edit->path = path->text;
    edit->position = path->position;
    edit->where = where;
    return fine;
}

void taskfit_edits_decode(taskfit_arena *arena, const taskfit_node *list, const char *where, taskfit_diag *diag,
                          const taskfit_edit **edits_out, size_t *n_out) {
    *edits_out = NULL;
    *n_out = 0;
    if (list->kind != TASKFIT_NODE_LIST) {
        taskfit_diag_add(diag, list->position, where, "expected a list of edits, found a %s", taskfit_node_kind_name(list));
        return;
    }
    taskfit_edit *edits = TASKFIT_ARRAY(arena, list->n, taskfit_edit);
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++) {
        taskfit_edit edit = {0};
        if (decode_edit(arena, list->items[i], taskfit_arena_printf(arena, "%s[%zu]", where, i), diag, &edit)) {
            edits[n++] = edit;
        }
    }
    *edits_out = edits;
    *n_out = n;
}

/* ---- the command line ---- */

/* The '=' that ends the path: the first outside quotes. */
static const char *find_equals(const char *text) {
    char quote = '\0';
    for (; *text; text++) {
        if (quote != '\0') {
            if (*text == quote) {
                quote = '\0';
            }
        } else if (*text == '=') {
            return text;
        } else if (*text == '"' || *text == '\'') {
            quote = *text;
        }
    }
    return NULL;
}

/* Lines and columns of an argument help nobody: the argument itself does. */
static void restamp(taskfit_node *node, taskfit_position position) {
    node->position = position;
    for (size_t i = 0; node->kind != TASKFIT_NODE_SCALAR && i < node->n; i++) {
        if (node->kind == TASKFIT_NODE_MAP) {
            node->entries[i].key_position = position;
        }
        restamp(node->kind == TASKFIT_NODE_MAP ? node->entries[i].value : node->items[i], position);
    }
}

taskfit_status taskfit_edit_parse(taskfit_arena *arena, const char *option, const char *text, taskfit_edit *edit_out,
                                  taskfit_error *err) {
    const char *equals = find_equals(text);
    if (!equals) {
        return taskfit_fail(err, TASKFIT_E_INPUT, "no '=' in '%s' (%s PATH=VALUE)", text, option);
    }
    taskfit_edit edit = {.path = taskfit_arena_strndup(arena, text, (size_t)(equals - text)), .where = ""};
    taskfit_edit_path parsed;
    taskfit_status status = taskfit_edit_path_parse(arena, edit.path, &parsed, err);
    if (status != TASKFIT_OK) {
        return status;
    }
    edit.position.file = taskfit_arena_printf(arena, "%s %s", option, text);
    taskfit_node *value = NULL;
    if (strspn(equals + 1, " \t") == strlen(equals + 1)) {
        value = taskfit_node_null(arena);
    } else {
        status = taskfit_node_read_yaml(arena, edit.position.file, equals + 1, strlen(equals + 1), &value, err);
    }
    if (status == TASKFIT_OK) {
        restamp(value, edit.position);
        edit.value = value;
        *edit_out = edit;
    }
    return status;
}
