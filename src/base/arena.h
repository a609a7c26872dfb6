#ifndef TASKFIT_BASE_ARENA_H
#define TASKFIT_BASE_ARENA_H

/*
 * An arena: memory that is taken piece by piece and given back all at once.
 * Each long-lived object owns one; each solve has one for scratch. Nothing taken from an arena is freed
 * alone. Allocation never returns NULL: out of memory ends the process (taskfit_oom).
 * With TASKFIT_ARENA_PASSTHROUGH (sanitizer builds) each piece is a malloc of its own, so that
 * AddressSanitizer sees overruns.
 */

#include <stdarg.h>
#include <stddef.h>

#include "base/attrs.h"

typedef struct taskfit_arena taskfit_arena;

taskfit_arena *taskfit_arena_new(void) TASKFIT_ALLOCATES;
void taskfit_arena_free(taskfit_arena *arena); /* NULL is allowed */
/* Gives back everything taken so far; the arena can be used again. */
void taskfit_arena_reset(taskfit_arena *arena);

/* Zeroed bytes, aligned for any type. A size of 0 gives a valid, unusable pointer. */
void *taskfit_arena_alloc(taskfit_arena *arena, size_t size) TASKFIT_ALLOCATES;
/* Zeroed array; a product that overflows is out of memory. */
void *taskfit_arena_array(taskfit_arena *arena, size_t count, size_t size) TASKFIT_ALLOCATES;
/* A copy of len bytes with a NUL behind them. */
char *taskfit_arena_strndup(taskfit_arena *arena, const char *data, size_t len) TASKFIT_ALLOCATES;
char *taskfit_arena_strdup(taskfit_arena *arena, const char *text) TASKFIT_ALLOCATES;
char *taskfit_arena_printf(taskfit_arena *arena, const char *format, ...) TASKFIT_PRINTF(2, 3);

/* Typed shorthands. */
#define TASKFIT_NEW(arena, type) ((type *)taskfit_arena_alloc((arena), sizeof(type)))
#define TASKFIT_ARRAY(arena, count, type) ((type *)taskfit_arena_array((arena), (count), sizeof(type)))

/*
 * Makes room for one more item in an arena-backed array `items` (count, capacity: size_t lvalues),
 * doubling it. The old copy stays in the arena until it is freed.
 *     TASKFIT_GROW(arena, list->items, list->n_items, list->capacity);
 *     list->items[list->n_items++] = item;
 */
#define TASKFIT_GROW(arena, items, count, capacity)                                                          \
    do {                                                                                                     \
        if ((count) == (capacity)) {                                                                         \
            (items) = taskfit_arena_grow((arena), (items), (count), &(capacity), sizeof *(items));           \
        }                                                                                                    \
    } while (0)
void *taskfit_arena_grow(taskfit_arena *arena, const void *items, size_t count, size_t *capacity, size_t size)
    TASKFIT_ALLOCATES;

#endif
