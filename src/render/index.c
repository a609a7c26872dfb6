/* taskfit.index.yaml: what each file of the folder is, and which plan and bases it came from. */
#include <assert.h>
#include <string.h>

#include "base/units.h"
#include "render/nodes.h"
#include "render/renderer.h"

static const char *const kinds[TASKFIT_RENDERED_KINDS] = {
    [TASKFIT_RENDERED_TASK_DEFINITION] = "taskDefinition", [TASKFIT_RENDERED_CREATE_SERVICE] = "createService",
    [TASKFIT_RENDERED_UPDATE_SERVICE] = "updateService",   [TASKFIT_RENDERED_GROUP] = "updateAutoScalingGroup",
    [TASKFIT_RENDERED_TEMPLATE] = "template",              [TASKFIT_RENDERED_MANIFEST] = "manifest",
    [TASKFIT_RENDERED_SCRIPT] = "script",                  [TASKFIT_RENDERED_INDEX] = "index",
};
static const char *const forms[TASKFIT_RENDER_FORMS] = {"yaml", "json", "cloudformation", "kubernetes"};

/* Without its folder, which is another one when the program is called from elsewhere. */
static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static taskfit_node *source(const taskfit_renderer *render) {
    const taskfit_deployment *deployment = render->deployment;
    taskfit_node *map = taskfit_node_map(render->arena), *edits = taskfit_node_list(render->arena);
    for (size_t edit = 0; edit < deployment->n_edits; edit++) {
        taskfit_node_append(render->arena, edits, taskfit_node_string(render->arena, deployment->edits[edit]));
    }
    taskfit_set_string(render->arena, map, "file", base_name(deployment->file));
    taskfit_set_string(render->arena, map, "sha256", deployment->sha256);
    taskfit_set_string(render->arena, map, "name", deployment->name);
    taskfit_set_string(render->arena, map, "scenario", deployment->scenario);
    taskfit_node_set(render->arena, map, "edits", edits);
    return map;
}

static taskfit_node *plan_of(const taskfit_renderer *render) {
    const taskfit_plan *plan = render->options->plan;
    TASKFIT_STRBUF(cost);
    if (plan == NULL || plan->instances < 0) {
        return taskfit_node_null(render->arena);
    }
    taskfit_node *map = taskfit_node_map(render->arena);
    taskfit_add_usd_per_hour(&cost, plan->cost_usd_micros);
    taskfit_set_string(render->arena, map, "outcome", taskfit_outcome_name(plan->outcome));
    taskfit_set_string(render->arena, map, "rung", taskfit_rung_name(plan->rung));
    taskfit_set_quantity(render->arena, map, "instances", plan->instances);
    taskfit_set_string(render->arena, map, "costUsdPerHour", cost.data);
    return map;
}

static taskfit_node *files_of(const taskfit_renderer *render) {
    taskfit_node *list = taskfit_node_list(render->arena);
    for (size_t index = 0; index < render->n_files; index++) {
        const taskfit_output_file *file = &render->files[index];
        taskfit_node *map = taskfit_node_map(render->arena);
        assert(kinds[file->kind] != NULL);
        taskfit_set_string(render->arena, map, "file", file->name);
        taskfit_set_string(render->arena, map, "kind", kinds[file->kind]);
        if (file->of != NULL) {
            taskfit_set_string(render->arena, map, "service", file->of->service->name);
            if (file->of->base != NULL && file->kind != TASKFIT_RENDERED_CREATE_SERVICE &&
                file->kind != TASKFIT_RENDERED_UPDATE_SERVICE) {
                taskfit_set_string(render->arena, map, "base", base_name(file->of->base->file));
            }
        }
        if (file->group != NULL) {
            taskfit_set_string(render->arena, map, "instanceGroup", file->group);
        }
        taskfit_node_append(render->arena, list, map);
    }
    return list;
}

taskfit_status taskfit_render_index_read(const char *name, const char *data, size_t len, taskfit_rendered_name_fn *file, void *arg,
                                         taskfit_error *err) {
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_node *root = NULL;
    const taskfit_status status = taskfit_node_read(arena, name, data, len, &root, err);
    const taskfit_node *files = status == TASKFIT_OK ? taskfit_node_get(root, "files") : NULL;
    for (size_t i = 0; files != NULL && files->kind == TASKFIT_NODE_LIST && i < files->n; i++) {
        const taskfit_node *listed = taskfit_node_get(files->items[i], "file");
        if (listed != NULL && listed->kind == TASKFIT_NODE_SCALAR && listed->text[0] != '.' && strchr(listed->text, '/') == NULL) {
            file(arg, listed->text);
        }
    }
    taskfit_arena_free(arena);
    return status;
}

void taskfit_render_index(taskfit_renderer *render) {
    taskfit_node *map = taskfit_node_map(render->arena);
    taskfit_set_string(render->arena, map, "schema", "taskfit.render/1");
    taskfit_set_string(render->arena, map, "form", forms[render->options->form]);
    taskfit_node_set(render->arena, map, "deployment", source(render));
    taskfit_node_set(render->arena, map, "plan", plan_of(render));
    taskfit_node_set(render->arena, map, "files", files_of(render));
    taskfit_renderer_add(render, (taskfit_output_file){.name = taskfit_renderer_file_name(render, "taskfit", ".index"),
                                                       .kind = TASKFIT_RENDERED_INDEX,
                                                       .tree = map});
}
