#include "unit.h"

#include "base/units.h"
#include "input/decode.h"

/* The table-driven decoder on a struct of its own. */

typedef struct thing {
    const char *string, *text, *name, *percent;
    bool truth;
    int word;
    int64_t count, memory_up, memory_down, cpu, usd, bounded;
    taskfit_node *node;
} thing;

static const taskfit_word words[] = {{"red", 1}, {"green", 2}, {NULL, 0}};
static const taskfit_field fields[] = {
    {TASKFIT_KEY("string", taskfit_decode_string, thing, string)},
    {TASKFIT_KEY("text", taskfit_decode_text, thing, text)},
    {TASKFIT_KEY("name", taskfit_decode_name, thing, name)},
    {TASKFIT_KEY("percent", taskfit_decode_percent_text, thing, percent)},
    {TASKFIT_KEY("truth", taskfit_decode_bool, thing, truth)},
    {TASKFIT_KEY("word", taskfit_decode_word, thing, word), .words = words},
    {TASKFIT_KEY("count", taskfit_decode_count, thing, count)},
    {TASKFIT_KEY("memoryUp", taskfit_decode_memory_up, thing, memory_up)},
    {TASKFIT_KEY("memoryDown", taskfit_decode_memory_down, thing, memory_down)},
    {TASKFIT_KEY("cpu", taskfit_decode_cpu_up, thing, cpu)},
    {TASKFIT_KEY("usd", taskfit_decode_usd, thing, usd)},
    {TASKFIT_KEY("bounded", taskfit_decode_count, thing, bounded), .low = 5, .high = 9},
    {TASKFIT_KEY("node", taskfit_decode_node, thing, node)},
    {.key = "foreign", .read = taskfit_decode_ignored},
};
enum { N_FIELDS = sizeof fields / sizeof fields[0] };

typedef struct fixture {
    taskfit_arena *arena;
    taskfit_decoder decoder;
    taskfit_node *root;
    thing thing;
} fixture;

static fixture decode_with(const char *yaml, const taskfit_field *table, size_t n) {
    fixture f = {.arena = taskfit_arena_new()};
    taskfit_error err = {.status = TASKFIT_OK};
    f.decoder = (taskfit_decoder){.arena = f.arena, .diag = taskfit_diag_new(f.arena)};
    f.thing = (thing){.count = -1, .memory_up = -1, .memory_down = -1, .cpu = -1, .usd = -1, .bounded = -1, .word = -1};
    if (taskfit_node_read_yaml(f.arena, "t.yaml", yaml, strlen(yaml), &f.root, &err) != TASKFIT_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
    (void)taskfit_decode_map(&f.decoder, f.root, table, n, &f.thing);
    return f;
}

static fixture decode(const char *yaml) {
    return decode_with(yaml, fields, N_FIELDS);
}

static const char *first_defect(fixture *f) {
    size_t n = 0;
    const taskfit_defect *defects = taskfit_diag_sorted(f->decoder.diag, &n);
    if (n == 0) {
        return "";
    }
    TASKFIT_STRBUF(text);
    taskfit_defect_format(&defects[0], &text);
    return taskfit_arena_strdup(f->arena, text.data);
}

static void every_reader_stores_and_rewrites(void **state) {
    (void)state;
    fixture f = decode("string: no\ntext: 1.10\nname: a-b_1\npercent: 85.0\ntruth: true\nword: green\ncount: 7\n"
                       "memoryUp: 1025Ki\nmemoryDown: 2047Ki\ncpu: 0.5 vCPU\nusd: '0.4284'\nbounded: 9\nnode: {a: b}\nforeign: [1, 2Gi]\n");
    assert_string_equal(first_defect(&f), "");
    assert_string_equal(f.thing.string, "no");
    assert_string_equal(f.thing.text, "1.10");
    assert_string_equal(f.thing.name, "a-b_1");
    assert_string_equal(f.thing.percent, "85.0");
    assert_true(f.thing.truth);
    ASSERT_INT(f.thing.word, 2);
    ASSERT_INT(f.thing.count, 7);
    ASSERT_INT(f.thing.memory_up, 2);
    ASSERT_INT(f.thing.memory_down, 1);
    ASSERT_INT(f.thing.cpu, 512);
    ASSERT_INT(f.thing.usd, 428400);
    ASSERT_INT(f.thing.bounded, 9);
    assert_string_equal(taskfit_node_get(f.thing.node, "a")->text, "b");
    static const struct {
        const char *key, *text;
        bool quoted;
    } rewritten[] = {{"string", "no", true},    {"text", "1.10", true},      {"word", "green", true},   {"count", "7", false},
                     {"memoryUp", "2", false},  {"memoryDown", "1", false}, {"cpu", "512", false},     {"usd", "0.428400", false},
                     {"percent", "85.0", true}, {"truth", "true", false}};
    for (size_t i = 0; i < sizeof rewritten / sizeof rewritten[0]; i++) {
        const taskfit_node *node = taskfit_node_get(f.root, rewritten[i].key);
        assert_string_equal(node->text, rewritten[i].text);
        ASSERT_INT(node->n, strlen(rewritten[i].text));
        assert_true(node->quoted == rewritten[i].quoted);
    }
    assert_string_equal(taskfit_node_get(f.root, "foreign")->items[1]->text, "2Gi");
    taskfit_arena_free(f.arena);
}

static void absent_and_null_leave_the_default(void **state) {
    (void)state;
    static const char *const yaml[] = {"{}", "{count: null, cpu: ~, text: , truth: null, word: null}"};
    for (size_t i = 0; i < 2; i++) {
        fixture f = decode(yaml[i]);
        assert_string_equal(first_defect(&f), "");
        ASSERT_INT(f.thing.count, -1);
        ASSERT_INT(f.thing.cpu, -1);
        assert_null(f.thing.text);
        taskfit_arena_free(f.arena);
    }
}

static void defects_leave_the_member_alone(void **state) {
    (void)state;
    static const struct {
        const char *yaml, *defect;
    } row[] = {
        {"[]", "t.yaml:1:1: must be a map, not a list"},
        {"5", "t.yaml:1:1: must be a map, not a single value"},
        {"{strin: a}", "t.yaml:1:2: unknown key 'strin' (did you mean 'string'?)"},
        {"string: {}", "t.yaml:1:9: string: must be a string, not a map"},
        {"text: ''", "t.yaml:1:7: text: must not be empty"},
        {"name: a b", "t.yaml:1:7: name: 'a b' is not a name (use letters, digits, '-' and '_')"},
        {"percent: 100.1", "t.yaml:1:10: percent: '100.1' is not a percentage (a number from 0 to 100)"},
        {"percent: [1]", "t.yaml:1:10: percent: must be a percentage, not a list"},
        {"truth: yes", "t.yaml:1:8: truth: 'yes' is neither true nor false (write true or false, unquoted)"},
        {"truth: 'true'", "t.yaml:1:8: truth: 'true' is neither true nor false (write true or false, unquoted)"},
        {"word: blue", "t.yaml:1:7: word: 'blue' is not known here (one of: red, green)"},
        {"count: -1", "t.yaml:1:8: count: '-1' is not a whole number from 0 to 1099511627776"},
        {"count: '1'", "t.yaml:1:8: count: '1': a string, not a number (write it without quotes)"},
        {"count: 1099511627777", "t.yaml:1:8: count: '1099511627777' is not a whole number from 0 to 1099511627776"},
        {"count: 07", "t.yaml:1:8: count: '07': a number with a leading zero (leave it out)"},
        {"bounded: 4", "t.yaml:1:10: bounded: '4' is not a whole number from 5 to 9"},
        {"bounded: 10", "t.yaml:1:10: bounded: '10' is not a whole number from 5 to 9"},
        {"memoryUp: [1]", "t.yaml:1:11: memoryUp: must be an amount of memory, not a list"},
        {"usd: free", "t.yaml:1:6: usd: 'free': not a number (a price in dollars, for example 0.4284)"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        fixture f = decode(row[i].yaml);
        assert_string_equal(first_defect(&f), row[i].defect);
        ASSERT_INT(taskfit_diag_count(f.decoder.diag), 1);
        ASSERT_INT(f.thing.count, -1);
        ASSERT_INT(f.thing.bounded, -1);
        ASSERT_INT(f.thing.word, -1);
        assert_null(f.thing.string);
        assert_null(f.thing.text);
        assert_null(f.thing.name);
        assert_null(f.thing.percent);
        taskfit_arena_free(f.arena);
    }
}

static void required_keys_say_what_they_are(void **state) {
    (void)state;
    static const taskfit_field table[] = {
        {TASKFIT_KEY("text", taskfit_decode_text, thing, text), .required = true, .remedy = "what it says"},
        {TASKFIT_KEY("count", taskfit_decode_count, thing, count), .required = true},
    };
    fixture f = decode_with("{text: null, count: 1}", table, 2);
    assert_string_equal(first_defect(&f), "t.yaml:1:1: 'text' is missing (what it says)");
    taskfit_arena_free(f.arena);
    f = decode_with("{text: a}", table, 2);
    assert_string_equal(first_defect(&f), "t.yaml:1:1: 'count' is missing");
    taskfit_arena_free(f.arena);
}

static void read_item(taskfit_decoder *decoder, taskfit_node *item, size_t index, void *arg) {
    const taskfit_path key = {.up = decoder->path, .key = "deep"};
    ASSERT_INT(*(size_t *)arg, index);
    (*(size_t *)arg)++;
    decoder->path = &key;
    taskfit_decode_defect(decoder, item->position, "here");
    decoder->path = key.up;
}

static void paths_name_keys_and_items(void **state) {
    (void)state;
    fixture f = decode("node: [a, b]");
    const taskfit_path path = {.key = "list"};
    size_t n = 0;
    f.decoder.path = &path;
    taskfit_decode_items(&f.decoder, f.thing.node, read_item, &n);
    ASSERT_INT(n, 2);
    assert_string_equal(first_defect(&f), "t.yaml:1:8: list[0].deep: here");
    assert_string_equal(taskfit_decode_path(&f.decoder), "list");
    taskfit_decode_items(&f.decoder, NULL, read_item, &n);
    ASSERT_INT(n, 2);
    assert_true(taskfit_decode_given(f.root, "node"));
    assert_false(taskfit_decode_given(f.root, "absent"));
    taskfit_decode_defect_at(&f.decoder, f.root, "node", "there");
    taskfit_decode_defect_at(&f.decoder, f.root, "absent", "there");
    ASSERT_INT(taskfit_diag_count(f.decoder.diag), 4);
    taskfit_arena_free(f.arena);
}

static void names_are_sorted_found_and_suggested(void **state) {
    (void)state;
    fixture f = decode("{}");
    static const char *const name[] = {"web", "api", "web", "db", "web"};
    taskfit_named names[5];
    for (size_t i = 0; i < 5; i++) {
        names[i] = taskfit_named_here(&f.decoder, name[i], i, (taskfit_position){"t.yaml", (uint32_t)i + 1, 1});
    }
    taskfit_names_sort(&f.decoder, names, 5, "service");
    ASSERT_INT(taskfit_diag_count(f.decoder.diag), 2);
    assert_string_equal(first_defect(&f), "t.yaml:3:1: service 'web' is given twice (first at t.yaml:1:1)");
    ASSERT_INT(taskfit_names_find(names, 5, "web")->index, 0);
    ASSERT_INT(taskfit_names_find(names, 5, "api")->index, 1);
    assert_null(taskfit_names_find(names, 5, "x"));
    assert_null(taskfit_names_find(names, 0, "web"));
    assert_string_equal(taskfit_names_hint(&f.decoder, names, 5, "wbe"), " (did you mean 'web'?)");
    assert_string_equal(taskfit_names_hint(&f.decoder, names, 5, "mainframe"), "");
    assert_string_equal(taskfit_decode_hint(&f.decoder, NULL, "x"), "");
    assert_string_equal(taskfit_word_text(words, 2), "green");
    taskfit_arena_free(f.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reader_stores_and_rewrites),
        cmocka_unit_test(absent_and_null_leave_the_default),
        cmocka_unit_test(defects_leave_the_member_alone),
        cmocka_unit_test(required_keys_say_what_they_are),
        cmocka_unit_test(paths_name_keys_and_items),
        cmocka_unit_test(names_are_sorted_found_and_suggested),
    };
    return RUN_TESTS(tests);
}
