#include "cli/cmd.h"
#include "cli/io.h"

int cli_print_help(const cli_command *command) {
    TASKFIT_STRBUF(text);
    if (command) {
        cli_help_write_verb(command, &text);
    } else {
        cli_help_write(&text);
    }
    return cli_print(&text);
}

int cli_cmd_help(const cli_options *options) {
    if (options->man) {
        TASKFIT_STRBUF(text);
        cli_man_write(&text);
        return cli_print(&text);
    }
    if (options->operands.n == 0) {
        return cli_print_help(NULL);
    }
    taskfit_error err = {0};
    const cli_command *command = cli_command_get(options->operands.items[0], &err);
    return command ? cli_print_help(command) : cli_fail(&err);
}
