/* Completion scripts, from the tables of verbs and options. */
#include <string.h>

#include "cli/cmd.h"
#include "cli/io.h"

/* What may follow a verb that takes no file; NULL: files. */
static bool operand_words(const cli_command *command, taskfit_strbuf *out) {
    if (command->verb == CLI_COMPLETION) {
        taskfit_strbuf_adds(out, "bash zsh fish");
        return true;
    }
    size_t n = 0;
    const cli_command *commands = cli_commands(&n);
    for (size_t i = 0; i < n && command->verb == CLI_HELP; i++) {
        taskfit_strbuf_printf(out, "%s%s", i > 0 ? " " : "", commands[i].name);
    }
    return command->max_operands == 0 || command->verb == CLI_HELP;
}

static void add_words(const char *const *words, taskfit_strbuf *out) {
    for (size_t word = 0; words[word]; word++) {
        taskfit_strbuf_printf(out, "%s%s", word > 0 ? " " : "", words[word]);
    }
}

/* Text inside single quotes; `escaped` characters get a backslash for what reads it then. */
static void add_quoted(const char *text, const char *escaped, taskfit_strbuf *out) {
    for (; *text; text++) {
        if (*text == '\'') {
            taskfit_strbuf_adds(out, "'\\''");
            continue;
        }
        if (strchr(escaped, *text)) {
            taskfit_strbuf_addc(out, '\\');
        }
        taskfit_strbuf_addc(out, *text);
    }
}

/* ---- bash ---- */

static void add_bash_verb(const cli_command *command, taskfit_strbuf *out) {
    taskfit_strbuf_printf(out, "    %s)\n        options='", command->name);
    TASKFIT_STRBUF(values);
    size_t n = 0;
    const cli_option *table = cli_option_table(&n);
    for (size_t i = 0; i < n; i++) {
        if (!(table[i].verbs & command->verb)) {
            continue;
        }
        taskfit_strbuf_printf(out, "--%s ", table[i].name);
        if (table[i].kind == CLI_WORD) {
            taskfit_strbuf_printf(&values, "        --%s", table[i].name);
            if (table[i].letter) {
                taskfit_strbuf_printf(&values, "|-%c", table[i].letter);
            }
            taskfit_strbuf_adds(&values, ") words='");
            add_words(table[i].words, &values);
            taskfit_strbuf_adds(&values, "' ;;\n");
        }
    }
    TASKFIT_STRBUF(operands);
    bool only_words = operand_words(command, &operands);
    taskfit_strbuf_printf(out, "'\n        words=%s%s%s\n        case $before in\n%s        esac\n        ;;\n",
                          only_words ? "'" : "", only_words && operands.len > 0 ? operands.data : "", only_words ? " '" : "",
                          values.data);
}

static void write_bash(taskfit_strbuf *out) {
    size_t n = 0;
    const cli_command *commands = cli_commands(&n);
    taskfit_strbuf_adds(out, "# taskfit completion for bash\n"
                             "_taskfit() {\n"
                             "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options= words=\n"
                             "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W '");
    for (size_t i = 0; i < n; i++) {
        taskfit_strbuf_printf(out, "%s ", commands[i].name);
    }
    taskfit_strbuf_adds(out, "' -- \"$word\"))\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; i < n; i++) {
        add_bash_verb(&commands[i], out);
    }
    taskfit_strbuf_adds(out, "    esac\n"
                             "    case $word in\n"
                             "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
                             "    *) if [ -n \"$words\" ]; then COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
                             "       else COMPREPLY=($(compgen -f -- \"$word\")); fi ;;\n"
                             "    esac\n"
                             "}\n"
                             "complete -o filenames -F _taskfit taskfit\n");
}

/* ---- zsh ---- */

static void add_zsh_option(const cli_option *option, taskfit_strbuf *out) {
    taskfit_strbuf_adds(out, " \\\n            ");
    if (option->letter) {
        taskfit_strbuf_printf(out, "{-%c,--%s}", option->letter, option->name);
    } else {
        taskfit_strbuf_printf(out, "--%s", option->name);
    }
    taskfit_strbuf_adds(out, option->kind == CLI_FLAG || option->letter ? "'[" : "='[");
    add_quoted(option->help, ":[]", out);
    taskfit_strbuf_addc(out, ']');
    if (option->kind == CLI_WORD) {
        taskfit_strbuf_printf(out, ":%s:(", option->name);
        add_words(option->words, out);
        taskfit_strbuf_addc(out, ')');
    } else if (option->kind != CLI_FLAG) {
        taskfit_strbuf_printf(out, ":%s:%s", option->name, option->kind == CLI_TEXT ? "_files" : " ");
    }
    taskfit_strbuf_addc(out, '\'');
}

static void add_zsh_verb(const cli_command *command, taskfit_strbuf *out) {
    taskfit_strbuf_printf(out, "        %s)\n            _arguments", command->name);
    size_t n = 0;
    const cli_option *table = cli_option_table(&n);
    for (size_t i = 0; i < n; i++) {
        if (table[i].verbs & command->verb) {
            add_zsh_option(&table[i], out);
        }
    }
    TASKFIT_STRBUF(words);
    if (!operand_words(command, &words)) {
        taskfit_strbuf_adds(out, " \\\n            '*:file:_files'");
    } else if (words.len > 0) {
        taskfit_strbuf_printf(out, " \\\n            ':operand:(%s)'", words.data);
    }
    taskfit_strbuf_adds(out, "\n            ;;\n");
}

static void write_zsh(taskfit_strbuf *out) {
    size_t n = 0;
    const cli_command *commands = cli_commands(&n);
    taskfit_strbuf_adds(out, "#compdef taskfit\n# taskfit completion for zsh\n_taskfit() {\n    local -a verbs=(");
    for (size_t i = 0; i < n; i++) {
        taskfit_strbuf_printf(out, "\n        '%s:", commands[i].name);
        add_quoted(commands[i].summary, ":", out);
        taskfit_strbuf_addc(out, '\'');
    }
    taskfit_strbuf_adds(out, "\n    )\n    if (( CURRENT == 2 )); then\n        _describe verb verbs\n        return\n    fi\n"
                             "    shift words\n    (( CURRENT-- ))\n    case $words[1] in\n");
    for (size_t i = 0; i < n; i++) {
        add_zsh_verb(&commands[i], out);
    }
    taskfit_strbuf_adds(out, "    esac\n}\ncompdef _taskfit taskfit\n");
}

/* ---- fish ---- */

static void add_fish_verb(const cli_command *command, taskfit_strbuf *out) {
    taskfit_strbuf_printf(out, "complete -c taskfit -n __fish_use_subcommand -f -a %s -d '", command->name);
    add_quoted(command->summary, "", out);
    taskfit_strbuf_adds(out, "'\n");
    TASKFIT_STRBUF(when);
    taskfit_strbuf_printf(&when, "complete -c taskfit -n '__fish_seen_subcommand_from %s'", command->name);
    TASKFIT_STRBUF(operands);
    if (operand_words(command, &operands)) {
        taskfit_strbuf_printf(out, "%s -f -a '%s'\n", when.data, operands.data);
    }
    size_t n = 0;
    const cli_option *table = cli_option_table(&n);
    for (size_t i = 0; i < n; i++) {
        if (!(table[i].verbs & command->verb)) {
            continue;
        }
        taskfit_strbuf_printf(out, "%s -l %s", when.data, table[i].name);
        if (table[i].letter) {
            taskfit_strbuf_printf(out, " -s %c", table[i].letter);
        }
        if (table[i].kind == CLI_WORD) {
            taskfit_strbuf_adds(out, " -x -a '");
            add_words(table[i].words, out);
            taskfit_strbuf_addc(out, '\'');
        } else if (table[i].kind != CLI_FLAG) {
            taskfit_strbuf_adds(out, table[i].kind == CLI_TEXT ? " -r" : " -x");
        }
        taskfit_strbuf_adds(out, " -d '");
        add_quoted(table[i].help, "", out);
        taskfit_strbuf_adds(out, "'\n");
    }
}

static void write_fish(taskfit_strbuf *out) {
    taskfit_strbuf_adds(out, "# taskfit completion for fish\n");
    size_t n = 0;
    const cli_command *commands = cli_commands(&n);
    for (size_t i = 0; i < n; i++) {
        add_fish_verb(&commands[i], out);
    }
}

int cli_cmd_completion(const cli_options *options) {
    static const struct {
        const char *shell;
        void (*write)(taskfit_strbuf *out);
    } shells[] = {{"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}};
    TASKFIT_STRBUF(script);
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(options->operands.items[0], shells[i].shell) == 0) {
            shells[i].write(&script);
            return cli_print(&script);
        }
    }
    cli_say("unknown shell '%s' (one of bash, zsh, fish)", options->operands.items[0]);
    return CLI_EXIT_USAGE;
}
