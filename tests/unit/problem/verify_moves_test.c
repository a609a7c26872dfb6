/* The verifier on what a plan says of a given one: sound at first, then with one slip each. */

#include "unit.h"

#include "base/strbuf.h"
#include "parse.h"
#include "problem/plan.h"
#include "shop.h"

/*
 * Boxes of 1000 MiB. The given plan: main-1 holds b and c, main-2 holds a, main-3 holds e. The plan: main-1 holds a and c,
 * main-2 holds b and d. a and b (600 each) change places by way of a spare box, e stops, d starts.
 */
static const char cluster[] =
    "taskfit: 1\n"
    "cluster:\n"
    "  availabilityZones: [us-east-1a]\n"
    "  instanceTypes: [{type: box, vcpu: 4, registeredMemory: 1000, architecture: x86_64, usdPerHour: 0.5}]\n"
    "  instanceGroups: [{name: main, types: [box]}]\n"
    "policy: {rollingDeployment: none, spread: preferred}\n"
    "services:\n%s";

static const char services_before[] = "  - {name: a, memory: 600}\n  - {name: b, memory: 600}\n  - {name: c, memory: 300}\n  - {name: e, memory: 300}\n";
static const char services_after[] = "  - {name: a, memory: 600}\n  - {name: b, memory: 600}\n  - {name: c, memory: 300}\n  - {name: d, memory: 300}\n";

#define BOX(id, tasks) \
    "{\"id\": \"" id "\", \"group\": \"main\", \"type\": \"box\", \"availabilityZone\": \"us-east-1a\", \"tasks\": [" tasks "]}"
#define TASK(name) "{\"service\": \"" name "\", \"count\": 1}"

#define ROW(instances, moves, bound, proof, hour, month) \
    "{\"instances\": " instances ", \"moves\": " moves ", \"bound\": " bound ", \"proof\": \"" proof "\", \"costUsdPerHour\": " hour \
    ", \"costUsdPerMonth\": " month "}"
static const char front[] = "[" ROW("2", "2", "2", "exact", "\"1.000000\"", "\"730.00\"") ","
                            ROW("3", "0", "0", "exact", "\"1.500000\"", "\"1095.00\"") "]";

static const char given_fleet[] =
    "[" BOX("main-1", TASK("b") "," TASK("c")) "," BOX("main-2", TASK("a")) "," BOX("main-3", TASK("e")) "]";

#define STEP(step, action, service, from, to) \
    "{\"step\": " step ", \"action\": \"" action "\", \"service\": \"" service "\", \"from\": " from ", \"to\": " to "}"

static const char moves[] =
    "{\"from\": {\"file\": \"old.json\", \"sha256\": null, \"instances\": 3}, \"tasks\": 2, \"of\": 3, \"kept\": 1, \"starts\": 1, \"stops\": 1,"
    "\"instances\": [{\"id\": \"main-1\", \"was\": \"main-1\"}, {\"id\": \"main-2\", \"was\": \"main-2\"}], \"removed\": [\"main-3\"],"
    "\"order\": [" STEP("1", "stop", "e", "\"main-3\"", "null") "," STEP("2", "move", "b", "\"main-1\"", "\"spare\"") ","
    STEP("3", "move", "a", "\"main-2\"", "\"main-1\"") "," STEP("4", "move", "b", "\"spare\"", "\"main-2\"") ","
    STEP("5", "start", "d", "null", "\"main-2\"") "],"
    "\"noOrder\": null, \"waitingOn\": [], \"spareInstance\": {\"group\": \"main\", \"type\": \"box\", \"availabilityZone\": \"us-east-1a\", \"message\": \"one box\"}}";

#define WAIT(id, type) "{\"id\": \"" id "\", \"group\": \"main\", \"type\": \"" type "\", \"availabilityZone\": \"us-east-1a\"}"
#define ON_MAIN_3 {"moves.waitingOn", "[" WAIT("main-3", "box") "]"}, {"moves.order[1].to", "\"main-3\""}, {"moves.order[3].from", "\"main-3\""}

typedef struct slip {
    shop_edit edits[4]; /* of the plan, or of the given one */
    const char *expected; /* one of the verifier's lines */
} slip;

static const slip slips[] = {
    /* figures */
    {{{"moves.tasks", "1"}}, "moves: kept and tasks are not 'of' together (rule: figures)"},
    {{{"moves.tasks", "1"}, {"moves.kept", "2"}}, "moves: kept is stated as 2, computed as 1 (rule: figures)"},
    {{{"moves.tasks", "1"}, {"moves.kept", "2"}}, "moves: 1 tasks are stated to move, the steps move 2 (rule: figures)"},
    {{{"moves.starts", "0"}}, "moves: starts is stated as 0, computed as 1 (rule: figures)"},
    {{{"moves.stops", "2"}}, "moves: stops is stated as 2, computed as 1 (rule: figures)"},
    {{{"moves.from.instances", "4"}}, "moves: from.instances is stated as 4, computed as 3 (rule: figures)"},
    {{{"moves.of", "\"3\""}}, "moves: a figure is no whole number, or 'removed' no list (rule: document)"},
    {{{"goals[2].value", "\"1\""}, {"goals[2].bound", "\"1\""}}, "plan: goals[2].value is stated as 1, computed as 2 (rule: figures)"},
    {{{"goals[2].bound", "\"3\""}}, "plan: goals[2].bound is above the moves of the plan, or no number (rule: bound)"},
    {{{"goals[2].bound", "\"1\""}}, "plan: goals[2] is called proved, but its bound is not its value (rule: bound)"},
    {{{"goals[2].goal", "\"balance\""}}, "plan: goals[2].goal is stated as balance, computed as moves (rule: figures)"},
    /* who is who */
    {{{"moves.instances[0].was", "null"}}, "moves: from.instances is stated as 3, computed as 2 (rule: figures)"},
    {{{"moves.instances[0].was", "\"main-3\""}}, "moves: 'main-3' of the given plan is told of twice (rule: document)"},
    {{{"moves.instances[1].id", "\"main-1\""}},
     "moves: instances[1] is 'main-1', which is no instance of the fleet, or is told of twice (rule: document)"},
    {{{"moves.instances", "[]"}}, "moves: 'instances' is not a list of all of the fleet (rule: document)"},
    {{{"moves.instances[0].was", "null"}, {"moves.removed", "[\"main-1\", \"main-3\"]"}},
     "moves: 'main-1' would hold 1 tasks of 'c' before the first step, but is new (rule: moves)"},
    /* steps */
    {{{"moves.order[2]", "-"}}, "moves: order[2] has another number, an unknown action or no service (rule: document)"},
    {{{"moves.order[4]", "-"}}, "moves: starts is stated as 1, computed as 0 (rule: figures)"},
    {{{"moves.order[4].service", "\"c\""}}, "moves: after step 5 no task of 'c' stands on 'main-2' (rule: moves)"},
    {{{"moves.order[4].service", "\"e\""}}, "moves: step 5: unknown service 'e' (rule: service)"},
    {{{"moves.order[0].from", "\"main-9\""}},
     "moves: step 1 goes from 'main-9', which is no instance of the given plan (rule: document)"},
    {{{"moves.order[2].to", "\"main-3\""}}, "moves: step 3 goes to 'main-3', which is no instance of this plan (rule: document)"},
    {{{"moves.order[0].to", "\"main-1\""}}, "moves: a stop has no 'to' (rule: document)"},
    {{{"moves.order[1].action", "\"stop\""}}, "moves: a stop has no 'to' (rule: document)"},
    {{{"moves.order[4].from", "\"main-1\""}}, "moves: a start has no 'from' (rule: document)"},
    {{{"moves.order[4]", STEP("5", "stop", "e", "\"main-3\"", "null")}}, "moves: step 5 is a stop behind a move (rule: moves)"},
    {{{"moves.order[2].from", "\"main-1\""}}, "moves: step 3 goes nowhere (rule: moves)"},
    {{{"moves.order[1].to", "\"main-2\""}, {"moves.order[3].from", "\"main-2\""}},
     "moves: step 2: memory of 'main-2' is 1,200 of 1,000 with 'b' (rule: capacity)"},
    {{{"moves.order[3].service", "\"a\""}}, "moves: after step 4 no task of 'a' stands on 'main-2' (rule: moves)"},
    {{{"moves.order[3].from", "\"main-1\""}}, "moves: after step 2 no task of 'b' stands on 'spare' (rule: moves)"},
    {{{"moves.order", "null"}}, "moves: there is no order, and no reason for it (rule: document)"},
    {{{"moves.spareInstance.type", "\"crate\""}}, "moves: 'spareInstance' is none the deployment could have (rule: document)"},
    /* waiting on an instance that goes */
    {{{"moves.order[1].to", "\"main-3\""}}, "moves: step 2 goes to 'main-3', which is no instance of this plan (rule: document)"},
    {{{"moves.waitingOn", "[" WAIT("main-2", "box") "]"}}, "moves: 'waitingOn' is not a list of instances that go (rule: document)"},
    {{{"moves.waitingOn", "[" WAIT("main-3", "crate") "]"}}, "moves: 'waitingOn' is not a list of instances that go (rule: document)"},
    {{{"moves.waitingOn", "[" WAIT("main-3", "box") "]"}, {"moves.order[1].to", "\"main-3\""}},
     "moves: after step 2 no task of 'b' stands on 'main-3' (rule: moves)"},
    /* moves against instances */
    {{{"movesFront[0].moves", "1"}}, "movesFront[0]: not the moves and the price of the plan (rule: figures)"},
    {{{"movesFront[0].moves", "1"}}, "movesFront[0]: moves, bound and proof do not agree (rule: bound)"},
    {{{"movesFront[1].instances", "4"}},
     "movesFront[1]: another number of instances, an unknown proof, or moves out of range (rule: document)"},
    {{{"movesFront[1].proof", "\"sure\""}},
     "movesFront[1]: another number of instances, an unknown proof, or moves out of range (rule: document)"},
    {{{"movesFront[1].costUsdPerMonth", "\"1.00\""}}, "movesFront[1]: the prices do not agree (rule: figures)"},
    {{{"movesFront[1].moves", "null"}}, "movesFront[1]: the prices do not agree (rule: figures)"},
    {{{"movesFront[1].proof", "\"infeasible\""}}, "movesFront[1]: moves, bound and proof do not agree (rule: bound)"},
    /* the spare instance */
    {{{"moves.spareInstance", "null"}}, "moves: step 2 goes to 'spare', which is no instance of this plan (rule: document)"},
};

/* Slips that only the given plan brings to light: of the plan itself when the path begins with "moves", else of the given one. */
static const slip slips_of_given[] = {
    {{{"fleet[0].tasks[1]", "-"}}, "moves: 'main-1' of the given plan holds 0 tasks of 'c', the steps begin with 1 (rule: moves)"},
    {{{"fleet[1].tasks", "+" TASK("c")}}, "moves: 'main-2' of the given plan holds 1 tasks of 'c', the steps begin with 0 (rule: moves)"},
    {{{"fleet[2]", "-"}}, "moves: the given plan has 2 instances, 3 are told of (rule: moves)"},
    {{{"fleet[2].id", "\"main-7\""}}, "moves: 'main-7' of the given plan is not told of (rule: moves)"},
    {{{"fleet[0].availabilityZone", "\"us-east-1z\""}},
     "moves: 'main-1' cannot have been 'main-1': availabilityZone 'us-east-1a' was 'us-east-1z' (rule: moves)"},
    {{{"moves.from.sha256", "\"00\""}}, "moves: from.sha256 is that of another file (rule: moves)"},
    {{ON_MAIN_3, {"fleet[2].tasks", "[" TASK("c") "," TASK("a") "]"}}, "moves: 'main-3' of the given plan holds 1 tasks of 'a', the steps begin with 0 (rule: moves)"},
    {{ON_MAIN_3, {"fleet[2].availabilityZone", "\"us-east-1z\""}},
     "moves: 'main-3' cannot have been 'main-3': availabilityZone 'us-east-1a' was 'us-east-1z' (rule: moves)"},
    {{{"moves", "-"}}, "moves: the plan does not say from what it was made (rule: moves)"},
    {{{"moves.order", "null"}, {"moves.noOrder", "\"none\""}, {"moves.stops", "2"}}, "moves: stops is stated as 2, computed as 1 (rule: figures)"},
};


static void keep_line(void *arg, const char *text) {
    taskfit_strbuf_printf(arg, "%s\n", text);
}

#define GOAL(name, figure) "{\"goal\": \"" name "\", \"value\": \"" figure "\", \"bound\": \"" figure "\", \"proof\": \"exact\"}"

/* The plan as sized, with the moves above. */
static taskfit_node *document_of(const taskfit_deployment *after, taskfit_arena *arena) {
    taskfit_plan *plan = size_deployment(after);
    ASSERT_INT(plan->instances, 2);
    taskfit_node *document = taskfit_plan_tree(plan, arena);
    TASKFIT_STRBUF(json);
    taskfit_node_write_json(document, &json);
    taskfit_plan_free(plan);
    document = shop_json(json.data, arena);
    const shop_edit edits[] = {
        {"moves", moves},
        {"movesFront", front},
        {"goals", "[" GOAL("count", "2") "," GOAL("cost", "1.000000") "," GOAL("moves", "2") "," GOAL("balance", "0.1000") "]"},
        {"fleet[0].tasks", "[" TASK("a") "," TASK("c") "]"},
        {"fleet[1].tasks", "[" TASK("b") "," TASK("d") "]"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        shop_apply(document, &edits[i], arena);
    }
    return document;
}

static void check_line(const taskfit_strbuf *lines, const char *expected, size_t row) {
    const char *at = strstr(lines->data, expected);
    if (!at || at[strlen(expected)] != '\n') {
        fail_msg("row %zu: '%s' is not said, but:\n%s", row, expected, lines->data);
    }
}

static void a_sound_document_passes(void **state) {
    (void)state;
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_deployment *after = parse_deployment(cluster, services_after);
    TASKFIT_STRBUF(lines);
    const size_t n_broken = taskfit_verify(document_of(after, arena), after, keep_line, &lines);
    if (n_broken > 0) {
        fail_msg("%s", lines.data);
    }
    taskfit_deployment_free(after);
    taskfit_arena_free(arena);
}

static void every_slip_is_told(void **state) {
    (void)state;
    taskfit_deployment *after = parse_deployment(cluster, services_after);
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        taskfit_arena *arena = taskfit_arena_new();
        taskfit_node *document = document_of(after, arena);
        TASKFIT_STRBUF(lines);
        for (size_t e = 0; e < 4 && slips[i].edits[e].path; e++) {
            shop_apply(document, &slips[i].edits[e], arena);
        }
        (void)taskfit_verify(document, after, keep_line, &lines);
        check_line(&lines, slips[i].expected, i);
        taskfit_arena_free(arena);
    }
    taskfit_deployment_free(after);
}

static taskfit_plan *read_back(const taskfit_node *document, const char *name) {
    TASKFIT_STRBUF(json);
    taskfit_node_write_json(document, &json);
    taskfit_plan *plan = NULL;
    taskfit_error err = {0};
    if (taskfit_plan_read(name, json.data, json.len, NULL, &plan, &err) != TASKFIT_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
    return plan;
}

/* Checks the pair, with the edits on their documents; `expected` NULL: nothing is wrong. */
static void check_pair(const slip *row, size_t index) {
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_deployment *before = parse_deployment(cluster, services_before);
    taskfit_deployment *after = parse_deployment(cluster, services_after);
    taskfit_plan *sized = size_deployment(before);
    taskfit_node *given = taskfit_plan_tree(sized, arena);
    taskfit_node *document = document_of(after, arena);
    shop_apply(given, &(shop_edit){"fleet", given_fleet}, arena);
    for (size_t e = 0; e < 4 && row->edits[e].path; e++) {
        shop_apply(strncmp(row->edits[e].path, "moves", 5) == 0 ? document : given, &row->edits[e], arena);
    }
    taskfit_plan *plan = read_back(document, "new.json");
    taskfit_plan *from = read_back(given, "old.json");
    TASKFIT_STRBUF(lines);
    size_t n_broken = 0;
    assert_int_equal(taskfit_plan_verify_from(plan, NULL, from, keep_line, &lines, &n_broken), TASKFIT_OK);
    if (row->expected) {
        check_line(&lines, row->expected, index);
    } else if (n_broken > 0) {
        fail_msg("%s", lines.data);
    }
    taskfit_plan_free(from);
    taskfit_plan_free(plan);
    taskfit_plan_free(sized);
    taskfit_deployment_free(after);
    taskfit_deployment_free(before);
    taskfit_arena_free(arena);
}

static void the_given_plan_itself_is_held_against_it(void **state) {
    (void)state;
    check_pair(&(slip){.expected = NULL}, 0);
    check_pair(&(slip){.edits = {{"moves.order", "null"}, {"moves.noOrder", "\"none\""}}}, 0);
    check_pair(&(slip){.edits = {ON_MAIN_3}}, 0);
    for (size_t i = 0; i < sizeof slips_of_given / sizeof *slips_of_given; i++) {
        check_pair(&slips_of_given[i], i);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_document_passes),
        cmocka_unit_test(every_slip_is_told),
        cmocka_unit_test(the_given_plan_itself_is_held_against_it),
    };
    return RUN_TESTS(tests);
}
