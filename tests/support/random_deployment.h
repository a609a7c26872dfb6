#ifndef TASKFIT_TESTS_SUPPORT_RANDOM_DEPLOYMENT_H
#define TASKFIT_TESTS_SUPPORT_RANDOM_DEPLOYMENT_H

/* Small deployments of every kind that Amazon ECS's placement looks at: one group of instances with 1000 MiB and 2048
 * CPU units in one to three AZs, up to six services "s0", "s1" ... of one container each. */

#include "base/rand.h"
#include "deployment/deployment.h"

taskfit_deployment *random_deployment(taskfit_rand *dice, const char *policy); /* policy: as YAML */

#endif
