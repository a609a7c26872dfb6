#ifndef TASKFIT_DEPLOYMENT_EDIT_H
#define TASKFIT_DEPLOYMENT_EDIT_H

/*
 * Edits: what scenarios, --set, --policy and --vary are made of (DESIGN 6).
 *
 *     PATH = [GLOB .] KEY {. KEY}        a segment that contains a dot is quoted: cluster.instanceTypes."m5.large".vcpu
 *
 * A first segment cluster, policy, costs, defaults or sidecars is that section; `sidecar` is the sidecar of every
 * service that has one; anything else is a glob (* and ?) on names of services, which `services.` in front forces.
 * Members of lists are named by `name`, by `type`, by their own text (types: [m5.large]) or by index from 0; globs
 * reach several. In long form `containers` is short for containerDefinitions, and keys of a container (cpu,
 * memory, ...) without it mean the first container; in short form `containers.NAME` is the main container or
 * the sidecar.
 *
 * Edits change the tree before it is decoded, in order, in two steps:
 *   TASKFIT_EDIT_SECTIONS   edits of defaults and sidecars, on the main file's tree before defaults are merged
 *   TASKFIT_EDIT_RESOLVED   all others, on the merged tree (services: a list of maps with `name`)
 * Values are as in a file: `mod-x.sidecar` may be set to a name or to a map with `base`, so sidecars are resolved
 * after the second step. Nodes that are set carry the position of the edit, so that what the decoder refuses
 * points there. Keys are not checked here: the decoder does, with the nearest key.
 */

#include <stddef.h>

#include "base/arena.h"
#include "input/diag.h"
#include "input/node.h"

typedef enum taskfit_edit_operation {
    TASKFIT_EDIT_SET,
    TASKFIT_EDIT_ADD,   /* may be negative; the unit is the key's */
    TASKFIT_EDIT_SCALE, /* by a decimal factor, at most six decimals; rounds up */
    TASKFIT_EDIT_UNSET
} taskfit_edit_operation;

typedef enum taskfit_edit_step { TASKFIT_EDIT_SECTIONS, TASKFIT_EDIT_RESOLVED } taskfit_edit_step;

typedef struct taskfit_edit {
    const char *path;
    taskfit_edit_operation operation;
    const taskfit_node *value; /* NULL for unset */
    taskfit_position position;
    const char *where; /* path of the edit itself for messages: "scenarios.tuned[2]", "" on the command line */
} taskfit_edit;

/* Decodes a scenario: a list of {set: PATH, to: VALUE | add: NUMBER | scale: FACTOR | unset: true}. Defects go to
 * `diag` under `where`; those edits are left out. */
void taskfit_edits_decode(taskfit_arena *arena, const taskfit_node *list, const char *where, taskfit_diag *diag,
                          const taskfit_edit **edits_out, size_t *n_out);
/* Reads "PATH=VALUE" of the command line; VALUE is YAML, empty: null. `option` ("--set") stands for the file in
 * messages. */
taskfit_status taskfit_edit_parse(taskfit_arena *arena, const char *option, const char *text, taskfit_edit *edit_out,
                                  taskfit_error *err) TASKFIT_MUST_USE;
/* Applies the edits that belong to `step` to the tree of a deployment, in place, in order. An edit that matches
 * nothing, or computes with what is no number, is a defect; the others are applied all the same. */
void taskfit_edits_apply(taskfit_arena *arena, taskfit_node *root, const taskfit_edit *edits, size_t n_edits,
                         taskfit_edit_step step, taskfit_diag *diag);

#endif
