#include "cli/input.h"

#include <stdlib.h>
#include <string.h>

#include "cli/io.h"

enum { BYTES_MAX = 64 * 1024 * 1024 };

void cli_input_release(cli_input *input) {
    taskfit_plan_free(input->owned_plan);
    taskfit_plan_free(input->owned_from);
    taskfit_deployment_free(input->owned_deployment);
    taskfit_catalogue_free(input->owned_catalogue);
    taskfit_prices_free(input->owned_prices);
    *input = (cli_input){0};
}

int cli_read_file(const cli_options *options, const char *path, taskfit_strbuf *bytes) {
    taskfit_error err = {0};
    if (taskfit_file_read(path, BYTES_MAX, bytes, &err) != TASKFIT_OK) {
        return cli_fail(&err);
    }
    if (options->verbose) {
        cli_say("read '%s', %zu bytes", path, bytes->len);
    }
    return CLI_EXIT_DONE;
}

int cli_read_catalogue(const cli_options *options, cli_input *input) {
    input->catalogue = taskfit_catalogue_builtin();
    if (!options->catalogue) {
        return CLI_EXIT_DONE;
    }
    TASKFIT_STRBUF(bytes);
    taskfit_error err = {0};
    int failed = cli_read_file(options, options->catalogue, &bytes);
    if (failed) {
        return failed;
    }
    if (taskfit_catalogue_read(options->catalogue, bytes.data, bytes.len, &input->owned_catalogue, &err) !=
        TASKFIT_OK) {
        return cli_fail(&err);
    }
    input->catalogue = input->owned_catalogue;
    return CLI_EXIT_DONE;
}

int cli_read_prices(const cli_options *options, cli_input *input) {
    if (!options->prices) {
        return CLI_EXIT_DONE;
    }
    TASKFIT_STRBUF(bytes);
    taskfit_error err = {0};
    int failed = cli_read_file(options, options->prices, &bytes);
    if (failed) {
        return failed;
    }
    return taskfit_prices_read(options->prices, bytes.data, bytes.len, &input->owned_prices, &err) == TASKFIT_OK ? CLI_EXIT_DONE
                                                                                                              : cli_fail(&err);
}

/* A taskfit_load_fn. A file may be called "-"; only the command line means standard input by it. */
static taskfit_status load(void *arg, const char *path, char **data_out, size_t *len_out, taskfit_error *err) {
    (void)arg;
    TASKFIT_STRBUF(bytes);
    taskfit_status status = taskfit_file_read(strcmp(path, "-") == 0 ? "./-" : path, BYTES_MAX, &bytes, err);
    if (status == TASKFIT_OK) {
        char *data = malloc(bytes.len + 1);
        if (!data) {
            taskfit_oom();
        }
        memcpy(data, bytes.data, bytes.len + 1);
        *data_out = data;
        *len_out = bytes.len;
    }
    return status;
}

taskfit_parse_options cli_parse_options(const cli_options *options, const cli_input *input, size_t *n_defects) {
    taskfit_parse_options parse;
    taskfit_parse_options_init(&parse);
    parse.catalogue = input->catalogue;
    parse.load = load;
    parse.counts_tasks = input->counts_tasks;
    parse.diag = cli_say_defect;
    parse.diag_arg = n_defects;
    parse.set = (const char *const *)options->edits.items;
    parse.n_set = options->edits.n;
    parse.scenario = options->scenario;
    return parse;
}

/* Defects go to whom the input names instead of being said. */
struct defects {
    const cli_input *input;
    size_t n;
};

/* A taskfit_diag_fn. */
static void take_defect(void *arg, const char *text) {
    struct defects *defects = arg;
    if (defects->input->defect) {
        defects->n++;
        defects->input->defect(defects->input->defect_arg, text);
    } else {
        cli_say_defect(&defects->n, text);
    }
}

/* After a failed read: the defects have been said one by one, or the error has not been said yet. */
static int fail_unless_said(struct defects *defects, const taskfit_error *err) {
    if (defects->n == 0 && defects->input->defect && err->status == TASKFIT_E_INPUT) {
        TASKFIT_STRBUF(text);
        taskfit_strbuf_printf(&text, "%s%s%s", err->where, *err->where ? ": " : "", err->message);
        take_defect(defects, text.data);
    }
    return defects->n > 0 ? cli_exit_of(err->status) : cli_fail(err);
}

static int parse_plan(const cli_options *options, const char *path, const taskfit_strbuf *bytes, cli_input *input) {
    if (options->edits.n > 0 || options->scenario) {
        cli_say("'%s' is a plan and cannot be changed (give the deployment it was made from)", path);
        return CLI_EXIT_USAGE;
    }
    struct defects defects = {.input = input};
    taskfit_error err = {0};
    taskfit_parse_options parse = cli_parse_options(options, input, NULL);
    parse.diag = take_defect;
    parse.diag_arg = &defects;
    if (taskfit_plan_read(path, bytes->data, bytes->len, &parse, &input->owned_plan, &err) != TASKFIT_OK) {
        return fail_unless_said(&defects, &err);
    }
    input->plan = input->owned_plan;
    input->deployment = taskfit_plan_deployment(input->plan);
    return CLI_EXIT_DONE;
}

int cli_read_plan(const cli_options *options, const char *path, cli_input *input) {
    TASKFIT_STRBUF(bytes);
    int failed = cli_read_catalogue(options, input);
    if (!failed) {
        failed = cli_read_file(options, path, &bytes);
    }
    return failed ? failed : parse_plan(options, path, &bytes, input);
}

int cli_read_from(const cli_options *options, cli_input *input) {
    if (!options->from) {
        return CLI_EXIT_DONE;
    }
    if (strcmp(options->from, "-") == 0 && strcmp(options->operands.items[0], "-") == 0) {
        cli_say("standard input cannot be both the file and the plan of --from");
        return CLI_EXIT_USAGE;
    }
    TASKFIT_STRBUF(bytes);
    taskfit_error err = {0};
    size_t n_defects = 0;
    taskfit_parse_options parse = cli_parse_options(options, input, &n_defects);
    parse.set = NULL; /* edits are of the deployment to be sized */
    parse.n_set = 0;
    parse.scenario = NULL;
    const int failed = cli_read_file(options, options->from, &bytes);
    if (failed) {
        return failed;
    }
    if (taskfit_plan_read(options->from, bytes.data, bytes.len, &parse, &input->owned_from, &err) != TASKFIT_OK) {
        return n_defects > 0 ? cli_exit_of(err.status) : cli_fail(&err);
    }
    input->from = input->owned_from;
    return CLI_EXIT_DONE;
}

int cli_read_deployment(const cli_options *options, const char *path, bool plan_allowed, cli_input *input) {
    TASKFIT_STRBUF(bytes);
    int failed = cli_read_catalogue(options, input);
    if (!failed) {
        failed = cli_read_file(options, path, &bytes);
    }
    if (failed) {
        return failed;
    }
    if (taskfit_is_plan(bytes.data, bytes.len)) {
        if (plan_allowed) {
            return parse_plan(options, path, &bytes, input);
        }
        cli_say("'%s' is a plan (give the deployment it was made from)", path);
        return CLI_EXIT_INPUT;
    }
    struct defects defects = {.input = input};
    taskfit_error err = {0};
    taskfit_parse_options parse = cli_parse_options(options, input, NULL);
    parse.diag = take_defect;
    parse.diag_arg = &defects;
    if (taskfit_deployment_parse(path, bytes.data, bytes.len, &parse, &input->owned_deployment, &err) !=
        TASKFIT_OK) {
        return fail_unless_said(&defects, &err);
    }
    input->deployment = input->owned_deployment;
    return CLI_EXIT_DONE;
}
