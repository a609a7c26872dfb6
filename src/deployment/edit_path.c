#include "deployment/edit_path.h"

#include <fnmatch.h>
#include <string.h>

/* One segment at *at, which moves behind it. */
static taskfit_status parse_segment(taskfit_arena *arena, const char *path, const char **at, taskfit_segment *segment_out,
                                    taskfit_error *err) {
    char quote = **at;
    if (quote == '"' || quote == '\'') {
        const char *end = strchr(*at + 1, quote);
        if (!end) {
            return taskfit_fail(err, TASKFIT_E_INPUT, "a quote that does not end in '%s'", path);
        }
        *segment_out = (taskfit_segment){taskfit_arena_strndup(arena, *at + 1, (size_t)(end - *at) - 1), true};
        *at = end + 1;
    } else {
        size_t len = strcspn(*at, ".");
        *segment_out = (taskfit_segment){taskfit_arena_strndup(arena, *at, len), false};
        *at += len;
    }
    if (segment_out->text[0] == '\0') {
        return taskfit_fail(err, TASKFIT_E_INPUT, "an empty part in '%s' (quote a part that contains a dot)", path);
    }
    if (**at != '\0' && **at != '.') {
        return taskfit_fail(err, TASKFIT_E_INPUT, "text behind a quote in '%s' (a dot parts keys)", path);
    }
    return TASKFIT_OK;
}

taskfit_status taskfit_edit_path_parse(taskfit_arena *arena, const char *text, taskfit_edit_path *path_out, taskfit_error *err) {
    taskfit_edit_path path = {.n_segments = 0};
    const char *at = text;
    do {
        if (path.n_segments == TASKFIT_EDIT_SEGMENTS_MAX) {
            return taskfit_fail(err, TASKFIT_E_INPUT, "more than %d parts in '%s'", (int)TASKFIT_EDIT_SEGMENTS_MAX, text);
        }
        taskfit_status status = parse_segment(arena, text, &at, &path.segments[path.n_segments++], err);
        if (status != TASKFIT_OK) {
            return status;
        }
    } while (*at++ == '.');
    *path_out = path;
    return TASKFIT_OK;
}

bool taskfit_segment_is(const taskfit_segment *segment, const char *keyword) {
    return !segment->quoted && strcmp(segment->text, keyword) == 0;
}

bool taskfit_segment_matches(const taskfit_segment *segment, const char *name) {
    return strcmp(segment->text, name) == 0 || (!segment->quoted && fnmatch(segment->text, name, 0) == 0);
}
