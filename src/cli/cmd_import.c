#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/input.h"
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

/* Both files or none; without --out the deployment goes to standard output, behind the plan. */
static int deliver(const cli_options *options, const taskfit_strbuf *deployment, const taskfit_strbuf *plan) {
    if (!options->plan) {
        return cli_deliver(options, deployment);
    }
    TASKFIT_STRBUF(plan_path);
    TASKFIT_STRBUF(deployment_path);
    taskfit_strbuf_adds(&plan_path, options->plan);
    taskfit_strbuf_adds(&deployment_path, options->out ? options->out : "-");
    const cli_file files[] = {{.path = plan_path, .text = *plan}, {.path = deployment_path, .text = *deployment}};
    const bool is_file = strcmp(deployment_path.data, "-") != 0;
    const int failed = cli_write_files(options, files, is_file ? 2 : 1);
    return failed || is_file ? failed : cli_print(deployment);
}

int cli_cmd_import(const cli_options *options) {
    taskfit_error err = {0};
    TASKFIT_CLEANUP(release_sources) struct sources sources = {0};
    TASKFIT_CLEANUP(cli_input_release) cli_input input = {0};
    taskfit_strbuf_init(&sources.into);
    const int failed = cli_read_catalogue(options, &input);
    if (failed) {
        return failed;
    }
    if (read_sources(options, &sources, &err) != TASKFIT_OK) {
        return cli_fail(&err);
    }
    const taskfit_import_file into = {options->into, sources.into.data, sources.into.len};
    size_t n_defects = 0;
    cli_options quiet = {.quiet = options->quiet};
    TASKFIT_STRBUF(deployment);
    TASKFIT_STRBUF(plan);
    const taskfit_import_options import = {
        .kind = options->operands.items[0],
        .into = options->into ? &into : NULL,
        .type = options->type,
        .count = options->count,
        .replicas = (taskfit_import_replicas)options->replicas,
        .name = options->out,
        .catalogue = input.catalogue,
        .plan = options->plan ? cli_append : NULL,
        .plan_sink = &plan,
        .comments = options->comments,
        .strict = options->strict,
        .note = cli_say_note,
        .note_arg = &quiet,
        .defect = cli_say_defect,
        .defect_arg = &n_defects,
    };
    if (taskfit_import(sources.files, sources.paths.n, &import, cli_append, &deployment, &err) != TASKFIT_OK) {
        return n_defects > 0 ? cli_exit_of(err.status) : cli_fail(&err);
    }
    return deliver(options, &deployment, &plan);
}
