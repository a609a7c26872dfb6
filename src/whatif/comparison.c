#include "whatif/comparison.h"

#include <assert.h>

#include "base/strbuf.h"

void taskfit_comparison_free(taskfit_comparison *comparison) {
    if (!comparison) {
        return;
    }
    for (size_t r = 0; r < comparison->n_rows; r++) {
        taskfit_plan_free(comparison->rows[r].plan);
        taskfit_deployment_free(comparison->rows[r].deployment);
    }
    taskfit_arena_free(comparison->arena);
}

size_t taskfit_comparison_rows(const taskfit_comparison *comparison) {
    return comparison->n_rows;
}

bool taskfit_comparison_is_baseline(const taskfit_comparison *comparison, size_t row) {
    assert(row < comparison->n_rows);
    return comparison->rows[row].baseline;
}

const char *taskfit_comparison_label(const taskfit_comparison *comparison, size_t row) {
    assert(row < comparison->n_rows);
    const taskfit_row *shown = &comparison->rows[row];
    TASKFIT_STRBUF(text);
    if (comparison->n_files > 1) {
        taskfit_strbuf_adds(&text, comparison->files[shown->file]);
    }
    if (shown->scenario) {
        taskfit_strbuf_printf(&text, "%s%s", text.len > 0 ? " " : "", shown->scenario);
    }
    for (size_t v = 0; v < comparison->n_vary; v++) {
        taskfit_strbuf_printf(&text, "%s%s=%s", text.len > 0 ? " " : "", comparison->vary[v].path, shown->values[v]);
    }
    return text.len > 0 ? taskfit_arena_strndup(comparison->arena, text.data, text.len) : "as it is";
}

taskfit_outcome taskfit_comparison_outcome(const taskfit_comparison *comparison, size_t row) {
    assert(row < comparison->n_rows);
    return taskfit_plan_outcome(comparison->rows[row].plan);
}

int64_t taskfit_comparison_instances(const taskfit_comparison *comparison, size_t row) {
    assert(row < comparison->n_rows);
    return taskfit_plan_instances(comparison->rows[row].plan);
}

int64_t taskfit_comparison_usd_cents_per_month(const taskfit_comparison *comparison, size_t row) {
    assert(row < comparison->n_rows);
    return comparison->rows[row].figures.usd_cents;
}
