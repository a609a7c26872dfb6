#include "cli/opt.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cli/cmd.h"
#include "taskfit/words.h"

#define MILLION INT64_C(1000000)

void cli_list_add(cli_list *list, const char *text) {
    if (list->n == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 8;
        char **items = realloc(list->items, capacity * sizeof *items);
        if (!items) {
            taskfit_oom();
        }
        list->items = items;
        list->capacity = capacity;
    }
    char *copy = strdup(text);
    if (!copy) {
        taskfit_oom();
    }
    list->items[list->n++] = copy;
}

void cli_list_release(cli_list *list) {
    for (size_t i = 0; i < list->n; i++) {
        free(list->items[i]);
    }
    free(list->items);
    *list = (cli_list){0};
}

/* Read as dollars are, the other decimals that taskfit knows. */
static taskfit_status set_decimal(const cli_option *option, int64_t *value, const char *origin, const char *text,
                                  taskfit_error *err) {
    const char *why = NULL;
    int64_t micros = 0;
    if (!taskfit_parse_usd_micros(text, strlen(text), &micros, &why) || micros < option->low * MILLION ||
        micros > option->high * MILLION) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "%s: '%s' is not a number from %" PRId64 " to %" PRId64, origin, text,
                            option->low, option->high);
    }
    *value = micros;
    return TASKFIT_OK;
}

static taskfit_status set_word(const cli_option *option, int64_t *value, const char *origin, const char *text,
                               taskfit_error *err) {
    TASKFIT_STRBUF(all);
    for (int64_t word = 0; option->words[word]; word++) {
        if (strcmp(option->words[word], text) == 0) {
            *value = word;
            return TASKFIT_OK;
        }
        taskfit_strbuf_printf(&all, "%s%s", word > 0 ? ", " : "", option->words[word]);
    }
    return taskfit_fail(err, TASKFIT_E_ARGUMENT, "%s: unknown value '%s' (one of %s)", origin, text, all.data);
}

static taskfit_status set_quantity(const cli_option *option, int64_t *value, const char *origin, const char *text,
                                   taskfit_error *err) {
    const char *why = NULL;
    size_t len = strlen(text);
    bool good = false;
    if (option->kind == CLI_MEMORY) {
        good = taskfit_parse_memory_mib(text, len, TASKFIT_ROUND_UP, value, &why);
    } else if (option->kind == CLI_CPU) {
        good = taskfit_parse_cpu_units(text, len, TASKFIT_ROUND_UP, value, &why);
    } else {
        good = taskfit_parse_count(text, len, option->low, option->high, value, &why);
    }
    if (!good) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "%s: '%s': %s", origin, text, why);
    }
    return TASKFIT_OK;
}

static taskfit_status set_flag(bool *value, const char *origin, const char *text, taskfit_error *err) {
    if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "%s: '%s' is neither true nor false", origin, text);
    }
    *value = text[0] == 't';
    return TASKFIT_OK;
}

static taskfit_status add_item(const cli_option *option, cli_list *list, const char *origin, const char *text,
                               taskfit_error *err) {
    if (strchr(option->value, '=') && !strchr(text, '=')) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "%s: '%s' is not %s", origin, text, option->value);
    }
    TASKFIT_STRBUF(item);
    taskfit_strbuf_printf(&item, "%s%s%s", option->prefix ? option->prefix : "", text,
                          option->suffix ? option->suffix : "");
    cli_list_add(list, item.data);
    return TASKFIT_OK;
}

taskfit_status cli_option_set(const cli_option *option, cli_options *options, const char *origin, const char *text,
                              taskfit_error *err) {
    void *value = (char *)options + option->offset;
    switch (option->kind) {
    case CLI_FLAG:
        return set_flag(value, origin, text, err);
    case CLI_TEXT:
        *(const char **)value = text;
        return *text ? TASKFIT_OK : taskfit_fail(err, TASKFIT_E_ARGUMENT, "%s: the value is empty", origin);
    case CLI_LIST:
        return add_item(option, value, origin, text, err);
    case CLI_DECIMAL:
        return set_decimal(option, value, origin, text, err);
    case CLI_WORD:
        return set_word(option, value, origin, text, err);
    case CLI_COUNT:
    case CLI_MEMORY:
    case CLI_CPU:
        return set_quantity(option, value, origin, text, err);
    }
    assert(false);
    return TASKFIT_E_INTERNAL;
}

/* ---- the command line ---- */

struct scan {
    cli_options *options;
    uint32_t verb;
    int argc;
    char **argv;
    int next; /* the argument to read next */
};

/* The option of this long name (len characters), if `verb` takes it. */
static const cli_option *find_long(uint32_t verb, const char *name, size_t len) {
    size_t n = 0;
    const cli_option *table = cli_option_table(&n);
    for (size_t i = 0; i < n; i++) {
        if (table[i].verbs & verb && strlen(table[i].name) == len && strncmp(table[i].name, name, len) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

static const cli_option *find_short(uint32_t verb, char letter) {
    size_t n = 0;
    const cli_option *table = cli_option_table(&n);
    for (size_t i = 0; i < n; i++) {
        if (table[i].verbs & verb && table[i].letter == letter) {
            return &table[i];
        }
    }
    return NULL;
}

/* An option that only other verbs take: which. False: there is no such option. */
static bool name_takers(const char *name, taskfit_strbuf *takers) {
    size_t n = 0;
    size_t n_commands = 0;
    uint32_t verbs = 0;
    const cli_option *table = cli_option_table(&n);
    const cli_command *commands = cli_commands(&n_commands);
    for (size_t i = 0; i < n; i++) {
        verbs |= strcmp(table[i].name, name) == 0 ? table[i].verbs : 0;
    }
    for (size_t i = 0; i < n_commands; i++) {
        if (commands[i].verb & verbs) {
            taskfit_strbuf_printf(takers, "%s%s", takers->len > 0 ? ", " : "", commands[i].name);
        }
    }
    return takers->len > 0;
}

static taskfit_status unknown_long(uint32_t verb, const char *name, size_t len, taskfit_error *err) {
    enum { N_NAMES_MAX = 128 };
    const char *names[N_NAMES_MAX];
    size_t n_names = 0;
    size_t n = 0;
    const cli_option *table = cli_option_table(&n);
    assert(n <= N_NAMES_MAX);
    for (size_t i = 0; i < n; i++) {
        if (table[i].verbs & verb) {
            names[n_names++] = table[i].name;
        }
    }
    TASKFIT_STRBUF(word);
    taskfit_strbuf_add(&word, name, len);
    TASKFIT_STRBUF(takers);
    if (name_takers(word.data, &takers)) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "option '--%s' does not apply here (verbs that take it: %s)", word.data, takers.data);
    }
    const char *nearest = taskfit_nearest(word.data, names, n_names);
    if (!nearest) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "unknown option '--%s'", word.data);
    }
    return taskfit_fail(err, TASKFIT_E_ARGUMENT, "unknown option '--%s' (did you mean '--%s'?)", word.data, nearest);
}

/* Sets an option from `attached` (behind "=" or the letter) or the next argument. */
static taskfit_status take(struct scan *scan, const cli_option *option, const char *origin, const char *attached,
                           taskfit_error *err) {
    const char *text = attached;
    if (option->kind == CLI_FLAG && !text) {
        text = "true";
    }
    if (!text) {
        if (scan->next == scan->argc) {
            return taskfit_fail(err, TASKFIT_E_ARGUMENT, "option '%s' needs a value", origin);
        }
        text = scan->argv[scan->next++];
    }
    return cli_option_set(option, scan->options, origin, text, err);
}

static taskfit_status take_long(struct scan *scan, const char *name, taskfit_error *err) {
    const char *equals = strchr(name, '=');
    size_t len = equals ? (size_t)(equals - name) : strlen(name);
    const cli_option *option = find_long(scan->verb, name, len);
    if (!option) {
        return unknown_long(scan->verb, name, len, err);
    }
    TASKFIT_STRBUF(origin);
    taskfit_strbuf_printf(&origin, "--%s", option->name);
    return take(scan, option, origin.data, equals ? equals + 1 : NULL, err);
}

static taskfit_status take_letters(struct scan *scan, const char *letters, taskfit_error *err) {
    taskfit_status status = TASKFIT_OK;
    while (*letters && status == TASKFIT_OK) {
        const cli_option *option = find_short(scan->verb, *letters);
        if (!option) {
            return taskfit_fail(err, TASKFIT_E_ARGUMENT, "unknown option '-%c'", *letters);
        }
        char origin[3] = {'-', *letters++, '\0'};
        if (option->kind == CLI_FLAG) {
            status = take(scan, option, origin, NULL, err);
        } else {
            return take(scan, option, origin, *letters ? letters : NULL, err);
        }
    }
    return status;
}

taskfit_status cli_options_parse(cli_options *options, uint32_t verb, int argc, char **argv, int first, taskfit_error *err) {
    struct scan scan = {.options = options, .verb = verb, .argc = argc, .argv = argv, .next = first};
    bool only_operands = false;
    taskfit_status status = TASKFIT_OK;
    while (scan.next < argc && status == TASKFIT_OK) {
        const char *argument = argv[scan.next++];
        if (only_operands || argument[0] != '-' || argument[1] == '\0') {
            cli_list_add(&options->operands, argument);
        } else if (strcmp(argument, "--") == 0) {
            only_operands = true;
        } else if (argument[1] == '-') {
            status = take_long(&scan, argument + 2, err);
        } else {
            status = take_letters(&scan, argument + 1, err);
        }
    }
    return status;
}
