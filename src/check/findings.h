#ifndef TASKFIT_CHECK_FINDINGS_H
#define TASKFIT_CHECK_FINDINGS_H

/* What the rules find, and the rules themselves, for the files of this folder and for reports. */

#include "check/rules.h"
#include "deployment/deployment.h"

typedef struct taskfit_finding {
    const taskfit_rule *rule;
    const char *service, *container; /* NULL: the whole deployment, the whole task */
    const char *message;             /* lower case, no full stop, with its figures */
    const char *fix;
    const char *reason; /* why `ignore` silences it; NULL: it does not */
} taskfit_finding;

struct taskfit_findings {
    taskfit_arena *arena;
    taskfit_finding *items; /* in the order found: file order */
    size_t n, capacity;
};

/* service and container may be NULL; fix NULL: that of the rule. Texts live as long as the findings. */
void taskfit_findings_add(taskfit_findings *findings, const char *code, const taskfit_service *service,
                          const taskfit_container *container, const char *message, const char *fix);

/* Those that stand and are no notes, as a plan has them. They live in the arena. */
const taskfit_warning *taskfit_findings_warnings(const taskfit_findings *findings, taskfit_arena *arena, size_t *n_out);

/* ---- the rules ---- */

void taskfit_check_task(taskfit_findings *findings, const taskfit_deployment *deployment, const taskfit_service *service);
void taskfit_check_jvm(taskfit_findings *findings, const taskfit_service *service, const taskfit_container *container);
void taskfit_check_fleet(taskfit_findings *findings, const taskfit_deployment *deployment);

#endif
