#include <string.h>

#include "cli/cmd.h"
#include "cli/io.h"

static bool is_stdin(const char *path) {
    return path && strcmp(path, "-") == 0;
}

/* The verb's options and operands, checked as far as the tables know them. */
static taskfit_status read_arguments(cli_options *options, const cli_command *command, int argc, char **argv,
                                     taskfit_error *err) {
    taskfit_status status = cli_options_ambient(options, err);
    if (status == TASKFIT_OK) {
        status = cli_options_parse(options, command->verb, argc, argv, 2, err);
    }
    if (status != TASKFIT_OK || options->help) {
        return status;
    }
    if (options->operands.n < command->min_operands) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "%s needs %s", command->name, command->operands);
    }
    if (options->operands.n > command->max_operands) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "%s takes no operand '%s'", command->name,
                            options->operands.items[command->max_operands]);
    }
    size_t n_stdin = (size_t)is_stdin(options->catalogue) + is_stdin(options->deployment) + is_stdin(options->prices);
    for (size_t i = 0; i < options->operands.n; i++) {
        n_stdin += is_stdin(options->operands.items[i]);
    }
    if (n_stdin > 1) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "standard input is named twice (it can be read once)");
    }
    if (options->dry_run && !options->out && command->verb != CLI_RENDER) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "-n needs --out (there is no file that would change)");
    }
    return TASKFIT_OK;
}

static int run(const cli_command *command, int argc, char **argv) {
    cli_options options;
    cli_options_init(&options);
    taskfit_error err = {0};
    int failed = 0;
    if (read_arguments(&options, command, argc, argv, &err) != TASKFIT_OK) {
        failed = cli_fail(&err);
    } else {
        failed = options.help ? cli_print_help(command) : command->run(&options);
    }
    cli_options_release(&options);
    return failed;
}

/* "--help" and "--version" before a verb are those verbs. */
static const char *verb_of(int argc, char **argv) {
    if (argc < 2) {
        return NULL;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        return "help";
    }
    return strcmp(argv[1], "--version") == 0 ? "version" : argv[1];
}

int main(int argc, char **argv) {
    cli_io_init();
    taskfit_error err = {0};
    const char *verb = verb_of(argc, argv);
    if (!verb) {
        cli_say("a verb is missing ('taskfit help' lists them)");
        return CLI_EXIT_USAGE;
    }
    const cli_command *command = cli_command_get(verb, &err);
    return command ? run(command, argc, argv) : cli_fail(&err);
}
