#include "unit.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static char folder[64];

static int enter_folder(void **state) {
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/taskfit-file-test-XXXXXX");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state) {
    (void)state;
    char command[128];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return chdir("/") == 0 ? system(command) : -1;
}

static int64_t count_files(void) {
    int64_t n = 0;
    DIR *entries = opendir(".");
    assert_non_null(entries);
    while (readdir(entries)) {
        n++;
    }
    (void)closedir(entries);
    return n - 2;
}

static void holds(const char *path, const char *text) {
    TASKFIT_STRBUF(read);
    ASSERT_INT(taskfit_file_read(path, 1000, &read, NULL), TASKFIT_OK);
    assert_string_equal(read.data, text);
}

static void written_files_read_back(void **state) {
    (void)state;
    ASSERT_INT(taskfit_file_write("a", "one\n", 4, NULL), TASKFIT_OK);
    holds("a", "one\n");
    ASSERT_INT(chmod("a", 0640), 0);
    ASSERT_INT(symlink("a", "link"), 0);
    ASSERT_INT(taskfit_file_write("link", "two", 3, NULL), TASKFIT_OK);
    holds("a", "two"); /* the link stays a link, the mode stays */
    struct stat info;
    ASSERT_INT(lstat("link", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    ASSERT_INT(stat("a", &info), 0);
    ASSERT_INT(info.st_mode & 0777, 0640);
    ASSERT_INT(count_files(), 2);
}

static void failures_say_what_and_why(void **state) {
    (void)state;
    TASKFIT_STRBUF(read);
    taskfit_error err = {0};
    ASSERT_INT(taskfit_file_read("none", 10, &read, &err), TASKFIT_E_SYSTEM);
    assert_string_equal(err.message, "cannot open 'none': No such file or directory");
    err = (taskfit_error){0};
    ASSERT_INT(taskfit_file_read(".", 10, &read, &err), TASKFIT_E_SYSTEM);
    assert_string_equal(err.message, "cannot read '.': Is a directory");
    err = (taskfit_error){0};
    ASSERT_INT(taskfit_file_write("big", "12345678901", 11, NULL), TASKFIT_OK);
    ASSERT_INT(taskfit_file_read("big", 10, &read, &err), TASKFIT_E_INPUT);
    assert_string_equal(err.message, "'big' is larger than 10 bytes");
    ASSERT_INT(taskfit_file_read("big", 11, &read, NULL), TASKFIT_OK);
    err = (taskfit_error){0};
    ASSERT_INT(taskfit_file_write("no/where", "x", 1, &err), TASKFIT_E_SYSTEM);
    assert_string_equal(err.message, "cannot write 'no/where': No such file or directory");
    err = (taskfit_error){0};
    ASSERT_INT(taskfit_file_write(".", "x", 1, &err), TASKFIT_E_SYSTEM);
    assert_string_equal(err.message, "cannot write '.': it is a folder");
    err = (taskfit_error){0};
    ASSERT_INT(taskfit_file_write("/dev/full", "x", 1, &err), TASKFIT_E_SYSTEM);
    assert_string_equal(err.message, "cannot write '/dev/full': No space left on device");
    ASSERT_INT(taskfit_file_write("/dev/null", "x", 1, NULL), TASKFIT_OK);
    struct stat info;
    ASSERT_INT(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

static void a_set_is_written_whole_or_not_at_all(void **state) {
    (void)state;
    taskfit_file_set set;
    taskfit_file_set_init(&set);
    ASSERT_INT(taskfit_file_set_add(&set, "x", "1", 1, NULL), TASKFIT_OK);
    ASSERT_INT(taskfit_file_set_add(&set, "y", "2", 1, NULL), TASKFIT_OK);
    ASSERT_INT(taskfit_file_set_add(&set, "no/where", "3", 1, NULL), TASKFIT_E_SYSTEM);
    taskfit_file_set_release(&set);
    ASSERT_INT(count_files(), 0);
    for (int64_t file = 0; file < 20; file++) {
        char name[32];
        (void)snprintf(name, sizeof name, "file-%d", (int)file);
        ASSERT_INT(taskfit_file_set_add(&set, name, name, strlen(name), NULL), TASKFIT_OK);
    }
    ASSERT_INT(taskfit_file_set_commit(&set, NULL), TASKFIT_OK);
    taskfit_file_set_release(&set);
    ASSERT_INT(count_files(), 20);
    holds("file-19", "file-19");
}

static void same_compares_bytes_of_regular_files(void **state) {
    (void)state;
    bool exists = true;
    assert_false(taskfit_file_same("a", "x", 1, &exists));
    assert_false(exists);
    ASSERT_INT(taskfit_file_write("a", "x\0y", 3, NULL), TASKFIT_OK);
    assert_true(taskfit_file_same("a", "x\0y", 3, &exists));
    assert_true(exists);
    assert_false(taskfit_file_same("a", "x\0z", 3, &exists));
    assert_false(taskfit_file_same("a", "x", 1, &exists));
    assert_true(exists);
    assert_false(taskfit_file_same("/dev/null", "", 0, &exists));
    assert_false(exists);
}

static void folders_are_made_with_their_parents(void **state) {
    (void)state;
    ASSERT_INT(taskfit_folder_make("a/b//c/", NULL), TASKFIT_OK);
    ASSERT_INT(taskfit_folder_make("a/b/c", NULL), TASKFIT_OK);
    ASSERT_INT(taskfit_file_write("a/b/c/file", "x", 1, NULL), TASKFIT_OK);
    taskfit_error err = {0};
    ASSERT_INT(taskfit_folder_make("a/b/c/file/d", &err), TASKFIT_E_SYSTEM);
    assert_string_equal(err.message, "cannot make folder 'a/b/c/file': File exists");
    char absolute[128];
    (void)snprintf(absolute, sizeof absolute, "%s/z/y", folder);
    ASSERT_INT(taskfit_folder_make(absolute, NULL), TASKFIT_OK);
    ASSERT_INT(taskfit_file_write("z/y/file", "x", 1, NULL), TASKFIT_OK);
}

int main(void) {
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(written_files_read_back),
        IN_FOLDER(failures_say_what_and_why),
        IN_FOLDER(a_set_is_written_whole_or_not_at_all),
        IN_FOLDER(same_compares_bytes_of_regular_files),
        IN_FOLDER(folders_are_made_with_their_parents),
    };
    return RUN_TESTS(tests);
}
