#include <inttypes.h>
#include <string.h>

#include "cli/cmd.h"

enum { HELP_COLUMN = 24, MILLION = 1000000 };

void cli_option_describe(const cli_option *option, taskfit_strbuf *form, taskfit_strbuf *fallback) {
    cli_options defaults;
    cli_options_init(&defaults);
    const void *value = (const char *)&defaults + option->offset;
    int64_t number = 0;
    if (option->kind >= CLI_COUNT) {
        memcpy(&number, value, sizeof number);
    }
    if (option->kind == CLI_WORD) {
        for (size_t word = 0; option->words[word]; word++) {
            taskfit_strbuf_printf(form, "%s%s", word > 0 ? "|" : "", option->words[word]);
        }
        taskfit_strbuf_adds(fallback, option->words[number]);
        return;
    }
    if (option->value) {
        taskfit_strbuf_adds(form, option->value);
    }
    if (number > 0) {
        taskfit_strbuf_printf(fallback, "%" PRId64, option->kind == CLI_DECIMAL ? number / MILLION : number);
    }
}

static void write_option(const cli_option *option, taskfit_strbuf *out) {
    TASKFIT_STRBUF(form);
    TASKFIT_STRBUF(fallback);
    cli_option_describe(option, &form, &fallback);
    TASKFIT_STRBUF(left);
    if (option->letter) {
        taskfit_strbuf_printf(&left, "  -%c, --%s", option->letter, option->name);
    } else {
        taskfit_strbuf_printf(&left, "      --%s", option->name);
    }
    if (form.len > 0) {
        taskfit_strbuf_printf(&left, " %s", form.data);
    }
    taskfit_strbuf_adds(out, left.data);
    size_t column = left.len;
    if (column + 2 > HELP_COLUMN) {
        taskfit_strbuf_addc(out, '\n');
        column = 0;
    }
    taskfit_strbuf_repeat(out, " ", HELP_COLUMN - column);
    taskfit_strbuf_adds(out, option->help);
    if (fallback.len > 0) {
        taskfit_strbuf_printf(out, " (default %s)", fallback.data);
    }
    taskfit_strbuf_addc(out, '\n');
}

void cli_help_write_verb(const cli_command *command, taskfit_strbuf *out) {
    taskfit_strbuf_printf(out, "usage: taskfit %s [OPTIONS]%s%s\n\n%s\n", command->name, *command->operands ? " " : "",
                          command->operands, command->summary);
    if (*command->detail) {
        taskfit_strbuf_printf(out, "\n%s\n", command->detail);
    }
    taskfit_strbuf_adds(out, "\noptions:\n");
    size_t n = 0;
    const cli_option *table = cli_option_table(&n);
    for (size_t i = 0; i < n; i++) {
        if (table[i].verbs & command->verb) {
            write_option(&table[i], out);
        }
    }
}

void cli_help_write(taskfit_strbuf *out) {
    taskfit_strbuf_adds(out, "taskfit " TASKFIT_VERSION ": the fewest EC2 instances an Amazon ECS deployment fits on, with a proof\n\n"
                             "usage: taskfit VERB [OPTIONS] [OPERANDS]\n\nverbs:\n");
    size_t n = 0;
    const cli_command *commands = cli_commands(&n);
    for (size_t i = 0; i < n; i++) {
        taskfit_strbuf_printf(out, "  %-10s %-6s  %s\n", commands[i].name, commands[i].operands, commands[i].summary);
    }
    taskfit_strbuf_adds(out, "\n'taskfit help VERB' lists a verb's options. A FILE of '-' is standard input.\n"
                             "Options also come from the environment (--time-limit from TASKFIT_TIME_LIMIT) and\n"
                             "from $XDG_CONFIG_HOME/taskfit/config.yaml (time-limit: 30); the command line wins.\n"
                             "\nexit status:\n");
    for (int status = 0; status < CLI_EXIT_COUNT; status++) {
        taskfit_strbuf_printf(out, "  %d  %s\n", status, cli_exit_meaning(status));
    }
}
