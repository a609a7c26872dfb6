#ifndef TASKFIT_IMPORT_ECS_FLEET_H
#define TASKFIT_IMPORT_ECS_FLEET_H

/* Container instances of a cluster, as DescribeContainerInstances tells of them, and the instance groups they make. */

#include "import/placement.h"

typedef struct taskfit_ecs_instance {
    const char *arn;
    const char *provider; /* capacity provider, "" without one */
    const char *type, *az, *architecture; /* architecture NULL: not told */
    int64_t memory_mib, cpu_units, n_gpus; /* registered */
    bool has_trunk;                        /* ENI trunking is in force */
    const char *attributes; /* its own ones, "name=value" sorted, with '\n' between: what groups are told apart by */
    const taskfit_node *attribute_map;
    size_t group;
    taskfit_position position;
} taskfit_ecs_instance;

typedef struct taskfit_ecs_group {
    const char *name, *provider, *attributes;
    const taskfit_node *attribute_map;
    size_t n_instances;
} taskfit_ecs_group;

typedef struct taskfit_ecs_fleet {
    taskfit_ecs_instance *instances; /* sorted by ARN once the groups are made */
    size_t n_instances, instances_capacity;
    taskfit_ecs_group *groups; /* by provider, then attributes */
    size_t n_groups;
} taskfit_ecs_fleet;

/* Adds an instance; one that drains or tells no type is left out with a note. */
void taskfit_ecs_fleet_add(taskfit_importer *importer, taskfit_ecs_fleet *fleet, const taskfit_node *map);
/* Makes the groups: instances of one capacity provider and with the same attributes of their own are one. */
void taskfit_ecs_fleet_group(taskfit_importer *importer, taskfit_ecs_fleet *fleet);
/* availabilityZones, instanceTypes, instanceGroups of the cluster. */
void taskfit_ecs_fleet_cluster(taskfit_importer *importer, const taskfit_ecs_fleet *fleet);
/* By ARN; NULL: not there. */
const taskfit_ecs_instance *taskfit_ecs_fleet_find(const taskfit_ecs_fleet *fleet, const char *arn);

#endif
