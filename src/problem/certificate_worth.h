#ifndef TASKFIT_PROBLEM_CERTIFICATE_WORTH_H
#define TASKFIT_PROBLEM_CERTIFICATE_WORTH_H

/* What cuts and leaves of trees have in common; for these, `cut` is the tree's with the leaf's prices. */

#include "problem/certificate_knapsack.h"

/* Bounds on what an instance holds of sets of services. */
typedef struct taskfit_cert_bounds {
    const size_t *set_of; /* [n_services] SIZE_MAX: none */
    size_t n_sets;
    const int64_t *low, *high; /* [n_sets] */
} taskfit_cert_bounds;

/* Next tasks of a service that are counted with its old ones. */
int64_t taskfit_cert_next_tasks(const taskfit_cert_rules *rules, size_t s, const taskfit_cert_cut *cut);
/* Where ECS's own rules are all there is, headroom and caps do not bind; counted next tasks take the others along. */
const int64_t *taskfit_cert_capacity(const taskfit_cert_rules *rules, size_t o, const taskfit_cert_cut *cut);
/* The most tasks of a service on one instance of the offer, as far as it alone is concerned, and of its next ones that count; and the
 * least, where it is spread over the instances of the cut's fleet. */
int64_t taskfit_cert_most_on(const taskfit_cert_rules *rules, size_t s, size_t o, const taskfit_cert_cut *cut);
int64_t taskfit_cert_next_on(const taskfit_cert_rules *rules, size_t s, size_t o, const taskfit_cert_cut *cut);
int64_t taskfit_cert_least_on(const taskfit_cert_rules *rules, size_t s, size_t o, const taskfit_cert_cut *cut);
/* Windows [n_azs] of a service's tasks. */
void taskfit_cert_windows(const taskfit_cert_rules *rules, size_t s, const taskfit_cert_cut *cut, int64_t *low, int64_t *high);
/* The least that so many tasks are worth within windows; high is used up. */
int64_t taskfit_cert_least_worth(const taskfit_cert_rules *rules, int64_t n_tasks, const int64_t *price, const int64_t *low,
                                 int64_t *high);
/* A service's tasks, those of its next ones that count included. */
int64_t taskfit_cert_service_worth(const taskfit_cert_rules *rules, size_t s, const taskfit_cert_cut *cut, int64_t *low, int64_t *high);
/* HOSTS: the most of them beside the next task. */
int64_t taskfit_cert_most_beside(const taskfit_cert_rules *rules, size_t s, size_t o, const taskfit_cert_cut *cut);
/* The knapsack of one instance of the offer, within `bounds` (NULL: none). A low bound of a set whose tasks differ is left out. */
taskfit_cert_sack taskfit_cert_fill(const taskfit_cert_rules *rules, const taskfit_cert_cut *cut, size_t o, bool hosts,
                                    const taskfit_cert_bounds *bounds, taskfit_arena *arena);

#endif
