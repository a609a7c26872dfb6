#include "problem/certificate.h"

#include <string.h>

#include "base/units.h"

typedef struct reading {
    const taskfit_cert_rules *rules;
    taskfit_arena *arena;
    taskfit_error *err;
    size_t cut; /* at hand, for messages */
} reading;

static taskfit_status bad(const reading *r, const char *what) {
    return taskfit_fail(r->err, TASKFIT_E_INPUT, "cut %zu: %s", r->cut + 1, what);
}

static bool count_of(const taskfit_node *node, int64_t high, int64_t *value_out) {
    const char *why = NULL;
    return node != NULL && node->kind == TASKFIT_NODE_SCALAR && !node->quoted &&
           taskfit_parse_count(node->text, node->n, 0, high, value_out, &why);
}

static const char *text_of(const taskfit_node *map, const char *key) {
    const taskfit_node *node = taskfit_node_get(map, key);
    return node != NULL && node->kind == TASKFIT_NODE_SCALAR ? node->text : "";
}

static const taskfit_node *list_of(const taskfit_node *map, const char *key) {
    const taskfit_node *node = taskfit_node_get(map, key);
    return node != NULL && node->kind == TASKFIT_NODE_LIST ? node : NULL;
}

static bool figures_of(const taskfit_node *node, int64_t high, int64_t *values_out, size_t n) {
    bool all = node != NULL && (node->kind == TASKFIT_NODE_SCALAR || (node->kind == TASKFIT_NODE_LIST && node->n == n));
    for (size_t i = 0; i < n && all; i++) {
        all = count_of(node->kind == TASKFIT_NODE_LIST ? node->items[i] : node, high, &values_out[i]);
    }
    return all;
}

/* The service of a name that is seen for the first time. */
static taskfit_status read_service(const reading *r, const taskfit_node *name, bool *seen, size_t *service_out) {
    const bool text = name->kind == TASKFIT_NODE_SCALAR;
    const size_t s = text ? taskfit_cert_service_named(r->rules, name->text) : SIZE_MAX;
    if (s == SIZE_MAX || seen[s]) {
        return taskfit_fail(r->err, TASKFIT_E_INPUT, "cut %zu: service '%s' is %s", r->cut + 1, text ? name->text : "",
                            s == SIZE_MAX ? "unknown" : "named twice");
    }
    seen[s] = true;
    *service_out = s;
    return TASKFIT_OK;
}

static taskfit_status read_prices(const reading *r, const taskfit_node *map, const char *key, const int64_t **price_out) {
    const taskfit_node *list = list_of(map, key);
    const size_t n_azs = r->rules->n_azs;
    int64_t *price = TASKFIT_ARRAY(r->arena, r->rules->n_services * n_azs, int64_t);
    int64_t *row = TASKFIT_ARRAY(r->arena, n_azs, int64_t);
    bool *seen = TASKFIT_ARRAY(r->arena, r->rules->n_services, bool);
    *price_out = price;
    if (list == NULL) {
        return taskfit_fail(r->err, TASKFIT_E_INPUT, "cut %zu: '%s' is not a list", r->cut + 1, key);
    }
    for (size_t i = 0; i < list->n; i++) {
        const taskfit_node *services = list_of(list->items[i], "services");
        if (services == NULL || !figures_of(taskfit_node_get(list->items[i], "price"), TASKFIT_CERT_PRICE_MAX, row, n_azs)) {
            return bad(r, "a price is not a whole number from 0 to 2^30 for each availability zone, with its services");
        }
        for (size_t j = 0; j < services->n; j++) {
            size_t s = 0;
            const taskfit_status status = read_service(r, services->items[j], seen, &s);
            if (status != TASKFIT_OK) {
                return status;
            }
            memcpy(price + s * n_azs, row, n_azs * sizeof *row);
        }
    }
    return TASKFIT_OK;
}

static int64_t *find_offers(const reading *r, const taskfit_node *map, int64_t *values, size_t *n_azs_out) {
    for (size_t g = 0; g < r->rules->deployment->n_groups; g++) {
        const taskfit_instance_group *group = &r->rules->deployment->groups[g];
        for (size_t t = 0; t < group->n_types; t++) {
            if (strcmp(group->name, text_of(map, "group")) == 0 && strcmp(group->types[t].type.name, text_of(map, "type")) == 0) {
                *n_azs_out = group->n_azs;
                return values + r->rules->first_offer[g] + t * group->n_azs;
            }
        }
    }
    return NULL;
}

static taskfit_status read_offers(const reading *r, const taskfit_node *list, const char *key, int64_t *values) {
    for (size_t i = 0; i < list->n; i++) {
        size_t n_azs = 0;
        int64_t *row = find_offers(r, list->items[i], values, &n_azs);
        if (row == NULL) {
            return bad(r, "an unknown group or type");
        }
        if (!figures_of(taskfit_node_get(list->items[i], key), INT64_C(1) << (strcmp(key, "maximum") == 0 ? 56 : 20), row, n_azs)) {
            return taskfit_fail(r->err, TASKFIT_E_INPUT, "cut %zu: '%s' is not a whole number for each availability zone",
                                r->cut + 1, key);
        }
    }
    return TASKFIT_OK;
}

static taskfit_status read_case(const reading *r, const taskfit_node *map, taskfit_cert_cut *cut) {
    const char *word = text_of(map, "case");
    while (taskfit_node_get(map, "case") != NULL && cut->of < TASKFIT_CERT_CASES && strcmp(taskfit_cert_case_word(cut->of), word) != 0) {
        cut->of++;
    }
    if (cut->of == TASKFIT_CERT_CASES) {
        return bad(r, "'case' is none of those that there are");
    }
    const size_t service = taskfit_cert_case_names_service(cut->of) ? taskfit_cert_service_named(r->rules, text_of(map, "service")) : 0;
    cut->service = service == SIZE_MAX ? 0 : service;
    if (service == SIZE_MAX || !taskfit_cert_case_asked(r->rules, cut)) {
        return taskfit_fail(r->err, TASKFIT_E_INPUT, "cut %zu: case '%s' is not asked for on this rung%s", r->cut + 1, word,
                            taskfit_cert_case_names_service(cut->of) ? ", or not of this service" : "");
    }
    return TASKFIT_OK;
}

static taskfit_status read_fleet(const reading *r, const taskfit_node *map, taskfit_cert_cut *cut) {
    const taskfit_node *list = list_of(map, "fleet");
    if (list == NULL) {
        return cut->tree != NULL ? bad(r, "a tree without a fleet") : TASKFIT_OK;
    }
    if ((cut->of == TASKFIT_CERT_LOSES_INSTANCE || cut->of == TASKFIT_CERT_LOSES_AZ) && cut->tree == NULL) {
        return bad(r, "a leaf of a case that has none");
    }
    int64_t *fleet = TASKFIT_ARRAY(r->arena, r->rules->n_offers, int64_t);
    cut->fleet = fleet;
    return read_offers(r, list, "instances", fleet);
}

static taskfit_status read_maxima(const reading *r, const taskfit_node *map, const char *key, const int64_t **values_out) {
    const taskfit_node *list = list_of(map, key);
    int64_t *values = TASKFIT_ARRAY(r->arena, r->rules->n_offers, int64_t);
    *values_out = values;
    return list == NULL ? taskfit_fail(r->err, TASKFIT_E_INPUT, "cut %zu: no list '%s'", r->cut + 1, key)
                        : read_offers(r, list, "maximum", values);
}

/* ---- trees ---- */

static size_t find_az(const reading *r, const char *name) {
    size_t az = 0;
    while (az < r->rules->n_azs && strcmp(r->rules->deployment->azs[az], name) != 0) {
        az++;
    }
    return az < r->rules->n_azs ? az : SIZE_MAX;
}

static taskfit_status read_split(const reading *r, const taskfit_node *map, taskfit_cert_node *node) {
    const taskfit_node *names = list_of(map, "services");
    const int64_t most = INT64_C(1) << 40;
    int64_t place = 0;
    node->az = find_az(r, text_of(map, "availabilityZone"));
    node->place = SIZE_MAX;
    if (count_of(taskfit_node_get(map, "place"), most, &place) && place > 0 &&
        count_of(taskfit_node_get(map, "instances"), most, &node->instances)) {
        node->place = (size_t)place - 1;
    }
    const bool splits = taskfit_node_get(map, "tasks") != NULL;
    if ((node->place != SIZE_MAX) + (node->az != SIZE_MAX) != (splits ? 1 : 0) || names->n == 0 ||
        (splits && !count_of(taskfit_node_get(map, "tasks"), most, &node->tasks))) {
        return bad(r, "a split has no place with instances or no availability zone, or no tasks and services");
    }
    bool *seen = TASKFIT_ARRAY(r->arena, r->rules->n_services, bool);
    size_t *services = TASKFIT_ARRAY(r->arena, names->n, size_t);
    taskfit_status status = TASKFIT_OK;
    for (size_t i = 0; i < names->n && status == TASKFIT_OK; i++) {
        status = read_service(r, names->items[i], seen, &services[i]);
    }
    node->services = services;
    node->n_services = names->n;
    return status;
}

/* Those of next tasks only where the case counts them. */
static taskfit_status read_both_prices(const reading *r, const taskfit_node *map, taskfit_cert_case of, const int64_t **price_out,
                                       const int64_t **next_out) {
    const bool counted = of == TASKFIT_CERT_DEPLOYS || of == TASKFIT_CERT_DEPLOYS_ALL;
    const taskfit_status status = read_prices(r, map, "prices", price_out);
    return status == TASKFIT_OK && counted && taskfit_node_get(map, "nextPrices") != NULL ? read_prices(r, map, "nextPrices", next_out)
                                                                                          : status;
}

static taskfit_status read_leaf(const reading *r, const taskfit_node *map, taskfit_cert_case of, taskfit_cert_node *node) {
    const taskfit_node *maxima = list_of(map, "maxima");
    if (taskfit_node_get(map, "contradiction") != NULL) {
        return TASKFIT_OK;
    }
    if (maxima == NULL || !count_of(taskfit_node_get(map, "worth"), INT64_C(1) << 56, &node->worth)) {
        return bad(r, "a node is neither a split nor a leaf");
    }
    node->n_maxima = maxima->n;
    node->maximum = TASKFIT_ARRAY(r->arena, maxima->n, int64_t);
    for (size_t i = 0; i < maxima->n; i++) {
        if (!count_of(maxima->items[i], INT64_C(1) << 56, &node->maximum[i])) {
            return bad(r, "a leaf's maximum is not a whole number");
        }
    }
    return read_both_prices(r, map, of, &node->price, &node->next);
}

static taskfit_status read_tree(const reading *r, const taskfit_node *map, taskfit_cert_case of, const taskfit_cert_tree **tree_out) {
    const taskfit_node *list = list_of(map, "nodes");
    const taskfit_node *places = list_of(map, "places");
    const taskfit_node *at = taskfit_node_get(map, "at");
    taskfit_cert_tree *tree = TASKFIT_NEW(r->arena, taskfit_cert_tree);
    int64_t *place = TASKFIT_ARRAY(r->arena, r->rules->n_offers, int64_t);
    size_t *of_offer = TASKFIT_ARRAY(r->arena, r->rules->n_offers, size_t);
    if (places == NULL) {
        return bad(r, "a tree without 'places'");
    }
    *tree = (taskfit_cert_tree){
        .at = SIZE_MAX, .place = of_offer, .nodes = TASKFIT_ARRAY(r->arena, list->n, taskfit_cert_node), .n_nodes = list->n};
    for (size_t o = 0; at != NULL && o < r->rules->n_offers; o++) {
        const taskfit_cert_offer *offer = &r->rules->offers[o];
        const taskfit_instance_group *group = &r->rules->deployment->groups[offer->group];
        if (strcmp(group->name, text_of(at, "group")) == 0 && offer->az == find_az(r, text_of(at, "availabilityZone")) &&
            strcmp(group->types[offer->type].type.name, text_of(at, "type")) == 0) {
            tree->at = o;
        }
    }
    taskfit_status status = read_offers(r, places, "place", place);
    for (size_t o = 0; o < r->rules->n_offers; o++) {
        of_offer[o] = place[o] == 0 ? SIZE_MAX : (size_t)place[o] - 1;
    }
    for (size_t i = 0; i < list->n && status == TASKFIT_OK; i++) {
        const bool split = list_of(list->items[i], "services") != NULL;
        status = split ? read_split(r, list->items[i], &tree->nodes[i]) : read_leaf(r, list->items[i], of, &tree->nodes[i]);
    }
    *tree_out = tree;
    return status;
}

/* ---- cuts ---- */

static taskfit_status read_values(const reading *r, const taskfit_node *map, taskfit_cert_cut *cut) {
    if (!count_of(taskfit_node_get(map, "worth"), INT64_C(1) << 56, &cut->worth)) {
        return bad(r, "no whole number 'worth'");
    }
    taskfit_status status = read_both_prices(r, map, cut->of, &cut->price, &cut->next);
    if (status == TASKFIT_OK) {
        status = read_maxima(r, map, "maxima", &cut->maximum);
    }
    if (status == TASKFIT_OK && cut->of == TASKFIT_CERT_HOSTS) {
        status = read_maxima(r, map, "beside", &cut->beside);
    }
    return status;
}

static taskfit_status read_cut(const reading *r, const taskfit_node *map, taskfit_cert_cut *cut_out) {
    const bool tree = list_of(map, "nodes") != NULL;
    taskfit_cert_cut cut = {.of = TASKFIT_CERT_TASKS};
    taskfit_status status = read_case(r, map, &cut);
    if (status == TASKFIT_OK) {
        status = tree ? read_tree(r, map, cut.of, &cut.tree) : read_values(r, map, &cut);
    }
    if (status == TASKFIT_OK) {
        status = read_fleet(r, map, &cut);
    }
    *cut_out = cut;
    return status;
}

taskfit_status taskfit_cert_read(const taskfit_node *root, const taskfit_cert_rules *rules, taskfit_arena *arena,
                                 taskfit_cert *cert_out, taskfit_error *err) {
    reading r = {.rules = rules, .arena = arena, .err = err};
    const taskfit_node *list = list_of(root, "cuts");
    taskfit_cert cert = {.plan_sha256 = text_of(root, "plan"), .rung = text_of(root, "rung"), .goal = text_of(root, "goal")};
    if (strcmp(text_of(root, "certificate"), TASKFIT_CERT_SCHEMA) != 0) {
        return taskfit_fail(err, TASKFIT_E_INPUT, "not a certificate (its first key is 'certificate: " TASKFIT_CERT_SCHEMA "')");
    }
    if (!count_of(taskfit_node_get(root, "bound"), INT64_C(1) << 56, &cert.bound) || list == NULL) {
        return taskfit_fail(err, TASKFIT_E_INPUT, "no whole number 'bound', or no list 'cuts'");
    }
    taskfit_cert_cut *cuts = TASKFIT_ARRAY(arena, list->n, taskfit_cert_cut);
    for (r.cut = 0; r.cut < list->n; r.cut++) {
        const taskfit_status status = read_cut(&r, list->items[r.cut], &cuts[r.cut]);
        if (status != TASKFIT_OK) {
            return status;
        }
    }
    cert.cuts = cuts;
    cert.n_cuts = list->n;
    *cert_out = cert;
    return TASKFIT_OK;
}
