#ifndef TASKFIT_TESTS_SUPPORT_PROBLEM_BUILDER_H
#define TASKFIT_TESTS_SUPPORT_PROBLEM_BUILDER_H

/*
 * A taskfit_problem from plain figures, without a deployment file: for tests and benchmarks of solve/.
 *
 *     problem_builder *b = problem_builder_new(2);                       // AZs
 *     problem_builder_group(b, &(builder_group){.n_types = 1, .types = {{.memory_mib = 62942}}});
 *     problem_builder_service(b, &(builder_service){.replicas = 2, .memory_mib = 1152, .spread_az = true});
 *     const taskfit_problem *problem = problem_builder_finish(b);
 *     problem_builder_free(b);                                           // the problem with it
 *
 * A small deployment with names ("s0", "t0", "g0") stands behind it, for reasons and reports.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "problem/problem.h"

enum { BUILDER_MAX_TYPES = 8 };

typedef struct builder_type {
    int64_t memory_mib, cpu_units, tasks; /* 0: unlimited */
    int64_t headroom_mib;                 /* of memory_mib, kept free but for deployments and losses */
    int64_t price_usd_micros;             /* 0: 1000000 */
    int64_t stock;                        /* 0: no limit */
} builder_type;

typedef struct builder_group {
    bool mixed;
    int64_t min_instances, max_instances; /* max 0: 10000 */
    uint64_t azs;                         /* bit per AZ; 0: all */
    size_t n_types;
    builder_type types[BUILDER_MAX_TYPES];
} builder_group;

typedef struct builder_service {
    int64_t replicas, memory_mib, cpu_units;
    bool distinct_instance, spread_az, spread_instance; /* spread by AZ precedes spread by instance */
    bool stops_first, full_set; /* its deployment needs no room, or room for all its tasks; else for one */
    uint64_t ports;                /* bit per fixed host port, 0..63 */
    uint64_t groups, azs;          /* bits where it may stand; 0: all */
    uint64_t types;                /* of every group */
    uint64_t conflicts;            /* bits of earlier and later services, made symmetric */
} builder_service;

typedef struct problem_builder problem_builder;

problem_builder *problem_builder_new(size_t n_azs);
void problem_builder_group(problem_builder *b, const builder_group *group);
void problem_builder_service(problem_builder *b, const builder_service *service);
void problem_builder_objective(problem_builder *b, const taskfit_goal *goals, size_t n_goals); /* default: count, cost */
/* Rules of the upper rungs; default: none. */
void problem_builder_rooms(problem_builder *b, taskfit_rolling_policy rolling, taskfit_survive_policy survive);
const taskfit_problem *problem_builder_finish(problem_builder *b);
void problem_builder_free(problem_builder *b);

#endif
