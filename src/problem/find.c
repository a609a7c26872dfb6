#include "problem/find.h"

#include <string.h>

#include "base/error.h"
#include "taskfit/words.h"

taskfit_status taskfit_name_find(const char *what, const char *name, const char *const *names, size_t n_names, size_t *index_out,
                                 taskfit_error *err) {
    for (size_t i = 0; i < n_names; i++) {
        if (strcmp(names[i], name) == 0) {
            *index_out = i;
            return TASKFIT_OK;
        }
    }
    const char *nearest = taskfit_nearest(name, names, n_names);
    if (nearest != NULL) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "there is no %s '%s' (did you mean '%s'?)", what, name, nearest);
    }
    return taskfit_fail(err, TASKFIT_E_ARGUMENT, "there is no %s '%s'", what, name);
}

taskfit_status taskfit_service_find(const taskfit_deployment *deployment, const char *name, size_t *service_out, taskfit_error *err) {
    taskfit_arena *arena = taskfit_arena_new();
    const char **names = TASKFIT_ARRAY(arena, deployment->n_services, const char *);
    for (size_t s = 0; s < deployment->n_services; s++) {
        names[s] = deployment->services[s].name;
    }
    const taskfit_status status = taskfit_name_find("service", name, names, deployment->n_services, service_out, err);
    taskfit_arena_free(arena);
    return status;
}

taskfit_status taskfit_group_find(const taskfit_deployment *deployment, const char *name, size_t *group_out, taskfit_error *err) {
    taskfit_arena *arena = taskfit_arena_new();
    const char **names = TASKFIT_ARRAY(arena, deployment->n_groups, const char *);
    for (size_t g = 0; g < deployment->n_groups; g++) {
        names[g] = deployment->groups[g].name;
    }
    const taskfit_status status = taskfit_name_find("instance group", name, names, deployment->n_groups, group_out, err);
    taskfit_arena_free(arena);
    return status;
}
