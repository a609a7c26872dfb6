#ifndef TASKFIT_RENDER_TASK_SIZE_H
#define TASKFIT_RENDER_TASK_SIZE_H

/* cpu and memory of a task, which Amazon ECS takes as strings: "1024", "1 vCPU", "2048", "2GB". */

#include "input/node.h"

enum { TASKFIT_TASK_SIZE_ABSENT = -1, TASKFIT_TASK_SIZE_BAD = -2 };

int64_t taskfit_task_cpu_units(const taskfit_node *task_definition);  /* or ABSENT, BAD */
int64_t taskfit_task_memory_mib(const taskfit_node *task_definition); /* or ABSENT, BAD */

#endif
