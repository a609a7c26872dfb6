#ifndef TASKFIT_TESTS_SUPPORT_SHOP_H
#define TASKFIT_TESTS_SUPPORT_SHOP_H

/* The small deployment and plan of tests/data/plans/, and slips made in them on purpose. */

#include "base/arena.h"
#include "deployment/deployment.h"
#include "input/node.h"

typedef struct shop_edit {
    const char *path;  /* "fleet[0].reserved.memoryMiB"; NULL: none */
    const char *value; /* as JSON; "-": removed; "+" and JSON: appended to the list there */
} shop_edit;

char *shop_file(const char *name, taskfit_arena *arena); /* its text */
taskfit_node *shop_json(const char *text, taskfit_arena *arena);
/* shop.yaml with the first `from` replaced by `to` (NULL: as it is); to be freed. */
taskfit_deployment *shop_deployment(const char *from, const char *to, taskfit_arena *arena);
/* One of them, in any document. */
void shop_apply(taskfit_node *document, const shop_edit *edit, taskfit_arena *arena);
/* shop.json with the first n edits that have a path applied. */
taskfit_node *shop_plan(const shop_edit *edits, size_t n_edits, taskfit_arena *arena);

#endif
