/* Several files, and several rows of one file, may speak of one service: what they say is joined, and where they
 * differ is a defect that names both places. */
#include <string.h>

#include "import/import.h"

struct merge {
    taskfit_importer *importer;
    const char *service;
};

static void conflict(const struct merge *merge, taskfit_position here, taskfit_position there, const char *what, const char *new,
                     const char *old) {
    taskfit_import_note(merge->importer, TASKFIT_IMPORT_DEFECT, here, merge->service, "%s is %s, but %s at %s:%u:%u", what, new,
                        old, there.file ? there.file : "", there.line, there.column);
}

static void merge_quantity(const struct merge *merge, const char *what, taskfit_import_quantity *into,
                           const taskfit_import_quantity *from) {
    if (into->value < 0) {
        *into = *from;
    } else if (from->value >= 0 && from->value != into->value) {
        taskfit_arena *arena = merge->importer->arena;
        conflict(merge, from->position, into->position, what, taskfit_arena_printf(arena, "%lld", (long long)from->value),
                 taskfit_arena_printf(arena, "%lld", (long long)into->value));
    }
}

static void merge_text(const struct merge *merge, const char *what, taskfit_import_text *into, const taskfit_import_text *from) {
    if (!into->text) {
        *into = *from;
    } else if (from->text && strcmp(from->text, into->text) != 0) {
        taskfit_arena *arena = merge->importer->arena;
        conflict(merge, from->position, into->position, what, taskfit_arena_printf(arena, "'%s'", from->text),
                 taskfit_arena_printf(arena, "'%s'", into->text));
    }
}

/* "repository/mod-users:19.2.0" says more than "mod-users:19.2.0" and nothing else. */
static bool is_fuller_image(const char *full, const char *bare) {
    const size_t full_len = strlen(full);
    const size_t bare_len = strlen(bare);
    return full_len > bare_len && full[full_len - bare_len - 1] == '/' && strcmp(full + full_len - bare_len, bare) == 0;
}

static void merge_image(const struct merge *merge, taskfit_import_text *into, const taskfit_import_text *from) {
    if (into->text && from->text && is_fuller_image(from->text, into->text)) {
        *into = *from;
    } else if (!(into->text && from->text && is_fuller_image(into->text, from->text))) {
        merge_text(merge, "image", into, from);
    }
}

static void merge_extra(const struct merge *merge, taskfit_node **into, const taskfit_node *from) {
    for (size_t i = 0; from && i < from->n; i++) {
        const taskfit_entry *entry = &from->entries[i];
        const taskfit_node *known = *into ? taskfit_node_get(*into, entry->key) : NULL;
        if (!known) {
            taskfit_import_extra(merge->importer, into, entry->key, entry->value);
        } else if (!taskfit_node_equal(known, entry->value)) {
            taskfit_import_note(merge->importer, TASKFIT_IMPORT_DEFECT, entry->value->position, merge->service,
                                "%s differs from what stands at %s:%u:%u", entry->key,
                                known->position.file ? known->position.file : "", known->position.line, known->position.column);
        }
    }
}

static void merge_container(const struct merge *merge, taskfit_import_container *into, const taskfit_import_container *from) {
    for (size_t amount = 0; amount < TASKFIT_IMPORT_AMOUNTS; amount++) {
        merge_quantity(merge, taskfit_import_amount_key((taskfit_import_amount)amount), &into->amounts[amount],
                       &from->amounts[amount]);
    }
    if (!into->name.text) {
        into->name = from->name;
    }
    merge_image(merge, &into->image, &from->image);
    merge_text(merge, "jvm.maxRamPercentage", &into->max_ram_percentage, &from->max_ram_percentage);
    merge_text(merge, "jvm.options", &into->jvm_options, &from->jvm_options);
    merge_extra(merge, &into->extra, from->extra);
}

/* The first containers belong together, others by name, and two lone sidecars whatever one of them may lack of a name. */
static taskfit_import_container *counterpart(const taskfit_import_service *into, const taskfit_import_service *from, size_t index) {
    if (index == 0) {
        return into->n_containers > 0 ? into->containers[0] : NULL;
    }
    const char *name = from->containers[index]->name.text;
    for (size_t i = 1; i < into->n_containers; i++) {
        const char *other = into->containers[i]->name.text;
        if (name && other ? strcmp(name, other) == 0 : into->n_containers == 2 && from->n_containers == 2) {
            return into->containers[i];
        }
    }
    return NULL;
}

static void merge_service(taskfit_importer *importer, taskfit_import_service *into, const taskfit_import_service *from) {
    const struct merge merge = {importer, into->name};
    merge_quantity(&merge, "desiredCount", &into->desired_count, &from->desired_count);
    for (size_t i = 0; i < from->n_containers; i++) {
        taskfit_import_container *container = counterpart(into, from, i);
        if (container) {
            merge_container(&merge, container, from->containers[i]);
        } else {
            TASKFIT_GROW(importer->arena, into->containers, into->n_containers, into->containers_capacity);
            into->containers[into->n_containers++] = from->containers[i];
        }
    }
    into->long_form = into->long_form || from->long_form;
    merge_extra(&merge, &into->extra, from->extra);
    taskfit_import_note(importer, TASKFIT_IMPORT_REMARK, from->position, into->name, "also stated at %s:%u",
                        into->position.file ? into->position.file : "", into->position.line);
}

struct place {
    const taskfit_import_service *service;
    size_t index;
};

static int compare_places(const void *a, const void *b) {
    const struct place *left = a;
    const struct place *right = b;
    const int order = strcmp(left->service->name, right->service->name);
    return order != 0 ? order : left->index < right->index ? -1 : left->index > right->index;
}

void taskfit_import_merge(taskfit_importer *importer) {
    const size_t n = importer->n_services;
    struct place *sorted = TASKFIT_ARRAY(importer->arena, n, struct place);
    for (size_t i = 0; i < n; i++) {
        sorted[i] = (struct place){importer->services[i], i};
    }
    if (n > 1) {
        qsort(sorted, n, sizeof *sorted, compare_places);
    }
    for (size_t first = 0, i = 1; i < n; i++) {
        if (strcmp(sorted[i].service->name, sorted[first].service->name) != 0) {
            first = i;
        } else {
            merge_service(importer, importer->services[sorted[first].index], sorted[i].service);
            importer->services[sorted[i].index] = NULL;
        }
    }
    size_t n_kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (importer->services[i]) {
            importer->services[n_kept++] = importer->services[i];
        }
    }
    importer->n_services = n_kept;
}
