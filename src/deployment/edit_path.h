#ifndef TASKFIT_DEPLOYMENT_EDIT_PATH_H
#define TASKFIT_DEPLOYMENT_EDIT_PATH_H

/* The segments of an edit's path, for edit.c and edit_apply.c. */

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

enum { TASKFIT_EDIT_SEGMENTS_MAX = 16 };

typedef struct taskfit_segment {
    const char *text;
    bool quoted; /* a plain name: no glob, no keyword */
} taskfit_segment;

typedef struct taskfit_edit_path {
    taskfit_segment segments[TASKFIT_EDIT_SEGMENTS_MAX];
    size_t n_segments; /* at least 1 */
} taskfit_edit_path;

/* E_INPUT: an empty segment, a quote that does not end, too many segments. */
taskfit_status taskfit_edit_path_parse(taskfit_arena *arena, const char *text, taskfit_edit_path *path_out,
                                       taskfit_error *err) TASKFIT_MUST_USE;
/* True when the segment is this keyword, unquoted. */
bool taskfit_segment_is(const taskfit_segment *segment, const char *keyword);
/* True when it names `name`, as a glob unless quoted. */
bool taskfit_segment_matches(const taskfit_segment *segment, const char *name);

#endif
