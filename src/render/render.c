/*
 * A file for each service and daemon: everything is checked before the first one is handed out, so that a
 * caller writes all files or none.
 */
#include "taskfit/render.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "render/base.h"
#include "render/counted.h"
#include "render/merge.h"
#include "render/rules.h"
#include "render/task_definition.h"

typedef struct output {
    const char *file; /* FAMILY.yaml */
    const taskfit_service *service;
    taskfit_expressions apart; /* antiAffinity */
    const taskfit_base *base;  /* NULL: made from the deployment alone */
    const taskfit_node *tree;
} output;

typedef struct renderer {
    const taskfit_deployment *deployment;
    const taskfit_render_options *options;
    taskfit_tell tell;
    taskfit_arena *arena;
    taskfit_bases bases;
    output *outputs; /* services and daemons, by file name */
    size_t n_outputs;
} renderer;

void taskfit_render_options_init(taskfit_render_options *options) {
    *options = (taskfit_render_options){.format = TASKFIT_FORMAT_AUTO};
}

static int compare_outputs(const void *left, const void *right) {
    const output *a = left, *b = right;
    const int by_file = strcmp(a->file, b->file);
    return by_file != 0 ? by_file : strcmp(a->service->name, b->service->name);
}

static void collect(renderer *render) {
    const taskfit_deployment *deployment = render->deployment;
    const size_t n_services = deployment->n_services;
    const char *extension = render->options->format == TASKFIT_FORMAT_JSON ? "json" : "yaml";
    render->n_outputs = n_services + deployment->n_daemons;
    render->outputs = TASKFIT_ARRAY(render->arena, render->n_outputs, output);
    const taskfit_expressions *apart = taskfit_anti_affinity_expressions(deployment, render->arena);
    for (size_t index = 0; index < render->n_outputs; index++) {
        const bool daemon = index >= n_services;
        const taskfit_service *service =
            daemon ? &deployment->daemons[index - n_services] : &deployment->services[index];
        render->outputs[index] = (output){.file = taskfit_arena_printf(render->arena, "%s.%s", service->family, extension),
                                          .service = service,
                                          .apart = daemon ? (taskfit_expressions){NULL, 0} : apart[index],
                                          .base = taskfit_bases_find(&render->bases, service->family)};
    }
    if (render->n_outputs > 1) {
        qsort(render->outputs, render->n_outputs, sizeof(output), compare_outputs);
    }
    for (size_t index = 1; index < render->n_outputs; index++) {
        const output *this = &render->outputs[index], *last = this - 1;
        if (strcmp(last->file, this->file) == 0) {
            taskfit_tell_defect(&render->tell, this->service->position,
                                "services '%s' and '%s' have the same task definition family '%s' (give one another)",
                                last->service->name, this->service->name, this->service->family);
        }
    }
}

/* Only what a container lacks that has no base; the rules see the rest. */
static bool check_images(renderer *render, const output *checked) {
    const taskfit_service *service = checked->service;
    bool complete = true;
    for (size_t index = 0; index < service->n_containers; index++) {
        if (service->containers[index].image == NULL) {
            taskfit_tell_defect(&render->tell, service->position,
                                "service '%s' lacks an image for container '%s' (add image: REPOSITORY:TAG)", service->name,
                                service->containers[index].name);
            complete = false;
        }
    }
    return complete;
}

static void make(renderer *render, output *made) {
    const taskfit_service *service = made->service;
    taskfit_position fallback = service->position;
    if (made->base != NULL) {
        fallback = (taskfit_position){.file = made->base->file};
        made->tree = taskfit_base_merge(made->base, service, made->apart, &render->tell, render->arena);
        taskfit_counted_compare(service, made->tree, &render->tell, render->arena);
    } else if (check_images(render, made)) {
        made->tree = taskfit_task_definition_tree(service, made->apart, render->arena);
    } else {
        return;
    }
    taskfit_rules_check(made->tree, taskfit_arena_printf(render->arena, "service '%s'", service->name), fallback,
                        service->distinct_instance ? 1 : 0, &render->tell);
}

/* ---- what has no partner ---- */

static int compare_family(const void *left, const void *right) {
    return strcmp(((const output *)left)->service->family, ((const output *)right)->service->family);
}

static void note_unmatched(renderer *render) {
    TASKFIT_STRBUF(services);
    TASKFIT_STRBUF(bases);
    output *by_family = TASKFIT_ARRAY(render->arena, render->n_outputs, output);
    if (render->options->n_bases == 0) {
        return;
    }
    memcpy(by_family, render->outputs, render->n_outputs * sizeof *by_family);
    qsort(by_family, render->n_outputs, sizeof *by_family, compare_family);
    for (size_t index = 0; index < render->n_outputs; index++) {
        if (render->outputs[index].base == NULL) {
            taskfit_strbuf_printf(&services, "%s%s", services.len > 0 ? ", " : "", render->outputs[index].service->name);
        }
    }
    for (size_t index = 0; index < render->bases.n; index++) {
        const taskfit_service wanted = {.family = render->bases.items[index].family};
        const output key = {.service = &wanted};
        if (bsearch(&key, by_family, render->n_outputs, sizeof *by_family, compare_family) == NULL) {
            taskfit_strbuf_printf(&bases, "%s%s", bases.len > 0 ? ", " : "", wanted.family);
        }
    }
    if (services.len > 0) {
        taskfit_tell_note(&render->tell, "services without a base, made from the deployment alone: %s", services.data);
    }
    if (bases.len > 0) {
        taskfit_tell_note(&render->tell, "bases without a service, left out: %s", bases.data);
    }
}

/* ---- writing ---- */

static void write_tree(const renderer *render, const taskfit_node *tree, taskfit_strbuf *out) {
    taskfit_strbuf_reset(out);
    if (render->options->format == TASKFIT_FORMAT_JSON) {
        taskfit_node_write_json(tree, out);
    } else {
        taskfit_node_write_yaml(tree, out);
    }
}

static void emit_all(const renderer *render, taskfit_render_fn *emit, void *emit_arg) {
    TASKFIT_STRBUF(text);
    TASKFIT_STRBUF(base_text);
    for (size_t index = 0; index < render->n_outputs; index++) {
        const output *this = &render->outputs[index];
        taskfit_rendered rendered = {.file = this->file};
        write_tree(render, this->tree, &text);
        rendered.data = text.data;
        rendered.len = text.len;
        if (this->base != NULL) {
            write_tree(render, this->base->tree, &base_text);
            rendered.base_file = this->base->file;
            rendered.base_data = base_text.data;
            rendered.base_len = base_text.len;
        }
        emit(emit_arg, &rendered);
    }
}

taskfit_status taskfit_render(const taskfit_deployment *deployment, const taskfit_render_options *options,
                              taskfit_render_fn *emit, void *emit_arg, taskfit_error *err) {
    assert(deployment != NULL && options != NULL && emit != NULL);
    renderer render = {.deployment = deployment,
                       .options = options,
                       .tell = {.options = options, .err = err, .file = deployment->file},
                       .arena = taskfit_arena_new()};
    render.bases = taskfit_bases_read(&render.tell, render.arena);
    if (render.tell.n_defects == 0) {
        collect(&render);
    }
    for (size_t index = 0; index < render.n_outputs; index++) {
        make(&render, &render.outputs[index]);
    }
    if (render.tell.n_defects == 0) {
        note_unmatched(&render);
        emit_all(&render, emit, emit_arg);
    }
    const bool failed = render.tell.n_defects > 0;
    taskfit_arena_free(render.arena);
    return failed ? TASKFIT_E_INPUT : TASKFIT_OK;
}
