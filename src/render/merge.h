#ifndef TASKFIT_RENDER_MERGE_H
#define TASKFIT_RENDER_MERGE_H

/*
 * A service's numbers put into a task definition that exists. Changed are cpu, memory and memoryReservation of the
 * containers, the JVM's flags, and what else the deployment states; every other field stays as it stands, in its
 * place, whether taskfit knows it or not. A value that means the same is left as it is spelt.
 */

#include "render/anti_affinity.h"
#include "render/base.h"

/* The merged tree, in the arena. Defects: what the deployment states and the base makes impossible. Notes: what the base
 * has and the plan does not know. */
taskfit_node *taskfit_base_merge(const taskfit_base *base, const taskfit_service *service, taskfit_expressions apart,
                                 taskfit_tell *tell, taskfit_arena *arena);

#endif
