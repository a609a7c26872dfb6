/*
 * The form of Kubernetes: an apps/v1 Deployment for each service, a DaemonSet for each daemon. Requests are what the plan
 * counts, spread strategies become topologySpreadConstraints. What has no counterpart is left out and told.
 */
#include <string.h>

#include "deployment/conflict.h"
#include "render/kubernetes_container.h"
#include "render/nodes.h"

static const char host_key[] = "kubernetes.io/hostname", zone_key[] = "topology.kubernetes.io/zone", name_key[] = "app.kubernetes.io/name";

static taskfit_node *map_with(taskfit_arena *arena, const char *key, taskfit_node *value) {
    taskfit_node *map = taskfit_node_map(arena);
    taskfit_node_set(arena, map, key, value);
    return map;
}

static taskfit_node *labels(taskfit_arena *arena, const char *name) {
    return map_with(arena, name_key, taskfit_node_string(arena, name));
}

/* ---- where pods stand ---- */

static void set_spread(const taskfit_renderer *render, const taskfit_service *service, taskfit_node *pod) {
    const bool required = render->deployment->policy.spread == TASKFIT_SPREAD_REQUIRED;
    taskfit_arena *arena = render->arena;
    taskfit_node *list = taskfit_node_list(arena);
    for (size_t index = 0; index < service->n_strategies; index++) {
        const taskfit_strategy_type type = service->strategies[index].type;
        if (type == TASKFIT_STRATEGY_SPREAD_AZ || type == TASKFIT_STRATEGY_SPREAD_INSTANCE) {
            taskfit_node *item = taskfit_node_map(arena);
            taskfit_set_quantity(arena, item, "maxSkew", 1);
            taskfit_set_string(arena, item, "topologyKey", type == TASKFIT_STRATEGY_SPREAD_AZ ? zone_key : host_key);
            taskfit_set_string(arena, item, "whenUnsatisfiable", required ? "DoNotSchedule" : "ScheduleAnyway");
            taskfit_node_set(arena, item, "labelSelector", map_with(arena, "matchLabels", labels(arena, service->name)));
            taskfit_node_append(arena, list, item);
        } else {
            taskfit_tell_note(&render->tell, "service '%s': placement strategy %zu has no counterpart in Kubernetes", service->name,
                              index);
        }
    }
    taskfit_set_unless_empty(arena, pod, "topologySpreadConstraints", list);
}

/* Never on a node with one of these services. */
static void set_anti_affinity(const taskfit_renderer *render, const taskfit_output *output, const taskfit_conflicts *conflicts,
                              taskfit_node *pod) {
    taskfit_arena *arena = render->arena;
    taskfit_node *values = taskfit_node_list(arena);
    if (output->service->distinct_instance) {
        taskfit_node_append(arena, values, taskfit_node_string(arena, output->service->name));
    }
    for (size_t index = 0; conflicts != NULL && index < conflicts->n; index++) {
        const taskfit_service *other = &render->deployment->services[conflicts->services[index]];
        taskfit_node_append(arena, values, taskfit_node_string(arena, other->name));
    }
    if (values->n == 0) {
        return;
    }
    taskfit_node *expression = taskfit_node_map(arena), *expressions = taskfit_node_list(arena);
    taskfit_set_string(arena, expression, "key", name_key);
    taskfit_set_string(arena, expression, "operator", "In");
    taskfit_node_set(arena, expression, "values", values);
    taskfit_node_append(arena, expressions, expression);
    taskfit_node *term = map_with(arena, "labelSelector", map_with(arena, "matchExpressions", expressions));
    taskfit_set_string(arena, term, "topologyKey", host_key);
    taskfit_node *terms = taskfit_node_list(arena);
    taskfit_node_append(arena, terms, term);
    taskfit_node_set(arena, pod, "affinity",
                     map_with(arena, "podAntiAffinity", map_with(arena, "requiredDuringSchedulingIgnoredDuringExecution", terms)));
}

/* ---- the pod ---- */

static taskfit_node *pod_of(taskfit_renderer *render, const taskfit_output *output, const taskfit_conflicts *conflicts) {
    taskfit_arena *arena = render->arena;
    const taskfit_node *definitions = taskfit_list_of(output->tree, "containerDefinitions");
    const char *mode = taskfit_text_of(output->tree, "networkMode");
    const char *architecture = taskfit_text_of(taskfit_node_get(output->tree, "runtimePlatform"), "cpuArchitecture");
    taskfit_node *pod = taskfit_node_map(arena), *containers = taskfit_node_list(arena);
    if (mode != NULL && strcmp(mode, "host") == 0) {
        taskfit_node_set(arena, pod, "hostNetwork", taskfit_node_bool(arena, true));
    }
    if (architecture != NULL) {
        taskfit_node_set(arena, pod, "nodeSelector",
                         map_with(arena, "kubernetes.io/arch",
                                  taskfit_node_string(arena, strcmp(architecture, "ARM64") == 0 ? "arm64" : "amd64")));
    }
    for (size_t index = 0; index < definitions->n; index++) {
        taskfit_node_append(arena, containers, taskfit_kubernetes_container(arena, definitions->items[index], mode));
    }
    taskfit_node_set(arena, pod, "containers", containers);
    if (!output->service->daemon) {
        set_spread(render, output->service, pod);
        set_anti_affinity(render, output, conflicts, pod);
    }
    return pod;
}

/* Whole pods, as Amazon ECS rounds: at most floor(desired x maximum), at least ceil(desired x minimum). */
static void set_strategy(taskfit_renderer *render, const taskfit_service *service, taskfit_node *spec) {
    taskfit_arena *arena = render->arena;
    const int64_t desired = service->desired_count;
    int64_t surge = desired * service->maximum_percent / 100 - desired;
    const int64_t unavailable = desired - (desired * service->minimum_healthy_percent + 99) / 100;
    if (service->deployment_strategy != TASKFIT_DEPLOY_ROLLING) {
        surge = desired;
    }
    if (surge <= 0 && unavailable == 0 && desired > 0) {
        taskfit_tell_defect(&render->tell, service->position,
                            "service '%s': its percentages let no deployment move, which Kubernetes refuses (raise maximumPercent)",
                            service->name);
    }
    taskfit_node *rolling = taskfit_node_map(arena);
    taskfit_set_quantity(arena, rolling, "maxSurge", desired == 0 ? 1 : surge > 0 ? surge : 0);
    taskfit_set_quantity(arena, rolling, "maxUnavailable", unavailable);
    taskfit_node *strategy = taskfit_node_map(arena);
    taskfit_set_string(arena, strategy, "type", "RollingUpdate");
    taskfit_node_set(arena, strategy, "rollingUpdate", rolling);
    taskfit_node_set(arena, spec, "strategy", strategy);
}

static taskfit_node *manifest_of(taskfit_renderer *render, const taskfit_output *output, const taskfit_conflicts *conflicts) {
    const taskfit_service *service = output->service;
    taskfit_arena *arena = render->arena;
    taskfit_node *root = taskfit_node_map(arena), *metadata = taskfit_node_map(arena), *spec = taskfit_node_map(arena);
    taskfit_set_string(arena, root, "apiVersion", "apps/v1");
    taskfit_set_string(arena, root, "kind", service->daemon ? "DaemonSet" : "Deployment");
    taskfit_set_string(arena, metadata, "name", service->name);
    taskfit_node_set(arena, metadata, "labels", labels(arena, service->name));
    taskfit_node_set(arena, root, "metadata", metadata);
    if (!service->daemon) {
        taskfit_set_quantity(arena, spec, "replicas", service->desired_count);
        set_strategy(render, service, spec);
    }
    taskfit_node_set(arena, spec, "selector", map_with(arena, "matchLabels", labels(arena, service->name)));
    taskfit_node *pod = map_with(arena, "metadata", map_with(arena, "labels", labels(arena, service->name)));
    taskfit_node_set(arena, pod, "spec", pod_of(render, output, conflicts));
    taskfit_node_set(arena, spec, "template", pod);
    taskfit_node_set(arena, root, "spec", spec);
    return root;
}

/* ---- what Kubernetes refuses, and what it has no word for ---- */

/* RFC 1123 label. */
static bool is_label(const char *text) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    const size_t len = strlen(text);
    return len >= 1 && len <= 63 && strspn(text, letters) == len && text[0] != '-' && text[len - 1] != '-';
}

static void check_name(taskfit_renderer *render, const taskfit_output *output, const char *what, const char *name) {
    if (!is_label(name)) {
        taskfit_tell_defect(&render->tell, output->service->position,
                            "%s '%s' is no name in Kubernetes (up to 63 of a-z, 0-9 and '-', which is not at either end)", what, name);
    }
}

static void add_left_out(taskfit_strbuf *out, const taskfit_node *map, const char *const *known) {
    for (size_t entry = 0; entry < map->n; entry++) {
        const taskfit_node *value = map->entries[entry].value;
        bool is_known = value->kind != TASKFIT_NODE_SCALAR && value->n == 0;
        for (size_t key = 0; !is_known && known[key] != NULL; key++) {
            is_known = strcmp(known[key], map->entries[entry].key) == 0;
        }
        if (!is_known) {
            taskfit_strbuf_printf(out, "%s%s", out->len > 0 ? ", " : "", map->entries[entry].key);
        }
    }
}

static void check_output(taskfit_renderer *render, const taskfit_output *output) {
    const char *known[] = {"family", "networkMode", "containerDefinitions", "requiresCompatibilities", "runtimePlatform", NULL, NULL};
    if (taskfit_list_of(output->tree, "placementConstraints")->n <= output->apart.n) {
        known[sizeof known / sizeof known[0] - 2] = "placementConstraints"; /* of antiAffinity, which is there */
    }
    const taskfit_node *containers = taskfit_list_of(output->tree, "containerDefinitions");
    TASKFIT_STRBUF(left_out);
    check_name(render, output, "service", output->service->name);
    add_left_out(&left_out, output->tree, known);
    for (size_t index = 0; index < containers->n; index++) {
        check_name(render, output, "container", taskfit_text_of(containers->items[index], "name"));
        add_left_out(&left_out, containers->items[index], taskfit_kubernetes_container_keys);
    }
    if (output->service->n_groups > 0) {
        taskfit_strbuf_printf(&left_out, "%sgroup", left_out.len > 0 ? ", " : "");
    }
    if (left_out.len > 0) {
        taskfit_tell_note(&render->tell, "service '%s': left out for Kubernetes: %s", output->service->name, left_out.data);
    }
}

void taskfit_render_kubernetes(taskfit_renderer *render) {
    const taskfit_conflicts *conflicts = taskfit_conflicts_placing(render->deployment, true, render->arena);
    for (size_t index = 0; index < render->n_outputs; index++) {
        const taskfit_output *output = &render->outputs[index];
        check_output(render, output);
        taskfit_renderer_add(render,
                             (taskfit_output_file){.name = taskfit_renderer_file_name(render, output->service->family, ""),
                                                   .kind = TASKFIT_RENDERED_MANIFEST,
                                                   .of = output,
                                                   .tree = manifest_of(render, output,
                                                                       output->service->daemon ? NULL : &conflicts[output->index])});
    }
}
