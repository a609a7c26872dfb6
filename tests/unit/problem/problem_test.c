#include "unit.h"

#include "base/strbuf.h"
#include "parse.h"
#include "problem/problem.h"

#define BOXES                                                                                                \
    "taskfit: 1\n"                                                                                           \
    "cluster:\n"                                                                                             \
    "  availabilityZones: [a, b]\n"                                                                          \
    "  instanceTypes:\n"                                                                                     \
    "    - {type: box, vcpu: 2, registeredMemory: 1001, architecture: x86_64, usdPerHour: 0.5}\n"            \
    "    - {type: arm, vcpu: 4, registeredMemory: 2000, architecture: arm64, usdPerHour: 0.7}\n"

static void capacities_lose_daemons_headroom_and_caps(void **state) {
    (void)state;
    taskfit_deployment *deployment = parse_deployment(
        BOXES "  instanceGroups: [{name: main, types: [box], reservedMemory: 100, reservedCpu: 48, maxTasks: 10}]\n"
              "  daemons: [{name: agent, cpu: 100, memory: 60, memoryReservation: 50, observed: {cpu: 20, memory: 30}}]\n"
              "services: [{name: web, memory: 10}]\n"
              "policy: {headroom: {memoryPercent: 10, cpuPercent: 25}, maxHardMemoryPercent: 90, maxExpectedCpuPercent: 50}\n");
    taskfit_problem *problem = taskfit_problem_new(deployment, TASKFIT_RUNG_PACKING);
    ASSERT_INT(problem->n_offers, 2);
    const int64_t *capacity = problem->offers[1].capacity;
    ASSERT_INT(problem->offers[1].az, 1);
    ASSERT_INT(problem->offers[1].price_usd_micros, 500000);
    ASSERT_INT(capacity[TASKFIT_RESOURCE_MEMORY], 1001 - 100 - 50);
    ASSERT_INT(capacity[TASKFIT_RESOURCE_CPU], 2048 - 48 - 100);
    ASSERT_INT(capacity[TASKFIT_RESOURCE_TASKS], 9);
    assert_true(capacity[TASKFIT_RESOURCE_HARD_MEMORY] >= TASKFIT_UNLIMITED);
    assert_true(capacity[TASKFIT_RESOURCE_EXPECTED_MEMORY] >= TASKFIT_UNLIMITED);
    taskfit_problem_free(problem);
    problem = taskfit_problem_new(deployment, TASKFIT_RUNG_LIMITS);
    capacity = problem->offers[0].capacity;
    ASSERT_INT(capacity[TASKFIT_RESOURCE_MEMORY], 1001 - 100 - 50 - 101); /* 10 % of 1001, rounded up */
    ASSERT_INT(capacity[TASKFIT_RESOURCE_CPU], 2048 - 48 - 100 - 512);
    ASSERT_INT(capacity[TASKFIT_RESOURCE_HARD_MEMORY], 900 - 60); /* 90 % of 1001, rounded down */
    ASSERT_INT(capacity[TASKFIT_RESOURCE_EXPECTED_CPU], 1024 - 20);
    assert_true(capacity[TASKFIT_RESOURCE_EXPECTED_MEMORY] >= TASKFIT_UNLIMITED);
    taskfit_problem_free(problem);
    taskfit_deployment_free(deployment);
}

static void services_know_where_they_may_stand(void **state) {
    (void)state;
    taskfit_deployment *deployment =
        parse_deployment(BOXES "  instanceGroups:\n"
                    "    - {name: one, types: [box, {type: arm, max: 7}], mixed: true, min: 1, max: 9}\n"
                    "    - {name: two, types: [box], availabilityZones: [b]}\n"
                    "  daemons: [{name: agent, memory: 50, portMappings: [{containerPort: 1, hostPort: 9100}]}]\n"
                    "services:\n"
                    "  - {name: any, memory: 10}\n"
                    "  - {name: x86, memory: 10, runtimePlatform: {cpuArchitecture: X86_64}}\n"
                    "  - {name: none, memory: 10, desiredCount: 0}\n"
                    "  - {name: pinned, memory: 10, group: two, portMappings: [{containerPort: 1, hostPort: 8080}]}\n"
                    "  - {name: in-a, memory: 10, placementConstraints: [{type: memberOf, expression: "
                    "'attribute:ecs.availability-zone == a'}], portMappings: [{containerPort: 1, hostPort: 80}, "
                    "{containerPort: 2, hostPort: 8080}]}\n"
                    "  - {name: taken, memory: 10, portMappings: [{containerPort: 1, hostPort: 9100}]}\n");
    taskfit_problem *problem = taskfit_problem_new(deployment, TASKFIT_RUNG_PACKING);
    /* offers: box-a, box-b, arm-a, arm-b of `one`; box-b of `two` */
    static const struct {
        size_t service;
        const char *may_stand;
        size_t n_ports;
    } row[] = {{0, "11111", 0}, {1, "11001", 0}, {3, "00001", 1}, {4, "10100", 2}, {5, "00000", 1}};
    ASSERT_INT(problem->n_offers, 5);
    ASSERT_INT(problem->n_services, 5);
    ASSERT_INT(problem->n_ports, 3);
    ASSERT_INT(problem->groups[1].first_offer, 4);
    ASSERT_INT(problem->groups[0].stock[0], -1);
    ASSERT_INT(problem->groups[0].stock[1], 7);
    assert_true(problem->groups[0].mixed);
    for (size_t s = 0; s < 5; s++) {
        ASSERT_INT(problem->services[s].service, row[s].service);
        ASSERT_INT(problem->services[s].n_ports, row[s].n_ports);
        for (size_t o = 0; o < 5; o++) {
            ASSERT_INT(problem->services[s].may_stand[o], row[s].may_stand[o] == '1');
        }
    }
    ASSERT_INT(problem->services[2].ports[0], problem->services[3].ports[1]); /* 8080 */
    taskfit_problem_free(problem);
    taskfit_deployment_free(deployment);
}

static void spread_rules_stand_in_classes(void **state) {
    (void)state;
    static const struct {
        const char *strategy;
        bool az, instance, before;
    } row[] = {
        {"[{type: spread, field: attribute:ecs.availability-zone}, {type: spread, field: instanceId}]", true, true, true},
        {"[{type: spread, field: instanceId}, {type: spread, field: attribute:ecs.availability-zone}]", false, true, false},
        {"[{type: binpack, field: memory}, {type: spread, field: attribute:ecs.availability-zone}]", true, false, false},
        {"[{type: random}]", false, false, false},
        {"[{type: binpack, field: cpu}]", false, false, false},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        TASKFIT_STRBUF(text);
        taskfit_strbuf_printf(&text, "%s%s%s%s", BOXES "  instanceGroups: [{name: main, types: [box]}]\nservices: [{name: web, memory: 10, placementStrategy: ",
                              row[i].strategy, "}]\n", "policy: {rollingDeployment: none}\n");
        taskfit_deployment *deployment = parse_deployment("%s", text.data);
        taskfit_problem *problem = taskfit_problem_new(deployment, TASKFIT_RUNG_SPREAD);
        ASSERT_INT(problem->services[0].spread_az, row[i].az);
        ASSERT_INT(problem->services[0].spread_instance, row[i].instance);
        ASSERT_INT(problem->services[0].spread_az_before_instance, row[i].before);
        taskfit_problem_free(problem);
        problem = taskfit_problem_new(deployment, TASKFIT_RUNG_PACKING);
        assert_false(problem->services[0].spread_az || problem->services[0].spread_instance);
        taskfit_problem_free(problem);
        taskfit_deployment_free(deployment);
    }
}

static void one_eligible_az_makes_the_rule_void(void **state) {
    (void)state;
    taskfit_deployment *deployment = parse_deployment(BOXES "  instanceGroups: [{name: main, types: [box], availabilityZones: [b]}]\n"
                                                 "services: [{name: web, memory: 10}]\n");
    taskfit_problem *problem = taskfit_problem_new(deployment, TASKFIT_RUNG_SPREAD);
    assert_false(problem->services[0].spread_az);
    assert_true(problem->services[0].spread_instance);
    assert_false(problem->services[0].spread_az_before_instance);
    taskfit_problem_free(problem);
    taskfit_deployment_free(deployment);
}

static void policies_choose_the_rungs(void **state) {
    (void)state;
    static const struct {
        const char *policy;
        const char *on_ladder; /* packing, limits, spread, rolling, survive */
        const char *spread_in_force;
    } row[] = {
        {"{}", "10111", "00111"},
        {"{spread: preferred}", "10011", "00000"},
        {"{spread: preferred, rollingDeployment: none}", "10111", "00111"}, /* above the policy's own: priced as required */
        {"{rollingDeployment: none}", "10111", "00111"},
        {"{rollingDeployment: none, surviveLoss: instance}", "10101", "00111"},
        {"{spread: preferred, rollingDeployment: none, surviveLoss: instance}", "10001", "00000"},
        {"{antiAffinity: [[web, w*]]}", "11111", "00111"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        TASKFIT_STRBUF(text);
        taskfit_strbuf_printf(&text, "%s%s\n", BOXES "  instanceGroups: [{name: main, types: [box]}]\nservices: [{name: web, memory: 10}]\npolicy: ",
                              row[i].policy);
        taskfit_deployment *deployment = parse_deployment("%s", text.data);
        for (int rung = 0; rung < TASKFIT_RUNG_COUNT; rung++) {
            ASSERT_INT(taskfit_rung_on_ladder(&deployment->policy, (taskfit_rung)rung), row[i].on_ladder[rung] == '1');
            ASSERT_INT(taskfit_spread_in_force(&deployment->policy, (taskfit_rung)rung), row[i].spread_in_force[rung] == '1');
        }
        taskfit_deployment_free(deployment);
    }
}

static void anti_affinity_binds_from_limits_on(void **state) {
    (void)state;
    taskfit_deployment *deployment = parse_deployment(BOXES "  instanceGroups: [{name: main, types: [box]}]\n"
                                                 "services: [{name: a1, memory: 10}, {name: b, memory: 10}, {name: a2, memory: 10}]\n"
                                                 "policy: {antiAffinity: [[a*]]}\n");
    taskfit_problem *problem = taskfit_problem_new(deployment, TASKFIT_RUNG_PACKING);
    ASSERT_INT(problem->services[0].n_conflicts, 0);
    taskfit_problem_free(problem);
    problem = taskfit_problem_new(deployment, TASKFIT_RUNG_LIMITS);
    ASSERT_INT(problem->services[0].n_conflicts, 1);
    ASSERT_INT(problem->services[0].conflicts[0], 2);
    ASSERT_INT(problem->services[1].n_conflicts, 0);
    ASSERT_INT(problem->services[2].conflicts[0], 0);
    taskfit_problem_free(problem);
    taskfit_deployment_free(deployment);
    taskfit_problem_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capacities_lose_daemons_headroom_and_caps),
        cmocka_unit_test(services_know_where_they_may_stand),
        cmocka_unit_test(spread_rules_stand_in_classes),
        cmocka_unit_test(one_eligible_az_makes_the_rule_void),
        cmocka_unit_test(policies_choose_the_rungs),
        cmocka_unit_test(anti_affinity_binds_from_limits_on),
    };
    return RUN_TESTS(tests);
}
