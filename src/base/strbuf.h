#ifndef TASKFIT_BASE_STRBUF_H
#define TASKFIT_BASE_STRBUF_H

/*
 * A growing string. `data` is never NULL and always NUL-terminated; `len` does not count that NUL.
 * Appending cannot fail (out of memory ends the process), so code that writes reports has no error branches.
 *     TASKFIT_STRBUF(out);            // released at the end of the scope
 *     taskfit_strbuf_printf(&out, "%d instances\n", 7);
 */

#include <stdarg.h>
#include <stddef.h>

#include "base/attrs.h"

typedef struct taskfit_strbuf {
    char *data;
    size_t len;
    size_t capacity; /* bytes owned; 0: data points to a constant "" */
} taskfit_strbuf;

void taskfit_strbuf_init(taskfit_strbuf *buf);
void taskfit_strbuf_release(taskfit_strbuf *buf);
void taskfit_strbuf_reset(taskfit_strbuf *buf); /* empties, keeps the memory */

void taskfit_strbuf_add(taskfit_strbuf *buf, const char *data, size_t len);
void taskfit_strbuf_adds(taskfit_strbuf *buf, const char *text);
void taskfit_strbuf_addc(taskfit_strbuf *buf, char c);
/* `count` copies of text; used for bars and padding. */
void taskfit_strbuf_repeat(taskfit_strbuf *buf, const char *text, size_t count);
void taskfit_strbuf_printf(taskfit_strbuf *buf, const char *format, ...) TASKFIT_PRINTF(2, 3);
void taskfit_strbuf_vprintf(taskfit_strbuf *buf, const char *format, va_list args) TASKFIT_PRINTF(2, 0);

#define TASKFIT_STRBUF(name)                                                                                 \
    TASKFIT_CLEANUP(taskfit_strbuf_release) taskfit_strbuf name;                                             \
    taskfit_strbuf_init(&name)

#endif
