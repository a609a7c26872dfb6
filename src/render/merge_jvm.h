#ifndef TASKFIT_RENDER_MERGE_JVM_H
#define TASKFIT_RENDER_MERGE_JVM_H

/*
 * JVM flags of a container definition that exists, which may stand in a variable of the environment, in the command or
 * entry point, or in several of them.
 */

#include "base/arena.h"
#include "deployment/deployment.h"
#include "input/node.h"

/* Sets the flags that the keys of jvm state wherever they stand; one that stands nowhere is added to the variable that
 * holds JVM flags already, or to JAVA_OPTIONS, and so is what jvm.options adds. False, with nothing added, when that
 * variable comes from secrets. */
bool taskfit_merge_jvm(taskfit_node *container, const taskfit_jvm *jvm, taskfit_arena *arena);

#endif
