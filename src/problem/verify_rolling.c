/*
 * Room for deployments. A service that may not stop a task first (desired - ceil(desired x minimumHealthyPercent / 100)
 * is 0) and may start one (floor(desired x maximumPercent / 100) is above desired) needs room for one more task;
 * BLUE_GREEN, CANARY and LINEAR need it for a second set.
 */

#include "problem/verify.h"

static int64_t tasks_to_place(const taskfit_service *service) {
    const int64_t desired = service->desired_count;
    if (service->deployment_strategy != TASKFIT_DEPLOY_ROLLING) {
        return desired;
    }
    const bool may_stop = (desired * service->minimum_healthy_percent + 99) / 100 < desired;
    const bool may_start = desired * service->maximum_percent / 100 > desired;
    return !may_stop && may_start ? 1 : 0;
}

static void judge_one_by_one(taskfit_judge *judge) {
    const taskfit_judged_room *room = taskfit_judged_room_new(judge);
    for (size_t s = 0; s < judge->deployment->n_services; s++) {
        const taskfit_service *service = &judge->deployment->services[s];
        const int64_t needed = tasks_to_place(service);
        const int64_t fit = taskfit_judged_room_alone(room, s, needed);
        if (fit < needed) {
            taskfit_judge_tell(judge, "%s: a deployment finds room for %s of %s tasks (rule: rollingDeployment)", service->name,
                               taskfit_judge_number(judge, fit), taskfit_judge_number(judge, needed));
        }
    }
}

static void judge_all_at_once(taskfit_judge *judge) {
    const size_t n_services = judge->deployment->n_services;
    int64_t *extra = TASKFIT_ARRAY(judge->arena, n_services, int64_t);
    for (size_t s = 0; s < n_services; s++) {
        extra[s] = tasks_to_place(&judge->deployment->services[s]);
    }
    size_t service = SIZE_MAX;
    switch (taskfit_judged_room_together(taskfit_judged_room_new(judge), extra, &service)) {
    case TASKFIT_FOUND: break;
    case TASKFIT_NOT_THERE:
        taskfit_judge_tell(judge, "plan: a deployment of all services at once finds no room%s%s (rule: rollingDeployment)",
                           service == SIZE_MAX ? "" : " for ",
                           service == SIZE_MAX ? "" : judge->deployment->services[service].name);
        break;
    case TASKFIT_UNDECIDED: taskfit_judge_undecided(judge, "deployment of all services", "rollingDeployment"); break;
    }
}

void taskfit_judge_rolling(taskfit_judge *judge) {
    switch (judge->rolling_in_force) {
    case TASKFIT_ROLLING_ONE_SERVICE: judge_one_by_one(judge); break;
    case TASKFIT_ROLLING_ALL_SERVICES: judge_all_at_once(judge); break;
    case TASKFIT_ROLLING_NONE: break;
    }
}
