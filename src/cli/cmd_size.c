#include "cli/cmd.h"
#include "cli/io.h"
#include "cli/sizing.h"
#include "taskfit/certificate.h"

/* --certificate: a file of its own beside the plan. Without a proof the plan is as good as it was, but the status says so. */
static int write_certificate(const cli_options *options, const taskfit_plan *plan) {
    taskfit_error err = {0};
    TASKFIT_STRBUF(path);
    TASKFIT_STRBUF(text);
    taskfit_settings settings = cli_settings_of(options);
    const taskfit_status status = taskfit_certify(plan, &settings, cli_append, &text, &err);
    if (status != TASKFIT_OK) {
        const int failed = cli_fail(&err);
        return status == TASKFIT_E_ARGUMENT ? CLI_EXIT_NO_PLAN : failed;
    }
    taskfit_strbuf_adds(&path, options->certificate);
    const cli_file file = {.path = path, .text = text};
    return cli_write_files(options, &file, 1);
}

int cli_cmd_size(const cli_options *options) {
    TASKFIT_CLEANUP(cli_input_release) cli_input input = {0};
    int failed = cli_read_deployment(options, options->operands.items[0], false, &input);
    if (!failed) {
        failed = cli_size(options, &input);
    }
    if (failed) {
        return failed;
    }
    const int outcome = cli_deliver_plan(options, input.plan);
    const bool wanted = options->certificate && outcome != CLI_EXIT_FAILED && outcome != CLI_EXIT_INFEASIBLE;
    failed = wanted ? write_certificate(options, input.plan) : CLI_EXIT_DONE;
    return failed ? failed : outcome;
}
