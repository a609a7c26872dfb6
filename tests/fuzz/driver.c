/* Runs a fuzz target on files, without libFuzzer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "fuzz.h"

static bool run_file(const char *path) {
    enum { BYTES_MAX = 1 << 24 };
    TASKFIT_STRBUF(content);
    taskfit_error err = {.status = TASKFIT_OK};
    if (taskfit_file_read(path, BYTES_MAX, &content, &err) != TASKFIT_OK) {
        fprintf(stderr, "replay: %s\n", err.message);
        return false;
    }
    /* A copy of its exact size, so that AddressSanitizer sees a byte read behind it. */
    uint8_t *exact = malloc(content.len > 0 ? content.len : 1);
    if (!exact) {
        return false;
    }
    memcpy(exact, content.data, content.len);
    const int rc = LLVMFuzzerTestOneInput(exact, content.len);
    free(exact);
    return rc == 0;
}

int main(int argc, char **argv) {
    bool passed = argc > 1;
    for (int i = 1; i < argc; i++) {
        passed = run_file(argv[i]) && passed;
    }
    return passed ? 0 : 1;
}
