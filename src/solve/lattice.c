#include "solve/lattice.h"

#include <string.h>

#include "base/int64.h"
#include "solve/glpk_lp.h"

/*
 * A branch and bound in whole numbers: types one after the other, then their AZs. Its bound is, for each cut, the least of
 * the goal that buys the worth still missing, with stock kept and fractions allowed; and the same for their sum. Cuts about one AZ alone are first
 * solved for that AZ in whole instances: the sum over AZs is a bound for all.
 */

enum { MOST_STEPS = 3000000, MOST_LAYOUT_STEPS = 200000, STEPS_TO_A_UNIT = 4, WINDOW_SHARE = 1024 };
#define SUM_WORTH 1e17 /* of cuts together: what a fleet of them holds must stay countable */

typedef struct entry { /* a type of a group */
    size_t group, type;
    bool last_of_group;
    int64_t most;
    int64_t weight[2]; /* in the first goal and in the second */
} entry;

typedef struct slot { /* instances of an entry in an AZ */
    size_t az, entry, offer;
    int64_t azs_left; /* of the entry, with this one */
} slot;

typedef struct need { /* a cut, by entries */
    int64_t worth;
    int64_t *maximum;   /* [n_entries] in the best AZ */
    size_t *order[2];   /* [n_entries] entries, the best buy first, for each goal */
} need;

struct taskfit_lattice {
    taskfit_lattice_setting s;
    taskfit_cut_pool pool;
    taskfit_arena *own;     /* as long as the lattice */
    taskfit_arena *arena;   /* of one question */
    entry *entries;
    size_t n_entries;
    need *needs;
    size_t n_needs;
    int64_t *n;             /* [n_entries] */
    int64_t *count;         /* [n_offers] */
    slot *slots;            /* [n_offers] in the order they are laid */
    size_t n_slots;
    int64_t *left;          /* [n_entries] not yet laid */
    int64_t *az_least;      /* [n_azs] of the first goal that cuts about the AZ alone ask for */
    size_t *cut_az;         /* [n_cuts] the AZ that it alone speaks of; SIZE_MAX: several */
    int64_t **excluded;     /* fleets to be passed over */
    size_t n_excluded, excluded_capacity;
    int64_t steps;
    bool cut_short;
    taskfit_fleet_goal low, best;
    int64_t *best_count;    /* [n_offers], the caller's */
    bool has_best;
};

typedef taskfit_lattice lattice;

static const taskfit_problem_group *group_of(const lattice *l, size_t m) {
    return &l->s.problem->groups[l->entries[m].group];
}

static size_t offer_of(const lattice *l, size_t m, size_t k) {
    return group_of(l, m)->first_offer + l->entries[m].type * group_of(l, m)->n_azs + k;
}

static void list_entries(lattice *l, taskfit_arena *arena) {
    const taskfit_problem *problem = l->s.problem;
    for (size_t g = 0; g < problem->n_groups; g++) {
        l->n_entries += problem->groups[g].n_types;
    }
    l->entries = TASKFIT_ARRAY(arena, l->n_entries, entry);
    entry *at = l->entries;
    for (size_t g = 0; g < problem->n_groups; g++) {
        const taskfit_problem_group *group = &problem->groups[g];
        for (size_t t = 0; t < group->n_types; t++, at++) {
            const int64_t price = problem->offers[group->first_offer + t * group->n_azs].price_usd_micros;
            *at = (entry){.group = g,
                          .type = t,
                          .last_of_group = t + 1 == group->n_types,
                          .most = group->stock[t] < 0 ? group->max_instances : min64(group->stock[t], group->max_instances),
                          .weight = {l->s.cost_first ? price : 1, l->s.cost_first ? 1 : price}};
        }
    }
}

static void list_slots(lattice *l, taskfit_arena *arena) {
    l->slots = TASKFIT_ARRAY(arena, l->s.problem->n_offers, slot);
    for (size_t az = 0; az < l->s.problem->n_azs; az++) {
        for (size_t m = 0; m < l->n_entries; m++) {
            const taskfit_problem_group *group = group_of(l, m);
            for (size_t k = 0; k < group->n_azs; k++) {
                if (group->azs[k] == az) {
                    l->slots[l->n_slots++] = (slot){az, m, offer_of(l, m, k), (int64_t)(group->n_azs - k)};
                }
            }
        }
    }
}

/* ---- what cuts ask for ---- */

static void rank(const lattice *l, need *of, int goal) {
    size_t *order = of->order[goal];
    for (size_t m = 0; m < l->n_entries; m++) { /* by weight per worth, insertion sort */
        size_t at = m;
        while (at > 0 && (taskfit_wide)l->entries[m].weight[goal] * of->maximum[order[at - 1]] <
                             (taskfit_wide)l->entries[order[at - 1]].weight[goal] * of->maximum[m]) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = m;
    }
}

static void rank_all(const lattice *l, need *of) {
    for (int goal = 0; goal < 2; goal++) {
        of->order[goal] = TASKFIT_ARRAY(l->arena, l->n_entries, size_t);
        rank(l, of, goal);
    }
}

/* Cuts together say more than each alone where several resources bind: the sum of all, weighed by the duals of the
 * linear program over them, rounded down, is a need as well, and bounds as that program does. */
static void add_sum_of_needs(lattice *l) {
    taskfit_lp *lp = taskfit_lp_new(l->arena, l->n_needs);
    size_t *rows = TASKFIT_ARRAY(l->arena, l->n_needs, size_t);
    double *values = TASKFIT_ARRAY(l->arena, l->n_needs, double);
    for (size_t i = 0; i < l->n_needs; i++) {
        taskfit_lp_set_row(lp, i, TASKFIT_LP_AT_LEAST, 1.0);
        rows[i] = i;
    }
    for (size_t m = 0; m < l->n_entries; m++) {
        for (size_t i = 0; i < l->n_needs; i++) {
            values[i] = (double)l->needs[i].maximum[m] / (double)l->needs[i].worth;
        }
        (void)taskfit_lp_add_column(lp, (double)l->entries[m].weight[0], l->n_needs, rows, values);
    }
    need *sum = &l->needs[l->n_needs];
    *sum = (need){.maximum = TASKFIT_ARRAY(l->arena, l->n_entries, int64_t)};
    const bool solved = taskfit_lp_solve(lp, false, l->s.budget) && taskfit_lp_objective(lp) > 0.0;
    for (size_t i = 0; i < l->n_needs && solved; i++) { /* a row's share of the objective is its dual */
        const double share = taskfit_lp_price(lp, i) / taskfit_lp_objective(lp);
        const int64_t times = share > 0.0 && share <= 1.0 + 1e-9 ? (int64_t)(share * SUM_WORTH / (double)l->needs[i].worth) : 0;
        sum->worth += times * l->needs[i].worth;
        for (size_t m = 0; m < l->n_entries; m++) { /* more than all is not needed */
            sum->maximum[m] += times * min64(l->needs[i].maximum[m], l->needs[i].worth);
        }
    }
    taskfit_lp_free(lp);
    if (sum->worth > 0) {
        rank_all(l, sum);
        l->n_needs++;
    }
}

/* The cuts as needs of the whole fleet (az SIZE_MAX), or of one AZ those that speak of it alone. */
static void list_needs(lattice *l, size_t az) {
    l->n_needs = 0;
    l->needs = TASKFIT_ARRAY(l->arena, l->pool.n_cuts + 1, need); /* and their sum */
    for (size_t i = 0; i < l->pool.n_cuts; i++) {
        const taskfit_cert_cut *cut = &l->pool.cuts[i];
        need *of = &l->needs[l->n_needs];
        bool elsewhere = cut->fleet != NULL;
        *of = (need){.worth = cut->worth, .maximum = TASKFIT_ARRAY(l->arena, l->n_entries, int64_t)};
        for (size_t m = 0; m < l->n_entries; m++) {
            for (size_t k = 0; k < group_of(l, m)->n_azs; k++) {
                const int64_t worth = cut->maximum[offer_of(l, m, k)];
                const bool here = az == SIZE_MAX || group_of(l, m)->azs[k] == az;
                elsewhere = elsewhere || (!here && worth > 0);
                of->maximum[m] = here ? max64(of->maximum[m], worth) : of->maximum[m];
            }
        }
        if (!elsewhere) {
            rank_all(l, of);
            l->n_needs++;
        }
    }
    if (l->n_needs > 1) {
        add_sum_of_needs(l);
    }
}

/* The least of a goal with which entries from m on bring what is missing of a need. */
static int64_t least_for(const lattice *l, const need *of, size_t m, taskfit_wide missing, int goal) {
    taskfit_wide least = 0;
    for (size_t i = 0; i < l->n_entries && missing > 0; i++) {
        const size_t at = of->order[goal][i];
        const taskfit_wide worth = of->maximum[at];
        if (at < m || worth == 0) {
            continue;
        }
        if (worth * l->entries[at].most >= missing) {
            least += (missing * l->entries[at].weight[goal] + worth - 1) / worth;
            return least > INT64_MAX ? INT64_MAX : (int64_t)least;
        }
        least += (taskfit_wide)l->entries[at].most * l->entries[at].weight[goal];
        missing -= worth * l->entries[at].most;
    }
    return missing > 0 ? INT64_MAX : (int64_t)least;
}

/* The first m entries as they are. */
static taskfit_fleet_goal fixed_goal(const lattice *l, size_t m) {
    taskfit_fleet_goal goal = {0, 0};
    for (size_t i = 0; i < m; i++) {
        goal.first += l->n[i] * l->entries[i].weight[0];
        goal.second += l->n[i] * l->entries[i].weight[1];
    }
    return goal;
}

/* What a need lacks when the first m entries are as they are. */
static taskfit_wide missing_of(const lattice *l, const need *of, size_t m) {
    taskfit_wide missing = of->worth;
    for (size_t i = 0; i < m; i++) {
        missing -= (taskfit_wide)l->n[i] * of->maximum[i];
    }
    return missing;
}

static bool is_enough(const lattice *l, size_t m) {
    for (size_t i = 0; i < l->n_needs; i++) {
        if (missing_of(l, &l->needs[i], m) > 0) {
            return false;
        }
    }
    return true;
}

/* What the goals will be at least. */
static taskfit_fleet_goal bound_from(const lattice *l, size_t m) {
    const taskfit_fleet_goal fixed = fixed_goal(l, m);
    int64_t more[2] = {0, 0};
    for (size_t i = 0; i < l->n_needs; i++) {
        const taskfit_wide missing = missing_of(l, &l->needs[i], m);
        for (int goal = 0; goal < 2 && missing > 0; goal++) {
            more[goal] = max64(more[goal], least_for(l, &l->needs[i], m, missing, goal));
        }
    }
    if (more[0] == INT64_MAX || more[1] == INT64_MAX) {
        return (taskfit_fleet_goal){INT64_MAX, INT64_MAX};
    }
    return (taskfit_fleet_goal){max64(fixed.first + more[0], l->low.first), fixed.second + more[1]};
}

/* ---- one AZ ---- */

static void choose_in_az(lattice *l, size_t m, int64_t *best) {
    const taskfit_fleet_goal bound = bound_from(l, m);
    if (bound.first >= *best || ++l->steps > MOST_STEPS) {
        return;
    }
    if (m == l->n_entries) {
        *best = bound.first;
        return;
    }
    for (int64_t n = 0; n <= l->entries[m].most && l->steps <= MOST_STEPS; n++) {
        l->n[m] = n;
        if (fixed_goal(l, m + 1).first >= *best) {
            break;
        }
        choose_in_az(l, m + 1, best);
        if (is_enough(l, m + 1)) {
            break; /* more is only dearer */
        }
    }
    l->n[m] = 0;
}

/* The sum over AZs of the least that cuts about each alone ask for. */
static int64_t bound_of_azs(lattice *l) {
    int64_t sum = 0;
    l->az_least = TASKFIT_ARRAY(l->arena, l->s.problem->n_azs, int64_t);
    const taskfit_fleet_goal low = l->low;
    l->low = (taskfit_fleet_goal){0, 0};
    for (size_t az = 0; az < l->s.problem->n_azs; az++) {
        int64_t best = INT64_MAX;
        list_needs(l, az);
        l->steps = 0;
        if (l->n_needs > 0) {
            choose_in_az(l, 0, &best);
            l->az_least[az] = l->steps <= MOST_STEPS && best < INT64_MAX ? best : 0;
            sum += l->az_least[az];
        }
    }
    l->low = low;
    return sum;
}

/* ---- layouts ---- */

static void list_cut_azs(lattice *l) {
    l->cut_az = TASKFIT_ARRAY(l->arena, l->pool.n_cuts, size_t);
    for (size_t i = 0; i < l->pool.n_cuts; i++) {
        bool any = false;
        l->cut_az[i] = SIZE_MAX;
        for (size_t o = 0; o < l->s.problem->n_offers; o++) {
            if (l->pool.cuts[i].maximum[o] > 0 && l->pool.cuts[i].of == TASKFIT_CERT_TASKS) {
                const size_t az = l->s.problem->offers[o].az;
                l->cut_az[i] = !any || l->cut_az[i] == az ? az : SIZE_MAX;
                any = true;
            }
        }
    }
}

static bool is_refuted(const lattice *l) {
    if (taskfit_cert_refutes(l->pool.rules, l->pool.cuts, l->pool.n_cuts, l->count)) {
        return true;
    }
    for (size_t i = 0; i < l->n_excluded; i++) {
        if (memcmp(l->excluded[i], l->count, l->s.problem->n_offers * sizeof *l->count) == 0) {
            return true;
        }
    }
    return false;
}

static bool balanced(const lattice *l, size_t group, bool whole) {
    const taskfit_problem_group *g = &l->s.problem->groups[group];
    int64_t in_group = 0;
    for (size_t m = 0; m < l->n_entries; m++) {
        in_group += l->entries[m].group == group ? l->n[m] : 0;
    }
    const int64_t floor = in_group / (int64_t)g->n_azs;
    int64_t larger = in_group % (int64_t)g->n_azs;
    for (size_t k = 0; k < g->n_azs; k++) {
        int64_t in_az = 0;
        for (size_t t = 0; t < g->n_types; t++) {
            in_az += l->count[g->first_offer + t * g->n_azs + k];
        }
        larger -= in_az > floor ? 1 : 0;
        if (in_az > floor + 1 || (whole && in_az < floor)) {
            return false;
        }
    }
    return larger >= 0;
}

static bool groups_balanced(const lattice *l, bool whole) {
    for (size_t g = 0; g < l->s.problem->n_groups; g++) {
        if (!balanced(l, g, whole)) {
            return false;
        }
    }
    return true;
}

/* An AZ that is laid: does a cut about it alone refuse it? */
static bool az_refuted(const lattice *l, size_t az) {
    for (size_t i = 0; i < l->pool.n_cuts; i++) {
        if (l->cut_az[i] == az && l->pool.cuts[i].fleet == NULL && taskfit_cut_refutes(&l->pool, &l->pool.cuts[i], l->count)) {
            return true;
        }
    }
    return false;
}

/* What is left to lay may be enough for the AZs behind this one. */
static bool rest_suffices(const lattice *l, size_t az, const int64_t *left) {
    int64_t rest = 0;
    for (size_t m = 0; m < l->n_entries; m++) {
        rest += left[m] * l->entries[m].weight[0];
    }
    for (size_t behind = az + 1; behind < l->s.problem->n_azs; behind++) {
        rest -= l->az_least[behind];
    }
    return rest >= 0;
}

/* AZ by AZ from slot i on, the most even layouts first; true once one stands in l->count that nothing refutes. */
static bool lay(lattice *l, size_t i, int64_t *left, int64_t *steps) {
    if (i == l->n_slots) {
        return groups_balanced(l, true) && !is_refuted(l);
    }
    if (++*steps > MOST_LAYOUT_STEPS) {
        l->cut_short = true;
        return false;
    }
    const slot *at = &l->slots[i];
    const bool az_done = i + 1 == l->n_slots || l->slots[i + 1].az != at->az;
    const int64_t had = left[at->entry];
    const int64_t even = (had + at->azs_left - 1) / at->azs_left;
    for (int64_t k = 0; k <= 2 * had; k++) { /* even, one less, one more, ... */
        const int64_t n = k % 2 == 0 ? even + k / 2 : even - (k + 1) / 2;
        if (n < 0 || n > had || (at->azs_left == 1 && n != had)) {
            continue;
        }
        l->count[at->offer] = n;
        left[at->entry] = had - n;
        const bool sound = !az_done || (groups_balanced(l, false) && taskfit_walk_layout_canonical(l->s.walk, l->count) &&
                                        rest_suffices(l, at->az, left) && !az_refuted(l, at->az));
        if (sound && (n == 0 || balanced(l, l->entries[at->entry].group, false)) && lay(l, i + 1, left, steps)) {
            return true;
        }
    }
    l->count[at->offer] = 0;
    left[at->entry] = had;
    return false;
}

/* ---- mixes ---- */

static void take(lattice *l, taskfit_fleet_goal goal) {
    int64_t steps = 0;
    memset(l->count, 0, l->s.problem->n_offers * sizeof *l->count);
    memcpy(l->left, l->n, l->n_entries * sizeof *l->n);
    if (lay(l, 0, l->left, &steps)) {
        l->best = goal;
        l->has_best = true;
        memcpy(l->best_count, l->count, l->s.problem->n_offers * sizeof *l->count);
    }
    l->steps += steps / 8;
}

/* The fewest of entry m that are of use: the last one has to bring all that is missing. */
static int64_t least_of(const lattice *l, size_t m, int64_t in_group) {
    int64_t least = l->entries[m].last_of_group ? max64(0, group_of(l, m)->min_instances - in_group) : 0;
    if (m + 1 < l->n_entries) {
        return least;
    }
    for (size_t i = 0; i < l->n_needs; i++) {
        const taskfit_wide missing = missing_of(l, &l->needs[i], m);
        const int64_t worth = l->needs[i].maximum[m];
        if (missing > 0 && worth > 0) {
            const taskfit_wide n = (missing + worth - 1) / worth;
            least = n > INT32_MAX ? INT32_MAX : max64(least, (int64_t)n);
        }
    }
    const int64_t short_of = l->low.first - fixed_goal(l, m).first;
    return l->entries[m].weight[0] > 0 && short_of > 0
               ? max64(least, (short_of + l->entries[m].weight[0] - 1) / l->entries[m].weight[0])
               : least;
}

static void choose(lattice *l, size_t m, int64_t in_group) {
    const taskfit_fleet_goal bound = bound_from(l, m);
    if (!taskfit_fleet_goal_before(bound, l->best) || l->steps > MOST_STEPS) {
        return;
    }
    l->steps++;
    if (m == l->n_entries) {
        const taskfit_fleet_goal goal = fixed_goal(l, m);
        if (!taskfit_fleet_goal_before(goal, l->low) && taskfit_fleet_goal_before(goal, l->best)) {
            take(l, goal);
        }
        return;
    }
    const taskfit_problem_group *group = group_of(l, m);
    int64_t most = min64(l->entries[m].most, group->max_instances - in_group);
    most = !group->mixed && in_group > 0 ? 0 : most;
    for (int64_t n = least_of(l, m, in_group); n <= most && l->steps <= MOST_STEPS; n++) {
        l->n[m] = n;
        const taskfit_fleet_goal fixed = fixed_goal(l, m + 1);
        if (fixed.first > l->best.first || (l->s.cost_first ? fixed.second : fixed.first) > l->s.most_instances) {
            break;
        }
        choose(l, m + 1, l->entries[m].last_of_group ? 0 : in_group + n);
        if (l->has_best && !taskfit_fleet_goal_before(l->low, l->best)) {
            break; /* as low as can be */
        }
    }
    l->n[m] = 0;
}

/* In windows that grow, as a narrow one leaves little to look at. */
static void choose_in_windows(lattice *l, taskfit_fleet_goal below) {
    const int64_t widest = INT64_MAX / 8;
    bool all = false;
    for (int64_t width = l->low.first / WINDOW_SHARE + 1; !all && !l->has_best && !l->cut_short;) {
        const taskfit_fleet_goal end = {width > widest ? INT64_MAX : l->low.first + width, INT64_MAX};
        width = width > widest ? width : width * 4;
        all = !taskfit_fleet_goal_before(end, below);
        l->best = all ? below : end;
        l->steps = 0;
        choose(l, 0, 0);
        l->cut_short = l->cut_short || l->steps > MOST_STEPS;
        (void)taskfit_budget_spend(l->s.budget, l->steps * STEPS_TO_A_UNIT);
    }
}

bool taskfit_lattice_next(lattice *l, taskfit_lattice_query *query) {
    l->arena = taskfit_arena_new();
    l->cut_short = false;
    l->has_best = false;
    l->best_count = query->count;
    l->low = query->low;
    const int64_t by_azs = bound_of_azs(l);
    if (by_azs > l->low.first) {
        l->low = (taskfit_fleet_goal){by_azs, 0};
    }
    list_needs(l, SIZE_MAX);
    list_cut_azs(l);
    choose_in_windows(l, query->below);
    taskfit_arena_free(l->arena);
    query->low = l->low;
    query->goal = l->best;
    query->cut_short = l->cut_short;
    return l->has_best;
}

/* ---- life cycle ---- */

lattice *taskfit_lattice_new(const taskfit_lattice_setting *setting, taskfit_arena *arena) {
    lattice *l = TASKFIT_NEW(arena, lattice);
    l->s = *setting;
    l->own = arena;
    l->pool = (taskfit_cut_pool){.arena = arena,
                                 .problem = setting->problem,
                                 .rules = taskfit_cut_rules(setting->problem, arena),
                                 .budget = setting->budget,
                                 .dual_work = setting->dual_work};
    list_entries(l, arena);
    list_slots(l, arena);
    l->n = TASKFIT_ARRAY(arena, l->n_entries, int64_t);
    l->left = TASKFIT_ARRAY(arena, l->n_entries, int64_t);
    l->count = TASKFIT_ARRAY(arena, setting->problem->n_offers, int64_t);
    taskfit_cut_volume(&l->pool);
    return l;
}

taskfit_cut_pool *taskfit_lattice_cuts(lattice *l) {
    return &l->pool;
}

void taskfit_lattice_exclude(lattice *l, const int64_t *count) {
    int64_t *copy = TASKFIT_ARRAY(l->own, l->s.problem->n_offers, int64_t);
    memcpy(copy, count, l->s.problem->n_offers * sizeof *copy);
    TASKFIT_GROW(l->own, l->excluded, l->n_excluded, l->excluded_capacity);
    l->excluded[l->n_excluded++] = copy;
}
