#ifndef TASKFIT_INPUT_SCALAR_H
#define TASKFIT_INPUT_SCALAR_H

/* What the text of a plain scalar would mean to the readers of JSON and YAML. For the writers and readers of
 * this folder. */

#include <stdbool.h>
#include <stddef.h>

#include "input/node.h"

/* A number by the grammar of JSON (RFC 8259): -12, 0.5, 1e3; not 01, 1., .5, +1, 0x1. */
bool taskfit_is_json_number(const char *text, size_t len);
/* Whether such a number is one that every reader can hold: at most 63 characters (cJSON's buffer for one), an
 * exponent of at most two digits. Others are refused in JSON and strings in YAML. */
bool taskfit_is_number_in_range(const char *text, size_t len);

/* How a scalar is written: as it stands, or as a string. */
typedef enum taskfit_scalar_meaning {
    TASKFIT_SCALAR_STRING,
    TASKFIT_SCALAR_NUMBER, /* a plain JSON number in range */
    TASKFIT_SCALAR_TRUE,
    TASKFIT_SCALAR_FALSE,
    TASKFIT_SCALAR_NULL /* taskfit_node_is_null */
} taskfit_scalar_meaning;
taskfit_scalar_meaning taskfit_scalar_means(const taskfit_node *scalar);

/* True when some reader of YAML 1.1 or 1.2 takes the unquoted text for something other than this string. May be
 * true for more texts than need it. Indicators such as "- " and ": " are not looked at: libyaml knows them. */
bool taskfit_is_ambiguous_in_yaml(const char *text);

#endif
