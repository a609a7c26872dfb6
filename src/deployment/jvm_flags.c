#include "deployment/jvm_flags.h"

#include <assert.h>
#include <string.h>

#include "base/units.h"
#include "base/utf8.h"

/* How a flag may be spelt; synonym NULL: one way only. */
static const struct {
    const char *prefix;
    const char *synonym;
} spellings[TASKFIT_JVM_FLAGS] = {
    [TASKFIT_JVM_XMX] = {"-Xmx", "-XX:MaxHeapSize="},
    [TASKFIT_JVM_XMS] = {"-Xms", "-XX:InitialHeapSize="},
    [TASKFIT_JVM_METASPACE] = {"-XX:MetaspaceSize=", NULL},
    [TASKFIT_JVM_MAX_METASPACE] = {"-XX:MaxMetaspaceSize=", NULL},
    [TASKFIT_JVM_CODE_CACHE] = {"-XX:ReservedCodeCacheSize=", NULL},
    [TASKFIT_JVM_DIRECT_MEMORY] = {"-XX:MaxDirectMemorySize=", NULL},
    [TASKFIT_JVM_MAX_RAM_PERCENTAGE] = {"-XX:MaxRAMPercentage=", NULL},
    [TASKFIT_JVM_XSS] = {"-Xss", NULL},
    [TASKFIT_JVM_INITIAL_RAM_PERCENTAGE] = {"-XX:InitialRAMPercentage=", NULL},
};

const char *taskfit_jvm_flag_prefix(taskfit_jvm_flag flag) {
    assert(flag < TASKFIT_JVM_FLAGS);
    return spellings[flag].prefix;
}

/* ---- tokens ---- */

struct token {
    const char *blanks; /* where the blanks before it start */
    const char *start;
    size_t len;
};

/* Bytes of a blank that text starts with: 1, a folded line 2 or 3, or 0. */
static size_t blank_length(const char *text) {
    if (text[0] == '\\' && (text[1] == '\n' || (text[1] == '\r' && text[2] == '\n'))) {
        return text[1] == '\n' ? 2 : 3;
    }
    return *text == ' ' || *text == '\t' || *text == '\r' || *text == '\n';
}

/* A quote without its pair is a character like others. */
static size_t token_length(const char *start) {
    const char *at = start;
    while (*at && blank_length(at) == 0) {
        const char *pair = *at == '"' || *at == '\'' ? strchr(at + 1, *at) : NULL;
        at = pair ? pair + 1 : at + 1;
    }
    return (size_t)(at - start);
}

static bool next_token(const char **text, struct token *token_out) {
    const char *at = *text;
    for (size_t n = 0; (n = blank_length(at)) > 0;) {
        at += n;
    }
    *token_out = (struct token){.blanks = *text, .start = at, .len = token_length(at)};
    *text = at + token_out->len;
    return token_out->len > 0;
}

/* The token without its quotes. */
static void unquote(const struct token *token, taskfit_strbuf *plain) {
    taskfit_strbuf_reset(plain);
    for (size_t i = 0; i < token->len; i++) {
        const char c = token->start[i];
        const char *pair = c == '"' || c == '\'' ? memchr(token->start + i + 1, c, token->len - i - 1) : NULL;
        if (pair) {
            const size_t end = (size_t)(pair - token->start);
            taskfit_strbuf_add(plain, token->start + i + 1, end - i - 1);
            i = end;
        } else {
            taskfit_strbuf_addc(plain, c);
        }
    }
}

/* The flag a token is, and its value; TASKFIT_JVM_FLAGS: none of ours. */
static taskfit_jvm_flag flag_of(const char *plain, const char **value_out) {
    for (size_t flag = 0; flag < TASKFIT_JVM_FLAGS; flag++) {
        const char *const names[] = {spellings[flag].prefix, spellings[flag].synonym};
        for (size_t i = 0; i < 2 && names[i]; i++) {
            const size_t len = strlen(names[i]);
            if (strncmp(plain, names[i], len) == 0) {
                *value_out = plain + len;
                return (taskfit_jvm_flag)flag;
            }
        }
    }
    return TASKFIT_JVM_FLAGS;
}

static void add_token(const struct token *token, size_t start_len, taskfit_strbuf *out) {
    if (out->len > start_len) {
        taskfit_strbuf_add(out, token->blanks, (size_t)(token->start - token->blanks));
    } else if (out->len > 0) {
        taskfit_strbuf_addc(out, ' ');
    }
    taskfit_strbuf_add(out, token->start, token->len);
}

void taskfit_jvm_flags_rest(const char *text, const bool set[TASKFIT_JVM_FLAGS], taskfit_strbuf *out) {
    const size_t start_len = out->len;
    TASKFIT_STRBUF(plain);
    for (struct token token; text && next_token(&text, &token);) {
        const char *value = NULL;
        unquote(&token, &plain);
        const taskfit_jvm_flag flag = flag_of(plain.data, &value);
        if (flag == TASKFIT_JVM_FLAGS || !set[flag]) {
            add_token(&token, start_len, out);
        }
    }
}

/* ---- values ---- */

/* "768m", "1073741824", in bytes. */
static bool parse_size(const char *text, int64_t *bytes_out) {
    static const char units[] = "kmgt";
    size_t len = strlen(text);
    const char last = len > 0 ? taskfit_ascii_lower(text[len - 1]) : '\0';
    const char *unit = last ? strchr(units, last) : NULL;
    const int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    int64_t number = 0;
    const char *why = NULL;
    const int64_t most = INT64_C(1) << 58; /* 2^38 MiB: what the parser of numbers takes in bytes */
    if (!taskfit_parse_count(text, unit ? len - 1 : len, 0, most >> shift, &number, &why)) {
        return false;
    }
    *bytes_out = number << shift;
    return true;
}

/* A decimal number, 0 to 100. */
static bool is_percentage(const char *text) {
    int64_t micros = 0;
    const char *why = NULL;
    return taskfit_parse_usd_micros(text, strlen(text), &micros, &why) && micros <= INT64_C(100) * 1000 * 1000;
}

static int64_t *size_member(taskfit_jvm_flags *flags, taskfit_jvm_flag flag) {
    int64_t *const members[TASKFIT_JVM_FLAGS] = {
        [TASKFIT_JVM_XMX] = &flags->xmx_mib,
        [TASKFIT_JVM_XMS] = &flags->xms_mib,
        [TASKFIT_JVM_METASPACE] = &flags->metaspace_mib,
        [TASKFIT_JVM_MAX_METASPACE] = &flags->max_metaspace_mib,
        [TASKFIT_JVM_CODE_CACHE] = &flags->code_cache_mib,
        [TASKFIT_JVM_DIRECT_MEMORY] = &flags->direct_memory_mib,
        [TASKFIT_JVM_XSS] = &flags->xss_kib,
    };
    return members[flag];
}

static bool read_flag(taskfit_arena *arena, taskfit_jvm_flags *flags, taskfit_jvm_flag flag, const char *value) {
    if (flag == TASKFIT_JVM_MAX_RAM_PERCENTAGE || flag == TASKFIT_JVM_INITIAL_RAM_PERCENTAGE) {
        if (!is_percentage(value)) {
            return false;
        }
        const char **member =
            flag == TASKFIT_JVM_MAX_RAM_PERCENTAGE ? &flags->max_ram_percentage : &flags->initial_ram_percentage;
        *member = taskfit_arena_strdup(arena, value);
        return true;
    }
    int64_t bytes = 0;
    if (!parse_size(value, &bytes)) {
        return false;
    }
    const int64_t unit = flag == TASKFIT_JVM_XSS ? 1 << 10 : 1 << 20;
    *size_member(flags, flag) = bytes / unit + (bytes % unit != 0);
    flags->is_rounded = flags->is_rounded || (flag < TASKFIT_JVM_KEYS && bytes % unit != 0);
    return true;
}

taskfit_jvm_flags taskfit_jvm_flags_parse(taskfit_arena *arena, const char *text) {
    taskfit_jvm_flags flags = {.xmx_mib = -1,
                               .xms_mib = -1,
                               .metaspace_mib = -1,
                               .max_metaspace_mib = -1,
                               .code_cache_mib = -1,
                               .direct_memory_mib = -1,
                               .xss_kib = -1};
    TASKFIT_STRBUF(plain);
    TASKFIT_STRBUF(options);
    for (struct token token; text && next_token(&text, &token);) {
        const char *value = NULL;
        unquote(&token, &plain);
        const taskfit_jvm_flag flag = flag_of(plain.data, &value);
        const bool is_read = flag < TASKFIT_JVM_FLAGS && read_flag(arena, &flags, flag, value);
        if (!is_read || flag >= TASKFIT_JVM_KEYS) {
            add_token(&token, 0, &options);
        }
    }
    flags.options = options.len > 0 ? taskfit_arena_strndup(arena, options.data, options.len) : NULL;
    return flags;
}

/* ---- replacing ---- */

static bool same_value(taskfit_jvm_flag flag, const char *a, const char *b) {
    if (flag == TASKFIT_JVM_MAX_RAM_PERCENTAGE || flag == TASKFIT_JVM_INITIAL_RAM_PERCENTAGE) {
        int64_t a_micros = 0, b_micros = 0;
        const char *why = NULL;
        return taskfit_parse_usd_micros(a, strlen(a), &a_micros, &why) &&
               taskfit_parse_usd_micros(b, strlen(b), &b_micros, &why) && a_micros == b_micros;
    }
    int64_t a_bytes = 0, b_bytes = 0;
    return parse_size(a, &a_bytes) && parse_size(b, &b_bytes) && a_bytes == b_bytes;
}

void taskfit_jvm_flags_replace(const char *text, const char *const values[TASKFIT_JVM_FLAGS], bool found[TASKFIT_JVM_FLAGS],
                               taskfit_strbuf *out) {
    TASKFIT_STRBUF(plain);
    struct token token;
    while (next_token(&text, &token)) {
        const char *value = NULL;
        taskfit_strbuf_add(out, token.blanks, (size_t)(token.start - token.blanks));
        unquote(&token, &plain);
        const taskfit_jvm_flag flag = flag_of(plain.data, &value);
        const bool wanted = flag < TASKFIT_JVM_FLAGS && values[flag];
        if (wanted && !same_value(flag, value, values[flag])) {
            taskfit_strbuf_add(out, plain.data, (size_t)(value - plain.data));
            taskfit_strbuf_adds(out, values[flag]);
        } else {
            taskfit_strbuf_add(out, token.start, token.len);
        }
        if (wanted) {
            found[flag] = true;
        }
    }
    taskfit_strbuf_adds(out, token.blanks); /* behind the last one */
}

static bool holds_token(const char *text, const struct token *wanted) {
    for (struct token token; next_token(&text, &token);) {
        if (token.len == wanted->len && memcmp(token.start, wanted->start, token.len) == 0) {
            return true;
        }
    }
    return false;
}

void taskfit_jvm_flags_add_missing(const char *text, taskfit_strbuf *out) {
    for (struct token token; text && next_token(&text, &token);) {
        if (!holds_token(out->data, &token)) {
            taskfit_strbuf_adds(out, out->len > 0 ? " " : "");
            taskfit_strbuf_add(out, token.start, token.len);
        }
    }
}
