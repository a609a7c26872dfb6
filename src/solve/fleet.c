#include "solve/fleet.h"

#include <string.h>

#include "base/int64.h"

/*
 * Fleets are asked about with little effort at first. Those left open hold the bound; after a few of them a plan is looked for
 * further up, in strides that narrow down to it, and then the open ones are asked again with ever more effort.
 */

enum { MOST_OPEN = 64, PATIENCE = 3, MOST_SAMPLES = 24, NEAR = 9, STRIDE = 8, GROWTH = 4 };

typedef struct open_fleet {
    const int64_t *count;
    taskfit_fleet_goal goal;
    int64_t work; /* that did not suffice */
} open_fleet;

typedef struct climber {
    taskfit_fleet_search *s;
    taskfit_arena *arena;
    taskfit_lattice *lattice;
    taskfit_fleet_goal low;   /* every fleet before it is refuted, or among the open ones */
    bool ended;               /* there is no further fleet before the plan known, */
    bool stuck;               /*    ... or it could not be told */
    open_fleet open[MOST_OPEN]; /* in ascending order */
    size_t n_open;
} climber;

static bool go_on(const climber *c) {
    return !c->s->budget->stopped && c->s->budget->work_left > 0 && c->n_open < MOST_OPEN;
}

/* Open fleets that are no better than the plan known are of no interest. */
static void forget_dearer(climber *c) {
    while (c->n_open > 0 && !taskfit_fleet_goal_before(c->open[c->n_open - 1].goal, c->s->known)) {
        c->n_open--;
    }
}

static void keep_open(climber *c, open_fleet fleet) {
    size_t at = c->n_open++;
    for (; at > 0 && taskfit_fleet_goal_before(fleet.goal, c->open[at - 1].goal); at--) {
        c->open[at] = c->open[at - 1];
    }
    c->open[at] = fleet;
}

static taskfit_fleet_goal bound_of(const climber *c) {
    const taskfit_fleet_goal low = c->ended ? c->s->known : c->low;
    return c->n_open > 0 && taskfit_fleet_goal_before(c->open[0].goal, low) ? c->open[0].goal : low;
}

/* The best fleet from query->low on; OPEN when there is none. */
static taskfit_verdict look(climber *c, taskfit_lattice_query *query, bool *any_out) {
    int64_t *count = TASKFIT_ARRAY(c->arena, c->s->problem->n_offers, int64_t);
    query->below = c->s->known;
    query->count = count;
    *any_out = taskfit_lattice_next(c->lattice, query);
    if (!*any_out) {
        return TASKFIT_VERDICT_OPEN;
    }
    c->s->bound = bound_of(c);
    taskfit_cut_pool *cuts = taskfit_lattice_cuts(c->lattice);
    if (taskfit_cut_find(cuts, count)) {
        return TASKFIT_VERDICT_REFUTED;
    }
    taskfit_lattice_exclude(c->lattice, count);
    if (cuts->refuted) {
        return TASKFIT_VERDICT_REFUTED;
    }
    const taskfit_verdict verdict = c->s->decide(c->s, count, query->goal, c->s->work);
    forget_dearer(c);
    if (verdict == TASKFIT_VERDICT_OPEN) {
        keep_open(c, (open_fleet){count, query->goal, c->s->work});
    }
    return verdict;
}

/* Upward, until `most` fleets are left open. */
static void climb(climber *c, size_t most) {
    while (go_on(c) && c->n_open < most && !c->ended && !c->stuck) {
        taskfit_lattice_query query = {.low = c->low};
        bool any;
        (void)look(c, &query, &any);
        c->low = any && !query.cut_short ? query.goal : query.low;
        c->ended = !any && !query.cut_short;
        c->stuck = !any && query.cut_short;
    }
}

/* A plan further up, within 1 / 2^NEAR of the fleets left open if that comes easily. */
static void approach(climber *c) {
    int64_t failed = c->open[0].goal.first;
    int64_t stride = max64(1, failed >> STRIDE);
    for (int i = 0; i < MOST_SAMPLES && go_on(c) && c->s->known.first - failed > failed >> NEAR; i++) {
        taskfit_lattice_query query = {.low = {failed + min64(stride, (c->s->known.first - failed) / 2), 0}};
        bool any;
        const taskfit_verdict verdict = look(c, &query, &any);
        if (!any) {
            break;
        }
        if (verdict == TASKFIT_VERDICT_OPEN) {
            failed = query.goal.first;
            stride *= 2;
        }
    }
}

/* The open ones again, where each may now take at least twice the work; false: none may. */
static bool insist(climber *c, int64_t work) {
    bool any = false;
    for (size_t i = 0; i < c->n_open && go_on(c);) {
        open_fleet *fleet = &c->open[i];
        const int64_t share = min64(work, c->s->budget->work_left / 2);
        if (share < 2 * fleet->work) {
            i++;
            continue;
        }
        any = true;
        fleet->work = share;
        if (c->s->decide(c->s, fleet->count, fleet->goal, share) == TASKFIT_VERDICT_OPEN) {
            i++;
        } else {
            memmove(fleet, fleet + 1, (--c->n_open - i) * sizeof *fleet);
            forget_dearer(c);
        }
    }
    return any;
}

void taskfit_fleet_find(taskfit_fleet_search *s, int64_t from) {
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_lattice_setting setting = {.problem = s->problem,
                                             .walk = s->walk,
                                             .cost_first = s->cost_first,
                                             .most_instances = s->most_instances,
                                             .budget = s->budget,
                                             .dual_work = s->work};
    climber c = {.s = s, .arena = arena, .lattice = taskfit_lattice_new(&setting, arena), .low = {from, 0}};
    climb(&c, 1);
    if (c.n_open > 0) {
        approach(&c);
        climb(&c, PATIENCE);
    }
    for (int64_t work = s->work * GROWTH; insist(&c, work); work *= GROWTH) {
        climb(&c, PATIENCE);
    }
    s->bound = bound_of(&c);
    s->open = c.n_open > 0 || !c.ended;
    taskfit_arena_free(arena);
}
