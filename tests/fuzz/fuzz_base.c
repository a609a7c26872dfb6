/* A task definition that exists, merged into a small deployment: a second merge of what came out changes nothing. */
#include <string.h>

#include "fuzz.h"
#include "taskfit/render.h"

static const char text[] = "taskfit: 1\n"
                           "cluster: {instanceGroups: [{name: main, types: [m5.large]}]}\n"
                           "services:\n"
                           "  - {name: a, cpu: 10, memory: 64, memoryReservation: 32, jvm: {xmx: 20m, options: -server},\n"
                           "     environment: [{name: A, value: b}], portMappings: [{containerPort: 1}], sidecar: {name: s, image: x, memory: 6}}\n";

static void count(void *arg, const char *told) {
    size_t *n_told = arg;
    fuzz_require(strlen(told) > 0, "what is told has a text");
    (*n_told)++;
}

static void keep(void *arg, const taskfit_rendered *file) {
    if (file->kind == TASKFIT_RENDERED_TASK_DEFINITION) {
        taskfit_strbuf_add(arg, file->data, file->len);
    }
}

static bool render(const taskfit_deployment *deployment, const char *data, size_t len, taskfit_strbuf *out) {
    size_t n_defects = 0, n_notes = 0;
    taskfit_error err = {.status = TASKFIT_OK};
    const taskfit_render_base base = {"b", data, len, false};
    taskfit_render_options options;
    taskfit_render_options_init(&options);
    options.bases = &base;
    options.n_bases = 1;
    options.note = count;
    options.note_arg = &n_notes;
    options.defect = count;
    options.defect_arg = &n_defects;
    const bool done = taskfit_render(deployment, &options, keep, out, &err) == TASKFIT_OK;
    fuzz_require(done == (n_defects == 0) && done == (err.status == TASKFIT_OK), "a refusal tells its defects");
    fuzz_require(done || out->len == 0, "nothing is handed out on failure");
    return done;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    TASKFIT_STRBUF(once);
    TASKFIT_STRBUF(twice);
    taskfit_deployment *deployment = NULL;
    taskfit_parse_options options;
    taskfit_parse_options_init(&options);
    fuzz_require(taskfit_deployment_parse("f.yaml", text, sizeof text - 1, &options, &deployment, NULL) == TASKFIT_OK,
                 "the deployment is read");
    if (render(deployment, (const char *)data, size, &once)) {
        fuzz_require(render(deployment, once.data, once.len, &twice), "what was rendered is a base");
        fuzz_require(strcmp(once.data, twice.data) == 0, "a second merge changes nothing");
    }
    taskfit_deployment_free(deployment);
    return 0;
}
