#ifndef TASKFIT_IMPORT_PLACEMENT_H
#define TASKFIT_IMPORT_PLACEMENT_H

/* Where the tasks of a cluster run now, and the plan that it makes. */

#include "import/import.h"

typedef struct taskfit_placed_instance {
    const char *group, *type, *az; /* as in the deployment that is imported */
} taskfit_placed_instance;

typedef struct taskfit_placed_task {
    size_t instance;
    const char *service;
    taskfit_position position;
} taskfit_placed_task;

typedef struct taskfit_placement {
    taskfit_placed_instance *instances;
    size_t n_instances, instances_capacity;
    taskfit_placed_task *tasks;
    size_t n_tasks, tasks_capacity;
} taskfit_placement;

/*
 * The placement as a plan of rung `packing`: the deployment of `root` under a policy that asks for no more than Amazon ECS enforces, the
 * tasks where they stand, no bound. Defects of the deployment become defects of the import; what the verifier finds broken (a fleet
 * out of balance, tasks still starting) becomes notes. NULL after a defect. Free it with taskfit_plan_free.
 */
struct taskfit_plan *taskfit_placement_plan(taskfit_importer *importer, const taskfit_node *root);
/* Its document, once the deployment's text is known. */
void taskfit_placement_write(struct taskfit_plan *plan, const taskfit_strbuf *deployment, taskfit_strbuf *out);

#endif
