#include "unit.h"

#include "parse.h"
#include "problem/plan.h"
#include "random_deployment.h"
#include "simulate/events.h"
#include "simulate/simulation.h"

/*
 * A plan on rung X passes the simulation's check of X: the simulation shares no code with optimizer and verifier
 * beyond what one task takes and one instance gives.
 */

/* AZ spread, counted on the cluster. */
static void check_spread(const taskfit_cluster *cluster) {
    const taskfit_deployment *deployment = taskfit_cluster_deployment(cluster);
    for (size_t s = 0; s < deployment->n_services; s++) {
        int64_t least = INT64_MAX;
        int64_t most = 0;
        for (size_t az = 0; az < deployment->n_azs; az++) { /* every service may stand everywhere */
            const int64_t tasks = taskfit_cluster_az_tasks(cluster, s, az);
            least = tasks < least ? tasks : least;
            most = tasks > most ? tasks : most;
        }
        if (deployment->services[s].strategies[0].type == TASKFIT_STRATEGY_SPREAD_AZ) {
            assert_true(most - least <= 1);
        }
    }
}

/* Every service alone can be deployed to the end, but those whose percentages never let it. */
static void check_rolling(const taskfit_plan *plan) {
    taskfit_simulate_options options;
    taskfit_simulate_options_init(&options);
    static const char *const each[] = {"deploy each"};
    options.events = each;
    options.n_events = 1;
    taskfit_simulation *simulation = NULL;
    ASSERT_INT(taskfit_simulate(plan, &options, &simulation, NULL), TASKFIT_OK);
    const taskfit_event *event = &simulation->events[0];
    for (size_t i = 0; i < event->n_renewed; i++) {
        if (event->renewed[i].renewal.stuck == TASKFIT_STUCK_ROOM) {
            fail_msg("'%s': %s", plan->deployment->services[event->renewed[i].renewal.service].name, event->renewed[i].text);
        }
    }
    taskfit_simulation_free(simulation);
}

/* Whether the tasks from `next` on find places, by trying everything. */
static bool place_all(taskfit_cluster *cluster, const size_t *services, size_t n, size_t next) {
    for (size_t m = 0; next < n && m < taskfit_cluster_machines(cluster); m++) {
        if (taskfit_cluster_obstacle(cluster, services[next], m) == TASKFIT_OBSTACLE_NONE) {
            taskfit_cluster_add(cluster, services[next], m);
            const bool placed = place_all(cluster, services, n, next + 1);
            taskfit_cluster_remove(cluster, services[next], m);
            if (placed) {
                return true;
            }
        }
    }
    return next == n;
}

static void check_survive(const taskfit_plan *plan, bool whole_az) {
    const taskfit_deployment *deployment = plan->deployment;
    const size_t n_losses = whole_az ? deployment->n_azs : plan->fleet->n_machines;
    for (size_t lost = 0; lost < n_losses; lost++) {
        taskfit_arena *arena = taskfit_arena_new();
        taskfit_cluster *cluster = taskfit_cluster_new(arena, deployment, plan->fleet);
        size_t fallen[64];
        size_t n_fallen = 0;
        taskfit_cluster_fill(cluster);
        for (size_t m = 0; m < plan->fleet->n_machines; m++) {
            if (whole_az ? plan->fleet->machines[m].az != lost : m != lost) {
                continue;
            }
            taskfit_cluster_set_active(cluster, m, false);
            for (size_t s = 0; s < deployment->n_services; s++) {
                while (taskfit_cluster_tasks(cluster, s, m) > 0) {
                    taskfit_cluster_remove(cluster, s, m);
                    assert_true(n_fallen < sizeof fallen / sizeof *fallen);
                    fallen[n_fallen++] = s;
                }
            }
        }
        assert_true(place_all(cluster, fallen, n_fallen, 0));
        taskfit_arena_free(arena);
    }
}

static void plans_pass_the_simulation_of_their_rung(void **state) {
    (void)state;
    static const struct {
        const char *policy;
        bool spread, rolling, survive, az;
    } row[] = {
        {"{rollingDeployment: none}", true, false, false, false},
        {"{}", true, true, false, false},
        {"{spread: preferred}", false, true, false, false},
        {"{rollingDeployment: allServices}", true, true, false, false},
        {"{surviveLoss: instance}", true, true, true, false},
        {"{spread: preferred, rollingDeployment: none, surviveLoss: availabilityZone}", false, false, true, true},
    };
    taskfit_rand dice = taskfit_rand_seeded(17);
    size_t n_checked = 0;
    for (size_t i = 0; i < 240; i++) {
        const size_t r = i % (sizeof row / sizeof *row);
        taskfit_deployment *deployment = random_deployment(&dice, row[r].policy);
        taskfit_plan *plan = size_deployment(deployment);
        if (taskfit_plan_instances(plan) >= 0) {
            taskfit_arena *arena = taskfit_arena_new();
            taskfit_cluster *cluster = taskfit_cluster_new(arena, deployment, plan->fleet);
            taskfit_cluster_fill(cluster);
            if (row[r].spread) {
                check_spread(cluster);
            }
            if (row[r].rolling) {
                check_rolling(plan);
            }
            if (row[r].survive) {
                check_survive(plan, row[r].az);
            }
            taskfit_arena_free(arena);
            n_checked++;
        }
        taskfit_plan_free(plan);
        taskfit_deployment_free(deployment);
    }
    assert_in_range(n_checked, 180, 240);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_pass_the_simulation_of_their_rung),
    };
    return RUN_TESTS(tests);
}
