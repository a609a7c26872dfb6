/*
 * JSON through cJSON, which gives the structure but is too lenient with what stands inside: it accepts 01, raw
 * control characters, bytes that are not UTF-8, "\u0000", and keeps numbers as doubles only. So the text is
 * scanned first, character by character: the scan refuses all that and notes where each string and number
 * begins. cJSON's tree has them in the same order, so that the walk over it finds each number's own digits.
 */
#include <assert.h>
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "input/reader.h"
#include "input/scalar.h"

struct reader {
    taskfit_arena *arena;   /* of the tree */
    taskfit_arena *scratch; /* of this call */
    const char *file;
    const char *data;
    size_t len;
    taskfit_error *err;
    size_t offset; /* of the scan */
    size_t depth;
    char closers[TASKFIT_NODE_DEPTH_MAX]; /* the brackets due */
    size_t n_values; /* at most so many are in the text */
    uint32_t *tokens; /* offsets of strings (keys too) and numbers */
    size_t n_tokens, tokens_capacity;
    size_t next_token; /* of the walk */
};

static taskfit_position position_at(const struct reader *reader, size_t offset) {
    return taskfit_position_of(reader->file, reader->data, reader->len, offset);
}

#define FAIL(reader, offset, ...) taskfit_fail_at((reader)->err, position_at((reader), (offset)), __VA_ARGS__)

static void note_token(struct reader *reader) {
    TASKFIT_GROW(reader->scratch, reader->tokens, reader->n_tokens, reader->tokens_capacity);
    reader->tokens[reader->n_tokens++] = (uint32_t)reader->offset;
}

/* ---- the scan ---- */

static bool is_hex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* \u and four digits that are not all 0; the offset stands on the backslash. Other escapes are cJSON's business. */
static taskfit_status scan_escape(struct reader *reader) {
    const char *escape = reader->data + reader->offset;
    const size_t left = reader->len - reader->offset;
    if (left < 2 || escape[1] != 'u') {
        reader->offset += left < 2 ? left : 2;
        return TASKFIT_OK;
    }
    if (left < 6 || !is_hex(escape[2]) || !is_hex(escape[3]) || !is_hex(escape[4]) || !is_hex(escape[5])) {
        return FAIL(reader, reader->offset, "not JSON: \\u without four hexadecimal digits");
    }
    if (memcmp(escape, "\\u0000", 6) == 0) {
        return FAIL(reader, reader->offset, "a NUL character in a text");
    }
    reader->offset += 6;
    return TASKFIT_OK;
}

static taskfit_status scan_string(struct reader *reader) {
    const size_t start = reader->offset;
    note_token(reader);
    reader->offset++;
    while (reader->offset < reader->len && reader->data[reader->offset] != '"') {
        const char *c = reader->data + reader->offset;
        const size_t length = taskfit_utf8_length(c, reader->len - reader->offset);
        if (length == 0) {
            return FAIL(reader, reader->offset, "not UTF-8 (save the file as UTF-8)");
        }
        if ((unsigned char)*c < 0x20) {
            return FAIL(reader, reader->offset, "not JSON: a control character in a string (write it as \\u%04x)",
                        (unsigned)(unsigned char)*c);
        }
        if (*c == '\\') {
            const taskfit_status status = scan_escape(reader);
            if (status != TASKFIT_OK) {
                return status;
            }
        } else {
            reader->offset += length;
        }
    }
    if (reader->offset == reader->len) {
        return FAIL(reader, start, "not JSON: a string without an end");
    }
    reader->offset++;
    return TASKFIT_OK;
}

static size_t number_length(const struct reader *reader, size_t offset) {
    size_t length = 0;
    while (offset + length < reader->len && reader->data[offset + length] != '\0' &&
           strchr("0123456789+-.eE", reader->data[offset + length])) {
        length++;
    }
    return length;
}

static taskfit_status scan_number(struct reader *reader) {
    const size_t length = number_length(reader, reader->offset);
    const char *text = reader->data + reader->offset;
    const int n_shown = length < 80 ? (int)length : 80;
    if (!taskfit_is_json_number(text, length)) {
        return FAIL(reader, reader->offset, "not JSON: '%.*s' is not a number", n_shown, text);
    }
    if (!taskfit_is_number_in_range(text, length)) {
        return FAIL(reader, reader->offset, "number '%.*s' is out of range", n_shown, text);
    }
    note_token(reader);
    reader->offset += length;
    return TASKFIT_OK;
}

static taskfit_status scan_punctuation(struct reader *reader) {
    const char c = reader->data[reader->offset];
    if ((unsigned char)c < 0x20 && !taskfit_is_json_blank(c)) {
        return FAIL(reader, reader->offset, "not JSON: a control character");
    }
    if (c == '[' || c == '{') {
        if (reader->depth == TASKFIT_NODE_DEPTH_MAX) {
            return FAIL(reader, reader->offset, "nested deeper than %d levels", TASKFIT_NODE_DEPTH_MAX);
        }
        reader->closers[reader->depth++] = c == '[' ? ']' : '}';
    } else if ((c == ']' || c == '}') && (reader->depth == 0 || reader->closers[--reader->depth] != c)) {
        return FAIL(reader, reader->offset, "not JSON: unexpected '%c'", c);
    }
    if ((c == '[' || c == '{' || c == ',') && ++reader->n_values > TASKFIT_NODES_MAX) {
        return FAIL(reader, reader->offset, "more than %d values", TASKFIT_NODES_MAX);
    }
    reader->offset++;
    return TASKFIT_OK;
}

static taskfit_status scan(struct reader *reader) {
    taskfit_status status = TASKFIT_OK;
    while (status == TASKFIT_OK && reader->offset < reader->len) {
        const char c = reader->data[reader->offset];
        status = c == '"'                             ? scan_string(reader)
                 : c == '-' || (c >= '0' && c <= '9') ? scan_number(reader)
                                                      : scan_punctuation(reader);
    }
    return status;
}

/* ---- the walk ---- */

static size_t take_token(struct reader *reader) {
    assert(reader->next_token < reader->n_tokens);
    return reader->tokens[reader->next_token++];
}

static taskfit_status walk(struct reader *reader, const cJSON *json, taskfit_node **node_out);

/* Whole numbers that were written as 1e3 or 2.0 become 1000 and 2; all others keep their digits. */
static void walk_number(struct reader *reader, const cJSON *json, taskfit_node *node) {
    const double limit = 9007199254740992.0; /* 2^53: beyond it a double skips integers */
    const size_t offset = take_token(reader);
    const size_t length = number_length(reader, offset);
    const char *text = reader->data + offset;
    const double value = json->valuedouble;
    const bool is_written_whole = memchr(text, '.', length) == NULL && memchr(text, 'e', length) == NULL &&
                                  memchr(text, 'E', length) == NULL;
    if (!is_written_whole && fabs(value) <= limit && !(fabs(value - trunc(value)) > 0)) {
        node->text = taskfit_arena_printf(reader->arena, "%" PRId64, (int64_t)value);
    } else {
        node->text = taskfit_arena_strndup(reader->arena, text, length);
    }
}

static taskfit_status walk_list(struct reader *reader, const cJSON *json, taskfit_node *list) {
    taskfit_status status = TASKFIT_OK;
    for (const cJSON *child = json->child; child && status == TASKFIT_OK; child = child->next) {
        taskfit_node *item = NULL;
        status = walk(reader, child, &item);
        if (status == TASKFIT_OK) {
            taskfit_node_append(reader->arena, list, item);
        }
    }
    return status;
}

static taskfit_status walk_map(struct reader *reader, const cJSON *json, taskfit_node *map) {
    const size_t n = (size_t)cJSON_GetArraySize(json);
    size_t *key_offsets = TASKFIT_ARRAY(reader->scratch, n, size_t);
    map->entries = TASKFIT_ARRAY(reader->arena, n, taskfit_entry);
    map->capacity = n;
    for (const cJSON *child = json->child; child; child = child->next) {
        taskfit_entry *entry = &map->entries[map->n];
        key_offsets[map->n++] = take_token(reader);
        entry->key = taskfit_arena_strdup(reader->arena, child->string);
        entry->key_position.file = reader->file;
        const taskfit_status status = walk(reader, child, &entry->value);
        if (status != TASKFIT_OK) {
            return status;
        }
    }
    const taskfit_entry *duplicate = taskfit_node_duplicate(map);
    if (duplicate) {
        return FAIL(reader, key_offsets[duplicate - map->entries], "duplicate key '%s'", duplicate->key);
    }
    return TASKFIT_OK;
}

static taskfit_status walk(struct reader *reader, const cJSON *json, taskfit_node **node_out) {
    taskfit_node *node = TASKFIT_NEW(reader->arena, taskfit_node);
    node->position.file = reader->file;
    node->kind = cJSON_IsObject(json) ? TASKFIT_NODE_MAP : cJSON_IsArray(json) ? TASKFIT_NODE_LIST : TASKFIT_NODE_SCALAR;
    *node_out = node;
    if (node->kind == TASKFIT_NODE_MAP) {
        return walk_map(reader, json, node);
    }
    if (node->kind == TASKFIT_NODE_LIST) {
        return walk_list(reader, json, node);
    }
    if (cJSON_IsNumber(json)) {
        walk_number(reader, json, node);
    } else if (cJSON_IsString(json)) {
        (void)take_token(reader);
        node->quoted = true;
        node->text = taskfit_arena_strdup(reader->arena, json->valuestring);
    } else {
        node->text = cJSON_IsTrue(json) ? "true" : cJSON_IsFalse(json) ? "false" : "null";
    }
    node->n = strlen(node->text);
    return TASKFIT_OK;
}

/* ---- the whole ---- */

static taskfit_status fail_syntax(struct reader *reader, size_t offset) {
    if (reader->depth > 0 && offset + 1 >= reader->len) {
        return FAIL(reader, reader->len, "not JSON: the text ends too early");
    }
    return FAIL(reader, offset, "not JSON: unexpected text");
}

static taskfit_status parse(struct reader *reader, taskfit_node **root_out) {
    const char *end = NULL;
    cJSON *json = cJSON_ParseWithLengthOpts(reader->data, reader->len, &end, 0);
    size_t offset = end ? (size_t)(end - reader->data) : 0;
    if (!json) {
        return fail_syntax(reader, offset);
    }
    while (offset < reader->len && taskfit_is_json_blank(reader->data[offset])) {
        offset++;
    }
    taskfit_node *root = NULL;
    const taskfit_status status = offset < reader->len ? FAIL(reader, offset, "not JSON: text behind the end")
                                                       : walk(reader, json, &root);
    cJSON_Delete(json);
    if (status == TASKFIT_OK) {
        assert(reader->next_token == reader->n_tokens);
        *root_out = root;
    }
    return status;
}

taskfit_status taskfit_node_read_json(taskfit_arena *arena, const char *file, const char *data, size_t len,
                                      taskfit_node **root_out, taskfit_error *err) {
    assert(file && (data || len == 0));
    const taskfit_position whole = {.file = file};
    if (len > TASKFIT_INPUT_BYTES_MAX) {
        return taskfit_fail_at(err, whole, "larger than %d MiB", TASKFIT_INPUT_BYTES_MAX >> 20);
    }
    const size_t bom = taskfit_bom_length(data, len);
    if (len == bom) {
        return taskfit_fail_at(err, whole, "the file is empty");
    }
    assert(data);
    struct reader reader = {.arena = arena,
                            .scratch = taskfit_arena_new(),
                            .file = taskfit_arena_strdup(arena, file),
                            .data = data + bom,
                            .len = len - bom,
                            .err = err};
    taskfit_status status = scan(&reader);
    if (status == TASKFIT_OK) {
        status = parse(&reader, root_out);
    }
    taskfit_arena_free(reader.scratch);
    return status;
}
