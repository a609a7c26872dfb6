#include "unit.h"

#include <stdlib.h>

#include "base/rand.h"
#include "base/strbuf.h"
#include "parse.h"
#include "problem/plan.h"
#include "whatif/difference.h"

/* ---- plans that come from others ---- */

static taskfit_status size_from(const taskfit_deployment *deployment, const taskfit_plan *from, bool front, taskfit_plan **plan_out,
                                taskfit_error *err) {
    taskfit_settings settings;
    taskfit_settings_init(&settings);
    settings.time_limit_ms = 0;
    settings.work_limit = 200000000;
    settings.ladder = false;
    settings.from = from;
    settings.moves_front = front;
    return taskfit_size(deployment, &settings, plan_out, err);
}

static taskfit_plan *must_size(const taskfit_deployment *deployment, const taskfit_plan *from) {
    taskfit_plan *plan = NULL;
    taskfit_error err = {0};
    if (size_from(deployment, from, false, &plan, &err) != TASKFIT_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
    return plan;
}

static int append(void *sink, const char *data, size_t len) {
    taskfit_strbuf_add(sink, data, len);
    return 0;
}

static void complain(void *arg, const char *text) {
    (void)arg;
    print_error("%s\n", text);
}

static void write_plan(const taskfit_plan *plan, taskfit_plan_style style, taskfit_strbuf *out) {
    assert_int_equal(taskfit_plan_write(plan, style, false, append, out, NULL), TASKFIT_OK);
}

static taskfit_plan *read_plan(const char *name, const taskfit_strbuf *text) {
    taskfit_plan *plan = NULL;
    taskfit_error err = {0};
    if (taskfit_plan_read(name, text->data, text->len, NULL, &plan, &err) != TASKFIT_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
    return plan;
}

static const taskfit_plan_goal *goal_of(const taskfit_plan *plan, const char *name) {
    for (size_t i = 0; i < plan->n_goals; i++) {
        if (strcmp(plan->goals[i].goal, name) == 0) {
            return &plan->goals[i];
        }
    }
    fail_msg("the plan has no goal '%s'", name);
    return NULL;
}

/* ---- small cases ---- */

static const char two_boxes[] =
    "taskfit: 1\n"
    "cluster:\n"
    "  availabilityZones: [%s]\n"
    "  instanceTypes:\n"
    "    - {type: box, vcpu: 4, registeredMemory: 1000, architecture: x86_64, usdPerHour: 0.5}\n"
    "    - {type: crate, vcpu: 4, registeredMemory: 2000, architecture: x86_64, usdPerHour: 0.9}\n"
    "  instanceGroups: [{name: main, types: [%s]}]\n"
    "policy: {rollingDeployment: none, spread: preferred%s}\n"
    "services:\n%s";

#define SERVICE(name, mib, n) "  - {name: " name ", memory: " mib ", desiredCount: " n "}\n"

typedef struct change {
    const char *azs, *types, *policy, *services; /* of the new deployment */
    int64_t instances, tasks, of, starts, stops, n_new, n_removed;
} change;

/* From two boxes in us-east-1a: a 600 + c 300, b 600 + d 300. */
static const change changes[] = {
    /* nothing */
    {"us-east-1a", "box", "", SERVICE("a", "600", "1") SERVICE("b", "600", "1") SERVICE("c", "300", "1") SERVICE("d", "300", "1"),
     2, 0, 4, 0, 0, 0, 0},
    /* a service gone, another's count up, a third's down */
    {"us-east-1a", "box", "", SERVICE("a", "600", "1") SERVICE("b", "600", "2") SERVICE("c", "300", "0") SERVICE("e", "300", "1"),
     3, 0, 2, 2, 2, 1, 0},
    /* the type is gone: everything moves, though counted out of what could stay */
    {"us-east-1a", "crate", "", SERVICE("a", "600", "1") SERVICE("b", "600", "1") SERVICE("c", "300", "1") SERVICE("d", "300", "1"),
     1, 4, 4, 0, 0, 1, 2},
    /* so is the AZ */
    {"us-east-1b", "box", "", SERVICE("a", "600", "1") SERVICE("b", "600", "1") SERVICE("c", "300", "1") SERVICE("d", "300", "1"),
     2, 4, 4, 0, 0, 2, 2},
    /* smaller tasks: one box goes */
    {"us-east-1a", "box", "", SERVICE("a", "250", "1") SERVICE("b", "250", "1") SERVICE("c", "250", "1") SERVICE("d", "250", "1"),
     1, 2, 4, 0, 0, 0, 1},
    /* fewest moves before the number of instances */
    {"us-east-1a", "box", ", objective: [moves, count]",
     SERVICE("a", "250", "1") SERVICE("b", "250", "1") SERVICE("c", "250", "1") SERVICE("d", "250", "1"), 2, 0, 4, 0, 0, 0, 0},
    {"us-east-1a", "box", ", objective: [moves, cost]",
     SERVICE("a", "250", "1") SERVICE("b", "250", "1") SERVICE("c", "250", "1") SERVICE("d", "250", "1"), 2, 0, 4, 0, 0, 0, 0},
};

static void what_changes_is_counted(void **state) {
    (void)state;
    taskfit_deployment *old = parse_deployment(two_boxes, "us-east-1a", "box", "",
                                               SERVICE("a", "600", "1") SERVICE("b", "600", "1") SERVICE("c", "300", "1") SERVICE("d", "300", "1"));
    taskfit_plan *from = must_size(old, NULL);
    ASSERT_INT(from->instances, 2);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const change *row = &changes[i];
        taskfit_deployment *new = parse_deployment(two_boxes, row->azs, row->types, row->policy, row->services);
        taskfit_plan *plan = must_size(new, from);
        int64_t n_new = 0;
        for (size_t m = 0; m < plan->fleet->n_machines; m++) {
            n_new += plan->moves->was[m] == NULL ? 1 : 0;
        }
        ASSERT_INT(plan->outcome, TASKFIT_OPTIMAL);
        ASSERT_INT(plan->instances, row->instances);
        ASSERT_INT(plan->moves->tasks, row->tasks);
        ASSERT_INT(plan->moves->of, row->of);
        ASSERT_INT(plan->moves->kept, row->of - row->tasks);
        ASSERT_INT(plan->moves->starts, row->starts);
        ASSERT_INT(plan->moves->stops, row->stops);
        ASSERT_INT(plan->moves->n_removed, row->n_removed);
        ASSERT_INT(n_new, row->n_new);
        ASSERT_INT(atoll(goal_of(plan, "moves")->value), row->tasks);
        assert_string_equal(goal_of(plan, "moves")->bound, goal_of(plan, "moves")->value);
        ASSERT_INT(goal_of(plan, "moves")->proof, TASKFIT_PROOF_EXACT);
        assert_null(plan->moves->no_order);
        ASSERT_INT(plan->moves->n_steps, row->tasks + row->starts + row->stops);
        taskfit_plan_free(plan);
        taskfit_deployment_free(new);
    }
    taskfit_plan_free(from);
    taskfit_deployment_free(old);
}

static void goals_stand_in_order(void **state) {
    (void)state;
    static const struct {
        const char *policy, *goals[4];
    } row[] = {
        {"", {"count", "cost", "moves", "balance"}},
        {", objective: [cost, count]", {"cost", "count", "moves"}},
        {", objective: [balance, count]", {"moves", "balance", "count"}},
        {", objective: [count, balance, moves]", {"count", "balance", "moves"}},
        {", objective: [cost, moves, count]", {"cost", "moves", "count"}},
    };
    taskfit_deployment *old = parse_deployment(two_boxes, "us-east-1a", "box", "", SERVICE("a", "600", "3") SERVICE("b", "300", "2"));
    taskfit_plan *from = must_size(old, NULL);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        taskfit_deployment *new = parse_deployment(two_boxes, "us-east-1a", "box", row[i].policy, SERVICE("a", "500", "3") SERVICE("b", "300", "2"));
        taskfit_plan *plan = must_size(new, from);
        for (size_t g = 0; g < 4 && row[i].goals[g]; g++) {
            assert_true(g < plan->n_goals);
            assert_string_equal(plan->goals[g].goal, row[i].goals[g]);
        }
        taskfit_plan_free(plan);
        taskfit_deployment_free(new);
    }
    taskfit_plan_free(from);
    taskfit_deployment_free(old);
}

static void what_cannot_be_come_from_is_refused(void **state) {
    (void)state;
    taskfit_deployment *deployment = parse_deployment(two_boxes, "us-east-1a", "box", ", objective: [count, moves]", SERVICE("a", "600", "1"));
    taskfit_deployment *plain = parse_deployment(two_boxes, "us-east-1a", "box", "", SERVICE("a", "600", "1"));
    taskfit_deployment *large = parse_deployment(two_boxes, "us-east-1a", "box", "", SERVICE("a", "6000", "1"));
    taskfit_plan *nothing = must_size(large, NULL);
    taskfit_plan *from = must_size(plain, NULL);
    taskfit_plan *plan = NULL;
    taskfit_error err = {0};
    ASSERT_INT(size_from(deployment, NULL, false, &plan, &err), TASKFIT_E_ARGUMENT);
    assert_non_null(strstr(err.message, "--from"));
    err = (taskfit_error){0};
    ASSERT_INT(size_from(plain, NULL, true, &plan, &err), TASKFIT_E_ARGUMENT);
    err = (taskfit_error){0};
    ASSERT_INT(size_from(deployment, nothing, false, &plan, &err), TASKFIT_E_INPUT);
    assert_non_null(strstr(err.message, "no placement"));
    from->fleet->machines[0].id = "spare";
    err = (taskfit_error){0};
    ASSERT_INT(size_from(deployment, from, false, &plan, &err), TASKFIT_E_INPUT);
    assert_null(plan);
    taskfit_plan_free(from);
    taskfit_plan_free(nothing);
    taskfit_deployment_free(large);
    taskfit_deployment_free(plain);
    taskfit_deployment_free(deployment);
}

static void sizes_that_change_are_warned_of(void **state) {
    (void)state;
    taskfit_deployment *old = parse_deployment(two_boxes, "us-east-1a", "box", "", SERVICE("a", "600", "1") SERVICE("b", "300", "1"));
    taskfit_deployment *new = parse_deployment(two_boxes, "us-east-1a", "box", "", SERVICE("a", "500", "1") SERVICE("b", "300", "1"));
    taskfit_plan *from = must_size(old, NULL);
    taskfit_plan *plan = must_size(new, from);
    bool warned = false;
    for (size_t i = 0; i < plan->n_warnings; i++) {
        if (strcmp(plan->warnings[i].code, "MOVES001") == 0) {
            warned = strstr(plan->warnings[i].message, ": a") != NULL && strstr(plan->warnings[i].message, ", b") == NULL;
        }
    }
    assert_true(warned);
    taskfit_plan_free(plan);
    taskfit_plan_free(from);
    taskfit_deployment_free(new);
    taskfit_deployment_free(old);
}

static void more_instances_never_need_more_moves_here(void **state) {
    (void)state;
    taskfit_deployment *old = parse_deployment(two_boxes, "us-east-1a", "box", "", SERVICE("a", "600", "4") SERVICE("b", "300", "4"));
    taskfit_deployment *new = parse_deployment(two_boxes, "us-east-1a", "box", "", SERVICE("a", "300", "4") SERVICE("b", "150", "4"));
    taskfit_plan *from = must_size(old, NULL);
    taskfit_plan *plan = NULL;
    ASSERT_INT(size_from(new, from, true, &plan, NULL), TASKFIT_OK);
    ASSERT_INT(plan->n_front, from->instances - plan->instances + 1);
    for (size_t i = 0; i < plan->n_front; i++) {
        ASSERT_INT(plan->front[i].instances, plan->instances + (int64_t)i);
        ASSERT_INT(plan->front[i].cost_usd_micros, plan->front[i].instances * 500000);
        assert_true(i == 0 || plan->front[i].tasks <= plan->front[i - 1].tasks);
    }
    ASSERT_INT(plan->front[0].tasks, plan->moves->tasks);
    ASSERT_INT(plan->front[plan->n_front - 1].tasks, 0);
    taskfit_plan_free(plan);
    taskfit_plan_free(from);
    taskfit_deployment_free(new);
    taskfit_deployment_free(old);
}

/* ---- random ones ---- */

typedef struct shape {
    size_t n_azs, groups, n_services, first_service; /* services s<first> .. */
    size_t policy;
    int64_t memory_mib[8], n_tasks[8];
    bool distinct[8], port[8];
} shape;

static void roll_service(taskfit_rand *dice, shape *s, size_t i) {
    s->memory_mib[i] = 50 + (int64_t)taskfit_rand_below(dice, 600);
    s->n_tasks[i] = 1 + (int64_t)taskfit_rand_below(dice, 4);
    s->distinct[i] = taskfit_rand_below(dice, 4) == 0;
    s->port[i] = taskfit_rand_below(dice, 6) == 0;
}

static shape roll(taskfit_rand *dice) {
    shape s = {.n_azs = 1 + taskfit_rand_below(dice, 2), .groups = taskfit_rand_below(dice, 4), .n_services = 2 + taskfit_rand_below(dice, 5)};
    s.policy = taskfit_rand_below(dice, 5);
    for (size_t i = 0; i < 8; i++) {
        roll_service(dice, &s, i);
    }
    return s;
}

static shape change_of(taskfit_rand *dice, shape s) {
    for (size_t i = 0; i < 8; i++) {
        switch (taskfit_rand_below(dice, 6)) {
        case 0: s.memory_mib[i] = 50 + (int64_t)taskfit_rand_below(dice, 600); break;
        case 1: s.n_tasks[i] = (int64_t)taskfit_rand_below(dice, 5); break;
        default: break;
        }
    }
    s.first_service = taskfit_rand_below(dice, 3);
    s.n_azs = taskfit_rand_below(dice, 4) == 0 ? 3 - s.n_azs : s.n_azs;
    s.groups = taskfit_rand_below(dice, 3) == 0 ? taskfit_rand_below(dice, 4) : s.groups;
    s.policy = taskfit_rand_below(dice, 10);
    return s;
}

static taskfit_deployment *deployment_of(const shape *s) {
    static const char *const policies[] = {
        "rollingDeployment: none, spread: preferred",
        "rollingDeployment: none",
        "rollingDeployment: oneService",
        "rollingDeployment: none, surviveLoss: instance",
        "rollingDeployment: none, spread: preferred, headroom: {memoryPercent: 5}",
        "rollingDeployment: none, spread: preferred, objective: [moves, count, cost]",
        "rollingDeployment: none, objective: [cost, moves, count]",
        "rollingDeployment: none, spread: preferred, objective: [count, moves, cost, balance]",
        "rollingDeployment: none, spread: preferred, objective: [balance, moves]",
        "rollingDeployment: none, spread: preferred, antiAffinity: [[s1, s2, s3]]",
    };
    static const char *const groups[] = {
        "{name: main, types: [t]}",
        "{name: main, mixed: true, types: [t, u]}",
        "{name: main, types: [t]}, {name: side, types: [u]}",
        "{name: side, types: [u, t]}",
    };
    TASKFIT_STRBUF(text);
    taskfit_strbuf_printf(&text, "taskfit: 1\ncluster:\n  availabilityZones: [%s]\n", s->n_azs == 1 ? "a" : "a, b");
    taskfit_strbuf_printf(&text,
                          "  instanceTypes:\n"
                          "    - {type: t, vcpu: 2, registeredMemory: 1000, architecture: arm64, usdPerHour: 1}\n"
                          "    - {type: u, vcpu: 4, registeredMemory: 1700, architecture: arm64, usdPerHour: 1.5}\n"
                          "  instanceGroups: [%s]\npolicy: {%s}\nservices:\n",
                          groups[s->groups], policies[s->policy]);
    for (size_t i = s->first_service; i < s->first_service + s->n_services; i++) {
        taskfit_strbuf_printf(&text, "  - {name: s%zu, memory: %lld, desiredCount: %lld%s%s}\n", i, (long long)s->memory_mib[i % 8],
                              (long long)s->n_tasks[i % 8], s->distinct[i % 8] ? ", placementConstraints: [{type: distinctInstance}]" : "",
                              s->port[i % 8] ? ", portMappings: [{containerPort: 80, hostPort: 80}]" : "");
    }
    return parse_deployment("%s", text.data);
}

/* What is written is read and written again the same; moves are what diff counts; and who knows both plans agrees. */
static void check_pair(const taskfit_plan *from, const taskfit_plan *plan) {
    TASKFIT_STRBUF(old_text);
    TASKFIT_STRBUF(text);
    TASKFIT_STRBUF(again);
    write_plan(from, TASKFIT_STYLE_JSON, &old_text);
    write_plan(plan, TASKFIT_STYLE_YAML, &text);
    taskfit_plan *old_read = read_plan("old.json", &old_text);
    taskfit_plan *read = read_plan("new.yaml", &text);
    write_plan(read, TASKFIT_STYLE_YAML, &again);
    assert_string_equal(again.data, text.data);
    size_t n_broken = 0;
    assert_int_equal(taskfit_plan_verify_from(read, NULL, old_read, complain, NULL, &n_broken), TASKFIT_OK);
    ASSERT_INT(n_broken, 0);
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_difference difference = taskfit_difference_of(from, plan, arena);
    ASSERT_INT(difference.n_kept, plan->moves->kept);
    ASSERT_INT(difference.n_moved, plan->moves->tasks);
    taskfit_arena_free(arena);
    taskfit_plan_free(read);
    taskfit_plan_free(old_read);
}

static void random_changes_are_come_to(void **state) {
    (void)state;
    enum { CASES = 200 };
    taskfit_rand dice = taskfit_rand_seeded(5);
    int n_ordered = 0;
    int n_proved = 0;
    int n_checked = 0;
    for (int i = 0; i < CASES; i++) {
        const shape before = roll(&dice);
        const shape after = change_of(&dice, before);
        taskfit_deployment *old = deployment_of(&before);
        taskfit_deployment *new = deployment_of(&after);
        taskfit_plan *from = must_size(old, NULL);
        if (from->instances >= 0) {
            taskfit_plan *plan = must_size(new, from);
            if (plan->instances >= 0) {
                check_pair(from, plan);
                n_checked++;
                n_ordered += plan->moves->no_order == NULL;
                n_proved += goal_of(plan, "moves")->proof == TASKFIT_PROOF_EXACT;
            }
            taskfit_plan_free(plan);
        }
        taskfit_plan_free(from);
        taskfit_deployment_free(new);
        taskfit_deployment_free(old);
    }
    print_message("%d checked, %d ordered, %d proved\n", n_checked, n_ordered, n_proved);
    assert_true(n_checked > CASES / 2);
    assert_true(n_ordered > n_checked / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_changes_is_counted),
        cmocka_unit_test(goals_stand_in_order),
        cmocka_unit_test(what_cannot_be_come_from_is_refused),
        cmocka_unit_test(sizes_that_change_are_warned_of),
        cmocka_unit_test(more_instances_never_need_more_moves_here),
        cmocka_unit_test(random_changes_are_come_to),
    };
    return RUN_TESTS(tests);
}
