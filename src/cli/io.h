#ifndef TASKFIT_CLI_IO_H
#define TASKFIT_CLI_IO_H

/*
 * What every verb does with the outside: messages on standard error behind the program's name, inputs read
 * whole, answers gathered in a buffer and delivered at the end. Functions that return a cli_exit have told
 * already what went wrong.
 */

#include "cli/cmd.h"

/* Makes standard input, output and error open, so that no file the program opens takes their numbers; a closed pipe
 * becomes a failed write instead of a signal. */
void cli_io_init(void);

/* "taskfit: TEXT" on standard error. */
void cli_say(const char *format, ...) TASKFIT_PRINTF(1, 2);
/* Says "WHERE: MESSAGE" and gives the exit status. */
int cli_fail(const taskfit_error *err);
/* A taskfit_diag_fn: says the text and counts it in the size_t `arg`. */
void cli_say_defect(void *arg, const char *text);
/* Another one: says the text unless the cli_options `arg` are quiet. */
void cli_say_note(void *arg, const char *text);

/* A taskfit_write_fn that appends to the taskfit_strbuf `sink`. */
int cli_append(void *sink, const char *data, size_t len);
/* Standard output, complete; CLI_EXIT_FAILED when it could not be written (full disk, closed pipe). */
int cli_print(const taskfit_strbuf *text);
/* Whether tables are coloured: --color, or a terminal that can, without NO_COLOR. */
bool cli_use_color(const cli_options *options);
/* The answer of a verb: to standard output, or to --out minding --force and -n. */
int cli_deliver(const cli_options *options, const taskfit_strbuf *answer);

typedef struct cli_file {
    taskfit_strbuf path, text;
} cli_file;
/* Writes all files or, when one exists, differs and --force is missing, none; with -n prints what would change. */
int cli_write_files(const cli_options *options, const cli_file *files, size_t n_files);

#endif
