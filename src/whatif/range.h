#ifndef TASKFIT_WHATIF_RANGE_H
#define TASKFIT_WHATIF_RANGE_H

/*
 * Where the number of instances changes along a range of whole numbers, with a proof on both sides of every change.
 *
 * The count is monotone in demands and capacities, so two values with equal counts have equal counts between them. A
 * pair of neighbours that differ is narrowed until nothing lies between them, by two kinds of steps:
 *   - the plan of the side that needs fewer instances is held against further values: how far it still stands is
 *     found by checking alone; the value behind that is solved. With well-filled plans that is the change itself.
 *   - bisection, in turn with the other, so that a stubborn pair halves at every second step.
 * Where the path does not tell that the count is monotone, some values spread over the range are solved first, and
 * all values solved must agree.
 */

#include "whatif/comparison.h"

/* Makes the deployment with this value; E_INPUT when it is not valid. */
typedef taskfit_status taskfit_range_make_fn(void *arg, int64_t value, taskfit_deployment **deployment_out,
                                             taskfit_error *err);

typedef struct taskfit_range_point {
    int64_t value;
    taskfit_deployment *deployment;
    taskfit_plan *plan;
    bool extended; /* how far its plan reaches is known */
} taskfit_range_point;

typedef struct taskfit_range_search {
    int64_t low, high; /* low < high */
    taskfit_trend trend;
    taskfit_range_make_fn *make;
    void *make_arg;
    const taskfit_settings *settings;
    taskfit_range_point *points; /* solved, ascending; malloc'ed */
    size_t n_points, capacity;
    taskfit_range result;
} taskfit_range_search;

/* Fills points, of which neighbours with different counts differ by 1, and result. */
taskfit_status taskfit_range_run(taskfit_range_search *search, taskfit_error *err) TASKFIT_MUST_USE;
/* Whether a plan's placement keeps every rule of its rung in a deployment that differs in figures only. */
bool taskfit_plan_still_holds(const taskfit_plan *plan, const taskfit_deployment *deployment);
/* Frees what the points still hold. */
void taskfit_range_release(taskfit_range_search *search);

#endif
