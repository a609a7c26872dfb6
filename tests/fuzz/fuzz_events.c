#include "fuzz.h"
#include "taskfit/simulate.h"

/* A list of events, and what they do to a small cluster: nothing may break an assertion of the simulation. */

enum { EVENTS_MAX = 16 };

typedef struct list {
    taskfit_arena *arena;
    const char *items[EVENTS_MAX];
    size_t n;
} list;

static void add(void *arg, const char *text) {
    list *events = arg;
    if (events->n < EVENTS_MAX) {
        events->items[events->n++] = taskfit_arena_strdup(events->arena, text);
    }
}

static void simulate(const list *events) {
    static const char text[] = "{taskfit: 1, policy: {rollingDeployment: none}, cluster: {availabilityZones: [a, b],"
                               " instanceTypes: [{type: t, vcpu: 1, registeredMemory: 1000, architecture: arm64, usdPerHour: 1}],"
                               " instanceGroups: [{name: main, types: [t], max: 9}, {name: odd, types: [t]}]},"
                               " services: [{name: web, memory: 300, desiredCount: 4},"
                               " {name: job, memory: 250, desiredCount: 2, placementConstraints: [{type: distinctInstance}]},"
                               " {name: edge, memory: 10, portMappings: [{containerPort: 80, hostPort: 80}]},"
                               " {name: blue, memory: 100, deploymentConfiguration: {strategy: BLUE_GREEN}},"
                               " {name: slow, memory: 10, desiredCount: 2, deploymentConfiguration: {maximumPercent: 100, minimumHealthyPercent: 50}}]}";
    taskfit_deployment *deployment = NULL;
    taskfit_plan *plan = NULL;
    taskfit_simulation *simulation = NULL;
    taskfit_parse_options parse;
    taskfit_settings settings;
    taskfit_simulate_options options;
    taskfit_error err = {.status = TASKFIT_OK};
    taskfit_parse_options_init(&parse);
    taskfit_settings_init(&settings);
    settings.ladder = false;
    taskfit_simulate_options_init(&options);
    options.n_orders = 3;
    options.events = events->items;
    options.n_events = events->n;
    fuzz_require(taskfit_deployment_parse("f.yaml", text, sizeof text - 1, &parse, &deployment, NULL) == TASKFIT_OK, "the cluster is valid");
    fuzz_require(taskfit_size(deployment, &settings, &plan, NULL) == TASKFIT_OK, "the cluster has a plan");
    const taskfit_status status = taskfit_simulate(plan, &options, &simulation, &err);
    fuzz_require((status == TASKFIT_OK) == (simulation != NULL), "outputs are untouched on failure");
    fuzz_require(status == TASKFIT_OK || (status == TASKFIT_E_ARGUMENT && err.message[0] != '\0'), "an event that does not fit is told");
    taskfit_simulation_free(simulation);
    taskfit_plan_free(plan);
    taskfit_deployment_free(deployment);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    list events = {.arena = taskfit_arena_new()};
    list names = {.arena = events.arena};
    taskfit_error err = {.status = TASKFIT_OK};
    const taskfit_status status = taskfit_event_list_read("f.yaml", (const char *)data, size, add, &events, &err);
    fuzz_require(status == TASKFIT_OK || (status == TASKFIT_E_INPUT && err.where[0] != '\0'), "an error says where");
    (void)!taskfit_order_list_read("f.yaml", (const char *)data, size, add, &names, NULL);
    if (status == TASKFIT_OK && events.n > 0) {
        simulate(&events);
    }
    taskfit_arena_free(events.arena);
    return 0;
}
