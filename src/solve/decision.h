#ifndef TASKFIT_SOLVE_DECISION_H
#define TASKFIT_SOLVE_DECISION_H

/*
 * The question every stage answers: do all tasks stand on exactly these instances?
 *
 * solve.c walks through fleets (types, counts, AZs) from the bound upward and asks; bound.c, greedy.c, colgen.c
 * and compact.c answer. A decision knows nothing of services: those that are alike in everything are merged
 * into a *profile*, which loses nothing (README.md: Gale-Ryser), and expand.c turns profile counts back into
 * services.
 *
 * What stands on an instance of kind k is a *pattern* a[p], feasible when for every dimension d
 *     sum_p a[p] * demand[p][d] <= capacity[k][d]
 * and for every profile low[p][k] <= a[p] <= high[p][k], and no two conflicting profiles are both above 0.
 * Over all instances of zone z the tasks of profile p sum to a T[p][z] with zone_low[p][z] <= T <= zone_high[p][z],
 * and over all zones to tasks[p]. Instances may be empty where low is 0.
 *
 * Why this carries the rules (S services of r replicas in the profile, Z eligible zones, N instances where it
 * may stand in the class):
 *   distinctInstance    high = S
 *   a fixed host port   a dimension of capacity 1
 *   spread by AZ        zone window [S * floor(r/Z), S * ceil(r/Z)], elsewhere [0, 0]
 *   spread by instance  with D and E = the fewest and most tasks of a service in the class (floor(r/Z) and
 *                       ceil(r/Z), or r without an AZ rule):  low = S * floor(D/N), high = S * ceil(E/N)
 *   may not stand       high = 0
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "problem/problem.h"

typedef struct taskfit_kind { /* alike instances of the fleet */
    size_t offer; /* of the problem */
    size_t zone;  /* 0..n_zones-1; all in zone 0 when no rule speaks of AZs */
    int64_t count; /* instances of it, exactly */
    const int64_t *capacity; /* [n_dims], >= 0 */
    const int64_t *low;      /* [n_profiles] */
    const int64_t *high;     /* [n_profiles] already cut to what fits alone and to tasks[p] */
} taskfit_kind;

typedef struct taskfit_profile {
    int64_t n_services;      /* S */
    int64_t replicas;        /* r */
    int64_t tasks;           /* S * r */
    const int64_t *demand;   /* [n_dims] */
    const int64_t *zone_low; /* [n_zones] */
    const int64_t *zone_high; /* [n_zones] */
    bool spread_az;           /* its zone windows are each service's own: the classes of instance spread are zones */
    const size_t *services;  /* [n_services] indexes into problem->services, ascending */
} taskfit_profile;

typedef struct taskfit_conflict {
    size_t a, b; /* profiles, a < b */
} taskfit_conflict;

enum {
    TASKFIT_DIM_PORT = -1, /* a fixed host port */
    TASKFIT_DIM_SET = -2   /* a task of a set of services that refuse each other */
};

typedef struct taskfit_decision {
    const taskfit_problem *problem;
    size_t n_dims;           /* resources that can bind, then one per fixed host port that two services share, then
                                one per set of services that refuse each other (solve/exclusive.h) */
    const int *dim_resource; /* [n_dims] taskfit_resource, or what else is held once an instance */
    const taskfit_profile *profiles;
    size_t n_profiles;
    size_t n_zones;
    const taskfit_kind *kinds; /* count >= 1 each */
    size_t n_kinds;
    int64_t n_instances; /* sum of the counts */
    const size_t *offer_kind;   /* [n_offers of the problem] the kind its instances were merged into */
    const int64_t *offer_count; /* [n_offers] instances of it, as asked; 0: its kind means nothing */
    const taskfit_conflict *conflicts;
    size_t n_conflicts;
    bool impossible; /* a window is empty already: nothing can satisfy it */
} taskfit_decision;

typedef struct taskfit_content_task {
    size_t profile;
    int64_t count; /* >= 1 */
} taskfit_content_task;

/* Contents of alike instances: an answer is a list of these whose counts sum to each kind's count. Sparse, as
 * large deployments have thousands of profiles. */
typedef struct taskfit_content {
    size_t kind;
    int64_t count; /* instances with exactly this content */
    const taskfit_content_task *tasks; /* ascending by profile */
    size_t n_tasks;
} taskfit_content;

/* A content from tasks[n_profiles]. */
taskfit_content taskfit_content_from_dense(taskfit_arena *arena, size_t kind, int64_t count, const int64_t *tasks,
                                           size_t n_profiles);

typedef enum taskfit_verdict {
    TASKFIT_VERDICT_OPEN, /* not decided within the limits */
    TASKFIT_VERDICT_FITS,
    TASKFIT_VERDICT_REFUTED
} taskfit_verdict;

typedef struct taskfit_answer {
    taskfit_verdict verdict;
    taskfit_proof proof; /* REFUTED: EXACT or SOLVER */
    const taskfit_content *contents; /* FITS */
    size_t n_contents;
    const char *stage;
    int64_t lower_bound; /* REFUTED: fewer instances than this cannot do either, as long as they are of these kinds, alike
                            but for their zones, with the same bounds; 0: says nothing */
} taskfit_answer;

/* How much a stage may still spend, and whom it asks. Work is deterministic: pattern nodes, pivots, branch
 * nodes, each weighted by its stage; the clock only guards. */
typedef struct taskfit_budget {
    int64_t work_left;
    int64_t deadline_ms; /* of base/clock.h; 0: none */
    bool (*stop)(void *arg);
    void *stop_arg;
    bool stopped;          /* set once stop() or the deadline ended it */
    int64_t glpk_fallbacks; /* how often GLPK had to be helped */
    const char *stage;     /* what is being done; NULL: nothing worth a word */
    void (*report)(const struct taskfit_budget *budget); /* told when the stage changes and after much work; NULL: nobody */
    void *report_arg;
} taskfit_budget;

/* From here on the work is that of this stage: "dive", "branch", ... */
void taskfit_budget_stage(taskfit_budget *budget, const char *stage);

/* Charges work; true while there is some left and nobody asked to stop. Cheap enough for inner loops. */
bool taskfit_budget_spend(taskfit_budget *budget, int64_t work);

/* The decision for a fleet: count[o] instances of each offer of the problem (the caller keeps groups' AZ balance,
 * min, max, stock and one-type rules). Lives in the arena. */
const taskfit_decision *taskfit_decision_new(taskfit_arena *arena, const taskfit_problem *problem, const int64_t *count);

/* At most one task of the service stands on an instance, whatever the fleet. */
bool taskfit_decision_alone(const taskfit_problem *problem, size_t service);

/* Checks an answer of a stage in integers: patterns, counts, windows. For asserts and tests; the plan's
 * verifier is another one. */
bool taskfit_contents_valid(const taskfit_decision *decision, const taskfit_content *contents, size_t n_contents);

/* ---- the stages; each leaves OPEN what it cannot tell ---- */

/* Volume, per zone and in all; instances that replicas need; host ports; low bounds. Integers only. */
taskfit_answer taskfit_bound_decide(const taskfit_decision *decision, taskfit_arena *arena);
/* First fit decreasing under several weights, bin-centric dot product, with zone book-keeping. */
taskfit_answer taskfit_greedy_decide(const taskfit_decision *decision, taskfit_budget *budget, taskfit_arena *arena);
/* Column generation, exact pricing, diving, then branching. */
taskfit_answer taskfit_colgen_decide(const taskfit_decision *decision, taskfit_budget *budget, taskfit_arena *arena);
/* The aggregated integer program (profile x instance) in GLPK: models/aggregated.mod. */
taskfit_answer taskfit_compact_decide(const taskfit_decision *decision, taskfit_budget *budget, taskfit_arena *arena);

#endif
