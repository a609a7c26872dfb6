#ifndef TASKFIT_IMPORT_ECS_H
#define TASKFIT_IMPORT_ECS_H

/*
 * Task definitions and services as the API of Amazon ECS writes them (RegisterTaskDefinition, DescribeServices: names in
 * camelCase), for the kinds that hold such. What a deployment has no place for is counted by key and told once.
 */

#include "import/import.h"

typedef struct taskfit_ecs_reader {
    taskfit_importer *importer;
    struct taskfit_unplaced_key *unplaced;
    size_t n_unplaced, unplaced_capacity;
} taskfit_ecs_reader;

/* Whether the map is a task definition: has containerDefinitions. */
bool taskfit_is_task_definition(const taskfit_node *map);
/* The family, or NULL. */
const char *taskfit_task_definition_family(const taskfit_node *map);
/* Puts the containers and what else a task definition says into a service that has none yet. */
void taskfit_ecs_task_definition(taskfit_ecs_reader *reader, taskfit_import_service *service, const taskfit_node *map);
/* The same for a description of a service: count, strategies, constraints, percentages. */
void taskfit_ecs_service(taskfit_ecs_reader *reader, taskfit_import_service *service, const taskfit_node *map);
/* Tells which keys were left out; at the end of a reading. */
void taskfit_ecs_tell_unplaced(taskfit_ecs_reader *reader);

/* Text of a scalar that is there and not null or empty, else NULL. */
const char *taskfit_text_at(const taskfit_node *map, const char *key);
/* A list that is there, else NULL. */
const taskfit_node *taskfit_list_at(const taskfit_node *map, const char *key);
/* Nothing: absent, null, "", {} or []. */
bool taskfit_is_void(const taskfit_node *node);

#endif
