#ifndef TASKFIT_CLI_OPT_H
#define TASKFIT_CLI_OPT_H

/*
 * Options of the command line, from one table (flags.c): the parser, range checks, help, man page and
 * completions all read it. "--name value", "--name=value", "-o value", "-ovalue" and bundles of flags ("-qv")
 * are understood, in any order with operands; "--" ends options, "-" is an operand. A scalar option given
 * twice takes the later value; a list option gathers all.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/file.h"

typedef enum cli_kind {
    CLI_FLAG,    /* bool */
    CLI_TEXT,    /* const char *; NULL: not given */
    CLI_LIST,    /* cli_list */
    CLI_COUNT,   /* int64_t, low..high */
    CLI_DECIMAL, /* int64_t in millionths, low..high in whole units */
    CLI_MEMORY,  /* int64_t MiB */
    CLI_CPU,     /* int64_t CPU units */
    CLI_WORD     /* int64_t: index into words */
} cli_kind;

typedef struct cli_list {
    char **items; /* each malloc'ed */
    size_t n;
    size_t capacity;
} cli_list;

typedef struct cli_option {
    const char *name; /* long name without dashes */
    char letter;      /* 0: none */
    bool ambient;     /* may also come from TASKFIT_NAME and the configuration file */
    cli_kind kind;
    uint32_t verbs; /* bit set of cli_verb: who takes it */
    size_t offset;  /* of its value in cli_options */
    const char *value; /* its name in help, "SECONDS"; flags and words: NULL */
    int64_t low, high;
    const char *const *words;    /* CLI_WORD: NULL-terminated */
    const char *prefix, *suffix; /* CLI_LIST: around each text given; NULL: nothing */
    const char *help;
} cli_option;

struct cli_options;

/* Sets one option from text; `origin` ("--gap", "TASKFIT_GAP") starts the message of a failure (E_ARGUMENT).
 * `text` must live as long as the options. */
taskfit_status cli_option_set(const cli_option *option, struct cli_options *options, const char *origin,
                              const char *text, taskfit_error *err) TASKFIT_MUST_USE;
/* Reads argv[first..]: options of `verb` into their values, everything else into options->operands. */
taskfit_status cli_options_parse(struct cli_options *options, uint32_t verb, int argc, char **argv, int first,
                                 taskfit_error *err) TASKFIT_MUST_USE;

/* A malloc'ed copy at the end of the list. */
void cli_list_add(cli_list *list, const char *text);
void cli_list_release(cli_list *list);

#endif
