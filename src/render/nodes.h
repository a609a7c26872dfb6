#ifndef TASKFIT_RENDER_NODES_H
#define TASKFIT_RENDER_NODES_H

/* Making and reading the trees of this folder. Texts are copied into the arena; quantities below 0 are absent. */

#include "base/arena.h"
#include "input/node.h"

void taskfit_set_string(taskfit_arena *arena, taskfit_node *map, const char *key, const char *text);
void taskfit_set_quantity(taskfit_arena *arena, taskfit_node *map, const char *key, int64_t value);
/* AWS takes task-level CPU and memory as strings. */
void taskfit_set_quantity_text(taskfit_arena *arena, taskfit_node *map, const char *key, int64_t value);
void taskfit_set_unless_empty(taskfit_arena *arena, taskfit_node *map, const char *key, taskfit_node *list);

const char *taskfit_text_of(const taskfit_node *map, const char *key);          /* of a scalar; NULL: none, or null */
const taskfit_node *taskfit_list_of(const taskfit_node *map, const char *key); /* an empty one when it is none */
bool taskfit_is_given(const taskfit_node *map, const char *key);               /* there, and not null */
int64_t taskfit_number_of(const taskfit_node *map, const char *key);           /* a whole number; -1: none */

#endif
