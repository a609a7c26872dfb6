#ifndef TASKFIT_CHECK_RULES_H
#define TASKFIT_CHECK_RULES_H

/*
 * Every rule by its code: the one table that findings, `check --rules` and README speak of. Codes of plans and of the reader of
 * deployments stand in it too, since their warnings are findings.
 */

#include <stddef.h>

#include "taskfit/check.h"

typedef struct taskfit_rule {
    const char *code;
    taskfit_severity severity;
    const char *what; /* lower case, no full stop: what is found */
    const char *why;  /* why it matters, and who says so */
    const char *fix;  /* what to do; findings say it with their own figures */
} taskfit_rule;

const taskfit_rule *taskfit_rules(size_t *n_out); /* ordered by code's family, then number */
const taskfit_rule *taskfit_rule_find(const char *code); /* or NULL */
const char *taskfit_severity_name(taskfit_severity severity); /* "error", "warning", "note" */

#endif
