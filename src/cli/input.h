#ifndef TASKFIT_CLI_INPUT_H
#define TASKFIT_CLI_INPUT_H

/*
 * What a verb works on, read from files, with everything that must be freed after it:
 *     TASKFIT_CLEANUP(cli_input_release) cli_input input = {0};
 * The functions have told what went wrong when they return a cli_exit other than 0.
 */

#include "cli/cmd.h"

typedef struct cli_input {
    const taskfit_catalogue *catalogue;   /* of --catalogue, or built in */
    const taskfit_deployment *deployment; /* of cli_read_deployment */
    const taskfit_plan *plan;             /* of cli_read_plan; NULL when the file was a deployment */
    const taskfit_plan *from;             /* of cli_read_from; NULL: none was given */
    taskfit_diag_fn *defect; /* what an invalid file is told to instead of being said; NULL: said. Set before reading */
    void *defect_arg;
    bool counts_tasks; /* memberOf may ask for runningTasksCount. Set before reading */
    taskfit_catalogue *owned_catalogue;
    taskfit_deployment *owned_deployment;
    taskfit_plan *owned_plan, *owned_from;
    taskfit_prices *owned_prices; /* of --prices; NULL: the built-in ones */
} cli_input;

void cli_input_release(cli_input *input);

/* A whole file, or standard input, within the limit of every input. */
int cli_read_file(const cli_options *options, const char *path, taskfit_strbuf *bytes);
int cli_read_catalogue(const cli_options *options, cli_input *input);
int cli_read_prices(const cli_options *options, cli_input *input);
/* How the options have deployments read, with defects said and counted; the catalogue must have been read. */
taskfit_parse_options cli_parse_options(const cli_options *options, const cli_input *input, size_t *n_defects);
/* A deployment with the edits of the options. With plan_allowed the file may be a plan: then the deployment inside it. */
int cli_read_deployment(const cli_options *options, const char *path, bool plan_allowed, cli_input *input);
/* The plan of --from, where it is given; the catalogue must have been read. */
int cli_read_from(const cli_options *options, cli_input *input);
int cli_read_plan(const cli_options *options, const char *path, cli_input *input);

#endif
