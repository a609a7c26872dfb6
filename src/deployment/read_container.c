#include "deployment/read.h"

#include <assert.h>
#include <string.h>

#include "base/units.h"
#include "deployment/words.h"

/* Docker refuses to start a container with less (API model, ContainerDefinition.memory). */
enum { CONTAINER_MEMORY_MIN_MIB = 6 };

/* ---- port mappings ---- */

typedef struct port_list {
    taskfit_port_mapping *ports;
    size_t n_ports;
} port_list;

static const taskfit_field port_fields[] = {
    {TASKFIT_KEY("containerPort", taskfit_decode_count, taskfit_port_mapping, container_port), .low = 1, .high = 65535,
     .required = true, .remedy = "the port that the container listens on"},
    {TASKFIT_KEY("hostPort", taskfit_decode_count, taskfit_port_mapping, host_port), .low = 0, .high = 65535},
    {TASKFIT_KEY("protocol", taskfit_decode_word, taskfit_port_mapping, protocol), .words = taskfit_protocol_words},
    {.key = "name", .read = taskfit_decode_ignored},
    {.key = "appProtocol", .read = taskfit_decode_ignored},
};

static void read_port(taskfit_decoder *decoder, taskfit_node *item, size_t index, void *arg) {
    port_list *list = arg;
    list->ports[index] = (taskfit_port_mapping){.protocol = TASKFIT_TCP};
    (void)taskfit_decode_map(decoder, item, port_fields, TASKFIT_COUNT_OF(port_fields), &list->ports[index]);
    list->n_ports = index + 1;
}

void taskfit_read_port_mappings(taskfit_decoder *decoder, const taskfit_field *field, taskfit_node *value,
                                void *object) {
    taskfit_container *container = (void *)((char *)object + field->offset);
    port_list list = {.ports = TASKFIT_ARRAY(decoder->arena, taskfit_decode_size(value), taskfit_port_mapping)};
    taskfit_decode_items(decoder, value, read_port, &list);
    container->port_mappings = list.ports;
    container->n_port_mappings = list.n_ports;
}

/* ---- environment ---- */

static const taskfit_field environment_fields[] = {
    {TASKFIT_KEY("name", taskfit_decode_text, taskfit_environment, name), .required = true},
    {TASKFIT_KEY("value", taskfit_decode_string, taskfit_environment, value), .required = true,
     .remedy = "\"\" for an empty one"},
};

static void read_variable(taskfit_decoder *decoder, taskfit_node *item, size_t index, void *arg) {
    taskfit_environment *environment = arg;
    (void)taskfit_decode_map(decoder, item, environment_fields, TASKFIT_COUNT_OF(environment_fields),
                             &environment[index]);
}

void taskfit_read_environment(taskfit_decoder *decoder, const taskfit_field *field, taskfit_node *value, void *object) {
    taskfit_container *container = (void *)((char *)object + field->offset);
    taskfit_environment *environment = TASKFIT_ARRAY(decoder->arena, taskfit_decode_size(value), taskfit_environment);
    taskfit_decode_items(decoder, value, read_variable, environment);
    container->environment = environment;
    container->n_environment = taskfit_decode_size(value);
}

/* ---- GPUs ---- */

static void read_gpu_count(taskfit_decoder *decoder, const taskfit_field *field, taskfit_node *value, void *object) {
    value->quoted = false; /* ECS writes the number as a string */
    taskfit_decode_count(decoder, field, value, object);
}

typedef struct requirement {
    int type;
    int64_t n_gpus;
} requirement;

static const taskfit_word requirement_words[] = {{"GPU", 0}, {NULL, 0}};
static const taskfit_field requirement_fields[] = {
    {TASKFIT_KEY("type", taskfit_decode_word, requirement, type), .words = requirement_words, .required = true},
    {TASKFIT_KEY("value", read_gpu_count, requirement, n_gpus), .low = 1, .high = 1024, .required = true,
     .remedy = "the number of GPUs"},
};

static void read_requirement(taskfit_decoder *decoder, taskfit_node *item, size_t index TASKFIT_UNUSED, void *arg) {
    taskfit_container *container = arg;
    requirement need = {.type = 0};
    (void)taskfit_decode_map(decoder, item, requirement_fields, TASKFIT_COUNT_OF(requirement_fields), &need);
    container->gpus += need.n_gpus;
}

void taskfit_read_resource_requirements(taskfit_decoder *decoder, const taskfit_field *field, taskfit_node *value,
                                        void *object) {
    taskfit_decode_items(decoder, value, read_requirement, (char *)object + field->offset);
}

/* ---- jvm, observed ---- */

static const taskfit_field jvm_fields[] = {
    {TASKFIT_KEY("xmx", taskfit_decode_memory_up, taskfit_jvm, xmx_mib)},
    {TASKFIT_KEY("xms", taskfit_decode_memory_up, taskfit_jvm, xms_mib)},
    {TASKFIT_KEY("metaspace", taskfit_decode_memory_up, taskfit_jvm, metaspace_mib)},
    {TASKFIT_KEY("maxMetaspace", taskfit_decode_memory_up, taskfit_jvm, max_metaspace_mib)},
    {TASKFIT_KEY("maxRamPercentage", taskfit_decode_percent_text, taskfit_jvm, max_ram_percentage)},
    {TASKFIT_KEY("codeCache", taskfit_decode_memory_up, taskfit_jvm, code_cache_mib)},
    {TASKFIT_KEY("directMemory", taskfit_decode_memory_up, taskfit_jvm, direct_memory_mib)},
    {TASKFIT_KEY("threads", taskfit_decode_count, taskfit_jvm, threads)},
    {TASKFIT_KEY("loadedClasses", taskfit_decode_count, taskfit_jvm, loaded_classes)},
    {TASKFIT_KEY("options", taskfit_decode_string, taskfit_jvm, options)},
};

void taskfit_read_jvm(taskfit_decoder *decoder, const taskfit_field *field, taskfit_node *value, void *object) {
    taskfit_container *container = (void *)((char *)object + field->offset);
    container->jvm.present =
        taskfit_decode_map(decoder, value, jvm_fields, TASKFIT_COUNT_OF(jvm_fields), &container->jvm);
}

static const taskfit_field observed_fields[] = {
    {TASKFIT_KEY("cpu", taskfit_decode_cpu_up, taskfit_container, observed_cpu_units)},
    {TASKFIT_KEY("memory", taskfit_decode_memory_up, taskfit_container, observed_memory_mib)},
};

void taskfit_read_observed(taskfit_decoder *decoder, const taskfit_field *field, taskfit_node *value, void *object) {
    (void)taskfit_decode_map(decoder, value, observed_fields, TASKFIT_COUNT_OF(observed_fields),
                             (char *)object + field->offset);
}

/* ---- a whole container ---- */

taskfit_container taskfit_container_defaults(void) {
    return (taskfit_container){.memory_mib = -1,
                               .memory_reservation_mib = -1,
                               .essential = true,
                               .observed_cpu_units = -1,
                               .observed_memory_mib = -1,
                               .jvm = {.xmx_mib = -1,
                                       .xms_mib = -1,
                                       .metaspace_mib = -1,
                                       .max_metaspace_mib = -1,
                                       .code_cache_mib = -1,
                                       .direct_memory_mib = -1,
                                       .threads = -1,
                                       .loaded_classes = -1}};
}

#define FOREIGN(name) {.key = (name), .read = taskfit_decode_ignored}

/* The rest of ContainerDefinition (API model of RegisterTaskDefinition; CloudFormation schema for the latest). */
static const taskfit_field container_fields[] = {
    {TASKFIT_KEY("name", taskfit_decode_name, taskfit_container, name)},
    TASKFIT_CONTAINER_FIELDS(0),
    FOREIGN("command"),
    FOREIGN("credentialSpecs"),
    FOREIGN("dependsOn"),
    FOREIGN("disableNetworking"),
    FOREIGN("dnsSearchDomains"),
    FOREIGN("dnsServers"),
    FOREIGN("dockerLabels"),
    FOREIGN("dockerSecurityOptions"),
    FOREIGN("entryPoint"),
    FOREIGN("environmentFiles"),
    FOREIGN("extraHosts"),
    FOREIGN("firelensConfiguration"),
    FOREIGN("healthCheck"),
    FOREIGN("hostname"),
    FOREIGN("interactive"),
    FOREIGN("links"),
    FOREIGN("linuxParameters"),
    FOREIGN("logConfiguration"),
    FOREIGN("mountPoints"),
    FOREIGN("privileged"),
    FOREIGN("pseudoTerminal"),
    FOREIGN("readonlyRootFilesystem"),
    FOREIGN("repositoryCredentials"),
    FOREIGN("restartPolicy"),
    FOREIGN("secrets"),
    FOREIGN("startTimeout"),
    FOREIGN("stopTimeout"),
    FOREIGN("systemControls"),
    FOREIGN("ulimits"),
    FOREIGN("user"),
    FOREIGN("versionConsistency"),
    FOREIGN("volumesFrom"),
    FOREIGN("workingDirectory"),
};
enum { N_OWN_FIELDS = 11, N_FIELDS = TASKFIT_COUNT_OF(container_fields) };

bool taskfit_is_container_key(const char *key) {
    for (size_t i = 1; i < N_OWN_FIELDS; i++) { /* 0: name, which is the service's */
        if (strcmp(container_fields[i].key, key) == 0) {
            return true;
        }
    }
    return false;
}

taskfit_container taskfit_read_container(taskfit_reading *reading, taskfit_node *node, const char *name_default,
                                         bool foreign) {
    taskfit_decoder *decoder = &reading->decoder;
    taskfit_container container = taskfit_container_defaults();
    const bool is_map =
        taskfit_decode_map(decoder, node, container_fields, foreign ? N_FIELDS : N_OWN_FIELDS, &container);
    if (is_map && !name_default && !reading->shared_part && !taskfit_node_get(node, "name")) {
        taskfit_decode_defect(decoder, node->position, "'name' is missing (each of containerDefinitions needs one)");
    }
    container.name = container.name ? container.name : name_default ? name_default : "";
    container.node = node;
    return container;
}

/* ---- the rules of ECS ---- */

static void check_memory(const taskfit_reading *reading, const taskfit_service *service,
                         const taskfit_container *container) {
    const taskfit_decoder *decoder = &reading->decoder;
    const long long memory = container->memory_mib;
    const long long reservation = container->memory_reservation_mib;
    if (memory >= 0 && memory < CONTAINER_MEMORY_MIN_MIB) {
        taskfit_decode_defect_at(decoder, container->node, "memory",
                                 "%lld MiB is too little to start a container (at least %d)", memory,
                                 CONTAINER_MEMORY_MIN_MIB);
    }
    if (reservation == 0) {
        taskfit_decode_defect_at(decoder, container->node, "memoryReservation",
                                 "ECS refuses a reservation of 0 (leave it out or reserve at least 1 MiB)");
    }
    if (memory >= 0 && reservation > memory) {
        taskfit_decode_defect_at(decoder, container->node, "memoryReservation",
                                 "%lld MiB is above the hard limit of %lld MiB (lower it or raise 'memory')",
                                 reservation, memory);
    }
    if (memory < 0 && reservation < 0 && service->task_memory_mib < 0 &&
        !taskfit_decode_given(container->node, "memory") &&
        !taskfit_decode_given(container->node, "memoryReservation")) {
        taskfit_decode_defect(
            decoder, container->node->position,
            "container '%s' has neither memory nor memoryReservation (ECS needs one of them, or task.memory)",
            container->name);
    }
    if (service->task_memory_mib >= 0 && memory > service->task_memory_mib) {
        taskfit_decode_defect_at(decoder, container->node, "memory",
                                 "%lld MiB is above the task's memory of %lld MiB (lower it or raise task.memory)",
                                 memory, (long long)service->task_memory_mib);
    }
}

static void check_port(const taskfit_reading *reading, taskfit_network_mode mode, const taskfit_node *node,
                       taskfit_port_mapping *port) {
    const taskfit_decoder *decoder = &reading->decoder;
    if (mode == TASKFIT_NETWORK_NONE) {
        taskfit_decode_defect(decoder, node->position, "network mode none has no ports (remove the port mapping)");
        return;
    }
    if (mode == TASKFIT_NETWORK_BRIDGE) {
        return;
    }
    const bool zero_is_absent = mode == TASKFIT_NETWORK_HOST;
    const bool given = taskfit_decode_given(node, "hostPort") && !(zero_is_absent && port->host_port == 0);
    if (given && port->host_port != port->container_port) {
        taskfit_decode_defect_at(
            decoder, node, "hostPort", "%lld differs from containerPort %lld (network mode %s takes the same or none)",
            (long long)port->host_port, (long long)port->container_port, taskfit_network_mode_name(mode));
    }
    port->host_port = port->container_port;
}

void taskfit_check_container(taskfit_reading *reading, const taskfit_service *service, taskfit_container *container) {
    taskfit_decoder *decoder = &reading->decoder;
    check_memory(reading, service, container);
    const taskfit_node *list = taskfit_node_get(container->node, "portMappings");
    if (container->n_port_mappings == 0) {
        return;
    }
    assert(list && list->n == container->n_port_mappings);
    taskfit_port_mapping *ports = TASKFIT_ARRAY(decoder->arena, list->n, taskfit_port_mapping);
    const taskfit_path key = {.up = decoder->path, .key = "portMappings"};
    for (size_t i = 0; i < list->n; i++) {
        const taskfit_path path = {.up = &key, .index = i};
        decoder->path = &path;
        ports[i] = container->port_mappings[i];
        check_port(reading, service->network_mode, list->items[i], &ports[i]);
    }
    decoder->path = key.up;
    container->port_mappings = ports;
}
