#ifndef TASKFIT_INPUT_DECODE_H
#define TASKFIT_INPUT_DECODE_H

/*
 * From trees to structs: a table of keys for each kind of map (key, reader, offset of the member), so that
 * unknown keys, wrong kinds, missing keys and values out of range are all found and told in one place.
 *
 *     static const taskfit_field fields[] = {
 *         {TASKFIT_KEY("image", taskfit_decode_string, container, image), .required = true},
 *         {TASKFIT_KEY("cpu", taskfit_decode_cpu_up, container, cpu_units)},
 *     };
 *     container c = {.cpu_units = 0};                                // the defaults
 *     taskfit_decode_map(decoder, node, fields, 2, &c);
 *
 * A reader that finds a defect adds it to the decoder's diag and leaves the member alone. Readers of numbers
 * rewrite the scalar to the plain figure they read (512Mi becomes 512), readers of strings mark it as a
 * string: reading the tree again gives the same values. A null value is an absent one.
 */

#include "input/diag.h"
#include "input/node.h"

typedef struct taskfit_path { /* where in the tree the decoder is; frames live on the stack */
    const struct taskfit_path *up;
    const char *key; /* NULL: a list item */
    size_t index;
} taskfit_path;

typedef struct taskfit_decoder {
    taskfit_arena *arena; /* of the tree and of everything decoded */
    taskfit_diag *diag;
    const taskfit_path *path; /* NULL at the root */
    void *context;            /* the user's own, for its readers */
} taskfit_decoder;

typedef struct taskfit_word { /* tables of these end with a NULL text */
    const char *text;
    int value;
} taskfit_word;

typedef struct taskfit_field taskfit_field;
typedef void taskfit_field_fn(taskfit_decoder *decoder, const taskfit_field *field, taskfit_node *value, void *object);

struct taskfit_field {
    const char *key;
    taskfit_field_fn *read;
    size_t offset; /* of the member in `object` */
    int64_t low;   /* of numbers; both 0: 0..TASKFIT_QUANTITY_MAX */
    int64_t high;
    const taskfit_word *words; /* of taskfit_decode_word */
    const char *remedy;        /* "name the image (...)": for `required`; NULL: none */
    bool required;
};

/* The start of most fields. */
#define TASKFIT_KEY(name, reader, type, member) .key = (name), .read = (reader), .offset = offsetof(type, member)

/* Adds a defect at the decoder's path. */
void taskfit_decode_defect(const taskfit_decoder *decoder, taskfit_position position, const char *format, ...)
    TASKFIT_PRINTF(3, 4);
/* Adds a defect of a map's key: at its value, or at the map when the key is absent. */
void taskfit_decode_defect_at(const taskfit_decoder *decoder, const taskfit_node *map, const char *key,
                              const char *format, ...) TASKFIT_PRINTF(4, 5);
/* The decoder's path as text, "services[3].memory", in the arena. */
const char *taskfit_decode_path(const taskfit_decoder *decoder);

/* Reads a map by a table of at most 64 fields; false when it is no map. */
bool taskfit_decode_map(taskfit_decoder *decoder, taskfit_node *map, const taskfit_field *fields, size_t n_fields,
                        void *object);
/* Whether a map has this key with a value that is not null. */
bool taskfit_decode_given(const taskfit_node *map, const char *key);
/* Whether the node is of this kind; if not, adds "must be a list, not a map". */
bool taskfit_decode_is(const taskfit_decoder *decoder, const taskfit_node *node, taskfit_node_kind kind);
/* Items of a list; 0 when it is NULL or no list. */
size_t taskfit_decode_size(const taskfit_node *list);
/* Reads each item of a list with the path at it; does nothing when the node is NULL, null or no list (a defect). */
typedef void taskfit_item_fn(taskfit_decoder *decoder, taskfit_node *item, size_t index, void *arg);
void taskfit_decode_items(taskfit_decoder *decoder, taskfit_node *list, taskfit_item_fn *read, void *arg);

/* ---- readers; the member's type in the comment ---- */

taskfit_field_fn taskfit_decode_node;         /* taskfit_node *: kept for later */
taskfit_field_fn taskfit_decode_ignored;      /* none: passes through unread */
taskfit_field_fn taskfit_decode_string;       /* const char *; may be empty */
taskfit_field_fn taskfit_decode_text;         /* const char *; not empty */
taskfit_field_fn taskfit_decode_name;         /* const char *: [A-Za-z0-9_-]{1,255} */
taskfit_field_fn taskfit_decode_bool;         /* bool */
taskfit_field_fn taskfit_decode_count;        /* int64_t: unquoted, low..high */
taskfit_field_fn taskfit_decode_memory_up;    /* int64_t, MiB: a demand */
taskfit_field_fn taskfit_decode_memory_down;  /* int64_t, MiB: a capacity */
taskfit_field_fn taskfit_decode_cpu_up;       /* int64_t, units: a demand */
taskfit_field_fn taskfit_decode_usd;          /* int64_t, micro-dollars */
taskfit_field_fn taskfit_decode_percent_text; /* const char *: a decimal, 0..100, as given */
taskfit_field_fn taskfit_decode_word;         /* an enum (int): one of `words` */

/* Scalars outside of tables (list items): false with a defect when they are not one. */
bool taskfit_decode_text_of(const taskfit_decoder *decoder, taskfit_node *node, const char **text_out);
bool taskfit_decode_name_of(const taskfit_decoder *decoder, taskfit_node *node, const char **name_out);
bool taskfit_decode_word_of(const taskfit_decoder *decoder, taskfit_node *node, const taskfit_word *words,
                            int *value_out);
/* The text of a word table's value; it must be there. */
const char *taskfit_word_text(const taskfit_word *words, int value);

/* ---- names that others refer to ---- */

typedef struct taskfit_named {
    const char *name;
    size_t index; /* in the list it stands in */
    taskfit_position position;
    const char *path;
} taskfit_named;

/* A name at the decoder's path. */
taskfit_named taskfit_named_here(const taskfit_decoder *decoder, const char *name, size_t index,
                                 taskfit_position position);

/* Sorts by name, then index, and adds "'x' is given twice (first at ...)" for each repetition.
 * what: "service", "instance group". */
void taskfit_names_sort(const taskfit_decoder *decoder, taskfit_named *names, size_t n_names, const char *what);
/* Looks in a sorted array; NULL when absent. The first of equal names. */
const taskfit_named *taskfit_names_find(const taskfit_named *names, size_t n_names, const char *name);
/* " (did you mean 'x'?)" for the nearest of the names, "" without one; in the arena. */
const char *taskfit_names_hint(const taskfit_decoder *decoder, const taskfit_named *names, size_t n_names,
                               const char *name);
/* The same for the keys of a map; NULL: none. */
const char *taskfit_decode_hint(const taskfit_decoder *decoder, const taskfit_node *map, const char *key);

#endif
