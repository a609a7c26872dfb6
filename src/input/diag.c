#include "input/diag.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

struct ranked { /* a defect and what it is sorted by besides line and column */
    taskfit_defect defect;
    size_t file_rank;
    size_t found;
};

struct taskfit_diag {
    taskfit_arena *arena;
    size_t n_defects;
    struct ranked shown[TASKFIT_DIAG_SHOWN]; /* sorted */
    size_t n_shown;
    taskfit_defect sorted[TASKFIT_DIAG_SHOWN]; /* what the caller sees */
    const char **files;                        /* in order of appearance */
    size_t n_files, files_capacity;
    uint64_t *seen; /* hash table of defects told so far, 0: free; one bad default may serve 20,000 services */
    size_t seen_capacity; /* a power of two, at most half full */
};

taskfit_diag *taskfit_diag_new(taskfit_arena *arena) {
    taskfit_diag *diag = TASKFIT_NEW(arena, taskfit_diag);
    diag->arena = arena;
    diag->seen_capacity = 64;
    diag->seen = TASKFIT_ARRAY(arena, diag->seen_capacity, uint64_t);
    return diag;
}

static size_t rank_of(taskfit_diag *diag, const char *file) {
    const char *name = file ? file : "";
    for (size_t i = 0; i < diag->n_files; i++) {
        if (strcmp(diag->files[i], name) == 0) {
            return i;
        }
    }
    TASKFIT_GROW(diag->arena, diag->files, diag->n_files, diag->files_capacity);
    diag->files[diag->n_files] = taskfit_arena_strdup(diag->arena, name);
    return diag->n_files++;
}

/* FNV-1a, 64 bits */
static uint64_t hash_bytes(uint64_t hash, const void *data, size_t len) {
    const unsigned char *byte = data;
    for (size_t i = 0; i < len; i++) {
        hash = (hash ^ byte[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

/* Where the line is known it tells defects apart; else the path does. */
static uint64_t hash_defect(const struct ranked *ranked) {
    const taskfit_defect *defect = &ranked->defect;
    uint64_t hash = hash_bytes(UINT64_C(14695981039346656037), &ranked->file_rank, sizeof ranked->file_rank);
    hash = hash_bytes(hash, &defect->position.line, sizeof defect->position.line);
    hash = hash_bytes(hash, &defect->position.column, sizeof defect->position.column);
    if (defect->position.line == 0) {
        hash = hash_bytes(hash, defect->path, strlen(defect->path) + 1);
    }
    hash = hash_bytes(hash, defect->message, strlen(defect->message));
    return hash == 0 ? 1 : hash;
}

/* True when it was not there yet. */
static bool insert(uint64_t *table, size_t capacity, uint64_t hash) {
    size_t slot = (size_t)hash & (capacity - 1);
    while (table[slot] != 0 && table[slot] != hash) {
        slot = (slot + 1) & (capacity - 1);
    }
    const bool is_new = table[slot] == 0;
    table[slot] = hash;
    return is_new;
}

static bool is_new_defect(taskfit_diag *diag, const struct ranked *ranked) {
    if (diag->n_defects * 2 >= diag->seen_capacity) {
        uint64_t *larger = TASKFIT_ARRAY(diag->arena, diag->seen_capacity * 2, uint64_t);
        for (size_t i = 0; i < diag->seen_capacity; i++) {
            if (diag->seen[i] != 0) {
                (void)insert(larger, diag->seen_capacity * 2, diag->seen[i]);
            }
        }
        diag->seen = larger;
        diag->seen_capacity *= 2;
    }
    return insert(diag->seen, diag->seen_capacity, hash_defect(ranked));
}

static bool is_before(const struct ranked *a, const struct ranked *b) {
    const taskfit_position *left = &a->defect.position;
    const taskfit_position *right = &b->defect.position;
    if (a->file_rank != b->file_rank) {
        return a->file_rank < b->file_rank;
    }
    if (left->line != right->line) {
        return left->line < right->line;
    }
    if (left->column != right->column) {
        return left->column < right->column;
    }
    return a->found < b->found;
}

void taskfit_diag_add(taskfit_diag *diag, taskfit_position position, const char *path, const char *format, ...) {
    char message[512];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    struct ranked ranked = {.defect = {.position = position, .path = path ? path : "", .message = message},
                            .file_rank = rank_of(diag, position.file),
                            .found = diag->n_defects};
    if (!is_new_defect(diag, &ranked)) {
        return;
    }
    diag->n_defects++;
    size_t place = diag->n_shown;
    while (place > 0 && is_before(&ranked, &diag->shown[place - 1])) {
        place--;
    }
    if (place == TASKFIT_DIAG_SHOWN) {
        return;
    }
    const size_t n_kept = diag->n_shown < TASKFIT_DIAG_SHOWN ? diag->n_shown : TASKFIT_DIAG_SHOWN - 1;
    memmove(&diag->shown[place + 1], &diag->shown[place], (n_kept - place) * sizeof diag->shown[0]);
    ranked.defect.position.file = position.file ? diag->files[ranked.file_rank] : NULL;
    ranked.defect.path = taskfit_arena_strdup(diag->arena, ranked.defect.path);
    ranked.defect.message = taskfit_arena_strdup(diag->arena, message);
    diag->shown[place] = ranked;
    diag->n_shown = n_kept + 1;
}

size_t taskfit_diag_count(const taskfit_diag *diag) {
    return diag->n_defects;
}

const taskfit_defect *taskfit_diag_sorted(taskfit_diag *diag, size_t *n_out) {
    for (size_t i = 0; i < diag->n_shown; i++) {
        diag->sorted[i] = diag->shown[i].defect;
    }
    *n_out = diag->n_shown;
    return diag->sorted;
}

void taskfit_defect_format(const taskfit_defect *defect, taskfit_strbuf *out) {
    const taskfit_position *position = &defect->position;
    if (position->file && position->file[0]) {
        taskfit_strbuf_adds(out, position->file);
        if (position->line > 0) {
            taskfit_strbuf_printf(out, ":%u:%u", position->line, position->column);
        }
        taskfit_strbuf_adds(out, ": ");
    }
    if (defect->path[0]) {
        taskfit_strbuf_printf(out, "%s: ", defect->path);
    }
    taskfit_strbuf_adds(out, defect->message);
}
