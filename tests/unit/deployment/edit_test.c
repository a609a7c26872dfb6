#include "unit.h"

#include <stdlib.h>

#include "deployment/edit.h"

static const char resolved[] =
    "taskfit: 1\n"
    "cluster:\n"
    "  name: relc\n"
    "  instanceTypes: [{type: m5.large, registeredMemory: 7690}]\n"
    "  instanceGroups:\n"
    "    - {name: main, types: [m5.large, {type: r7g.2xlarge, max: 4}], max: 10}\n"
    "    - {name: heavy, types: [c7g.large], max: 20}\n"
    "  daemons:\n"
    "    - {name: agent, cpu: 64, memory: 128}\n"
    "services:\n"
    "  - {name: mod-users, cpu: 512, memory: 1024, memoryReservation: 800, desiredCount: 3,\n"
    "     environment: [{name: A, value: x}], sidecar: {name: eureka, cpu: 1024, memory: 512Mi}}\n"
    "  - {name: mod-inventory, memory: 2Gi, observed: {cpu: 0.5 vCPU}, sidecar: {name: eureka, cpu: 0, memory: 512}}\n"
    "  - {name: keycloak, cpu: 500m, memory: 8192, sidecar: null}\n"
    "  - {name: long, containerDefinitions: [{name: app, cpu: 256, memory: 700}, {name: helper, memory: 100}], task: {cpu: 1024}}\n"
    "policy: {spread: required}\n"
    "costs: {hoursPerMonth: 730, items: [{name: kafka, usdPerMonth: '100.50', count: 2}]}\n"
    "defaults: {desiredCount: 2}\n"
    "sidecars: {eureka: {memory: 512}}\n";

static taskfit_node *read(taskfit_arena *arena, const char *text) {
    taskfit_node *root = NULL;
    taskfit_error err = {0};
    if (taskfit_node_read_yaml(arena, "relc.yaml", text, strlen(text), &root, &err) != TASKFIT_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
    return root;
}

/* "services.0.cpu": keys and indexes; NULL where there is nothing. */
static const taskfit_node *probe(const taskfit_node *node, const char *path) {
    char key[64];
    while (node && *path) {
        size_t len = strcspn(path, "/");
        snprintf(key, sizeof key, "%.*s", (int)len, path);
        path += len + (path[len] == '/');
        if (node->kind == TASKFIT_NODE_LIST) {
            size_t index = strtoul(key, NULL, 10);
            node = index < node->n ? node->items[index] : NULL;
        } else {
            node = taskfit_node_get(node, key);
        }
    }
    return node;
}

/* Applies a scenario ("[{set: ...}]") or an argument ("PATH=VALUE"); defects land in `messages`, a line each. */
static taskfit_node *apply(taskfit_arena *arena, const char *text, taskfit_edit_step step, taskfit_strbuf *messages) {
    taskfit_node *root = read(arena, resolved);
    taskfit_diag *diag = taskfit_diag_new(arena);
    taskfit_edit one;
    const taskfit_edit *edits = &one;
    size_t n_edits = 1;
    if (text[0] == '[') {
        taskfit_edits_decode(arena, read(arena, text), "scenarios.tuned", diag, &edits, &n_edits);
    } else {
        taskfit_error err = {0};
        if (taskfit_edit_parse(arena, "--set", text, &one, &err) != TASKFIT_OK) {
            taskfit_strbuf_printf(messages, "%s\n", err.message);
            return root;
        }
    }
    taskfit_edits_apply(arena, root, edits, n_edits, step, diag);
    size_t n = 0;
    const taskfit_defect *defects = taskfit_diag_sorted(diag, &n);
    for (size_t d = 0; d < n; d++) {
        taskfit_defect_format(&defects[d], messages);
        taskfit_strbuf_addc(messages, '\n');
    }
    return root;
}

static void edits_reach_their_places(void **state) {
    (void)state;
    static const struct {
        const char *edit;
        const char *place, *value; /* value NULL: nothing is there */
    } row[] = {
        /* one service, by name and by glob; the others stay */
        {"mod-users.cpu=256", "services/0/cpu", "256"},
        {"mod-users.cpu=256", "services/1/cpu", NULL},
        {"services.mod-users.cpu=256", "services/0/cpu", "256"},
        {"mod-*.cpu=0", "services/1/cpu", "0"},
        {"mod-*.cpu=0", "services/2/cpu", "500m"},
        {"*.cpu=0", "services/2/cpu", "0"},
        {"mod-?sers.cpu=7", "services/0/cpu", "7"},
        {"'mod-users'.cpu=7", "services/0/cpu", "7"},
        {"mod-users.observed.cpu=100", "services/0/observed/cpu", "100"}, /* maps come into being */
        {"mod-users.environment.A.value=y", "services/0/environment/0/value", "y"},
        {"mod-users.environment.0.value=y", "services/0/environment/0/value", "y"},
        {"mod-users.memory=", "services/0/memory", "null"},
        {"mod-users.memory=null", "services/0/memory", "null"},
        {"mod-users.jvm={xmx: 512m, options: -XX:+UseZGC}", "services/0/jvm/options", "-XX:+UseZGC"},
        {"mod-users.image=a=b", "services/0/image", "a=b"},
        {"mod-users.sidecar=eureka", "services/0/sidecar", "eureka"},
        {"keycloak.sidecar={base: eureka}", "services/2/sidecar/base", "eureka"},
        /* sidecars */
        {"sidecar.memory=256", "services/0/sidecar/memory", "256"},
        {"sidecar.memory=256", "services/1/sidecar/memory", "256"},
        {"sidecar.memory=256", "services/2/sidecar", "null"},
        {"mod-users.sidecar.memory=256", "services/0/sidecar/memory", "256"},
        {"mod-users.sidecar.memory=256", "services/1/sidecar/memory", "512"},
        {"*.sidecar.memory=256", "services/1/sidecar/memory", "256"},
        {"sidecar=null", "services/1/sidecar", "null"},
        /* containers, in long form and in short */
        {"long.containers.helper.cpu=9", "services/3/containerDefinitions/1/cpu", "9"},
        {"long.containerDefinitions.helper.cpu=9", "services/3/containerDefinitions/1/cpu", "9"},
        {"long.containers.0.cpu=9", "services/3/containerDefinitions/0/cpu", "9"},
        {"long.containers.*.cpu=9", "services/3/containerDefinitions/0/cpu", "9"},
        {"long.task.cpu=2048", "services/3/task/cpu", "2048"},
        {"long.cpu=9", "services/3/containerDefinitions/0/cpu", "9"},
        {"long.cpu=9", "services/3/cpu", NULL},
        {"long.desiredCount=9", "services/3/desiredCount", "9"},
        {"mod-users.containers.mod-users.cpu=9", "services/0/cpu", "9"},
        {"mod-users.containers.eureka.cpu=9", "services/0/sidecar/cpu", "9"},
        {"*.containers.*.cpu=9", "services/3/containerDefinitions/1/cpu", "9"},
        {"*.containers.*.cpu=9", "services/1/sidecar/cpu", "9"},
        /* the cluster and other sections; members by name, type, own text, index */
        {"cluster.name=other", "cluster/name", "other"},
        {"cluster.instanceGroups.main.types=[r7g.4xlarge]", "cluster/instanceGroups/0/types/0", "r7g.4xlarge"},
        {"cluster.instanceGroups.1.max=5", "cluster/instanceGroups/1/max", "5"},
        {"cluster.instanceGroups.*.max=5", "cluster/instanceGroups/0/max", "5"},
        {"cluster.instanceGroups.main.types.'r7g.2xlarge'.max=9", "cluster/instanceGroups/0/types/1/max", "9"},
        {"cluster.instanceGroups.main.types.\"m5.large\".max=9", "cluster/instanceGroups/0/types/0/max", "9"},
        {"cluster.instanceGroups.main.types.\"m5.large\".max=9", "cluster/instanceGroups/0/types/0/type", "m5.large"},
        {"cluster.instanceGroups.main.types.0=t3.large", "cluster/instanceGroups/0/types/0", "t3.large"},
        {"cluster.instanceTypes.'m5.large'.usdPerHour=0.1", "cluster/instanceTypes/0/usdPerHour", "0.1"},
        {"cluster.daemons.agent.memory=64", "cluster/daemons/0/memory", "64"},
        {"policy.spread=preferred", "policy/spread", "preferred"},
        {"policy.objective=[cost, count]", "policy/objective/0", "cost"},
        {"policy.headroom.memoryPercent=10", "policy/headroom/memoryPercent", "10"},
        {"costs.items.kafka.count=3", "costs/items/0/count", "3"},
        /* add and scale, in the unit of the key */
        {"[{set: mod-users.cpu, add: 100}]", "services/0/cpu", "612"},
        {"[{set: mod-users.cpu, add: -100}]", "services/0/cpu", "412"},
        {"[{set: mod-inventory.memory, add: 1Gi}]", "services/1/memory", "3072"},
        {"[{set: mod-inventory.observed.cpu, scale: 1.5}]", "services/1/observed/cpu", "768"},
        {"[{set: keycloak.cpu, scale: 1}]", "services/2/cpu", "512"},
        {"[{set: mod-users.desiredCount, scale: 1.5}]", "services/0/desiredCount", "5"},
        {"[{set: '*.desiredCount', scale: 3}]", "services/2/desiredCount", "3"}, /* 1 where it says nothing */
        {"[{set: '*.memoryReservation', scale: 0.333333}]", "services/0/memoryReservation", "267"},
        {"[{set: '*.memoryReservation', scale: 0.333333}]", "services/1/memoryReservation", NULL},
        {"[{set: mod-inventory.cpu, add: 0.25 vCPU}]", "services/1/cpu", "256"},
        {"[{set: costs.items.kafka.usdPerMonth, scale: 2}]", "costs/items/0/usdPerMonth", "201.000000"},
        {"[{set: cluster.instanceTypes.0.registeredMemory, add: -90}]", "cluster/instanceTypes/0/registeredMemory", "7600"},
        /* unset; order */
        {"[{set: mod-users.cpu, unset: true}]", "services/0/cpu", NULL},
        {"[{set: '*.cpu', unset: true}]", "services/2/cpu", NULL},
        {"[{set: cluster.instanceGroups.main, unset: true}]", "cluster/instanceGroups/0/name", "heavy"},
        {"[{set: cluster.instanceGroups.*, unset: true}]", "cluster/instanceGroups/0", NULL},
        {"[{set: mod-users.cpu, to: 1}, {set: '*.cpu', to: 10}, {set: mod-users.cpu, add: 5}]", "services/0/cpu", "15"},
    };
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        taskfit_arena *arena = taskfit_arena_new();
        TASKFIT_STRBUF(messages);
        const taskfit_node *found = probe(apply(arena, row[r].edit, TASKFIT_EDIT_RESOLVED, &messages), row[r].place);
        if (messages.len > 0) {
            fail_msg("%s: %s", row[r].edit, messages.data);
        }
        const char *text = !found ? "(nothing)" : found->kind == TASKFIT_NODE_SCALAR ? found->text : "(no scalar)";
        if (strcmp(text, row[r].value ? row[r].value : "(nothing)") != 0) {
            fail_msg("%s: %s is %s", row[r].edit, row[r].place, text);
        }
        taskfit_arena_free(arena);
    }
}

static void what_is_no_edit(void **state) {
    (void)state;
    static const struct {
        const char *edit, *message;
    } row[] = {
        /* paths */
        {"mod-users.cpu", "no '=' in 'mod-users.cpu' (--set PATH=VALUE)"},
        {"=1", "an empty part in '' (quote a part that contains a dot)"},
        {"mod-users..cpu=1", "an empty part in 'mod-users..cpu' (quote a part that contains a dot)"},
        {"mod-users.'cpu=1", "no '=' in 'mod-users.'cpu=1' (--set PATH=VALUE)"},
        {"'a'b.cpu=1", "text behind a quote in ''a'b.cpu' (a dot parts keys)"},
        {"a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q=1", "more than 16 parts in 'a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q'"},
        /* nothing there, with the nearest name */
        {"mod-user.cpu=1", "--set mod-user.cpu=1: no service matches 'mod-user' (did you mean 'mod-users'?)"},
        {"mod-z*.cpu=1", "--set mod-z*.cpu=1: no service matches 'mod-z*' (there is 'mod-users' and others)"},
        {"clustr.name=1", "--set clustr.name=1: no service matches 'clustr' (did you mean 'cluster'?)"},
        {"'cluster'.name=1", "--set 'cluster'.name=1: no service matches 'cluster' (did you mean 'cluster'?)"},
        {"mod-users=1", "--set mod-users=1: 'mod-users' names a service and no key of it (write mod-users.KEY)"},
        {"policy=1", "--set policy=1: 'policy' is a whole section (write policy.KEY)"},
        {"cluster.instanceGroups.mian.max=1",
         "--set cluster.instanceGroups.mian.max=1: nothing in instanceGroups matches 'mian' (did you mean 'main'?)"},
        {"cluster.instanceGroups.7.max=1",
         "--set cluster.instanceGroups.7.max=1: nothing in instanceGroups matches '7' (there is 'main' and others)"},
        {"cluster.instanceTypes.m5.large.vcpu=1",
         "--set cluster.instanceTypes.m5.large.vcpu=1: nothing in instanceTypes matches 'm5' (there is 'm5.large')"},
        {"keycloak.sidecar.cpu=1", "--set keycloak.sidecar.cpu=1: service 'keycloak' has no sidecar"},
        {"keycloak.containers.sidecar.cpu=1",
         "--set keycloak.containers.sidecar.cpu=1: service 'keycloak' has no container 'sidecar' with a key behind it"},
        {"long.containers.hlper.cpu=1",
         "--set long.containers.hlper.cpu=1: nothing in containerDefinitions matches 'hlper' (did you mean 'helper'?)"},
        {"mod-users.cpu.x=1", "--set mod-users.cpu.x=1: 'cpu' holds a value and no 'x'"},
        {"[{set: mod-users.memroy, add: 1}]", "relc.yaml:1:8: scenarios.tuned[0]: there is no 'memroy' (did you mean 'memory'?)"},
        {"[{set: keycloak.memoryReservation, scale: 2}]",
         "relc.yaml:1:8: scenarios.tuned[0]: there is no 'memoryReservation'"},
        {"[{set: mod-users.colour, unset: true}]", "relc.yaml:1:8: scenarios.tuned[0]: there is no 'colour'"},
        /* values */
        {"mod-users.cpu=[1", "not YAML: did not find expected ',' or ']' while parsing a flow sequence (begun in line 1)"},
        {"[{set: mod-users.cpu, add: -600}]", "relc.yaml:1:8: scenarios.tuned[0]: adding -600 would leave less than nothing"},
        {"[{set: mod-users.cpu, add: many}]", "relc.yaml:1:8: scenarios.tuned[0]: 'many' cannot be added: not a number"},
        {"[{set: mod-users.cpu, add: [1]}]", "relc.yaml:1:8: scenarios.tuned[0]: add needs a number"},
        {"[{set: mod-users.cpu, scale: -1}]", "relc.yaml:1:8: scenarios.tuned[0]: '-1' is no factor (a decimal such as 1.5)"},
        {"[{set: mod-users.cpu, scale: 1.1234567}]",
         "relc.yaml:1:8: scenarios.tuned[0]: factor '1.1234567' is out of range (up to 1000000, six decimals)"},
        {"[{set: mod-users.environment, scale: 2}]",
         "relc.yaml:1:8: scenarios.tuned[0]: 'environment' cannot be computed with: a list or map"},
        {"[{set: mod-users.name, scale: 2}]", "relc.yaml:1:8: scenarios.tuned[0]: 'mod-users' cannot be computed with: not a number"},
        /* scenarios */
        {"[mod-users.cpu]", "relc.yaml:1:2: scenarios.tuned[0]: expected a map such as {set: PATH, to: VALUE}, found a scalar"},
        {"[{to: 1}]", "relc.yaml:1:2: scenarios.tuned[0]: set is missing (the path of what to change)"},
        {"[{set: a.b}]", "relc.yaml:1:2: scenarios.tuned[0]: an edit that says not what to do (add to, add, scale or unset)"},
        {"[{set: a.b, to: 1, add: 2}]",
         "relc.yaml:1:2: scenarios.tuned[0]: several of to, add, scale and unset (use an edit for each)"},
        {"[{set: a.b, too: 1, to: 1}]", "relc.yaml:1:13: scenarios.tuned[0]: unknown key 'too' (did you mean 'to'?)"},
        {"[{set: a.b, value: 1, to: 1}]",
         "relc.yaml:1:13: scenarios.tuned[0]: unknown key 'value' (an edit has set and to, add, scale or unset)"},
        {"[{set: a.b, unset: yes}]", "relc.yaml:1:20: scenarios.tuned[0]: unset is true or not there"},
        {"[{set: a..b, to: 1}]",
         "relc.yaml:1:8: scenarios.tuned[0]: an empty part in 'a..b' (quote a part that contains a dot)"},
    };
    int n_wrong = 0;
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        taskfit_arena *arena = taskfit_arena_new();
        TASKFIT_STRBUF(messages);
        (void)apply(arena, row[r].edit, TASKFIT_EDIT_RESOLVED, &messages);
        char line[1024];
        snprintf(line, sizeof line, "%s\n", row[r].message);
        if (!strstr(messages.data, line)) {
            print_error("%s: '%s' is not '%s'\n", row[r].edit, messages.data, row[r].message);
            n_wrong++;
        }
        taskfit_arena_free(arena);
    }
    ASSERT_INT(n_wrong, 0);
}

static void defaults_and_sidecars_go_first(void **state) {
    (void)state;
    static const char edits[] = "[{set: mod-users.cpu, to: 1}, {set: defaults.cpu, to: 2}, {set: sidecars.eureka.memory, add: 8}]";
    taskfit_arena *arena = taskfit_arena_new();
    TASKFIT_STRBUF(messages);
    const taskfit_node *sections = apply(arena, edits, TASKFIT_EDIT_SECTIONS, &messages);
    assert_string_equal(probe(sections, "defaults/cpu")->text, "2");
    assert_string_equal(probe(sections, "sidecars/eureka/memory")->text, "520");
    assert_string_equal(probe(sections, "services/0/cpu")->text, "512");
    const taskfit_node *merged = apply(arena, edits, TASKFIT_EDIT_RESOLVED, &messages);
    assert_null(probe(merged, "defaults/cpu"));
    assert_string_equal(probe(merged, "sidecars/eureka/memory")->text, "512");
    assert_string_equal(probe(merged, "services/0/cpu")->text, "1");
    assert_string_equal(messages.data, "");
    (void)apply(arena, "sidecars.eurka.memory.x=1", TASKFIT_EDIT_SECTIONS, &messages);
    taskfit_arena_free(arena);
}

static void set_nodes_point_to_their_edit(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    TASKFIT_STRBUF(messages);
    const taskfit_node *root = apply(arena, "mod-users.colour={deep: [red]}", TASKFIT_EDIT_RESOLVED, &messages);
    const taskfit_node *service = probe(root, "services/0");
    const taskfit_position key = service->entries[service->n - 1].key_position;
    const taskfit_position deep = probe(root, "services/0/colour/deep/0")->position;
    assert_string_equal(key.file, "--set mod-users.colour={deep: [red]}");
    assert_string_equal(deep.file, key.file);
    ASSERT_INT(key.line, 0);
    ASSERT_INT(deep.line, 0);
    root = apply(arena, "[{set: mod-users.cpu, add: 1}]", TASKFIT_EDIT_RESOLVED, &messages);
    ASSERT_INT(probe(root, "services/0/cpu")->position.line, 1);
    ASSERT_INT(probe(root, "services/0/cpu")->position.column, 8);
    taskfit_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_reach_their_places),
        cmocka_unit_test(what_is_no_edit),
        cmocka_unit_test(defaults_and_sidecars_go_first),
        cmocka_unit_test(set_nodes_point_to_their_edit),
    };
    return RUN_TESTS(tests);
}
