#include "solve/decision.h"

#include <stdlib.h>
#include <string.h>

/*
 * Fills the instances one after the other, going round the kinds so that AZs grow alike. First fit decreasing
 * over tasks is the same as filling instance by instance with the profiles in decreasing order, which costs one
 * pass over the profiles for each instance whatever the number of tasks.
 *
 * Zone book-keeping: a zone may take what its window still allows, less what other zones' low bounds still
 * have to get. Low bounds of patterns (spread by instance) are placed first.
 */

enum { SCALE_BITS = 20, SCALE = 1 << SCALE_BITS };

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

typedef struct filler {
    const taskfit_decision *d;
    taskfit_budget *budget;
    taskfit_arena *scratch;
    int64_t *scaled;   /* [n_profiles][n_dims] demand in 2^-20 of the largest capacity */
    int64_t *largest;  /* [n_dims] capacity */
    int64_t *scarcity; /* [n_dims] need / room in 2^-20 */
    size_t *order;     /* profiles with tasks left, in the order of the rule */
    size_t n_order;
    int64_t *left;     /* [n_profiles] tasks not placed yet */
    int64_t *owed;     /* [n_profiles] of them, what zones' low bounds must get */
    int64_t *placed;   /* [n_profiles][n_zones] */
    int64_t *room;     /* [n_dims] of the instance being filled */
    int64_t *tasks;    /* [n_profiles] on it */
    int64_t n_on_instance; /* profiles on it */
    const size_t *conflict_start; /* [n_profiles + 1] into conflict_with */
    const size_t *conflict_with;
    int64_t *blocked;  /* [n_profiles] conflicting profiles on the instance */
    taskfit_arena *arena; /* of the answer */
    taskfit_content *contents;
    size_t n_contents, contents_capacity;
} filler;

static int64_t min64(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t max64(int64_t a, int64_t b) {
    return a > b ? a : b;
}

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

static void put(filler *f, const taskfit_kind *kind, size_t p, int64_t count) {
    int64_t *placed = &f->placed[p * f->d->n_zones + kind->zone];
    const int64_t low = f->d->profiles[p].zone_low[kind->zone];
    f->owed[p] -= max64(0, low - *placed) - max64(0, low - *placed - count);
    *placed += count;
    f->left[p] -= count;
    f->n_on_instance += f->tasks[p] == 0 ? 1 : 0;
    f->tasks[p] += count;
    for (size_t dim = 0; dim < f->d->n_dims; dim++) {
        f->room[dim] -= count * f->d->profiles[p].demand[dim];
    }
    for (size_t i = f->conflict_start[p]; i < f->conflict_start[p + 1]; i++) {
        f->blocked[f->conflict_with[i]]++;
    }
}

static void fill_in_order(filler *f, const taskfit_kind *kind) {
    size_t kept = 0;
    for (size_t i = 0; i < f->n_order; i++) {
        const size_t p = f->order[i];
        const int64_t count = addable(f, kind, p);
        if (count > 0) {
            put(f, kind, p, count);
        }
        if (f->left[p] > 0) {
            f->order[kept++] = p;
        }
    }
    f->n_order = kept;
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

static void fill_by_fitness(filler *f, const taskfit_kind *kind, rule by) {
    for (;;) {
        size_t best = SIZE_MAX;
        int64_t best_score = 0;
        size_t kept = 0;
        for (size_t i = 0; i < f->n_order; i++) {
            const size_t p = f->order[i];
            f->order[kept] = p;
            kept += f->left[p] > 0 ? 1 : 0;
            if (addable(f, kind, p) > 0) {
                const int64_t score = fitness(f, by, p);
                if (best == SIZE_MAX || score > best_score) {
                    best = p;
                    best_score = score;
                }
            }
        }
        f->n_order = kept;
        if (best == SIZE_MAX || !taskfit_budget_spend(f->budget, (int64_t)f->n_order)) {
            return;
        }
        put(f, kind, best, 1);
    }
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

static bool start_instance(filler *f, const taskfit_kind *kind) {
    memcpy(f->room, kind->capacity, f->d->n_dims * sizeof *f->room);
    memset(f->blocked, 0, f->d->n_profiles * sizeof *f->blocked);
    f->n_on_instance = 0;
    for (size_t p = 0; p < f->d->n_profiles; p++) {
        f->tasks[p] = kind->low[p];
        f->n_on_instance += kind->low[p] > 0 ? 1 : 0;
        for (size_t dim = 0; dim < f->d->n_dims && kind->low[p] > 0; dim++) {
            f->room[dim] -= kind->low[p] * f->d->profiles[p].demand[dim];
        }
        for (size_t i = f->conflict_start[p]; kind->low[p] > 0 && i < f->conflict_start[p + 1]; i++) {
            f->blocked[f->conflict_with[i]]++;
        }
    }
    for (size_t dim = 0; dim < f->d->n_dims; dim++) {
        if (f->room[dim] < 0) {
            return false;
        }
    }
    return true;
}

static bool content_equals(const filler *f, const taskfit_content *content) {
    int64_t others = f->n_on_instance;
    for (size_t i = 0; i < content->n_tasks; i++) {
        if (f->tasks[content->tasks[i].profile] != content->tasks[i].count) {
            return false;
        }
        others--;
    }
    return others == 0;
}

static void keep_instance(filler *f, size_t k) {
    for (size_t i = f->n_contents; i-- > 0 && i + 2 * f->d->n_kinds >= f->n_contents;) {
        if (f->contents[i].kind == k && content_equals(f, &f->contents[i])) {
            f->contents[i].count++;
            return;
        }
    }
    TASKFIT_GROW(f->arena, f->contents, f->n_contents, f->contents_capacity);
    f->contents[f->n_contents++] = taskfit_content_from_dense(f->arena, k, 1, f->tasks, f->d->n_profiles);
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
        if (!start_instance(f, kind) || !taskfit_budget_spend(f->budget, (int64_t)f->n_order + 1)) {
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
    for (size_t p = 0; p < d->n_profiles; p++) {
        if (f->left[p] > 0) {
            return false;
        }
    }
    return true;
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
    f.blocked = TASKFIT_ARRAY(scratch, d->n_profiles, int64_t);
    set_weights(&f);
    set_conflicts(&f);
    return f;
}

taskfit_answer taskfit_greedy_decide(const taskfit_decision *decision, taskfit_budget *budget, taskfit_arena *arena) {
    /* One task at a time is too slow for large fleets: there the orders must do. */
    enum { MAX_STEPS = 20000000 };
    taskfit_answer answer = {.verdict = TASKFIT_VERDICT_OPEN, .proof = TASKFIT_PROOF_NONE, .stage = "greedy"};
    if (decision->impossible) {
        return answer;
    }
    taskfit_arena *scratch = taskfit_arena_new();
    filler f = filler_new(decision, budget, scratch, arena);
    int64_t n_tasks = 0;
    for (size_t p = 0; p < decision->n_profiles; p++) {
        n_tasks += decision->profiles[p].tasks;
    }
    const bool small = n_tasks < MAX_STEPS / (int64_t)(decision->n_profiles + 1);
    for (int by = 0; by < RULE_COUNT; by++) {
        if ((by == RULE_DOT || by == RULE_DISTANCE) && !small) {
            continue;
        }
        set_order(&f, (rule)by);
        if (fill_fleet(&f, (rule)by)) {
            answer.verdict = TASKFIT_VERDICT_FITS;
            answer.contents = f.contents;
            answer.n_contents = f.n_contents;
            break;
        }
    }
    taskfit_arena_free(scratch);
    return answer;
}
