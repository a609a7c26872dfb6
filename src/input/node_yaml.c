/*
 * YAML through libyaml's events. The document API would keep duplicate keys, expand nothing, and take time
 * that grows with the square of the depth; with events a depth limit stops a file of brackets at once.
 */
#include <assert.h>
#include <string.h>
#include <yaml.h>

#include "base/utf8.h"
#include "input/reader.h"

/* A list or map that is being filled. */
struct level {
    taskfit_node *node;
    bool has_key; /* map: the key of the next value was read */
    taskfit_entry entry;
};

struct reader {
    taskfit_arena *arena;
    const char *file;
    const char *data;
    size_t len;
    taskfit_error *err;
    yaml_parser_t parser;
    taskfit_node *root;
    size_t n_nodes;
    size_t depth;
    struct level levels[TASKFIT_NODE_DEPTH_MAX];
};

static taskfit_position position_of(const struct reader *reader, yaml_mark_t mark) {
    return (taskfit_position){.file = reader->file, .line = (uint32_t)mark.line + 1, .column = (uint32_t)mark.column + 1};
}

/* libyaml's own complaint. Errors of its reader (bytes) know an offset only, all others a mark. */
static taskfit_status fail_parser(const struct reader *reader) {
    const yaml_parser_t *parser = &reader->parser;
    if (parser->error == YAML_MEMORY_ERROR) {
        taskfit_oom();
    }
    if (parser->error == YAML_READER_ERROR) {
        const size_t valid = taskfit_utf8_valid(reader->data, reader->len);
        const bool is_utf8 = parser->problem_offset < valid;
        const size_t offset = is_utf8 ? parser->problem_offset : valid;
        return taskfit_fail_at(reader->err, taskfit_position_of(reader->file, reader->data, reader->len, offset), "%s",
                               is_utf8 ? "a character that YAML does not allow (remove it)" : "not UTF-8 (save the file as UTF-8)");
    }
    const taskfit_position position = position_of(reader, parser->problem_mark);
    if (!parser->context) {
        return taskfit_fail_at(reader->err, position, "not YAML: %s", parser->problem);
    }
    return taskfit_fail_at(reader->err, position, "not YAML: %s %s (begun in line %zu)", parser->problem, parser->context,
                           parser->context_mark.line + 1);
}

/* `! 12` asks for a string, but libyaml drops that tag; what it cannot hide is that the source is longer. */
static bool has_hidden_tag(const yaml_event_t *event) {
    if (event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE) {
        return event->data.scalar.plain_implicit;
    }
    const char *text = (const char *)event->data.scalar.value;
    if (event->start_mark.line != event->end_mark.line) {
        return strpbrk(text, " \n") == NULL;
    }
    size_t n_characters = 0;
    for (size_t i = 0; i < event->data.scalar.length; i++) {
        n_characters += ((unsigned char)text[i] & 0xc0) != 0x80;
    }
    return event->end_mark.index - event->start_mark.index != n_characters;
}

/* What this reader refuses in any node, whatever its kind. */
static taskfit_status check_properties(struct reader *reader, const yaml_event_t *event, const yaml_char_t *anchor,
                                       bool has_tag) {
    const taskfit_position position = position_of(reader, event->start_mark);
    if (anchor) {
        return taskfit_fail_at(reader->err, position, "anchor '&%s' is not supported (repeat the value, or use defaults)",
                               (const char *)anchor);
    }
    if (has_tag) {
        return taskfit_fail_at(reader->err, position, "tags such as '!!str' are not supported (remove the tag)");
    }
    if (++reader->n_nodes > TASKFIT_NODES_MAX) {
        return taskfit_fail_at(reader->err, position, "more than %d values", TASKFIT_NODES_MAX);
    }
    return TASKFIT_OK;
}

/* Puts a finished scalar, or a list or map just opened, where it belongs. */
static taskfit_status place(struct reader *reader, taskfit_node *node) {
    if (reader->depth == 0) {
        assert(!reader->root);
        reader->root = node;
        return TASKFIT_OK;
    }
    struct level *level = &reader->levels[reader->depth - 1];
    taskfit_node *parent = level->node;
    if (parent->kind == TASKFIT_NODE_LIST) {
        taskfit_node_append(reader->arena, parent, node);
    } else if (level->has_key) {
        level->entry.value = node;
        TASKFIT_GROW(reader->arena, parent->entries, parent->n, parent->capacity);
        parent->entries[parent->n++] = level->entry;
        level->has_key = false;
    } else if (node->kind != TASKFIT_NODE_SCALAR) {
        return taskfit_fail_at(reader->err, node->position, "a %s cannot be a key (quote it if it is meant as text)",
                               taskfit_node_kind_name(node));
    } else if (!node->quoted && strcmp(node->text, "<<") == 0) {
        return taskfit_fail_at(reader->err, node->position, "merge keys '<<' are not supported (repeat the values, or use defaults)");
    } else {
        level->entry = (taskfit_entry){.key = node->text, .key_position = node->position};
        level->has_key = true;
    }
    return TASKFIT_OK;
}

static taskfit_status read_scalar(struct reader *reader, const yaml_event_t *event) {
    const char *text = (const char *)event->data.scalar.value;
    const size_t len = event->data.scalar.length;
    const taskfit_status status =
        check_properties(reader, event, event->data.scalar.anchor, event->data.scalar.tag || has_hidden_tag(event));
    if (status != TASKFIT_OK) {
        return status;
    }
    if (strlen(text) != len) {
        return taskfit_fail_at(reader->err, position_of(reader, event->start_mark), "a NUL character in a text");
    }
    taskfit_node *node = TASKFIT_NEW(reader->arena, taskfit_node);
    node->kind = TASKFIT_NODE_SCALAR;
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    node->position = position_of(reader, event->start_mark);
    node->text = taskfit_arena_strndup(reader->arena, text, len);
    node->n = len;
    return place(reader, node);
}

static taskfit_status open_level(struct reader *reader, const yaml_event_t *event) {
    const bool is_map = event->type == YAML_MAPPING_START_EVENT;
    taskfit_status status =
        is_map ? check_properties(reader, event, event->data.mapping_start.anchor, event->data.mapping_start.tag != NULL)
               : check_properties(reader, event, event->data.sequence_start.anchor, event->data.sequence_start.tag != NULL);
    if (status != TASKFIT_OK) {
        return status;
    }
    taskfit_node *node = is_map ? taskfit_node_map(reader->arena) : taskfit_node_list(reader->arena);
    node->position = position_of(reader, event->start_mark);
    if (reader->depth == TASKFIT_NODE_DEPTH_MAX) {
        return taskfit_fail_at(reader->err, node->position, "nested deeper than %d levels", TASKFIT_NODE_DEPTH_MAX);
    }
    status = place(reader, node);
    if (status == TASKFIT_OK) {
        reader->levels[reader->depth++] = (struct level){.node = node};
    }
    return status;
}

static taskfit_status close_level(struct reader *reader) {
    assert(reader->depth > 0);
    const struct level *level = &reader->levels[--reader->depth];
    assert(!level->has_key);
    if (level->node->kind != TASKFIT_NODE_MAP) {
        return TASKFIT_OK;
    }
    const taskfit_entry *duplicate = taskfit_node_duplicate(level->node);
    if (!duplicate) {
        return TASKFIT_OK;
    }
    const taskfit_entry *first = level->node->entries;
    while (strcmp(first->key, duplicate->key) != 0) {
        first++;
    }
    return taskfit_fail_at(reader->err, duplicate->key_position, "duplicate key '%s' (first in line %u)", duplicate->key,
                           first->key_position.line);
}

static taskfit_status read_event(struct reader *reader, const yaml_event_t *event) {
    const taskfit_position position = position_of(reader, event->start_mark);
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return read_scalar(reader, event);
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        return open_level(reader, event);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return close_level(reader);
    case YAML_ALIAS_EVENT:
        return taskfit_fail_at(reader->err, position, "alias '*%s' is not supported (repeat the value, or use defaults)",
                               (const char *)event->data.alias.anchor);
    case YAML_DOCUMENT_START_EVENT:
        return reader->root ? taskfit_fail_at(reader->err, position, "a second document (keep one per file)") : TASKFIT_OK;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
    case YAML_DOCUMENT_END_EVENT:
        break;
    }
    return TASKFIT_OK;
}

static taskfit_status read_events(struct reader *reader) {
    taskfit_status status = TASKFIT_OK;
    bool at_end = false;
    while (status == TASKFIT_OK && !at_end) {
        yaml_event_t event;
        if (!yaml_parser_parse(&reader->parser, &event)) {
            return fail_parser(reader);
        }
        at_end = event.type == YAML_STREAM_END_EVENT;
        status = read_event(reader, &event);
        yaml_event_delete(&event);
    }
    if (status == TASKFIT_OK && (!reader->root || (taskfit_node_is_null(reader->root) && reader->root->n == 0))) {
        return taskfit_fail_at(reader->err, (taskfit_position){.file = reader->file}, "the file is empty");
    }
    return status;
}

taskfit_status taskfit_node_read_yaml(taskfit_arena *arena, const char *file, const char *data, size_t len,
                                      taskfit_node **root_out, taskfit_error *err) {
    assert(file && (data || len == 0));
    struct reader reader = {.arena = arena, .file = taskfit_arena_strdup(arena, file), .err = err};
    if (len > TASKFIT_INPUT_BYTES_MAX) {
        return taskfit_fail_at(err, (taskfit_position){.file = file}, "larger than %d MiB", TASKFIT_INPUT_BYTES_MAX >> 20);
    }
    /* libyaml would count a byte order mark as a column. */
    const size_t bom = taskfit_bom_length(data, len);
    reader.data = len > 0 ? data + bom : "";
    reader.len = len - bom;
    if (!yaml_parser_initialize(&reader.parser)) {
        taskfit_oom();
    }
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING); /* else it would guess UTF-16 */
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)reader.data, reader.len);
    const taskfit_status status = read_events(&reader);
    yaml_parser_delete(&reader.parser);
    if (status == TASKFIT_OK) {
        *root_out = reader.root;
    }
    return status;
}
