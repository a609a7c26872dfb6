#ifndef TASKFIT_DEPLOYMENT_EDIT_NUMBER_H
#define TASKFIT_DEPLOYMENT_EDIT_NUMBER_H

/* Computing with the numbers of a file: what add and scale do, in the unit of the key. */

#include "deployment/edit.h"

/* The built-in value of a key that the tree may leave out, or NULL. */
const taskfit_node *taskfit_number_default(taskfit_arena *arena, const char *key);
/* The old value after `edit` (add or scale), as a plain number in MiB, CPU units, dollars or as a count, by key. */
taskfit_status taskfit_number_compute(taskfit_arena *arena, const char *key, const taskfit_node *old, const taskfit_edit *edit,
                                      taskfit_node **value_out, taskfit_error *err) TASKFIT_MUST_USE;

#endif
