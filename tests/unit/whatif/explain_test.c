#include "unit.h"

#include "base/strbuf.h"
#include "parse.h"
#include "whatif/explanation.h"

/* Two AZs, instances of 1000 MiB: four web of 300 and two job of 250 stand on two of them, 850 on each. */
static const char shop[] = "taskfit: 1\n"
                           "cluster:\n"
                           "  availabilityZones: [a, b]\n"
                           "  instanceTypes: [{type: t, vcpu: 1, registeredMemory: 1000, architecture: arm64, usdPerHour: 1}]\n"
                           "  instanceGroups: [{name: main, types: [t]}]\n"
                           "policy: {rollingDeployment: none}\n"
                           "services:\n"
                           "  - {name: web, memory: 300, cpu: 100, desiredCount: 4}\n"
                           "  - {name: job, memory: 250, desiredCount: 2, placementConstraints: [{type: distinctInstance}]}\n"
                           "  - {name: tiny, memory: 10, desiredCount: 0}\n";

typedef struct told {
    taskfit_deployment *deployment;
    taskfit_plan *plan;
    taskfit_explanation *explanation;
} told;

static told explain(const char *subject) {
    told t = {.deployment = parse_deployment("%s", shop)};
    taskfit_settings settings;
    taskfit_settings_init(&settings);
    taskfit_error err = {0};
    ASSERT_INT(taskfit_size(t.deployment, &settings, &t.plan, &err), TASKFIT_OK);
    ASSERT_INT(taskfit_plan_instances(t.plan), 2);
    if (taskfit_explain(t.plan, subject, &settings, &t.explanation, &err) != TASKFIT_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
    return t;
}

static void forget(told *t) {
    taskfit_explanation_free(t->explanation);
    taskfit_plan_free(t->plan);
    taskfit_deployment_free(t->deployment);
}

static void a_plan_says_what_binds_and_how_far_it_grows(void **state) {
    (void)state;
    told t = explain(NULL);
    const taskfit_explanation *e = t.explanation;
    ASSERT_INT(e->subject, TASKFIT_SUBJECT_PLAN);
    assert_string_equal(e->causes[0].resource, "memory"); /* 1700 in all, one holds 1000 */
    ASSERT_INT(t.plan->ladder[1].rung, TASKFIT_RUNG_SPREAD);
    assert_null(e->causes[1].resource); /* two instances as well */
    ASSERT_INT(e->growth[0].fits_permille, 1000); /* 5 web and 3 job need 2250 */
    ASSERT_INT(e->growth[0].fails_permille, 1001);
    /* times 1.176: 353 and 294, 1000 on each; times 1.177: 354 and 295, 1003 */
    ASSERT_INT(e->growth[1].fits_permille, 1176);
    ASSERT_INT(e->growth[1].fails_permille, 1177);
    forget(&t);
}

static void a_service_says_where_it_stands_and_could(void **state) {
    (void)state;
    static const struct {
        const char *service;
        taskfit_obstacle obstacle; /* on both */
        int64_t more_on_each;
    } row[] = {{"web", TASKFIT_OBSTACLE_MEMORY, 0}, {"job", TASKFIT_OBSTACLE_MEMORY, 0}, {"tiny", TASKFIT_OBSTACLE_NONE, 15}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        told t = explain(row[i].service);
        ASSERT_INT(t.explanation->subject, TASKFIT_SUBJECT_SERVICE);
        for (size_t m = 0; m < 2; m++) {
            ASSERT_INT(t.explanation->obstacles[m], row[i].obstacle);
            ASSERT_INT(t.explanation->more_on[m], row[i].more_on_each);
        }
        ASSERT_INT(t.explanation->n_more, 2 * row[i].more_on_each);
        forget(&t);
    }
}

static void an_instance_says_what_could_come_and_what_its_loss_does(void **state) {
    (void)state;
    told t = explain("main-2");
    const taskfit_explanation *e = t.explanation;
    ASSERT_INT(e->subject, TASKFIT_SUBJECT_INSTANCE);
    ASSERT_INT(e->index, 1);
    ASSERT_INT(e->more_of[0], 0);
    ASSERT_INT(e->more_of[2], 15); /* 150 MiB are left */
    ASSERT_INT(e->loss->n_tasks, 3);
    ASSERT_INT(e->loss->n_missing_tasks, 3); /* nothing of 300 or 250 fits elsewhere */
    ASSERT_INT(e->loss->n_tries_survived, 0);
    forget(&t);
}

static int append(void *sink, const char *data, size_t len) {
    taskfit_strbuf_add(sink, data, len);
    return 0;
}

static void every_form_is_written(void **state) {
    (void)state;
    static const char *const subjects[] = {NULL, "web", "main-1"};
    static const struct {
        taskfit_plan_style style;
        const char *holds[3]; /* by subject */
    } row[] = {
        {TASKFIT_STYLE_TABLE, {"up to 17.6 % more fits; 17.7 % more needs another instance (proved)", "150 of 300 MiB of memory left",
                               "3 tasks must stand elsewhere; 0 of 1,000 re-placements"}},
        {TASKFIT_STYLE_WIDE, {"What binds each rung", "even spread over availability zones, a rule of this plan", "tiny"}},
        {TASKFIT_STYLE_JSON, {"\"failsAtFactor\":\t1.177", "\"obstacle\":\t\"memory\"", "\"missingTasks\":\t3"}},
        {TASKFIT_STYLE_YAML, {"schema: taskfit.explanation/1", "moreFit: 0", "freeMemoryMiB: 150"}},
        {TASKFIT_STYLE_CSV, {"packing,2,memory,", "main-1,2,0,memory", "tiny,15,0,"}},
    };
    for (size_t s = 0; s < 3; s++) {
        told t = explain(subjects[s]);
        for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
            TASKFIT_STRBUF(text);
            ASSERT_INT(taskfit_explanation_write(t.explanation, row[i].style, false, append, &text, NULL), TASKFIT_OK);
            if (strstr(text.data, row[i].holds[s]) == NULL) {
                fail_msg("'%s' is not in:\n%s", row[i].holds[s], text.data);
            }
        }
        forget(&t);
    }
}

static void unknown_subjects_are_refused(void **state) {
    (void)state;
    told t = explain(NULL);
    taskfit_settings settings;
    taskfit_settings_init(&settings);
    static const struct {
        const char *subject, *message;
    } row[] = {{"wbe", "there is no service or instance 'wbe' (did you mean 'web'?)"}, {"main-3", "there is no service or instance 'main-3' (did you mean 'main-1'?)"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        taskfit_error err = {0};
        taskfit_explanation *none = NULL;
        ASSERT_INT(taskfit_explain(t.plan, row[i].subject, &settings, &none, &err), TASKFIT_E_ARGUMENT);
        assert_null(none);
        assert_string_equal(err.message, row[i].message);
    }
    forget(&t);
}

/* What a rung's variant asks for is what the ladder of the deployment itself says. */
static void variants_of_rungs_agree_with_the_ladder(void **state) {
    (void)state;
    static const char *const policies[] = {
        "{}",
        "{rollingDeployment: none}",
        "{spread: preferred, rollingDeployment: none}",
        "{spread: preferred, surviveLoss: instance}",
        "{headroom: {memoryPercent: 10}, antiAffinity: [[web, job]]}",
        "{headroom: {memoryPercent: 10}, rollingDeployment: allServices, surviveLoss: availabilityZone}",
    };
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        const char *mark = strstr(shop, "{rollingDeployment: none}");
        taskfit_deployment *deployment = parse_deployment("%.*s%s%s", (int)(mark - shop), shop, policies[i], strchr(mark, '\n'));
        taskfit_settings settings;
        taskfit_settings_init(&settings);
        taskfit_plan *plan = NULL;
        ASSERT_INT(taskfit_size(deployment, &settings, &plan, NULL), TASKFIT_OK);
        for (size_t r = 0; r < plan->n_ladder; r++) {
            taskfit_arena *arena = taskfit_arena_new();
            taskfit_plan *variant = size_deployment(taskfit_variant_of_rung(deployment, plan->ladder[r].rung, arena));
            ASSERT_INT(variant->rung, plan->ladder[r].rung);
            ASSERT_INT(variant->instances, plan->ladder[r].instances);
            taskfit_plan_free(variant);
            taskfit_arena_free(arena);
        }
        taskfit_plan_free(plan);
        taskfit_deployment_free(deployment);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_says_what_binds_and_how_far_it_grows),
        cmocka_unit_test(a_service_says_where_it_stands_and_could),
        cmocka_unit_test(an_instance_says_what_could_come_and_what_its_loss_does),
        cmocka_unit_test(every_form_is_written),
        cmocka_unit_test(unknown_subjects_are_refused),
        cmocka_unit_test(variants_of_rungs_agree_with_the_ladder),
    };
    return RUN_TESTS(tests);
}
