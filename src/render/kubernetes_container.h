#ifndef TASKFIT_RENDER_KUBERNETES_CONTAINER_H
#define TASKFIT_RENDER_KUBERNETES_CONTAINER_H

/* A container definition of Amazon ECS as a container of a pod. */

#include "render/renderer.h"

/* The tree, in the arena. Texts in which Kubernetes would replace $(NAME) are escaped. network_mode: the task's; NULL: bridge. */
taskfit_node *taskfit_kubernetes_container(taskfit_arena *arena, const taskfit_node *definition, const char *network_mode);
/* The keys of a definition that it takes into account, ending with NULL. */
extern const char *const taskfit_kubernetes_container_keys[];

#endif
