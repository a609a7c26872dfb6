#include "fuzz_import.h"
#include "taskfit/taskfit.h"

/* A placement that could be made a plan is one that can be read again. */
static void fuzz_plan(const uint8_t *data, size_t size) {
    const taskfit_import_file file = {"f", (const char *)data, size};
    taskfit_import_options options;
    taskfit_import_options_init(&options);
    TASKFIT_STRBUF(plan);
    TASKFIT_STRBUF(deployment);
    options.kind = "ecs-cluster";
    options.plan = fuzz_import_append;
    options.plan_sink = &plan;
    taskfit_error err = {.status = TASKFIT_OK};
    if (taskfit_import(&file, 1, &options, fuzz_import_append, &deployment, &err) != TASKFIT_OK) {
        return;
    }
    taskfit_plan *read = NULL;
    fuzz_require(taskfit_plan_read("plan", plan.data, plan.len, NULL, &read, &err) == TASKFIT_OK, "the plan can be read");
    taskfit_plan_free(read);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_plan(data, size);
    return fuzz_import("ecs-cluster", data, size);
}
