#include "unit.h"

#include <time.h>

#include "in_arena.h"

static taskfit_error err;

static taskfit_node *read_bytes(const char *data, size_t len) {
    return read_tree(taskfit_node_read_json, "a.json", data, len, &err);
}

static taskfit_node *read_text(const char *text) {
    return read_bytes(text, strlen(text));
}

static void keeps_text_and_order(void **state) {
    (void)state;
    const taskfit_node *root = read_text(" {\"b\": [1, \"1\", {}, []], \"a\": {\"B\": true, \"b\": null}, \"\": false}\n");
    assert_non_null(root);
    ASSERT_INT(root->kind, TASKFIT_NODE_MAP);
    ASSERT_INT(root->n, 3);
    assert_string_equal(root->entries[0].key, "b");
    const taskfit_node *list = root->entries[0].value;
    ASSERT_INT(list->n, 4);
    assert_false(list->items[0]->quoted);
    assert_true(list->items[1]->quoted);
    assert_string_equal(list->items[1]->text, "1");
    ASSERT_INT(list->items[2]->kind, TASKFIT_NODE_MAP);
    ASSERT_INT(list->items[3]->kind, TASKFIT_NODE_LIST);
    const taskfit_node *map = taskfit_node_get(root, "a");
    assert_string_equal(taskfit_node_get(map, "B")->text, "true");
    assert_true(taskfit_node_is_null(taskfit_node_get(map, "b")));
    assert_string_equal(taskfit_node_get(root, "")->text, "false");
    assert_string_equal(list->position.file, "a.json");
    ASSERT_INT(list->position.line, 0);
    assert_string_equal(root->entries[0].key_position.file, "a.json");
}

static void scalars(void **state) {
    (void)state;
    static const struct {
        const char *json;
        const char *text;
        bool quoted;
    } rows[] = {
        {"0", "0", false},
        {"512", "512", false},
        {"-3", "-3", false},
        {"2147483648", "2147483648", false},
        {"9007199254740993", "9007199254740993", false},
        {"123456789012345678901234567890", "123456789012345678901234567890", false},
        {"1e3", "1000", false},
        {"2.0", "2", false},
        {"9007199254740992.0", "9007199254740992", false},
        {"1e17", "1e17", false},
        {"0.4284", "0.4284", false},
        {"0.10", "0.10", false},
        {"1E-7", "1E-7", false},
        {"1.5e+09", "1500000000", false},
        {"1e99", "1e99", false},
        {"100000000000000000000000000000000000000000000000000000000000000", "100000000000000000000000000000000000000000000000000000000000000", false},
        {"\"\"", "", true},
        {"\"null\"", "null", true},
        {"\"\\u00e9\\n\\/\\\"\\\\\"", "é\n/\"\\", true},
        {"\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80", true},
        {"\xef\xbb\xbf\"x\"", "x", true},
        {"\t\r\n \"x\" \t\r\n", "x", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const taskfit_node *node = read_text(rows[i].json);
        assert_non_null(node);
        assert_string_equal(node->text, rows[i].text);
        assert_int_equal(node->quoted, rows[i].quoted);
        ASSERT_INT(node->n, strlen(node->text));
    }
}

static void refuses(void **state) {
    (void)state;
    static const struct {
        const char *text;
        const char *where;
        const char *message; /* what it starts with */
    } rows[] = {
        {"", "a.json", "the file is empty"},
        {"\xef\xbb\xbf", "a.json", "the file is empty"},
        {"01", "a.json:1:1", "not JSON: '01' is not a number"},
        {"[1,\n 1.]", "a.json:2:2", "not JSON: '1.' is not a number"},
        {"-", "a.json:1:1", "not JSON: '-' is not a number"},
        {"1e", "a.json:1:1", "not JSON: '1e' is not a number"},
        {"1-2", "a.json:1:1", "not JSON: '1-2' is not a number"},
        {"[.5]", "a.json:1:2", "not JSON: unexpected text"},
        {"[+1]", "a.json:1:2", "not JSON: unexpected text"},
        {"1e400", "a.json:1:1", "number '1e400' is out of range"},
        {"[1, -1e999]", "a.json:1:5", "number '-1e999' is out of range"},
        {"[1000000000000000000000000000000000000000000000000000000000000000]", "a.json:1:2", "number '1000000000000000000000000000000000000000000000000000000000000000' is out of range"},
        {"\"a\tb\"", "a.json:1:3", "not JSON: a control character in a string (write it as \\u0009)"},
        {"\"a\nb\"", "a.json:1:3", "not JSON: a control character in a string (write it as \\u000a)"},
        {"[\x01" "1]", "a.json:1:2", "not JSON: a control character"},
        {"\"\\u0000z\"", "a.json:1:2", "a NUL character in a text"},
        {"\"\\uZZZZ\"", "a.json:1:2", "not JSON: \\u without four hexadecimal digits"},
        {"\"\\u12\"", "a.json:1:2", "not JSON: \\u without four hexadecimal digits"},
        {"\"\\x\"", "a.json:1:2", "not JSON: unexpected text"},
        {"\"\\ud800\"", "a.json:1:2", "not JSON: unexpected text"},
        {"\"\\", "a.json:1:1", "not JSON: a string without an end"},
        {"{\"a\": \"\xff\"}", "a.json:1:8", "not UTF-8"},
        {"[\"\xc3\xa9\", \"\xc0\x80\"]", "a.json:1:8", "not UTF-8"},
        {"\"\xed\xa0\x80\"", "a.json:1:2", "not UTF-8"},
        {"[1] x", "a.json:1:5", "not JSON: text behind the end"},
        {"{} {}", "a.json:1:4", "not JSON: text behind the end"},
        {"[1,]", "a.json:1:4", "not JSON: unexpected text"},
        {"{\"a\":1,}", "a.json:1:8", "not JSON: unexpected text"},
        {"{a: 1}", "a.json:1:3", "not JSON: unexpected text"},
        {"['a']", "a.json:1:2", "not JSON: unexpected text"},
        {"[1\n\n", "a.json:3:1", "not JSON: the text ends too early"},
        {"{\"a\": [", "a.json:1:8", "not JSON: the text ends too early"},
        {"]", "a.json:1:1", "not JSON: unexpected ']'"},
        {"[{}}", "a.json:1:4", "not JSON: unexpected '}'"},
        {"nul", "a.json:1:1", "not JSON: unexpected text"},
        {"True", "a.json:1:1", "not JSON: unexpected text"},
        {"// x\n1", "a.json:1:1", "not JSON: unexpected text"},
        {"{\"a\": 1,\n \"b\": {\"x\": \"y\"},\n \"\\u0061\": 2}", "a.json:3:2", "duplicate key 'a'"},
        {"{\"a\": {\"b\": 1, \"c\": 2, \"b\": 3}}", "a.json:1:24", "duplicate key 'b'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (read_text(rows[i].text)) {
            fail_msg("accepted: %s", rows[i].text);
        }
        if (strncmp(err.message, rows[i].message, strlen(rows[i].message)) != 0) {
            fail_msg("'%s' gave '%s'", rows[i].text, err.message);
        }
        if (strcmp(err.where, rows[i].where) != 0) {
            fail_msg("'%s' stands at %s", rows[i].text, err.where);
        }
    }
}

static void a_nul_byte_is_refused(void **state) {
    (void)state;
    assert_null(read_bytes("[1]\0", 4));
    assert_null(read_bytes("\"x\0y\"", 5));
    assert_null(read_bytes("[1\0]", 4));
    assert_null(read_bytes("[\0]", 3));
}

static void only_len_bytes_are_read(void **state) {
    (void)state;
    char *exact = taskfit_arena_alloc(arena, 3);
    memcpy(exact, "[1]", 3);
    assert_non_null(read_bytes(exact, 3));
    assert_null(read_bytes(exact, 2));
    memcpy(exact, "123", 3);
    assert_string_equal(read_bytes(exact, 3)->text, "123");
    memcpy(exact, "\"\\u", 3);
    assert_null(read_bytes(exact, 3));
}

static void depth_is_limited(void **state) {
    (void)state;
    TASKFIT_STRBUF(text);
    taskfit_strbuf_repeat(&text, "[", TASKFIT_NODE_DEPTH_MAX);
    taskfit_strbuf_repeat(&text, "]", TASKFIT_NODE_DEPTH_MAX);
    assert_non_null(read_text(text.data));
    taskfit_strbuf_reset(&text);
    taskfit_strbuf_repeat(&text, "[", 160 * 1000);
    assert_null(read_text(text.data));
    assert_string_equal(err.message, "nested deeper than 64 levels");
    assert_string_equal(err.where, "a.json:1:65");
}

static void many_values_are_read_quickly(void **state) {
    (void)state;
    TASKFIT_STRBUF(text);
    for (int i = 0; i < 80 * 1000; i++) {
        taskfit_strbuf_printf(&text, "%s\"k%d\": 1", i == 0 ? "{" : ", ", i);
    }
    taskfit_strbuf_addc(&text, '}');
    const clock_t start = clock();
    assert_non_null(read_text(text.data));
    assert_true(clock() - start < 5 * CLOCKS_PER_SEC);
}

static void number_of_values_is_limited(void **state) {
    (void)state;
    TASKFIT_STRBUF(text);
    taskfit_strbuf_addc(&text, '[');
    taskfit_strbuf_repeat(&text, "1,", TASKFIT_NODES_MAX);
    assert_null(read_text(text.data));
    assert_string_equal(err.message, "more than 8000000 values");
    taskfit_strbuf_repeat(&text, "          ", (size_t)TASKFIT_INPUT_BYTES_MAX / 10);
    assert_null(read_text(text.data));
    assert_string_equal(err.message, "larger than 64 MiB");
}

static void the_format_is_recognized(void **state) {
    (void)state;
    static const struct {
        const char *file;
        const char *text;
        const char *message; /* NULL: accepted */
    } rows[] = {
        {"x", "{\"a\": 1}", NULL},
        {"x", "\xef\xbb\xbf \n[1]", NULL},
        {"x", "{a: 1}", NULL}, /* YAML */
        {"x.yaml", "{\"a\": \"\\ud83d\\ude00\"}", NULL}, /* JSON only */
        {"x", "a: 1", NULL},
        {"x", "", "the file is empty"},
        {"x.json", "{\"a\": [}", "not JSON: unexpected '}'"},
        {"-", "{\"a\": [}", "not JSON: unexpected '}'"},
        {"x.yaml", "{a: [}", "not YAML: did not find expected node content while parsing a flow node"},
        {"x.yml", "[1] 2", "not YAML: did not find expected <document start>"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        taskfit_node *root = NULL;
        err = (taskfit_error){.status = TASKFIT_OK};
        const taskfit_status status = taskfit_node_read(arena, rows[i].file, rows[i].text, strlen(rows[i].text), &root, &err);
        ASSERT_INT(status, rows[i].message ? TASKFIT_E_INPUT : TASKFIT_OK);
        ASSERT_INT(err.status, status);
        assert_int_equal(root == NULL, rows[i].message != NULL);
        if (rows[i].message && strncmp(err.message, rows[i].message, strlen(rows[i].message)) != 0) {
            fail_msg("'%s' gave '%s'", rows[i].text, err.message);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_ARENA(keeps_text_and_order),
        IN_ARENA(scalars),
        IN_ARENA(refuses),
        IN_ARENA(a_nul_byte_is_refused),
        IN_ARENA(only_len_bytes_are_read),
        IN_ARENA(depth_is_limited),
        IN_ARENA(many_values_are_read_quickly),
        IN_ARENA(number_of_values_is_limited),
        IN_ARENA(the_format_is_recognized),
    };
    return RUN_TESTS(tests);
}
