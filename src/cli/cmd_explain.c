#include "cli/cmd.h"
#include "cli/io.h"
#include "cli/progress.h"
#include "cli/sizing.h"
#include "taskfit/explain.h"

static taskfit_status explain(const cli_options *options, const taskfit_plan *plan, taskfit_strbuf *answer, taskfit_error *err) {
    const char *subject = options->operands.n > 1 ? options->operands.items[1] : NULL;
    taskfit_settings settings = cli_settings_of(options);
    taskfit_explanation *explanation = NULL;
    cli_progress_start(options, &settings);
    taskfit_status status = taskfit_explain(plan, subject, &settings, &explanation, err);
    (void)cli_progress_end();
    if (status == TASKFIT_OK) {
        bool color = cli_use_color(options);
        status = taskfit_explanation_write(explanation, (taskfit_plan_style)options->output, color, cli_append, answer, err);
    }
    taskfit_explanation_free(explanation);
    return status;
}

int cli_cmd_explain(const cli_options *options) {
    taskfit_error err = {0};
    TASKFIT_CLEANUP(cli_input_release) cli_input input = {0};
    bool answered = false;
    int failed = cli_read_or_size(options, &input, &answered);
    if (failed || answered) {
        return failed;
    }
    TASKFIT_STRBUF(answer);
    return explain(options, input.plan, &answer, &err) == TASKFIT_OK ? cli_deliver(options, &answer) : cli_fail(&err);
}
