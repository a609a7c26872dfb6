/* Options that nobody typed: the configuration file, then the environment over it. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "taskfit/words.h"

enum { CONFIG_BYTES_MAX = 1024 * 1024 };

/* "TASKFIT_TIME_LIMIT" for --time-limit. */
void cli_option_variable(const cli_option *option, taskfit_strbuf *out) {
    taskfit_strbuf_adds(out, "TASKFIT_");
    for (const char *c = option->name; *c; c++) {
        taskfit_strbuf_addc(out, *c == '-' ? '_' : (char)(*c - 'a' + 'A'));
    }
}

static taskfit_status read_environment(cli_options *options, taskfit_error *err) {
    taskfit_status status = TASKFIT_OK;
    size_t n = 0;
    const cli_option *table = cli_option_table(&n);
    for (size_t i = 0; i < n && status == TASKFIT_OK; i++) {
        TASKFIT_STRBUF(name);
        cli_option_variable(&table[i], &name);
        const char *text = table[i].ambient ? getenv(name.data) : NULL;
        if (text && *text) {
            status = cli_option_set(&table[i], options, name.data, text, err);
        }
    }
    return status;
}

struct config {
    cli_options *options;
    const char *path;
};

/* A taskfit_setting_fn. */
static taskfit_status take_setting(void *arg, const char *key, const char *value, taskfit_error *err) {
    struct config *config = arg;
    const char *names[64];
    size_t n_names = 0;
    size_t n = 0;
    const cli_option *table = cli_option_table(&n);
    for (size_t i = 0; i < n; i++) {
        if (table[i].ambient && strcmp(table[i].name, key) == 0) {
            TASKFIT_STRBUF(origin);
            taskfit_strbuf_printf(&origin, "%s: %s", config->path, key);
            cli_list_add(&config->options->kept, value);
            const char *kept = config->options->kept.items[config->options->kept.n - 1];
            return cli_option_set(&table[i], config->options, origin.data, kept, err);
        }
        if (table[i].ambient) {
            names[n_names++] = table[i].name;
        }
    }
    const char *nearest = taskfit_nearest(key, names, n_names);
    if (nearest) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "%s: unknown setting '%s' (did you mean '%s'?)", config->path, key, nearest);
    }
    return taskfit_fail(err, TASKFIT_E_ARGUMENT, "%s: unknown setting '%s'", config->path, key);
}

static bool config_path(taskfit_strbuf *path) {
    const char *base = getenv("XDG_CONFIG_HOME");
    if (base && *base == '/') {
        taskfit_strbuf_printf(path, "%s/taskfit/config.yaml", base);
        return true;
    }
    const char *home = getenv("HOME");
    if (home && *home == '/') {
        taskfit_strbuf_printf(path, "%s/.config/taskfit/config.yaml", home);
        return true;
    }
    return false;
}

static taskfit_status read_config(cli_options *options, taskfit_error *err) {
    TASKFIT_STRBUF(path);
    TASKFIT_STRBUF(text);
    if (!config_path(&path) || access(path.data, F_OK) != 0) {
        return TASKFIT_OK;
    }
    taskfit_status status = taskfit_file_read(path.data, CONFIG_BYTES_MAX, &text, err);
    struct config config = {options, path.data};
    return status == TASKFIT_OK ? taskfit_settings_file_read(path.data, text.data, text.len, take_setting, &config, err)
                                : status;
}

taskfit_status cli_options_ambient(cli_options *options, taskfit_error *err) {
    taskfit_status status = read_config(options, err);
    return status == TASKFIT_OK ? read_environment(options, err) : status;
}
