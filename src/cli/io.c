#include "cli/io.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diff.h"
#include "cli/progress.h"

void cli_io_init(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        /* Read-only for output too: then writing there fails as it would on the closed one. */
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF && open("/dev/null", O_RDONLY) != fd) {
            _exit(CLI_EXIT_FAILED);
        }
    }
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    (void)sigemptyset(&ignore.sa_mask);
    (void)sigaction(SIGPIPE, &ignore, NULL);
}

void cli_say(const char *format, ...) {
    TASKFIT_STRBUF(line);
    taskfit_strbuf_adds(&line, "taskfit: ");
    va_list args;
    va_start(args, format);
    taskfit_strbuf_vprintf(&line, format, args);
    va_end(args);
    taskfit_strbuf_addc(&line, '\n');
    cli_progress_clear();
    (void)fputs(line.data, stderr);
}

int cli_fail(const taskfit_error *err) {
    cli_say("%s%s%s", err->where, *err->where ? ": " : "", err->message);
    return cli_exit_of(err->status);
}

void cli_say_defect(void *arg, const char *text) {
    size_t *n_defects = arg;
    (*n_defects)++;
    cli_say("%s", text);
}

void cli_say_note(void *arg, const char *text) {
    const cli_options *options = arg;
    if (!options->quiet) {
        cli_say("%s", text);
    }
}

int cli_append(void *sink, const char *data, size_t len) {
    taskfit_strbuf_add(sink, data, len);
    return 0;
}

int cli_print(const taskfit_strbuf *text) {
    size_t written = fwrite(text->data, 1, text->len, stdout);
    if (written != text->len || fflush(stdout) != 0) {
        if (errno != EPIPE) { /* whoever closed the pipe has read enough: `taskfit ... | head` */
            cli_say("cannot write standard output: %s", strerror(errno));
        }
        return CLI_EXIT_FAILED;
    }
    return CLI_EXIT_DONE;
}

bool cli_use_color(const cli_options *options) {
    if (options->color != CLI_COLOR_AUTO) {
        return options->color == CLI_COLOR_ALWAYS;
    }
    const char *no_color = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return !options->out && isatty(STDOUT_FILENO) && !(no_color && *no_color) && terminal && strcmp(terminal, "dumb") != 0;
}

/* The change that writing `text` to `path` would be, as a difference. */
static int add_difference(const char *path, const taskfit_strbuf *text, bool exists, taskfit_strbuf *out) {
    taskfit_error err = {0};
    TASKFIT_STRBUF(old);
    if (exists && taskfit_file_read(path, SIZE_MAX / 8, &old, &err) != TASKFIT_OK) {
        return cli_fail(&err);
    }
    taskfit_diff_side before = {exists ? path : "/dev/null", old.data, old.len};
    taskfit_diff_side after = {path, text->data, text->len};
    (void)taskfit_diff_unified(&before, &after, out);
    return CLI_EXIT_DONE;
}

static int show_changes(const cli_file *files, size_t n_files) {
    TASKFIT_STRBUF(changes);
    for (size_t i = 0; i < n_files; i++) {
        bool exists = false;
        if (!taskfit_file_same(files[i].path.data, files[i].text.data, files[i].text.len, &exists)) {
            int failed = add_difference(files[i].path.data, &files[i].text, exists, &changes);
            if (failed) {
                return failed;
            }
        }
    }
    return cli_print(&changes);
}

int cli_write_files(const cli_options *options, const cli_file *files, size_t n_files) {
    if (options->dry_run) {
        return show_changes(files, n_files);
    }
    taskfit_error err = {0};
    TASKFIT_CLEANUP(taskfit_file_set_release) taskfit_file_set set;
    taskfit_file_set_init(&set);
    bool refused = false;
    for (size_t i = 0; i < n_files; i++) {
        bool exists = false;
        if (taskfit_file_same(files[i].path.data, files[i].text.data, files[i].text.len, &exists)) {
            continue;
        }
        if (exists && !options->force) {
            cli_say("'%s' exists and differs (--force to replace it, -n to see the difference)", files[i].path.data);
            refused = true;
        } else if (!refused &&
                   taskfit_file_set_add(&set, files[i].path.data, files[i].text.data, files[i].text.len, &err) != TASKFIT_OK) {
            return cli_fail(&err);
        }
    }
    if (refused) {
        return CLI_EXIT_FAILED;
    }
    return taskfit_file_set_commit(&set, &err) == TASKFIT_OK ? CLI_EXIT_DONE : cli_fail(&err);
}

int cli_deliver(const cli_options *options, const taskfit_strbuf *answer) {
    if (!options->out || strcmp(options->out, "-") == 0) {
        return cli_print(answer);
    }
    TASKFIT_STRBUF(path);
    taskfit_strbuf_adds(&path, options->out);
    cli_file file = {.path = path, .text = *answer};
    return cli_write_files(options, &file, 1);
}
