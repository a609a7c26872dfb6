#ifndef TASKFIT_RENDER_JAVA_OPTIONS_H
#define TASKFIT_RENDER_JAVA_OPTIONS_H

/*
 * JAVA_OPTIONS, the variable in which FOLIO's images take JVM flags, composed from a container's `jvm` keys.
 */

#include "base/strbuf.h"
#include "deployment/deployment.h"

/*
 * Appends the flags of the jvm keys, then `given` (the JAVA_OPTIONS of the container's environment, NULL when it
 * has none), then jvm.options. Flags in the two texts that a jvm key sets already are dropped: the key wins.
 * Nothing else of them is touched. Appends nothing when there is nothing to say.
 */
void taskfit_java_options_compose(const taskfit_jvm *jvm, const char *given, taskfit_strbuf *out);

#endif
