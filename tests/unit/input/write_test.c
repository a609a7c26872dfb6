/* Both writers: what they write, and that it reads back as the same tree. */
#include "unit.h"

#include "in_arena.h"

static void json_layout(void **state) {
    (void)state;
    static const struct {
        const char *yaml;
        const char *json;
    } rows[] = {
        {"{}", "{\n}\n"},
        {"[]", "[]\n"},
        {"a: [1, x, '1', true, 'true', null]", "{\n\t\"a\":\t[1, \"x\", \"1\", true, \"true\", null]\n}\n"},
        {"[~, Null, '', 'null']", "[null, null, \"\", \"null\"]\n"},
        {"[yes, no, True, 0x1, 010, 1_000, 1., .5, +1]",
         "[\"yes\", \"no\", \"True\", \"0x1\", \"010\", \"1_000\", \"1.\", \".5\", \"+1\"]\n"},
        {"[0.428400, 1000000000000000, 123456789012345678901, 1e3, -0.5]",
         "[0.428400, 1000000000000000, 123456789012345678901, 1e3, -0.5]\n"},
        {"\"é\\n\\t\\\"\\\\/\\x01\"", "\"é\\n\\t\\\"\\\\/\\u0001\"\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        TASKFIT_STRBUF(out);
        taskfit_node_write_json(yaml(rows[i].yaml), &out);
        assert_string_equal(out.data, rows[i].json);
    }
}

static void yaml_layout(void **state) {
    (void)state;
    static const char text[] = "name: mod-users\n"
                               "memory: 512Mi\n"
                               "cpu: 0.5 vCPU\n"
                               "count: 2\n"
                               "price: 0.428400\n"
                               "flag: true\n"
                               "nothing: null\n"
                               "empty: {}\n"
                               "none: []\n"
                               "image: folioorg/mod-users:19.4.1\n"
                               "ports:\n"
                               "- containerPort: 8080\n"
                               "  protocol: tcp\n"
                               "- - 1\n"
                               "  - '1'\n"
                               "options: -Xmx180m -XX:+UseG1GC -Dfile.encoding=UTF-8 -Dcom.sun.management.jmxremote=true -Dnothing=${x}\n"
                               "text: \"two\\nlines\"\n";
    TASKFIT_STRBUF(out);
    taskfit_node_write_yaml(yaml(text), &out);
    assert_string_equal(out.data, text);
}

/* Strings that YAML 1.1 or 1.2 takes for something else, or that need quotes for their punctuation. */
static const char *const strings[] = {
    "", "~", "null", "Null", "NULL", "nUll", "true", "True", "TRUE", "false", "yes", "Yes", "YES", "no", "No", "NO", "on",
    "On", "off", "OFF", "y", "Y", "n", "N", "<<", "=", "0", "1", "-1", "+1", "1.10", "2.0.14", ".5", "1.", "1e3", "1E+3",
    "-1.5e-7", "012", "0o12", "0x1", "0xFF", "0b101", "1_000", "1,000", "190:20:30", "20:30", "1:30.5", ".inf", "-.Inf",
    "+.INF", ".nan", ".NaN", "2001-12-14", "2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43", "2001-12-15T02:59:43.1Z",
    "-", "--", "---", "...", "- a", "-a", "? a", "?", ":", ": a", "a: b", "a:", "a:b", "# a", "a # b", "a#b", "#", "&a", "*a",
    "!a", "! a", "|", ">", "'", "\"", "it's", "%a", "@a", "`a", "[", "]", "{", "}", "[a]", "{a}", ",", "a,b", " a", "a ",
    "\ta", "a\t", " ", "\n", "a\n", "\na", "a\nb", "a\n\nb\n\n", "a\r\nb", "a\rb", "a\xc2\x85" "b", "a\xe2\x80\xa8" "b",
    "a\xe2\x80\xa9" "b", "\xef\xbb\xbf" "a", "a\xef\xbb\xbf", "\x7f", "\x01", "\xc2\x80", "é", "日本", "\xf0\x9f\x98\x80",
    "\xef\xbf\xbe", "\\", "a\\nb", "C:\\x", "${x}", "$a", "512", "512Mi", "180m", "0.5 vCPU", "r7g.2xlarge", "us-east-1a",
    "attribute:ecs.instance-type =~ r7g.*", "memberOf(task:group == service:x)", "10.0.0.1", "10.0.0.0/8", "key with spaces",
    "a  b", "a\tb", "null ", "\"null\"", "null\n",
};

static taskfit_node *all_strings(void) {
    taskfit_node *map = taskfit_node_map(arena);
    taskfit_node *list = taskfit_node_list(arena);
    for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++) {
        taskfit_node *value = taskfit_node_string(arena, strings[i]);
        taskfit_node_set(arena, map, strings[i], value);
        taskfit_node_append(arena, list, value);
    }
    taskfit_node_set(arena, map, "list", list);
    return map;
}

static void strings_survive_yaml(void **state) {
    (void)state;
    taskfit_node *root = all_strings();
    taskfit_node *nested = taskfit_node_list(arena);
    taskfit_node_append(arena, nested, root);
    TASKFIT_STRBUF(out);
    taskfit_node_write_yaml(nested, &out);
    const taskfit_node *back = yaml(out.data)->items[0];
    ASSERT_INT(back->n, root->n);
    for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++) {
        assert_string_equal(back->entries[i].key, strings[i]);
        const taskfit_node *value = back->entries[i].value;
        assert_string_equal(value->text, strings[i]);
        assert_string_equal(taskfit_node_get(back, "list")->items[i]->text, strings[i]);
        /* Nothing that JSON's grammar takes for a value may stand there without quotes. */
        TASKFIT_STRBUF(as_json);
        taskfit_node_write_json(value, &as_json);
        assert_int_equal(as_json.data[0], '"');
        /* As the root too. */
        TASKFIT_STRBUF(alone);
        taskfit_node_write_yaml(root->entries[i].value, &alone);
        assert_string_equal(yaml(alone.data)->text, strings[i]);
    }
}

static void words_and_numbers_are_quoted(void **state) {
    (void)state;
    static const struct {
        const char *text;
        const char *yaml;
    } rows[] = {
        {"no", "'no'\n"},         {"1.10", "'1.10'\n"}, {"0x1", "'0x1'\n"},     {"~", "'~'\n"},
        {"1e3", "'1e3'\n"},       {"012", "'012'\n"},   {" a", "' a'\n"},       {"2001-12-14", "'2001-12-14'\n"},
        {"20:30", "'20:30'\n"},   {"", "''\n"},         {"it's: x", "'it''s: x'\n"},
        {"a\nb", "\"a\\nb\"\n"}, {"=", "'='\n"},       {"1_000", "'1_000'\n"}, {".NaN", "'.NaN'\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        TASKFIT_STRBUF(out);
        taskfit_node_write_yaml(taskfit_node_string(arena, rows[i].text), &out);
        assert_string_equal(out.data, rows[i].yaml);
    }
}

static void strings_survive_json(void **state) {
    (void)state;
    taskfit_node *root = all_strings();
    TASKFIT_STRBUF(out);
    taskfit_node_write_json(root, &out);
    assert_true(taskfit_node_equal(json(out.data), root));
}

static void plain_values_survive_both(void **state) {
    (void)state;
    taskfit_node *root = taskfit_node_list(arena);
    taskfit_node_append(arena, root, taskfit_node_int(arena, INT64_MIN));
    taskfit_node_append(arena, root, taskfit_node_int(arena, INT64_MAX));
    taskfit_node_append(arena, root, taskfit_node_int(arena, INT64_C(1000000000000000)));
    taskfit_node_append(arena, root, taskfit_node_plain(arena, "0.0312"));
    taskfit_node_append(arena, root, taskfit_node_bool(arena, true));
    taskfit_node_append(arena, root, taskfit_node_bool(arena, false));
    taskfit_node_append(arena, root, taskfit_node_null(arena));
    taskfit_node_append(arena, root, taskfit_node_string(arena, NULL));
    taskfit_node_append(arena, root, taskfit_node_map(arena));
    taskfit_node_append(arena, root, taskfit_node_list(arena));
    TASKFIT_STRBUF(as_json);
    taskfit_node_write_json(root, &as_json);
    assert_true(taskfit_node_equal(json(as_json.data), root));
    TASKFIT_STRBUF(as_yaml);
    taskfit_node_write_yaml(root, &as_yaml);
    assert_true(taskfit_node_equal(yaml(as_yaml.data), root));
}

static void bytes_that_are_not_utf8_are_replaced(void **state) {
    (void)state;
    taskfit_node *map = taskfit_node_map(arena);
    taskfit_node_set(arena, map, "k\xff", taskfit_node_string(arena, "\xc3(\xed\xa0\x80" "b\xc3"));
    TASKFIT_STRBUF(out);
    taskfit_node_write_yaml(map, &out);
    assert_string_equal(out.data, "k\xef\xbf\xbd: \xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" "b\xef\xbf\xbd\n");
    TASKFIT_STRBUF(as_json);
    taskfit_node_write_json(map, &as_json);
    assert_true(taskfit_node_equal(json(as_json.data), map));
}

static void writers_append(void **state) {
    (void)state;
    TASKFIT_STRBUF(out);
    taskfit_strbuf_adds(&out, "# made\n");
    taskfit_node_write_yaml(yaml("a: 1"), &out);
    taskfit_node_write_json(yaml("[1]"), &out);
    assert_string_equal(out.data, "# made\na: 1\n[1]\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_ARENA(json_layout),
        IN_ARENA(yaml_layout),
        IN_ARENA(strings_survive_yaml),
        IN_ARENA(words_and_numbers_are_quoted),
        IN_ARENA(strings_survive_json),
        IN_ARENA(plain_values_survive_both),
        IN_ARENA(bytes_that_are_not_utf8_are_replaced),
        IN_ARENA(writers_append),
    };
    return RUN_TESTS(tests);
}
