#ifndef TASKFIT_RENDER_RENDERER_H
#define TASKFIT_RENDER_RENDERER_H

/* What the forms work on: every service with its task definition, checked, and the files that they add. */

#include "deployment/deployment.h"
#include "problem/plan.h"
#include "render/anti_affinity.h"
#include "render/base.h"
#include "render/tell.h"

typedef struct taskfit_output { /* a service or daemon */
    const taskfit_service *service;
    size_t index; /* of deployment->services; of a daemon: of deployment->daemons */
    taskfit_expressions apart; /* antiAffinity */
    const taskfit_base *base;  /* NULL: made from the deployment alone */
    const taskfit_node *tree;  /* as RegisterTaskDefinition takes it */
} taskfit_output;

typedef struct taskfit_output_file {
    const char *name;
    taskfit_rendered_kind kind;
    const taskfit_output *of; /* NULL: of no service */
    const char *group;        /* NULL: of no instance group */
    const taskfit_node *tree; /* NULL: text */
    const char *text;
} taskfit_output_file;

typedef struct taskfit_renderer {
    const taskfit_deployment *deployment;
    const taskfit_render_options *options;
    taskfit_tell tell;
    taskfit_arena *arena;
    taskfit_bases bases;
    taskfit_output *outputs; /* by family */
    size_t n_outputs;
    taskfit_output_file *files;
    size_t n_files, capacity;
} taskfit_renderer;

/* NAME.KIND.yaml or .json, as the form is; kind "": NAME.yaml. */
const char *taskfit_renderer_file_name(const taskfit_renderer *render, const char *name, const char *kind);
void taskfit_renderer_add(taskfit_renderer *render, taskfit_output_file file);

/* ---- the forms: each adds its files, or tells what it cannot say ---- */

void taskfit_render_ecs(taskfit_renderer *render);            /* form_ecs.c */
void taskfit_render_cloudformation(taskfit_renderer *render); /* form_cloudformation.c */
void taskfit_render_kubernetes(taskfit_renderer *render);     /* form_kubernetes.c */
void taskfit_render_index(taskfit_renderer *render);          /* index.c: after all others */

#endif
