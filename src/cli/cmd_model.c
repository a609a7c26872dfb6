#include "cli/cmd.h"
#include "cli/input.h"
#include "cli/io.h"

int cli_cmd_model(const cli_options *options) {
    taskfit_error err = {0};
    TASKFIT_CLEANUP(cli_input_release) cli_input input = {0};
    int failed = cli_read_deployment(options, options->operands.items[0], true, &input);
    if (failed) {
        return failed;
    }
    TASKFIT_STRBUF(model);
    if (taskfit_model_write(input.deployment, (taskfit_model_format)options->write, cli_append, &model, &err) != TASKFIT_OK) {
        return cli_fail(&err);
    }
    return cli_deliver(options, &model);
}
