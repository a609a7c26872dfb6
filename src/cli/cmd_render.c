#include <stdlib.h>

#include "cli/cmd.h"
#include "cli/input.h"
#include "cli/io.h"

/* The files as they are rendered, kept until all are. */
struct files {
    const char *folder;
    cli_file *items;
    size_t n;
    size_t capacity;
};

static void release_files(struct files *files) {
    for (size_t i = 0; i < files->n; i++) {
        taskfit_strbuf_release(&files->items[i].path);
        taskfit_strbuf_release(&files->items[i].text);
    }
    free(files->items);
}

/* A taskfit_render_fn. */
static void add_file(void *arg, const char *name, const char *data, size_t len) {
    struct files *files = arg;
    if (files->n == files->capacity) {
        size_t capacity = files->capacity ? 2 * files->capacity : 64;
        cli_file *items = realloc(files->items, capacity * sizeof *items);
        if (!items) {
            taskfit_oom();
        }
        files->items = items;
        files->capacity = capacity;
    }
    cli_file *file = &files->items[files->n++];
    taskfit_strbuf_init(&file->path);
    taskfit_strbuf_init(&file->text);
    taskfit_strbuf_printf(&file->path, "%s/%s", files->folder, name);
    taskfit_strbuf_add(&file->text, data, len);
}

static taskfit_format format_of(const cli_options *options) {
    return options->format == CLI_FORMAT_JSON ? TASKFIT_FORMAT_JSON : TASKFIT_FORMAT_YAML;
}

static int write_folder(const cli_options *options, const struct files *files) {
    taskfit_error err = {0};
    if (!options->dry_run && taskfit_folder_make(options->directory, &err) != TASKFIT_OK) {
        return cli_fail(&err);
    }
    int failed = cli_write_files(options, files->items, files->n);
    if (!failed && !options->quiet && !options->dry_run) {
        cli_say("%zu task definition%s in '%s'", files->n, files->n == 1 ? "" : "s", options->directory);
    }
    return failed;
}

int cli_cmd_render(const cli_options *options) {
    taskfit_error err = {0};
    size_t n_defects = 0;
    if (!options->directory) {
        cli_say("render needs -d DIR");
        return CLI_EXIT_USAGE;
    }
    TASKFIT_CLEANUP(cli_input_release) cli_input input = {0};
    int failed = cli_read_deployment(options, options->operands.items[0], true, &input);
    if (failed) {
        return failed;
    }
    TASKFIT_CLEANUP(release_files) struct files files = {.folder = options->directory};
    if (taskfit_render_task_definitions(input.deployment, format_of(options), add_file, &files, cli_say_defect, &n_defects,
                                        &err) != TASKFIT_OK) {
        return n_defects > 0 ? cli_exit_of(err.status) : cli_fail(&err);
    }
    return write_folder(options, &files);
}
