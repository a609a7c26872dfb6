#ifndef TASKFIT_CLI_SIZING_H
#define TASKFIT_CLI_SIZING_H

/* Sizing, for every verb that needs a plan. */

#include "cli/input.h"

/* The solver's settings, as the options have them. */
taskfit_settings cli_settings_of(const cli_options *options);
/* Sizes the deployment read, into input->plan, with progress and Ctrl-C. Does nothing when a plan was read. */
int cli_size(const cli_options *options, cli_input *input);
/* Reads the first operand, a plan or a deployment to be sized. *answered_out: there is no plan, and the reason has been
 * delivered already; the exit status then is its. */
int cli_read_or_size(const cli_options *options, cli_input *input, bool *answered_out);
/* What an outcome, or that of a plan, means for the caller. */
int cli_exit_of_outcome(const cli_options *options, taskfit_outcome outcome);
int cli_exit_of_plan(const cli_options *options, const taskfit_plan *plan);
/* The plan, to where the options say. */
int cli_deliver_plan(const cli_options *options, const taskfit_plan *plan);

#endif
