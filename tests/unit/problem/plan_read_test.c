#include "unit.h"

#include "problem/plan.h"
#include "shop.h"

/* ---- helpers ---- */

static taskfit_plan *read_plan(const char *name, const char *text) {
    taskfit_plan *plan = NULL;
    taskfit_error err = {0};
    if (taskfit_plan_read(name, text, strlen(text), NULL, &plan, &err) != TASKFIT_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
    return plan;
}

static void tell(void *arg, const char *text) {
    (void)arg;
    print_message("%s\n", text);
}

static const char *as_text(const taskfit_node *root, bool json, taskfit_arena *arena) {
    TASKFIT_STRBUF(text);
    if (json) {
        taskfit_node_write_json(root, &text);
    } else {
        taskfit_node_write_yaml(root, &text);
    }
    return taskfit_arena_strdup(arena, text.data);
}

/* ---- reading ---- */

static void answer_is_read(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_plan *plan = read_plan("shop.json", shop_file("shop.json", arena));
    const taskfit_deployment *deployment = taskfit_plan_deployment(plan);
    ASSERT_INT(taskfit_plan_outcome(plan), TASKFIT_OPTIMAL);
    ASSERT_INT(taskfit_plan_instances(plan), 5);
    ASSERT_INT(taskfit_plan_lower_bound(plan), 5);
    ASSERT_INT(plan->rung, TASKFIT_RUNG_SPREAD);
    ASSERT_INT(plan->cost_usd_micros, 600000);
    ASSERT_INT(plan->cost_bound_usd_micros, 600000);
    ASSERT_INT(plan->n_goals, 3);
    assert_string_equal(plan->goals[1].goal, "cost");
    ASSERT_INT(plan->n_ladder, 2);
    ASSERT_INT(plan->ladder[0].instances, 5);
    assert_string_equal(plan->binding_resource, "ports");
    ASSERT_INT(plan->n_warnings, 1);
    assert_string_equal(plan->warnings[0].service, "batch");
    ASSERT_INT(plan->fleet->n_machines, 5);
    ASSERT_INT(plan->fleet->machines[0].n_tasks, 4);
    ASSERT_INT(plan->fleet->machines[4].group, 1);
    ASSERT_INT(plan->fleet->machines[4].tasks[0].service, 4);
    assert_string_equal(deployment->file, "shop.yaml");
    assert_string_equal(deployment->name, "shop");
    ASSERT_INT(strlen(deployment->sha256), 64);
    assert_null(deployment->scenario);
    taskfit_plan_free(plan);
    taskfit_arena_free(arena);
}

static void read_plan_passes_the_verifier(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_plan *plan = read_plan("shop.json", shop_file("shop.json", arena));
    taskfit_deployment *other = shop_deployment("registeredMemory: 4000", "registeredMemory: 3000", arena);
    taskfit_error err = {0};
    size_t n_broken = 99;
    ASSERT_INT(taskfit_plan_verify(plan, NULL, tell, NULL, &n_broken, &err), TASKFIT_OK);
    ASSERT_INT(n_broken, 0);
    ASSERT_INT(taskfit_plan_verify(plan, other, NULL, NULL, &n_broken, &err), TASKFIT_OK);
    assert_true(n_broken > 0);
    taskfit_deployment_free(other);
    taskfit_plan_free(plan);
    taskfit_arena_free(arena);
}

/* What is written of a read plan is what was read, but for the deployment, which is written in its normal form;
 * from then on nothing changes any more, in either format. */
static void writing_is_the_opposite_of_reading(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_plan *first = read_plan("shop.json", shop_file("shop.json", arena));
    taskfit_node *tree = taskfit_plan_tree(first, arena);
    for (size_t i = 0; i < tree->n; i++) {
        const char *key = tree->entries[i].key;
        if (strcmp(key, "deployment") != 0 && !taskfit_node_equal(tree->entries[i].value, taskfit_node_get(first->stated, key))) {
            fail_msg("%s: %s", key, as_text(tree->entries[i].value, true, arena));
        }
        assert_string_equal(key, first->stated->entries[i].key);
    }
    const char *json = as_text(tree, true, arena);
    taskfit_plan *second = read_plan("plan.json", json);
    assert_string_equal(as_text(taskfit_plan_tree(second, arena), true, arena), json);
    taskfit_plan *third = read_plan("plan.yaml", as_text(tree, false, arena));
    assert_string_equal(as_text(taskfit_plan_tree(third, arena), true, arena), json);
    taskfit_plan_free(third);
    taskfit_plan_free(second);
    taskfit_plan_free(first);
    taskfit_arena_free(arena);
}

/* The verifier names them; here they only have no struct. */
static void unknown_names_are_left_to_the_verifier(void **state) {
    (void)state;
    static const shop_edit edits[] = {{"fleet[0].tasks[0].service", "\"gone\""}, {"fleet[1].type", "\"own.gone\""}};
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_plan *plan = read_plan("shop.json", as_text(shop_plan(edits, 2, arena), true, arena));
    ASSERT_INT(plan->fleet->n_machines, 4);
    ASSERT_INT(plan->fleet->machines[0].n_tasks, 3);
    size_t n_broken = 0;
    taskfit_error err = {0};
    ASSERT_INT(taskfit_plan_verify(plan, NULL, NULL, NULL, &n_broken, &err), TASKFIT_OK);
    assert_true(n_broken >= 2);
    taskfit_plan_free(plan);
    taskfit_arena_free(arena);
}

static void repeated_services_are_joined(void **state) {
    (void)state;
    static const shop_edit edits[] = {{"fleet[0].tasks[3].service", "\"web\""}, {"deployment.edits", "[\"a=1\"]"}};
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_plan *plan = read_plan("shop.json", as_text(shop_plan(edits, 2, arena), true, arena));
    ASSERT_INT(plan->fleet->machines[0].n_tasks, 3);
    ASSERT_INT(plan->fleet->machines[0].tasks[0].count, 2);
    ASSERT_INT(plan->deployment->n_edits, 1);
    assert_string_equal(plan->deployment->edits[0], "a=1");
    taskfit_plan_free(plan);
    taskfit_arena_free(arena);
}

/* ---- refusing ---- */

static const struct {
    shop_edit edit;
    const char *where, *message;
} bad[] = {
    {{"schema", "\"taskfit.plan/2\""}, "shop.json: schema", "this taskfit reads taskfit.plan/1, not 'taskfit.plan/2'"},
    {{"schema", "-"}, "shop.json", "this is no plan ('schema: taskfit.plan/1' is missing)"},
    {{"deployment", "[]"}, "shop.json: deployment", "must be a map"},
    {{"deployment.resolved", "null"}, "shop.json: deployment.resolved", "must be a map"},
    {{"deployment.edits", "{}"}, "shop.json: deployment.edits", "must be a list"},
    {{"outcome", "\"best\""}, "shop.json: outcome", "unknown outcome 'best'"},
    {{"outcome", "\"infeasible\""}, "shop.json: reason", "must be a map"},
    {{"rung", "\"top\""}, "shop.json: rung", "unknown rung 'top'"},
    {{"instances", "-5"}, "shop.json: instances", "must be a whole number or null"},
    {{"instances", "5.5"}, "shop.json: instances", "must be a whole number or null"},
    {{"instances", "\"5\""}, "shop.json: instances", "must be a whole number or null"},
    {{"lowerBound", "[]"}, "shop.json: lowerBound", "must be a whole number or null"},
    {{"costUsdPerHour", "\"cheap\""}, "shop.json: costUsdPerHour", "must be dollars per hour such as \"3.427200\", not 'cheap'"},
    {{"goals", "5"}, "shop.json: goals", "must be a list"},
    {{"goals[1].proof", "\"surely\""}, "shop.json: goals[1].proof", "unknown proof 'surely'"},
    {{"goals[0]", "3"}, "shop.json: goals[0].goal", "must be a text"},
    {{"ladder[0].rung", "null"}, "shop.json: ladder[0].rung", "must be a text"},
    {{"ladder[1].reason", "\"none\""}, "shop.json: ladder[1].reason", "must be a map"},
    {{"ladder[1].reason", "{\"resource\": \"memory\"}"}, "shop.json: ladder[1].reason.message", "must be a text"},
    {{"binding", "[]"}, "shop.json: binding", "must be a map"},
    {{"binding.resource", "null"}, "shop.json: binding.resource", "must be a text"},
    {{"goals[0].bound", "[]"}, "shop.json: goals[0].bound", "must be a text or null"},
    {{"ladder", "{}"}, "shop.json: ladder", "must be a list"},
    {{"warnings", "\"\""}, "shop.json: warnings", "must be a list"},
    {{"fleet", "-"}, "shop.json: fleet", "must be a list"},
    {{"fleet[2].group", "-"}, "shop.json: fleet[2].group", "must be a text"},
    {{"fleet[2].tasks", "null"}, "shop.json: fleet[2].tasks", "must be a list"},
    {{"fleet[2].tasks[1].count", "\"many\""}, "shop.json: fleet[2].tasks[1].count", "must be a whole number"},
    {{"fleet[2].tasks[1].count", "2000001"}, "shop.json: fleet[2].tasks[1]", "the plan has more than 2,000,000 tasks"},
    {{"warnings[0].message", "{}"}, "shop.json: warnings[0].message", "must be a text"},
};

static void bad_plans_are_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        taskfit_arena *arena = taskfit_arena_new();
        const char *text = as_text(shop_plan(&bad[i].edit, 1, arena), true, arena);
        taskfit_plan *plan = NULL;
        taskfit_error err = {0};
        ASSERT_INT(taskfit_plan_read("shop.json", text, strlen(text), NULL, &plan, &err), TASKFIT_E_INPUT);
        assert_null(plan);
        assert_string_equal(err.where, bad[i].where);
        assert_string_equal(err.message, bad[i].message);
        taskfit_arena_free(arena);
    }
}

static void yaml_plans_give_lines(void **state) {
    (void)state;
    static const char text[] = "schema: taskfit.plan/1\ndeployment:\n  resolved: 7\n";
    taskfit_plan *plan = NULL;
    taskfit_error err = {0};
    ASSERT_INT(taskfit_plan_read("p.yaml", text, sizeof text - 1, NULL, &plan, &err), TASKFIT_E_INPUT);
    assert_string_equal(err.where, "p.yaml:3:13: deployment.resolved");
}

static void deployment_inside_is_validated(void **state) {
    (void)state;
    static const shop_edit edit = {"deployment.resolved.services[1].memory", "\"lots\""};
    taskfit_arena *arena = taskfit_arena_new();
    const char *text = as_text(shop_plan(&edit, 1, arena), true, arena);
    taskfit_plan *plan = NULL;
    taskfit_error err = {0};
    ASSERT_INT(taskfit_plan_read("shop.json", text, strlen(text), NULL, &plan, &err), TASKFIT_E_INPUT);
    assert_non_null(strstr(err.where, "shop.json: deployment.resolved"));
    assert_non_null(strstr(err.where, "services[1].memory"));
    taskfit_arena_free(arena);
}

static void plans_are_told_from_deployments(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool is_plan;
    } rows[] = {
        {"{\"schema\": \"taskfit.plan/1\"}", true},
        {"schema: taskfit.plan/9\n", true},
        {"a: 1\nschema: 'taskfit.plan/1'\n", true},
        {"taskfit: 1\n", false},
        {"taskfit: 1 # taskfit.plan/1\n", false},
        {"note: taskfit.plan/1\n", false},
        {"schema: [taskfit.plan/1]\n", false},
        {"schema: taskfit.check/1\n", false},
        {"- taskfit.plan/1\n", false},
        {"schema: 'taskfit.plan/1\n", false},
        {"taskfit.pla", false},
        {"", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ASSERT_INT(taskfit_is_plan(rows[i].text, strlen(rows[i].text)), rows[i].is_plan);
    }
}

static void words_are_read_and_written(void **state) {
    (void)state;
    for (int i = 0; i < TASKFIT_RUNG_COUNT; i++) {
        taskfit_rung rung = TASKFIT_RUNG_COUNT;
        assert_true(taskfit_rung_from_name(taskfit_rung_name((taskfit_rung)i), &rung));
        ASSERT_INT(rung, i);
    }
    taskfit_outcome outcome = TASKFIT_UNKNOWN;
    assert_true(taskfit_outcome_from_name("feasible", &outcome));
    ASSERT_INT(outcome, TASKFIT_FEASIBLE);
    assert_false(taskfit_outcome_from_name("Feasible", &outcome));
    taskfit_proof proof = TASKFIT_PROOF_NONE;
    assert_true(taskfit_proof_from_name("gap", &proof));
    ASSERT_INT(proof, TASKFIT_PROOF_GAP);
    assert_false(taskfit_proof_from_name("", &proof));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answer_is_read),
        cmocka_unit_test(read_plan_passes_the_verifier),
        cmocka_unit_test(writing_is_the_opposite_of_reading),
        cmocka_unit_test(unknown_names_are_left_to_the_verifier),
        cmocka_unit_test(repeated_services_are_joined),
        cmocka_unit_test(bad_plans_are_refused),
        cmocka_unit_test(yaml_plans_give_lines),
        cmocka_unit_test(deployment_inside_is_validated),
        cmocka_unit_test(plans_are_told_from_deployments),
        cmocka_unit_test(words_are_read_and_written),
    };
    return RUN_TESTS(tests);
}
