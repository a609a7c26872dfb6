#include "render/rules.h"

#include <stdarg.h>
#include <string.h>

#include "deployment/query.h"
#include "render/nodes.h"
#include "render/rules_container.h"
#include "render/task_size.h"

enum { CONTAINERS_MAX = 10, CONSTRAINTS_MAX = 10, TASK_CPU_MIN = 128, TASK_CPU_MAX = 196608 };

void taskfit_rules_refuse(const taskfit_rules *rules, const taskfit_node *node, const char *path, const char *format, ...) {
    TASKFIT_STRBUF(message);
    va_list args;
    va_start(args, format);
    taskfit_strbuf_vprintf(&message, format, args);
    va_end(args);
    taskfit_tell_defect(rules->tell, node != NULL && node->position.file != NULL ? node->position : rules->fallback,
                        "%s: %s: %s", rules->name, path, message.data);
}

bool taskfit_rules_is_name(const char *text) {
    const size_t len = strlen(text);
    return len >= 1 && len <= 255 &&
           strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == len;
}

bool taskfit_rules_is_one_of(const char *text, const char *const *words) {
    for (; *words != NULL; words++) {
        if (strcmp(text, *words) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- cpu and memory of the task ---- */

static void check_task_size(const taskfit_rules *rules) {
    if (rules->task_cpu_units == TASKFIT_TASK_SIZE_BAD) {
        taskfit_rules_refuse(rules, taskfit_node_get(rules->root, "cpu"), "cpu",
                             "'%s' is no task CPU (write units such as '1024', or '1 vCPU')", taskfit_text_of(rules->root, "cpu"));
    } else if (rules->task_cpu_units >= 0 && !rules->is_fargate &&
               (rules->task_cpu_units < TASK_CPU_MIN || rules->task_cpu_units > TASK_CPU_MAX)) {
        taskfit_rules_refuse(rules, taskfit_node_get(rules->root, "cpu"), "cpu", "%lld is not within %d to %d CPU units",
                             (long long)rules->task_cpu_units, TASK_CPU_MIN, TASK_CPU_MAX);
    }
    if (rules->task_memory_mib == TASKFIT_TASK_SIZE_BAD) {
        taskfit_rules_refuse(rules, taskfit_node_get(rules->root, "memory"), "memory",
                             "'%s' is no task memory (write MiB such as '2048', or '2GB')",
                             taskfit_text_of(rules->root, "memory"));
    }
}

/* Memory that goes with each CPU size: first, last, step, in MiB. Developer guide, "Fargate task definition differences"; the two
 * largest since 2022. */
static const struct {
    int64_t cpu_units, first_mib, last_mib, step_mib;
} fargate_sizes[] = {
    {256, 512, 2048, 0}, /* 512, 1024, 2048 */
    {512, 1024, 4096, 1024},
    {1024, 2048, 8192, 1024},
    {2048, 4096, 16384, 1024},
    {4096, 8192, 30720, 1024},
    {8192, 16384, 61440, 4096},
    {16384, 32768, 122880, 8192},
};

static bool is_fargate_size(int64_t cpu_units, int64_t memory_mib) {
    for (size_t row = 0; row < sizeof fargate_sizes / sizeof fargate_sizes[0]; row++) {
        const int64_t first = fargate_sizes[row].first_mib, step = fargate_sizes[row].step_mib;
        if (fargate_sizes[row].cpu_units == cpu_units) {
            return memory_mib >= first && memory_mib <= fargate_sizes[row].last_mib &&
                   (step > 0 ? (memory_mib - first) % step == 0 : (memory_mib & (memory_mib - 1)) == 0);
        }
    }
    return false;
}

static void check_fargate(const taskfit_rules *rules) {
    const taskfit_node *constraints = taskfit_list_of(rules->root, "placementConstraints");
    if (strcmp(rules->network_mode, "awsvpc") != 0) {
        taskfit_rules_refuse(rules, taskfit_node_get(rules->root, "networkMode"), "networkMode",
                             "'%s' does not go with FARGATE in requiresCompatibilities (Fargate takes awsvpc alone)",
                             rules->network_mode);
    }
    if (constraints->n > 0) {
        taskfit_rules_refuse(rules, constraints, "placementConstraints", "Fargate takes none (remove them, or FARGATE)");
    }
    if (rules->task_cpu_units < 0 || rules->task_memory_mib < 0) {
        taskfit_rules_refuse(rules, rules->root, rules->task_cpu_units < 0 ? "cpu" : "memory",
                             "Fargate needs cpu and memory of the task (state task.cpu and task.memory)");
    } else if (!is_fargate_size(rules->task_cpu_units, rules->task_memory_mib)) {
        taskfit_rules_refuse(rules, taskfit_node_get(rules->root, "memory"), "memory",
                             "%lld MiB beside %lld CPU units is no size of Fargate (such as 1024 units with 2048 to 8192 MiB)",
                             (long long)rules->task_memory_mib, (long long)rules->task_cpu_units);
    }
}

/* ---- the task ---- */

static void check_constraints(const taskfit_rules *rules, size_t n_service_constraints) {
    const taskfit_node *list = taskfit_list_of(rules->root, "placementConstraints");
    for (size_t index = 0; index < list->n; index++) {
        TASKFIT_STRBUF(path);
        taskfit_strbuf_printf(&path, "placementConstraints[%zu]", index);
        const char *type = taskfit_text_of(list->items[index], "type");
        const char *expression = taskfit_text_of(list->items[index], "expression");
        if (type == NULL || strcmp(type, "memberOf") != 0) {
            taskfit_rules_refuse(rules, list->items[index], path.data,
                                 "a task definition takes memberOf alone, not '%s' (distinctInstance belongs to the service)",
                                 type != NULL ? type : "");
        } else if (expression == NULL || strlen(expression) > TASKFIT_QUERY_MAX) {
            taskfit_rules_refuse(rules, list->items[index], path.data, "needs an expression of at most %d characters",
                                 (int)TASKFIT_QUERY_MAX);
        }
    }
    if (list->n + n_service_constraints > CONSTRAINTS_MAX) {
        taskfit_rules_refuse(rules, list, "placementConstraints",
                             "%zu placement constraints, with antiAffinity and the service's own; Amazon ECS takes %d",
                             list->n + n_service_constraints, CONSTRAINTS_MAX);
    }
}

static void check_task(const taskfit_rules *rules) {
    static const char *const modes[] = {"bridge", "host", "awsvpc", "none", NULL};
    const char *family = taskfit_text_of(rules->root, "family");
    if (family == NULL || !taskfit_rules_is_name(family)) {
        taskfit_rules_refuse(rules, taskfit_node_get(rules->root, "family"), "family",
                             "'%s' is no name of a task definition (up to 255 letters, digits, '-' and '_')",
                             family != NULL ? family : "");
    }
    if (!taskfit_rules_is_one_of(rules->network_mode, modes)) {
        taskfit_rules_refuse(rules, taskfit_node_get(rules->root, "networkMode"), "networkMode",
                             "'%s' is none of bridge, host, awsvpc, none", rules->network_mode);
    }
    check_task_size(rules);
    if (rules->is_fargate) {
        check_fargate(rules);
    }
}

static bool holds_text(const taskfit_node *list, const char *text) {
    for (size_t item = 0; item < list->n; item++) {
        if (list->items[item]->kind == TASKFIT_NODE_SCALAR && strcmp(list->items[item]->text, text) == 0) {
            return true;
        }
    }
    return false;
}

void taskfit_rules_check(const taskfit_node *task_definition, const char *name, taskfit_position fallback,
                         size_t n_service_constraints, taskfit_tell *tell) {
    const char *mode = taskfit_text_of(task_definition, "networkMode");
    const taskfit_rules rules = {
        .root = task_definition,
        .containers = taskfit_list_of(task_definition, "containerDefinitions"),
        .name = name,
        .fallback = fallback,
        .tell = tell,
        .network_mode = mode != NULL ? mode : "bridge",
        .task_cpu_units = taskfit_task_cpu_units(task_definition),
        .task_memory_mib = taskfit_task_memory_mib(task_definition),
        .is_fargate = holds_text(taskfit_list_of(task_definition, "requiresCompatibilities"), "FARGATE"),
    };
    check_task(&rules);
    check_constraints(&rules, n_service_constraints);
    if (rules.containers->n == 0 || rules.containers->n > CONTAINERS_MAX) {
        taskfit_rules_refuse(&rules, rules.containers, "containerDefinitions", "%zu containers (Amazon ECS takes 1 to %d)",
                             rules.containers->n, CONTAINERS_MAX);
    }
    taskfit_rules_check_containers(&rules);
}
