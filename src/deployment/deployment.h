#ifndef TASKFIT_DEPLOYMENT_DEPLOYMENT_H
#define TASKFIT_DEPLOYMENT_DEPLOYMENT_H

/*
 * The user's deployment, validated and immutable: what DESIGN.md 2 lets a file say, as structs.
 *
 *     bytes -> input/ -> one tree (include) -> resolve.c: defaults and sidecars merged into every service
 *           -> edit.c (scenarios, --set; on the resolved tree) -> decode.c: structs, every defect at once
 *
 * The deployment owns everything in it (one arena). `resolved` is the tree the structs were decoded from,
 * with every quantity rewritten to plain MiB, CPU units and dollars: a valid deployment file that says the
 * same without include, defaults and sidecars.
 * Absent optional quantities are -1, absent strings NULL.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "catalogue/catalogue.h"
#include "input/node.h"
#include "taskfit/taskfit.h"

typedef enum taskfit_network_mode {
    TASKFIT_NETWORK_BRIDGE,
    TASKFIT_NETWORK_HOST,
    TASKFIT_NETWORK_AWSVPC,
    TASKFIT_NETWORK_NONE
} taskfit_network_mode;

typedef enum taskfit_protocol { TASKFIT_TCP, TASKFIT_UDP } taskfit_protocol;

typedef struct taskfit_port_mapping {
    int64_t container_port; /* 1..65535 */
    int64_t host_port;      /* 1..65535; 0: dynamic */
    taskfit_protocol protocol;
} taskfit_port_mapping;

typedef struct taskfit_environment {
    const char *name;
    const char *value;
} taskfit_environment;

typedef struct taskfit_jvm { /* MiB unless the name says otherwise; -1 absent */
    bool present;
    int64_t xmx_mib, xms_mib, metaspace_mib, max_metaspace_mib, code_cache_mib, direct_memory_mib;
    const char *max_ram_percentage; /* decimal text as given, e.g. "85.0" */
    int64_t threads;
    int64_t loaded_classes;
    const char *options; /* further flags */
} taskfit_jvm;

typedef struct taskfit_container {
    const char *name;
    const char *image;     /* NULL: absent; only render needs it */
    int64_t cpu_units;     /* 0.. */
    int64_t memory_mib;    /* hard limit; -1 absent */
    int64_t memory_reservation_mib; /* soft limit; -1 absent */
    bool essential;
    const taskfit_port_mapping *port_mappings;
    size_t n_port_mappings;
    const taskfit_environment *environment;
    size_t n_environment;
    int64_t gpus; /* resourceRequirements of type GPU */
    taskfit_jvm jvm;
    int64_t observed_cpu_units;  /* -1 absent */
    int64_t observed_memory_mib; /* -1 absent */
    const taskfit_node *node; /* its resolved body, for what render passes through */
} taskfit_container;

typedef enum taskfit_strategy_type {
    TASKFIT_STRATEGY_SPREAD_AZ,
    TASKFIT_STRATEGY_SPREAD_INSTANCE, /* field instanceId or host */
    TASKFIT_STRATEGY_SPREAD_OTHER,    /* another attribute: simulated, never a rule */
    TASKFIT_STRATEGY_BINPACK_CPU,
    TASKFIT_STRATEGY_BINPACK_MEMORY,
    TASKFIT_STRATEGY_RANDOM
} taskfit_strategy_type;

typedef struct taskfit_strategy {
    taskfit_strategy_type type;
    const char *field; /* as given; NULL for random */
} taskfit_strategy;

typedef enum taskfit_deployment_strategy { /* deploymentConfiguration.strategy */
    TASKFIT_DEPLOY_ROLLING,
    TASKFIT_DEPLOY_BLUE_GREEN,
    TASKFIT_DEPLOY_CANARY,
    TASKFIT_DEPLOY_LINEAR
} taskfit_deployment_strategy;

typedef struct taskfit_ignore {
    const char *rule;
    const char *reason;
} taskfit_ignore;

typedef struct taskfit_query taskfit_query;

typedef struct taskfit_service {
    const char *name;
    const char *family;
    bool daemon;            /* schedulingStrategy DAEMON, or listed in cluster.daemons */
    bool long_form;         /* given as containerDefinitions */
    int64_t desired_count;  /* 0..; daemons: 0 */
    int64_t task_cpu_units; /* task level; -1 absent */
    int64_t task_memory_mib;
    const taskfit_container *containers; /* main container first, then the sidecar (short form) */
    size_t n_containers;                 /* 1..10 */
    taskfit_network_mode network_mode;
    taskfit_architecture architecture;
    const size_t *groups; /* permitted instance groups as indexes; n_groups 0: any */
    size_t n_groups;
    const taskfit_strategy *strategies; /* never empty: ECS's default is filled in */
    size_t n_strategies;
    bool distinct_instance;
    const char *const *member_of; /* memberOf expressions, all binding */
    const taskfit_query *const *queries; /* the same, compiled: deployment/query.h */
    size_t n_member_of;
    int64_t maximum_percent;
    int64_t minimum_healthy_percent;
    taskfit_deployment_strategy deployment_strategy;
    bool read_write_split;
    const taskfit_ignore *ignore;
    size_t n_ignore;
    taskfit_position position;
    const taskfit_node *node; /* its resolved body: what is stated */
} taskfit_service;

typedef struct taskfit_candidate_type {
    taskfit_instance_type type; /* catalogue with cluster.instanceTypes applied; strings in the arena */
    int64_t stock;              /* most instances of it; -1: no limit */
    int64_t price_usd_micros;   /* per hour after `purchase` */
} taskfit_candidate_type;

typedef struct taskfit_attribute {
    const char *name;
    const char *value;
} taskfit_attribute;

typedef struct taskfit_instance_group {
    const char *name;
    const taskfit_candidate_type *types; /* in file order, at least one */
    size_t n_types;
    bool mixed;
    int64_t min_instances, max_instances;
    int64_t current_instances; /* -1 absent */
    const size_t *azs;         /* indexes into deployment->azs, ascending, at least one */
    size_t n_azs;
    int64_t reserved_memory_mib;
    int64_t reserved_cpu_units;
    int64_t max_tasks; /* tasks per instance, daemons included; -1 none */
    const taskfit_attribute *attributes;
    size_t n_attributes;
    taskfit_position position;
} taskfit_instance_group;

typedef enum taskfit_spread_policy { TASKFIT_SPREAD_REQUIRED, TASKFIT_SPREAD_PREFERRED } taskfit_spread_policy;
typedef enum taskfit_rolling_policy {
    TASKFIT_ROLLING_ONE_SERVICE,
    TASKFIT_ROLLING_NONE,
    TASKFIT_ROLLING_ALL_SERVICES
} taskfit_rolling_policy;
typedef enum taskfit_survive_policy {
    TASKFIT_SURVIVE_NONE,
    TASKFIT_SURVIVE_INSTANCE,
    TASKFIT_SURVIVE_AVAILABILITY_ZONE
} taskfit_survive_policy;
typedef enum taskfit_goal { TASKFIT_GOAL_COUNT, TASKFIT_GOAL_COST, TASKFIT_GOAL_BALANCE, TASKFIT_GOAL_MOVES } taskfit_goal;

typedef struct taskfit_policy {
    int64_t headroom_memory_percent, headroom_cpu_percent; /* 0..100 */
    int64_t max_hard_memory_percent, max_expected_cpu_percent, max_expected_memory_percent; /* -1 none */
    const char *const *const *anti_affinity; /* n lists of globs, each list NULL-terminated */
    size_t n_anti_affinity;
    taskfit_spread_policy spread;
    taskfit_rolling_policy rolling;
    taskfit_survive_policy survive;
    taskfit_goal objective[4];
    size_t n_objective;
} taskfit_policy;

typedef enum taskfit_cost_service {
    TASKFIT_COST_FREE, /* no service: only what the item itself says */
    TASKFIT_COST_RDS,
    TASKFIT_COST_MSK,
    TASKFIT_COST_EBS,
    TASKFIT_COST_FARGATE /* what the same tasks would cost there, to be compared with */
} taskfit_cost_service;
typedef enum taskfit_cost_per { TASKFIT_PER_NOTHING, TASKFIT_PER_INSTANCE, TASKFIT_PER_SERVICE, TASKFIT_PER_TASK } taskfit_cost_per;

typedef struct taskfit_cost_item {
    const char *name, *type, *engine; /* type, engine: NULL absent */
    taskfit_cost_service service;
    taskfit_cost_per per;             /* what `count` is for each of */
    bool when_read_write_split;       /* paid only when a service uses it */
    int64_t count;
    int64_t storage_gib, storage_gib_each;           /* in all, for each of `count`; 0 absent */
    int64_t usd_micros_per_hour, usd_micros_per_month; /* for each of `count`; -1 absent */
    int64_t max_connections, pool_size;              /* of a database, and of each task that uses it; -1 absent */
    taskfit_position position;
} taskfit_cost_item;

struct taskfit_deployment {
    taskfit_arena *arena;
    const char *file;   /* as named by the caller */
    char sha256[65];    /* of the bytes of the main file, lower-case hex */
    const char *name;   /* cluster.name, default: the file's name without folder and extension */
    const char *region;
    const char *const *azs; /* names, in file order */
    size_t n_azs;
    taskfit_network_mode network_mode;
    bool awsvpc_trunking;
    bool counts_tasks; /* memberOf may ask for runningTasksCount */
    const taskfit_instance_group *groups;
    size_t n_groups;
    const taskfit_service *daemons; /* cluster.daemons, then services with DAEMON */
    size_t n_daemons;
    const taskfit_service *services; /* replicas only, in file order */
    size_t n_services;
    taskfit_policy policy;
    int64_t hours_per_month;
    const taskfit_cost_item *cost_items;
    size_t n_cost_items;
    const char *const *kpi_files; /* names, as given */
    size_t n_kpi_files;
    const char *scenario;          /* NULL: none applied */
    const char *const *edits;      /* --set texts applied */
    size_t n_edits;
    const taskfit_node *resolved;  /* see above */
    const taskfit_warning *warnings; /* found while reading (e.g. task memory hides reservations) */
    size_t n_warnings;
};

/* The rung the policy asks for (DESIGN 4). */
taskfit_rung taskfit_policy_rung(const taskfit_policy *policy);
/* Whether the policy has rules of rung `limits` (headroom, caps, antiAffinity). */
bool taskfit_policy_has_limits(const taskfit_policy *policy);
/* "required", "oneService", "availabilityZone", "count" ...: the words of the file. */
const char *taskfit_spread_policy_name(taskfit_spread_policy value);
const char *taskfit_rolling_policy_name(taskfit_rolling_policy value);
const char *taskfit_survive_policy_name(taskfit_survive_policy value);
const char *taskfit_goal_name(taskfit_goal value);
const char *taskfit_network_mode_name(taskfit_network_mode value);
const char *taskfit_architecture_name(taskfit_architecture value); /* "x86_64", "arm64", "any" */

#endif
