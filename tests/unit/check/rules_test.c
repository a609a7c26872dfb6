#include "unit.h"

#include "base/file.h"
#include "check/findings.h"
#include "input/csv.h"
#include "parse.h"

#define FOLDER "tests/data/check/"

/* Findings of a file of tests/data/check, invalid or not. */
static taskfit_findings *check_file(const char *code, const char *suffix) {
    TASKFIT_STRBUF(path);
    TASKFIT_STRBUF(text);
    taskfit_error err = {0};
    taskfit_strbuf_printf(&path, FOLDER "%s%s.yaml", code, suffix);
    if (taskfit_file_read(path.data, 1 << 20, &text, &err) != TASKFIT_OK) {
        fail_msg("%s: %s", path.data, err.message);
    }
    taskfit_findings *findings = taskfit_findings_new();
    taskfit_parse_options options;
    taskfit_parse_options_init(&options);
    options.diag = taskfit_findings_add_defect;
    options.diag_arg = findings;
    taskfit_deployment *deployment = NULL;
    if (taskfit_deployment_parse(path.data, text.data, text.len, &options, &deployment, &err) == TASKFIT_OK) {
        taskfit_findings_add_deployment(findings, deployment);
        for (size_t i = 0; i < findings->n; i++) { /* texts of findings must not be the deployment's */
            assert_true(strlen(findings->items[i].message) > 0 && strlen(findings->items[i].fix) > 0);
        }
        taskfit_deployment_free(deployment);
    }
    return findings;
}

/* "JVM001 JVM004": codes of a service's container, sorted as found; container NULL: all. */
static void codes_of(const taskfit_findings *findings, const char *container, taskfit_strbuf *out) {
    for (size_t i = 0; i < findings->n; i++) {
        const taskfit_finding *finding = &findings->items[i];
        if (!container || (finding->container && strcmp(finding->container, container) == 0)) {
            taskfit_strbuf_printf(out, "%s%s", out->len > 0 ? " " : "", finding->rule->code);
        }
    }
}

static bool is_of_plans(const char *code) {
    static const char *const codes[] = {"ECS005", "ECS006",  "SPREAD003", "SPREAD004", "SPREAD005", "CPU001",
                                        "CPU002",   "GROUP001",  "GROUP002",  "GROUP003",  "VERIFY001", "LIMIT001",
                                        "SURV001"};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        if (strcmp(code, codes[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* CODE.yaml triggers the rule and no other one, CODE-not.yaml just does not. */
static void every_rule_has_a_file_that_triggers_it_and_one_that_just_does_not(void **state) {
    (void)state;
    size_t n = 0;
    const taskfit_rule *rules = taskfit_rules(&n);
    for (size_t r = 0; r < n; r++) {
        if (is_of_plans(rules[r].code)) {
            continue;
        }
        taskfit_findings *findings = check_file(rules[r].code, "");
        for (size_t i = 0; i < findings->n; i++) {
            assert_string_equal(findings->items[i].rule->code, rules[r].code);
        }
        if (findings->n == 0) {
            fail_msg("%s is not found in its file", rules[r].code);
        }
        taskfit_findings_free(findings);
        findings = check_file(rules[r].code, "-not");
        if (findings->n > 0) {
            fail_msg("%s-not.yaml: %s %s", rules[r].code, findings->items[0].rule->code, findings->items[0].message);
        }
        taskfit_findings_free(findings);
    }
}

static void codes_are_unique_and_every_rule_says_what_why_and_what_to_do(void **state) {
    (void)state;
    size_t n = 0;
    const taskfit_rule *rules = taskfit_rules(&n);
    for (size_t r = 0; r < n; r++) {
        assert_ptr_equal(taskfit_rule_find(rules[r].code), &rules[r]);
        assert_true(*rules[r].what && *rules[r].why && *rules[r].fix);
    }
    assert_null(taskfit_rule_find("JVM000"));
}

/* ---- figures of public deployments ---- */

static void add_flag(taskfit_strbuf *jvm, const char *key, const char *value) {
    if (*value) {
        taskfit_strbuf_printf(jvm, "%s%s: %s", jvm->len > 0 ? ", " : "", key, value);
    }
}

static void check_row(const taskfit_csv *csv, size_t row) {
    const char *cell[11];
    for (size_t c = 0; c < 11; c++) {
        cell[c] = taskfit_csv_at(csv, row, c)->text;
    }
    TASKFIT_STRBUF(jvm);
    add_flag(&jvm, "xmx", cell[4]);
    add_flag(&jvm, "xms", cell[5]);
    add_flag(&jvm, "metaspace", cell[6]);
    add_flag(&jvm, "maxMetaspace", cell[7]);
    add_flag(&jvm, "maxRamPercentage", cell[8]);
    const bool is_sidecar = strcmp(cell[1], "sidecar") == 0;
    taskfit_deployment *deployment = parse_deployment(
        "{taskfit: 1, cluster: {instanceGroups: [{name: main, types: [r7g.2xlarge]}]}, services: [{name: %s, %s memory: %s, %s%s%s jvm: "
        "{%s}}%s]}",
        cell[0], is_sidecar ? "memory: 512, sidecar: {" : "", cell[2], *cell[3] ? "memoryReservation: " : "", cell[3],
        *cell[3] ? "," : "", jvm.data, is_sidecar ? "}" : "");
    taskfit_findings *findings = taskfit_findings_new();
    taskfit_findings_add_deployment(findings, deployment);
    size_t n_expected = *cell[9] ? 1 : 0;
    for (const char *c = cell[9]; *c; c++) {
        n_expected += *c == ' ';
    }
    bool is_said = !*cell[10];
    for (size_t i = 0; i < findings->n; i++) {
        const taskfit_finding *finding = &findings->items[i];
        if (!strstr(cell[9], finding->rule->code)) {
            fail_msg("%s: %s %s is not expected", cell[0], finding->rule->code, finding->message);
        }
        assert_string_equal(finding->service, cell[0]);
        assert_string_equal(finding->container, is_sidecar ? "sidecar" : cell[0]);
        is_said = is_said || strstr(finding->message, cell[10]);
    }
    ASSERT_INT(findings->n, n_expected);
    assert_true(is_said);
    taskfit_findings_free(findings);
    taskfit_deployment_free(deployment);
}

static void public_deployments_have_the_findings_that_are_known_of_them(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    TASKFIT_STRBUF(text);
    taskfit_error err = {0};
    taskfit_csv csv;
    assert_int_equal(taskfit_file_read(FOLDER "jvm_cases.csv", 1 << 20, &text, &err), TASKFIT_OK);
    assert_int_equal(taskfit_csv_read(arena, "jvm_cases.csv", text.data, text.len, &csv, &err), TASKFIT_OK);
    ASSERT_INT(csv.n_columns, 11);
    ASSERT_INT(csv.n_rows, 12);
    for (size_t row = 0; row < csv.n_rows; row++) {
        check_row(&csv, row);
    }
    taskfit_arena_free(arena);
}

/* ---- single cases ---- */

#define HEAD "{taskfit: 1, cluster: {availabilityZones: [a, b], instanceGroups: [{name: main, types: [m6i.large]}]}, services: "

typedef struct one_case {
    const char *services, *codes;
    const char *message; /* that some finding says; NULL: any */
} one_case;

static void check_case(const one_case *row) {
    taskfit_deployment *deployment = parse_deployment(HEAD "%s}", row->services);
    taskfit_findings *findings = taskfit_findings_new();
    taskfit_findings_add_deployment(findings, deployment);
    TASKFIT_STRBUF(codes);
    codes_of(findings, NULL, &codes);
    if (strcmp(codes.data, row->codes) != 0) {
        fail_msg("%s has '%s', not '%s'", row->services, codes.data, row->codes);
    }
    bool is_said = !row->message;
    for (size_t i = 0; i < findings->n && !is_said; i++) {
        is_said = strstr(findings->items[i].message, row->message) || strstr(findings->items[i].fix, row->message);
    }
    if (!is_said) {
        fail_msg("%s: nothing says '%s' but '%s (%s)'", row->services, row->message, findings->items[0].message, findings->items[0].fix);
    }
    taskfit_findings_free(findings);
    taskfit_deployment_free(deployment);
}

static void findings_speak_of_what_is_there(void **state) {
    (void)state;
    static const one_case rows[] = {
        /* GovWifi/govwifi-terraform#1011: one task at 100 and 134 % */
        {"[{name: w, desiredCount: 1, memory: 512, deploymentConfiguration: {maximumPercent: 134, minimumHealthyPercent: 100}}]",
         "ROLL001 ECS013", "raise maximumPercent to 200 or lower minimumHealthyPercent to 0"},
        /* the developer guide's examples: 75 % of 2 lets none stop, 125 % of 3 none start */
        {"[{name: w, desiredCount: 2, memory: 512, deploymentConfiguration: {maximumPercent: 100, minimumHealthyPercent: 75}}]", "ROLL001",
         NULL},
        {"[{name: w, desiredCount: 3, memory: 512, deploymentConfiguration: {maximumPercent: 125, minimumHealthyPercent: 100}}]",
         "ROLL001", "3 tasks"},
        {"[{name: w, desiredCount: 4, memory: 512, deploymentConfiguration: {maximumPercent: 125, minimumHealthyPercent: 100}}]", "",
         NULL},
        {"[{name: w, desiredCount: 0, memory: 512, deploymentConfiguration: {maximumPercent: 100, minimumHealthyPercent: 100}}]", "",
         NULL},
        /* convox/rack#429 */
        {"[{name: w, desiredCount: 3, memory: 512, portMappings: [{containerPort: 8080, hostPort: 8080}]}]", "ECS009",
         "minimumHealthyPercent to 66, use dynamic host ports, or run 4 instances"},
        {"[{name: w, desiredCount: 3, memory: 512, portMappings: [{containerPort: 8080}]}]", "", NULL},
        /* DIAGNijmegen/rse-grand-challenge#4584 */
        {"[{name: w, desiredCount: 2, task: {memory: 2048}, containerDefinitions: [{name: a, memory: 1024, memoryReservation: 512}]}]",
         "ECS001", "task memory of 2048 MiB"},
        /* flags wherever they stand */
        {"[{name: w, desiredCount: 2, memory: 512, environment: [{name: JAVA_OPTIONS, value: '-Xmx600m'}]}]", "JVM001", "600"},
        {"[{name: w, desiredCount: 2, memory: 512, jvm: {options: '-Xmx600m -server'}}]", "JVM001", "600"},
        {"[{name: w, desiredCount: 2, memory: 512, jvm: {xmx: 700m}, environment: [{name: JAVA_OPTS, value: '-Xmx600m'}]}]", "JVM001", "700"},
        {"[{name: w, desiredCount: 2, memory: 512, environment: [{name: JAVA_HOME, value: '-Xmx600m'}]}]", "", NULL},
        /* what follows from a finding is not repeated */
        {"[{name: w, desiredCount: 2, memory: 512, memoryReservation: 256, jvm: {xmx: 512m, maxMetaspace: 400m}}]", "JVM001", NULL},
        {"[{name: w, desiredCount: 2, memory: 2048, memoryReservation: 256, jvm: {xmx: 600m, xms: 300m, maxMetaspace: 400m}}]", "JVM004",
         NULL},
        /* a default is no reason to raise the soft limit, a heap alone is */
        {"[{name: w, desiredCount: 2, memory: 2048, memoryReservation: 600, jvm: {xmx: 600m}}]", "", NULL},
        {"[{name: w, desiredCount: 2, memory: 2048, memoryReservation: 599, jvm: {xmx: 600m}}]", "JVM003", "a heap of 600 MiB exceeds"},
        {"[{name: w, desiredCount: 2, memory: 2048, memoryReservation: 600, jvm: {xmx: 600m, loadedClasses: 10}}]", "JVM003", "raise memoryReservation to 614"},
        /* without a hard limit nothing can be above it; the percentage has no base */
        {"[{name: w, desiredCount: 2, memoryReservation: 600, jvm: {xmx: 600m}}]", "ECS002", NULL},
        {"[{name: w, desiredCount: 2, memoryReservation: 600, jvm: {maxRamPercentage: 80}}]", "ECS002", NULL},
        {"[{name: w, desiredCount: 2, memoryReservation: 600, jvm: {metaspace: 80}}]", "ECS002 JVM008", "a quarter of the instance"},
        /* heap and metaspace alone */
        {"[{name: w, desiredCount: 2, memory: 1000, jvm: {xmx: 900m, maxMetaspace: 200m}}]", "JVM002", "exceed the hard limit of 1000"},
        /* silenced */
        {"[{name: w, desiredCount: 2, memory: 512, observed: {cpu: 300}, ignore: [{rule: ECS017, reason: at night}]}]", "ECS017", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_case(&rows[i]);
    }
}

static void ignored_findings_are_kept_with_their_reason_and_do_not_count(void **state) {
    (void)state;
    taskfit_deployment *deployment =
        parse_deployment(HEAD "[{name: w, desiredCount: 2, memoryReservation: 512, observed: {cpu: 300}, ignore: [{rule: ECS017, reason: "
                              "at night}, {rule: ECS002, reason: trusted}]}, {name: x, desiredCount: 2, memoryReservation: 512}]}");
    taskfit_findings *findings = taskfit_findings_new();
    taskfit_findings_add_deployment(findings, deployment);
    ASSERT_INT(findings->n, 3);
    ASSERT_INT(taskfit_findings_count(findings, TASKFIT_SEVERITY_WARNING), 1);
    ASSERT_INT(taskfit_findings_count(findings, TASKFIT_SEVERITY_ERROR), 0);
    size_t n = 0;
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_warning *warnings = taskfit_findings_warnings(findings, arena, &n);
    ASSERT_INT(n, 1);
    assert_string_equal(warnings[0].code, "ECS002");
    assert_string_equal(warnings[0].service, "x");
    taskfit_arena_free(arena);
    taskfit_findings_free(findings);
    taskfit_deployment_free(deployment);
}

/* Refused with exit 3 elsewhere, each with its remedy: what ECS refuses. */
static void what_the_reader_refuses_is_an_error_with_its_remedy(void **state) {
    (void)state;
    static const struct {
        const char *container, *message, *fix;
    } rows[] = {
        {"{name: a, memory: 512, memoryReservation: 0}", "ECS refuses a reservation of 0", "leave it out or reserve at least 1 MiB"},
        {"{name: a, memory: 5}", "5 MiB is too little to start a container", "at least 6"},
        {"{name: a, memory: 512, memoryReservation: 513}", "513 MiB is above the hard limit of 512 MiB", "lower it or raise 'memory'"},
        {"{name: a}", "container 'a' has neither memory nor memoryReservation", "ECS needs one of them, or task.memory"},
        {"{name: a, memory: 6}, {name: b, memory: 6}, {name: c, memory: 6}, {name: d, memory: 6}, {name: e, memory: 6}, {name: f, memory: "
         "6}, {name: g, memory: 6}, {name: h, memory: 6}, {name: i, memory: 6}, {name: j, memory: 6}, {name: k, memory: 6}",
         "11 containers", "10"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        TASKFIT_STRBUF(text);
        taskfit_strbuf_printf(&text, HEAD "[{name: w, containerDefinitions: [%s]}]}", rows[i].container);
        taskfit_findings *findings = taskfit_findings_new();
        taskfit_parse_options options;
        taskfit_parse_options_init(&options);
        options.diag = taskfit_findings_add_defect;
        options.diag_arg = findings;
        taskfit_deployment *deployment = NULL;
        assert_int_equal(taskfit_deployment_parse("w.yaml", text.data, text.len, &options, &deployment, NULL), TASKFIT_E_INPUT);
        ASSERT_INT(findings->n, 1);
        ASSERT_INT(taskfit_findings_count(findings, TASKFIT_SEVERITY_ERROR), 1);
        assert_string_equal(findings->items[0].rule->code, "INPUT001");
        if (!strstr(findings->items[0].message, rows[i].message) || !strstr(findings->items[0].fix, rows[i].fix)) {
            fail_msg("'%s' (%s)", findings->items[0].message, findings->items[0].fix);
        }
        taskfit_findings_free(findings);
    }
}

static void defects_split_at_their_last_remedy_only(void **state) {
    (void)state;
    static const char *const rows[][3] = {
        {"a: b (c)", "a: b", "c"},
        {"a (b) c (d (e))", "a (b) c", "d (e)"},
        {"a (b) c", "a (b) c", NULL},
        {"(all)", "(all)", NULL},
        {"unpaired)", "unpaired)", NULL},
        {"", "", NULL},
    };
    taskfit_findings *findings = taskfit_findings_new();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        taskfit_findings_add_defect(findings, rows[i][0]);
        assert_string_equal(findings->items[i].message, rows[i][1]);
        assert_string_equal(findings->items[i].fix, rows[i][2] ? rows[i][2] : taskfit_rule_find("INPUT001")->fix);
    }
    taskfit_findings_free(findings);
}

static void warnings_of_a_plan_are_added_where_nothing_said_them(void **state) {
    (void)state;
    static const taskfit_warning warnings[] = {
        {"CPU001", NULL, "hot (cool it)"}, {"INPUT001", NULL, "again"}, {"NEW001", "w", "of another version"}};
    taskfit_findings *findings = taskfit_findings_new();
    taskfit_findings_add_defect(findings, "broken");
    taskfit_findings_add_warnings(findings, warnings, 3);
    ASSERT_INT(findings->n, 3);
    assert_string_equal(findings->items[1].fix, "cool it");
    assert_string_equal(findings->items[2].rule->code, "NEW001");
    assert_string_equal(findings->items[2].service, "w");
    taskfit_findings_free(findings);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule_has_a_file_that_triggers_it_and_one_that_just_does_not),
        cmocka_unit_test(codes_are_unique_and_every_rule_says_what_why_and_what_to_do),
        cmocka_unit_test(public_deployments_have_the_findings_that_are_known_of_them),
        cmocka_unit_test(findings_speak_of_what_is_there),
        cmocka_unit_test(ignored_findings_are_kept_with_their_reason_and_do_not_count),
        cmocka_unit_test(what_the_reader_refuses_is_an_error_with_its_remedy),
        cmocka_unit_test(defects_split_at_their_last_remedy_only),
        cmocka_unit_test(warnings_of_a_plan_are_added_where_nothing_said_them),
    };
    return RUN_TESTS(tests);
}
