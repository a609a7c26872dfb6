#include "render/java_options.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* The order in which flags are written. */
static const taskfit_jvm_flag order[] = {TASKFIT_JVM_XMX,           TASKFIT_JVM_XMS,
                                         TASKFIT_JVM_METASPACE,     TASKFIT_JVM_MAX_METASPACE,
                                         TASKFIT_JVM_MAX_RAM_PERCENTAGE, TASKFIT_JVM_CODE_CACHE,
                                         TASKFIT_JVM_DIRECT_MEMORY};

static const char *size_value(taskfit_arena *arena, int64_t mib) {
    return mib >= 0 ? taskfit_arena_printf(arena, "%" PRId64 "m", mib) : NULL;
}

void taskfit_java_options_values(const taskfit_jvm *jvm, taskfit_arena *arena, const char *values[TASKFIT_JVM_FLAGS]) {
    memset(values, 0, TASKFIT_JVM_FLAGS * sizeof *values);
    values[TASKFIT_JVM_XMX] = size_value(arena, jvm->xmx_mib);
    values[TASKFIT_JVM_XMS] = size_value(arena, jvm->xms_mib);
    values[TASKFIT_JVM_METASPACE] = size_value(arena, jvm->metaspace_mib);
    values[TASKFIT_JVM_MAX_METASPACE] = size_value(arena, jvm->max_metaspace_mib);
    values[TASKFIT_JVM_CODE_CACHE] = size_value(arena, jvm->code_cache_mib);
    values[TASKFIT_JVM_DIRECT_MEMORY] = size_value(arena, jvm->direct_memory_mib);
    if (jvm->max_ram_percentage != NULL) {
        /* Java 8 to 12 refuse a percentage without a decimal point */
        values[TASKFIT_JVM_MAX_RAM_PERCENTAGE] =
            taskfit_arena_printf(arena, "%s%s", jvm->max_ram_percentage,
                                 strchr(jvm->max_ram_percentage, '.') == NULL ? ".0" : "");
    }
}

void taskfit_java_options_add(const char *const values[TASKFIT_JVM_FLAGS], const bool set[TASKFIT_JVM_FLAGS],
                              taskfit_strbuf *out) {
    for (size_t place = 0; place < sizeof order / sizeof order[0]; place++) {
        const taskfit_jvm_flag flag = order[place];
        if (values[flag] != NULL && !set[flag]) {
            taskfit_strbuf_printf(out, "%s%s%s", out->len > 0 ? " " : "", taskfit_jvm_flag_prefix(flag), values[flag]);
        }
    }
}

void taskfit_java_options_compose(const taskfit_jvm *jvm, const char *given, taskfit_strbuf *out) {
    const char *values[TASKFIT_JVM_FLAGS];
    bool set[TASKFIT_JVM_FLAGS] = {false};
    assert(jvm->present && out->len == 0);
    taskfit_arena *scratch = taskfit_arena_new();
    taskfit_java_options_values(jvm, scratch, values);
    taskfit_java_options_add(values, set, out);
    for (size_t flag = 0; flag < TASKFIT_JVM_FLAGS; flag++) {
        set[flag] = values[flag] != NULL;
    }
    /* the JVM obeys the last of two equal flags: options, stated in jvm, come after the environment's */
    taskfit_jvm_flags_rest(given, set, out);
    taskfit_jvm_flags_rest(jvm->options, set, out);
    taskfit_arena_free(scratch);
}
