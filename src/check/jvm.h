#ifndef TASKFIT_CHECK_JVM_H
#define TASKFIT_CHECK_JVM_H

/*
 * What a JVM takes of its container's memory, in both directions: from flags to the regions and the smallest safe limits, from a
 * limit to the largest heap. The arithmetic is that of the memory calculator of Cloud Foundry and Paketo (paketo-buildpacks/libjvm):
 *
 *     heap = limit - (direct memory + metaspace + code cache + threads x stack) - headroom
 *     metaspace = 14,000,000 + 5,800 x loaded classes bytes
 */

#include "deployment/deployment.h"

/* The defaults of that calculator; loaded classes: of the Spring Boot application of its worked example. Stack: HotSpot, 64 bit. */
enum {
    TASKFIT_JVM_DIRECT_MIB = 10,
    TASKFIT_JVM_CODE_CACHE_MIB = 240,
    TASKFIT_JVM_THREADS = 250,
    TASKFIT_JVM_STACK_KIB = 1024,
    TASKFIT_JVM_LOADED_CLASSES = 19692,
    TASKFIT_JVM_DEFAULT_HEAP_PERCENT = 25 /* of the limit: HotSpot's MaxRAMPercentage */
};

typedef enum taskfit_jvm_origin {
    TASKFIT_JVM_GIVEN,     /* a flag or key states it */
    TASKFIT_JVM_ESTIMATED, /* computed from something given: loaded classes, threads, a percentage of the limit */
    TASKFIT_JVM_DEFAULT,   /* nothing says anything of it */
    TASKFIT_JVM_UNKNOWN    /* the heap of a container without any limit */
} taskfit_jvm_origin;

typedef enum taskfit_jvm_region {
    TASKFIT_JVM_HEAP,
    TASKFIT_JVM_METASPACE_REGION,
    TASKFIT_JVM_CODE_CACHE_REGION,
    TASKFIT_JVM_STACKS,
    TASKFIT_JVM_DIRECT,
    TASKFIT_JVM_REGIONS
} taskfit_jvm_region;

typedef struct taskfit_jvm_memory {
    int64_t bytes[TASKFIT_JVM_REGIONS]; /* at most; 0 where the origin is unknown */
    taskfit_jvm_origin origins[TASKFIT_JVM_REGIONS];
    int64_t hard_mib; /* the container's limit, else the task's; -1 none */
    int64_t soft_mib; /* memoryReservation; -1 none */
    int64_t xmx_mib, xms_mib, metaspace_mib, max_metaspace_mib; /* as given by keys, options or environment; -1 none */
    const char *max_ram_percentage;                             /* the same; NULL none */
    int64_t threads;
} taskfit_jvm_memory;

/* False when nothing says that a JVM runs there: neither `jvm` nor a variable that a JVM or its image reads flags from
 * (JAVA_OPTIONS, JAVA_OPTS, JAVA_TOOL_OPTIONS, JDK_JAVA_OPTIONS). A key of `jvm` wins over its options, these over variables. */
bool taskfit_jvm_memory_of(const taskfit_service *service, const taskfit_container *container, taskfit_arena *arena,
                           taskfit_jvm_memory *memory_out);

const char *taskfit_jvm_region_name(taskfit_jvm_region region); /* "heap", "metaspace", "codeCache", "stacks", "directMemory" */
const char *taskfit_jvm_region_words(taskfit_jvm_region region); /* the same for people: "code cache" */
const char *taskfit_jvm_origin_name(taskfit_jvm_origin origin); /* "given", ... */

int64_t taskfit_jvm_metaspace_bytes(int64_t loaded_classes);
/* Everything but the heap. */
int64_t taskfit_jvm_beside_heap_bytes(const taskfit_jvm_memory *memory);
/* The largest heap in a limit of so many bytes when headroom_percent of it stay free; negative: the rest alone exceeds it. */
int64_t taskfit_jvm_heap_bytes(const taskfit_jvm_memory *memory, int64_t limit_bytes, int64_t headroom_percent);
/* The smallest safe limits: hard, all regions; soft, heap and metaspace, and Xms. -1 where the heap is unknown. */
int64_t taskfit_jvm_hard_need_mib(const taskfit_jvm_memory *memory);
int64_t taskfit_jvm_soft_need_mib(const taskfit_jvm_memory *memory);
/* MiB, rounded up. */
int64_t taskfit_jvm_mib(int64_t bytes);

#endif
