#include "render/anti_affinity.h"

#include "base/strbuf.h"
#include "deployment/conflict.h"
#include "deployment/query.h"

static bool holds(const taskfit_conflicts *conflicts, size_t service) {
    for (size_t index = 0; index < conflicts->n; index++) {
        if (conflicts->services[index] == service) {
            return true;
        }
    }
    return false;
}

/* Of the services it is kept apart from, those that its own expressions do not name yet. */
static taskfit_expressions expressions_of(const taskfit_deployment *deployment, const taskfit_conflicts *all,
                                          const taskfit_conflicts *own, taskfit_arena *arena) {
    TASKFIT_STRBUF(text);
    TASKFIT_STRBUF(part);
    const char **texts = NULL;
    size_t n_texts = 0, capacity = 0;
    for (size_t index = 0; index < all->n; index++) {
        if (holds(own, all->services[index])) {
            continue;
        }
        taskfit_strbuf_reset(&part);
        taskfit_strbuf_printf(&part, "not(task:group == service:%s)", deployment->services[all->services[index]].name);
        if (text.len > 0 && text.len + sizeof " and " - 1 + part.len > TASKFIT_QUERY_MAX) {
            TASKFIT_GROW(arena, texts, n_texts, capacity);
            texts[n_texts++] = taskfit_arena_strdup(arena, text.data);
            taskfit_strbuf_reset(&text);
        }
        taskfit_strbuf_printf(&text, "%s%s", text.len > 0 ? " and " : "", part.data);
    }
    if (text.len > 0) {
        TASKFIT_GROW(arena, texts, n_texts, capacity);
        texts[n_texts++] = taskfit_arena_strdup(arena, text.data);
    }
    return (taskfit_expressions){texts, n_texts};
}

const taskfit_expressions *taskfit_anti_affinity_expressions(const taskfit_deployment *deployment,
                                                             taskfit_arena *arena) {
    taskfit_expressions *expressions = TASKFIT_ARRAY(arena, deployment->n_services, taskfit_expressions);
    taskfit_arena *scratch = taskfit_arena_new();
    const taskfit_conflicts *all = taskfit_conflicts_placing(deployment, true, scratch);
    const taskfit_conflicts *own = taskfit_conflicts_placing(deployment, false, scratch);
    for (size_t service = 0; service < deployment->n_services; service++) {
        expressions[service] = expressions_of(deployment, &all[service], &own[service], arena);
    }
    taskfit_arena_free(scratch);
    return expressions;
}
