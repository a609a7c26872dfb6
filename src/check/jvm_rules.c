/* JVM flags against each other and against the container's limits. A finding that follows from another is not repeated: a heap at or
 * above the hard limit exceeds everything smaller; an initial heap above the soft limit, too. */

#include <inttypes.h>

#include "check/findings.h"
#include "check/jvm.h"

typedef struct jvm_check {
    taskfit_findings *findings;
    const taskfit_service *service;
    const taskfit_container *container;
    const taskfit_jvm_memory *memory;
} jvm_check;

static void find(const jvm_check *check, const char *code, const char *message, const char *fix) {
    taskfit_findings_add(check->findings, code, check->service, check->container, message, fix);
}

#define TEXT(check, ...) taskfit_arena_printf((check)->findings->arena, __VA_ARGS__)

static int64_t mib_of(const taskfit_jvm_memory *memory, taskfit_jvm_region region) {
    return taskfit_jvm_mib(memory->bytes[region]);
}

/* "code cache 240 (default), thread stacks 250 (default), ...": from this region on. */
static const char *regions_text(const jvm_check *check, taskfit_jvm_region first) {
    const char *text = "";
    for (taskfit_jvm_region region = first; region < TASKFIT_JVM_REGIONS; region++) {
        text = TEXT(check, "%s%s%s %" PRId64 " (%s)", text, *text ? ", " : "", taskfit_jvm_region_words(region),
                    mib_of(check->memory, region), taskfit_jvm_origin_name(check->memory->origins[region]));
    }
    return text;
}

static int64_t heap_that_fits_mib(const taskfit_jvm_memory *memory) {
    const int64_t bytes = taskfit_jvm_heap_bytes(memory, memory->hard_mib << 20, 0);
    return bytes > 0 ? bytes >> 20 : 0;
}

/* -Xmx and metaspace leave too little for the rest. */
static void find_sum(const jvm_check *check) {
    const taskfit_jvm_memory *memory = check->memory;
    const int64_t taken_mib = taskfit_jvm_mib(memory->bytes[TASKFIT_JVM_HEAP] + memory->bytes[TASKFIT_JVM_METASPACE_REGION]);
    const int64_t left_mib = memory->hard_mib - taken_mib;
    const int64_t need_mib = taskfit_jvm_hard_need_mib(memory);
    const int64_t fits_mib = heap_that_fits_mib(memory);
    find(check, "JVM002",
         TEXT(check,
              "a heap of %" PRId64 " and metaspace of %" PRId64 " MiB (%s) %s %" PRId64 " MiB, %" PRId64 " are needed: %s",
              memory->xmx_mib, mib_of(memory, TASKFIT_JVM_METASPACE_REGION),
              taskfit_jvm_origin_name(memory->origins[TASKFIT_JVM_METASPACE_REGION]),
              left_mib >= 0 ? TEXT(check, "leave %" PRId64 " of the hard limit of", left_mib) : "exceed the hard limit of",
              memory->hard_mib, need_mib - taken_mib, regions_text(check, TASKFIT_JVM_CODE_CACHE_REGION)),
         fits_mib > 0 ? TEXT(check, "raise memory to %" PRId64 " or lower xmx to %" PRId64 "m", need_mib, fits_mib)
                      : TEXT(check, "raise memory to %" PRId64, need_mib));
}

/* MaxRAMPercentage leaves too little for the rest. */
static void find_share(const jvm_check *check) {
    const taskfit_jvm_memory *memory = check->memory;
    const int64_t left_mib = memory->hard_mib - (memory->bytes[TASKFIT_JVM_HEAP] >> 20);
    const int64_t need_mib = taskfit_jvm_mib(taskfit_jvm_beside_heap_bytes(memory));
    const int64_t fits_mib = heap_that_fits_mib(memory);
    find(check, "JVM006",
         TEXT(check,
              "MaxRAMPercentage %s leaves %" PRId64 " of the hard limit of %" PRId64 " MiB beside the heap, %" PRId64 " are needed: %s",
              memory->max_ram_percentage, left_mib, memory->hard_mib, need_mib,
              regions_text(check, TASKFIT_JVM_METASPACE_REGION)),
         fits_mib > 0 ? TEXT(check, "lower maxRamPercentage to %" PRId64 " or raise memory", fits_mib * 100 / memory->hard_mib)
                      : TEXT(check, "raise memory above %" PRId64, need_mib));
}

/* Heap and everything beside it against the hard limit. */
static void check_sum(const jvm_check *check) {
    if (taskfit_jvm_hard_need_mib(check->memory) > check->memory->hard_mib) {
        if (check->memory->xmx_mib >= 0) {
            find_sum(check);
        } else {
            find_share(check);
        }
    }
}

/* Heap and metaspace, as far as it is known, against the soft limit. What the class metadata of a running service takes is the mark of
 * its first collection rather than its maximum. */
static void check_soft(const jvm_check *check) {
    const taskfit_jvm_memory *memory = check->memory;
    const bool is_known = memory->origins[TASKFIT_JVM_METASPACE_REGION] != TASKFIT_JVM_DEFAULT;
    const int64_t metaspace_mib = !is_known                   ? 0
                                  : memory->metaspace_mib >= 0 ? memory->metaspace_mib
                                                               : mib_of(memory, TASKFIT_JVM_METASPACE_REGION);
    const int64_t heap_mib = mib_of(memory, TASKFIT_JVM_HEAP);
    if (heap_mib + metaspace_mib <= memory->soft_mib) {
        return;
    }
    find(check, "JVM003",
         is_known ? TEXT(check, "a heap of %" PRId64 " and metaspace of %" PRId64 " MiB exceed the soft limit of %" PRId64 " MiB",
                         heap_mib, metaspace_mib, memory->soft_mib)
                  : TEXT(check, "a heap of %" PRId64 " MiB exceeds the soft limit of %" PRId64 " MiB", heap_mib, memory->soft_mib),
         TEXT(check, "raise memoryReservation to %" PRId64, heap_mib + metaspace_mib));
}

/* Flags against each other. */
static void check_flags(const jvm_check *check) {
    const taskfit_jvm_memory *memory = check->memory;
    if (memory->xmx_mib >= 0 && memory->max_ram_percentage) {
        find(check, "JVM005",
             TEXT(check, "MaxRAMPercentage %s is ignored beside -Xmx%" PRId64 "m", memory->max_ram_percentage, memory->xmx_mib), NULL);
    }
    if (memory->max_metaspace_mib >= 0 && memory->metaspace_mib > memory->max_metaspace_mib) {
        find(check, "JVM007",
             TEXT(check, "MetaspaceSize of %" PRId64 " MiB is above MaxMetaspaceSize of %" PRId64 " MiB", memory->metaspace_mib,
                  memory->max_metaspace_mib),
             NULL);
    }
    if (memory->origins[TASKFIT_JVM_HEAP] != TASKFIT_JVM_DEFAULT && memory->origins[TASKFIT_JVM_HEAP] != TASKFIT_JVM_UNKNOWN &&
        memory->xms_mib > mib_of(memory, TASKFIT_JVM_HEAP)) {
        find(check, "JVM009",
             TEXT(check, "the initial heap of %" PRId64 " MiB is above the largest of %" PRId64 " MiB", memory->xms_mib,
                  mib_of(memory, TASKFIT_JVM_HEAP)),
             NULL);
    }
}

void taskfit_check_jvm(taskfit_findings *findings, const taskfit_service *service, const taskfit_container *container) {
    taskfit_jvm_memory memory;
    if (!taskfit_jvm_memory_of(service, container, findings->arena, &memory)) {
        return;
    }
    const jvm_check check = {findings, service, container, &memory};
    const bool too_large = memory.xmx_mib >= 0 && memory.hard_mib >= 0 && memory.xmx_mib >= memory.hard_mib;
    const bool starts_too_large = memory.soft_mib >= 0 && memory.xms_mib > memory.soft_mib;
    if (memory.xmx_mib < 0 && !memory.max_ram_percentage) {
        find(&check, "JVM008",
             memory.hard_mib >= 0
                 ? TEXT(&check, "nothing sets the heap: the JVM takes a quarter of the limit of %" PRId64 " MiB, %" PRId64 " MiB",
                        memory.hard_mib, memory.hard_mib / 4)
                 : "nothing sets the heap, and no hard limit bounds it: the JVM takes a quarter of the instance's memory",
             NULL);
    }
    check_flags(&check);
    if (too_large) {
        find(&check, "JVM001",
             TEXT(&check, "a heap of %" PRId64 " MiB (-Xmx) %s the hard limit of %" PRId64 " MiB", memory.xmx_mib,
                  memory.xmx_mib == memory.hard_mib ? "equals" : "is above", memory.hard_mib),
             TEXT(&check, "raise memory to %" PRId64 " or lower xmx%s", taskfit_jvm_hard_need_mib(&memory),
                  heap_that_fits_mib(&memory) > 0 ? TEXT(&check, " to %" PRId64 "m", heap_that_fits_mib(&memory)) : ""));
    }
    if (starts_too_large) {
        find(&check, "JVM004",
             TEXT(&check, "an initial heap of %" PRId64 " MiB (-Xms) exceeds the soft limit of %" PRId64 " MiB", memory.xms_mib,
                  memory.soft_mib),
             NULL);
    }
    const bool is_set = memory.xmx_mib >= 0 || (memory.max_ram_percentage && memory.hard_mib >= 0);
    if (is_set && !too_large && memory.hard_mib >= 0) {
        check_sum(&check);
    }
    if (is_set && !too_large && !starts_too_large && memory.soft_mib >= 0) {
        check_soft(&check);
    }
}
