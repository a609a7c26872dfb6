#include "cli/cmd.h"
#include "cli/input.h"
#include "cli/io.h"

int cli_cmd_types(const cli_options *options) {
    taskfit_error err = {0};
    TASKFIT_CLEANUP(cli_input_release) cli_input input = {0};
    int failed = cli_read_catalogue(options, &input);
    if (failed) {
        return failed;
    }
    const taskfit_types_query query = {
        .family = options->family,
        .architecture = options->architecture ? cli_architecture_words[options->architecture] : NULL,
        .min_memory_mib = options->min_memory_mib,
        .min_cpu_units = options->min_cpu_units,
        .sort = cli_sort_words[options->sort],
    };
    TASKFIT_STRBUF(answer);
    if (taskfit_types_write(input.catalogue, &query, (taskfit_plan_style)options->output, cli_append, &answer, &err) != TASKFIT_OK) {
        return cli_fail(&err);
    }
    return cli_deliver(options, &answer);
}
