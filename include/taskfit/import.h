#ifndef TASKFIT_IMPORT_H
#define TASKFIT_IMPORT_H

/*
 * Foreign files to a deployment file: what people already have of services, limits and counts. Everything that was assumed,
 * ignored or repaired on the way is told, so that nothing is lost silently. The rules of taskfit.h hold.
 */

#include "taskfit/taskfit.h"

#pragma GCC visibility push(default)

typedef struct taskfit_import_file {
    const char *name; /* for messages */
    const char *data;
    size_t len;
} taskfit_import_file;

/* Of a source that gives a range of tasks (autoscaling) beside a count: which of the figures is the desired count. */
typedef enum taskfit_import_replicas {
    TASKFIT_REPLICAS_GIVEN,
    TASKFIT_REPLICAS_MIN,
    TASKFIT_REPLICAS_MAX
} taskfit_import_replicas;

typedef struct taskfit_import_options {
    const char *kind;                /* one of taskfit_import_kinds, or "auto": recognized, file by file */
    const taskfit_import_file *into; /* a deployment to update; NULL: a new one. What the files do not state stays */
    const char *type;                /* instance type of the one instance group to write; NULL: none */
    int64_t count;                   /* desired count of services for which no file states one; default 1 */
    taskfit_import_replicas replicas;
    const char *name;                /* of the deployment, as the plan states it; NULL: "deployment" */
    const taskfit_catalogue *catalogue; /* for the plan; NULL: the built-in one */
    taskfit_write_fn *plan;          /* receives the placement of today as a plan (JSON), of kinds that know it; NULL: nobody */
    void *plan_sink;
    bool comments;                   /* notes also as comments of the result */
    bool strict;                     /* notes on what was assumed, ignored, repaired or is doubtful are defects */
    taskfit_diag_fn *note;           /* told once for each note, in file order: "file:line: assumed: what"; NULL: nobody */
    void *note_arg;
    taskfit_diag_fn *defect;         /* the same for what is wrong; NULL: only the first, in err */
    void *defect_arg;
} taskfit_import_options;

void taskfit_import_options_init(taskfit_import_options *options);

/* Writes the deployment that the files make together, as YAML. Two files that state different things of one service are a defect
 * that names both places. With `into`, a second import of the same files changes nothing. */
taskfit_status taskfit_import(const taskfit_import_file *files, size_t n_files, const taskfit_import_options *options,
                              taskfit_write_fn *write, void *sink, taskfit_error *err);

/* The kinds by name, ordered, and what each of them is in one line. */
size_t taskfit_import_n_kinds(void);
const char *taskfit_import_kind_name(size_t kind);
const char *taskfit_import_kind_summary(size_t kind);

#pragma GCC visibility pop

#endif
