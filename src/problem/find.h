#ifndef TASKFIT_PROBLEM_FIND_H
#define TASKFIT_PROBLEM_FIND_H

/* Names that people give on the command line: E_ARGUMENT with the nearest name when there is none such. */

#include "deployment/deployment.h"

taskfit_status taskfit_service_find(const taskfit_deployment *deployment, const char *name, size_t *service_out,
                                    taskfit_error *err) TASKFIT_MUST_USE;
taskfit_status taskfit_group_find(const taskfit_deployment *deployment, const char *name, size_t *group_out,
                                  taskfit_error *err) TASKFIT_MUST_USE;
/* Any list; `what` is "service". */
taskfit_status taskfit_name_find(const char *what, const char *name, const char *const *names, size_t n_names, size_t *index_out,
                                 taskfit_error *err) TASKFIT_MUST_USE;

#endif
