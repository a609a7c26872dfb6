#include "solve/residual.h"

#include <assert.h>
#include <string.h>

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* ---- windows ---- */

typedef struct zone_sum { /* over the instances of a zone, for one profile */
    int64_t low, high;
} zone_sum;

static zone_sum sum_zone(const taskfit_residual *r, size_t profile, size_t zone) {
    const size_t n = r->decision.n_profiles;
    zone_sum sum = {0, 0};
    for (size_t k = 0; k < r->decision.n_kinds; k++) {
        if (r->kinds[k].zone == zone) {
            sum.low += r->kinds[k].count * r->low[k * n + profile];
            sum.high += r->kinds[k].count * r->high[k * n + profile];
        }
    }
    return sum;
}

/* Windows of the zones from those of the instances and of the other zones. */
static bool tighten_zones(taskfit_residual *r, size_t profile) {
    const size_t n_zones = r->decision.n_zones;
    int64_t *low = r->zone_low + profile * n_zones;
    int64_t *high = r->zone_high + profile * n_zones;
    const int64_t tasks = r->profiles[profile].tasks;
    int64_t all_low = 0;
    int64_t all_high = 0;
    for (size_t z = 0; z < n_zones; z++) {
        const zone_sum sum = sum_zone(r, profile, z);
        low[z] = larger(low[z], sum.low);
        high[z] = smaller(high[z], sum.high);
        all_low += low[z];
        all_high += high[z];
    }
    bool possible = all_low <= tasks && tasks <= all_high;
    for (size_t z = 0; z < n_zones && possible; z++) {
        const int64_t floor = larger(low[z], tasks - (all_high - high[z]));
        const int64_t ceiling = smaller(high[z], tasks - (all_low - low[z]));
        all_low += floor - low[z];
        all_high += ceiling - high[z];
        low[z] = floor;
        high[z] = ceiling;
        possible = floor <= ceiling;
    }
    return possible;
}

/* Bounds of the instances from those of their zone and of the other instances there. */
static bool tighten_kinds(taskfit_residual *r, size_t profile) {
    const size_t n = r->decision.n_profiles;
    bool possible = true;
    for (size_t k = 0; k < r->decision.n_kinds && possible; k++) {
        if (r->kinds[k].count == 0) {
            continue;
        }
        const size_t zone = r->kinds[k].zone;
        const zone_sum sum = sum_zone(r, profile, zone);
        int64_t *low = &r->low[k * n + profile];
        int64_t *high = &r->high[k * n + profile];
        *high = smaller(*high, r->zone_high[profile * r->decision.n_zones + zone] - (sum.low - *low));
        *low = larger(*low, r->zone_low[profile * r->decision.n_zones + zone] - (sum.high - *high));
        possible = *low <= *high;
    }
    return possible;
}

void taskfit_residual_tighten(taskfit_residual *r) {
    for (size_t p = 0; p < r->decision.n_profiles && !r->decision.impossible; p++) {
        r->decision.impossible = !tighten_zones(r, p) || !tighten_kinds(r, p);
    }
}

size_t taskfit_residual_root(const taskfit_residual *r, size_t profile) {
    for (size_t i = 0; i < r->n_merges; i++) {
        profile = r->merges[i].b == profile ? r->merges[i].a : profile;
    }
    return profile;
}

int64_t taskfit_residual_class_floor(const taskfit_residual *r, size_t profile, size_t zone_class) {
    const size_t n_zones = r->decision.n_zones;
    int64_t floor = 0;
    int64_t elsewhere = 0;
    for (size_t z = 0; z < n_zones; z++) {
        if (r->zone_class[z] == zone_class) {
            floor += r->zone_low[profile * n_zones + z];
        } else {
            elsewhere += r->zone_high[profile * n_zones + z];
        }
    }
    return larger(floor, r->profiles[profile].tasks - elsewhere);
}

/* ---- life cycle ---- */

static void point_inside(taskfit_residual *r) {
    const size_t n = r->decision.n_profiles;
    for (size_t p = 0; p < n; p++) {
        r->profiles[p].zone_low = r->zone_low + p * r->decision.n_zones;
        r->profiles[p].zone_high = r->zone_high + p * r->decision.n_zones;
    }
    for (size_t k = 0; k < r->decision.n_kinds; k++) {
        r->kinds[k].low = r->low + k * n;
        r->kinds[k].high = r->high + k * n;
    }
    r->decision.profiles = r->profiles;
    r->decision.kinds = r->kinds;
}

static void *duplicate(taskfit_arena *arena, const void *data, size_t count, size_t size) {
    void *copy = taskfit_arena_array(arena, count, size);
    if (count > 0) {
        memcpy(copy, data, count * size);
    }
    return copy;
}

taskfit_residual *taskfit_residual_copy(taskfit_arena *arena, const taskfit_residual *residual) {
    taskfit_residual *r = TASKFIT_NEW(arena, taskfit_residual);
    const size_t n = residual->decision.n_profiles;
    const size_t n_kinds = residual->decision.n_kinds;
    const size_t n_windows = n * residual->decision.n_zones;
    *r = *residual;
    r->profiles = duplicate(arena, residual->decision.profiles, n, sizeof *r->profiles);
    r->kinds = duplicate(arena, residual->decision.kinds, n_kinds, sizeof *r->kinds);
    r->zone_low = duplicate(arena, residual->zone_low, n_windows, sizeof *r->zone_low);
    r->zone_high = duplicate(arena, residual->zone_high, n_windows, sizeof *r->zone_high);
    r->low = duplicate(arena, residual->low, n_kinds * n, sizeof *r->low);
    r->high = duplicate(arena, residual->high, n_kinds * n, sizeof *r->high);
    point_inside(r);
    return r;
}

/* ---- partitions ---- */

static bool same_bounds(const taskfit_decision *d, const taskfit_kind *a, const taskfit_kind *b) {
    return memcmp(a->capacity, b->capacity, d->n_dims * sizeof *a->capacity) == 0 &&
           memcmp(a->low, b->low, d->n_profiles * sizeof *a->low) == 0 &&
           memcmp(a->high, b->high, d->n_profiles * sizeof *a->high) == 0;
}

/* All zones alike up to their number of instances, and windows wide enough for each zone to hold its share: then the
 * linear program loses nothing when it does not tell zones apart (split any solution in proportion). */
static bool shares_fit(const taskfit_decision *d) {
    if (d->n_kinds != d->n_zones) {
        return false;
    }
    for (size_t k = 0; k < d->n_kinds; k++) {
        if (d->kinds[k].zone != k || !same_bounds(d, &d->kinds[0], &d->kinds[k])) {
            return false;
        }
        for (size_t p = 0; p < d->n_profiles; p++) {
            const int64_t share = d->profiles[p].tasks * d->kinds[k].count; /* times n_instances */
            if (d->profiles[p].zone_low[k] * d->n_instances > share || d->profiles[p].zone_high[k] * d->n_instances < share) {
                return false;
            }
        }
    }
    return true;
}

static bool zones_alike(const taskfit_decision *d, size_t a, size_t b) {
    for (size_t p = 0; p < d->n_profiles; p++) {
        if (d->profiles[p].zone_low[a] != d->profiles[p].zone_low[b] ||
            d->profiles[p].zone_high[a] != d->profiles[p].zone_high[b]) {
            return false;
        }
    }
    size_t i = 0;
    size_t j = 0;
    for (;; i++, j++) {
        while (i < d->n_kinds && d->kinds[i].zone != a) {
            i++;
        }
        while (j < d->n_kinds && d->kinds[j].zone != b) {
            j++;
        }
        if (i == d->n_kinds || j == d->n_kinds) {
            return i == j;
        }
        if (d->kinds[i].count != d->kinds[j].count || !same_bounds(d, &d->kinds[i], &d->kinds[j])) {
            return false;
        }
    }
}

static void partition(taskfit_arena *arena, taskfit_residual *r, bool fine) {
    const taskfit_decision *d = &r->decision;
    size_t *zone_class = TASKFIT_ARRAY(arena, d->n_zones, size_t);
    size_t *block = TASKFIT_ARRAY(arena, d->n_kinds, size_t);
    const bool one_class = !fine && shares_fit(d);
    for (size_t z = 0; z < d->n_zones; z++) {
        size_t twin = 0;
        while (twin < z && (fine || (!one_class && !zones_alike(d, twin, z)))) {
            twin++;
        }
        zone_class[z] = twin < z ? zone_class[twin] : r->n_classes++;
    }
    for (size_t k = 0; k < d->n_kinds; k++) {
        size_t twin = 0;
        while (twin < k && (fine || zone_class[d->kinds[twin].zone] != zone_class[d->kinds[k].zone] ||
                            !same_bounds(d, &d->kinds[twin], &d->kinds[k]))) {
            twin++;
        }
        block[k] = twin < k ? block[twin] : r->n_blocks++;
    }
    r->zone_class = zone_class;
    r->block = block;
}

taskfit_residual *taskfit_residual_new(taskfit_arena *arena, const taskfit_decision *decision, bool fine) {
    taskfit_residual shell = {.decision = *decision};
    const size_t n = decision->n_profiles;
    shell.zone_low = TASKFIT_ARRAY(arena, n * decision->n_zones, int64_t);
    shell.zone_high = TASKFIT_ARRAY(arena, n * decision->n_zones, int64_t);
    shell.low = TASKFIT_ARRAY(arena, n * decision->n_kinds, int64_t);
    shell.high = TASKFIT_ARRAY(arena, n * decision->n_kinds, int64_t);
    for (size_t p = 0; p < n; p++) {
        memcpy(shell.zone_low + p * decision->n_zones, decision->profiles[p].zone_low, decision->n_zones * sizeof(int64_t));
        memcpy(shell.zone_high + p * decision->n_zones, decision->profiles[p].zone_high, decision->n_zones * sizeof(int64_t));
    }
    size_t *origin = TASKFIT_ARRAY(arena, decision->n_kinds, size_t);
    for (size_t k = 0; k < decision->n_kinds; k++) {
        origin[k] = k;
        memcpy(shell.low + k * n, decision->kinds[k].low, n * sizeof(int64_t));
        memcpy(shell.high + k * n, decision->kinds[k].high, n * sizeof(int64_t));
    }
    shell.origin = origin;
    taskfit_residual *r = taskfit_residual_copy(arena, &shell);
    taskfit_residual_tighten(r);
    partition(arena, r, fine);
    return r;
}

/* ---- filling ---- */

void taskfit_residual_fill(taskfit_arena *arena, taskfit_residual *r, size_t kind, const int64_t *tasks) {
    const size_t n = r->decision.n_profiles;
    assert(r->kinds[kind].count > 0);
    int64_t *content = TASKFIT_ARRAY(arena, n, int64_t);
    const size_t zone = r->kinds[kind].zone;
    for (size_t p = 0; p < n; p++) {
        content[p] = larger(smaller(tasks[p], r->high[kind * n + p]), r->low[kind * n + p]);
        r->profiles[p].tasks -= content[p];
        r->zone_low[p * r->decision.n_zones + zone] -= content[p];
        r->zone_high[p * r->decision.n_zones + zone] -= content[p];
        int64_t *floor = &r->zone_low[p * r->decision.n_zones + zone];
        *floor = larger(*floor, 0);
    }
    r->kinds[kind].count--;
    r->decision.n_instances--;
    taskfit_filled *filled = TASKFIT_NEW(arena, taskfit_filled);
    *filled = (taskfit_filled){.content = taskfit_content_from_dense(arena, kind, 1, content, n), .before = r->filled};
    r->filled = filled;
    r->n_filled++;
    taskfit_residual_tighten(r);
}

/* In 1/1024 of the fullest dimension. */
static int64_t size_of(const taskfit_residual *r, const taskfit_kind *kind, size_t profile) {
    int64_t size = 0;
    for (size_t d = 0; d < r->decision.n_dims; d++) {
        if (kind->capacity[d] > 0) {
            size = larger(size, r->profiles[profile].demand[d] * 1024 / kind->capacity[d]);
        }
    }
    return size + 1;
}

/* How far the windows of the kind's zone are from having room for as much, and need of as little, on all its instances;
 * -1: the content does not suit the kind. */
static int64_t harm_of(const taskfit_residual *r, const taskfit_kind *kind, const int64_t *tasks, bool cut) {
    const size_t n_zones = r->decision.n_zones;
    int64_t harm = 0;
    int64_t held = 0;
    for (size_t p = 0; p < r->decision.n_profiles; p++) {
        const int64_t content = cut ? smaller(tasks[p], kind->high[p]) : tasks[p];
        if (content < kind->low[p] || content > kind->high[p]) {
            return -1;
        }
        held += content;
        const int64_t ahead = content * kind->count - r->zone_high[p * n_zones + kind->zone];
        const int64_t behind = r->zone_low[p * n_zones + kind->zone] - content * kind->count;
        if (n_zones > 1 && (ahead > 0 || behind > 0)) {
            harm += larger(ahead, behind) * size_of(r, kind, p) * 1024 / kind->count;
        }
    }
    return cut && held == 0 ? -1 : harm;
}

size_t taskfit_residual_kind_for(const taskfit_residual *r, size_t block, const int64_t *tasks, bool cut) {
    size_t best = SIZE_MAX;
    int64_t least = INT64_MAX;
    for (size_t k = 0; k < r->decision.n_kinds; k++) {
        if (r->kinds[k].count > 0 && r->block[k] == block) {
            const int64_t harm = harm_of(r, &r->kinds[k], tasks, cut);
            if (harm >= 0 && harm < least) {
                least = harm;
                best = k;
            }
        }
    }
    return best;
}

bool taskfit_residual_done(const taskfit_residual *r) {
    for (size_t p = 0; p < r->decision.n_profiles; p++) {
        if (r->profiles[p].tasks > 0) {
            return false;
        }
    }
    return !r->decision.impossible;
}

int64_t taskfit_residual_block_count(const taskfit_residual *r, size_t block) {
    int64_t count = 0;
    for (size_t k = 0; k < r->decision.n_kinds; k++) {
        count += r->block[k] == block ? r->kinds[k].count : 0;
    }
    return count;
}

static taskfit_content content_as_asked(taskfit_arena *arena, const taskfit_residual *r, const taskfit_content *content) {
    const size_t n = r->decision.n_profiles;
    int64_t *tasks = TASKFIT_ARRAY(arena, n, int64_t);
    for (size_t i = 0; i < content->n_tasks; i++) {
        tasks[content->tasks[i].profile] = content->tasks[i].count;
    }
    for (size_t i = r->n_merges; i-- > 0;) {
        tasks[r->merges[i].b] = tasks[r->merges[i].a];
    }
    return taskfit_content_from_dense(arena, r->origin[content->kind], content->count, tasks, n);
}

taskfit_answer taskfit_residual_answer(taskfit_arena *arena, const taskfit_residual *r, const char *stage) {
    assert(taskfit_residual_done(r));
    const size_t n_kinds = r->decision.n_kinds;
    taskfit_content *contents = TASKFIT_ARRAY(arena, r->n_filled + n_kinds, taskfit_content);
    size_t n = 0;
    for (const taskfit_filled *filled = r->filled; filled != NULL; filled = filled->before) {
        contents[n++] = content_as_asked(arena, r, &filled->content);
    }
    for (size_t k = 0; k < n_kinds; k++) {
        if (r->kinds[k].count > 0) {
            contents[n++] = (taskfit_content){.kind = r->origin[k], .count = r->kinds[k].count};
        }
    }
    return (taskfit_answer){.verdict = TASKFIT_VERDICT_FITS, .contents = contents, .n_contents = n, .stage = stage};
}
