#ifndef TASKFIT_SOLVE_SEARCH_H
#define TASKFIT_SOLVE_SEARCH_H

/*
 * The state of one call of taskfit_solve, and what its parts do with it. For solve.c and these only:
 *
 *     solve.c          walks through the fleets in the order of the goals and asks about each
 *     search_ask.c     asks the stages about one fleet, each with its share of the work
 *     search_plan.c    keeps the best plan, and finds a first one
 *     search_log.c     says how far it is
 *     search_answer.c  turns the state into a result
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "problem/fleet.h"
#include "solve/decision.h"
#include "solve/greedy.h"
#include "solve/solve.h"
#include "solve/walk.h"

enum {
    TASKFIT_GREEDY_WORK = 400000000 /* of one greedy decision: it must answer even when the rest is spent */
};

typedef struct taskfit_search {
    const taskfit_problem *problem;
    const taskfit_settings *settings;
    taskfit_arena *arena;   /* of the answer */
    taskfit_arena *scratch; /* of one fleet */
    taskfit_walk *walk;
    bool cost_first;
    taskfit_budget budget;
    int64_t work_limit;
    int64_t free_slack; /* instances that cost nothing weigh 1 micro-dollar in the walk: how much that may be */
    bool sought_incumbent;
    bool has_plan;
    taskfit_answer plan;  /* the best so far, of the decision of fleet_count */
    bool rooms;           /* deployments or losses are rules: then plans are fleets, */
    taskfit_fleet *found; /* of the last answer, in scratch, */
    taskfit_fleet *placed; /* and of the best so far */
    int64_t share;        /* of the work that one exact question about rooms may take */
    int64_t bound;        /* on the first goal, so far */
    int64_t one_kind_from; /* from so many instances on a refutation may speak of larger fleets too, */
    int64_t refuted_to;    /* and this many are refuted */
    int64_t asked;        /* instances of the fleet in question, */
    int64_t given;        /* and what a stage may spend on it */
    int64_t *fleet_count; /* [n_offers] */
    int64_t first, second; /* its goals: instances and cost, or cost and instances */
    bool refuted_by_solver;
    const char *refuted_stage; /* of the last refutation that took more than the bound */
    int64_t open_first, open_second; /* of the first fleet left open; INT64_MAX: none */
} taskfit_search;

/* The bound first, then greedy, which has work of its own: as long as there is no plan nobody stops it. `guide` is given
 * where a first plan is sought: then greedy is asked in any case. */
taskfit_answer taskfit_search_ask_cheaply(taskfit_search *search, const int64_t *count, taskfit_greedy_guide *guide);
/* The exact stages, with at most `share` of the work. Both answers live in search->scratch, until the next question. */
taskfit_answer taskfit_search_ask_exactly(taskfit_search *search, const int64_t *count, int64_t share);

/* The goals of a mix, in their order. */
int64_t taskfit_search_first(const taskfit_search *search, const taskfit_mix *mix);
int64_t taskfit_search_second(const taskfit_search *search, const taskfit_mix *mix);
/* Better than the best plan so far? */
bool taskfit_search_better(const taskfit_search *search, const taskfit_mix *mix);
/* The answer, which fits, becomes the best plan. */
void taskfit_search_keep(taskfit_search *search, const taskfit_mix *mix, const int64_t *count, const taskfit_answer *answer);
/* Seeks a plan by greedy, from so many instances upward. */
void taskfit_search_first_plan(taskfit_search *search, int64_t from);

/* Lines of the log: how far a stage is (a taskfit_budget's report), what it said, a better plan, the end. */
void taskfit_search_report(const taskfit_budget *budget);
void taskfit_search_log_answer(const taskfit_search *search, const taskfit_answer *answer);
void taskfit_search_log_plan(const taskfit_search *search);
void taskfit_search_log_end(const taskfit_search *search, const taskfit_solve_result *result);

/* `bound`: on the first goal; everything below it is refuted. */
void taskfit_search_answer(taskfit_search *search, int64_t bound, taskfit_solve_result *result_out);

#endif
