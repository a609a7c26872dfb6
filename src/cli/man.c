/* The manual page, from the same tables as the help: roff for man(7). */
#include "cli/cmd.h"

/* Text as roff sees no request or escape in it. */
static void add_text(const char *text, taskfit_strbuf *out) {
    bool line_start = true;
    for (; *text; text++) {
        if (*text == '\\') {
            taskfit_strbuf_adds(out, "\\e");
        } else if (*text == '-') {
            taskfit_strbuf_adds(out, "\\-");
        } else if (line_start && (*text == '.' || *text == '\'')) {
            taskfit_strbuf_printf(out, "\\&%c", *text);
        } else {
            taskfit_strbuf_addc(out, *text);
        }
        line_start = *text == '\n';
    }
}

static void add_option(const cli_option *option, taskfit_strbuf *out) {
    TASKFIT_STRBUF(form);
    TASKFIT_STRBUF(fallback);
    cli_option_describe(option, &form, &fallback);
    taskfit_strbuf_adds(out, ".TP\n.B ");
    if (option->letter) {
        taskfit_strbuf_printf(out, "\\-%c\\fR,\\fB ", option->letter);
    }
    taskfit_strbuf_adds(out, "\\-\\-");
    add_text(option->name, out);
    if (form.len > 0) {
        taskfit_strbuf_adds(out, " \\fI");
        add_text(form.data, out);
    }
    taskfit_strbuf_addc(out, '\n');
    add_text(option->help, out);
    if (fallback.len > 0) {
        taskfit_strbuf_adds(out, " (default ");
        add_text(fallback.data, out);
        taskfit_strbuf_addc(out, ')');
    }
    taskfit_strbuf_addc(out, '\n');
}

static void add_command(const cli_command *command, taskfit_strbuf *out) {
    taskfit_strbuf_printf(out, ".SS \"taskfit %s%s%s\"\n", command->name, *command->operands ? " " : "", command->operands);
    add_text(command->summary, out);
    taskfit_strbuf_adds(out, ".\n");
    if (*command->detail) {
        taskfit_strbuf_adds(out, ".PP\n");
        add_text(command->detail, out);
        taskfit_strbuf_addc(out, '\n');
    }
    size_t n = 0;
    const cli_option *table = cli_option_table(&n);
    for (size_t i = 0; i < n; i++) {
        if (table[i].verbs & command->verb && table[i].verbs != CLI_ALL) {
            add_option(&table[i], out);
        }
    }
}

void cli_man_write(taskfit_strbuf *out) {
    taskfit_strbuf_adds(out, ".TH TASKFIT 1 \"\" \"taskfit " TASKFIT_VERSION "\"\n"
                             ".SH NAME\ntaskfit \\- the fewest EC2 instances an Amazon ECS deployment fits on, with a proof\n"
                             ".SH SYNOPSIS\n.B taskfit\n.I VERB\n[\\fIOPTIONS\\fR] [\\fIOPERANDS\\fR]\n"
                             ".SH VERBS\nA FILE of \\(oq\\-\\(cq is standard input.\n");
    size_t n = 0;
    const cli_command *commands = cli_commands(&n);
    for (size_t i = 0; i < n; i++) {
        add_command(&commands[i], out);
    }
    taskfit_strbuf_adds(out, ".SH \"EXIT STATUS\"\n");
    for (int status = 0; status < CLI_EXIT_COUNT; status++) {
        taskfit_strbuf_printf(out, ".TP\n.B %d\n", status);
        add_text(cli_exit_meaning(status), out);
        taskfit_strbuf_addc(out, '\n');
    }
    taskfit_strbuf_adds(out, ".SH ENVIRONMENT\n"
                             "These set what the option of the same name sets; the command line wins over them, and they over the file below.\n");
    const cli_option *table = cli_option_table(&n);
    for (size_t i = 0; i < n; i++) {
        if (table[i].ambient) {
            taskfit_strbuf_adds(out, ".TP\n.B ");
            cli_option_variable(&table[i], out);
            taskfit_strbuf_adds(out, "\n\\-\\-");
            add_text(table[i].name, out);
            taskfit_strbuf_addc(out, '\n');
        }
    }
    taskfit_strbuf_adds(out, ".SH FILES\n.TP\n.I $XDG_CONFIG_HOME/taskfit/config.yaml\n"
                             "A map from the same option names (without dashes in front) to values; $HOME/.config where XDG_CONFIG_HOME is not set.\n");
}
