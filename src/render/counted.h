#ifndef TASKFIT_RENDER_COUNTED_H
#define TASKFIT_RENDER_COUNTED_H

/* Whether a task of a rendered definition takes what the plan counts for it: a base may bring containers, task sizes or a
 * network mode of its own. */

#include "deployment/deployment.h"
#include "render/tell.h"

/* A note for each resource of which Amazon ECS counts another amount than the deployment does. */
void taskfit_counted_compare(const taskfit_service *service, const taskfit_node *task_definition, taskfit_tell *tell,
                             taskfit_arena *arena);

#endif
