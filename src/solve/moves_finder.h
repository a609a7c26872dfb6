#ifndef TASKFIT_SOLVE_MOVES_FINDER_H
#define TASKFIT_SOLVE_MOVES_FINDER_H

/*
 * What the search for fewest moves on one board is made of:
 *     moves_node.c    parts of the question, what the relaxation says of them, and where to branch
 *     moves_rest.c    placements for what a part leaves open
 *     moves_search.c  dives and branches over them
 */

#include "solve/moves_master.h"
#include "solve/moves_search.h"

#define TASKFIT_MOVES_WHOLE 1e-6   /* a value of the relaxation is whole to this */
#define TASKFIT_MOVES_NEARLY 0.999 /* and nearly whole from here on */

typedef struct taskfit_moves_finder {
    taskfit_moves_search *search;
    const taskfit_moves_board *board;
    const taskfit_moves_board *fine; /* the board whose profiles merge only what stands alike */
    bool *lossy;          /* [n_services] of profiles that lose tasks in the deal that loses least */
    size_t n_lossy, most_lossy; /* deals that lose tasks, and when to give up for a finer board */
    int64_t least_loss;
    taskfit_moves_master *master;
    taskfit_arena *arena; /* of nodes */
    int64_t nodes_left;
    double *share;        /* [n_stands] how far the stand stays */
    double *kept;         /* [n_stands][n_profiles] tasks that stay */
} taskfit_moves_finder;

/* What the next branch is about. */
typedef struct taskfit_moves_branching {
    bool any;
    size_t stand;
    size_t profile; /* SIZE_MAX: whether the stand stays */
    int64_t tasks;  /* at least so many, or fewer */
} taskfit_moves_branching;

/* ---- moves_node.c ---- */

taskfit_moves_node *taskfit_moves_node_root(const taskfit_moves_finder *f);
taskfit_moves_node *taskfit_moves_node_copy(const taskfit_moves_finder *f, const taskfit_moves_node *node);
/* Makes the branch in place; the other stands of a choice follow when it is full. False: no placement is left. */
bool taskfit_moves_node_apply(const taskfit_moves_finder *f, taskfit_moves_node *node, const taskfit_moves_branching *b, bool up);
/* Sets share and kept from the master's columns. */
void taskfit_moves_read_values(taskfit_moves_finder *f);
/* The stand whose stay is most in doubt, else the profile; none: all is whole. */
taskfit_moves_branching taskfit_moves_choose_branch(const taskfit_moves_finder *f, const taskfit_moves_node *node);
/* Where all is whole: what the node's bounds do not hold yet; none: everything is fixed. */
taskfit_moves_branching taskfit_moves_choose_whole(const taskfit_moves_finder *f, const taskfit_moves_node *node);
/* Of stands that may stay, no more tasks than their bounds allow. */
int64_t taskfit_moves_count_bound(const taskfit_moves_finder *f, const taskfit_moves_node *node);

/* ---- moves_rest.c ---- */

/* Asks the stages, with `work` to spend, for a placement within the node where each stand keeps what the relaxation keeps there to more
 * than `threshold` of a task; tells the search of it. REFUTED: there is none. */
taskfit_verdict taskfit_moves_try_rest(taskfit_moves_finder *f, const taskfit_moves_node *node, double threshold, int64_t work,
                                       taskfit_proof *proof_out);

#endif
