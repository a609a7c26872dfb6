#ifndef TASKFIT_RENDER_RULES_CONTAINER_H
#define TASKFIT_RENDER_RULES_CONTAINER_H

/* The part of rules.h that is about containers; only rules.c needs it. */

#include "render/tell.h"

typedef struct taskfit_rules {
    const taskfit_node *root, *containers;
    const char *name;
    taskfit_position fallback;
    taskfit_tell *tell;
    const char *network_mode;
    int64_t task_cpu_units, task_memory_mib; /* or ABSENT, BAD of task_size.h */
    bool is_fargate;
} taskfit_rules;

void taskfit_rules_refuse(const taskfit_rules *rules, const taskfit_node *node, const char *path, const char *format, ...)
    TASKFIT_PRINTF(4, 5);
bool taskfit_rules_is_name(const char *text);                             /* [A-Za-z0-9_-]{1,255} */
bool taskfit_rules_is_one_of(const char *text, const char *const *words); /* ending with NULL */

void taskfit_rules_check_containers(const taskfit_rules *rules);

#endif
