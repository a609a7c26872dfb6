#include "unit.h"

#include "base/strbuf.h"
#include "parse.h"
#include "problem/plan.h"
#include "random_deployment.h"
#include "simulate/resize.h"
#include "simulate/simulation.h"

static taskfit_simulation *simulate(const taskfit_plan *plan, const taskfit_simulate_options *options) {
    taskfit_error err = {0};
    taskfit_simulation *simulation = NULL;
    if (taskfit_simulate(plan, options, &simulation, &err) != TASKFIT_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
    return simulation;
}

/* Case 1 (aws/containers-roadmap#105) on 7680 MiB. */
static const char six_services[] = "taskfit: 1\n"
                                   "cluster:\n"
                                   "  instanceTypes: [{type: m5.large, registeredMemory: 7680}]\n"
                                   "  instanceGroups: [{name: main, types: [m5.large]}]\n"
                                   "policy: {rollingDeployment: none, spread: preferred}\n"
                                   "services:\n"
                                   "  - {name: a, memory: 7000, desiredCount: 2}\n"
                                   "  - {name: b, memory: 2048}\n"
                                   "  - {name: c, memory: 768, desiredCount: 2}\n"
                                   "  - {name: d, memory: 768, desiredCount: 2}\n"
                                   "  - {name: e, memory: 128, desiredCount: 2}\n"
                                   "  - {name: f, memory: 512}\n";

static void the_worst_launch_can_be_repeated(void **state) {
    (void)state;
    taskfit_deployment *deployment = parse_deployment("%s", six_services);
    taskfit_plan *plan = size_deployment(deployment);
    ASSERT_INT(taskfit_plan_instances(plan), 3);
    taskfit_simulate_options options;
    taskfit_simulate_options_init(&options);
    options.instances = "6";
    taskfit_simulation *all = simulate(plan, &options);
    ASSERT_INT(taskfit_simulation_orders(all), 1000);
    assert_in_range(taskfit_simulation_placed_all(all), 955, 985);
    ASSERT_INT(all->orders.worst_left, 1);
    ASSERT_INT(all->orders.worst_tasks[0], 1);
    const taskfit_misfit *misfit = &all->orders.misfits[0];
    ASSERT_INT(misfit->obstacle, TASKFIT_OBSTACLE_MEMORY);
    ASSERT_INT(misfit->need, 7000);
    assert_in_range(misfit->room, 1, 6999);
    ASSERT_INT(misfit->n_machines[TASKFIT_OBSTACLE_MEMORY], 6);

    options.n_orders = 1; /* from its seed */
    options.seed = all->orders.worst_seed;
    taskfit_simulation *one = simulate(plan, &options);
    ASSERT_INT(one->orders.worst_left, 1);
    assert_memory_equal(one->orders.worst_order, all->orders.worst_order, 6 * sizeof *one->orders.worst_order);
    taskfit_simulation_free(one);

    const char *names[6]; /* from its order and seed, whatever the rest is drawn from */
    for (size_t i = 0; i < 6; i++) {
        names[i] = deployment->services[all->orders.worst_order[i]].name;
    }
    options.order_list = names;
    options.n_order_list = 6;
    options.order = TASKFIT_ORDER_FILE;
    taskfit_simulation *listed = simulate(plan, &options);
    ASSERT_INT(listed->orders.worst_left, 1);
    taskfit_simulation_free(listed);
    taskfit_simulation_free(all);
    taskfit_plan_free(plan);
    taskfit_deployment_free(deployment);
}

/* Its owner got 4 at best by launching the largest first by hand; the two large ones then leave room on 3. */
static void largest_first_is_best(void **state) {
    (void)state;
    taskfit_deployment *deployment = parse_deployment("%s", six_services);
    taskfit_plan *plan = size_deployment(deployment);
    static const struct {
        taskfit_order_kind order;
        taskfit_ties ties;
        int64_t n_orders, placed_all;
    } row[] = {
        {TASKFIT_ORDER_LARGEST_FIRST, TASKFIT_TIES_FIRST, 1, 1},
        {TASKFIT_ORDER_LARGEST_FIRST, TASKFIT_TIES_RANDOM, 1000, 1000},
        {TASKFIT_ORDER_SMALLEST_FIRST, TASKFIT_TIES_FIRST, 1, 0},
        {TASKFIT_ORDER_FILE, TASKFIT_TIES_FIRST, 1, 1},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        taskfit_simulate_options options;
        taskfit_simulate_options_init(&options);
        options.order = row[i].order;
        options.ties = row[i].ties;
        taskfit_simulation *simulation = simulate(plan, &options);
        ASSERT_INT(taskfit_simulation_orders(simulation), row[i].n_orders);
        ASSERT_INT(taskfit_simulation_placed_all(simulation), row[i].placed_all);
        taskfit_simulation_free(simulation);
    }
    taskfit_plan_free(plan);
    taskfit_deployment_free(deployment);
}

static void bad_options_are_refused(void **state) {
    (void)state;
    taskfit_deployment *deployment = parse_deployment("%s", six_services);
    taskfit_plan *plan = size_deployment(deployment);
    static const char *const unknown[] = {"g"};
    static const char *const twice[] = {"a", "a"};
    static const struct {
        const char *instances;
        const char *const *order_list;
        size_t n_order_list;
        int64_t n_orders;
        const char *message;
    } row[] = {
        {"x", NULL, 0, 1, "instances 'x': "},
        {"mian=3", NULL, 0, 1, "there is no instance group 'mian' (did you mean 'main'?)"},
        {"main=3,main=4", NULL, 0, 1, "instance group 'main' is given twice"},
        {"main=3,4", NULL, 0, 1, "instances '4' name no group (GROUP=N)"},
        {"main=", NULL, 0, 1, "instances '': "},
        {"50001", NULL, 0, 1, "instances '50001': "},
        {NULL, unknown, 1, 1, "there is no service 'g'"},
        {NULL, twice, 2, 1, "the order names 'a' twice"},
        {NULL, NULL, 0, 0, "at least one order is needed"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        taskfit_simulate_options options;
        taskfit_simulate_options_init(&options);
        options.instances = row[i].instances;
        options.order_list = row[i].order_list;
        options.n_order_list = row[i].n_order_list;
        options.n_orders = row[i].n_orders;
        taskfit_error err = {0};
        taskfit_simulation *simulation = NULL;
        ASSERT_INT(taskfit_simulate(plan, &options, &simulation, &err), TASKFIT_E_ARGUMENT);
        assert_null(simulation);
        if (strncmp(err.message, row[i].message, strlen(row[i].message)) != 0) {
            fail_msg("%s, not %s", err.message, row[i].message);
        }
    }
    taskfit_plan_free(plan);
    taskfit_deployment_free(deployment);
}

static void a_fleet_takes_other_counts(void **state) {
    (void)state;
    taskfit_deployment *deployment = parse_deployment("taskfit: 1\n"
                                                      "cluster:\n"
                                                      "  availabilityZones: [a, b]\n"
                                                      "  instanceGroups:\n"
                                                      "    - {name: main, types: [m5.large, m5.xlarge]}\n"
                                                      "    - {name: heavy, types: [r5.large]}\n"
                                                      "services: [{name: x, memory: 100}]\n");
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_machine machines[] = {{.group = 0, .type = 1, .az = 1}, {.group = 1, .type = 0, .az = 0}};
    const taskfit_fleet fleet = {.machines = machines, .n_machines = 2};
    taskfit_counts counts;
    ASSERT_INT(taskfit_counts_parse(deployment, "main=3", arena, &counts, NULL), TASKFIT_OK);
    const taskfit_fleet *sized = taskfit_fleet_resize(deployment, &fleet, &counts, arena);
    ASSERT_INT(sized->n_machines, 4); /* three of main, balanced: a, a, b, and of the type it has */
    for (size_t m = 0; m < 3; m++) {
        ASSERT_INT(sized->machines[m].group, 0);
        ASSERT_INT(sized->machines[m].type, 1);
        ASSERT_INT(sized->machines[m].az, m == 2);
    }
    ASSERT_INT(sized->machines[3].group, 1);
    taskfit_arena_free(arena);
    taskfit_deployment_free(deployment);
}

/* ---- random deployments ---- */

/* What the cluster holds, counted again from the deployment. */
static void assert_holds(const taskfit_cluster *cluster, const taskfit_deployment *deployment) {
    for (size_t m = 0; m < taskfit_cluster_machines(cluster); m++) {
        int64_t memory_mib = 0;
        int64_t cpu_units = 0;
        int64_t n_port_80 = 0;
        for (size_t s = 0; s < deployment->n_services; s++) {
            const taskfit_service *service = &deployment->services[s];
            const int64_t tasks = taskfit_cluster_tasks(cluster, s, m);
            memory_mib += tasks * service->containers[0].memory_mib;
            cpu_units += tasks * service->containers[0].cpu_units;
            n_port_80 += service->containers[0].n_port_mappings > 0 ? tasks : 0;
            assert_true(!service->distinct_instance || tasks <= 1);
        }
        assert_in_range(memory_mib, 0, 1000);
        assert_in_range(cpu_units, 0, 2048);
        assert_in_range(n_port_80, 0, 1);
    }
}

/* Properties: the simulation never overfills an instance, and no order succeeds below the proved packing minimum. */
static void simulations_of_random_deployments_are_sound(void **state) {
    (void)state;
    taskfit_rand dice = taskfit_rand_seeded(6);
    size_t n_below = 0;
    for (size_t i = 0; i < 300; i++) {
        taskfit_deployment *deployment = random_deployment(&dice, "{rollingDeployment: none}");
        taskfit_settings settings;
        taskfit_settings_init(&settings);
        taskfit_plan *plan = NULL;
        ASSERT_INT(taskfit_size(deployment, &settings, &plan, NULL), TASKFIT_OK);
        ASSERT_INT(plan->ladder[0].rung, TASKFIT_RUNG_PACKING);
        for (int64_t n = plan->ladder[0].lower_bound - 1; plan->instances >= 0 && n <= plan->instances; n++) {
            TASKFIT_STRBUF(count);
            taskfit_strbuf_printf(&count, "%d", (int)n);
            taskfit_simulate_options options;
            taskfit_simulate_options_init(&options);
            options.n_orders = 40;
            options.instances = n == plan->instances ? NULL : count.data;
            taskfit_simulation *simulation = simulate(plan, &options);
            assert_holds(simulation->cluster, deployment);
            if (n < plan->ladder[0].lower_bound) {
                ASSERT_INT(taskfit_simulation_placed_all(simulation), 0);
                n_below++;
            }
            taskfit_simulation_free(simulation);
        }
        taskfit_plan_free(plan);
        taskfit_deployment_free(deployment);
    }
    assert_in_range(n_below, 200, 300);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worst_launch_can_be_repeated),
        cmocka_unit_test(largest_first_is_best),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(a_fleet_takes_other_counts),
        cmocka_unit_test(simulations_of_random_deployments_are_sound),
    };
    return RUN_TESTS(tests);
}
