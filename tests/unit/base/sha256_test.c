#include "unit.h"

#include <stdlib.h>

#include "base/sha256.h"

/* NIST's example values for SHA-256, and texts whose padding just fits or just does not (55, 56, 63, 64, 65). */
static const struct {
    const char *piece;
    size_t times;
    const char *hex;
} row[] = {
    {"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
     1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    {"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    {"a", 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
    {"a", 56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
    {"a", 63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
    {"a", 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
    {"a", 65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"},
};

static void known_values(void **state) {
    (void)state;
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        size_t len = strlen(row[r].piece);
        char *text = malloc(len * row[r].times + 1);
        assert_non_null(text);
        for (size_t i = 0; i < row[r].times; i++) {
            memcpy(text + i * len, row[r].piece, len);
        }
        char hex[TASKFIT_SHA256_HEX_SIZE];
        taskfit_sha256_hex(text, len * row[r].times, hex);
        assert_string_equal(hex, row[r].hex);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_values)};
    return RUN_TESTS(tests);
}
