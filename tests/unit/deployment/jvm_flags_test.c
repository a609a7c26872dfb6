#include "unit.h"

#include "deployment/jvm_flags.h"

struct row {
    const char *text;
    int64_t xmx_mib, xms_mib, metaspace_mib, max_metaspace_mib, code_cache_mib, direct_memory_mib;
    const char *max_ram_percentage;
    int64_t xss_kib;
    const char *initial_ram_percentage;
    bool is_rounded;
    const char *options;
};

#define NO_SIZES -1, -1, -1, -1, -1, -1

static const struct row rows[] = {
    {NULL, NO_SIZES, NULL, -1, NULL, false, NULL},
    {" \n ", NO_SIZES, NULL, -1, NULL, false, NULL},
    {"-Xmx768m", 768, -1, -1, -1, -1, -1, NULL, -1, NULL, false, NULL},
    {"-Xmx2G -Xms1048576K", 2048, 1024, -1, -1, -1, -1, NULL, -1, NULL, false, NULL},
    {"-Xmx1073741824", 1024, -1, -1, -1, -1, -1, NULL, -1, NULL, false, NULL},
    {"-Xmx1500k", 2, -1, -1, -1, -1, -1, NULL, -1, NULL, true, NULL},
    {"-Xmx1t", 1048576, -1, -1, -1, -1, -1, NULL, -1, NULL, false, NULL},
    {"-XX:MaxHeapSize=1g -XX:InitialHeapSize=512m", 1024, 512, -1, -1, -1, -1, NULL, -1, NULL, false, NULL},
    {"-XX:MetaspaceSize=384m -XX:MaxMetaspaceSize=512m -XX:ReservedCodeCacheSize=240m -XX:MaxDirectMemorySize=64m", -1, -1, 384,
     512, 240, 64, NULL, -1, NULL, false, NULL},
    {"-XX:MaxRAMPercentage=66.0 -XX:InitialRAMPercentage=25", NO_SIZES, "66.0", -1, "25", false,
     "-XX:InitialRAMPercentage=25"},
    {"-Xss512k", NO_SIZES, NULL, 512, NULL, false, "-Xss512k"},
    {"-Xss1000000", NO_SIZES, NULL, 977, NULL, false, "-Xss1000000"},
    /* the last one wins, whatever its spelling */
    {"-Xmx1g -XX:MaxHeapSize=2g -Xmx512m", 512, -1, -1, -1, -1, -1, NULL, -1, NULL, false, NULL},
    /* what is not understood stays */
    {"-Xmx -Xmxfoo -Xmx-1m -Xmx1.5g -Xmx99999999999999999999 -Xmx1gb", NO_SIZES, NULL, -1, NULL, false,
     "-Xmx -Xmxfoo -Xmx-1m -Xmx1.5g -Xmx99999999999999999999 -Xmx1gb"},
    {"-XX:MaxRAMPercentage=101 -XX:MaxRAMPercentage=x", NO_SIZES, NULL, -1, NULL, false,
     "-XX:MaxRAMPercentage=101 -XX:MaxRAMPercentage=x"},
    {"-server -Xmx1g  -XX:+UseG1GC", 1024, -1, -1, -1, -1, -1, NULL, -1, NULL, false, "-server  -XX:+UseG1GC"},
    {"-Xmx1g -Xlog:gc", 1024, -1, -1, -1, -1, -1, NULL, -1, NULL, false, "-Xlog:gc"},
    /* quotes */
    {"'-Xmx1g' \"-Xms512m\"", 1024, 512, -1, -1, -1, -1, NULL, -1, NULL, false, NULL},
    {"-Da='x  -Xmx1g' -Xmx2g", 2048, -1, -1, -1, -1, -1, NULL, -1, NULL, false, "-Da='x  -Xmx1g'"},
    {"-Da=it's -Xmx2g", 2048, -1, -1, -1, -1, -1, NULL, -1, NULL, false, "-Da=it's"},
    /* folded lines */
    {"-Xmx1g \\\n  -Da=b \\\r\n -Dc=d\n-Xms1g", 1024, 1024, -1, -1, -1, -1, NULL, -1, NULL, false, "-Da=b \\\r\n -Dc=d"},
    {"-Da=b\n-Dc=d", NO_SIZES, NULL, -1, NULL, false, "-Da=b\n-Dc=d"},
};

static void check_text(const char *of, const char *what, const char *actual, const char *expected) {
    if (strcmp(actual ? actual : "(none)", expected ? expected : "(none)") != 0) {
        fail_msg("%s: %s is '%s', not '%s'", of, what, actual ? actual : "(none)", expected ? expected : "(none)");
    }
}

static void parses(void **state TASKFIT_UNUSED) {
    taskfit_arena *arena = taskfit_arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        const char *text = row->text ? row->text : "NULL";
        const taskfit_jvm_flags flags = taskfit_jvm_flags_parse(arena, row->text);
        const int64_t pairs[][2] = {
            {flags.xmx_mib, row->xmx_mib},
            {flags.xms_mib, row->xms_mib},
            {flags.metaspace_mib, row->metaspace_mib},
            {flags.max_metaspace_mib, row->max_metaspace_mib},
            {flags.code_cache_mib, row->code_cache_mib},
            {flags.direct_memory_mib, row->direct_memory_mib},
            {flags.xss_kib, row->xss_kib},
            {flags.is_rounded, row->is_rounded},
        };
        for (size_t pair = 0; pair < sizeof pairs / sizeof pairs[0]; pair++) {
            if (pairs[pair][0] != pairs[pair][1]) {
                fail_msg("%s: size %zu is %lld, not %lld", text, pair, (long long)pairs[pair][0], (long long)pairs[pair][1]);
            }
        }
        check_text(text, "maximum", flags.max_ram_percentage, row->max_ram_percentage);
        check_text(text, "initial", flags.initial_ram_percentage, row->initial_ram_percentage);
        check_text(text, "options", flags.options, row->options);
    }
    taskfit_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(parses)};
    return RUN_TESTS(tests);
}
