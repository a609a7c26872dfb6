/* The verifier on one good plan and on many bad ones, each of which breaks one rule or states one wrong figure. */

#include "unit.h"

#include "problem/plan.h"
#include "shop.h"

typedef struct mutation {
    const char *yaml_from, *yaml_to; /* NULL: the deployment as it is */
    shop_edit edits[6];
    const char *expected; /* one of the verifier's lines */
} mutation;

#define INFEASIBLE(service, resource, need, room)                                                                     \
    {"outcome", "\"infeasible\""}, {"fleet", "[]"}, {"instances", "null"},                                             \
        {"reason", "{\"service\": \"" service "\", \"resource\": \"" resource "\", \"need\": " need ", \"room\": " room  \
                   ", \"message\": \"none\"}"}

static const mutation mutations[] = {
    /* counts and names */
    {NULL, NULL, {{"fleet[3].tasks[0].count", "2"}}, "web: 5 tasks placed, 4 desired (rule: desiredCount)"},
    {NULL, NULL, {{"fleet[3].tasks[0].count", "0"}}, "main-4: the count of 'web' is not a whole number above 0 (rule: document)"},
    {NULL, NULL, {{"fleet[3].tasks[0].count", "\"1\""}}, "main-4: the count of 'web' is not a whole number above 0 (rule: document)"},
    {NULL, NULL, {{"fleet[4].tasks", "[]"}}, "db: 0 tasks placed, 1 desired (rule: desiredCount)"},
    {NULL, NULL, {{"fleet[0].tasks[0].service", "\"shop\""}}, "main-1: unknown service 'shop' (rule: service)"},
    {NULL, NULL, {{"fleet[0].tasks[0].service", "\"agent\""}}, "main-1: unknown service 'agent' (rule: service)"},
    {NULL, NULL, {{"fleet[0].tasks[1].service", "\"web\""}}, "main-1: 'web' is listed twice (rule: document)"},
    {NULL, NULL, {{"fleet[0].tasks", "{}"}}, "main-1: 'tasks' is not a list (rule: document)"},
    {NULL, NULL, {{"fleet[1].id", "\"main-1\""}}, "main-1: the id is given twice (rule: document)"},
    {NULL, NULL, {{"fleet[1].id", "-"}}, "fleet[1]: no id (rule: document)"},
    {NULL, NULL, {{"fleet[1].group", "\"side\""}}, "main-2: unknown instance group 'side' (rule: group)"},
    {NULL, NULL, {{"fleet[1].type", "\"own.arm\""}}, "main-2: 'own.arm' is not a type of group 'main' (rule: type)"},
    {NULL, NULL, {{"fleet[4].availabilityZone", "\"us-east-1b\""}},
     "heavy-1: 'us-east-1b' is not an availability zone of group 'heavy' (rule: availabilityZone)"},
    {NULL, NULL, {{"fleet[4].availabilityZone", "\"us-east-1c\""}},
     "heavy-1: 'us-east-1c' is not an availability zone of group 'heavy' (rule: availabilityZone)"},
    {NULL, NULL, {{"fleet", "null"}}, "plan: 'fleet' is not a list (rule: document)"},
    /* capacity */
    {NULL, NULL, {{"fleet[0].tasks[3].count", "2"}, {"fleet[1].tasks[1]", "-"}},
     "main-1: memory 4,176 MiB reserved of 4,000 (rule: capacity)"},
    {"registeredMemory: 4000", "registeredMemory: 3475", {{NULL, NULL}},
     "main-3: memory 3,476 MiB reserved of 3,475 (rule: capacity)"},
    {"cpu: 512", "cpu: 1601", {{NULL, NULL}}, "main-1: CPU 2,049 units reserved of 2,048 (rule: capacity)"},
    {"awsvpcTasks: 2", "awsvpcTasks: 1", {{"fleet[0].tasks[2].count", "2"}, {"fleet[2].tasks[2]", "-"}},
     "main-1: ENI 2 slots taken of 1 (rule: capacity)"},
    {"name: main,", "name: main, maxTasks: 4,", {{NULL, NULL}}, "main-1: tasks 5 of 4 (rule: maxTasks)"},
    {"name: main,", "name: main, reservedMemory: 525,", {{NULL, NULL}},
     "main-1: memory 3,476 MiB reserved of 3,475 (rule: capacity)"},
    /* ports */
    {NULL, NULL, {{"fleet[3].tasks[0].count", "2"}}, "main-4: tcp/8080 is wanted by 2 tasks of 'web' (rule: ports)"},
    {"hostPort: 8080", "hostPort: 51678", {{NULL, NULL}},
     "main-2: a host port of 'web' is taken by the agent or a daemon (rule: ports)"},
    {"memory: 700", "memory: 700\n    portMappings: [{containerPort: 1, hostPort: 8080}]", {{NULL, NULL}},
     "main-2: tcp/8080 is wanted by 'web' and 'batch' (rule: ports)"},
    {"memoryReservation: 128,", "memoryReservation: 128, portMappings: [{containerPort: 1, hostPort: 8080}],", {{NULL, NULL}},
     "main-4: a host port of 'web' is taken by the agent or a daemon (rule: ports)"},
    {"memory: 700", "memory: 700\n    portMappings: [{containerPort: 1, hostPort: 8080, protocol: udp}, {containerPort: 2, hostPort: 9}]",
     {{"fleet[0].tasks[3].count", "2"}}, "main-1: udp/8080 is wanted by 2 tasks of 'batch' (rule: ports)"},
    /* who may stand where */
    {"type: distinctInstance", "type: memberOf, expression: 'not(task:group == service:agent)'", {{NULL, NULL}},
     "main-1: 'api' stands with 'agent', which its placement constraints forbid (rule: memberOf)"},
    {NULL, NULL, {{"fleet[1].tasks[0].service", "\"api\""}, {"fleet[0].tasks[1].service", "\"web\""}},
     "main-1: tcp/8080 is wanted by 2 tasks of 'web' (rule: ports)"},
    {NULL, NULL, {{"fleet[0].tasks[1].count", "2"}, {"fleet[2].tasks[1]", "-"}}, "main-1: 2 tasks of 'api' (rule: distinctInstance)"},
    {NULL, NULL, {{"fleet[4].tasks", "+{\"service\": \"batch\", \"count\": 1}"}, {"fleet[1].tasks[1]", "-"}},
     "heavy-1: 'batch' is not for group 'heavy' (rule: group)"},
    {"cpuArchitecture: ARM64", "cpuArchitecture: X86_64", {{NULL, NULL}},
     "heavy-1: 'db' is for x86_64, the instance is arm64 (rule: architecture)"},
    {"type: distinctInstance", "type: memberOf, expression: 'attribute:ecs.availability-zone == us-east-1a'", {{NULL, NULL}},
     "main-3: 'api' may not stand on it by its placement constraints (rule: memberOf)"},
    {"type: distinctInstance", "type: memberOf, expression: 'not(task:group == service:batch)'", {{NULL, NULL}},
     "main-1: 'api' stands with 'batch', which its placement constraints forbid (rule: memberOf)"},
    {"policy: {", "policy: {antiAffinity: [[api, 'pa*'], [db]], ", {{NULL, NULL}},
     "main-3: 'api' and 'pay' stand together (rule: antiAffinity)"},
    /* headroom and caps */
    {"policy: {", "policy: {headroom: {memoryPercent: 14}, ", {{NULL, NULL}},
     "main-1: memory 524 MiB free, 14 % of 4,000 to be kept (rule: headroom)"},
    {"policy: {", "policy: {headroom: {cpuPercent: 54}, ", {{NULL, NULL}},
     "main-1: CPU 1,088 units free, 54 % of 2,048 to be kept (rule: headroom)"},
    {"policy: {", "policy: {maxHardMemoryPercent: 115, ", {{NULL, NULL}},
     "main-1: 4,628 MiB of hard limits, above 115 % of 4,000 (rule: maxHardMemoryPercent)"},
    {"policy: {", "policy: {maxExpectedCpuPercent: 17, ", {{NULL, NULL}},
     "heavy-1: 732 CPU units expected, above 17 % of 4,096 (rule: maxExpectedCpuPercent)"},
    {"policy: {", "policy: {maxExpectedMemoryPercent: 51, ", {{NULL, NULL}},
     "heavy-1: 4,120 MiB expected, above 51 % of 8,000 (rule: maxExpectedMemoryPercent)"},
    /* spread */
    {NULL, NULL, {{"fleet[1].tasks[1].service", "\"pay\""}, {"fleet[2].tasks[2]", "-"}},
     "pay: 2 tasks in us-east-1a, 0 in us-east-1b (rule: spread over availability zones)"},
    {NULL, NULL, {{"fleet[1].tasks[1].service", "\"web\""}, {"fleet[0].tasks[0]", "-"}},
     "web: 2 tasks on main-2, 0 on main-1 (rule: spread over instances)"},
    {"placementStrategy: [{type: binpack, field: memory}]", "placementStrategy: [{type: spread, field: instanceId}]",
     {{"fleet[0].tasks[3].count", "2"}, {"fleet[1].tasks[1]", "-"}},
     "batch: 2 tasks on main-1, 0 on main-2 (rule: spread over instances)"},
    /* groups */
    {"name: main,", "name: main, min: 6,", {{NULL, NULL}}, "group main: 4 instances, at least 6 (rule: min)"},
    {"name: main,", "name: main, max: 3,", {{NULL, NULL}}, "group main: 4 instances, at most 3 (rule: max)"},
    {"types: [own.small,", "types: [{type: own.small, max: 3},", {{NULL, NULL}},
     "group main: 4 instances of own.small of a stock of 3 (rule: stock)"},
    {NULL, NULL, {{"fleet[3].type", "\"own.big\""}}, "group main: both own.small and own.big (rule: mixed)"},
    {NULL, NULL, {{"fleet[3].availabilityZone", "\"us-east-1a\""}},
     "group main: 3 instances in us-east-1a, 1 in us-east-1b (rule: balance over availability zones)"},
    /* figures */
    {NULL, NULL, {{"instances", "4"}}, "plan: instances is stated as 4, computed as 5 (rule: figures)"},
    {NULL, NULL, {{"instances", "\"5\""}}, "plan: instances is stated as 5, computed as 5 (rule: figures)"},
    {NULL, NULL, {{"costUsdPerHour", "\"0.500000\""}}, "plan: costUsdPerHour is stated as 0.500000, computed as 0.600000 (rule: figures)"},
    {NULL, NULL, {{"costUsdPerMonth", "\"438.01\""}}, "plan: costUsdPerMonth is stated as 438.01, computed as 438.00 (rule: figures)"},
    {NULL, NULL, {{"fleet[0].capacity.memoryMiB", "4001"}},
     "main-1: capacity.memoryMiB is stated as 4001, computed as 4,000 (rule: figures)"},
    {NULL, NULL, {{"fleet[0].capacity.eni", "null"}}, "main-1: capacity.eni is stated as null, computed as 2 (rule: figures)"},
    {NULL, NULL, {{"fleet[0].daemons.cpuUnits", "0"}}, "main-1: daemons.cpuUnits is stated as 0, computed as 64 (rule: figures)"},
    {NULL, NULL, {{"fleet[1].reserved.memoryMiB", "1211"}},
     "main-2: reserved.memoryMiB is stated as 1211, computed as 1,212 (rule: figures)"},
    {NULL, NULL, {{"fleet[1].reserved", "-"}}, "main-2: reserved.gpu is stated as absent, computed as 0 (rule: figures)"},
    {NULL, NULL, {{"fleet[3].hardMemoryMiB", "1024"}}, "main-4: hardMemoryMiB is stated as 1024, computed as 1,280 (rule: figures)"},
    {NULL, NULL, {{"fleet[3].expected.memoryMiB", "null"}},
     "main-4: expected.memoryMiB is stated as null, computed as 620 (rule: figures)"},
    {NULL, NULL, {{"fleet[0].expected.cpuUnits", "582"}}, "main-1: expected.cpuUnits is stated as 582, computed as null (rule: figures)"},
    {NULL, NULL, {{"services[1].memoryMiB", "2048"}}, "api: memoryMiB is stated as 2048, computed as 1,536 (rule: figures)"},
    {NULL, NULL, {{"services[0].desiredCount", "5"}}, "web: desiredCount is stated as 5, computed as 4 (rule: figures)"},
    {NULL, NULL, {{"services[0].ports", "[]"}}, "web: ports are stated as [], computed as [tcp/8080] (rule: figures)"},
    {NULL, NULL, {{"services[1].distinctInstance", "false"}},
     "api: distinctInstance is stated as false, computed as true (rule: figures)"},
    {NULL, NULL, {{"services[4]", "-"}}, "plan: 4 services stated, the deployment has 5 (rule: figures)"},
    {NULL, NULL, {{"services[4].name", "\"bd\""}}, "plan: services[4] is 'bd', the deployment has 'db' there (rule: figures)"},
    {NULL, NULL, {{"policy.spread", "\"preferred\""}}, "plan: policy.spread is stated as preferred, computed as required (rule: figures)"},
    {NULL, NULL, {{"policy.maxHardMemoryPercent", "200"}},
     "plan: policy.maxHardMemoryPercent is stated as 200, computed as -1 (rule: figures)"},
    /* bounds, goals, ladder */
    {NULL, NULL, {{"lowerBound", "6"}}, "plan: lowerBound is above the 5 instances of the plan, or no number (rule: bound)"},
    {NULL, NULL, {{"lowerBound", "4"}}, "plan: outcome 'optimal', but lowerBound is not the 5 instances of the plan (rule: bound)"},
    {NULL, NULL, {{"lowerBoundUsdPerHour", "\"0.700000\""}},
     "plan: lowerBoundUsdPerHour is above the plan's cost, or no price (rule: bound)"},
    {NULL, NULL, {{"goals[0].value", "\"4\""}}, "plan: goals[0].value is stated as 4, computed as 5 (rule: figures)"},
    {NULL, NULL, {{"goals[2].value", "\"0.1311\""}}, "plan: goals[2].value is stated as 0.1311, computed as 0.1310 (rule: figures)"},
    {NULL, NULL, {{"goals[1].bound", "\"0.500000\""}}, "plan: goals[1] is called proved, but its bound is not its value (rule: bound)"},
    {NULL, NULL, {{"goals[0].goal", "\"cost\""}}, "plan: goals[0].goal is stated as cost, computed as count (rule: figures)"},
    {NULL, NULL, {{"goals", "[]"}}, "plan: 0 goals stated, the policy has 3 (rule: figures)"},
    {NULL, NULL, {{"ladder[1]", "-"}}, "plan: the ladder lacks the plan's rung 'spread' (rule: ladder)"},
    {NULL, NULL, {{"ladder[1].costUsdPerHour", "\"0.700000\""}},
     "plan: the ladder's 'spread' and the plan state different figures (rule: ladder)"},
    {NULL, NULL, {{"ladder[0].instances", "6"}, {"ladder[0].lowerBound", "6"}},
     "plan: rung 'spread' states 5 instances, 'packing' below it needs 6 (rule: ladder)"},
    {NULL, NULL, {{"ladder[0].lowerBound", "4"}}, "plan: rung 'packing' is called proved, but its bound is not its instances (rule: bound)"},
    {"policy: {", "policy: {objective: [cost, count], ", {{"lowerBoundUsdPerHour", "\"0.500000\""}},
     "plan: outcome 'optimal', but lowerBoundUsdPerHour is not the plan's cost (rule: bound)"},
    {NULL, NULL, {{"goals[0].proof", "\"sure\""}}, "plan: goals[0].proof 'sure' is no proof (rule: document)"},
    {NULL, NULL, {{"ladder[0].proof", "\"infeasible\""}}, "plan: rung 'packing' is called infeasible and has instances (rule: ladder)"},
    {NULL, NULL, {{"ladder[0].proof", "\"gap\""}, {"ladder[0].lowerBound", "6"}},
     "plan: rung 'packing' states 5 instances and a lower bound of 6 (rule: bound)"},
    {"rollingDeployment: none", "", {{NULL, NULL}}, "plan: rung 'spread' is not the policy's 'rolling' (rule: rung)"},
    {"rollingDeployment: none", "rollingDeployment: none, spread: preferred", {{NULL, NULL}},
     "plan: rung 'spread' is not the policy's 'packing' (rule: rung)"},
    {NULL, NULL, {{"ladder[0].rung", "\"spread\""}}, "plan: rung 'spread' stands behind 'spread' (rule: ladder)"},
    {NULL, NULL, {{"ladder[0].proof", "\"infeasible\""}, {"ladder[0].instances", "null"}},
     "plan: rung 'spread' has instances where 'packing' is infeasible (rule: ladder)"},
    {NULL, NULL, {{"rung", "\"packing\""}}, "plan: rung 'packing' is not the policy's 'spread' (rule: rung)"},
    {NULL, NULL, {{"rung", "\"rolling\""}}, "plan: rung 'rolling' is not the policy's 'spread' (rule: rung)"},
    {"rollingDeployment: none", "rollingDeployment: oneService", {{"rung", "\"rolling\""}},
     "db: a deployment finds room for 0 of 1 tasks (rule: rollingDeployment)"},
    {"rollingDeployment: none", "rollingDeployment: allServices", {{"rung", "\"rolling\""}},
     "plan: a deployment of all services at once finds no room for web (rule: rollingDeployment)"},
    {"rollingDeployment: none", "rollingDeployment: none, surviveLoss: instance", {{"rung", "\"survive\""}},
     "heavy-1: when it is lost, its tasks of db find no room on the others (rule: surviveLoss)"},
    {"rollingDeployment: none", "rollingDeployment: none, surviveLoss: availabilityZone", {{"rung", "\"survive\""}},
     "us-east-1a: when it is lost, its tasks of web find no room on the others (rule: surviveLoss)"},
    {NULL, NULL, {{"rung", "\"rolling\""}}, "web: a deployment finds room for 0 of 1 tasks (rule: rollingDeployment)"},
    {NULL, NULL, {{"rung", "\"top\""}}, "plan: unknown rung 'top' (rule: document)"},
    {NULL, NULL, {{"outcome", "\"best\""}}, "plan: unknown outcome 'best' (rule: document)"},
    {NULL, NULL, {{"outcome", "\"infeasible\""}}, "plan: outcome 'infeasible' with a fleet of 5 instances (rule: document)"},
    {NULL, NULL, {{"outcome", "\"infeasible\""}, {"fleet", "[]"}, {"instances", "null"}},
     "plan: infeasible without a reason (rule: document)"},
    {NULL, NULL, {INFEASIBLE("web", "memory", "512", "100")},
     "plan: the reason says that a task of 'web' fits nowhere, but it fits on own.big (rule: reason)"},
    {"memory: 1024\n    memoryReservation: 512", "memory: 7873", {INFEASIBLE("web", "memory", "512", "7872")},
     "plan: reason.need is 512, a task of 'web' takes 7,873 (rule: figures)"},
    {"memory: 1024\n    memoryReservation: 512", "memory: 7873", {INFEASIBLE("web", "memory", "7873", "8000")},
     "plan: reason.room is 8000, the best instance for 'web' has 7,872 (rule: figures)"},
    {"policy: {", "policy: {headroom: {memoryPercent: 49}, ", {INFEASIBLE("db", "memory", "4096", "3953")},
     "plan: reason.room is 3953, the best instance for 'db' has 3,952 (rule: figures)"},
    {"policy: {", "policy: {headroom: {memoryPercent: 47}, ", {INFEASIBLE("db", "memory", "4096", "3952")},
     "plan: the reason says that a task of 'db' fits nowhere, but it fits on own.arm (rule: reason)"},
    {NULL, NULL, {INFEASIBLE("db", "architecture", "null", "null")},
     "plan: the reason says that 'db' may stand nowhere, but it may (rule: reason)"},
    {NULL, NULL, {INFEASIBLE("shop", "memory", "1", "0")}, "plan: the reason names an unknown service 'shop' (rule: service)"},
    {NULL, NULL, {{"schema", "\"taskfit.plan/2\""}}, "plan: schema is 'taskfit.plan/2', not 'taskfit.plan/1' (rule: document)"},
};

static void keep_line(void *arg, const char *text) {
    taskfit_strbuf *lines = arg;
    taskfit_strbuf_printf(lines, "\n%s\n", text);
}

/* ---- tests ---- */

static void good_plan_passes(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_deployment *deployment = shop_deployment(NULL, NULL, arena);
    TASKFIT_STRBUF(lines);
    size_t n_broken = taskfit_verify(shop_plan(NULL, 0, arena), deployment, keep_line, &lines);
    if (n_broken != 0) {
        fail_msg("%zu broken:%s", n_broken, lines.data);
    }
    taskfit_deployment_free(deployment);
    taskfit_arena_free(arena);
}

/* The same host port of two protocols is two ports. */
static void ports_differ_by_protocol(void **state) {
    (void)state;
    static const shop_edit edits[] = {{"services[3].ports", "[\"udp/8080\"]"}};
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_deployment *deployment = shop_deployment(
        "memory: 700", "memory: 700\n    portMappings: [{containerPort: 1, hostPort: 8080, protocol: udp}]", arena);
    ASSERT_INT(taskfit_verify(shop_plan(edits, 1, arena), deployment, NULL, NULL), 0);
    taskfit_deployment_free(deployment);
    taskfit_arena_free(arena);
}

static void mutations_are_told(void **state) {
    (void)state;
    size_t n_missed = 0;
    for (size_t i = 0; i < sizeof mutations / sizeof mutations[0]; i++) {
        const mutation *row = &mutations[i];
        taskfit_arena *arena = taskfit_arena_new();
        taskfit_deployment *deployment = shop_deployment(row->yaml_from, row->yaml_to, arena);
        const taskfit_node *document = shop_plan(row->edits, 6, arena);
        TASKFIT_STRBUF(lines);
        size_t n_broken = taskfit_verify(document, deployment, keep_line, &lines);
        const char *wanted = taskfit_arena_printf(arena, "\n%s\n", row->expected);
        if (n_broken == 0 || !strstr(lines.data, wanted)) {
            n_missed++;
            print_message("row %zu: missing '%s' among %zu:%s\n", i, row->expected, n_broken, lines.data);
        }
        taskfit_deployment_free(deployment);
        taskfit_arena_free(arena);
    }
    ASSERT_INT(n_missed, 0);
}

static void infeasible_answers_are_judged(void **state) {
    (void)state;
    static const shop_edit edits[] = {INFEASIBLE("web", "memory", "7873", "7872"), {"costUsdPerHour", "null"},
                                      {"costUsdPerMonth", "null"}, {"ladder", "[{\"rung\": \"spread\", \"proof\": \"infeasible\"}]"},
                                      {"lowerBound", "null"}, {"services[0].memoryMiB", "7873"}, {"services[0].hardMemoryMiB", "7873"}};
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_deployment *deployment = shop_deployment("memory: 1024\n    memoryReservation: 512", "memory: 7873", arena);
    TASKFIT_STRBUF(lines);
    size_t n_broken = taskfit_verify(shop_plan(edits, sizeof edits / sizeof edits[0], arena), deployment, keep_line, &lines);
    if (n_broken != 0) {
        fail_msg("%zu broken:%s", n_broken, lines.data);
    }
    taskfit_deployment_free(deployment);
    taskfit_arena_free(arena);
}

/* Any subtree may be anything: the verifier tells, and does not fall over. */
static void nonsense_does_no_harm(void **state) {
    (void)state;
    static const char *const values[] = {"null", "[]", "{}", "\"x\"", "-1", "9223372036854775807", "[[1]]", "[{\"a\": null}]"};
    static const char *const paths[] = {"schema", "outcome", "rung",   "goals",           "policy",          "ladder",
                                        "fleet",  "services", "warnings", "fleet[0]",     "fleet[0].tasks",  "fleet[0].tasks[0]",
                                        "goals[0]", "ladder[0]", "services[0]", "services[0].ports", "fleet[0].capacity", "fleet[0].tasks[0].count"};
    for (size_t p = 0; p < sizeof paths / sizeof paths[0]; p++) {
        for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
            taskfit_arena *arena = taskfit_arena_new();
            taskfit_deployment *deployment = shop_deployment(NULL, NULL, arena);
            const taskfit_node *document = shop_plan(&(shop_edit){paths[p], values[v]}, 1, arena);
            size_t n_broken = taskfit_verify(document, deployment, NULL, NULL);
            bool harmless = strcmp(paths[p], "warnings") == 0;
            if (n_broken == 0 && !harmless) {
                fail_msg("%s = %s passes", paths[p], values[v]);
            }
            taskfit_deployment_free(deployment);
            taskfit_arena_free(arena);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_plan_passes),
        cmocka_unit_test(ports_differ_by_protocol),
        cmocka_unit_test(mutations_are_told),
        cmocka_unit_test(infeasible_answers_are_judged),
        cmocka_unit_test(nonsense_does_no_harm),
    };
    return RUN_TESTS(tests);
}
