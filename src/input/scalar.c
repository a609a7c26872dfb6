#include "input/scalar.h"

#include <assert.h>
#include <string.h>

#include "base/utf8.h"

static size_t count_digits(const char *text, size_t len) {
    size_t n = 0;
    while (n < len && text[n] >= '0' && text[n] <= '9') {
        n++;
    }
    return n;
}

bool taskfit_is_json_number(const char *text, size_t len) {
    const char *end = text + len;
    if (text < end && *text == '-') {
        text++;
    }
    size_t n = count_digits(text, (size_t)(end - text));
    if (n == 0 || (n > 1 && *text == '0')) {
        return false;
    }
    text += n;
    if (text < end && *text == '.') {
        text++;
        n = count_digits(text, (size_t)(end - text));
        if (n == 0) {
            return false;
        }
        text += n;
    }
    if (text < end && (*text == 'e' || *text == 'E')) {
        text++;
        if (text < end && (*text == '+' || *text == '-')) {
            text++;
        }
        n = count_digits(text, (size_t)(end - text));
        if (n == 0) {
            return false;
        }
        text += n;
    }
    return text == end;
}

bool taskfit_is_number_in_range(const char *text, size_t len) {
    enum { LENGTH_MAX = 63, EXPONENT_DIGITS_MAX = 2 };
    const char *end = text + len;
    while (text < end && *text != 'e' && *text != 'E') {
        text++;
    }
    if (text < end) {
        text++;
    }
    if (text < end && (*text == '+' || *text == '-')) {
        text++;
    }
    return len <= LENGTH_MAX && end - text <= EXPONENT_DIGITS_MAX;
}

taskfit_scalar_meaning taskfit_scalar_means(const taskfit_node *scalar) {
    assert(scalar->kind == TASKFIT_NODE_SCALAR);
    if (scalar->quoted) {
        return TASKFIT_SCALAR_STRING;
    }
    if (taskfit_node_is_null(scalar)) {
        return TASKFIT_SCALAR_NULL;
    }
    if (strcmp(scalar->text, "true") == 0) {
        return TASKFIT_SCALAR_TRUE;
    }
    if (strcmp(scalar->text, "false") == 0) {
        return TASKFIT_SCALAR_FALSE;
    }
    return taskfit_is_json_number(scalar->text, scalar->n) && taskfit_is_number_in_range(scalar->text, scalar->n)
               ? TASKFIT_SCALAR_NUMBER
               : TASKFIT_SCALAR_STRING;
}

bool taskfit_is_ambiguous_in_yaml(const char *text) {
    /* YAML 1.1's types (bool, null, merge, value, float); 1.2 knows a part of them. */
    static const char *const words[] = {"",    "~",     "null", "y",  "n", "yes",  "no",    "on",    "off",   "true",
                                        "false", "<<", "=",    ".inf", "+.inf", "-.inf", ".nan"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (taskfit_is_word(text, strlen(text), words[i])) {
            return true;
        }
    }
    /* Numbers in any base, with commas, underscores or sixties (190:20:30), dates and times. A version such as
     * 2.0.14 is quoted with them, which does no harm; 512Mi and 180m are not. */
    return strchr("0123456789+-.", text[0]) && text[strspn(text, "0123456789abcdefABCDEFxXoOtTzZ_,:+-. \t")] == '\0';
}
