#include "solve/level.h"

#include <assert.h>
#include <string.h>

/*
 * Takes the instance with the smallest free share and gives one of its tasks away, or exchanges it for a smaller one,
 * such that both instances then have a larger share than it had. Each step lowers the sorted list of loads, so this
 * ends; it ends at the first instance that cannot be relieved.
 */

typedef struct levelling {
    const taskfit_decision *d;
    taskfit_budget *budget;
    size_t n_instances;
    size_t *kind;          /* [n_instances] */
    int64_t *tasks;        /* [n_instances][n_profiles] */
    int64_t *room;         /* [n_instances][n_dims] */
    int64_t *in_zone;      /* [n_profiles][n_zones] */
    int64_t *free_mib;     /* [n_instances] memory */
    int64_t *capacity_mib; /* [n_kinds] */
    int64_t *memory_mib;   /* [n_profiles] of one task */
    size_t *gives, *takes; /* [n_profiles] scratch: profiles on the two instances */
} levelling;

typedef struct step { /* a task of `give` goes from the fullest instance to `to`, one of `take` comes back */
    size_t to, give, take; /* take SIZE_MAX: none */
} step;

/* Is a / b < c / d? Shares of memory: numerators and denominators are below 2^44. */
static bool share_below(int64_t a, int64_t b, int64_t c, int64_t d) {
    __extension__ typedef __int128 wide;
    return (wide)a * d < (wide)c * b;
}

static int64_t *tasks_of(const levelling *l, size_t j) {
    return l->tasks + j * l->d->n_profiles;
}

/* What stays free on instance j with `mib` more on it, against what is free on the fullest now. */
static bool relieved(const levelling *l, size_t fullest, size_t j, int64_t mib) {
    return share_below(l->free_mib[fullest], l->capacity_mib[l->kind[fullest]], l->free_mib[j] - mib,
                       l->capacity_mib[l->kind[j]]);
}

static bool rivals(const levelling *l, size_t j, size_t profile, size_t leaving) {
    const int64_t *tasks = tasks_of(l, j);
    for (size_t i = 0; i < l->d->n_conflicts; i++) {
        const taskfit_conflict *pair = &l->d->conflicts[i];
        const size_t other = pair->a == profile ? pair->b : pair->b == profile ? pair->a : SIZE_MAX;
        if (other != SIZE_MAX && tasks[other] - (other == leaving ? 1 : 0) > 0) {
            return true;
        }
    }
    return false;
}

/* May instance j take one more of `in` for one less of `out` (SIZE_MAX: none)? */
static bool takes(const levelling *l, size_t j, size_t in, size_t out) {
    const taskfit_kind *kind = &l->d->kinds[l->kind[j]];
    const int64_t *tasks = tasks_of(l, j);
    if (in != SIZE_MAX && (tasks[in] >= kind->high[in] || rivals(l, j, in, out))) {
        return false;
    }
    if (out != SIZE_MAX && tasks[out] <= kind->low[out]) {
        return false;
    }
    for (size_t dim = 0; dim < l->d->n_dims; dim++) {
        const int64_t more = in == SIZE_MAX ? 0 : l->d->profiles[in].demand[dim];
        const int64_t less = out == SIZE_MAX ? 0 : l->d->profiles[out].demand[dim];
        if (more - less > l->room[j * l->d->n_dims + dim]) {
            return false;
        }
    }
    return true;
}

/* Do the zone windows let a task of the profile go from one zone to another? */
static bool may_cross(const levelling *l, size_t profile, size_t from, size_t to) {
    const taskfit_profile *p = &l->d->profiles[profile];
    const int64_t *in_zone = l->in_zone + profile * l->d->n_zones;
    return from == to || (in_zone[from] > p->zone_low[from] && in_zone[to] < p->zone_high[to]);
}

static bool allowed(const levelling *l, size_t from, const step *s) {
    const size_t here = l->d->kinds[l->kind[from]].zone;
    const size_t there = l->d->kinds[l->kind[s->to]].zone;
    return may_cross(l, s->give, here, there) && (s->take == SIZE_MAX || may_cross(l, s->take, there, here)) &&
           takes(l, s->to, s->give, s->take) && takes(l, from, s->take, s->give);
}

static void put(levelling *l, size_t j, size_t profile, int64_t n) {
    tasks_of(l, j)[profile] += n;
    for (size_t dim = 0; dim < l->d->n_dims; dim++) {
        l->room[j * l->d->n_dims + dim] -= n * l->d->profiles[profile].demand[dim];
    }
    l->in_zone[profile * l->d->n_zones + l->d->kinds[l->kind[j]].zone] += n;
    l->free_mib[j] -= n * l->memory_mib[profile];
}

static size_t fullest_instance(const levelling *l) {
    size_t fullest = 0;
    for (size_t j = 1; j < l->n_instances; j++) {
        if (share_below(l->free_mib[j], l->capacity_mib[l->kind[j]], l->free_mib[fullest], l->capacity_mib[l->kind[fullest]])) {
            fullest = j;
        }
    }
    return fullest;
}

/* The memory of the exchange nearest to half the difference of the two loads levels them best. */
static int64_t misfit(const levelling *l, size_t from, const step *s) {
    const int64_t mib = l->memory_mib[s->give] - (s->take == SIZE_MAX ? 0 : l->memory_mib[s->take]);
    const int64_t wanted = (l->free_mib[s->to] - l->free_mib[from]) / 2;
    return mib > wanted ? mib - wanted : wanted - mib;
}

static void consider(const levelling *l, size_t from, const step *s, step *best, int64_t *best_misfit) {
    const int64_t mib = l->memory_mib[s->give] - (s->take == SIZE_MAX ? 0 : l->memory_mib[s->take]);
    if (mib > 0 && misfit(l, from, s) < *best_misfit && relieved(l, from, s->to, mib) && allowed(l, from, s)) {
        *best = *s;
        *best_misfit = misfit(l, from, s);
    }
}

/* The profiles that stand on instance j. */
static size_t list_profiles(const levelling *l, size_t j, size_t *list) {
    size_t n = 0;
    for (size_t p = 0; p < l->d->n_profiles; p++) {
        list[n] = p;
        n += tasks_of(l, j)[p] > 0;
    }
    return n;
}

static bool relieve(levelling *l, size_t from) {
    step best = {.to = SIZE_MAX};
    int64_t best_misfit = INT64_MAX;
    const size_t n_gives = list_profiles(l, from, l->gives);
    for (size_t to = 0; to < l->n_instances; to++) {
        if (to == from || !relieved(l, from, to, 1)) {
            continue;
        }
        const size_t n_takes = list_profiles(l, to, l->takes);
        for (size_t i = 0; i < n_gives; i++) {
            const size_t give = l->gives[i];
            consider(l, from, &(step){.to = to, .give = give, .take = SIZE_MAX}, &best, &best_misfit);
            for (size_t k = 0; k < n_takes; k++) {
                if (l->takes[k] != give) {
                    consider(l, from, &(step){.to = to, .give = give, .take = l->takes[k]}, &best, &best_misfit);
                }
            }
        }
        if (!taskfit_budget_spend(l->budget, (int64_t)l->d->n_profiles * 8)) {
            break;
        }
    }
    if (best.to == SIZE_MAX) {
        return false;
    }
    put(l, from, best.give, -1);
    put(l, best.to, best.give, 1);
    if (best.take != SIZE_MAX) {
        put(l, best.to, best.take, -1);
        put(l, from, best.take, 1);
    }
    return true;
}

static void spread_out(levelling *l, const taskfit_answer *answer) {
    const taskfit_decision *d = l->d;
    size_t j = 0;
    for (size_t i = 0; i < answer->n_contents; i++) {
        const taskfit_content *content = &answer->contents[i];
        for (int64_t copy = 0; copy < content->count; copy++, j++) {
            l->kind[j] = content->kind;
            l->free_mib[j] = l->capacity_mib[content->kind];
            memcpy(l->room + j * d->n_dims, d->kinds[content->kind].capacity, d->n_dims * sizeof *l->room);
            for (size_t task = 0; task < content->n_tasks; task++) {
                put(l, j, content->tasks[task].profile, content->tasks[task].count);
            }
        }
    }
    assert(j == l->n_instances);
}

static bool memory_binds(const taskfit_decision *d) {
    for (size_t dim = 0; dim < d->n_dims; dim++) {
        if (d->dim_resource[dim] == TASKFIT_RESOURCE_MEMORY) {
            return true;
        }
    }
    return false;
}

static levelling levelling_new(const taskfit_decision *d, taskfit_budget *budget, taskfit_arena *scratch) {
    levelling l = {.d = d, .budget = budget, .n_instances = (size_t)d->n_instances};
    l.kind = TASKFIT_ARRAY(scratch, l.n_instances, size_t);
    l.tasks = TASKFIT_ARRAY(scratch, l.n_instances * d->n_profiles, int64_t);
    l.room = TASKFIT_ARRAY(scratch, l.n_instances * d->n_dims, int64_t);
    l.in_zone = TASKFIT_ARRAY(scratch, d->n_profiles * d->n_zones, int64_t);
    l.free_mib = TASKFIT_ARRAY(scratch, l.n_instances, int64_t);
    l.capacity_mib = TASKFIT_ARRAY(scratch, d->n_kinds, int64_t);
    l.memory_mib = TASKFIT_ARRAY(scratch, d->n_profiles, int64_t);
    l.gives = TASKFIT_ARRAY(scratch, d->n_profiles, size_t);
    l.takes = TASKFIT_ARRAY(scratch, d->n_profiles, size_t);
    for (size_t k = 0; k < d->n_kinds; k++) {
        const int64_t capacity_mib = d->problem->offers[d->kinds[k].offer].capacity[TASKFIT_RESOURCE_MEMORY];
        l.capacity_mib[k] = capacity_mib > 0 ? capacity_mib : 1;
    }
    for (size_t p = 0; p < d->n_profiles; p++) { /* a dimension: the same for all services of the profile */
        l.memory_mib[p] = d->problem->services[d->profiles[p].services[0]].demand[TASKFIT_RESOURCE_MEMORY];
    }
    return l;
}

taskfit_answer taskfit_level(const taskfit_decision *decision, const taskfit_answer *answer, taskfit_budget *budget,
                             taskfit_arena *arena) {
    enum { MAX_CELLS = 2000000 };
    if (!memory_binds(decision) || decision->n_instances < 2 ||
        (int64_t)decision->n_profiles * decision->n_instances > MAX_CELLS) {
        return *answer;
    }
    taskfit_arena *scratch = taskfit_arena_new();
    levelling l = levelling_new(decision, budget, scratch);
    spread_out(&l, answer);
    while (taskfit_budget_spend(budget, 1) && relieve(&l, fullest_instance(&l))) {
    }
    taskfit_content *contents = TASKFIT_ARRAY(arena, l.n_instances, taskfit_content);
    for (size_t j = 0; j < l.n_instances; j++) {
        contents[j] = taskfit_content_from_dense(arena, l.kind[j], 1, tasks_of(&l, j), decision->n_profiles);
    }
    taskfit_arena_free(scratch);
    taskfit_answer levelled = *answer;
    levelled.contents = contents;
    levelled.n_contents = (size_t)decision->n_instances;
    return levelled;
}
