#ifndef TASKFIT_RENDER_TELL_H
#define TASKFIT_RENDER_TELL_H

/* What rendering tells: defects, after which nothing is written, and notes on what was. */

#include "base/attrs.h"
#include "input/node.h"
#include "taskfit/render.h"

typedef struct taskfit_tell {
    const taskfit_render_options *options;
    taskfit_error *err;
    const char *file; /* of the deployment: for what has no place of its own */
    size_t n_defects;
} taskfit_tell;

/* "file:line:column: " and the text. */
void taskfit_tell_defect(taskfit_tell *tell, taskfit_position position, const char *format, ...) TASKFIT_PRINTF(3, 4);
void taskfit_tell_note(const taskfit_tell *tell, const char *format, ...) TASKFIT_PRINTF(2, 3);

#endif
