#include "unit.h"

#include "base/rand.h"
#include "base/strbuf.h"
#include "parse.h"
#include "whatif/fitting.h"

static taskfit_fitting *fit(const taskfit_deployment *deployment, const char *instances) {
    taskfit_settings settings;
    taskfit_settings_init(&settings);
    taskfit_error err = {0};
    taskfit_fitting *fitting = NULL;
    if (taskfit_fit(deployment, instances, &settings, &fitting, &err) != TASKFIT_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
    return fitting;
}

/* The clash does not fit, and does without any one of its services: asked again, with sizes of the solver's own choice. */
static void assert_minimal(const taskfit_fitting *fitting, int64_t n_instances) {
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_deployment *deployment = fitting->deployment;
    bool *left_out = TASKFIT_ARRAY(arena, deployment->n_services, bool);
    assert_true(fitting->clash_minimal);
    for (size_t without = 0; without <= deployment->n_services; without++) { /* the last: the whole clash */
        if (without < deployment->n_services && !fitting->clash[without]) {
            continue;
        }
        for (size_t s = 0; s < deployment->n_services; s++) {
            left_out[s] = !fitting->clash[s] || s == without;
        }
        taskfit_deployment rest = *taskfit_variant_without(deployment, left_out, arena);
        taskfit_instance_group group = rest.groups[0];
        group.min_instances = group.max_instances = n_instances;
        rest.groups = &group;
        taskfit_plan *plan = size_deployment(&rest);
        ASSERT_INT(taskfit_plan_instances(plan), without == deployment->n_services ? -1 : n_instances);
        taskfit_plan_free(plan);
    }
    taskfit_arena_free(arena);
}

static const char head[] = "taskfit: 1\n"
                           "cluster:\n"
                           "  instanceTypes: [{type: t, vcpu: 1, registeredMemory: 1000, architecture: arm64, usdPerHour: 1}]\n";

static void verdicts_by_hand(void **state) {
    (void)state;
    static const struct {
        const char *cluster, *services, *instances;
        taskfit_verdict verdict;
        size_t n_clash;
        int64_t memory_permille;
        const char *reason; /* part of it */
    } row[] = {
        /* three of 600 need three instances; at 500 two do */
        {"instanceGroups: [{name: main, types: [t]}]", "[{name: a, memory: 600}, {name: b, memory: 600}, {name: c, memory: 600}]", "2",
         TASKFIT_VERDICT_NO, 3, 833, "memory"},
        {"instanceGroups: [{name: main, types: [t]}]", "[{name: a, memory: 600}, {name: b, memory: 600}, {name: c, memory: 600}]", "3",
         TASKFIT_VERDICT_YES, 0, 0, NULL},
        /* more than it needs: some stay empty, whatever the file's max */
        {"instanceGroups: [{name: main, types: [t], max: 2}]", "[{name: a, memory: 600}]", "5", TASKFIT_VERDICT_YES, 0, 0, NULL},
        {"instanceGroups: [{name: main, types: [t]}]", "[{name: a, memory: 600}]", "0", TASKFIT_VERDICT_NO, 1, 0, ""},
        /* case 9: a task that never fits is named, with its need and the best instance's room */
        {"instanceGroups: [{name: main, types: [t]}]", "[{name: a, memory: 600}, {name: never, memory: 4096}]", "9", TASKFIT_VERDICT_NO, 1, 244,
         "a task of 'never' needs 4,096 MiB of memory; the best instance it may stand on, t, has 1,000"},
        /* the rest has nothing to do with the two that clash */
        {"instanceGroups: [{name: main, types: [t]}]",
         "[{name: x, memory: 10}, {name: a, memory: 10, portMappings: [{containerPort: 1, hostPort: 80}]}, {name: y, memory: 10},"
         " {name: b, memory: 10, portMappings: [{containerPort: 1, hostPort: 80}]}]",
         "1", TASKFIT_VERDICT_NO, 2, 0, "fixed host port"},
        /* two groups: in total, and group by group */
        {"instanceGroups: [{name: main, types: [t]}, {name: heavy, types: [t]}]",
         "[{name: a, memory: 600, group: main, desiredCount: 2}, {name: b, memory: 600, group: heavy}]", "3", TASKFIT_VERDICT_YES, 0, 0, NULL},
        {"instanceGroups: [{name: main, types: [t]}, {name: heavy, types: [t]}]",
         "[{name: a, memory: 600, group: main, desiredCount: 2}, {name: b, memory: 600, group: heavy}]", "2", TASKFIT_VERDICT_NO, 2, 833, NULL},
        {"instanceGroups: [{name: main, types: [t]}, {name: heavy, types: [t]}]",
         "[{name: a, memory: 600, group: main, desiredCount: 2}, {name: b, memory: 600, group: heavy}]", "main=2,heavy=1", TASKFIT_VERDICT_YES, 0,
         0, NULL},
        {"instanceGroups: [{name: main, types: [t]}, {name: heavy, types: [t]}]",
         "[{name: a, memory: 600, group: main, desiredCount: 2}, {name: b, memory: 600, group: heavy}]", "main=3", TASKFIT_VERDICT_NO, 1, 0, NULL},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        taskfit_deployment *deployment = parse_deployment("%s  %s\npolicy: {rollingDeployment: none, spread: preferred}\nservices: %s\n", head,
                                                          row[i].cluster, row[i].services);
        taskfit_fitting *fitting = fit(deployment, row[i].instances);
        if (taskfit_fitting_verdict(fitting) != row[i].verdict || fitting->n_clash != row[i].n_clash) {
            fail_msg("row %zu: verdict %d, clash of %zu", i, (int)fitting->verdict, fitting->n_clash);
        }
        ASSERT_INT(fitting->scalings[TASKFIT_LEVER_MEMORY].fits_permille, row[i].memory_permille);
        if (row[i].memory_permille > 0) {
            ASSERT_INT(fitting->scalings[TASKFIT_LEVER_MEMORY].fails_permille, row[i].memory_permille + 1);
        }
        if (row[i].reason != NULL && strstr(fitting->reason, row[i].reason) == NULL) {
            fail_msg("row %zu: %s, not %s", i, fitting->reason, row[i].reason);
        }
        taskfit_fitting_free(fitting);
        taskfit_deployment_free(deployment);
    }
}

/* The plan is complete in itself: it passes the verifier against its own resolved deployment. */
static int append(void *sink, const char *data, size_t len) {
    taskfit_strbuf_add(sink, data, len);
    return 0;
}

static void the_plan_verifies_when_read_again(void **state) {
    (void)state;
    taskfit_deployment *deployment = parse_deployment("%s  availabilityZones: [a, b]\n"
                                                      "  instanceGroups: [{name: main, types: [t], max: 3}]\n"
                                                      "services: [{name: a, memory: 300, desiredCount: 4}, {name: b, memory: 200, desiredCount: 2}]\n",
                                                      head);
    taskfit_fitting *fitting = fit(deployment, "4");
    ASSERT_INT(fitting->verdict, TASKFIT_VERDICT_YES);
    TASKFIT_STRBUF(text);
    ASSERT_INT(taskfit_fitting_write(fitting, TASKFIT_STYLE_JSON, false, append, &text, NULL), TASKFIT_OK);
    taskfit_parse_options options;
    taskfit_parse_options_init(&options);
    taskfit_plan *plan = NULL;
    size_t n_broken = 0;
    ASSERT_INT(taskfit_plan_read("plan.json", text.data, text.len, &options, &plan, NULL), TASKFIT_OK);
    ASSERT_INT(taskfit_plan_verify(plan, NULL, NULL, NULL, &n_broken, NULL), TASKFIT_OK);
    ASSERT_INT(n_broken, 0);
    ASSERT_INT(taskfit_plan_instances(plan), 4);
    assert_non_null(strstr(text.data, "cluster.instanceGroups.main.max=4"));
    taskfit_plan_free(plan);
    taskfit_fitting_free(fitting);
    taskfit_deployment_free(deployment);
}

/* Case 1: 3 instances hold the six services, but greedy placement finds that only in some orders. */
static void a_fleet_that_ecs_would_not_fill_is_warned_of(void **state) {
    (void)state;
    taskfit_deployment *deployment = parse_deployment(
        "taskfit: 1\n"
        "cluster:\n"
        "  instanceTypes: [{type: m5.large, registeredMemory: 7680}]\n"
        "  instanceGroups: [{name: main, types: [m5.large]}]\n"
        "policy: {rollingDeployment: none, spread: preferred}\n"
        "services: [{name: a, memory: 7000, desiredCount: 2}, {name: b, memory: 2048}, {name: c, memory: 768, desiredCount: 2},\n"
        "           {name: d, memory: 768, desiredCount: 2}, {name: e, memory: 128, desiredCount: 2}, {name: f, memory: 512}]\n");
    static const struct {
        const char *instances;
        bool ecs_agrees;
    } row[] = {{"3", false}, {"6", false}, {"7", true}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        taskfit_fitting *fitting = fit(deployment, row[i].instances);
        ASSERT_INT(fitting->verdict, TASKFIT_VERDICT_YES);
        ASSERT_INT(taskfit_fitting_ecs_agrees(fitting), row[i].ecs_agrees);
        bool warned = false;
        for (size_t w = 0; w < fitting->plan->n_warnings; w++) {
            warned = warned || strcmp(fitting->plan->warnings[w].code, "ECS005") == 0;
        }
        ASSERT_INT(warned, !row[i].ecs_agrees);
        taskfit_fitting_free(fitting);
    }
    taskfit_deployment_free(deployment);
}

static void bad_counts_are_refused(void **state) {
    (void)state;
    taskfit_deployment *deployment = parse_deployment("%s  instanceGroups: [{name: main, types: [t]}]\nservices: [{name: a, memory: 300}]\n", head);
    static const char *const bad[] = {"", "-1", "1.5", "main", "mian=1", "main=1,main=2", "main=1,", "60000"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        taskfit_settings settings;
        taskfit_settings_init(&settings);
        taskfit_fitting *fitting = NULL;
        taskfit_error err = {0};
        ASSERT_INT(taskfit_fit(deployment, bad[i], &settings, &fitting, &err), TASKFIT_E_ARGUMENT);
        assert_null(fitting);
        assert_true(err.message[0] != '\0');
    }
    taskfit_deployment_free(deployment);
}

static bool at_once(void *arg) {
    (void)arg;
    return true;
}

static void stopped_nothing_is_said_to_be_proved(void **state) {
    (void)state;
    taskfit_deployment *deployment = parse_deployment("%s  instanceGroups: [{name: main, types: [t]}]\nservices: [{name: a, memory: 300}]\n", head);
    taskfit_settings settings;
    taskfit_settings_init(&settings);
    settings.stop = at_once;
    taskfit_fitting *fitting = NULL;
    ASSERT_INT(taskfit_fit(deployment, "1", &settings, &fitting, NULL), TASKFIT_OK);
    ASSERT_INT(fitting->verdict, TASKFIT_VERDICT_UNKNOWN);
    ASSERT_INT(fitting->n_clash, 0);
    TASKFIT_STRBUF(text);
    ASSERT_INT(taskfit_fitting_write(fitting, TASKFIT_STYLE_WIDE, false, append, &text, NULL), TASKFIT_OK);
    assert_non_null(strstr(text.data, "test: no plan found on 1 instances"));
    taskfit_fitting_free(fitting);
    taskfit_deployment_free(deployment);
}

/* Random deployments: yes exactly from the proved minimum on where no spread binds, and every clash is minimal. */
static void random_verdicts_agree_with_sizing(void **state) {
    (void)state;
    taskfit_rand dice = taskfit_rand_seeded(8);
    for (size_t i = 0; i < 30; i++) {
        TASKFIT_STRBUF(services);
        const size_t n_services = 2 + taskfit_rand_below(&dice, 6);
        for (size_t s = 0; s < n_services; s++) {
            const size_t memory_mib = 50 + taskfit_rand_below(&dice, 700); /* one draw after the other: arguments have no order */
            const size_t cpu_units = taskfit_rand_below(&dice, 500);
            const size_t desired = 1 + taskfit_rand_below(&dice, 3);
            const bool distinct = taskfit_rand_below(&dice, 4) == 0;
            taskfit_strbuf_printf(&services, "  - {name: s%zu, memory: %zu, cpu: %zu, desiredCount: %zu%s}\n", s, memory_mib, cpu_units, desired,
                                  distinct ? ", placementConstraints: [{type: distinctInstance}]" : "");
        }
        taskfit_deployment *deployment = parse_deployment("%s  instanceGroups: [{name: main, types: [t]}]\n"
                                                          "policy: {rollingDeployment: none, spread: preferred}\nservices:\n%s",
                                                          head, services.data);
        taskfit_plan *plan = size_deployment(deployment);
        ASSERT_INT(taskfit_plan_outcome(plan), TASKFIT_OPTIMAL);
        const int64_t least = taskfit_plan_instances(plan);
        for (int64_t n = least - 1; n <= least + 1; n++) {
            TASKFIT_STRBUF(count);
            taskfit_strbuf_printf(&count, "%d", (int)n);
            taskfit_fitting *fitting = fit(deployment, count.data);
            ASSERT_INT(fitting->verdict, n < least ? TASKFIT_VERDICT_NO : TASKFIT_VERDICT_YES);
            if (n < least) {
                assert_minimal(fitting, n);
            }
            taskfit_fitting_free(fitting);
        }
        taskfit_plan_free(plan);
        taskfit_deployment_free(deployment);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_by_hand),
        cmocka_unit_test(the_plan_verifies_when_read_again),
        cmocka_unit_test(a_fleet_that_ecs_would_not_fill_is_warned_of),
        cmocka_unit_test(bad_counts_are_refused),
        cmocka_unit_test(stopped_nothing_is_said_to_be_proved),
        cmocka_unit_test(random_verdicts_agree_with_sizing),
    };
    return RUN_TESTS(tests);
}
