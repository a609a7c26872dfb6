/* What binds and why nothing fits: each word of the plan's `binding.resource` and `reason.resource` that can occur so
 * far, with the sentence an architect reads. */

#include "unit.h"

#include "problem/plan.h"
#include "taskfit/taskfit.h"

typedef struct cluster {
    const char *azs, *groups, *daemons, *policy; /* NULL: one AZ; a group of boxes; none; rollingDeployment: none */
} cluster;

typedef struct reason_case {
    cluster cluster;
    const char *services; /* flow sequences, one after another */
    int64_t instances;    /* -1: infeasible */
    const char *resource, *text;
} reason_case;

#define TWO_AZS "[us-east-1a, us-east-1b]"
#define MEMBER_OF(expression) "placementConstraints: [{type: memberOf, expression: '" expression "'}]"
#define PORT_80 "portMappings: [{containerPort: 80, hostPort: 80}]"
#define GPU_1 "resourceRequirements: [{type: GPU, value: '1'}]"

static const reason_case binding[] = {
    {{.azs = NULL}, "[{name: a, memory: 400, desiredCount: 3}, {name: b, memory: 550, desiredCount: 3}]", 3, "memory",
     "3 instances are filled to 95.0 %; 2 hold at most 2,000 of the 2,850 MiB of memory needed"},
    {{.azs = NULL}, "[{name: a, memory: 600, desiredCount: 3}]", 3, "memory",
     "an instance holds at most 1 of the 3 tasks of 'a', each of 600 MiB of memory"},
    {{.azs = NULL}, "[{name: a, memory: 600, desiredCount: 2}, {name: b, memory: 600, desiredCount: 2}]", 4, "memory",
     "an instance holds at most 1 of the 4 tasks of 'a' and 1 like it, each of 600 MiB of memory"},
    {{.policy = "{rollingDeployment: none, headroom: {memoryPercent: 10}}"}, "[{name: a, memory: 500, desiredCount: 2}]", 2, "memory",
     "2 instances are filled to 55.6 %; 1 holds at most 900 of the 1,000 MiB of memory needed"},
    {{.azs = NULL}, "[{name: a, cpu: 2000, memory: 10, desiredCount: 5}]", 3, "cpu",
     "3 instances are filled to 81.4 %; 2 hold at most 8,192 of the 10,000 CPU units needed"},
    {{.azs = NULL}, "[{name: a, memory: 10, networkMode: awsvpc, desiredCount: 7}]", 3, "eni",
     "3 instances are filled to 77.8 %; 2 hold at most 6 of the 7 ENI slots needed"},
    {{.groups = "{name: main, types: [gpu-box]}"}, "[{name: a, memory: 10, desiredCount: 2, " GPU_1 "}]", 2, "gpu",
     "2 instances are filled to 100.0 %; 1 holds at most 1 of the 2 GPUs needed"},
    {{.azs = NULL}, "[{name: a, memory: 10, desiredCount: 3, " PORT_80 "}]", 3, "ports",
     "the 3 tasks of 'a' need an instance each for their fixed host port"},
    {{.azs = NULL}, "[{name: a, memory: 10, " PORT_80 "}, {name: b, memory: 10, " PORT_80 "}]", 2, "ports",
     "the 2 tasks of 'a' and 1 like it need an instance each for their fixed host port"},
    {{.azs = NULL}, "[{name: a, memory: 300, " PORT_80 "}, {name: b, memory: 350, " PORT_80 "}, {name: c, memory: 400, " PORT_80 "}]", 3, "ports",
     "the 3 tasks that share a fixed host port need an instance each"},
    {{.groups = "{name: main, types: [box], maxTasks: 2}"}, "[{name: a, memory: 10, desiredCount: 5}]", 3, "tasks",
     "3 instances are filled to 83.3 %; 2 hold at most 4 of the 5 task slots needed"},
    {{.azs = NULL}, "[{name: a, memory: 10, desiredCount: 4, placementConstraints: [{type: distinctInstance}]}]", 4, "distinctInstance",
     "the 4 tasks of 'a' need an instance each (distinctInstance)"},
    {{.policy = "{rollingDeployment: none, antiAffinity: [['*']]}"}, "[{name: a, memory: 10}, {name: b, memory: 10}]", 2,
     "distinctInstance", "services that refuse to share an instance (antiAffinity) need 2 instances"},
    {{.azs = NULL}, "[{name: a, memory: 10}, {name: b, memory: 10, " MEMBER_OF("not(task:group == service:a)") "}]", 2, "distinctInstance",
     "services that refuse to share an instance (memberOf) need 2 instances"},
    {{.azs = TWO_AZS}, "[{name: a, memory: 10, desiredCount: 2}]", 2, "spread",
     "on 1 instance the 2 tasks of 'a' cannot be spread over availability zones as evenly as required"},
    {{.azs = TWO_AZS}, "[{name: a, memory: 300, desiredCount: 4}, {name: b, memory: 300, desiredCount: 4}]", 4, "spread",
     "of 3 instances an availability zone has 1, with room for 3 of the 8 tasks of 'a' and 1 like it; 4 must stand there"},
    {{.azs = TWO_AZS}, "[{name: a, memory: 300, desiredCount: 4}, {name: b, memory: 350, desiredCount: 4}]", 4, "spread",
     "4 instances are filled to 65.0 %; 3 hold at most 2,300 of the 2,600 MiB of memory needed when tasks are spread as required"},
    {{.azs = TWO_AZS},
     "[{name: a, memory: 500, desiredCount: 2}, {name: b, memory: 450, desiredCount: 2}, {name: c, memory: 400, desiredCount: 2}]", 4, "spread",
     "of 3 instances an availability zone has 1, which holds at most 1,000 of the 1,350 MiB of memory that must stand there"},
    {{.policy = "{rollingDeployment: none, maxHardMemoryPercent: 100}"},
     "[{name: a, memory: 600, memoryReservation: 100, desiredCount: 3}]", 3, "hardMemory",
     "an instance holds at most 1 of the 3 tasks of 'a', each of 600 MiB of hard limits"},
    {{.policy = "{rollingDeployment: none, maxExpectedCpuPercent: 60}"},
     "[{name: a, memory: 100, desiredCount: 3, observed: {cpu: 2000, memory: 10}}]", 3, "expectedCpu",
     "3 instances are filled to 81.4 %; 2 hold at most 4,914 of the 6,000 expected CPU units needed"},
    {{.policy = "{rollingDeployment: none, maxExpectedMemoryPercent: 60}"},
     "[{name: a, memory: 100, desiredCount: 3, observed: {cpu: 20, memory: 400}}]", 3, "expectedMemory",
     "an instance holds at most 1 of the 3 tasks of 'a', each of 400 MiB of expected memory"},
    {{.groups = "{name: main, types: [box], min: 5}"}, "[{name: a, memory: 600, desiredCount: 2}]", 5, "min",
     "min of the instance groups asks for 5 instances"},
    {{.groups = "{name: main, types: [box]}, {name: big, types: [gpu-box]}"},
     "[{name: a, memory: 600, desiredCount: 2, group: main}, {name: b, memory: 1500, desiredCount: 3, group: big}]", 5, "memory",
     "an instance holds at most 1 of the 3 tasks of 'b', each of 1,500 MiB of memory"},
    {{.azs = NULL}, "[{name: a, memory: 600}]", 1, "memory", "one instance holds all tasks"},
    {{.azs = NULL}, "[{name: a, memory: 600, desiredCount: 0}]", 0, "min", "there are no tasks to place"},
};

static const reason_case infeasible[] = {
    {{.azs = NULL}, "[{name: a, memory: 1600}]", -1, "memory",
     "a task of 'a' needs 1,600 MiB of memory; the best instance it may stand on, box, has 1,000"},
    {{.policy = "{headroom: {memoryPercent: 10}, rollingDeployment: none}", .daemons = "{name: d, memory: 50}"},
     "[{name: a, memory: 900}]", -1, "memory",
     "a task of 'a' needs 900 MiB of memory; the best instance it may stand on, box, has 850 (1,000 less 50 for daemons, 100 of "
     "headroom)"},
    {{.policy = "{headroom: {memoryPercent: 10}, rollingDeployment: none}"}, "[{name: a, memory: 1600}]", -1, "memory",
     "a task of 'a' needs 1,600 MiB of memory; the best instance it may stand on, box, has 1,000"},
    {{.groups = "{name: main, types: [box], reservedMemory: 256}"}, "[{name: a, memory: 900}]", -1, "memory",
     "a task of 'a' needs 900 MiB of memory; the best instance it may stand on, box, has 744 (1,000 less 256 of reservedMemory)"},
    {{.daemons = "{name: d, memory: 1010}"}, "[{name: a, memory: 10}]", -1, "memory",
     "a task of 'a' needs 10 MiB of memory; the best instance it may stand on, box, has 0 (1,000 less 1,010 for daemons)"},
    {{.daemons = "{name: d, memory: 1010}", .groups = "{name: main, types: [box], min: 2}"}, "[{name: a, memory: 10, desiredCount: 0}]", -1,
     "memory", "group 'main' must have 2 instances, but box does not hold its daemons: 10 MiB of memory too little (1,000 less 1,010 "
               "for daemons)"},
    {{.azs = NULL}, "[{name: a, cpu: 5000, memory: 100}]", -1, "cpu",
     "a task of 'a' needs 5,000 CPU units; the best instance it may stand on, box, has 4,096"},
    {{.groups = "{name: main, types: [gpu-box]}"}, "[{name: a, memory: 10, networkMode: awsvpc}]", -1, "eni",
     "a task of 'a' needs 1 ENI slot; the best instance it may stand on, gpu-box, has 0"},
    {{.azs = NULL}, "[{name: a, memory: 10, " GPU_1 "}]", -1, "gpu", "a task of 'a' needs 1 GPU; the best instance it may stand on, box, has 0"},
    {{.groups = "{name: main, types: [box], maxTasks: 1}", .daemons = "{name: d, memory: 10}"}, "[{name: a, memory: 10}]", -1, "tasks",
     "a task of 'a' needs 1 task slot; the best instance it may stand on, box, has 0 (1 less 1 for daemons)"},
    {{.daemons = "{name: d, memory: 10, " PORT_80 "}"}, "[{name: a, memory: 10, " PORT_80 "}]", -1, "ports",
     "a task of 'a' can stand on no instance: its fixed host port is taken by a daemon or the ECS agent on every instance where it "
     "may stand"},
    {{.policy = "{rollingDeployment: none, maxHardMemoryPercent: 50}"}, "[{name: a, memory: 600, memoryReservation: 100}]", -1,
     "hardMemory", "a task of 'a' needs 600 MiB of hard limits; the best instance it may stand on, box, has 500, as the policy caps it"},
    {{.policy = "{rollingDeployment: none, maxExpectedCpuPercent: 40}", .daemons = "{name: d, memory: 10, cpu: 5}"},
     "[{name: a, memory: 100, observed: {cpu: 2000, memory: 10}}]", -1, "expectedCpu",
     "a task of 'a' needs 2,000 expected CPU units; the best instance it may stand on, box, has 1,633, as the policy caps it (5 of "
     "daemons counted)"},
    {{.policy = "{rollingDeployment: none, maxExpectedMemoryPercent: 30}"}, "[{name: a, memory: 100, observed: {cpu: 20, memory: 400}}]",
     -1, "expectedMemory",
     "a task of 'a' needs 400 MiB of expected memory; the best instance it may stand on, box, has 300, as the policy caps it"},
    {{.groups = "{name: main, types: [box], max: 3}"}, "[{name: a, memory: 400, desiredCount: 10}]", -1, "max",
     "the instances that max allows can take only 6 of the 10 tasks of 'a'"},
    {{.groups = "{name: main, types: [box], max: 3}"}, "[{name: a, memory: 400, desiredCount: 6}, {name: b, memory: 300, desiredCount: 6}]", -1,
     "max", "the largest fleet that max allows, 3 instances, does not hold the tasks: 3 hold at most 3,000 of the 4,200 MiB of memory needed"},
    {{.groups = "{name: main, types: [box], max: 3}"}, "[{name: a, memory: 6, desiredCount: 5, placementConstraints: [{type: distinctInstance}]}]",
     -1, "max",
     "the instances that max allows can take only 3 of the 5 tasks of 'a', one to an instance (distinctInstance)"},
    {{.groups = "{name: main, types: [{type: box, max: 2}], max: 4}"}, "[{name: a, memory: 6, desiredCount: 5, " PORT_80 "}]", -1, "stock",
     "the instances that stock and max allow can take only 2 of the 5 tasks of 'a', one to an instance (fixed host port)"},
    {{.groups = "{name: main, types: [box], max: 0}"}, "[{name: a, memory: 6}]", -1, "max",
     "the instances that max allows can take only 0 of the 1 tasks of 'a'"},
    {{.groups = "{name: main, types: [{type: box, max: 3}]}"}, "[{name: a, memory: 600, desiredCount: 5}]", -1, "stock",
     "the instances that stock and max allow can take only 3 of the 5 tasks of 'a'"},
    {{.azs = NULL}, "[{name: a, memory: 10, " MEMBER_OF("attribute:ecs.instance-type == m5.large") "}]", -1, "memberOf",
     "a task of 'a' can stand on no instance: no instance in any instance group satisfies its memberOf constraints "
     "('attribute:ecs.instance-type == m5.large')"},
    {{.daemons = "{name: d, memory: 10}"}, "[{name: a, memory: 10, " MEMBER_OF("not(task:group == service:d)") "}]", -1, "memberOf",
     "a task of 'a' can stand on no instance: no instance in any instance group satisfies its memberOf constraints "
     "('not(task:group == service:d)')"},
    {{.azs = NULL}, "[{name: a, memory: 10, runtimePlatform: {cpuArchitecture: ARM64}}]", -1, "architecture",
     "a task of 'a' can stand on no instance: it is built for arm64, and no type in any instance group is"},
    {{.groups = "{name: main, types: [box]}, {name: arm, types: [gpu-box]}"},
     "[{name: a, memory: 10, group: arm, runtimePlatform: {cpuArchitecture: X86_64}}]", -1, "architecture",
     "a task of 'a' can stand on no instance: it is built for x86_64, and no type in its instance groups is"},
    {{.azs = TWO_AZS, .groups = "{name: main, types: [box]}, {name: big, types: [gpu-box], availabilityZones: [us-east-1a]}"},
     "[{name: a, memory: 1500, desiredCount: 2}]", -1, "availabilityZone",
     "'a' may stand in 2 availability zones and must be spread over 2 of them, but a task of it fits on an instance in only 1"},
};

static const char *or_else(const char *text, const char *otherwise) {
    return text ? text : otherwise;
}

static taskfit_deployment *parse(const reason_case *row) {
    TASKFIT_STRBUF(file);
    taskfit_strbuf_printf(&file,
                          "taskfit: 1\n"
                          "cluster:\n"
                          "  availabilityZones: %s\n"
                          "  instanceTypes:\n"
                          "    - {type: box, vcpu: 4, registeredMemory: 1000, architecture: x86_64, usdPerHour: 0.5, awsvpcTasks: 3}\n"
                          "    - {type: gpu-box, vcpu: 4, registeredMemory: 2000, architecture: arm64, usdPerHour: 0.7, gpu: 1}\n"
                          "  instanceGroups: [%s]\n"
                          "  daemons: [%s]\n"
                          "services: %s\n"
                          "policy: %s\n",
                          or_else(row->cluster.azs, "[us-east-1a]"), or_else(row->cluster.groups, "{name: main, types: [box]}"),
                          or_else(row->cluster.daemons, ""), row->services,
                          or_else(row->cluster.policy, "{rollingDeployment: none}"));
    taskfit_parse_options options;
    taskfit_parse_options_init(&options);
    taskfit_deployment *deployment = NULL;
    taskfit_error err = {0};
    if (taskfit_deployment_parse("test.yaml", file.data, file.len, &options, &deployment, &err) != TASKFIT_OK) {
        fail_msg("%s: %s\n%s", err.where, err.message, file.data);
    }
    return deployment;
}

static void check(const reason_case *row) {
    taskfit_deployment *deployment = parse(row);
    taskfit_settings settings;
    taskfit_settings_init(&settings);
    settings.time_limit_ms = 0;
    taskfit_plan *plan = NULL;
    taskfit_error err = {0};
    if (taskfit_size(deployment, &settings, &plan, &err) != TASKFIT_OK) {
        fail_msg("%s: %s", row->services, err.message);
    }
    bool found = row->instances >= 0;
    ASSERT_INT(plan->outcome, found ? TASKFIT_OPTIMAL : TASKFIT_INFEASIBLE);
    ASSERT_INT(plan->instances, row->instances);
    assert_string_equal(found ? plan->binding_note : plan->reason.message, row->text);
    assert_string_equal(found ? plan->binding_resource : plan->reason.resource, row->resource);
    taskfit_plan_free(plan);
    taskfit_deployment_free(deployment);
}

static void what_binds_is_said(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof binding / sizeof binding[0]; i++) {
        check(&binding[i]);
    }
}

static void why_nothing_fits_is_said(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof infeasible / sizeof infeasible[0]; i++) {
        check(&infeasible[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_binds_is_said),
        cmocka_unit_test(why_nothing_fits_is_said),
    };
    return RUN_TESTS(tests);
}
