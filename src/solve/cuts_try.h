#ifndef TASKFIT_SOLVE_CUTS_TRY_H
#define TASKFIT_SOLVE_CUTS_TRY_H

/*
 * Between the files that look for cuts. Each takes the case of a cut and its service, finds prices, and adds the cut when the
 * checker's arithmetic says that it refutes the fleet, or else the same prices as a leaf; true when one was added.
 */

#include "solve/cuts.h"

struct taskfit_master;

/* A cut whose prices are there. Of HOSTS it has to refute that the next task goes to pool->host. */
bool taskfit_cut_try(taskfit_cut_pool *pool, taskfit_cert_cut cut, const int64_t *fleet);
/* A resource as the price, in one AZ (SIZE_MAX: in all), where that says no or nearly so. */
bool taskfit_cut_try_volume(taskfit_cut_pool *pool, taskfit_cert_cut cut, size_t resource, size_t only_az, const int64_t *fleet);
/* The services of one profile, in all AZs or in one. */
bool taskfit_cut_try_profile(taskfit_cut_pool *pool, taskfit_cert_cut cut, const taskfit_profile *profile, const int64_t *fleet);
/* Duals of a decision that the case asks for; further services and offers of its problem are behind those of the pool's. */
bool taskfit_cut_try_duals(taskfit_cut_pool *pool, taskfit_cert_cut cut, const taskfit_decision *decision, const int64_t *fleet);
/* A tree that refutes the decision. `at`: the offer that hosts or is lost (problem/certificate.h); SIZE_MAX: none. */
bool taskfit_cut_try_tree(taskfit_cut_pool *pool, taskfit_cert_cut cut, const taskfit_decision *decision, size_t at,
                          const int64_t *fleet);
/* What the master asks for a profile in each zone, for each service in each AZ: [n_services][n_azs], in the pool's arena. Next
 * tasks that are told apart have prices of their own; next_out NULL: there are none. */
const int64_t *taskfit_cut_prices(taskfit_cut_pool *pool, const taskfit_decision *decision, const struct taskfit_master *master,
                                  const int64_t **next_out);

/* Cuts of deployments and losses, also by trees. */
bool taskfit_cut_find_room(taskfit_cut_pool *pool, const int64_t *fleet, bool trees);

#endif
