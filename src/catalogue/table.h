#ifndef TASKFIT_CATALOGUE_TABLE_H
#define TASKFIT_CATALOGUE_TABLE_H

/* Inside the catalogue stage only: what a catalogue is made of. */

#include "base/arena.h"
#include "catalogue/catalogue.h"

struct taskfit_catalogue {
    const taskfit_instance_type *types; /* by taskfit_instance_type_compare, names unique */
    size_t n_types;
    const char *source;
    taskfit_arena *arena; /* owns the above; NULL: built in */
};

/* Total order: family by natural order ("c5" before "c10"), vCPU, name. */
int taskfit_instance_type_compare(const taskfit_instance_type *a, const taskfit_instance_type *b);

#endif
