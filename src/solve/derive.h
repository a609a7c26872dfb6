#ifndef TASKFIT_SOLVE_DERIVE_H
#define TASKFIT_SOLVE_DERIVE_H

/*
 * Problems made of another one, so that the stages, which know nothing of deployments and losses, can be asked about
 * them. A derived problem has no such rules of its own; it borrows from the original and lives in the arena.
 */

#include "problem/fleet.h"
#include "solve/decision.h"

/* One instance of an offer that keeps something free, or some services off. */
typedef struct taskfit_host {
    size_t offer;
    int64_t reserve[TASKFIT_RESOURCE_COUNT]; /* of what ECS gives (ecs_capacity), beside the tasks */
    const bool *keeps_off; /* [n_services]; NULL: none */
} taskfit_host;

/* Each host becomes an offer of its own behind the others; count_out says how many of each there are. There are at
 * least as many instances of an offer as hosts of it. */
const taskfit_problem *taskfit_derive_hosts(taskfit_arena *arena, const taskfit_problem *problem, const int64_t *count,
                                            const taskfit_host *hosts, size_t n_hosts, const int64_t **count_out);

/* Adds extra[n_services] tasks of each service that obey ECS's own rules beside the old ones. Where no spread tells old
 * from new tasks they only raise the replicas; else a further service stands for them, with `service` counted from
 * deployment->n_services. `bare` takes ecs_capacity for all tasks: a relaxation. Without it the capacity holds for the
 * extra tasks too, which is stricter than the rule where headroom or caps are in force. */
const taskfit_problem *taskfit_derive_extra(taskfit_arena *arena, const taskfit_problem *problem, const int64_t *extra,
                                            bool bare);
/* The same, not bare, but a further service stands for the extra tasks of each, whatever tells them apart; spared[RESOURCE_COUNT] of
 * each of its demands is taken to be there beside the capacity. */
const taskfit_problem *taskfit_derive_twins(taskfit_arena *arena, const taskfit_problem *problem, const int64_t *extra,
                                            const int64_t *spared);
/* Takes the extra tasks out of a fleet of taskfit_derive_extra's problem, in place. */
void taskfit_derive_strip(const taskfit_problem *problem, const int64_t *extra, taskfit_fleet *fleet);

/* ECS's own rules and conflicts alone: no spread, no headroom, no caps. */
const taskfit_problem *taskfit_derive_bare(taskfit_arena *arena, const taskfit_problem *problem);

/* No headroom and no caps: what binds old tasks binds new ones alike. */
bool taskfit_derive_plain(const taskfit_problem *problem);

#endif
