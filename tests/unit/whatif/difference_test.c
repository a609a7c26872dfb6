#include "unit.h"

#include "whatif/difference.h"

/* Placements by hand: machines of group 0, type 0, AZ 0, each a text of services, "aab". */
static taskfit_deployment *parse(const char *services) {
    TASKFIT_STRBUF(text);
    taskfit_strbuf_printf(&text, "taskfit: 1\ncluster: {instanceGroups: [{name: main, types: [r7g.2xlarge]}]}\nservices: [%s]\n", services);
    taskfit_deployment *deployment = NULL;
    assert_int_equal(taskfit_deployment_parse("x.yaml", text.data, text.len, NULL, &deployment, NULL), TASKFIT_OK);
    return deployment;
}

static taskfit_plan *place(taskfit_arena *arena, const taskfit_deployment *deployment, const char *const *machines, size_t n) {
    taskfit_plan *plan = TASKFIT_NEW(arena, taskfit_plan);
    plan->deployment = deployment;
    plan->instances = (int64_t)n;
    plan->fleet = TASKFIT_NEW(arena, taskfit_fleet);
    plan->fleet->n_machines = n;
    plan->fleet->machines = TASKFIT_ARRAY(arena, n, taskfit_machine);
    for (size_t m = 0; m < n; m++) {
        taskfit_machine *machine = &plan->fleet->machines[m];
        machine->tasks = TASKFIT_ARRAY(arena, deployment->n_services, taskfit_machine_task);
        for (size_t s = 0; s < deployment->n_services; s++) {
            int64_t count = 0;
            for (const char *at = machines[m]; *at; at++) {
                count += *at == deployment->services[s].name[0];
            }
            if (count > 0) {
                machine->tasks[machine->n_tasks++] = (taskfit_machine_task){s, count};
            }
        }
    }
    return plan;
}

static void tasks_that_move_are_few(void **state) {
    (void)state;
    static const struct {
        const char *before[3], *after[3];
        int64_t n_moved, n_kept;
    } rows[] = {
        {{"aab", "bc", ""}, {"aab", "bc", ""}, 0, 5},
        {{"aab", "bc", ""}, {"bc", "", "aab"}, 0, 5}, /* numbers of instances mean nothing */
        {{"aab", "bc", ""}, {"aabbc", "", ""}, 2, 3},
        {{"aab", "bc", ""}, {"a", "a", "bbc"}, 2, 3},
        {{"aabbc", "", ""}, {"a", "a", "bbc"}, 2, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        taskfit_arena *arena = taskfit_arena_new();
        taskfit_deployment *deployment = parse("{name: a, memory: 8, desiredCount: 2}, {name: b, memory: 8, desiredCount: 2}, {name: c, memory: 8}");
        const taskfit_difference difference = taskfit_difference_of(place(arena, deployment, rows[i].before, 3),
                                                                    place(arena, deployment, rows[i].after, 3), arena);
        assert_int_equal(difference.n_moved, rows[i].n_moved);
        assert_int_equal(difference.n_kept, rows[i].n_kept);
        assert_int_equal(difference.n_changes, 0);
        taskfit_deployment_free(deployment);
        taskfit_arena_free(arena);
    }
}

static void new_tasks_do_not_move(void **state) {
    (void)state;
    static const char *const before[] = {"ab"};
    static const char *const after[] = {"aac"};
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_deployment *old = parse("{name: a, memory: 16}, {name: b, memory: 16}");
    taskfit_deployment *new = parse("{name: c, memory: 16}, {name: a, memory: 32, desiredCount: 2}");
    const taskfit_difference difference = taskfit_difference_of(place(arena, old, before, 1), place(arena, new, after, 1), arena);
    static const struct {
        const char *subject, *key, *before, *after;
    } wanted[] = {{"c", NULL, NULL, "1 task"}, {"a", "desiredCount", "1", "2"}, {"a", "memory", "16", "32"}, {"b", NULL, "1 task", NULL}};
    assert_int_equal(difference.n_changes, 4);
    for (size_t i = 0; i < 4; i++) {
        const taskfit_change *change = &difference.changes[i];
        assert_string_equal(change->subject, wanted[i].subject);
        assert_string_equal(change->key ? change->key : "", wanted[i].key ? wanted[i].key : "");
        assert_string_equal(change->before ? change->before : "", wanted[i].before ? wanted[i].before : "");
        assert_string_equal(change->after ? change->after : "", wanted[i].after ? wanted[i].after : "");
    }
    assert_int_equal(difference.n_moved, 0);
    assert_int_equal(difference.n_kept, 1);
    taskfit_deployment_free(old);
    taskfit_deployment_free(new);
    taskfit_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_that_move_are_few),
        cmocka_unit_test(new_tasks_do_not_move),
    };
    return RUN_TESTS(tests);
}
