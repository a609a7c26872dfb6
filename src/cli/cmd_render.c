#include <stdlib.h>
#include <string.h>

#include "base/diff.h"
#include "cli/cmd.h"
#include "cli/input.h"
#include "cli/io.h"
#include "taskfit/render.h"

enum { BYTES_MAX = 64 * 1024 * 1024 };

/* The files as they are rendered, kept until all are. */
struct files {
    const char *folder; /* NULL: none given */
    cli_file *items;
    size_t n;
    size_t capacity;
    size_t n_services;
    taskfit_strbuf changes; /* against bases */
};

static void release_files(struct files *files) {
    for (size_t i = 0; i < files->n; i++) {
        taskfit_strbuf_release(&files->items[i].path);
        taskfit_strbuf_release(&files->items[i].text);
    }
    free(files->items);
    taskfit_strbuf_release(&files->changes);
}

/* A taskfit_render_fn. */
static void add_file(void *arg, const taskfit_rendered *rendered) {
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
    taskfit_strbuf_printf(&file->path, "%s%s%s", files->folder ? files->folder : "", files->folder ? "/" : "", rendered->file);
    taskfit_strbuf_add(&file->text, rendered->data, rendered->len);
    files->n_services += rendered->kind == TASKFIT_RENDERED_TASK_DEFINITION || rendered->kind == TASKFIT_RENDERED_TEMPLATE ||
                         rendered->kind == TASKFIT_RENDERED_MANIFEST;
    if (rendered->base_file) {
        taskfit_diff_side before = {rendered->base_file, rendered->base_data, rendered->base_len};
        taskfit_diff_side after = {file->path.data, rendered->data, rendered->len};
        (void)taskfit_diff_unified(&before, &after, &files->changes);
    }
}

/* ---- bases ---- */

struct bases {
    cli_list paths;
    size_t n_optional; /* those of folders come first */
    taskfit_strbuf *texts; /* [paths.n] */
    taskfit_render_base *items;
};

static void release_bases(struct bases *bases) {
    for (size_t i = 0; bases->texts && i < bases->paths.n; i++) {
        taskfit_strbuf_release(&bases->texts[i]);
    }
    free(bases->texts);
    free(bases->items);
    cli_list_release(&bases->paths);
}

/* A taskfit_folder_fn. */
static void add_path(void *arg, const char *path) {
    static const char *const endings[] = {".yaml", ".yml", ".json"};
    size_t len = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t ending = strlen(endings[i]);
        if (len > ending && strcmp(path + len - ending, endings[i]) == 0) {
            cli_list_add(arg, path);
        }
    }
}

static taskfit_status list_bases(const cli_options *options, struct bases *bases, taskfit_error *err) {
    taskfit_status status = TASKFIT_OK;
    for (size_t i = 0; i < options->bases.n && status == TASKFIT_OK; i++) {
        if (taskfit_is_folder(options->bases.items[i])) {
            status = taskfit_folder_list(options->bases.items[i], add_path, &bases->paths, err);
        }
    }
    bases->n_optional = bases->paths.n;
    for (size_t i = 0; i < options->bases.n; i++) {
        if (!taskfit_is_folder(options->bases.items[i])) {
            cli_list_add(&bases->paths, options->bases.items[i]);
        }
    }
    return status;
}

static taskfit_status read_bases(const cli_options *options, struct bases *bases, taskfit_error *err) {
    taskfit_status status = list_bases(options, bases, err);
    const size_t n = bases->paths.n;
    bases->texts = calloc(n + 1, sizeof *bases->texts);
    bases->items = calloc(n + 1, sizeof *bases->items);
    if (!bases->texts || !bases->items) {
        taskfit_oom();
    }
    for (size_t i = 0; i < n; i++) {
        taskfit_strbuf_init(&bases->texts[i]);
    }
    for (size_t i = 0; i < n && status == TASKFIT_OK; i++) {
        const char *path = bases->paths.items[i];
        status = taskfit_file_read(path, BYTES_MAX, &bases->texts[i], err);
        bases->items[i] = (taskfit_render_base){path, bases->texts[i].data, bases->texts[i].len, i < bases->n_optional};
    }
    return status;
}

/* ---- the verb ---- */

/* Files of the folder's index that are not rendered any more, such as those of services that are gone. */
struct former {
    const struct files *files;
    cli_list paths;
};

static void release_former(struct former *former) {
    cli_list_release(&former->paths);
}

/* A taskfit_rendered_name_fn. */
static void add_former(void *arg, const char *name) {
    struct former *former = arg;
    TASKFIT_STRBUF(path);
    taskfit_strbuf_printf(&path, "%s/%s", former->files->folder, name);
    bool exists = false;
    (void)taskfit_file_same(path.data, "", 0, &exists);
    for (size_t i = 0; i < former->files->n && exists; i++) {
        exists = strcmp(former->files->items[i].path.data, path.data) != 0;
    }
    if (exists) {
        cli_list_add(&former->paths, path.data);
    }
}

static void find_former(const char *index, struct former *former) {
    TASKFIT_STRBUF(path);
    TASKFIT_STRBUF(text);
    taskfit_strbuf_printf(&path, "%s/%s", former->files->folder, index);
    taskfit_error err = {0};
    bool exists = false;
    (void)taskfit_file_same(path.data, "", 0, &exists);
    if (exists && (taskfit_file_read(path.data, BYTES_MAX, &text, &err) != TASKFIT_OK ||
                   taskfit_render_index_read(path.data, text.data, text.len, add_former, former, &err) != TASKFIT_OK)) {
        (void)cli_fail(&err); /* no reason not to render: it will be written anew */
    }
    if (exists) {
        add_former(former, index);
    }
}

/* Only --force removes them; else they are named. */
static int remove_former(const cli_options *options, const struct former *former) {
    taskfit_error err = {0};
    for (size_t i = 0; i < former->paths.n; i++) {
        const bool removes = options->force && !options->dry_run;
        if (removes && taskfit_file_remove(former->paths.items[i], &err) != TASKFIT_OK) {
            return cli_fail(&err);
        }
        if (!options->quiet) {
            cli_say("'%s' is not rendered any more%s", former->paths.items[i], removes ? ": removed" : " (--force to remove it)");
        }
    }
    return CLI_EXIT_DONE;
}

static int write_folder(const cli_options *options, const struct files *files) {
    taskfit_error err = {0};
    if (options->dry_run && options->bases.n > 0) {
        return cli_print(&files->changes);
    }
    if (!options->dry_run && taskfit_folder_make(options->directory, &err) != TASKFIT_OK) {
        return cli_fail(&err);
    }
    TASKFIT_CLEANUP(release_former) struct former former = {.files = files};
    find_former("taskfit.index.yaml", &former);
    find_former("taskfit.index.json", &former);
    int failed = cli_write_files(options, files->items, files->n);
    if (!failed || !options->force) {
        const int kept = remove_former(options, &former);
        failed = failed ? failed : kept;
    }
    if (!failed && !options->quiet && !options->dry_run) {
        cli_say("%zu service%s in %zu files in '%s'", files->n_services, files->n_services == 1 ? "" : "s", files->n,
                options->directory);
    }
    return failed;
}

int cli_cmd_render(const cli_options *options) {
    taskfit_error err = {0};
    size_t n_defects = 0;
    if (!options->directory && !(options->dry_run && options->bases.n > 0)) {
        cli_say("render needs -d DIR");
        return CLI_EXIT_USAGE;
    }
    TASKFIT_CLEANUP(cli_input_release) cli_input input = {0};
    int failed = cli_read_deployment(options, options->operands.items[0], true, &input);
    if (failed) {
        return failed;
    }
    TASKFIT_CLEANUP(release_bases) struct bases bases = {0};
    if (read_bases(options, &bases, &err) != TASKFIT_OK) {
        return cli_fail(&err);
    }
    TASKFIT_CLEANUP(release_files) struct files files = {.folder = options->directory};
    taskfit_strbuf_init(&files.changes);
    cli_options quiet = {.quiet = options->quiet};
    taskfit_render_options render;
    taskfit_render_options_init(&render);
    render.form = (taskfit_render_form)options->format;
    render.plan = input.plan;
    render.az_rebalancing = options->az_rebalancing;
    render.bases = bases.items;
    render.n_bases = bases.paths.n;
    render.note = cli_say_note;
    render.note_arg = &quiet;
    render.defect = cli_say_defect;
    render.defect_arg = &n_defects;
    if (taskfit_render(input.deployment, &render, add_file, &files, &err) != TASKFIT_OK) {
        return n_defects > 0 ? cli_exit_of(err.status) : cli_fail(&err);
    }
    return write_folder(options, &files);
}
