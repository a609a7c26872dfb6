#include "problem/counts.h"

#include <string.h>

#include "base/error.h"
#include "base/units.h"
#include "problem/find.h"

enum { INSTANCES_MAX = 50000 };

static taskfit_status parse_number(const char *text, size_t len, int64_t *value_out, taskfit_error *err) {
    const char *why = NULL;
    if (!taskfit_parse_count(text, len, 0, INSTANCES_MAX, value_out, &why)) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "instances '%.*s': %s", (int)len, text, why);
    }
    return TASKFIT_OK;
}

taskfit_status taskfit_counts_parse(const taskfit_deployment *deployment, const char *text, taskfit_arena *arena,
                                    taskfit_counts *counts_out, taskfit_error *err) {
    int64_t *groups = TASKFIT_ARRAY(arena, deployment->n_groups, int64_t);
    int64_t total = -1;
    for (size_t g = 0; g < deployment->n_groups; g++) {
        groups[g] = -1;
    }
    if (strchr(text, '=') == NULL) {
        const taskfit_status status = parse_number(text, strlen(text), &total, err);
        if (status != TASKFIT_OK) {
            return status;
        }
        *counts_out = (taskfit_counts){.total = total, .groups = groups};
        return TASKFIT_OK;
    }
    for (const char *part = text; part != NULL;) {
        const size_t len = strcspn(part, ",");
        const char *equals = memchr(part, '=', len);
        if (equals == NULL) {
            return taskfit_fail(err, TASKFIT_E_ARGUMENT, "instances '%.*s' name no group (GROUP=N)", (int)len, part);
        }
        size_t group = 0;
        taskfit_status status = taskfit_group_find(deployment, taskfit_arena_strndup(arena, part, (size_t)(equals - part)), &group, err);
        if (status == TASKFIT_OK && groups[group] >= 0) {
            status = taskfit_fail(err, TASKFIT_E_ARGUMENT, "instance group '%s' is given twice", deployment->groups[group].name);
        }
        if (status == TASKFIT_OK) {
            status = parse_number(equals + 1, len - (size_t)(equals + 1 - part), &groups[group], err);
        }
        if (status != TASKFIT_OK) {
            return status;
        }
        part = part[len] == ',' ? part + len + 1 : NULL;
    }
    *counts_out = (taskfit_counts){.total = -1, .groups = groups};
    return TASKFIT_OK;
}
