#ifndef TASKFIT_CATALOGUE_CATALOGUE_H
#define TASKFIT_CATALOGUE_CATALOGUE_H

/*
 * EC2 instance types: what an instance registers with ECS, its ENI task slots and its price.
 * Source of the built-in table: data/instances_us-east-1.csv (sources and dates in its first line).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "taskfit/taskfit.h"

typedef enum taskfit_architecture {
    TASKFIT_ARCH_ANY = 0, /* a service that runs on both */
    TASKFIT_ARCH_X86_64,
    TASKFIT_ARCH_ARM64
} taskfit_architecture;

typedef struct taskfit_instance_type {
    const char *name;              /* "r7g.2xlarge" */
    taskfit_architecture architecture; /* never ANY */
    int64_t vcpu;
    int64_t memory_advertised_mib; /* 0 when unknown (types of the user's own) */
    int64_t memory_registered_mib; /* at ECS_RESERVED_MEMORY = 0 */
    int64_t awsvpc_tasks;          /* ENI task slots without trunking; -1 unknown (own types) */
    int64_t awsvpc_tasks_trunking; /* with trunking; the untrunked figure where the type cannot */
    int64_t gpus;
    int64_t price_usd_micros;      /* per hour, on demand, Linux; -1 unknown */
    bool current_generation;
    bool burstable;
    bool memory_measured; /* false: registered memory is the fallback formula of data/README.md */
} taskfit_instance_type;


/* taskfit_catalogue_builtin, _source, _read and _free are public: taskfit/taskfit.h. A catalogue file is a CSV with the
 * columns of data/instances_us-east-1.csv (any order; unknown columns ignored, needed ones named when missing). */

size_t taskfit_catalogue_count(const taskfit_catalogue *catalogue);
/* Types in natural order of family, then size (vCPU, then name). */
const taskfit_instance_type *taskfit_catalogue_at(const taskfit_catalogue *catalogue, size_t index);
const taskfit_instance_type *taskfit_catalogue_find(const taskfit_catalogue *catalogue, const char *name); /* or NULL */
const char *taskfit_catalogue_nearest(const taskfit_catalogue *catalogue, const char *name);               /* or NULL */

#endif
