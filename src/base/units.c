#include "base/units.h"

#include <assert.h>
#include <inttypes.h>

#include "base/utf8.h"

/* A number that stands at the start of a text. */
struct decimal {
    int64_t whole;       /* capped at WHOLE_MAX, which every quantity refuses */
    const char *decimals; /* digits behind the point */
    size_t n_decimals;
    size_t len; /* bytes of the whole number */
};

#define WHOLE_MAX (INT64_C(1) << 59)

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool fail(const char **why_out, const char *why) {
    *why_out = why;
    return false;
}

static size_t count_digits(const char *text, size_t len) {
    size_t n = 0;
    while (n < len && is_digit(text[n])) {
        n++;
    }
    return n;
}

/* Digits, or digits with a point and more digits. "010" is refused: some readers take it as octal. */
static bool parse_decimal(const char *text, size_t len, struct decimal *number_out, const char **why_out) {
    struct decimal number = {.len = count_digits(text, len)};
    if (len == 0) {
        return fail(why_out, "no number");
    }
    if (text[0] == '-' || text[0] == '+') {
        return fail(why_out, "a sign is not accepted");
    }
    if (number.len == 0) {
        return fail(why_out, "not a number");
    }
    if (number.len > 1 && text[0] == '0') {
        return fail(why_out, "a number with a leading zero (leave it out)");
    }
    for (size_t i = 0; i < number.len; i++) {
        number.whole = number.whole * 10 + (text[i] - '0');
        if (number.whole > WHOLE_MAX) {
            number.whole = WHOLE_MAX;
        }
    }
    if (number.len < len && text[number.len] == '.') {
        number.decimals = text + number.len + 1;
        number.n_decimals = count_digits(number.decimals, len - number.len - 1);
        if (number.n_decimals == 0) {
            return fail(why_out, "no digit behind the decimal point");
        }
        number.len += 1 + number.n_decimals;
    }
    *number_out = number;
    return true;
}

/* The first n_digits decimals as an integer, padded with zeros. */
static int64_t scaled_decimals(const struct decimal *number, size_t n_digits) {
    int64_t value = 0;
    for (size_t i = 0; i < n_digits; i++) {
        value = value * 10 + (i < number->n_decimals ? number->decimals[i] - '0' : 0);
    }
    return value;
}

static int64_t divide(int64_t value, int64_t divisor, taskfit_rounding rounding) {
    return value / divisor + (rounding == TASKFIT_ROUND_UP && value % divisor != 0);
}

bool taskfit_parse_count(const char *text, size_t len, int64_t low, int64_t high, int64_t *value_out,
                         const char **why_out) {
    assert(low >= 0 && high < WHOLE_MAX);
    struct decimal number;
    if (!parse_decimal(text, len, &number, why_out)) {
        return false;
    }
    if (number.n_decimals > 0 || number.len != len) {
        return fail(why_out, "not a whole number");
    }
    if (number.whole < low) {
        return fail(why_out, "too small");
    }
    if (number.whole > high) {
        return fail(why_out, "too large");
    }
    *value_out = number.whole;
    return true;
}

bool taskfit_parse_memory_mib(const char *text, size_t len, taskfit_rounding rounding, int64_t *mib_out,
                              const char **why_out) {
    struct decimal number;
    if (!parse_decimal(text, len, &number, why_out)) {
        return false;
    }
    if (number.n_decimals > 0) {
        return fail(why_out, "a fraction is not accepted (use a smaller unit: 1536Mi for 1.5Gi)");
    }
    const char *unit = text + number.len;
    const size_t unit_len = len - number.len;
    int64_t mib = number.whole;
    if (taskfit_is_word(unit, unit_len, "gi") || taskfit_is_word(unit, unit_len, "g")) {
        mib = number.whole > TASKFIT_QUANTITY_MAX ? number.whole : number.whole * 1024;
    } else if (taskfit_is_word(unit, unit_len, "ki") || taskfit_is_word(unit, unit_len, "k")) {
        mib = divide(number.whole, 1024, rounding);
    } else if (taskfit_is_word(unit, unit_len, "kb")) {
        return fail(why_out, "unknown memory unit 'KB' (use Ki for KiB)");
    } else if (taskfit_is_word(unit, unit_len, "mb")) {
        return fail(why_out, "unknown memory unit 'MB' (use Mi, or no unit, for MiB)");
    } else if (taskfit_is_word(unit, unit_len, "gb")) {
        return fail(why_out, "unknown memory unit 'GB' (use Gi for GiB)");
    } else if (unit_len > 0 && !taskfit_is_word(unit, unit_len, "mi") && !taskfit_is_word(unit, unit_len, "m")) {
        return fail(why_out, "unknown memory unit (use Ki, Mi or Gi, or none for MiB)");
    }
    if (mib > TASKFIT_QUANTITY_MAX) {
        return fail(why_out, "too large (at most 2^40 MiB)");
    }
    *mib_out = mib;
    return true;
}

bool taskfit_parse_cpu_units(const char *text, size_t len, taskfit_rounding rounding, int64_t *units_out,
                             const char **why_out) {
    enum { DECIMALS_MAX = 9, BILLION = 1000 * 1000 * 1000 };
    struct decimal number;
    if (!parse_decimal(text, len, &number, why_out)) {
        return false;
    }
    const char *unit = text + number.len;
    size_t unit_len = len - number.len;
    const bool has_blank = unit_len > 0 && unit[0] == ' ';
    const bool is_vcpu = taskfit_is_word(unit + has_blank, unit_len - has_blank, "vcpu");
    const bool is_millicores = unit_len == 1 && unit[0] == 'm';
    if (unit_len > 0 && !is_vcpu && !is_millicores) {
        return fail(why_out, "unknown CPU unit (use CPU units without a unit, '0.5 vCPU', or millicores as in '500m')");
    }
    if (number.n_decimals > 0 && !is_vcpu) {
        return fail(why_out, "a fraction is not accepted (write '0.5 vCPU', or whole CPU units)");
    }
    if (number.n_decimals > DECIMALS_MAX) {
        return fail(why_out, "more than 9 decimals");
    }
    int64_t units = number.whole;
    if (number.whole <= TASKFIT_QUANTITY_MAX && is_vcpu) {
        const int64_t billionths = scaled_decimals(&number, DECIMALS_MAX);
        units = number.whole * TASKFIT_CPU_UNITS_PER_VCPU +
                divide(billionths * TASKFIT_CPU_UNITS_PER_VCPU, BILLION, rounding);
    } else if (number.whole <= TASKFIT_QUANTITY_MAX && is_millicores) {
        units = divide(number.whole * TASKFIT_CPU_UNITS_PER_VCPU, 1000, rounding);
    }
    if (units > TASKFIT_QUANTITY_MAX) {
        return fail(why_out, "too large (at most 2^40 CPU units)");
    }
    *units_out = units;
    return true;
}

static bool parse_usd(const char *text, size_t len, int64_t max_micros, const char *too_large, int64_t *usd_micros_out,
                      const char **why_out) {
    enum { DECIMALS = 6, MICROS = 1000 * 1000 };
    struct decimal number;
    if (!parse_decimal(text, len, &number, why_out)) {
        return false;
    }
    if (number.len != len) {
        return fail(why_out, "not a plain decimal number of dollars");
    }
    int64_t micros = max_micros + 1;
    if (number.whole <= max_micros / MICROS) {
        const bool rounds_up = number.n_decimals > DECIMALS && number.decimals[DECIMALS] >= '5';
        micros = number.whole * MICROS + scaled_decimals(&number, DECIMALS) + rounds_up;
    }
    if (micros > max_micros) {
        return fail(why_out, too_large);
    }
    *usd_micros_out = micros;
    return true;
}

bool taskfit_parse_usd_micros(const char *text, size_t len, int64_t *usd_micros_out, const char **why_out) {
    return parse_usd(text, len, TASKFIT_PRICE_USD_MICROS_MAX, "too large (at most a million dollars)", usd_micros_out, why_out);
}

bool taskfit_parse_cost_usd_micros(const char *text, size_t len, int64_t *usd_micros_out, const char **why_out) {
    return parse_usd(text, len, TASKFIT_COST_USD_MICROS_MAX, "too large (at most a million million dollars)", usd_micros_out, why_out);
}

/* ---- printing; figures may be differences, so negative ---- */

static uint64_t magnitude(int64_t value) {
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

static const char *sign(int64_t value) {
    return value < 0 ? "-" : "";
}

void taskfit_add_usd_per_hour(taskfit_strbuf *buf, int64_t usd_micros) {
    const uint64_t micros = magnitude(usd_micros);
    taskfit_strbuf_printf(buf, "%s%" PRIu64 ".%06" PRIu64, sign(usd_micros), micros / 1000000, micros % 1000000);
}

int64_t taskfit_usd_cents_per_month(int64_t usd_micros_per_hour, int64_t hours_per_month) {
    enum { MICROS_PER_CENT = 10000 };
    int64_t micros = 0;
    if (__builtin_mul_overflow(usd_micros_per_hour, hours_per_month, &micros)) {
        return (usd_micros_per_hour < 0) == (hours_per_month < 0) ? INT64_MAX : INT64_MIN;
    }
    const int64_t rest = micros % MICROS_PER_CENT;
    const int64_t cents = micros / MICROS_PER_CENT;
    return rest >= MICROS_PER_CENT / 2 ? cents + 1 : rest <= -MICROS_PER_CENT / 2 ? cents - 1 : cents;
}

void taskfit_add_usd_cents(taskfit_strbuf *buf, int64_t cents) {
    const uint64_t value = magnitude(cents);
    taskfit_strbuf_printf(buf, "%s%" PRIu64 ".%02" PRIu64, sign(cents), value / 100, value % 100);
}

static void add_grouped(taskfit_strbuf *buf, uint64_t value) {
    char digits[32];
    const int n = snprintf(digits, sizeof digits, "%" PRIu64, value);
    assert(n > 0 && n < (int)sizeof digits);
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0) {
            taskfit_strbuf_addc(buf, ',');
        }
        taskfit_strbuf_addc(buf, digits[i]);
    }
}

void taskfit_add_usd_cents_grouped(taskfit_strbuf *buf, int64_t cents) {
    const uint64_t value = magnitude(cents);
    taskfit_strbuf_adds(buf, sign(cents));
    add_grouped(buf, value / 100);
    taskfit_strbuf_printf(buf, ".%02" PRIu64, value % 100);
}

void taskfit_add_grouped(taskfit_strbuf *buf, int64_t value) {
    taskfit_strbuf_adds(buf, sign(value));
    add_grouped(buf, magnitude(value));
}
