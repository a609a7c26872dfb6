#ifndef TASKFIT_RENDER_TASK_DEFINITION_H
#define TASKFIT_RENDER_TASK_DEFINITION_H

/*
 * One service as the input of RegisterTaskDefinition, in the form `aws ecs register-task-definition
 * --cli-input-yaml` takes. Only keys that AWS knows; what is taskfit's own (jvm, observed) or belongs to the
 * service (desiredCount, distinctInstance, strategies) never comes out.
 */

#include "base/arena.h"
#include "deployment/deployment.h"
#include "input/node.h"
#include "render/anti_affinity.h"

/* The tree, in the arena. Every container has an image. `apart`: memberOf expressions beside the service's own. */
taskfit_node *taskfit_task_definition_tree(const taskfit_service *service, taskfit_expressions apart,
                                           taskfit_arena *arena);

/* Appends memberOf constraints. */
void taskfit_add_member_of(taskfit_arena *arena, taskfit_node *list, const char *const *expressions, size_t n_expressions);

#endif
