#ifndef TASKFIT_DEPLOYMENT_QUERY_PATTERN_H
#define TASKFIT_DEPLOYMENT_QUERY_PATTERN_H

/* Regular expressions of =~ and !~: Java's syntax as far as PCRE2 shares it, matched against the whole value, with
 * bounded work. */

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

typedef struct taskfit_pattern taskfit_pattern;

/* Lives in the arena. E_INPUT for what PCRE2 does not accept and for what Java would read otherwise. */
taskfit_status taskfit_pattern_compile(taskfit_arena *arena, const char *text, const taskfit_pattern **pattern_out,
                                       taskfit_error *err) TASKFIT_MUST_USE;
/* E_INPUT when the limits on work end it. */
taskfit_status taskfit_pattern_matches(const taskfit_pattern *pattern, const char *value, bool *matches_out,
                                       taskfit_error *err) TASKFIT_MUST_USE;

#endif
