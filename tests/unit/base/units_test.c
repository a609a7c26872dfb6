#include "unit.h"

#include "base/units.h"

#define TWO_TO_40 "1099511627776"

static void counts(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t low, high, value;
        const char *why; /* NULL: accepted */
    } rows[] = {
        {"0", 0, 10, 0, NULL},
        {"10", 0, 10, 10, NULL},
        {"11", 0, 10, 0, "too large"},
        {"0", 1, 10, 0, "too small"},
        {TWO_TO_40, 0, TASKFIT_QUANTITY_MAX, TASKFIT_QUANTITY_MAX, NULL},
        {"99999999999999999999999999", 0, TASKFIT_QUANTITY_MAX, 0, "too large"},
        {"", 0, 10, 0, "no number"},
        {"-1", 0, 10, 0, "a sign is not accepted"},
        {"+1", 0, 10, 0, "a sign is not accepted"},
        {" 1", 0, 10, 0, "not a number"},
        {"1 ", 0, 10, 0, "not a whole number"},
        {"010", 0, 10, 0, "a number with a leading zero (leave it out)"},
        {"1.0", 0, 10, 0, "not a whole number"},
        {"1.", 0, 10, 0, "no digit behind the decimal point"},
        {"1e1", 0, 10, 0, "not a whole number"},
        {"1_0", 0, 10, 0, "not a whole number"},
        {"0x1", 0, 10, 0, "not a whole number"},
        {"two", 0, 10, 0, "not a number"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t value = -7;
        const char *why = NULL;
        const bool ok = taskfit_parse_count(rows[i].text, strlen(rows[i].text), rows[i].low, rows[i].high, &value, &why);
        if (ok != !rows[i].why || (!ok && (strcmp(why, rows[i].why) != 0 || value != -7))) {
            fail_msg("'%s': %s", rows[i].text, ok ? "accepted" : why);
        }
        if (ok) {
            ASSERT_INT(value, rows[i].value);
        }
    }
}

struct rounded_row {
    const char *text;
    int64_t up, down; /* -1: refused */
    const char *why;
};

typedef bool parse_fn(const char *text, size_t len, taskfit_rounding rounding, int64_t *out, const char **why_out);

static void check_rounded(parse_fn *parse, const struct rounded_row *row) {
    static const taskfit_rounding roundings[] = {TASKFIT_ROUND_UP, TASKFIT_ROUND_DOWN};
    for (size_t i = 0; i < 2; i++) {
        const int64_t expected = roundings[i] == TASKFIT_ROUND_UP ? row->up : row->down;
        int64_t value = -1;
        const char *why = NULL;
        const bool ok = parse(row->text, strlen(row->text), roundings[i], &value, &why);
        if (ok != (expected >= 0) || value != expected || (!ok && (!row->why || strcmp(why, row->why) != 0))) {
            fail_msg("'%s': %lld, not %lld: %s", row->text, (long long)value, (long long)expected, ok ? "accepted" : why);
        }
    }
}

static void memory(void **state) {
    (void)state;
    static const struct rounded_row rows[] = {
        {"0", 0, 0, NULL},
        {"512", 512, 512, NULL},
        {"512Mi", 512, 512, NULL},
        {"512mi", 512, 512, NULL},
        {"768m", 768, 768, NULL},
        {"768M", 768, 768, NULL},
        {"2Gi", 2048, 2048, NULL},
        {"2g", 2048, 2048, NULL},
        {"2G", 2048, 2048, NULL},
        {"1048576Ki", 1024, 1024, NULL},
        {"1048576k", 1024, 1024, NULL},
        {"1048576K", 1024, 1024, NULL},
        {"1Ki", 1, 0, NULL},
        {"1025Ki", 2, 1, NULL},
        {"1023Ki", 1, 0, NULL},
        {TWO_TO_40, TASKFIT_QUANTITY_MAX, TASKFIT_QUANTITY_MAX, NULL},
        {"1073741824Gi", TASKFIT_QUANTITY_MAX, TASKFIT_QUANTITY_MAX, NULL},
        {"1125899906842624Ki", TASKFIT_QUANTITY_MAX, TASKFIT_QUANTITY_MAX, NULL},
        {"1099511627777", -1, -1, "too large (at most 2^40 MiB)"},
        {"1073741825Gi", -1, -1, "too large (at most 2^40 MiB)"},
        {"1125899906843649Ki", -1, -1, "too large (at most 2^40 MiB)"},
        {"9223372036854775808", -1, -1, "too large (at most 2^40 MiB)"},
        {"99999999999999999999999999Gi", -1, -1, "too large (at most 2^40 MiB)"},
        {"512KB", -1, -1, "unknown memory unit 'KB' (use Ki for KiB)"},
        {"512MB", -1, -1, "unknown memory unit 'MB' (use Mi, or no unit, for MiB)"},
        {"512mb", -1, -1, "unknown memory unit 'MB' (use Mi, or no unit, for MiB)"},
        {"2GB", -1, -1, "unknown memory unit 'GB' (use Gi for GiB)"},
        {"2Ti", -1, -1, "unknown memory unit (use Ki, Mi or Gi, or none for MiB)"},
        {"512 Mi", -1, -1, "unknown memory unit (use Ki, Mi or Gi, or none for MiB)"},
        {"512Mi ", -1, -1, "unknown memory unit (use Ki, Mi or Gi, or none for MiB)"},
        {"1e3", -1, -1, "unknown memory unit (use Ki, Mi or Gi, or none for MiB)"},
        {"1.5Gi", -1, -1, "a fraction is not accepted (use a smaller unit: 1536Mi for 1.5Gi)"},
        {"1.0", -1, -1, "a fraction is not accepted (use a smaller unit: 1536Mi for 1.5Gi)"},
        {"-512", -1, -1, "a sign is not accepted"},
        {"+512", -1, -1, "a sign is not accepted"},
        {"0512", -1, -1, "a number with a leading zero (leave it out)"},
        {"Mi", -1, -1, "not a number"},
        {" 512", -1, -1, "not a number"},
        {"", -1, -1, "no number"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_rounded(taskfit_parse_memory_mib, &rows[i]);
    }
}

static void cpu(void **state) {
    (void)state;
    static const char unit[] = "unknown CPU unit (use CPU units without a unit, '0.5 vCPU', or millicores as in '500m')";
    static const char fraction[] = "a fraction is not accepted (write '0.5 vCPU', or whole CPU units)";
    static const struct rounded_row rows[] = {
        {"0", 0, 0, NULL},
        {"512", 512, 512, NULL},
        {"0.5 vCPU", 512, 512, NULL},
        {"0.5vCPU", 512, 512, NULL},
        {"0.5 vcpu", 512, 512, NULL},
        {"0.5 VCPU", 512, 512, NULL},
        {"2 vCPU", 2048, 2048, NULL},
        {"0.1 vCPU", 103, 102, NULL},
        {"0.000000001 vCPU", 1, 0, NULL},
        {"0.999999999 vCPU", 1024, 1023, NULL},
        {"500m", 512, 512, NULL},
        {"1000m", 1024, 1024, NULL},
        {"100m", 103, 102, NULL},
        {"1m", 2, 1, NULL},
        {TWO_TO_40, TASKFIT_QUANTITY_MAX, TASKFIT_QUANTITY_MAX, NULL},
        {"1073741824 vCPU", TASKFIT_QUANTITY_MAX, TASKFIT_QUANTITY_MAX, NULL},
        {"1099511627777", -1, -1, "too large (at most 2^40 CPU units)"},
        {"1073741825 vCPU", -1, -1, "too large (at most 2^40 CPU units)"},
        {"99999999999999999999999m", -1, -1, "too large (at most 2^40 CPU units)"},
        {"0.5", -1, -1, fraction},
        {"0.5m", -1, -1, fraction},
        {"0.0000000001 vCPU", -1, -1, "more than 9 decimals"},
        {"512M", -1, -1, unit},
        {"0.5  vCPU", -1, -1, unit},
        {"0.5 vCPUs", -1, -1, unit},
        {"500 m", -1, -1, unit},
        {"512 ", -1, -1, unit},
        {".5 vCPU", -1, -1, "not a number"},
        {"-1", -1, -1, "a sign is not accepted"},
        {"00", -1, -1, "a number with a leading zero (leave it out)"},
        {"", -1, -1, "no number"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_rounded(taskfit_parse_cpu_units, &rows[i]);
    }
}

static bool parse_usd(const char *text, size_t len, taskfit_rounding rounding, int64_t *out, const char **why_out) {
    (void)rounding;
    return taskfit_parse_usd_micros(text, len, out, why_out);
}

static void prices(void **state) {
    (void)state;
    static const struct rounded_row rows[] = {
        {"0", 0, 0, NULL},
        {"0.4284", 428400, 428400, NULL},
        {"12", 12000000, 12000000, NULL},
        {"0.0000004", 0, 0, NULL},
        {"0.0000005", 1, 1, NULL},
        {"0.00000049999999999999999", 0, 0, NULL},
        {"0.9999999", 1000000, 1000000, NULL},
        {"1000000", TASKFIT_PRICE_USD_MICROS_MAX, TASKFIT_PRICE_USD_MICROS_MAX, NULL},
        {"1000000.0000004", TASKFIT_PRICE_USD_MICROS_MAX, TASKFIT_PRICE_USD_MICROS_MAX, NULL},
        {"1000000.0000005", -1, -1, "too large (at most a million dollars)"},
        {"1000001", -1, -1, "too large (at most a million dollars)"},
        {"999999999999999999999999999", -1, -1, "too large (at most a million dollars)"},
        {"1e-3", -1, -1, "not a plain decimal number of dollars"},
        {"$1", -1, -1, "not a number"},
        {"1 USD", -1, -1, "not a plain decimal number of dollars"},
        {"1,5", -1, -1, "not a plain decimal number of dollars"},
        {"1.2.3", -1, -1, "not a plain decimal number of dollars"},
        {"1.", -1, -1, "no digit behind the decimal point"},
        {".5", -1, -1, "not a number"},
        {"-0.1", -1, -1, "a sign is not accepted"},
        {"00.1", -1, -1, "a number with a leading zero (leave it out)"},
        {"", -1, -1, "no number"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_rounded(parse_usd, &rows[i]);
    }
}

static void only_len_bytes_are_read(void **state) {
    (void)state;
    int64_t value = 0;
    const char *why = NULL;
    assert_true(taskfit_parse_memory_mib("512MBx", 3, TASKFIT_ROUND_UP, &value, &why));
    ASSERT_INT(value, 512);
    assert_true(taskfit_parse_cpu_units("0.51 vCPU", 3 + 0, TASKFIT_ROUND_UP, &value, &why) == false);
    assert_true(taskfit_parse_usd_micros("0.4284", 4, &value, &why));
    ASSERT_INT(value, 420000);
}

static void printing(void **state) {
    (void)state;
    static const struct {
        void (*add)(taskfit_strbuf *buf, int64_t value);
        int64_t value;
        const char *text;
    } rows[] = {
        {taskfit_add_usd_per_hour, 428400, "0.428400"},
        {taskfit_add_usd_per_hour, 0, "0.000000"},
        {taskfit_add_usd_per_hour, 12345678, "12.345678"},
        {taskfit_add_usd_per_hour, -1, "-0.000001"},
        {taskfit_add_usd_cents, 250186, "2501.86"},
        {taskfit_add_usd_cents, 7, "0.07"},
        {taskfit_add_usd_cents, -250186, "-2501.86"},
        {taskfit_add_usd_cents_grouped, 250186, "2,501.86"},
        {taskfit_add_usd_cents_grouped, 99, "0.99"},
        {taskfit_add_usd_cents_grouped, 100000000, "1,000,000.00"},
        {taskfit_add_usd_cents_grouped, -10000000, "-100,000.00"},
        {taskfit_add_grouped, 0, "0"},
        {taskfit_add_grouped, 999, "999"},
        {taskfit_add_grouped, 62942, "62,942"},
        {taskfit_add_grouped, 1234567, "1,234,567"},
        {taskfit_add_grouped, -1000, "-1,000"},
        {taskfit_add_grouped, INT64_MIN, "-9,223,372,036,854,775,808"},
    };
    TASKFIT_STRBUF(buf);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        taskfit_strbuf_reset(&buf);
        rows[i].add(&buf, rows[i].value);
        assert_string_equal(buf.data, rows[i].text);
    }
}

static void months_round_half_up(void **state) {
    (void)state;
    static const struct {
        int64_t micros, hours, cents;
    } rows[] = {
        {3427200, 730, 250186}, /* 2501.856 */
        {10000, 1, 1},          {4999, 1, 0}, {5000, 1, 1}, {14999, 1, 1}, {15000, 1, 2}, {0, 730, 0},
        {-4999, 1, 0},          {-5000, 1, -1},
        {TASKFIT_PRICE_USD_MICROS_MAX, 744, TASKFIT_PRICE_USD_MICROS_MAX / 10000 * 744},
        {INT64_MAX, 730, INT64_MAX},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ASSERT_INT(taskfit_usd_cents_per_month(rows[i].micros, rows[i].hours), rows[i].cents);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts),   cmocka_unit_test(memory),
        cmocka_unit_test(cpu),      cmocka_unit_test(prices),
        cmocka_unit_test(printing), cmocka_unit_test(months_round_half_up),
        cmocka_unit_test(only_len_bytes_are_read),
    };
    return RUN_TESTS(tests);
}
