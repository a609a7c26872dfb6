#include "deployment/deployment.h"

#include <assert.h>
#include <string.h>

#include "base/sha256.h"
#include "deployment/edit.h"
#include "deployment/read.h"

taskfit_reading *taskfit_reading_of(const taskfit_decoder *decoder) {
    assert(decoder->context);
    return decoder->context;
}

void taskfit_parse_options_init(taskfit_parse_options *options) {
    *options = (taskfit_parse_options){.format = TASKFIT_FORMAT_AUTO};
}

void taskfit_deployment_free(taskfit_deployment *deployment) {
    if (deployment) {
        taskfit_arena_free(deployment->arena);
    }
}

/* The file's name without folder and extension. */
static const char *name_of_file(taskfit_arena *arena, const char *file) {
    const char *slash = strrchr(file, '/');
    const char *base = slash ? slash + 1 : file;
    const char *dot = strrchr(base, '.');
    const size_t len = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    return len == 0 || strcmp(base, "-") == 0 ? "deployment" : taskfit_arena_strndup(arena, base, len);
}

static taskfit_reading *start(const char *file, const taskfit_parse_options *options) {
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_deployment *deployment = TASKFIT_NEW(arena, taskfit_deployment);
    taskfit_reading *reading = TASKFIT_NEW(arena, taskfit_reading);
    deployment->arena = arena;
    deployment->file = taskfit_arena_strdup(arena, file);
    deployment->name = name_of_file(arena, file);
    deployment->region = "us-east-1";
    deployment->counts_tasks = options->counts_tasks;
    reading->deployment = deployment;
    reading->catalogue = options->catalogue ? options->catalogue : taskfit_catalogue_builtin();
    reading->decoder = (taskfit_decoder){.arena = arena, .diag = taskfit_diag_new(arena), .context = reading};
    return reading;
}

static taskfit_status read_tree(const taskfit_reading *reading, taskfit_format format, const char *data, size_t len,
                                taskfit_node **root_out, taskfit_error *err) {
    taskfit_arena *arena = reading->decoder.arena;
    const char *file = reading->deployment->file;
    switch (format) {
    case TASKFIT_FORMAT_YAML: return taskfit_node_read_yaml(arena, file, data, len, root_out, err);
    case TASKFIT_FORMAT_JSON: return taskfit_node_read_json(arena, file, data, len, root_out, err);
    case TASKFIT_FORMAT_AUTO: break;
    }
    return taskfit_node_read(arena, file, data, len, root_out, err);
}

typedef struct resolved_file { /* the top level of a resolved tree */
    taskfit_node *version, *cluster, *services, *policy, *costs, *scenarios, *kpis;
} resolved_file;

static const taskfit_field resolved_fields[] = {
    {TASKFIT_KEY("taskfit", taskfit_decode_node, resolved_file, version)},
    {TASKFIT_KEY("cluster", taskfit_decode_node, resolved_file, cluster)},
    {TASKFIT_KEY("services", taskfit_decode_node, resolved_file, services)},
    {TASKFIT_KEY("policy", taskfit_decode_node, resolved_file, policy)},
    {TASKFIT_KEY("costs", taskfit_decode_node, resolved_file, costs)},
    {TASKFIT_KEY("scenarios", taskfit_decode_node, resolved_file, scenarios)},
    {TASKFIT_KEY("kpis", taskfit_decode_node, resolved_file, kpis)},
};

static void decode(taskfit_reading *reading, taskfit_node *resolved) {
    resolved_file file = {.version = NULL};
    (void)taskfit_decode_map(&reading->decoder, resolved, resolved_fields, TASKFIT_COUNT_OF(resolved_fields), &file);
    taskfit_node *daemons = file.cluster ? taskfit_read_cluster(reading, file.cluster) : NULL;
    taskfit_read_services(reading, daemons, file.services);
    taskfit_read_policy(reading, file.policy);
    taskfit_read_extras(reading, file.costs, file.scenarios, file.kpis);
    reading->deployment->resolved = resolved;
}

/* Tells every defect; err is the first one. */
static taskfit_status report(taskfit_diag *diag, const taskfit_parse_options *options, taskfit_error *err) {
    size_t n = 0;
    const taskfit_defect *defects = taskfit_diag_sorted(diag, &n);
    for (size_t i = 0; options->diag && i < n; i++) {
        TASKFIT_STRBUF(text);
        taskfit_defect_format(&defects[i], &text);
        options->diag(options->diag_arg, text.data);
    }
    assert(n > 0);
    TASKFIT_STRBUF(where);
    taskfit_defect_format(&(taskfit_defect){defects[0].position, defects[0].path, ""}, &where);
    const size_t len = where.len >= 2 && strcmp(where.data + where.len - 2, ": ") == 0 ? where.len - 2 : where.len;
    taskfit_error_at(err, "%.*s", (int)len, where.data);
    return taskfit_fail(err, TASKFIT_E_INPUT, "%s", defects[0].message);
}

/* A text that cannot be parsed is its only defect. */
static taskfit_status report_syntax(const taskfit_parse_options *options, const taskfit_error *why,
                                    taskfit_error *err) {
    if (options->diag && why->status == TASKFIT_E_INPUT) {
        TASKFIT_STRBUF(text);
        taskfit_strbuf_printf(&text, "%s%s%s", why->where, why->where[0] ? ": " : "", why->message);
        options->diag(options->diag_arg, text.data);
    }
    taskfit_error_at(err, "%s", why->where);
    return taskfit_fail(err, why->status, "%s", why->message);
}

typedef struct edit_list {
    const taskfit_edit *items;
    size_t n;
} edit_list;

/* The scenario's edits, then those of the command line. */
static taskfit_status read_edits(taskfit_reading *reading, const taskfit_node *root,
                                 const taskfit_parse_options *options, edit_list *edits_out, taskfit_error *err) {
    taskfit_arena *arena = reading->decoder.arena;
    const taskfit_edit *scenario = NULL;
    size_t n_scenario = 0;
    if (options->scenario) {
        const taskfit_node *scenarios = taskfit_node_get(root, "scenarios");
        const taskfit_node *list = taskfit_node_get(scenarios, options->scenario);
        if (!list) {
            return taskfit_fail(err, TASKFIT_E_ARGUMENT, "there is no scenario '%s'%s", options->scenario,
                                taskfit_decode_hint(&reading->decoder, scenarios, options->scenario));
        }
        taskfit_edits_decode(arena, list, taskfit_arena_printf(arena, "scenarios.%s", options->scenario),
                             reading->decoder.diag, &scenario, &n_scenario);
    }
    taskfit_edit *all = TASKFIT_ARRAY(arena, n_scenario + options->n_set, taskfit_edit);
    const char **texts = TASKFIT_ARRAY(arena, options->n_set, const char *);
    for (size_t i = 0; i < n_scenario; i++) {
        all[i] = scenario[i];
    }
    for (size_t i = 0; i < options->n_set; i++) {
        texts[i] = taskfit_arena_strdup(arena, options->set[i]);
        taskfit_error why = {.status = TASKFIT_OK};
        if (taskfit_edit_parse(arena, "--set", texts[i], &all[n_scenario + i], &why) != TASKFIT_OK) {
            taskfit_error_at(err, "%s", why.where);
            return taskfit_fail(err, TASKFIT_E_ARGUMENT, "%s", why.message);
        }
    }
    reading->deployment->scenario = options->scenario ? taskfit_arena_strdup(arena, options->scenario) : NULL;
    reading->deployment->edits = texts;
    reading->deployment->n_edits = options->n_set;
    *edits_out = (edit_list){.items = all, .n = n_scenario + options->n_set};
    return TASKFIT_OK;
}

/* From the main file's tree to the deployment; defects are in the diag, the status is of what ended the reading. */
static taskfit_status build(taskfit_reading *reading, taskfit_node *root, const taskfit_parse_options *options,
                            taskfit_error *err) {
    taskfit_diag *diag = reading->decoder.diag;
    taskfit_arena *arena = reading->decoder.arena;
    taskfit_node *resolved = NULL;
    taskfit_scope scope;
    edit_list edits = {.items = NULL};
    taskfit_status status = read_edits(reading, root, options, &edits, err);
    if (status != TASKFIT_OK) {
        return status;
    }
    taskfit_edits_apply(arena, root, edits.items, edits.n, TASKFIT_EDIT_SECTIONS, diag);
    status = taskfit_resolve(reading, root, options, &resolved, &scope, err);
    if (status != TASKFIT_OK) {
        return status;
    }
    taskfit_edits_apply(arena, resolved, edits.items, edits.n, TASKFIT_EDIT_RESOLVED, diag);
    taskfit_resolve_sidecars(reading, &scope, resolved);
    decode(reading, resolved);
    if (taskfit_diag_count(diag) == 0) {
        taskfit_warn_all(reading);
        reading->deployment->warnings = reading->warnings;
        reading->deployment->n_warnings = reading->n_warnings;
    }
    return TASKFIT_OK;
}

taskfit_status taskfit_deployment_parse(const char *name, const char *data, size_t len,
                                        const taskfit_parse_options *options, taskfit_deployment **deployment_out,
                                        taskfit_error *err) {
    taskfit_parse_options usual;
    taskfit_parse_options_init(&usual);
    options = options ? options : &usual;
    taskfit_reading *reading = start(name, options);
    taskfit_deployment *deployment = reading->deployment;
    taskfit_diag *diag = reading->decoder.diag;
    taskfit_node *root = NULL;
    taskfit_error why = {.status = TASKFIT_OK};
    taskfit_sha256_hex(data, len, deployment->sha256);
    taskfit_status status = read_tree(reading, options->format, data, len, &root, &why);
    if (status == TASKFIT_OK) {
        status = build(reading, root, options, &why);
    }
    if (status != TASKFIT_OK) {
        status = report_syntax(options, &why, err);
    } else if (taskfit_diag_count(diag) > 0) {
        status = report(diag, options, err);
    }
    if (status != TASKFIT_OK) {
        taskfit_deployment_free(deployment);
        return status;
    }
    *deployment_out = deployment;
    return TASKFIT_OK;
}
