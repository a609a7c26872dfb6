/* Small deployments sized three times: by glpsol on models/textbook.mod, by glpsol on models/aggregated.mod with the data
 * taskfit writes, and by taskfit itself. Run from the project's folder; glpsol is the Debian package glpk-utils. */
#include "unit.h"

#include <stdlib.h>

#include "base/strbuf.h"
#include "draw.h"
#include "glpsol.h"
#include "problem/plan.h"
#include "solve/mathprog.h"
#include "taskfit/taskfit.h"

enum { N_PROBLEMS = 60, MAX_SERVICES = 12, N_HARD_MIN = N_PROBLEMS / 3 };

typedef struct small_type {
    int64_t memory_mib, vcpu, price_usd_micros;
} small_type;

typedef struct small_service {
    int64_t replicas, memory_mib, cpu_units;
    bool distinct_instance, spread_az, spread_instance;
    int64_t port;       /* 0: none */
    bool apart_from_s0; /* never on an instance with the first service */
    int64_t only_type;  /* -1: any */
} small_service;

/* One small problem: services of 1 to 4 tasks, one or two types of instance. */
typedef struct small {
    size_t n_azs, n_types, n_services;
    small_type types[2];
    bool mixed, by_cost;
    small_service services[MAX_SERVICES];
} small;

/* A third each: packing in one AZ; spread over two or three; two types, ports, conflicts, prices. */
static small draw_problem(size_t index) {
    uint64_t state = 0x9e3779b97f4a7c15u * (index + 1);
    const size_t family = index % 3;
    small problem = {.n_azs = family == 0 ? 1 : (size_t)draw(&state, 1, 3), .n_types = family == 2 ? 2 : 1};
    problem.types[0] = (small_type){.memory_mib = 1000, .vcpu = 1, .price_usd_micros = 100000};
    problem.types[1] = (small_type){.memory_mib = draw(&state, 1200, 2000), .vcpu = 2, .price_usd_micros = draw(&state, 120000, 260000)};
    problem.mixed = family == 2 && draw(&state, 0, 1) == 1;
    problem.by_cost = family == 2 && draw(&state, 0, 1) == 1;
    const int64_t n_tasks = draw(&state, 4, 12);
    for (int64_t tasks = 0; tasks < n_tasks && problem.n_services < MAX_SERVICES;) {
        int64_t replicas = family == 0 ? draw(&state, 1, 2) : draw(&state, 1, 4);
        replicas = replicas < n_tasks - tasks ? replicas : n_tasks - tasks;
        tasks += replicas;
        small_service *service = &problem.services[problem.n_services++];
        *service = (small_service){.replicas = replicas,
                                   .memory_mib = draw(&state, family == 0 ? 180 : 80, 480),
                                   .cpu_units = draw(&state, 0, 1) * draw(&state, 100, 500)};
        service->distinct_instance = draw(&state, 0, 2) == 0;
        service->spread_az = family == 1 || draw(&state, 0, 2) == 0;
        service->spread_instance = family == 1 && draw(&state, 0, 1) == 1;
        service->port = family == 2 && draw(&state, 0, 3) == 0 ? draw(&state, 8080, 8081) : 0;
        service->apart_from_s0 = family == 2 && problem.n_services > 1 && draw(&state, 0, 3) == 0;
        service->only_type = family == 2 && draw(&state, 0, 4) == 0 ? draw(&state, 0, 1) : -1;
    }
    return problem;
}

static void write_service(taskfit_strbuf *out, const small_service *service, size_t index) {
    taskfit_strbuf_printf(out, "  - {name: s%zu, desiredCount: %lld, memory: %lld, cpu: %lld, placementStrategy: [", index,
                          (long long)service->replicas, (long long)service->memory_mib, (long long)service->cpu_units);
    taskfit_strbuf_adds(out, service->spread_az ? "{type: spread, field: 'attribute:ecs.availability-zone'}, " : "");
    taskfit_strbuf_adds(out, service->spread_instance ? "{type: spread, field: instanceId}, " : "");
    taskfit_strbuf_adds(out, "{type: binpack, field: memory}], placementConstraints: [");
    taskfit_strbuf_adds(out, service->distinct_instance ? "{type: distinctInstance}, " : "");
    taskfit_strbuf_adds(out, service->apart_from_s0 ? "{type: memberOf, expression: 'not(task:group == service:s0)'}, " : "");
    if (service->only_type >= 0) {
        taskfit_strbuf_printf(out, "{type: memberOf, expression: 'attribute:ecs.instance-type == t%lld.x'}", (long long)service->only_type);
    }
    if (service->port > 0) {
        taskfit_strbuf_printf(out, "], portMappings: [{containerPort: 80, hostPort: %lld}", (long long)service->port);
    }
    taskfit_strbuf_adds(out, "]}\n");
}

static taskfit_deployment *build(const small *from) {
    TASKFIT_STRBUF(text);
    taskfit_strbuf_adds(&text, "taskfit: 1\ncluster:\n  availabilityZones: [a");
    taskfit_strbuf_printf(&text, "%s]\n  instanceTypes:\n", from->n_azs == 1 ? "" : from->n_azs == 2 ? ", b" : ", b, c");
    for (size_t t = 0; t < from->n_types; t++) {
        taskfit_strbuf_printf(&text, "    - {type: t%zu.x, vcpu: %lld, registeredMemory: %lld, architecture: x86_64, usdPerHour: 0.%06lld}\n", t,
                              (long long)from->types[t].vcpu, (long long)from->types[t].memory_mib,
                              (long long)from->types[t].price_usd_micros);
    }
    taskfit_strbuf_printf(&text, "  instanceGroups: [{name: main, types: [t0.x%s], mixed: %s}]\nservices:\n",
                          from->n_types > 1 ? ", t1.x" : "", from->mixed ? "true" : "false");
    for (size_t s = 0; s < from->n_services; s++) {
        write_service(&text, &from->services[s], s);
    }
    taskfit_strbuf_printf(&text, "policy: {rollingDeployment: none, objective: [%s]}\n", from->by_cost ? "cost, count" : "count, cost");
    taskfit_parse_options options;
    taskfit_parse_options_init(&options);
    taskfit_deployment *deployment = NULL;
    taskfit_error err = {0};
    if (taskfit_deployment_parse("small.yaml", text.data, text.len, &options, &deployment, &err) != TASKFIT_OK) {
        fail_msg("%s: %s\n%s", err.where, err.message, text.data);
    }
    return deployment;
}

static int append(void *sink, const char *data, size_t len) {
    taskfit_strbuf_add(sink, data, len);
    return 0;
}

static void write_model(const taskfit_deployment *deployment, taskfit_model_format format, taskfit_strbuf *out) {
    taskfit_error err = {0};
    if (taskfit_model_write(deployment, format, append, out, &err) != TASKFIT_OK) {
        fail_msg("%s", err.message);
    }
}

static const char textbook_model[] = "--cuts -m models/textbook.mod -d";
static const char aggregated_model[] = "--cuts -m models/aggregated.mod -d";

/* The same problem as data of the textbook model: one type, no ports and no conflicts. */
static void textbook_data(const small *problem, int64_t instances_max, taskfit_strbuf *out) {
    taskfit_strbuf_printf(out, "data;\nset RESOURCES := memory cpu;\nparam capacity := memory %lld cpu %lld;\n",
                          (long long)problem->types[0].memory_mib, (long long)problem->types[0].vcpu * 1024);
    taskfit_strbuf_printf(out, "param zones := %zu;\nparam instances_max := %lld;\nparam : TASKS : service :=", problem->n_azs,
                          (long long)instances_max);
    for (size_t s = 0; s < problem->n_services; s++) {
        for (int64_t r = 0; r < problem->services[s].replicas; r++) {
            taskfit_strbuf_printf(out, " s%zu-%lld s%zu", s, (long long)r, s);
        }
    }
    taskfit_strbuf_adds(out, ";\nparam need :=");
    for (size_t s = 0; s < problem->n_services; s++) {
        const small_service *service = &problem->services[s];
        for (int64_t r = 0; r < service->replicas; r++) {
            taskfit_strbuf_printf(out, "\n s%zu-%lld memory %lld s%zu-%lld cpu %lld", s, (long long)r, (long long)service->memory_mib, s,
                                  (long long)r, (long long)service->cpu_units);
        }
    }
    taskfit_strbuf_adds(out, ";\nparam : distinct spread_zone spread_instance :=");
    for (size_t s = 0; s < problem->n_services; s++) {
        const small_service *service = &problem->services[s];
        taskfit_strbuf_printf(out, "\n s%zu %d %d %d", s, service->distinct_instance, service->spread_az && problem->n_azs > 1,
                              service->spread_instance);
    }
    taskfit_strbuf_adds(out, ";\nend;\n");
}

/* ---- how hard it is ---- */

static int64_t volume_bound(const small *problem) {
    const small_type *largest = &problem->types[problem->n_types - 1];
    int64_t memory = 0;
    int64_t cpu = 0;
    for (size_t s = 0; s < problem->n_services; s++) {
        memory += problem->services[s].replicas * problem->services[s].memory_mib;
        cpu += problem->services[s].replicas * problem->services[s].cpu_units;
    }
    int64_t by_memory = (memory + largest->memory_mib - 1) / largest->memory_mib;
    int64_t by_cpu = (cpu + largest->vcpu * 1024 - 1) / (largest->vcpu * 1024);
    return by_memory > by_cpu ? by_memory : by_cpu;
}

/* First fit by decreasing memory on one type, AZs aside. */
static int64_t first_fit(const small *problem) {
    size_t order[MAX_SERVICES];
    for (size_t s = 0; s < problem->n_services; s++) {
        size_t at = s;
        for (; at > 0 && problem->services[order[at - 1]].memory_mib < problem->services[s].memory_mib; at--) {
            order[at] = order[at - 1];
        }
        order[at] = s;
    }
    int64_t memory[64] = {0};
    int64_t cpu[64] = {0};
    size_t last[64] = {0}; /* service placed last, plus 1 */
    int64_t n = 0;
    for (size_t i = 0; i < problem->n_services; i++) {
        const small_service *service = &problem->services[order[i]];
        for (int64_t r = 0; r < service->replicas; r++) {
            int64_t j = 0;
            while (memory[j] + service->memory_mib > problem->types[0].memory_mib ||
                   cpu[j] + service->cpu_units > problem->types[0].vcpu * 1024 ||
                   (service->distinct_instance && last[j] == order[i] + 1)) {
                j++;
            }
            memory[j] += service->memory_mib;
            cpu[j] += service->cpu_units;
            last[j] = order[i] + 1;
            n = j + 1 > n ? j + 1 : n;
        }
    }
    return n;
}

/* ---- the comparison ---- */

static int64_t size_by_taskfit(const taskfit_deployment *deployment, const small *problem, int64_t *instances_out) {
    taskfit_settings settings;
    taskfit_settings_init(&settings);
    settings.ladder = false;
    taskfit_plan *plan = NULL;
    taskfit_error err = {0};
    if (taskfit_size(deployment, &settings, &plan, &err) != TASKFIT_OK) {
        fail_msg("%s", err.message);
    }
    const taskfit_outcome outcome = taskfit_plan_outcome(plan);
    assert_true(outcome == TASKFIT_OPTIMAL || outcome == TASKFIT_INFEASIBLE);
    *instances_out = outcome == TASKFIT_OPTIMAL ? taskfit_plan_instances(plan) : 0;
    int64_t answer = outcome == TASKFIT_OPTIMAL ? *instances_out * 1000000 : GLPSOL_INFEASIBLE;
    if (outcome == TASKFIT_OPTIMAL && problem->by_cost) {
        answer = plan->cost_usd_micros;
    }
    taskfit_plan_free(plan);
    return answer;
}

static void three_ways_agree(void **state) {
    (void)state;
    size_t n_hard = 0;
    size_t n_feasible = 0;
    for (size_t index = 0; index < N_PROBLEMS; index++) {
        const small problem = draw_problem(index);
        taskfit_deployment *deployment = build(&problem);
        int64_t instances = 0;
        const int64_t answer = size_by_taskfit(deployment, &problem, &instances);
        TASKFIT_STRBUF(data);
        write_model(deployment, TASKFIT_MODEL_DATA, &data);
        const int64_t aggregated = glpsol_run(aggregated_model, data.data);
        if (aggregated != answer) {
            fail_msg("problem %zu: taskfit %lld, aggregated model %lld\n%s", index, (long long)answer, (long long)aggregated, data.data);
        }
        taskfit_mathprog_result inside = {.feasible = false};
        assert_int_equal(taskfit_mathprog_solve(taskfit_aggregated_model, data.data, &inside, NULL), TASKFIT_OK);
        assert_int_equal(inside.feasible, answer != GLPSOL_INFEASIBLE);
        if (inside.feasible) {
            ASSERT_INT(inside.objective_micros, answer);
        }
        n_feasible += answer != GLPSOL_INFEASIBLE;
        if (problem.n_types == 1 && answer != GLPSOL_INFEASIBLE) {
            taskfit_strbuf_reset(&data);
            textbook_data(&problem, instances + 1, &data);
            const int64_t textbook = glpsol_run(textbook_model, data.data);
            if (textbook != answer) {
                fail_msg("problem %zu: taskfit %lld, textbook model %lld\n%s", index, (long long)answer, (long long)textbook, data.data);
            }
        }
        n_hard += answer != GLPSOL_INFEASIBLE && (volume_bound(&problem) < instances || (problem.n_types == 1 && first_fit(&problem) > instances));
        taskfit_deployment_free(deployment);
    }
    print_message("%zu of %d problems can be solved, %zu are hard\n", n_feasible, (int)N_PROBLEMS, n_hard);
    assert_true(n_hard >= N_HARD_MIN);
    assert_true(n_feasible >= N_PROBLEMS / 2);
}

/* The optimum that stands in the first comment of a .dat */
static void data_files_have_their_optimum(void **state) {
    (void)state;
    static const struct {
        const char *model, *data;
    } row[] = {{textbook_model, "models/textbook.dat"}, {aggregated_model, "models/aggregated.dat"},
               {"-m models/master.mod -d", "models/master.dat"}, {"-m models/pricing.mod -d", "models/pricing.dat"},
               {"-m models/fleet.mod -d", "models/fleet.dat"},
               {"-m models/moves.mod -d", "models/moves.dat"}};
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        static char text[10000];
        FILE *file = fopen(row[r].data, "r");
        assert_non_null(file);
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        assert_int_equal(fclose(file), 0);
        const char *stated = strstr(text, "Optimum: ");
        assert_non_null(stated);
        ASSERT_INT(glpsol_run(row[r].model, text), strtol(stated + 9, NULL, 10) * 1000000);
    }
}

static void programs_for_other_solvers(void **state) {
    (void)state;
    const small problem = draw_problem(0);
    taskfit_deployment *deployment = build(&problem);
    TASKFIT_STRBUF(data);
    TASKFIT_STRBUF(lp);
    TASKFIT_STRBUF(mps);
    write_model(deployment, TASKFIT_MODEL_DATA, &data);
    write_model(deployment, TASKFIT_MODEL_LP, &lp);
    write_model(deployment, TASKFIT_MODEL_MPS, &mps);
    const int64_t expected = glpsol_run(aggregated_model, data.data);
    ASSERT_INT(glpsol_run("--cuts --lp", lp.data), expected);
    ASSERT_INT(glpsol_run("--cuts --freemps", mps.data), expected);
    taskfit_deployment_free(deployment);
}

static void a_model_glpk_refuses_is_an_error(void **state) {
    (void)state;
    taskfit_mathprog_result result;
    taskfit_error err = {0};
    assert_int_equal(taskfit_mathprog_solve("param n;\ncheck n > 2;\nend;\n", "data;\nparam n := 1;\nend;\n", &result, &err), TASKFIT_E_INTERNAL);
    assert_non_null(strstr(err.message, "GLPK did not accept the model"));
    assert_int_equal(taskfit_mathprog_solve("var x, integer, >= 0;\nminimize z: x;\ns.t. a: x >= 2;\ns.t. b: 2 * x <= 3;\nend;\n", "data;\nend;\n", &result, NULL), TASKFIT_OK);
    assert_false(result.feasible);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_ways_agree),
        cmocka_unit_test(data_files_have_their_optimum),
        cmocka_unit_test(programs_for_other_solvers),
        cmocka_unit_test(a_model_glpk_refuses_is_an_error),
    };
    return RUN_TESTS(tests);
}
