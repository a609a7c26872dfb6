#ifndef TASKFIT_TESTS_SUPPORT_PARSE_H
#define TASKFIT_TESTS_SUPPORT_PARSE_H

/* Deployments from text inside a test; a defect fails it. */

#include <stdbool.h>

#include "base/attrs.h"
#include "deployment/deployment.h"

taskfit_deployment *parse_deployment(const char *format, ...) TASKFIT_PRINTF(1, 2);
/* Its plan; the ladder is left out. */
taskfit_plan *size_deployment(const taskfit_deployment *deployment);
taskfit_plan *size_with_ladder(const taskfit_deployment *deployment);
bool plan_warns(const taskfit_plan *plan, const char *code);

#endif
