/*
 * Limits as people write them under load tests:
 *     mod-inventory: "-XX:MetaspaceSize=182m -Xmx1814m" (Hard/Soft limits: 2880/2592)
 *     mod-inventory: "-Xmx1814m" (Memory Hard/Soft limits: 2880Mi/2592Mi, CPU Hard/Soft limits: 1024m/512m)
 * With bullets, numbers and typographic quotes and dashes before and between; the quoted flags may run over line ends. Memory is
 * hard and soft limit; of CPU the soft limit is what is reserved, the hard one has no place on Amazon ECS.
 */
#include <ctype.h>
#include <string.h>

#include "base/utf8.h"
#include "import/kinds.h"

struct scan {
    taskfit_importer *importer;
    const char *file;
    const char *at, *end, *line_start;
    uint32_t line;
};

/* ---- the text ---- */

static taskfit_position place(const struct scan *scan) {
    uint32_t column = 1;
    for (const char *c = scan->line_start; c < scan->at; c++) {
        column += ((unsigned char)*c & 0xc0) != 0x80; /* characters, not bytes */
    }
    return (taskfit_position){.file = scan->file, .line = scan->line, .column = column};
}

static void step(struct scan *scan, size_t len) {
    for (; len > 0 && scan->at < scan->end; len--, scan->at++) {
        if (*scan->at == '\n') {
            scan->line++;
            scan->line_start = scan->at + 1;
        }
    }
}

static bool starts_with(const struct scan *scan, const char *text) {
    const size_t len = strlen(text);
    return (size_t)(scan->end - scan->at) >= len && memcmp(scan->at, text, len) == 0;
}

/* Skips any of the texts, as often as they come. */
static void skip_all(struct scan *scan, const char *const *texts) {
    for (const char *const *text = texts; *text;) {
        if (starts_with(scan, *text)) {
            step(scan, strlen(*text));
            text = texts;
        } else {
            text++;
        }
    }
}

static const char *const blanks[] = {" ", "\t", "\r", "\xc2\xa0", NULL};
static const char *const blanks_and_ends[] = {" ", "\t", "\r", "\n", "\xc2\xa0", NULL};
/* bullets, dashes of every length and the marks of wiki text */
static const char *const bullets[] = {" ", "\t", "\r", "\xc2\xa0", "\xe2\x80\xa2", "\xc2\xb7", "\xe2\x97\xa6", "\xe2\x96\xaa",
                                      "\xe2\x80\x93", "\xe2\x80\x94", "*", "-", "`", "|", NULL};

static bool is_name_character(char c) {
    return isalnum((unsigned char)c) || c == '-' || c == '_' || c == '.';
}

static const char *rest_of_line(struct scan *scan, size_t *len_out) {
    const char *from = scan->at;
    const char *newline = memchr(from, '\n', (size_t)(scan->end - from));
    *len_out = newline ? (size_t)(newline - from) : (size_t)(scan->end - from);
    return from;
}

/* ---- one entry ---- */

/* "mod-users:", "1. mod-users -", "`mod-users` :"; NULL when the line starts otherwise. */
static const char *read_name(struct scan *scan) {
    skip_all(scan, bullets);
    const char *digit = scan->at;
    while (digit < scan->end && isdigit((unsigned char)*digit)) {
        digit++;
    }
    if (digit > scan->at && digit + 1 < scan->end && (*digit == '.' || *digit == ')') && digit[1] == ' ') {
        step(scan, (size_t)(digit + 1 - scan->at));
        skip_all(scan, bullets);
    }
    const char *from = scan->at;
    const char *to = from;
    while (to < scan->end && is_name_character(*to)) {
        to++;
    }
    struct scan ahead = *scan;
    step(&ahead, (size_t)(to - from));
    const char *behind = ahead.at;
    skip_all(&ahead, bullets); /* a dash may stand in place of the colon */
    const bool has_colon = starts_with(&ahead, ":");
    if (to == from || (!has_colon && ahead.at == behind)) {
        return NULL;
    }
    *scan = ahead;
    step(scan, has_colon);
    return taskfit_arena_strndup(scan->importer->arena, from, (size_t)(to - from));
}

/* The text between quotes of any kind; NULL: none stands here. */
static const char *read_flags(struct scan *scan, const char *name, taskfit_position *position_out) {
    static const char *const quotes[][2] = {{"\"", "\""}, {"'", "'"}, {"`", "`"},
                                            {"\xe2\x80\x9c", "\xe2\x80\x9d"}, {"\xe2\x80\x9e", "\xe2\x80\x9c"}};
    skip_all(scan, blanks);
    *position_out = place(scan);
    for (size_t i = 0; i < sizeof quotes / sizeof quotes[0]; i++) {
        if (!starts_with(scan, quotes[i][0])) {
            continue;
        }
        step(scan, strlen(quotes[i][0]));
        struct scan ahead = *scan;
        while (ahead.at < ahead.end && !starts_with(&ahead, quotes[i][1])) {
            step(&ahead, 1);
        }
        if (ahead.at == ahead.end) {
            taskfit_import_note(scan->importer, TASKFIT_IMPORT_DEFECT, *position_out, name, "the quoted flags have no end");
            return NULL;
        }
        const char *flags = taskfit_arena_strndup(scan->importer->arena, scan->at, (size_t)(ahead.at - scan->at));
        *scan = ahead;
        step(scan, strlen(quotes[i][1]));
        return flags;
    }
    return NULL;
}

static bool contains_word(const char *text, size_t len, const char *word) {
    const size_t word_len = strlen(word);
    for (size_t i = 0; i + word_len <= len; i++) {
        if (taskfit_is_word(text + i, word_len, word)) {
            return true;
        }
    }
    return false;
}

static void read_memory(const struct scan *scan, const char *name, const char *text, bool is_hard, taskfit_import_container *container) {
    taskfit_import_quantity *amount = &container->amounts[is_hard ? TASKFIT_IMPORT_MEMORY : TASKFIT_IMPORT_RESERVATION];
    const char *subject = taskfit_arena_printf(scan->importer->arena, "%s: %s limit", name, is_hard ? "hard" : "soft");
    (void)taskfit_import_memory(scan->importer, subject, text, place(scan), amount);
}

static void read_cpu(const struct scan *scan, const char *name, const char *text, bool is_hard, taskfit_import_container *container) {
    if (is_hard) {
        taskfit_import_note(scan->importer, TASKFIT_IMPORT_IGNORED, place(scan), name,
                            "hard CPU limit '%s' (a container on Amazon ECS has a reservation only)", text + strspn(text, " "));
        return;
    }
    const char *subject = taskfit_arena_printf(scan->importer->arena, "%s: CPU limit", name);
    (void)taskfit_import_cpu(scan->importer, subject, text, place(scan), TASKFIT_IMPORT_CPU_UNITS, &container->amounts[TASKFIT_IMPORT_CPU]);
}

/* "Memory Hard/Soft limits: 2048Mi/1844Mi"; false: something else. */
static bool read_pair(const struct scan *scan, const char *name, const char *text, size_t len, taskfit_import_container *container) {
    const char *colon = memchr(text, ':', len);
    const size_t label_len = colon ? (size_t)(colon - text) : 0;
    const char *slash = colon ? memchr(colon, '/', len - label_len) : NULL;
    if (!slash || !contains_word(text, label_len, "limit")) {
        return false;
    }
    taskfit_arena *arena = scan->importer->arena;
    const char *left = taskfit_arena_strndup(arena, colon + 1, (size_t)(slash - colon - 1));
    const char *right = taskfit_arena_strndup(arena, slash + 1, len - (size_t)(slash + 1 - text));
    const bool is_cpu = contains_word(text, label_len, "cpu");
    const bool soft_first = contains_word(text, label_len, "soft/hard");
    void (*read)(const struct scan *, const char *, const char *, bool, taskfit_import_container *) = is_cpu ? read_cpu : read_memory;
    read(scan, name, left, !soft_first, container);
    read(scan, name, right, soft_first, container);
    return true;
}

/* The comma behind a pair; one between thousands ("1,024") is none. */
static const char *pair_end(const char *at, const char *close) {
    for (; at < close; at++) {
        const bool thousands = isdigit((unsigned char)at[-1]) && close - at > 3 && isdigit((unsigned char)at[1]) &&
                               isdigit((unsigned char)at[2]) && isdigit((unsigned char)at[3]);
        if (*at == ',' && !thousands) {
            break;
        }
    }
    return at;
}

/* "(Hard/Soft limits: 2048/1844, CPU Hard/Soft limits: 1024m/512m)" */
static bool read_limits(struct scan *scan, const char *name, taskfit_import_container *container) {
    skip_all(scan, blanks_and_ends);
    const char *close = starts_with(scan, "(") ? memchr(scan->at, ')', (size_t)(scan->end - scan->at)) : NULL;
    if (!close) {
        return false;
    }
    bool any = false;
    step(scan, 1);
    while (scan->at < close) {
        const size_t len = (size_t)(pair_end(scan->at, close) - scan->at);
        if (read_pair(scan, name, scan->at, len, container)) {
            any = true;
        } else {
            taskfit_import_note(scan->importer, TASKFIT_IMPORT_IGNORED, place(scan), name, "'%s'",
                                taskfit_arena_strndup(scan->importer->arena, scan->at, len));
        }
        step(scan, len + 1);
    }
    return any;
}

/* Steps over the rest of the line; what stands there is told. */
static void skip_line(struct scan *scan, const char *service, const char *why) {
    skip_all(scan, blanks);
    size_t len = 0;
    const char *rest = rest_of_line(scan, &len);
    if (len > 0) {
        taskfit_import_note(scan->importer, TASKFIT_IMPORT_IGNORED, place(scan), service, "%s: '%s'", why,
                            taskfit_arena_strndup(scan->importer->arena, rest, len));
    }
    step(scan, len + 1);
}

static void read_entry(struct scan *scan) {
    const taskfit_position position = place(scan);
    struct scan entry = *scan;
    const char *name = read_name(&entry);
    taskfit_position flags_position = position;
    const char *flags = name ? read_flags(&entry, name, &flags_position) : NULL;
    struct scan ahead = entry;
    skip_all(&ahead, blanks_and_ends);
    if (!name || (!flags && !starts_with(&ahead, "("))) {
        skip_line(scan, NULL, "no limits in this line");
        return;
    }
    taskfit_import_service *service = taskfit_import_service_add(scan->importer, name, position);
    taskfit_import_container *container = taskfit_import_container_add(scan->importer, service, position);
    taskfit_import_jvm(scan->importer, container, flags, flags_position);
    if (!read_limits(&entry, service->name, container)) {
        taskfit_import_note(scan->importer, TASKFIT_IMPORT_DEFECT, place(&entry), service->name,
                            "no limits behind it (they look like this: (Hard/Soft limits: 2048/1844))");
    }
    *scan = entry;
    skip_line(scan, service->name, "behind the limits");
}

static bool recognize(const taskfit_import_input *input) {
    return contains_word(input->data, input->len, "hard/soft limit") || contains_word(input->data, input->len, "soft/hard limit");
}

/* Names that all start with the same "kcp1-" before what FOLIO calls its modules carry the cluster's name. */
static const char *common_prefix(const taskfit_importer *importer, size_t first) {
    static const char *const heads[] = {"mod-", "edge-", "mgr-", "folio-", "okapi", NULL};
    const char *prefix = NULL;
    for (size_t s = first; s < importer->n_services; s++) {
        const char *name = importer->services[s]->name;
        const char *dash = strchr(name, '-');
        bool is_prefixed = false;
        for (const char *const *head = heads; dash && *head; head++) {
            is_prefixed = is_prefixed || strncmp(dash + 1, *head, strlen(*head)) == 0;
        }
        if (!is_prefixed || (prefix && (strlen(prefix) != (size_t)(dash - name) || strncmp(name, prefix, strlen(prefix)) != 0))) {
            return NULL;
        }
        prefix = prefix ? prefix : taskfit_arena_strndup(importer->arena, name, (size_t)(dash - name));
    }
    return prefix;
}

static void strip_prefix(taskfit_importer *importer, size_t first, taskfit_position position) {
    const char *prefix = common_prefix(importer, first);
    if (!prefix) {
        return;
    }
    for (size_t s = first; s < importer->n_services; s++) {
        importer->services[s]->name += strlen(prefix) + 1;
    }
    taskfit_node *name = taskfit_node_string(importer->arena, prefix);
    name->position = position;
    taskfit_import_cluster(importer, "name", name);
    taskfit_import_note(importer, TASKFIT_IMPORT_REPAIRED, position, NULL,
                        "every name starts with '%s-': taken as the cluster's name", prefix);
}

static void read(taskfit_importer *importer, const taskfit_import_input *inputs, size_t n_inputs) {
    for (size_t i = 0; i < n_inputs; i++) {
        struct scan scan = {.importer = importer,
                            .file = inputs[i].file,
                            .at = inputs[i].data,
                            .end = inputs[i].data + inputs[i].len,
                            .line_start = inputs[i].data,
                            .line = 1};
        const taskfit_position start = place(&scan);
        const size_t first = importer->n_services;
        while (scan.at < scan.end) {
            read_entry(&scan);
        }
        strip_prefix(importer, first, start);
    }
}

const taskfit_import_kind taskfit_import_limits = {
    .name = "limits",
    .summary = "lines of the form: NAME: \"JVM flags\" (Hard/Soft limits: 2048/1844)",
    .recognize = recognize,
    .read = read,
};
