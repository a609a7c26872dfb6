#ifndef TASKFIT_PROBLEM_PROBLEM_H
#define TASKFIT_PROBLEM_PROBLEM_H

/*
 * The optimization problem of one rung: a deployment compiled into dense integer arrays, holding exactly the
 * rules in force on that rung and nothing of files, names or policies. What solve/ sees.
 *
 * Services have demands; *offers* are the kinds of instance that can be had (group x candidate type x AZ),
 * with what is left for tasks after reservedMemory, reservedCpu, daemons and the rung's headroom and caps.
 * Owned by its arena; immutable once built.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "deployment/accounting.h"
#include "deployment/deployment.h"

typedef struct taskfit_offer { /* one kind of instance */
    size_t group; /* index into problem->groups and deployment->groups */
    size_t type;  /* index into the group's types */
    size_t az;    /* index into deployment->azs */
    int64_t capacity[TASKFIT_RESOURCE_COUNT]; /* for tasks; TASKFIT_UNLIMITED where nothing limits; may be
                                                 negative where daemons alone overfill it: then no task fits */
    int64_t ecs_capacity[TASKFIT_RESOURCE_COUNT]; /* the same without headroom and caps, which do not bind the tasks of
                                                     a deployment or those of a lost instance; never less */
    int64_t price_usd_micros; /* per hour */
} taskfit_offer;

typedef struct taskfit_problem_group {
    bool mixed;            /* false: all its instances are of one type */
    int64_t min_instances; /* of the group */
    int64_t max_instances;
    const size_t *azs; /* its AZs; instance counts over them differ by at most 1 */
    size_t n_azs;
    size_t n_types;
    const int64_t *stock; /* [n_types] most instances of a type; -1: no limit */
    size_t first_offer;   /* offer of (type t, k-th AZ) = first_offer + t * n_azs + k */
} taskfit_problem_group;

typedef struct taskfit_problem_service {
    size_t service;   /* index into deployment->services */
    int64_t replicas; /* desired count, >= 1 (services with 0 are left out) */
    int64_t demand[TASKFIT_RESOURCE_COUNT];
    const size_t *ports; /* fixed host ports, indexes 0..n_ports-1 of the problem, ascending: at most one task
                            with a given port on an instance, over all services */
    size_t n_ports;
    bool distinct_instance; /* at most one task of it on an instance */
    const bool *may_stand;  /* [n_offers] permitted by group, constraints, architecture, and no daemon or agent
                               port in the way */
    bool spread_az;         /* tasks over its eligible AZs (those with an offer where it may stand) differ by
                               at most 1; false too where only one AZ is eligible (the rule is void) */
    bool spread_instance;   /* tasks per instance where it may stand differ by at most 1: inside each AZ if
                               spread_az_before_instance, else over all */
    bool spread_az_before_instance;
    const uint32_t *conflicts; /* services (of the problem) with which it never shares an instance, ascending */
    size_t n_conflicts;
    int64_t deploy_tasks;    /* tasks for which there must be room when it is deployed, beside the old ones; 0: none,
                                and always where `rolling` is NONE */
} taskfit_problem_service;

typedef struct taskfit_problem {
    taskfit_arena *arena;
    const taskfit_deployment *deployment;
    taskfit_rung rung;
    size_t n_azs; /* of the cluster */
    const taskfit_offer *offers;
    size_t n_offers;
    const taskfit_problem_group *groups;
    size_t n_groups;
    const taskfit_problem_service *services; /* in file order */
    size_t n_services;
    size_t n_ports; /* distinct fixed host ports */
    taskfit_rolling_policy rolling; /* in force on this rung: room for the deploy_tasks of any one service, or of all
                                       at the same time; spread, headroom and caps do not bind them */
    taskfit_survive_policy survive; /* in force: the tasks of any one instance or AZ find room on the others; spread,
                                       headroom and caps do not bind them; never together with a deployment */
    const size_t *classes; /* [n_services] the optimizer merges alike services of the same class only; NULL, as always from
                              taskfit_problem_new: all of them */
    taskfit_goal objective[4]; /* without moves, which need a given plan (solve/moves.h) */
    size_t n_objective;
} taskfit_problem;

/* Compiles the rules of `rung`: packing; + limits; + spread; + rolling; + survive. Spread holds on its rung and above unless the
 * policy waives it and the policy's own rung is not below (DESIGN 4). The deployment must outlive it. */
taskfit_problem *taskfit_problem_new(const taskfit_deployment *deployment, taskfit_rung rung);
void taskfit_problem_free(taskfit_problem *problem);

/* Whether spread is a rule on this rung, for this policy. */
bool taskfit_spread_in_force(const taskfit_policy *policy, taskfit_rung rung);
/* What deployments and losses must find room on this rung: the policy's value, or oneService and instance above the
 * policy's own rung. */
taskfit_rolling_policy taskfit_rolling_in_force(const taskfit_policy *policy, taskfit_rung rung);
taskfit_survive_policy taskfit_survive_in_force(const taskfit_policy *policy, taskfit_rung rung);
/* Whether a rung is part of the ladder: not one below the policy's own that the policy waives, no `limits`
 * without such rules. */
bool taskfit_rung_on_ladder(const taskfit_policy *policy, taskfit_rung rung);

#endif
