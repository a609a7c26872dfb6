#include <string.h>

#include "fuzz.h"
#include "rightsize/rightsize.h"

static const char deployment_text[] =
    "taskfit: 1\n"
    "cluster: {name: shop, instanceGroups: [{name: main, types: [m6i.xlarge]}]}\n"
    "services:\n"
    "  - {name: mod-users, cpu: 400, memory: 4096, memoryReservation: 3840, jvm: {xmx: 600m}}\n"
    "  - {name: mod-search, memory: 4096, sidecar: {name: proxy, cpu: 100, memory: 512, memoryReservation: 256}}\n"
    "  - {name: mod-light, cpu: 2, memory: 800, memoryReservation: 600, jvm: {maxRamPercentage: 80}}\n";

static taskfit_deployment *parse(const char *const *edits, size_t n_edits) {
    taskfit_parse_options options;
    taskfit_parse_options_init(&options);
    options.set = edits;
    options.n_set = n_edits;
    taskfit_deployment *deployment = NULL;
    return taskfit_deployment_parse("d.yaml", deployment_text, sizeof deployment_text - 1, &options, &deployment, NULL) == TASKFIT_OK
               ? deployment
               : NULL;
}

/* Whatever the metrics say, limits are in order and the deployment with them is valid. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    taskfit_deployment *deployment = parse(NULL, 0);
    fuzz_require(deployment != NULL, "the deployment is valid");
    const taskfit_metrics_file file = {"m", (const char *)data, size};
    taskfit_rightsize_options options;
    taskfit_rightsize_options_init(&options);
    options.min_samples = 1;
    taskfit_rightsizing *rightsizing = NULL;
    taskfit_error err = {.status = TASKFIT_OK};
    if (taskfit_rightsize(deployment, &file, 1, &options, &rightsizing, &err) == TASKFIT_OK) {
        for (size_t i = 0; i < rightsizing->n_proposals; i++) {
            const taskfit_proposal *proposal = &rightsizing->proposals[i];
            const int64_t *proposed = proposal->proposed;
            fuzz_require(proposed[TASKFIT_LIMIT_SOFT] <= proposed[TASKFIT_LIMIT_HARD], "the soft limit is not above the hard one");
            fuzz_require(proposed[TASKFIT_LIMIT_HARD] >= proposal->peak_memory_mib, "the hard limit holds the peak");
            fuzz_require(proposed[TASKFIT_LIMIT_CPU] >= proposal->observed_cpu_units, "CPU units hold what was observed");
        }
        size_t n = 0;
        const char *const *edits = taskfit_rightsizing_edits(rightsizing, &n);
        taskfit_deployment *edited = parse(edits, n);
        fuzz_require(edited != NULL, "the deployment with the proposals is valid");
        taskfit_deployment_free(edited);
    } else {
        fuzz_require(err.where[0] != '\0', "an error says where");
    }
    taskfit_rightsizing_free(rightsizing);
    taskfit_deployment_free(deployment);
    return 0;
}
