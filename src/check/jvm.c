#include "check/jvm.h"

#include <assert.h>
#include <string.h>

#include "base/units.h"
#include "deployment/jvm_flags.h"

#define BYTES_MAX (INT64_C(1) << 60) /* of a region: five of them can be summed */

enum { BYTES_PER_KIB = 1024, BYTES_PER_MIB = 1024 * 1024, PERCENT_MICROS = 100 * 1000 * 1000 };

/* ---- flags, wherever they stand ---- */

static void merge(int64_t *given, int64_t further) {
    *given = *given >= 0 ? *given : further;
}

static void merge_text(const char **given, const char *further) {
    *given = *given ? *given : further;
}

static taskfit_jvm_flags flags_of_keys(const taskfit_jvm *jvm) {
    return (taskfit_jvm_flags){.xmx_mib = jvm->xmx_mib,
                               .xms_mib = jvm->xms_mib,
                               .metaspace_mib = jvm->metaspace_mib,
                               .max_metaspace_mib = jvm->max_metaspace_mib,
                               .code_cache_mib = jvm->code_cache_mib,
                               .direct_memory_mib = jvm->direct_memory_mib,
                               .max_ram_percentage = jvm->max_ram_percentage,
                               .xss_kib = -1};
}

static void merge_flags(taskfit_jvm_flags *flags, taskfit_arena *arena, const char *text) {
    const taskfit_jvm_flags further = taskfit_jvm_flags_parse(arena, text);
    merge(&flags->xmx_mib, further.xmx_mib);
    merge(&flags->xms_mib, further.xms_mib);
    merge(&flags->metaspace_mib, further.metaspace_mib);
    merge(&flags->max_metaspace_mib, further.max_metaspace_mib);
    merge(&flags->code_cache_mib, further.code_cache_mib);
    merge(&flags->direct_memory_mib, further.direct_memory_mib);
    merge(&flags->xss_kib, further.xss_kib);
    merge_text(&flags->max_ram_percentage, further.max_ram_percentage);
}

static bool holds_flags(const char *variable) {
    static const char *const names[] = {"JAVA_OPTIONS", "JAVA_OPTS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(variable, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- regions ---- */

static int64_t product(int64_t a, int64_t b) {
    int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) || result > BYTES_MAX ? BYTES_MAX : result;
}

int64_t taskfit_jvm_metaspace_bytes(int64_t loaded_classes) {
    const int64_t bytes = product(loaded_classes, 5800);
    return bytes < BYTES_MAX - 14000000 ? bytes + 14000000 : BYTES_MAX;
}

static void set_region(taskfit_jvm_memory *memory, taskfit_jvm_region region, int64_t bytes, taskfit_jvm_origin origin) {
    memory->bytes[region] = bytes;
    memory->origins[region] = origin;
}

static void set_given(taskfit_jvm_memory *memory, taskfit_jvm_region region, int64_t given_mib, int64_t default_mib) {
    set_region(memory, region, product(given_mib >= 0 ? given_mib : default_mib, BYTES_PER_MIB),
               given_mib >= 0 ? TASKFIT_JVM_GIVEN : TASKFIT_JVM_DEFAULT);
}

/* micros: millionths of a percent. Divided first, so that nothing overflows. */
static int64_t share_bytes(int64_t bytes, int64_t micros) {
    return bytes / PERCENT_MICROS * micros + bytes % PERCENT_MICROS * micros / PERCENT_MICROS;
}

static void set_heap(taskfit_jvm_memory *memory) {
    const int64_t limit_bytes = product(memory->hard_mib, BYTES_PER_MIB);
    int64_t percent_micros = INT64_C(1000000) * TASKFIT_JVM_DEFAULT_HEAP_PERCENT;
    taskfit_jvm_origin origin = TASKFIT_JVM_DEFAULT;
    if (memory->xmx_mib >= 0) {
        set_given(memory, TASKFIT_JVM_HEAP, memory->xmx_mib, 0);
        return;
    }
    if (memory->max_ram_percentage) {
        const char *why = NULL;
        const bool is_decimal = taskfit_parse_usd_micros(memory->max_ram_percentage, strlen(memory->max_ram_percentage),
                                                         &percent_micros, &why);
        assert(is_decimal); /* the readers of keys and flags saw to it */
        origin = TASKFIT_JVM_ESTIMATED;
    }
    const bool is_known = memory->hard_mib >= 0;
    set_region(memory, TASKFIT_JVM_HEAP, is_known ? share_bytes(limit_bytes, percent_micros) : 0,
               is_known ? origin : TASKFIT_JVM_UNKNOWN);
}

/* MaxMetaspaceSize bounds it; without that, loaded classes say more than the mark of the first collection, MetaspaceSize. */
static void set_metaspace(taskfit_jvm_memory *memory, int64_t loaded_classes) {
    if (memory->max_metaspace_mib >= 0) {
        set_given(memory, TASKFIT_JVM_METASPACE_REGION, memory->max_metaspace_mib, 0);
    } else if (loaded_classes >= 0) {
        set_region(memory, TASKFIT_JVM_METASPACE_REGION, taskfit_jvm_metaspace_bytes(loaded_classes), TASKFIT_JVM_ESTIMATED);
    } else if (memory->metaspace_mib >= 0) {
        set_given(memory, TASKFIT_JVM_METASPACE_REGION, memory->metaspace_mib, 0);
    } else {
        set_region(memory, TASKFIT_JVM_METASPACE_REGION, taskfit_jvm_metaspace_bytes(TASKFIT_JVM_LOADED_CLASSES),
                   TASKFIT_JVM_DEFAULT);
    }
}

bool taskfit_jvm_memory_of(const taskfit_service *service, const taskfit_container *container, taskfit_arena *arena,
                           taskfit_jvm_memory *memory_out) {
    const taskfit_jvm *jvm = &container->jvm;
    bool is_jvm = jvm->present;
    taskfit_jvm_flags flags = flags_of_keys(jvm);
    merge_flags(&flags, arena, jvm->options);
    for (size_t i = 0; i < container->n_environment; i++) {
        if (holds_flags(container->environment[i].name)) {
            is_jvm = true;
            merge_flags(&flags, arena, container->environment[i].value);
        }
    }
    if (!is_jvm) {
        return false;
    }
    taskfit_jvm_memory memory = {.hard_mib = container->memory_mib >= 0 ? container->memory_mib : service->task_memory_mib,
                                 .soft_mib = container->memory_reservation_mib,
                                 .xmx_mib = flags.xmx_mib,
                                 .xms_mib = flags.xms_mib,
                                 .metaspace_mib = flags.metaspace_mib,
                                 .max_metaspace_mib = flags.max_metaspace_mib,
                                 .max_ram_percentage = flags.max_ram_percentage,
                                 .threads = jvm->threads >= 0 ? jvm->threads : TASKFIT_JVM_THREADS};
    set_heap(&memory);
    set_metaspace(&memory, jvm->loaded_classes);
    set_given(&memory, TASKFIT_JVM_CODE_CACHE_REGION, flags.code_cache_mib, TASKFIT_JVM_CODE_CACHE_MIB);
    set_given(&memory, TASKFIT_JVM_DIRECT, flags.direct_memory_mib, TASKFIT_JVM_DIRECT_MIB);
    const int64_t stack_bytes = product(flags.xss_kib >= 0 ? flags.xss_kib : TASKFIT_JVM_STACK_KIB, BYTES_PER_KIB);
    set_region(&memory, TASKFIT_JVM_STACKS, product(memory.threads, stack_bytes),
               jvm->threads >= 0 || flags.xss_kib >= 0 ? TASKFIT_JVM_ESTIMATED : TASKFIT_JVM_DEFAULT);
    *memory_out = memory;
    return true;
}

/* ---- limits ---- */

int64_t taskfit_jvm_mib(int64_t bytes) {
    assert(bytes >= 0);
    return bytes / BYTES_PER_MIB + (bytes % BYTES_PER_MIB != 0);
}

int64_t taskfit_jvm_beside_heap_bytes(const taskfit_jvm_memory *memory) {
    int64_t bytes = 0;
    for (size_t region = TASKFIT_JVM_HEAP + 1; region < TASKFIT_JVM_REGIONS; region++) {
        bytes += memory->bytes[region];
    }
    return bytes;
}

int64_t taskfit_jvm_heap_bytes(const taskfit_jvm_memory *memory, int64_t limit_bytes, int64_t headroom_percent) {
    assert(limit_bytes >= 0 && limit_bytes <= BYTES_MAX && headroom_percent >= 0 && headroom_percent <= 100);
    return limit_bytes - taskfit_jvm_beside_heap_bytes(memory) - share_bytes(limit_bytes, headroom_percent * 1000000);
}

int64_t taskfit_jvm_hard_need_mib(const taskfit_jvm_memory *memory) {
    if (memory->origins[TASKFIT_JVM_HEAP] == TASKFIT_JVM_UNKNOWN) {
        return -1;
    }
    return taskfit_jvm_mib(memory->bytes[TASKFIT_JVM_HEAP] + taskfit_jvm_beside_heap_bytes(memory));
}

int64_t taskfit_jvm_soft_need_mib(const taskfit_jvm_memory *memory) {
    if (memory->origins[TASKFIT_JVM_HEAP] == TASKFIT_JVM_UNKNOWN) {
        return -1;
    }
    const int64_t need_mib = taskfit_jvm_mib(memory->bytes[TASKFIT_JVM_HEAP] + memory->bytes[TASKFIT_JVM_METASPACE_REGION]);
    return need_mib > memory->xms_mib ? need_mib : memory->xms_mib;
}

/* ---- words ---- */

const char *taskfit_jvm_region_name(taskfit_jvm_region region) {
    static const char *const names[TASKFIT_JVM_REGIONS] = {"heap", "metaspace", "codeCache", "stacks", "directMemory"};
    assert(region < TASKFIT_JVM_REGIONS);
    return names[region];
}

const char *taskfit_jvm_region_words(taskfit_jvm_region region) {
    static const char *const words[TASKFIT_JVM_REGIONS] = {"heap", "metaspace", "code cache", "thread stacks", "direct memory"};
    assert(region < TASKFIT_JVM_REGIONS);
    return words[region];
}

const char *taskfit_jvm_origin_name(taskfit_jvm_origin origin) {
    static const char *const names[] = {"given", "estimated", "default", "unknown"};
    return names[origin];
}
