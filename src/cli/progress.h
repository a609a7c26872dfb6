#ifndef TASKFIT_CLI_PROGRESS_H
#define TASKFIT_CLI_PROGRESS_H

/*
 * Long work: Ctrl-C as a wish to stop, log lines, and one line on a terminal about what is going on once a
 * second has passed. One at a time, since there is one terminal and one Ctrl-C.
 */

#include "cli/cmd.h"

/* From here on Ctrl-C (and SIGTERM) asks to stop; a second one ends the process. Sets the settings' callbacks. */
void cli_progress_start(const cli_options *options, taskfit_settings *settings);
/* Takes the line away, gives Ctrl-C back, and tells whether it came. */
bool cli_progress_end(void);
/* Takes the line away, if it is there, for a message. */
void cli_progress_clear(void);
#endif
