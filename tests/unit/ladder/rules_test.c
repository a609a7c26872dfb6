/* Tiny random deployments that draw every rule a file can state, each many times, sized by taskfit and by trying
 * everything (oracle.h); those of the first few also through models/aggregated.mod. */
#include "unit.h"

#include "base/strbuf.h"
#include "draw.h"
#include "oracle.h"
#include "parse.h"
#include "problem/plan.h"
#include "problem/problem.h"
#include "solve/mathprog.h"
#include "solve/model.h"

enum { N_DEPLOYMENTS = 2000, N_THROUGH_MODEL = 300, DRAWN_MIN = 50, MAX_GROUPS = 2, MAX_TASKS = 6 };

typedef enum rule {
    SEVERAL_GROUPS, PINNED, ATTRIBUTE, AZ_SUBSET, MIXED, STOCK, MIN, PURCHASE, RESERVED_MEMORY, RESERVED_CPU, MAX_TASKS_RULE, DAEMON,
    DAEMON_PORT, AWSVPC, PORT, UDP_PORT, GPU, ARCHITECTURE, DISTINCT, MEMBER_OF_TYPE, MEMBER_OF_AZ, MEMBER_OF_SERVICE, SPREAD_AZ,
    SPREAD_INSTANCE, SPREAD_INSTANCE_ONLY, NO_STRATEGY, NO_SPREAD, PREFERRED, HEADROOM, HARD_CAP, EXPECTED_CPU_CAP, EXPECTED_MEMORY_CAP,
    ANTI_AFFINITY, COST_FIRST, NO_TASKS, SIDECAR, TASK_LEVEL, HOST_MODE,
    N_RULES
} rule;

static const char *const rule_name[N_RULES] = {
    "several groups", "pinned", "attribute", "AZ subset", "mixed", "stock", "min", "purchase", "reservedMemory", "reservedCpu", "maxTasks",
    "daemon", "daemon's port", "awsvpc", "port", "UDP port", "GPU", "architecture", "distinctInstance", "memberOf type", "memberOf AZ",
    "memberOf service", "spread by AZ", "spread by instance after AZ", "spread by instance only", "default strategy", "no spread",
    "preferred", "headroom", "hard cap", "expected CPU cap", "expected memory cap", "antiAffinity", "cost first", "no tasks", "sidecar",
    "task level", "host mode",
};

typedef struct generator {
    uint64_t state;
    taskfit_strbuf *out;
    size_t n_groups, n_azs;
    int64_t drawn[N_RULES];
} generator;

static int64_t pick(generator *g, int64_t low, int64_t high) {
    return draw(&g->state, low, high);
}

/* True in `percent` of cases; counts the rule then. */
static bool takes(generator *g, rule which, int64_t percent) {
    const bool taken = pick(g, 1, 100) <= percent;
    g->drawn[which] += taken;
    return taken;
}

static void add(generator *g, const char *text) {
    taskfit_strbuf_adds(g->out, text);
}

static void add_number(generator *g, const char *before, int64_t number) {
    taskfit_strbuf_printf(g->out, "%s%lld", before, (long long)number);
}

static void write_group(generator *g, size_t index) {
    const bool two_types = pick(g, 0, 1) == 1;
    taskfit_strbuf_printf(g->out, "    - {name: g%zu, types: [", index);
    if (takes(g, STOCK, 20)) {
        add_number(g, "{type: t0, max: ", pick(g, 1, 2));
        add(g, "}");
    } else {
        add(g, "t0");
    }
    add(g, two_types ? ", t1]" : "]");
    add(g, two_types && takes(g, MIXED, 60) ? ", mixed: true" : "");
    add_number(g, ", max: ", g->n_groups > 1 ? 2 : 3);
    if (takes(g, MIN, 12)) {
        add(g, ", min: 1");
    }
    add(g, g->n_azs > 1 && takes(g, AZ_SUBSET, 20) ? ", availabilityZones: [b]" : "");
    add(g, takes(g, RESERVED_MEMORY, 20) ? ", reservedMemory: 150" : "");
    add(g, takes(g, RESERVED_CPU, 15) ? ", reservedCpu: 200" : "");
    if (takes(g, MAX_TASKS_RULE, 15)) {
        add_number(g, ", maxTasks: ", pick(g, 1, 3));
    }
    add(g, takes(g, PURCHASE, 15) ? ", purchase: {discountPercent: 36}" : "");
    add(g, index == 0 ? ", attributes: {tier: x}}\n" : "}\n");
}

static void write_cluster(generator *g) {
    g->n_azs = (size_t)pick(g, 1, 3);
    g->n_groups = takes(g, SEVERAL_GROUPS, 40) ? 2 : 1;
    add(g, "taskfit: 1\ncluster:\n  availabilityZones: ");
    add(g, g->n_azs == 1 ? "[a]\n" : g->n_azs == 2 ? "[a, b]\n" : "[a, b, c]\n");
    add(g, "  instanceTypes:\n"
           "    - {type: t0, vcpu: 1, registeredMemory: 1000, architecture: x86_64, usdPerHour: 0.1, awsvpcTasks: 2}\n"
           "    - {type: t1, vcpu: 2, registeredMemory: 1700, architecture: arm64, usdPerHour: 0.17, awsvpcTasks: 3, gpu: 1}\n");
    if (takes(g, DAEMON, 20)) {
        add(g, "  daemons: [{name: agent, memory: 60, cpu: 50");
        add(g, takes(g, DAEMON_PORT, 50) ? ", portMappings: [{containerPort: 1, hostPort: 8080}]}]\n" : "}]\n");
    }
    add(g, "  instanceGroups:\n");
    for (size_t group = 0; group < g->n_groups; group++) {
        write_group(g, group);
    }
}

static void write_constraints(generator *g, size_t index) {
    add(g, ", placementConstraints: [");
    add(g, takes(g, DISTINCT, 20) ? "{type: distinctInstance}, " : "");
    add(g, takes(g, MEMBER_OF_TYPE, 8) ? "{type: memberOf, expression: 'attribute:ecs.instance-type =~ t[01]'}, " : "");
    add(g, takes(g, ATTRIBUTE, 8) ? "{type: memberOf, expression: 'attribute:tier == x'}, " : "");
    add(g, takes(g, MEMBER_OF_AZ, 8) ? "{type: memberOf, expression: 'attribute:ecs.availability-zone in [a, b]'}, " : "");
    if (index > 0 && takes(g, MEMBER_OF_SERVICE, 15)) {
        taskfit_strbuf_printf(g->out, "{type: memberOf, expression: 'not(task:group == service:s%zu)'}", index - 1);
    }
    add(g, "]");
}

static void write_strategies(generator *g) {
    const char *az = "{type: spread, field: 'attribute:ecs.availability-zone'}";
    const char *instance = "{type: spread, field: instanceId}";
    if (takes(g, NO_STRATEGY, 20)) {
        return;
    }
    add(g, ", placementStrategy: [");
    if (takes(g, SPREAD_INSTANCE_ONLY, 20)) {
        add(g, instance);
    } else if (takes(g, SPREAD_INSTANCE, 30)) {
        add(g, az);
        add(g, ", ");
        add(g, instance);
    } else if (takes(g, SPREAD_AZ, 50)) {
        add(g, az);
        add(g, ", {type: binpack, field: memory}");
    } else {
        g->drawn[NO_SPREAD]++;
        add(g, "{type: random}");
    }
    add(g, "]");
}

static void write_network(generator *g) {
    if (takes(g, AWSVPC, 15)) {
        add(g, ", networkMode: awsvpc");
    } else if (takes(g, HOST_MODE, 10)) {
        add(g, ", networkMode: host, portMappings: [{containerPort: 8081}]");
    } else if (takes(g, PORT, 15)) {
        add(g, ", portMappings: [{containerPort: 80, hostPort: 8080}]");
    } else if (takes(g, UDP_PORT, 15)) {
        add(g, ", portMappings: [{containerPort: 80, hostPort: 8081, protocol: udp}]");
    }
}

static void write_service(generator *g, size_t index, int64_t tasks) {
    taskfit_strbuf_printf(g->out, "  - {name: s%zu, desiredCount: %lld, ", index, (long long)tasks);
    add_number(g, "memory: ", pick(g, 4, 9) * 100);
    add_number(g, ", memoryReservation: ", pick(g, 1, 4) * 100);
    add_number(g, ", cpu: ", pick(g, 0, 3) * pick(g, 0, 3) * 60);
    if (pick(g, 0, 1) == 0) {
        add_number(g, ", observed: {cpu: ", pick(g, 1, 500));
        add_number(g, ", memory: ", pick(g, 50, 600));
        add(g, "}");
    }
    add(g, takes(g, SIDECAR, 20) ? ", sidecar: {memory: 100, cpu: 30}" : "");
    add(g, takes(g, TASK_LEVEL, 10) ? ", task: {cpu: 300, memory: 1000}" : "");
    add(g, takes(g, GPU, 6) ? ", resourceRequirements: [{type: GPU, value: '1'}]" : "");
    add(g, takes(g, ARCHITECTURE, 8) ? ", runtimePlatform: {cpuArchitecture: ARM64}" : "");
    if (g->n_groups > 1 && takes(g, PINNED, 25)) {
        add_number(g, ", group: g", pick(g, 0, 1));
    }
    write_network(g);
    write_constraints(g, index);
    write_strategies(g);
    add(g, "}\n");
}

static void write_policy(generator *g) {
    add(g, "policy:\n  rollingDeployment: none\n");
    add(g, takes(g, PREFERRED, 15) ? "  spread: preferred\n" : "");
    add(g, takes(g, HEADROOM, 15) ? "  headroom: {memoryPercent: 7, cpuPercent: 11}\n" : "");
    add(g, takes(g, HARD_CAP, 15) ? "  maxHardMemoryPercent: 110\n" : "");
    add(g, takes(g, EXPECTED_CPU_CAP, 15) ? "  maxExpectedCpuPercent: 60\n" : "");
    add(g, takes(g, EXPECTED_MEMORY_CAP, 15) ? "  maxExpectedMemoryPercent: 80\n" : "");
    add(g, takes(g, ANTI_AFFINITY, 15) ? "  antiAffinity: [[s0, s2*]]\n" : "");
    add(g, takes(g, COST_FIRST, 35) ? "  objective: [cost, count]\n" : "  objective: [count, cost]\n");
}

static void write_deployment(generator *g) {
    write_cluster(g);
    add(g, "services:\n");
    int64_t left = pick(g, 1, MAX_TASKS);
    for (size_t index = 0; left > 0; index++) {
        const int64_t tasks = takes(g, NO_TASKS, 5) ? 0 : pick(g, 1, left < 4 ? left : 4);
        write_service(g, index, tasks);
        left -= tasks;
    }
    write_policy(g);
}

/* ---- comparing ---- */

static void compare_rung(const taskfit_deployment *deployment, const taskfit_plan_rung *rung, const char *text) {
    const oracle_answer expected = oracle_ask(deployment, rung->rung);
    const bool feasible = rung->instances >= 0;
    const bool cost_first = deployment->policy.objective[0] == TASKFIT_GOAL_COST;
    if (feasible != expected.feasible || (feasible && !cost_first && rung->instances != expected.instances) ||
        (feasible && cost_first && rung->cost_usd_micros != expected.cost_usd_micros) ||
        (rung->proof != TASKFIT_PROOF_EXACT && rung->proof != TASKFIT_PROOF_SOLVER && rung->proof != TASKFIT_PROOF_INFEASIBLE)) {
        fail_msg("rung %s: %lld instances at %lld (proof %s), by trying everything %s %lld at %lld\n%s", taskfit_rung_name(rung->rung),
                 (long long)rung->instances, (long long)rung->cost_usd_micros, taskfit_proof_name(rung->proof),
                 expected.feasible ? "" : "infeasible", (long long)expected.instances, (long long)expected.cost_usd_micros, text);
    }
}

static void compare_model(const taskfit_deployment *deployment, const taskfit_plan_rung *rung, const char *text) {
    taskfit_problem *problem = taskfit_problem_new(deployment, rung->rung);
    TASKFIT_STRBUF(data);
    taskfit_error err = {.status = TASKFIT_OK};
    taskfit_mathprog_result result = {.feasible = false};
    if (taskfit_model_data(problem, &data, &err) != TASKFIT_OK ||
        taskfit_mathprog_solve(taskfit_aggregated_model, data.data, &result, &err) != TASKFIT_OK) {
        fail_msg("model: %s\n%s", err.message, text);
    }
    const bool cost_first = deployment->policy.objective[0] == TASKFIT_GOAL_COST;
    const int64_t expected = cost_first ? rung->cost_usd_micros : rung->instances * 1000000;
    if (result.feasible != (rung->instances >= 0) || (result.feasible && result.objective_micros != expected)) {
        fail_msg("models/aggregated.mod says %lld for rung %s, taskfit %lld\n%s", (long long)result.objective_micros,
                 taskfit_rung_name(rung->rung), (long long)expected, text);
    }
    taskfit_problem_free(problem);
}

static void every_rule_by_trying_everything(void **state) {
    (void)state;
    TASKFIT_STRBUF(text);
    generator g = {.out = &text};
    int64_t n_infeasible = 0;
    for (uint64_t index = 0; index < N_DEPLOYMENTS; index++) {
        g.state = (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
        taskfit_strbuf_reset(&text);
        write_deployment(&g);
        taskfit_deployment *deployment = parse_deployment("%s", text.data);
        taskfit_settings settings;
        taskfit_settings_init(&settings);
        taskfit_plan *plan = NULL;
        taskfit_error err = {.status = TASKFIT_OK};
        if (taskfit_size(deployment, &settings, &plan, &err) != TASKFIT_OK) {
            fail_msg("%s\n%s", err.message, text.data);
        }
        for (size_t rung = 0; rung < plan->n_ladder && plan->ladder[rung].rung <= TASKFIT_RUNG_SPREAD; rung++) {
            compare_rung(deployment, &plan->ladder[rung], text.data);
            n_infeasible += plan->ladder[rung].instances < 0;
            if (index < N_THROUGH_MODEL) {
                compare_model(deployment, &plan->ladder[rung], text.data);
            }
        }
        taskfit_plan_free(plan);
        taskfit_deployment_free(deployment);
    }
    for (size_t which = 0; which < N_RULES; which++) {
        if (g.drawn[which] < DRAWN_MIN) {
            fail_msg("'%s' was drawn %lld times only", rule_name[which], (long long)g.drawn[which]);
        }
    }
    assert_in_range(n_infeasible, DRAWN_MIN, N_DEPLOYMENTS);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_rule_by_trying_everything)};
    return RUN_TESTS(tests);
}
