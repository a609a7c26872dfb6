#include "unit.h"

#include "ladder/losses.h"
#include "problem/plan.h"
#include "parse.h"
#include "random_deployment.h"

/* Three instances of 1000 MiB. After a loss the survivors must take what fell without moving anything; equal tasks go anywhere,
 * of unequal ones the small may take the place of the large. */
static void losses_are_tried_by_ecs_own_steps(void **state) {
    (void)state;
    static const struct {
        const char *policy, *services;
        bool tried, always;
    } row[] = {
        {"{surviveLoss: instance}", "  - {name: web, memory: 300, desiredCount: 4}", true, true},
        {"{rollingDeployment: none}", "  - {name: web, memory: 300, desiredCount: 4}", false, false},
        {"{surviveLoss: none}", "  - {name: web, memory: 300, desiredCount: 4}", false, false},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        taskfit_deployment *deployment = parse_deployment(
            "taskfit: 1\n"
            "cluster:\n"
            "  instanceTypes: [{type: t, vcpu: 4, registeredMemory: 1000, architecture: arm64, usdPerHour: 1}]\n"
            "  instanceGroups: [{name: main, types: [t], min: 3}]\n"
            "policy: %s\nservices:\n%s\n",
            row[i].policy, row[i].services);
        taskfit_plan *plan = size_deployment(deployment);
        taskfit_settings settings;
        taskfit_settings_init(&settings);
        taskfit_loss_share share = {0};
        ASSERT_INT(taskfit_loss_share_of(plan, &settings, &share), row[i].tried);
        ASSERT_INT(share.n_tries > 0, row[i].tried);
        ASSERT_INT(share.n_tries > 0 && share.n_complete == share.n_tries, row[i].always);
        taskfit_plan_free(plan);
        taskfit_deployment_free(deployment);
    }
}

/* Among random plans that survive a loss there are some that ECS does not always find the place for. */
static void what_ecs_may_not_find_is_a_warning(void **state) {
    (void)state;
    taskfit_rand dice = taskfit_rand_seeded(5);
    size_t n_warned = 0;
    size_t n_plans = 0;
    for (size_t i = 0; i < 60; i++) {
        taskfit_deployment *deployment = random_deployment(&dice, "{spread: preferred, rollingDeployment: none, surviveLoss: instance}");
        taskfit_settings settings;
        taskfit_settings_init(&settings);
        taskfit_plan *plan = NULL;
        ASSERT_INT(taskfit_size(deployment, &settings, &plan, NULL), TASKFIT_OK);
        taskfit_loss_share share = {0};
        const bool tried = taskfit_loss_share_of(plan, &settings, &share);
        bool warned = false;
        for (size_t w = 0; w < plan->n_warnings; w++) {
            warned = warned || strcmp(plan->warnings[w].code, "SURVIVE001") == 0;
        }
        ASSERT_INT(warned, tried && share.n_complete < share.n_tries);
        n_warned += warned;
        n_plans += tried;
        taskfit_plan_free(plan);
        taskfit_deployment_free(deployment);
    }
    assert_in_range(n_plans, 30, 60);
    assert_in_range(n_warned, 1, 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(losses_are_tried_by_ecs_own_steps),
        cmocka_unit_test(what_ecs_may_not_find_is_a_warning),
    };
    return RUN_TESTS(tests);
}
