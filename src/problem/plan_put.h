#ifndef TASKFIT_PROBLEM_PLAN_PUT_H
#define TASKFIT_PROBLEM_PLAN_PUT_H

/* Setting keys of a plan's document, for the files that write it (plan_tree.c, plan_moves_tree.c). */

#include "base/strbuf.h"
#include "base/units.h"
#include "input/node.h"

typedef taskfit_node node;

static inline void put(taskfit_arena *arena, node *map, const char *key, node *value) {
    taskfit_node_set(arena, map, key, value);
}

static inline void put_text(taskfit_arena *arena, node *map, const char *key, const char *text) {
    put(arena, map, key, taskfit_node_string(arena, text));
}

static inline void put_int(taskfit_arena *arena, node *map, const char *key, int64_t value) {
    put(arena, map, key, taskfit_node_int(arena, value));
}

/* Absent quantities are negative inside and null outside. */
static inline void put_known(taskfit_arena *arena, node *map, const char *key, int64_t value) {
    put(arena, map, key, value < 0 ? taskfit_node_null(arena) : taskfit_node_int(arena, value));
}

static inline void put_usd_per_hour(taskfit_arena *arena, node *map, const char *key, int64_t usd_micros) {
    TASKFIT_STRBUF(text);
    if (usd_micros >= 0) {
        taskfit_add_usd_per_hour(&text, usd_micros);
    }
    put_text(arena, map, key, usd_micros < 0 ? NULL : text.data);
}

static inline void put_usd_per_month(taskfit_arena *arena, node *map, const char *key, int64_t usd_micros_per_hour,
                                     int64_t hours_per_month) {
    TASKFIT_STRBUF(text);
    if (usd_micros_per_hour >= 0) {
        taskfit_add_usd_cents(&text, taskfit_usd_cents_per_month(usd_micros_per_hour, hours_per_month));
    }
    put_text(arena, map, key, usd_micros_per_hour < 0 ? NULL : text.data);
}

#endif
