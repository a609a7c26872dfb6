#include "render/service.h"

#include <string.h>

#include "deployment/words.h"
#include "render/nodes.h"

static taskfit_node *strategies(const taskfit_service *service, taskfit_arena *arena) {
    taskfit_node *list = taskfit_node_list(arena);
    for (size_t index = 0; index < service->n_strategies; index++) {
        const taskfit_strategy *strategy = &service->strategies[index];
        const bool binpack = strategy->type == TASKFIT_STRATEGY_BINPACK_CPU || strategy->type == TASKFIT_STRATEGY_BINPACK_MEMORY;
        taskfit_node *item = taskfit_node_map(arena);
        taskfit_set_string(arena, item, "type",
                           strategy->type == TASKFIT_STRATEGY_RANDOM ? "random" : binpack ? "binpack" : "spread");
        if (strategy->field != NULL) {
            taskfit_set_string(arena, item, "field", strategy->field);
        }
        taskfit_node_append(arena, list, item);
    }
    return list;
}

/* memberOf stands in the task definition, where it is together with antiAffinity. */
static taskfit_node *constraints(const taskfit_service *service, taskfit_arena *arena) {
    taskfit_node *list = taskfit_node_list(arena);
    if (service->distinct_instance) {
        taskfit_node *item = taskfit_node_map(arena);
        taskfit_set_string(arena, item, "type", "distinctInstance");
        taskfit_node_append(arena, list, item);
    }
    return list;
}

static taskfit_node *deployment_configuration(const taskfit_service *service, taskfit_arena *arena) {
    taskfit_node *map = taskfit_node_map(arena);
    taskfit_set_quantity(arena, map, "maximumPercent", service->maximum_percent);
    taskfit_set_quantity(arena, map, "minimumHealthyPercent", service->minimum_healthy_percent);
    if (service->deployment_strategy != TASKFIT_DEPLOY_ROLLING) {
        taskfit_set_string(arena, map, "strategy",
                           taskfit_word_text(taskfit_deployment_strategy_words, (int)service->deployment_strategy));
    }
    return map;
}

enum { WEIGHT_MAX = 1000 }; /* of CapacityProviderStrategyItem, API model */

/* Tasks of a service that the plan puts into one of its groups, scaled where that is too many; 1 where there is no choice or
 * no plan to say. */
static int64_t weight_of(const taskfit_renderer *render, const taskfit_output *output, size_t group) {
    const taskfit_plan *plan = render->options->plan;
    const int64_t desired = output->service->desired_count;
    int64_t n_tasks = 0;
    if (output->service->n_groups == 1 || plan == NULL || plan->instances < 0 || desired == 0) {
        return 1;
    }
    for (size_t machine = 0; machine < plan->fleet->n_machines; machine++) {
        const taskfit_machine *this = &plan->fleet->machines[machine];
        for (size_t task = 0; this->group == group && task < this->n_tasks; task++) {
            n_tasks += this->tasks[task].service == output->index ? this->tasks[task].count : 0;
        }
    }
    return desired <= WEIGHT_MAX ? n_tasks : n_tasks * WEIGHT_MAX / desired;
}

static taskfit_node *capacity_providers(const taskfit_renderer *render, const taskfit_output *output) {
    taskfit_node *list = taskfit_node_list(render->arena);
    for (size_t index = 0; index < output->service->n_groups; index++) {
        const size_t group = output->service->groups[index];
        taskfit_node *item = taskfit_node_map(render->arena);
        taskfit_set_string(render->arena, item, "capacityProvider", render->deployment->groups[group].name);
        taskfit_set_quantity(render->arena, item, "weight", weight_of(render, output, group));
        taskfit_node_append(render->arena, list, item);
    }
    return list;
}

const char *taskfit_service_no_rebalancing(const taskfit_service *service) {
    return service->daemon                                            ? "it is a daemon"
           : service->strategies[0].type != TASKFIT_STRATEGY_SPREAD_AZ ? "its first placement strategy is not spread over AZs"
           : service->maximum_percent <= 100                           ? "its maximumPercent leaves no room for a task more"
           : service->deployment_strategy != TASKFIT_DEPLOY_ROLLING     ? "its deployments are not rolling"
                                                                       : NULL;
}

static void set_shared(const taskfit_renderer *render, const taskfit_output *output, bool update, taskfit_node *map) {
    const taskfit_service *service = output->service;
    taskfit_arena *arena = render->arena;
    taskfit_node *given = constraints(service, arena);
    if (!service->daemon) {
        taskfit_set_quantity(arena, map, "desiredCount", service->desired_count);
    }
    taskfit_node_set(arena, map, "deploymentConfiguration", deployment_configuration(service, arena));
    if (update || given->n > 0) {
        taskfit_node_set(arena, map, "placementConstraints", given);
    }
    if (!service->daemon) { /* stated also where it is ECS's default: the plan relies on it */
        taskfit_node_set(arena, map, "placementStrategy", strategies(service, arena));
    }
    if (render->options->az_rebalancing && taskfit_service_no_rebalancing(service) == NULL) {
        taskfit_set_string(arena, map, "availabilityZoneRebalancing", "ENABLED");
    }
}

taskfit_node *taskfit_service_create_tree(taskfit_renderer *render, const taskfit_output *output) {
    const taskfit_service *service = output->service;
    taskfit_node *map = taskfit_node_map(render->arena);
    taskfit_set_string(render->arena, map, "cluster", render->deployment->name);
    taskfit_set_string(render->arena, map, "serviceName", service->name);
    taskfit_set_string(render->arena, map, "taskDefinition", service->family);
    taskfit_set_string(render->arena, map, "schedulingStrategy", service->daemon ? "DAEMON" : "REPLICA");
    /* a daemon takes no strategy, not even the cluster's default one (aws/containers-roadmap#692) */
    if (service->n_groups > 0 && !service->daemon) {
        taskfit_node_set(render->arena, map, "capacityProviderStrategy", capacity_providers(render, output));
    } else {
        taskfit_set_string(render->arena, map, "launchType", "EC2");
    }
    set_shared(render, output, false, map);
    return map;
}

taskfit_node *taskfit_service_update_tree(taskfit_renderer *render, const taskfit_output *output) {
    const taskfit_service *service = output->service;
    taskfit_node *map = taskfit_node_map(render->arena);
    taskfit_set_string(render->arena, map, "cluster", render->deployment->name);
    taskfit_set_string(render->arena, map, "service", service->name);
    taskfit_set_string(render->arena, map, "taskDefinition", service->family);
    if (service->n_groups > 0 && !service->daemon) {
        taskfit_node_set(render->arena, map, "capacityProviderStrategy", capacity_providers(render, output));
        /* Amazon ECS takes another strategy only with it */
        taskfit_node_set(render->arena, map, "forceNewDeployment", taskfit_node_bool(render->arena, true));
    }
    set_shared(render, output, true, map);
    return map;
}
