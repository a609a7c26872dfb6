#ifndef TASKFIT_PROBLEM_PLAN_H
#define TASKFIT_PROBLEM_PLAN_H

/*
 * A plan: the ladder's answer for one deployment, as DESIGN 8 writes it. Made by ladder/, read back by
 * plan_read.c, turned into the document everybody prints by plan_tree.c, judged by verify.c - which looks only
 * at that document and the deployment, never at these structs.
 */

#include "base/arena.h"
#include "deployment/deployment.h"
#include "input/node.h"
#include "problem/fleet.h"
#include "problem/plan_moves.h"
#include "taskfit/taskfit.h"

typedef struct taskfit_plan_reason {
    const char *service;  /* NULL: none */
    const char *resource; /* word of DESIGN 8 */
    int64_t need, room;   /* -1: none */
    const char *instance_type;
    const char *message;
} taskfit_plan_reason;

typedef struct taskfit_plan_goal {
    const char *goal;  /* "count", "cost", "balance", "moves" */
    const char *value; /* "8", "3.427200", "0.0312" */
    const char *bound; /* NULL: none */
    taskfit_proof proof;
} taskfit_plan_goal;

typedef struct taskfit_plan_rung {
    taskfit_rung rung;
    int64_t instances;   /* -1: none (infeasible or unknown) */
    int64_t lower_bound;
    taskfit_proof proof;
    int64_t cost_usd_micros; /* -1: none */
    const taskfit_plan_reason *reason; /* NULL unless infeasible */
} taskfit_plan_rung;

/* What Amazon ECS's own greedy placement needs (ladder/ecs.h). */
typedef struct taskfit_plan_ecs {
    int64_t instances; /* on which every order places every task; -1: not known */
    int64_t orders;    /* tried */
    int64_t seed;
    int64_t below_permille;       /* of the orders that place every task on one instance less; -1: not known */
    int64_t spread_lost_permille; /* of the orders that lose a service's spread over AZs */
} taskfit_plan_ecs;

struct taskfit_plan {
    taskfit_arena *arena; /* the plan itself lies in it */
    const taskfit_deployment *deployment;
    taskfit_deployment *owned_deployment; /* the same, when the plan was read; else NULL */
    taskfit_outcome outcome;
    taskfit_rung rung;
    int64_t instances; /* -1: none */
    int64_t lower_bound;
    int64_t cost_usd_micros, cost_bound_usd_micros; /* -1: none */
    const taskfit_plan_goal *goals;
    size_t n_goals;
    const taskfit_plan_rung *ladder;
    size_t n_ladder;
    taskfit_plan_ecs ecs;
    const char *binding_resource; /* NULL: none */
    const char *binding_note;
    taskfit_plan_reason reason; /* when infeasible */
    taskfit_fleet *fleet;       /* canonical; empty when there is none */
    const taskfit_plan_moves *moves; /* from a given plan; NULL: none was given */
    const taskfit_plan_front_row *front; /* ascending by instances */
    size_t n_front;
    const taskfit_warning *warnings;
    size_t n_warnings;
    const taskfit_node *stated; /* the document it was read from; NULL for a plan made here */
    const char *file, *sha256;  /* of that document; NULL */
    int64_t n_strangers;        /* its instances and tasks that its own deployment does not know, left out here */
};

/* memory, CPU, ENI slots and GPUs: the first four of taskfit_resource. */
enum { TASKFIT_PLAN_RESOURCES = 4 };

/* A plan that somebody wrote by hand may put anything anywhere: sums stop at a figure beyond every capacity, which
 * still can be multiplied by a percentage. */
#define TASKFIT_HELD_MAX (INT64_C(1) << 56)
/* *sum += amount * count, at most TASKFIT_HELD_MAX. */
void taskfit_add_held(int64_t *sum, int64_t amount, int64_t count);

/* What one machine of the plan holds and gives, from accounting, for reports. */
typedef struct taskfit_machine_use {
    int64_t registered_memory_mib, total_cpu_units;
    int64_t capacity[TASKFIT_PLAN_RESOURCES]; /* memory, cpu, eni, gpu: before daemons */
    int64_t daemons[TASKFIT_PLAN_RESOURCES];
    int64_t reserved[TASKFIT_PLAN_RESOURCES];
    int64_t hard_memory_mib;     /* daemons included */
    int64_t expected_memory_mib; /* daemons included; -1: null, something is not observed */
    int64_t expected_cpu_units;
    int64_t n_tasks;   /* of services */
    int64_t n_daemons; /* tasks of daemons */
} taskfit_machine_use;

taskfit_machine_use taskfit_machine_use_of(const taskfit_deployment *deployment, const taskfit_machine *machine,
                                           taskfit_arena *scratch);
/* The same for a whole fleet, [n_machines]: each demand and capacity is computed once. */
const taskfit_machine_use *taskfit_fleet_use(const taskfit_deployment *deployment, const taskfit_fleet *fleet,
                                             taskfit_arena *arena);
/* "main-1", "main-2", ... [n_machines]: those that have no id yet are numbered inside each group, in the order of the
 * (canonical) fleet, by numbers that no other has. */
const char *const *taskfit_fleet_ids(const taskfit_deployment *deployment, const taskfit_fleet *fleet,
                                     taskfit_arena *arena);

/* The document: schema, key order and layout of DESIGN 8. */
taskfit_node *taskfit_plan_tree(const taskfit_plan *plan, taskfit_arena *arena);
/* "optimal", "exact", "packing" ... and back (false: not such a word). */
const char *taskfit_outcome_name(taskfit_outcome outcome);
const char *taskfit_proof_name(taskfit_proof proof);
const char *taskfit_rung_name(taskfit_rung rung);
bool taskfit_outcome_from_name(const char *name, taskfit_outcome *outcome_out);
bool taskfit_proof_from_name(const char *name, taskfit_proof *proof_out);
bool taskfit_rung_from_name(const char *name, taskfit_rung *rung_out);

/* The judge behind taskfit_plan_verify: `document` is a taskfit.plan/1 tree. */
size_t taskfit_verify(const taskfit_node *document, const taskfit_deployment *deployment, taskfit_diag_fn *broken,
                      void *broken_arg);

#endif
