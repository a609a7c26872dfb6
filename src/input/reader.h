#ifndef TASKFIT_INPUT_READER_H
#define TASKFIT_INPUT_READER_H

/* What the readers of this folder share; nobody else needs it. */

#include "input/node.h"

/* Line and column, both from 1, of a byte offset; CR, LF and CR LF end a line. Clamped to the end. */
taskfit_position taskfit_position_of(const char *file, const char *data, size_t len, size_t offset);

/* The first entry of a map whose key stands before it already; NULL when all keys differ. Sorts, since a
 * look-up for each key takes half a minute for 80,000 keys. */
const taskfit_entry *taskfit_node_duplicate(const taskfit_node *map);

/* Makes err's place "file:line:column" and returns E_INPUT. */
taskfit_status taskfit_fail_at(taskfit_error *err, taskfit_position position, const char *format, ...) TASKFIT_PRINTF(3, 4);

bool taskfit_is_json_blank(char c); /* space, tab, CR, LF */

/* Bytes of a byte order mark that data starts with: 3 or 0. */
size_t taskfit_bom_length(const char *data, size_t len);

#endif
