#include "catalogue/table.h"

/* Made from data/instances_us-east-1.csv by generate.awk; the file is in order, as the unit test checks. */
static const taskfit_instance_type types[] = {
#include "catalogue/types.inc"
};

static const struct taskfit_catalogue builtin = {
    .types = types,
    .n_types = sizeof types / sizeof *types,
    .source = "built in, us-east-1, " TASKFIT_CATALOGUE_DATE,
};

const taskfit_catalogue *taskfit_catalogue_builtin(void) {
    return &builtin;
}
