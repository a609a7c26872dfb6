#include <stdlib.h>

#include "cli/cmd.h"
#include "cli/io.h"
#include "taskfit/import.h"

enum { BYTES_MAX = 64 * 1024 * 1024, FILES_MAX = 10000 };

/* The files of the operands, and the bytes of each. */
struct sources {
    cli_list paths;
    taskfit_strbuf *texts; /* [paths.n] */
    taskfit_import_file *files;
    taskfit_strbuf into;
};

static void release_sources(struct sources *sources) {
    for (size_t i = 0; sources->texts && i < sources->paths.n; i++) {
        taskfit_strbuf_release(&sources->texts[i]);
    }
    free(sources->texts);
    free(sources->files);
    taskfit_strbuf_release(&sources->into);
    cli_list_release(&sources->paths);
}

/* A taskfit_folder_fn. */
static void add_path(void *arg, const char *path) {
    cli_list_add(arg, path);
}

/* A folder stands for its files. */
static taskfit_status list_paths(const cli_options *options, cli_list *paths, taskfit_error *err) {
    for (size_t i = 1; i < options->operands.n; i++) {
        const char *operand = options->operands.items[i];
        if (!taskfit_is_folder(operand)) {
            cli_list_add(paths, operand);
            continue;
        }
        const size_t n_before = paths->n;
        const taskfit_status status = taskfit_folder_list(operand, add_path, paths, err);
        if (status != TASKFIT_OK) {
            return status;
        }
        if (paths->n == n_before) {
            return taskfit_fail(err, TASKFIT_E_INPUT, "folder '%s' holds no file", operand);
        }
    }
    return paths->n <= FILES_MAX ? TASKFIT_OK : taskfit_fail(err, TASKFIT_E_INPUT, "more than %d files", FILES_MAX);
}

static taskfit_status read_sources(const cli_options *options, struct sources *sources, taskfit_error *err) {
    taskfit_status status = list_paths(options, &sources->paths, err);
    if (status != TASKFIT_OK) {
        return status;
    }
    const size_t n = sources->paths.n;
    sources->texts = calloc(n, sizeof *sources->texts);
    sources->files = calloc(n, sizeof *sources->files);
    if (!sources->texts || !sources->files) {
        taskfit_oom();
    }
    for (size_t i = 0; i < n; i++) {
        taskfit_strbuf_init(&sources->texts[i]);
    }
    for (size_t i = 0; i < n && status == TASKFIT_OK; i++) {
        const char *path = sources->paths.items[i];
        status = taskfit_file_read(path, BYTES_MAX, &sources->texts[i], err);
        if (status == TASKFIT_OK && options->verbose) {
            cli_say("read '%s', %zu bytes", path, sources->texts[i].len);
        }
        sources->files[i] = (taskfit_import_file){path, sources->texts[i].data, sources->texts[i].len};
    }
    if (status == TASKFIT_OK && options->into) {
        status = taskfit_file_read(options->into, BYTES_MAX, &sources->into, err);
    }
    return status;
}

int cli_cmd_import(const cli_options *options) {
    taskfit_error err = {0};
    TASKFIT_CLEANUP(release_sources) struct sources sources = {0};
    taskfit_strbuf_init(&sources.into);
    if (read_sources(options, &sources, &err) != TASKFIT_OK) {
        return cli_fail(&err);
    }
    const taskfit_import_file into = {options->into, sources.into.data, sources.into.len};
    size_t n_defects = 0;
    cli_options quiet = {.quiet = options->quiet};
    taskfit_import_options import;
    taskfit_import_options_init(&import);
    import.kind = options->operands.items[0];
    import.into = options->into ? &into : NULL;
    import.type = options->type;
    import.count = options->count;
    import.replicas = (taskfit_import_replicas)options->replicas;
    import.comments = options->comments;
    import.strict = options->strict;
    import.note = cli_say_note;
    import.note_arg = &quiet;
    import.defect = cli_say_defect;
    import.defect_arg = &n_defects;
    TASKFIT_STRBUF(deployment);
    if (taskfit_import(sources.files, sources.paths.n, &import, cli_append, &deployment, &err) != TASKFIT_OK) {
        return n_defects > 0 ? cli_exit_of(err.status) : cli_fail(&err);
    }
    return cli_deliver(options, &deployment);
}
