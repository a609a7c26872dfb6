#ifndef TASKFIT_DEPLOYMENT_ROLLOUT_H
#define TASKFIT_DEPLOYMENT_ROLLOUT_H

/*
 * What the deployment of a service needs at once, by its percentages and strategy (DESIGN 4, rolling). Source: the
 * ECS developer guide's page on rolling updates: at least ceil(desired x minimumHealthyPercent / 100) tasks keep
 * running, at most floor(desired x maximumPercent / 100) run.
 */

#include "deployment/deployment.h"

typedef enum taskfit_rollout {
    TASKFIT_ROLLOUT_STOPS_FIRST, /* it can stop a task before it starts the next: no room is needed */
    TASKFIT_ROLLOUT_STARTS_FIRST, /* the next task must find a place beside the old ones */
    TASKFIT_ROLLOUT_FULL_SET,    /* BLUE_GREEN, CANARY, LINEAR: all tasks beside the old ones */
    TASKFIT_ROLLOUT_STUCK        /* it may neither stop nor start one: it can never be deployed */
} taskfit_rollout;

/* A service without desired tasks stops first: there is nothing to keep. */
taskfit_rollout taskfit_rollout_of(const taskfit_service *service);
/* Tasks that must find a place beside the old ones: 0, 1 or the desired count. */
int64_t taskfit_rollout_tasks(const taskfit_service *service);

#endif
