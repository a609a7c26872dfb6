/* One edit, as an argument and as a scenario, on a small deployment: what comes out is still a tree, or a defect. */
#include <string.h>

#include "deployment/edit.h"
#include "fuzz.h"

static const char deployment[] =
    "cluster:\n"
    "  instanceGroups: [{name: main, types: [m5.large, {type: r7g.2xlarge, max: 4}]}]\n"
    "  daemons: [{name: agent, memory: 1}]\n"
    "services:\n"
    "  - {name: mod-a, cpu: 1 vCPU, memory: 2Gi, sidecar: {name: s, memory: 5}, environment: [{name: A, value: b}]}\n"
    "  - {name: mod-b, containerDefinitions: [{name: app, memory: 5}], sidecar: null}\n"
    "  - 7\n"
    "policy: {}\n"
    "sidecars: {s: {memory: 5}}\n";

static void apply(taskfit_arena *arena, const taskfit_edit *edits, size_t n_edits, taskfit_diag *diag) {
    taskfit_node *root = NULL;
    taskfit_error err = {0};
    fuzz_require(taskfit_node_read_yaml(arena, "d", deployment, strlen(deployment), &root, &err) == TASKFIT_OK, "it is YAML");
    taskfit_edits_apply(arena, root, edits, n_edits, TASKFIT_EDIT_SECTIONS, diag);
    taskfit_edits_apply(arena, root, edits, n_edits, TASKFIT_EDIT_RESOLVED, diag);
    size_t n = 0;
    (void)taskfit_diag_sorted(diag, &n);
    fuzz_round_trips(arena, root);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    taskfit_arena *arena = taskfit_arena_new();
    const char *text = taskfit_arena_strndup(arena, (const char *)data, size);
    taskfit_edit edit;
    taskfit_error err = {0};
    if (taskfit_edit_parse(arena, "--set", text, &edit, &err) == TASKFIT_OK) {
        apply(arena, &edit, 1, taskfit_diag_new(arena));
    } else {
        fuzz_require(err.message[0] != '\0', "a refusal says why");
    }
    taskfit_node *list = NULL;
    if (taskfit_node_read_yaml(arena, "s", text, strlen(text), &list, NULL) == TASKFIT_OK) {
        taskfit_diag *diag = taskfit_diag_new(arena);
        const taskfit_edit *edits = NULL;
        size_t n_edits = 0;
        taskfit_edits_decode(arena, list, "scenarios.s", diag, &edits, &n_edits);
        apply(arena, edits, n_edits, diag);
    }
    taskfit_arena_free(arena);
    return 0;
}
