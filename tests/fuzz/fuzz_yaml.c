#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_node *root = NULL;
    taskfit_error err = {.status = TASKFIT_OK};
    const taskfit_status status = taskfit_node_read_yaml(arena, "f.yaml", (const char *)data, size, &root, &err);
    fuzz_require((status == TASKFIT_OK) == (root != NULL), "outputs are untouched on failure");
    fuzz_require(status == err.status && (status == TASKFIT_OK || err.where[0]), "an error says where");
    if (root) {
        fuzz_round_trips(arena, root);
    }
    taskfit_arena_free(arena);
    return 0;
}
