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
 *       nextPrices:               of next tasks, where they are not those of the service
 *       maxima:                   V, or more, in each AZ of the group
 *       - {group: main, type: r7g.2xlarge, maximum: [1048, 1048]}
 *       beside:                   of hosts: V beside the next task
 *       - {group: main, type: r7g.2xlarge, maximum: [901, 901]}
 *     - case: hosts               a tree: instead of worth, prices and maxima
 *       service: a
 *       fleet: ...
 *       at: {group: main, type: r7g.2xlarge, availabilityZone: us-east-1a}    what hosts, or is lost, or whose AZ is
 *       places:                   numbers from 1; instances of a place are told apart by nothing but the splits
 *       - {group: main, type: r7g.2xlarge, place: [1, 2]}                     the host is one more place, the last
 *       nodes:                    in preorder: a split is followed by its first branch, then by its second
 *       - {place: 2, instances: 1, tasks: 3, services: [a, b]}                at least 1 instance of place 2 holds at least 3 of their
 *                                   tasks, or none does; those of which something is said become a further place
 *       - {availabilityZone: us-east-1a, tasks: 5, services: [c]}             at least 5 stand there, or fewer do
 *       - {services: [d]}                                                     nothing; but where they must stand is followed too
 *       - {worth: 81, prices: [...], maxima: [20, 31, 29]}                    a leaf, with one maximum for each place so far
 *       - {contradiction: true}                                               a leaf: the splits before cannot all be
 *     sha256: ...                  of all bytes before this line
 */

const char *taskfit_cert_case_word(taskfit_cert_case of) {
    static const char *const words[TASKFIT_CERT_CASES] = {"tasks", "deploys", "deploysAll", "hosts", "losesInstance",
                                                          "losesAvailabilityZone"};
    return words[of];
}

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

/* ---- trees ---- */

static taskfit_node *services_node(const taskfit_cert_rules *rules, const taskfit_cert_node *node, taskfit_arena *arena) {
    taskfit_node *list = taskfit_node_list(arena);
    for (size_t i = 0; i < node->n_services; i++) {
        const taskfit_cert_service *service = &rules->services[node->services[i]];
        taskfit_node_append(arena, list, taskfit_node_string(arena, rules->deployment->services[service->service].name));
    }
    return list;
}

static taskfit_node *tree_node(const taskfit_cert_rules *rules, const taskfit_cert_node *node, taskfit_arena *arena) {
    taskfit_node *entry = taskfit_node_map(arena);
    if (node->services != NULL && node->place != SIZE_MAX) {
        taskfit_node_set(arena, entry, "place", taskfit_node_int(arena, (int64_t)node->place + 1));
        taskfit_node_set(arena, entry, "instances", taskfit_node_int(arena, node->instances));
    } else if (node->services != NULL && node->az != SIZE_MAX) {
        taskfit_node_set(arena, entry, "availabilityZone", taskfit_node_string(arena, rules->deployment->azs[node->az]));
    }
    if (node->services != NULL) {
        if (node->place != SIZE_MAX || node->az != SIZE_MAX) {
            taskfit_node_set(arena, entry, "tasks", taskfit_node_int(arena, node->tasks));
        }
        taskfit_node_set(arena, entry, "services", services_node(rules, node, arena));
    } else if (node->price == NULL) {
        taskfit_node_set(arena, entry, "contradiction", taskfit_node_bool(arena, true));
    } else {
        taskfit_node *maxima = taskfit_node_list(arena);
        for (size_t i = 0; i < node->n_maxima; i++) {
            taskfit_node_append(arena, maxima, taskfit_node_int(arena, node->maximum[i]));
        }
        taskfit_node_set(arena, entry, "worth", taskfit_node_int(arena, node->worth));
        taskfit_node_set(arena, entry, "prices", prices_node(rules, node->price, arena));
        if (node->next != NULL) {
            taskfit_node_set(arena, entry, "nextPrices", prices_node(rules, node->next, arena));
        }
        taskfit_node_set(arena, entry, "maxima", maxima);
    }
    return entry;
}

static void set_tree(const taskfit_cert_rules *rules, const taskfit_cert_tree *tree, taskfit_node *entry, taskfit_arena *arena) {
    if (tree->at != SIZE_MAX) {
        const taskfit_cert_offer *offer = &rules->offers[tree->at];
        const taskfit_instance_group *group = &rules->deployment->groups[offer->group];
        taskfit_node *at = taskfit_node_map(arena);
        taskfit_node_set(arena, at, "group", taskfit_node_string(arena, group->name));
        taskfit_node_set(arena, at, "type", taskfit_node_string(arena, group->types[offer->type].type.name));
        taskfit_node_set(arena, at, "availabilityZone", taskfit_node_string(arena, rules->deployment->azs[offer->az]));
        taskfit_node_set(arena, entry, "at", at);
    }
    int64_t *places = TASKFIT_ARRAY(arena, rules->n_offers, int64_t);
    for (size_t o = 0; o < rules->n_offers; o++) {
        places[o] = tree->place[o] == SIZE_MAX ? 0 : (int64_t)tree->place[o] + 1;
    }
    taskfit_node *nodes = taskfit_node_list(arena);
    for (size_t i = 0; i < tree->n_nodes; i++) {
        taskfit_node_append(arena, nodes, tree_node(rules, &tree->nodes[i], arena));
    }
    taskfit_node_set(arena, entry, "places", offers_node(rules, places, "place", arena));
    taskfit_node_set(arena, entry, "nodes", nodes);
}

/* ---- the whole ---- */

static taskfit_node *cut_node(const taskfit_cert_rules *rules, const taskfit_cert_cut *cut, taskfit_arena *arena) {
    taskfit_node *entry = taskfit_node_map(arena);
    if (cut->tree == NULL) {
        taskfit_node_set(arena, entry, "worth", taskfit_node_int(arena, cut->worth));
    }
    if (cut->of != TASKFIT_CERT_TASKS) {
        taskfit_node_set(arena, entry, "case", taskfit_node_string(arena, taskfit_cert_case_word(cut->of)));
    }
    if (taskfit_cert_case_names_service(cut->of)) {
        const char *name = rules->deployment->services[rules->services[cut->service].service].name;
        taskfit_node_set(arena, entry, "service", taskfit_node_string(arena, name));
    }
    if (cut->fleet != NULL) {
        taskfit_node_set(arena, entry, "fleet", offers_node(rules, cut->fleet, "instances", arena));
    }
    if (cut->tree != NULL) {
        set_tree(rules, cut->tree, entry, arena);
        return entry;
    }
    taskfit_node_set(arena, entry, "prices", prices_node(rules, cut->price, arena));
    if (cut->next != NULL) {
        taskfit_node_set(arena, entry, "nextPrices", prices_node(rules, cut->next, arena));
    }
    taskfit_node_set(arena, entry, "maxima", offers_node(rules, cut->maximum, "maximum", arena));
    if (cut->beside != NULL) {
        taskfit_node_set(arena, entry, "beside", offers_node(rules, cut->beside, "maximum", arena));
    }
    return entry;
}

void taskfit_cert_write(const taskfit_cert *cert, const taskfit_cert_rules *rules, taskfit_strbuf *out) {
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_node *root = taskfit_node_map(arena);
    taskfit_node *cuts = taskfit_node_list(arena);
    for (size_t i = 0; i < cert->n_cuts; i++) {
        taskfit_node_append(arena, cuts, cut_node(rules, &cert->cuts[i], arena));
    }
    taskfit_node_set(arena, root, "certificate", taskfit_node_string(arena, TASKFIT_CERT_SCHEMA));
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
