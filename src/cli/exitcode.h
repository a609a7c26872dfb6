#ifndef TASKFIT_CLI_EXITCODE_H
#define TASKFIT_CLI_EXITCODE_H

#include "taskfit/status.h"

/* How the program ends; part of its interface, each with a golden test in tests/cli. */
enum cli_exit {
    CLI_EXIT_DONE = 0,       /* also a limit or Ctrl-C with a plan at hand */
    CLI_EXIT_FAILED = 1,     /* the system refused something, or taskfit itself failed */
    CLI_EXIT_USAGE = 2,      /* options or operands */
    CLI_EXIT_INPUT = 3,      /* a file that is not valid */
    CLI_EXIT_INFEASIBLE = 4, /* proved: no fleet holds the deployment */
    CLI_EXIT_NO_PLAN = 5,    /* none within the limits, or not proved with --require-optimal */
    CLI_EXIT_GATE = 6,       /* what was to be checked does not hold (check, verify) */
    CLI_EXIT_COUNT = 7
};

/* One line for help and the manual page, 0 <= exit < CLI_EXIT_COUNT. */
const char *cli_exit_meaning(int exit_status);

/* The exit status of a failed call. */
int cli_exit_of(taskfit_status status);

#endif
