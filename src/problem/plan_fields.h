#ifndef TASKFIT_PROBLEM_PLAN_FIELDS_H
#define TASKFIT_PROBLEM_PLAN_FIELDS_H

/*
 * Fields of a plan document, for the files that read one: each function takes the value under at->key of a map, or
 * fills the document's error with its place and returns false (NULL). Texts and nodes live in the document.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/node.h"
#include "taskfit/taskfit.h"

typedef struct taskfit_document {
    const char *file; /* for messages */
    taskfit_error *err;
} taskfit_document;

/* A field's path, written out only when there is something to complain of. */
typedef struct taskfit_field {
    const struct taskfit_field *parent; /* NULL: the document */
    const char *key;                    /* NULL: an index */
    size_t index;
} taskfit_field;

/* Fills the error with the place of a field and returns false. `value` and `word` may be NULL. */
bool taskfit_field_refuse(const taskfit_document *document, const taskfit_field *at, const taskfit_node *value, const char *what,
                          const char *word);
/* Not there, or null. */
bool taskfit_field_absent(const taskfit_node *value);
const taskfit_node *taskfit_field_list(const taskfit_document *document, const taskfit_field *at, const taskfit_node *map);
const taskfit_node *taskfit_field_map(const taskfit_document *document, const taskfit_field *at, const taskfit_node *map);
/* Absent and null give NULL where that is allowed. */
bool taskfit_field_text(const taskfit_document *document, const taskfit_field *at, const taskfit_node *map, bool may_be_null,
                        const char **text_out);
/* Whole numbers, 0 or more; absent and null give -1 where that is allowed. */
bool taskfit_field_count(const taskfit_document *document, const taskfit_field *at, const taskfit_node *map, bool may_be_null,
                         int64_t *value_out);
/* Absent and null give -1. */
bool taskfit_field_usd_micros(const taskfit_document *document, const taskfit_field *at, const taskfit_node *map,
                              int64_t *usd_micros_out);
bool taskfit_field_proof(const taskfit_document *document, const taskfit_field *at, const taskfit_node *map, taskfit_proof *proof_out);
bool taskfit_field_rung(const taskfit_document *document, const taskfit_field *at, const taskfit_node *map, taskfit_rung *rung_out);

struct taskfit_plan;

/* `moves` and `movesFront` of the document into the plan, whose fleet has been read. */
bool taskfit_plan_read_moves(const taskfit_document *document, const taskfit_node *root, struct taskfit_plan *plan);

#endif
