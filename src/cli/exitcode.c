#include "cli/exitcode.h"

#include <assert.h>

int cli_exit_of(taskfit_status status) {
    switch (status) {
    case TASKFIT_OK:
        return CLI_EXIT_DONE;
    case TASKFIT_E_INPUT:
        return CLI_EXIT_INPUT;
    case TASKFIT_E_ARGUMENT:
        return CLI_EXIT_USAGE;
    case TASKFIT_E_SYSTEM:
    case TASKFIT_E_INTERNAL:
        break;
    }
    return CLI_EXIT_FAILED;
}

const char *cli_exit_meaning(int exit_status) {
    static const char *const meanings[CLI_EXIT_COUNT] = {
        [CLI_EXIT_DONE] = "done; also a limit or Ctrl-C with a plan at hand",
        [CLI_EXIT_FAILED] = "the system refused something, or taskfit itself failed",
        [CLI_EXIT_USAGE] = "wrong options or operands",
        [CLI_EXIT_INPUT] = "a file that is not valid",
        [CLI_EXIT_INFEASIBLE] = "infeasible, proved",
        [CLI_EXIT_NO_PLAN] = "no plan within the limits, not proved with --require-optimal, or no certificate",
        [CLI_EXIT_GATE] = "a check that does not hold (check, verify), a gate that is passed (compare), a difference (diff --exit-code)",
    };
    assert(exit_status >= 0 && exit_status < CLI_EXIT_COUNT);
    return meanings[exit_status];
}
