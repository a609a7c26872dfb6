#include "unit.h"

#include <stdlib.h>

#include "base/strbuf.h"
#include "taskfit/render.h"

static void read_file(const char *path, taskfit_strbuf *out) {
    char chunk[4096];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    for (size_t len; (len = fread(chunk, 1, sizeof chunk, file)) > 0;) {
        taskfit_strbuf_add(out, chunk, len);
    }
    assert_int_equal(fclose(file), 0);
}

static void add_line(void *arg, const char *text) {
    taskfit_strbuf_printf(arg, "%s\n", text);
}

static void add_file(void *arg, const taskfit_rendered *file) {
    if (file->kind != TASKFIT_RENDERED_INDEX) { /* has the hash of the deployment */
        taskfit_strbuf_printf(arg, "# %s\n", file->file);
        taskfit_strbuf_add(arg, file->data, file->len);
    }
}

static taskfit_deployment *parse(const char *text, size_t len) {
    TASKFIT_STRBUF(defects);
    taskfit_error err = {0};
    taskfit_deployment *deployment = NULL;
    taskfit_parse_options options;
    taskfit_parse_options_init(&options);
    options.diag = add_line;
    options.diag_arg = &defects;
    if (taskfit_deployment_parse("test.yaml", text, len, &options, &deployment, &err) != TASKFIT_OK) {
        fail_msg("%s: %s\n%s", err.where, err.message, defects.data);
    }
    return deployment;
}

/* Renders into `files`, or tells the defects. */
static taskfit_status render(const char *text, size_t len, taskfit_render_form form, taskfit_strbuf *files,
                             taskfit_strbuf *defects, taskfit_error *err) {
    taskfit_deployment *deployment = parse(text, len);
    taskfit_render_options options;
    taskfit_render_options_init(&options);
    options.form = form;
    options.defect = add_line;
    options.defect_arg = defects;
    const taskfit_status status = taskfit_render(deployment, &options, add_file, files, err);
    taskfit_deployment_free(deployment);
    return status;
}

/* UPDATE=1 rewrites the expected text, to be read as a difference. */
static void compare_with(const char *path, const taskfit_strbuf *actual) {
    TASKFIT_STRBUF(expected);
    if (getenv("UPDATE") != NULL) {
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(actual->data, 1, actual->len, file), actual->len);
        assert_int_equal(fclose(file), 0);
    }
    read_file(path, &expected);
    if (expected.len != actual->len || memcmp(expected.data, actual->data, actual->len) != 0) {
        fail_msg("%s (UPDATE=1 rewrites it) differs from:\n%s", path, actual->data);
    }
}

static void renders(taskfit_render_form form, const char *expected_path) {
    TASKFIT_STRBUF(text);
    TASKFIT_STRBUF(files);
    TASKFIT_STRBUF(again);
    TASKFIT_STRBUF(defects);
    read_file("tests/data/render/everything.yaml", &text);
    ASSERT_INT(render(text.data, text.len, form, &files, &defects, NULL), TASKFIT_OK);
    ASSERT_INT(render(text.data, text.len, form, &again, &defects, NULL), TASKFIT_OK);
    assert_string_equal(files.data, again.data);
    assert_string_equal(defects.data, "");
    compare_with(expected_path, &files);
}

static void renders_yaml(void **state TASKFIT_UNUSED) {
    renders(TASKFIT_RENDER_YAML, "tests/data/render/expected.yaml");
}

static void renders_json(void **state TASKFIT_UNUSED) {
    renders(TASKFIT_RENDER_JSON, "tests/data/render/expected.json");
}

#define HEAD "taskfit: 1\ncluster: {instanceGroups: [{name: main, types: [m6i.large]}]}\nservices:\n"

#define ONE "{type: memberOf, expression: 'attribute:ecs.os-type == linux'}"
#define THREE ONE ", " ONE ", " ONE
#define NINE THREE ", " THREE ", " THREE

static const struct {
    const char *services;
    const char *defects;
} refused[] = {
    {"  - {name: a, memory: 6}\n  - {name: b, memory: 6, image: x}\n  - {name: c, memory: 6, sidecar: {name: s, "
     "memory: 6}}\n",
     "test.yaml:4:5: service 'a' lacks an image for container 'a' (add image: REPOSITORY:TAG)\n"
     "test.yaml:6:5: service 'c' lacks an image for container 'c' (add image: REPOSITORY:TAG)\n"
     "test.yaml:6:5: service 'c' lacks an image for container 's' (add image: REPOSITORY:TAG)\n"},
    {"  - {name: a, memory: 6, image: x, family: b}\n  - {name: b, memory: 6, image: x}\n",
     "test.yaml:5:5: services 'a' and 'b' have the same task definition family 'b' (give one another)\n"},
    {"  - {name: a, memory: 6, image: x, placementConstraints: [" NINE ", " ONE "]}\n"
     "  - {name: b, memory: 6, image: x}\npolicy: {antiAffinity: [['?']]}\n",
     "test.yaml:4:5: service 'a': placementConstraints: 11 placement constraints, with antiAffinity and the service's own; "
     "Amazon ECS takes 10\n"},
};

static void refuses(void **state TASKFIT_UNUSED) {
    for (size_t row = 0; row < sizeof refused / sizeof refused[0]; row++) {
        TASKFIT_STRBUF(text);
        TASKFIT_STRBUF(files);
        TASKFIT_STRBUF(defects);
        TASKFIT_STRBUF(first);
        taskfit_error err = {0};
        taskfit_strbuf_printf(&text, HEAD "%s", refused[row].services);
        ASSERT_INT(render(text.data, text.len, TASKFIT_RENDER_YAML, &files, &defects, &err), TASKFIT_E_INPUT);
        assert_string_equal(defects.data, refused[row].defects);
        assert_string_equal(files.data, "");
        taskfit_strbuf_printf(&first, "%s: %s\n", err.where, err.message);
        assert_memory_equal(first.data, defects.data, first.len);
    }
}

static void names_every_service_without_image(void **state TASKFIT_UNUSED) {
    TASKFIT_STRBUF(text);
    TASKFIT_STRBUF(files);
    TASKFIT_STRBUF(defects);
    size_t n_lines = 0;
    taskfit_strbuf_adds(&text, HEAD);
    for (int service = 0; service < 100; service++) {
        taskfit_strbuf_printf(&text, "  - {name: mod-%d, memory: 6}\n", service);
    }
    ASSERT_INT(render(text.data, text.len, TASKFIT_RENDER_YAML, &files, &defects, NULL), TASKFIT_E_INPUT);
    for (const char *line = defects.data; (line = strchr(line, '\n')) != NULL; line++) {
        n_lines++;
    }
    ASSERT_INT(n_lines, 100);
}

/* ECS takes 2000 characters for an expression, so the conflicts of one service fill several. */
static void splits_long_expressions(void **state TASKFIT_UNUSED) {
    TASKFIT_STRBUF(text);
    TASKFIT_STRBUF(files);
    TASKFIT_STRBUF(defects);
    size_t n_names = 0, n_expressions = 0;
    taskfit_strbuf_adds(&text, "policy: {antiAffinity: [['*']]}\n" HEAD);
    for (int service = 0; service < 100; service++) {
        taskfit_strbuf_printf(&text, "  - {name: a-service-with-a-long-name-%d, image: x, memory: 6}\n", service);
    }
    ASSERT_INT(render(text.data, text.len, TASKFIT_RENDER_JSON, &files, &defects, NULL), TASKFIT_OK);
    for (const char *at = files.data; (at = strstr(at, "\"expression\"")) != NULL; at++) {
        const char *value = strchr(at, ':') + 1, *end = strchr(value, '\n');
        value += strspn(value, " \t\"");
        assert_true(end - value <= 2001); /* with the closing quote */
        n_expressions++;
    }
    for (const char *at = files.data; (at = strstr(at, "task:group == service:a-service")) != NULL; at++) {
        n_names++;
    }
    ASSERT_INT(n_names, 100 * 99);
    ASSERT_INT(n_expressions, 100 * 4); /* 61 characters for each of 99: 32 in one */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(renders_yaml),
        cmocka_unit_test(renders_json),
        cmocka_unit_test(refuses),
        cmocka_unit_test(splits_long_expressions),
        cmocka_unit_test(names_every_service_without_image),
    };
    return RUN_TESTS(tests);
}
