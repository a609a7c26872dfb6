#ifndef TASKFIT_PROBLEM_VERIFY_H
#define TASKFIT_PROBLEM_VERIFY_H

/*
 * What the files of the verifier share. It judges a plan document against a deployment with nothing but the
 * accounting of single tasks and single instances: no problem, no fleet, nothing of the optimizer, so that a
 * mistake there cannot hide here.
 *
 *     verify.c          reads the document's fleet, walks through the rules, decides which are in force
 *     verify_fleet.c    what binds instances and groups
 *     verify_spread.c   what binds the tasks of a service over AZs and instances
 *     verify_rolling.c  room for deployments
 *     verify_survive.c  room for what a lost instance or AZ held
 *     verify_room.c     do some tasks find room beside those that stand? What both ask
 *     verify_figures.c  every figure and word the document states
 *     verify_moves.c    what it says of a given plan: who stays, and the steps; verify_given.c reads that
 *     verify_reason.c   the reason of an infeasible answer, where it is one task that can stand nowhere
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "deployment/accounting.h"
#include "input/node.h"
#include "taskfit/taskfit.h"

typedef struct taskfit_judged_task {
    size_t service; /* of the deployment */
    int64_t count;  /* >= 1 */
} taskfit_judged_task;

typedef struct taskfit_judged_machine {
    const char *id; /* as stated, or "fleet[3]" */
    const taskfit_node *node;
    bool located; /* group, type and AZ are known and belong together; else the next four are unset */
    size_t group, type, az;
    const taskfit_instance_capacity *capacity;
    taskfit_judged_task *tasks; /* services that the deployment knows, each once */
    size_t n_tasks;
    int64_t held[TASKFIT_RESOURCE_COUNT]; /* by those tasks, daemons aside */
} taskfit_judged_machine;

typedef struct taskfit_judge {
    const taskfit_deployment *deployment;
    const taskfit_node *document;
    taskfit_arena *arena;
    taskfit_diag_fn *broken; /* NULL: only counted */
    void *broken_arg;
    size_t n_broken;
    taskfit_rung rung;
    bool limits_in_force, spread_in_force;
    taskfit_rolling_policy rolling_in_force;
    taskfit_survive_policy survive_in_force;
    bool undecided_told; /* the document says that its search for room was cut (VERIFY001) */
    const taskfit_task_demand *demands; /* [n_services] */
    int64_t *n_placed;                  /* [n_services] tasks found in the fleet */
    const taskfit_instance_capacity ***capacities; /* [n_groups][n_types x n_azs of the cluster], as needed */
    taskfit_judged_machine *machines;
    size_t n_machines;
} taskfit_judge;

/* One broken rule, one line: "main-3: memory 63,500 MiB reserved of 63,138 (rule: capacity)". */
void taskfit_judge_tell(taskfit_judge *judge, const char *format, ...) TASKFIT_PRINTF(2, 3);
/* Whether one of a NULL-terminated list of globs names the service. */
bool taskfit_judge_matches(const char *const *globs, const char *name);
/* "63,500", for those lines. */
const char *taskfit_judge_number(taskfit_judge *judge, int64_t value);
/* *sum += amount * count, held at a number beyond every capacity where it would overflow. */
void taskfit_judge_add(int64_t *sum, int64_t amount, int64_t count);
/* Whether a host port of the service is the agent's or a daemon's on such an instance. */
bool taskfit_judge_port_taken(const taskfit_instance_capacity *capacity, const taskfit_task_demand *demand);
/* Capacity of an instance of the deployment, computed once. */
const taskfit_instance_capacity *taskfit_judge_capacity(taskfit_judge *judge, size_t group, size_t type, size_t az);

void taskfit_judge_machines(taskfit_judge *judge);
void taskfit_judge_groups(taskfit_judge *judge);
void taskfit_judge_spread(taskfit_judge *judge);
void taskfit_judge_rolling(taskfit_judge *judge);
void taskfit_judge_survive(taskfit_judge *judge);
void taskfit_judge_figures(taskfit_judge *judge);

/* ---- room beside those that stand ---- */

typedef struct taskfit_judged_room taskfit_judged_room;

typedef enum taskfit_found { TASKFIT_FOUND, TASKFIT_NOT_THERE, TASKFIT_UNDECIDED } taskfit_found;

/* The located machines with what ECS gives on them and what their tasks leave. Lives in the judge's arena. */
taskfit_judged_room *taskfit_judged_room_new(taskfit_judge *judge);
/* No task may come to a lost machine. */
void taskfit_judged_room_lose(taskfit_judged_room *room, size_t machine, bool lost);
/* How many more tasks of the service alone fit, at most `most`. */
int64_t taskfit_judged_room_alone(const taskfit_judged_room *room, size_t service, int64_t most);
/* Whether tasks of the two services may share an instance, apart from room: ports, distinctInstance, conflicts. */
bool taskfit_judged_bear(const taskfit_judged_room *room, size_t a, size_t b);
/* Whether extra[n_services] tasks find room together. *short_out: a service that does not, with NOT_THERE. */
taskfit_found taskfit_judged_room_together(taskfit_judged_room *room, const int64_t *extra, size_t *short_out);
/* Says that a rule could not be decided, unless the document says so itself. `what` is the case. */
void taskfit_judge_undecided(taskfit_judge *judge, const char *what, const char *rule);
void taskfit_judge_reason(taskfit_judge *judge);
/* `given` (or NULL): the document of the given plan, and the fingerprint of its file (or NULL). */
void taskfit_judge_moves(taskfit_judge *judge, const taskfit_node *given, const char *given_sha256);

#endif
