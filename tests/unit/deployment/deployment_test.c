#include "unit.h"

#include "deployment/deployment.h"

static taskfit_deployment *parse(const char *text) {
    taskfit_deployment *deployment = NULL;
    taskfit_error err = {.status = TASKFIT_OK};
    const taskfit_status status = taskfit_deployment_parse("dir/prod.yaml", text, strlen(text), NULL, &deployment, &err);
    if (status != TASKFIT_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
    return deployment;
}

#define CLUSTER "taskfit: 1\ncluster: {instanceGroups: [{name: main, types: [r7g.2xlarge]}]}\n"

static void the_smallest_file_shows_the_defaults(void **state) {
    (void)state;
    taskfit_deployment *d = parse(CLUSTER "services: [{name: web, memory: 1Gi}]\n");
    assert_string_equal(d->name, "prod");
    assert_string_equal(d->file, "dir/prod.yaml");
    assert_string_equal(d->region, "us-east-1");
    assert_int_equal(strlen(d->sha256), 64);
    ASSERT_INT(d->n_azs, 1);
    assert_string_equal(d->azs[0], "us-east-1a");
    ASSERT_INT(d->groups[0].max_instances, 10000);
    ASSERT_INT(d->groups[0].types[0].type.memory_registered_mib, 63138);
    ASSERT_INT(d->groups[0].types[0].price_usd_micros, 428400);
    ASSERT_INT(d->n_services, 1);
    const taskfit_service *web = &d->services[0];
    ASSERT_INT(web->desired_count, 1);
    ASSERT_INT(web->n_containers, 1);
    ASSERT_INT(web->containers[0].memory_mib, 1024);
    ASSERT_INT(web->containers[0].memory_reservation_mib, -1);
    ASSERT_INT(web->n_strategies, 2);
    ASSERT_INT(web->maximum_percent, 200);
    ASSERT_INT(taskfit_policy_rung(&d->policy), TASKFIT_RUNG_ROLLING);
    ASSERT_INT(d->n_warnings, 0);
    taskfit_deployment_free(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_smallest_file_shows_the_defaults),
    };
    return RUN_TESTS(tests);
}
