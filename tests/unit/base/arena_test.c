#include "unit.h"

#include "base/arena.h"

static void pieces_are_zeroed_and_apart(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    unsigned char *last = NULL;
    for (size_t size = 1; size < 5000; size += 37) {
        unsigned char *piece = taskfit_arena_alloc(arena, size);
        for (size_t i = 0; i < size; i++) {
            assert_int_equal(piece[i], 0);
        }
        memset(piece, 0xff, size);
        assert_ptr_not_equal(piece, last);
        last = piece;
    }
    taskfit_arena_free(arena);
}

static void large_pieces_leave_the_current_block_in_use(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    char *small = taskfit_arena_strdup(arena, "before");
    char *large = taskfit_arena_alloc(arena, 1000 * 1000);
    large[1000 * 1000 - 1] = 'x';
    assert_string_equal(small, "before");
    assert_string_equal(taskfit_arena_printf(arena, "%d-%s", 7, "after"), "7-after");
    taskfit_arena_free(arena);
}

static void growing_keeps_the_items(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    int *items = NULL;
    size_t n = 0;
    size_t capacity = 0;
    for (int i = 0; i < 1000; i++) {
        TASKFIT_GROW(arena, items, n, capacity);
        items[n++] = i;
    }
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(items[i], i);
    }
    taskfit_arena_free(arena);
    taskfit_arena_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_zeroed_and_apart),
        cmocka_unit_test(large_pieces_leave_the_current_block_in_use),
        cmocka_unit_test(growing_keeps_the_items),
    };
    return RUN_TESTS(tests);
}
