#ifndef TASKFIT_LADDER_REPLACE_H
#define TASKFIT_LADDER_REPLACE_H

#include "problem/plan.h"

typedef struct taskfit_replacements {
    int64_t n_tried, n_placed_all;
    size_t worst;          /* the machine, or AZ, whose loss fails most often */
    int64_t worst_permille; /* of its re-placements that succeed */
} taskfit_replacements;

/* Whether Amazon ECS itself finds the room that rung `survive` leaves: each instance (or AZ) is lost in turn, and its
 * tasks are placed by ECS's steps on the others in seeded orders of the services. False: too much work. */
bool taskfit_replace_losses(const taskfit_plan *plan, bool by_az, uint64_t seed, taskfit_replacements *out);

#endif
