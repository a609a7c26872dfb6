#include "input/decode.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/units.h"

/* ---- places ---- */

static void add_path(const taskfit_path *path, taskfit_strbuf *out) {
    if (!path) {
        return;
    }
    add_path(path->up, out);
    if (!path->key) {
        taskfit_strbuf_printf(out, "[%zu]", path->index);
    } else {
        taskfit_strbuf_printf(out, "%s%s", path->up ? "." : "", path->key);
    }
}

const char *taskfit_decode_path(const taskfit_decoder *decoder) {
    TASKFIT_STRBUF(path);
    add_path(decoder->path, &path);
    return taskfit_arena_strndup(decoder->arena, path.data, path.len);
}

static void add_defect(const taskfit_decoder *decoder, const taskfit_path *at, taskfit_position position,
                       const char *format, va_list args) TASKFIT_PRINTF(4, 0);

static void add_defect(const taskfit_decoder *decoder, const taskfit_path *at, taskfit_position position,
                       const char *format, va_list args) {
    TASKFIT_STRBUF(path);
    add_path(at, &path);
    char message[1024];
    (void)vsnprintf(message, sizeof message, format, args);
    taskfit_diag_add(decoder->diag, position, path.data, "%s", message);
}

void taskfit_decode_defect(const taskfit_decoder *decoder, taskfit_position position, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add_defect(decoder, decoder->path, position, format, args);
    va_end(args);
}

void taskfit_decode_defect_at(const taskfit_decoder *decoder, const taskfit_node *map, const char *key,
                              const char *format, ...) {
    const taskfit_path path = {.up = decoder->path, .key = key};
    const taskfit_node *value = taskfit_node_get(map, key);
    va_list args;
    va_start(args, format);
    add_defect(decoder, value ? &path : decoder->path, value ? value->position : map->position, format, args);
    va_end(args);
}

/* Far beyond what is shown nobody reads hints, and looking for them in a long file with many defects takes its time. */
static bool hints_are_read(const taskfit_decoder *decoder) {
    return taskfit_diag_count(decoder->diag) < 5 * TASKFIT_DIAG_SHOWN;
}

static const char *kind_phrase(taskfit_node_kind kind) {
    switch (kind) {
    case TASKFIT_NODE_MAP: return "a map";
    case TASKFIT_NODE_LIST: return "a list";
    case TASKFIT_NODE_SCALAR: break;
    }
    return "a single value";
}

bool taskfit_decode_is(const taskfit_decoder *decoder, const taskfit_node *node, taskfit_node_kind kind) {
    if (node->kind != kind) {
        taskfit_decode_defect(decoder, node->position, "must be %s, not %s", kind_phrase(kind),
                              kind_phrase(node->kind));
    }
    return node->kind == kind;
}

/* ---- maps and lists ---- */

bool taskfit_decode_given(const taskfit_node *map, const char *key) {
    const taskfit_node *value = taskfit_node_get(map, key);
    return value && !taskfit_node_is_null(value);
}

static const taskfit_field *find_field(const taskfit_field *fields, size_t n_fields, const char *key) {
    for (size_t i = 0; i < n_fields; i++) {
        if (strcmp(fields[i].key, key) == 0) {
            return &fields[i];
        }
    }
    return NULL;
}

static void add_unknown_key(const taskfit_decoder *decoder, const taskfit_entry *entry, const taskfit_field *fields,
                            size_t n_fields) {
    const char *keys[64];
    if (!hints_are_read(decoder)) {
        return;
    }
    for (size_t i = 0; i < n_fields; i++) {
        keys[i] = fields[i].key;
    }
    const char *nearest = taskfit_nearest(entry->key, keys, n_fields);
    if (nearest) {
        taskfit_decode_defect(decoder, entry->key_position, "unknown key '%s' (did you mean '%s'?)", entry->key,
                              nearest);
        return;
    }
    TASKFIT_STRBUF(known);
    for (size_t i = 0; i < n_fields; i++) {
        taskfit_strbuf_printf(&known, "%s%s", i ? ", " : "", keys[i]);
    }
    taskfit_decode_defect(decoder, entry->key_position, "unknown key '%s' (known here: %s)", entry->key, known.data);
}

bool taskfit_decode_map(taskfit_decoder *decoder, taskfit_node *map, const taskfit_field *fields, size_t n_fields,
                        void *object) {
    assert(n_fields <= 64);
    if (!taskfit_decode_is(decoder, map, TASKFIT_NODE_MAP)) {
        return false;
    }
    uint64_t seen = 0;
    for (size_t i = 0; i < map->n; i++) {
        const taskfit_entry *entry = &map->entries[i];
        const taskfit_field *field = find_field(fields, n_fields, entry->key);
        if (!field) {
            add_unknown_key(decoder, entry, fields, n_fields);
        } else if (!taskfit_node_is_null(entry->value)) {
            const taskfit_path path = {.up = decoder->path, .key = entry->key};
            seen |= UINT64_C(1) << (field - fields);
            decoder->path = &path;
            field->read(decoder, field, entry->value, object);
            decoder->path = path.up;
        }
    }
    for (size_t i = 0; i < n_fields; i++) {
        if (fields[i].required && !(seen >> i & 1)) {
            taskfit_decode_defect(decoder, map->position, "'%s' is missing%s%s%s", fields[i].key,
                                  fields[i].remedy ? " (" : "", fields[i].remedy ? fields[i].remedy : "",
                                  fields[i].remedy ? ")" : "");
        }
    }
    return true;
}

size_t taskfit_decode_size(const taskfit_node *list) {
    return list && list->kind == TASKFIT_NODE_LIST ? list->n : 0;
}

void taskfit_decode_items(taskfit_decoder *decoder, taskfit_node *list, taskfit_item_fn *read, void *arg) {
    if (!list || taskfit_node_is_null(list) || !taskfit_decode_is(decoder, list, TASKFIT_NODE_LIST)) {
        return;
    }
    for (size_t i = 0; i < list->n; i++) {
        const taskfit_path path = {.up = decoder->path, .index = i};
        decoder->path = &path;
        read(decoder, list->items[i], i, arg);
        decoder->path = path.up;
    }
}

/* ---- scalars ---- */

/* The member; through void *, as offsetof keeps it aligned. */
static void *member(void *object, const taskfit_field *field) {
    return (char *)object + field->offset;
}

static void set_text(taskfit_node *node, const char *text, bool quoted) {
    node->text = text;
    node->n = strlen(text);
    node->quoted = quoted;
}

static bool is_value(const taskfit_decoder *decoder, const taskfit_node *node, const char *what) {
    if (node->kind != TASKFIT_NODE_SCALAR) {
        taskfit_decode_defect(decoder, node->position, "must be %s, not %s", what, kind_phrase(node->kind));
        return false;
    }
    if (taskfit_node_is_null(node)) {
        taskfit_decode_defect(decoder, node->position, "must be %s, not null", what);
        return false;
    }
    return true;
}

void taskfit_decode_node(taskfit_decoder *decoder TASKFIT_UNUSED, const taskfit_field *field, taskfit_node *value,
                         void *object) {
    *(taskfit_node **)member(object, field) = value;
}

void taskfit_decode_ignored(taskfit_decoder *decoder TASKFIT_UNUSED, const taskfit_field *field TASKFIT_UNUSED,
                            taskfit_node *value TASKFIT_UNUSED, void *object TASKFIT_UNUSED) {
}

void taskfit_decode_string(taskfit_decoder *decoder, const taskfit_field *field, taskfit_node *value, void *object) {
    if (is_value(decoder, value, "a string")) {
        value->quoted = true;
        *(const char **)member(object, field) = value->text;
    }
}

bool taskfit_decode_text_of(const taskfit_decoder *decoder, taskfit_node *node, const char **text_out) {
    if (!is_value(decoder, node, "a string")) {
        return false;
    }
    if (node->n == 0) {
        taskfit_decode_defect(decoder, node->position, "must not be empty");
        return false;
    }
    node->quoted = true;
    *text_out = node->text;
    return true;
}

void taskfit_decode_text(taskfit_decoder *decoder, const taskfit_field *field, taskfit_node *value, void *object) {
    (void)taskfit_decode_text_of(decoder, value, (const char **)member(object, field));
}

bool taskfit_decode_name_of(const taskfit_decoder *decoder, taskfit_node *node, const char **name_out) {
    const char *name = NULL;
    if (!taskfit_decode_text_of(decoder, node, &name)) {
        return false;
    }
    const size_t n_good = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-");
    if (n_good < node->n) {
        taskfit_decode_defect(decoder, node->position, "'%.80s' is not a name (use letters, digits, '-' and '_')",
                              name);
        return false;
    }
    if (node->n > 255) {
        taskfit_decode_defect(decoder, node->position, "the name '%.20s...' has %zu characters (at most 255)", name,
                              node->n);
        return false;
    }
    *name_out = name;
    return true;
}

void taskfit_decode_name(taskfit_decoder *decoder, const taskfit_field *field, taskfit_node *value, void *object) {
    (void)taskfit_decode_name_of(decoder, value, (const char **)member(object, field));
}

void taskfit_decode_bool(taskfit_decoder *decoder, const taskfit_field *field, taskfit_node *value, void *object) {
    if (!is_value(decoder, value, "true or false")) {
        return;
    }
    const bool yes = strcmp(value->text, "true") == 0;
    if (value->quoted || (!yes && strcmp(value->text, "false") != 0)) {
        taskfit_decode_defect(decoder, value->position,
                              "'%.80s' is neither true nor false (write true or false, unquoted)", value->text);
        return;
    }
    *(bool *)member(object, field) = yes;
}

/* ---- numbers ---- */

typedef bool parse_fn(const taskfit_field *field, const taskfit_node *value, int64_t *number_out, const char **why_out);

static bool parse_count(const taskfit_field *field, const taskfit_node *value, int64_t *number_out,
                        const char **why_out) {
    const bool unbounded = field->low == 0 && field->high == 0;
    if (value->quoted) {
        *why_out = "a string, not a number (write it without quotes)";
        return false;
    }
    return taskfit_parse_count(value->text, value->n, field->low, unbounded ? TASKFIT_QUANTITY_MAX : field->high,
                               number_out, why_out);
}

static bool parse_memory_up(const taskfit_field *field TASKFIT_UNUSED, const taskfit_node *value, int64_t *number_out,
                            const char **why_out) {
    return taskfit_parse_memory_mib(value->text, value->n, TASKFIT_ROUND_UP, number_out, why_out);
}

static bool parse_memory_down(const taskfit_field *field TASKFIT_UNUSED, const taskfit_node *value, int64_t *number_out,
                              const char **why_out) {
    return taskfit_parse_memory_mib(value->text, value->n, TASKFIT_ROUND_DOWN, number_out, why_out);
}

static bool parse_cpu_up(const taskfit_field *field TASKFIT_UNUSED, const taskfit_node *value, int64_t *number_out,
                         const char **why_out) {
    return taskfit_parse_cpu_units(value->text, value->n, TASKFIT_ROUND_UP, number_out, why_out);
}

static bool parse_usd(const taskfit_field *field TASKFIT_UNUSED, const taskfit_node *value, int64_t *number_out,
                      const char **why_out) {
    return taskfit_parse_usd_micros(value->text, value->n, number_out, why_out);
}

typedef struct number_kind {
    const char *what;    /* "must be WHAT", "is not WHAT from ... to ..." */
    const char *example; /* for those who wrote no number at all */
    parse_fn *parse;
} number_kind;

static const number_kind count_kind = {"a whole number", "2", parse_count};
static const number_kind memory_up_kind = {"an amount of memory", "512 or 2Gi", parse_memory_up};
static const number_kind memory_down_kind = {"an amount of memory", "512 or 2Gi", parse_memory_down};
static const number_kind cpu_up_kind = {"an amount of CPU", "512 or 0.5 vCPU", parse_cpu_up};
static const number_kind usd_kind = {"a price in dollars", "0.4284", parse_usd};

/* Parses, checks the field's range where it has one, stores; true when done. */
static bool read_number(const taskfit_decoder *decoder, const taskfit_field *field, const taskfit_node *value,
                        void *object, const number_kind *kind) {
    int64_t number = 0;
    const char *why = NULL;
    const int64_t high = field->high > 0 ? field->high : TASKFIT_QUANTITY_MAX;
    if (!is_value(decoder, value, kind->what)) {
        return false;
    }
    const bool parsed = kind->parse(field, value, &number, &why);
    if (parsed && number >= field->low && number <= high) {
        *(int64_t *)member(object, field) = number;
        return true;
    }
    if (!parsed && strchr(why, '(')) { /* it says what to do */
        taskfit_decode_defect(decoder, value->position, "'%.80s': %s", value->text, why);
    } else if (parsed || kind == &count_kind) {
        taskfit_decode_defect(decoder, value->position, "'%.80s' is not %s from %lld to %lld", value->text, kind->what,
                              (long long)field->low, (long long)high);
    } else {
        taskfit_decode_defect(decoder, value->position, "'%.80s': %s (%s, for example %s)", value->text, why,
                              kind->what, kind->example);
    }
    return false;
}

static void read_quantity(const taskfit_decoder *decoder, const taskfit_field *field, taskfit_node *value, void *object,
                          const number_kind *kind) {
    if (read_number(decoder, field, value, object, kind)) {
        const int64_t number = *(const int64_t *)member(object, field);
        set_text(value, taskfit_arena_printf(decoder->arena, "%lld", (long long)number), false);
    }
}

void taskfit_decode_count(taskfit_decoder *decoder, const taskfit_field *field, taskfit_node *value, void *object) {
    read_quantity(decoder, field, value, object, &count_kind);
}

void taskfit_decode_memory_up(taskfit_decoder *decoder, const taskfit_field *field, taskfit_node *value, void *object) {
    read_quantity(decoder, field, value, object, &memory_up_kind);
}

void taskfit_decode_memory_down(taskfit_decoder *decoder, const taskfit_field *field, taskfit_node *value,
                                void *object) {
    read_quantity(decoder, field, value, object, &memory_down_kind);
}

void taskfit_decode_cpu_up(taskfit_decoder *decoder, const taskfit_field *field, taskfit_node *value, void *object) {
    read_quantity(decoder, field, value, object, &cpu_up_kind);
}

void taskfit_decode_usd(taskfit_decoder *decoder, const taskfit_field *field, taskfit_node *value, void *object) {
    if (read_number(decoder, field, value, object, &usd_kind)) {
        TASKFIT_STRBUF(text);
        taskfit_add_usd_per_hour(&text, *(const int64_t *)member(object, field));
        set_text(value, taskfit_arena_strndup(decoder->arena, text.data, text.len), false);
    }
}

void taskfit_decode_percent_text(taskfit_decoder *decoder, const taskfit_field *field, taskfit_node *value,
                                 void *object) {
    int64_t millionths = 0;
    const char *why = NULL;
    if (!is_value(decoder, value, "a percentage")) {
        return;
    }
    if (!taskfit_parse_usd_micros(value->text, value->n, &millionths, &why) || millionths > 100 * 1000000) {
        taskfit_decode_defect(decoder, value->position, "'%.80s' is not a percentage (a number from 0 to 100)",
                              value->text);
        return;
    }
    value->quoted = true; /* so that no writer of numbers drops the ".0" that the Java VM wants */
    *(const char **)member(object, field) = value->text;
}

/* ---- words ---- */

bool taskfit_decode_word_of(const taskfit_decoder *decoder, taskfit_node *node, const taskfit_word *words,
                            int *value_out) {
    if (!is_value(decoder, node, "a word")) {
        return false;
    }
    TASKFIT_STRBUF(known);
    for (const taskfit_word *word = words; word->text; word++) {
        if (strcmp(word->text, node->text) == 0) {
            node->quoted = true;
            *value_out = word->value;
            return true;
        }
        taskfit_strbuf_printf(&known, "%s%s", word == words ? "" : ", ", word->text);
    }
    taskfit_decode_defect(decoder, node->position, "'%.80s' is not known here (one of: %s)", node->text, known.data);
    return false;
}

void taskfit_decode_word(taskfit_decoder *decoder, const taskfit_field *field, taskfit_node *value, void *object) {
    (void)taskfit_decode_word_of(decoder, value, field->words, (int *)member(object, field));
}

const char *taskfit_word_text(const taskfit_word *words, int value) {
    while (words->text && words->value != value) {
        words++;
    }
    assert(words->text);
    return words->text;
}

/* ---- names ---- */

taskfit_named taskfit_named_here(const taskfit_decoder *decoder, const char *name, size_t index,
                                 taskfit_position position) {
    return (taskfit_named){.name = name, .index = index, .position = position, .path = taskfit_decode_path(decoder)};
}

static int compare_names(const void *left, const void *right) {
    const taskfit_named *a = left;
    const taskfit_named *b = right;
    const int order = strcmp(a->name, b->name);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

void taskfit_names_sort(const taskfit_decoder *decoder, taskfit_named *names, size_t n_names, const char *what) {
    if (n_names > 1) {
        qsort(names, n_names, sizeof *names, compare_names);
    }
    size_t first = 0;
    for (size_t i = 1; i < n_names; i++) {
        if (strcmp(names[i].name, names[first].name) != 0) {
            first = i;
            continue;
        }
        const taskfit_position *place = &names[first].position;
        TASKFIT_STRBUF(where);
        if (place->line > 0) {
            taskfit_strbuf_printf(&where, "%s:%u:%u", place->file, place->line, place->column);
        } else {
            taskfit_strbuf_printf(&where, "%s", names[first].path);
        }
        taskfit_diag_add(decoder->diag, names[i].position, names[i].path, "%s '%s' is given twice (first at %s)", what,
                         names[i].name, where.data);
    }
}

const taskfit_named *taskfit_names_find(const taskfit_named *names, size_t n_names, const char *name) {
    size_t low = 0;
    size_t high = n_names;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(names[middle].name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < n_names && strcmp(names[low].name, name) == 0 ? &names[low] : NULL;
}

const char *taskfit_names_hint(const taskfit_decoder *decoder, const taskfit_named *names, size_t n_names,
                               const char *name) {
    if (!hints_are_read(decoder)) {
        return "";
    }
    const char **candidates = TASKFIT_ARRAY(decoder->arena, n_names, const char *);
    for (size_t i = 0; i < n_names; i++) {
        candidates[i] = names[i].name;
    }
    const char *nearest = taskfit_nearest(name, candidates, n_names);
    return nearest ? taskfit_arena_printf(decoder->arena, " (did you mean '%s'?)", nearest) : "";
}

const char *taskfit_decode_hint(const taskfit_decoder *decoder, const taskfit_node *map, const char *key) {
    const size_t n = map && map->kind == TASKFIT_NODE_MAP ? map->n : 0;
    taskfit_named *names = TASKFIT_ARRAY(decoder->arena, n, taskfit_named);
    for (size_t i = 0; i < n; i++) {
        names[i].name = map->entries[i].key;
    }
    return taskfit_names_hint(decoder, names, n, key);
}
