#include "unit.h"

#include "base/units.h"
#include "deployment/accounting.h"

enum { N_MAPPINGS = 4 };

/* Figures as a file says them; 0 stands for absent here, as no rule tells an absent figure from 0. */
typedef struct container_row {
    int64_t cpu, memory, reservation, gpus;
    int64_t observed_cpu, observed_memory; /* 0: absent */
} container_row;

static taskfit_container container_of(const container_row *row) {
    return (taskfit_container){
        .name = "c",
        .cpu_units = row->cpu,
        .memory_mib = row->memory > 0 ? row->memory : -1,
        .memory_reservation_mib = row->reservation > 0 ? row->reservation : -1,
        .gpus = row->gpus,
        .observed_cpu_units = row->observed_cpu > 0 ? row->observed_cpu : -1,
        .observed_memory_mib = row->observed_memory > 0 ? row->observed_memory : -1,
    };
}

static const struct {
    const char *what;
    int64_t task_cpu, task_memory;
    size_t n;
    container_row container[3];
    taskfit_network_mode mode;
    int64_t memory, cpu, eni, gpu, hard, expected_cpu, expected_memory;
    bool hard_complete, expected_complete;
} task_row[] = {
    {.what = "reservation before hard limit", .n = 1, .container = {{512, 4096, 3690, 0, 0, 0}},
     .memory = 3690, .cpu = 512, .hard = 4096, .expected_cpu = 512, .expected_memory = 3690, .hard_complete = true},
    {.what = "hard limit alone", .n = 1, .container = {{0, 512, 0, 0, 0, 0}},
     .memory = 512, .hard = 512, .expected_memory = 512, .hard_complete = true},
    {.what = "reservation alone counts as hard", .n = 1, .container = {{0, 0, 512, 0, 0, 0}},
     .memory = 512, .hard = 512, .expected_memory = 512},
    {.what = "each container by its own rule: 512 reserved and 512 hard make 1024", .n = 2,
     .container = {{0, 0, 512, 0, 0, 0}, {0, 512, 0, 0, 0, 0}}, .memory = 1024, .hard = 1024, .expected_memory = 1024},
    {.what = "module and sidecar", .n = 2, .container = {{512, 4096, 3690, 0, 0, 0}, {1024, 512, 256, 0, 0, 0}},
     .memory = 3946, .cpu = 1536, .hard = 4608, .expected_cpu = 1536, .expected_memory = 3946, .hard_complete = true},
    {.what = "task memory hides reservations", .task_memory = 2048, .n = 2,
     .container = {{0, 0, 512, 0, 0, 0}, {0, 512, 0, 0, 0, 0}}, .memory = 2048, .hard = 1024, .expected_memory = 2048},
    {.what = "task cpu hides containers'", .task_cpu = 256, .n = 2, .container = {{512, 8, 0, 0, 0, 0}, {1024, 8, 0, 0, 0, 0}},
     .memory = 16, .cpu = 256, .hard = 16, .expected_cpu = 256, .expected_memory = 16, .hard_complete = true},
    {.what = "task memory without containers' is the hard limit too", .task_memory = 2048, .task_cpu = 1024, .n = 2,
     .container = {{0, 512, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}},
     .memory = 2048, .cpu = 1024, .hard = 2048, .expected_cpu = 1024, .expected_memory = 2048},
    {.what = "awsvpc takes a slot", .n = 1, .container = {{256, 64, 0, 0, 0, 0}}, .mode = TASKFIT_NETWORK_AWSVPC,
     .memory = 64, .cpu = 256, .eni = 1, .hard = 64, .expected_cpu = 256, .expected_memory = 64, .hard_complete = true},
    {.what = "host mode takes none", .n = 1, .container = {{256, 64, 0, 0, 0, 0}}, .mode = TASKFIT_NETWORK_HOST,
     .memory = 64, .cpu = 256, .hard = 64, .expected_cpu = 256, .expected_memory = 64, .hard_complete = true},
    {.what = "GPUs add up", .n = 2, .container = {{0, 64, 0, 1, 0, 0}, {0, 64, 0, 2, 0, 0}},
     .memory = 128, .gpu = 3, .hard = 128, .expected_memory = 128, .hard_complete = true},
    {.what = "observed", .n = 2, .container = {{512, 64, 0, 0, 128, 50}, {512, 64, 0, 0, 100, 20}},
     .memory = 128, .cpu = 1024, .hard = 128, .expected_cpu = 228, .expected_memory = 70, .hard_complete = true,
     .expected_complete = true},
    {.what = "half observed: the rest by its reservation", .n = 2, .container = {{512, 64, 0, 0, 128, 50}, {512, 64, 32, 0, 0, 0}},
     .memory = 96, .cpu = 1024, .hard = 128, .expected_cpu = 640, .expected_memory = 82, .hard_complete = true},
};

static void what_one_task_takes(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    for (size_t r = 0; r < sizeof task_row / sizeof *task_row; r++) {
        taskfit_container containers[3];
        for (size_t c = 0; c < task_row[r].n; c++) {
            containers[c] = container_of(&task_row[r].container[c]);
        }
        taskfit_service service = {
            .name = "s", .containers = containers, .n_containers = task_row[r].n, .network_mode = task_row[r].mode,
            .task_cpu_units = task_row[r].task_cpu > 0 ? task_row[r].task_cpu : -1,
            .task_memory_mib = task_row[r].task_memory > 0 ? task_row[r].task_memory : -1,
        };
        taskfit_task_demand demand = taskfit_task_demand_of(&service, arena);
        const int64_t expected[TASKFIT_RESOURCE_COUNT] = {
            [TASKFIT_RESOURCE_MEMORY] = task_row[r].memory,
            [TASKFIT_RESOURCE_CPU] = task_row[r].cpu,
            [TASKFIT_RESOURCE_ENI] = task_row[r].eni,
            [TASKFIT_RESOURCE_GPU] = task_row[r].gpu,
            [TASKFIT_RESOURCE_TASKS] = 1,
            [TASKFIT_RESOURCE_HARD_MEMORY] = task_row[r].hard,
            [TASKFIT_RESOURCE_EXPECTED_CPU] = task_row[r].expected_cpu,
            [TASKFIT_RESOURCE_EXPECTED_MEMORY] = task_row[r].expected_memory,
        };
        for (int i = 0; i < TASKFIT_RESOURCE_COUNT; i++) {
            if (demand.amount[i] != expected[i]) {
                fail_msg("%s: %s is %lld, not %lld", task_row[r].what, taskfit_resource_name((taskfit_resource)i),
                         (long long)demand.amount[i], (long long)expected[i]);
            }
        }
        assert_int_equal(demand.hard_memory_complete, task_row[r].hard_complete);
        assert_int_equal(demand.expected_cpu_complete, task_row[r].expected_complete);
        assert_int_equal(demand.expected_memory_complete, task_row[r].expected_complete);
    }
    taskfit_arena_free(arena);
}

static void which_host_ports_a_task_takes(void **state) {
    (void)state;
    static const struct {
        taskfit_network_mode mode;
        size_t n;
        taskfit_port_mapping mapping[N_MAPPINGS]; /* container, host, protocol */
        size_t n_ports;
        taskfit_port_mapping port[N_MAPPINGS];
    } row[] = {
        /* bridge: only a fixed host port, dynamic ones take none */
        {TASKFIT_NETWORK_BRIDGE, 2, {{80, 8080, TASKFIT_TCP}, {81, 0, TASKFIT_TCP}}, 1, {{80, 8080, TASKFIT_TCP}}},
        {TASKFIT_NETWORK_BRIDGE, 1, {{80, 0, TASKFIT_TCP}}, 0, {{0, 0, TASKFIT_TCP}}},
        /* host: every port, said or not */
        {TASKFIT_NETWORK_HOST, 2, {{80, 8080, TASKFIT_TCP}, {53, 0, TASKFIT_UDP}}, 2,
         {{80, 8080, TASKFIT_TCP}, {53, 53, TASKFIT_UDP}}},
        {TASKFIT_NETWORK_AWSVPC, 2, {{80, 80, TASKFIT_TCP}, {53, 0, TASKFIT_UDP}}, 0, {{0, 0, TASKFIT_TCP}}},
        {TASKFIT_NETWORK_NONE, 1, {{80, 80, TASKFIT_TCP}}, 0, {{0, 0, TASKFIT_TCP}}},
        /* sorted by protocol and port, a repeated one once; the same number by TCP and UDP is two */
        {TASKFIT_NETWORK_BRIDGE, 4, {{1, 9000, TASKFIT_UDP}, {2, 9000, TASKFIT_TCP}, {3, 80, TASKFIT_TCP}, {2, 9000, TASKFIT_TCP}},
         3, {{3, 80, TASKFIT_TCP}, {2, 9000, TASKFIT_TCP}, {1, 9000, TASKFIT_UDP}}},
    };
    taskfit_arena *arena = taskfit_arena_new();
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        /* spread over two containers: ports of all of them count */
        taskfit_container containers[2] = {
            {.memory_mib = 8, .port_mappings = row[r].mapping, .n_port_mappings = 1},
            {.memory_mib = 8, .port_mappings = row[r].mapping + 1, .n_port_mappings = row[r].n - 1},
        };
        taskfit_service service = {.network_mode = row[r].mode, .containers = containers, .n_containers = 2};
        taskfit_task_demand demand = taskfit_task_demand_of(&service, arena);
        ASSERT_INT(demand.n_ports, row[r].n_ports);
        ASSERT_INT(demand.amount[TASKFIT_RESOURCE_PORTS], (int64_t)row[r].n_ports);
        for (size_t p = 0; p < demand.n_ports; p++) {
            ASSERT_INT(demand.ports[p].host_port, row[r].port[p].host_port);
            ASSERT_INT(demand.ports[p].protocol, row[r].port[p].protocol);
        }
    }
    taskfit_arena_free(arena);
}

/* A cluster of two AZs and two groups to be changed by each test. */
typedef struct cluster {
    taskfit_arena *arena;
    size_t azs[2];
    taskfit_candidate_type types[2];
    taskfit_instance_group groups[2];
    taskfit_container daemon_container;
    taskfit_service daemon;
    taskfit_deployment deployment;
} cluster;

static void cluster_init(cluster *c, const char *type) {
    static const char *const az_names[] = {"us-east-1a", "us-east-1b"};
    memset(c, 0, sizeof *c);
    c->arena = taskfit_arena_new();
    const taskfit_instance_type *found = taskfit_catalogue_find(taskfit_catalogue_builtin(), type);
    if (!found) {
        fail_msg("no type %s", type);
        return;
    }
    c->azs[1] = 1;
    c->types[0] = c->types[1] = (taskfit_candidate_type){.type = *found, .stock = -1};
    for (size_t g = 0; g < 2; g++) {
        c->groups[g] = (taskfit_instance_group){
            .name = g == 0 ? "main" : "heavy", .types = c->types, .n_types = 2, .azs = c->azs, .n_azs = 2, .max_tasks = -1};
    }
    c->daemon_container = (taskfit_container){
        .cpu_units = 128, .memory_mib = 256, .memory_reservation_mib = -1, .observed_cpu_units = -1, .observed_memory_mib = -1};
    c->daemon = (taskfit_service){.name = "d", .daemon = true, .containers = &c->daemon_container, .n_containers = 1,
                                  .task_cpu_units = -1, .task_memory_mib = -1};
    c->deployment = (taskfit_deployment){.arena = c->arena, .azs = az_names, .n_azs = 2, .groups = c->groups, .n_groups = 2,
                                         .daemons = &c->daemon};
}

static int64_t capacity(const cluster *c, taskfit_resource resource) {
    return taskfit_instance_capacity_of(&c->deployment, 0, 0, 0, c->arena).amount[resource];
}

static void what_one_instance_gives(void **state) {
    (void)state;
    cluster c;
    cluster_init(&c, "r7g.2xlarge");
    taskfit_instance_capacity plain = taskfit_instance_capacity_of(&c.deployment, 0, 0, 0, c.arena);
    ASSERT_INT(plain.registered_memory_mib, 63138);
    ASSERT_INT(plain.total_cpu_units, 8192);
    ASSERT_INT(plain.amount[TASKFIT_RESOURCE_MEMORY], 63138);
    ASSERT_INT(plain.amount[TASKFIT_RESOURCE_CPU], 8192);
    ASSERT_INT(plain.amount[TASKFIT_RESOURCE_GPU], 0);
    ASSERT_INT(plain.amount[TASKFIT_RESOURCE_PORTS], 95);
    const taskfit_resource boundless[] = {TASKFIT_RESOURCE_TASKS, TASKFIT_RESOURCE_HARD_MEMORY, TASKFIT_RESOURCE_EXPECTED_CPU,
                                          TASKFIT_RESOURCE_EXPECTED_MEMORY};
    for (size_t i = 0; i < sizeof boundless / sizeof *boundless; i++) {
        ASSERT_INT(plain.amount[boundless[i]], TASKFIT_UNLIMITED);
    }
    static const int64_t agent_port[] = {22, 2375, 2376, 51678, 51679};
    ASSERT_INT(plain.n_ports, 5);
    for (size_t p = 0; p < plain.n_ports; p++) {
        ASSERT_INT(plain.ports[p].host_port, agent_port[p]);
        ASSERT_INT(plain.ports[p].protocol, TASKFIT_TCP);
    }

    c.groups[0].reserved_memory_mib = 138;
    c.groups[0].reserved_cpu_units = 192;
    c.groups[0].max_tasks = 58;
    c.types[0].type.gpus = 4;
    taskfit_instance_capacity less = taskfit_instance_capacity_of(&c.deployment, 0, 0, 0, c.arena);
    ASSERT_INT(less.registered_memory_mib, 63138); /* the base of percentages stays */
    ASSERT_INT(less.total_cpu_units, 8192);
    ASSERT_INT(less.amount[TASKFIT_RESOURCE_MEMORY], 63000);
    ASSERT_INT(less.amount[TASKFIT_RESOURCE_CPU], 8000);
    ASSERT_INT(less.amount[TASKFIT_RESOURCE_GPU], 4);
    ASSERT_INT(less.amount[TASKFIT_RESOURCE_TASKS], 58);
    taskfit_arena_free(c.arena);
}

/* aws/amazon-ecs-agent#3083 and the ENI limits of the developer guide */
static void awsvpc_slots_go_by_trunking(void **state) {
    (void)state;
    static const struct {
        const char *type;
        int64_t plain, trunking;
    } row[] = {
        {"c5.large", 2, 10},   {"m5.2xlarge", 3, 40}, {"m6i.2xlarge", 3, 40}, {"r7g.2xlarge", 3, 40},
        {"t3a.small", 1, 1},   {"t3.small", 2, 2}, /* t types never trunk */
    };
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        cluster c;
        cluster_init(&c, row[r].type);
        ASSERT_INT(capacity(&c, TASKFIT_RESOURCE_ENI), row[r].plain);
        c.deployment.awsvpc_trunking = true;
        ASSERT_INT(capacity(&c, TASKFIT_RESOURCE_ENI), row[r].trunking);
        c.types[0].type.awsvpc_tasks = c.types[0].type.awsvpc_tasks_trunking = -1;
        ASSERT_INT(capacity(&c, TASKFIT_RESOURCE_ENI), 0); /* no figure, no plan with awsvpc tasks */
        taskfit_arena_free(c.arena);
    }
}

/* Registered memory, not advertised (karpenter-provider-aws#6611, diem/diem#1099, dask/dask-cloudprovider#86). */
static void tasks_per_instance_of_public_cases(void **state) {
    (void)state;
    static const struct {
        const char *type;
        int64_t registered; /* 0: the catalogue's */
        int64_t daemon_memory, cpu, memory, tasks;
    } row[] = {
        {"i4i.32xlarge", 1007423, 0, 31 * 1024, 240954, 4},
        {"c5d.2xlarge", 0, 0, 0, 16384, 0},
        {"c5d.2xlarge", 0, 0, 0, 15463, 1},
        {"c5.large", 0, 0, 0, 4096, 0},
        {"m5.xlarge", 0, 0, 0, 16384, 0},
        {"m6i.large", 7771, 0, 1024, 3885, 2}, /* to the last MiB: worldcubeassociation.org#9974 */
        {"m5.large", 7690, 256, 0, 1900, 3},   /* three, as a daemon stands there */
        {"m5.large", 7690, 0, 0, 1900, 4},
    };
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        cluster c;
        cluster_init(&c, row[r].type);
        if (row[r].registered > 0) {
            c.types[0].type.memory_registered_mib = row[r].registered;
        }
        c.daemon_container.cpu_units = 0;
        c.daemon_container.memory_mib = row[r].daemon_memory;
        c.deployment.n_daemons = row[r].daemon_memory > 0;
        taskfit_instance_capacity room = taskfit_instance_capacity_of(&c.deployment, 0, 0, 0, c.arena);
        int64_t tasks = (room.amount[TASKFIT_RESOURCE_MEMORY] - room.daemons[TASKFIT_RESOURCE_MEMORY]) / row[r].memory;
        if (row[r].cpu > 0 && room.amount[TASKFIT_RESOURCE_CPU] / row[r].cpu < tasks) {
            tasks = room.amount[TASKFIT_RESOURCE_CPU] / row[r].cpu;
        }
        ASSERT_INT(tasks, row[r].tasks);
        taskfit_arena_free(c.arena);
    }
}

static void daemons_stand_where_they_may(void **state) {
    (void)state;
    cluster c;
    cluster_init(&c, "r7g.2xlarge");
    c.deployment.n_daemons = 1;
    static const taskfit_port_mapping mapping = {.container_port = 9100, .host_port = 9100, .protocol = TASKFIT_UDP};
    c.daemon_container.port_mappings = &mapping;
    c.daemon_container.n_port_mappings = 1;
    const size_t heavy = 1;
    c.daemon.groups = &heavy;
    c.daemon.n_groups = 1;
    taskfit_instance_capacity without = taskfit_instance_capacity_of(&c.deployment, 0, 0, 0, c.arena);
    ASSERT_INT(without.n_daemons, 0);
    ASSERT_INT(without.daemons[TASKFIT_RESOURCE_MEMORY], 0);
    ASSERT_INT(without.n_ports, 5);
    taskfit_instance_capacity with = taskfit_instance_capacity_of(&c.deployment, 1, 0, 1, c.arena);
    ASSERT_INT(with.n_daemons, 1);
    ASSERT_INT(with.daemon_index[0], 0);
    ASSERT_INT(with.daemons[TASKFIT_RESOURCE_MEMORY], 256);
    ASSERT_INT(with.daemons[TASKFIT_RESOURCE_CPU], 128);
    ASSERT_INT(with.daemons[TASKFIT_RESOURCE_TASKS], 1);
    ASSERT_INT(with.daemons[TASKFIT_RESOURCE_PORTS], 1);
    ASSERT_INT(with.daemons[TASKFIT_RESOURCE_HARD_MEMORY], 256);
    ASSERT_INT(with.daemons[TASKFIT_RESOURCE_EXPECTED_CPU], 128);
    ASSERT_INT(with.amount[TASKFIT_RESOURCE_MEMORY], 63138); /* before daemons */
    ASSERT_INT(with.n_ports, 6);
    ASSERT_INT(with.ports[5].host_port, 9100);
    ASSERT_INT(with.ports[5].protocol, TASKFIT_UDP);
    taskfit_arena_free(c.arena);
}

static void groups_architecture_and_azs_permit(void **state) {
    (void)state;
    cluster c;
    cluster_init(&c, "r7g.2xlarge");
    c.types[1].type.architecture = TASKFIT_ARCH_X86_64;
    c.groups[1].azs = c.azs + 1; /* heavy stands in us-east-1b only */
    c.groups[1].n_azs = 1;
    const size_t heavy = 1;
    static const struct {
        taskfit_architecture architecture;
        bool pinned; /* to heavy */
        size_t group, type, az;
        bool permitted;
    } row[] = {
        {TASKFIT_ARCH_ANY, false, 0, 0, 0, true},    {TASKFIT_ARCH_ANY, false, 0, 1, 1, true},
        {TASKFIT_ARCH_ARM64, false, 0, 0, 0, true},  {TASKFIT_ARCH_ARM64, false, 0, 1, 0, false},
        {TASKFIT_ARCH_X86_64, false, 0, 0, 0, false}, {TASKFIT_ARCH_X86_64, false, 0, 1, 0, true},
        {TASKFIT_ARCH_ANY, true, 0, 0, 0, false},    {TASKFIT_ARCH_ANY, true, 1, 0, 1, true},
        {TASKFIT_ARCH_ANY, false, 1, 0, 0, false},   {TASKFIT_ARCH_X86_64, true, 1, 0, 1, false},
    };
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        taskfit_service service = {.name = "s", .architecture = row[r].architecture, .groups = &heavy, .n_groups = row[r].pinned};
        if (taskfit_service_permitted(&c.deployment, &service, row[r].group, row[r].type, row[r].az) != row[r].permitted) {
            fail_msg("row %zu", r);
        }
    }
    taskfit_arena_free(c.arena);
}

static void expressions_permit(void **state) {
    (void)state;
    cluster c;
    cluster_init(&c, "r7g.2xlarge");
    const taskfit_attribute stack = {"stack", "prod"};
    c.groups[1].attributes = &stack;
    c.groups[1].n_attributes = 1;
    static const struct {
        const char *text;
        size_t group, az;
        bool permitted;
    } row[] = {
        {"attribute:ecs.instance-type =~ r7g.*", 0, 0, true},
        {"attribute:ecs.instance-type == m5.large", 0, 0, false},
        {"attribute:ecs.availability-zone == us-east-1b", 0, 0, false},
        {"attribute:ecs.availability-zone == us-east-1b", 0, 1, true},
        {"attribute:ecs.cpu-architecture == arm64 and attribute:ecs.os-type == linux and attribute:ecs.os-family == LINUX", 0, 0, true},
        {"attribute:stack == prod", 0, 0, false},
        {"attribute:stack == prod", 1, 0, true},
        {"not(task:group == service:other)", 0, 0, true},
    };
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        /* twice: all expressions bind */
        const taskfit_query *queries[2] = {NULL, NULL};
        assert_int_equal(taskfit_query_compile(c.arena, "agentConnected == true", &queries[0], NULL), TASKFIT_OK);
        assert_int_equal(taskfit_query_compile(c.arena, row[r].text, &queries[1], NULL), TASKFIT_OK);
        taskfit_service service = {.name = "s", .queries = queries, .n_member_of = 2};
        assert_int_equal(taskfit_member_of_check(&c.deployment, &service, 1, NULL), TASKFIT_OK);
        if (taskfit_service_permitted(&c.deployment, &service, row[r].group, 0, row[r].az) != row[r].permitted) {
            fail_msg("%s in group %zu", row[r].text, row[r].group);
        }
    }
    taskfit_arena_free(c.arena);
}

static void expressions_a_plan_cannot_answer(void **state) {
    (void)state;
    cluster c;
    cluster_init(&c, "r7g.2xlarge");
    const taskfit_attribute ami = {"ecs.ami-id", "ami-1"};
    const size_t main_group = 0;
    const taskfit_query *query = NULL;
    taskfit_error err = {0};
    assert_int_equal(taskfit_query_compile(c.arena, "attribute:ecs.ami-id == ami-1", &query, NULL), TASKFIT_OK);
    taskfit_service service = {.name = "s", .queries = &query, .n_member_of = 1};
    assert_int_equal(taskfit_member_of_check(&c.deployment, &service, 0, &err), TASKFIT_E_INPUT);
    assert_string_equal(err.message, "a plan cannot know 'ecs.ami-id' of an instance (add it to the attributes of instance group "
                                     "'main')");
    c.groups[0].attributes = &ami;
    c.groups[0].n_attributes = 1;
    err = (taskfit_error){0};
    assert_int_equal(taskfit_member_of_check(&c.deployment, &service, 0, &err), TASKFIT_E_INPUT);
    assert_non_null(strstr(err.message, "'heavy'"));
    service.groups = &main_group; /* heavy does not matter then */
    service.n_groups = 1;
    assert_int_equal(taskfit_member_of_check(&c.deployment, &service, 0, &err), TASKFIT_OK);
    assert_true(taskfit_service_permitted(&c.deployment, &service, 0, 0, 0));
    taskfit_arena_free(c.arena);
}

static const char file[] =
    "taskfit: 1\n"
    "cluster:\n"
    "  availabilityZones: [us-east-1a, us-east-1b]\n"
    "  instanceTypes: [{type: m5.large, registeredMemory: 7690}]\n"
    "  instanceGroups:\n"
    "    - {name: main, types: [m5.large], attributes: {stack: prod}}\n"
    "    - {name: heavy, types: [r7g.2xlarge], availabilityZones: [us-east-1b], reservedMemory: 256, reservedCpu: 0.5 vCPU, maxTasks: 58}\n"
    "  daemons:\n"
    "    - {name: agent, cpu: 64, memory: 256, placementConstraints: [{type: memberOf, expression: 'attribute:stack == prod'}]}\n"
    "sidecars: {eureka: {image: i, cpu: 0, memory: 512, memoryReservation: 256}}\n"
    "services:\n"
    "  - {name: both, cpu: 512, memory: 4Gi, memoryReservation: 3690, sidecar: eureka, portMappings: [{containerPort: 80, hostPort: 8080}]}\n"
    "  - {name: mixed, containerDefinitions: [{name: a, memoryReservation: 512}, {name: b, memory: 512}]}\n"
    "  - {name: level, task: {memory: 2048, cpu: 256}, containerDefinitions: [{name: a, memoryReservation: 512}, {name: b, memory: 512}]}\n"
    "  - {name: own, networkMode: awsvpc, cpu: 0.25 vCPU, memory: 64, portMappings: [{containerPort: 80}]}\n"
    "  - {name: host, networkMode: host, memory: 64, portMappings: [{containerPort: 53, protocol: udp}, {containerPort: 80}]}\n"
    "  - {name: seen, cpu: 512, memory: 64, observed: {cpu: 128, memory: 50}, runtimePlatform: {cpuArchitecture: X86_64},\n"
    "     resourceRequirements: [{type: GPU, value: '2'}]}\n"
    "  - {name: pinned, memory: 64, group: heavy}\n";

static void figures_of_a_file(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int64_t memory, cpu, eni, gpu, ports, hard, expected_cpu, expected_memory;
        bool in_main, in_heavy;
    } row[] = {
        {"both", 3946, 512, 0, 0, 1, 4608, 512, 3946, true, true},   {"mixed", 1024, 0, 0, 0, 0, 1024, 0, 1024, true, true},
        {"level", 2048, 256, 0, 0, 0, 1024, 256, 2048, true, true},  {"own", 64, 256, 1, 0, 0, 64, 256, 64, true, true},
        {"host", 64, 0, 0, 0, 2, 64, 0, 64, true, true},             {"seen", 64, 512, 0, 2, 0, 64, 128, 50, true, false},
        {"pinned", 64, 0, 0, 0, 0, 64, 0, 64, false, true},
    };
    taskfit_parse_options options;
    taskfit_parse_options_init(&options);
    taskfit_deployment *deployment = NULL;
    taskfit_error err = {0};
    if (taskfit_deployment_parse("file.yaml", file, sizeof file - 1, &options, &deployment, &err) != TASKFIT_OK) {
        fail_msg("%s: %s", err.where, err.message);
        return;
    }
    taskfit_arena *arena = taskfit_arena_new();
    ASSERT_INT(deployment->n_services, sizeof row / sizeof *row);
    for (size_t s = 0; s < deployment->n_services; s++) {
        const taskfit_service *service = &deployment->services[s];
        taskfit_task_demand demand = taskfit_task_demand_of(service, arena);
        const int64_t expected[TASKFIT_RESOURCE_COUNT] = {row[s].memory, row[s].cpu,  row[s].eni,          row[s].gpu,            1,
                                                          row[s].ports,  row[s].hard, row[s].expected_cpu, row[s].expected_memory};
        assert_string_equal(service->name, row[s].name);
        for (int r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
            if (demand.amount[r] != expected[r]) {
                fail_msg("%s: %s is %lld", row[s].name, taskfit_resource_name((taskfit_resource)r), (long long)demand.amount[r]);
            }
        }
        assert_int_equal(taskfit_service_permitted(deployment, service, 0, 0, 0), row[s].in_main);
        assert_int_equal(taskfit_service_permitted(deployment, service, 1, 0, 1), row[s].in_heavy);
        assert_false(taskfit_service_permitted(deployment, service, 1, 0, 0)); /* heavy has no instances there */
    }
    taskfit_instance_capacity in_main = taskfit_instance_capacity_of(deployment, 0, 0, 0, arena);
    ASSERT_INT(in_main.amount[TASKFIT_RESOURCE_MEMORY], 7690);
    ASSERT_INT(in_main.daemons[TASKFIT_RESOURCE_MEMORY], 256);
    ASSERT_INT(in_main.amount[TASKFIT_RESOURCE_TASKS], TASKFIT_UNLIMITED);
    taskfit_instance_capacity in_heavy = taskfit_instance_capacity_of(deployment, 1, 0, 1, arena);
    ASSERT_INT(in_heavy.amount[TASKFIT_RESOURCE_MEMORY], 63138 - 256);
    ASSERT_INT(in_heavy.amount[TASKFIT_RESOURCE_CPU], 8192 - 512);
    ASSERT_INT(in_heavy.amount[TASKFIT_RESOURCE_TASKS], 58);
    ASSERT_INT(in_heavy.n_daemons, 0); /* its constraint forbids heavy */
    taskfit_arena_free(arena);
    taskfit_deployment_free(deployment);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_one_task_takes),
        cmocka_unit_test(which_host_ports_a_task_takes),
        cmocka_unit_test(what_one_instance_gives),
        cmocka_unit_test(awsvpc_slots_go_by_trunking),
        cmocka_unit_test(tasks_per_instance_of_public_cases),
        cmocka_unit_test(daemons_stand_where_they_may),
        cmocka_unit_test(groups_architecture_and_azs_permit),
        cmocka_unit_test(expressions_permit),
        cmocka_unit_test(expressions_a_plan_cannot_answer),
        cmocka_unit_test(figures_of_a_file),
    };
    return RUN_TESTS(tests);
}
