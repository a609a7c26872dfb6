#include "unit.h"

#include "deployment/deployment.h"

/* Built-in default < defaults < service; sidecars; services of several files. Looks at the resolved tree, as JSON
 * without blanks. */

#define CLUSTER "taskfit: 1\ncluster: {instanceGroups: [{name: main, types: [m6i.large]}]}\n"

typedef struct file { /* of a little file system for include */
    const char *path, *text;
} file;

static taskfit_status load(void *arg, const char *path, char **data_out, size_t *len_out, taskfit_error *err) {
    for (const file *f = arg; f->path; f++) {
        if (strcmp(f->path, path) == 0) {
            *data_out = strdup(f->text);
            *len_out = strlen(f->text);
            return TASKFIT_OK;
        }
    }
    err->status = TASKFIT_E_SYSTEM;
    (void)snprintf(err->message, sizeof err->message, "no such file");
    return TASKFIT_E_SYSTEM;
}

static taskfit_deployment *parse(const char *text, const file *files) {
    taskfit_parse_options options;
    taskfit_parse_options_init(&options);
    options.load = files ? load : NULL;
    options.load_arg = (void *)(uintptr_t)files;
    taskfit_deployment *deployment = NULL;
    taskfit_error err = {.status = TASKFIT_OK};
    if (taskfit_deployment_parse("dir/main.yaml", text, strlen(text), &options, &deployment, &err) != TASKFIT_OK) {
        fail_msg("%s: %s\n%s", err.where, err.message, text);
    }
    return deployment;
}

/* {a:1,b:[c]} : enough to compare small trees. */
static void add_flow(const taskfit_node *node, taskfit_strbuf *out) {
    if (node->kind == TASKFIT_NODE_SCALAR) {
        taskfit_strbuf_adds(out, taskfit_node_is_null(node) ? "null" : node->text);
        return;
    }
    taskfit_strbuf_addc(out, node->kind == TASKFIT_NODE_MAP ? '{' : '[');
    for (size_t i = 0; i < node->n; i++) {
        taskfit_strbuf_adds(out, i ? "," : "");
        if (node->kind == TASKFIT_NODE_MAP) {
            taskfit_strbuf_printf(out, "%s:", node->entries[i].key);
        }
        add_flow(node->kind == TASKFIT_NODE_MAP ? node->entries[i].value : node->items[i], out);
    }
    taskfit_strbuf_addc(out, node->kind == TASKFIT_NODE_MAP ? '}' : ']');
}

static void assert_service(const taskfit_deployment *d, size_t index, const char *expected) {
    TASKFIT_STRBUF(text);
    add_flow(taskfit_node_get(d->resolved, "services")->items[index], &text);
    assert_string_equal(text.data, expected);
}

static const struct {
    const char *what, *text, *expected; /* of the first service */
} row[] = {
    {"nothing to inherit", "services: [{name: a, memory: 6}]\n", "{name:a,memory:6}"},
    {"a default", "defaults: {cpu: 5}\nservices: [{name: a, memory: 6}]\n", "{name:a,memory:6,cpu:5}"},
    {"a service's own", "defaults: {cpu: 5}\nservices: [{name: a, memory: 6, cpu: 7}]\n", "{name:a,memory:6,cpu:7}"},
    {"null brings the built-in default back", "defaults: {cpu: 5}\nservices: [{name: a, memory: 6, cpu: null}]\n", "{name:a,memory:6}"},
    {"a null default is none", "defaults: {cpu: null}\nservices: [{name: a, memory: 6}]\n", "{name:a,memory:6}"},
    {"no defaults", "defaults:\nservices: [{name: a, memory: 6}]\n", "{name:a,memory:6}"},
    {"maps merge key by key", "defaults: {jvm: {xmx: 1, xms: 2, threads: 3}}\nservices: [{name: a, memory: 6, jvm: {xms: 9, threads: null}}]\n",
     "{name:a,memory:6,jvm:{xms:9,xmx:1}}"},
    {"lists replace", "defaults: {environment: [{name: A, value: x}]}\nservices: [{name: a, memory: 6, environment: []}]\n",
     "{name:a,memory:6,environment:[]}"},
    {"services as a map", "defaults: {cpu: 5}\nservices: {a: {memory: 6}}\n", "{name:a,memory:6,cpu:5}"},
    {"a body may come from defaults alone", "defaults: {memory: 6}\nservices: {a: }\n", "{name:a,memory:6}"},
    {"long form: no container keys from defaults",
     "defaults: {memory: 9, cpu: 5, sidecar: s, desiredCount: 2, task: {memory: 99}}\nsidecars: {s: {memory: 6}}\n"
     "services: [{name: a, containerDefinitions: [{name: c, memory: 6}]}]\n",
     "{name:a,containerDefinitions:[{name:c,memory:6}],desiredCount:2,task:{memory:99}}"},
    {"DAEMON: no desired count or strategy from defaults",
     "defaults: {desiredCount: 2, placementStrategy: [{type: random}], cpu: 5}\nservices: [{name: a, memory: 6, schedulingStrategy: DAEMON}]\n",
     "{name:a,memory:6,schedulingStrategy:DAEMON,cpu:5}"},
    {"a sidecar by name", "sidecars: {s: {memory: 6, cpu: 1}}\nservices: [{name: a, memory: 6, sidecar: s}]\n",
     "{name:a,memory:6,sidecar:{memory:6,cpu:1,name:s}}"},
    {"a sidecar's own name", "sidecars: {s: {name: proxy, memory: 6}}\nservices: [{name: a, memory: 6, sidecar: s}]\n",
     "{name:a,memory:6,sidecar:{name:proxy,memory:6}}"},
    {"the default sidecar", "defaults: {sidecar: s}\nsidecars: {s: {memory: 6}}\nservices: [{name: a, memory: 6}]\n",
     "{name:a,memory:6,sidecar:{memory:6,name:s}}"},
    {"no sidecar after all", "defaults: {sidecar: s}\nsidecars: {s: {memory: 6}}\nservices: [{name: a, memory: 6, sidecar: null}]\n",
     "{name:a,memory:6}"},
    {"changes to the default sidecar",
     "defaults: {sidecar: s}\nsidecars: {s: {memory: 6, cpu: 1, jvm: {xmx: 4}}}\nservices: [{name: a, memory: 6, sidecar: {cpu: 2, jvm: {xms: 1}}}]\n",
     "{name:a,memory:6,sidecar:{cpu:2,jvm:{xms:1,xmx:4},memory:6,name:s}}"},
    {"changes to another sidecar",
     "defaults: {sidecar: s}\nsidecars: {s: {memory: 6}, t: {memory: 7}}\nservices: [{name: a, memory: 6, sidecar: {base: t, cpu: 2}}]\n",
     "{name:a,memory:6,sidecar:{cpu:2,memory:7,name:t}}"},
    {"a sidecar without a base", "defaults: {sidecar: s}\nsidecars: {s: {cpu: 1, memory: 6}}\nservices: [{name: a, memory: 6, sidecar: {base: null, memory: 8}}]\n",
     "{name:a,memory:6,sidecar:{memory:8}}"},
    {"a complete sidecar", "services: [{name: a, memory: 6, sidecar: {memory: 8}}]\n", "{name:a,memory:6,sidecar:{memory:8}}"},
    {"a default sidecar that is a map", "defaults: {sidecar: {base: s, cpu: 3}}\nsidecars: {s: {memory: 6}}\nservices: [{name: a, memory: 6, sidecar: {cpu: 4}}]\n",
     "{name:a,memory:6,sidecar:{cpu:4,memory:6,name:s}}"},
};

static void services_inherit(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        TASKFIT_STRBUF(text);
        TASKFIT_STRBUF(told);
        taskfit_strbuf_printf(&text, "%s%s", CLUSTER, row[i].text);
        taskfit_deployment *d = parse(text.data, NULL);
        add_flow(taskfit_node_get(d->resolved, "services")->items[0], &told);
        if (strcmp(told.data, row[i].expected) != 0) {
            fail_msg("%s: %s, not %s", row[i].what, told.data, row[i].expected);
        }
        taskfit_deployment_free(d);
    }
}

static void nothing_is_left_to_inherit(void **state) {
    (void)state;
    taskfit_deployment *d = parse(CLUSTER "defaults: {cpu: 5}\nsidecars: {s: {memory: 6}}\ninclude: []\nservices: [{name: a, memory: 6}]\n", NULL);
    assert_null(taskfit_node_get(d->resolved, "defaults"));
    assert_null(taskfit_node_get(d->resolved, "sidecars"));
    assert_null(taskfit_node_get(d->resolved, "include"));
    taskfit_deployment_free(d);
}

static void inherited_maps_are_not_shared(void **state) {
    (void)state;
    const char *const set = "a.jvm.xmx=9";
    taskfit_parse_options options;
    taskfit_parse_options_init(&options);
    options.set = &set;
    options.n_set = 1;
    const char *text = CLUSTER "defaults: {jvm: {xmx: 1}}\nservices: [{name: a, memory: 6}, {name: b, memory: 6}]\n";
    taskfit_deployment *d = NULL;
    assert_int_equal(taskfit_deployment_parse("x", text, strlen(text), &options, &d, NULL), TASKFIT_OK);
    ASSERT_INT(d->services[0].containers[0].jvm.xmx_mib, 9);
    ASSERT_INT(d->services[1].containers[0].jvm.xmx_mib, 1);
    taskfit_deployment_free(d);
}

static void included_services_come_first_with_their_own_defaults(void **state) {
    (void)state;
    static const file files[] = {
        {"dir/part/a.yaml", "taskfit: 1\ninclude: [b.json, ../c.yaml]\ndefaults: {cpu: 1, sidecar: s}\nsidecars: {s: {memory: 7}}\n"
                            "services: [{name: a, memory: 6}]\n"},
        {"dir/part/b.json", "{\"services\": {\"b\": {\"memory\": 6}}}"},
        {"dir/c.yaml", "services: [{name: c, memory: 6}]\n"},
        {"/abs/d.yaml", "services: []\n"},
        {NULL, NULL},
    };
    taskfit_deployment *d = parse(CLUSTER "include: [./part//a.yaml, /abs/d.yaml]\ndefaults: {cpu: 2}\nservices: [{name: m, memory: 6}]\n", files);
    ASSERT_INT(d->n_services, 4);
    assert_service(d, 0, "{name:b,memory:6}");
    assert_service(d, 1, "{name:c,memory:6}");
    assert_service(d, 2, "{name:a,memory:6,cpu:1,sidecar:{memory:7,name:s}}");
    assert_service(d, 3, "{name:m,memory:6,cpu:2}");
    assert_string_equal(d->services[1].position.file, "dir/c.yaml");
    taskfit_deployment_free(d);
}

static void a_file_may_hold_includes_alone(void **state) {
    (void)state;
    static const file files[] = {{"dir/a.yaml", "services: [{name: a, memory: 6}]\n"}, {NULL, NULL}};
    taskfit_deployment *d = parse(CLUSTER "include: [a.yaml]\n", files);
    ASSERT_INT(d->n_services, 1);
    taskfit_deployment_free(d);
}

static void includes_need_a_loader(void **state) {
    (void)state;
    const char *text = CLUSTER "include: [a.yaml]\n";
    taskfit_deployment *d = NULL;
    taskfit_error err = {.status = TASKFIT_OK};
    assert_int_equal(taskfit_deployment_parse("x.yaml", text, strlen(text), NULL, &d, &err), TASKFIT_E_INPUT);
    assert_string_equal(err.where, "x.yaml:3:11: include[0]");
    assert_string_equal(err.message, "include is not possible here (put all into one file)");
}

/* A service that includes files fan out into may not be read without end. */
static void includes_have_a_limit(void **state) {
    (void)state;
    static const file files[] = {{"dir/1.yaml", "include: [2.yaml, 2.yaml, 2.yaml, 2.yaml, 2.yaml, 2.yaml, 2.yaml, 2.yaml, 2.yaml, 2.yaml]\n"},
                                 {"dir/2.yaml", "include: [3.yaml, 3.yaml, 3.yaml, 3.yaml, 3.yaml, 3.yaml, 3.yaml, 3.yaml, 3.yaml, 3.yaml]\n"},
                                 {"dir/3.yaml", "include: [4.yaml, 4.yaml, 4.yaml, 4.yaml, 4.yaml, 4.yaml, 4.yaml, 4.yaml, 4.yaml, 4.yaml]\n"},
                                 {"dir/4.yaml", "services: []\n"},
                                 {NULL, NULL}};
    const char *text = CLUSTER "include: [1.yaml]\n";
    taskfit_parse_options options;
    taskfit_parse_options_init(&options);
    options.load = load;
    options.load_arg = (void *)(uintptr_t)files;
    taskfit_deployment *d = NULL;
    taskfit_error err = {.status = TASKFIT_OK};
    assert_int_equal(taskfit_deployment_parse("dir/x.yaml", text, strlen(text), &options, &d, &err), TASKFIT_E_INPUT);
    assert_string_equal(err.message, "more than 1000 files are included");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(services_inherit),
        cmocka_unit_test(nothing_is_left_to_inherit),
        cmocka_unit_test(inherited_maps_are_not_shared),
        cmocka_unit_test(included_services_come_first_with_their_own_defaults),
        cmocka_unit_test(a_file_may_hold_includes_alone),
        cmocka_unit_test(includes_need_a_loader),
        cmocka_unit_test(includes_have_a_limit),
    };
    return RUN_TESTS(tests);
}
