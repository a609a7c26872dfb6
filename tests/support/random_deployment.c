#include "random_deployment.h"

#include "base/strbuf.h"
#include "parse.h"

taskfit_deployment *random_deployment(taskfit_rand *dice, const char *policy) {
    static const char *const strategies[] = {
        "[{type: spread, field: attribute:ecs.availability-zone}, {type: spread, field: instanceId}]",
        "[{type: spread, field: attribute:ecs.availability-zone}, {type: binpack, field: memory}]",
        "[{type: binpack, field: cpu}]",
        "[{type: random}]",
        "[{type: spread, field: instanceId}]",
    };
    static const char *const percentages[8] = { /* mostly the default */
        ", deploymentConfiguration: {minimumHealthyPercent: 50}",
        ", deploymentConfiguration: {maximumPercent: 134}",
        ", deploymentConfiguration: {strategy: BLUE_GREEN}",
        "", "", "", "", "",
    };
    const size_t n_azs = 1 + taskfit_rand_below(dice, 3);
    TASKFIT_STRBUF(text);
    taskfit_strbuf_printf(&text, "taskfit: 1\ncluster:\n  availabilityZones: [%.*s]\n", (int)(3 * n_azs - 2), "a, b, c");
    taskfit_strbuf_adds(&text, "  instanceTypes: [{type: t, vcpu: 2, registeredMemory: 1000, architecture: arm64, usdPerHour: 1}]\n"
                               "  instanceGroups: [{name: main, types: [t]}]\n");
    taskfit_strbuf_printf(&text, "policy: %s\nservices:\n", policy);
    const size_t n_services = 1 + taskfit_rand_below(dice, 6);
    for (size_t s = 0; s < n_services; s++) {
        /* one after the other: the order in which arguments are evaluated is the compiler's */
        const size_t memory_mib = 50 + taskfit_rand_below(dice, 700);
        const size_t cpu_units = 100 * taskfit_rand_below(dice, 12);
        const size_t desired = 1 + taskfit_rand_below(dice, 4);
        const char *strategy = strategies[taskfit_rand_below(dice, 5)];
        const bool distinct = taskfit_rand_below(dice, 4) == 0;
        const char *percents = percentages[taskfit_rand_below(dice, 8)];
        const bool port = taskfit_rand_below(dice, 5) == 0;
        taskfit_strbuf_printf(&text, "  - {name: s%zu, memory: %zu, cpu: %zu, desiredCount: %zu, placementStrategy: %s%s%s%s}\n", s, memory_mib,
                              cpu_units, desired, strategy, distinct ? ", placementConstraints: [{type: distinctInstance}]" : "", percents,
                              port ? ", portMappings: [{containerPort: 80, hostPort: 80}]" : "");
    }
    return parse_deployment("%s", text.data);
}
