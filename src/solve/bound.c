#include "solve/bound.h"

#include <string.h>

#include "base/int64.h"

/*
 * Volume over sets of kinds. Of profile p at least
 *     need(p, M) = max(tasks - sum over zones of min(window high, places outside M),
 *                      sum over zones of window low - places outside M,
 *                      what low bounds put there)
 * tasks must stand on the instances M, where places(k) = count(k) * high(p, k). If over all p that is more of
 * a dimension than M has, the fleet is refuted. M runs over all instances, each kind, each set of zones and the
 * sets of kinds where some profile may stand (pinned services).
 */

enum { MAX_SETS = 96, MAX_SUBSET_ZONES = 6 };

typedef struct bound {
    const taskfit_decision *d;
    taskfit_arena *scratch;
    bool *sets; /* [n_sets][n_kinds] */
    size_t n_sets;
    int64_t *outside; /* [n_zones] scratch */
} bound;

/* ---- sets of kinds ---- */

static bool *next_set(bound *b) {
    bool *set = b->sets + b->n_sets * b->d->n_kinds;
    memset(set, 0, b->d->n_kinds * sizeof *set);
    return set;
}

/* Keeps the set that next_set() lent, if it is new and not empty. */
static void keep_set(bound *b) {
    const size_t size = b->d->n_kinds * sizeof *b->sets;
    const bool *set = b->sets + b->n_sets * b->d->n_kinds;
    if (b->n_sets == MAX_SETS || memchr(set, 1, size) == NULL) {
        return;
    }
    for (size_t i = 0; i < b->n_sets; i++) {
        if (memcmp(b->sets + i * b->d->n_kinds, set, size) == 0) {
            return;
        }
    }
    b->n_sets++;
}

static void add_zone_set(bound *b, uint64_t zones) {
    bool *set = next_set(b);
    for (size_t k = 0; k < b->d->n_kinds; k++) {
        const size_t zone = b->d->kinds[k].zone;
        set[k] = zone < 64 && (zones >> zone & 1) != 0;
    }
    keep_set(b);
}

static void make_sets(bound *b) {
    const taskfit_decision *d = b->d;
    b->sets = TASKFIT_ARRAY(b->scratch, (MAX_SETS + 1) * d->n_kinds, bool);
    bool *all = next_set(b);
    memset(all, 1, d->n_kinds * sizeof *all);
    keep_set(b);
    if (d->n_zones <= MAX_SUBSET_ZONES) {
        for (uint64_t zones = 1; zones < UINT64_C(1) << d->n_zones; zones++) {
            add_zone_set(b, zones);
        }
    } else {
        for (size_t zone = 0; zone < d->n_zones; zone++) {
            add_zone_set(b, UINT64_C(1) << zone);
        }
    }
    for (size_t p = 0; p < d->n_profiles; p++) {
        bool *set = next_set(b);
        for (size_t k = 0; k < d->n_kinds; k++) {
            set[k] = d->kinds[k].high[p] > 0;
        }
        keep_set(b);
    }
    for (size_t k = 0; k < d->n_kinds; k++) {
        next_set(b)[k] = true;
        keep_set(b);
    }
}

/* ---- what must stand on a set ---- */

static int64_t needed_on(bound *b, size_t p, const bool *set) {
    const taskfit_decision *d = b->d;
    const taskfit_profile *profile = &d->profiles[p];
    int64_t forced = 0;
    memset(b->outside, 0, d->n_zones * sizeof *b->outside);
    for (size_t k = 0; k < d->n_kinds; k++) {
        if (set[k]) {
            forced += d->kinds[k].count * d->kinds[k].low[p];
        } else {
            b->outside[d->kinds[k].zone] += d->kinds[k].count * d->kinds[k].high[p];
        }
    }
    int64_t by_low = 0;
    int64_t rest = profile->tasks;
    for (size_t zone = 0; zone < d->n_zones; zone++) {
        by_low += max64(0, profile->zone_low[zone] - b->outside[zone]);
        rest -= min64(profile->zone_high[zone], b->outside[zone]);
    }
    return max64(forced, max64(by_low, rest));
}

/* Which instances a set is, for people. */
static void describe_set(const taskfit_decision *d, const bool *set, taskfit_shortage *shortage) {
    shortage->kind = SIZE_MAX;
    for (size_t k = 0; k < d->n_kinds; k++) {
        if (set[k]) {
            shortage->n_instances += d->kinds[k].count;
            shortage->zone = shortage->kind == SIZE_MAX || shortage->zone == d->kinds[k].zone ? d->kinds[k].zone : SIZE_MAX;
            shortage->kind = k;
        }
    }
    for (size_t k = 0; k < d->n_kinds; k++) {
        shortage->zone = !set[k] && d->kinds[k].zone == shortage->zone ? SIZE_MAX : shortage->zone;
    }
}

static bool volume_shortage(bound *b, const bool *set, bool whole_fleet, taskfit_shortage *shortage_out) {
    const taskfit_decision *d = b->d;
    int64_t *room = TASKFIT_ARRAY(b->scratch, d->n_dims, int64_t);
    int64_t *need = TASKFIT_ARRAY(b->scratch, d->n_dims, int64_t);
    for (size_t p = 0; p < d->n_profiles; p++) {
        const int64_t tasks = needed_on(b, p, set);
        for (size_t dim = 0; dim < d->n_dims; dim++) {
            need[dim] += tasks * d->profiles[p].demand[dim];
        }
    }
    for (size_t k = 0; k < d->n_kinds; k++) {
        for (size_t dim = 0; dim < d->n_dims && set[k]; dim++) {
            room[dim] += d->kinds[k].count * d->kinds[k].capacity[dim];
        }
    }
    for (size_t dim = 0; dim < d->n_dims; dim++) {
        if (need[dim] > room[dim]) {
            *shortage_out = (taskfit_shortage){.type = TASKFIT_SHORTAGE_VOLUME,
                                               .dim = dim,
                                               .profile = SIZE_MAX,
                                               .whole_fleet = whole_fleet,
                                               .need = need[dim],
                                               .room = room[dim]};
            describe_set(d, set, shortage_out);
            return true;
        }
    }
    return false;
}

/* ---- places of one profile ---- */

static bool place_shortage(const bound *b, size_t p, taskfit_shortage *shortage_out) {
    const taskfit_decision *d = b->d;
    const taskfit_profile *profile = &d->profiles[p];
    int64_t *places = b->outside;
    memset(places, 0, d->n_zones * sizeof *places);
    int64_t forced = 0;
    for (size_t k = 0; k < d->n_kinds; k++) {
        places[d->kinds[k].zone] += d->kinds[k].count * d->kinds[k].high[p];
        forced += d->kinds[k].count * d->kinds[k].low[p];
    }
    int64_t room = 0;
    bool short_zone = false;
    for (size_t zone = 0; zone < d->n_zones; zone++) {
        room += min64(places[zone], profile->zone_high[zone]);
        short_zone = short_zone || places[zone] < profile->zone_low[zone];
    }
    if (room < profile->tasks || forced > profile->tasks || short_zone) {
        *shortage_out = (taskfit_shortage){
            .type = TASKFIT_SHORTAGE_PLACES, .dim = SIZE_MAX, .profile = p, .need = profile->tasks, .room = room};
        return true;
    }
    return false;
}

/* ---- services that exclude each other ---- */

static int64_t instances_alone(const taskfit_decision *d, size_t p) {
    int64_t most = 1;
    for (size_t k = 0; k < d->n_kinds; k++) {
        most = max64(most, d->kinds[k].high[p]);
    }
    return (d->profiles[p].tasks + most - 1) / most;
}

static bool *conflict_matrix(const bound *b) {
    const taskfit_decision *d = b->d;
    bool *matrix = TASKFIT_ARRAY(b->scratch, d->n_profiles * d->n_profiles, bool);
    for (size_t i = 0; i < d->n_conflicts; i++) {
        matrix[d->conflicts[i].a * d->n_profiles + d->conflicts[i].b] = true;
        matrix[d->conflicts[i].b * d->n_profiles + d->conflicts[i].a] = true;
    }
    return matrix;
}

/* Cliques grown greedily, one from each profile with conflicts: its instances are each only its own. */
static bool clique_shortage(const bound *b, taskfit_shortage *shortage_out) {
    enum { MAX_PROFILES = 2000 };
    const taskfit_decision *d = b->d;
    if (d->n_conflicts == 0 || d->n_profiles > MAX_PROFILES) {
        return false;
    }
    const bool *matrix = conflict_matrix(b);
    size_t *members = TASKFIT_ARRAY(b->scratch, d->n_profiles, size_t);
    for (size_t start = 0; start < d->n_profiles; start++) {
        size_t n_members = 0;
        int64_t need = 0;
        for (size_t p = start; p < d->n_profiles; p++) {
            size_t met = 0;
            while (met < n_members && matrix[members[met] * d->n_profiles + p]) {
                met++;
            }
            if (met == n_members) {
                members[n_members++] = p;
                need += instances_alone(d, p);
            }
        }
        if (n_members > 1 && need > d->n_instances) {
            *shortage_out = (taskfit_shortage){.type = TASKFIT_SHORTAGE_CLIQUE,
                                               .dim = SIZE_MAX,
                                               .profile = start,
                                               .need = need,
                                               .room = d->n_instances};
            return true;
        }
    }
    return false;
}

/* ---- the whole ---- */

static bool find_shortage(bound *b, taskfit_shortage *shortage_out) {
    for (size_t p = 0; p < b->d->n_profiles; p++) {
        if (place_shortage(b, p, shortage_out)) {
            return true;
        }
    }
    if (b->d->impossible) {
        *shortage_out = (taskfit_shortage){.type = TASKFIT_SHORTAGE_PLACES, .dim = SIZE_MAX, .profile = SIZE_MAX};
        return true;
    }
    make_sets(b);
    for (size_t i = 0; i < b->n_sets; i++) {
        if (volume_shortage(b, b->sets + i * b->d->n_kinds, i == 0, shortage_out)) {
            return true;
        }
    }
    return clique_shortage(b, shortage_out);
}

taskfit_shortage taskfit_bound_shortage(const taskfit_decision *decision) {
    taskfit_shortage shortage = {.type = TASKFIT_SHORTAGE_NONE, .dim = SIZE_MAX, .profile = SIZE_MAX};
    bound b = {.d = decision, .scratch = taskfit_arena_new()};
    b.outside = TASKFIT_ARRAY(b.scratch, decision->n_zones, int64_t);
    (void)find_shortage(&b, &shortage);
    taskfit_arena_free(b.scratch);
    return shortage;
}

taskfit_answer taskfit_bound_decide(const taskfit_decision *decision, taskfit_arena *arena TASKFIT_UNUSED) {
    const bool refuted = taskfit_bound_shortage(decision).type != TASKFIT_SHORTAGE_NONE;
    return (taskfit_answer){.verdict = refuted ? TASKFIT_VERDICT_REFUTED : TASKFIT_VERDICT_OPEN,
                            .proof = refuted ? TASKFIT_PROOF_EXACT : TASKFIT_PROOF_NONE,
                            .stage = "volume"};
}
