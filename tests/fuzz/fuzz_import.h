#ifndef TASKFIT_TESTS_FUZZ_IMPORT_H
#define TASKFIT_TESTS_FUZZ_IMPORT_H

/* What holds of every kind of import, for a file fuzz_import_KIND.c: return fuzz_import("kind", data, size). */

#include <string.h>

#include "base/strbuf.h"
#include "fuzz.h"
#include "taskfit/import.h"

static int fuzz_import_append(void *sink, const char *data, size_t len) {
    taskfit_strbuf_add(sink, data, len);
    return 0;
}

/* What was imported is YAML, and importing the same into it changes nothing, not even with comments in it. */
static inline int fuzz_import(const char *kind, const uint8_t *data, size_t size) {
    const taskfit_import_file file = {"f", (const char *)data, size};
    taskfit_import_options options;
    taskfit_import_options_init(&options);
    options.kind = kind;
    taskfit_error err = {.status = TASKFIT_OK};
    TASKFIT_STRBUF(first);
    if (taskfit_import(&file, 1, &options, fuzz_import_append, &first, &err) != TASKFIT_OK) {
        fuzz_require(err.message[0] != '\0' && first.len == 0, "a failure says why and writes nothing");
        return 0;
    }
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_node *root = NULL;
    fuzz_require(taskfit_node_read_yaml(arena, "first", first.data, first.len, &root, &err) == TASKFIT_OK, "the result is YAML");
    taskfit_arena_free(arena);
    TASKFIT_STRBUF(commented);
    options.comments = true;
    fuzz_require(taskfit_import(&file, 1, &options, fuzz_import_append, &commented, &err) == TASKFIT_OK, "it is imported again");
    options.comments = false;
    const taskfit_import_file into = {"commented", commented.data, commented.len};
    options.into = &into;
    TASKFIT_STRBUF(second);
    fuzz_require(taskfit_import(&file, 1, &options, fuzz_import_append, &second, &err) == TASKFIT_OK, "it is imported into itself");
    fuzz_require(strcmp(first.data, second.data) == 0, "a second import changes nothing");
    return 0;
}

#endif
