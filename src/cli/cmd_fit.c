#include "cli/cmd.h"
#include "cli/io.h"
#include "cli/progress.h"
#include "cli/sizing.h"
#include "taskfit/fit.h"

static int exit_of_verdict(taskfit_verdict verdict) {
    switch (verdict) {
    case TASKFIT_VERDICT_YES: return CLI_EXIT_DONE;
    case TASKFIT_VERDICT_NO: return CLI_EXIT_INFEASIBLE;
    case TASKFIT_VERDICT_UNKNOWN: break;
    }
    return CLI_EXIT_NO_PLAN;
}

static int deliver(const cli_options *options, const taskfit_fitting *fitting) {
    taskfit_error err = {0};
    TASKFIT_STRBUF(answer);
    bool color = cli_use_color(options);
    if (taskfit_fitting_write(fitting, (taskfit_plan_style)options->output, color, cli_append, &answer, &err) != TASKFIT_OK) {
        return cli_fail(&err);
    }
    int failed = cli_deliver(options, &answer);
    return failed ? failed : exit_of_verdict(taskfit_fitting_verdict(fitting));
}

int cli_cmd_fit(const cli_options *options) {
    if (!options->instances) {
        cli_say("fit needs --instances");
        return CLI_EXIT_USAGE;
    }
    taskfit_error err = {0};
    TASKFIT_CLEANUP(cli_input_release) cli_input input = {0};
    int failed = cli_read_deployment(options, options->operands.items[0], false, &input);
    if (!failed) {
        failed = cli_read_from(options, &input);
    }
    if (failed) {
        return failed;
    }
    taskfit_settings settings = cli_settings_of(options);
    settings.from = input.from;
    taskfit_fitting *fitting = NULL;
    cli_progress_start(options, &settings);
    taskfit_status status = taskfit_fit(input.deployment, options->instances, &settings, &fitting, &err);
    (void)cli_progress_end();
    failed = status == TASKFIT_OK ? deliver(options, fitting) : cli_fail(&err);
    taskfit_fitting_free(fitting);
    return failed;
}
