/*
 * An infeasible answer whose reason is one task that can stand nowhere is judged like a plan: the task must really
 * fit on no instance there is. Other reasons (max, stock, ...) rest on the optimizer's proof; here only their form
 * is looked at.
 */

#include "problem/verify.h"

#include <inttypes.h>
#include <string.h>

#include "base/units.h"

static const taskfit_node *value_of(const taskfit_node *map, const char *key) {
    const taskfit_node *value = taskfit_node_get(map, key);
    return value && value->kind == TASKFIT_NODE_SCALAR && !taskfit_node_is_null(value) ? value : NULL;
}

/* What is left for one task on an empty instance; headroom and caps are rules on rung `limits` and above. */
static int64_t room_of(const taskfit_judge *judge, const taskfit_instance_capacity *capacity, taskfit_resource resource,
                       bool with_headroom) {
    const taskfit_policy *policy = &judge->deployment->policy;
    int64_t room = capacity->amount[resource];
    int64_t cap_percent = -1;
    int64_t kept_percent = 0;
    int64_t base = capacity->registered_memory_mib;
    if (resource == TASKFIT_RESOURCE_MEMORY) {
        kept_percent = policy->headroom_memory_percent;
    } else if (resource == TASKFIT_RESOURCE_CPU) {
        kept_percent = policy->headroom_cpu_percent;
        base = capacity->total_cpu_units;
    } else if (resource == TASKFIT_RESOURCE_HARD_MEMORY) {
        cap_percent = policy->max_hard_memory_percent;
    } else if (resource == TASKFIT_RESOURCE_EXPECTED_MEMORY) {
        cap_percent = policy->max_expected_memory_percent;
    } else if (resource == TASKFIT_RESOURCE_EXPECTED_CPU) {
        cap_percent = policy->max_expected_cpu_percent;
        base = capacity->total_cpu_units;
    }
    if (judge->limits_in_force && cap_percent >= 0) {
        room = base * cap_percent / 100;
    }
    if (judge->limits_in_force && with_headroom) {
        room -= (base * kept_percent + 99) / 100;
    }
    return room - capacity->daemons[resource];
}

static bool fits(const taskfit_judge *judge, const taskfit_instance_capacity *capacity, const taskfit_task_demand *demand) {
    for (int resource = 0; resource < TASKFIT_RESOURCE_COUNT; resource++) {
        int64_t room = room_of(judge, capacity, (taskfit_resource)resource, true);
        if (room < 0 || demand->amount[resource] > room) {
            return false;
        }
    }
    return true;
}

/* What the instances there are have to offer one service. */
typedef struct chance {
    bool permitted, fits;
    int64_t most[TASKFIT_RESOURCE_COUNT]; /* room of the best instance where it is permitted */
    int64_t bare[TASKFIT_RESOURCE_COUNT]; /* the same without headroom */
    const char *type;                     /* where it fits */
} chance;

static chance chance_of(taskfit_judge *judge, size_t index) {
    const taskfit_deployment *deployment = judge->deployment;
    chance found = {0};
    for (size_t g = 0; g < deployment->n_groups; g++) {
        const taskfit_instance_group *group = &deployment->groups[g];
        for (size_t i = 0; i < group->n_types * group->n_azs; i++) {
            size_t type = i / group->n_azs;
            size_t az = group->azs[i % group->n_azs];
            const taskfit_instance_capacity *capacity = taskfit_judge_capacity(judge, g, type, az);
            if (!taskfit_service_permitted(deployment, &deployment->services[index], g, type, az) ||
                taskfit_judge_port_taken(capacity, &judge->demands[index])) {
                continue;
            }
            found.permitted = true;
            for (int resource = 0; resource < TASKFIT_RESOURCE_COUNT; resource++) {
                int64_t room = room_of(judge, capacity, (taskfit_resource)resource, true);
                int64_t bare = room_of(judge, capacity, (taskfit_resource)resource, false);
                found.most[resource] = room > found.most[resource] ? room : found.most[resource];
                found.bare[resource] = bare > found.bare[resource] ? bare : found.bare[resource];
            }
            if (fits(judge, capacity, &judge->demands[index])) {
                found.fits = true;
                found.type = group->types[type].type.name;
            }
        }
    }
    return found;
}

static int64_t count_of(const taskfit_node *node) {
    int64_t count = 0;
    const char *why = NULL;
    return !node->quoted && taskfit_parse_count(node->text, node->n, 0, TASKFIT_QUANTITY_MAX, &count, &why) ? count : -1;
}

static void judge_service_reason(taskfit_judge *judge, size_t index, const taskfit_node *reason, const char *word) {
    const char *name = judge->deployment->services[index].name;
    const chance found = chance_of(judge, index);
    int resource = 0;
    while (resource < TASKFIT_RESOURCE_COUNT && strcmp(taskfit_resource_name((taskfit_resource)resource), word) != 0) {
        resource++;
    }
    const bool never = strcmp(word, "memberOf") == 0 || strcmp(word, "architecture") == 0 || strcmp(word, "group") == 0;
    if (never && found.permitted) {
        taskfit_judge_tell(judge, "plan: the reason says that '%s' may stand nowhere, but it may (rule: reason)", name);
    }
    if (resource == TASKFIT_RESOURCE_COUNT) {
        return;
    }
    if (found.fits) {
        taskfit_judge_tell(judge, "plan: the reason says that a task of '%s' fits nowhere, but it fits on %s (rule: reason)", name,
                           found.type);
    }
    const taskfit_node *need = value_of(reason, "need");
    const taskfit_node *room = value_of(reason, "room");
    if (need && count_of(need) != judge->demands[index].amount[resource]) {
        taskfit_judge_tell(judge, "plan: reason.need is %.40s, a task of '%s' takes %s (rule: figures)", need->text, name,
                           taskfit_judge_number(judge, judge->demands[index].amount[resource]));
    }
    /* What does not fit on a rung without headroom either may have its reason from there. */
    const bool never_fits = judge->demands[index].amount[resource] > found.bare[resource];
    if (room && count_of(room) > (never_fits ? found.bare[resource] : found.most[resource])) {
        taskfit_judge_tell(judge, "plan: reason.room is %.40s, the best instance for '%s' has %s (rule: figures)", room->text, name, taskfit_judge_number(judge, found.most[resource]));
    }
}

void taskfit_judge_reason(taskfit_judge *judge) {
    const taskfit_node *reason = taskfit_node_get(judge->document, "reason");
    const taskfit_node *word = value_of(reason, "resource");
    const taskfit_node *service = value_of(reason, "service");
    if (!word || !value_of(reason, "message")) {
        taskfit_judge_tell(judge, "plan: infeasible without a reason (rule: document)");
        return;
    }
    if (!service) {
        return;
    }
    for (size_t i = 0; i < judge->deployment->n_services; i++) {
        if (strcmp(judge->deployment->services[i].name, service->text) == 0) {
            judge_service_reason(judge, i, reason, word->text);
            return;
        }
    }
    taskfit_judge_tell(judge, "plan: the reason names an unknown service '%.80s' (rule: service)", service->text);
}
