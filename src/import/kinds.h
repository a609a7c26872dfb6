#ifndef TASKFIT_IMPORT_KINDS_H
#define TASKFIT_IMPORT_KINDS_H

/* Every kind, each in the file of its name. */

#include "import/import.h"

extern const taskfit_import_kind taskfit_import_ecs_cluster, taskfit_import_taskdef, taskfit_import_ecs_check, taskfit_import_table;
extern const taskfit_import_kind taskfit_import_eureka_cli, taskfit_import_helm, taskfit_import_launch_descriptor, taskfit_import_limits;

#endif
