/* A plan that keeps its rules is refuted by nothing: no prices, no case and no tree, be they as they may. */
#include "unit.h"

#include "base/rand.h"
#include "parse.h"
#include "problem/certificate.h"
#include "problem/plan.h"

enum { N_ROUNDS = 400, MOST_NODES = 15, MOST_PRICE = 9 };

#define CLUSTER                                                                                                              \
    "taskfit: 1\n"                                                                                                           \
    "cluster:\n"                                                                                                             \
    "  availabilityZones: [us-east-1a, us-east-1b]\n"                                                                        \
    "  instanceTypes:\n"                                                                                                     \
    "  - {type: box, vcpu: 4, registeredMemory: 1000, architecture: x86_64, usdPerHour: 0.5}\n"                              \
    "  - {type: chest, vcpu: 4, registeredMemory: 2100, architecture: x86_64, usdPerHour: 0.9}\n"                            \
    "  instanceGroups: [{name: main, types: [box, chest], mixed: true}]\n"                                                   \
    "services:\n"                                                                                                            \
    "  - {name: a, memory: 300, desiredCount: 4, placementConstraints: []}\n"                                                \
    "  - {name: b, memory: 450, desiredCount: 2, placementConstraints: [{type: distinctInstance}]}\n"                        \
    "  - {name: c, memory: 300, desiredCount: 3, placementConstraints: [{type: memberOf, expression: 'not(task:group == service:b)'}]}\n" \
    "  - {name: d, memory: 120, desiredCount: 3, placementStrategy: [{type: spread, field: instanceId}]}\n"

static const char *const files[] = {
    CLUSTER "policy: {rollingDeployment: none}\n",
    CLUSTER "policy: {rollingDeployment: oneService, headroom: {memoryPercent: 10}}\n",
    CLUSTER "policy: {rollingDeployment: allServices, objective: [cost, count]}\n",
    CLUSTER "policy: {rollingDeployment: none, surviveLoss: instance, spread: preferred}\n",
    CLUSTER "policy: {rollingDeployment: none, surviveLoss: availabilityZone}\n",
};

typedef struct attack {
    taskfit_arena *arena;
    const taskfit_cert_rules *rules;
    int64_t *fleet; /* of the plan */
    taskfit_rand dice;
    taskfit_cert_node nodes[MOST_NODES];
    size_t n_nodes;
} attack;

static int64_t draw(attack *a, int64_t below) {
    return (int64_t)taskfit_rand_below(&a->dice, (size_t)below);
}

static const int64_t *draw_prices(attack *a) {
    const size_t n = a->rules->n_services * a->rules->n_azs;
    int64_t *price = TASKFIT_ARRAY(a->arena, n, int64_t);
    const bool by_az = draw(a, 2) == 0;
    for (size_t i = 0; i < n; i++) {
        price[i] = by_az || i % a->rules->n_azs == 0 ? draw(a, 3) * draw(a, MOST_PRICE) : price[i - 1];
    }
    return price;
}

/* A tree of random splits, in preorder. */
static void grow(attack *a, size_t n_places, int depth) {
    assert_true(a->n_nodes < MOST_NODES);
    taskfit_cert_node *node = &a->nodes[a->n_nodes++];
    *node = (taskfit_cert_node){.place = SIZE_MAX, .az = SIZE_MAX};
    if (depth == 3 || draw(a, 3) == 0) {
        node->price = draw_prices(a);
        node->n_maxima = n_places;
        node->maximum = TASKFIT_ARRAY(a->arena, n_places, int64_t);
        return;
    }
    size_t *services = TASKFIT_ARRAY(a->arena, 1, size_t);
    *services = (size_t)draw(a, (int64_t)a->rules->n_services);
    node->services = services;
    node->n_services = 1;
    node->tasks = 1 + draw(a, 2);
    if (draw(a, 3) == 0) {
        node->az = (size_t)draw(a, (int64_t)a->rules->n_azs);
    } else {
        node->place = (size_t)draw(a, (int64_t)n_places);
        node->instances = 1;
    }
    for (int second = 0; second < 2; second++) {
        grow(a, n_places + (node->place != SIZE_MAX ? 1 : 0), depth + 1);
    }
}

static taskfit_cert_tree draw_tree(attack *a, taskfit_cert_cut *cut) {
    size_t *place = TASKFIT_ARRAY(a->arena, a->rules->n_offers, size_t);
    size_t n_places = 0;
    size_t lost = SIZE_MAX;
    for (size_t o = 0; o < a->rules->n_offers; o++) {
        lost = a->fleet[o] > 0 && (lost == SIZE_MAX || draw(a, 2) == 0) ? o : lost;
    }
    const bool loses = cut->of == TASKFIT_CERT_LOSES_INSTANCE || cut->of == TASKFIT_CERT_LOSES_AZ;
    for (size_t o = 0; o < a->rules->n_offers; o++) {
        const bool gone = loses && (cut->of == TASKFIT_CERT_LOSES_AZ ? a->rules->offers[o].az == a->rules->offers[lost].az
                                                                     : o == lost && a->fleet[o] == 1);
        place[o] = a->fleet[o] > 0 && !gone ? n_places++ : SIZE_MAX;
    }
    a->n_nodes = 0;
    grow(a, n_places, 0);
    return (taskfit_cert_tree){.at = loses ? lost : SIZE_MAX, .place = place, .nodes = a->nodes, .n_nodes = a->n_nodes};
}

static void attack_by_cut(attack *a, taskfit_cert_cut cut) {
    int64_t *maximum = TASKFIT_ARRAY(a->arena, a->rules->n_offers, int64_t);
    int64_t *beside = TASKFIT_ARRAY(a->arena, a->rules->n_offers, int64_t);
    taskfit_cert_sacks *sacks = taskfit_cert_sacks_new(a->arena);
    cut.price = draw_prices(a);
    const bool counted = cut.of == TASKFIT_CERT_DEPLOYS || cut.of == TASKFIT_CERT_DEPLOYS_ALL;
    cut.fleet = (counted || cut.of == TASKFIT_CERT_TASKS || cut.of == TASKFIT_CERT_HOSTS) && draw(a, 2) == 0 ? a->fleet : NULL;
    cut.next = counted && draw(a, 2) == 0 ? draw_prices(a) : NULL;
    cut.worth = taskfit_cert_worth(a->rules, &cut);
    cut.maximum = maximum;
    cut.beside = cut.of == TASKFIT_CERT_HOSTS ? beside : NULL;
    assert_true(taskfit_cert_maxima(a->rules, &cut, TASKFIT_CERT_EXACT, sacks, maximum, beside));
    assert_false(taskfit_cert_refutes(a->rules, &cut, 1, a->fleet));
}

static void attack_by_tree(attack *a, taskfit_cert_cut cut) {
    const taskfit_cert_tree tree = draw_tree(a, &cut);
    size_t node = 0;
    const char *why = NULL;
    cut.fleet = a->fleet;
    cut.tree = &tree;
    assert_false(taskfit_cert_tree_holds(a->rules, &cut, TASKFIT_CERT_EXACT, taskfit_cert_sacks_new(a->arena), &node, &why));
    assert_non_null(why);
}

static void nothing_refutes_a_plan(void **state) {
    (void)state;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        taskfit_deployment *deployment = parse_deployment("%s", files[f]);
        taskfit_plan *plan = size_deployment(deployment);
        attack a = {.arena = taskfit_arena_new(), .dice = taskfit_rand_seeded(f)};
        a.rules = taskfit_cert_rules_new(deployment, plan->rung, a.arena);
        a.fleet = TASKFIT_ARRAY(a.arena, a.rules->n_offers, int64_t);
        for (size_t m = 0; m < plan->fleet->n_machines; m++) {
            const taskfit_machine *machine = &plan->fleet->machines[m];
            for (size_t o = 0; o < a.rules->n_offers; o++) {
                const taskfit_cert_offer *offer = &a.rules->offers[o];
                a.fleet[o] += offer->group == machine->group && offer->type == machine->type && offer->az == machine->az ? 1 : 0;
            }
        }
        for (int round = 0; round < N_ROUNDS; round++) {
            const taskfit_cert_cut cut = {.of = (taskfit_cert_case)draw(&a, TASKFIT_CERT_CASES),
                                          .service = (size_t)draw(&a, (int64_t)a.rules->n_services)};
            if (taskfit_cert_case_asked(a.rules, &cut)) {
                attack_by_cut(&a, cut);
                if (cut.of != TASKFIT_CERT_HOSTS) { /* a tree says that of one host alone */
                    attack_by_tree(&a, cut);
                }
            }
        }
        taskfit_arena_free(a.arena);
        taskfit_plan_free(plan);
        taskfit_deployment_free(deployment);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_refutes_a_plan)};
    return RUN_TESTS(tests);
}
