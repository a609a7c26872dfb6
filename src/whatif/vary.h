#ifndef TASKFIT_WHATIF_VARY_H
#define TASKFIT_WHATIF_VARY_H

/*
 * What --vary says: a path of the edit language (deployment/edit.h) and the values it takes.
 *
 *     sidecar.memoryReservation=896,512,256    values, YAML; commas in brackets and quotes belong to them
 *     sidecar.memoryReservation=256..1024      whole numbers, all of them
 *     type=m6i.2xlarge,r7g.2xlarge             short for the types of the one instance group
 */

#include "base/arena.h"
#include "base/error.h"
#include "deployment/deployment.h"

enum { TASKFIT_VARY_VALUES_MAX = 10000 };

typedef struct taskfit_vary {
    const char *path;    /* as given */
    bool types;          /* the short form */
    bool range;          /* low..high, low < high; else values */
    int64_t low, high;
    const char **values; /* as given, blanks around them cut */
    size_t n_values;
} taskfit_vary;

taskfit_status taskfit_vary_parse(taskfit_arena *arena, const char *text, taskfit_vary *vary_out,
                                  taskfit_error *err) TASKFIT_MUST_USE;
/* The edit "PATH=VALUE" that gives it this value. */
const char *taskfit_vary_edit(taskfit_arena *arena, const taskfit_vary *vary, const char *value);
/* Whether the short form means something in this deployment. */
taskfit_status taskfit_vary_check(const taskfit_vary *vary, const taskfit_deployment *deployment,
                                  taskfit_error *err) TASKFIT_MUST_USE;

/* How the fewest instances change as the value grows, as far as the path tells: demands and reserves only ever need
 * more, capacities and caps only ever need fewer. */
typedef enum taskfit_trend { TASKFIT_TREND_UNKNOWN, TASKFIT_TREND_UP, TASKFIT_TREND_DOWN } taskfit_trend;
taskfit_trend taskfit_vary_trend(const taskfit_vary *vary);

#endif
