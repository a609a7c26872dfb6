#include <inttypes.h>

#include "cli/cmd.h"
#include "cli/input.h"
#include "cli/io.h"
#include "taskfit/certificate.h"

/* A taskfit_diag_fn: broken rules are the answer, so they go where answers go. */
static void add_broken(void *arg, const char *text) {
    taskfit_strbuf_printf(arg, "broken: %s\n", text);
}

/* The proof of the plan's bound, when one is given: its defects join those of the plan. */
static int check_certificate(const cli_options *options, const cli_input *input, const taskfit_deployment *deployment,
                             taskfit_strbuf *answer, size_t *n_broken) {
    taskfit_error err = {0};
    TASKFIT_STRBUF(bytes);
    size_t n_more = 0;
    const int failed = cli_read_file(options, options->certificate, &bytes);
    if (failed) {
        return failed;
    }
    if (taskfit_certificate_check(input->plan, deployment, bytes.data, bytes.len, add_broken, answer, &n_more, &err) != TASKFIT_OK) {
        return cli_fail(&err);
    }
    *n_broken += n_more;
    return CLI_EXIT_DONE;
}

int cli_cmd_verify(const cli_options *options) {
    const char *path = options->operands.items[0];
    taskfit_error err = {0};
    TASKFIT_CLEANUP(cli_input_release) cli_input input = {0};
    TASKFIT_CLEANUP(cli_input_release) cli_input other = {0};
    int failed = cli_read_plan(options, path, &input);
    if (!failed && options->deployment) {
        failed = cli_read_deployment(options, options->deployment, false, &other);
    }
    if (!failed) {
        failed = cli_read_from(options, &input);
    }
    if (failed) {
        return failed;
    }
    TASKFIT_STRBUF(answer);
    size_t n_broken = 0;
    if (taskfit_plan_verify_from(input.plan, other.deployment, input.from, add_broken, &answer, &n_broken) != TASKFIT_OK) {
        return cli_fail(&err);
    }
    if (options->certificate) {
        failed = check_certificate(options, &input, other.deployment, &answer, &n_broken);
        if (failed) {
            return failed;
        }
    }
    int64_t n_instances = taskfit_plan_instances(input.plan);
    if (n_broken > 0) {
        taskfit_strbuf_printf(&answer, "%s: %zu broken\n", path, n_broken);
    } else if (n_instances < 0) {
        taskfit_strbuf_printf(&answer, "%s: no instances, and every stated figure is right\n", path);
    } else {
        taskfit_strbuf_printf(&answer, "%s: %" PRId64 " instances keep every rule of its rung, and every stated figure is right\n",
                              path, n_instances);
    }
    if (n_broken == 0 && input.from && n_instances >= 0) {
        taskfit_strbuf_printf(&answer, "%s: who stays, what moves and each step from there is right\n", options->from);
    }
    if (n_broken == 0 && options->certificate) {
        taskfit_strbuf_printf(&answer, "%s: proves that no fleet is better than the plan's bound\n", options->certificate);
    }
    failed = cli_deliver(options, &answer);
    return failed ? failed : n_broken > 0 ? CLI_EXIT_GATE : CLI_EXIT_DONE;
}
