#include "problem/certificate.h"

#include <string.h>

#include "base/sha256.h"
#include "base/units.h"
#include "problem/plan.h"

/*
 * The document:
 *
 *     certificate: taskfit.certificate/1
 *     plan: ...                    SHA-256 of the plan as taskfit writes it in JSON
 *     rung: spread                 whose rules are used
 *     goal: count                  or cost, in micro-dollars per hour
 *     bound: 8
 *     cuts:
 *     - worth: 7340               W
 *       case: hosts               what must have room, if not just the tasks:
 *                                   deploys         and the next tasks of `service`, which W and V count too
 *                                   deploysAll      and those of all services at once
 *                                   hosts           and the next task of `service`, which leaves room for `beside` where it goes
 *                                   losesInstance   the tasks on all instances but any one
 *                                   losesAvailabilityZone   ... on those of all AZs but any one
 *       service: a                whose tasks are next
 *       fleet:                    only of a leaf: the one fleet meant, instances in each AZ of the group
 *       - {group: main, type: r7g.2xlarge, instances: [4, 3]}
 *       prices:                   of one task in each AZ of the cluster; one figure: in all of them
 *       - {price: 12, services: [a, b]}
 *       - {price: [7, 0], services: [c]}
 *       maxima:                   V, or more, in each AZ of the group
 *       - {group: main, type: r7g.2xlarge, maximum: [1048, 1048]}
 *       beside:                   of hosts: V beside the next task
 *       - {group: main, type: r7g.2xlarge, maximum: [901, 901]}
 *     sha256: ...                  of all bytes before this line
 */

#define SCHEMA "taskfit.certificate/1"

static const char *const case_words[TASKFIT_CERT_CASES] = {"tasks", "deploys", "deploysAll", "hosts", "losesInstance",
                                                           "losesAvailabilityZone"};

static bool of_service(taskfit_cert_case of) {
    return of == TASKFIT_CERT_DEPLOYS || of == TASKFIT_CERT_HOSTS;
}

/* ---- writing ---- */

/* One figure where all are equal. */
static taskfit_node *figures(taskfit_arena *arena, const int64_t *values, size_t n) {
    bool alike = true;
    for (size_t i = 1; i < n; i++) {
        alike = alike && values[i] == values[0];
    }
    if (alike && n > 0) {
        return taskfit_node_int(arena, values[0]);
    }
    taskfit_node *list = taskfit_node_list(arena);
    for (size_t i = 0; i < n; i++) {
        taskfit_node_append(arena, list, taskfit_node_int(arena, values[i]));
    }
    return list;
}

static taskfit_node *prices_node(const taskfit_cert_rules *rules, const int64_t *price, taskfit_arena *arena) {
    taskfit_node *list = taskfit_node_list(arena);
    const size_t n_azs = rules->n_azs;
    for (size_t s = 0; s < rules->n_services; s++) {
        const int64_t *row = price + s * n_azs;
        bool told = true; /* all 0, or with an earlier service */
        for (size_t az = 0; az < n_azs; az++) {
            told = told && row[az] == 0;
        }
        for (size_t before = 0; before < s && !told; before++) {
            told = memcmp(price + before * n_azs, row, n_azs * sizeof *row) == 0;
        }
        if (told) {
            continue;
        }
        taskfit_node *entry = taskfit_node_map(arena);
        taskfit_node *names = taskfit_node_list(arena);
        for (size_t other = s; other < rules->n_services; other++) {
            if (memcmp(price + other * n_azs, row, n_azs * sizeof *row) == 0) {
                const char *name = rules->deployment->services[rules->services[other].service].name;
                taskfit_node_append(arena, names, taskfit_node_string(arena, name));
            }
        }
        taskfit_node_set(arena, entry, "price", figures(arena, row, n_azs));
        taskfit_node_set(arena, entry, "services", names);
        taskfit_node_append(arena, list, entry);
    }
    return list;
}

/* Figures of offers, by group and type; types of nothing but 0 are left out. */
static taskfit_node *offers_node(const taskfit_cert_rules *rules, const int64_t *values, const char *key, taskfit_arena *arena) {
    taskfit_node *list = taskfit_node_list(arena);
    for (size_t g = 0; g < rules->deployment->n_groups; g++) {
        const taskfit_instance_group *group = &rules->deployment->groups[g];
        for (size_t t = 0; t < group->n_types; t++) {
            const int64_t *row = values + rules->first_offer[g] + t * group->n_azs;
            bool any = false;
            for (size_t k = 0; k < group->n_azs; k++) {
                any = any || row[k] != 0;
            }
            if (any) {
                taskfit_node *entry = taskfit_node_map(arena);
                taskfit_node_set(arena, entry, "group", taskfit_node_string(arena, group->name));
                taskfit_node_set(arena, entry, "type", taskfit_node_string(arena, group->types[t].type.name));
                taskfit_node_set(arena, entry, key, figures(arena, row, group->n_azs));
                taskfit_node_append(arena, list, entry);
            }
        }
    }
    return list;
}

void taskfit_cert_write(const taskfit_cert *cert, const taskfit_cert_rules *rules, taskfit_strbuf *out) {
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_node *root = taskfit_node_map(arena);
    taskfit_node *cuts = taskfit_node_list(arena);
    for (size_t i = 0; i < cert->n_cuts; i++) {
        const taskfit_cert_cut *cut = &cert->cuts[i];
        taskfit_node *entry = taskfit_node_map(arena);
        taskfit_node_set(arena, entry, "worth", taskfit_node_int(arena, cut->worth));
        if (cut->of != TASKFIT_CERT_TASKS) {
            taskfit_node_set(arena, entry, "case", taskfit_node_string(arena, case_words[cut->of]));
        }
        if (of_service(cut->of)) {
            const char *name = rules->deployment->services[rules->services[cut->service].service].name;
            taskfit_node_set(arena, entry, "service", taskfit_node_string(arena, name));
        }
        if (cut->fleet != NULL) {
            taskfit_node_set(arena, entry, "fleet", offers_node(rules, cut->fleet, "instances", arena));
        }
        taskfit_node_set(arena, entry, "prices", prices_node(rules, cut->price, arena));
        taskfit_node_set(arena, entry, "maxima", offers_node(rules, cut->maximum, "maximum", arena));
        if (cut->beside != NULL) {
            taskfit_node_set(arena, entry, "beside", offers_node(rules, cut->beside, "maximum", arena));
        }
        taskfit_node_append(arena, cuts, entry);
    }
    taskfit_node_set(arena, root, "certificate", taskfit_node_string(arena, SCHEMA));
    taskfit_node_set(arena, root, "plan", taskfit_node_string(arena, cert->plan_sha256));
    taskfit_node_set(arena, root, "rung", taskfit_node_string(arena, cert->rung));
    taskfit_node_set(arena, root, "goal", taskfit_node_string(arena, cert->goal));
    taskfit_node_set(arena, root, "bound", taskfit_node_int(arena, cert->bound));
    taskfit_node_set(arena, root, "cuts", cuts);
    const size_t start = out->len;
    taskfit_node_write_yaml(root, out);
    char hex[TASKFIT_SHA256_HEX_SIZE];
    taskfit_sha256_hex(out->data + start, out->len - start, hex);
    taskfit_strbuf_printf(out, "sha256: %s\n", hex);
    taskfit_arena_free(arena);
}

void taskfit_cert_plan_sha256(const taskfit_plan *plan, char hex_out[65]) {
    TASKFIT_STRBUF(text);
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_node_write_json(plan->stated != NULL ? plan->stated : taskfit_plan_tree(plan, arena), &text);
    taskfit_sha256_hex(text.data, text.len, hex_out);
    taskfit_arena_free(arena);
}

/* ---- reading ---- */

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

static taskfit_status read_prices(const reading *r, const taskfit_node *map, int64_t *price) {
    const taskfit_node *list = list_of(map, "prices");
    int64_t *row = TASKFIT_ARRAY(r->arena, r->rules->n_azs, int64_t);
    bool *seen = TASKFIT_ARRAY(r->arena, r->rules->n_services, bool);
    if (list == NULL) {
        return bad(r, "'prices' is not a list");
    }
    for (size_t i = 0; i < list->n; i++) {
        const taskfit_node *services = list_of(list->items[i], "services");
        if (services == NULL || !figures_of(taskfit_node_get(list->items[i], "price"), TASKFIT_CERT_PRICE_MAX, row, r->rules->n_azs)) {
            return bad(r, "a price is not a whole number from 0 to 2^30 for each availability zone, with its services");
        }
        for (size_t j = 0; j < services->n; j++) {
            const taskfit_node *name = services->items[j];
            const size_t s = name->kind == TASKFIT_NODE_SCALAR ? taskfit_cert_service_named(r->rules, name->text) : SIZE_MAX;
            if (s == SIZE_MAX || seen[s]) {
                return taskfit_fail(r->err, TASKFIT_E_INPUT, "cut %zu: service '%s' is %s", r->cut + 1,
                                    name->kind == TASKFIT_NODE_SCALAR ? name->text : "", s == SIZE_MAX ? "unknown" : "priced twice");
            }
            seen[s] = true;
            memcpy(price + s * r->rules->n_azs, row, r->rules->n_azs * sizeof *row);
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
        if (!figures_of(taskfit_node_get(list->items[i], key), INT64_C(1) << (strcmp(key, "instances") == 0 ? 20 : 56), row, n_azs)) {
            return taskfit_fail(r->err, TASKFIT_E_INPUT, "cut %zu: '%s' is not a whole number for each availability zone",
                                r->cut + 1, key);
        }
    }
    return TASKFIT_OK;
}

static taskfit_status read_case(const reading *r, const taskfit_node *map, taskfit_cert_cut *cut) {
    const char *word = text_of(map, "case");
    while (taskfit_node_get(map, "case") != NULL && cut->of < TASKFIT_CERT_CASES && strcmp(case_words[cut->of], word) != 0) {
        cut->of++;
    }
    if (cut->of == TASKFIT_CERT_CASES) {
        return bad(r, "'case' is none of those that there are");
    }
    const size_t service = of_service(cut->of) ? taskfit_cert_service_named(r->rules, text_of(map, "service")) : 0;
    cut->service = service == SIZE_MAX ? 0 : service;
    if (service == SIZE_MAX || !taskfit_cert_case_asked(r->rules, cut)) {
        return taskfit_fail(r->err, TASKFIT_E_INPUT, "cut %zu: case '%s' is not asked for on this rung%s", r->cut + 1, word,
                            of_service(cut->of) ? ", or not of this service" : "");
    }
    return TASKFIT_OK;
}

static taskfit_status read_fleet(const reading *r, const taskfit_node *map, taskfit_cert_cut *cut) {
    const taskfit_node *list = list_of(map, "fleet");
    if (list == NULL) {
        return TASKFIT_OK;
    }
    if (cut->of != TASKFIT_CERT_TASKS && cut->of != TASKFIT_CERT_HOSTS) {
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

static taskfit_status read_cut(const reading *r, const taskfit_node *map, taskfit_cert_cut *cut_out) {
    int64_t *price = TASKFIT_ARRAY(r->arena, r->rules->n_services * r->rules->n_azs, int64_t);
    taskfit_cert_cut cut = {.price = price};
    if (!count_of(taskfit_node_get(map, "worth"), INT64_C(1) << 56, &cut.worth)) {
        return bad(r, "no whole number 'worth'");
    }
    taskfit_status status = read_case(r, map, &cut);
    if (status == TASKFIT_OK) {
        status = read_prices(r, map, price);
    }
    if (status == TASKFIT_OK) {
        status = read_maxima(r, map, "maxima", &cut.maximum);
    }
    if (status == TASKFIT_OK && cut.of == TASKFIT_CERT_HOSTS) {
        status = read_maxima(r, map, "beside", &cut.beside);
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
    if (strcmp(text_of(root, "certificate"), SCHEMA) != 0) {
        return taskfit_fail(err, TASKFIT_E_INPUT, "not a certificate (its first key is 'certificate: " SCHEMA "')");
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
