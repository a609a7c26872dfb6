#include "base/arena.h"

#include <assert.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Large enough that a FOLIO deployment takes a handful of blocks, small enough not to matter. */
enum { BLOCK_BYTES = 64 * 1024 };

struct block {
    struct block *next;
    size_t size;
    size_t used;
    alignas(max_align_t) unsigned char data[];
};

struct taskfit_arena {
    struct block *blocks; /* the one in use first */
};

taskfit_arena *taskfit_arena_new(void) {
    taskfit_arena *arena = calloc(1, sizeof *arena);
    if (!arena) {
        taskfit_oom();
    }
    return arena;
}

void taskfit_arena_reset(taskfit_arena *arena) {
    for (struct block *block = arena->blocks; block;) {
        struct block *next = block->next;
        free(block);
        block = next;
    }
    arena->blocks = NULL;
}

void taskfit_arena_free(taskfit_arena *arena) {
    if (arena) {
        taskfit_arena_reset(arena);
        free(arena);
    }
}

static struct block *add_block(taskfit_arena *arena, size_t size) {
    if (size > SIZE_MAX / 2) {
        taskfit_oom();
    }
    struct block *block = calloc(1, sizeof *block + size);
    if (!block) {
        taskfit_oom();
    }
    block->size = size;
    block->next = arena->blocks;
    arena->blocks = block;
    return block;
}

void *taskfit_arena_alloc(taskfit_arena *arena, size_t size) {
    assert(arena);
#ifdef TASKFIT_ARENA_PASSTHROUGH
    return add_block(arena, size)->data;
#else
    if (size > SIZE_MAX / 2) {
        taskfit_oom();
    }
    const size_t align = alignof(max_align_t);
    size = (size + align - 1) / align * align;
    struct block *block = arena->blocks;
    if (!block || block->size - block->used < size) {
        /* A large piece gets a block of its own behind the current one, which keeps its room. */
        struct block *fresh = add_block(arena, size > BLOCK_BYTES / 4 ? size : BLOCK_BYTES);
        if (block && fresh->size != BLOCK_BYTES) {
            arena->blocks = block;
            fresh->next = block->next;
            block->next = fresh;
        }
        block = fresh;
    }
    void *piece = block->data + block->used;
    block->used += size;
    return piece;
#endif
}

void *taskfit_arena_array(taskfit_arena *arena, size_t count, size_t size) {
    size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        taskfit_oom();
    }
    return taskfit_arena_alloc(arena, bytes);
}

char *taskfit_arena_strndup(taskfit_arena *arena, const char *data, size_t len) {
    char *copy = taskfit_arena_alloc(arena, len + 1);
    if (len > 0) {
        memcpy(copy, data, len);
    }
    return copy;
}

char *taskfit_arena_strdup(taskfit_arena *arena, const char *text) {
    return taskfit_arena_strndup(arena, text, strlen(text));
}

char *taskfit_arena_printf(taskfit_arena *arena, const char *format, ...) {
    va_list args;
    va_list again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    assert(len >= 0);
    char *text = taskfit_arena_alloc(arena, (size_t)len + 1);
    (void)vsnprintf(text, (size_t)len + 1, format, again);
    va_end(again);
    return text;
}

void *taskfit_arena_grow(taskfit_arena *arena, const void *items, size_t count, size_t *capacity, size_t size) {
    size_t wanted = *capacity < 8 ? 8 : *capacity * 2;
    void *grown = taskfit_arena_array(arena, wanted, size);
    if (count > 0) {
        memcpy(grown, items, count * size);
    }
    *capacity = wanted;
    return grown;
}
