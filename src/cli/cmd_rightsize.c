#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/io.h"
#include "cli/progress.h"
#include "cli/sizing.h"
#include "taskfit/rightsize.h"
#include "taskfit/whatif.h"

/* The metrics as read, with the bytes behind them. */
struct metrics {
    taskfit_strbuf *texts; /* [n] */
    taskfit_metrics_file *files;
    size_t n;
};

static void release_metrics(struct metrics *metrics) {
    for (size_t i = 0; i < metrics->n; i++) {
        taskfit_strbuf_release(&metrics->texts[i]);
    }
    free(metrics->texts);
    free(metrics->files);
}

static int read_metrics(const cli_options *options, struct metrics *metrics) {
    const size_t n = options->metrics.n;
    metrics->texts = calloc(n, sizeof *metrics->texts);
    metrics->files = calloc(n, sizeof *metrics->files);
    if (!metrics->texts || !metrics->files) {
        taskfit_oom();
    }
    for (; metrics->n < n; metrics->n++) {
        taskfit_strbuf *text = &metrics->texts[metrics->n];
        taskfit_strbuf_init(text);
        int failed = cli_read_file(options, options->metrics.items[metrics->n], text);
        if (failed) {
            return failed;
        }
        metrics->files[metrics->n] = (taskfit_metrics_file){options->metrics.items[metrics->n], text->data, text->len};
    }
    return CLI_EXIT_DONE;
}

/* The deployment in `bytes` with the edits of the options. */
static int parse(const cli_options *options, const taskfit_strbuf *bytes, cli_input *input) {
    size_t n_defects = 0;
    taskfit_error err = {0};
    int failed = cli_read_catalogue(options, input);
    if (failed) {
        return failed;
    }
    const taskfit_parse_options how = cli_parse_options(options, input, &n_defects);
    if (taskfit_deployment_parse(options->operands.items[0], bytes->data, bytes->len, &how, &input->owned_deployment, &err) != TASKFIT_OK) {
        return n_defects > 0 ? cli_exit_of(err.status) : cli_fail(&err);
    }
    input->deployment = input->owned_deployment;
    return CLI_EXIT_DONE;
}

static int apply(const cli_options *options, const taskfit_deployment *deployment) {
    if (!options->apply) {
        return CLI_EXIT_DONE;
    }
    taskfit_error err = {0};
    TASKFIT_STRBUF(text);
    TASKFIT_STRBUF(path);
    taskfit_strbuf_adds(&path, options->apply);
    if (taskfit_deployment_write(deployment, TASKFIT_FORMAT_YAML, cli_append, &text, &err) != TASKFIT_OK) {
        return cli_fail(&err);
    }
    const cli_file file = {.path = path, .text = text};
    return cli_write_files(options, &file, 1);
}

/* Both fleets and the table; then the file. */
static int answer(const cli_options *options, const taskfit_strbuf *bytes, cli_input *before, const taskfit_rightsizing *rightsizing) {
    TASKFIT_CLEANUP(cli_input_release) cli_input after = {0};
    TASKFIT_CLEANUP(cli_list_release) cli_list edits = {0};
    cli_options edited = *options;
    edited.no_ladder = true;
    for (size_t i = 0; i < options->edits.n; i++) {
        cli_list_add(&edits, options->edits.items[i]);
    }
    size_t n = 0;
    const char *const *proposed = taskfit_rightsizing_edits(rightsizing, &n);
    for (size_t i = 0; i < n; i++) {
        cli_list_add(&edits, proposed[i]);
    }
    edited.edits = edits;
    int failed = parse(&edited, bytes, &after);
    if (!failed) {
        failed = cli_size(&edited, before);
    }
    if (!failed) {
        failed = cli_size(&edited, &after);
    }
    if (failed) {
        return failed;
    }
    taskfit_error err = {0};
    TASKFIT_STRBUF(text);
    if (taskfit_rightsizing_write(rightsizing, before->plan, after.plan, (taskfit_plan_style)options->output, cli_use_color(options),
                                  cli_append, &text, &err) != TASKFIT_OK) {
        return cli_fail(&err);
    }
    failed = apply(options, after.deployment);
    return failed ? failed : cli_deliver(options, &text);
}

int cli_cmd_rightsize(const cli_options *options) {
    if (options->metrics.n == 0) {
        cli_say("rightsize needs --metrics");
        return CLI_EXIT_USAGE;
    }
    TASKFIT_CLEANUP(release_metrics) struct metrics metrics = {0};
    TASKFIT_CLEANUP(cli_input_release) cli_input before = {0};
    TASKFIT_STRBUF(bytes);
    int failed = cli_read_file(options, options->operands.items[0], &bytes);
    if (!failed) {
        failed = parse(options, &bytes, &before);
    }
    if (!failed) {
        failed = read_metrics(options, &metrics);
    }
    if (failed) {
        return failed;
    }
    taskfit_error err = {0};
    taskfit_rightsize_options how;
    taskfit_rightsize_options_init(&how);
    how.cpu_percentile = options->cpu_percentile;
    how.memory_percentile = options->memory_percentile;
    how.margin_percent = options->margin_percent;
    how.min_samples = options->min_samples;
    taskfit_rightsizing *rightsizing = NULL;
    if (taskfit_rightsize(before.deployment, metrics.files, metrics.n, &how, &rightsizing, &err) != TASKFIT_OK) {
        return cli_fail(&err);
    }
    failed = answer(options, &bytes, &before, rightsizing);
    taskfit_rightsizing_free(rightsizing);
    return failed;
}
