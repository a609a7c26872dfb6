#include "fuzz.h"

#include <string.h>

#include "problem/certificate.h"
#include "problem/plan.h"
#include "taskfit/certificate.h"

/* Certificates for one deployment whose rules ask for every case but the loss of an AZ. */
static const char file[] =
    "taskfit: 1\n"
    "cluster:\n"
    "  availabilityZones: [a, b]\n"
    "  instanceTypes:\n"
    "  - {type: box, vcpu: 4, registeredMemory: 1000, architecture: x86_64, usdPerHour: 0.5}\n"
    "  - {type: chest, vcpu: 4, registeredMemory: 2100, architecture: x86_64, usdPerHour: 0.9}\n"
    "  instanceGroups: [{name: main, types: [box, chest], mixed: true, max: 9}]\n"
    "policy: {rollingDeployment: allServices, surviveLoss: instance}\n"
    "services:\n"
    "  - {name: a, memory: 300, desiredCount: 4, placementConstraints: []}\n"
    "  - {name: b, memory: 450, desiredCount: 2, placementConstraints: [{type: distinctInstance}]}\n"
    "  - {name: c, memory: 300, desiredCount: 2, placementConstraints: [{type: memberOf, expression: 'not(task:group == service:b)'}]}\n";

static void tell(void *arg, const char *text) {
    (void)arg;
    fuzz_require(strncmp(text, "certificate: ", 13) == 0, "a defect says what it is about");
}

static bool cut_holds(const taskfit_cert_rules *rules, const taskfit_cert_cut *cut, taskfit_arena *arena) {
    taskfit_cert_sacks *sacks = taskfit_cert_sacks_new(arena);
    size_t node = 0;
    const char *why = NULL;
    if (cut->tree != NULL) {
        return taskfit_cert_tree_holds(rules, cut, TASKFIT_CERT_CHECK, sacks, &node, &why);
    }
    int64_t *maximum = TASKFIT_ARRAY(arena, rules->n_offers, int64_t);
    int64_t *beside = TASKFIT_ARRAY(arena, rules->n_offers, int64_t);
    bool holds = taskfit_cert_worth(rules, cut) == cut->worth &&
                 taskfit_cert_maxima(rules, cut, TASKFIT_CERT_CHECK, sacks, maximum, beside);
    for (size_t o = 0; o < rules->n_offers && holds; o++) {
        holds = maximum[o] <= cut->maximum[o] && (cut->beside == NULL || beside[o] <= cut->beside[o]);
    }
    return holds;
}

/* Whatever is read and holds does not refute the plan that there is. */
static void use(const taskfit_plan *plan, const taskfit_cert_rules *rules, const taskfit_cert *cert, taskfit_arena *arena) {
    for (size_t i = 0; i < cert->n_cuts; i++) {
        if (!cut_holds(rules, &cert->cuts[i], arena)) {
            return;
        }
    }
    taskfit_cert_fleets fleets = {.rules = rules,
                                  .cuts = cert->cuts,
                                  .n_cuts = cert->n_cuts,
                                  .bound = plan->instances + 1,
                                  .steps_left = TASKFIT_CERT_STEPS / 100};
    fuzz_require(!taskfit_cert_refute(&fleets, arena), "no certificate proves more than the plan");
}

/* Made once, as it takes longer than all else. */
static const taskfit_plan *the_plan(void) {
    static taskfit_plan *plan;
    taskfit_deployment *deployment = NULL;
    taskfit_error err = {.status = TASKFIT_OK};
    taskfit_parse_options options;
    taskfit_settings settings;
    taskfit_parse_options_init(&options);
    taskfit_settings_init(&settings);
    settings.ladder = false;
    if (plan == NULL) {
        fuzz_require(taskfit_deployment_parse("f", file, strlen(file), &options, &deployment, &err) == TASKFIT_OK &&
                         taskfit_size(deployment, &settings, &plan, &err) == TASKFIT_OK,
                     "there is a plan");
    }
    return plan;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const taskfit_plan *plan = the_plan();
    taskfit_error err = {.status = TASKFIT_OK};
    size_t n_broken = 0;
    fuzz_require(taskfit_certificate_check(plan, NULL, (const char *)data, size, tell, NULL, &n_broken, &err) == TASKFIT_OK,
                 "a certificate can be judged");
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_cert_rules *rules = taskfit_cert_rules_new(plan->deployment, plan->rung, arena);
    taskfit_node *root = NULL;
    taskfit_cert cert;
    if (taskfit_node_read_yaml(arena, "f", (const char *)data, size, &root, &err) == TASKFIT_OK &&
        taskfit_cert_read(root, rules, arena, &cert, &err) == TASKFIT_OK) {
        use(plan, rules, &cert, arena);
    }
    taskfit_arena_free(arena);
    return 0;
}
