#ifndef TASKFIT_RENDER_RULES_H
#define TASKFIT_RENDER_RULES_H

/*
 * What Amazon ECS refuses in RegisterTaskDefinition beyond unknown keys and wrong types, checked on the tree that is
 * written: whatever a base brings is judged like what the deployment states.
 * Source: API model of Amazon ECS, 2014-11-13 (botocore 1.43.11, 2026), its developer guide, and messages of the service.
 */

#include "render/tell.h"

/* Tells each breach as a defect with the path of its field behind `name`, which is the file's. Positions of
 * nodes without one are `fallback`. n_service_constraints: those of the service, which share the limit of 10. */
void taskfit_rules_check(const taskfit_node *task_definition, const char *name, taskfit_position fallback,
                         size_t n_service_constraints, taskfit_tell *tell);

#endif
