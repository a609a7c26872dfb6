#ifndef TASKFIT_DEPLOYMENT_READ_H
#define TASKFIT_DEPLOYMENT_READ_H

/*
 * How a deployment comes to be, for the files of this folder alone: resolve.c makes one tree of the file, its
 * includes, defaults and sidecars; the read_*.c files make structs of that tree, part by part, and check it.
 * Everything lives in the deployment's arena.
 */

#include "deployment/deployment.h"
#include "input/decode.h"

#define TASKFIT_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

enum {
    TASKFIT_SERVICES_MAX = 20000, /* daemons included */
    TASKFIT_TASKS_MAX = 2000000,
    TASKFIT_INSTANCES_MAX = 50000,
    TASKFIT_AZS_MAX = 100,
    TASKFIT_GROUPS_MAX = 1000,
    TASKFIT_OFFERS_MAX = 20000, /* types x AZs over all groups */
    TASKFIT_CONTAINERS_MAX = 10,
    TASKFIT_CONSTRAINTS_MAX = 10, /* API model; task definition and service together */
    TASKFIT_STRATEGIES_MAX = 5,   /* API model */
    TASKFIT_INCLUDE_DEPTH_MAX = 8,
    TASKFIT_INCLUDE_FILES_MAX = 1000
};

/* An expression that many services share, by way of defaults, is compiled once. */
enum { TASKFIT_KNOWN_QUERIES_MAX = 64 };
typedef struct taskfit_known_query {
    const char *text;
    const taskfit_query *query;
} taskfit_known_query;

typedef struct taskfit_reading {
    taskfit_decoder decoder;        /* its context is this struct */
    taskfit_deployment *deployment; /* filled part by part */
    const taskfit_catalogue *catalogue;
    taskfit_named *azs, *groups;   /* sorted; of the deployment's azs and groups */
    const taskfit_named *services; /* sorted; daemons too */
    size_t n_services;
    taskfit_warning *warnings;
    size_t n_warnings, warnings_capacity;
    taskfit_known_query *queries; /* expressions met so far */
    size_t n_queries;
    size_t n_copied;  /* nodes made while services inherit: bounded, since defaults multiply */
    bool shared_part; /* reading `defaults` or `sidecars`: nothing has to be complete */
} taskfit_reading;

taskfit_reading *taskfit_reading_of(const taskfit_decoder *decoder);

/* ---- resolve.c ---- */

typedef struct taskfit_scope {           /* what one file's services inherit */
    const taskfit_node *defaults;        /* a map; NULL: none */
    const taskfit_named *sidecars;       /* sorted */
    taskfit_node *const *sidecar_bodies; /* by index of the name */
    size_t n_sidecars;
} taskfit_scope;

/* Checks a file's defaults and sidecars (NULL: none) for themselves. */
taskfit_scope taskfit_resolve_scope(taskfit_reading *reading, taskfit_node *defaults, taskfit_node *sidecars);
/* Appends services, a list or a map by name, to `list` with defaults and sidecars merged in. Maps and lists belong to
 * one service each; scalars may be shared. */
void taskfit_resolve_services(taskfit_reading *reading, const taskfit_scope *scope, const taskfit_node *services,
                              taskfit_node *list);
/* Replaces each service's `sidecar` that is a name or has a base by the body it stands for: again after edits. */
void taskfit_resolve_sidecars(taskfit_reading *reading, const taskfit_scope *scope, taskfit_node *resolved);
/* Maps and lists anew, scalars shared. */
taskfit_node *taskfit_copy_structure(taskfit_reading *reading, taskfit_node *node);

/* ---- include.c ---- */

/* The tree of a whole deployment: includes read, services resolved, services as a list. Defects go to the diag; an
 * error is what ends the reading: an included file that cannot be parsed. scope_out is the main file's. */
taskfit_status taskfit_resolve(taskfit_reading *reading, taskfit_node *root, const taskfit_parse_options *options,
                               taskfit_node **resolved_out, taskfit_scope *scope_out,
                               taskfit_error *err) TASKFIT_MUST_USE;

/* ---- read_*.c: each fills its part of reading->deployment and adds defects ---- */

/* All but the daemons, which are returned (NULL: none). */
taskfit_node *taskfit_read_cluster(taskfit_reading *reading, taskfit_node *cluster);

typedef struct taskfit_az_list {
    taskfit_named *names;
    size_t n;
} taskfit_az_list;
/* Reads a list of AZs in its order; empty and too long ones are defects. */
taskfit_az_list taskfit_read_azs(taskfit_decoder *decoder, taskfit_node *node);

typedef struct taskfit_type_override { /* one of cluster.instanceTypes; -1, NULL: not given */
    const char *name;
    int architecture;
    int64_t vcpu, registered_mib, price_usd_micros, awsvpc_tasks, awsvpc_tasks_trunking, gpus;
} taskfit_type_override;
typedef struct taskfit_type_table {
    taskfit_type_override *overrides;
    taskfit_named *names; /* sorted; of overrides */
    size_t n;
} taskfit_type_table;
taskfit_type_table taskfit_read_types(taskfit_reading *reading, taskfit_node *list);
/* The catalogue's figures with the override's put over them; false when there is no such type. */
bool taskfit_find_type(const taskfit_reading *reading, const taskfit_type_table *table, const char *name,
                       taskfit_instance_type *type_out);
/* cluster.instanceTypes as the resolved tree has it: every figure of every override and candidate, by name. */
taskfit_node *taskfit_types_node(const taskfit_reading *reading, const taskfit_type_table *table);

/* The groups; AZs and types must have been read. */
void taskfit_read_groups(taskfit_reading *reading, taskfit_node *node, const taskfit_type_table *types);

/* Daemons and services; the cluster must have been read. */
void taskfit_read_services(taskfit_reading *reading, taskfit_node *daemons, taskfit_node *services);
/* ECS's own placement of a service that states none: spread by AZ, then by instance. */
extern const taskfit_strategy taskfit_ecs_strategies[2];
void taskfit_read_policy(taskfit_reading *reading, taskfit_node *policy); /* NULL: the defaults */
/* costs, scenarios, kpis: checked; of costs hoursPerMonth is kept. Each may be NULL. */
void taskfit_read_extras(taskfit_reading *reading, taskfit_node *costs, taskfit_node *scenarios, taskfit_node *kpis);
/* group, placementStrategy, placementConstraints of a service. */
taskfit_field_fn taskfit_read_service_groups, taskfit_read_strategies, taskfit_read_constraints;
/* Checks a service body without a name (the file's `defaults`). */
void taskfit_read_defaults(taskfit_reading *reading, taskfit_node *defaults);
/* Keys of a service that are its main container's, in the short form. */
bool taskfit_is_container_key(const char *key);
bool taskfit_is_service_key(const char *key); /* those too */

/* One container, given as a map of its own. name_default may be NULL: then a name is needed. foreign: whether
 * ECS's other container keys pass through (long form). */
taskfit_container taskfit_read_container(taskfit_reading *reading, taskfit_node *node, const char *name_default,
                                         bool foreign);
/* ECS's rules for one container of a task; settles its host ports by the network mode. */
void taskfit_check_container(taskfit_reading *reading, const taskfit_service *service, taskfit_container *container);

/* The fields of a short-form main container that stand in a service's own map; `at`: offset of the container. */
#define TASKFIT_CONTAINER_KEY(name, reader, at, member)                                                                \
    .key = (name), .read = (reader), .offset = (at) + offsetof(taskfit_container, member)
#define TASKFIT_CONTAINER_FIELDS(at)                                                                                   \
    {TASKFIT_CONTAINER_KEY("image", taskfit_decode_text, at, image)},                                                  \
        {TASKFIT_CONTAINER_KEY("cpu", taskfit_decode_cpu_up, at, cpu_units)},                                          \
        {TASKFIT_CONTAINER_KEY("memory", taskfit_decode_memory_up, at, memory_mib)},                                   \
        {TASKFIT_CONTAINER_KEY("memoryReservation", taskfit_decode_memory_up, at, memory_reservation_mib)},            \
        {TASKFIT_CONTAINER_KEY("essential", taskfit_decode_bool, at, essential)},                                      \
        {.key = "portMappings", .read = taskfit_read_port_mappings, .offset = (at)},                                   \
        {.key = "environment", .read = taskfit_read_environment, .offset = (at)},                                      \
        {.key = "resourceRequirements", .read = taskfit_read_resource_requirements, .offset = (at)},                   \
        {.key = "jvm", .read = taskfit_read_jvm, .offset = (at)},                                                      \
        {.key = "observed", .read = taskfit_read_observed, .offset = (at)}
taskfit_field_fn taskfit_read_port_mappings, taskfit_read_environment, taskfit_read_resource_requirements,
    taskfit_read_jvm, taskfit_read_observed;
taskfit_container taskfit_container_defaults(void);

/* ---- warn.c ---- */

typedef enum taskfit_warning_code {
    TASKFIT_WARN_TASK_MEMORY_HIDES,
    TASKFIT_WARN_NO_HARD_LIMIT,
    TASKFIT_WARN_DAEMON_COUNT,
    TASKFIT_WARN_DAEMON_STRATEGY,
    TASKFIT_WARN_SPREAD_VOID,
    TASKFIT_WARN_SPREAD_ATTRIBUTE,
    TASKFIT_WARN_REGION_PRICE,
    TASKFIT_WARN_MEMORY_ESTIMATED,
    TASKFIT_WARN_NAME_UNMATCHED
} taskfit_warning_code;

/* service may be NULL: the whole deployment. */
void taskfit_warn(taskfit_reading *reading, taskfit_warning_code code, const char *service, const char *format, ...)
    TASKFIT_PRINTF(4, 5);
/* Warnings that need the whole deployment. */
void taskfit_warn_all(taskfit_reading *reading);

#endif
