/* Each parser of quantities on the same text. */
#include "base/units.h"
#include "fuzz.h"

typedef bool parse_fn(const char *text, size_t len, taskfit_rounding rounding, int64_t *out, const char **why_out);

static void check_rounded(parse_fn *parse, const char *text, size_t len) {
    int64_t up = -1;
    int64_t down = -1;
    const char *why = NULL;
    const bool is_up = parse(text, len, TASKFIT_ROUND_UP, &up, &why);
    const bool is_down = parse(text, len, TASKFIT_ROUND_DOWN, &down, &why);
    if (is_up && is_down) {
        fuzz_require(down >= 0 && down <= up && up <= down + 1 && up <= TASKFIT_QUANTITY_MAX, "rounding is by less than one");
    } else {
        fuzz_require(why != NULL, "a refusal says why");
        /* Only the largest quantity may fit when rounded down and not when rounded up. */
        fuzz_require(!is_up && (!is_down || down == TASKFIT_QUANTITY_MAX), "both roundings accept the same texts");
    }
    fuzz_require(is_up || up == -1, "outputs are untouched on failure");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    const char *why = NULL;
    check_rounded(taskfit_parse_memory_mib, text, size);
    check_rounded(taskfit_parse_cpu_units, text, size);
    int64_t micros = -1;
    if (taskfit_parse_usd_micros(text, size, &micros, &why)) {
        fuzz_require(micros >= 0 && micros <= TASKFIT_PRICE_USD_MICROS_MAX, "a price is in range");
        TASKFIT_STRBUF(printed);
        taskfit_add_usd_per_hour(&printed, micros);
        int64_t again = -1;
        fuzz_require(taskfit_parse_usd_micros(printed.data, printed.len, &again, &why) && again == micros,
                     "a printed price reads back");
    }
    int64_t count = -1;
    if (taskfit_parse_count(text, size, 1, 1000, &count, &why)) {
        fuzz_require(count >= 1 && count <= 1000, "a count is in range");
    }
    return 0;
}
