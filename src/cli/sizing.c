#include "cli/sizing.h"

#include "cli/io.h"
#include "cli/progress.h"

taskfit_settings cli_settings_of(const cli_options *options) {
    taskfit_settings settings;
    taskfit_settings_init(&settings);
    settings.time_limit_ms = (options->time_limit_micros + 999) / 1000;
    settings.work_limit = options->work_limit;
    settings.gap_rel = (double)options->gap_micros / 1e8; /* millionths of a percent */
    settings.ladder = !options->no_ladder;
    settings.compact = options->solver == CLI_SOLVER_COMPACT;
    settings.seed = (uint64_t)options->seed;
    settings.moves_front = options->moves_front;
    return settings;
}

int cli_size(const cli_options *options, cli_input *input) {
    if (input->plan) {
        if (options->from) {
            cli_say("--from needs a deployment to be sized, not a plan");
        }
        return options->from ? CLI_EXIT_USAGE : CLI_EXIT_DONE;
    }
    taskfit_error err = {0};
    const int failed = cli_read_from(options, input);
    if (failed) {
        return failed;
    }
    taskfit_settings settings = cli_settings_of(options);
    settings.from = input->from;
    cli_progress_start(options, &settings);
    taskfit_status status = taskfit_size(input->deployment, &settings, &input->owned_plan, &err);
    bool stopped = cli_progress_end();
    if (status != TASKFIT_OK) {
        return cli_fail(&err);
    }
    if (stopped && !options->quiet) {
        cli_say("interrupted; this is the best so far");
    }
    input->plan = input->owned_plan;
    return CLI_EXIT_DONE;
}

int cli_exit_of_outcome(const cli_options *options, taskfit_outcome outcome) {
    switch (outcome) {
    case TASKFIT_OPTIMAL:
        return CLI_EXIT_DONE;
    case TASKFIT_FEASIBLE:
        return options->require_optimal ? CLI_EXIT_NO_PLAN : CLI_EXIT_DONE;
    case TASKFIT_INFEASIBLE:
        return CLI_EXIT_INFEASIBLE;
    case TASKFIT_UNKNOWN:
        break;
    }
    return CLI_EXIT_NO_PLAN;
}

int cli_exit_of_plan(const cli_options *options, const taskfit_plan *plan) {
    return cli_exit_of_outcome(options, taskfit_plan_outcome(plan));
}

int cli_deliver_plan(const cli_options *options, const taskfit_plan *plan) {
    taskfit_error err = {0};
    TASKFIT_STRBUF(answer);
    bool color = cli_use_color(options);
    if (taskfit_plan_write(plan, (taskfit_plan_style)options->output, color, cli_append, &answer, &err) != TASKFIT_OK) {
        return cli_fail(&err);
    }
    int failed = cli_deliver(options, &answer);
    return failed ? failed : cli_exit_of_plan(options, plan);
}

int cli_read_or_size(const cli_options *options, cli_input *input, bool *answered_out) {
    *answered_out = false;
    int failed = cli_read_deployment(options, options->operands.items[0], true, input);
    if (!failed) {
        failed = cli_size(options, input);
    }
    if (failed || taskfit_plan_instances(input->plan) >= 0 || options->instances) {
        return failed;
    }
    *answered_out = true;
    return cli_deliver_plan(options, input->plan);
}
