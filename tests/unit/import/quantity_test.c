#include "unit.h"

#include "import/import.h"

/* What people write in cells, against MiB and units; -2: refused. */
static const struct {
    const char *text;
    int64_t mib, units, cores_as_units, count;
} rows[] = {
    {"512", 512, 512, 524288, 512},
    {" 512 ", 512, 512, 524288, 512},
    {"1,024", 1024, 1024, 1048576, 1024},
    {"1\xc2\xa0" "024", 1024, 1024, 1048576, 1024},
    {"12\xe2\x80\xaf" "288", 12288, 12288, 12582912, 12288},
    {"1,024,000", 1024000, 1024000, 1048576000, 1024000},
    {"10,24", -2, -2, -2, -2},
    {"1 02", -2, -2, -2, -2},
    {"", -1, -1, -1, -1},
    {"-", -1, -1, -1, -1},
    {"N/A", -1, -1, -1, -1},
    {"null", -1, -1, -1, -1},
    {"\xe2\x80\x93", -1, -1, -1, -1},
    {"0", 0, 0, 0, 0},
    {"512Mi", 512, -2, -2, -2},
    {"2 GiB", 2048, -2, -2, -2},
    {"1.5 GB", 1536, -2, -2, -2},
    {"1.0001Gi", 1025, -2, -2, -2},
    {"512 MB", 512, -2, -2, -2},
    {"1048577k", 1025, -2, -2, -2},
    {"500m", 500, 512, 512, -2},
    {"0.5", -2, -2, 512, -2},
    {"0.5 vCPU", -2, 512, 512, -2},
    {"1.5", -2, -2, 1536, -2},
    {"-1", -2, -2, -2, -2},
    {"12(14)", -2, -2, -2, -2},
    {"1e3", -2, -2, -2, -2},
    {"99999999999999999999", -2, -2, -2, -2},
};

static int64_t value_of(bool is_read, const taskfit_import_quantity *quantity) {
    return is_read ? quantity->value : -2;
}

static void check(const char *text, const char *what, int64_t actual, int64_t expected) {
    if (actual != expected) {
        fail_msg("'%s' as %s is %lld, not %lld", text, what, (long long)actual, (long long)expected);
    }
}

static void reads_figures(void **state TASKFIT_UNUSED) {
    const taskfit_position here = {.file = "f", .line = 1, .column = 1};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        taskfit_arena *arena = taskfit_arena_new();
        taskfit_import_options options;
        taskfit_import_options_init(&options);
        taskfit_importer importer = {.arena = arena, .options = &options, .notes = taskfit_import_notes_new(arena)};
        const char *text = rows[i].text;
        taskfit_import_quantity quantity = {7, here};
        check(text, "memory", value_of(taskfit_import_memory(&importer, "s", text, here, &quantity), &quantity), rows[i].mib);
        check(text, "CPU units", value_of(taskfit_import_cpu(&importer, "s", text, here, TASKFIT_IMPORT_CPU_UNITS, &quantity), &quantity),
              rows[i].units);
        check(text, "cores", value_of(taskfit_import_cpu(&importer, "s", text, here, TASKFIT_IMPORT_CPU_CORES, &quantity), &quantity),
              rows[i].cores_as_units);
        check(text, "count", value_of(taskfit_import_count(&importer, "s", text, here, &quantity), &quantity), rows[i].count);
        assert_int_equal(taskfit_import_has_defect(&importer), rows[i].mib == -2 || rows[i].units == -2 ||
                                                                   rows[i].cores_as_units == -2 || rows[i].count == -2);
        taskfit_arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_figures)};
    return RUN_TESTS(tests);
}
