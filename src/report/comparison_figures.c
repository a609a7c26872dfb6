/* Figures of a comparison as text. */
#include <inttypes.h>

#include "base/units.h"
#include "report/comparison_report.h"

const taskfit_row *taskfit_comparison_reference(const taskfit_comparison *comparison, const taskfit_row *row) {
    const taskfit_row *first = &comparison->rows[0];
    return row == first || first->figures.usd_cents < 0 || row->figures.usd_cents < 0 ? NULL : first;
}

int64_t taskfit_comparison_change_tenths(int64_t base, int64_t value) {
    const double change = ((double)value - (double)base) * 1000.0 / (double)base;
    return (int64_t)(change < 0 ? change - 0.5 : change + 0.5);
}

const char *taskfit_tenths_text(taskfit_arena *arena, int64_t tenths) {
    const int64_t size = tenths < 0 ? -tenths : tenths;
    return taskfit_arena_printf(arena, "%s%" PRId64 ".%" PRId64, tenths < 0 ? "-" : "", size / 10, size % 10);
}

const char *taskfit_cents_text(taskfit_arena *arena, int64_t cents, bool grouped) {
    TASKFIT_STRBUF(text);
    if (grouped) {
        taskfit_add_usd_cents_grouped(&text, cents);
    } else {
        taskfit_add_usd_cents(&text, cents);
    }
    return taskfit_arena_strndup(arena, text.data, text.len);
}

const char *taskfit_usd_text(taskfit_arena *arena, int64_t usd_micros) {
    TASKFIT_STRBUF(text);
    taskfit_add_usd_per_hour(&text, usd_micros);
    return taskfit_arena_strndup(arena, text.data, text.len);
}


const char *taskfit_kpi_value_text(taskfit_arena *arena, int64_t micros) {
    TASKFIT_STRBUF(text);
    taskfit_add_usd_per_hour(&text, micros);
    while (text.data[text.len - 1] == '0') {
        text.data[--text.len] = '\0';
    }
    if (text.data[text.len - 1] == '.') {
        text.data[--text.len] = '\0';
    }
    return taskfit_arena_strdup(arena, text.data);
}

const char *taskfit_fargate_architecture(taskfit_architecture architecture) {
    return architecture == TASKFIT_ARCH_ARM64 ? "arm64" : "x86_64";
}
