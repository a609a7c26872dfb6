#include "unit.h"

#include "base/strbuf.h"
#include "taskfit/render.h"

static void add_line(void *arg, const char *text) {
    taskfit_strbuf_printf(arg, "%s\n", text);
}

static void add_file(void *arg, const taskfit_rendered *file) {
    if (file->kind == TASKFIT_RENDERED_TASK_DEFINITION) {
        taskfit_strbuf_add(arg, file->data, file->len);
    }
}

/* Renders the services with one base, or tells the defects. */
static taskfit_status render(const char *services, const char *base, taskfit_strbuf *files, taskfit_strbuf *told) {
    TASKFIT_STRBUF(text);
    taskfit_deployment *deployment = NULL;
    taskfit_parse_options parse;
    taskfit_parse_options_init(&parse);
    parse.diag = add_line;
    parse.diag_arg = told;
    taskfit_strbuf_printf(&text, "{taskfit: 1, cluster: {instanceGroups: [{name: g, types: [m6i.large]}]}, services: [%s]}", services);
    if (taskfit_deployment_parse("d", text.data, text.len, &parse, &deployment, NULL) != TASKFIT_OK) {
        fail_msg("%s", told->data);
    }
    const taskfit_render_base bases[] = {{"b", base, strlen(base), false}};
    taskfit_render_options options;
    taskfit_render_options_init(&options);
    options.bases = bases;
    options.n_bases = 1;
    options.note = options.defect = add_line;
    options.note_arg = options.defect_arg = told;
    const taskfit_status status = taskfit_render(deployment, &options, add_file, files, NULL);
    taskfit_deployment_free(deployment);
    return status;
}

#define ONE "{family: a, containerDefinitions: [{name: a, image: x, memory: 64"
#define FIVE(a) "{name: " a "1}, {name: " a "2}, {name: " a "3}, {name: " a "4}, {name: " a "5}"
#define TWO ONE "}, {name: b, image: x, memory: 64"

/* What Amazon ECS would refuse, with the path of the field. */
static const struct {
    const char *base, *told;
} refused[] = {
    {"[]", "b: no task definition (neither containerDefinitions nor taskDefinition stands in it)\n"},
    {"{family: a, containerDefinitions: 3}", "b:1:35: containerDefinitions: must be a list, not a scalar\n"},
    {"{family: a, containerDefinitions: [3]}", "b:1:36: containerDefinitions[0]: must be a map, not a scalar\n"},
    {"{family: a, containerDefinitions: [{image: x}]}", "b:1:36: containerDefinitions[0].name: is missing (containers are matched by name)\n"},
    {"{containerDefinitions: []}", "b:1:1: family: is missing (services are matched by it)\n"},
    {"{family: [a], containerDefinitions: []}", "b:1:10: family: must be a scalar, not a list\n"},
    {ONE ", environment: {A: b}}]}", "b:1:81: containerDefinitions[0].environment: must be a list, not a map\n"},
    {"[" ONE "}]}, " ONE "}]}]", "b:1:72: family 'a' is given twice, also in 'b' (give one, or revisions that differ)\n"},
    {ONE "}], cpu: 1 GHz}", "b:1:75: service 'a': cpu: '1 GHz' is no task CPU (write units such as '1024', or '1 vCPU')\n"},
    {ONE "}], cpu: .1 vCPU}", "b:1:75: service 'a': cpu: '.1 vCPU' is no task CPU (write units such as '1024', or '1 vCPU')\n"},
    {ONE "}], cpu: 100}", "b:1:75: service 'a': cpu: 100 is not within 128 to 196608 CPU units\n"},
    {ONE "}], memory: 1 TB}", "b:1:78: service 'a': memory: '1 TB' is no task memory (write MiB such as '2048', or '2GB')\n"},
    {ONE "}], networkMode: nat}", "b:1:83: service 'a': networkMode: 'nat' is none of bridge, host, awsvpc, none\n"},
    {ONE "}], placementConstraints: [{type: distinctInstance}]}",
     "b:1:93: service 'a': placementConstraints[0]: a task definition takes memberOf alone, not 'distinctInstance' (distinctInstance "
     "belongs to the service)\n"},
    {ONE "}, {name: a, image: y, memory: 64}]}", "b:1:76: service 'a': containerDefinitions[1].name: 'a' is given twice (names must differ)\n"},
    {ONE "}, {name: 'b c', image: y, memory: 64}]}",
     "b:1:76: service 'a': containerDefinitions[1].name: 'b c' is no container name (up to 255 letters, digits, '-' and '_')\n"},
    {ONE "}, {name: b, memory: 64}]}", "b:1:69: service 'a': containerDefinitions[1].image: is missing (add image: REPOSITORY:TAG)\n"},
    {ONE "}, {name: b, image: x}]}",
     "b:1:69: service 'a': containerDefinitions[1]: has neither memory nor memoryReservation (Amazon ECS needs one of them, or the "
     "task's memory)\n"},
    {TWO ", memoryReservation: 65}]}",
     "b:1:120: service 'a': containerDefinitions[1].memoryReservation: 65 MiB is above the hard limit of 64 MiB (lower it or raise memory)\n"},
    {TWO ", memoryReservation: 0}]}",
     "b:1:120: service 'a': containerDefinitions[1].memoryReservation: Amazon ECS refuses a reservation of 0 (leave it out or reserve at "
     "least 1 MiB)\n"},
    {ONE "}, {name: b, image: x, memory: 5}]}",
     "b:1:97: service 'a': containerDefinitions[1].memory: 5 MiB is too little to start a container (at least 6)\n"},
    {TWO ", cpu: -1}]}", "b:1:106: service 'a': containerDefinitions[1].cpu: '-1' is no whole number\n"},
    {TWO "}], memory: 60}",
     "b:1:64: service 'a': containerDefinitions[0].memory: 64 MiB is above the task's memory of 60 MiB\n"
     "b:1:97: service 'a': containerDefinitions[1].memory: 64 MiB is above the task's memory of 60 MiB\n"},
    {"{family: a, memory: 9, containerDefinitions: [{name: a, image: x}, " FIVE("b") ", " FIVE("c") "]}",
     "containerDefinitions: 11 containers (Amazon ECS takes 1 to 10)\n"},
    {ONE ", essential: false}]}", "b:1:35: service 'a': containerDefinitions: no container is essential (Amazon ECS needs at least one)\n"},
    {ONE ", portMappings: [{containerPort: 80, hostPort: 81}]}], networkMode: awsvpc}",
     "b:1:83: service 'a': containerDefinitions[0].portMappings[0]: hostPort 81 differs from containerPort 80 (network mode awsvpc takes "
     "the same or none)\n"},
    {ONE ", portMappings: [{containerPort: 80}]}], networkMode: none}",
     "b:1:83: service 'a': containerDefinitions[0].portMappings[0]: network mode none has no ports (remove the port mapping)\n"},
    {ONE ", portMappings: [{containerPort: 0}, {hostPort: 70000, containerPort: 1}]}]}",
     "b:1:83: service 'a': containerDefinitions[0].portMappings[0]: needs a containerPort of 1 to 65535\n"
     "b:1:103: service 'a': containerDefinitions[0].portMappings[1]: needs a hostPort of 0 to 65535, or none\n"},
    {ONE ", portMappings: [{containerPort: 1, protocol: icmp}]}]}",
     "b:1:83: service 'a': containerDefinitions[0].portMappings[0]: protocol 'icmp' is neither tcp nor udp\n"},
    {ONE ", portMappings: [{containerPort: 1, hostPort: 9}, {containerPort: 2, hostPort: 9}]}]}",
     "b:1:116: service 'a': containerDefinitions[0].portMappings: port 9 is taken twice in one task (give each mapping a port of its own)\n"},
    {ONE ", links: [b]}], networkMode: host}", "b:1:75: service 'a': containerDefinitions[0].links: go with network mode bridge alone\n"},
    {ONE ", environment: [{name: A, value: b}], secrets: [{name: A, valueFrom: c}]}]}",
     "b:1:114: service 'a': containerDefinitions[0].secrets: 'A' is in environment too (Amazon ECS takes one of them)\n"},
    {ONE ", environment: [{value: b}]}]}", "b:1:82: service 'a': containerDefinitions[0].environment: variable 0 has no name\n"},
    {ONE ", dependsOn: [{containerName: z, condition: START}]}]}",
     "b:1:80: service 'a': containerDefinitions[0].dependsOn[0]: 'z' is no other container of the task\n"},
    {TWO ", dependsOn: [{containerName: a, condition: NOW}]}]}",
     "b:1:113: service 'a': containerDefinitions[1].dependsOn[0]: condition 'NOW' is none of START, COMPLETE, SUCCESS, HEALTHY\n"},
    {TWO ", dependsOn: [{containerName: a, condition: HEALTHY}]}]}",
     "b:1:113: service 'a': containerDefinitions[1].dependsOn[0]: waits for 'a' to be HEALTHY, which has no healthCheck\n"},
    {TWO ", dependsOn: [{containerName: a, condition: SUCCESS}]}]}",
     "b:1:113: service 'a': containerDefinitions[1].dependsOn[0]: waits for 'a' to end, which is essential (set its essential to false)\n"},
    {ONE ", mountPoints: [{sourceVolume: v, containerPath: /v}]}]}",
     "b:1:82: service 'a': containerDefinitions[0].mountPoints: volume 'v' is none of the task's volumes\n"},
    {ONE ", healthCheck: {command: [x], interval: 3}}]}",
     "b:1:81: service 'a': containerDefinitions[0].healthCheck: interval '3' is not within 5 to 300\n"},
    {ONE ", logConfiguration: {logDriver: awsfirelens}}]}",
     "b:1:86: service 'a': containerDefinitions[0].logConfiguration: logDriver awsfirelens needs a container with firelensConfiguration in "
     "the task\n"},
    {ONE ", firelensConfiguration: {type: fluentd}}, {name: b, image: x, memory: 64, firelensConfiguration: {type: fluentd}}]}",
     "b:1:109: service 'a': containerDefinitions: 2 containers have a firelensConfiguration (Amazon ECS takes one)\n"},
    {ONE "}], requiresCompatibilities: [FARGATE]}",
     "b: service 'a': networkMode: 'bridge' does not go with FARGATE in requiresCompatibilities (Fargate takes awsvpc alone)\n"
     "b:1:1: service 'a': cpu: Fargate needs cpu and memory of the task (state task.cpu and task.memory)\n"},
    {ONE "}], requiresCompatibilities: [FARGATE], networkMode: awsvpc, cpu: 256, memory: 3GB, placementConstraints: [{type: memberOf, "
         "expression: a}]}",
     "b:1:172: service 'a': placementConstraints: Fargate takes none (remove them, or FARGATE)\n"
     "b:1:145: service 'a': memory: 3072 MiB beside 256 CPU units is no size of Fargate (such as 1024 units with 2048 to 8192 MiB)\n"},
};

static void refuses(void **state TASKFIT_UNUSED) {
    size_t n_wrong = 0;
    for (size_t row = 0; row < sizeof refused / sizeof refused[0]; row++) {
        TASKFIT_STRBUF(files);
        TASKFIT_STRBUF(told);
        const taskfit_status status = render("{name: a, memory: 64}", refused[row].base, &files, &told);
        const char *defects = strstr(told.data, "b:") != NULL ? strstr(told.data, "b:") : told.data;
        if (status != TASKFIT_E_INPUT || files.len > 0 || strstr(told.data, refused[row].told) == NULL) {
            print_error("%s\n  told %s", refused[row].base, defects);
            n_wrong++;
        }
    }
    ASSERT_INT(n_wrong, 0);
}

static const struct {
    const char *what, *services, *base, *rendered, *told;
} merged[] = {
    {"numbers that mean the same stay as they are", "{name: a, memory: 64, task: {cpu: 1024, memory: 2048}}",
     "{cpu: 1 vcpu, memory: 2 GB, family: a, containerDefinitions: [{name: a, image: x, memory: 64}]}",
     "cpu: 1 vcpu\nmemory: 2 GB\nfamily: a\ncontainerDefinitions:\n- name: a\n  image: x\n  memory: 64\n", ""},
    {"a reservation that would be counted goes", "{name: a, memory: 64}", ONE ", memoryReservation: 32}]}",
     "family: a\ncontainerDefinitions:\n- name: a\n  image: x\n  memory: 64\n",
     "service 'a': memoryReservation of container 'a' is taken out, since the deployment states memory alone\n"},
    {"a hard limit that is not stated stays", "{name: a, memoryReservation: 32}", ONE "}]}",
     "family: a\ncontainerDefinitions:\n- name: a\n  image: x\n  memory: 64\n  memoryReservation: 32\n", ""},
    {"a container of the base alone is kept and told", "{name: a, memory: 64}", TWO ", cpu: 5}]}",
     "family: a\ncontainerDefinitions:\n- name: a\n  image: x\n  memory: 64\n- name: b\n  image: x\n  memory: 64\n  cpu: 5\n",
     "service 'a': with what its base adds a task takes 128 MiB of memory, but the plan counts 64 (state it in the deployment)\n"
     "service 'a': with what its base adds a task takes 5 CPU units, but the plan counts 0 (state it in the deployment)\n"},
    {"a container of the deployment alone is added", "{name: a, memory: 64, sidecar: {name: s, image: z, memory: 6}}", ONE "}]}",
     "family: a\ncontainerDefinitions:\n- name: a\n  image: x\n  memory: 64\n- name: s\n  image: z\n  cpu: 0\n  memory: 6\n  essential: "
     "true\n",
     "service 'a': container 's' is added; its base has none of that name\n"},
    {"constraints that are stated replace those of the base",
     "{name: a, memory: 64, placementConstraints: [{type: memberOf, expression: 'attribute:ecs.os-type == linux'}]}",
     ONE "}], placementConstraints: [{type: memberOf, expression: old}]}",
     "family: a\ncontainerDefinitions:\n- name: a\n  image: x\n  memory: 64\nplacementConstraints:\n- type: memberOf\n  expression: "
     "attribute:ecs.os-type == linux\n",
     ""},
    {"essential and the architecture where stated", "{name: a, memory: 64, essential: true, runtimePlatform: {cpuArchitecture: ARM64}}",
     ONE ", essential: true}], runtimePlatform: {operatingSystemFamily: LINUX}}",
     "family: a\ncontainerDefinitions:\n- name: a\n  image: x\n  memory: 64\n  essential: true\nruntimePlatform:\n  "
     "operatingSystemFamily: LINUX\n  cpuArchitecture: ARM64\n",
     ""},
    {"nulls and read-only fields go", "{name: a, memory: 64}",
     "{taskDefinition: {family: a, revision: 3, status: ACTIVE, taskRoleArn: null, containerDefinitions: [{name: a, image: x, memory: 64, "
     "cpu: null}], deregisteredAt: 1}}",
     "family: a\ncontainerDefinitions:\n- name: a\n  image: x\n  memory: 64\n", ""},
    {"flags where they stand, whatever their spelling", "{name: a, memory: 64, jvm: {xmx: 9m, xms: 8m}}",
     ONE ", environment: [{name: JAVA_OPTS, value: ' \"-Xmx7m\"  -Da=b '}], command: [java, -Xms1m, '']}]}",
     "family: a\ncontainerDefinitions:\n- name: a\n  image: x\n  memory: 64\n  environment:\n  - name: JAVA_OPTS\n    value: ' -Xmx9m  "
     "-Da=b '\n  command:\n  - java\n  - -Xms8m\n  - ''\n",
     ""},
};

static void merges(void **state TASKFIT_UNUSED) {
    for (size_t row = 0; row < sizeof merged / sizeof merged[0]; row++) {
        TASKFIT_STRBUF(files);
        TASKFIT_STRBUF(told);
        ASSERT_INT(render(merged[row].services, merged[row].base, &files, &told), TASKFIT_OK);
        if (strcmp(files.data, merged[row].rendered) != 0 || strcmp(told.data, merged[row].told) != 0) {
            fail_msg("%s:\n%s%s", merged[row].what, files.data, told.data);
        }
    }
}

static void keeps_secrets_apart(void **state TASKFIT_UNUSED) {
    TASKFIT_STRBUF(files);
    TASKFIT_STRBUF(told);
    ASSERT_INT(render("{name: a, memory: 64, jvm: {xmx: 9m}}", ONE ", secrets: [{name: JAVA_OPTIONS, valueFrom: x}]}]}", &files, &told),
               TASKFIT_E_INPUT);
    assert_string_equal(told.data, "b:1:36: container 'a': JAVA_OPTIONS comes from secrets and cannot be set (remove jvm from service 'a')\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(refuses), cmocka_unit_test(merges), cmocka_unit_test(keeps_secrets_apart)};
    return RUN_TESTS(tests);
}
