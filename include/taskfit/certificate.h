#ifndef TASKFIT_CERTIFICATE_H
#define TASKFIT_CERTIFICATE_H

/*
 * The proof of a plan's bound, as a file that can be checked without an optimizer. The rules of taskfit.h hold here
 * too.
 *
 *     taskfit_certify(plan, &settings, write, sink, &err);                 the proof of the first goal's bound
 *     taskfit_certificate_check(plan, NULL, data, len, tell, arg, &n, &err);
 */

#include "taskfit/taskfit.h"

#pragma GCC visibility push(default)

/* Writes the certificate of the plan's first goal (src/problem/certificate_file.c describes the document). It is found anew,
 * from the plan's deployment and bound, and checked before it is written. TASKFIT_E_ARGUMENT: there is none, and err says why:
 * no plan, or a bound that no list of dual prices proves. */
taskfit_status taskfit_certify(const taskfit_plan *plan, const taskfit_settings *settings, taskfit_write_fn *write, void *sink,
                               taskfit_error *err);

/* Checks that the bytes prove the bound of this plan, in integers, from nothing but demands and capacities. `deployment` NULL:
 * the plan's own. Defects are told one by one; n_broken_out counts them. Whether the plan itself keeps its rules is
 * taskfit_plan_verify's business. */
taskfit_status taskfit_certificate_check(const taskfit_plan *plan, const taskfit_deployment *deployment, const char *data,
                                         size_t len, taskfit_diag_fn *broken, void *broken_arg, size_t *n_broken_out,
                                         taskfit_error *err);

#pragma GCC visibility pop

#endif
