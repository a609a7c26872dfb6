#ifndef TASKFIT_RENDER_BASE_H
#define TASKFIT_RENDER_BASE_H

/*
 * Task definitions that exist already, read from what the AWS command line prints or takes. What is known of them is
 * checked only as far as merging needs it; everything else stays as it is.
 */

#include "render/tell.h"

typedef struct taskfit_base {
    const char *family;
    const char *file;
    const taskfit_node *tree; /* what RegisterTaskDefinition takes: no read-only fields, no nulls */
    int64_t revision;         /* -1: not stated */
} taskfit_base;

typedef struct taskfit_bases {
    taskfit_base *items; /* by family, one of each: of several revisions the last */
    size_t n;
} taskfit_bases;

/* Everything lives in the arena. What is wrong is told as defects. */
taskfit_bases taskfit_bases_read(taskfit_tell *tell, taskfit_arena *arena);
const taskfit_base *taskfit_bases_find(const taskfit_bases *bases, const char *family); /* or NULL */

#endif
