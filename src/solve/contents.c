#include "solve/decision.h"

#include <assert.h>

taskfit_content taskfit_content_from_dense(taskfit_arena *arena, size_t kind, int64_t count, const int64_t *tasks,
                                           size_t n_profiles) {
    size_t n_tasks = 0;
    for (size_t p = 0; p < n_profiles; p++) {
        assert(tasks[p] >= 0);
        n_tasks += tasks[p] > 0 ? 1 : 0;
    }
    taskfit_content_task *sparse = TASKFIT_ARRAY(arena, n_tasks, taskfit_content_task);
    size_t n = 0;
    for (size_t p = 0; p < n_profiles; p++) {
        if (tasks[p] > 0) {
            sparse[n++] = (taskfit_content_task){.profile = p, .count = tasks[p]};
        }
    }
    return (taskfit_content){.kind = kind, .count = count, .tasks = sparse, .n_tasks = n_tasks};
}

/* Tasks of each profile on the instance: tasks_out[n_profiles]. False: the list is not in order. */
static bool spread_out(const taskfit_decision *d, const taskfit_content *content, int64_t *tasks_out) {
    for (size_t p = 0; p < d->n_profiles; p++) {
        tasks_out[p] = 0;
    }
    for (size_t i = 0; i < content->n_tasks; i++) {
        const taskfit_content_task *task = &content->tasks[i];
        if (task->profile >= d->n_profiles || task->count < 1 || (i > 0 && task->profile <= content->tasks[i - 1].profile)) {
            return false;
        }
        tasks_out[task->profile] = task->count;
    }
    return true;
}

static bool pattern_valid(const taskfit_decision *d, const taskfit_kind *kind, const int64_t *tasks) {
    for (size_t p = 0; p < d->n_profiles; p++) {
        if (tasks[p] < kind->low[p] || tasks[p] > kind->high[p]) {
            return false;
        }
    }
    for (size_t dim = 0; dim < d->n_dims; dim++) {
        int64_t used = 0;
        for (size_t p = 0; p < d->n_profiles; p++) {
            used += tasks[p] > 0 ? tasks[p] * d->profiles[p].demand[dim] : 0;
        }
        if (used > kind->capacity[dim]) {
            return false;
        }
    }
    for (size_t i = 0; i < d->n_conflicts; i++) {
        if (tasks[d->conflicts[i].a] > 0 && tasks[d->conflicts[i].b] > 0) {
            return false;
        }
    }
    return true;
}

static bool windows_hold(const taskfit_decision *d, const int64_t *in_zone) {
    for (size_t p = 0; p < d->n_profiles; p++) {
        int64_t total = 0;
        for (size_t zone = 0; zone < d->n_zones; zone++) {
            const int64_t tasks = in_zone[p * d->n_zones + zone];
            if (tasks < d->profiles[p].zone_low[zone] || tasks > d->profiles[p].zone_high[zone]) {
                return false;
            }
            total += tasks;
        }
        if (total != d->profiles[p].tasks) {
            return false;
        }
    }
    return true;
}

bool taskfit_contents_valid(const taskfit_decision *d, const taskfit_content *contents, size_t n_contents) {
    taskfit_arena *scratch = taskfit_arena_new();
    int64_t *tasks = TASKFIT_ARRAY(scratch, d->n_profiles, int64_t);
    int64_t *in_zone = TASKFIT_ARRAY(scratch, d->n_profiles * d->n_zones, int64_t);
    int64_t *instances = TASKFIT_ARRAY(scratch, d->n_kinds, int64_t);
    bool valid = !d->impossible;
    for (size_t i = 0; i < n_contents && valid; i++) {
        const taskfit_content *content = &contents[i];
        valid = content->kind < d->n_kinds && content->count >= 1 && spread_out(d, content, tasks) &&
                pattern_valid(d, &d->kinds[content->kind], tasks);
        if (valid) {
            instances[content->kind] += content->count;
            for (size_t task = 0; task < content->n_tasks; task++) {
                in_zone[content->tasks[task].profile * d->n_zones + d->kinds[content->kind].zone] +=
                    content->count * content->tasks[task].count;
            }
        }
    }
    for (size_t k = 0; k < d->n_kinds && valid; k++) {
        valid = instances[k] == d->kinds[k].count;
    }
    valid = valid && windows_hold(d, in_zone);
    taskfit_arena_free(scratch);
    return valid;
}
