#include "deployment/read.h"

#include <assert.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "deployment/accounting.h"
#include "deployment/query.h"

/* Every warning that reading a deployment can give. */
static const char *code_text(taskfit_warning_code code) {
    switch (code) {
    case TASKFIT_WARN_TASK_MEMORY_HIDES: return "ECS001";
    case TASKFIT_WARN_NO_HARD_LIMIT: return "ECS002";
    case TASKFIT_WARN_DAEMON_COUNT: return "ECS003";
    case TASKFIT_WARN_DAEMON_STRATEGY: return "ECS004";
    case TASKFIT_WARN_SPREAD_VOID: return "SPREAD001";
    case TASKFIT_WARN_SPREAD_ATTRIBUTE: return "SPREAD002";
    case TASKFIT_WARN_REGION_PRICE: return "PRICE001";
    case TASKFIT_WARN_MEMORY_ESTIMATED: return "TYPE001";
    case TASKFIT_WARN_NAME_UNMATCHED: return "POLICY001";
    }
    assert(false); /* a warning without a code */
    return NULL;
}

void taskfit_warn(taskfit_reading *reading, taskfit_warning_code code, const char *service, const char *format, ...) {
    taskfit_arena *arena = reading->deployment->arena;
    char message[512];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    TASKFIT_GROW(arena, reading->warnings, reading->n_warnings, reading->warnings_capacity);
    reading->warnings[reading->n_warnings++] =
        (taskfit_warning){.code = code_text(code), .service = service, .message = taskfit_arena_strdup(arena, message)};
}

static void warn_of_containers(taskfit_reading *reading, const taskfit_service *service) {
    size_t n_reservations = 0;
    for (size_t c = 0; c < service->n_containers; c++) {
        const taskfit_container *container = &service->containers[c];
        n_reservations += container->memory_reservation_mib >= 0;
        if (container->memory_mib < 0 && service->task_memory_mib < 0) {
            taskfit_warn(reading, TASKFIT_WARN_NO_HARD_LIMIT, service->name,
                         "container '%s' has no hard limit (memory): its reservation is counted instead",
                         container->name);
        }
    }
    if (service->task_memory_mib >= 0 && n_reservations > 0) {
        taskfit_warn(
            reading, TASKFIT_WARN_TASK_MEMORY_HIDES, service->name,
            "task memory of %lld MiB is what ECS places by: memoryReservation of its containers no longer matters",
            (long long)service->task_memory_mib);
    }
}

static bool stands_in(const taskfit_deployment *deployment, const taskfit_service *service, size_t group, size_t az) {
    for (size_t t = 0; t < deployment->groups[group].n_types; t++) {
        if (taskfit_service_permitted(deployment, service, group, t, az)) {
            return true;
        }
    }
    return false;
}

static size_t eligible_azs(const taskfit_deployment *deployment, const taskfit_service *service) {
    bool seen[TASKFIT_AZS_MAX] = {false};
    size_t n = 0;
    for (size_t g = 0; g < deployment->n_groups; g++) {
        for (size_t i = 0; i < deployment->groups[g].n_azs; i++) {
            const size_t az = deployment->groups[g].azs[i];
            if (!seen[az] && stands_in(deployment, service, g, az)) {
                seen[az] = true;
                n++;
            }
        }
    }
    return n;
}

/* Instances without the attribute of a spread are all alike to it. */
static bool attribute_known(const taskfit_deployment *deployment, const char *name) {
    if (strncmp(name, "ecs.", 4) == 0) {
        return true;
    }
    for (size_t g = 0; g < deployment->n_groups; g++) {
        for (size_t i = 0; i < deployment->groups[g].n_attributes; i++) {
            if (strcmp(deployment->groups[g].attributes[i].name, name) == 0) {
                return true;
            }
        }
    }
    return false;
}

static void warn_of_strategies(taskfit_reading *reading, const taskfit_service *service) {
    const taskfit_deployment *deployment = reading->deployment;
    const bool is_rule = deployment->policy.spread == TASKFIT_SPREAD_REQUIRED;
    for (size_t i = 0; service->strategies != taskfit_ecs_strategies && i < service->n_strategies; i++) {
        const taskfit_strategy *strategy = &service->strategies[i];
        const char *attribute = strategy->field ? strchr(strategy->field, ':') : NULL;
        if (is_rule && strategy->type == TASKFIT_STRATEGY_SPREAD_AZ && deployment->n_azs > 1 &&
            eligible_azs(deployment, service) == 1) {
            taskfit_warn(reading, TASKFIT_WARN_SPREAD_VOID, service->name,
                         "it may stand in one availability zone only, so its spread over zones is void");
        }
        if (strategy->type == TASKFIT_STRATEGY_SPREAD_OTHER && attribute &&
            !attribute_known(deployment, attribute + 1)) {
            taskfit_warn(reading, TASKFIT_WARN_SPREAD_ATTRIBUTE, service->name,
                         "no instance group has the attribute '%s' that its placement strategy spreads over",
                         attribute + 1);
        }
    }
}

static void warn_of_zones(taskfit_reading *reading) {
    const taskfit_deployment *deployment = reading->deployment;
    size_t n_stated = 0;
    const char *example = NULL;
    if (deployment->policy.spread != TASKFIT_SPREAD_REQUIRED) {
        return;
    }
    for (size_t s = 0; deployment->n_azs == 1 && s < deployment->n_services; s++) {
        const taskfit_service *service = &deployment->services[s];
        for (size_t i = 0; service->strategies != taskfit_ecs_strategies && i < service->n_strategies; i++) {
            if (service->strategies[i].type == TASKFIT_STRATEGY_SPREAD_AZ) {
                example = example ? example : service->name;
                n_stated++;
                break;
            }
        }
    }
    if (n_stated > 0) {
        taskfit_warn(
            reading, TASKFIT_WARN_SPREAD_VOID, NULL,
            "the cluster has one availability zone, so the spread over zones of %zu service%s ('%s'%s) is void",
            n_stated, n_stated == 1 ? "" : "s", example, n_stated == 1 ? "" : ", ...");
    }
}

static void warn_of_types(taskfit_reading *reading) {
    const taskfit_deployment *deployment = reading->deployment;
    bool priced_elsewhere = false;
    for (size_t g = 0; g < deployment->n_groups; g++) {
        for (size_t t = 0; t < deployment->groups[g].n_types; t++) {
            const taskfit_instance_type *type = &deployment->groups[g].types[t].type;
            const taskfit_instance_type *known = taskfit_catalogue_find(reading->catalogue, type->name);
            priced_elsewhere = priced_elsewhere || (known && known->price_usd_micros == type->price_usd_micros);
            if (!type->memory_measured) {
                taskfit_warn(reading, TASKFIT_WARN_MEMORY_ESTIMATED, NULL,
                             "the memory that '%s' registers is an estimate: nobody has published a measurement",
                             type->name);
            }
        }
    }
    if (priced_elsewhere && strcmp(deployment->region, "us-east-1") != 0) {
        taskfit_warn(reading, TASKFIT_WARN_REGION_PRICE, NULL,
                     "prices are those of us-east-1, not of %s (give usdPerHour in cluster.instanceTypes)",
                     deployment->region);
    }
}

/* ---- names of services that do not exist ---- */

static bool any_service_matches(const taskfit_deployment *deployment, const char *glob) {
    for (size_t s = 0; s < deployment->n_services; s++) {
        if (fnmatch(glob, deployment->services[s].name, 0) == 0) {
            return true;
        }
    }
    return false;
}

static void warn_of_globs(taskfit_reading *reading) {
    const taskfit_policy *policy = &reading->deployment->policy;
    for (size_t i = 0; i < policy->n_anti_affinity; i++) {
        for (const char *const *glob = policy->anti_affinity[i]; *glob; glob++) {
            if (!any_service_matches(reading->deployment, *glob)) {
                taskfit_warn(reading, TASKFIT_WARN_NAME_UNMATCHED, NULL, "antiAffinity names '%s', which is no service",
                             *glob);
            }
        }
    }
}

static void warn_of_conflicts(taskfit_reading *reading, const taskfit_service *service) {
    for (size_t q = 0; q < service->n_member_of; q++) {
        size_t n = 0;
        const char *const *names = taskfit_query_conflicts(service->queries[q], &n);
        for (size_t i = 0; i < n; i++) {
            if (!taskfit_names_find(reading->services, reading->n_services, names[i])) {
                taskfit_warn(reading, TASKFIT_WARN_NAME_UNMATCHED, service->name,
                             "memberOf names '%s', which is no service", names[i]);
            }
        }
    }
}

void taskfit_warn_all(taskfit_reading *reading) {
    const taskfit_deployment *deployment = reading->deployment;
    warn_of_types(reading);
    warn_of_zones(reading);
    warn_of_globs(reading);
    for (size_t d = 0; d < deployment->n_daemons; d++) {
        warn_of_containers(reading, &deployment->daemons[d]);
    }
    for (size_t s = 0; s < deployment->n_services; s++) {
        warn_of_containers(reading, &deployment->services[s]);
        warn_of_strategies(reading, &deployment->services[s]);
        warn_of_conflicts(reading, &deployment->services[s]);
    }
}
