#include "deployment/query_pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <string.h>

/* Far above what a pattern needs for an instance type or AZ; a runaway one ends after some milliseconds. */
enum { MATCH_LIMIT = 100000, DEPTH_LIMIT = 10000, HEAP_LIMIT_KIB = 4096 };

struct taskfit_pattern {
    const char *text;
    pcre2_code *code; /* in the arena: never freed alone */
};

static void *take(PCRE2_SIZE size, void *arena) {
    return taskfit_arena_alloc(arena, size);
}

static void leave(void *piece TASKFIT_UNUSED, void *arena TASKFIT_UNUSED) {
}

/* Java reads [a-z&&[^b]] as an intersection and [a[bc]] as a union, PCRE2 as plain characters: refuse what would
 * mean something else. */
static bool java_only_class(const char *text) {
    bool inside = false;
    for (const char *at = text; *at; at++) {
        if (*at == '\\' && at[1]) {
            at++;
        } else if (!inside) {
            inside = *at == '[';
        } else if (*at == ']') {
            inside = false;
        } else if (*at == '[' || (*at == '&' && at[1] == '&')) {
            return true;
        }
    }
    return false;
}

taskfit_status taskfit_pattern_compile(taskfit_arena *arena, const char *text, const taskfit_pattern **pattern_out,
                                       taskfit_error *err) {
    if (java_only_class(text)) {
        return taskfit_fail(err, TASKFIT_E_INPUT, "a class within a class or '&&' in '%s' is not supported (list the "
                            "characters)", text);
    }
    pcre2_general_context *memory = pcre2_general_context_create(take, leave, arena);
    pcre2_compile_context *context = pcre2_compile_context_create(memory);
    if (!memory || !context) {
        taskfit_oom();
    }
    int code = 0;
    PCRE2_SIZE at = 0;
    taskfit_pattern *pattern = TASKFIT_NEW(arena, taskfit_pattern);
    pattern->text = taskfit_arena_strdup(arena, text);
    pattern->code = pcre2_compile((PCRE2_SPTR)pattern->text, strlen(text),
                                  PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C, &code, &at, context);
    if (!pattern->code) {
        PCRE2_UCHAR why[128] = "";
        (void)pcre2_get_error_message(code, why, sizeof why);
        return taskfit_fail(err, TASKFIT_E_INPUT, "bad regular expression '%s' at its character %zu: %s", text, (size_t)at + 1,
                            (const char *)why);
    }
    *pattern_out = pattern;
    return TASKFIT_OK;
}

taskfit_status taskfit_pattern_matches(const taskfit_pattern *pattern, const char *value, bool *matches_out,
                                       taskfit_error *err) {
    pcre2_general_context *memory = pcre2_general_context_create(NULL, NULL, NULL); /* malloc, not the arena */
    pcre2_match_data *data = pcre2_match_data_create(1, memory);
    pcre2_match_context *limits = pcre2_match_context_create(memory);
    if (!memory || !data || !limits) {
        taskfit_oom();
    }
    (void)pcre2_set_match_limit(limits, MATCH_LIMIT);
    (void)pcre2_set_depth_limit(limits, DEPTH_LIMIT);
    (void)pcre2_set_heap_limit(limits, HEAP_LIMIT_KIB);
    int code = pcre2_match(pattern->code, (PCRE2_SPTR)value, strlen(value), 0, 0, data, limits);
    pcre2_match_context_free(limits);
    pcre2_match_data_free(data);
    pcre2_general_context_free(memory);
    if (code < 0 && code != PCRE2_ERROR_NOMATCH) {
        PCRE2_UCHAR why[128] = "";
        (void)pcre2_get_error_message(code, why, sizeof why);
        return taskfit_fail(err, TASKFIT_E_INPUT, "regular expression '%s' cannot be matched with '%s': %s (write a simpler one)",
                            pattern->text, value, (const char *)why);
    }
    *matches_out = code >= 0;
    return TASKFIT_OK;
}
