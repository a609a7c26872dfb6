#include "solve/greedy.h"

#include <stdlib.h>
#include <string.h>

#include "base/int64.h"

/*
 * Fills the instances one after the other, going round the kinds so that AZs grow alike. First fit decreasing
 * over tasks is the same as filling instance by instance with the profiles in decreasing order, which costs one
 * pass over the profiles for each instance whatever the number of tasks.
 *
 * Zone book-keeping: a zone may take what its window still allows, less what other zones' low bounds still
 * have to get. Low bounds of patterns (spread by instance) are placed first.
 */

enum { SCALE_BITS = 20, SCALE = 1 << SCALE_BITS, BLOCK = 32, WINDOW = 256 };

typedef enum rule {
    RULE_SUM,      /* orders: sum of scaled demands */
    RULE_SCARCE,   /* weighted by how scarce each dimension is */
    RULE_MAX,      /* largest scaled demand */
    RULE_FIRST,    /* as the profiles come: by the first resource that binds */
    RULE_LAST,     /* by the last one */
    RULE_DOT,      /* bin-centric: largest product of demand and room left */
    RULE_DISTANCE, /* bin-centric: smallest distance of demand and room left */
    RULE_COUNT
} rule;

/* Neighbours in the order: skipped together when they are all placed or all too large. */
typedef struct block {
    size_t n_left; /* profiles with tasks left */
} block;

typedef struct filler {
    const taskfit_decision *d;
    taskfit_budget *budget;
    taskfit_arena *scratch;
    int64_t *scaled;   /* [n_profiles][n_dims] demand in 2^-20 of the largest capacity */
    int64_t *largest;  /* [n_dims] capacity */
    int64_t *scarcity; /* [n_dims] need / room in 2^-20 */
    size_t *order;     /* profiles, in the order of the rule */
    size_t n_order;
    block *blocks;     /* of the order, BLOCK profiles each */
    int64_t *least;    /* [n_blocks][n_dims] demand in the block */
    size_t window[WINDOW];
    size_t n_window;
    int64_t *left;     /* [n_profiles] tasks not placed yet */
    int64_t *owed;     /* [n_profiles] of them, what zones' low bounds must get */
    int64_t *placed;   /* [n_profiles][n_zones] */
    int64_t *room;     /* [n_dims] of the instance being filled */
    int64_t *tasks;    /* [n_profiles] on it */
    size_t *on_instance; /* profiles on it */
    size_t n_on_instance;
    const size_t *conflict_start; /* [n_profiles + 1] into conflict_with */
    const size_t *conflict_with;
    int64_t *blocked;  /* [n_profiles] conflicting profiles on the instance */
    const size_t *low_start; /* [n_kinds + 1] into low_profiles: those with low bounds */
    const size_t *low_profiles;
    taskfit_arena *arena; /* of the answer */
    taskfit_content *contents;
    size_t n_contents, contents_capacity;
} filler;

/* a / b in 2^-20, at most 1; both are shortened where the shift would overflow. */
static int64_t scaled_ratio(int64_t a, int64_t b) {
    while (a >> (62 - SCALE_BITS) != 0 || b >> (62 - SCALE_BITS) != 0) {
        a >>= 1;
        b >>= 1;
    }
    return b <= a ? SCALE : (a << SCALE_BITS) / b;
}

/* ---- orders ---- */

typedef struct ranked {
    int64_t size;
    size_t profile;
} ranked;

static int ranked_compare(const void *left, const void *right) {
    const ranked *a = left;
    const ranked *b = right;
    if (a->size != b->size) {
        return a->size > b->size ? -1 : 1;
    }
    return (a->profile > b->profile) - (a->profile < b->profile);
}

static int64_t size_by(const filler *f, rule by, size_t p) {
    const int64_t *scaled = f->scaled + p * f->d->n_dims;
    int64_t size = 0;
    for (size_t dim = 0; dim < f->d->n_dims; dim++) {
        if (by == RULE_MAX) {
            size = max64(size, scaled[dim]);
        } else if (by == RULE_SUM) {
            size += scaled[dim];
        } else if (by == RULE_LAST) {
            size = f->d->dim_resource[dim] >= 0 ? scaled[dim] : size;
        } else {
            size += scaled[dim] * f->scarcity[dim] / SCALE;
        }
    }
    return by == RULE_FIRST ? 0 : size;
}

static void set_blocks(filler *f) {
    for (size_t i = 0; i < f->n_order; i++) {
        int64_t *least = f->least + i / BLOCK * f->d->n_dims;
        const int64_t *demand = f->d->profiles[f->order[i]].demand;
        block *b = &f->blocks[i / BLOCK];
        b->n_left = i % BLOCK == 0 ? 1 : b->n_left + 1;
        for (size_t dim = 0; dim < f->d->n_dims; dim++) {
            least[dim] = i % BLOCK == 0 ? demand[dim] : min64(least[dim], demand[dim]);
        }
    }
}

static void set_order(filler *f, rule by) {
    ranked *by_size = TASKFIT_ARRAY(f->scratch, f->d->n_profiles, ranked);
    for (size_t p = 0; p < f->d->n_profiles; p++) {
        by_size[p] = (ranked){.size = size_by(f, by, p), .profile = p};
    }
    if (f->d->n_profiles > 0) {
        qsort(by_size, f->d->n_profiles, sizeof *by_size, ranked_compare);
    }
    for (size_t i = 0; i < f->d->n_profiles; i++) {
        f->order[i] = by_size[i].profile;
    }
    f->n_order = f->d->n_profiles;
    set_blocks(f);
}

static void set_weights(filler *f) {
    const taskfit_decision *d = f->d;
    for (size_t dim = 0; dim < d->n_dims; dim++) {
        int64_t need = 0;
        int64_t room = 0;
        f->largest[dim] = 1;
        for (size_t k = 0; k < d->n_kinds; k++) {
            f->largest[dim] = max64(f->largest[dim], d->kinds[k].capacity[dim]);
            room += d->kinds[k].count * d->kinds[k].capacity[dim];
        }
        for (size_t p = 0; p < d->n_profiles; p++) {
            const int64_t demand = d->profiles[p].demand[dim];
            need += d->profiles[p].tasks * demand;
            f->scaled[p * d->n_dims + dim] = scaled_ratio(demand, f->largest[dim]);
        }
        f->scarcity[dim] = scaled_ratio(need, room);
    }
}

static void set_conflicts(filler *f) {
    const taskfit_decision *d = f->d;
    size_t *start = TASKFIT_ARRAY(f->scratch, d->n_profiles + 2, size_t);
    size_t *with = TASKFIT_ARRAY(f->scratch, 2 * d->n_conflicts, size_t);
    for (size_t i = 0; i < d->n_conflicts; i++) {
        start[d->conflicts[i].a + 2]++;
        start[d->conflicts[i].b + 2]++;
    }
    for (size_t p = 2; p < d->n_profiles + 2; p++) {
        start[p] += start[p - 1];
    }
    for (size_t i = 0; i < d->n_conflicts; i++) {
        with[start[d->conflicts[i].a + 1]++] = d->conflicts[i].b;
        with[start[d->conflicts[i].b + 1]++] = d->conflicts[i].a;
    }
    f->conflict_start = start;
    f->conflict_with = with;
}

static void set_lows(filler *f) {
    size_t *start = TASKFIT_ARRAY(f->scratch, f->d->n_kinds + 1, size_t);
    size_t *profiles = NULL;
    size_t n = 0;
    size_t capacity = 0;
    for (size_t k = 0; k < f->d->n_kinds; k++) {
        for (size_t p = 0; p < f->d->n_profiles; p++) {
            if (f->d->kinds[k].low[p] > 0) {
                TASKFIT_GROW(f->scratch, profiles, n, capacity);
                profiles[n++] = p;
            }
        }
        start[k + 1] = n;
    }
    f->low_start = start;
    f->low_profiles = profiles;
}

/* ---- filling one instance ---- */

/* The most tasks of the profile that the instance being filled may still get. */
static int64_t addable(const filler *f, const taskfit_kind *kind, size_t p) {
    const taskfit_profile *profile = &f->d->profiles[p];
    const int64_t placed = f->placed[p * f->d->n_zones + kind->zone];
    const int64_t owed_elsewhere = f->owed[p] - max64(0, profile->zone_low[kind->zone] - placed);
    int64_t most = min64(f->left[p] - owed_elsewhere, profile->zone_high[kind->zone] - placed);
    most = f->blocked[p] > 0 ? 0 : min64(most, kind->high[p] - f->tasks[p]);
    const int64_t *demand = profile->demand;
    for (size_t dim = 0; dim < f->d->n_dims && most > 0; dim++) {
        if (demand[dim] * most > f->room[dim]) {
            most = f->room[dim] / demand[dim];
        }
    }
    return most;
}

static void stand(filler *f, size_t p, int64_t count) {
    if (f->tasks[p] == 0) {
        f->on_instance[f->n_on_instance++] = p;
    }
    f->tasks[p] += count;
}

static void put(filler *f, const taskfit_kind *kind, size_t p, int64_t count) {
    int64_t *placed = &f->placed[p * f->d->n_zones + kind->zone];
    const int64_t low = f->d->profiles[p].zone_low[kind->zone];
    f->owed[p] -= max64(0, low - *placed) - max64(0, low - *placed - count);
    *placed += count;
    f->left[p] -= count;
    stand(f, p, count);
    for (size_t dim = 0; dim < f->d->n_dims; dim++) {
        f->room[dim] -= count * f->d->profiles[p].demand[dim];
    }
    for (size_t i = f->conflict_start[p]; i < f->conflict_start[p + 1]; i++) {
        f->blocked[f->conflict_with[i]]++;
    }
}

static bool block_too_large(const filler *f, size_t index) {
    const int64_t *least = f->least + index * f->d->n_dims;
    for (size_t dim = 0; dim < f->d->n_dims; dim++) {
        if (least[dim] > f->room[dim]) {
            return true;
        }
    }
    return false;
}

static void fill_in_order(filler *f, const taskfit_kind *kind) {
    for (size_t first = 0; first < f->n_order; first += BLOCK) {
        block *b = &f->blocks[first / BLOCK];
        if (b->n_left == 0 || block_too_large(f, first / BLOCK)) {
            continue;
        }
        for (size_t i = first; i < f->n_order && i < first + BLOCK; i++) {
            const size_t p = f->order[i];
            const int64_t count = f->left[p] > 0 ? addable(f, kind, p) : 0;
            if (count > 0) {
                put(f, kind, p, count);
                b->n_left -= f->left[p] == 0 ? 1 : 0;
            }
        }
    }
}

/* How well a task suits the room left, weighted by scarcity: larger is better. */
static int64_t fitness(const filler *f, rule by, size_t p) {
    const int64_t *scaled = f->scaled + p * f->d->n_dims;
    int64_t score = 0;
    for (size_t dim = 0; dim < f->d->n_dims; dim++) {
        const int64_t room = scaled_ratio(f->room[dim], f->largest[dim]);
        const int64_t term = by == RULE_DOT ? scaled[dim] * room : -(room - scaled[dim]) * (room - scaled[dim]);
        score += term / SCALE * f->scarcity[dim] / SCALE;
    }
    return score;
}

/* The first profiles of the order that have tasks left: f->window holds their places in it. */
static void set_window(filler *f) {
    f->n_window = 0;
    for (size_t first = 0; first < f->n_order && f->n_window < WINDOW; first += BLOCK) {
        for (size_t i = first; f->blocks[first / BLOCK].n_left > 0 && i < f->n_order && i < first + BLOCK; i++) {
            if (f->left[f->order[i]] > 0 && f->n_window < WINDOW) {
                f->window[f->n_window++] = i;
            }
        }
    }
}

/* One task after the other by fitness, among the window; what is left of the room goes in order. */
static void fill_by_fitness(filler *f, const taskfit_kind *kind, rule by) {
    set_window(f);
    for (;;) {
        size_t best = SIZE_MAX;
        int64_t best_score = 0;
        size_t kept = 0;
        for (size_t i = 0; i < f->n_window; i++) {
            const size_t p = f->order[f->window[i]];
            if (addable(f, kind, p) > 0) { /* what does not fit now will not fit later */
                const int64_t score = fitness(f, by, p);
                if (best == SIZE_MAX || score > best_score) {
                    best = f->window[i];
                    best_score = score;
                }
                f->window[kept++] = f->window[i];
            }
        }
        f->n_window = kept;
        if (best == SIZE_MAX || !taskfit_budget_spend(f->budget, (int64_t)f->n_window + 1)) {
            break;
        }
        const size_t p = f->order[best];
        put(f, kind, p, 1);
        f->blocks[best / BLOCK].n_left -= f->left[p] == 0 ? 1 : 0;
    }
    fill_in_order(f, kind);
}

/* ---- the fleet ---- */

static void start_fleet(filler *f) {
    const taskfit_decision *d = f->d;
    memset(f->placed, 0, d->n_profiles * d->n_zones * sizeof *f->placed);
    f->n_contents = 0;
    for (size_t p = 0; p < d->n_profiles; p++) {
        const taskfit_profile *profile = &d->profiles[p];
        f->left[p] = profile->tasks;
        f->owed[p] = 0;
        for (size_t k = 0; k < d->n_kinds; k++) {
            const int64_t lows = d->kinds[k].count * d->kinds[k].low[p];
            f->placed[p * d->n_zones + d->kinds[k].zone] += lows;
            f->left[p] -= lows;
        }
        for (size_t zone = 0; zone < d->n_zones; zone++) {
            f->owed[p] += max64(0, profile->zone_low[zone] - f->placed[p * d->n_zones + zone]);
        }
    }
}

static void clear_instance(filler *f) {
    for (size_t i = 0; i < f->n_on_instance; i++) {
        const size_t p = f->on_instance[i];
        f->tasks[p] = 0;
        for (size_t c = f->conflict_start[p]; c < f->conflict_start[p + 1]; c++) {
            f->blocked[f->conflict_with[c]] = 0;
        }
    }
    f->n_on_instance = 0;
}

static bool start_instance(filler *f, size_t k) {
    const taskfit_kind *kind = &f->d->kinds[k];
    clear_instance(f);
    memcpy(f->room, kind->capacity, f->d->n_dims * sizeof *f->room);
    for (size_t i = f->low_start[k]; i < f->low_start[k + 1]; i++) {
        const size_t p = f->low_profiles[i];
        stand(f, p, kind->low[p]);
        for (size_t dim = 0; dim < f->d->n_dims; dim++) {
            f->room[dim] -= kind->low[p] * f->d->profiles[p].demand[dim];
        }
        for (size_t c = f->conflict_start[p]; c < f->conflict_start[p + 1]; c++) {
            f->blocked[f->conflict_with[c]]++;
        }
    }
    for (size_t dim = 0; dim < f->d->n_dims; dim++) {
        if (f->room[dim] < 0) {
            return false;
        }
    }
    for (size_t p = 0; p < f->d->n_profiles; p++) {
        if (f->tasks[p] > 0 && f->blocked[p] > 0) {
            return false;
        }
    }
    return true;
}

static bool content_equals(const filler *f, const taskfit_content *content) {
    for (size_t i = 0; i < content->n_tasks && content->n_tasks == f->n_on_instance; i++) {
        if (f->tasks[content->tasks[i].profile] != content->tasks[i].count) {
            return false;
        }
    }
    return content->n_tasks == f->n_on_instance;
}

static int index_compare(const void *left, const void *right) {
    const size_t a = *(const size_t *)left;
    const size_t b = *(const size_t *)right;
    return (a > b) - (a < b);
}

static void keep_instance(filler *f, size_t k) {
    for (size_t i = f->n_contents; i-- > 0 && i + 2 * f->d->n_kinds >= f->n_contents;) {
        if (f->contents[i].kind == k && content_equals(f, &f->contents[i])) {
            f->contents[i].count++;
            return;
        }
    }
    TASKFIT_GROW(f->arena, f->contents, f->n_contents, f->contents_capacity);
    qsort(f->on_instance, f->n_on_instance, sizeof *f->on_instance, index_compare);
    taskfit_content_task *tasks = TASKFIT_ARRAY(f->arena, f->n_on_instance, taskfit_content_task);
    for (size_t i = 0; i < f->n_on_instance; i++) {
        tasks[i] = (taskfit_content_task){.profile = f->on_instance[i], .count = f->tasks[f->on_instance[i]]};
    }
    f->contents[f->n_contents++] = (taskfit_content){.kind = k, .count = 1, .tasks = tasks, .n_tasks = f->n_on_instance};
}

/* Instances that what is left would fill, by the dimension that asks for most; 0: nothing is left. */
static int64_t missing_instances(const filler *f) {
    int64_t missing = 0;
    for (size_t p = 0; p < f->d->n_profiles && missing == 0; p++) {
        missing = f->left[p] > 0 ? 1 : 0;
    }
    for (size_t dim = 0; dim < f->d->n_dims && missing > 0; dim++) {
        int64_t volume = 0;
        for (size_t p = 0; p < f->d->n_profiles; p++) {
            volume += f->left[p] * f->d->profiles[p].demand[dim];
        }
        missing = max64(missing, volume / f->largest[dim]);
    }
    return missing;
}

/* Goes round the kinds, each in step with its share of the instances. */
static bool fill_fleet(filler *f, rule by) {
    const taskfit_decision *d = f->d;
    int64_t *filled = TASKFIT_ARRAY(f->scratch, d->n_kinds, int64_t);
    start_fleet(f);
    for (int64_t turn = 0; turn < d->n_instances; turn++) {
        size_t next = SIZE_MAX;
        for (size_t k = 0; k < d->n_kinds; k++) {
            if (filled[k] < d->kinds[k].count &&
                (next == SIZE_MAX || filled[k] * d->kinds[next].count < filled[next] * d->kinds[k].count)) {
                next = k;
            }
        }
        const taskfit_kind *kind = &d->kinds[next];
        if (!start_instance(f, next) || !taskfit_budget_spend(f->budget, (int64_t)f->n_order / BLOCK + 64)) {
            return false;
        }
        if (by == RULE_DOT || by == RULE_DISTANCE) {
            fill_by_fitness(f, kind, by);
        } else {
            fill_in_order(f, kind);
        }
        keep_instance(f, next);
        filled[next]++;
    }
    return missing_instances(f) == 0;
}

static filler filler_new(const taskfit_decision *d, taskfit_budget *budget, taskfit_arena *scratch, taskfit_arena *arena) {
    filler f = {.d = d, .budget = budget, .scratch = scratch, .arena = arena};
    f.scaled = TASKFIT_ARRAY(scratch, d->n_profiles * d->n_dims, int64_t);
    f.largest = TASKFIT_ARRAY(scratch, d->n_dims, int64_t);
    f.scarcity = TASKFIT_ARRAY(scratch, d->n_dims, int64_t);
    f.order = TASKFIT_ARRAY(scratch, d->n_profiles, size_t);
    f.left = TASKFIT_ARRAY(scratch, d->n_profiles, int64_t);
    f.owed = TASKFIT_ARRAY(scratch, d->n_profiles, int64_t);
    f.placed = TASKFIT_ARRAY(scratch, d->n_profiles * d->n_zones, int64_t);
    f.room = TASKFIT_ARRAY(scratch, d->n_dims, int64_t);
    f.tasks = TASKFIT_ARRAY(scratch, d->n_profiles, int64_t);
    f.on_instance = TASKFIT_ARRAY(scratch, d->n_profiles, size_t);
    f.blocks = TASKFIT_ARRAY(scratch, d->n_profiles / BLOCK + 1, block);
    f.least = TASKFIT_ARRAY(scratch, (d->n_profiles / BLOCK + 1) * d->n_dims, int64_t);
    f.blocked = TASKFIT_ARRAY(scratch, d->n_profiles, int64_t);
    set_weights(&f);
    set_conflicts(&f);
    set_lows(&f);
    return f;
}

taskfit_answer taskfit_greedy_try(const taskfit_decision *decision, taskfit_greedy_guide *guide, taskfit_budget *budget,
                                  taskfit_arena *arena) {
    enum { LARGE = 4000000 };
    taskfit_answer answer = {.verdict = TASKFIT_VERDICT_OPEN, .proof = TASKFIT_PROOF_NONE, .stage = "greedy"};
    if (decision->impossible) {
        guide->missing = 1;
        return answer;
    }
    taskfit_arena *scratch = taskfit_arena_new();
    filler f = filler_new(decision, budget, scratch, arena);
    const bool only_best = guide->rule > 0 && (int64_t)decision->n_profiles * decision->n_instances > LARGE;
    int64_t least_missing = INT64_MAX;
    int best = 0;
    for (int by = 0; by < RULE_COUNT; by++) {
        if (only_best && by + 1 != guide->rule) {
            continue;
        }
        set_order(&f, (rule)by);
        if (fill_fleet(&f, (rule)by)) {
            answer.verdict = TASKFIT_VERDICT_FITS;
            answer.contents = f.contents;
            answer.n_contents = f.n_contents;
            least_missing = 0;
            best = by;
            break;
        }
        const int64_t missing = missing_instances(&f);
        best = missing < least_missing ? by : best;
        least_missing = min64(missing, least_missing);
    }
    guide->rule = best + 1;
    guide->missing = least_missing;
    taskfit_arena_free(scratch);
    return answer;
}

taskfit_answer taskfit_greedy_decide(const taskfit_decision *decision, taskfit_budget *budget, taskfit_arena *arena) {
    taskfit_greedy_guide guide = {0};
    return taskfit_greedy_try(decision, &guide, budget, arena);
}
