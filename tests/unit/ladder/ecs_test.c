/* The figure beside the ladder: what Amazon ECS's own placement needs. */

#include "unit.h"

#include "base/strbuf.h"
#include "parse.h"
#include "problem/plan.h"
#include "taskfit/taskfit.h"

/* Source: aws/containers-roadmap#105. Greedy spreading fills every instance with small tasks before the large ones come. */
static void six_services_need_more_than_they_take(void **state) {
    (void)state;
    static const struct {
        int memory_mib;
        int64_t packing, ecs, below_low, below_high;
    } row[] = {{7680, 3, 7, 950, 985}, {7820, 3, 6, 965, 995}, {7986, 3, 5, 930, 965}, {8192, 3, 5, 930, 965}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        TASKFIT_STRBUF(text);
        taskfit_strbuf_printf(&text,
                              "taskfit: 1\n"
                              "cluster:\n"
                              "  instanceTypes: [{type: m5.large, registeredMemory: %d}]\n"
                              "  instanceGroups: [{name: main, types: [m5.large]}]\n"
                              "services:\n"
                              "  - {name: large, memory: 7000, desiredCount: 2}\n"
                              "  - {name: middle, memory: 2048}\n"
                              "  - {name: small-a, memory: 768, desiredCount: 2}\n"
                              "  - {name: small-b, memory: 768, desiredCount: 2}\n"
                              "  - {name: tiny, memory: 128, desiredCount: 2}\n"
                              "  - {name: half, memory: 512}\n"
                              "policy: {spread: preferred, rollingDeployment: none}\n",
                              row[i].memory_mib);
        taskfit_deployment *deployment = parse_deployment("%s", text.data);
        taskfit_plan *plan = size_with_ladder(deployment);
        ASSERT_INT(plan->ladder[0].instances, row[i].packing);
        ASSERT_INT(plan->ecs.instances, row[i].ecs);
        ASSERT_INT(plan->ecs.orders, 1000);
        ASSERT_INT(plan->ecs.seed, 1);
        assert_in_range(plan->ecs.below_permille, row[i].below_low, row[i].below_high);
        ASSERT_INT(plan->ecs.spread_lost_permille, 0); /* there is one AZ */
        taskfit_plan_free(plan);
        taskfit_deployment_free(deployment);
    }
}

static void the_group_that_is_short_grows(void **state) {
    (void)state;
    static const char two_groups[] =
        "taskfit: 1\n"
        "cluster:\n"
        "  instanceTypes: [{type: box, vcpu: 4, registeredMemory: 1000, architecture: x86_64, usdPerHour: 0.5}]\n"
        "  instanceGroups: [{name: main, types: [box]}, {name: heavy, types: [box], max: %d}]\n"
        "services:\n"
        "  - {name: a, memory: 500, desiredCount: 4, group: main}\n"
        "  - {name: small, memory: %d, desiredCount: 2, group: heavy}\n"
        "  - {name: large, memory: 900, desiredCount: %d, group: heavy}\n"
        "policy: {spread: preferred, rollingDeployment: none}\n";
    static const struct {
        int max, small_mib, n_large;
        int64_t ecs;
    } row[] = {
        {9, 100, 2, 4}, /* a large and a small task together in every order */
        {9, 200, 1, 5}, /* two small tasks are spread over two instances: the large one wants a third */
        {2, 200, 1, 0},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        taskfit_deployment *deployment = parse_deployment(two_groups, row[i].max, row[i].small_mib, row[i].n_large);
        taskfit_plan *plan = size_with_ladder(deployment);
        ASSERT_INT(plan->instances, 4);
        ASSERT_INT(plan->ecs.instances, row[i].ecs);
        assert_true(row[i].ecs != plan->instances || plan->ecs.below_permille == -1);
        assert_false(plan_warns(plan, "ECS006"));
        taskfit_plan_free(plan);
        taskfit_deployment_free(deployment);
    }
}

static void too_much_work_is_left_undone(void **state) {
    (void)state;
    taskfit_deployment *deployment = parse_deployment("taskfit: 1\n"
                                                      "cluster: {instanceGroups: [{name: main, types: [m5.large]}]}\n"
                                                      "services: [{name: web, memory: 700, desiredCount: 3000}]\n"
                                                      "policy: {spread: preferred, rollingDeployment: none}\n");
    taskfit_plan *plan = size_with_ladder(deployment);
    ASSERT_INT(plan->instances, 300);
    ASSERT_INT(plan->ecs.orders, 0);
    assert_true(plan_warns(plan, "ECS006"));
    taskfit_plan_free(plan);
    taskfit_deployment_free(deployment);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(six_services_need_more_than_they_take),
        cmocka_unit_test(the_group_that_is_short_grows),
        cmocka_unit_test(too_much_work_is_left_undone),
    };
    return RUN_TESTS(tests);
}
