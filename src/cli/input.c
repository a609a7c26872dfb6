#include "cli/input.h"

#include <string.h>

#include "cli/io.h"

enum { BYTES_MAX = 64 * 1024 * 1024 };

void cli_input_release(cli_input *input) {
    taskfit_catalogue_free(input->owned_catalogue);
    *input = (cli_input){0};
}

/* What messages and plans call the file. */
static const char *shown_name(const char *path) {
    return strcmp(path, "-") == 0 ? "stdin" : path;
}

static int read_file(const char *path, taskfit_strbuf *bytes) {
    taskfit_error err = {0};
    return taskfit_file_read(path, BYTES_MAX, bytes, &err) == TASKFIT_OK ? CLI_EXIT_DONE : cli_fail(&err);
}

int cli_read_catalogue(const cli_options *options, cli_input *input) {
    input->catalogue = taskfit_catalogue_builtin();
    if (!options->catalogue) {
        return CLI_EXIT_DONE;
    }
    TASKFIT_STRBUF(bytes);
    taskfit_error err = {0};
    int failed = read_file(options->catalogue, &bytes);
    if (failed) {
        return failed;
    }
    if (taskfit_catalogue_read(shown_name(options->catalogue), bytes.data, bytes.len, &input->owned_catalogue, &err) !=
        TASKFIT_OK) {
        return cli_fail(&err);
    }
    input->catalogue = input->owned_catalogue;
    return CLI_EXIT_DONE;
}
