#ifndef TASKFIT_INPUT_NODE_H
#define TASKFIT_INPUT_NODE_H

/*
 * One tree for all formats: what YAML and JSON become on the way in and what plans, resolved deployments
 * and task definitions are made of on the way out. A scalar keeps its text; what it means is the decoder's
 * decision, by the field's declared type. Nodes live in the arena they were made in and hold positions for
 * error messages. Lists and maps keep the order of the file.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"

typedef enum taskfit_node_kind { TASKFIT_NODE_SCALAR, TASKFIT_NODE_LIST, TASKFIT_NODE_MAP } taskfit_node_kind;

/* Where something stands. line and column count from 1; 0 means unknown (JSON fields, made nodes). */
typedef struct taskfit_position {
    const char *file; /* never NULL in nodes that were read; lives in the tree's arena */
    uint32_t line;
    uint32_t column; /* in characters, not bytes */
} taskfit_position;

typedef struct taskfit_node taskfit_node;

typedef struct taskfit_entry { /* one key of a map */
    const char *key;           /* NUL-terminated; embedded NULs are refused by the readers */
    taskfit_position key_position;
    taskfit_node *value;
} taskfit_entry;

struct taskfit_node {
    taskfit_node_kind kind;
    bool quoted; /* scalar: a string for certain; it never becomes a number, boolean or null */
    taskfit_position position;
    const char *text; /* scalar: NUL-terminated */
    taskfit_node **items; /* list */
    taskfit_entry *entries; /* map; keys are unique */
    size_t n;        /* items, entries or bytes of text */
    size_t capacity; /* of items or entries */
};

/* ---- limits of every reader (DESIGN 9); a breach is TASKFIT_E_INPUT ---- */
enum {
    TASKFIT_INPUT_BYTES_MAX = 64 * 1024 * 1024,
    TASKFIT_NODE_DEPTH_MAX = 64,
    TASKFIT_NODES_MAX = 8 * 1000 * 1000
};

/* ---- readers: node_yaml.c, node_json.c ---- */

/* Reads exactly one YAML document through libyaml's events. Refused, each with file:line:column in
 * err->where: anchors, aliases, merge keys, tags, duplicate keys, non-scalar keys, further documents, an
 * empty document, NUL bytes, bytes that are not UTF-8, the limits above. `file` is only for messages. */
taskfit_status taskfit_node_read_yaml(taskfit_arena *arena, const char *file, const char *data, size_t len,
                                      taskfit_node **root_out, taskfit_error *err) TASKFIT_MUST_USE;
/* Reads one JSON text through cJSON, strictly: no trailing garbage, duplicate keys, NULs, numbers JSON
 * forbids. Syntax errors carry line and column; nodes carry the file only. Strings become quoted scalars. */
taskfit_status taskfit_node_read_json(taskfit_arena *arena, const char *file, const char *data, size_t len,
                                      taskfit_node **root_out, taskfit_error *err) TASKFIT_MUST_USE;
/* JSON when the first byte that is no white space (after a BOM) is '{' or '[' and the text is valid JSON;
 * else YAML (which covers flow mappings that merely look like JSON). A text that starts with '{' or '[' and
 * that neither accepts reports the YAML error for names ending in .yaml or .yml and the JSON error otherwise. */
taskfit_status taskfit_node_read(taskfit_arena *arena, const char *file, const char *data, size_t len,
                                 taskfit_node **root_out, taskfit_error *err) TASKFIT_MUST_USE;

/* ---- writers ---- */

/* Plain scalars that are JSON numbers, true, false or null are written as such, everything else as a
 * string; written through cJSON, formatted, with a final newline. */
void taskfit_node_write_json(const taskfit_node *root, taskfit_strbuf *out);
/* Block style through libyaml, with a final newline. Strings that any YAML 1.1 or 1.2 reader could take for
 * something else (no, 1.10, 0x1, ~, 1e3, 012, dates, leading blanks ...) are quoted, so they survive. */
void taskfit_node_write_yaml(const taskfit_node *root, taskfit_strbuf *out);

/* ---- looking ---- */

const taskfit_node *taskfit_node_get(const taskfit_node *map, const char *key); /* NULL when absent or no map */
/* A plain (unquoted) null: "", "~", "null", "Null", "NULL". */
bool taskfit_node_is_null(const taskfit_node *node);
/* "map", "list", "null" or "scalar" for messages. */
const char *taskfit_node_kind_name(const taskfit_node *node);
/* Same content, positions aside: scalars by text and quotedness, maps by key in any order. */
bool taskfit_node_equal(const taskfit_node *a, const taskfit_node *b);

/* ---- making and changing; strings are copied into the arena ---- */

taskfit_node *taskfit_node_string(taskfit_arena *arena, const char *text); /* quoted; NULL text gives null */
taskfit_node *taskfit_node_int(taskfit_arena *arena, int64_t value);
taskfit_node *taskfit_node_bool(taskfit_arena *arena, bool value);
taskfit_node *taskfit_node_null(taskfit_arena *arena);
taskfit_node *taskfit_node_plain(taskfit_arena *arena, const char *text); /* for decimals such as "0.0312" */
taskfit_node *taskfit_node_list(taskfit_arena *arena);
taskfit_node *taskfit_node_map(taskfit_arena *arena);
taskfit_node *taskfit_node_copy(taskfit_arena *arena, const taskfit_node *node); /* deep; keeps positions */
void taskfit_node_append(taskfit_arena *arena, taskfit_node *list, taskfit_node *item);
/* Replaces the value of an existing key in its place, else appends. value must not be NULL. */
void taskfit_node_set(taskfit_arena *arena, taskfit_node *map, const char *key, taskfit_node *value);
bool taskfit_node_remove(taskfit_node *map, const char *key); /* true if it was there */

#endif
