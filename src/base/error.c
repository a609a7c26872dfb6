#include "base/error.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

taskfit_status taskfit_fail(taskfit_error *err, taskfit_status status, const char *format, ...) {
    assert(status != TASKFIT_OK);
    if (err && err->status == TASKFIT_OK) {
        va_list args;
        va_start(args, format);
        err->status = status;
        (void)vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
    }
    return status;
}

void taskfit_error_at(taskfit_error *err, const char *format, ...) {
    if (!err || err->where[0] != '\0') {
        return;
    }
    va_list args;
    va_start(args, format);
    (void)vsnprintf(err->where, sizeof err->where, format, args);
    va_end(args);
}

void taskfit_oom(void) {
    fputs("taskfit: out of memory\n", stderr);
    exit(1);
}
