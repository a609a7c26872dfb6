#include "base/utf8.h"

#include <string.h>

size_t taskfit_utf8_length(const char *text, size_t len) {
    const unsigned char *byte = (const unsigned char *)text;
    if (len == 0) {
        return 0;
    }
    if (byte[0] < 0x80) {
        return 1;
    }
    /* The second byte's range is what rules out overlong forms, surrogates and too large characters. */
    const size_t length = byte[0] < 0xc2 ? 0 : byte[0] < 0xe0 ? 2 : byte[0] < 0xf0 ? 3 : byte[0] < 0xf5 ? 4 : 0;
    const unsigned char low = byte[0] == 0xe0 ? 0xa0 : byte[0] == 0xf0 ? 0x90 : 0x80;
    const unsigned char high = byte[0] == 0xed ? 0x9f : byte[0] == 0xf4 ? 0x8f : 0xbf;
    if (length == 0 || len < length || byte[1] < low || byte[1] > high) {
        return 0;
    }
    for (size_t i = 2; i < length; i++) {
        if ((byte[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return length;
}

size_t taskfit_utf8_valid(const char *text, size_t len) {
    size_t offset = 0;
    while (offset < len) {
        const size_t length = taskfit_utf8_length(text + offset, len - offset);
        if (length == 0) {
            break;
        }
        offset += length;
    }
    return offset;
}

char taskfit_ascii_lower(char c) {
    if (c >= 'A' && c <= 'Z') {
        return (char)(c + ('a' - 'A'));
    }
    return c;
}

bool taskfit_is_word(const char *text, size_t len, const char *word) {
    if (len != strlen(word)) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        if (taskfit_ascii_lower(text[i]) != word[i]) {
            return false;
        }
    }
    return true;
}
