/*
 * Every service's task definition is made and checked before the first file is handed out, so that a caller writes all
 * files or none.
 */
#include "taskfit/render.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "render/counted.h"
#include "render/merge.h"
#include "render/renderer.h"
#include "render/rules.h"
#include "render/rules_container.h"
#include "render/service.h"
#include "render/task_definition.h"

void taskfit_render_options_init(taskfit_render_options *options) {
    *options = (taskfit_render_options){.form = TASKFIT_RENDER_YAML};
}

/* ---- services ---- */

static int compare_outputs(const void *left, const void *right) {
    const taskfit_output *a = left, *b = right;
    const int by_family = strcmp(a->service->family, b->service->family);
    return by_family != 0 ? by_family : strcmp(a->service->name, b->service->name);
}

static void collect(taskfit_renderer *render) {
    const taskfit_deployment *deployment = render->deployment;
    const size_t n_services = deployment->n_services;
    render->n_outputs = n_services + deployment->n_daemons;
    render->outputs = TASKFIT_ARRAY(render->arena, render->n_outputs, taskfit_output);
    const taskfit_expressions *apart = taskfit_anti_affinity_expressions(deployment, render->arena);
    for (size_t index = 0; index < render->n_outputs; index++) {
        const bool daemon = index >= n_services;
        const taskfit_service *service =
            daemon ? &deployment->daemons[index - n_services] : &deployment->services[index];
        render->outputs[index] = (taskfit_output){.service = service,
                                                  .index = daemon ? index - n_services : index,
                                                  .apart = daemon ? (taskfit_expressions){NULL, 0} : apart[index],
                                                  .base = taskfit_bases_find(&render->bases, service->family)};
    }
    if (render->n_outputs > 1) {
        qsort(render->outputs, render->n_outputs, sizeof *render->outputs, compare_outputs);
    }
    for (size_t index = 1; index < render->n_outputs; index++) {
        const taskfit_service *this = render->outputs[index].service, *last = render->outputs[index - 1].service;
        if (strcmp(last->family, this->family) == 0) {
            taskfit_tell_defect(&render->tell, this->position,
                                "services '%s' and '%s' have the same task definition family '%s' (give one another)",
                                last->name, this->name, this->family);
        }
    }
}

/* Only what a container lacks that has no base; the rules see the rest. */
static bool check_images(taskfit_renderer *render, const taskfit_service *service) {
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

static void make(taskfit_renderer *render, taskfit_output *made) {
    const taskfit_service *service = made->service;
    taskfit_position fallback = service->position;
    if (made->base != NULL) {
        fallback = (taskfit_position){.file = made->base->file};
        made->tree = taskfit_base_merge(made->base, service, made->apart, &render->tell, render->arena);
        taskfit_counted_compare(service, made->tree, &render->tell, render->arena);
    } else if (check_images(render, service)) {
        made->tree = taskfit_task_definition_tree(service, made->apart, render->arena);
    } else {
        return;
    }
    taskfit_rules_check(made->tree, taskfit_arena_printf(render->arena, "service '%s'", service->name), fallback,
                        service->distinct_instance ? 1 : 0, &render->tell);
}

static void note_rebalancing(const taskfit_renderer *render) {
    for (size_t index = 0; render->options->az_rebalancing && index < render->n_outputs; index++) {
        const taskfit_service *service = render->outputs[index].service;
        const char *why = taskfit_service_no_rebalancing(service);
        if (why != NULL) {
            taskfit_tell_note(&render->tell, "service '%s' gets no AZ rebalancing: %s", service->name, why);
        }
    }
}

/* What no service or base of the same family stands against. */
static void note_unmatched(const taskfit_renderer *render) {
    TASKFIT_STRBUF(services);
    TASKFIT_STRBUF(bases);
    size_t output = 0;
    for (size_t index = 0; index < render->n_outputs && render->options->n_bases > 0; index++) {
        if (render->outputs[index].base == NULL) {
            taskfit_strbuf_printf(&services, "%s%s", services.len > 0 ? ", " : "", render->outputs[index].service->name);
        }
    }
    for (size_t index = 0; index < render->bases.n; index++) { /* both are sorted by family */
        const char *family = render->bases.items[index].family;
        while (output < render->n_outputs && strcmp(render->outputs[output].service->family, family) < 0) {
            output++;
        }
        if (output == render->n_outputs || strcmp(render->outputs[output].service->family, family) != 0) {
            taskfit_strbuf_printf(&bases, "%s%s", bases.len > 0 ? ", " : "", family);
        }
    }
    if (services.len > 0) {
        taskfit_tell_note(&render->tell, "services without a base, made from the deployment alone: %s", services.data);
    }
    if (bases.len > 0) {
        taskfit_tell_note(&render->tell, "bases without a service, left out: %s", bases.data);
    }
}

static void make_all(taskfit_renderer *render) {
    render->bases = taskfit_bases_read(&render->tell, render->arena);
    if (!taskfit_rules_is_name(render->deployment->name)) {
        taskfit_tell_defect(&render->tell, (taskfit_position){.file = NULL},
                            "'%s' is no name of a cluster (state cluster.name: up to 255 letters, digits, '-' and '_')",
                            render->deployment->name);
    }
    if (render->tell.n_defects > 0) {
        return;
    }
    collect(render);
    for (size_t index = 0; index < render->n_outputs; index++) {
        make(render, &render->outputs[index]);
    }
}

/* ---- files ---- */

const char *taskfit_renderer_file_name(const taskfit_renderer *render, const char *name, const char *kind) {
    return taskfit_arena_printf(render->arena, "%s%s.%s", name, kind,
                                render->options->form == TASKFIT_RENDER_JSON ? "json" : "yaml");
}

void taskfit_renderer_add(taskfit_renderer *render, taskfit_output_file file) {
    TASKFIT_GROW(render->arena, render->files, render->n_files, render->capacity);
    render->files[render->n_files++] = file;
}

static int compare_files(const void *left, const void *right) {
    const taskfit_output_file *a = left, *b = right;
    return strcmp(a->name, b->name);
}

/* Tells also where two files would have one name. */
static void sort_files(taskfit_renderer *render) {
    qsort(render->files, render->n_files, sizeof *render->files, compare_files);
    for (size_t index = 1; index < render->n_files; index++) {
        const taskfit_output_file *this = &render->files[index];
        if (strcmp(this[-1].name, this->name) == 0) {
            taskfit_tell_defect(&render->tell, this->of != NULL ? this->of->service->position : (taskfit_position){.file = NULL},
                                "two files would be called '%s'", this->name);
        }
    }
}

static void add_files(taskfit_renderer *render) {
    static void (*const forms[TASKFIT_RENDER_FORMS])(taskfit_renderer *) = {taskfit_render_ecs, taskfit_render_ecs,
                                                                            taskfit_render_cloudformation,
                                                                            taskfit_render_kubernetes};
    assert(render->options->form < TASKFIT_RENDER_FORMS);
    forms[render->options->form](render);
    sort_files(render);
    taskfit_render_index(render);
    qsort(render->files, render->n_files, sizeof *render->files, compare_files);
}

static void write_tree(const taskfit_renderer *render, const taskfit_node *tree, taskfit_strbuf *out) {
    taskfit_strbuf_reset(out);
    if (render->options->form == TASKFIT_RENDER_JSON) {
        taskfit_node_write_json(tree, out);
    } else {
        taskfit_node_write_yaml(tree, out);
    }
}

static void emit_all(const taskfit_renderer *render, taskfit_render_fn *emit, void *emit_arg) {
    TASKFIT_STRBUF(text);
    TASKFIT_STRBUF(base_text);
    for (size_t index = 0; index < render->n_files; index++) {
        const taskfit_output_file *file = &render->files[index];
        taskfit_rendered rendered = {.file = file->name, .kind = file->kind};
        if (file->tree != NULL) {
            write_tree(render, file->tree, &text);
        } else {
            taskfit_strbuf_reset(&text);
            taskfit_strbuf_adds(&text, file->text);
        }
        rendered.data = text.data;
        rendered.len = text.len;
        if (file->kind == TASKFIT_RENDERED_TASK_DEFINITION && file->of->base != NULL) {
            write_tree(render, file->of->base->tree, &base_text);
            rendered.base_file = file->of->base->file;
            rendered.base_data = base_text.data;
            rendered.base_len = base_text.len;
        }
        emit(emit_arg, &rendered);
    }
}

taskfit_status taskfit_render(const taskfit_deployment *deployment, const taskfit_render_options *options,
                              taskfit_render_fn *emit, void *emit_arg, taskfit_error *err) {
    assert(deployment != NULL && options != NULL && emit != NULL);
    taskfit_renderer render = {.deployment = deployment,
                               .options = options,
                               .tell = {.options = options, .err = err, .file = deployment->file},
                               .arena = taskfit_arena_new()};
    make_all(&render);
    if (render.tell.n_defects == 0) {
        add_files(&render);
    }
    const bool failed = render.tell.n_defects > 0;
    if (!failed) {
        note_unmatched(&render);
        note_rebalancing(&render);
        emit_all(&render, emit, emit_arg);
    }
    taskfit_arena_free(render.arena);
    return failed ? TASKFIT_E_INPUT : TASKFIT_OK;
}
