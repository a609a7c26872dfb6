#include "fuzz.h"

#include <string.h>

#include "problem/plan.h"

static int collect(void *sink, const char *data, size_t len) {
    taskfit_strbuf_add(sink, data, len);
    return 0;
}

/* Whatever was read can be judged and written in every style, and its JSON is a plan that says the same. */
static void use(const taskfit_plan *plan) {
    size_t n_broken = 0;
    taskfit_error err = {.status = TASKFIT_OK};
    fuzz_require(taskfit_plan_verify(plan, NULL, NULL, NULL, &n_broken, &err) == TASKFIT_OK, "a plan can be judged");
    fuzz_require(taskfit_plan_verify_from(plan, NULL, plan, NULL, NULL, &n_broken) == TASKFIT_OK, "also from itself");
    TASKFIT_STRBUF(json);
    for (taskfit_plan_style style = TASKFIT_STYLE_TABLE; style <= TASKFIT_STYLE_CSV; style++) {
        TASKFIT_STRBUF(text);
        fuzz_require(taskfit_plan_write(plan, style, false, collect, &text, &err) == TASKFIT_OK, "a plan can be written");
        if (style == TASKFIT_STYLE_JSON) {
            taskfit_strbuf_add(&json, text.data, text.len);
        }
    }
    fuzz_require(taskfit_is_plan(json.data, json.len), "a written plan is a plan");
    taskfit_plan *again = NULL;
    fuzz_require(taskfit_plan_read("again", json.data, json.len, NULL, &again, &err) == TASKFIT_OK, "a written plan is read");
    TASKFIT_STRBUF(json_again);
    fuzz_require(taskfit_plan_write(again, TASKFIT_STYLE_JSON, false, collect, &json_again, &err) == TASKFIT_OK, "and written");
    fuzz_require(strcmp(json.data, json_again.data) == 0, "JSON written twice is the same");
    taskfit_plan_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    taskfit_plan *plan = NULL;
    taskfit_error err = {.status = TASKFIT_OK};
    (void)taskfit_is_plan((const char *)data, size);
    const taskfit_status status = taskfit_plan_read("f", (const char *)data, size, NULL, &plan, &err);
    fuzz_require((status == TASKFIT_OK) == (plan != NULL), "outputs are untouched on failure");
    fuzz_require(status == err.status && (status == TASKFIT_OK || err.where[0]), "an error says where");
    if (plan) {
        use(plan);
        taskfit_plan_free(plan);
    }
    return 0;
}
