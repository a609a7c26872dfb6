#include "unit.h"

#include "parse.h"
#include "rightsize/rightsize.h"

static taskfit_deployment *deployment;

static int set_up(void **state) {
    (void)state;
    deployment = parse_deployment("%s",
                                  "{taskfit: 1, cluster: {name: shop, instanceGroups: [{name: main, types: [m6i.xlarge]}]}, services: ["
                                  "{name: mod-users, cpu: 400, memory: 2048, memoryReservation: 1024},"
                                  "{name: users, memory: 512, family: app-users},"
                                  "{name: heap, cpu: 2, memory: 1200, memoryReservation: 800, jvm: {xmx: 600m, maxMetaspace: 100m}},"
                                  "{name: share, memory: 1200, memoryReservation: 800, jvm: {maxRamPercentage: 50}},"
                                  "{name: pair, cpu: 300, memory: 600, memoryReservation: 300, sidecar: {name: proxy, cpu: 100, memory: 100}},"
                                  "{name: whole, task: {memory: 600}, containerDefinitions: [{name: a, memory: 300}]}]}");
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    taskfit_deployment_free(deployment);
    return 0;
}

static taskfit_rightsizing *rightsize(const char *text, int64_t min_samples) {
    const taskfit_metrics_file file = {"m.csv", text, strlen(text)};
    taskfit_rightsize_options options;
    taskfit_rightsize_options_init(&options);
    options.min_samples = min_samples;
    taskfit_rightsizing *rightsizing = NULL;
    taskfit_error err = {0};
    if (taskfit_rightsize(deployment, &file, 1, &options, &rightsizing, &err) != TASKFIT_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
    return rightsizing;
}

static void names_are_found_behind_prefixes_and_before_b(void **state) {
    (void)state;
    static const struct {
        const char *name;
        const char *service; /* NULL: none */
    } rows[] = {
        {"mod-users", "mod-users"},      {"mod-users-b", "mod-users"}, {"shop-mod-users", "mod-users"}, {"x/y/mod-users-b", "mod-users"},
        {"relc-cluster_users", "users"}, {"app-users", "users"},       {"other-users", "users"},        {"mod-users-c", NULL},
        {"usersb", NULL},                {"", NULL},                   {"-", NULL},                     {"-b", NULL},
    };
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_metrics *metrics = taskfit_metrics_new(deployment, arena);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const taskfit_service_metrics *found = taskfit_metrics_service(metrics, rows[i].name);
        assert_int_equal(found != NULL, rows[i].service != NULL);
        if (found) {
            assert_string_equal(found->service->name, rows[i].service);
        }
    }
    ASSERT_INT(metrics->n_unknown, 5);
    assert_null(taskfit_metrics_service(metrics, "usersb"));
    ASSERT_INT(metrics->n_unknown, 5);
    taskfit_arena_free(arena);
}

static void containers_of_docker_are_found_in_their_task(void **state) {
    (void)state;
    static const struct {
        const char *name, *service;
        size_t container;
    } rows[] = {
        {"ecs-pair-7-proxy-0aff", "pair", 1},
        {"ecs-shop-pair-b-12-pair-0aff", "pair", 0},
        {"ecs-pair-7-other-0aff", "pair", SIZE_MAX},
        {"pair", "pair", SIZE_MAX},
        {"ecs-app-users-1-users-aa", "users", 0},
        {"ecs-agent", NULL, SIZE_MAX},
        {"ecs-", NULL, SIZE_MAX},
    };
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_metrics *metrics = taskfit_metrics_new(deployment, arena);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t container = 0;
        const taskfit_service_metrics *found = taskfit_metrics_container(metrics, rows[i].name, &container);
        assert_int_equal(found != NULL, rows[i].service != NULL);
        if (found) {
            assert_string_equal(found->service->name, rows[i].service);
        }
        assert_true(container == rows[i].container);
    }
    taskfit_arena_free(arena);
}

static void numbers_are_read_as_monitoring_writes_them(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t micros; /* -1: none */
        const char *rest;
    } rows[] = {
        {"12.5", 12500000, ""},     {" 7%", 7000000, "%"},        {"1.5e2", 150000000, ""}, {"4.0E-5", 40, ""},
        {"72,000", 72000000000, ""}, {"1e99", 1000000000000000, ""}, {"0.0000001", 0, ""},     {"", -1, ""},
        {".", -1, ""},              {"-1", -1, ""},               {"e5", -1, ""},           {"3e", 3000000, "e"},
        {"99999999999999999999999", 1000000000000000, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t micros = 0;
        const char *rest = NULL;
        const bool is_number = taskfit_metrics_number(rows[i].text, &micros, &rest);
        if (is_number != (rows[i].micros >= 0) || (is_number && (micros != rows[i].micros || strcmp(rest, rows[i].rest) != 0))) {
            fail_msg("'%s' is %lld, then '%s'", rows[i].text, (long long)micros, rest);
        }
    }
}

typedef struct proposal_case {
    const char *metrics, *container;
    int64_t cpu, soft, hard; /* -1: none proposed */
} proposal_case;

static void limits_hold_what_was_observed_and_what_the_jvm_needs(void **state) {
    (void)state;
    static const proposal_case rows[] = {
        /* 72000 % of 2 units are 1440; memory in percent of the soft limit */
        {"service,cpu %,memory %\nheap,72000,110\n", "heap", 1656, 1012, 1200},
        {"service,cpu %\nheap,72000\n", "heap", 1656, -1, -1},
        {"service,memory %\nheap,1\n", "heap", -1, 700, 1200},
        /* the heap is a share of the limit: it stays */
        {"service,memory %\nshare,10\n", "share", -1, 92, 1200},
        {"service,memory %\nshare,200\n", "share", -1, 1840, 1840},
        /* percentile 95 of CPU, 99 of memory, the peak for the hard limit */
        {"ServiceName,CpuUtilized,MemoryUtilized\nmod-users,10,100\nmod-users,20,200\nmod-users,30,300\nmod-users,40,400\n", "mod-users", 46,
         460, 460},
        /* rows that sum up two tasks */
        {"ServiceName,CpuUtilized,CpuReserved,MemoryUtilized,MemoryReserved\nmod-users,200,800,1000,2048\n", "mod-users", 115, 575, 575},
        /* a task's measure is shared out as its containers reserve */
        {"service,cpu %,memory %\npair,100,100\n", "proxy", 115, 115, 115},
        {"ServiceName,ContainerName,CpuUtilized,MemoryUtilized\npair,proxy,50,20\n", "proxy", 58, 23, 23},
        {"pair-x 12.5% 64MiB / 1GiB\nshop-pair 50% 200MiB / 1GiB\n", "pair", 442, 173, 173},
        {"service,memory %\nmod-users,0\n", "mod-users", -1, 6, 6},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        taskfit_rightsizing *rightsizing = rightsize(rows[i].metrics, 1);
        const taskfit_proposal *found = NULL;
        for (size_t p = 0; p < rightsizing->n_proposals; p++) {
            if (strcmp(rightsizing->proposals[p].container->name, rows[i].container) == 0) {
                found = &rightsizing->proposals[p];
            }
        }
        if (!found) {
            fail_msg("%s: nothing is proposed", rows[i].metrics);
        } else if (found->proposed[0] != rows[i].cpu || found->proposed[1] != rows[i].soft || found->proposed[2] != rows[i].hard) {
            fail_msg("%s: %lld units, %lld and %lld MiB", rows[i].metrics, (long long)found->proposed[0], (long long)found->proposed[1],
                     (long long)found->proposed[2]);
        }
        taskfit_rightsizing_free(rightsizing);
    }
}

static void services_that_cannot_be_judged_are_left_alone(void **state) {
    (void)state;
    taskfit_rightsizing *rightsizing =
        rightsize("ServiceName,CpuUtilized\nmod-users,10\nmod-users,10\nwhole,5\nwhole,5\nwhole,5\nnobody,1\n", 3);
    ASSERT_INT(rightsizing->n_proposals, 0);
    ASSERT_INT(rightsizing->n_left_alone, 2);
    assert_string_equal(rightsizing->left_alone[0].reason, "2 samples, fewer than 3");
    assert_string_equal(rightsizing->left_alone[1].service, "whole");
    ASSERT_INT(rightsizing->n_unmeasured, 4);
    ASSERT_INT(rightsizing->metrics->n_unknown, 1);
    taskfit_rightsizing_free(rightsizing);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names_are_found_behind_prefixes_and_before_b, set_up, tear_down),
        cmocka_unit_test_setup_teardown(containers_of_docker_are_found_in_their_task, set_up, tear_down),
        cmocka_unit_test(numbers_are_read_as_monitoring_writes_them),
        cmocka_unit_test_setup_teardown(limits_hold_what_was_observed_and_what_the_jvm_needs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(services_that_cannot_be_judged_are_left_alone, set_up, tear_down),
    };
    return RUN_TESTS(tests);
}
