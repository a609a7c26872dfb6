#include "deployment/rollout.h"

taskfit_rollout taskfit_rollout_of(const taskfit_service *service) {
    const int64_t desired = service->desired_count;
    const int64_t least = (desired * service->minimum_healthy_percent + 99) / 100;
    const int64_t most = desired * service->maximum_percent / 100;
    if (desired == 0) {
        return TASKFIT_ROLLOUT_STOPS_FIRST;
    }
    if (service->deployment_strategy != TASKFIT_DEPLOY_ROLLING) {
        return TASKFIT_ROLLOUT_FULL_SET;
    }
    if (least < desired) {
        return TASKFIT_ROLLOUT_STOPS_FIRST;
    }
    return most > desired ? TASKFIT_ROLLOUT_STARTS_FIRST : TASKFIT_ROLLOUT_STUCK;
}

int64_t taskfit_rollout_tasks(const taskfit_service *service) {
    switch (taskfit_rollout_of(service)) {
    case TASKFIT_ROLLOUT_STARTS_FIRST: return 1;
    case TASKFIT_ROLLOUT_FULL_SET: return service->desired_count;
    case TASKFIT_ROLLOUT_STOPS_FIRST:
    case TASKFIT_ROLLOUT_STUCK: break;
    }
    return 0;
}
