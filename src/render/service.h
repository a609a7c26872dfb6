#ifndef TASKFIT_RENDER_SERVICE_H
#define TASKFIT_RENDER_SERVICE_H

/* A service as CreateService and UpdateService of Amazon ECS take it. Capacity providers and Auto Scaling groups have the
 * names of the instance groups. */

#include "render/renderer.h"

taskfit_node *taskfit_service_create_tree(taskfit_renderer *render, const taskfit_output *output);
/* States also what is empty, since what an update leaves out stays as it was. */
taskfit_node *taskfit_service_update_tree(taskfit_renderer *render, const taskfit_output *output);

/* Why Amazon ECS could not rebalance the service over AZs; NULL: it can. */
const char *taskfit_service_no_rebalancing(const taskfit_service *service);

#endif
