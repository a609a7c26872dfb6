#ifndef TASKFIT_BASE_UTF8_H
#define TASKFIT_BASE_UTF8_H

/* Characters. UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above U+10FFFF. */

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the character that text starts with, 1..4; 0 when it is not UTF-8 (or len is 0). */
size_t taskfit_utf8_length(const char *text, size_t len);
/* Offset of the first byte that is not UTF-8, or len when all is well. */
size_t taskfit_utf8_valid(const char *text, size_t len);

/* 'A'..'Z' to 'a'..'z' and all else as it is, whatever the locale. */
char taskfit_ascii_lower(char c);
/* True when text is `word`, which is in lower case, but for the case of A to Z. */
bool taskfit_is_word(const char *text, size_t len, const char *word);

#endif
