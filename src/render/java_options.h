#ifndef TASKFIT_RENDER_JAVA_OPTIONS_H
#define TASKFIT_RENDER_JAVA_OPTIONS_H

/*
 * JAVA_OPTIONS, the variable in which FOLIO's images take JVM flags, composed from a container's `jvm` keys.
 */

#include "base/strbuf.h"
#include "deployment/deployment.h"
#include "deployment/jvm_flags.h"

/*
 * Appends the flags of the jvm keys, then `given` (the JAVA_OPTIONS of the container's environment, NULL when it
 * has none), then jvm.options. Flags in the two texts that a jvm key sets already are dropped: the key wins.
 * Nothing else of them is touched. Appends nothing when there is nothing to say.
 */
void taskfit_java_options_compose(const taskfit_jvm *jvm, const char *given, taskfit_strbuf *out);

/* What the keys of jvm state, as values of flags ("768m", "85.0"; NULL: not stated), in the arena. */
void taskfit_java_options_values(const taskfit_jvm *jvm, taskfit_arena *arena, const char *values[TASKFIT_JVM_FLAGS]);
/* Appends the stated flags that are not set yet. */
void taskfit_java_options_add(const char *const values[TASKFIT_JVM_FLAGS], const bool set[TASKFIT_JVM_FLAGS],
                              taskfit_strbuf *out);

#endif
