/* A memberOf expression; parentheses around it change nothing, and a not in front turns it round. */
#include <string.h>

#include "deployment/query.h"
#include "fuzz.h"

static const taskfit_attribute given[] = {
    {"ecs.instance-type", "m5.2xlarge"}, {"ecs.availability-zone", "us-east-1a"}, {"stack", "prod"}, {"a", ""},
    {"generation", "012"}, {"agentVersion", "1.14.5"}, {"runningTasksCount", "4"}, {"long", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
};
static const taskfit_attributes attributes = {given, sizeof given / sizeof *given, NULL};

static taskfit_status ask(taskfit_arena *arena, const char *text, bool *holds_out) {
    const taskfit_query *query = NULL;
    taskfit_error err = {0};
    taskfit_status status = taskfit_query_compile(arena, text, &query, &err);
    fuzz_require((status == TASKFIT_OK) == (query != NULL), "a query comes with success alone");
    fuzz_require((status == TASKFIT_OK) == (err.message[0] == '\0'), "a refusal says why");
    if (status != TASKFIT_OK) {
        return status;
    }
    (void)taskfit_query_unknown(query, &attributes);
    return taskfit_query_holds(query, &attributes, holds_out, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    taskfit_arena *arena = taskfit_arena_new();
    const char *text = taskfit_arena_strndup(arena, (const char *)data, size);
    bool holds = false;
    if (ask(arena, text, &holds) == TASKFIT_OK && strlen(text) + 3 <= TASKFIT_QUERY_MAX) {
        bool again = !holds;
        taskfit_status status = ask(arena, taskfit_arena_printf(arena, "(%s)", text), &again);
        fuzz_require(status != TASKFIT_OK || again == holds, "parentheses change nothing");
        status = ask(arena, taskfit_arena_printf(arena, "!(%s)", text), &again);
        fuzz_require(status != TASKFIT_OK || again != holds, "not turns it round");
    }
    taskfit_arena_free(arena);
    return 0;
}
