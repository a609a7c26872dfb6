#ifndef TASKFIT_INPUT_DIAG_H
#define TASKFIT_INPUT_DIAG_H

/*
 * Collected defects: a reader reports everything it finds wrong with a file at once.
 * The first TASKFIT_DIAG_SHOWN are kept, in file order (include order, line, column, then order found);
 * the rest only counted. The same defect at the same position is kept once (a default serves many services).
 */

#include "base/arena.h"
#include "input/node.h"
#include "taskfit/words.h"

enum { TASKFIT_DIAG_SHOWN = 20 };

typedef struct taskfit_defect {
    taskfit_position position;
    const char *path;    /* "services[3].memory"; "" for the whole file */
    const char *message; /* lower case, no full stop, remedy in parentheses */
} taskfit_defect;

typedef struct taskfit_diag taskfit_diag;

taskfit_diag *taskfit_diag_new(taskfit_arena *arena); /* lives in the arena */
void taskfit_diag_add(taskfit_diag *diag, taskfit_position position, const char *path, const char *format, ...)
    TASKFIT_PRINTF(4, 5);
size_t taskfit_diag_count(const taskfit_diag *diag); /* all defects, shown or not */
/* The kept ones, sorted; n_out <= TASKFIT_DIAG_SHOWN. Valid until the next add. */
const taskfit_defect *taskfit_diag_sorted(taskfit_diag *diag, size_t *n_out);
/* "file:line:column: path: message", leaving out what is unknown. */
void taskfit_defect_format(const taskfit_defect *defect, taskfit_strbuf *out);

#endif
