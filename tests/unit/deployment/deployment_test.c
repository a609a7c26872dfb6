#include "unit.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/units.h"
#include "deployment/deployment.h"

/* Every key of a deployment file: what it is when absent and what it becomes when set (what breaks it stands in
 * tests/data/bad); then the rules between keys, the resolved tree and its round trip, warnings and limits. */

#define HEAD "taskfit: 1\n"
#define CLUSTER "cluster: {instanceGroups: [{name: main, types: [r7g.2xlarge]}]}\n"
#define SERVICES "services: [{name: web, memory: 512}]\n"

static taskfit_deployment *parse_with(const char *name, const char *text, const taskfit_parse_options *options) {
    taskfit_deployment *deployment = NULL;
    taskfit_error err = {.status = TASKFIT_OK};
    const taskfit_status status = taskfit_deployment_parse(name, text, strlen(text), options, &deployment, &err);
    if (status != TASKFIT_OK) {
        fail_msg("%s: %s\n%s", err.where, err.message, text);
    }
    return deployment;
}

static taskfit_deployment *parse(const char *text) {
    return parse_with("dir/prod.yaml", text, NULL);
}

/* ---- keys, one by one ---- */

typedef enum member_kind { INT, BOOL, ENUM, TEXT, SIZE } member_kind;
typedef enum object_kind { DEPLOYMENT, POLICY, GROUP, TYPE, SERVICE, CONTAINER, SIDECAR, PORT, JVM } object_kind;

typedef struct key_row {
    const char *text; /* of the file; NULL: HEAD CLUSTER SERVICES, for a default */
    object_kind object;
    size_t offset;
    member_kind kind;
    int64_t expected;
    const char *expected_text;
} key_row;

static const void *object_at(const taskfit_deployment *d, object_kind object) {
    switch (object) {
    case DEPLOYMENT: return d;
    case POLICY: return &d->policy;
    case GROUP: return &d->groups[0];
    case TYPE: return &d->groups[0].types[0];
    case SERVICE: return &d->services[0];
    case CONTAINER: return &d->services[0].containers[0];
    case SIDECAR: return &d->services[0].containers[1];
    case PORT: return &d->services[0].containers[0].port_mappings[0];
    case JVM: return &d->services[0].containers[0].jvm;
    }
    return NULL;
}

static void check_row(const key_row *row) {
    const char *text = row->text ? row->text : HEAD CLUSTER SERVICES;
    taskfit_deployment *d = parse(text);
    const char *at = (const char *)object_at(d, row->object) + row->offset;
    int64_t number = row->expected;
    int enumeration = 0;
    bool truth = false;
    size_t size = 0;
    const char *string = NULL;
    switch (row->kind) {
    case INT: memcpy(&number, at, sizeof number); break;
    case ENUM: memcpy(&enumeration, at, sizeof enumeration); break;
    case BOOL: memcpy(&truth, at, sizeof truth); break;
    case SIZE: memcpy(&size, at, sizeof size); break;
    case TEXT: memcpy(&string, at, sizeof string); break;
    }
    number = row->kind == ENUM ? enumeration : row->kind == BOOL ? truth : row->kind == SIZE ? (int64_t)size : number;
    if (number != row->expected) {
        fail_msg("%lld, not %lld:\n%s", (long long)number, (long long)row->expected, text);
    }
    if (row->kind == TEXT && (!string != !row->expected_text || (string && strcmp(string, row->expected_text) != 0))) {
        fail_msg("'%s', not '%s':\n%s", string ? string : "NULL", row->expected_text ? row->expected_text : "NULL", text);
    }
    taskfit_deployment_free(d);
}

#define IN_CLUSTER(keys) HEAD "cluster: {instanceGroups: [{name: main, types: [r7g.2xlarge]}], " keys "}\n" SERVICES
#define IN_GROUP(keys) HEAD "cluster: {availabilityZones: [a, b, c], instanceGroups: [{name: main, types: [r7g.2xlarge], " keys "}]}\n" SERVICES
#define IN_TYPE(keys) \
    HEAD "cluster: {instanceTypes: [{type: r7g.2xlarge, " keys "}], instanceGroups: [{name: main, types: [r7g.2xlarge]}]}\n" SERVICES
#define OWN_TYPE(keys)                                                                                                 \
    HEAD "cluster: {instanceTypes: [{type: own.1, vcpu: 4, registeredMemory: 8283700Ki, architecture: arm64, usdPerHour: "  \
         "'0.1', " keys "}], instanceGroups: [{name: main, types: [own.1]}]}\n" SERVICES
#define IN_SERVICE(keys) HEAD CLUSTER "services: [{name: web, memory: 512, " keys "}]\n"
#define BARE_SERVICE(keys) HEAD CLUSTER "services: [{name: web, " keys "}]\n"
#define IN_POLICY(keys) HEAD CLUSTER SERVICES "policy: {" keys "}\n"

#define D(member) DEPLOYMENT, offsetof(struct taskfit_deployment, member)
#define P(member) POLICY, offsetof(taskfit_policy, member)
#define G(member) GROUP, offsetof(taskfit_instance_group, member)
#define T(member) TYPE, offsetof(taskfit_candidate_type, member)
#define S(member) SERVICE, offsetof(taskfit_service, member)
#define C(member) CONTAINER, offsetof(taskfit_container, member)
#define X(member) SIDECAR, offsetof(taskfit_container, member)
#define M(member) PORT, offsetof(taskfit_port_mapping, member)
#define J(member) JVM, offsetof(taskfit_jvm, member)

static const key_row cluster_row[] = {
    {NULL, D(name), TEXT, 0, "prod"},
    {IN_CLUSTER("name: relc"), D(name), TEXT, 0, "relc"},
    {NULL, D(region), TEXT, 0, "us-east-1"},
    {IN_CLUSTER("region: eu-west-1"), D(region), TEXT, 0, "eu-west-1"},
    {NULL, D(n_azs), SIZE, 1, NULL},
    {IN_CLUSTER("availabilityZones: [a, b]"), D(n_azs), SIZE, 2, NULL},
    {NULL, D(network_mode), ENUM, TASKFIT_NETWORK_BRIDGE, NULL},
    {IN_CLUSTER("networkMode: awsvpc"), D(network_mode), ENUM, TASKFIT_NETWORK_AWSVPC, NULL},
    {NULL, D(awsvpc_trunking), BOOL, false, NULL},
    {IN_CLUSTER("awsvpcTrunking: true"), D(awsvpc_trunking), BOOL, true, NULL},
    {NULL, D(n_daemons), SIZE, 0, NULL},
    {IN_CLUSTER("daemons: [{name: agent, memory: 64}]"), D(n_daemons), SIZE, 1, NULL},
    {NULL, D(n_groups), SIZE, 1, NULL},
    {NULL, D(hours_per_month), INT, 730, NULL},
    {HEAD CLUSTER SERVICES "costs: {hoursPerMonth: 720}\n", D(hours_per_month), INT, 720, NULL},
    {NULL, G(name), TEXT, 0, "main"},
    {NULL, G(mixed), BOOL, false, NULL},
    {IN_GROUP("mixed: true"), G(mixed), BOOL, true, NULL},
    {NULL, G(min_instances), INT, 0, NULL},
    {IN_GROUP("min: 3"), G(min_instances), INT, 3, NULL},
    {NULL, G(max_instances), INT, 10000, NULL},
    {IN_GROUP("max: 50000"), G(max_instances), INT, 50000, NULL},
    {NULL, G(current_instances), INT, -1, NULL},
    {IN_GROUP("current: 10"), G(current_instances), INT, 10, NULL},
    {IN_GROUP("min: 0"), G(n_azs), SIZE, 3, NULL},
    {IN_GROUP("availabilityZones: [c, a]"), G(n_azs), SIZE, 2, NULL},
    {NULL, G(reserved_memory_mib), INT, 0, NULL},
    {IN_GROUP("reservedMemory: 1048577Ki"), G(reserved_memory_mib), INT, 1025, NULL}, /* a demand: up */
    {NULL, G(reserved_cpu_units), INT, 0, NULL},
    {IN_GROUP("reservedCpu: 60m"), G(reserved_cpu_units), INT, 62, NULL},
    {NULL, G(max_tasks), INT, -1, NULL},
    {IN_GROUP("maxTasks: 29"), G(max_tasks), INT, 29, NULL},
    {NULL, G(n_attributes), SIZE, 0, NULL},
    {IN_GROUP("attributes: {stack: 2, ecs.ami-id: ami-1}"), G(n_attributes), SIZE, 2, NULL},
    {NULL, T(price_usd_micros), INT, 428400, NULL},
    {IN_GROUP("purchase: onDemand"), T(price_usd_micros), INT, 428400, NULL},
    {IN_GROUP("purchase: {discountPercent: 36}"), T(price_usd_micros), INT, 274176, NULL},
    {IN_GROUP("purchase: {discountPercent: '12.55'}"), T(price_usd_micros), INT, 374636, NULL}, /* 374635.8 */
    {IN_GROUP("purchase: {usdPerHour: 0.27}"), T(price_usd_micros), INT, 270000, NULL},
    {NULL, T(stock), INT, -1, NULL},
    {HEAD "cluster: {instanceGroups: [{name: main, types: [{type: r7g.2xlarge, max: 2}]}]}\n" SERVICES, T(stock), INT, 2, NULL},
    {NULL, T(type.memory_registered_mib), INT, 63138, NULL},
    {IN_TYPE("registeredMemory: 65001471Ki"), T(type.memory_registered_mib), INT, 63477, NULL}, /* a capacity: down */
    {NULL, T(type.vcpu), INT, 8, NULL},
    {IN_TYPE("vcpu: 16"), T(type.vcpu), INT, 16, NULL},
    {NULL, T(type.architecture), ENUM, TASKFIT_ARCH_ARM64, NULL},
    {IN_TYPE("architecture: x86_64"), T(type.architecture), ENUM, TASKFIT_ARCH_X86_64, NULL},
    {IN_TYPE("usdPerHour: '0.5'"), T(price_usd_micros), INT, 500000, NULL},
    {NULL, T(type.awsvpc_tasks), INT, 3, NULL},
    {IN_TYPE("awsvpcTasks: 7"), T(type.awsvpc_tasks), INT, 7, NULL},
    {NULL, T(type.awsvpc_tasks_trunking), INT, 40, NULL},
    {IN_TYPE("awsvpcTasksTrunking: 41"), T(type.awsvpc_tasks_trunking), INT, 41, NULL},
    {NULL, T(type.gpus), INT, 0, NULL},
    {IN_TYPE("gpu: 4"), T(type.gpus), INT, 4, NULL},
    {OWN_TYPE(""), T(type.memory_registered_mib), INT, 8089, NULL},
    {OWN_TYPE(""), T(type.awsvpc_tasks), INT, -1, NULL},
    {OWN_TYPE("awsvpcTasks: 3"), T(type.awsvpc_tasks_trunking), INT, 3, NULL},
    {OWN_TYPE("awsvpcTasks: 3, awsvpcTasksTrunking: 10"), T(type.awsvpc_tasks_trunking), INT, 10, NULL},
};

static const key_row service_row[] = {
    {NULL, S(name), TEXT, 0, "web"},
    {NULL, S(desired_count), INT, 1, NULL},
    {IN_SERVICE("desiredCount: 0"), S(desired_count), INT, 0, NULL},
    {NULL, S(daemon), BOOL, false, NULL},
    {IN_SERVICE("schedulingStrategy: REPLICA"), S(daemon), BOOL, false, NULL},
    {NULL, S(n_groups), SIZE, 0, NULL},
    {IN_SERVICE("group: main"), S(n_groups), SIZE, 1, NULL},
    {IN_SERVICE("group: [main]"), S(n_groups), SIZE, 1, NULL},
    {IN_SERVICE("group: []"), S(n_groups), SIZE, 0, NULL},
    {NULL, S(network_mode), ENUM, TASKFIT_NETWORK_BRIDGE, NULL},
    {IN_SERVICE("networkMode: host"), S(network_mode), ENUM, TASKFIT_NETWORK_HOST, NULL},
    {IN_CLUSTER("networkMode: none"), S(network_mode), ENUM, TASKFIT_NETWORK_NONE, NULL},
    {NULL, S(architecture), ENUM, TASKFIT_ARCH_ANY, NULL},
    {IN_SERVICE("runtimePlatform: {cpuArchitecture: ARM64}"), S(architecture), ENUM, TASKFIT_ARCH_ARM64, NULL},
    {IN_SERVICE("runtimePlatform: {cpuArchitecture: ANY}"), S(architecture), ENUM, TASKFIT_ARCH_ANY, NULL},
    {NULL, S(n_strategies), SIZE, 2, NULL},
    {IN_SERVICE("placementStrategy: []"), S(n_strategies), SIZE, 2, NULL},
    {IN_SERVICE("placementStrategy: [{type: random}]"), S(n_strategies), SIZE, 1, NULL},
    {NULL, S(distinct_instance), BOOL, false, NULL},
    {IN_SERVICE("placementConstraints: [{type: distinctInstance}]"), S(distinct_instance), BOOL, true, NULL},
    {NULL, S(n_member_of), SIZE, 0, NULL},
    {IN_SERVICE("placementConstraints: [{type: memberOf, expression: 'attribute:stack == a'}]"), S(n_member_of), SIZE, 1, NULL},
    {NULL, S(maximum_percent), INT, 200, NULL},
    {IN_SERVICE("deploymentConfiguration: {maximumPercent: 134}"), S(maximum_percent), INT, 134, NULL},
    {NULL, S(minimum_healthy_percent), INT, 100, NULL},
    {IN_SERVICE("deploymentConfiguration: {minimumHealthyPercent: 66}"), S(minimum_healthy_percent), INT, 66, NULL},
    {NULL, S(deployment_strategy), ENUM, TASKFIT_DEPLOY_ROLLING, NULL},
    {IN_SERVICE("deploymentConfiguration: {strategy: BLUE_GREEN}"), S(deployment_strategy), ENUM, TASKFIT_DEPLOY_BLUE_GREEN, NULL},
    {IN_SERVICE("deploymentConfiguration: {strategy: CANARY}"), S(deployment_strategy), ENUM, TASKFIT_DEPLOY_CANARY, NULL},
    {IN_SERVICE("deploymentConfiguration: {strategy: LINEAR}"), S(deployment_strategy), ENUM, TASKFIT_DEPLOY_LINEAR, NULL},
    {NULL, S(read_write_split), BOOL, false, NULL},
    {IN_SERVICE("readWriteSplit: true"), S(read_write_split), BOOL, true, NULL},
    {NULL, S(family), TEXT, 0, "web"},
    {IN_SERVICE("family: web-2"), S(family), TEXT, 0, "web-2"},
    {NULL, S(n_ignore), SIZE, 0, NULL},
    {IN_SERVICE("ignore: [{rule: JVM003, reason: measured}]"), S(n_ignore), SIZE, 1, NULL},
    {NULL, S(task_cpu_units), INT, -1, NULL},
    {IN_SERVICE("task: {cpu: '0.125 vCPU'}"), S(task_cpu_units), INT, 128, NULL},
    {IN_SERVICE("task: {cpu: 196608}"), S(task_cpu_units), INT, 196608, NULL},
    {NULL, S(task_memory_mib), INT, -1, NULL},
    {IN_SERVICE("task: {memory: '512'}"), S(task_memory_mib), INT, 512, NULL},
    {NULL, S(long_form), BOOL, false, NULL},
    {NULL, S(n_containers), SIZE, 1, NULL},
    {BARE_SERVICE("containerDefinitions: [{name: a, memory: 6}, {name: b, memory: 7}]"), S(long_form), BOOL, true, NULL},
    {BARE_SERVICE("containerDefinitions: [{name: a, memory: 6}, {name: b, memory: 7}]"), S(n_containers), SIZE, 2, NULL},
    {BARE_SERVICE("task: {memory: 512}, containerDefinitions: [{name: a}]"), C(memory_mib), INT, -1, NULL},
    {IN_SERVICE("sidecar: {memory: 64}"), S(n_containers), SIZE, 2, NULL},
    {IN_SERVICE("sidecar: null"), S(n_containers), SIZE, 1, NULL},
};

static const key_row container_row[] = {
    {NULL, C(name), TEXT, 0, "web"},
    {IN_SERVICE("sidecar: {memory: 64}"), X(name), TEXT, 0, "sidecar"},
    {IN_SERVICE("sidecar: {name: proxy, memory: 64}"), X(name), TEXT, 0, "proxy"},
    {NULL, C(image), TEXT, 0, NULL},
    {IN_SERVICE("image: 'nginx:1.28'"), C(image), TEXT, 0, "nginx:1.28"},
    {NULL, C(cpu_units), INT, 0, NULL},
    {IN_SERVICE("cpu: 0.5 vCPU"), C(cpu_units), INT, 512, NULL},
    {IN_SERVICE("cpu: 500m"), C(cpu_units), INT, 512, NULL},
    {IN_SERVICE("cpu: 512"), C(cpu_units), INT, 512, NULL},
    {BARE_SERVICE("memory: 2Gi"), C(memory_mib), INT, 2048, NULL},
    {BARE_SERVICE("memory: 768m"), C(memory_mib), INT, 768, NULL},
    {BARE_SERVICE("memory: 1099511627776"), C(memory_mib), INT, TASKFIT_QUANTITY_MAX, NULL},
    {BARE_SERVICE("memory: 6"), C(memory_mib), INT, 6, NULL},
    {BARE_SERVICE("memoryReservation: 256"), C(memory_mib), INT, -1, NULL},
    {NULL, C(memory_reservation_mib), INT, -1, NULL},
    {IN_SERVICE("memoryReservation: 512"), C(memory_reservation_mib), INT, 512, NULL}, /* equal is accepted */
    {NULL, C(essential), BOOL, true, NULL},
    {IN_SERVICE("essential: false, sidecar: {memory: 64}"), C(essential), BOOL, false, NULL},
    {NULL, C(n_port_mappings), SIZE, 0, NULL},
    {IN_SERVICE("portMappings: [{containerPort: 80}]"), M(container_port), INT, 80, NULL},
    {IN_SERVICE("portMappings: [{containerPort: 80}]"), M(host_port), INT, 0, NULL},
    {IN_SERVICE("portMappings: [{containerPort: 80, hostPort: 8080}]"), M(host_port), INT, 8080, NULL},
    {IN_SERVICE("portMappings: [{containerPort: 80}]"), M(protocol), ENUM, TASKFIT_TCP, NULL},
    {IN_SERVICE("portMappings: [{containerPort: 80, protocol: udp}]"), M(protocol), ENUM, TASKFIT_UDP, NULL},
    {IN_SERVICE("networkMode: host, portMappings: [{containerPort: 80}]"), M(host_port), INT, 80, NULL},
    {IN_SERVICE("networkMode: host, portMappings: [{containerPort: 80, hostPort: 0}]"), M(host_port), INT, 80, NULL},
    {IN_SERVICE("networkMode: awsvpc, portMappings: [{containerPort: 80, hostPort: 80}]"), M(host_port), INT, 80, NULL},
    {NULL, C(n_environment), SIZE, 0, NULL},
    {IN_SERVICE("environment: [{name: A, value: 1.10}, {name: B, value: ''}]"), C(n_environment), SIZE, 2, NULL},
    {NULL, C(gpus), INT, 0, NULL},
    {IN_SERVICE("resourceRequirements: [{type: GPU, value: '2'}]"), C(gpus), INT, 2, NULL},
    {IN_SERVICE("resourceRequirements: [{type: GPU, value: 1}, {type: GPU, value: 1}]"), C(gpus), INT, 2, NULL},
    {NULL, J(present), BOOL, false, NULL},
    {IN_SERVICE("jvm: {}"), J(present), BOOL, true, NULL},
    {NULL, J(xmx_mib), INT, -1, NULL},
    {IN_SERVICE("jvm: {xmx: 180m}"), J(xmx_mib), INT, 180, NULL},
    {NULL, J(xms_mib), INT, -1, NULL},
    {IN_SERVICE("jvm: {xms: 1g}"), J(xms_mib), INT, 1024, NULL},
    {NULL, J(metaspace_mib), INT, -1, NULL},
    {IN_SERVICE("jvm: {metaspace: 88m}"), J(metaspace_mib), INT, 88, NULL},
    {NULL, J(max_metaspace_mib), INT, -1, NULL},
    {IN_SERVICE("jvm: {maxMetaspace: 128m}"), J(max_metaspace_mib), INT, 128, NULL},
    {NULL, J(max_ram_percentage), TEXT, 0, NULL},
    {IN_SERVICE("jvm: {maxRamPercentage: 85.0}"), J(max_ram_percentage), TEXT, 0, "85.0"},
    {NULL, J(code_cache_mib), INT, -1, NULL},
    {IN_SERVICE("jvm: {codeCache: 240m}"), J(code_cache_mib), INT, 240, NULL},
    {NULL, J(direct_memory_mib), INT, -1, NULL},
    {IN_SERVICE("jvm: {directMemory: 10m}"), J(direct_memory_mib), INT, 10, NULL},
    {NULL, J(threads), INT, -1, NULL},
    {IN_SERVICE("jvm: {threads: 250}"), J(threads), INT, 250, NULL},
    {NULL, J(loaded_classes), INT, -1, NULL},
    {IN_SERVICE("jvm: {loadedClasses: 19692}"), J(loaded_classes), INT, 19692, NULL},
    {NULL, J(options), TEXT, 0, NULL},
    {IN_SERVICE("jvm: {options: '-XX:+UseG1GC -Dx=y'}"), J(options), TEXT, 0, "-XX:+UseG1GC -Dx=y"},
    {NULL, C(observed_cpu_units), INT, -1, NULL},
    {IN_SERVICE("observed: {cpu: 410}"), C(observed_cpu_units), INT, 410, NULL},
    {NULL, C(observed_memory_mib), INT, -1, NULL},
    {IN_SERVICE("observed: {memory: 3300}"), C(observed_memory_mib), INT, 3300, NULL},
};

static const key_row policy_row[] = {
    {NULL, P(headroom_memory_percent), INT, 0, NULL},
    {IN_POLICY("headroom: {memoryPercent: 100}"), P(headroom_memory_percent), INT, 100, NULL},
    {NULL, P(headroom_cpu_percent), INT, 0, NULL},
    {IN_POLICY("headroom: {cpuPercent: 20}"), P(headroom_cpu_percent), INT, 20, NULL},
    {NULL, P(max_hard_memory_percent), INT, -1, NULL},
    {IN_POLICY("maxHardMemoryPercent: 150"), P(max_hard_memory_percent), INT, 150, NULL},
    {NULL, P(max_expected_cpu_percent), INT, -1, NULL},
    {IN_POLICY("maxExpectedCpuPercent: 60"), P(max_expected_cpu_percent), INT, 60, NULL},
    {NULL, P(max_expected_memory_percent), INT, -1, NULL},
    {IN_POLICY("maxExpectedMemoryPercent: 90"), P(max_expected_memory_percent), INT, 90, NULL},
    {NULL, P(n_anti_affinity), SIZE, 0, NULL},
    {IN_POLICY("antiAffinity: [[web, 'mod-*'], [a]]"), P(n_anti_affinity), SIZE, 2, NULL},
    {NULL, P(spread), ENUM, TASKFIT_SPREAD_REQUIRED, NULL},
    {IN_POLICY("spread: preferred"), P(spread), ENUM, TASKFIT_SPREAD_PREFERRED, NULL},
    {NULL, P(rolling), ENUM, TASKFIT_ROLLING_ONE_SERVICE, NULL},
    {IN_POLICY("rollingDeployment: none"), P(rolling), ENUM, TASKFIT_ROLLING_NONE, NULL},
    {IN_POLICY("rollingDeployment: allServices"), P(rolling), ENUM, TASKFIT_ROLLING_ALL_SERVICES, NULL},
    {NULL, P(survive), ENUM, TASKFIT_SURVIVE_NONE, NULL},
    {IN_POLICY("surviveLoss: instance"), P(survive), ENUM, TASKFIT_SURVIVE_INSTANCE, NULL},
    {IN_POLICY("surviveLoss: availabilityZone"), P(survive), ENUM, TASKFIT_SURVIVE_AVAILABILITY_ZONE, NULL},
    {NULL, P(n_objective), SIZE, 3, NULL},
    {NULL, P(objective[0]), ENUM, TASKFIT_GOAL_COUNT, NULL},
    {IN_POLICY("objective: [cost, count, balance, moves]"), P(n_objective), SIZE, 4, NULL},
    {IN_POLICY("objective: [cost, count]"), P(objective[0]), ENUM, TASKFIT_GOAL_COST, NULL},
    {IN_POLICY("objective: cost"), P(n_objective), SIZE, 1, NULL},
};

static void keys_of_the_cluster(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cluster_row / sizeof cluster_row[0]; i++) {
        check_row(&cluster_row[i]);
    }
}

static void keys_of_a_service(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof service_row / sizeof service_row[0]; i++) {
        check_row(&service_row[i]);
    }
}

static void keys_of_a_container(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof container_row / sizeof container_row[0]; i++) {
        check_row(&container_row[i]);
    }
}

static void keys_of_the_policy(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof policy_row / sizeof policy_row[0]; i++) {
        check_row(&policy_row[i]);
    }
}

/* ---- what rows cannot say ---- */

static void lists_keep_their_content(void **state) {
    (void)state;
    taskfit_deployment *d = parse(
        HEAD "cluster:\n"
             "  availabilityZones: [a, b, c]\n"
             "  instanceGroups:\n"
             "    - {name: main, types: [r7g.2xlarge, m6i.large], availabilityZones: [c, a], attributes: {stack: 2}}\n"
             "    - {name: heavy, types: [c7g.large]}\n"
             "services:\n"
             "  - name: web\n"
             "    memory: 512\n"
             "    group: [heavy, main]\n"
             "    placementStrategy:\n"
             "      - {type: spread, field: 'attribute:ecs.availability-zone'}\n"
             "      - {type: spread, field: host}\n"
             "      - {type: spread, field: 'attribute:stack'}\n"
             "      - {type: binpack, field: cpu}\n"
             "      - {type: binpack, field: MEMORY}\n"
             "    placementConstraints: [{type: memberOf, expression: 'attribute:stack exists'}, {type: distinctInstance}]\n"
             "    environment: [{name: A, value: 1.10}]\n"
             "    ignore: [{rule: JVM003, reason: measured}]\n"
             "policy: {antiAffinity: [[web, 'mod-*'], [a]]}\n");
    const taskfit_service *web = &d->services[0];
    assert_string_equal(d->azs[2], "c");
    ASSERT_INT(d->groups[0].azs[0], 0);
    ASSERT_INT(d->groups[0].azs[1], 2);
    assert_string_equal(d->groups[0].attributes[0].name, "stack");
    assert_string_equal(d->groups[0].attributes[0].value, "2");
    assert_string_equal(d->groups[0].types[1].type.name, "m6i.large");
    ASSERT_INT(web->groups[0], 1);
    ASSERT_INT(web->groups[1], 0);
    const taskfit_strategy_type types[] = {TASKFIT_STRATEGY_SPREAD_AZ, TASKFIT_STRATEGY_SPREAD_INSTANCE,
                                           TASKFIT_STRATEGY_SPREAD_OTHER, TASKFIT_STRATEGY_BINPACK_CPU,
                                           TASKFIT_STRATEGY_BINPACK_MEMORY};
    for (size_t i = 0; i < 5; i++) {
        ASSERT_INT(web->strategies[i].type, types[i]);
    }
    assert_string_equal(web->strategies[2].field, "attribute:stack");
    assert_true(web->distinct_instance);
    assert_string_equal(web->member_of[0], "attribute:stack exists");
    assert_non_null(web->queries[0]);
    assert_string_equal(web->containers[0].environment[0].value, "1.10");
    assert_string_equal(web->ignore[0].rule, "JVM003");
    assert_string_equal(web->ignore[0].reason, "measured");
    assert_string_equal(d->policy.anti_affinity[0][1], "mod-*");
    assert_null(d->policy.anti_affinity[0][2]);
    ASSERT_INT(web->position.line, 8);
    taskfit_deployment_free(d);
}

static void daemons_stand_apart(void **state) {
    (void)state;
    taskfit_deployment *d = parse(HEAD "cluster: {instanceGroups: [{name: main, types: [m6i.large]}],"
                                       " daemons: [{name: agent, memory: 64, sidecar: log}]}\n"
                                       "defaults: {desiredCount: 3, cpu: 100, sidecar: log,"
                                       " placementStrategy: [{type: random}]}\n"
                                       "sidecars: {log: {memory: 32}}\n"
                                       "services:\n"
                                       "  - {name: web, memory: 512}\n"
                                       "  - {name: probe, memory: 16, schedulingStrategy: DAEMON}\n");
    ASSERT_INT(d->n_services, 1);
    ASSERT_INT(d->n_daemons, 2);
    assert_string_equal(d->daemons[0].name, "agent");
    ASSERT_INT(d->daemons[0].containers[0].cpu_units, 0); /* cluster.daemons takes no defaults */
    ASSERT_INT(d->daemons[0].n_containers, 2);            /* but knows the sidecars */
    assert_string_equal(d->daemons[1].name, "probe");
    ASSERT_INT(d->daemons[1].containers[0].cpu_units, 100);
    ASSERT_INT(d->daemons[1].desired_count, 0);
    ASSERT_INT(d->daemons[1].maximum_percent, 100);
    ASSERT_INT(d->daemons[1].minimum_healthy_percent, 0);
    assert_true(d->daemons[0].daemon && d->daemons[1].daemon && !d->services[0].daemon);
    ASSERT_INT(d->n_warnings, 0);
    taskfit_deployment_free(d);
}

static void foreign_keys_of_the_long_form_pass_through(void **state) {
    (void)state;
    taskfit_deployment *d =
        parse(HEAD CLUSTER "services:\n"
                           "  - name: web\n"
                           "    containerDefinitions:\n"
                           "      - name: app\n"
                           "        memory: 1Gi\n"
                           "        ulimits: [{name: nofile, softLimit: 010, hardLimit: 2Gi}]\n"
                           "        logConfiguration: {logDriver: awslogs, options: {a: null, b: no}}\n");
    const taskfit_node *node = d->services[0].containers[0].node;
    const taskfit_node *limit = taskfit_node_get(node, "ulimits")->items[0];
    assert_string_equal(taskfit_node_get(limit, "softLimit")->text, "010");
    assert_string_equal(taskfit_node_get(limit, "hardLimit")->text, "2Gi");
    assert_true(taskfit_node_is_null(taskfit_node_get(taskfit_node_get(taskfit_node_get(node, "logConfiguration"), "options"), "a")));
    assert_string_equal(taskfit_node_get(node, "memory")->text, "1024");
    taskfit_deployment_free(d);
}

static void rungs_follow_the_policy(void **state) {
    (void)state;
    static const struct {
        const char *policy;
        taskfit_rung rung;
    } row[] = {
        {"{}", TASKFIT_RUNG_ROLLING},
        {"{rollingDeployment: none}", TASKFIT_RUNG_SPREAD},
        {"{rollingDeployment: none, spread: preferred}", TASKFIT_RUNG_PACKING},
        {"{rollingDeployment: none, spread: preferred, maxHardMemoryPercent: 100}", TASKFIT_RUNG_LIMITS},
        {"{spread: preferred}", TASKFIT_RUNG_ROLLING},
        {"{rollingDeployment: none, surviveLoss: instance}", TASKFIT_RUNG_SURVIVE},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        TASKFIT_STRBUF(text);
        taskfit_strbuf_printf(&text, "%spolicy: %s\n", HEAD CLUSTER SERVICES, row[i].policy);
        taskfit_deployment *d = parse(text.data);
        ASSERT_INT(taskfit_policy_rung(&d->policy), row[i].rung);
        taskfit_deployment_free(d);
    }
}

static void words_have_names(void **state) {
    (void)state;
    assert_string_equal(taskfit_spread_policy_name(TASKFIT_SPREAD_PREFERRED), "preferred");
    assert_string_equal(taskfit_rolling_policy_name(TASKFIT_ROLLING_ALL_SERVICES), "allServices");
    assert_string_equal(taskfit_survive_policy_name(TASKFIT_SURVIVE_AVAILABILITY_ZONE), "availabilityZone");
    assert_string_equal(taskfit_goal_name(TASKFIT_GOAL_BALANCE), "balance");
    assert_string_equal(taskfit_network_mode_name(TASKFIT_NETWORK_AWSVPC), "awsvpc");
    assert_string_equal(taskfit_architecture_name(TASKFIT_ARCH_ANY), "any");
    assert_string_equal(taskfit_architecture_name(TASKFIT_ARCH_ARM64), "arm64");
}

/* ---- the resolved tree ---- */

static void add_json(const taskfit_deployment *d, taskfit_strbuf *out) {
    taskfit_node_write_json(d->resolved, out);
}

/* Written and read again, in either format, a resolved tree says the same. */
static void check_round_trip(const taskfit_deployment *d) {
    TASKFIT_STRBUF(json);
    add_json(d, &json);
    for (int round = 0; round < 2; round++) {
        TASKFIT_STRBUF(text);
        TASKFIT_STRBUF(json_again);
        if (round == 0) {
            add_json(d, &text);
        } else {
            taskfit_node_write_yaml(d->resolved, &text);
        }
        taskfit_deployment *again = parse_with("another-name", text.data, NULL);
        add_json(again, &json_again);
        assert_string_equal(json_again.data, json.data);
        assert_string_equal(again->name, d->name);
        ASSERT_INT(again->n_services, d->n_services);
        ASSERT_INT(again->n_daemons, d->n_daemons);
        ASSERT_INT(again->n_warnings, d->n_warnings);
        for (size_t i = 0; i < d->n_warnings; i++) {
            assert_string_equal(again->warnings[i].message, d->warnings[i].message);
        }
        for (size_t g = 0; g < d->n_groups; g++) {
            for (size_t t = 0; t < d->groups[g].n_types; t++) {
                ASSERT_INT(again->groups[g].types[t].price_usd_micros, d->groups[g].types[t].price_usd_micros);
                ASSERT_INT(again->groups[g].types[t].type.awsvpc_tasks, d->groups[g].types[t].type.awsvpc_tasks);
            }
        }
        taskfit_deployment_free(again);
    }
}

static void resolved_trees_read_the_same_again(void **state) {
    (void)state;
    static const char *const file[] = {"examples/minimal.yaml", "examples/pcp1.yaml", "examples/relc.yaml",
                                       "examples/eureka-release.yaml", "tests/data/deployments/everything.yaml"};
    for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
        TASKFIT_STRBUF(text);
        assert_int_equal(taskfit_file_read(file[i], 1 << 20, &text, NULL), TASKFIT_OK);
        taskfit_deployment *d = parse_with(file[i], text.data, NULL);
        check_round_trip(d);
        taskfit_deployment_free(d);
    }
}

static void resolved_trees_hold_plain_figures(void **state) {
    (void)state;
    taskfit_deployment *d = parse(HEAD "cluster: {instanceGroups: [{name: main, types: [m6i.large], reservedMemory: 1Gi, reservedCpu: 250m,"
                                       " purchase: {usdPerHour: '0.05'}}]}\n"
                                       "defaults: {memory: 2Gi, sidecar: eureka}\n"
                                       "sidecars: {eureka: {memory: 512Mi}}\n"
                                       "services: {web: {cpu: 0.5 vCPU, jvm: {xmx: 1g}}}\n");
    TASKFIT_STRBUF(text);
    taskfit_node_write_yaml(d->resolved, &text);
    assert_string_equal(text.data, "taskfit: 1\n"
                                   "cluster:\n"
                                   "  instanceGroups:\n"
                                   "  - name: main\n"
                                   "    types:\n"
                                   "    - m6i.large\n"
                                   "    reservedMemory: 1024\n"
                                   "    reservedCpu: 256\n"
                                   "    purchase:\n"
                                   "      usdPerHour: 0.050000\n"
                                   "  name: prod\n"
                                   "  instanceTypes:\n"
                                   "  - type: m6i.large\n"
                                   "    vcpu: 2\n"
                                   "    registeredMemory: 7771\n"
                                   "    architecture: x86_64\n"
                                   "    usdPerHour: 0.096000\n"
                                   "    awsvpcTasks: 2\n"
                                   "    awsvpcTasksTrunking: 10\n"
                                   "    gpu: 0\n"
                                   "services:\n"
                                   "- name: web\n"
                                   "  cpu: 512\n"
                                   "  jvm:\n"
                                   "    xmx: 1024\n"
                                   "  memory: 2048\n"
                                   "  sidecar:\n"
                                   "    memory: 512\n"
                                   "    name: eureka\n");
    taskfit_deployment_free(d);
}

/* ---- edits ---- */

#define EDITED                                                                                                         \
    HEAD CLUSTER "defaults: {sidecar: eureka, cpu: 5}\n"                                                                \
                 "sidecars: {eureka: {memory: 512}, small: {memory: 64}}\n"                                             \
                 "services: [{name: a, memory: 512}, {name: b, memory: 512, cpu: 7}]\n"                                 \
                 "scenarios: {tuned: [{set: sidecar.memory, to: 256}, {set: 'a.cpu', to: 1 vCPU}]}\n"

static void edits_change_the_deployment(void **state) {
    (void)state;
    const char *const sets[] = {"defaults.cpu=9", "a.sidecar=small", "a.cpu=8"};
    taskfit_parse_options options;
    taskfit_parse_options_init(&options);
    options.scenario = "tuned";
    taskfit_deployment *d = parse_with("x.yaml", EDITED, &options);
    ASSERT_INT(d->services[0].containers[0].cpu_units, 1024);
    ASSERT_INT(d->services[1].containers[0].cpu_units, 7);
    ASSERT_INT(d->services[1].containers[1].memory_mib, 256);
    assert_string_equal(d->scenario, "tuned");
    ASSERT_INT(d->n_edits, 0);
    taskfit_deployment_free(d);

    options.set = sets;
    options.n_set = 3;
    d = parse_with("x.yaml", EDITED, &options);
    ASSERT_INT(d->services[0].containers[0].cpu_units, 8); /* after the scenario's */
    ASSERT_INT(d->services[0].containers[1].memory_mib, 64);
    assert_string_equal(d->services[0].containers[1].name, "small");
    ASSERT_INT(d->services[1].containers[1].memory_mib, 256); /* the body is b's own */
    ASSERT_INT(d->n_edits, 3);
    assert_string_equal(d->edits[1], "a.sidecar=small");
    check_round_trip(d);
    taskfit_deployment_free(d);
}

static void bad_edits_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *set, *scenario;
        taskfit_status status;
        const char *message; /* begins */
    } row[] = {
        {"a.cpu", NULL, TASKFIT_E_ARGUMENT, ""},
        {"a.cpu=lots", NULL, TASKFIT_E_INPUT, "'lots': not a number"},
        {"a.memory=4", NULL, TASKFIT_E_INPUT, "4 MiB is too little"},
        {"nobody.cpu=4", NULL, TASKFIT_E_INPUT, ""},
        {NULL, "tunde", TASKFIT_E_ARGUMENT, "there is no scenario 'tunde' (did you mean 'tuned'?)"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        taskfit_parse_options options;
        taskfit_parse_options_init(&options);
        options.scenario = row[i].scenario;
        options.set = &row[i].set;
        options.n_set = row[i].set ? 1 : 0;
        taskfit_deployment *d = NULL;
        taskfit_error err = {.status = TASKFIT_OK};
        const taskfit_status status = taskfit_deployment_parse("x.yaml", EDITED, strlen(EDITED), &options, &d, &err);
        if (status != row[i].status || strncmp(err.message, row[i].message, strlen(row[i].message)) != 0) {
            fail_msg("row %zu: %d %s: %s", i, (int)status, err.where, err.message);
        }
        assert_null(d);
    }
}

/* ---- warnings ---- */

static void warnings_tell_what_is_odd(void **state) {
    (void)state;
    static const struct {
        const char *text, *code, *service;
    } row[] = {
        {IN_SERVICE("memoryReservation: 256, task: {memory: 2048}"), "ECS001", "web"},
        {BARE_SERVICE("memoryReservation: 256"), "ECS002", "web"},
        {HEAD CLUSTER "services: [{name: web, memory: 6, schedulingStrategy: DAEMON, desiredCount: 2}]\n", "ECS003", "web"},
        {IN_CLUSTER("daemons: [{name: agent, memory: 64, placementStrategy: [{type: random}]}]"), "ECS004", "agent"},
        {IN_SERVICE("placementStrategy: [{type: spread, field: 'attribute:ecs.availability-zone'}]"), "SPREAD001", NULL},
        {HEAD "cluster: {availabilityZones: [a, b], instanceGroups: [{name: main, types: [m6i.large], availabilityZones: [a]}]}\n"
              "services: [{name: web, memory: 6, placementStrategy: [{type: spread, field: 'attribute:ecs.availability-zone'}]}]\n",
         "SPREAD001", "web"},
        {HEAD "cluster: {availabilityZones: [a, b], instanceGroups: [{name: main, types: [m6i.large]}]}\n"
              "services: [{name: web, memory: 6, placementStrategy: [{type: spread, field: 'attribute:ecs.availability-zone'}],"
              " placementConstraints: [{type: memberOf, expression: 'attribute:ecs.availability-zone == b'}]}]\n",
         "SPREAD001", "web"},
        {IN_SERVICE("placementStrategy: [{type: spread, field: 'attribute:stack'}]"), "SPREAD002", "web"},
        {IN_CLUSTER("region: eu-west-1"), "PRICE001", NULL},
        {IN_POLICY("antiAffinity: [[web, mod-*]]"), "POLICY001", NULL},
        {HEAD "cluster: {instanceGroups: [{name: main, types: [c7gn.metal]}]}\n" SERVICES, "TYPE001", NULL},
        {IN_SERVICE("placementConstraints: [{type: memberOf, expression: 'not(task:group == service:wob)'}]"), "POLICY001", "web"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        taskfit_deployment *d = parse(row[i].text);
        if (d->n_warnings != 1) {
            fail_msg("%zu warnings, not one:\n%s", d->n_warnings, row[i].text);
        }
        assert_string_equal(d->warnings[0].code, row[i].code);
        assert_true(!d->warnings[0].service == !row[i].service);
        assert_true(!row[i].service || strcmp(d->warnings[0].service, row[i].service) == 0);
        taskfit_deployment_free(d);
    }
    taskfit_deployment *d = parse(IN_TYPE("usdPerHour: 0.5")); /* a price of one's own is one of the region */
    ASSERT_INT(d->n_warnings, 0);
    taskfit_deployment_free(d);
}

/* ---- catalogues ---- */

static void another_catalogue_serves(void **state) {
    (void)state;
    static const char csv[] = "instance_type,arch,vcpu,mem_registered_safe_mib,usd_hour_ondemand_linux\n"
                              "new.large,x86_64,2,7800,0.1\n";
    taskfit_catalogue *catalogue = NULL;
    taskfit_error err = {.status = TASKFIT_OK};
    if (taskfit_catalogue_read("new.csv", csv, sizeof csv - 1, &catalogue, &err) != TASKFIT_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
    taskfit_parse_options options;
    taskfit_parse_options_init(&options);
    options.catalogue = catalogue;
    taskfit_deployment *d =
        parse_with("x", HEAD "cluster: {instanceGroups: [{name: main, types: [new.large]}]}\n" SERVICES, &options);
    ASSERT_INT(d->groups[0].types[0].price_usd_micros, 100000);
    taskfit_catalogue_free(catalogue);
    check_round_trip(d); /* the resolved tree does without it */
    taskfit_deployment_free(d);
}

/* ---- the call ---- */

static void names_come_from_the_file(void **state) {
    (void)state;
    static const char *const row[][2] = {{"prod.yaml", "prod"}, {"/a.b/relc", "relc"}, {"-", "deployment"},
                                         {".yaml", ".yaml"}, {"a/b.c.json", "b.c"}, {"", "deployment"}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        taskfit_deployment *d = parse_with(row[i][0], HEAD CLUSTER SERVICES, NULL);
        assert_string_equal(d->name, row[i][1]);
        assert_string_equal(d->file, row[i][0]);
        taskfit_deployment_free(d);
    }
}

static void the_fingerprint_is_that_of_the_bytes(void **state) {
    (void)state;
    taskfit_deployment *d = parse(HEAD CLUSTER SERVICES);
    taskfit_deployment *e = parse(HEAD CLUSTER SERVICES "\n");
    assert_int_equal(strlen(d->sha256), 64);
    assert_string_not_equal(d->sha256, e->sha256);
    taskfit_deployment_free(d);
    taskfit_deployment_free(e);
    taskfit_deployment_free(NULL);
}

static void a_format_can_be_forced(void **state) {
    (void)state;
    taskfit_parse_options options;
    taskfit_parse_options_init(&options);
    options.format = TASKFIT_FORMAT_JSON;
    taskfit_deployment *d = NULL;
    taskfit_error err = {.status = TASKFIT_OK};
    assert_int_equal(taskfit_deployment_parse("x", SERVICES, strlen(SERVICES), &options, &d, &err), TASKFIT_E_INPUT);
    assert_null(d);
    assert_int_equal(taskfit_deployment_parse("x", SERVICES, strlen(SERVICES), &options, &d, NULL), TASKFIT_E_INPUT);
    d = parse_with("x.json", "{\"taskfit\": 1, \"cluster\": {\"instanceGroups\": [{\"name\": \"m\", \"types\": [\"m6i.large\"]}]},"
                             " \"services\": {\"web\": {\"memory\": \"1Gi\", \"cpu\": 1e2}}}", &options);
    ASSERT_INT(d->services[0].containers[0].memory_mib, 1024);
    ASSERT_INT(d->services[0].containers[0].cpu_units, 100);
    taskfit_deployment_free(d);
}

/* 20,000 services are the limit, and read in good time: nothing in here is quadratic. */
static void the_limits_hold(void **state) {
    (void)state;
    TASKFIT_STRBUF(text);
    taskfit_strbuf_adds(&text, HEAD CLUSTER "defaults: {memory: 512, jvm: {xmx: 1g}, group: main}\nservices:\n");
    for (int i = 0; i < 20000; i++) {
        taskfit_strbuf_printf(&text, "- {name: s%d, desiredCount: 100}\n", i);
    }
    taskfit_deployment *d = parse(text.data);
    ASSERT_INT(d->n_services, 20000);
    taskfit_deployment_free(d);
    taskfit_strbuf_adds(&text, "- {name: one-more}\n");
    taskfit_error err = {.status = TASKFIT_OK};
    d = NULL;
    assert_int_equal(taskfit_deployment_parse("x", text.data, text.len, NULL, &d, &err), TASKFIT_E_INPUT);
    assert_string_equal(err.message, "too many services (at most 20000, daemons included)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_of_the_cluster),
        cmocka_unit_test(keys_of_a_service),
        cmocka_unit_test(keys_of_a_container),
        cmocka_unit_test(keys_of_the_policy),
        cmocka_unit_test(lists_keep_their_content),
        cmocka_unit_test(daemons_stand_apart),
        cmocka_unit_test(foreign_keys_of_the_long_form_pass_through),
        cmocka_unit_test(rungs_follow_the_policy),
        cmocka_unit_test(words_have_names),
        cmocka_unit_test(resolved_trees_read_the_same_again),
        cmocka_unit_test(resolved_trees_hold_plain_figures),
        cmocka_unit_test(edits_change_the_deployment),
        cmocka_unit_test(bad_edits_are_refused),
        cmocka_unit_test(warnings_tell_what_is_odd),
        cmocka_unit_test(another_catalogue_serves),
        cmocka_unit_test(names_come_from_the_file),
        cmocka_unit_test(the_fingerprint_is_that_of_the_bytes),
        cmocka_unit_test(a_format_can_be_forced),
        cmocka_unit_test(the_limits_hold),
    };
    return RUN_TESTS(tests);
}
