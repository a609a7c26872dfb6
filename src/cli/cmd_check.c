#include "cli/cmd.h"
#include "cli/input.h"
#include "cli/io.h"
#include "taskfit/check.h"

static int print_rules(const cli_options *options) {
    taskfit_error err = {0};
    TASKFIT_STRBUF(answer);
    if (taskfit_rules_write((taskfit_plan_style)options->output, cli_use_color(options), cli_append, &answer, &err) != TASKFIT_OK) {
        return cli_fail(&err);
    }
    return cli_deliver(options, &answer);
}

static int explain(const cli_options *options, const taskfit_deployment *deployment) {
    taskfit_error err = {0};
    TASKFIT_STRBUF(answer);
    if (taskfit_memory_write(deployment, options->explain, (taskfit_plan_style)options->output, cli_use_color(options), cli_append,
                             &answer, &err) != TASKFIT_OK) {
        return cli_fail(&err);
    }
    return cli_deliver(options, &answer);
}

static int deliver_findings(const cli_options *options, const taskfit_findings *findings) {
    taskfit_error err = {0};
    TASKFIT_STRBUF(answer);
    if (taskfit_findings_write(findings, options->operands.items[0], (taskfit_plan_style)options->output, cli_use_color(options),
                               cli_append, &answer, &err) != TASKFIT_OK) {
        return cli_fail(&err);
    }
    int failed = cli_deliver(options, &answer);
    if (failed) {
        return failed;
    }
    bool is_bad = taskfit_findings_count(findings, TASKFIT_SEVERITY_ERROR) > 0 ||
                  (options->strict && taskfit_findings_count(findings, TASKFIT_SEVERITY_WARNING) > 0);
    return is_bad ? CLI_EXIT_GATE : CLI_EXIT_DONE;
}

/* What other verbs refuse with exit 3 are findings here. */
static int find(const cli_options *options, taskfit_findings *findings) {
    TASKFIT_CLEANUP(cli_input_release) cli_input input = {.defect = taskfit_findings_add_defect, .defect_arg = findings};
    int failed = cli_read_deployment(options, options->operands.items[0], true, &input);
    if (failed == CLI_EXIT_INPUT && taskfit_findings_count(findings, TASKFIT_SEVERITY_ERROR) > 0) {
        return deliver_findings(options, findings);
    }
    if (failed) {
        return failed;
    }
    taskfit_findings_add_deployment(findings, input.deployment);
    if (input.plan) {
        size_t n = 0;
        const taskfit_warning *warnings = taskfit_plan_warnings(input.plan, &n);
        taskfit_findings_add_warnings(findings, warnings, n);
    }
    return deliver_findings(options, findings);
}

int cli_cmd_check(const cli_options *options) {
    if (options->rules) {
        return print_rules(options);
    }
    if (options->operands.n == 0) {
        cli_say("check needs a FILE, or --rules");
        return CLI_EXIT_USAGE;
    }
    if (options->explain) {
        TASKFIT_CLEANUP(cli_input_release) cli_input input = {0};
        int failed = cli_read_deployment(options, options->operands.items[0], true, &input);
        return failed ? failed : explain(options, input.deployment);
    }
    taskfit_findings *findings = taskfit_findings_new();
    int exit_status = find(options, findings);
    taskfit_findings_free(findings);
    return exit_status;
}
