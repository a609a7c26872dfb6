#include "solve/walk.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/int64.h"

enum { MAX_MIXES = 4096, MAX_MIX_STEPS = 2000000, MAX_LAYOUTS = 512, MAX_LAYOUT_STEPS = 200000 };

__extension__ typedef __int128 wide; /* a capacity times a price */

typedef struct walk_entry { /* a type of a group */
    size_t group, type;
    bool last_of_group;
    int64_t most;   /* stock, max */
    int64_t weight; /* in the first goal: 1 or the price, at least 1 */
    int64_t price_usd_micros;
    int64_t capacity[TASKFIT_RESOURCE_COUNT]; /* the best AZ's; TASKFIT_UNLIMITED kept */
} walk_entry;

struct taskfit_walk {
    const taskfit_problem *problem;
    taskfit_arena *arena;
    bool cost_first;
    walk_entry *entries;
    size_t n_entries;
    int64_t need[TASKFIT_RESOURCE_COUNT]; /* of all tasks */
    int64_t *pinned; /* [n_groups][RESOURCE_COUNT] of tasks that may stand in one group only */
    size_t *az_class; /* [n_azs] the first AZ that is like it in everything */
    bool azs_matter;  /* a rule speaks of AZs, or AZs differ */
};

/* ---- what there is ---- */

static void make_entries(taskfit_walk *w) {
    const taskfit_problem *problem = w->problem;
    for (size_t g = 0; g < problem->n_groups; g++) {
        w->n_entries += problem->groups[g].n_types;
    }
    w->entries = TASKFIT_ARRAY(w->arena, w->n_entries, walk_entry);
    size_t n = 0;
    for (size_t g = 0; g < problem->n_groups; g++) {
        const taskfit_problem_group *group = &problem->groups[g];
        for (size_t type = 0; type < group->n_types; type++, n++) {
            walk_entry *entry = &w->entries[n];
            const taskfit_offer *offers = &problem->offers[group->first_offer + type * group->n_azs];
            entry->group = g;
            entry->type = type;
            entry->last_of_group = type + 1 == group->n_types;
            entry->most = group->stock[type] < 0 ? group->max_instances : min64(group->max_instances, group->stock[type]);
            entry->price_usd_micros = offers[0].price_usd_micros;
            entry->weight = w->cost_first ? max64(1, offers[0].price_usd_micros) : 1;
            for (size_t az = 0; az < group->n_azs; az++) {
                for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
                    entry->capacity[r] = max64(entry->capacity[r], offers[az].capacity[r]);
                }
            }
        }
    }
}

static void sum_needs(taskfit_walk *w) {
    const taskfit_problem *problem = w->problem;
    w->pinned = TASKFIT_ARRAY(w->arena, problem->n_groups * TASKFIT_RESOURCE_COUNT, int64_t);
    for (size_t s = 0; s < problem->n_services; s++) {
        const taskfit_problem_service *service = &problem->services[s];
        size_t only = SIZE_MAX;
        bool several = false;
        for (size_t o = 0; o < problem->n_offers; o++) {
            if (service->may_stand[o]) {
                several = several || (only != SIZE_MAX && only != problem->offers[o].group);
                only = problem->offers[o].group;
            }
        }
        for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
            w->need[r] += service->replicas * service->demand[r];
            if (only != SIZE_MAX && !several) {
                w->pinned[only * TASKFIT_RESOURCE_COUNT + r] += service->replicas * service->demand[r];
            }
        }
    }
}

static const taskfit_offer *offer_in(const taskfit_problem *problem, size_t group, size_t type, size_t az, size_t *index_out) {
    const taskfit_problem_group *g = &problem->groups[group];
    for (size_t k = 0; k < g->n_azs; k++) {
        if (g->azs[k] == az) {
            *index_out = g->first_offer + type * g->n_azs + k;
            return &problem->offers[*index_out];
        }
    }
    return NULL;
}

static bool azs_alike(const taskfit_walk *w, size_t az, size_t other) {
    for (size_t m = 0; m < w->n_entries; m++) {
        size_t a_index = 0;
        size_t b_index = 0;
        const taskfit_offer *a = offer_in(w->problem, w->entries[m].group, w->entries[m].type, az, &a_index);
        const taskfit_offer *b = offer_in(w->problem, w->entries[m].group, w->entries[m].type, other, &b_index);
        if ((a == NULL) != (b == NULL)) {
            return false;
        }
        if (a != NULL && memcmp(a->capacity, b->capacity, sizeof a->capacity) != 0) {
            return false;
        }
        for (size_t s = 0; a != NULL && s < w->problem->n_services; s++) {
            if (w->problem->services[s].may_stand[a_index] != w->problem->services[s].may_stand[b_index]) {
                return false;
            }
        }
    }
    return true;
}

static void classify_azs(taskfit_walk *w) {
    w->az_class = TASKFIT_ARRAY(w->arena, w->problem->n_azs, size_t);
    for (size_t az = 0; az < w->problem->n_azs; az++) {
        w->az_class[az] = az;
        for (size_t other = 0; other < az && w->az_class[az] == az; other++) {
            if (w->az_class[other] == other && azs_alike(w, az, other)) {
                w->az_class[az] = other;
            }
        }
        w->azs_matter = w->azs_matter || w->az_class[az] != 0;
    }
    w->azs_matter = w->azs_matter || w->problem->survive == TASKFIT_SURVIVE_AVAILABILITY_ZONE;
    for (size_t s = 0; s < w->problem->n_services; s++) {
        w->azs_matter = w->azs_matter || w->problem->services[s].spread_az;
    }
}

taskfit_walk *taskfit_walk_new(const taskfit_problem *problem, bool cost_first, taskfit_arena *arena) {
    taskfit_walk *w = TASKFIT_NEW(arena, taskfit_walk);
    w->problem = problem;
    w->arena = arena;
    w->cost_first = cost_first;
    make_entries(w);
    sum_needs(w);
    classify_azs(w);
    return w;
}

void taskfit_walk_tell_azs(taskfit_walk *w) {
    for (size_t az = 0; az < w->problem->n_azs; az++) {
        w->az_class[az] = az;
    }
    w->azs_matter = true;
}

/* ---- bounds of the first goal ---- */

static int64_t max_of_group(const taskfit_walk *w, size_t group) {
    const taskfit_problem_group *g = &w->problem->groups[group];
    int64_t most = 0;
    for (size_t m = 0; m < w->n_entries; m++) {
        if (w->entries[m].group == group) {
            most = g->mixed ? most + w->entries[m].most : max64(most, w->entries[m].most);
        }
    }
    return min64(most, g->max_instances);
}

int64_t taskfit_walk_min_instances(const taskfit_walk *w) {
    int64_t sum = 0;
    for (size_t g = 0; g < w->problem->n_groups; g++) {
        sum += w->problem->groups[g].min_instances;
    }
    return sum;
}

int64_t taskfit_walk_max_instances(const taskfit_walk *w) {
    int64_t sum = 0;
    for (size_t g = 0; g < w->problem->n_groups; g++) {
        sum += max_of_group(w, g);
    }
    return sum;
}

int64_t taskfit_walk_limit(const taskfit_walk *w) {
    int64_t most_weight = 0;
    for (size_t m = 0; m < w->n_entries; m++) {
        most_weight = max64(most_weight, w->entries[m].weight);
    }
    return most_weight * taskfit_walk_max_instances(w);
}

int64_t taskfit_walk_step(const taskfit_walk *w) {
    int64_t step = INT64_MAX;
    for (size_t m = 0; m < w->n_entries; m++) {
        step = min64(step, w->entries[m].weight);
    }
    return w->n_entries == 0 ? 1 : step;
}

/* The least of the first goal that buys `need` of a resource from one entry, fractions rounded up. */
static int64_t least_weight_for(const walk_entry *entry, size_t resource, int64_t need) {
    if (entry->capacity[resource] >= TASKFIT_UNLIMITED) {
        return 0;
    }
    if (entry->capacity[resource] <= 0) {
        return INT64_MAX;
    }
    const wide weight = ((wide)need * entry->weight + entry->capacity[resource] - 1) / entry->capacity[resource];
    return weight > INT64_MAX ? INT64_MAX : (int64_t)weight;
}

/* Instances that one service, or the users of one fixed host port, need whatever the types. */
static int64_t least_count(const taskfit_walk *w) {
    const taskfit_problem *problem = w->problem;
    int64_t *on_port = TASKFIT_ARRAY(w->arena, problem->n_ports, int64_t);
    int64_t least = 0;
    for (size_t s = 0; s < problem->n_services; s++) {
        const taskfit_problem_service *service = &problem->services[s];
        int64_t together = service->distinct_instance || service->n_ports > 0 ? 1 : service->replicas;
        for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
            int64_t most = service->demand[r] > 0 ? 0 : together;
            for (size_t m = 0; m < w->n_entries && service->demand[r] > 0; m++) {
                most = max64(most, w->entries[m].capacity[r] / service->demand[r]);
            }
            together = min64(together, most);
        }
        least = together > 0 ? max64(least, (service->replicas + together - 1) / together) : least;
        for (size_t i = 0; i < service->n_ports; i++) {
            on_port[service->ports[i]] += service->replicas;
            least = max64(least, on_port[service->ports[i]]);
        }
    }
    return least;
}

int64_t taskfit_walk_bound(const taskfit_walk *w) {
    int64_t bound = least_count(w) * taskfit_walk_step(w);
    int64_t by_min = 0;
    for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
        int64_t least = INT64_MAX;
        for (size_t m = 0; m < w->n_entries && w->need[r] > 0; m++) {
            least = min64(least, least_weight_for(&w->entries[m], r, w->need[r]));
        }
        bound = least == INT64_MAX ? bound : max64(bound, least);
    }
    for (size_t g = 0; g < w->problem->n_groups; g++) {
        int64_t least = INT64_MAX;
        for (size_t m = 0; m < w->n_entries; m++) {
            least = w->entries[m].group == g ? min64(least, w->entries[m].weight) : least;
        }
        by_min += w->problem->groups[g].min_instances * least;
    }
    return max64(bound, by_min);
}

/* ---- mixes ---- */

typedef struct mixing {
    const taskfit_walk *w;
    taskfit_arena *arena;
    int64_t low, high;
    int64_t *n;
    int64_t room[TASKFIT_RESOURCE_COUNT];       /* of the entries fixed so far */
    int64_t group_room[TASKFIT_RESOURCE_COUNT]; /* of the group's */
    taskfit_mix *items;
    size_t n_items, capacity;
    int64_t steps;
    bool complete;
} mixing;

/* Can entries from m on, for what is left of the first goal, bring what is missing? */
static bool volume_in_reach(const mixing *x, size_t m, int64_t weight_left) {
    for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
        const int64_t missing = x->w->need[r] - x->room[r];
        bool reached = missing <= 0;
        for (size_t i = m; i < x->w->n_entries && !reached; i++) {
            reached = least_weight_for(&x->w->entries[i], r, missing) <= weight_left;
        }
        if (!reached) {
            return false;
        }
    }
    return true;
}

static bool group_complete(const mixing *x, size_t group, int64_t count) {
    const taskfit_problem_group *g = &x->w->problem->groups[group];
    if (count < g->min_instances || count > g->max_instances) {
        return false;
    }
    for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
        if (x->w->pinned[group * TASKFIT_RESOURCE_COUNT + r] > x->group_room[r]) {
            return false;
        }
    }
    return true;
}

static void keep_mix(mixing *x) {
    if (x->n_items == MAX_MIXES) {
        x->complete = false;
        return;
    }
    taskfit_mix mix = {0};
    int64_t *n = TASKFIT_ARRAY(x->arena, x->w->n_entries, int64_t);
    for (size_t m = 0; m < x->w->n_entries; m++) {
        n[m] = x->n[m];
        mix.count += n[m];
        mix.cost_usd_micros += n[m] * x->w->entries[m].price_usd_micros;
    }
    mix.n = n;
    TASKFIT_GROW(x->arena, x->items, x->n_items, x->capacity);
    x->items[x->n_items++] = mix;
}

static int64_t saturating_room(int64_t room, int64_t capacity, int64_t n) {
    const wide sum = (wide)capacity * n + room;
    return sum > TASKFIT_UNLIMITED ? TASKFIT_UNLIMITED : (int64_t)sum;
}

static void mix_from(mixing *x, size_t m, int64_t weight, int64_t group_count);

/* Fixes entry m at n instances and goes on. */
static void mix_with(mixing *x, size_t m, int64_t n, int64_t weight, int64_t group_count) {
    const walk_entry *entry = &x->w->entries[m];
    int64_t room[TASKFIT_RESOURCE_COUNT];
    int64_t group_room[TASKFIT_RESOURCE_COUNT];
    memcpy(room, x->room, sizeof room);
    memcpy(group_room, x->group_room, sizeof group_room);
    for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
        x->room[r] = saturating_room(x->room[r], entry->capacity[r], n);
        x->group_room[r] = saturating_room(x->group_room[r], entry->capacity[r], n);
    }
    x->n[m] = n;
    const bool go_on = !entry->last_of_group || group_complete(x, entry->group, group_count + n);
    if (entry->last_of_group) {
        memset(x->group_room, 0, sizeof x->group_room);
    }
    if (go_on) {
        mix_from(x, m + 1, weight + n * entry->weight, entry->last_of_group ? 0 : group_count + n);
    }
    x->n[m] = 0;
    memcpy(x->room, room, sizeof room);
    memcpy(x->group_room, group_room, sizeof group_room);
}

static void mix_from(mixing *x, size_t m, int64_t weight, int64_t group_count) {
    if (++x->steps > MAX_MIX_STEPS) {
        x->complete = false;
        return;
    }
    if (m == x->w->n_entries) {
        if (weight >= x->low && volume_in_reach(x, m, 0)) {
            keep_mix(x);
        }
        return;
    }
    if (!volume_in_reach(x, m, x->high - weight)) {
        return;
    }
    const walk_entry *entry = &x->w->entries[m];
    const taskfit_problem_group *group = &x->w->problem->groups[entry->group];
    int64_t most = min64(entry->most, group->max_instances - group_count);
    most = min64(most, (x->high - weight) / entry->weight);
    if (!group->mixed && group_count > 0) {
        most = 0;
    }
    /* the last entry has no choice but to reach the window */
    int64_t least = 0;
    if (m + 1 == x->w->n_entries) {
        least = max64(0, (x->low - weight + entry->weight - 1) / entry->weight);
    }
    for (int64_t n = least; n <= most && x->steps <= MAX_MIX_STEPS; n++) {
        mix_with(x, m, n, weight, group_count);
    }
}

typedef struct ordered_mix {
    taskfit_mix mix;
    bool cost_first;
    size_t n_entries;
} ordered_mix;

static int mix_compare(const void *left, const void *right) {
    const ordered_mix *a = left;
    const ordered_mix *b = right;
    const int by_count = (a->mix.count > b->mix.count) - (a->mix.count < b->mix.count);
    const int by_cost = (a->mix.cost_usd_micros > b->mix.cost_usd_micros) - (a->mix.cost_usd_micros < b->mix.cost_usd_micros);
    const int first = a->cost_first ? by_cost : by_count;
    if (first != 0 || (a->cost_first ? by_count : by_cost) != 0) {
        return first != 0 ? first : a->cost_first ? by_count : by_cost;
    }
    for (size_t m = 0; m < a->n_entries; m++) {
        if (a->mix.n[m] != b->mix.n[m]) {
            return a->mix.n[m] > b->mix.n[m] ? -1 : 1;
        }
    }
    return 0;
}

taskfit_mixes taskfit_walk_mixes(const taskfit_walk *w, int64_t low, int64_t high, taskfit_arena *arena) {
    mixing x = {.w = w, .arena = arena, .low = low, .high = high, .complete = true};
    x.n = TASKFIT_ARRAY(arena, w->n_entries, int64_t);
    mix_from(&x, 0, 0, 0);
    ordered_mix *ordered = TASKFIT_ARRAY(arena, x.n_items, ordered_mix);
    for (size_t i = 0; i < x.n_items; i++) {
        ordered[i] = (ordered_mix){.mix = x.items[i], .cost_first = w->cost_first, .n_entries = w->n_entries};
    }
    if (x.n_items > 0) {
        qsort(ordered, x.n_items, sizeof *ordered, mix_compare);
    }
    for (size_t i = 0; i < x.n_items; i++) {
        x.items[i] = ordered[i].mix;
    }
    return (taskfit_mixes){.items = x.items, .n_items = x.n_items, .complete = x.complete};
}

/* ---- layouts over AZs ---- */

typedef struct laying {
    const taskfit_walk *w;
    const taskfit_mix *mix;
    taskfit_arena *arena;
    int64_t *count;    /* [n_offers] */
    int64_t *in_az;    /* [n_azs] instances of the group so far */
    int64_t in_group;  /* the group's in all */
    const int64_t **layouts;
    size_t n_layouts, capacity;
    int64_t steps;
    bool complete;
} laying;

/* Of AZs that are alike, the first takes at least as much as the next, entry by entry. */
bool taskfit_walk_layout_canonical(const taskfit_walk *w, const int64_t *count) {
    for (size_t az = 1; az < w->problem->n_azs; az++) {
        size_t before = az;
        while (before-- > 0 && w->az_class[before] != w->az_class[az]) {
        }
        bool equal = before != SIZE_MAX;
        for (size_t m = 0; m < w->n_entries && equal; m++) {
            size_t a = 0;
            size_t b = 0;
            const walk_entry *entry = &w->entries[m];
            if (offer_in(w->problem, entry->group, entry->type, before, &a) != NULL &&
                offer_in(w->problem, entry->group, entry->type, az, &b) != NULL && count[a] != count[b]) {
                if (count[a] < count[b]) {
                    return false;
                }
                equal = false;
            }
        }
    }
    return true;
}

static void keep_layout(laying *l) {
    if (!taskfit_walk_layout_canonical(l->w, l->count)) {
        return;
    }
    if (l->n_layouts == MAX_LAYOUTS) {
        l->complete = false;
        return;
    }
    int64_t *count = TASKFIT_ARRAY(l->arena, l->w->problem->n_offers, int64_t);
    memcpy(count, l->count, l->w->problem->n_offers * sizeof *count);
    TASKFIT_GROW(l->arena, l->layouts, l->n_layouts, l->capacity);
    l->layouts[l->n_layouts++] = count;
}

static void lay_entry(laying *l, size_t m);

/* AZ counts of a group differ by at most 1: none above the ceiling, and as many at it as the rest asks. */
static bool balanced(const laying *l, const taskfit_problem_group *group, bool whole) {
    const int64_t floor = l->in_group / (int64_t)group->n_azs;
    int64_t larger = l->in_group % (int64_t)group->n_azs;
    for (size_t k = 0; k < group->n_azs; k++) {
        const int64_t in_az = l->in_az[group->azs[k]];
        larger -= in_az > floor ? 1 : 0;
        if (in_az > floor + 1 || (whole && in_az < floor)) {
            return false;
        }
    }
    return larger >= 0;
}

/* Puts `left` instances of entry m on the group's AZs from k on. */
static void lay_azs(laying *l, size_t m, size_t k, int64_t left) {
    const walk_entry *entry = &l->w->entries[m];
    const taskfit_problem_group *group = &l->w->problem->groups[entry->group];
    if (++l->steps > MAX_LAYOUT_STEPS) {
        l->complete = false;
        return;
    }
    if (!balanced(l, group, false) || (!l->w->azs_matter && l->n_layouts > 0)) {
        return;
    }
    if (k == group->n_azs) {
        if (left == 0 && (!entry->last_of_group || balanced(l, group, true))) {
            lay_entry(l, m + 1);
        }
        return;
    }
    const size_t offer = group->first_offer + entry->type * group->n_azs + k;
    int64_t *in_az = &l->in_az[group->azs[k]];
    const int64_t ceiling = (l->in_group + (int64_t)group->n_azs - 1) / (int64_t)group->n_azs;
    const int64_t others = (ceiling) * (int64_t)(group->n_azs - k - 1);
    for (int64_t n = min64(left, ceiling - *in_az); n >= max64(0, left - others); n--) {
        l->count[offer] = n;
        *in_az += n;
        lay_azs(l, m, k + 1, left - n);
        *in_az -= n;
        l->count[offer] = 0;
    }
}

static void lay_entry(laying *l, size_t m) {
    if (m == l->w->n_entries) {
        keep_layout(l);
        return;
    }
    const walk_entry *entry = &l->w->entries[m];
    const int64_t in_group = l->in_group;
    int64_t *in_az = NULL;
    if (entry->type == 0) {
        in_az = TASKFIT_ARRAY(l->arena, l->w->problem->n_azs, int64_t);
        memcpy(in_az, l->in_az, l->w->problem->n_azs * sizeof *in_az);
        memset(l->in_az, 0, l->w->problem->n_azs * sizeof *in_az);
        l->in_group = 0;
        for (size_t i = m; i < l->w->n_entries && l->w->entries[i].group == entry->group; i++) {
            l->in_group += l->mix->n[i];
        }
    }
    lay_azs(l, m, 0, l->mix->n[m]);
    if (in_az != NULL) {
        memcpy(l->in_az, in_az, l->w->problem->n_azs * sizeof *in_az);
        l->in_group = in_group;
    }
}

const int64_t *const *taskfit_walk_layouts(const taskfit_walk *w, const taskfit_mix *mix, taskfit_arena *arena,
                                           size_t *n_layouts_out, bool *complete_out) {
    laying l = {.w = w, .mix = mix, .arena = arena, .complete = true};
    l.count = TASKFIT_ARRAY(arena, w->problem->n_offers, int64_t);
    l.in_az = TASKFIT_ARRAY(arena, w->problem->n_azs, int64_t);
    lay_entry(&l, 0);
    assert(!l.complete || l.n_layouts > 0);
    *n_layouts_out = l.n_layouts;
    *complete_out = l.complete;
    return l.layouts;
}
