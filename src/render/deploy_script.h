#ifndef TASKFIT_RENDER_DEPLOY_SCRIPT_H
#define TASKFIT_RENDER_DEPLOY_SCRIPT_H

/* deploy.sh: registers the task definitions of its folder and updates (or creates) the services, one after the other. */

#include "render/renderer.h"

/* The text, in the arena. Daemons come first, as ECS reserves their room first, then the services whose tasks are largest. */
const char *taskfit_deploy_script(const taskfit_renderer *render);

#endif
