#include "unit.h"

#include "render/java_options.h"

#define ABSENT -1, -1, -1, -1, -1, -1, NULL, -1, -1

static const struct {
    const char *what;
    taskfit_jvm jvm;
    const char *given;
    const char *expected;
} rows[] = {
    {"nothing to say", {true, ABSENT, NULL}, NULL, ""},
    {"every key, in order",
     {true, 3076, 1024, 384, 512, 240, 64, "85.0", 200, 20000, "-XX:+UseG1GC"},
     NULL,
     "-Xmx3076m -Xms1024m -XX:MetaspaceSize=384m -XX:MaxMetaspaceSize=512m -XX:MaxRAMPercentage=85.0 "
     "-XX:ReservedCodeCacheSize=240m -XX:MaxDirectMemorySize=64m -XX:+UseG1GC"},
    {"a percentage gets its decimal point",
     {true, -1, -1, -1, -1, -1, -1, "85", -1, -1, NULL},
     NULL,
     "-XX:MaxRAMPercentage=85.0"},
    {"the environment is kept", {true, ABSENT, NULL}, "-Xmx512m  -Da='x  y' ", "-Xmx512m  -Da='x  y'"},
    {"a key wins over the environment",
     {true, 768, -1, -1, -1, -1, -1, NULL, -1, -1, NULL},
     "-server -Xmx512m -Dport=8081",
     "-Xmx768m -server -Dport=8081"},
    {"a key wins over options",
     {true, 768, -1, -1, -1, -1, -1, NULL, -1, -1, "-Xmx1g -XX:+UseZGC"},
     NULL,
     "-Xmx768m -XX:+UseZGC"},
    {"a key wins over a synonym",
     {true, 768, 256, -1, -1, -1, -1, NULL, -1, -1, NULL},
     "-XX:MaxHeapSize=1g -XX:InitialHeapSize=1g",
     "-Xmx768m -Xms256m"},
    {"flags that only begin alike are kept",
     {true, -1, -1, 88, -1, -1, -1, NULL, -1, -1, NULL},
     "-XX:MaxMetaspaceSize=512m -XX:MetaspaceSize=1m",
     "-XX:MetaspaceSize=88m -XX:MaxMetaspaceSize=512m"},
    {"other keys leave the heap alone",
     {true, -1, -1, -1, 512, -1, -1, NULL, -1, -1, NULL},
     "-Xmx512m",
     "-XX:MaxMetaspaceSize=512m -Xmx512m"},
    {"options come after the environment", {true, ABSENT, "-XX:+UseZGC"}, "-XX:+UseG1GC", "-XX:+UseG1GC -XX:+UseZGC"},
    {"blank texts", {true, ABSENT, " "}, "\t", ""},
};

static void composes(void **state TASKFIT_UNUSED) {
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        TASKFIT_STRBUF(out);
        taskfit_java_options_compose(&rows[row].jvm, rows[row].given, &out);
        if (strcmp(out.data, rows[row].expected) != 0) {
            fail_msg("%s: '%s', not '%s'", rows[row].what, out.data, rows[row].expected);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(composes)};
    return RUN_TESTS(tests);
}
