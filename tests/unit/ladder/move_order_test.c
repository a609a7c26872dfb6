#include "unit.h"

#include "ladder/move_order.h"
#include "problem_builder.h"

/* Instances of 100 MiB, and services with the given sizes. */
typedef struct scene {
    problem_builder *builder;
    const taskfit_problem *problem;
    taskfit_arena *arena;
    size_t offers[8];
} scene;

static scene scene_new(const int64_t *sizes_mib, size_t n_services, uint64_t ports_of_first) {
    scene s = {.builder = problem_builder_new(1), .arena = taskfit_arena_new()};
    problem_builder_group(s.builder, &(builder_group){.n_types = 1, .types = {{.memory_mib = 100}}});
    for (size_t i = 0; i < n_services; i++) {
        problem_builder_service(s.builder, &(builder_service){.replicas = 1, .memory_mib = sizes_mib[i], .ports = i < 2 ? ports_of_first : 0});
    }
    s.problem = problem_builder_finish(s.builder);
    return s;
}

static void scene_free(scene *s) {
    problem_builder_free(s->builder);
    taskfit_arena_free(s->arena);
}

static taskfit_order order_of(scene *s, const taskfit_order_share *shares, size_t n_shares, size_t n_places, size_t n_leaving) {
    const taskfit_order_query query = {.problem = s->problem,
                                       .offers = s->offers,
                                       .n_places = n_places,
                                       .n_leaving = n_leaving,
                                       .shares = shares,
                                       .n_shares = n_shares};
    return taskfit_move_order(&query, s->arena);
}

static void the_one_that_makes_room_goes_first(void **state) {
    (void)state;
    const int64_t sizes_mib[] = {60, 60};
    scene s = scene_new(sizes_mib, 2, 0);
    /* a: 0 -> 1, b: 1 -> 2, and only 2 has room */
    const taskfit_order_share shares[] = {{0, 0, 1, 0}, {0, 1, 0, 1}, {1, 1, 1, 0}, {1, 2, 0, 1}};
    const taskfit_order order = order_of(&s, shares, 4, 3, 0);
    ASSERT_INT(order.end, TASKFIT_ORDER_FOUND);
    ASSERT_INT(order.spare_offer, SIZE_MAX);
    ASSERT_INT(order.n_steps, 2);
    ASSERT_INT(order.steps[0].service, 1);
    ASSERT_INT(order.steps[0].to, 2);
    ASSERT_INT(order.steps[1].service, 0);
    scene_free(&s);
}

static void a_swap_without_room_needs_a_spare_instance(void **state) {
    (void)state;
    const int64_t sizes_mib[] = {60, 60};
    scene s = scene_new(sizes_mib, 2, 0);
    const taskfit_order_share shares[] = {{0, 0, 1, 0}, {0, 1, 0, 1}, {1, 0, 0, 1}, {1, 1, 1, 0}};
    const taskfit_order order = order_of(&s, shares, 4, 2, 0);
    ASSERT_INT(order.end, TASKFIT_ORDER_FOUND);
    ASSERT_INT(order.spare_offer, 0);
    assert_true(order.waiting_proved);
    ASSERT_INT(order.n_waiting, 1);
    ASSERT_INT(order.n_on_spare, 1);
    ASSERT_INT(order.n_steps, 3);
    ASSERT_INT(order.steps[0].to, TASKFIT_PLACE_SPARE);
    ASSERT_INT(order.steps[2].from, TASKFIT_PLACE_SPARE);
    scene_free(&s);
}

static void an_instance_that_goes_is_spare_enough(void **state) {
    (void)state;
    const int64_t sizes_mib[] = {60, 60, 30};
    scene s = scene_new(sizes_mib, 3, 0);
    /* the third service leaves place 2, which goes, for place 0 */
    const taskfit_order_share shares[] = {{0, 0, 1, 0}, {0, 1, 0, 1}, {1, 0, 0, 1}, {1, 1, 1, 0}, {2, 0, 0, 1}, {2, 2, 1, 0}};
    taskfit_order order = order_of(&s, shares, 6, 2, 1);
    ASSERT_INT(order.end, TASKFIT_ORDER_FOUND);
    ASSERT_INT(order.spare_offer, SIZE_MAX);
    ASSERT_INT(order.n_waiting, 1);
    assert_true(order.waiting_proved);
    ASSERT_INT(order.n_steps, 4);
    ASSERT_INT(order.steps[0].to, 2);
    ASSERT_INT(order.steps[2].from, 2);
    s.offers[2] = SIZE_MAX; /* of a type that is no longer to be had */
    order = order_of(&s, shares, 6, 2, 1);
    ASSERT_INT(order.spare_offer, 0);
    ASSERT_INT(order.n_on_spare, 1);
    scene_free(&s);
}

static void a_swap_with_room_needs_none(void **state) {
    (void)state;
    const int64_t sizes_mib[] = {60, 40};
    scene s = scene_new(sizes_mib, 2, 0);
    const taskfit_order_share shares[] = {{0, 0, 1, 0}, {0, 1, 0, 1}, {1, 0, 0, 1}, {1, 1, 1, 0}};
    const taskfit_order order = order_of(&s, shares, 4, 2, 0);
    ASSERT_INT(order.spare_offer, SIZE_MAX);
    ASSERT_INT(order.n_steps, 2);
    scene_free(&s);
}

static void ports_block_a_swap_too(void **state) {
    (void)state;
    const int64_t sizes_mib[] = {10, 10};
    scene s = scene_new(sizes_mib, 2, 1); /* one host port, both services */
    const taskfit_order_share shares[] = {{0, 0, 1, 0}, {0, 1, 0, 1}, {1, 0, 0, 1}, {1, 1, 1, 0}};
    const taskfit_order order = order_of(&s, shares, 4, 2, 0);
    ASSERT_INT(order.end, TASKFIT_ORDER_FOUND);
    ASSERT_INT(order.spare_offer, 0);
    assert_true(order.waiting_proved);
    scene_free(&s);
}

static void a_move_that_leads_nowhere_is_not_enough(void **state) {
    (void)state;
    /* 0 holds 50, 30, 20 and 1 holds 60; 50 and 30 go to 1, 60 comes to 0. Only 30 can go first, and then nothing. */
    const int64_t sizes_mib[] = {50, 30, 20, 60};
    scene s = scene_new(sizes_mib, 4, 0);
    const taskfit_order_share shares[] = {{0, 0, 1, 0}, {0, 1, 0, 1}, {1, 0, 1, 0}, {1, 1, 0, 1},
                                          {2, 0, 1, 1}, {3, 0, 0, 1}, {3, 1, 1, 0}};
    const taskfit_order order = order_of(&s, shares, 7, 2, 0);
    ASSERT_INT(order.end, TASKFIT_ORDER_FOUND);
    ASSERT_INT(order.spare_offer, 0);
    assert_true(order.waiting_proved);
    scene_free(&s);
}

static void a_wrong_first_move_is_taken_back(void **state) {
    (void)state;
    /*
     * Place 2 has 40 free for a 35 of place 0 or b 40 of place 1, and c 60 leaves it for place 0 once a has gone. b is larger and
     * e 70 waits for its room, but with b on place 2 nothing else can ever move.
     */
    const int64_t sizes_mib[] = {35, 40, 60, 20, 70};
    scene s = scene_new(sizes_mib, 5, 0);
    const taskfit_order_share shares[] = {{0, 0, 1, 0}, {0, 2, 0, 1}, {1, 1, 1, 0}, {1, 2, 0, 1}, {2, 0, 0, 1},
                                          {2, 2, 1, 0}, {3, 0, 1, 1}, {4, 1, 0, 1}, {4, 3, 1, 0}};
    const taskfit_order order = order_of(&s, shares, 9, 4, 0);
    ASSERT_INT(order.end, TASKFIT_ORDER_FOUND);
    ASSERT_INT(order.spare_offer, SIZE_MAX);
    ASSERT_INT(order.n_steps, 4);
    ASSERT_INT(order.steps[0].service, 0);
    ASSERT_INT(order.steps[1].service, 2);
    scene_free(&s);
}

static void stops_come_first_and_starts_last(void **state) {
    (void)state;
    const int64_t sizes_mib[] = {60, 60};
    scene s = scene_new(sizes_mib, 2, 0);
    /* service 0 had two tasks, on 0 and on the one that goes, and shall have one, on 1; service 1 starts on 0 */
    const taskfit_order_share shares[] = {{0, 0, 1, 0}, {0, 1, 0, 1}, {0, 2, 1, 0}, {1, 0, 0, 1}};
    const taskfit_order order = order_of(&s, shares, 4, 2, 1);
    ASSERT_INT(order.n_steps, 3);
    ASSERT_INT(order.steps[0].action, TASKFIT_STEP_STOP);
    ASSERT_INT(order.steps[0].from, 0); /* where another one wants to come */
    ASSERT_INT(order.steps[1].action, TASKFIT_STEP_MOVE);
    ASSERT_INT(order.steps[1].from, 2);
    ASSERT_INT(order.steps[2].action, TASKFIT_STEP_START);
    scene_free(&s);
}

static void a_start_that_does_not_fit_has_no_order(void **state) {
    (void)state;
    const int64_t sizes_mib[] = {60, 60};
    scene s = scene_new(sizes_mib, 2, 0);
    const taskfit_order_share shares[] = {{0, 0, 1, 1}, {1, 0, 1, 0}, {1, 1, 0, 1}};
    const taskfit_order order = order_of(&s, shares, 3, 2, 0);
    ASSERT_INT(order.end, TASKFIT_ORDER_OVERFULL);
    ASSERT_INT(order.place, 0);
    ASSERT_INT(order.resource, TASKFIT_RESOURCE_MEMORY);
    ASSERT_INT(order.held, 120);
    ASSERT_INT(order.capacity, 100);
    scene_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_one_that_makes_room_goes_first),
        cmocka_unit_test(a_swap_without_room_needs_a_spare_instance),
        cmocka_unit_test(an_instance_that_goes_is_spare_enough),
        cmocka_unit_test(a_swap_with_room_needs_none),
        cmocka_unit_test(ports_block_a_swap_too),
        cmocka_unit_test(a_move_that_leads_nowhere_is_not_enough),
        cmocka_unit_test(a_wrong_first_move_is_taken_back),
        cmocka_unit_test(stops_come_first_and_starts_last),
        cmocka_unit_test(a_start_that_does_not_fit_has_no_order),
    };
    return RUN_TESTS(tests);
}
