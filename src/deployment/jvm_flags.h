#ifndef TASKFIT_DEPLOYMENT_JVM_FLAGS_H
#define TASKFIT_DEPLOYMENT_JVM_FLAGS_H

/*
 * JVM flags as text, "-Xmx768m -XX:+UseG1GC": the one place that reads them, for import, check and render.
 *
 * A text is a row of tokens with blanks, line ends or a backslash at a line end between them. Quotes, single or double, keep blanks
 * inside a token and do not hide the flag they stand around. Of a flag given twice the JVM obeys the last. Sizes are bytes, or end
 * in k, m, g or t of either case; they are rounded up to MiB.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/strbuf.h"

typedef enum taskfit_jvm_flag {
    TASKFIT_JVM_XMX, /* also MaxHeapSize */
    TASKFIT_JVM_XMS, /* also InitialHeapSize */
    TASKFIT_JVM_METASPACE,
    TASKFIT_JVM_MAX_METASPACE,
    TASKFIT_JVM_CODE_CACHE,
    TASKFIT_JVM_DIRECT_MEMORY,
    TASKFIT_JVM_MAX_RAM_PERCENTAGE,
    TASKFIT_JVM_KEYS, /* the flags above are what the keys of `jvm` stand for; those below have no key */
    TASKFIT_JVM_XSS = TASKFIT_JVM_KEYS,
    TASKFIT_JVM_INITIAL_RAM_PERCENTAGE,
    TASKFIT_JVM_FLAGS
} taskfit_jvm_flag;

typedef struct taskfit_jvm_flags { /* of absent flags: -1, NULL */
    int64_t xmx_mib, xms_mib, metaspace_mib, max_metaspace_mib, code_cache_mib, direct_memory_mib;
    const char *max_ram_percentage; /* decimals as given: "85.0" */
    int64_t xss_kib;
    const char *initial_ram_percentage;
    bool is_rounded;     /* a size of a key was no whole number of MiB */
    const char *options; /* every token that no key of `jvm` stands for, as written, in order; NULL: none */
} taskfit_jvm_flags;

/* Strings live in the arena. A flag whose value is none is not understood: it stays in the options. text may be NULL. */
taskfit_jvm_flags taskfit_jvm_flags_parse(taskfit_arena *arena, const char *text);

/* "-Xmx", "-XX:MetaspaceSize=": how a flag is written before its value. */
const char *taskfit_jvm_flag_prefix(taskfit_jvm_flag flag);
/* Appends the tokens of `text` (NULL: none) that are none of the flags with set[flag], whatever their values. What is kept keeps
 * its spelling and the blanks before it; behind something that is there already comes one blank. */
void taskfit_jvm_flags_rest(const char *text, const bool set[TASKFIT_JVM_FLAGS], taskfit_strbuf *out);

/* Appends `text` with the value of each flag that has values[flag] ("768m", "85.0") put in place of another one; one that means
 * the same stays as it is spelt, and so does everything else. found[flag] becomes true for each of them that stands in the text. */
void taskfit_jvm_flags_replace(const char *text, const char *const values[TASKFIT_JVM_FLAGS], bool found[TASKFIT_JVM_FLAGS],
                               taskfit_strbuf *out);
/* Appends those tokens of `text` (NULL: none) that `out` does not hold yet. */
void taskfit_jvm_flags_add_missing(const char *text, taskfit_strbuf *out);

#endif
