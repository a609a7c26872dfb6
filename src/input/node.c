#include "input/node.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"

/* ---- looking ---- */

static taskfit_entry *find(const taskfit_node *map, const char *key) {
    for (size_t i = 0; i < map->n; i++) {
        if (strcmp(map->entries[i].key, key) == 0) {
            return &map->entries[i];
        }
    }
    return NULL;
}

const taskfit_node *taskfit_node_get(const taskfit_node *map, const char *key) {
    const taskfit_entry *entry = map && map->kind == TASKFIT_NODE_MAP ? find(map, key) : NULL;
    return entry ? entry->value : NULL;
}

bool taskfit_node_is_null(const taskfit_node *node) {
    static const char *const nulls[] = {"", "~", "null", "Null", "NULL"};
    if (node->kind != TASKFIT_NODE_SCALAR || node->quoted) {
        return false;
    }
    for (size_t i = 0; i < sizeof nulls / sizeof nulls[0]; i++) {
        if (strcmp(node->text, nulls[i]) == 0) {
            return true;
        }
    }
    return false;
}

const char *taskfit_node_kind_name(const taskfit_node *node) {
    switch (node->kind) {
    case TASKFIT_NODE_MAP:
        return "map";
    case TASKFIT_NODE_LIST:
        return "list";
    case TASKFIT_NODE_SCALAR:
        break;
    }
    return taskfit_node_is_null(node) ? "null" : "scalar";
}

static bool maps_equal(const taskfit_node *a, const taskfit_node *b) {
    for (size_t i = 0; i < a->n; i++) {
        /* Most often the order is the same. */
        const taskfit_entry *other = strcmp(a->entries[i].key, b->entries[i].key) == 0 ? &b->entries[i] : find(b, a->entries[i].key);
        if (!other || !taskfit_node_equal(a->entries[i].value, other->value)) {
            return false;
        }
    }
    return true;
}

bool taskfit_node_equal(const taskfit_node *a, const taskfit_node *b) {
    if (a->kind != b->kind || a->n != b->n) {
        return false;
    }
    if (a->kind == TASKFIT_NODE_SCALAR) {
        return a->quoted == b->quoted && strcmp(a->text, b->text) == 0;
    }
    if (a->kind == TASKFIT_NODE_MAP) {
        return maps_equal(a, b);
    }
    for (size_t i = 0; i < a->n; i++) {
        if (!taskfit_node_equal(a->items[i], b->items[i])) {
            return false;
        }
    }
    return true;
}

/* ---- making ---- */

static taskfit_node *make(taskfit_arena *arena, taskfit_node_kind kind) {
    taskfit_node *node = TASKFIT_NEW(arena, taskfit_node);
    node->kind = kind;
    return node;
}

/* File names and arguments may hold any bytes; a tree holds UTF-8 only, so that every writer can rely on it. */
static const char *copy_text(taskfit_arena *arena, const char *text) {
    const size_t len = strlen(text);
    size_t valid = taskfit_utf8_valid(text, len);
    if (valid == len) {
        return taskfit_arena_strndup(arena, text, len);
    }
    TASKFIT_STRBUF(clean);
    size_t offset = 0;
    while (offset < len) {
        taskfit_strbuf_add(&clean, text + offset, valid);
        offset += valid;
        if (offset < len) {
            taskfit_strbuf_adds(&clean, "\xef\xbf\xbd"); /* U+FFFD, the replacement character */
            offset++;
        }
        valid = taskfit_utf8_valid(text + offset, len - offset);
    }
    return taskfit_arena_strndup(arena, clean.data, clean.len);
}

static taskfit_node *scalar(taskfit_arena *arena, const char *text, bool quoted) {
    taskfit_node *node = make(arena, TASKFIT_NODE_SCALAR);
    node->text = copy_text(arena, text);
    node->n = strlen(node->text);
    node->quoted = quoted;
    return node;
}

taskfit_node *taskfit_node_string(taskfit_arena *arena, const char *text) {
    return text ? scalar(arena, text, true) : taskfit_node_null(arena);
}

taskfit_node *taskfit_node_int(taskfit_arena *arena, int64_t value) {
    return scalar(arena, taskfit_arena_printf(arena, "%" PRId64, value), false);
}

taskfit_node *taskfit_node_bool(taskfit_arena *arena, bool value) {
    return scalar(arena, value ? "true" : "false", false);
}

taskfit_node *taskfit_node_null(taskfit_arena *arena) {
    return scalar(arena, "null", false);
}

taskfit_node *taskfit_node_plain(taskfit_arena *arena, const char *text) {
    return scalar(arena, text, false);
}

taskfit_node *taskfit_node_list(taskfit_arena *arena) {
    return make(arena, TASKFIT_NODE_LIST);
}

taskfit_node *taskfit_node_map(taskfit_arena *arena) {
    return make(arena, TASKFIT_NODE_MAP);
}

static const char *copy_file(taskfit_arena *arena, const char *file) {
    return file ? taskfit_arena_strdup(arena, file) : NULL;
}

/* `file` is the copy of the root's file name, shared by all nodes that stand in the same file. */
static taskfit_node *copy_node(taskfit_arena *arena, const taskfit_node *node, const char *original, const char *file) {
    taskfit_node *copy = TASKFIT_NEW(arena, taskfit_node);
    *copy = *node;
    copy->capacity = node->n;
    copy->position.file = node->position.file == original ? file : copy_file(arena, node->position.file);
    if (node->kind == TASKFIT_NODE_SCALAR) {
        copy->text = taskfit_arena_strndup(arena, node->text, node->n);
    } else if (node->kind == TASKFIT_NODE_LIST) {
        copy->items = TASKFIT_ARRAY(arena, node->n, taskfit_node *);
        for (size_t i = 0; i < node->n; i++) {
            copy->items[i] = copy_node(arena, node->items[i], original, file);
        }
    } else {
        copy->entries = TASKFIT_ARRAY(arena, node->n, taskfit_entry);
        for (size_t i = 0; i < node->n; i++) {
            const taskfit_entry *entry = &node->entries[i];
            taskfit_entry *other = &copy->entries[i];
            *other = *entry;
            other->key = taskfit_arena_strdup(arena, entry->key);
            other->key_position.file = entry->key_position.file == original ? file : copy_file(arena, entry->key_position.file);
            other->value = copy_node(arena, entry->value, original, file);
        }
    }
    return copy;
}

taskfit_node *taskfit_node_copy(taskfit_arena *arena, const taskfit_node *node) {
    return copy_node(arena, node, node->position.file, copy_file(arena, node->position.file));
}

/* ---- changing ---- */

void taskfit_node_append(taskfit_arena *arena, taskfit_node *list, taskfit_node *item) {
    assert(list->kind == TASKFIT_NODE_LIST && item);
    TASKFIT_GROW(arena, list->items, list->n, list->capacity);
    list->items[list->n++] = item;
}

void taskfit_node_set(taskfit_arena *arena, taskfit_node *map, const char *key, taskfit_node *value) {
    assert(map->kind == TASKFIT_NODE_MAP && key && value);
    taskfit_entry *entry = find(map, key);
    if (!entry) {
        TASKFIT_GROW(arena, map->entries, map->n, map->capacity);
        entry = &map->entries[map->n++];
        *entry = (taskfit_entry){.key = copy_text(arena, key)};
    }
    entry->value = value;
}

bool taskfit_node_remove(taskfit_node *map, const char *key) {
    assert(map->kind == TASKFIT_NODE_MAP);
    taskfit_entry *entry = find(map, key);
    if (!entry) {
        return false;
    }
    const size_t behind = map->n - (size_t)(entry - map->entries) - 1;
    memmove(entry, entry + 1, behind * sizeof *entry);
    map->n--;
    return true;
}
