#include "render/tell.h"

#include <stdarg.h>

#include "base/error.h"

void taskfit_tell_defect(taskfit_tell *tell, taskfit_position position, const char *format, ...) {
    TASKFIT_STRBUF(where);
    TASKFIT_STRBUF(message);
    va_list args;
    va_start(args, format);
    taskfit_strbuf_vprintf(&message, format, args);
    va_end(args);
    taskfit_strbuf_adds(&where, position.file != NULL ? position.file : tell->file);
    if (position.line > 0) {
        taskfit_strbuf_printf(&where, ":%u:%u", position.line, position.column);
    }
    if (tell->n_defects++ == 0) {
        (void)!taskfit_fail(tell->err, TASKFIT_E_INPUT, "%s", message.data);
        taskfit_error_at(tell->err, "%s", where.data);
    }
    if (tell->options->defect != NULL) {
        taskfit_strbuf_printf(&where, ": %s", message.data);
        tell->options->defect(tell->options->defect_arg, where.data);
    }
}

void taskfit_tell_note(const taskfit_tell *tell, const char *format, ...) {
    if (tell->options->note != NULL) {
        TASKFIT_STRBUF(text);
        va_list args;
        va_start(args, format);
        taskfit_strbuf_vprintf(&text, format, args);
        va_end(args);
        tell->options->note(tell->options->note_arg, text.data);
    }
}
