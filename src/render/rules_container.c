#include "render/rules_container.h"

#include <stdarg.h>
#include <string.h>

#include "render/nodes.h"

enum { MEMORY_MIN_MIB = 6, PORTS_MAX = 65535 };

typedef struct place { /* one container */
    const taskfit_rules *rules;
    const taskfit_node *node;
    size_t index;
} place;

static void refuse(const place *at, const taskfit_node *node, const char *key, const char *format, ...) TASKFIT_PRINTF(4, 5);

/* `key`: below the container; "": the container itself. */
static void refuse(const place *at, const taskfit_node *node, const char *key, const char *format, ...) {
    TASKFIT_STRBUF(path);
    TASKFIT_STRBUF(message);
    va_list args;
    va_start(args, format);
    taskfit_strbuf_vprintf(&message, format, args);
    va_end(args);
    taskfit_strbuf_printf(&path, "containerDefinitions[%zu]%s%s", at->index, *key ? "." : "", key);
    taskfit_rules_refuse(at->rules, node != NULL && node->position.file != NULL ? node : at->node, path.data, "%s", message.data);
}

static const taskfit_node *find(const taskfit_rules *rules, const char *name) {
    for (size_t index = 0; index < rules->containers->n; index++) {
        const char *text = taskfit_text_of(rules->containers->items[index], "name");
        if (text != NULL && strcmp(text, name) == 0) {
            return rules->containers->items[index];
        }
    }
    return NULL;
}

/* ---- names, numbers ---- */

static void check_name(const place *at) {
    const char *name = taskfit_text_of(at->node, "name"), *image = taskfit_text_of(at->node, "image");
    if (name == NULL || !taskfit_rules_is_name(name)) {
        refuse(at, taskfit_node_get(at->node, "name"), "name", "'%s' is no container name (up to 255 letters, digits, '-' and '_')",
               name != NULL ? name : "");
    } else if (find(at->rules, name) != at->node) {
        refuse(at, taskfit_node_get(at->node, "name"), "name", "'%s' is given twice (names must differ)", name);
    }
    if (image == NULL || *image == '\0') {
        refuse(at, taskfit_node_get(at->node, "image"), "image", "is missing (add image: REPOSITORY:TAG)");
    }
}

/* A quantity that is there but is no whole number is told here and counts as absent. */
static int64_t quantity(const place *at, const char *key) {
    const char *text = taskfit_text_of(at->node, key);
    const int64_t value = taskfit_number_of(at->node, key);
    if (text != NULL && value < 0) {
        refuse(at, taskfit_node_get(at->node, key), key, "'%s' is no whole number", text);
    }
    return value;
}

static void check_quantities(const place *at) {
    const int64_t memory = quantity(at, "memory"), reservation = quantity(at, "memoryReservation");
    const int64_t task_memory = at->rules->task_memory_mib;
    (void)quantity(at, "cpu");
    if (memory >= 0 && memory < MEMORY_MIN_MIB) {
        refuse(at, taskfit_node_get(at->node, "memory"), "memory", "%lld MiB is too little to start a container (at least %d)",
               (long long)memory, MEMORY_MIN_MIB);
    }
    if (reservation == 0) {
        refuse(at, taskfit_node_get(at->node, "memoryReservation"), "memoryReservation",
               "Amazon ECS refuses a reservation of 0 (leave it out or reserve at least 1 MiB)");
    }
    if (memory >= 0 && reservation > memory) {
        refuse(at, taskfit_node_get(at->node, "memoryReservation"), "memoryReservation",
               "%lld MiB is above the hard limit of %lld MiB (lower it or raise memory)", (long long)reservation, (long long)memory);
    }
    if (memory < 0 && reservation < 0 && task_memory < 0) {
        refuse(at, at->node, "", "has neither memory nor memoryReservation (Amazon ECS needs one of them, or the task's memory)");
    }
    if (task_memory >= 0 && memory > task_memory) {
        refuse(at, taskfit_node_get(at->node, "memory"), "memory", "%lld MiB is above the task's memory of %lld MiB",
               (long long)memory, (long long)task_memory);
    }
}

/* ---- ports ---- */

static void check_port(const place *at, const taskfit_node *port, size_t index) {
    static const char *const protocols[] = {"tcp", "udp", NULL};
    TASKFIT_STRBUF(path);
    taskfit_strbuf_printf(&path, "portMappings[%zu]", index);
    const char *mode = at->rules->network_mode, *protocol = taskfit_text_of(port, "protocol");
    const int64_t container_port = taskfit_number_of(port, "containerPort"), host_port = taskfit_number_of(port, "hostPort");
    const bool has_range = taskfit_is_given(port, "containerPortRange");
    if (strcmp(mode, "none") == 0) {
        refuse(at, port, path.data, "network mode none has no ports (remove the port mapping)");
        return;
    }
    if (!has_range && (container_port < 1 || container_port > PORTS_MAX)) {
        refuse(at, port, path.data, "needs a containerPort of 1 to %d", PORTS_MAX);
    }
    if (host_port > PORTS_MAX || (host_port < 0 && taskfit_is_given(port, "hostPort"))) {
        refuse(at, port, path.data, "needs a hostPort of 0 to %d, or none", PORTS_MAX);
    } else if (strcmp(mode, "bridge") != 0 && host_port > 0 && host_port != container_port) {
        refuse(at, port, path.data, "hostPort %lld differs from containerPort %lld (network mode %s takes the same or none)",
               (long long)host_port, (long long)container_port, mode);
    }
    if (protocol != NULL && !taskfit_rules_is_one_of(protocol, protocols)) {
        refuse(at, port, path.data, "protocol '%s' is neither tcp nor udp", protocol);
    }
}

/* Whether an earlier mapping of the task takes the same port of the host (or of the task's own network interface). */
static bool is_taken(const place *at, size_t mapping, int64_t port, bool udp) {
    const bool bridge = strcmp(at->rules->network_mode, "bridge") == 0;
    for (size_t index = 0; index <= at->index; index++) {
        const taskfit_node *list = taskfit_list_of(at->rules->containers->items[index], "portMappings");
        for (size_t other = 0; other < (index == at->index ? mapping : list->n); other++) {
            const char *protocol = taskfit_text_of(list->items[other], "protocol");
            if (taskfit_number_of(list->items[other], bridge ? "hostPort" : "containerPort") == port &&
                (protocol != NULL && strcmp(protocol, "udp") == 0) == udp) {
                return true;
            }
        }
    }
    return false;
}

static void check_ports(const place *at) {
    const taskfit_node *list = taskfit_list_of(at->node, "portMappings");
    const bool bridge = strcmp(at->rules->network_mode, "bridge") == 0;
    for (size_t index = 0; index < list->n; index++) {
        const taskfit_node *port = list->items[index];
        const char *protocol = taskfit_text_of(port, "protocol");
        const int64_t taken = taskfit_number_of(port, bridge ? "hostPort" : "containerPort");
        check_port(at, port, index);
        if (taken > 0 && is_taken(at, index, taken, protocol != NULL && strcmp(protocol, "udp") == 0)) {
            refuse(at, port, "portMappings", "port %lld is taken twice in one task (give each mapping a port of its own)",
                   (long long)taken);
        }
    }
    if (!bridge && taskfit_list_of(at->node, "links")->n > 0) {
        refuse(at, taskfit_node_get(at->node, "links"), "links", "go with network mode bridge alone");
    }
}

/* ---- what refers to something ---- */

static void check_environment(const place *at) {
    const taskfit_node *environment = taskfit_list_of(at->node, "environment"), *secrets = taskfit_list_of(at->node, "secrets");
    for (size_t index = 0; index < environment->n; index++) {
        const char *name = taskfit_text_of(environment->items[index], "name");
        if (name == NULL || *name == '\0') {
            refuse(at, environment->items[index], "environment", "variable %zu has no name", index);
        }
        for (size_t secret = 0; name != NULL && secret < secrets->n; secret++) {
            const char *other = taskfit_text_of(secrets->items[secret], "name");
            if (other != NULL && strcmp(name, other) == 0) {
                refuse(at, secrets->items[secret], "secrets", "'%s' is in environment too (Amazon ECS takes one of them)", name);
            }
        }
    }
}

static bool is_essential(const taskfit_node *container) {
    const char *text = taskfit_text_of(container, "essential");
    return text == NULL || strcmp(text, "false") != 0;
}

static void check_dependencies(const place *at) {
    static const char *const conditions[] = {"START", "COMPLETE", "SUCCESS", "HEALTHY", NULL};
    const taskfit_node *list = taskfit_list_of(at->node, "dependsOn");
    for (size_t index = 0; index < list->n; index++) {
        TASKFIT_STRBUF(path);
        taskfit_strbuf_printf(&path, "dependsOn[%zu]", index);
        const taskfit_node *item = list->items[index];
        const char *name = taskfit_text_of(item, "containerName"), *condition = taskfit_text_of(item, "condition");
        const taskfit_node *other = name != NULL ? find(at->rules, name) : NULL;
        if (other == NULL || other == at->node) {
            refuse(at, item, path.data, "'%s' is no other container of the task", name != NULL ? name : "");
        } else if (condition == NULL || !taskfit_rules_is_one_of(condition, conditions)) {
            refuse(at, item, path.data, "condition '%s' is none of START, COMPLETE, SUCCESS, HEALTHY", condition != NULL ? condition : "");
        } else if (strcmp(condition, "HEALTHY") == 0 && !taskfit_is_given(other, "healthCheck")) {
            refuse(at, item, path.data, "waits for '%s' to be HEALTHY, which has no healthCheck", name);
        } else if ((*condition == 'C' || condition[1] == 'U') && is_essential(other)) {
            refuse(at, item, path.data, "waits for '%s' to end, which is essential (set its essential to false)", name);
        }
    }
}

static void check_mounts(const place *at) {
    const taskfit_node *mounts = taskfit_list_of(at->node, "mountPoints"), *volumes = taskfit_list_of(at->rules->root, "volumes");
    for (size_t index = 0; index < mounts->n; index++) {
        const char *source = taskfit_text_of(mounts->items[index], "sourceVolume");
        bool known = source == NULL;
        for (size_t volume = 0; !known && volume < volumes->n; volume++) {
            const char *name = taskfit_text_of(volumes->items[volume], "name");
            known = name != NULL && strcmp(name, source) == 0;
        }
        if (!known) {
            refuse(at, mounts->items[index], "mountPoints", "volume '%s' is none of the task's volumes", source);
        }
    }
}

static void check_ranges(const place *at) {
    static const struct {
        const char *key;
        int64_t low, high;
    } rows[] = {{"interval", 5, 300}, {"timeout", 2, 120}, {"retries", 1, 10}, {"startPeriod", 0, 300}};
    const taskfit_node *check = taskfit_node_get(at->node, "healthCheck");
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        const char *text = taskfit_text_of(check, rows[row].key);
        const int64_t value = taskfit_number_of(check, rows[row].key);
        if (text != NULL && (value < rows[row].low || value > rows[row].high)) {
            refuse(at, check, "healthCheck", "%s '%s' is not within %lld to %lld", rows[row].key, text, (long long)rows[row].low,
                   (long long)rows[row].high);
        }
    }
}

/* ---- the containers together ---- */

static void check_firelens(const taskfit_rules *rules) {
    size_t n_routers = 0;
    const taskfit_node *router = NULL;
    for (size_t index = 0; index < rules->containers->n; index++) {
        if (taskfit_is_given(rules->containers->items[index], "firelensConfiguration")) {
            router = rules->containers->items[index];
            n_routers++;
        }
    }
    if (n_routers > 1) {
        taskfit_rules_refuse(rules, router, "containerDefinitions", "%zu containers have a firelensConfiguration (Amazon ECS takes one)",
                             n_routers);
    }
    for (size_t index = 0; n_routers == 0 && index < rules->containers->n; index++) {
        const place at = {rules, rules->containers->items[index], index};
        const char *driver = taskfit_text_of(taskfit_node_get(at.node, "logConfiguration"), "logDriver");
        if (driver != NULL && strcmp(driver, "awsfirelens") == 0) {
            refuse(&at, taskfit_node_get(at.node, "logConfiguration"), "logConfiguration",
                   "logDriver awsfirelens needs a container with firelensConfiguration in the task");
        }
    }
}

static void check_sums(const taskfit_rules *rules) {
    int64_t reserved_mib = 0, cpu_units = 0;
    bool essential = rules->containers->n == 0;
    for (size_t index = 0; index < rules->containers->n; index++) {
        const taskfit_node *container = rules->containers->items[index];
        const int64_t reservation = taskfit_number_of(container, "memoryReservation"), cpu = taskfit_number_of(container, "cpu");
        reserved_mib += reservation > 0 ? reservation : 0;
        cpu_units += cpu > 0 ? cpu : 0;
        essential = essential || is_essential(container);
    }
    if (!essential) {
        taskfit_rules_refuse(rules, rules->containers, "containerDefinitions", "no container is essential (Amazon ECS needs at least one)");
    }
    if (rules->task_memory_mib >= 0 && reserved_mib > rules->task_memory_mib) {
        taskfit_rules_refuse(rules, taskfit_node_get(rules->root, "memory"), "memory",
                             "reservations of %lld MiB are above the task's memory of %lld MiB", (long long)reserved_mib,
                             (long long)rules->task_memory_mib);
    }
    if (rules->is_fargate && rules->task_cpu_units >= 0 && cpu_units > rules->task_cpu_units) {
        taskfit_rules_refuse(rules, taskfit_node_get(rules->root, "cpu"), "cpu",
                             "%lld CPU units of the containers are above the task's %lld", (long long)cpu_units,
                             (long long)rules->task_cpu_units);
    }
}

void taskfit_rules_check_containers(const taskfit_rules *rules) {
    for (size_t index = 0; index < rules->containers->n; index++) {
        const place at = {rules, rules->containers->items[index], index};
        check_name(&at);
        check_quantities(&at);
        check_ports(&at);
        check_environment(&at);
        check_dependencies(&at);
        check_mounts(&at);
        check_ranges(&at);
    }
    check_sums(rules);
    check_firelens(rules);
}
