#include "render/java_options.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* A flag that a jvm key stands for, and the other spelling the JVM knows it by (NULL: none). */
typedef struct flag {
    const char *prefix;
    const char *synonym;
} flag;

enum { XMX, XMS, METASPACE, MAX_METASPACE, MAX_RAM_PERCENTAGE, CODE_CACHE, DIRECT_MEMORY, FLAG_COUNT };

static const flag flags[FLAG_COUNT] = {
    [XMX] = {"-Xmx", "-XX:MaxHeapSize="},
    [XMS] = {"-Xms", "-XX:InitialHeapSize="},
    [METASPACE] = {"-XX:MetaspaceSize=", NULL},
    [MAX_METASPACE] = {"-XX:MaxMetaspaceSize=", NULL},
    [MAX_RAM_PERCENTAGE] = {"-XX:MaxRAMPercentage=", NULL},
    [CODE_CACHE] = {"-XX:ReservedCodeCacheSize=", NULL},
    [DIRECT_MEMORY] = {"-XX:MaxDirectMemorySize=", NULL},
};

static bool starts_with(const char *text, size_t len, const char *prefix) {
    const size_t prefix_len = prefix == NULL ? 0 : strlen(prefix);
    return prefix_len > 0 && len >= prefix_len && memcmp(text, prefix, prefix_len) == 0;
}

static bool is_set_by_key(const char *token, size_t len, const bool *set) {
    for (size_t index = 0; index < FLAG_COUNT; index++) {
        if (set[index] &&
            (starts_with(token, len, flags[index].prefix) || starts_with(token, len, flags[index].synonym))) {
            return true;
        }
    }
    return false;
}

/* A token goes with the blanks before it: what is kept keeps its spelling (a quoted value may hold blanks). */
static void add_rest(const char *text, const bool *set, taskfit_strbuf *out) {
    static const char blanks[] = " \t\r\n";
    const size_t start_len = out->len;
    while (text != NULL && *text != '\0') {
        const size_t n_blanks = strspn(text, blanks);
        const char *token = text + n_blanks;
        const size_t len = strcspn(token, blanks);
        if (len > 0 && !is_set_by_key(token, len, set)) {
            if (out->len > start_len) {
                taskfit_strbuf_add(out, text, n_blanks);
            } else if (out->len > 0) {
                taskfit_strbuf_addc(out, ' ');
            }
            taskfit_strbuf_add(out, token, len);
        }
        text = token + len;
    }
}

static void add_flag(taskfit_strbuf *out, size_t index, int64_t mib, bool *set) {
    if (mib < 0) {
        return;
    }
    taskfit_strbuf_printf(out, "%s%s%" PRId64 "m", out->len > 0 ? " " : "", flags[index].prefix, mib);
    set[index] = true;
}

void taskfit_java_options_compose(const taskfit_jvm *jvm, const char *given, taskfit_strbuf *out) {
    bool set[FLAG_COUNT] = {false};
    assert(jvm->present && out->len == 0);
    add_flag(out, XMX, jvm->xmx_mib, set);
    add_flag(out, XMS, jvm->xms_mib, set);
    add_flag(out, METASPACE, jvm->metaspace_mib, set);
    add_flag(out, MAX_METASPACE, jvm->max_metaspace_mib, set);
    if (jvm->max_ram_percentage != NULL) {
        /* Java 8 to 12 refuse a percentage without a decimal point */
        taskfit_strbuf_printf(out, "%s%s%s%s", out->len > 0 ? " " : "", flags[MAX_RAM_PERCENTAGE].prefix,
                              jvm->max_ram_percentage, strchr(jvm->max_ram_percentage, '.') == NULL ? ".0" : "");
        set[MAX_RAM_PERCENTAGE] = true;
    }
    add_flag(out, CODE_CACHE, jvm->code_cache_mib, set);
    add_flag(out, DIRECT_MEMORY, jvm->direct_memory_mib, set);
    /* the JVM obeys the last of two equal flags: options, stated in jvm, come after the environment's */
    add_rest(given, set, out);
    add_rest(jvm->options, set, out);
}
