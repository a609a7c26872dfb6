#include "unit.h"

#include "in_arena.h"

static void kinds_and_nulls(void **state) {
    (void)state;
    static const struct {
        const char *text;
        const char *kind;
    } rows[] = {
        {"{}", "map"},     {"[]", "list"},     {"x", "scalar"},      {"0", "scalar"},     {"~", "null"},
        {"null", "null"},  {"Null", "null"},   {"NULL", "null"},     {"nULL", "scalar"},  {"'null'", "scalar"},
        {"''", "scalar"},  {"\"~\"", "scalar"}, {"false", "scalar"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const taskfit_node *node = yaml(rows[i].text);
        assert_string_equal(taskfit_node_kind_name(node), rows[i].kind);
        assert_int_equal(taskfit_node_is_null(node), strcmp(rows[i].kind, "null") == 0);
    }
    assert_true(taskfit_node_is_null(yaml("a:")->entries[0].value));
}

static void get_finds_only_keys_of_maps(void **state) {
    (void)state;
    const taskfit_node *map = yaml("{a: 1, A: 2}");
    assert_string_equal(taskfit_node_get(map, "A")->text, "2");
    assert_null(taskfit_node_get(map, "b"));
    assert_null(taskfit_node_get(yaml("[a]"), "a"));
    assert_null(taskfit_node_get(yaml("a"), "a"));
    assert_null(taskfit_node_get(NULL, "a"));
}

static void equality(void **state) {
    (void)state;
    static const struct {
        const char *a, *b;
        bool equal;
    } rows[] = {
        {"{a: 1, b: [x, {c: d}]}", "\n\nb:\n  - x\n  - c: d\na: 1\n", true},
        {"{a: 1}", "{a: '1'}", false},
        {"{a: 1}", "{a: 2}", false},
        {"{a: 1}", "{b: 1}", false},
        {"{a: 1}", "{a: 1, b: 1}", false},
        {"[1, 2]", "[2, 1]", false},
        {"[1, 2]", "[1]", false},
        {"[]", "{}", false},
        {"'x'", "\"x\"", true},
        {"~", "null", false}, /* by text */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(taskfit_node_equal(yaml(rows[i].a), yaml(rows[i].b)), rows[i].equal);
        assert_int_equal(taskfit_node_equal(yaml(rows[i].b), yaml(rows[i].a)), rows[i].equal);
    }
}

static void made_nodes(void **state) {
    (void)state;
    const struct {
        const taskfit_node *node;
        const char *text;
        bool quoted;
    } rows[] = {
        {taskfit_node_string(arena, "12"), "12", true},
        {taskfit_node_string(arena, ""), "", true},
        {taskfit_node_string(arena, NULL), "null", false},
        {taskfit_node_int(arena, -5), "-5", false},
        {taskfit_node_int(arena, INT64_MIN), "-9223372036854775808", false},
        {taskfit_node_bool(arena, true), "true", false},
        {taskfit_node_bool(arena, false), "false", false},
        {taskfit_node_null(arena), "null", false},
        {taskfit_node_plain(arena, "0.0312"), "0.0312", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(rows[i].node->text, rows[i].text);
        assert_int_equal(rows[i].node->quoted, rows[i].quoted);
        ASSERT_INT(rows[i].node->n, strlen(rows[i].text));
        ASSERT_INT(rows[i].node->position.line, 0);
    }
}

static void set_replaces_in_place_and_remove_keeps_order(void **state) {
    (void)state;
    taskfit_node *map = taskfit_node_map(arena);
    for (int i = 0; i < 20; i++) {
        taskfit_node_set(arena, map, taskfit_arena_printf(arena, "k%d", i), taskfit_node_int(arena, i));
    }
    char key[] = "k3";
    taskfit_node_set(arena, map, key, taskfit_node_string(arena, "new"));
    key[0] = 'x'; /* keys are copied */
    ASSERT_INT(map->n, 20);
    assert_string_equal(map->entries[3].key, "k3");
    assert_string_equal(map->entries[3].value->text, "new");
    assert_true(taskfit_node_remove(map, "k0"));
    assert_false(taskfit_node_remove(map, "k0"));
    assert_true(taskfit_node_remove(map, "k19"));
    ASSERT_INT(map->n, 18);
    assert_string_equal(map->entries[0].key, "k1");
    assert_string_equal(map->entries[17].key, "k18");
    taskfit_node_set(arena, map, "k0", taskfit_node_int(arena, 0));
    assert_string_equal(map->entries[18].key, "k0");
}

static void copies_are_deep_and_keep_positions(void **state) {
    (void)state;
    taskfit_arena *other = taskfit_arena_new();
    taskfit_node *root = NULL;
    static const char text[] = "a: [1, {b: 'x'}]\nc: ~\n";
    assert_int_equal(taskfit_node_read_yaml(other, "a.yaml", text, strlen(text), &root, NULL), TASKFIT_OK);
    taskfit_node *copy = taskfit_node_copy(arena, root);
    taskfit_node_set(other, root, "c", taskfit_node_int(other, 1));
    taskfit_arena_free(other); /* the copy needs nothing of it, file names included */
    assert_true(taskfit_node_equal(copy, yaml(text)));
    assert_string_equal(copy->entries[1].key_position.file, "a.yaml");
    ASSERT_INT(copy->entries[1].key_position.line, 2);
    const taskfit_node *x = taskfit_node_get(taskfit_node_get(copy, "a")->items[1], "b");
    assert_true(x->quoted);
    assert_string_equal(x->position.file, "a.yaml");
    ASSERT_INT(x->position.column, 12);
    taskfit_node_set(arena, copy, "d", taskfit_node_list(arena)); /* and it can grow */
    ASSERT_INT(copy->n, 3);
    assert_null(taskfit_node_copy(arena, taskfit_node_map(arena))->position.file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_ARENA(kinds_and_nulls),
        IN_ARENA(get_finds_only_keys_of_maps),
        IN_ARENA(equality),
        IN_ARENA(made_nodes),
        IN_ARENA(set_replaces_in_place_and_remove_keeps_order),
        IN_ARENA(copies_are_deep_and_keep_positions),
    };
    return RUN_TESTS(tests);
}
