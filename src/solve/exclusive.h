#ifndef TASKFIT_SOLVE_EXCLUSIVE_H
#define TASKFIT_SOLVE_EXCLUSIVE_H

/*
 * Sets of services of which an instance holds one task at most: each refuses all others of its set, all of them refuse the same
 * further services, and of none may two tasks stand together. Such a set is a dimension of capacity 1, as a shared
 * host port is, which needs no pairs and leaves services of one size in one profile: an antiAffinity list becomes a set or few.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "problem/problem.h"

typedef struct taskfit_exclusive {
    const size_t *set_of; /* [n_services] SIZE_MAX: in none */
    size_t n_sets;        /* of three services and more each; the largest if there are many */
} taskfit_exclusive;

/* alone[n_services]: at most one task of the service stands on an instance. */
taskfit_exclusive taskfit_exclusive_find(const taskfit_problem *problem, const bool *alone, taskfit_arena *arena);

/* Instances that the largest of the services' sets needs on any fleet. Where two tasks of a service may stand together, one
 * instance is enough for them. */
int64_t taskfit_exclusive_bound(const taskfit_problem *problem);

#endif
