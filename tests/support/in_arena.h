#ifndef TASKFIT_TESTS_SUPPORT_IN_ARENA_H
#define TASKFIT_TESTS_SUPPORT_IN_ARENA_H

/* Tests that each run in an arena of their own, and trees read into it. */

#include "input/node.h"

extern taskfit_arena *arena; /* of the test that runs */
int arena_set_up(void **state);
int arena_tear_down(void **state);
#define IN_ARENA(test) cmocka_unit_test_setup_teardown(test, arena_set_up, arena_tear_down)

typedef taskfit_status node_reader(taskfit_arena *into, const char *file, const char *data, size_t len, taskfit_node **root_out,
                                   taskfit_error *err);

/* The tree, or NULL and the defect. */
taskfit_node *read_tree(node_reader *reader, const char *file, const char *data, size_t len, taskfit_error *err);
/* A tree; a defect fails the test. The files are called a.yaml and a.json. */
taskfit_node *yaml(const char *text);
taskfit_node *json(const char *text);

#endif
