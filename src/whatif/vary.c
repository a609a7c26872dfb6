#include "whatif/vary.h"

#include <assert.h>
#include <string.h>

#include "base/units.h"

/* Where text splits: the next `stop` outside of quotes and brackets, or the end. */
static const char *find_outside(const char *text, char stop) {
    char quote = '\0';
    size_t depth = 0;
    for (; *text; text++) {
        if (quote != '\0') {
            quote = *text == quote ? '\0' : quote;
        } else if (*text == '"' || *text == '\'') {
            quote = *text;
        } else if (*text == '[' || *text == '{') {
            depth++;
        } else if (depth > 0 && (*text == ']' || *text == '}')) {
            depth--;
        } else if (depth == 0 && *text == stop) {
            break;
        }
    }
    return text;
}

static const char *trimmed(taskfit_arena *arena, const char *text, size_t len) {
    while (len > 0 && text[0] == ' ') {
        text++;
        len--;
    }
    while (len > 0 && text[len - 1] == ' ') {
        len--;
    }
    return taskfit_arena_strndup(arena, text, len);
}

static bool parse_end(const char *text, size_t len, int64_t *value_out) {
    const char *why = NULL;
    return len > 0 && taskfit_parse_count(text, len, 0, TASKFIT_QUANTITY_MAX, value_out, &why);
}

/* "256..1024"; anything else with two dots is a value like any other (a version, a text). */
static bool parse_range(const char *text, taskfit_vary *vary) {
    const char *dots = strstr(text, "..");
    return dots && parse_end(text, (size_t)(dots - text), &vary->low) && parse_end(dots + 2, strlen(dots + 2), &vary->high);
}

static taskfit_status parse_values(taskfit_arena *arena, const char *given, const char *text, taskfit_vary *vary,
                                   taskfit_error *err) {
    size_t capacity = 0;
    for (;;) {
        const char *end = find_outside(text, ',');
        const char *value = trimmed(arena, text, (size_t)(end - text));
        if (value[0] == '\0') {
            return taskfit_fail(err, TASKFIT_E_ARGUMENT, "an empty value in --vary '%s' (null unsets)", given);
        }
        if (vary->n_values == TASKFIT_VARY_VALUES_MAX) {
            return taskfit_fail(err, TASKFIT_E_ARGUMENT, "more than %d values in --vary '%.60s...'",
                                (int)TASKFIT_VARY_VALUES_MAX, given);
        }
        TASKFIT_GROW(arena, vary->values, vary->n_values, capacity);
        vary->values[vary->n_values++] = value;
        if (*end == '\0') {
            return TASKFIT_OK;
        }
        text = end + 1;
    }
}

taskfit_status taskfit_vary_parse(taskfit_arena *arena, const char *text, taskfit_vary *vary_out, taskfit_error *err) {
    const char *equals = find_outside(text, '=');
    if (*equals == '\0' || equals == text) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "no path and values in --vary '%s' (PATH=a,b,c or PATH=LOW..HIGH)", text);
    }
    taskfit_vary vary = {.path = trimmed(arena, text, (size_t)(equals - text))};
    vary.types = strcmp(vary.path, "type") == 0;
    vary.range = !vary.types && parse_range(equals + 1, &vary);
    if (vary.range && vary.low >= vary.high) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "an empty range in --vary '%s' (the smaller number comes first)", text);
    }
    taskfit_status status = vary.range ? TASKFIT_OK : parse_values(arena, text, equals + 1, &vary, err);
    if (status == TASKFIT_OK) {
        *vary_out = vary;
    }
    return status;
}

const char *taskfit_vary_edit(taskfit_arena *arena, const taskfit_vary *vary, const char *value) {
    return vary->types ? taskfit_arena_printf(arena, "cluster.instanceGroups.0.types=[%s]", value)
                       : taskfit_arena_printf(arena, "%s=%s", vary->path, value);
}

taskfit_status taskfit_vary_check(const taskfit_vary *vary, const taskfit_deployment *deployment, taskfit_error *err) {
    if (vary->types && deployment->n_groups != 1) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT,
                            "--vary type=... means the one instance group, and '%s' has %zu (vary "
                            "cluster.instanceGroups.%s.types)",
                            deployment->file, deployment->n_groups, deployment->groups[0].name);
    }
    return TASKFIT_OK;
}

taskfit_trend taskfit_vary_trend(const taskfit_vary *vary) {
    static const struct {
        const char *key;
        taskfit_trend trend;
    } keys[] = {
        {"memory", TASKFIT_TREND_UP},
        {"memoryReservation", TASKFIT_TREND_UP},
        {"cpu", TASKFIT_TREND_UP},
        {"reservedMemory", TASKFIT_TREND_UP},
        {"reservedCpu", TASKFIT_TREND_UP},
        {"memoryPercent", TASKFIT_TREND_UP},
        {"cpuPercent", TASKFIT_TREND_UP},
        {"maxHardMemoryPercent", TASKFIT_TREND_DOWN},
        {"maxExpectedCpuPercent", TASKFIT_TREND_DOWN},
        {"maxExpectedMemoryPercent", TASKFIT_TREND_DOWN},
        {"registeredMemory", TASKFIT_TREND_DOWN},
        {"maxTasks", TASKFIT_TREND_DOWN},
    };
    const char *dot = strrchr(vary->path, '.');
    const char *last = dot ? dot + 1 : vary->path;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strcmp(keys[i].key, last) == 0) {
            return keys[i].trend;
        }
    }
    return TASKFIT_TREND_UNKNOWN;
}
