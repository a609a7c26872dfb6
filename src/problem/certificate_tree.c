#include "base/int64.h"
#include "problem/certificate_worth.h"

#include <string.h>

/*
 * A tree says of one fleet: either this or that, and in the end each is refuted. The checker follows it with what the splits say:
 * how many of a set's tasks stand in an AZ, and on an instance of a place. These bounds tighten each other, as the tasks
 * of a set that must stand here cannot stand there.
 */

enum { ROUNDS = 4, MOST_DEPTH = 500 };

typedef struct bounds {
    int64_t *count;     /* [n_places] */
    size_t *from;       /* [n_places] the place of the tree that it was split from */
    size_t n_places;
    int64_t *low, *high; /* [n_places][n_sets] on one instance */
    int64_t *az_low, *az_high; /* [n_sets][n_azs] */
} bounds;

typedef struct walker {
    const taskfit_cert_rules *rules;
    const taskfit_cert_cut *cut;
    const taskfit_cert_tree *tree;
    taskfit_cert_effort effort;
    taskfit_cert_sacks *sacks;
    taskfit_arena *arena;
    size_t *set_of;      /* [n_services] SIZE_MAX: none */
    int64_t *set_tasks;  /* [n_sets] */
    size_t n_sets;
    int64_t *left;       /* [n_offers] instances that are there */
    size_t *place_az;    /* [places of the tree] SIZE_MAX: several */
    size_t n_roots, host; /* places of the tree; the last one may be a host, else SIZE_MAX */
    bool by_az;          /* no place is in several AZs */
    size_t next;         /* node */
    const char *why;
} walker;

static bool bad(walker *w, const char *why) {
    w->why = why;
    return false;
}

/* ---- what the tree speaks of ---- */

static bool list_set(walker *w, const taskfit_cert_node *node) {
    const size_t set = w->set_of[node->services[0]];
    int64_t tasks = 0;
    size_t n = 0;
    for (size_t s = 0; s < w->rules->n_services; s++) {
        n += set != SIZE_MAX && w->set_of[s] == set ? 1 : 0;
    }
    for (size_t i = 0; i < node->n_services; i++) {
        const size_t s = node->services[i];
        if (w->set_of[s] != set) {
            return bad(w, "its services are neither those of another split nor apart from all");
        }
        w->set_of[s] = set == SIZE_MAX ? w->n_sets : set;
        tasks += w->rules->services[s].replicas + taskfit_cert_next_tasks(w->rules, s, w->cut);
    }
    if (set != SIZE_MAX && n != node->n_services) {
        return bad(w, "its services are not those of another split, but some of them");
    }
    if (set == SIZE_MAX) {
        w->set_tasks[w->n_sets++] = tasks;
    }
    return true;
}

static bool list_sets(walker *w) {
    for (size_t s = 0; s < w->rules->n_services; s++) {
        w->set_of[s] = SIZE_MAX;
    }
    for (w->next = 0; w->next < w->tree->n_nodes; w->next++) {
        const taskfit_cert_node *node = &w->tree->nodes[w->next];
        if (node->services != NULL && !list_set(w, node)) {
            return false;
        }
    }
    w->next = 0;
    return true;
}

/* Instances that are left when one hosts or is lost. */
static bool list_places(walker *w) {
    const taskfit_cert_offer *offers = w->rules->offers;
    const size_t at = w->tree->at;
    const bool hosts = w->cut->of == TASKFIT_CERT_HOSTS;
    const bool asks = hosts || w->cut->of == TASKFIT_CERT_LOSES_INSTANCE || w->cut->of == TASKFIT_CERT_LOSES_AZ;
    if (asks != (at != SIZE_MAX) || (asks && w->cut->fleet[at] == 0)) {
        return bad(w, "it does not say what hosts or is lost, or there is no such instance");
    }
    for (size_t o = 0; o < w->rules->n_offers; o++) {
        w->left[o] = w->cut->fleet[o] - (o == at && w->cut->of != TASKFIT_CERT_LOSES_AZ ? 1 : 0);
        w->left[o] = w->cut->of == TASKFIT_CERT_LOSES_AZ && offers[o].az == offers[at].az ? 0 : w->left[o];
        if ((w->left[o] > 0) != (w->tree->place[o] != SIZE_MAX) || (w->left[o] > 0 && w->tree->place[o] >= w->rules->n_offers)) {
            return bad(w, "its places are not those of the fleet's instances");
        }
        w->n_roots = w->left[o] > 0 && w->tree->place[o] >= w->n_roots ? w->tree->place[o] + 1 : w->n_roots;
    }
    w->host = hosts ? w->n_roots++ : SIZE_MAX;
    w->by_az = true;
    bool *seen = TASKFIT_ARRAY(w->arena, w->n_roots, bool);
    for (size_t o = 0; o < w->rules->n_offers; o++) {
        if (w->left[o] > 0) {
            const size_t place = w->tree->place[o];
            w->by_az = w->by_az && (!seen[place] || w->place_az[place] == offers[o].az);
            w->place_az[place] = offers[o].az;
            seen[place] = true;
        }
    }
    if (hosts) {
        w->place_az[w->host] = offers[at].az;
    }
    return true;
}

/* Whether instances of the offer are in the place, or it is that of the host. */
static bool is_in(const walker *w, size_t o, size_t root) {
    return root == w->host ? o == w->tree->at : w->left[o] > 0 && w->tree->place[o] == root;
}

/* Old and next tasks of a service. */
static int64_t most_in(const walker *w, size_t s, size_t o, size_t root) {
    if (root == w->host) {
        return taskfit_cert_most_beside(w->rules, s, o, w->cut);
    }
    const int64_t both = taskfit_cert_most_on(w->rules, s, o, w->cut) + taskfit_cert_next_on(w->rules, s, o, w->cut);
    return w->rules->services[s].single ? min64(1, both) : both;
}

static void set_root(const walker *w, bounds *b, size_t root) {
    int64_t *low = b->low + root * w->n_sets;
    int64_t *high = b->high + root * w->n_sets;
    bool first = true;
    int64_t *here_low = TASKFIT_ARRAY(w->arena, w->n_sets, int64_t);
    int64_t *here_high = TASKFIT_ARRAY(w->arena, w->n_sets, int64_t);
    b->from[root] = root;
    for (size_t o = 0; o < w->rules->n_offers; o++) {
        if (!is_in(w, o, root)) {
            continue;
        }
        b->count[root] += root == w->host ? 1 : w->left[o];
        memset(here_low, 0, w->n_sets * sizeof *here_low);
        memset(here_high, 0, w->n_sets * sizeof *here_high);
        for (size_t s = 0; s < w->rules->n_services; s++) {
            const size_t set = w->set_of[s];
            if (set != SIZE_MAX) {
                here_low[set] += taskfit_cert_least_on(w->rules, s, o, w->cut);
                here_high[set] += most_in(w, s, o, root);
            }
        }
        for (size_t set = 0; set < w->n_sets; set++) {
            low[set] = first ? here_low[set] : min64(low[set], here_low[set]);
            high[set] = max64(high[set], here_high[set]);
        }
        first = false;
    }
}

static bounds *new_bounds(const walker *w, size_t n_places) {
    bounds *b = TASKFIT_NEW(w->arena, bounds);
    b->count = TASKFIT_ARRAY(w->arena, n_places, int64_t);
    b->from = TASKFIT_ARRAY(w->arena, n_places, size_t);
    b->low = TASKFIT_ARRAY(w->arena, n_places * w->n_sets, int64_t);
    b->high = TASKFIT_ARRAY(w->arena, n_places * w->n_sets, int64_t);
    b->az_low = TASKFIT_ARRAY(w->arena, w->n_sets * w->rules->n_azs, int64_t);
    b->az_high = TASKFIT_ARRAY(w->arena, w->n_sets * w->rules->n_azs, int64_t);
    b->n_places = n_places;
    return b;
}

static bounds *root_bounds(const walker *w) {
    bounds *b = new_bounds(w, w->n_roots);
    int64_t *low = TASKFIT_ARRAY(w->arena, w->rules->n_azs, int64_t);
    int64_t *high = TASKFIT_ARRAY(w->arena, w->rules->n_azs, int64_t);
    for (size_t root = 0; root < w->n_roots; root++) {
        set_root(w, b, root);
    }
    for (size_t s = 0; s < w->rules->n_services; s++) {
        if (w->set_of[s] != SIZE_MAX) {
            taskfit_cert_windows(w->rules, s, w->cut, low, high);
            for (size_t az = 0; az < w->rules->n_azs; az++) {
                b->az_low[w->set_of[s] * w->rules->n_azs + az] += low[az];
                b->az_high[w->set_of[s] * w->rules->n_azs + az] += high[az] + taskfit_cert_next_tasks(w->rules, s, w->cut);
            }
        }
    }
    return b;
}

/* One place more, with the bounds of another. */
static bounds *wider(const walker *w, const bounds *b, size_t like) {
    const size_t n = w->n_sets;
    bounds *copy = new_bounds(w, b->n_places + (like != SIZE_MAX ? 1 : 0));
    memcpy(copy->count, b->count, b->n_places * sizeof *b->count);
    memcpy(copy->from, b->from, b->n_places * sizeof *b->from);
    memcpy(copy->low, b->low, b->n_places * n * sizeof *b->low);
    memcpy(copy->high, b->high, b->n_places * n * sizeof *b->high);
    memcpy(copy->az_low, b->az_low, n * w->rules->n_azs * sizeof *b->az_low);
    memcpy(copy->az_high, b->az_high, n * w->rules->n_azs * sizeof *b->az_high);
    if (like != SIZE_MAX) {
        copy->from[b->n_places] = b->from[like];
        memcpy(copy->low + b->n_places * n, b->low + like * n, n * sizeof *b->low);
        memcpy(copy->high + b->n_places * n, b->high + like * n, n * sizeof *b->high);
    }
    return copy;
}

/* ---- bounds that follow ---- */

static bool in_az(const walker *w, const bounds *b, size_t place, size_t az) {
    return az == SIZE_MAX || w->place_az[b->from[place]] == az;
}

/* The set's tasks in an AZ (SIZE_MAX: in all) lie in a window; so do those on its instances. False: they cannot. */
static bool squeeze(const walker *w, bounds *b, size_t set, size_t az, int64_t *window_low, int64_t *window_high) {
    int64_t low = 0;
    int64_t high = 0;
    for (size_t place = 0; place < b->n_places; place++) {
        if (in_az(w, b, place, az)) {
            low += b->count[place] * b->low[place * w->n_sets + set];
            high += b->count[place] * b->high[place * w->n_sets + set];
        }
    }
    *window_low = max64(*window_low, low);
    *window_high = min64(*window_high, high);
    bool possible = *window_low <= *window_high;
    for (size_t place = 0; place < b->n_places; place++) {
        int64_t *mine_low = &b->low[place * w->n_sets + set];
        int64_t *mine_high = &b->high[place * w->n_sets + set];
        if (in_az(w, b, place, az) && b->count[place] > 0) {
            const int64_t others_low = low - *mine_low;
            const int64_t others_high = high - *mine_high;
            *mine_high = min64(*mine_high, *window_high - others_low);
            *mine_low = max64(*mine_low, *window_low - others_high);
            possible = possible && *mine_low <= *mine_high;
            low = 0;
            high = 0; /* of all again, as they have changed */
            for (size_t other = 0; other < b->n_places; other++) {
                low += in_az(w, b, other, az) ? b->count[other] * b->low[other * w->n_sets + set] : 0;
                high += in_az(w, b, other, az) ? b->count[other] * b->high[other * w->n_sets + set] : 0;
            }
        }
    }
    return possible;
}

static bool tighten(const walker *w, bounds *b) {
    const size_t n_azs = w->rules->n_azs;
    bool possible = true;
    for (int round = 0; round < ROUNDS && possible; round++) {
        for (size_t set = 0; set < w->n_sets && possible; set++) {
            int64_t all_low = w->set_tasks[set];
            int64_t all_high = w->set_tasks[set];
            int64_t sum_low = 0;
            int64_t sum_high = 0;
            possible = squeeze(w, b, set, SIZE_MAX, &all_low, &all_high);
            for (size_t az = 0; az < n_azs; az++) {
                sum_low += b->az_low[set * n_azs + az];
                sum_high += b->az_high[set * n_azs + az];
            }
            for (size_t az = 0; az < n_azs && possible; az++) {
                int64_t *low = &b->az_low[set * n_azs + az];
                int64_t *high = &b->az_high[set * n_azs + az];
                const int64_t old_low = *low;
                const int64_t old_high = *high;
                *low = max64(old_low, w->set_tasks[set] - (sum_high - old_high));
                *high = min64(old_high, w->set_tasks[set] - (sum_low - old_low));
                possible = *low <= *high && (!w->by_az || squeeze(w, b, set, az, low, high));
                sum_low += *low - old_low;
                sum_high += *high - old_high;
            }
        }
    }
    return possible;
}

/* ---- leaves ---- */

static int64_t leaf_worth(const walker *w, const bounds *b, const taskfit_cert_cut *leaf) {
    const int64_t *next = leaf->next != NULL ? leaf->next : leaf->price;
    const size_t n_azs = w->rules->n_azs;
    int64_t *low = TASKFIT_ARRAY(w->arena, n_azs, int64_t);
    int64_t *high = TASKFIT_ARRAY(w->arena, n_azs, int64_t);
    int64_t *cheapest = TASKFIT_ARRAY(w->arena, w->n_sets * n_azs, int64_t);
    int64_t worth = 0;
    for (size_t i = 0; i < w->n_sets * n_azs; i++) {
        cheapest[i] = INT64_MAX;
    }
    for (size_t s = 0; s < w->rules->n_services; s++) {
        if (w->set_of[s] == SIZE_MAX) {
            worth += taskfit_cert_service_worth(w->rules, s, leaf, low, high);
        }
        for (size_t az = 0; az < n_azs && w->set_of[s] != SIZE_MAX; az++) {
            int64_t *of_set = &cheapest[w->set_of[s] * n_azs + az];
            *of_set = min64(*of_set, leaf->price[s * n_azs + az]);
            *of_set = taskfit_cert_next_tasks(w->rules, s, leaf) > 0 ? min64(*of_set, next[s * n_azs + az]) : *of_set;
        }
    }
    for (size_t set = 0; set < w->n_sets; set++) {
        memcpy(high, b->az_high + set * n_azs, n_azs * sizeof *high);
        worth += taskfit_cert_least_worth(w->rules, w->set_tasks[set], cheapest + set * n_azs, b->az_low + set * n_azs, high);
    }
    return worth;
}

/* The most that an instance of the place is worth. */
static bool place_most(const walker *w, const bounds *b, size_t place, const taskfit_cert_cut *leaf, taskfit_cert_effort effort,
                       int64_t *most_out) {
    const taskfit_cert_bounds of = {.set_of = w->set_of,
                                    .n_sets = w->n_sets,
                                    .low = b->low + place * w->n_sets,
                                    .high = b->high + place * w->n_sets};
    bool sure = true;
    *most_out = 0;
    for (size_t o = 0; o < w->rules->n_offers && sure; o++) {
        if (is_in(w, o, b->from[place])) {
            int64_t most = 0;
            const taskfit_cert_sack sack =
                taskfit_cert_fill(w->rules, leaf, o, b->from[place] == w->host, &of, w->arena);
            sure = taskfit_cert_sack_most(w->sacks, &sack, effort, leaf->maximum[place], &most);
            *most_out = max64(*most_out, most);
        }
    }
    return sure;
}

/* What must stand on an instance fits it, wherever the instance is. */
static bool places_possible(const walker *w, const bounds *b) {
    taskfit_cert_cut worthless = *w->cut;
    worthless.price = TASKFIT_ARRAY(w->arena, w->rules->n_services * w->rules->n_azs, int64_t);
    for (size_t place = 0; place < b->n_places; place++) {
        bool any = b->count[place] == 0;
        const taskfit_cert_bounds of = {.set_of = w->set_of,
                                        .n_sets = w->n_sets,
                                        .low = b->low + place * w->n_sets,
                                        .high = b->high + place * w->n_sets};
        for (size_t o = 0; o < w->rules->n_offers && !any; o++) {
            any = is_in(w, o, b->from[place]) &&
                  !taskfit_cert_fill(w->rules, &worthless, o, b->from[place] == w->host, &of, w->arena).impossible;
        }
        if (!any) {
            return false;
        }
    }
    return true;
}

/* What the leaf claims is checked, or put in: at a glance if that is enough. */
static bool maxima_hold(walker *w, const bounds *b, taskfit_cert_node *leaf, const taskfit_cert_cut *cut,
                        taskfit_cert_effort effort) {
    const bool check = effort == TASKFIT_CERT_CHECK;
    taskfit_wide sum = 0;
    for (size_t place = 0; place < b->n_places; place++) {
        int64_t most = 0;
        if (b->count[place] > 0 && !place_most(w, b, place, cut, effort, &most)) {
            return bad(w, "what an instance can be worth is too hard to tell");
        }
        if (check && most > leaf->maximum[place]) {
            return bad(w, "an instance can hold tasks worth more than its place's maximum (a price or the maximum was changed)");
        }
        leaf->maximum[place] = check ? leaf->maximum[place] : most;
        sum += (taskfit_wide)b->count[place] * leaf->maximum[place];
    }
    return sum < leaf->worth || bad(w, "its prices refute nothing");
}

static bool leaf_holds(walker *w, const bounds *b, taskfit_cert_node *leaf, bool possible) {
    const bool check = w->effort == TASKFIT_CERT_CHECK;
    possible = possible && places_possible(w, b);
    leaf->price = check || possible ? leaf->price : NULL;
    if (possible == (leaf->price == NULL)) {
        return bad(w, possible ? "the splits before it do not contradict each other"
                               : "it has prices where the splits before it contradict each other");
    }
    if (!possible) {
        return true;
    }
    if (leaf->n_maxima != b->n_places) {
        return bad(w, "it has not one maximum for each place so far");
    }
    taskfit_cert_cut cut = *w->cut;
    cut.price = leaf->price;
    cut.next = leaf->next;
    cut.maximum = leaf->maximum;
    const int64_t worth = leaf_worth(w, b, &cut);
    leaf->worth = check ? leaf->worth : worth;
    if (leaf->worth != worth) {
        return bad(w, "all tasks are worth another sum (a price or the worth was changed)");
    }
    return (w->effort == TASKFIT_CERT_ROUGH && maxima_hold(w, b, leaf, &cut, TASKFIT_CERT_ROUGH)) ||
           maxima_hold(w, b, leaf, &cut, check ? TASKFIT_CERT_CHECK : TASKFIT_CERT_EXACT);
}

/* ---- splits ---- */

static bool holds(walker *w, const bounds *b, int depth);

static bool split_holds(walker *w, const bounds *b, const taskfit_cert_node *node, int depth) {
    const size_t set = w->set_of[node->services[0]];
    const size_t n_azs = w->rules->n_azs;
    const bool of_az = node->place == SIZE_MAX;
    if (node->tasks < 1 || (of_az ? node->az >= n_azs : node->place >= b->n_places || node->instances < 1 ||
                                                            node->instances > b->count[node->place])) {
        return bad(w, "it splits nothing that there is");
    }
    for (int second = 0; second < 2; second++) {
        bounds *child = wider(w, b, node->place);
        if (of_az && second == 0) {
            child->az_low[set * n_azs + node->az] = max64(child->az_low[set * n_azs + node->az], node->tasks);
        } else if (of_az) {
            child->az_high[set * n_azs + node->az] = min64(child->az_high[set * n_azs + node->az], node->tasks - 1);
        } else {
            const int64_t n = second == 0 ? node->instances : b->count[node->place] - node->instances + 1;
            int64_t *low = &child->low[b->n_places * w->n_sets + set];
            int64_t *high = &child->high[b->n_places * w->n_sets + set];
            child->count[b->n_places] = n;
            child->count[node->place] -= n;
            *low = second == 0 ? max64(*low, node->tasks) : *low;
            *high = second == 0 ? *high : min64(*high, node->tasks - 1);
        }
        if (!holds(w, child, depth + 1)) {
            return false;
        }
    }
    return true;
}

static bool holds(walker *w, const bounds *b, int depth) {
    if (w->next == w->tree->n_nodes || depth > MOST_DEPTH) {
        return bad(w, depth > MOST_DEPTH ? "the tree is too deep" : "the tree ends before it (a leaf is missing)");
    }
    taskfit_arena *outer = w->arena;
    w->arena = taskfit_arena_new();
    taskfit_cert_node *node = &w->tree->nodes[w->next];
    bounds *tight = wider(w, b, SIZE_MAX);
    const bool possible = tighten(w, tight);
    const size_t index = w->next++;
    bool done;
    if (node->services == NULL) {
        done = leaf_holds(w, tight, node, possible);
    } else if (node->place == SIZE_MAX && node->az == SIZE_MAX) {
        done = holds(w, tight, depth + 1);
    } else {
        done = split_holds(w, tight, node, depth);
    }
    if (!done && w->next == index + 1) {
        w->next = index; /* it is this one */
    }
    taskfit_arena_free(w->arena);
    w->arena = outer;
    return done;
}

bool taskfit_cert_tree_holds(const taskfit_cert_rules *rules, const taskfit_cert_cut *cut, taskfit_cert_effort effort,
                             taskfit_cert_sacks *sacks, size_t *node_out, const char **why_out) {
    taskfit_arena *arena = taskfit_arena_new();
    walker w = {.rules = rules, .cut = cut, .tree = cut->tree, .effort = effort, .sacks = sacks, .arena = arena};
    w.set_of = TASKFIT_ARRAY(arena, rules->n_services, size_t);
    w.set_tasks = TASKFIT_ARRAY(arena, rules->n_services, int64_t);
    w.left = TASKFIT_ARRAY(arena, rules->n_offers, int64_t);
    w.place_az = TASKFIT_ARRAY(arena, rules->n_offers + 1, size_t);
    bool done = list_sets(&w) && list_places(&w) && holds(&w, root_bounds(&w), 0);
    if (done && w.next < cut->tree->n_nodes) {
        done = bad(&w, "it comes after the end of the tree");
    }
    taskfit_arena_free(arena);
    *node_out = w.next;
    *why_out = w.why;
    return done;
}
