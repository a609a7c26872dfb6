#ifndef TASKFIT_TESTS_SUPPORT_PROOF_H
#define TASKFIT_TESTS_SUPPORT_PROOF_H

/* Plans and their certificates inside a test; a plan without one fails it. */

#include "base/strbuf.h"
#include "taskfit/certificate.h"
#include "taskfit/taskfit.h"

typedef struct proof {
    taskfit_deployment *deployment;
    taskfit_plan *plan;
    taskfit_strbuf text;
} proof;

proof proof_of(const char *file);
void proof_release(proof *p);
/* How many defects are told of a text in the certificate's place; they go to `told`, one a line. */
size_t proof_check(const proof *p, const char *text, size_t len, taskfit_strbuf *told);
/* The text with the first `from` replaced and, if asked, the last line made true again. */
void proof_mutate(const proof *p, const char *from, const char *to, bool rehash, taskfit_strbuf *out);

#endif
