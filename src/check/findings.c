#include "check/findings.h"

#include <assert.h>
#include <string.h>

#include "base/strbuf.h"

taskfit_findings *taskfit_findings_new(void) {
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_findings *findings = TASKFIT_NEW(arena, taskfit_findings);
    findings->arena = arena;
    return findings;
}

void taskfit_findings_free(taskfit_findings *findings) {
    if (findings) {
        taskfit_arena_free(findings->arena);
    }
}

static const char *reason_of(const taskfit_service *service, const char *code) {
    for (size_t i = 0; service && i < service->n_ignore; i++) {
        if (strcmp(service->ignore[i].rule, code) == 0) {
            return service->ignore[i].reason;
        }
    }
    return NULL;
}

static void append(taskfit_findings *findings, const taskfit_finding *finding) {
    TASKFIT_GROW(findings->arena, findings->items, findings->n, findings->capacity);
    findings->items[findings->n++] = *finding;
}

void taskfit_findings_add(taskfit_findings *findings, const char *code, const taskfit_service *service,
                          const taskfit_container *container, const char *message, const char *fix) {
    const taskfit_rule *rule = taskfit_rule_find(code);
    assert(rule); /* codes are ours */
    append(findings, &(taskfit_finding){.rule = rule,
                                        .service = service ? service->name : NULL,
                                        .container = container ? container->name : NULL,
                                        .message = message,
                                        .fix = fix ? fix : rule->fix,
                                        .reason = reason_of(service, code)});
}

/* ---- what others found ---- */

/* "what is wrong (what to do)" in two. */
static void split_remedy(taskfit_arena *arena, const char *text, const char **message_out, const char **fix_out) {
    const size_t len = strlen(text);
    *message_out = taskfit_arena_strdup(arena, text);
    int depth = 0;
    for (size_t i = len; i > 0 && text[len - 1] == ')'; i--) {
        depth += text[i - 1] == ')';
        depth -= text[i - 1] == '(';
        if (depth == 0) {
            if (i > 2 && text[i - 2] == ' ') {
                *message_out = taskfit_arena_strndup(arena, text, i - 2);
                *fix_out = taskfit_arena_strndup(arena, text + i, len - i - 1);
            }
            return;
        }
    }
}

void taskfit_findings_add_defect(void *arg, const char *text) {
    taskfit_findings *findings = arg;
    const char *message = NULL;
    const char *fix = NULL;
    split_remedy(findings->arena, text, &message, &fix);
    taskfit_findings_add(findings, "INPUT001", NULL, NULL, message, fix);
}

static bool is_found(const taskfit_findings *findings, const taskfit_warning *warning) {
    for (size_t i = 0; i < findings->n; i++) {
        if (strcmp(findings->items[i].rule->code, warning->code) == 0) {
            return true; /* the deployment's own rules have spoken of it */
        }
    }
    return false;
}

/* A plan of another version may have codes that are unknown here. */
static const taskfit_rule *rule_of(taskfit_findings *findings, const char *code) {
    const taskfit_rule *known = taskfit_rule_find(code);
    if (known) {
        return known;
    }
    taskfit_rule *rule = TASKFIT_NEW(findings->arena, taskfit_rule);
    *rule = (taskfit_rule){.code = taskfit_arena_strdup(findings->arena, code),
                           .severity = TASKFIT_SEVERITY_WARNING, .what = "a warning", .why = "", .fix = ""};
    return rule;
}

static void add_warning(taskfit_findings *findings, const taskfit_warning *warning, const taskfit_service *service) {
    const taskfit_rule *rule = rule_of(findings, warning->code);
    const char *message = NULL;
    const char *fix = rule->fix;
    split_remedy(findings->arena, warning->message, &message, &fix);
    append(findings, &(taskfit_finding){.rule = rule, .service = warning->service, .message = message, .fix = fix,
                                        .reason = reason_of(service, warning->code)});
}

void taskfit_findings_add_warnings(taskfit_findings *findings, const taskfit_warning *warnings, size_t n_warnings) {
    const size_t n_before = findings->n;
    for (size_t i = 0; i < n_warnings; i++) {
        const taskfit_findings before = {.items = findings->items, .n = n_before};
        if (!is_found(&before, &warnings[i])) {
            add_warning(findings, &warnings[i], NULL);
        }
    }
}

/* ---- all rules ---- */

static const taskfit_service *service_named(const taskfit_deployment *deployment, const char *name) {
    for (size_t d = 0; d < deployment->n_daemons; d++) {
        if (strcmp(deployment->daemons[d].name, name) == 0) {
            return &deployment->daemons[d];
        }
    }
    for (size_t s = 0; s < deployment->n_services; s++) {
        if (strcmp(deployment->services[s].name, name) == 0) {
            return &deployment->services[s];
        }
    }
    return NULL;
}

static void check_ignore(taskfit_findings *findings, const taskfit_service *service) {
    for (size_t i = 0; i < service->n_ignore; i++) {
        if (!taskfit_rule_find(service->ignore[i].rule)) {
            taskfit_findings_add(findings, "CHECK001", service, NULL,
                                 taskfit_arena_printf(findings->arena, "there is no rule '%s' to ignore", service->ignore[i].rule),
                                 NULL);
        }
    }
}

static void check_service(taskfit_findings *findings, const taskfit_deployment *deployment, const taskfit_service *service) {
    check_ignore(findings, service);
    taskfit_check_task(findings, deployment, service);
    for (size_t c = 0; c < service->n_containers; c++) {
        taskfit_check_jvm(findings, service, &service->containers[c]);
    }
}

void taskfit_findings_add_deployment(taskfit_findings *findings, const taskfit_deployment *deployment) {
    bool is_silenced = false; /* looking up names takes time that few deployments need */
    for (size_t s = 0; s < deployment->n_services; s++) {
        is_silenced = is_silenced || deployment->services[s].n_ignore > 0;
    }
    for (size_t d = 0; d < deployment->n_daemons; d++) {
        is_silenced = is_silenced || deployment->daemons[d].n_ignore > 0;
    }
    for (size_t i = 0; i < deployment->n_warnings; i++) {
        const taskfit_warning *warning = &deployment->warnings[i];
        add_warning(findings, warning,
                    is_silenced && warning->service ? service_named(deployment, warning->service) : NULL);
    }
    taskfit_check_fleet(findings, deployment);
    for (size_t d = 0; d < deployment->n_daemons; d++) {
        check_service(findings, deployment, &deployment->daemons[d]);
    }
    for (size_t s = 0; s < deployment->n_services; s++) {
        check_service(findings, deployment, &deployment->services[s]);
    }
}

size_t taskfit_findings_count(const taskfit_findings *findings, taskfit_severity severity) {
    size_t n = 0;
    for (size_t i = 0; i < findings->n; i++) {
        n += findings->items[i].rule->severity == severity && !findings->items[i].reason;
    }
    return n;
}

const taskfit_warning *taskfit_findings_warnings(const taskfit_findings *findings, taskfit_arena *arena, size_t *n_out) {
    taskfit_warning *warnings = TASKFIT_ARRAY(arena, findings->n, taskfit_warning);
    size_t n = 0;
    for (size_t i = 0; i < findings->n; i++) {
        const taskfit_finding *finding = &findings->items[i];
        if (finding->reason || finding->rule->severity == TASKFIT_SEVERITY_NOTE) {
            continue;
        }
        const bool is_main = !finding->container || (finding->service && strcmp(finding->container, finding->service) == 0);
        warnings[n++] = (taskfit_warning){
            .code = taskfit_arena_strdup(arena, finding->rule->code),
            .service = finding->service,
            .message = taskfit_arena_printf(arena, "%s%s%s (%s)", is_main ? "" : finding->container, is_main ? "" : ": ",
                                            finding->message, finding->fix)};
    }
    *n_out = n;
    return warnings;
}
