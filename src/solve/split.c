#include "solve/split.h"

#include <math.h>
#include <string.h>

enum { PAIR_LIMIT = 2048 };
#define FRACTION 1e-5

/* ---- where ---- */

static double distance(double value) {
    const double fraction = value - floor(value);
    return fraction < 0.5 ? fraction : 1.0 - fraction;
}

static void offer(taskfit_split *best, taskfit_split candidate) {
    if (candidate.score > FRACTION && candidate.score > best->score + 1e-9) {
        *best = candidate;
    }
}

/* Tasks of a profile in a zone; only where zones are classes of their own. */
static void find_window(const taskfit_master *master, taskfit_arena *scratch, taskfit_split *best) {
    const taskfit_residual *r = master->residual;
    const size_t n = r->decision.n_profiles;
    const size_t n_zones = r->decision.n_zones;
    if (n_zones == 1 || r->n_classes != n_zones) {
        return;
    }
    double *held = TASKFIT_ARRAY(scratch, n * n_zones, double);
    size_t *zone_of = TASKFIT_ARRAY(scratch, r->n_blocks, size_t);
    for (size_t k = 0; k < r->decision.n_kinds; k++) {
        zone_of[r->block[k]] = r->kinds[k].zone;
    }
    for (size_t i = 0; i < master->list.n_columns; i++) {
        const taskfit_pattern *pattern = &master->pool->patterns[master->list.columns[i].pattern];
        for (size_t part = 0; part < pattern->n_parts; part++) {
            held[pattern->parts[part].profile * n_zones + zone_of[master->list.columns[i].block]] +=
                (double)pattern->parts[part].count * taskfit_master_value(master, i);
        }
    }
    for (size_t p = 0; p < n; p++) {
        for (size_t z = 0; z < n_zones; z++) {
            const double tasks = held[p * n_zones + z];
            if (tasks > (double)r->zone_low[p * n_zones + z] && tasks < (double)r->zone_high[p * n_zones + z]) {
                offer(best, (taskfit_split){.type = TASKFIT_SPLIT_WINDOW, .profile = p, .zone = z, .tasks = (int64_t)floor(tasks),
                                    .score = distance(tasks)});
            }
        }
    }
}

/* Pairs that are together by two thirds: the first branch then is likely and still changes much. */
static double closeness(double together) {
    const double fraction = distance(together) > FRACTION ? together : 0.0;
    return fraction < 2.0 / 3.0 ? fraction : 1.0 - fraction;
}

static bool is_single(const taskfit_residual *r, size_t profile) {
    for (size_t k = 0; k < r->decision.n_kinds; k++) {
        if (r->kinds[k].count > 0 && r->kinds[k].low[profile] > 0) {
            return false;
        }
    }
    return r->profiles[profile].tasks == 1;
}

static void find_pair(const taskfit_master *master, taskfit_arena *scratch, taskfit_split *best) {
    const taskfit_residual *r = master->residual;
    const size_t n = r->decision.n_profiles;
    if (n > PAIR_LIMIT) {
        return;
    }
    bool *single = TASKFIT_ARRAY(scratch, n, bool);
    for (size_t p = 0; p < n; p++) {
        single[p] = is_single(r, p);
    }
    double *together = TASKFIT_ARRAY(scratch, n * n, double);
    for (size_t i = 0; i < master->list.n_columns; i++) {
        const double value = taskfit_master_value(master, i);
        const taskfit_pattern *pattern = &master->pool->patterns[master->list.columns[i].pattern];
        for (size_t a = 0; value > FRACTION && a < pattern->n_parts; a++) {
            for (size_t b = a + 1; b < pattern->n_parts; b++) {
                together[pattern->parts[a].profile * n + pattern->parts[b].profile] += value;
            }
        }
    }
    for (size_t a = 0; a < n; a++) {
        for (size_t b = a + 1; b < n && single[a]; b++) {
            if (single[b]) {
                offer(best, (taskfit_split){.type = TASKFIT_SPLIT_PAIR, .profile = a, .other = b,
                                            .score = closeness(together[a * n + b])});
            }
        }
    }
}

static double instances_with(const taskfit_master *master, size_t block, size_t profile, int64_t tasks) {
    double sum = 0.0;
    for (size_t i = 0; i < master->list.n_columns; i++) {
        const taskfit_pattern *pattern = &master->pool->patterns[master->list.columns[i].pattern];
        for (size_t part = 0; master->list.columns[i].block == block && part < pattern->n_parts; part++) {
            if (pattern->parts[part].profile == profile && pattern->parts[part].count >= tasks) {
                sum += taskfit_master_value(master, i);
            }
        }
    }
    return sum;
}

/* Each threshold that some used column of the block reaches. With nothing fractional, a threshold that some of
 * the instances reach and some do not still makes two smaller kinds. */
static void find_kind(const taskfit_master *master, taskfit_split *best) {
    taskfit_split whole = {.type = TASKFIT_SPLIT_NONE};
    for (size_t i = 0; i < master->list.n_columns; i++) {
        const taskfit_column *column = &master->list.columns[i];
        const taskfit_pattern *pattern = &master->pool->patterns[column->pattern];
        const double count = (double)master->block_count[column->block];
        for (size_t part = 0; taskfit_master_value(master, i) > FRACTION && part < pattern->n_parts; part++) {
            const double with = instances_with(master, column->block, pattern->parts[part].profile, pattern->parts[part].count);
            const taskfit_split candidate = {.type = TASKFIT_SPLIT_KIND,
                                     .profile = pattern->parts[part].profile,
                                     .block = column->block,
                                     .tasks = pattern->parts[part].count,
                                     .instances = (int64_t)floor(with),
                                     .score = distance(with)};
            if (with < count) {
                offer(best, candidate);
            }
            if (whole.type == TASKFIT_SPLIT_NONE && with > 0.5 && with < count - 0.5) {
                whole = candidate;
                whole.instances = (int64_t)floor(with + 0.5) - 1;
            }
        }
    }
    if (best->type == TASKFIT_SPLIT_NONE) {
        *best = whole;
    }
}

taskfit_split taskfit_split_find(const taskfit_master *master, taskfit_arena *scratch) {
    taskfit_split best = {.type = TASKFIT_SPLIT_NONE};
    find_window(master, scratch, &best);
    if (best.type == TASKFIT_SPLIT_NONE) {
        find_pair(master, scratch, &best);
    }
    if (best.type == TASKFIT_SPLIT_NONE) {
        find_kind(master, &best);
    }
    return best;
}

taskfit_split taskfit_split_find_bounds(const taskfit_master *master, taskfit_arena *scratch) {
    taskfit_split best = {.type = TASKFIT_SPLIT_NONE};
    find_window(master, scratch, &best);
    if (best.type == TASKFIT_SPLIT_NONE) {
        find_kind(master, &best);
    }
    return best;
}

/* ---- the branches ---- */

static void add_conflict(taskfit_arena *arena, taskfit_residual *r, size_t a, size_t b) {
    taskfit_conflict *conflicts = TASKFIT_ARRAY(arena, r->decision.n_conflicts + 1, taskfit_conflict);
    if (r->decision.n_conflicts > 0) {
        memcpy(conflicts, r->decision.conflicts, r->decision.n_conflicts * sizeof *conflicts);
    }
    conflicts[r->decision.n_conflicts++] = a < b ? (taskfit_conflict){a, b} : (taskfit_conflict){b, a};
    r->decision.conflicts = conflicts;
}

/* `other` becomes part of `profile`. */
static void merge(taskfit_arena *arena, taskfit_residual *r, size_t profile, size_t other) {
    const size_t n_dims = r->decision.n_dims;
    int64_t *demand = TASKFIT_ARRAY(arena, n_dims, int64_t);
    for (size_t d = 0; d < n_dims; d++) {
        demand[d] = r->profiles[profile].demand[d] + r->profiles[other].demand[d];
    }
    r->profiles[profile].demand = demand;
    r->profiles[other].tasks = 0;
    for (size_t z = 0; z < r->decision.n_zones; z++) {
        int64_t *mine = r->zone_high + profile * r->decision.n_zones + z;
        int64_t *its = r->zone_high + other * r->decision.n_zones + z;
        *mine = *its < *mine ? *its : *mine;
        *its = 0;
        mine = r->zone_low + profile * r->decision.n_zones + z;
        its = r->zone_low + other * r->decision.n_zones + z;
        *mine = *its > *mine ? *its : *mine;
        *its = 0;
    }
    for (size_t k = 0; k < r->decision.n_kinds; k++) {
        int64_t *mine = r->high + k * r->decision.n_profiles + profile;
        int64_t *its = r->high + k * r->decision.n_profiles + other;
        *mine = *its < *mine ? *its : *mine;
        *its = 0;
    }
    for (size_t i = 0, n = r->decision.n_conflicts; i < n; i++) {
        const taskfit_conflict pair = r->decision.conflicts[i];
        if (pair.a == other || pair.b == other) {
            const size_t rival = pair.a == other ? pair.b : pair.a;
            r->decision.impossible = r->decision.impossible || rival == profile;
            add_conflict(arena, r, profile, rival);
        }
    }
    taskfit_conflict *merges = TASKFIT_ARRAY(arena, r->n_merges + 1, taskfit_conflict);
    if (r->n_merges > 0) {
        memcpy(merges, r->merges, r->n_merges * sizeof *merges);
    }
    merges[r->n_merges++] = (taskfit_conflict){.a = profile, .b = other};
    r->merges = merges;
}

/* Splits off `count` instances of the block's only kind as a new kind and block; returns it. */
static size_t split_kind(taskfit_arena *arena, taskfit_residual *r, size_t block, int64_t count) {
    const size_t n = r->decision.n_profiles;
    const size_t n_kinds = r->decision.n_kinds;
    size_t from = 0;
    while (r->block[from] != block || r->kinds[from].count == 0) {
        from++;
    }
    taskfit_residual wider = *r;
    wider.decision.n_kinds = n_kinds + 1;
    taskfit_kind *kinds = TASKFIT_ARRAY(arena, n_kinds + 1, taskfit_kind);
    size_t *origin = TASKFIT_ARRAY(arena, n_kinds + 1, size_t);
    size_t *blocks = TASKFIT_ARRAY(arena, n_kinds + 1, size_t);
    wider.low = TASKFIT_ARRAY(arena, (n_kinds + 1) * n, int64_t);
    wider.high = TASKFIT_ARRAY(arena, (n_kinds + 1) * n, int64_t);
    memcpy(kinds, r->kinds, n_kinds * sizeof *kinds);
    memcpy(origin, r->origin, n_kinds * sizeof *origin);
    memcpy(blocks, r->block, n_kinds * sizeof *blocks);
    memcpy(wider.low, r->low, n_kinds * n * sizeof *wider.low);
    memcpy(wider.high, r->high, n_kinds * n * sizeof *wider.high);
    memcpy(wider.low + n_kinds * n, r->low + from * n, n * sizeof *wider.low);
    memcpy(wider.high + n_kinds * n, r->high + from * n, n * sizeof *wider.high);
    kinds[n_kinds] = kinds[from];
    kinds[n_kinds].count = count;
    kinds[from].count -= count;
    origin[n_kinds] = origin[from];
    blocks[n_kinds] = r->n_blocks;
    wider.n_blocks = r->n_blocks + 1;
    wider.kinds = kinds;
    wider.decision.kinds = kinds;
    wider.origin = origin;
    wider.block = blocks;
    *r = *taskfit_residual_copy(arena, &wider);
    return n_kinds;
}

static void bound_kind(const taskfit_split *s, bool second, taskfit_arena *arena, taskfit_residual *r) {
    const int64_t count = taskfit_residual_block_count(r, s->block);
    const size_t kind = split_kind(arena, r, s->block, second ? count - s->instances : s->instances + 1);
    int64_t *low = r->low + kind * r->decision.n_profiles + s->profile;
    int64_t *high = r->high + kind * r->decision.n_profiles + s->profile;
    if (second) {
        *high = s->tasks - 1 < *high ? s->tasks - 1 : *high;
    } else {
        *low = s->tasks > *low ? s->tasks : *low;
    }
    r->decision.impossible = *high < *low;
}

void taskfit_split_apply(const taskfit_split *s, bool second, taskfit_arena *arena, taskfit_residual *r) {
    const size_t window = s->profile * r->decision.n_zones + s->zone;
    switch (s->type) {
    case TASKFIT_SPLIT_NONE:
        break;
    case TASKFIT_SPLIT_WINDOW:
        if (second) {
            r->zone_high[window] = s->tasks;
        } else {
            r->zone_low[window] = s->tasks + 1;
        }
        break;
    case TASKFIT_SPLIT_PAIR:
        if (second) {
            add_conflict(arena, r, s->profile, s->other);
        } else {
            merge(arena, r, s->profile, s->other);
        }
        break;
    case TASKFIT_SPLIT_KIND:
        bound_kind(s, second, arena, r);
        break;
    }
    if (!r->decision.impossible) {
        taskfit_residual_tighten(r);
    }
}
