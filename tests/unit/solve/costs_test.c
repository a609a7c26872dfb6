/* Random small mixes of instance types sized by taskfit, and the same program, as taskfit writes it, solved by cbc and by glpsol (Debian
 * packages coinor-cbc and glpk-utils): the cheapest fleet costs the same. Run from the project's folder. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/rand.h"
#include "base/strbuf.h"
#include "glpsol.h"
#include "problem/plan.h"
#include "taskfit/taskfit.h"

enum { N_MIXES = 120, EVERY_BY_GLPSOL = 6, N_TYPES = 3, N_FEASIBLE_MIN = N_MIXES / 2, N_MIXED_MIN = N_MIXES / 8 };

static int64_t draw(taskfit_rand *dice, int64_t low, int64_t high) {
    return low + (int64_t)taskfit_rand_below(dice, (size_t)(high - low + 1));
}

/* One to three groups: some mix their types, some types are in stock only, the last group may be owned instances that cost nothing. */
static void write_groups(taskfit_strbuf *out, taskfit_rand *dice) {
    const int64_t n_groups = draw(dice, 1, 3);
    taskfit_strbuf_adds(out, "  instanceGroups:\n");
    for (int64_t g = 0; g < n_groups; g++) {
        const bool owned = g > 0 && g + 1 == n_groups && draw(dice, 0, 1) == 0;
        const int64_t first = draw(dice, 0, N_TYPES - 1);
        const int64_t n_types = owned ? 1 : draw(dice, 1, N_TYPES);
        taskfit_strbuf_printf(out, "    - {name: g%lld, mixed: %s, min: %d, max: %lld, types: [", (long long)g,
                              draw(dice, 0, 2) > 0 ? "true" : "false", draw(dice, 0, 5) == 0 ? 1 : 0, (long long)draw(dice, 2, 3));
        for (int64_t t = 0; t < n_types; t++) {
            const char *comma = t > 0 ? ", " : "";
            if (owned || draw(dice, 0, 3) == 0) {
                taskfit_strbuf_printf(out, "%s{type: t%lld.x, max: %lld}", comma, (long long)((first + t) % N_TYPES), (long long)draw(dice, 1, 2));
            } else {
                taskfit_strbuf_printf(out, "%st%lld.x", comma, (long long)((first + t) % N_TYPES));
            }
        }
        taskfit_strbuf_printf(out, "]%s}\n", owned ? ", purchase: {usdPerHour: 0}" : "");
    }
}

static void write_services(taskfit_strbuf *out, taskfit_rand *dice) {
    taskfit_strbuf_adds(out, "services:\n");
    for (int64_t s = 0, n = draw(dice, 3, 5); s < n; s++) {
        taskfit_strbuf_printf(out, "  - {name: s%lld, desiredCount: %lld, memory: %lld, cpu: %lld, placementStrategy: [%s{type: binpack, field: memory}], placementConstraints: [%s]}\n",
                              (long long)s, (long long)draw(dice, 1, 3), (long long)draw(dice, 80, 480), (long long)(draw(dice, 0, 1) * draw(dice, 100, 700)),
                              draw(dice, 0, 1) == 0 ? "{type: spread, field: 'attribute:ecs.availability-zone'}, " : "",
                              draw(dice, 0, 2) == 0 ? "{type: distinctInstance}" : "");
    }
}

static taskfit_deployment *random_mix(uint64_t seed, taskfit_strbuf *text) {
    taskfit_rand dice = taskfit_rand_seeded(seed);
    static const char *const azs[] = {"a", "a, b", "a, b, c"};
    taskfit_strbuf_printf(text, "taskfit: 1\ncluster:\n  availabilityZones: [%s]\n  instanceTypes:\n", azs[draw(&dice, 0, 2)]);
    for (int64_t t = 0; t < N_TYPES; t++) {
        taskfit_strbuf_printf(text, "    - {type: t%lld.x, vcpu: %lld, registeredMemory: %lld, architecture: x86_64, usdPerHour: 0.%04lld}\n",
                              (long long)t, (long long)draw(&dice, 1, 2), (long long)draw(&dice, 500 * (t + 1), 700 * (t + 1)),
                              (long long)draw(&dice, 450 * (t + 1), 650 * (t + 1)));
    }
    write_groups(text, &dice);
    write_services(text, &dice);
    taskfit_strbuf_adds(text, "policy: {rollingDeployment: none, objective: [cost, count]}\n");
    taskfit_parse_options options;
    taskfit_parse_options_init(&options);
    taskfit_deployment *deployment = NULL;
    taskfit_error err = {0};
    if (taskfit_deployment_parse("mix.yaml", text->data, text->len, &options, &deployment, &err) != TASKFIT_OK) {
        fail_msg("%s: %s\n%s", err.where, err.message, text->data);
    }
    return deployment;
}

static int append(void *sink, const char *data, size_t len) {
    taskfit_strbuf_add(sink, data, len);
    return 0;
}

/* The optimum in millionths, from the first line of cbc's solution. */
static int64_t cbc_run(const char *text) {
    char path[] = "/tmp/taskfit-cbc-XXXXXX";
    const int descriptor = mkstemp(path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    char command[512];
    snprintf(command, sizeof command, "mv %s %s.lp; cbc %s.lp sec 60 ratioGap 0 allowableGap 0 solve solution %s.out >/dev/null 2>&1; cat %s.out; rm -f %s.lp %s.out", path,
             path, path, path, path, path, path);
    FILE *output = popen(command, "r");
    assert_non_null(output);
    char line[256];
    assert_non_null(fgets(line, sizeof line, output));
    while (fgetc(output) != EOF) {
    }
    (void)pclose(output);
    const char *value = strstr(line, "objective value");
    const bool infeasible = strncmp(line, "Infeasible", 10) == 0 || strncmp(line, "Integer infeasible", 18) == 0;
    if (!infeasible && (strncmp(line, "Optimal", 7) != 0 || value == NULL)) {
        fail_msg("cbc says: %s\n%s", line, text);
    }
    return infeasible || value == NULL ? GLPSOL_INFEASIBLE : llround(strtod(value + strlen("objective value"), NULL) * 1000000);
}

/* The cost in micro-dollars; counts the fleets that mix types. */
static int64_t size_by_taskfit(const taskfit_deployment *deployment, const char *text, size_t *n_mixed) {
    taskfit_settings settings;
    taskfit_settings_init(&settings);
    settings.ladder = false;
    taskfit_plan *plan = NULL;
    taskfit_error err = {0};
    if (taskfit_size(deployment, &settings, &plan, &err) != TASKFIT_OK) {
        fail_msg("%s\n%s", err.message, text);
    }
    const taskfit_outcome outcome = taskfit_plan_outcome(plan);
    if (outcome != TASKFIT_OPTIMAL && outcome != TASKFIT_INFEASIBLE) {
        fail_msg("outcome %d\n%s", (int)outcome, text);
    }
    const int64_t cost = outcome == TASKFIT_OPTIMAL ? plan->cost_usd_micros : GLPSOL_INFEASIBLE;
    for (size_t i = 1; outcome == TASKFIT_OPTIMAL && i < plan->fleet->n_machines; i++) {
        if (plan->fleet->machines[i].type != plan->fleet->machines[0].type || plan->fleet->machines[i].group != plan->fleet->machines[0].group) {
            ++*n_mixed;
            break;
        }
    }
    taskfit_plan_free(plan);
    return cost;
}

static void others_agree(void **state) {
    (void)state;
    size_t n_feasible = 0;
    size_t n_mixed = 0;
    for (uint64_t seed = 1; seed <= N_MIXES; seed++) {
        TASKFIT_STRBUF(text);
        TASKFIT_STRBUF(program);
        taskfit_deployment *deployment = random_mix(seed, &text);
        const int64_t cost = size_by_taskfit(deployment, text.data, &n_mixed);
        taskfit_error err = {0};
        if (taskfit_model_write(deployment, TASKFIT_MODEL_LP, append, &program, &err) != TASKFIT_OK) {
            fail_msg("%s\n%s", err.message, text.data);
        }
        const int64_t by_cbc = cbc_run(program.data);
        const int64_t by_glpsol = seed % EVERY_BY_GLPSOL == 0 ? glpsol_run("--cuts --lp", program.data) : by_cbc;
        if (by_cbc != cost || by_glpsol != cost) {
            fail_msg("seed %d: %lld by taskfit, %lld by cbc, %lld by glpsol\n%s", (int)seed, (long long)cost, (long long)by_cbc,
                     (long long)by_glpsol, text.data);
        }
        n_feasible += cost != GLPSOL_INFEASIBLE;
        taskfit_deployment_free(deployment);
    }
    print_message("%zu of %d mixes hold the tasks, %zu with several types or groups\n", n_feasible, (int)N_MIXES, n_mixed);
    assert_true(n_feasible >= N_FEASIBLE_MIN);
    assert_true(n_mixed >= N_MIXED_MIN);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(others_agree)};
    return RUN_TESTS(tests);
}
