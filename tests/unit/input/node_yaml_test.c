#include "unit.h"

#include <time.h>

#include "in_arena.h"

static taskfit_error err;

static taskfit_node *read_bytes(const char *data, size_t len) {
    return read_tree(taskfit_node_read_yaml, "a.yaml", data, len, &err);
}

static taskfit_node *read_text(const char *text) {
    return read_bytes(text, strlen(text));
}

static void keeps_text_order_and_positions(void **state) {
    (void)state;
    const taskfit_node *root = read_text("b: 1\na:\n  - x\n  - {k: 'q', é: \"w\"}\nc: |\n  text\nd:\n");
    assert_non_null(root);
    ASSERT_INT(root->kind, TASKFIT_NODE_MAP);
    ASSERT_INT(root->n, 4);
    assert_string_equal(root->entries[0].key, "b");
    assert_string_equal(root->entries[1].key, "a");
    ASSERT_INT(root->entries[1].key_position.line, 2);
    ASSERT_INT(root->entries[1].key_position.column, 1);
    assert_string_equal(root->entries[1].key_position.file, "a.yaml");
    const taskfit_node *list = taskfit_node_get(root, "a");
    ASSERT_INT(list->kind, TASKFIT_NODE_LIST);
    ASSERT_INT(list->position.line, 3);
    ASSERT_INT(list->position.column, 3);
    assert_false(list->items[0]->quoted);
    const taskfit_node *flow = list->items[1];
    ASSERT_INT(flow->position.line, 4);
    ASSERT_INT(flow->position.column, 5);
    ASSERT_INT(flow->entries[0].value->position.column, 9);
    assert_true(flow->entries[0].value->quoted);
    ASSERT_INT(flow->entries[1].value->position.column, 17); /* characters, not bytes */
    assert_string_equal(taskfit_node_get(root, "c")->text, "text\n");
    assert_true(taskfit_node_get(root, "c")->quoted);
    assert_true(taskfit_node_is_null(taskfit_node_get(root, "d")));
}

static void refuses(void **state) {
    (void)state;
    static const struct {
        const char *text;
        const char *where;
        const char *message; /* what it starts with */
    } rows[] = {
        {"", "a.yaml", "the file is empty"},
        {"# nothing\n", "a.yaml", "the file is empty"},
        {"---\n", "a.yaml", "the file is empty"},
        {"\xef\xbb\xbf", "a.yaml", "the file is empty"},
        {"a: &x 1\n", "a.yaml:1:4", "anchor '&x' is not supported"},
        {"a: &x [1]\n", "a.yaml:1:4", "anchor '&x' is not supported"},
        {"a: &x {b: 1}\n", "a.yaml:1:4", "anchor '&x' is not supported"},
        {"a: 1\nb: *x\n", "a.yaml:2:4", "alias '*x' is not supported"},
        {"a:\n  <<: {b: 1}\n", "a.yaml:2:3", "merge keys '<<' are not supported"},
        {"a: !!str 1\n", "a.yaml:1:4", "tags such as '!!str' are not supported"},
        {"a: !x [1]\n", "a.yaml:1:4", "tags such as '!!str' are not supported"},
        {"a: !!map {b: 1}\n", "a.yaml:1:4", "tags such as '!!str' are not supported"},
        {"a: ! 12\n", "a.yaml:1:4", "tags such as '!!str' are not supported"},
        {"a: ! '12'\n", "a.yaml:1:4", "tags such as '!!str' are not supported"},
        {"a: !\n  12\n", "a.yaml:1:4", "tags such as '!!str' are not supported"},
        {"a: 1\nb: 2\na: 3\nb: 4\n", "a.yaml:3:1", "duplicate key 'a' (first in line 1)"},
        {"- {x: 1, 'x': 2}\n", "a.yaml:1:10", "duplicate key 'x' (first in line 1)"},
        {"a: 1\n---\nb: 1\n", "a.yaml:2:1", "a second document"},
        {"[a]: 1\n", "a.yaml:1:1", "a list cannot be a key"},
        {"? {a: 1}\n: 2\n", "a.yaml:1:3", "a map cannot be a key"},
        {"a: \"x\\0y\"\n", "a.yaml:1:4", "a NUL character in a text"},
        {"\"x\\0y\": 1\n", "a.yaml:1:1", "a NUL character in a text"},
        {"a: 1\nb: \xff\n", "a.yaml:2:4", "not UTF-8"},
        {"\xef\xbb\xbf" "a: 1\nb: \xc3\n", "a.yaml:2:4", "not UTF-8"},
        {"a: 1\r\n\xc3\xa9: \xed\xa0\x80\n", "a.yaml:2:4", "not UTF-8"},
        {"a: \x01\n", "a.yaml:1:4", "a character that YAML does not allow"},
        {"\xff\xfe" "a", "a.yaml:1:1", "not UTF-8"},
        {"a: b: c\n", "a.yaml:1:5", "not YAML: mapping values are not allowed in this context"},
        {"a: [1\n", "a.yaml:2:1", "not YAML: did not find expected ',' or ']' while parsing a flow sequence (begun in line 1)"},
        {"\ta: 1\n", "a.yaml:1:1", "not YAML: found character that cannot start any token"},
        {"a: 'x\n", "a.yaml:2:1", "not YAML: found unexpected end of stream while scanning a quoted scalar (begun in line 1)"},
        {"%YAML 2.0\n---\na\n", "a.yaml:1:1", "not YAML: found incompatible YAML document"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (read_text(rows[i].text)) {
            fail_msg("accepted: %s", rows[i].text);
        }
        assert_string_equal(err.where, rows[i].where);
        if (strncmp(err.message, rows[i].message, strlen(rows[i].message)) != 0) {
            fail_msg("'%s' gave '%s'", rows[i].text, err.message);
        }
    }
}

static void a_nul_byte_is_refused(void **state) {
    (void)state;
    assert_null(read_bytes("a: x\0y\n", 7));
    assert_string_equal(err.where, "a.yaml:1:5");
    assert_null(read_bytes("a: x\n\0", 6));
}

static void accepts_what_only_looks_odd(void **state) {
    (void)state;
    static const struct {
        const char *text;
        const char *value; /* of key a */
        bool quoted;
    } rows[] = {
        {"a: 'it''s'\n", "it's", true},
        {"a: foo\n  bar\n", "foo bar", false},
        {"a: é12\n", "é12", false},
        {"a: 1_000\n", "1_000", false},
        {"a: \"\\ud83d\"\n", NULL, false},
        {"a: 12 # comment\n", "12", false},
        {"a: '*x'\n", "*x", true},
        {"'<<': 1\na: ''\n", "", true},
        {"\xef\xbb\xbf" "a: 1\n", "1", false},
        {"--- {a: 1}\n...\n", "1", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const taskfit_node *root = read_text(rows[i].text);
        assert_int_equal(root != NULL, rows[i].value != NULL);
        const taskfit_node *value = root ? taskfit_node_get(root, "a") : NULL;
        if (value) {
            assert_string_equal(value->text, rows[i].value);
            assert_int_equal(value->quoted, rows[i].quoted);
            ASSERT_INT(value->n, strlen(rows[i].value));
        }
    }
    ASSERT_INT(read_text("\xef\xbb\xbf" "a: 1\n")->entries[0].key_position.column, 1);
    ASSERT_INT(read_text("plain")->kind, TASKFIT_NODE_SCALAR);
}

static void depth_is_limited(void **state) {
    (void)state;
    taskfit_strbuf text;
    taskfit_strbuf_init(&text);
    taskfit_strbuf_repeat(&text, "[", TASKFIT_NODE_DEPTH_MAX);
    taskfit_strbuf_repeat(&text, "]", TASKFIT_NODE_DEPTH_MAX);
    assert_non_null(read_text(text.data));
    static const char *const repeated[] = {"[", "{a: ", "- ", "? "};
    for (size_t i = 0; i < sizeof repeated / sizeof repeated[0]; i++) {
        taskfit_strbuf_reset(&text);
        taskfit_strbuf_repeat(&text, repeated[i], 160 * 1000);
        const clock_t start = clock();
        assert_null(read_text(text.data));
        assert_true(clock() - start < 2 * CLOCKS_PER_SEC); /* processor time; the square of the depth would be half a minute */
        if (repeated[i][0] != '?') {
            assert_string_equal(err.message, "nested deeper than 64 levels");
        }
    }
    taskfit_strbuf_release(&text);
}

static void many_keys_close_quickly(void **state) {
    (void)state;
    enum { KEYS = 80 * 1000 };
    taskfit_strbuf text;
    taskfit_strbuf_init(&text);
    for (int i = 0; i < KEYS; i++) {
        taskfit_strbuf_printf(&text, "k%d: 1\n", i);
    }
    const clock_t start = clock();
    const taskfit_node *root = read_text(text.data);
    assert_non_null(root);
    ASSERT_INT(root->n, KEYS);
    assert_true(clock() - start < 5 * CLOCKS_PER_SEC);
    taskfit_strbuf_adds(&text, "k77: 2\n");
    assert_null(read_text(text.data));
    assert_string_equal(err.where, "a.yaml:80001:1");
    assert_string_equal(err.message, "duplicate key 'k77' (first in line 78)");
    taskfit_strbuf_release(&text);
}

static void size_is_limited(void **state) {
    (void)state;
    taskfit_strbuf text;
    taskfit_strbuf_init(&text);
    taskfit_strbuf_repeat(&text, "# sixteen bytes\n", (size_t)TASKFIT_INPUT_BYTES_MAX / 16);
    assert_null(read_text(text.data));
    assert_string_equal(err.message, "the file is empty");
    taskfit_strbuf_addc(&text, '\n');
    assert_null(read_text(text.data));
    assert_string_equal(err.message, "larger than 64 MiB");
    assert_string_equal(err.where, "a.yaml");
    taskfit_strbuf_release(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_ARENA(keeps_text_order_and_positions),
        IN_ARENA(refuses),
        IN_ARENA(a_nul_byte_is_refused),
        IN_ARENA(accepts_what_only_looks_odd),
        IN_ARENA(depth_is_limited),
        IN_ARENA(many_keys_close_quickly),
        IN_ARENA(size_is_limited),
    };
    return RUN_TESTS(tests);
}
