#include <string.h>

#include "base/units.h"
#include "base/utf8.h"
#include "import/import.h"

/* Bytes of the blank that text starts with: ASCII, no-break space, U+2000..U+200B, U+202F, U+FEFF; or 0. */
static size_t blank_length(const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    if (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r') {
        return 1;
    }
    if (at[0] == 0xc2 && at[1] == 0xa0) {
        return 2;
    }
    if (at[0] == 0xe2 && at[1] == 0x80 && ((at[2] >= 0x80 && at[2] <= 0x8b) || at[2] == 0xaf)) {
        return 3;
    }
    return at[0] == 0xef && at[1] == 0xbb && at[2] == 0xbf ? 3 : 0;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* A comma or blank between digits with three digits, and no fourth, behind it. */
static bool is_separator(const char *text, size_t len) {
    const char *at = text + len;
    return is_digit(at[0]) && is_digit(at[1]) && is_digit(at[2]) && !is_digit(at[3]);
}

/* The figure without outer blanks and thousands separators; blanks before a unit become one. */
static void normalize(const char *text, taskfit_strbuf *out) {
    for (const char *at = text; *at;) {
        const size_t blank = blank_length(at);
        const size_t gap = blank > 0 ? blank : *at == ',' ? 1 : 0;
        const bool behind_digit = out->len > 0 && is_digit(out->data[out->len - 1]);
        if (gap == 0) {
            taskfit_strbuf_addc(out, *at++);
            continue;
        }
        if (!(behind_digit && is_separator(at, gap))) {
            if (blank == 0) {
                taskfit_strbuf_addc(out, *at);
            } else if (out->len > 0 && out->data[out->len - 1] != ' ') {
                taskfit_strbuf_addc(out, ' ');
            }
        }
        at += gap;
    }
    if (out->len > 0 && out->data[out->len - 1] == ' ') {
        out->data[--out->len] = '\0';
    }
}

static bool is_absent(const taskfit_strbuf *text) {
    static const char *const words[] = {"-", "--", "n/a", "na", "none", "null", "\xe2\x80\x93", "\xe2\x80\x94"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (taskfit_is_word(text->data, text->len, words[i])) {
            return true;
        }
    }
    return text->len == 0;
}

static bool refuse(taskfit_importer *importer, taskfit_position position, const char *subject, const char *text, const char *why) {
    taskfit_import_note(importer, TASKFIT_IMPORT_DEFECT, position, NULL, "%s: cannot read '%s': %s", subject, text, why);
    return false;
}

/* Units of memory as people write them; MB and GB are meant as MiB and GiB wherever limits are. */
static const struct {
    const char *word;
    char unit;
    bool is_guess;
} memory_units[] = {
    {"", 'm', false},    {"m", 'm', false},  {"mi", 'm', false},  {"mib", 'm', false}, {"mb", 'm', true},
    {"g", 'g', false},   {"gi", 'g', false}, {"gib", 'g', false}, {"gb", 'g', true},   {"k", 'k', false},
    {"ki", 'k', false},  {"kib", 'k', false}, {"kb", 'k', true},
};

/* "1.5" GiB in MiB. */
static bool parse_gib(const char *text, size_t len, int64_t *mib_out) {
    int64_t micros = 0;
    const char *why = NULL;
    if (!memchr(text, '.', len) || !taskfit_parse_usd_micros(text, len, &micros, &why)) {
        return false;
    }
    const int64_t scaled = micros * 1024;
    *mib_out = scaled / 1000000 + (scaled % 1000000 != 0);
    return true;
}

static bool parse_memory(const taskfit_strbuf *plain, int64_t *mib_out, bool *is_guess_out, const char **why_out) {
    const size_t digits = strspn(plain->data, "0123456789.");
    const char *word = plain->data + digits + strspn(plain->data + digits, " ");
    for (size_t i = 0; i < sizeof memory_units / sizeof memory_units[0]; i++) {
        if (taskfit_is_word(word, strlen(word), memory_units[i].word)) {
            TASKFIT_STRBUF(number);
            taskfit_strbuf_add(&number, plain->data, digits);
            *is_guess_out = memory_units[i].is_guess;
            if (memory_units[i].unit == 'g' && parse_gib(number.data, number.len, mib_out)) {
                return true;
            }
            taskfit_strbuf_addc(&number, memory_units[i].unit);
            return taskfit_parse_memory_mib(number.data, number.len, TASKFIT_ROUND_UP, mib_out, why_out);
        }
    }
    *why_out = digits > 0 ? "unknown memory unit (use Ki, Mi or Gi, or none for MiB)" : "not a figure of memory";
    return false;
}

bool taskfit_import_memory(taskfit_importer *importer, const char *subject, const char *text, taskfit_position position,
                           taskfit_import_quantity *mib_out) {
    TASKFIT_STRBUF(plain);
    normalize(text, &plain);
    if (is_absent(&plain)) {
        *mib_out = (taskfit_import_quantity){-1, position};
        return true;
    }
    int64_t mib = 0;
    bool is_guess = false;
    const char *why = NULL;
    if (!parse_memory(&plain, &mib, &is_guess, &why)) {
        return refuse(importer, position, subject, text, why);
    }
    if (is_guess) {
        taskfit_import_note(importer, TASKFIT_IMPORT_ASSUMED, position, NULL, "%s: '%s' is taken as %lld MiB", subject, text,
                            (long long)mib);
    }
    *mib_out = (taskfit_import_quantity){mib, position};
    return true;
}

bool taskfit_import_cpu(taskfit_importer *importer, const char *subject, const char *text, taskfit_position position,
                        taskfit_import_cpu_unit bare, taskfit_import_quantity *units_out) {
    TASKFIT_STRBUF(plain);
    normalize(text, &plain);
    if (is_absent(&plain)) {
        *units_out = (taskfit_import_quantity){-1, position};
        return true;
    }
    if (bare == TASKFIT_IMPORT_CPU_CORES && is_digit(plain.data[plain.len - 1])) {
        taskfit_strbuf_adds(&plain, " vCPU");
    }
    int64_t units = 0;
    const char *why = NULL;
    if (!taskfit_parse_cpu_units(plain.data, plain.len, TASKFIT_ROUND_UP, &units, &why)) {
        return refuse(importer, position, subject, text, why);
    }
    *units_out = (taskfit_import_quantity){units, position};
    return true;
}

bool taskfit_import_count(taskfit_importer *importer, const char *subject, const char *text, taskfit_position position,
                          taskfit_import_quantity *count_out) {
    enum { COUNT_MAX = 2000000 }; /* tasks of a deployment */
    TASKFIT_STRBUF(plain);
    normalize(text, &plain);
    if (is_absent(&plain)) {
        *count_out = (taskfit_import_quantity){-1, position};
        return true;
    }
    int64_t count = 0;
    const char *why = NULL;
    if (!taskfit_parse_count(plain.data, plain.len, 0, COUNT_MAX, &count, &why)) {
        return refuse(importer, position, subject, text, why);
    }
    *count_out = (taskfit_import_quantity){count, position};
    return true;
}
