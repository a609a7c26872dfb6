/*
 * A file for each service and daemon: everything is checked before the first one is handed out, so that a
 * caller writes all files or none.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "render/task_definition.h"
#include "taskfit/taskfit.h"

typedef struct output {
    const char *file; /* FAMILY.yaml */
    const taskfit_service *service;
    taskfit_expressions apart; /* antiAffinity */
} output;

enum { CONSTRAINTS_MAX = 10 }; /* of task definition and service together: API model of RunTask and CreateService */

typedef struct renderer {
    const taskfit_deployment *deployment;
    output *outputs; /* services and daemons, by file name */
    size_t n_outputs;
    taskfit_diag_fn *diag;
    void *diag_arg;
    taskfit_error *err;
    size_t n_defects;
} renderer;

static void defect(renderer *render, taskfit_position position, const char *message) {
    TASKFIT_STRBUF(where);
    taskfit_strbuf_adds(&where, position.file != NULL ? position.file : render->deployment->file);
    if (position.line > 0) {
        taskfit_strbuf_printf(&where, ":%u:%u", position.line, position.column);
    }
    if (render->n_defects++ == 0) {
        (void)!taskfit_fail(render->err, TASKFIT_E_INPUT, "%s", message);
        taskfit_error_at(render->err, "%s", where.data);
    }
    if (render->diag != NULL) {
        taskfit_strbuf_printf(&where, ": %s", message);
        render->diag(render->diag_arg, where.data);
    }
}

static int compare_outputs(const void *left, const void *right) {
    const output *a = left, *b = right;
    const int by_file = strcmp(a->file, b->file);
    return by_file != 0 ? by_file : strcmp(a->service->name, b->service->name);
}

static void collect(renderer *render, taskfit_arena *arena, const char *extension) {
    const taskfit_deployment *deployment = render->deployment;
    const size_t n_services = deployment->n_services;
    render->n_outputs = n_services + deployment->n_daemons;
    render->outputs = TASKFIT_ARRAY(arena, render->n_outputs, output);
    const taskfit_expressions *apart = taskfit_anti_affinity_expressions(deployment, arena);
    for (size_t index = 0; index < render->n_outputs; index++) {
        const bool daemon = index >= n_services;
        const taskfit_service *service =
            daemon ? &deployment->daemons[index - n_services] : &deployment->services[index];
        render->outputs[index] = (output){taskfit_arena_printf(arena, "%s.%s", service->family, extension), service,
                                          daemon ? (taskfit_expressions){NULL, 0} : apart[index]};
    }
    qsort(render->outputs, render->n_outputs, sizeof(output), compare_outputs);
}

/* What AWS accepts as a family; it is a file name here, so this also keeps files in their folder. */
static bool is_family(const char *text) {
    const size_t len = strlen(text);
    return len >= 1 && len <= 255 &&
           strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == len;
}

static void check_output(renderer *render, const output *checked, taskfit_arena *arena) {
    const taskfit_service *service = checked->service;
    const size_t n_constraints = service->n_member_of + checked->apart.n + (service->distinct_instance ? 1 : 0);
    for (size_t index = 0; index < service->n_containers; index++) {
        const taskfit_container *container = &service->containers[index];
        if (container->image == NULL) {
            defect(render, service->position,
                   taskfit_arena_printf(arena,
                                        "service '%s' lacks an image for container '%s' (add image: REPOSITORY:TAG)",
                                        service->name, container->name));
        }
    }
    if (!is_family(service->family)) {
        defect(render, service->position,
               taskfit_arena_printf(
                   arena, "service '%s': '%s' is no task definition family (up to 255 letters, digits, '-' and '_')",
                   service->name, service->family));
    }
    if (n_constraints > CONSTRAINTS_MAX) {
        defect(render, service->position,
               taskfit_arena_printf(
                   arena, "service '%s' needs %zu placement constraints, with antiAffinity; Amazon ECS takes %d",
                   service->name, n_constraints, CONSTRAINTS_MAX));
    }
}

static void check(renderer *render, taskfit_arena *arena) {
    for (size_t index = 0; index < render->n_outputs; index++) {
        const output *this = &render->outputs[index], *last = index > 0 ? this - 1 : NULL;
        check_output(render, this, arena);
        if (last != NULL && strcmp(last->file, this->file) == 0) {
            defect(render, this->service->position,
                   taskfit_arena_printf(
                       arena, "services '%s' and '%s' have the same task definition family '%s' (give one another)",
                       last->service->name, this->service->name, this->service->family));
        }
    }
}

static void emit_all(const renderer *render, bool json, taskfit_render_fn *emit, void *emit_arg) {
    TASKFIT_STRBUF(text);
    taskfit_arena *scratch = taskfit_arena_new();
    for (size_t index = 0; index < render->n_outputs; index++) {
        const taskfit_node *tree =
            taskfit_task_definition_tree(render->outputs[index].service, render->outputs[index].apart, scratch);
        taskfit_strbuf_reset(&text);
        if (json) {
            taskfit_node_write_json(tree, &text);
        } else {
            taskfit_node_write_yaml(tree, &text);
        }
        emit(emit_arg, render->outputs[index].file, text.data, text.len);
        taskfit_arena_reset(scratch);
    }
    taskfit_arena_free(scratch);
}

taskfit_status taskfit_render_task_definitions(const taskfit_deployment *deployment, taskfit_format format,
                                               taskfit_render_fn *emit, void *emit_arg, taskfit_diag_fn *diag,
                                               void *diag_arg, taskfit_error *err) {
    const bool json = format == TASKFIT_FORMAT_JSON;
    renderer render = {.deployment = deployment, .diag = diag, .diag_arg = diag_arg, .err = err};
    assert(deployment != NULL && emit != NULL);
    taskfit_arena *arena = taskfit_arena_new();
    collect(&render, arena, json ? "json" : "yaml");
    check(&render, arena);
    if (render.n_defects == 0) {
        emit_all(&render, json, emit, emit_arg);
    }
    taskfit_arena_free(arena);
    return render.n_defects == 0 ? TASKFIT_OK : TASKFIT_E_INPUT;
}
