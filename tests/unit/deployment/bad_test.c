#include "unit.h"

#include <dirent.h>
#include <stdlib.h>

#include "base/file.h"
#include "taskfit/taskfit.h"

/*
 * Every file of tests/data/bad is refused with exactly the lines of its .msg: one file for each message. UPDATE=1
 * writes the .msg files anew, for review as a difference.
 */

#define FOLDER "tests/data/bad/"

static void read_file(const char *folder, const char *name, taskfit_strbuf *out) {
    TASKFIT_STRBUF(path);
    taskfit_strbuf_printf(&path, "%s%s", folder, name);
    taskfit_error err = {.status = TASKFIT_OK};
    if (taskfit_file_read(path.data, 1 << 20, out, &err) != TASKFIT_OK) {
        fail_msg("%s: %s", path.data, err.message);
    }
}

static taskfit_status load(void *arg, const char *path, char **data_out, size_t *len_out, taskfit_error *err) {
    (void)arg;
    TASKFIT_STRBUF(full);
    TASKFIT_STRBUF(data);
    taskfit_strbuf_printf(&full, "%s%s", FOLDER, path);
    taskfit_error why = {.status = TASKFIT_OK};
    if (taskfit_file_read(full.data, 1 << 20, &data, &why) != TASKFIT_OK) {
        err->status = TASKFIT_E_SYSTEM;
        (void)snprintf(err->message, sizeof err->message, "no such file");
        return TASKFIT_E_SYSTEM;
    }
    *data_out = malloc(data.len + 1);
    memcpy(*data_out, data.data, data.len + 1);
    *len_out = data.len;
    return TASKFIT_OK;
}

static void collect(void *arg, const char *text) {
    taskfit_strbuf_printf(arg, "%s\n", text);
}

static void compare(const char *name, const taskfit_strbuf *told) {
    TASKFIT_STRBUF(message_file);
    taskfit_strbuf_printf(&message_file, "%s%.*s.msg", FOLDER, (int)(strrchr(name, '.') - name), name);
    if (getenv("UPDATE")) {
        assert_int_equal(taskfit_file_write(message_file.data, told->data, told->len, NULL), TASKFIT_OK);
    }
    TASKFIT_STRBUF(expected);
    read_file("", message_file.data, &expected);
    if (strcmp(told->data, expected.data) != 0) {
        fail_msg("%s says\n%sand not\n%s", name, told->data, expected.data);
    }
}

static void check_file(const char *name) {
    TASKFIT_STRBUF(text);
    TASKFIT_STRBUF(told);
    read_file(FOLDER, name, &text);
    taskfit_parse_options options;
    taskfit_parse_options_init(&options);
    options.load = load;
    options.diag = collect;
    options.diag_arg = &told;
    taskfit_deployment *deployment = NULL;
    taskfit_error err = {.status = TASKFIT_OK};
    if (taskfit_deployment_parse(name, text.data, text.len, &options, &deployment, &err) == TASKFIT_OK) {
        fail_msg("%s is accepted", name);
    }
    assert_null(deployment);
    assert_int_equal(err.status, TASKFIT_E_INPUT);
    TASKFIT_STRBUF(first); /* err is the first line */
    taskfit_strbuf_printf(&first, "%s%s%s", err.where, err.where[0] ? ": " : "", err.message);
    if (strncmp(first.data, told.data, first.len) != 0) {
        fail_msg("%s: the error is not the first line:\n%s\n%s", name, first.data, told.data);
    }
    compare(name, &told);
}

static int compare_names(const void *left, const void *right) {
    const char *const *a = left;
    const char *const *b = right;
    return strcmp(*a, *b);
}

static void every_bad_file_says_what_is_wrong(void **state) {
    (void)state;
    enum { FILES_MAX = 1000 };
    char *names[FILES_MAX];
    size_t n = 0;
    DIR *folder = opendir(FOLDER);
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".json") == 0)) {
            assert_in_range(n, 0, FILES_MAX - 1);
            names[n++] = strdup(entry->d_name);
        }
    }
    closedir(folder);
    qsort(names, n, sizeof names[0], compare_names);
    assert_in_range(n, 200, FILES_MAX);
    for (size_t i = 0; i < n; i++) {
        check_file(names[i]);
        free(names[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bad_file_says_what_is_wrong),
    };
    return RUN_TESTS(tests);
}
