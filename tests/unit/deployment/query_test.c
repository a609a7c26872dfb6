#include "unit.h"

#include "deployment/query.h"

static const taskfit_attribute own[] = {
    {"ecs.instance-type", "m5.2xlarge"}, {"ecs.availability-zone", "us-east-1a"}, {"ecs.cpu-architecture", "x86_64"},
    {"ecs.os-type", "linux"},
};
static const taskfit_attribute given[] = {
    {"stack", "prod"}, {"generation", "12"}, {"note", "two words"}, {"empty", ""}, {"agentVersion", "1.14.5"},
    {"registeredAt", "2018-06-18T22:28:28Z"}, {"ecs.instance-type", "never seen: the first list counts"}, {"long",
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
};
static const taskfit_attributes group_list = {given, sizeof given / sizeof *given, NULL};
static const taskfit_attributes all = {own, sizeof own / sizeof *own, &group_list};

static void operators(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool holds;
    } row[] = {
        /* equality, in symbols and words, quoted and not, with and without blanks */
        {"attribute:ecs.instance-type == m5.2xlarge", true},
        {"attribute:ecs.instance-type==m5.2xlarge", true},
        {"attribute:ecs.instance-type == 'm5.2xlarge'", true},
        {"attribute:ecs.instance-type equals \"m5.2xlarge\"", true},
        {"attribute:ecs.instance-type == m5.2XLARGE", false},
        {"attribute:note == 'two words'", true},
        {"attribute:note == \"two words\"", true},
        {"attribute:empty == ''", true},
        {"attribute:stack != prod", false},
        {"attribute:stack != test", true},
        {"attribute:stack not_equals test", true},
        {"  attribute:stack\t==\n prod  ", true},
        /* lists */
        {"attribute:ecs.availability-zone in [us-east-1a, us-east-1b]", true},
        {"attribute:ecs.availability-zone in [us-east-1b,us-east-1c]", false},
        {"attribute:ecs.availability-zone in['us-east-1a']", true},
        {"attribute:ecs.availability-zone !in [us-east-1a]", false},
        {"attribute:ecs.availability-zone not_in [us-east-1b]", true},
        {"attribute:note in ['one word', 'two words']", true},
        /* order: numbers as numbers, versions, dates, words */
        {"attribute:generation > 9", true},
        {"attribute:generation > 12", false},
        {"attribute:generation >= 12", true},
        {"attribute:generation >= 012", true},
        {"attribute:generation < 100", true},
        {"attribute:generation <= 11", false},
        {"attribute:generation greater_than 11", true},
        {"attribute:generation greater_than_equal 13", false},
        {"attribute:generation less_than 13", true},
        {"attribute:generation less_than_equal 12", true},
        {"attribute:generation>9", true},
        {"attribute:generation>=12", true},
        {"agentVersion < 1.14.10", true},
        {"agentVersion < 1.14", false},
        {"agentVersion >= 1.9.0", true},
        {"registeredAt < 2018-06-19", true},
        {"registeredAt < 2018-02-13", false},
        {"attribute:stack > prod", false},
        {"attribute:stack > prob", true},
        /* existence */
        {"attribute:stack exists", true},
        {"attribute:stack !exists", false},
        {"attribute:stack not_exists", false},
        {"attribute:colour exists", false},
        {"attribute:colour !exists", true},
        {"attribute:empty exists", true},
        /* patterns match the whole value */
        {"attribute:ecs.instance-type =~ m5.*", true},
        {"attribute:ecs.instance-type =~ m5", false},
        {"attribute:ecs.instance-type =~ 2xlarge", false},
        {"attribute:ecs.instance-type =~ .*2xlarge", true},
        {"attribute:ecs.instance-type matches [mr]5\\.2?xlarge", true},
        {"attribute:ecs.instance-type =~ m|m5.2xlarge", true},
        {"attribute:ecs.instance-type =~ (c5|m5)\\.(2|4)xlarge", true},
        {"(attribute:ecs.instance-type =~ (c5|m5).*)", true},
        {"attribute:ecs.instance-type =~ 'm5 ?.*'", true},
        {"attribute:ecs.instance-type !~ m5.*", false},
        {"attribute:ecs.instance-type not_matches t3.*", true},
        {"attribute:note =~ \"two (words|letters)\"", true},
        /* a missing attribute: the negative operators alone hold */
        {"attribute:colour == red", false},
        {"attribute:colour != red", true},
        {"attribute:colour in [red]", false},
        {"attribute:colour !in [red]", true},
        {"attribute:colour > 1", false},
        {"attribute:colour <= 1", false},
        {"attribute:colour =~ .*", false},
        {"attribute:colour !~ .*", true},
        {"runningTasksCount == 0", true}, /* nobody gave it: it may be so, */
        {"not (runningTasksCount == 0)", true},
        {"runningTasksCount == 0 and attribute:none exists", false}, /* or may not whatever it is */
        {"not (runningTasksCount == 0 or attribute:none !exists)", false},
        /* not before and before or; parentheses */
        {"attribute:stack == prod and attribute:generation > 20 or attribute:stack == prod", true},
        {"attribute:stack == prod and (attribute:generation > 20 or attribute:stack == test)", false},
        {"attribute:stack == prod or attribute:stack == a and attribute:stack == b", true},
        {"attribute:stack == prod || attribute:stack == a && attribute:stack == b", true},
        {"attribute:stack==test||attribute:stack==prod&&attribute:generation==12", true},
        {"not attribute:stack == test and attribute:stack == prod", true},
        {"not attribute:stack == prod or attribute:stack == prod", true},
        {"not(attribute:stack == prod or attribute:stack == prod)", false},
        {"!(attribute:stack == prod)", false},
        {"!attribute:stack == test", true},
        {"not not attribute:stack == prod", true},
        {"((attribute:stack == prod))", true},
        {"!(attribute:stack exists) or attribute:ecs.os-type == linux", true},
        /* groups: absence is given */
        {"not(task:group == service:mod-a)", true},
        {"task:group != service:mod-a and attribute:stack == prod", true},
        {"task:group !in [service:mod-a, service:mod-b]", true},
        {"not(task:group == database)", true},
    };
    taskfit_arena *arena = taskfit_arena_new();
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        const taskfit_query *query = NULL;
        taskfit_error err = {0};
        if (taskfit_query_compile(arena, row[r].text, &query, &err) != TASKFIT_OK) {
            fail_msg("%s: %s", row[r].text, err.message);
            break;
        }
        bool holds = !row[r].holds;
        assert_int_equal(taskfit_query_holds(query, &all, &holds, &err), TASKFIT_OK);
        if (holds != row[r].holds) {
            fail_msg("%s: %s", row[r].text, holds ? "holds" : "does not hold");
        }
    }
    taskfit_arena_free(arena);
}

static void what_does_not_compile(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } row[] = {
        {"", "a subject such as attribute:NAME is missing at the end of the expression"},
        {"attribute:a", "an operator (==, !=, >, >=, <, <=, exists, !exists, in, !in, =~, !~) is missing at the end of the expression"},
        {"attribute:a = b", "an operator (==, !=, >, >=, <, <=, exists, !exists, in, !in, =~, !~) is missing at character 13, before '='"},
        {"attribute:a like b", "an operator (==, !=, >, >=, <, <=, exists, !exists, in, !in, =~, !~) is missing at character 13, "
                               "before 'like'"},
        {"attribute:a ==", "an argument is missing at the end of the expression"},
        {"(attribute:a == )", "an argument is missing at character 17, before ')'"},
        {"attribute:a == 'b", "a quoted text that does not end at character 16, before '''"},
        {"attribute:a == b(c)", "a parenthesis in an argument (put the argument in quotes) at character 17, before '('"},
        {"attribute:a in b", "a list such as [a, b] is missing at character 16, before 'b'"},
        {"attribute:a in []", "an argument is missing at character 17, before ']'"},
        {"attribute:a in [b", "a list that does not end with ] at the end of the expression"},
        {"attribute:a in [b c]", "a list that does not end with ] at character 19, before 'c'"},
        {"attribute: == b", "'' is no name of an attribute (1 to 128 letters, digits, - _ . / \\)"},
        {"attribute:a:b == c", "'a:b' is no name of an attribute (1 to 128 letters, digits, - _ . / \\)"},
        {"ecs.instance-type == m5.large", "unknown subject 'ecs.instance-type' (an attribute is written attribute:ecs.instance-type)"},
        {"runningTasksCount =~ 1", "'matches' does not go with runningTasksCount"},
        {"agentConnected > true", "'greater_than' does not go with agentConnected"},
        {"(attribute:a == b", "a ) is missing at the end of the expression"},
        {"attribute:a == b)", "'and', 'or' or the end is missing at character 17, before ')'"},
        {"attribute:a == b attribute:c == d", "'and', 'or' or the end is missing at character 18, before 'attribute:c'"},
        {"attribute:a == b and", "a subject such as attribute:NAME is missing at the end of the expression"},
        {"attribute:a == b AND attribute:c == d", "'and', 'or' or the end is missing at character 18, before 'AND'"},
        {"attribute:a =~ m5.[", "bad regular expression 'm5.[' at its character 5: missing terminating ] for character class"},
        {"attribute:a =~ [a-z&&[^b]]", "a class within a class or '&&' in '[a-z&&[^b]]' is not supported (list the characters)"},
        {"attribute:a =~ [a[bc]]", "a class within a class or '&&' in '[a[bc]]' is not supported (list the characters)"},
        {"task:group == service:mod-a", "task:group == service:mod-a cannot be planned: it depends on which task comes first (use "
                                        "attributes of instance groups; only absence, as in not(task:group == service:NAME), is a rule)"},
        {"not(task:group != service:mod-a)", "task:group == service:mod-a cannot be planned: it depends on which task comes first "
                                             "(use attributes of instance groups; only absence, as in not(task:group == service:NAME), "
                                             "is a rule)"},
        {"task:group =~ service:.*", "only ==, !=, in and !in can be planned for task:group"},
        {"task:group exists", "only ==, !=, in and !in can be planned for task:group"},
        {"attribute:a == b or task:group != service:x", "absence of task:group service:x as one of several alternatives cannot be "
                                                        "planned (demand it on its own)"},
        {"not(attribute:a == b and task:group == service:x)", "absence of task:group service:x as one of several alternatives cannot "
                                                              "be planned (demand it on its own)"},
    };
    taskfit_arena *arena = taskfit_arena_new();
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        const taskfit_query *query = NULL;
        taskfit_error err = {0};
        if (taskfit_query_compile(arena, row[r].text, &query, &err) != TASKFIT_E_INPUT) {
            fail_msg("%s compiles", row[r].text);
        }
        assert_string_equal(err.message, row[r].message);
        assert_null(query);
    }
    taskfit_arena_free(arena);
}

static void conflicts_with_services(void **state) {
    (void)state;
    static const struct {
        const char *text, *names; /* joined by blanks */
    } row[] = {
        {"attribute:stack == prod", ""},
        {"not(task:group == service:mod-a)", "mod-a"},
        {"!(task:group == service:mod-a)", "mod-a"},
        {"task:group != service:mod-a", "mod-a"},
        {"task:group !in [service:z, service:a, service:z]", "a z"},
        {"not(task:group in [service:b, service:a])", "a b"},
        {"not(task:group == service:b) and (attribute:stack exists and task:group != service:a)", "a b"},
        {"not(task:group == service:b or task:group == service:a)", "a b"},
        {"not(not(task:group != service:b))", "b"},
        {"not(task:group == database)", ""},
    };
    taskfit_arena *arena = taskfit_arena_new();
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        const taskfit_query *query = NULL;
        taskfit_error err = {0};
        if (taskfit_query_compile(arena, row[r].text, &query, &err) != TASKFIT_OK) {
            fail_msg("%s: %s", row[r].text, err.message);
            break;
        }
        size_t n = 0;
        const char *const *names = taskfit_query_conflicts(query, &n);
        char joined[100] = "";
        for (size_t i = 0; i < n; i++) {
            strcat(strcat(joined, i > 0 ? " " : ""), names[i]);
        }
        assert_string_equal(joined, row[r].names);
    }
    taskfit_arena_free(arena);
}

static void what_a_plan_cannot_know(void **state) {
    (void)state;
    static const struct {
        const char *text, *unknown;
    } row[] = {
        {"attribute:ecs.instance-type == m5.large", NULL},
        {"attribute:colour == red", NULL}, /* the user's own may be missing */
        {"attribute:stack == prod and attribute:ecs.ami-id == ami-1", "ecs.ami-id"},
        {"attribute:ecs.subnet-id !exists or attribute:ecs.vpc-id exists", "ecs.subnet-id"},
        {"attribute:com.amazonaws.ecs.capability.privileged-container exists", "com.amazonaws.ecs.capability.privileged-container"},
        {"runningTasksCount < 5", "runningTasksCount"},
        {"ec2InstanceId in ['i-1', 'i-2']", "ec2InstanceId"},
        {"agentVersion > 1", NULL}, /* given by the group */
        {"not(task:group == service:mod-a)", NULL},
    };
    taskfit_arena *arena = taskfit_arena_new();
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        const taskfit_query *query = NULL;
        assert_int_equal(taskfit_query_compile(arena, row[r].text, &query, NULL), TASKFIT_OK);
        const char *unknown = taskfit_query_unknown(query, &all);
        assert_string_equal(unknown ? unknown : "-", row[r].unknown ? row[r].unknown : "-");
    }
    taskfit_arena_free(arena);
}

static void length_and_depth_are_bounded(void **state) {
    (void)state;
    enum { ROOM = TASKFIT_QUERY_MAX + 100 };
    static char text[ROOM];
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_query *query = NULL;
    taskfit_error err = {0};
    const char start[] = "attribute:stack == ";
    memset(text, 'x', sizeof text);
    memcpy(text, start, sizeof start - 1);
    text[TASKFIT_QUERY_MAX] = '\0';
    assert_int_equal(taskfit_query_compile(arena, text, &query, &err), TASKFIT_OK);
    text[TASKFIT_QUERY_MAX] = 'x';
    text[TASKFIT_QUERY_MAX + 1] = '\0';
    assert_int_equal(taskfit_query_compile(arena, text, &query, &err), TASKFIT_E_INPUT);
    assert_string_equal(err.message, "the expression has 2001 characters (at most 2000)");
    err = (taskfit_error){0};
    memset(text, '(', TASKFIT_QUERY_MAX);
    text[TASKFIT_QUERY_MAX] = '\0';
    assert_int_equal(taskfit_query_compile(arena, text, &query, &err), TASKFIT_E_INPUT);
    assert_non_null(strstr(err.message, "nested too deeply"));
    memset(text, '!', TASKFIT_QUERY_MAX); /* no depth in it */
    assert_int_equal(taskfit_query_compile(arena, text, &query, &err), TASKFIT_E_INPUT);
    taskfit_arena_free(arena);
}

static void a_runaway_pattern_is_an_error(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_query *query = NULL;
    taskfit_error err = {0};
    assert_int_equal(taskfit_query_compile(arena, "attribute:long =~ (a|aa)+[bc]", &query, &err), TASKFIT_OK);
    bool holds = false;
    assert_int_equal(taskfit_query_holds(query, &all, &holds, &err), TASKFIT_E_INPUT);
    assert_non_null(strstr(err.message, "match limit exceeded (write a simpler one)"));
    taskfit_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators),
        cmocka_unit_test(what_does_not_compile),
        cmocka_unit_test(conflicts_with_services),
        cmocka_unit_test(what_a_plan_cannot_know),
        cmocka_unit_test(length_and_depth_are_bounded),
        cmocka_unit_test(a_runaway_pattern_is_an_error),
    };
    return RUN_TESTS(tests);
}
