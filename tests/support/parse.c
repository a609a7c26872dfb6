#include "unit.h"

#include "base/strbuf.h"
#include "parse.h"
#include "problem/plan.h"

taskfit_deployment *parse_deployment(const char *format, ...) {
    TASKFIT_STRBUF(text);
    va_list args;
    va_start(args, format);
    taskfit_strbuf_vprintf(&text, format, args);
    va_end(args);
    taskfit_parse_options options;
    taskfit_parse_options_init(&options);
    taskfit_error err = {0};
    taskfit_deployment *deployment = NULL;
    if (taskfit_deployment_parse("test.yaml", text.data, text.len, &options, &deployment, &err) != TASKFIT_OK) {
        fail_msg("%s: %s\n%s", err.where, err.message, text.data);
    }
    return deployment;
}

static taskfit_plan *size_by(const taskfit_deployment *deployment, bool ladder) {
    taskfit_settings settings;
    taskfit_settings_init(&settings);
    settings.time_limit_ms = 0;
    settings.ladder = ladder;
    taskfit_error err = {0};
    taskfit_plan *plan = NULL;
    if (taskfit_size(deployment, &settings, &plan, &err) != TASKFIT_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
    return plan;
}

taskfit_plan *size_deployment(const taskfit_deployment *deployment) {
    return size_by(deployment, false);
}

taskfit_plan *size_with_ladder(const taskfit_deployment *deployment) {
    return size_by(deployment, true);
}

bool plan_warns(const taskfit_plan *plan, const char *code) {
    for (size_t i = 0; i < plan->n_warnings; i++) {
        if (strcmp(plan->warnings[i].code, code) == 0) {
            return true;
        }
    }
    return false;
}
