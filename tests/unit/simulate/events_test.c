#include "unit.h"

#include "base/strbuf.h"
#include "parse.h"
#include "problem/plan.h"
#include "simulate/simulation.h"

/* A deployment sized, then events on its plan. */
typedef struct run {
    taskfit_deployment *deployment;
    taskfit_plan *plan;
    taskfit_simulation *simulation;
    taskfit_error err;
} run;

static run run_events(const char *cluster, const char *services, const char *const *events, size_t n_events) {
    run r = {.deployment = parse_deployment("taskfit: 1\n"
                                            "cluster:\n"
                                            "  instanceTypes: [{type: t, vcpu: 4, registeredMemory: 1000, architecture: arm64, usdPerHour: 1}]\n"
                                            "  %s\n"
                                            "policy: {rollingDeployment: none}\n"
                                            "services:\n%s\n",
                                            cluster, services)};
    r.plan = size_deployment(r.deployment);
    taskfit_simulate_options options;
    taskfit_simulate_options_init(&options);
    options.n_orders = 50;
    options.events = events;
    options.n_events = n_events;
    const taskfit_status status = taskfit_simulate(r.plan, &options, &r.simulation, &r.err);
    ASSERT_INT(status, r.simulation != NULL ? TASKFIT_OK : TASKFIT_E_ARGUMENT);
    return r;
}

static void done(run *r) {
    taskfit_simulation_free(r->simulation);
    taskfit_plan_free(r->plan);
    taskfit_deployment_free(r->deployment);
}

/* Deployments by hand: tasks, instances, percentages; what comes of it. */
static void deployments_of_one_service(void **state) {
    (void)state;
    static const struct {
        const char *what;
        int n_instances;
        const char *service; /* its body */
        taskfit_stuck stuck;
        int64_t n_waves, largest_batch;
        bool stopped_first;
        const char *text; /* how it begins */
    } row[] = {
        /* case 15 (convox/rack#429): a fixed host port */
        {"port, 3 on 3", 3, "memory: 10, desiredCount: 3, portMappings: [{containerPort: 8080, hostPort: 8080}]", TASKFIT_STUCK_ROOM, 0, 0, false,
         "after 0 of 3 new tasks none finds a place: main-1 has the resources, but not its host port free"},
        {"port, 3 on 4", 4, "memory: 10, desiredCount: 3, portMappings: [{containerPort: 8080, hostPort: 8080}]", TASKFIT_STUCK_NOT, 3, 1, false, NULL},
        {"port, 66 %", 3,
         "memory: 10, desiredCount: 3, portMappings: [{containerPort: 8080, hostPort: 8080}], deploymentConfiguration: {minimumHealthyPercent: 66}",
         TASKFIT_STUCK_NOT, 3, 1, true, NULL},
        {"port, 67 %: ceil(2.01) = 3", 3,
         "memory: 10, desiredCount: 3, portMappings: [{containerPort: 8080, hostPort: 8080}], deploymentConfiguration: {minimumHealthyPercent: 67}",
         TASKFIT_STUCK_ROOM, 0, 0, false, "after 0 of 3 new tasks"},
        /* case 16 (GovWifi/govwifi-terraform#1011): percentages that cannot move */
        {"1 task, 100/134", 1, "memory: 10, desiredCount: 1, deploymentConfiguration: {maximumPercent: 134}", TASKFIT_STUCK_PERCENT, 0, 0, false,
         "at most floor(1 x 134 / 100) = 1 may run and at least ceil(1 x 100 / 100) = 1 must, so that none can start or stop"},
        {"1 task, 100/200", 1, "memory: 10, desiredCount: 1", TASKFIT_STUCK_NOT, 1, 1, false, NULL},
        {"1 task, 0/134", 1, "memory: 10, desiredCount: 1, deploymentConfiguration: {maximumPercent: 134, minimumHealthyPercent: 0}",
         TASKFIT_STUCK_NOT, 1, 1, true, NULL},
        {"2 tasks, 75/100: ceil(1.5) = 2", 1,
         "memory: 10, desiredCount: 2, deploymentConfiguration: {maximumPercent: 100, minimumHealthyPercent: 75}", TASKFIT_STUCK_PERCENT, 0, 0,
         false, "at most floor(2 x 100 / 100) = 2 may run"},
        {"3 tasks, 100/125: floor(3.75) = 3", 1, "memory: 10, desiredCount: 3, deploymentConfiguration: {maximumPercent: 125}",
         TASKFIT_STUCK_PERCENT, 0, 0, false, "at most floor(3 x 125 / 100) = 3 may run"},
        /* case 17 (aws/containers-roadmap#723): distinctInstance needs desired instances to run, desired + batch to roll */
        {"distinct, 3 on 3", 3, "memory: 10, desiredCount: 3, placementConstraints: [{type: distinctInstance}]", TASKFIT_STUCK_ROOM, 0, 0, false,
         "after 0 of 3 new tasks none finds a place: where there is room a task of it stands already (distinctInstance)"},
        {"distinct, 3 on 4", 4, "memory: 10, desiredCount: 3, placementConstraints: [{type: distinctInstance}]", TASKFIT_STUCK_NOT, 3, 1, false, NULL},
        {"distinct, 3 on 5", 5, "memory: 10, desiredCount: 3, placementConstraints: [{type: distinctInstance}]", TASKFIT_STUCK_NOT, 2, 2, false, NULL},
        {"distinct, 3 on 6", 6, "memory: 10, desiredCount: 3, placementConstraints: [{type: distinctInstance}]", TASKFIT_STUCK_NOT, 1, 3, false, NULL},
        /* room decides the batch: 4 of 200 MiB leave 200 of 1000 */
        {"memory, room for 1", 1, "memory: 200, desiredCount: 4", TASKFIT_STUCK_NOT, 4, 1, false, NULL},
        {"memory, no room", 1, "memory: 250, desiredCount: 4", TASKFIT_STUCK_ROOM, 0, 0, false,
         "after 0 of 4 new tasks none finds a place: main-1 comes closest, with 0 of the 250 MiB of memory it needs"},
        {"memory, no room, 50/100: two at a time", 1,
         "memory: 250, desiredCount: 4, deploymentConfiguration: {maximumPercent: 100, minimumHealthyPercent: 50}", TASKFIT_STUCK_NOT, 2, 2, true, NULL},
        {"the maximum decides: floor(4 x 125 / 100) = 5", 1, "memory: 10, desiredCount: 4, deploymentConfiguration: {maximumPercent: 125}",
         TASKFIT_STUCK_NOT, 4, 1, false, NULL},
        /* a full second set, whatever the percentages */
        {"blue/green", 1, "memory: 200, desiredCount: 2, deploymentConfiguration: {strategy: BLUE_GREEN}", TASKFIT_STUCK_NOT, 1, 2, false, NULL},
        {"blue/green, too little room", 1, "memory: 200, desiredCount: 3, deploymentConfiguration: {strategy: BLUE_GREEN}", TASKFIT_STUCK_ROOM, 0, 0,
         false, "all 3 new tasks must stand beside the old ones, but only 2 find a place: main-1 comes closest, with 0 of the 200"},
        {"canary, linear: the same", 1, "memory: 300, desiredCount: 2, deploymentConfiguration: {strategy: LINEAR}", TASKFIT_STUCK_ROOM, 0, 0, false,
         "all 2 new tasks must stand beside the old ones, but only 1 find a place"},
        {"no task", 1, "memory: 10, desiredCount: 0", TASKFIT_STUCK_NOT, 0, 0, false, NULL},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        TASKFIT_STRBUF(cluster);
        TASKFIT_STRBUF(service);
        taskfit_strbuf_printf(&cluster, "instanceGroups: [{name: main, types: [t], min: %d}]", row[i].n_instances);
        taskfit_strbuf_printf(&service, "  - {name: web, placementStrategy: [{type: binpack, field: memory}], %s}", row[i].service);
        static const char *const deploy[] = {"deploy web"};
        run r = run_events(cluster.data, service.data, deploy, 1);
        ASSERT_INT(r.plan->instances, row[i].n_instances);
        const taskfit_event *event = &r.simulation->events[0];
        const taskfit_renewed *renewed = &event->renewed[0];
        ASSERT_INT(event->n_renewed, 1);
        ASSERT_INT(event->n_missing_tasks, 0);
        if (renewed->renewal.stuck != row[i].stuck) {
            fail_msg("%s: %s", row[i].what, renewed->text != NULL ? renewed->text : "not stuck");
        }
        ASSERT_INT(renewed->renewal.n_waves, row[i].n_waves);
        ASSERT_INT(renewed->renewal.largest_batch, row[i].largest_batch);
        ASSERT_INT(renewed->renewal.stopped_first, row[i].stopped_first);
        if (row[i].text != NULL && strncmp(renewed->text, row[i].text, strlen(row[i].text)) != 0) {
            fail_msg("%s, not %s", renewed->text, row[i].text);
        }
        ASSERT_INT(renewed->text == NULL, row[i].text == NULL);
        done(&r);
    }
}

/* Four instances in two AZs hold a web each, and a job in each AZ: 900 and 400 of 1000 in both. */
static void losses_by_hand(void **state) {
    (void)state;
    static const char *const four = "availabilityZones: [a, b]\n  instanceGroups: [{name: main, types: [t], min: 4}]";
    static const char *const services = "  - {name: web, memory: 400, desiredCount: 4, placementConstraints: [{type: distinctInstance}]}\n"
                                        "  - {name: job, memory: 500, desiredCount: 2}";
    static const struct {
        const char *event;
        int64_t n_victims, n_survived, n_tasks, n_missing;
        const char *subject;
        taskfit_obstacle obstacle;
    } row[] = {
        /* each holds a web already, so one of a lost instance has no place; its job, if any, finds one */
        {"lose instance", 4, 0, -1, 1, NULL, TASKFIT_OBSTACLE_DISTINCT},
        /* two web and a job are lost; the job joins the other AZ's single web, and then 100 are left on both */
        {"lose availabilityZone", 2, 0, 3, 2, "a", TASKFIT_OBSTACLE_MEMORY},
        {"lose b", 1, 0, 3, 2, "b", TASKFIT_OBSTACLE_MEMORY},
        {"lose main-4", 1, 0, -1, 1, "main-4", TASKFIT_OBSTACLE_DISTINCT},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        run r = run_events(four, services, &row[i].event, 1);
        const taskfit_event *event = &r.simulation->events[0];
        ASSERT_INT(event->n_victims, row[i].n_victims);
        ASSERT_INT(event->n_victims_survived, row[i].n_survived);
        ASSERT_INT(event->n_missing_tasks, row[i].n_missing);
        ASSERT_INT(event->n_tries_survived, 0);
        ASSERT_INT(event->n_missing, 1);
        ASSERT_INT(event->missing[0].misfit.obstacle, row[i].obstacle);
        if (row[i].n_tasks >= 0) {
            ASSERT_INT(event->n_tasks, row[i].n_tasks);
        }
        if (row[i].subject != NULL) {
            assert_string_equal(event->subject, row[i].subject);
        }
        done(&r);
    }
}

static void a_loss_that_is_survived(void **state) {
    (void)state;
    static const char *const events[] = {"lose instance"};
    run r = run_events("instanceGroups: [{name: main, types: [t], min: 3}]", "  - {name: web, memory: 300, desiredCount: 4}", events, 1);
    const taskfit_event *event = &r.simulation->events[0];
    ASSERT_INT(event->n_victims, 3);
    ASSERT_INT(event->n_victims_survived, 3); /* two instances hold six */
    ASSERT_INT(event->n_tries, 3 * 20);
    ASSERT_INT(event->n_tries_survived, 3 * 20);
    ASSERT_INT(event->n_missing_tasks, 0);
    done(&r);
}

/* Draining: 100 % demands the replacement first, and there is none for the second instance; a third one helps. */
static void a_sequence_goes_on_from_where_it_was(void **state) {
    (void)state;
    static const char *const events[] = {"drain main-1", "grow main=2", "deploy all", "scale web=5", "scale web=1", "lose main-2", "grow main=3"};
    run r = run_events("instanceGroups: [{name: main, types: [t], min: 2}]",
                       "  - {name: web, memory: 300, desiredCount: 4, placementStrategy: [{type: spread, field: instanceId}]}", events, 7);
    const taskfit_event *event = r.simulation->events;
    ASSERT_INT(event[0].n_renewed, 1); /* of its two tasks one fits on main-2 */
    ASSERT_INT(event[0].n_stuck, 1);
    ASSERT_INT(event[0].renewed[0].renewal.n_started, 1);
    ASSERT_INT(event[0].n_missing_tasks, 0); /* the other runs on where it drains */
    ASSERT_INT(event[1].n_machines, 1);      /* main-1 does not count */
    ASSERT_INT(event[2].n_stuck, 0);         /* its last task is replaced with the others */
    ASSERT_INT(event[3].n_tasks, 1);         /* main-2 and main-3 hold six */
    ASSERT_INT(event[3].n_missing_tasks, 0);
    ASSERT_INT(event[4].n_tasks, 0);
    ASSERT_INT(event[4].n_missing_tasks, 0);
    assert_string_equal(event[5].subject, "main-2");
    ASSERT_INT(event[5].n_missing_tasks, 0); /* main-3 takes the one task, if it was not there already */
    ASSERT_INT(event[6].n_machines, 2);
    done(&r);
}

/* Scale-in keeps the AZs even: 5 tasks in two AZs become 2 and 2, then 1 and 1. */
static void scaling_in_keeps_spread(void **state) {
    (void)state;
    static const char *const events[] = {"scale web=5", "scale web=2", "lose a"};
    run r = run_events("availabilityZones: [a, b]\n  instanceGroups: [{name: main, types: [t], min: 2}]",
                       "  - {name: web, memory: 100, desiredCount: 4}", events, 3);
    ASSERT_INT(r.simulation->events[1].n_missing_tasks, 0);
    ASSERT_INT(r.simulation->events[2].n_tasks, 1);
    done(&r);
}

/* `deploy each` asks for every service from the same state, `deploy all` for all at once. */
static void each_and_all(void **state) {
    (void)state;
    static const char *const events[] = {"deploy each", "deploy all"};
    run r = run_events("instanceGroups: [{name: main, types: [t]}]",
                       "  - {name: big, memory: 300}\n"
                       "  - {name: big2, memory: 350}\n"
                       "  - {name: small, memory: 50}\n"
                       "  - {name: stuck, memory: 10, deploymentConfiguration: {maximumPercent: 100}}",
                       events, 2);
    const taskfit_event *event = r.simulation->events; /* 290 are left */
    ASSERT_INT(r.plan->instances, 1);
    ASSERT_INT(event[0].n_renewed, 4);
    ASSERT_INT(event[0].n_stuck, 3);
    ASSERT_INT(event[0].renewed[2].renewal.stuck, TASKFIT_STUCK_NOT);
    ASSERT_INT(event[0].renewed[3].renewal.stuck, TASKFIT_STUCK_PERCENT);
    ASSERT_INT(event[1].n_stuck, 3);
    done(&r);
}

static void bad_events_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *events[2];
        size_t n_events;
        const char *message;
    } row[] = {
        {{"explode"}, 1, "unknown event (lose, deploy, scale, drain or grow)"},
        {{"lose"}, 1, "there is no instance or availability zone ''"},
        {{"lose mian-1"}, 1, "there is no instance or availability zone 'mian-1' (did you mean 'main-1'?)"},
        {{"lose main-1", "lose main-1"}, 2, "nothing stands on 'main-1' any more"},
        {{"lose us-east-1a", "lose instance"}, 2, "no instance is left to be lost"},
        {{"deploy wbe"}, 1, "there is no service 'wbe' (did you mean 'web'?)"},
        {{"scale web"}, 1, "a number is missing (NAME=N)"},
        {{"scale web=x"}, 1, "'x': "},
        {{"scale wbe=1"}, 1, "there is no service 'wbe'"},
        {{"drain main-9"}, 1, "there is no instance 'main-9'"},
        {{"drain main-1", "drain main-1"}, 2, "'main-1' is lost or draining already"},
        {{"grow main=0"}, 1, "1 instances of 'main' stand already (drain some to have fewer)"},
        {{"grow mian=3"}, 1, "there is no instance group 'mian' (did you mean 'main'?)"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        run r = run_events("instanceGroups: [{name: main, types: [t]}]", "  - {name: web, memory: 100}", row[i].events, row[i].n_events);
        assert_null(r.simulation);
        if (strncmp(r.err.message, row[i].message, strlen(row[i].message)) != 0) {
            fail_msg("%s, not %s", r.err.message, row[i].message);
        }
        done(&r);
    }
}

/* ---- files ---- */

static void add_text(void *arg, const char *text) {
    taskfit_strbuf_printf(arg, "%s;", text);
}

static void event_files(void **state) {
    (void)state;
    static const struct {
        const char *text, *items, *message;
    } row[] = {
        {"[{lose: main-3}, deploy all, {scale: {web: 4}}, {grow: main=3}]", "lose main-3;deploy all;scale web=4;grow main=3;", NULL},
        {"[]", "", NULL},
        {"{lose: main-3}", "", "a list of events is expected, not a map"},
        {"[[lose]]", "", "an event such as"},
        {"[~]", "", "an event such as"},
        {"[{lose: a, drain: b}]", "", "an event such as"},
        {"[{scale: {web: [1]}}]", "", "an event such as"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        TASKFIT_STRBUF(items);
        taskfit_error err = {0};
        const taskfit_status status = taskfit_event_list_read("e.yaml", row[i].text, strlen(row[i].text), add_text, &items, &err);
        ASSERT_INT(status, row[i].message ? TASKFIT_E_INPUT : TASKFIT_OK);
        assert_string_equal(items.data, row[i].items);
        if (row[i].message) {
            assert_non_null(strstr(err.message, row[i].message));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deployments_of_one_service), cmocka_unit_test(losses_by_hand),
        cmocka_unit_test(a_loss_that_is_survived),    cmocka_unit_test(a_sequence_goes_on_from_where_it_was),
        cmocka_unit_test(scaling_in_keeps_spread),    cmocka_unit_test(each_and_all),
        cmocka_unit_test(bad_events_are_refused),     cmocka_unit_test(event_files),
    };
    return RUN_TESTS(tests);
}
