#include "cli/cmd.h"
#include "cli/io.h"
#include "cli/sizing.h"
#include "taskfit/whatif.h"

/* A plan, or the plan of a deployment. */
static int read_side(const cli_options *options, const char *path, cli_input *input) {
    int failed = cli_read_deployment(options, path, true, input);
    return failed ? failed : cli_size(options, input);
}

int cli_cmd_diff(const cli_options *options) {
    cli_options sizing = *options;
    sizing.no_ladder = true;
    TASKFIT_CLEANUP(cli_input_release) cli_input old_input = {0};
    TASKFIT_CLEANUP(cli_input_release) cli_input new_input = {0};
    int failed = read_side(&sizing, options->operands.items[0], &old_input);
    failed = failed ? failed : read_side(&sizing, options->operands.items[1], &new_input);
    if (failed) {
        return failed;
    }
    taskfit_error err = {0};
    TASKFIT_STRBUF(answer);
    bool differs = false;
    if (taskfit_plan_diff_write(old_input.plan, new_input.plan, (taskfit_plan_style)options->output, cli_use_color(options), cli_append,
                                &answer, &differs, &err) != TASKFIT_OK) {
        return cli_fail(&err);
    }
    failed = cli_deliver(options, &answer);
    return failed ? failed : differs && options->exit_code ? CLI_EXIT_GATE : CLI_EXIT_DONE;
}
