#ifndef TASKFIT_RENDER_CONTAINER_DEFINITION_H
#define TASKFIT_RENDER_CONTAINER_DEFINITION_H

/* One container as a container definition of Amazon ECS, whole or in parts. */

#include "base/arena.h"
#include "deployment/deployment.h"
#include "input/node.h"

/* The tree, in the arena. The container has an image. */
taskfit_node *taskfit_container_definition_tree(const taskfit_container *container, taskfit_arena *arena);

/* Sets in `body` those keys of `given` that taskfit passes through unread. */
void taskfit_pass_container_keys(taskfit_arena *arena, taskfit_node *body, const taskfit_node *given);
/* Sets the keys of a port mapping; `given`: the deployment's own item, for name and appProtocol. */
void taskfit_set_port_mapping(taskfit_arena *arena, taskfit_node *item, const taskfit_port_mapping *mapping,
                              const taskfit_node *given);
/* Makes every scalar in the tree a string. */
void taskfit_quote_scalars(taskfit_node *node);
/* The same for those keys of a container in which AWS takes only strings. */
void taskfit_quote_container_strings(taskfit_node *container);

#endif
