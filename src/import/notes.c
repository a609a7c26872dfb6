/* What is told about an import, in file order: as messages, and as comments in the text that was made. */
#include <assert.h>
#include <string.h>

#include "import/comments.h"

struct note {
    taskfit_import_note_kind kind;
    taskfit_position position;
    const char *service; /* NULL: the whole file */
    const char *text;
    size_t index; /* in the order they were added */
    size_t file;  /* index of the input */
};

struct taskfit_import_notes {
    struct note *notes;
    size_t n, capacity;
};

static const char *const kind_words[] = {
    [TASKFIT_IMPORT_REMARK] = "note",
    [TASKFIT_IMPORT_ASSUMED] = "assumed",
    [TASKFIT_IMPORT_IGNORED] = "ignored",
    [TASKFIT_IMPORT_REPAIRED] = "repaired",
    [TASKFIT_IMPORT_DOUBTFUL] = "doubtful",
    [TASKFIT_IMPORT_DEFECT] = "error",
};

struct taskfit_import_notes *taskfit_import_notes_new(taskfit_arena *arena) {
    return TASKFIT_NEW(arena, struct taskfit_import_notes);
}

/* Bytes of a character that belongs neither on a terminal nor into a comment of YAML: control characters, line ends of all kinds, byte
 * order marks, what is no character; or 0. */
static size_t unprintable(const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    if (at[0] < 0x20 || at[0] == 0x7f) {
        return 1;
    }
    if (at[0] == 0xc2) {
        return at[1] < 0xa0 ? 2 : 0;
    }
    const bool is_line_end = at[0] == 0xe2 && at[1] == 0x80 && (at[2] == 0xa8 || at[2] == 0xa9);
    const bool is_no_character = at[0] == 0xef && ((at[1] == 0xbb && at[2] == 0xbf) || (at[1] == 0xbf && at[2] >= 0xbe));
    return is_line_end || is_no_character ? 3 : 0;
}

const char *taskfit_import_printable(taskfit_arena *arena, const char *text) {
    TASKFIT_STRBUF(clean);
    while (*text) {
        const size_t n = unprintable(text);
        taskfit_strbuf_addc(&clean, n > 0 ? ' ' : *text);
        text += n > 0 ? n : 1;
    }
    return taskfit_arena_strndup(arena, clean.data, clean.len);
}

void taskfit_import_note(taskfit_importer *importer, taskfit_import_note_kind kind, taskfit_position position,
                         const char *service, const char *format, ...) {
    struct taskfit_import_notes *list = importer->notes;
    TASKFIT_STRBUF(text);
    va_list args;
    va_start(args, format);
    taskfit_strbuf_vprintf(&text, format, args);
    va_end(args);
    TASKFIT_GROW(importer->arena, list->notes, list->n, list->capacity);
    list->notes[list->n] = (struct note){.kind = kind,
                                  .position = position,
                                  .service = service ? taskfit_arena_strdup(importer->arena, service) : NULL,
                                  .text = taskfit_import_printable(importer->arena, text.data),
                                  .index = list->n};
    list->n++;
}

bool taskfit_import_has_defect(const taskfit_importer *importer) {
    for (size_t i = 0; i < importer->notes->n; i++) {
        if (importer->notes->notes[i].kind == TASKFIT_IMPORT_DEFECT) {
            return true;
        }
    }
    return false;
}

static int compare_notes(const void *a, const void *b) {
    const struct note *left = a;
    const struct note *right = b;
    if (left->file != right->file) {
        return left->file < right->file ? -1 : 1;
    }
    if (left->position.line != right->position.line) {
        return left->position.line < right->position.line ? -1 : 1;
    }
    return left->index < right->index ? -1 : left->index > right->index;
}

static void sort_notes(struct taskfit_import_notes *list, const taskfit_import_input *inputs, size_t n_inputs) {
    for (size_t i = 0; i < list->n; i++) {
        size_t file = 0;
        while (file < n_inputs && (!list->notes[i].position.file || strcmp(inputs[file].file, list->notes[i].position.file) != 0)) {
            file++;
        }
        list->notes[i].file = file;
    }
    if (list->n > 1) {
        qsort(list->notes, list->n, sizeof *list->notes, compare_notes);
    }
}

static void add_place(const struct note *note, bool with_column, taskfit_strbuf *out) {
    if (note->position.file) {
        taskfit_strbuf_adds(out, note->position.file);
        if (note->position.line > 0) {
            taskfit_strbuf_printf(out, ":%u", note->position.line);
            if (with_column && note->position.column > 0) {
                taskfit_strbuf_printf(out, ":%u", note->position.column);
            }
        }
    }
}

static void add_message(const struct note *note, bool as_defect, taskfit_strbuf *out) {
    add_place(note, as_defect, out);
    if (out->len > 0) {
        taskfit_strbuf_adds(out, ": ");
    }
    if (note->kind != TASKFIT_IMPORT_DEFECT) {
        taskfit_strbuf_printf(out, "%s: ", kind_words[note->kind]);
    }
    if (note->service) {
        taskfit_strbuf_printf(out, "%s: ", note->service);
    }
    taskfit_strbuf_adds(out, note->text);
}

static void tell_defect(const taskfit_import_options *options, const struct note *note, taskfit_error *err) {
    TASKFIT_STRBUF(message);
    add_message(note, true, &message);
    if (options->defect) {
        options->defect(options->defect_arg, message.data);
    }
    if (err && err->status == TASKFIT_OK) {
        TASKFIT_STRBUF(place);
        add_place(note, true, &place);
        taskfit_error_at(err, "%s", place.data);
        (void)taskfit_fail(err, TASKFIT_E_INPUT, "%s", message.data + (place.len > 0 ? place.len + 2 : 0));
    }
}

size_t taskfit_import_notes_tell(taskfit_importer *importer, const taskfit_import_input *inputs, size_t n_inputs,
                                 taskfit_error *err) {
    enum { SHOWN = 20 }; /* defects; as of deployment files */
    const taskfit_import_options *options = importer->options;
    sort_notes(importer->notes, inputs, n_inputs);
    size_t n_defects = 0;
    for (size_t i = 0; i < importer->notes->n; i++) {
        const struct note *note = &importer->notes->notes[i];
        const bool is_defect =
            note->kind == TASKFIT_IMPORT_DEFECT || (options->strict && note->kind != TASKFIT_IMPORT_REMARK);
        if (is_defect && n_defects++ < SHOWN) {
            tell_defect(options, note, err);
        } else if (!is_defect && options->note) {
            TASKFIT_STRBUF(message);
            add_message(note, false, &message);
            options->note(options->note_arg, message.data);
        }
    }
    if (n_defects > SHOWN && options->defect) {
        TASKFIT_STRBUF(message);
        taskfit_strbuf_printf(&message, "%zu more like these", n_defects - SHOWN);
        options->defect(options->defect_arg, message.data);
    }
    return n_defects;
}

/* ---- comments ---- */

static void add_comment(const struct note *note, taskfit_strbuf *out) {
    TASKFIT_STRBUF(message);
    add_message(note, false, &message);
    taskfit_strbuf_printf(out, TASKFIT_IMPORT_COMMENT "%s\n", message.data);
}

static int compare_services(const void *a, const void *b) {
    const struct note *left = *(const struct note *const *)a;
    const struct note *right = *(const struct note *const *)b;
    const int order = strcmp(left->service, right->service);
    return order != 0 ? order : left < right ? -1 : left > right;
}

/* Notes of services by name, in the order told; n_out of them. */
static const struct note **notes_by_service(taskfit_importer *importer, size_t *n_out) {
    const struct taskfit_import_notes *list = importer->notes;
    const struct note **sorted = TASKFIT_ARRAY(importer->arena, list->n, const struct note *);
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++) {
        if (list->notes[i].service) {
            sorted[n++] = &list->notes[i];
        }
    }
    if (n > 1) {
        qsort(sorted, n, sizeof *sorted, compare_services);
    }
    *n_out = n;
    return sorted;
}

static void add_service_comments(const struct note **sorted, size_t n, const char *service, taskfit_strbuf *out) {
    size_t low = 0;
    for (size_t high = n; low < high;) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(sorted[middle]->service, service) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < n && strcmp(sorted[low]->service, service) == 0; low++) {
        add_comment(sorted[low], out);
    }
}

/* The writer puts each item of a list in the root at the start of a line, with "- ": so the services can be counted. */
static void add_with_comments(taskfit_importer *importer, const taskfit_node *services, const char *yaml, taskfit_strbuf *out) {
    size_t n = 0;
    const struct note **sorted = notes_by_service(importer, &n);
    bool in_services = false;
    size_t service = 0;
    while (*yaml) {
        const char *end = strchr(yaml, '\n');
        assert(end);
        if (yaml[0] != ' ' && yaml[0] != '-' && yaml[0] != '#') {
            in_services = strncmp(yaml, "services:", strlen("services:")) == 0;
        } else if (in_services && yaml[0] == '-' && service < services->n) {
            const taskfit_node *name = taskfit_node_get(services->items[service++], "name");
            if (name && name->kind == TASKFIT_NODE_SCALAR) {
                add_service_comments(sorted, n, name->text, out);
            }
        }
        taskfit_strbuf_add(out, yaml, (size_t)(end + 1 - yaml));
        yaml = end + 1;
    }
}

static void write_deployment(const taskfit_importer *importer, const taskfit_node *root, taskfit_strbuf *out) {
    const taskfit_import_file *into = importer->options->into;
    TASKFIT_STRBUF(yaml);
    taskfit_node_write_yaml(root, &yaml);
    const bool has_comments = into && into->len > 0 && memchr(into->data, '#', into->len);
    if (has_comments && taskfit_import_restore_comments(into, root, yaml.data, out)) {
        return;
    }
    taskfit_strbuf_add(out, yaml.data, yaml.len);
    if (has_comments && importer->options->note) {
        TASKFIT_STRBUF(message);
        taskfit_strbuf_printf(&message, "%s: note: its comments could not be kept", into->name);
        importer->options->note(importer->options->note_arg, message.data);
    }
}

void taskfit_import_write(taskfit_importer *importer, const taskfit_node *root, taskfit_strbuf *out) {
    if (!importer->options->comments) {
        write_deployment(importer, root, out);
        return;
    }
    const taskfit_node *services = taskfit_node_get(root, "services");
    const bool is_list = services && services->kind == TASKFIT_NODE_LIST;
    for (size_t i = 0; i < importer->notes->n; i++) {
        if (!is_list || !importer->notes->notes[i].service) {
            add_comment(&importer->notes->notes[i], out);
        }
    }
    TASKFIT_STRBUF(yaml);
    write_deployment(importer, root, &yaml);
    if (is_list) {
        add_with_comments(importer, services, yaml.data, out);
    } else {
        taskfit_strbuf_add(out, yaml.data, yaml.len);
    }
}
