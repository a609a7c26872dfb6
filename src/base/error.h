#ifndef TASKFIT_BASE_ERROR_H
#define TASKFIT_BASE_ERROR_H

/*
 * Filling a taskfit_error. The first error wins: a filled error is only ever given a place, never
 * another message. `err` may be NULL everywhere.
 */

#include "base/attrs.h"
#include "taskfit/status.h"

/* Fills err and returns status, so that a failing check is one line:
 * `return taskfit_fail(err, TASKFIT_E_INPUT, "'%s' is too large", text);` */
taskfit_status taskfit_fail(taskfit_error *err, taskfit_status status, const char *format, ...)
    TASKFIT_PRINTF(3, 4);

/* Puts a place in front of an error that has none yet, for example "prod.yaml:12:15: services[3].memory". */
void taskfit_error_at(taskfit_error *err, const char *format, ...) TASKFIT_PRINTF(2, 3);

/* Ends the process (status 1) with one line on stderr: the only place where the library exits, since
 * an untested branch after every allocation would be worse. Input limits keep users from reaching it. */
void taskfit_oom(void) TASKFIT_NO_RETURN;

#endif
