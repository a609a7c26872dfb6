#ifndef TASKFIT_SOLVE_SOLVE_H
#define TASKFIT_SOLVE_SOLVE_H

/*
 * One problem, one answer: the optimizer's only door (src/solve/README.md explains what is behind it).
 */

#include "base/arena.h"
#include "problem/fleet.h"
#include "problem/problem.h"
#include "taskfit/taskfit.h"

/* What stands in the way of fewer instances, or of any. The words are those of DESIGN 8. */
typedef enum taskfit_limit {
    TASKFIT_LIMIT_MEMORY, /* the first nine in the order of taskfit_resource */
    TASKFIT_LIMIT_CPU,
    TASKFIT_LIMIT_ENI,
    TASKFIT_LIMIT_GPU,
    TASKFIT_LIMIT_TASKS,
    TASKFIT_LIMIT_PORTS,
    TASKFIT_LIMIT_HARD_MEMORY,
    TASKFIT_LIMIT_EXPECTED_CPU,
    TASKFIT_LIMIT_EXPECTED_MEMORY,
    TASKFIT_LIMIT_DISTINCT_INSTANCE,
    TASKFIT_LIMIT_SPREAD,
    TASKFIT_LIMIT_ROLLING,
    TASKFIT_LIMIT_SURVIVE,
    TASKFIT_LIMIT_MIN,
    TASKFIT_LIMIT_MAX,
    TASKFIT_LIMIT_STOCK,
    TASKFIT_LIMIT_MEMBER_OF,
    TASKFIT_LIMIT_ARCHITECTURE,
    TASKFIT_LIMIT_GROUP,
    TASKFIT_LIMIT_AVAILABILITY_ZONE,
    TASKFIT_LIMIT_COUNT
} taskfit_limit;

const char *taskfit_limit_name(taskfit_limit limit);

typedef struct taskfit_reason { /* why nothing fits */
    taskfit_limit resource;
    const char *service;       /* the task that cannot stand; NULL: it is about all of them */
    int64_t need;              /* in the unit of the resource; -1: no figure */
    int64_t room;              /* of the best instance, or of the whole fleet; -1: no figure */
    const char *instance_type; /* the best one; NULL: none */
    const char *message;       /* a full sentence for people */
} taskfit_reason;

typedef struct taskfit_solve_result { /* strings and arrays live in the arena of the call */
    taskfit_outcome outcome;
    taskfit_fleet *fleet;         /* NULL unless OPTIMAL or FEASIBLE */
    int64_t lower_bound;          /* on instances */
    taskfit_proof proof;          /* of the first goal */
    int64_t cost_usd_micros;      /* of the fleet; -1 without one */
    int64_t cost_bound_usd_micros; /* on cost given the earlier goals; 0 when nothing is known */
    taskfit_proof cost_proof;
    taskfit_limit binding;        /* with a fleet */
    const char *binding_note;     /* for people */
    taskfit_reason reason;        /* INFEASIBLE */
    const char *stage;            /* which stage closed it: "volume", "greedy", "compact", ... */
    int64_t work;                 /* deterministic units spent */
    bool layout_matters;          /* with a fleet: AZs are not alike, so it matters which of them has an instance more */
    bool stopped;                 /* cut by the clock or on request: another run may answer otherwise */
} taskfit_solve_result;

/* `known` is a proved bound on instances from a problem with fewer rules (0: none), and `hint` a fleet for one
 * (or NULL): both only save work. */
taskfit_status taskfit_solve(const taskfit_problem *problem, const taskfit_settings *settings, int64_t known_bound,
                             const taskfit_fleet *hint, taskfit_arena *arena, taskfit_solve_result *result_out,
                             taskfit_error *err) TASKFIT_MUST_USE;

#endif
