#ifndef TASKFIT_IMPORT_COLUMNS_H
#define TASKFIT_IMPORT_COLUMNS_H

/* What the columns of a module table are, from their headers, which people write in many ways. */

#include "import/grid.h"
#include "import/import.h"

typedef enum taskfit_column_kind {
    TASKFIT_COLUMN_UNKNOWN,
    TASKFIT_COLUMN_NAME, /* of the service; may hold the version too: "mod-users:19.2.0" */
    TASKFIT_COLUMN_VERSION,
    TASKFIT_COLUMN_COUNT,
    TASKFIT_COLUMN_AMOUNT, /* a figure of a container */
    TASKFIT_COLUMN_JVM,    /* flags as text */
    TASKFIT_COLUMN_SPLIT,  /* read/write split */
    TASKFIT_COLUMN_REVISION
} taskfit_column_kind;

typedef struct taskfit_column {
    taskfit_column_kind kind;
    taskfit_import_amount amount; /* of an amount */
    bool zero_is_absent;          /* 0 means "not set" */
    const char *unit;             /* of bare figures, from the header: "Mi", "Gi", "m"; "": none */
    bool is_guess;                /* the header says MB or GB */
    taskfit_cell header;
} taskfit_column;

/* The columns of a header row; false when the row is no header: it names too few of a module table's columns. The first of
 * two columns of the same meaning counts. */
bool taskfit_columns_of(taskfit_arena *arena, const taskfit_row *row, taskfit_column **columns_out);

/* What stands behind the word in a first header cell, "Module<br>PCP1<br>2023-10-25": NULL, NULL when there is nothing. */
void taskfit_header_remarks(taskfit_arena *arena, const taskfit_cell *header, const char **cluster_out, const char **date_out);

#endif
