#include "base/arena.h"
#include "catalogue/table.h"
#include "input/diag.h"

const char *taskfit_catalogue_nearest(const taskfit_catalogue *catalogue, const char *name) {
    taskfit_arena *arena = taskfit_arena_new();
    const char **names = TASKFIT_ARRAY(arena, catalogue->n_types, const char *);
    for (size_t i = 0; i < catalogue->n_types; i++) {
        names[i] = catalogue->types[i].name;
    }
    const char *nearest = taskfit_nearest(name, names, catalogue->n_types);
    taskfit_arena_free(arena);
    return nearest;
}
