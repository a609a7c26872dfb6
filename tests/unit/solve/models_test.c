/* Small problems solved three times: by glpsol on models/textbook.mod, by glpsol on models/aggregated.mod with the data
 * taskfit writes, and by taskfit itself. Run from the project's folder; glpsol is the Debian package glpk-utils. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "problem_builder.h"
#include "solve/mathprog.h"
#include "solve/model.h"
#include "solve/solve.h"

enum { N_PROBLEMS = 60, MAX_SERVICES = 12, N_HARD_MIN = N_PROBLEMS / 3, INFEASIBLE = -1 };

/* One small problem: services of 1 to 3 tasks, one or two types of instance. */
typedef struct small {
    size_t n_azs, n_types, n_services;
    builder_type types[2];
    bool mixed, by_cost;
    builder_service services[MAX_SERVICES];
} small;

/* xorshift64*, so that the problems are the same everywhere */
static uint64_t next_random(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

static int64_t draw(uint64_t *state, int64_t low, int64_t high) {
    return low + (int64_t)(next_random(state) >> 33) % (high - low + 1);
}

/* A third each: packing in one AZ; spread over two or three; two types, ports, conflicts, prices. */
static small draw_problem(size_t index) {
    uint64_t state = 0x9e3779b97f4a7c15u * (index + 1);
    const size_t family = index % 3;
    small problem = {.n_azs = family == 0 ? 1 : (size_t)draw(&state, 1, 3), .n_types = family == 2 ? 2 : 1};
    problem.types[0] = (builder_type){.memory_mib = 1000, .cpu_units = 1024, .price_usd_micros = 100000};
    problem.types[1] = (builder_type){.memory_mib = draw(&state, 1200, 2000), .cpu_units = 2048, .price_usd_micros = draw(&state, 120000, 260000)};
    problem.mixed = family == 2 && draw(&state, 0, 1) == 1;
    problem.by_cost = family == 2 && draw(&state, 0, 1) == 1;
    const int64_t n_tasks = draw(&state, 4, 12);
    for (int64_t tasks = 0; tasks < n_tasks && problem.n_services < MAX_SERVICES;) {
        int64_t replicas = family == 0 ? draw(&state, 1, 2) : draw(&state, 1, 4);
        replicas = replicas < n_tasks - tasks ? replicas : n_tasks - tasks;
        tasks += replicas;
        builder_service *service = &problem.services[problem.n_services++];
        *service = (builder_service){.replicas = replicas,
                                     .memory_mib = draw(&state, family == 0 ? 180 : 80, 480),
                                     .cpu_units = draw(&state, 0, 1) * draw(&state, 100, 500)};
        service->distinct_instance = draw(&state, 0, 2) == 0;
        service->spread_az = family == 1 || draw(&state, 0, 2) == 0;
        service->spread_instance = family == 1 && draw(&state, 0, 1) == 1;
        service->ports = family == 2 && draw(&state, 0, 3) == 0 ? (uint64_t)draw(&state, 1, 2) : 0;
        service->conflicts = family == 2 && problem.n_services > 1 && draw(&state, 0, 3) == 0 ? 1 : 0;
        service->types = family == 2 && draw(&state, 0, 4) == 0 ? (uint64_t)draw(&state, 1, 2) : 0;
    }
    return problem;
}

static problem_builder *build(const small *from) {
    problem_builder *b = problem_builder_new(from->n_azs);
    builder_group group = {.mixed = from->mixed, .n_types = from->n_types};
    memcpy(group.types, from->types, from->n_types * sizeof *from->types);
    problem_builder_group(b, &group);
    for (size_t s = 0; s < from->n_services; s++) {
        problem_builder_service(b, &from->services[s]);
    }
    if (from->by_cost) {
        problem_builder_objective(b, (const taskfit_goal[]){TASKFIT_GOAL_COST, TASKFIT_GOAL_COUNT}, 2);
    }
    return b;
}

/* ---- glpsol ---- */

/* Runs the real program on a text: `options` stand in front of its file. The objective in millionths. */
static int64_t run_glpsol(const char *options, const char *text) {
    char path[] = "/tmp/taskfit-model-XXXXXX";
    int descriptor = mkstemp(path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (!file) {
        fail_msg("no temporary file");
        return 0;
    }
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    char line[256];
    snprintf(line, sizeof line, "glpsol --tmlim 120 --cuts -o /dev/stdout %s %s 2>&1", options, path);
    FILE *output = popen(line, "r");
    assert_non_null(output);
    double objective = 0;
    bool solved = false;
    bool infeasible = false;
    while (fgets(line, sizeof line, output)) {
        solved = solved || strstr(line, "INTEGER OPTIMAL SOLUTION FOUND");
        infeasible = infeasible || strstr(line, "HAS NO PRIMAL FEASIBLE") || strstr(line, "HAS NO INTEGER FEASIBLE");
        const char *equals = strncmp(line, "Objective:", 10) == 0 ? strchr(line, '=') : NULL;
        objective = equals ? strtod(equals + 1, NULL) : objective;
    }
    (void)pclose(output);
    unlink(path);
    if (!solved && !infeasible) {
        fail_msg("glpsol %s did not solve\n%s", options, text);
    }
    return infeasible ? INFEASIBLE : llround(objective * 1000000);
}

static const char textbook_model[] = "-m models/textbook.mod -d";
static const char aggregated_model[] = "-m models/aggregated.mod -d";

/* The same problem as data of the textbook model: one type, no ports and no conflicts. */
static void textbook_data(const small *problem, int64_t instances_max, taskfit_strbuf *out) {
    taskfit_strbuf_printf(out, "data;\nset RESOURCES := memory cpu;\nparam capacity := memory %lld cpu %lld;\n",
                          (long long)problem->types[0].memory_mib, (long long)problem->types[0].cpu_units);
    taskfit_strbuf_printf(out, "param zones := %zu;\nparam instances_max := %lld;\nparam : TASKS : service :=", problem->n_azs,
                          (long long)instances_max);
    for (size_t s = 0; s < problem->n_services; s++) {
        for (int64_t r = 0; r < problem->services[s].replicas; r++) {
            taskfit_strbuf_printf(out, " s%zu-%lld s%zu", s, (long long)r, s);
        }
    }
    taskfit_strbuf_adds(out, ";\nparam need :=");
    for (size_t s = 0; s < problem->n_services; s++) {
        const builder_service *service = &problem->services[s];
        for (int64_t r = 0; r < service->replicas; r++) {
            taskfit_strbuf_printf(out, "\n s%zu-%lld memory %lld s%zu-%lld cpu %lld", s, (long long)r, (long long)service->memory_mib, s,
                                  (long long)r, (long long)service->cpu_units);
        }
    }
    taskfit_strbuf_adds(out, ";\nparam : distinct spread_zone spread_instance :=");
    for (size_t s = 0; s < problem->n_services; s++) {
        const builder_service *service = &problem->services[s];
        taskfit_strbuf_printf(out, "\n s%zu %d %d %d", s, service->distinct_instance, service->spread_az && problem->n_azs > 1,
                              service->spread_instance);
    }
    taskfit_strbuf_adds(out, ";\nend;\n");
}

/* ---- how hard it is ---- */

static int64_t volume_bound(const small *problem) {
    const builder_type *largest = &problem->types[problem->n_types - 1];
    int64_t memory = 0;
    int64_t cpu = 0;
    for (size_t s = 0; s < problem->n_services; s++) {
        memory += problem->services[s].replicas * problem->services[s].memory_mib;
        cpu += problem->services[s].replicas * problem->services[s].cpu_units;
    }
    int64_t by_memory = (memory + largest->memory_mib - 1) / largest->memory_mib;
    int64_t by_cpu = (cpu + largest->cpu_units - 1) / largest->cpu_units;
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
        const builder_service *service = &problem->services[order[i]];
        for (int64_t r = 0; r < service->replicas; r++) {
            int64_t j = 0;
            while (memory[j] + service->memory_mib > problem->types[0].memory_mib ||
                   cpu[j] + service->cpu_units > problem->types[0].cpu_units ||
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

static int64_t solve_by_taskfit(const taskfit_problem *problem, bool by_cost, int64_t *instances_out) {
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_solve_result result;
    const taskfit_settings settings = {.time_limit_ms = 120000, .seed = 1};
    taskfit_error err = {0};
    if (taskfit_solve(problem, &settings, 0, NULL, arena, &result, &err) != TASKFIT_OK) {
        fail_msg("%s", err.message);
    }
    assert_true(result.outcome == TASKFIT_OPTIMAL || result.outcome == TASKFIT_INFEASIBLE);
    int64_t answer = INFEASIBLE;
    *instances_out = 0;
    if (result.outcome == TASKFIT_OPTIMAL) {
        *instances_out = (int64_t)result.fleet->n_machines;
        answer = by_cost ? result.cost_usd_micros : *instances_out * 1000000;
    }
    taskfit_arena_free(arena);
    return answer;
}

static void three_ways_agree(void **state) {
    (void)state;
    size_t n_hard = 0;
    size_t n_feasible = 0;
    for (size_t index = 0; index < N_PROBLEMS; index++) {
        const small problem = draw_problem(index);
        problem_builder *b = build(&problem);
        const taskfit_problem *built = problem_builder_finish(b);
        int64_t instances = 0;
        const int64_t answer = solve_by_taskfit(built, problem.by_cost, &instances);
        TASKFIT_STRBUF(data);
        assert_int_equal(taskfit_model_data(built, &data, NULL), TASKFIT_OK);
        const int64_t aggregated = run_glpsol(aggregated_model, data.data);
        if (aggregated != answer) {
            fail_msg("problem %zu: taskfit %lld, aggregated model %lld\n%s", index, (long long)answer, (long long)aggregated, data.data);
        }
        taskfit_mathprog_result inside = {.feasible = false};
        assert_int_equal(taskfit_mathprog_solve(taskfit_aggregated_model, data.data, &inside, NULL), TASKFIT_OK);
        assert_int_equal(inside.feasible, answer != INFEASIBLE);
        if (inside.feasible) {
            ASSERT_INT(inside.objective_micros, answer);
        }
        n_feasible += answer != INFEASIBLE;
        if (problem.n_types == 1 && answer != INFEASIBLE) {
            taskfit_strbuf_reset(&data);
            textbook_data(&problem, instances + 1, &data);
            const int64_t textbook = run_glpsol(textbook_model, data.data);
            if (textbook != answer) {
                fail_msg("problem %zu: taskfit %lld, textbook model %lld\n%s", index, (long long)answer, (long long)textbook, data.data);
            }
        }
        n_hard += answer != INFEASIBLE && (volume_bound(&problem) < instances || (problem.n_types == 1 && first_fit(&problem) > instances));
        problem_builder_free(b);
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
    } row[] = {{textbook_model, "models/textbook.dat"}, {aggregated_model, "models/aggregated.dat"}};
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        static char text[10000];
        FILE *file = fopen(row[r].data, "r");
        assert_non_null(file);
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        assert_int_equal(fclose(file), 0);
        const char *stated = strstr(text, "Optimum: ");
        assert_non_null(stated);
        ASSERT_INT(run_glpsol(row[r].model, text), strtol(stated + 9, NULL, 10) * 1000000);
    }
}

static void programs_for_other_solvers(void **state) {
    (void)state;
    const small problem = draw_problem(0);
    problem_builder *b = build(&problem);
    TASKFIT_STRBUF(data);
    assert_int_equal(taskfit_model_data(problem_builder_finish(b), &data, NULL), TASKFIT_OK);
    TASKFIT_STRBUF(lp);
    TASKFIT_STRBUF(mps);
    assert_int_equal(taskfit_mathprog_write(taskfit_aggregated_model, data.data, TASKFIT_MATHPROG_LP, &lp, NULL), TASKFIT_OK);
    assert_int_equal(taskfit_mathprog_write(taskfit_aggregated_model, data.data, TASKFIT_MATHPROG_MPS, &mps, NULL), TASKFIT_OK);
    const int64_t expected = run_glpsol(aggregated_model, data.data);
    ASSERT_INT(run_glpsol("--lp", lp.data), expected);
    ASSERT_INT(run_glpsol("--freemps", mps.data), expected);
    problem_builder_free(b);
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
