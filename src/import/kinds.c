#include <stddef.h>

#include "import/kinds.h"

const taskfit_import_kind *const taskfit_import_kinds[] = {
    &taskfit_import_ecs_cluster,
    &taskfit_import_taskdef,
    &taskfit_import_ecs_check,
    &taskfit_import_eureka_cli,
    &taskfit_import_launch_descriptor,
    &taskfit_import_helm,
    &taskfit_import_limits,
    &taskfit_import_table,
    NULL,
};
