#ifndef TASKFIT_RENDER_H
#define TASKFIT_RENDER_H

/*
 * A deployment or plan as the files that deploy it: task definitions, made from the deployment alone or from the ones that
 * exist (bases), of which then only the numbers change; services; sizes of instance groups. The rules of taskfit.h hold.
 */

#include "taskfit/taskfit.h"

#pragma GCC visibility push(default)

/* A file that holds one task definition or a list of them, as `aws ecs describe-task-definition` prints it or
 * `aws ecs register-task-definition` takes it, YAML or JSON. */
typedef struct taskfit_render_base {
    const char *name; /* for messages */
    const char *data;
    size_t len;
    bool is_optional; /* one of a folder: a file without any task definition is noted, not refused */
} taskfit_render_base;

typedef enum taskfit_render_form {
    TASKFIT_RENDER_YAML,           /* inputs of the AWS command line */
    TASKFIT_RENDER_JSON,           /* the same as JSON */
    TASKFIT_RENDER_CLOUDFORMATION, /* a template for each service */
    TASKFIT_RENDER_KUBERNETES,     /* a Deployment or DaemonSet for each service */
    TASKFIT_RENDER_FORMS
} taskfit_render_form;

typedef struct taskfit_render_options {
    taskfit_render_form form;
    const taskfit_plan *plan; /* of the same deployment: sizes of its groups are written too; NULL: none */
    bool az_rebalancing;      /* asked for in every service that can have it */
    const taskfit_render_base *bases;
    size_t n_bases;
    taskfit_diag_fn *note;   /* told what people should know of the result; NULL: nobody */
    void *note_arg;
    taskfit_diag_fn *defect; /* told what is wrong, one by one; NULL: only the first, in err */
    void *defect_arg;
} taskfit_render_options;

void taskfit_render_options_init(taskfit_render_options *options);

typedef enum taskfit_rendered_kind {
    TASKFIT_RENDERED_TASK_DEFINITION, /* RegisterTaskDefinition */
    TASKFIT_RENDERED_CREATE_SERVICE,  /* CreateService */
    TASKFIT_RENDERED_UPDATE_SERVICE,  /* UpdateService */
    TASKFIT_RENDERED_GROUP,           /* UpdateAutoScalingGroup */
    TASKFIT_RENDERED_TEMPLATE,        /* CloudFormation */
    TASKFIT_RENDERED_MANIFEST,        /* Kubernetes */
    TASKFIT_RENDERED_SCRIPT,
    TASKFIT_RENDERED_INDEX, /* what each file is and what it came from */
    TASKFIT_RENDERED_KINDS
} taskfit_rendered_kind;

typedef struct taskfit_rendered {
    const char *file; /* its name, without a folder */
    taskfit_rendered_kind kind;
    const char *data;
    size_t len;
    const char *base_file; /* the file of the base it was made from; NULL: none */
    const char *base_data; /* that base in the same form, to compare */
    size_t base_len;
} taskfit_rendered;

typedef void taskfit_render_fn(void *arg, const taskfit_rendered *file);

/* Hands every file to `emit`, sorted by name; when something is wrong, none. */
taskfit_status taskfit_render(const taskfit_deployment *deployment, const taskfit_render_options *options,
                              taskfit_render_fn *emit, void *emit_arg, taskfit_error *err);

/* Calls `file` with each file that an index (`taskfit.index.yaml` or `.json`, called `name` in errors) lists, as long as it is a
 * name without a folder: whoever renders again into the same folder may remove those that no longer come. */
typedef void taskfit_rendered_name_fn(void *arg, const char *file);
taskfit_status taskfit_render_index_read(const char *name, const char *data, size_t len, taskfit_rendered_name_fn *file, void *arg,
                                         taskfit_error *err);

#pragma GCC visibility pop

#endif
