#include "check/rules.h"

#include <string.h>

#define ERROR TASKFIT_SEVERITY_ERROR
#define WARNING TASKFIT_SEVERITY_WARNING
#define NOTE TASKFIT_SEVERITY_NOTE

static const taskfit_rule rules[] = {
    {"INPUT001", ERROR, "the file is invalid", "every other verb refuses it with exit status 3", "mend it where the message says"},

    {"ECS001", WARNING, "task-level memory hides the containers' reservations",
     "ECS places by the task's memory when it is set (API model, RegisterTaskDefinition)",
     "remove task.memory, or count with it"},
    {"ECS002", WARNING, "a container has no hard limit",
     "nothing but the instance bounds its memory, and the kernel kills whom it likes (API model, ContainerDefinition.memory)",
     "set memory"},
    {"ECS003", WARNING, "a daemon has a desired count", "daemons run once on every instance they may stand on (ECS developer guide)",
     "remove desiredCount"},
    {"ECS004", WARNING, "a daemon has a placement strategy", "strategies choose instances; a daemon stands on all (ECS developer guide)",
     "remove placementStrategy"},
    {"ECS005", WARNING, "Amazon ECS's own placement leaves tasks out in some launch orders",
     "it places greedily, service by service, and moves nothing (ECS developer guide, task placement)",
     "run more instances, or launch the largest services first"},
    {"ECS006", WARNING, "what Amazon ECS's own placement needs was not found", "too much work: the figure is missing, not wrong",
     "taskfit simulate tries a fleet of a given size"},
    {"ECS007", WARNING, "a container uses at least twice the CPU that it reserves",
     "ECS places by the reservation, so instances run hotter than the plan says", "reserve what it uses"},
    {"ECS008", WARNING, "a container uses a quarter more memory than it reserves",
     "ECS places by the reservation, so an instance can run out of memory that nobody reserved (ECS developer guide, "
     "memory management)",
     "reserve what it uses"},
    {"ECS009", WARNING, "a fixed host port leaves a deployment no room beside the old tasks",
     "one task per port and instance: without an instance more than tasks a rolling deployment waits for ever (ECS developer guide, "
     "service event messages)",
     "lower minimumHealthyPercent, use dynamic host ports, or run an instance more than tasks"},
    {"ECS010", WARNING, "task-level CPU is a hard cap",
     "a task's cpu is a CFS quota that stays in force while the instance idles; a container's is only a weight (amazon-ecs-agent, "
     "task_linux.go)",
     "reserve CPU with the containers' cpu instead"},
    {"ECS011", WARNING, "network interfaces, not CPU or memory, bound the number of awsvpc tasks",
     "each awsvpc task takes an interface of its own (EC2 user guide, IP addresses per network interface; ECS, ENI trunking)",
     "set awsvpcTrunking with types that can, or use network mode bridge"},
    {"ECS012", WARNING, "more fixed host ports than an instance may reserve",
     "an instance reserves at most 100 ports, 5 of which are the agent's and SSH's (API model, PortMapping.hostPort)",
     "use dynamic host ports"},
    {"ECS013", NOTE, "a service that spreads over availability zones has fewer tasks than zones",
     "some zone has no task of it, so the loss of another one stops it (ECS developer guide, placement strategies)",
     "raise desiredCount to the number of zones"},
    {"ECS014", NOTE, "an instance group mixes types",
     "cluster auto scaling does not scale for a task that does not fit the smallest type (ECS developer guide, cluster auto scaling)",
     "make a group for each type"},
    {"ECS015", WARNING, "hard limits add up to more than the registered memory",
     "ECS guards reservations only: when all tasks reach their limits the kernel kills some, exit 137 (ECS developer guide, "
     "memory management)",
     "lower memory, or use larger instances"},
    {"ECS016", NOTE, "reservation and hard limit are equal",
     "nothing is left for a moment's need, and ecs-cli refuses it; ECS itself takes it (awsdocs/amazon-ecs-developer-guide#242)",
     "leave out memoryReservation, or lower it"},
    {"ECS017", WARNING, "a container reserves no CPU but uses much",
     "with 0 units ECS places any number of them on one instance, and under contention each starves (API model, "
     "ContainerDefinition.cpu)",
     "reserve what it uses"},

    {"JVM001", ERROR, "the largest heap is not below the hard limit",
     "a heap that fills up is killed by the kernel before the JVM can collect or report it (exit 137)", "lower xmx or raise memory"},
    {"JVM002", WARNING, "heap, metaspace, code cache, thread stacks and direct memory exceed the hard limit",
     "all of them are the container's memory (memory calculator of Cloud Foundry and Paketo)", "lower xmx or raise memory"},
    {"JVM003", WARNING, "heap and metaspace exceed the soft limit",
     "ECS places by the soft limit, and a JVM does not give memory back: instances fill beyond what is reserved",
     "raise memoryReservation"},
    {"JVM004", WARNING, "the initial heap exceeds the soft limit", "the JVM takes it at the start, more than ECS reserved for it",
     "lower xms or raise memoryReservation"},
    {"JVM005", WARNING, "MaxRAMPercentage stands beside the largest heap", "the JVM ignores MaxRAMPercentage when -Xmx is set (HotSpot, arguments.cpp)",
     "remove one of them"},
    {"JVM006", WARNING, "MaxRAMPercentage leaves too little beside the heap",
     "metaspace, code cache, thread stacks and direct memory need the rest (memory calculator of Cloud Foundry and Paketo)",
     "lower maxRamPercentage or raise memory"},
    {"JVM007", WARNING, "MetaspaceSize exceeds MaxMetaspaceSize", "the JVM lowers it to the maximum (HotSpot, metaspace.cpp)",
     "lower metaspace or raise maxMetaspace"},
    {"JVM008", WARNING, "nothing sets the heap", "the JVM takes a quarter of the limit and leaves the rest unused (HotSpot, MaxRAMPercentage)",
     "set xmx or maxRamPercentage"},
    {"JVM009", ERROR, "the initial heap exceeds the largest", "the JVM refuses to start (HotSpot, arguments.cpp)", "lower xms"},

    {"ROLL001", ERROR, "a deployment can neither start nor stop a task",
     "at most floor(desired x maximum / 100) tasks may run and at least ceil(desired x minimum / 100) must (ECS developer guide, "
     "rolling update)",
     "raise maximumPercent or lower minimumHealthyPercent"},
    {"CHECK001", WARNING, "'ignore' names a rule that does not exist", "it silences nothing", "taskfit check --rules lists the codes"},
    {"SPREAD001", WARNING, "a service spreads over zones but may stand in one only", "that spread is void", "add a zone, or remove the strategy"},
    {"SPREAD002", WARNING, "no instance group has the attribute that a strategy spreads over", "instances without it are all alike to ECS",
     "add the attribute to the groups"},
    {"SPREAD003", WARNING, "a plan does not spread services over zones", "policy.spread is preferred, so spread is no rule",
     "policy: {spread: required}"},
    {"SPREAD004", WARNING, "while an instance is drained, spread over zones cannot hold",
     "its zone has no room for what spread wants there", "run an instance more in each zone"},
    {"SPREAD005", WARNING, "spread costs an instance", "the number that holds the tasks is no multiple of the zones",
     "another number of zones, or policy: {spread: preferred}"},
    {"PRICE001", WARNING, "prices are those of us-east-1", "the cluster stands elsewhere", "give usdPerHour in cluster.instanceTypes"},
    {"TYPE001", WARNING, "the registered memory of a type is an estimate", "nobody has published a measurement",
     "measure it and give registeredMemory in cluster.instanceTypes"},
    {"POLICY001", WARNING, "a name matches no service", "the rule it stands in does not hold for anything", "correct the name"},
    {"CPU001", WARNING, "expected CPU of an instance is above 70 %", "reservations say where tasks stand, observed use says whether they run well",
     "policy: {maxExpectedCpuPercent: 60}"},
    {"CPU002", WARNING, "the heaviest tasks without CPU units stand together", "nothing but CPU units keeps them apart",
     "reserve CPU for them, or policy: {antiAffinity: [...]}"},
    {"GROUP001", WARNING, "a group has several types in a plan", "an Auto Scaling group does not keep their numbers", "make a group for each type"},
    {"GROUP002", WARNING, "a group is uneven over its zones and it matters which has more", "an Auto Scaling group chooses that itself",
     "make a group for each zone"},
    {"GROUP003", WARNING, "a task does not fit the smallest type of a mixed group",
     "a capacity provider never scales for it (ECS developer guide, cluster auto scaling)", "make a group for each type"},
    {"LIMIT001", WARNING, "the search was cut", "another run may answer otherwise", "raise --time-limit"},
    {"SURV001", WARNING, "Amazon ECS's own placement does not always find the room for a loss",
     "it places greedily and moves nothing (ECS developer guide, task placement)", "run an instance more, or expect to help by hand"},
    {"VERIFY001", WARNING, "the verifier's search was cut", "it did not decide whether there is room for every deployment and loss",
     "policy: {rollingDeployment: oneService}, or fewer services"},
};

const taskfit_rule *taskfit_rules(size_t *n_out) {
    *n_out = sizeof rules / sizeof rules[0];
    return rules;
}

const taskfit_rule *taskfit_rule_find(const char *code) {
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (strcmp(rules[i].code, code) == 0) {
            return &rules[i];
        }
    }
    return NULL;
}

const char *taskfit_severity_name(taskfit_severity severity) {
    static const char *const names[] = {"error", "warning", "note"};
    return names[severity];
}
