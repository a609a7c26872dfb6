#ifndef TASKFIT_SOLVE_GLPK_GUARD_H
#define TASKFIT_SOLVE_GLPK_GUARD_H

/*
 * GLPK ends the process when it meets an argument it does not like. Under this guard it comes back instead, with
 * the last line it printed as the message; nothing reaches the terminal.
 * After a failure *every* GLPK object of this thread is gone: never touch one made in an earlier generation.
 * The body owns nothing that needs a release: GLPK objects and arenas of the caller only. Not re-entrant.
 */

#include <stdint.h>

#include "base/attrs.h"
#include "taskfit/status.h"

typedef void taskfit_glpk_body(void *arg);

taskfit_status taskfit_glpk_run(taskfit_glpk_body *body, void *arg, taskfit_error *err) TASKFIT_MUST_USE;
/* What GLPK printed last in this thread's last run; "" when nothing. Until the next run. */
const char *taskfit_glpk_last_line(void);
/* To be called in a body: when GLPK prints something after that moment (base/clock.h), it is stopped as if it had
 * failed. The linear programs inside glp_intopt take no limit and may cycle; with msg_lev GLP_MSG_ON they print now
 * and then. */
void taskfit_glpk_set_deadline(int64_t deadline_ms);
/* Gives back what GLPK holds for this thread: the last thing a thread does that ran anything. */
void taskfit_glpk_leave_thread(void);
/* Grows with each failure of this thread: objects remember it to know whether they still exist. */
int taskfit_glpk_generation(void);

#endif
