#include "solve/cuts_try.h"

#include <string.h>

#include "solve/generate.h"
#include "solve/split.h"

/*
 * Where no prices alone refute a fleet, branch and price does (branch.c). Here it is done again by splits that only change
 * bounds, and written down as a tree of the certificate: a place is a kind, each a block of its own.
 */

enum { MOST_NODES = 4000, MOST_DEPTH = 200 };

typedef struct planting {
    taskfit_cut_pool *c;
    const taskfit_decision *d;
    taskfit_pattern_pool *patterns;
    size_t *place_of;  /* [n_kinds of the decision] */
    taskfit_cert_node *nodes;
    size_t n_nodes, capacity;
} planting;

static taskfit_cert_node *add_node(planting *t) {
    TASKFIT_GROW(t->c->arena, t->nodes, t->n_nodes, t->capacity);
    t->nodes[t->n_nodes] = (taskfit_cert_node){.place = SIZE_MAX, .az = SIZE_MAX};
    return &t->nodes[t->n_nodes++];
}

static size_t az_of_zone(const planting *t, size_t zone) {
    for (size_t o = 0; o < t->d->problem->n_offers; o++) {
        if (t->d->offer_count[o] > 0 && t->d->kinds[t->d->offer_kind[o]].zone == zone) {
            return t->d->problem->offers[o].az;
        }
    }
    return SIZE_MAX;
}

/* A node about the services of a profile; NULL: the certificate has no name for some. */
static taskfit_cert_node *add_set(planting *t, const taskfit_profile *profile) {
    size_t *services = TASKFIT_ARRAY(t->c->arena, (size_t)profile->n_services, size_t);
    for (int64_t i = 0; i < profile->n_services; i++) {
        services[i] = profile->services[i];
        if (services[i] >= t->c->rules->n_services) {
            return NULL;
        }
    }
    taskfit_cert_node *node = add_node(t);
    node->services = services;
    node->n_services = (size_t)profile->n_services;
    return node;
}

/* Bounds that follow from others, before any split. */
static void add_tightened(planting *t, const taskfit_residual *root) {
    for (size_t p = 0; p < t->d->n_profiles; p++) {
        bool tighter = root->decision.impossible;
        for (size_t k = 0; k < t->d->n_kinds && !tighter; k++) {
            tighter = root->kinds[k].low[p] > t->d->kinds[k].low[p] || root->kinds[k].high[p] < t->d->kinds[k].high[p];
        }
        if (tighter) {
            (void)add_set(t, &t->d->profiles[p]);
        }
    }
}

static bool add_split(planting *t, const taskfit_residual *r, const taskfit_split *s) {
    taskfit_cert_node *node = add_set(t, &t->d->profiles[s->profile]);
    size_t kind = 0;
    if (node == NULL) {
        return false;
    }
    if (s->type == TASKFIT_SPLIT_WINDOW) {
        node->az = az_of_zone(t, s->zone);
        node->tasks = s->tasks + 1;
        return true;
    }
    while (r->block[kind] != s->block) {
        kind++;
    }
    node->place = kind < t->d->n_kinds ? t->place_of[kind] : kind;
    node->tasks = s->tasks;
    node->instances = s->instances + 1;
    return true;
}

static void add_leaf(planting *t, const taskfit_master *master) {
    const size_t n_kinds = master->residual->decision.n_kinds;
    taskfit_cert_node *node = add_node(t);
    node->price = taskfit_cut_prices(t->c, t->d, master, &node->next);
    node->maximum = TASKFIT_ARRAY(t->c->arena, n_kinds, int64_t);
    node->n_maxima = n_kinds;
}

/* The columns of a branch: what the block that was split had, its new half has too. */
static taskfit_columns *share_columns(const taskfit_master *master, const taskfit_residual *child, size_t block,
                                      taskfit_arena *arena) {
    taskfit_columns *list = taskfit_columns_copy(arena, &master->list, master->residual->n_blocks);
    const size_t n_columns = list->n_columns;
    for (size_t i = 0; i < n_columns && child->n_blocks > master->residual->n_blocks; i++) {
        list->columns[i].basic = false;
        if (list->columns[i].block == block && !list->columns[i].shut) {
            taskfit_columns_add(arena, list, list->columns[i].pattern, child->n_blocks - 1);
        }
    }
    if (child->n_blocks > master->residual->n_blocks) {
        list->block_basic = TASKFIT_ARRAY(arena, child->n_blocks, bool);
        list->has_basis = false;
    }
    return list;
}

static bool grow(planting *t, const taskfit_residual *r, const taskfit_columns *columns, int depth);

static bool branch(planting *t, const taskfit_master *master, taskfit_arena *arena, int depth) {
    const taskfit_split s = taskfit_split_find_bounds(master, arena);
    if (s.type == TASKFIT_SPLIT_NONE || depth > MOST_DEPTH || !add_split(t, master->residual, &s)) {
        return false;
    }
    for (int second = 0; second < 2; second++) {
        taskfit_residual *child = taskfit_residual_copy(arena, master->residual);
        taskfit_split_apply(&s, second == 1, arena, child);
        if (!grow(t, child, share_columns(master, child, s.block, arena), depth + 1)) {
            return false;
        }
    }
    return true;
}

static bool grow(planting *t, const taskfit_residual *r, const taskfit_columns *columns, int depth) {
    if (r->decision.impossible) {
        (void)add_node(t);
        return true;
    }
    if (t->n_nodes >= MOST_NODES || !taskfit_budget_spend(t->c->budget, 1)) {
        return false;
    }
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_master *master = taskfit_master_new(arena, r, t->patterns, columns);
    taskfit_generator generator = {0};
    bool done = false;
    switch (taskfit_generate(&generator, master, t->c->budget)) {
    case TASKFIT_GENERATED_REFUTED:
        add_leaf(t, master);
        done = true;
        break;
    case TASKFIT_GENERATED_FITS:
        done = branch(t, master, arena, depth);
        break;
    case TASKFIT_GENERATED_OVER:
    case TASKFIT_GENERATED_STOPPED:
        break;
    }
    taskfit_master_free(master);
    taskfit_arena_free(arena);
    return done;
}

/* Numbers of places in the order of the kinds, that of the host last; SIZE_MAX for offers without instances. */
static const size_t *number_places(planting *t, const taskfit_cut_pool *c, taskfit_cert_case of) {
    const taskfit_decision *d = t->d;
    size_t *place = TASKFIT_ARRAY(c->arena, c->rules->n_offers, size_t);
    const size_t host = of == TASKFIT_CERT_HOSTS ? d->offer_kind[c->rules->n_offers] : SIZE_MAX;
    for (size_t kind = 0, next = 0; kind < d->n_kinds; kind++) {
        t->place_of[kind] = kind == host ? d->n_kinds - 1 : next++;
    }
    for (size_t o = 0; o < c->rules->n_offers; o++) {
        place[o] = d->offer_count[o] > 0 ? t->place_of[d->offer_kind[o]] : SIZE_MAX;
        if (place[o] != SIZE_MAX && d->offer_kind[o] == host) {
            return NULL; /* nothing tells the host from others */
        }
    }
    return place;
}

/* One price for old and next tasks, as sets of services know no difference. False: there was none. */
static bool mean_prices(planting *t) {
    const taskfit_cert_rules *rules = t->c->rules;
    bool any = false;
    for (size_t i = 0; i < t->n_nodes; i++) {
        taskfit_cert_node *leaf = &t->nodes[i];
        if (leaf->price == NULL || leaf->next == NULL) {
            continue;
        }
        int64_t *price = TASKFIT_ARRAY(t->c->arena, rules->n_services * rules->n_azs, int64_t);
        for (size_t k = 0; k < rules->n_services * rules->n_azs; k++) {
            const taskfit_cert_service *service = &rules->services[k / rules->n_azs];
            price[k] = (service->replicas * leaf->price[k] + service->deploy_tasks * leaf->next[k]) /
                       (service->replicas + service->deploy_tasks);
        }
        leaf->price = price;
        leaf->next = NULL;
        any = true;
    }
    return any;
}

bool taskfit_cut_try_tree(taskfit_cut_pool *c, taskfit_cert_cut cut, const taskfit_decision *d, size_t at, const int64_t *fleet) {
    taskfit_arena *scratch = taskfit_arena_new();
    planting t = {.c = c, .d = d, .patterns = taskfit_pattern_pool_new(scratch)};
    t.place_of = TASKFIT_ARRAY(scratch, d->n_kinds, size_t);
    taskfit_cert_tree *tree = TASKFIT_NEW(c->arena, taskfit_cert_tree);
    const taskfit_residual *root = taskfit_residual_new(scratch, d, true);
    int64_t *scope = TASKFIT_ARRAY(c->arena, c->rules->n_offers, int64_t);
    memcpy(scope, fleet, c->rules->n_offers * sizeof *scope);
    const size_t *place = number_places(&t, c, cut.of);
    add_tightened(&t, root);
    bool found = place != NULL && taskfit_colgen_decide(d, c->budget, scratch).verdict == TASKFIT_VERDICT_REFUTED &&
                 grow(&t, root, taskfit_columns_new(scratch, root), 0);
    if (found) {
        size_t node = 0;
        const char *why = NULL;
        *tree = (taskfit_cert_tree){.at = at, .place = place, .nodes = t.nodes, .n_nodes = t.n_nodes};
        cut.fleet = scope;
        cut.tree = tree;
        c->sacks = c->sacks != NULL ? c->sacks : taskfit_cert_sacks_new(c->arena);
        found = taskfit_cert_tree_holds(c->rules, &cut, TASKFIT_CERT_ROUGH, c->sacks, &node, &why) ||
                (mean_prices(&t) && taskfit_cert_tree_holds(c->rules, &cut, TASKFIT_CERT_ROUGH, c->sacks, &node, &why));
    }
    taskfit_arena_free(scratch);
    if (found) {
        TASKFIT_GROW(c->arena, c->cuts, c->n_cuts, c->capacity);
        c->cuts[c->n_cuts++] = cut;
    }
    return found;
}
