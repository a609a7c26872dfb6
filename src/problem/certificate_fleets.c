#include "problem/certificate.h"

#include <string.h>

/*
 * Every fleet below the bound, type by type of group by group, then laid over AZs. A branch ends as soon as some cut
 * says that even the best use of what is left of the goal brings too little.
 */

typedef struct entry { /* a type of a group */
    size_t group, type;
    bool last_of_group;
    int64_t most;  /* max and stock */
    int64_t price_usd_micros;
} entry;

typedef struct enumeration {
    taskfit_cert_fleets *f;
    taskfit_arena *arena;
    entry *entries;
    size_t n_entries;
    int64_t *n;     /* [n_entries] */
    int64_t *fleet; /* [n_offers] */
    int64_t *in_az; /* [n_azs] of the group being laid */
} enumeration;

static int64_t min64(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static const taskfit_instance_group *group_of(const enumeration *e, size_t m) {
    return &e->f->rules->deployment->groups[e->entries[m].group];
}

static size_t offer_of(const enumeration *e, size_t m, size_t k) {
    return e->f->rules->first_offer[e->entries[m].group] + e->entries[m].type * group_of(e, m)->n_azs + k;
}

/* The most that an instance of the entry is worth, in the best AZ. */
static int64_t entry_worth(const enumeration *e, const taskfit_cert_cut *cut, size_t m) {
    int64_t most = 0;
    for (size_t k = 0; k < group_of(e, m)->n_azs; k++) {
        const int64_t worth = cut->maximum[offer_of(e, m, k)];
        most = worth > most ? worth : most;
    }
    return most;
}

/* What entries from m on can add to a cut's left side with `left` of the goal. */
static taskfit_wide reach(const enumeration *e, const taskfit_cert_cut *cut, size_t m, int64_t left) {
    taskfit_wide best = 0;
    taskfit_wide free_of_cost = 0;
    for (; m < e->n_entries; m++) {
        const entry *at = &e->entries[m];
        const taskfit_wide worth = entry_worth(e, cut, m);
        if (e->f->by_cost && at->price_usd_micros <= 0) {
            free_of_cost += worth * at->most;
        } else {
            const taskfit_wide bought = worth * left / (e->f->by_cost ? at->price_usd_micros : 1);
            best = bought > best ? bought : best;
        }
    }
    return best + free_of_cost;
}

/* Some cut refutes everything that begins with the first m entries as they are. */
static bool refuted_so_far(const enumeration *e, size_t m, int64_t left) {
    for (size_t i = 0; i < e->f->n_cuts; i++) {
        const taskfit_cert_cut *cut = &e->f->cuts[i];
        taskfit_wide sum = 0;
        for (size_t before = 0; before < m && cut->fleet == NULL; before++) {
            sum += e->n[before] > 0 ? (taskfit_wide)e->n[before] * entry_worth(e, cut, before) : 0;
        }
        if (cut->fleet == NULL && sum + reach(e, cut, m, left) < cut->worth) {
            return true;
        }
    }
    return false;
}

static bool refuted(const enumeration *e) {
    const size_t n_offers = e->f->rules->n_offers;
    for (size_t i = 0; i < e->f->n_cuts; i++) {
        const taskfit_cert_cut *cut = &e->f->cuts[i];
        if (cut->fleet != NULL && memcmp(cut->fleet, e->fleet, n_offers * sizeof *cut->fleet) != 0) {
            continue;
        }
        taskfit_wide sum = 0;
        for (size_t o = 0; o < n_offers; o++) {
            sum += (taskfit_wide)e->fleet[o] * cut->maximum[o];
        }
        if (sum < cut->worth) {
            return true;
        }
    }
    return false;
}

static bool step(enumeration *e) {
    return --e->f->steps_left > 0;
}

/* ---- AZs ---- */

static int64_t group_count(const enumeration *e, size_t group) {
    int64_t count = 0;
    for (size_t m = 0; m < e->n_entries; m++) {
        count += e->entries[m].group == group ? e->n[m] : 0;
    }
    return count;
}

static bool lay_entry(enumeration *e, size_t m);

/* Puts `left` instances of entry m into the group's AZs from k on; false: some fleet is not refuted. */
static bool lay_azs(enumeration *e, size_t m, size_t k, int64_t left) {
    const taskfit_instance_group *group = group_of(e, m);
    const int64_t count = group_count(e, e->entries[m].group);
    const int64_t n_azs = (int64_t)group->n_azs;
    if (!step(e)) {
        return false;
    }
    if (k == group->n_azs) {
        for (size_t i = 0; i < group->n_azs && e->entries[m].last_of_group; i++) {
            if (e->in_az[group->azs[i]] < count / n_azs) {
                return true; /* not balanced, so no fleet */
            }
        }
        return left > 0 || lay_entry(e, m + 1);
    }
    int64_t *in_az = &e->in_az[group->azs[k]];
    const int64_t most = min64(left, (count + n_azs - 1) / n_azs - *in_az);
    for (int64_t n = most; n >= 0; n--) {
        e->fleet[offer_of(e, m, k)] = n;
        *in_az += n;
        const bool done = lay_azs(e, m, k + 1, left - n);
        *in_az -= n;
        e->fleet[offer_of(e, m, k)] = 0;
        if (!done) {
            return false;
        }
    }
    return true;
}

static bool lay_entry(enumeration *e, size_t m) {
    if (m == e->n_entries) {
        while (!refuted(e)) {
            if (e->f->on_open == NULL || !e->f->on_open(e->f->on_open_arg, e->f, e->fleet)) {
                return false;
            }
        }
        return true;
    }
    const size_t n_azs = e->f->rules->n_azs;
    int64_t *before = e->in_az;
    if (e->entries[m].type == 0) {
        e->in_az = TASKFIT_ARRAY(e->arena, n_azs, int64_t);
    }
    const bool done = lay_azs(e, m, 0, e->n[m]);
    e->in_az = before;
    return done;
}

/* ---- types ---- */

static bool choose(enumeration *e, size_t m, int64_t left, int64_t in_group) {
    if (!step(e)) {
        return false;
    }
    if (refuted_so_far(e, m, left)) {
        return true;
    }
    if (m == e->n_entries) {
        taskfit_arena *outer = e->arena;
        e->arena = taskfit_arena_new();
        const bool done = lay_entry(e, 0);
        taskfit_arena_free(e->arena);
        e->arena = outer;
        return done;
    }
    const entry *at = &e->entries[m];
    const taskfit_instance_group *group = group_of(e, m);
    const int64_t price = e->f->by_cost ? at->price_usd_micros : 1;
    int64_t most = min64(at->most, group->max_instances - in_group);
    most = price > 0 ? min64(most, left / price) : most;
    most = !group->mixed && in_group > 0 ? 0 : most;
    for (int64_t n = most; n >= 0; n--) {
        if (at->last_of_group && in_group + n < group->min_instances) {
            break;
        }
        e->n[m] = n;
        const bool done = choose(e, m + 1, left - n * price, at->last_of_group ? 0 : in_group + n);
        e->n[m] = 0;
        if (!done) {
            return false;
        }
    }
    return true;
}

static void list_entries(enumeration *e) {
    const taskfit_deployment *deployment = e->f->rules->deployment;
    for (size_t g = 0; g < deployment->n_groups; g++) {
        e->n_entries += deployment->groups[g].n_types;
    }
    e->entries = TASKFIT_ARRAY(e->arena, e->n_entries, entry);
    entry *at = e->entries;
    for (size_t g = 0; g < deployment->n_groups; g++) {
        const taskfit_instance_group *group = &deployment->groups[g];
        for (size_t t = 0; t < group->n_types; t++, at++) {
            const int64_t stock = group->types[t].stock;
            *at = (entry){.group = g,
                          .type = t,
                          .last_of_group = t + 1 == group->n_types,
                          .most = stock < 0 ? group->max_instances : min64(stock, group->max_instances),
                          .price_usd_micros = group->types[t].price_usd_micros};
        }
    }
}

bool taskfit_cert_refute(taskfit_cert_fleets *fleets, taskfit_arena *arena) {
    enumeration e = {.f = fleets, .arena = arena};
    list_entries(&e);
    e.n = TASKFIT_ARRAY(arena, e.n_entries, int64_t);
    e.fleet = TASKFIT_ARRAY(arena, fleets->rules->n_offers, int64_t);
    return fleets->bound <= 0 || choose(&e, 0, fleets->bound - 1, 0);
}
