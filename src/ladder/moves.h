#ifndef TASKFIT_LADDER_MOVES_H
#define TASKFIT_LADDER_MOVES_H

/*
 * The goal `moves` on the policy's rung: goals before it are fixed at what the answer reached, those behind it only choose
 * among placements with as few moves.
 */

#include "ladder/given.h"
#include "solve/solve.h"

typedef struct taskfit_rearranged {
    const size_t *standing; /* [fleet->n_machines] of given->standing: who each instance was; SIZE_MAX: new */
    int64_t kept;           /* tasks that stay */
    int64_t kept_bound;     /* no placement of the earlier goals keeps more; -1: not known */
    taskfit_proof proof;    /* EXACT, SOLVER, GAP, or NONE without a bound */
} taskfit_rearranged;

/* The policy's goals with moves among them: where it names them, else before balance, else last. [4] */
typedef struct taskfit_goal_list {
    taskfit_goal goals[4];
    size_t n;
} taskfit_goal_list;

taskfit_goal_list taskfit_goals_with_moves(const taskfit_policy *policy);
/* Where a goal stands in the list; its length where it does not. */
size_t taskfit_goal_place(const taskfit_goal_list *list, taskfit_goal goal);

/* Replaces the answer's fleet by one with the fewest moves, and the figures that change with it. The answer has a fleet. */
taskfit_rearranged taskfit_rearrange(const taskfit_problem *problem, const taskfit_given *given, taskfit_budget *budget,
                                     taskfit_solve_result *answer, taskfit_arena *arena);

/* plan->moves of plan->fleet: who each instance was, who goes, and the steps. */
void taskfit_plan_fill_moves(taskfit_plan *plan, const taskfit_problem *problem, const taskfit_given *given,
                             const taskfit_rearranged *rearranged);

/* plan->front: a row for each number of instances from the plan's to the given plan's. The plan's own row is `rearranged`. */
taskfit_status taskfit_plan_fill_front(taskfit_plan *plan, const taskfit_problem *problem, const taskfit_given *given,
                                       const taskfit_rearranged *rearranged, const taskfit_settings *settings, taskfit_error *err);

#endif
