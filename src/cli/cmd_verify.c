#include <inttypes.h>

#include "cli/cmd.h"
#include "cli/input.h"
#include "cli/io.h"

/* A taskfit_diag_fn: broken rules are the answer, so they go where answers go. */
static void add_broken(void *arg, const char *text) {
    taskfit_strbuf_printf(arg, "broken: %s\n", text);
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
    if (failed) {
        return failed;
    }
    TASKFIT_STRBUF(answer);
    size_t n_broken = 0;
    if (taskfit_plan_verify(input.plan, other.deployment, add_broken, &answer, &n_broken, &err) != TASKFIT_OK) {
        return cli_fail(&err);
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
    failed = cli_deliver(options, &answer);
    return failed ? failed : n_broken > 0 ? CLI_EXIT_GATE : CLI_EXIT_DONE;
}
