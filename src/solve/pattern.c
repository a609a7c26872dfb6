#include "solve/pattern.h"

#include <assert.h>
#include <string.h>

enum { FIRST_SLOTS = 1024 };

taskfit_pattern_pool *taskfit_pattern_pool_new(taskfit_arena *arena) {
    taskfit_pattern_pool *pool = TASKFIT_NEW(arena, taskfit_pattern_pool);
    pool->arena = arena;
    pool->n_slots = FIRST_SLOTS;
    pool->slots = TASKFIT_ARRAY(arena, pool->n_slots, size_t);
    return pool;
}

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 29);
}

static uint64_t hash_parts(const taskfit_content_task *parts, size_t n_parts) {
    uint64_t hash = n_parts;
    for (size_t i = 0; i < n_parts; i++) {
        hash = mix(mix(hash, parts[i].profile), (uint64_t)parts[i].count);
    }
    return hash;
}

static bool same(const taskfit_pattern *pattern, const taskfit_content_task *parts, size_t n_parts) {
    if (pattern->n_parts != n_parts) {
        return false;
    }
    for (size_t i = 0; i < n_parts; i++) {
        if (pattern->parts[i].profile != parts[i].profile || pattern->parts[i].count != parts[i].count) {
            return false;
        }
    }
    return true;
}

static void rehash(taskfit_pattern_pool *pool) {
    pool->n_slots *= 2;
    pool->slots = TASKFIT_ARRAY(pool->arena, pool->n_slots, size_t);
    for (size_t i = 0; i < pool->n_patterns; i++) {
        size_t slot = (size_t)hash_parts(pool->patterns[i].parts, pool->patterns[i].n_parts) & (pool->n_slots - 1);
        while (pool->slots[slot] != 0) {
            slot = (slot + 1) & (pool->n_slots - 1);
        }
        pool->slots[slot] = i + 1;
    }
}

size_t taskfit_pattern_pool_add(taskfit_pattern_pool *pool, const int64_t *tasks, size_t n_profiles) {
    size_t n_parts = 0;
    for (size_t p = 0; p < n_profiles; p++) {
        n_parts += tasks[p] > 0;
    }
    if (n_parts > pool->n_trial) { /* most patterns asked for are known: only new ones take memory */
        pool->n_trial = 2 * n_parts;
        pool->trial = TASKFIT_ARRAY(pool->arena, pool->n_trial, taskfit_content_task);
    }
    taskfit_content_task *parts = pool->trial;
    size_t part = 0;
    for (size_t p = 0; p < n_profiles; p++) {
        assert(tasks[p] >= 0);
        if (tasks[p] > 0) {
            parts[part++] = (taskfit_content_task){.profile = p, .count = tasks[p]};
        }
    }
    size_t slot = (size_t)hash_parts(parts, n_parts) & (pool->n_slots - 1);
    for (; pool->slots[slot] != 0; slot = (slot + 1) & (pool->n_slots - 1)) {
        if (same(&pool->patterns[pool->slots[slot] - 1], parts, n_parts)) {
            return pool->slots[slot] - 1;
        }
    }
    TASKFIT_GROW(pool->arena, pool->patterns, pool->n_patterns, pool->capacity);
    taskfit_content_task *kept = TASKFIT_ARRAY(pool->arena, n_parts, taskfit_content_task);
    if (n_parts > 0) {
        memcpy(kept, parts, n_parts * sizeof *kept);
    }
    pool->patterns[pool->n_patterns++] = (taskfit_pattern){.parts = kept, .n_parts = n_parts};
    pool->slots[slot] = pool->n_patterns;
    if (2 * pool->n_patterns > pool->n_slots) {
        rehash(pool);
    }
    return pool->n_patterns - 1;
}

void taskfit_pattern_expand(const taskfit_pattern *pattern, int64_t *tasks_out, size_t n_profiles) {
    for (size_t p = 0; p < n_profiles; p++) {
        tasks_out[p] = 0;
    }
    for (size_t i = 0; i < pattern->n_parts; i++) {
        tasks_out[pattern->parts[i].profile] = pattern->parts[i].count;
    }
}

bool taskfit_pattern_suits(const taskfit_pattern *pattern, const taskfit_kind *kind, size_t n_profiles) {
    for (size_t i = 0; i < pattern->n_parts; i++) {
        if (pattern->parts[i].count > kind->high[pattern->parts[i].profile]) {
            return false;
        }
    }
    size_t part = 0;
    for (size_t p = 0; p < n_profiles; p++) {
        while (part < pattern->n_parts && pattern->parts[part].profile < p) {
            part++;
        }
        const bool held = part < pattern->n_parts && pattern->parts[part].profile == p;
        if (kind->low[p] > (held ? pattern->parts[part].count : 0)) {
            return false;
        }
    }
    return true;
}

int64_t taskfit_pattern_worth(const taskfit_pattern *pattern, const int64_t *price) {
    int64_t worth = 0;
    for (size_t i = 0; i < pattern->n_parts; i++) {
        worth += pattern->parts[i].count * price[pattern->parts[i].profile];
    }
    return worth;
}
