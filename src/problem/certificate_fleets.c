#include "problem/certificate.h"

#include <string.h>

#include "base/int64.h"

/*
 * Every fleet below the bound: how many instances of each type of each group, then AZ by AZ. A branch ends as soon as some cut
 * says that even the best use of what is left of the goal brings too little. Cuts about one AZ alone tell what that
 * AZ takes at least; where the sum over AZs reaches the bound, there is nothing to go through.
 */

enum { MOST_AZ_STEPS = 200000 };

typedef struct entry { /* a type of a group */
    size_t group, type;
    bool last_of_group;
    int64_t most;  /* max and stock */
    int64_t weight; /* in the goal */
} entry;

typedef struct slot { /* instances of an entry in an AZ */
    size_t az, entry, offer;
    bool last_of_entry, last_of_az;
} slot;

typedef struct view { /* a cut that is no leaf, by entries */
    const taskfit_cert_cut *cut;
    int64_t *best, *worst; /* [n_entries] V in the best and in the worst AZ */
    int64_t *drop;         /* [n_entries] HOSTS: what hosting takes from V at least; INT64_MAX: never hosts */
    size_t az;             /* TASKS: the only AZ it speaks of; SIZE_MAX: several */
} view;

typedef struct enumeration {
    taskfit_cert_fleets *f;
    taskfit_arena *arena;
    entry *entries;
    size_t n_entries;
    slot *slots;
    size_t n_slots;
    view *views;
    size_t n_views;
    int64_t *n;        /* [n_entries] */
    int64_t *left;     /* [n_entries] not yet laid */
    int64_t *fleet;    /* [n_offers] */
    int64_t *in_az;    /* [n_entries] of the AZ whose least is sought */
    int64_t *least;    /* [n_azs] of the goal */
    size_t n_cuts_seen;
    bool over;         /* the sum over AZs says it all */
} enumeration;

static const taskfit_instance_group *group_of(const enumeration *e, size_t m) {
    return &e->f->rules->deployment->groups[e->entries[m].group];
}

static size_t offer_of(const enumeration *e, size_t m, size_t k) {
    return e->f->rules->first_offer[e->entries[m].group] + e->entries[m].type * group_of(e, m)->n_azs + k;
}

static bool step(enumeration *e) {
    return --e->f->steps_left > 0;
}

/* ---- one fleet ---- */

static taskfit_wide sum_of(const taskfit_cert_rules *rules, const taskfit_cert_cut *cut, const int64_t *fleet) {
    taskfit_wide sum = 0;
    for (size_t o = 0; o < rules->n_offers; o++) {
        sum += (taskfit_wide)fleet[o] * cut->maximum[o];
    }
    return sum;
}

/* What the loss takes that takes most. */
static taskfit_wide largest_loss(const taskfit_cert_rules *rules, const taskfit_cert_cut *cut, const int64_t *fleet) {
    taskfit_wide largest = 0;
    for (size_t az = 0; az < rules->n_azs; az++) {
        taskfit_wide in_az = 0;
        for (size_t o = 0; o < rules->n_offers; o++) {
            if (cut->of == TASKFIT_CERT_LOSES_INSTANCE) {
                largest = fleet[o] > 0 && cut->maximum[o] > largest ? cut->maximum[o] : largest;
            } else if (rules->offers[o].az == az) {
                in_az += (taskfit_wide)fleet[o] * cut->maximum[o];
            }
        }
        largest = in_az > largest ? in_az : largest;
    }
    return largest;
}

static bool speaks_of(const taskfit_cert_rules *rules, const taskfit_cert_cut *cut, const int64_t *fleet) {
    return cut->fleet == NULL || memcmp(cut->fleet, fleet, rules->n_offers * sizeof *fleet) == 0;
}

bool taskfit_cert_host_refuted(const taskfit_cert_rules *rules, const taskfit_cert_cut *cuts, size_t n_cuts, const int64_t *fleet,
                               size_t service, size_t o) {
    for (size_t i = 0; i < n_cuts; i++) {
        const taskfit_cert_cut *cut = &cuts[i];
        if (cut->of == TASKFIT_CERT_HOSTS && cut->service == service && speaks_of(rules, cut, fleet) &&
            (cut->tree != NULL ? cut->tree->at == o
                               : sum_of(rules, cut, fleet) - cut->maximum[o] + cut->beside[o] < cut->worth)) {
            return true;
        }
    }
    return false;
}

static bool hosts_refuted(const taskfit_cert_rules *rules, const taskfit_cert_cut *cuts, size_t n_cuts, const int64_t *fleet,
                          size_t service) {
    for (size_t o = 0; o < rules->n_offers; o++) {
        if (fleet[o] > 0 && taskfit_cert_may_host(rules, service, o) && 
            !taskfit_cert_host_refuted(rules, cuts, n_cuts, fleet, service, o)) {
            return false;
        }
    }
    return true;
}

bool taskfit_cert_refutes(const taskfit_cert_rules *rules, const taskfit_cert_cut *cuts, size_t n_cuts, const int64_t *fleet) {
    for (size_t i = 0; i < n_cuts; i++) {
        const taskfit_cert_cut *cut = &cuts[i];
        if (!speaks_of(rules, cut, fleet)) {
            continue;
        }
        if (cut->of == TASKFIT_CERT_HOSTS) {
            if (hosts_refuted(rules, cuts, n_cuts, fleet, cut->service)) {
                return true;
            }
            continue;
        }
        if (cut->tree != NULL) {
            return true;
        }
        const bool loss = cut->of == TASKFIT_CERT_LOSES_INSTANCE || cut->of == TASKFIT_CERT_LOSES_AZ;
        if (sum_of(rules, cut, fleet) - (loss ? largest_loss(rules, cut, fleet) : 0) < cut->worth) {
            return true;
        }
    }
    return false;
}

/* ---- cuts by entries ---- */

static void see_entry(const enumeration *e, const view *v, size_t m) {
    const taskfit_cert_cut *cut = v->cut;
    v->worst[m] = INT64_MAX;
    for (size_t k = 0; k < group_of(e, m)->n_azs; k++) {
        const size_t o = offer_of(e, m, k);
        v->best[m] = max64(v->best[m], cut->maximum[o]);
        v->worst[m] = min64(v->worst[m], cut->maximum[o]);
        if (cut->of == TASKFIT_CERT_HOSTS && taskfit_cert_may_host(e->f->rules, cut->service, o)) {
            v->drop[m] = min64(v->drop[m], cut->maximum[o] - cut->beside[o]);
        }
    }
}

static size_t only_az(const enumeration *e, const taskfit_cert_cut *cut) {
    size_t az = SIZE_MAX;
    for (size_t o = 0; o < e->f->rules->n_offers; o++) {
        if (cut->maximum[o] > 0) {
            if (az != SIZE_MAX && az != e->f->rules->offers[o].az) {
                return SIZE_MAX;
            }
            az = e->f->rules->offers[o].az;
        }
    }
    return cut->of == TASKFIT_CERT_TASKS ? az : SIZE_MAX;
}

static void see_cuts(enumeration *e) {
    e->views = TASKFIT_ARRAY(e->arena, e->f->n_cuts, view);
    e->n_views = 0;
    for (size_t i = 0; i < e->f->n_cuts; i++) {
        view *v = &e->views[e->n_views];
        if (e->f->cuts[i].fleet != NULL) {
            continue;
        }
        *v = (view){.cut = &e->f->cuts[i],
                    .best = TASKFIT_ARRAY(e->arena, e->n_entries, int64_t),
                    .worst = TASKFIT_ARRAY(e->arena, e->n_entries, int64_t),
                    .drop = TASKFIT_ARRAY(e->arena, e->n_entries, int64_t),
                    .az = only_az(e, &e->f->cuts[i])};
        for (size_t m = 0; m < e->n_entries; m++) {
            v->drop[m] = INT64_MAX;
            see_entry(e, v, m);
        }
        e->n_views++;
    }
}

/* ---- the least in one AZ ---- */

/* What of the goal entries from m on take at least to bring what is missing; fractions allowed. */
static int64_t least_for(const enumeration *e, const view *v, size_t m, taskfit_wide missing) {
    taskfit_wide least = INT64_MAX;
    for (; m < e->n_entries; m++) {
        if (v->best[m] > 0) {
            const taskfit_wide here = (missing * e->entries[m].weight + v->best[m] - 1) / v->best[m];
            least = here < least ? here : least;
        }
    }
    return (int64_t)least;
}

static void seek_least(enumeration *e, size_t az, size_t m, int64_t goal, int64_t *steps, int64_t *least) {
    bool missing = false;
    int64_t more = 0;
    for (size_t i = 0; i < e->n_views; i++) {
        const view *v = &e->views[i];
        taskfit_wide worth = v->cut->worth;
        for (size_t before = 0; before < m && v->az == az; before++) {
            worth -= (taskfit_wide)e->in_az[before] * v->best[before];
        }
        if (v->az == az && worth > 0) {
            missing = true;
            more = max64(more, least_for(e, v, m, worth));
        }
    }
    if (more >= *least - goal || ++*steps > MOST_AZ_STEPS) {
        return;
    }
    if (!missing) {
        *least = goal;
        return;
    }
    for (int64_t n = 0; n <= e->entries[m].most && goal < *least; n++) { /* m < n_entries: else `more` had no end */
        e->in_az[m] = n;
        seek_least(e, az, m + 1, goal, steps, least);
        goal += e->entries[m].weight;
    }
    e->in_az[m] = 0;
}

/* After cuts were added. */
static void see_azs(enumeration *e) {
    taskfit_wide sum = 0;
    for (size_t az = 0; az < e->f->rules->n_azs; az++) {
        bool any = false;
        bool again = false;
        for (size_t i = 0; i < e->n_views; i++) {
            any = any || e->views[i].az == az;
            again = again || (e->views[i].az == az && e->views[i].cut >= e->f->cuts + e->n_cuts_seen);
        }
        if (!any || again) {
            int64_t steps = 0;
            int64_t least = e->f->bound;
            seek_least(e, az, 0, 0, &steps, &least);
            e->least[az] = steps <= MOST_AZ_STEPS ? least : 0;
        }
        sum += e->least[az];
    }
    e->n_cuts_seen = e->f->n_cuts;
    e->over = sum >= e->f->bound;
}

/* ---- AZs ---- */

/* No cut about the AZ that was just laid alone refutes it. */
static bool az_open(const enumeration *e, size_t az) {
    for (size_t i = 0; i < e->n_views; i++) {
        if (e->views[i].az == az && sum_of(e->f->rules, e->views[i].cut, e->fleet) < e->views[i].cut->worth) {
            return false;
        }
    }
    return true;
}

/* How many more of its group the AZ may take, and must take if this is the group's last type. */
static void balance(const enumeration *e, const slot *at, int64_t *most, int64_t *least) {
    const entry *of = &e->entries[at->entry];
    const taskfit_instance_group *group = group_of(e, at->entry);
    const int64_t n_azs = (int64_t)group->n_azs;
    int64_t in_group = 0;
    int64_t in_az = 0;
    for (size_t t = 0; t < group->n_types; t++) {
        const size_t m = at->entry - of->type + t;
        in_group += e->n[m];
        in_az += t < of->type ? e->fleet[at->offer - (of->type - t) * group->n_azs] : 0;
    }
    *most = min64(*most, (in_group + n_azs - 1) / n_azs - in_az);
    *least = of->last_of_group ? max64(*least, in_group / n_azs - in_az) : *least;
}

/* Asks for a cut that refutes the fleet. */
static bool learn(enumeration *e) {
    if (e->f->on_open == NULL || !e->f->on_open(e->f->on_open_arg, e->f, e->fleet)) {
        return false;
    }
    see_cuts(e);
    see_azs(e);
    return true;
}

/* The mix's instances from slot i on; false: some fleet is not refuted. */
static bool lay(enumeration *e, size_t i) {
    if (e->over) {
        return true;
    }
    if (i == e->n_slots) {
        while (!e->over && !taskfit_cert_refutes(e->f->rules, e->f->cuts, e->f->n_cuts, e->fleet)) {
            if (!learn(e)) {
                return false;
            }
        }
        return true;
    }
    const slot *at = &e->slots[i];
    const int64_t had = e->left[at->entry];
    int64_t most = had;
    int64_t least = at->last_of_entry ? had : 0;
    balance(e, at, &most, &least);
    bool done = step(e);
    for (int64_t n = most; n >= least && done; n--) {
        e->fleet[at->offer] = n;
        e->left[at->entry] = had - n;
        done = (at->last_of_az && !az_open(e, at->az)) || lay(e, i + 1);
    }
    e->fleet[at->offer] = 0;
    e->left[at->entry] = had;
    return done;
}

/* ---- types ---- */

/* What entries from m on can add to a cut's left side with `left` of the goal. */
static taskfit_wide reach(const enumeration *e, const view *v, size_t m, int64_t left) {
    taskfit_wide best = 0;
    taskfit_wide free_of_cost = 0;
    for (; m < e->n_entries; m++) {
        const entry *at = &e->entries[m];
        const taskfit_wide worth = v->best[m];
        if (at->weight <= 0) {
            free_of_cost += worth * at->most;
        } else {
            const taskfit_wide bought = worth * left / at->weight;
            best = bought > best ? bought : best;
        }
    }
    return best + free_of_cost;
}

/* What a fleet that begins with the first m entries loses of `sum` at least. */
static taskfit_wide loss_of(const enumeration *e, const view *v, size_t m, taskfit_wide sum) {
    const int64_t n_azs = (int64_t)e->f->rules->n_azs;
    int64_t most = 0;
    int64_t drop = INT64_MAX;
    for (size_t i = 0; i < e->n_entries; i++) {
        most = i < m && e->n[i] > 0 ? max64(most, v->worst[i]) : most;
        drop = i >= m || e->n[i] > 0 ? min64(drop, v->drop[i]) : drop;
    }
    switch (v->cut->of) {
    case TASKFIT_CERT_HOSTS: return drop;
    case TASKFIT_CERT_LOSES_INSTANCE: return most;
    case TASKFIT_CERT_LOSES_AZ: return sum / n_azs; /* some AZ has its share */
    case TASKFIT_CERT_TASKS:
    case TASKFIT_CERT_DEPLOYS:
    case TASKFIT_CERT_DEPLOYS_ALL:
    case TASKFIT_CERT_CASES: break;
    }
    return 0;
}

/* Some cut refutes everything that begins with the first m entries as they are. */
static bool refuted_so_far(const enumeration *e, size_t m, int64_t left) {
    for (size_t i = 0; i < e->n_views; i++) {
        const view *v = &e->views[i];
        taskfit_wide sum = 0;
        for (size_t before = 0; before < m; before++) {
            sum += (taskfit_wide)e->n[before] * v->best[before];
        }
        sum += reach(e, v, m, left);
        if (sum - loss_of(e, v, m, sum) < v->cut->worth) {
            return true;
        }
    }
    return false;
}

static bool choose(enumeration *e, size_t m, int64_t left, int64_t in_group) {
    if (!step(e)) {
        return false;
    }
    if (e->over || refuted_so_far(e, m, left)) {
        return true;
    }
    if (m == e->n_entries) {
        memcpy(e->left, e->n, e->n_entries * sizeof *e->n);
        return lay(e, 0);
    }
    const entry *at = &e->entries[m];
    const taskfit_instance_group *group = group_of(e, m);
    int64_t most = min64(at->most, group->max_instances - in_group);
    most = at->weight > 0 ? min64(most, left / at->weight) : most;
    most = !group->mixed && in_group > 0 ? 0 : most;
    const int64_t least = at->last_of_group ? max64(0, group->min_instances - in_group) : 0;
    bool done = true;
    for (int64_t n = most; n >= least && done; n--) {
        e->n[m] = n;
        done = choose(e, m + 1, left - n * at->weight, at->last_of_group ? 0 : in_group + n);
    }
    e->n[m] = 0;
    return done;
}

/* ---- the whole ---- */

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
                          .weight = e->f->by_cost ? group->types[t].price_usd_micros : 1};
        }
    }
}

static size_t last_az(const taskfit_instance_group *group) {
    size_t last = 0;
    for (size_t k = 0; k < group->n_azs; k++) {
        last = group->azs[k] > last ? group->azs[k] : last;
    }
    return last;
}

static void list_slots(enumeration *e) {
    e->slots = TASKFIT_ARRAY(e->arena, e->f->rules->n_offers, slot);
    for (size_t az = 0; az < e->f->rules->n_azs; az++) {
        for (size_t m = 0; m < e->n_entries; m++) {
            const taskfit_instance_group *group = group_of(e, m);
            for (size_t k = 0; k < group->n_azs; k++) {
                if (group->azs[k] == az) {
                    e->slots[e->n_slots++] = (slot){az, m, offer_of(e, m, k), az == last_az(group), false};
                }
            }
        }
    }
    for (size_t i = 0; i < e->n_slots; i++) {
        e->slots[i].last_of_az = i + 1 == e->n_slots || e->slots[i + 1].az != e->slots[i].az;
    }
}

bool taskfit_cert_refute(taskfit_cert_fleets *fleets, taskfit_arena *arena) {
    enumeration e = {.f = fleets, .arena = arena};
    if (fleets->bound <= 0) {
        return true;
    }
    list_entries(&e);
    list_slots(&e);
    e.n = TASKFIT_ARRAY(arena, e.n_entries, int64_t);
    e.left = TASKFIT_ARRAY(arena, e.n_entries, int64_t);
    e.in_az = TASKFIT_ARRAY(arena, e.n_entries, int64_t);
    e.fleet = TASKFIT_ARRAY(arena, fleets->rules->n_offers, int64_t);
    e.least = TASKFIT_ARRAY(arena, fleets->rules->n_azs, int64_t);
    see_cuts(&e);
    see_azs(&e);
    return choose(&e, 0, fleets->bound - 1, 0);
}
