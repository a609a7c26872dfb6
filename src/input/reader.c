#include "input/reader.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

size_t taskfit_bom_length(const char *data, size_t len) {
    return len >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

bool taskfit_is_json_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

taskfit_position taskfit_position_of(const char *file, const char *data, size_t len, size_t offset) {
    taskfit_position position = {.file = file, .line = 1, .column = 1};
    if (offset > len) {
        offset = len;
    }
    for (size_t i = taskfit_bom_length(data, len); i < offset;) {
        const size_t length = taskfit_utf8_length(data + i, len - i);
        if (data[i] == '\n' || (data[i] == '\r' && (i + 1 == len || data[i + 1] != '\n'))) {
            position.line++;
            position.column = 1;
        } else {
            position.column++;
        }
        i += length > 0 ? length : 1;
    }
    return position;
}

/* By key, then by place in the file. */
static int compare_entries(const void *a, const void *b) {
    const taskfit_entry *left = *(const taskfit_entry *const *)a;
    const taskfit_entry *right = *(const taskfit_entry *const *)b;
    const int order = strcmp(left->key, right->key);
    return order != 0 ? order : left < right ? -1 : left > right;
}

const taskfit_entry *taskfit_node_duplicate(const taskfit_node *map) {
    if (map->n < 2) {
        return NULL;
    }
    const taskfit_entry **sorted = calloc(map->n, sizeof *sorted);
    if (!sorted) {
        taskfit_oom();
    }
    for (size_t i = 0; i < map->n; i++) {
        sorted[i] = &map->entries[i];
    }
    qsort(sorted, map->n, sizeof *sorted, compare_entries);
    const taskfit_entry *first = NULL;
    for (size_t i = 1; i < map->n; i++) {
        if (strcmp(sorted[i - 1]->key, sorted[i]->key) == 0 && (!first || sorted[i] < first)) {
            first = sorted[i];
        }
    }
    free(sorted);
    return first;
}

taskfit_status taskfit_fail_at(taskfit_error *err, taskfit_position position, const char *format, ...) {
    char message[sizeof err->message];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (position.line > 0) {
        taskfit_error_at(err, "%s:%u:%u", position.file, position.line, position.column);
    } else {
        taskfit_error_at(err, "%s", position.file);
    }
    return taskfit_fail(err, TASKFIT_E_INPUT, "%s", message);
}
