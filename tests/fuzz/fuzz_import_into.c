#include "fuzz_import.h"

/* A deployment with a table imported into it is YAML and no longer changes, its comments neither. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char table[] = "Module,Mem Hard Limit,Mem Soft Limit,CPU,Xmx\na:2,1024,512,128,300\na - Sidecar 1,64,32,0,0\nb:1,9,8,1,0\n";
    const taskfit_import_file file = {"table", table, sizeof table - 1};
    const taskfit_import_file base = {"base", (const char *)data, size};
    taskfit_import_options options;
    taskfit_import_options_init(&options);
    options.kind = "table";
    options.into = &base;
    taskfit_error err = {.status = TASKFIT_OK};
    TASKFIT_STRBUF(first);
    if (taskfit_import(&file, 1, &options, fuzz_import_append, &first, &err) != TASKFIT_OK) {
        return 0;
    }
    const taskfit_import_file again = {"base", first.data, first.len};
    options.into = &again;
    TASKFIT_STRBUF(second);
    fuzz_require(taskfit_import(&file, 1, &options, fuzz_import_append, &second, &err) == TASKFIT_OK, "the result can be imported into");
    fuzz_require(strcmp(first.data, second.data) == 0, "a second import changes nothing");
    return 0;
}
