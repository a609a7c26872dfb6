#include "render/java_options.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "deployment/jvm_flags.h"

static void add_size(taskfit_strbuf *out, taskfit_jvm_flag flag, int64_t mib, bool *set) {
    if (mib < 0) {
        return;
    }
    taskfit_strbuf_printf(out, "%s%s%" PRId64 "m", out->len > 0 ? " " : "", taskfit_jvm_flag_prefix(flag), mib);
    set[flag] = true;
}

void taskfit_java_options_compose(const taskfit_jvm *jvm, const char *given, taskfit_strbuf *out) {
    bool set[TASKFIT_JVM_FLAGS] = {false};
    assert(jvm->present && out->len == 0);
    add_size(out, TASKFIT_JVM_XMX, jvm->xmx_mib, set);
    add_size(out, TASKFIT_JVM_XMS, jvm->xms_mib, set);
    add_size(out, TASKFIT_JVM_METASPACE, jvm->metaspace_mib, set);
    add_size(out, TASKFIT_JVM_MAX_METASPACE, jvm->max_metaspace_mib, set);
    if (jvm->max_ram_percentage != NULL) {
        /* Java 8 to 12 refuse a percentage without a decimal point */
        taskfit_strbuf_printf(out, "%s%s%s%s", out->len > 0 ? " " : "",
                              taskfit_jvm_flag_prefix(TASKFIT_JVM_MAX_RAM_PERCENTAGE), jvm->max_ram_percentage,
                              strchr(jvm->max_ram_percentage, '.') == NULL ? ".0" : "");
        set[TASKFIT_JVM_MAX_RAM_PERCENTAGE] = true;
    }
    add_size(out, TASKFIT_JVM_CODE_CACHE, jvm->code_cache_mib, set);
    add_size(out, TASKFIT_JVM_DIRECT_MEMORY, jvm->direct_memory_mib, set);
    /* the JVM obeys the last of two equal flags: options, stated in jvm, come after the environment's */
    taskfit_jvm_flags_rest(given, set, out);
    taskfit_jvm_flags_rest(jvm->options, set, out);
}
