#include "unit.h"

#include "problem/certificate.h"
#include "problem/plan.h"
#include "proof.h"
#include "taskfit/certificate.h"

#define CLUSTER(groups)                                                                                                      \
    "taskfit: 1\n"                                                                                                           \
    "cluster:\n"                                                                                                             \
    "  availabilityZones: [us-east-1a, us-east-1b]\n"                                                                        \
    "  instanceTypes:\n"                                                                                                     \
    "  - {type: box, vcpu: 4, registeredMemory: 1000, architecture: x86_64, usdPerHour: 0.5}\n"                              \
    "  - {type: chest, vcpu: 4, registeredMemory: 2100, architecture: x86_64, usdPerHour: 0.9}\n"                            \
    "  instanceGroups: [" groups "]\n"                                                                                       \
    "defaults: {placementConstraints: [{type: distinctInstance}]}\n"

/* Two services of 510 MiB never share a box, so eight tasks take eight boxes; volume says five. */
static const char boxes[] = CLUSTER("{name: main, types: [box]}")
    "policy: {rollingDeployment: none}\n"
    "services:\n"
    "  - {name: a, memory: 510, desiredCount: 4}\n"
    "  - {name: b, memory: 510, desiredCount: 4}\n"
    "  - {name: c, memory: 10, desiredCount: 2}\n";

/* On two boxes spread leaves 400 MiB on each, and b takes 450: only for this fleet, since three a and one b would fit. */
static const char leaf[] = CLUSTER("{name: main, types: [box], availabilityZones: [us-east-1a]}")
    "policy: {rollingDeployment: none}\n"
    "services:\n"
    "  - {name: a, memory: 300, desiredCount: 4, placementConstraints: []}\n"
    "  - {name: b, memory: 450}\n";

static const char mixed[] = CLUSTER("{name: main, types: [box, chest], mixed: true}")
    "policy: {rollingDeployment: none, objective: [cost, count]}\n"
    "services:\n"
    "  - {name: a, memory: 510, desiredCount: 4}\n"
    "  - {name: b, memory: 700, desiredCount: 3}\n"
    "  - {name: c, memory: 300, desiredCount: 2}\n";

static const char ports[] = CLUSTER("{name: main, types: [box]}")
    "policy: {rollingDeployment: none, spread: preferred}\n"
    "services:\n"
    "  - {name: a, memory: 10, desiredCount: 3, portMappings: [{containerPort: 80, hostPort: 80}]}\n"
    "  - {name: b, memory: 10, desiredCount: 2, portMappings: [{containerPort: 80, hostPort: 80}]}\n";

/* Two boxes are full, so the next task of a finds no room. */
static const char deploy[] = CLUSTER("{name: main, types: [box]}")
    "services:\n"
    "  - {name: a, memory: 500, desiredCount: 4, placementConstraints: []}\n"
    "  - {name: b, memory: 6, desiredCount: 0}\n";

/* Both boxes of an AZ are needed there, and on neither is room for another task of a beside the old one. */
static const char crowded[] = CLUSTER("{name: main, types: [box]}")
    "policy: {headroom: {memoryPercent: 20}}\n"
    "services:\n"
    "  - {name: a, memory: 390, desiredCount: 4}\n"
    "  - {name: b, memory: 390, desiredCount: 4}\n"
    "  - {name: c, memory: 6, desiredCount: 0}\n";

/* The next tasks of all three at once take what one alone does not. */
static const char together[] = CLUSTER("{name: main, types: [box]}")
    "policy: {rollingDeployment: allServices}\n"
    "services:\n"
    "  - {name: a, memory: 400, desiredCount: 2}\n"
    "  - {name: b, memory: 400, desiredCount: 2}\n"
    "  - {name: c, memory: 190, desiredCount: 2}\n";

static const char lossy[] = CLUSTER("{name: main, types: [box]}")
    "policy: {rollingDeployment: none, surviveLoss: instance}\n"
    "services:\n"
    "  - {name: a, memory: 300, desiredCount: 4, placementConstraints: []}\n"
    "  - {name: b, memory: 300, desiredCount: 2, placementConstraints: []}\n";

static const char darker[] = CLUSTER("{name: main, types: [box]}")
    "policy: {rollingDeployment: none, surviveLoss: availabilityZone}\n"
    "services:\n"
    "  - {name: a, memory: 300, desiredCount: 4, placementConstraints: []}\n"
    "  - {name: b, memory: 300, desiredCount: 2, placementConstraints: []}\n";

/* Who excludes whom is the Groetzsch graph: no three exclude each other, nor do 2.9 boxes with fractions, but three colours are too few. */
static const char graph[] = CLUSTER("{name: main, types: [box], availabilityZones: [us-east-1a]}")
    "policy:\n"
    "  rollingDeployment: none\n"
    "  antiAffinity: [[v0, v1], [v1, v2], [v2, v3], [v3, v4], [v4, v0], [u0, v1], [u0, v4], [u1, v0], [u1, v2], [u2, v1],\n"
    "    [u2, v3], [u3, v2], [u3, v4], [u4, v0], [u4, v3], [w, u0], [w, u1], [w, u2], [w, u3], [w, u4]]\n"
    "services:\n"
    "  - {name: v0, memory: 10}\n  - {name: v1, memory: 10}\n  - {name: v2, memory: 10}\n  - {name: v3, memory: 10}\n"
    "  - {name: v4, memory: 10}\n  - {name: u0, memory: 10}\n  - {name: u1, memory: 10}\n  - {name: u2, memory: 10}\n"
    "  - {name: u3, memory: 10}\n  - {name: u4, memory: 10}\n  - {name: w, memory: 10}\n";

static void test_plans_have_one(void **state) {
    (void)state;
    static const struct {
        const char *file;
        int64_t instances;
        const char *holds;
    } row[] = {
        {boxes, 8, "goal: count\nbound: 8\n"},
        {leaf, 3, "instances:"},
        {mixed, 4, "goal: cost\nbound: 3200000\n"},
        {ports, 5, "bound: 5\n"},
        {deploy, 3, "case: deploys\n  service: a\n"},
        {crowded, 5, "beside:"},
        {together, 3, "case: deploysAll\n"},
        {lossy, 3, "case: losesInstance\n"},
        {darker, 4, "case: losesAvailabilityZone\n"},
        {graph, 4, "  nodes:\n  - place: 1\n"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        TASKFIT_STRBUF(told);
        proof p = proof_of(row[i].file);
        ASSERT_INT(taskfit_plan_instances(p.plan), row[i].instances);
        assert_int_equal(taskfit_plan_outcome(p.plan), TASKFIT_OPTIMAL);
        if (strstr(p.text.data, row[i].holds) == NULL) {
            fail_msg("row %zu: no '%s' in\n%s", i, row[i].holds, p.text.data);
        }
        if (proof_check(&p, p.text.data, p.text.len, &told) != 0) {
            fail_msg("row %zu: %s", i, told.data);
        }
        proof_release(&p);
    }
}

static void test_mutations_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *file, *from, *to;
        bool rehash;
        const char *reason;
    } row[] = {
        {boxes, "bound: 8", "bound: 9", false, "its SHA-256 is"},
        {boxes, "bound: 8", "bound: 9", true, "it proves a bound of 9, the plan states 8"},
        {boxes, "- price: 1", "- price: 0", true, "a price or the worth was changed"},
        {boxes, "- price: 1", "- price: 2", true, "a price or the worth was changed"},
        {boxes, "- price: 1", "- price: -1", true, "not a whole number"},
        {boxes, "maximum: 1", "maximum: 0", true, "can hold tasks worth more than 0"},
        {boxes, "maximum: 1", "maximum: 2", true, "no cut refutes the fleet of 4 box of 'main' in us-east-1a, 3 box"},
        {boxes, "- worth: 8", "- worth: 9", true, "all tasks are worth 8, not 9"},
        {boxes, "- b\n", "- z\n", true, "service 'z' is unknown"},
        {boxes, "- b\n", "- a\n", true, "service 'a' is named twice"},
        {boxes, "goal: count", "goal: cost", true, "its goal is 'cost', the policy's first 'count'"},
        {boxes, "rung: spread", "rung: survive", true, "its rung is not one of the plan's"},
        {boxes, "rung: spread", "rung: shelf", true, "its rung is not one of the plan's"},
        {boxes, "type: box", "type: bag", true, "an unknown group or type"},
        {boxes, "certificate/1", "certificate/2", true, "not a certificate"},
        {boxes, "\nplan: ", "\nplan: 0", true, "it is of another plan"},
        {boxes, "cuts:", "cut:", true, "no list 'cuts'"},
        {boxes, "- worth:", "- wort:", true, "'worth'"},
        {boxes, "\nsha256: ", "\nsha255: ", false, "its last line is not"},
        {boxes, "certificate:", "{", false, "its SHA-256 is"},
        {leaf, "instances: 2", "instances: 3", true, "no cut refutes the fleet of 2 box"},
        {leaf, "fleet:", "float:", true, "certificate: cut"},
        {deploy, "service: a", "service: b", true, "case 'deploys' is not asked for on this rung, or not of this service"},
        {deploy, "case: deploys", "case: deploy", true, "'case' is none of those that there are"},
        {deploy, "case: deploys", "case: losesInstance", true, "case 'losesInstance' is not asked for"},
        {deploy, "  case: deploys\n", "", true, "all tasks are worth"},
        {lossy, "case: losesInstance", "case: losesAvailabilityZone", true, "is not asked for"},
        {crowded, "  beside:", "  besides:", true, "no list 'beside'"},
        {graph, "  - contradiction: true\n", "", true, "the tree ends before it (a leaf is missing)"},
        {graph, "  - contradiction: true\n", "  - contradiction: true\n  - contradiction: true\n", true,
         "it comes after the end of the tree"},
        {graph, "    tasks: 1\n", "    tasks: 2\n", true, "certificate: cut 1, node"},
        {graph, "    instances: 1\n    tasks", "    instances: 4\n    tasks", true, "it splits nothing that there is"},
        {graph, "  - place: 1\n", "  - place: 5\n", true, "it splits nothing that there is"},
        {graph, "  - worth: ", "  - worth: 1", true, "all tasks are worth another sum"},
        {graph, "    - price: ", "    - price: 0 #", true, "all tasks are worth another sum"},
        {graph, "  places:\n", "  place:\n", true, "a tree without 'places'"},
        {graph, "    place: 1\n", "    place: 2\n", true, "certificate: cut 1, node"},
        {graph, "- fleet:\n", "- float:\n", true, "a tree without a fleet"},
        {graph, "    instances: 3\n", "    instances: 4\n", true, "certificate: "},
        {mixed, "bound: 3200000", "bound: 3200001", true, "it proves a bound of 3200001"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        TASKFIT_STRBUF(text);
        TASKFIT_STRBUF(told);
        proof p = proof_of(row[i].file);
        proof_mutate(&p, row[i].from, row[i].to, row[i].rehash, &text);
        if (proof_check(&p, text.data, text.len, &told) == 0 || strstr(told.data, row[i].reason) == NULL) {
            fail_msg("row %zu: not '%s' but '%s' of\n%s", i, row[i].reason, told.data, p.text.data);
        }
        proof_release(&p);
    }
}

/* Without any one of its cuts and leaves it proves nothing. */
static void test_every_cut_is_needed(void **state) {
    (void)state;
    static const char *const files[] = {boxes, leaf, mixed, ports, deploy, crowded, together, lossy, darker, graph};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        proof p = proof_of(files[f]);
        taskfit_arena *arena = taskfit_arena_new();
        const taskfit_cert_rules *rules = taskfit_cert_rules_new(p.deployment, p.plan->rung, arena);
        taskfit_node *root = NULL;
        taskfit_cert cert;
        taskfit_error err = {0};
        assert_int_equal(taskfit_node_read_yaml(arena, "c", p.text.data, p.text.len, &root, &err), TASKFIT_OK);
        assert_int_equal(taskfit_cert_read(root, rules, arena, &cert, &err), TASKFIT_OK);
        assert_true(cert.n_cuts >= 1);
        for (size_t drop = 0; drop < cert.n_cuts; drop++) {
            TASKFIT_STRBUF(text);
            TASKFIT_STRBUF(told);
            taskfit_cert_cut *cuts = TASKFIT_ARRAY(arena, cert.n_cuts, taskfit_cert_cut);
            taskfit_cert less = cert;
            for (size_t i = 0, n = 0; i < cert.n_cuts; i++) {
                if (i != drop) {
                    cuts[n++] = cert.cuts[i];
                }
            }
            less.cuts = cuts;
            less.n_cuts = cert.n_cuts - 1;
            taskfit_cert_write(&less, rules, &text);
            assert_true(proof_check(&p, text.data, text.len, &told) > 0);
            assert_non_null(strstr(told.data, "no cut refutes the fleet"));
        }
        taskfit_arena_free(arena);
        proof_release(&p);
    }
}

/* Two boxes, one in each AZ, hold one a and one b each: 1,210 MiB. The split says nothing, but its first branch must be refuted too. */
static void test_split_by_az(void **state) {
    (void)state;
    static const char file[] = CLUSTER("{name: main, types: [box]}")
        "policy: {rollingDeployment: none}\n"
        "services:\n"
        "- {name: a, memory: 510, desiredCount: 2, placementStrategy: [{type: spread, field: 'attribute:ecs.availability-zone'}]}\n"
        "- {name: b, memory: 700, desiredCount: 2, placementStrategy: [{type: spread, field: 'attribute:ecs.availability-zone'}]}\n";
    static const size_t a[] = {0};
    static const size_t place[] = {0, 1};
    static const int64_t price[] = {1, 1, 1, 1};
    static const int64_t fleet[] = {1, 1};
    proof p = proof_of(file);
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_cert_rules *rules = taskfit_cert_rules_new(p.deployment, p.plan->rung, arena);
    for (int64_t tasks = 0; tasks <= 3; tasks++) {
        int64_t maximum[] = {0, 0};
        taskfit_cert_node nodes[] = {{.services = a, .n_services = 1, .place = SIZE_MAX, .az = 1, .tasks = tasks},
                                     {.place = SIZE_MAX, .az = SIZE_MAX},
                                     {.place = SIZE_MAX, .az = SIZE_MAX, .price = price, .maximum = maximum, .n_maxima = 2}};
        const taskfit_cert_tree tree = {.at = SIZE_MAX, .place = place, .nodes = nodes, .n_nodes = 3};
        const taskfit_cert_cut cut = {.tree = &tree, .fleet = fleet};
        size_t node = 0;
        const char *why = NULL;
        taskfit_cert_sacks *sacks = taskfit_cert_sacks_new(arena);
        assert_int_equal(taskfit_cert_tree_holds(rules, &cut, TASKFIT_CERT_EXACT, sacks, &node, &why), tasks >= 2);
        if (tasks >= 2) {
            ASSERT_INT(nodes[2].worth, 4);
            ASSERT_INT(maximum[0], 1);
            TASKFIT_STRBUF(text);
            taskfit_node *root = NULL;
            taskfit_error err = {0};
            taskfit_cert read;
            const taskfit_cert cert = {.plan_sha256 = "0", .rung = "spread", .goal = "count", .bound = 1, .cuts = &cut, .n_cuts = 1};
            taskfit_cert_write(&cert, rules, &text);
            assert_int_equal(taskfit_node_read_yaml(arena, "c", text.data, text.len, &root, &err), TASKFIT_OK);
            assert_int_equal(taskfit_cert_read(root, rules, arena, &read, &err), TASKFIT_OK);
            assert_true(taskfit_cert_tree_holds(rules, &read.cuts[0], TASKFIT_CERT_CHECK, sacks, &node, &why));
            read.cuts[0].tree->nodes[2].maximum[1] = 0;
            assert_false(taskfit_cert_tree_holds(rules, &read.cuts[0], TASKFIT_CERT_CHECK, sacks, &node, &why));
            ASSERT_INT(node, 2);
        }
    }
    taskfit_arena_free(arena);
    proof_release(&p);
}

static void test_any_byte(void **state) {
    (void)state;
    proof p = proof_of(boxes);
    for (size_t i = 0; i < p.text.len; i++) {
        TASKFIT_STRBUF(told);
        p.text.data[i] ^= 1;
        if (proof_check(&p, p.text.data, p.text.len, &told) == 0) {
            fail_msg("byte %zu was changed and nobody saw", i);
        }
        p.text.data[i] ^= 1;
    }
    proof_release(&p);
}

static void test_of_another_plan(void **state) {
    (void)state;
    TASKFIT_STRBUF(told);
    proof p = proof_of(boxes);
    proof other = proof_of(leaf);
    assert_true(proof_check(&other, p.text.data, p.text.len, &told) > 0);
    proof_release(&other);
    p.plan->lower_bound++; /* a bound that was never proved */
    taskfit_strbuf_reset(&told);
    assert_true(proof_check(&p, p.text.data, p.text.len, &told) > 0);
    assert_non_null(strstr(told.data, "it is of another plan"));
    p.plan->lower_bound--;
    proof_release(&p);
}

static void test_no_plan_no_certificate(void **state) {
    (void)state;
    static const char file[] = CLUSTER("{name: main, types: [box], max: 1}")
        "policy: {rollingDeployment: none}\nservices: [{name: a, memory: 900, desiredCount: 3}]\n";
    taskfit_deployment *deployment = NULL;
    taskfit_plan *plan = NULL;
    taskfit_error err = {0};
    taskfit_parse_options options;
    taskfit_parse_options_init(&options);
    taskfit_settings settings;
    taskfit_settings_init(&settings);
    assert_int_equal(taskfit_deployment_parse("t.yaml", file, strlen(file), &options, &deployment, &err), TASKFIT_OK);
    assert_int_equal(taskfit_size(deployment, &settings, &plan, &err), TASKFIT_OK);
    assert_int_equal(taskfit_certify(plan, &settings, NULL, NULL, &err), TASKFIT_E_ARGUMENT);
    assert_non_null(strstr(err.message, "no certificate: there is no plan"));
    taskfit_plan_free(plan);
    taskfit_deployment_free(deployment);
}

/* ---- maxima against all contents ---- */

enum { N_RANDOM = 5 };

static uint64_t state_of_draw = 88172645463325252u;

static int64_t draw(int64_t low, int64_t high) {
    state_of_draw ^= state_of_draw << 13;
    state_of_draw ^= state_of_draw >> 7;
    state_of_draw ^= state_of_draw << 17;
    return low + (int64_t)(state_of_draw % (uint64_t)(high - low + 1));
}

static int64_t best_content(const taskfit_cert_rules *rules, const int64_t *price, size_t s, int64_t memory, int64_t cpu) {
    if (s == rules->n_services) {
        return 0;
    }
    const taskfit_cert_service *service = &rules->services[s];
    const int64_t most = service->single ? 1 : service->replicas;
    int64_t best = 0;
    for (int64_t n = 0; n <= most; n++) {
        const int64_t memory_left = memory - n * service->demand.amount[TASKFIT_RESOURCE_MEMORY];
        const int64_t cpu_left = cpu - n * service->demand.amount[TASKFIT_RESOURCE_CPU];
        if (memory_left >= 0 && cpu_left >= 0) {
            const int64_t worth = n * price[s * rules->n_azs] + best_content(rules, price, s + 1, memory_left, cpu_left);
            best = worth > best ? worth : best;
        }
    }
    return best;
}

static void test_maxima(void **state) {
    (void)state;
    for (int round = 0; round < 300; round++) {
        TASKFIT_STRBUF(file);
        taskfit_strbuf_adds(&file, CLUSTER("{name: main, types: [box]}") "policy: {spread: preferred}\nservices:\n");
        for (int s = 0; s < N_RANDOM; s++) {
            taskfit_strbuf_printf(&file, "- {name: s%d, cpu: %lld, memory: %lld, desiredCount: %lld%s}\n", s, (long long)draw(0, 1500),
                                  (long long)draw(6, 400), (long long)draw(1, 4),
                                  draw(0, 1) == 0 ? "" : ", placementConstraints: []");
        }
        taskfit_deployment *deployment = NULL;
        taskfit_error err = {0};
        taskfit_parse_options options;
        taskfit_parse_options_init(&options);
        assert_int_equal(taskfit_deployment_parse("r.yaml", file.data, file.len, &options, &deployment, &err), TASKFIT_OK);
        taskfit_arena *arena = taskfit_arena_new();
        const taskfit_cert_rules *rules = taskfit_cert_rules_new(deployment, TASKFIT_RUNG_PACKING, arena);
        int64_t price[2 * N_RANDOM];
        int64_t maximum[2];
        int64_t worth = 0;
        for (size_t s = 0; s < N_RANDOM; s++) {
            price[2 * s] = price[2 * s + 1] = draw(0, 1) == 0 ? draw(0, 50) : rules->services[s].demand.amount[TASKFIT_RESOURCE_MEMORY];
            worth += price[2 * s] * rules->services[s].replicas;
        }
        taskfit_cert_cut cut = {.price = price};
        taskfit_cert_sacks *sacks = taskfit_cert_sacks_new(arena);
        ASSERT_INT(taskfit_cert_worth(rules, &cut), worth);
        assert_true(taskfit_cert_maxima(rules, &cut, TASKFIT_CERT_EXACT, sacks, maximum, NULL));
        const int64_t best = best_content(rules, price, 0, 1000, 4096);
        ASSERT_INT(maximum[0], best);
        ASSERT_INT(maximum[1], best);
        const int64_t claim[2] = {best > 0 ? best - 1 : 0, best};
        cut.maximum = claim;
        assert_true(taskfit_cert_maxima(rules, &cut, TASKFIT_CERT_CHECK, sacks, maximum, NULL));
        ASSERT_INT(maximum[0], best);
        ASSERT_INT(maximum[1], best);
        assert_true(taskfit_cert_maxima(rules, &cut, TASKFIT_CERT_ROUGH, sacks, maximum, NULL));
        assert_true(maximum[0] >= best);
        taskfit_arena_free(arena);
        taskfit_deployment_free(deployment);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plans_have_one),       cmocka_unit_test(test_mutations_are_refused),
        cmocka_unit_test(test_every_cut_is_needed),  cmocka_unit_test(test_any_byte),
        cmocka_unit_test(test_of_another_plan),      cmocka_unit_test(test_no_plan_no_certificate),
        cmocka_unit_test(test_maxima),               cmocka_unit_test(test_split_by_az),
    };
    return RUN_TESTS(tests);
}
