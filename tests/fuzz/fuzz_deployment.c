#include <string.h>

#include "deployment/deployment.h"
#include "fuzz.h"

static void count(void *arg, const char *text) {
    size_t *n_told = arg;
    fuzz_require(strlen(text) > 0, "a defect has a text");
    (*n_told)++;
}

static taskfit_deployment *parse(const char *data, size_t len) {
    taskfit_deployment *deployment = NULL;
    taskfit_error err = {.status = TASKFIT_OK};
    size_t n_told = 0;
    taskfit_parse_options options;
    taskfit_parse_options_init(&options);
    options.diag = count;
    options.diag_arg = &n_told;
    const taskfit_status status = taskfit_deployment_parse("f.yaml", data, len, &options, &deployment, &err);
    fuzz_require((status == TASKFIT_OK) == (deployment != NULL), "outputs are untouched on failure");
    fuzz_require(status == err.status && (status == TASKFIT_OK) == (n_told == 0), "a refusal tells its defects");
    return deployment;
}

/* A deployment that is accepted says the same when its resolved tree is written and read again. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    taskfit_deployment *deployment = parse((const char *)data, size);
    if (deployment) {
        TASKFIT_STRBUF(json);
        TASKFIT_STRBUF(json_again);
        taskfit_node_write_json(deployment->resolved, &json);
        taskfit_deployment *again = parse(json.data, json.len);
        fuzz_require(again != NULL, "a resolved tree is a deployment");
        taskfit_node_write_json(again->resolved, &json_again);
        fuzz_require(strcmp(json.data, json_again.data) == 0, "a resolved tree reads the same again");
        taskfit_deployment_free(again);
    }
    taskfit_deployment_free(deployment);
    return 0;
}
