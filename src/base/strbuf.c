#include "base/strbuf.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static char empty[1];

void taskfit_strbuf_init(taskfit_strbuf *buf) {
    *buf = (taskfit_strbuf){.data = empty};
}

void taskfit_strbuf_release(taskfit_strbuf *buf) {
    if (buf->capacity > 0) {
        free(buf->data);
    }
    taskfit_strbuf_init(buf);
}

void taskfit_strbuf_reset(taskfit_strbuf *buf) {
    buf->len = 0;
    if (buf->capacity > 0) {
        buf->data[0] = '\0';
    }
}

static void reserve(taskfit_strbuf *buf, size_t more) {
    if (more > SIZE_MAX / 4 - buf->len) {
        taskfit_oom();
    }
    size_t needed = buf->len + more + 1;
    if (needed <= buf->capacity) {
        return;
    }
    size_t capacity = buf->capacity < 64 ? 64 : buf->capacity;
    while (capacity < needed) {
        capacity *= 2;
    }
    char *data = realloc(buf->capacity > 0 ? buf->data : NULL, capacity);
    if (!data) {
        taskfit_oom();
    }
    buf->data = data;
    buf->capacity = capacity;
}

void taskfit_strbuf_add(taskfit_strbuf *buf, const char *data, size_t len) {
    reserve(buf, len);
    if (len > 0) {
        memcpy(buf->data + buf->len, data, len);
    }
    buf->len += len;
    buf->data[buf->len] = '\0';
}

void taskfit_strbuf_adds(taskfit_strbuf *buf, const char *text) {
    taskfit_strbuf_add(buf, text, strlen(text));
}

void taskfit_strbuf_addc(taskfit_strbuf *buf, char c) {
    taskfit_strbuf_add(buf, &c, 1);
}

void taskfit_strbuf_repeat(taskfit_strbuf *buf, const char *text, size_t count) {
    for (size_t i = 0; i < count; i++) {
        taskfit_strbuf_adds(buf, text);
    }
}

void taskfit_strbuf_vprintf(taskfit_strbuf *buf, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    assert(len >= 0);
    reserve(buf, (size_t)len);
    (void)vsnprintf(buf->data + buf->len, (size_t)len + 1, format, again);
    va_end(again);
    buf->len += (size_t)len;
}

void taskfit_strbuf_printf(taskfit_strbuf *buf, const char *format, ...) {
    va_list args;
    va_start(args, format);
    taskfit_strbuf_vprintf(buf, format, args);
    va_end(args);
}
