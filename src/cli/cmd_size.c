#include "cli/cmd.h"
#include "cli/sizing.h"

int cli_cmd_size(const cli_options *options) {
    TASKFIT_CLEANUP(cli_input_release) cli_input input = {0};
    int failed = cli_read_deployment(options, options->operands.items[0], false, &input);
    if (!failed) {
        failed = cli_size(options, &input);
    }
    return failed ? failed : cli_deliver_plan(options, input.plan);
}
