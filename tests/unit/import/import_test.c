#include "unit.h"

#include "base/strbuf.h"
#include "deployment/deployment.h"
#include "taskfit/import.h"

static int append(void *sink, const char *data, size_t len) {
    taskfit_strbuf_add(sink, data, len);
    return 0;
}

static int refuse(void *sink TASKFIT_UNUSED, const char *data TASKFIT_UNUSED, size_t len TASKFIT_UNUSED) {
    return 1;
}

static void count(void *arg, const char *text) {
    assert_non_null(text);
    (*(size_t *)arg)++;
}

static taskfit_import_file file_of(const char *name, const char *text) {
    return (taskfit_import_file){name, text, strlen(text)};
}

static const char table[] = "Module | Mem Hard Limit | Mem Soft Limit | CPU\nmod-a:1 | 1024 | 896 | 128\n";

static void tells_the_first_defect_without_a_listener(void **state TASKFIT_UNUSED) {
    const taskfit_import_file file = file_of("t", "Module | Mem Hard Limit | CPU\nmod-a | lots | many\n");
    taskfit_import_options options;
    taskfit_import_options_init(&options);
    taskfit_error err = {.status = TASKFIT_OK};
    TASKFIT_STRBUF(out);
    ASSERT_INT(taskfit_import(&file, 1, &options, append, &out, &err), TASKFIT_E_INPUT);
    assert_string_equal(err.where, "t:2:8");
    assert_string_equal(err.message, "mod-a: Mem Hard Limit: cannot read 'lots': not a figure of memory");
    ASSERT_INT(out.len, 0);
    ASSERT_INT(taskfit_import(&file, 1, &options, append, &out, NULL), TASKFIT_E_INPUT);
}

static void fails_when_the_writer_does(void **state TASKFIT_UNUSED) {
    const taskfit_import_file file = file_of("t", table);
    taskfit_import_options options;
    taskfit_import_options_init(&options);
    taskfit_error err = {.status = TASKFIT_OK};
    ASSERT_INT(taskfit_import(&file, 1, &options, refuse, NULL, &err), TASKFIT_E_SYSTEM);
}

static void shows_at_most_twenty_defects(void **state TASKFIT_UNUSED) {
    TASKFIT_STRBUF(text);
    taskfit_strbuf_adds(&text, "Module | Mem Hard Limit | CPU\n");
    for (size_t i = 0; i < 30; i++) {
        taskfit_strbuf_printf(&text, "mod-%zu | x | 1\n", i);
    }
    const taskfit_import_file file = {"t", text.data, text.len};
    size_t n_defects = 0;
    size_t n_notes = 0;
    taskfit_import_options options;
    taskfit_import_options_init(&options);
    options.defect = count;
    options.defect_arg = &n_defects;
    options.note = count;
    options.note_arg = &n_notes;
    taskfit_error err = {.status = TASKFIT_OK};
    TASKFIT_STRBUF(out);
    ASSERT_INT(taskfit_import(&file, 1, &options, append, &out, &err), TASKFIT_E_INPUT);
    ASSERT_INT(n_defects, 21); /* and a line that says how many more */
    assert_true(n_notes > 30);
}

/* What is imported with a type is a deployment that parses, with as many services as rows. */
static void imports_ten_thousand_rows(void **state TASKFIT_UNUSED) {
    enum { ROWS = 10000 };
    TASKFIT_STRBUF(text);
    taskfit_strbuf_adds(&text, "Module,Task Count,Mem Hard Limit,Mem Soft Limit,CPU Units,Xmx\n");
    for (size_t i = 0; i < ROWS; i++) {
        taskfit_strbuf_printf(&text, "mod-%zu:1.0.%zu,2,1024,896,128,768\n", i, i);
    }
    const taskfit_import_file file = {"t.csv", text.data, text.len};
    taskfit_import_options options;
    taskfit_import_options_init(&options);
    options.type = "m6i.2xlarge";
    options.strict = true;
    taskfit_error err = {.status = TASKFIT_OK};
    TASKFIT_STRBUF(out);
    ASSERT_INT(taskfit_import(&file, 1, &options, append, &out, &err), TASKFIT_OK);
    taskfit_deployment *deployment = NULL;
    ASSERT_INT(taskfit_deployment_parse("d.yaml", out.data, out.len, NULL, &deployment, &err), TASKFIT_OK);
    ASSERT_INT(deployment->n_services, ROWS);
    ASSERT_INT(deployment->services[ROWS - 1].containers[0].jvm.xmx_mib, 768);
    taskfit_deployment_free(deployment);
}

static void names_its_kinds(void **state TASKFIT_UNUSED) {
    const size_t n = taskfit_import_n_kinds();
    assert_true(n >= 4);
    for (size_t kind = 0; kind < n; kind++) {
        assert_true(taskfit_import_kind_name(kind)[0] && taskfit_import_kind_summary(kind)[0]);
    }
    const taskfit_import_file file = file_of("t", table);
    taskfit_import_options options;
    taskfit_import_options_init(&options);
    options.kind = "tabel";
    taskfit_error err = {.status = TASKFIT_OK};
    TASKFIT_STRBUF(out);
    ASSERT_INT(taskfit_import(&file, 1, &options, append, &out, &err), TASKFIT_E_ARGUMENT);
    assert_string_equal(err.message, "unknown kind 'tabel' (did you mean 'table'?)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_the_first_defect_without_a_listener),
        cmocka_unit_test(fails_when_the_writer_does),
        cmocka_unit_test(shows_at_most_twenty_defects),
        cmocka_unit_test(imports_ten_thousand_rows),
        cmocka_unit_test(names_its_kinds),
    };
    return RUN_TESTS(tests);
}
