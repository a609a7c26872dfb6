#ifndef TASKFIT_WHATIF_WORKERS_H
#define TASKFIT_WHATIF_WORKERS_H

/*
 * Independent pieces of work on all processors. Each piece owns everything it changes; the answer must not depend on
 * which thread takes it or when.
 */

#include <stddef.h>

#include "taskfit/taskfit.h"

typedef void taskfit_work_fn(void *arg, size_t piece, const taskfit_settings *settings);

/* Calls work(arg, piece, ...) once for each piece below n_pieces, in at most n_workers threads (0: one for each
 * processor). The settings handed on are `settings` with callbacks that take turns; when a piece is done, `log` hears
 * how many are. */
void taskfit_workers_run(size_t n_workers, size_t n_pieces, const taskfit_settings *settings, taskfit_work_fn *work,
                         void *arg);

#endif
